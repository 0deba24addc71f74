//! LLVM IR as text: read into modules of ours, and written of them.
//!
//! Nothing of LLVM is linked or run. What cannot be represented is an error
//! with its place, never a silent loss of meaning.
//!
//! ```
//! use brolga_ir::datum::Datum;
//! use brolga_ir::interpret::Interpreter;
//! use brolga_ir::llvm::{ReadOptions, read_module};
//!
//! let text = "define i64 @twice(i64 %n) {\n  %r = shl i64 %n, 1\n  ret i64 %r\n}\n";
//! let module = read_module(text, &ReadOptions::default()).unwrap();
//! let mut interpreter = Interpreter::new(&[&module]).unwrap();
//! assert_eq!(interpreter.call("twice", &[Datum::from(21i64)]), Ok(vec![Datum::from(42i64)]));
//!
//! let errors = read_module("define i64 @f() {\n  ret i65 0\n}\n", &ReadOptions::default());
//! assert_eq!((errors.unwrap_err()[0].line), 2);
//! ```

mod lexer;
mod parse;
mod program;
mod report;
mod startup;
mod syntax;
mod translate;
mod write;

use std::collections::{HashMap, HashSet};

use crate::body::Initial;
use crate::module::Module;
use crate::text::{Diagnostic, Limits};

pub use program::{TextErrors, read_program};
pub use startup::{constructors, destructors};
pub use write::{WriteError, write_module};

/// What reading a text of LLVM IR needs to know beside the text.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The names of functions and variables that other modules of the program define:
    /// what the text declares of them becomes an import. What it declares beside them is
    /// foreign: the process defines it. Calls of such foreign functions as throw
    /// (`__cxa_throw`, `_Unwind_RaiseException`) are traps.
    pub defined: HashSet<String>,
    /// Which text of the program it is: names that are made up for what several have,
    /// such as its constructors, end in the number unless it is 0.
    pub number: u32,
    /// What stack slots hold before the first store. LLVM says nothing of it; zeros let
    /// programs that look at it run on the interpreter.
    pub slots: Initial,
    /// Functions of the host, by the templates of inline assembly that they stand for:
    /// such a function takes the operands that are no results in the order of the
    /// constraints, and gives the results.
    pub assembly: HashMap<String, String>,
    /// How much the text may ask for.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            defined: HashSet::new(),
            number: 0,
            slots: Initial::Uninit,
            assembly: HashMap::new(),
            limits: Limits::default(),
        }
    }
}

/// Reads a module of LLVM IR, as LLVM 15 to 22 print it.
///
/// # Errors
/// Everything that is wrong with the text or has no meaning here, up to the limit of the
/// options, in the order of the places.
pub fn read_module(text: &str, options: &ReadOptions) -> Result<Module, Vec<Diagnostic>> {
    program::read(text, options, &translate::Program::default())
}
