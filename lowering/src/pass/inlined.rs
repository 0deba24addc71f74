//! Which functions have taken over the code of which.
//!
//! Who compiles one function of a module must know: the code of a function is
//! out of date as soon as one that it has taken over is defined anew.

use std::collections::BTreeSet;

use brolga_ir::entity::{EntitySet, Exit, FuncId, SecondaryMap};

use super::{Argument, LocalCalls};

/// What functions have taken over from others.
#[derive(Clone, Debug, Default)]
pub struct Inlined {
    finished: EntitySet<FuncId>,
    /// What calls of local functions there are in their whole module, once that is known.
    calls: Option<LocalCalls>,
    of: SecondaryMap<FuncId, Taken>,
}

/// What one function has taken over.
#[derive(Clone, Debug, Default)]
struct Taken {
    callees: BTreeSet<FuncId>,
    shares_memory: bool,
    exits: SecondaryMap<Exit, Option<(FuncId, Exit)>>,
}

impl Inlined {
    /// Whether it is known what calls of local functions there are.
    pub(crate) fn knows_calls(&self) -> bool {
        self.calls.is_some()
    }

    /// Notes what calls of local functions there are in their whole module.
    pub(crate) fn set_calls(&mut self, calls: LocalCalls) {
        self.calls = Some(calls);
    }

    /// Whether one call alone names a function in its whole module.
    pub(crate) fn has_sole_caller(&self, function: FuncId) -> bool {
        self.calls.as_ref().is_some_and(|calls| calls.has_sole_caller(function))
    }

    /// What all calls of a function hand over; none, if nothing is known.
    pub(crate) fn arguments(&self, function: FuncId) -> &[Argument] {
        self.calls.as_ref().map_or(&[], |calls| calls.arguments(function))
    }

    /// Notes that a pass begins to come to the functions of a module.
    pub(crate) fn begin(&mut self) {
        self.finished = EntitySet::new();
    }

    /// Notes that the code of a function is what others may take over.
    pub(crate) fn finish(&mut self, function: FuncId) {
        self.finished.insert(function);
    }

    /// Whether the code of a function is what others may take over.
    pub(crate) fn is_finished(&self, function: FuncId) -> bool {
        self.finished.contains(function)
    }

    /// Notes that `caller` has the code of `callee`, with all that this has.
    pub(crate) fn take(&mut self, caller: FuncId, callee: FuncId) {
        let further: Vec<FuncId> = self.functions(callee).collect();
        let own = &mut self.of[caller].callees;
        own.insert(callee);
        own.extend(further);
    }

    /// How many functions have code in that of a function.
    pub(crate) fn count(&self, function: FuncId) -> usize {
        self.of[function].callees.len()
    }

    /// Notes that calls of a function use the same memory that calls of one of its callees had
    /// for themselves, one after another.
    pub(crate) fn share_memory(&mut self, function: FuncId) {
        self.of[function].shares_memory = true;
    }

    /// Whether that was noted.
    pub(crate) fn shares_memory(&self, function: FuncId) -> bool {
        self.of[function].shares_memory
    }

    /// Notes that an exit of `caller` was one of `callee`.
    pub(crate) fn take_exit(&mut self, caller: FuncId, exit: Exit, callee: FuncId, from: Exit) {
        self.of[caller].exits[exit] = Some((callee, from));
    }

    /// The functions whose code a function has taken over, in the order of the module.
    pub fn functions(&self, function: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        self.of[function].callees.iter().copied()
    }

    /// The function that an exit of `function` was declared in, and which it is there.
    pub fn origin(&self, mut function: FuncId, mut exit: Exit) -> (FuncId, Exit) {
        // What was taken over may have been taken over before. It ends: each exit was made
        // after the one that it had been.
        while let Some(taken) = self.of[function].exits[exit] {
            (function, exit) = taken;
        }
        (function, exit)
    }
}
