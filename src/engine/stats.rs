//! What an engine has compiled, and how.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use brolga_baseline::Unsupported;

/// What an engine has compiled so far, thunks aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Functions of [`Tier::Quick`](crate::Tier::Quick) that were copied together of stencils.
    pub copied: u64,
    /// Functions that went through the pipeline.
    pub lowered: u64,
    /// Functions that were compiled better, as they ran often.
    pub upgraded: u64,
    /// Loops for which code was made to go on in, as they ran for long.
    pub continued: u64,
    /// Why functions of [`Tier::Quick`](crate::Tier::Quick) went through the pipeline: the
    /// reasons in the order of their text.
    pub left_out: Vec<LeftOut>,
}

/// Why functions had no stencils.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// What of them has none.
    pub reason: Box<str>,
    /// How many.
    pub functions: u64,
}

/// The same while it grows.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    copied: u64,
    lowered: u64,
    upgraded: u64,
    continued: u64,
    left_out: BTreeMap<Box<str>, u64>,
}

impl Tally {
    fn count(&self, count: impl FnOnce(&mut Counts)) {
        count(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Functions have been copied together.
    pub(super) fn add_copied(&self, functions: u64) {
        self.count(|counts| counts.copied += functions);
    }

    /// Functions have gone through the pipeline.
    pub(super) fn add_lowered(&self, functions: u64) {
        self.count(|counts| counts.lowered += functions);
    }

    /// A function has been compiled better.
    pub(super) fn add_upgraded(&self) {
        self.count(|counts| counts.upgraded += 1);
    }

    /// Code to go on in has been made.
    pub(super) fn add_continued(&self) {
        self.count(|counts| counts.continued += 1);
    }

    /// A function is left to the pipeline.
    pub(super) fn add_left_out(&self, why: Unsupported) {
        let reason = why.to_string().into();
        self.count(|counts| *counts.left_out.entry(reason).or_default() += 1);
    }

    /// What there is.
    pub(super) fn stats(&self) -> Stats {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left_out = counts
            .left_out
            .iter()
            .map(|(reason, &functions)| LeftOut { reason: reason.clone(), functions });
        Stats {
            copied: counts.copied,
            lowered: counts.lowered,
            upgraded: counts.upgraded,
            continued: counts.continued,
            left_out: left_out.collect(),
        }
    }
}
