//! Slots, exits, locations and scopes of a body.

use super::declarations::BOUND_KINDS;
use super::function::Checker;
use super::report::At;
use super::{Rule, safety};
use crate::body::{Body, ExitData, ExitKind, LocData, MAX_SLOT_ALIGN_LOG2, SlotData, TEXT_FILE};
use crate::entity::{EntityRef, Exit, FuncId, Loc};
use crate::types::{Convention, Scalar, Type};

/// The most bytes that the slots of one function may fill together, each
/// rounded up to its alignment: twice the stack that a thread usually has.
pub const MAX_FRAME_SIZE: u64 = 16 << 20;

/// How many bytes the slots of a body fill.
pub fn frame_size(body: &Body) -> u64 {
    body.slots().map(|(_, slot)| place_of(slot)).sum()
}

fn place_of(slot: &SlotData) -> u64 {
    u64::from(slot.size).next_multiple_of(1 << slot.align_log2.min(MAX_SLOT_ALIGN_LOG2))
}

impl Checker<'_, '_> {
    pub(super) fn check_entities(&mut self) {
        self.check_slots();
        let body = self.body;
        for (exit, data) in body.exits() {
            self.check_exit(exit, data);
        }
        for (loc, data) in body.locs() {
            self.check_loc(loc, data);
        }
        for (set, members) in body.scope_sets() {
            self.report.work += members.len() as u64;
            if members.iter().any(|scope| scope.index() >= body.scopes().len()) {
                let message = format_args!("{set} holds a scope that is none of the function");
                self.fail(Rule::UnknownHandle, At::Function, message);
            }
        }
    }

    fn check_slots(&mut self) {
        let body = self.body;
        let total = frame_size(body);
        let (mut filled, mut excess) = (0u64, None);
        for (slot, data) in body.slots() {
            self.report.work += 1;
            self.report.note(safety::of_slot(data));
            if data.align_log2 > MAX_SLOT_ALIGN_LOG2 {
                let align = data.align_log2;
                let limit = 1 << MAX_SLOT_ALIGN_LOG2;
                let message =
                    format_args!("{slot} is aligned to 2^{align} bytes, the limit is {limit}");
                self.fail(Rule::SlotLimit, At::Slot(slot), message);
            }
            filled += place_of(data);
            if filled > MAX_FRAME_SIZE && excess.is_none() {
                excess = Some(slot);
            }
        }
        if let Some(slot) = excess {
            let message = format_args!(
                "the slots fill {total} bytes, the limit is {MAX_FRAME_SIZE}; keep such data on the heap"
            );
            self.fail(Rule::SlotLimit, At::Slot(slot), message);
        }
    }

    fn check_exit(&mut self, exit: Exit, data: &ExitData) {
        self.report.work += 1 + data.types.len() as u64;
        for &ty in &data.types {
            self.check_type(ty, At::Exit(exit));
            let types = &self.module.types;
            let bound = BOUND_KINDS.iter().any(|&kind| types.holds(ty, kind));
            if bound || !ty.is_some() || ty == Type::scalar(Scalar::Token) {
                let name = self.show(ty);
                let message = format_args!("{exit} takes a `{name}` along, which cannot leave");
                self.fail(Rule::ExitKind, At::Exit(exit), message);
            }
        }
        if let ExitKind::Deopt(function) = data.kind {
            self.check_deopt(exit, function, &data.types);
        }
    }

    fn check_deopt(&mut self, exit: Exit, id: FuncId, types: &[Type]) {
        let Some(function) = self.module.function(id) else {
            let message =
                format_args!("{exit} goes on in {id}, which is no function of the module");
            return self.fail(Rule::UnknownHandle, At::Exit(exit), message);
        };
        let name = &function.name;
        let signature = self.module.types.sig(function.sig);
        if signature.convention == Convention::Platform {
            let message =
                format_args!("{exit} cannot go on in `@{name}`, of the platform's convention");
            return self.fail(Rule::ExitKind, At::Exit(exit), message);
        }
        if !signature.param_types().eq(types.iter().copied()) {
            let message = format_args!("{exit} does not take along what `@{name}` takes");
            self.fail(Rule::ExitKind, At::Exit(exit), message);
        }
        if !self.gives_same_results(function.sig) {
            let message = format_args!("{exit} goes on in `@{name}`, which gives other results");
            self.fail(Rule::ExitKind, At::Exit(exit), message);
        }
    }

    fn check_loc(&mut self, loc: Loc, data: &LocData) {
        self.report.work += 1;
        let strings = self.module.string_count();
        if data.file != TEXT_FILE && data.file >= strings
            || data.function.is_some_and(|function| function >= strings)
        {
            let message = format_args!("{loc} names a string that is none of the module");
            self.fail(Rule::UnknownHandle, At::Loc(loc), message);
        }
        if data.line == 0 && data.file != TEXT_FILE {
            self.fail(Rule::Location, At::Loc(loc), format_args!("{loc} has line 0"));
        }
        if data.inlined_at.expand().is_some_and(|at| at.index() >= loc.index()) {
            let message =
                format_args!("{loc} is inlined at a location that does not stand before it");
            self.fail(Rule::Location, At::Loc(loc), message);
        }
    }
}
