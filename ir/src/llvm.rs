//! LLVM IR as text: read into modules of ours, and written of them.
//!
//! Nothing of LLVM is linked or run. What cannot be represented is an error
//! with its place, never a silent loss of meaning.

mod lexer;
mod parse;
mod report;
mod syntax;
mod translate;
mod write;

use std::collections::HashSet;

use crate::body::Initial;
use crate::module::Module;
use crate::text::{Diagnostic, Limits};

pub use write::{WriteError, write_module};

/// What reading a text of LLVM IR needs to know beside the text.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The names of functions and variables that other modules of the program define:
    /// what the text declares of them becomes an import. What it declares beside them is
    /// foreign: the process defines it.
    pub defined: HashSet<String>,
    /// What stack slots hold before the first store. LLVM says nothing of it; zeros let
    /// programs that look at it run on the interpreter.
    pub slots: Initial,
    /// The name of the function that calls the constructors of the text, for whoever
    /// runs the program: the module exports it if there are any. No two modules of a
    /// program may have the same.
    pub constructors: String,
    /// The same of the destructors.
    pub destructors: String,
    /// How much the text may ask for.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            defined: HashSet::new(),
            slots: Initial::Uninit,
            constructors: "__constructors".to_owned(),
            destructors: "__destructors".to_owned(),
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
    if let Some(error) = crate::text::check_size(text, &options.limits) {
        return Err(vec![error]);
    }
    translate::translate(text, options)
}
