//! What building reports.

use std::fmt;

use crate::verify::{Rule, VerifyError, write_list};

/// What kind of mistake it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A name is declared twice, or a type or signature cannot be.
    Declaration,
    /// A function is defined twice, or is not of the module, or is defined elsewhere.
    Definition,
    /// A handle of another function, or of none.
    ForeignHandle,
    /// An instruction behind the terminator of its block.
    AfterTerminator,
    /// A variable is read where it may not have been set.
    UnsetVariable,
    /// A variable or constant cannot have the type or the value.
    Type,
    /// Suffix, function or indices of an instruction say nothing of its results.
    Instruction,
    /// A value, block or hint is not where it belongs.
    Place,
    /// What was built breaks a rule of the verifier.
    Rule(Rule),
}

impl Fault {
    /// A stable code, by which tests and messages name the fault.
    pub fn code(self) -> &'static str {
        match self {
            Fault::Declaration => "declaration",
            Fault::Definition => "definition",
            Fault::ForeignHandle => "foreign-handle",
            Fault::AfterTerminator => "after-terminator",
            Fault::UnsetVariable => "unset-variable",
            Fault::Type => "type",
            Fault::Instruction => "instruction",
            Fault::Place => "place",
            Fault::Rule(rule) => rule.code(),
        }
    }
}

/// A mistake in what was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildError {
    /// Its kind.
    pub fault: Fault,
    /// What is wrong, as a sentence without period, cut where it grows too long.
    pub message: String,
    /// The name of the function or data object, cut where it grows too long;
    /// empty for the module itself.
    pub symbol: Box<str>,
    /// The block as the text names it, cut where it grows too long; empty
    /// outside of blocks.
    pub block: Box<str>,
    /// The end of the block, up to and with the instruction that is wrong, or
    /// the line of a declaration; empty where there is neither.
    pub text: String,
}

impl BuildError {
    /// What the verifier found, outside of blocks or with `text` of the block.
    pub(super) fn from_verifier(error: VerifyError, text: Option<String>) -> BuildError {
        BuildError {
            fault: Fault::Rule(error.rule),
            message: error.message,
            symbol: error.symbol_name,
            block: error.block_name,
            text: text.unwrap_or(error.line),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.symbol.is_empty() {
            write!(f, "@{}", self.symbol)?;
            if !self.block.is_empty() {
                write!(f, ", {}", self.block)?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{} [{}]", self.message, self.fault.code())?;
        if !self.text.is_empty() {
            write!(f, "\n{}", self.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

/// All mistakes, the first [`MAX_ERRORS`] of them listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildErrors {
    /// In the order in which they were made; at least one.
    pub errors: Vec<BuildError>,
    /// How many more there are.
    pub omitted: usize,
}

/// How many errors [`BuildErrors`] lists.
pub const MAX_ERRORS: usize = 100;

impl BuildErrors {
    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Adds an error, which is made only if it is listed.
    pub(super) fn push(&mut self, error: impl FnOnce() -> BuildError) {
        match self.errors.len() < MAX_ERRORS {
            true => self.errors.push(error()),
            false => self.omitted += 1,
        }
    }

    /// Nothing if there is no error.
    pub(super) fn into_result(self) -> Result<(), BuildErrors> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.errors, self.omitted)
    }
}

impl std::error::Error for BuildErrors {}
