//! The prelude: functions in the text of the IR that the legaliser calls for
//! what a target does not do by itself. They are compiled like user code, so
//! that images and every target get them for nothing, and the interpreter
//! tests them.
//!
//! A function of the prelude throws only if that is what it is for, and never
//! traps: a trap belongs to the code that asked for the impossible.

use std::sync::LazyLock;

use brolga_ir::module::Module;
use brolga_ir::text::parse_module;

/// How the names of the prelude's functions start, which no module may define.
pub const PRELUDE_PREFIX: &str = "brolga.";

/// The text, a file for each concern.
const TEXTS: &[&str] = &[include_str!("prelude/exceptions.bir")];

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
