//! When a function is compiled again, and how well.
//!
//! Code that may be replaced counts down from a budget: by one at each entry, by one at each
//! round of a loop. At zero it asks here what is next. What cannot be compiled better, or not
//! now, gets twice the budget before it asks again, and at last is left alone.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::escape::{Escaped, unescaped};

/// How well code is compiled, the quickest to make first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// At once, piece by piece.
    Quick,
    /// With the optimisations that pay for themselves soon.
    Warm,
    /// With all.
    Hot,
}

impl Tier {
    /// All, the quickest to make first.
    pub const ALL: [Tier; 3] = [Tier::Quick, Tier::Warm, Tier::Hot];

    /// How it is spelled in recorded decisions.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Quick => "quick",
            Tier::Warm => "warm",
            Tier::Hot => "hot",
        }
    }

    /// The tier that `name` spells.
    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name)
    }

    /// The next better one.
    pub fn next(self) -> Option<Tier> {
        Tier::ALL.into_iter().find(|&tier| tier > self)
    }
}

/// What code of a tier may run before it is compiled better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budgets {
    /// Entries and rounds of [`Tier::Quick`].
    pub quick: u32,
    /// Entries and rounds of [`Tier::Warm`].
    pub warm: u32,
    /// How often a budget is doubled before the function is left alone.
    pub doublings: u32,
}

impl Default for Budgets {
    fn default() -> Budgets {
        Budgets { quick: 10_000, warm: 50_000, doublings: 6 }
    }
}

/// How tiers are chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tiering {
    /// By what code runs.
    Adaptive(Budgets),
    /// The same for every function, for good.
    Fixed(Tier),
    /// What was recorded, for good; the quickest for functions of which nothing was.
    Replay(BTreeMap<Box<str>, Tier>),
}

impl Tiering {
    /// What was recorded as text, to be done again.
    ///
    /// # Errors
    /// The first line that is none of a record.
    pub fn replay(text: &str) -> Result<Tiering, BadLine> {
        read_decisions(text).map(Tiering::Replay)
    }

    /// Whether tiers depend on what code runs.
    pub fn is_adaptive(&self) -> bool {
        matches!(self, Tiering::Adaptive(_))
    }

    /// How a function is compiled at its first call.
    pub fn first(&self, function: &str) -> Tier {
        match self {
            Tiering::Adaptive(_) => Tier::Quick,
            Tiering::Fixed(tier) => *tier,
            Tiering::Replay(recorded) => recorded.get(function).copied().unwrap_or(Tier::Quick),
        }
    }

    /// What code of a tier may run before it asks what is next, if it ever does, when that was
    /// tried so often in vain.
    pub fn budget(&self, tier: Tier, failures: u32) -> Option<u32> {
        let Tiering::Adaptive(budgets) = self else { return None };
        let budget = match tier {
            Tier::Quick => budgets.quick,
            Tier::Warm => budgets.warm,
            Tier::Hot => return None,
        };
        let is_left_alone = failures > budgets.doublings;
        let doubled = || u64::from(budget.max(1)) << failures.min(u32::BITS);
        (!is_left_alone).then(|| u32::try_from(doubled()).unwrap_or(u32::MAX))
    }
}

/// Decisions as text, a line each: the tier, a space and the function, in the order of
/// names.
pub fn write_decisions<'a>(decisions: impl IntoIterator<Item = (&'a str, Tier)>) -> String {
    let sorted: BTreeMap<&str, Tier> = decisions.into_iter().collect();
    let line = |(name, tier): (&str, Tier)| format!("{} {}\n", tier.name(), Escaped(name));
    sorted.into_iter().map(line).collect()
}

/// A line of recorded decisions that is none, by its number, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("line {0}: a tier (quick, warm or hot), a space and a function belong there")]
pub struct BadLine(pub usize);

/// Decisions that were recorded as text.
///
/// # Errors
/// The first line that is none.
pub fn read_decisions(text: &str) -> Result<BTreeMap<Box<str>, Tier>, BadLine> {
    let read = |(index, line): (usize, &str)| {
        let decision = line.split_once(' ').filter(|(_, name)| !name.is_empty());
        let tier =
            decision.and_then(|(tier, name)| Some((unescaped(name)?, Tier::from_name(tier)?)));
        tier.ok_or(BadLine(index + 1))
    };
    text.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(read).collect()
}
