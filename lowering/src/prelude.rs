//! The prelude: functions in the text of the IR that the legaliser calls for
//! what a target does not do by itself. They are compiled like user code, so
//! that images and every target get them for nothing, and the interpreter
//! tests them.
//!
//! Parameters and results are scalars; an `f16` or a `bf16` is passed as the
//! `i16` of its bits. The functions are of the safe dialect, but for one that
//! throws, and use only what every target does by itself, or one another.
//!
//! A function of the prelude throws only if that is what it is for, and never
//! traps: a trap belongs to the code that asked for the impossible. So a caller
//! divides by zero nowhere.

mod table;

use std::sync::LazyLock;

use brolga_ir::module::Module;
use brolga_ir::text::parse_module;

pub use table::{FUNCTIONS, PreludeFunction, function_for};

/// How the names of the prelude's functions start, which no module may have that comes in.
pub const PRELUDE_PREFIX: &str = "brolga.";

/// The text, a file for each concern.
const TEXTS: &[&str] = &[
    include_str!("prelude/exceptions.bir"),
    include_str!("prelude/division.bir"),
    include_str!("prelude/multiplication.bir"),
    include_str!("prelude/float_from_integer.bir"),
    include_str!("prelude/integer_from_float.bir"),
    include_str!("prelude/half.bir"),
    include_str!("prelude/rounding.bir"),
    include_str!("prelude/remainder.bir"),
    include_str!("prelude/fma.bir"),
];

/// The module that holds the functions of the prelude, each exported.
///
/// Read at its first use; the text is a constant, and a test reads it.
pub fn module() -> &'static Module {
    static PRELUDE: LazyLock<Module> = LazyLock::new(|| {
        let mut module = parse_module(&TEXTS.concat()).unwrap_or_default();
        module.name = "prelude".to_owned();
        module
    });
    &PRELUDE
}

#[cfg(test)]
mod tests;
