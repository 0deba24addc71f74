//! What somebody wants to know of the passes while they run, as data: from options of a
//! command, from variables of an environment, or written down by an embedder.

mod word;

use std::ffi::OsString;
use std::fmt;

pub use word::{InspectionWord, WORDS};

use super::{Pass, PassList};

/// Whether something is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Switch {
    /// No.
    #[default]
    Off,
    /// Yes.
    On,
}

/// Which runs of passes something is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Selection {
    /// None.
    #[default]
    None,
    /// Those of the passes of these names, or `name(option)`.
    Passes(Vec<Box<str>>),
    /// Those that change anything.
    Changed,
    /// All.
    All,
}

impl Selection {
    /// Whether runs of `pass` may be among them.
    pub(super) fn has(&self, pass: &Pass) -> bool {
        match self {
            Selection::None => false,
            Selection::Passes(names) => {
                names.iter().any(|name| **name == *pass.name || **name == *pass.spelling())
            }
            Selection::Changed | Selection::All => true,
        }
    }
}

/// What becomes of the remarks of passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Remarks {
    /// There are none.
    #[default]
    Off,
    /// They are collected in the [`Report`](super::Report), and the observer of an engine
    /// is told.
    Collected,
    /// They are shown, too, as lines of text.
    Text,
    /// They are shown, too, as objects of JSON, one on a line.
    Json,
}

/// What somebody wants to know of the passes while they run. By default nothing, and then
/// it costs nothing. All but `passes` and `bisect_limit` leaves the code that is made as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspection {
    /// The passes that run in the place of those of a level, and
    /// [among them](PassList::completed) those that code cannot be emitted without.
    pub passes: Option<PassList>,
    /// Before which runs the text of the function is shown.
    pub print_before: Selection,
    /// Behind which.
    pub print_after: Selection,
    /// Of which functions texts are shown; none stands for all.
    pub print_only: Vec<Box<str>>,
    /// The passes whose steps are shown.
    pub debug_only: Selection,
    /// Whether it is shown at the end how long each pass took.
    pub time_passes: Switch,
    /// Whether it is shown at the end what passes have counted.
    pub statistics: Switch,
    /// What becomes of remarks.
    pub remarks: Remarks,
    /// How many runs of passes that may be left out are made, one for each pass and
    /// function; the others are left out.
    pub bisect_limit: Option<u64>,
    /// Whether the verifier looks at what each pass leaves. A pass that says to have
    /// changed nothing must then have left the same text, and analyses that it keeps must be
    /// what they would be now: that is so in builds with debug assertions as well.
    pub verify_each: Switch,
}

/// A wish that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InspectionError {
    /// What was said, as it was said.
    pub said: String,
    /// What is wrong with it, and the way out.
    pub reason: String,
}

impl fmt::Display for InspectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.said, self.reason)
    }
}

impl std::error::Error for InspectionError {}

impl Inspection {
    /// What options of a command ask for: `print-after=licm`, `time-passes`, with or without
    /// two dashes before them. [`WORDS`] lists them; a later one takes the place of an
    /// earlier one of the same name.
    ///
    /// # Errors
    /// The first option that is none, or whose value is none.
    pub fn from_words<'a>(
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Inspection, InspectionError> {
        let mut inspection = Inspection::default();
        for word in words {
            inspection.set(word)?;
        }
        Ok(inspection)
    }

    /// Takes one more option into account, as [`from_words`](Self::from_words) does.
    ///
    /// # Errors
    /// If it is none, or its value is none.
    pub fn set(&mut self, word: &str) -> Result<(), InspectionError> {
        let bare = word.strip_prefix("--").unwrap_or(word);
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (bare, None),
        };
        let error = |reason| InspectionError { said: word.to_owned(), reason };
        let known = WORDS.iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| {
            let names: Vec<&str> = WORDS.iter().map(|known| known.name).collect();
            error(format!("there is no such wish; there are {}", names.join(", ")))
        })?;
        known.apply(self, value).map_err(error)
    }

    /// What variables of an environment ask for, such as `BROLGA_PRINT_AFTER=licm`: for a
    /// program that has no options for it. The library reads no environment by itself;
    /// whoever wants this passes [`std::env::vars_os`]. A variable that is empty asks for
    /// nothing, and others than those of [`WORDS`] are not looked at.
    ///
    /// # Errors
    /// The first variable whose value is none.
    pub fn from_environment(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Inspection, InspectionError> {
        let mut found: Vec<Option<OsString>> = WORDS.iter().map(|_| None).collect();
        for (name, value) in variables {
            let word = WORDS.iter().position(|word| name == *word.variable());
            if let Some(word) = word.filter(|_| !value.is_empty()) {
                found[word] = Some(value);
            }
        }
        let mut inspection = Inspection::default();
        // In the order of the table, so that the first error is the same every time.
        for (word, value) in WORDS.iter().zip(found) {
            let Some(value) = value else { continue };
            let said = format!("{}={}", word.variable(), value.to_string_lossy());
            let error = |reason| InspectionError { said: said.clone(), reason };
            let value = value.to_str().ok_or_else(|| error("the value is no text".to_owned()))?;
            word.apply(&mut inspection, Some(value)).map_err(error)?;
        }
        Ok(inspection)
    }

    /// Whether anything is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Inspection::default()
    }
}

#[cfg(test)]
mod tests;
