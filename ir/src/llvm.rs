//! LLVM IR as text: read into modules of ours.
//!
//! Nothing of LLVM is linked or run. What cannot be represented is an error
//! with its place, never a silent loss of meaning.

mod lexer;
mod parse;
mod report;
mod syntax;
mod translate;
