//! What verification reports.

use std::fmt;

use super::Rule;
use crate::entity::{Block, Inst};
use crate::module::Symbol;

/// A place in source code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// The file; nothing for the module's own text.
    pub file: Option<Box<str>>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// A breach of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The rule.
    pub rule: Rule,
    /// What is wrong, as a sentence without period, cut where it grows too long.
    pub message: String,
    /// The function or data object in which it is; nothing for what the whole module shares.
    pub symbol: Option<Symbol>,
    /// The name of that symbol, cut where it grows too long.
    pub symbol_name: Box<str>,
    /// The block.
    pub block: Option<Block>,
    /// The block as the text names it, cut where it grows too long.
    pub block_name: Box<str>,
    /// The instruction.
    pub inst: Option<Inst>,
    /// The line as the text spells it, cut where it grows too long: of the
    /// instruction, the head of the block, or the declaration; of a signature
    /// its type. Empty only where a function is asked for that there is none of.
    pub line: String,
    /// Where the instruction comes from, as far as the function says it.
    pub place: Option<SourcePlace>,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line)?,
            None => write!(f, "line {}", self.line)?,
        }
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.symbol.is_some() {
            write!(f, "@{}", self.symbol_name)?;
            if self.block.is_some() {
                write!(f, ", {}", self.block_name)?;
            }
            if let Some(place) = &self.place {
                write!(f, " ({place})")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{} [{}]", self.message, self.rule)?;
        if !self.line.is_empty() {
            write!(f, "\n    {}", self.line)?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyError {}

/// All breaches, as far as [`Options::max_errors`](super::Options::max_errors) lets them be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyErrors {
    /// The first ones, in the order of the module; at least one.
    pub errors: Vec<VerifyError>,
    /// How many more there are.
    pub omitted: usize,
}

impl fmt::Display for VerifyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.errors, self.omitted)
    }
}

/// Writes errors one below the other, and how many more there are.
pub(crate) fn write_list(
    f: &mut fmt::Formatter<'_>,
    errors: &[impl fmt::Display],
    omitted: usize,
) -> fmt::Result {
    for (i, error) in errors.iter().enumerate() {
        let separator = if i == 0 { "" } else { "\n" };
        write!(f, "{separator}{error}")?;
    }
    match omitted {
        0 => Ok(()),
        omitted => write!(f, "\nand {omitted} more"),
    }
}

impl std::error::Error for VerifyErrors {}
