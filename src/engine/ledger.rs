//! What has become of each function.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;

use brolga_lifecycle::tiers::{Tier, write_decisions};

use super::shared::Shared;
use crate::link::{Counted, Making, Source};
use crate::runtime::Placed;

/// What has become of a function that was defined and is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionRecord {
    /// The library that it is a function of.
    pub library: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// How well it is compiled by now.
    pub tier: Tier,
    /// How long that took.
    pub compile_time: Duration,
    /// Bytes of its code.
    pub code_bytes: usize,
    /// How often it was called so far, by all its code: counted until it is compiled as well as it
    /// can be, where that is counted at all. Threads that count at once may lose some.
    pub calls: u64,
    /// How often the code that it has now was entered and, in the first tier, came round a loop: where that is
    /// counted at all, as it runs. Threads that count at once may lose some.
    pub counted: u64,
}

/// The records of all functions, in the order of their names.
pub(super) fn ledger(shared: &Shared) -> Vec<FunctionRecord> {
    let numbers: Vec<u32> = shared.symbols().numbers.all().collect();
    let record = |number: u32| {
        let before = shared.calls_before(number);
        let life = shared.functions.entry(number);
        let is_whole = !matches!(life.source(), Some((Source::Continuation(..), _)));
        let placed = life.code().filter(|_| is_whole)?;
        let Making { tier, took } = Making::of(&placed)?;
        let counter = Counted::of(&placed).map(|counted| &counted.counter);
        Some(FunctionRecord {
            library: shared.symbols().library_name_of(number),
            name: (**placed.facts.name()).into(),
            tier,
            compile_time: took,
            code_bytes: placed.size(),
            calls: before + counter.map_or(0, |counter| counter.calls()),
            counted: counter.map_or(0, |counter| counter.counted()),
        })
    };
    let mut records: Vec<FunctionRecord> = numbers.into_iter().filter_map(record).collect();
    records.sort_by(|a, b| (&a.name, &a.library).cmp(&(&b.name, &b.library)));
    records
}

/// How well each function is compiled by now, as text that can be replayed.
pub(super) fn decisions(shared: &Shared) -> String {
    let mut tiers: BTreeMap<Box<str>, Tier> = BTreeMap::new();
    for FunctionRecord { name, tier, .. } in ledger(shared) {
        // Local ones of several modules may have one name.
        let known = tiers.entry(name).or_insert(tier);
        *known = tier.max(*known);
    }
    write_decisions(tiers.iter().map(|(name, &tier)| (&**name, tier)))
}

impl Shared {
    /// Keeps how often code was called whose time is over.
    pub(super) fn keep_calls(&self, code: &Placed) {
        if let Some(Counted { counter, .. }) = Counted::of(code)
            && counter.calls() > 0
        {
            let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
            *calls.entry(counter.number).or_default() += counter.calls();
        }
    }

    /// Forgets that of a function whose number another may get.
    pub(super) fn forget_calls(&self, number: u32) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    fn calls_before(&self, number: u32) -> u64 {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.get(&number).copied().unwrap_or_default()
    }
}
