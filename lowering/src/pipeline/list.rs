//! Passes that somebody wants in the place of those of a level.

use std::fmt;

use super::row::{Duty, Pass, is_requested, passes_for};
use super::table::PASSES;
use super::text::{PipelineError, parse_pipeline};
use crate::options::LowerOptions;

/// Passes that somebody wants in the place of those of a level, in that order.
#[derive(Clone)]
pub struct PassList(Vec<&'static Pass>);

impl PassList {
    /// Those that a text names, as [`parse_pipeline`] reads it.
    ///
    /// # Errors
    /// As of that.
    pub fn parse(text: &str) -> Result<PassList, PipelineError> {
        Ok(PassList(parse_pipeline(text)?))
    }

    /// Them.
    pub fn passes(&self) -> &[&'static Pass] {
        &self.0
    }

    /// Them, and those that are missing for the code to be what the options ask for: without
    /// which it cannot be emitted, and which they name. Each of these runs before the first of
    /// the list that the table has behind it.
    pub fn completed(&self, options: &LowerOptions) -> Vec<&'static Pass> {
        let is_missing = |row: &&'static Pass| {
            let is_needed = row.duty == Duty::Required || is_requested(row, options);
            is_needed && !self.0.iter().any(|pass| pass.spelling() == row.spelling())
        };
        let mut missing = PASSES.iter().enumerate().filter(|(_, row)| is_missing(row)).peekable();
        let mut all = Vec::with_capacity(self.0.len());
        for &pass in &self.0 {
            let place = PASSES.iter().position(|row| std::ptr::eq(row, pass));
            while let Some((_, row)) = missing.next_if(|&(at, _)| Some(at) < place) {
                all.push(row);
            }
            all.push(pass);
        }
        all.extend(missing.map(|(_, row)| row));
        all
    }
}

/// The passes that a function is compiled by: of a list, if there is one, and else those of the
/// options' level.
pub fn passes_wanted(list: Option<&PassList>, options: &LowerOptions) -> Vec<&'static Pass> {
    list.map_or_else(|| passes_for(options), |list| list.completed(options))
}

/// As [`parse_pipeline`] reads it.
impl fmt::Display for PassList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, pass) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}", pass.spelling())?;
        }
        Ok(())
    }
}

impl fmt::Debug for PassList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PassList({self})")
    }
}

/// Rows that are spelled alike run the same.
impl PartialEq for PassList {
    fn eq(&self, other: &PassList) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(a, b)| a.spelling() == b.spelling())
    }
}

impl Eq for PassList {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::options::Sanitizing;
    use crate::pipeline::ordering_faults;

    fn completed(text: &str, options: &LowerOptions) -> Vec<String> {
        let passes = PassList::parse(text).unwrap().completed(options);
        assert_eq!(ordering_faults(&passes), [""; 0], "{text}");
        passes.iter().map(|pass| pass.spelling().into_owned()).collect()
    }

    #[test]
    fn a_list_is_completed_by_what_emission_needs_at_its_place_in_the_table() {
        let options = LowerOptions::default();
        let required: Vec<_> = PASSES.iter().filter(|row| row.duty == Duty::Required).collect();
        let none = completed("", &options);
        assert_eq!(none.len(), required.len());
        let some = completed("gvn,dce,licm,licm", &options);
        assert_eq!(some.len(), none.len() + 4);
        let place = |name: &str| some.iter().position(|it| it == name).unwrap();
        assert!(place("flatten_aggregates") < place("gvn"), "{some:?}");
        assert_eq!(some[place("gvn")..][..4], ["gvn", "dce", "licm", "licm"]);
        assert!(place("licm") < place("legalize"), "{some:?}");
        let whole = PassList::parse("O2").unwrap();
        assert_eq!(whole.completed(&options).len(), whole.passes().len());
    }

    #[test]
    fn what_an_option_asks_for_runs_behind_a_list_too() {
        let options = LowerOptions { sanitize: Sanitizing::Check, ..LowerOptions::default() };
        let passes = completed("dce", &options);
        assert_eq!(passes.iter().filter(|name| *name == "sanitize").count(), 1);
        let of_level = LowerOptions { level: Level::O0, ..options };
        let spelled = |list: &[&Pass]| -> Vec<_> { list.iter().map(|it| it.spelling()).collect() };
        assert_eq!(spelled(&passes_wanted(None, &of_level)), spelled(&passes_for(&of_level)));
    }

    #[test]
    fn a_list_is_shown_as_it_is_read() {
        for text in ["", "dce", "inline(always),gvn,dce"] {
            let list = PassList::parse(text).unwrap();
            assert_eq!(list.to_string(), text);
            assert_eq!(list, PassList::parse(&list.to_string()).unwrap());
        }
        assert_ne!(PassList::parse("dce").unwrap(), PassList::parse("gvn").unwrap());
        assert!(PassList::parse("dce,nothing").is_err());
    }
}
