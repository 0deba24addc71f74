//! Textual pipelines: `flatten_aggregates,legalize`, or `O1,simplify_cfg(aggressive)`.

use std::fmt;

use super::row::{Pass, passes_at, too_late};
use super::table::PASSES;
use crate::level::Level;

/// A word of a textual pipeline that cannot stand where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PipelineError {
    /// The word.
    pub word: Box<str>,
    /// Its column, from 1, in characters.
    pub column: usize,
    /// What is wrong with it.
    pub fault: PipelineFault,
}

/// What can be wrong with a word of a textual pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineFault {
    /// Neither a pass nor a level is called so.
    Unknown {
        /// What is.
        known: Vec<&'static str>,
    },
    /// The pass takes no such option.
    Option {
        /// How it can be spelled.
        known: Vec<String>,
    },
    /// A parenthesis is missing, or one too many.
    Parentheses,
    /// There is no word between two commas.
    Missing,
    /// The pass stands before one that must run first.
    Order {
        /// That one.
        late: &'static str,
    },
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PipelineError { word, column, fault } = self;
        write!(f, "column {column}: ")?;
        match fault {
            PipelineFault::Unknown { known } => write!(
                f,
                "no pass is named `{word}`; there are {}, and the levels {}",
                known.join(", "),
                Level::ALL.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
            ),
            PipelineFault::Option { known } => {
                write!(f, "there is no `{word}`; there is {}", known.join(", "))
            }
            PipelineFault::Parentheses => {
                write!(f, "`{word}` is no pass; write `name`, or `name(option)`")
            }
            PipelineFault::Missing => {
                f.write_str("there is no word; write the name of a pass, or leave the comma out")
            }
            PipelineFault::Order { late } => {
                write!(f, "`{word}` must not run before `{late}`; put it behind that")
            }
        }
    }
}

impl std::error::Error for PipelineError {}

/// The passes that a text names, in that order; the name of a level stands for the passes
/// of that level. An empty text is a pipeline of no passes.
///
/// # Errors
/// The first word that is neither, or that stands before what must run first.
pub fn parse_pipeline(text: &str) -> Result<Vec<&'static Pass>, PipelineError> {
    pipeline_of(PASSES, text)
}

/// The passes of those words, in that order; the name of a level stands for the passes of
/// that level. Their order is not looked at.
///
/// # Errors
/// The first word that is neither; its column is one in that word.
pub fn passes_named<'a>(
    words: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<&'static Pass>, PipelineError> {
    let mut passes = Vec::new();
    for word in words {
        passes.extend(Word { text: word, column: 1 }.passes(PASSES)?);
    }
    Ok(passes)
}

/// The names of passes in a list: one without an option stands for the pass with any, and
/// the name of a level for its passes.
///
/// # Errors
/// The first word that is neither.
pub(super) fn names_in(text: &str) -> Result<Vec<Box<str>>, PipelineError> {
    let mut names = Vec::new();
    for word in split(text) {
        match PASSES.iter().any(|pass| pass.name == word.text) {
            true => names.push(word.text.into()),
            false => {
                let passes = word.passes(PASSES)?;
                names.extend(passes.iter().map(|pass| Box::from(&*pass.spelling())));
            }
        }
    }
    Ok(names)
}

fn pipeline_of(table: &'static [Pass], text: &str) -> Result<Vec<&'static Pass>, PipelineError> {
    let (mut passes, mut words) = (Vec::new(), Vec::new());
    if text.trim().is_empty() {
        return Ok(passes);
    }
    for word in split(text) {
        let found = word.passes(table)?;
        words.extend(found.iter().map(|_| word));
        passes.extend(found);
    }
    for (index, word) in words.iter().enumerate() {
        if let Some(late) = too_late(&passes, index).next() {
            return Err(word.error(PipelineFault::Order { late }));
        }
    }
    Ok(passes)
}

/// A word and where it begins.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    column: usize,
}

/// What stands between the commas, without the spaces around it.
fn split(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut column = 1;
    text.split(',').map(move |piece| {
        let spaces = piece.chars().take_while(|character| character.is_whitespace()).count();
        let word = Word { text: piece.trim(), column: column + spaces };
        column += piece.chars().count() + 1;
        word
    })
}

impl Word<'_> {
    fn error(&self, fault: PipelineFault) -> PipelineError {
        PipelineError { word: self.text.into(), column: self.column, fault }
    }

    /// The rows that the word stands for.
    fn passes(&self, table: &'static [Pass]) -> Result<Vec<&'static Pass>, PipelineError> {
        if self.text.is_empty() {
            return Err(self.error(PipelineFault::Missing));
        }
        if let Some(level) = Level::from_name(self.text) {
            return Ok(passes_at(level));
        }
        let (name, option) = match self.text.split_once('(') {
            None => (self.text, ""),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(option) if !option.is_empty() => (name.trim_end(), option.trim()),
                _ => return Err(self.error(PipelineFault::Parentheses)),
            },
        };
        if option.contains(['(', ')']) || name.contains(')') {
            return Err(self.error(PipelineFault::Parentheses));
        }
        let mut rows = table.iter().filter(|pass| pass.name == name).peekable();
        if rows.peek().is_none() {
            return Err(self.error(PipelineFault::Unknown { known: names(table) }));
        }
        match rows.clone().find(|pass| pass.option == option) {
            Some(pass) => Ok(vec![pass]),
            None => {
                let mut known: Vec<String> = rows.map(|pass| pass.spelling().into()).collect();
                known.sort();
                known.dedup();
                Err(self.error(PipelineFault::Option { known }))
            }
        }
    }
}

/// The names of a table, each once, in its order.
fn names(table: &'static [Pass]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for pass in table {
        if !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names
}

#[cfg(test)]
mod tests;
