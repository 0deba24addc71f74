//! What computing something otherwise saves, and what it costs.
//!
//! A cost is a number of instructions, a product counting as two: it has one unit of the
//! processor for itself, and an address waits for it. What the machine does as part of an
//! access costs nothing.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::moving::{Moving, Rounds};
use super::plan::{Carrier, Item, Plan};
use crate::analysis::{Frequencies, Loops};
use crate::pass::Uses;
use crate::target::{Architecture, Bank, TargetFacts};

/// The most users of a value that is looked at for going with all of them.
const MOST_USERS: usize = 16;

/// How many registers rounds need for what they compute.
const SCRATCH: u32 = 3;

/// How many instructions a round must be shorter by at least.
const LEAST: u64 = 1;

/// How an address or number is made of one that goes on from round to round: that, times a
/// power of two, and what stays the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) scale: u32,
    /// Whether a register is added that stays the same.
    pub(super) has_base: bool,
    /// The number that is added.
    pub(super) more: i64,
}

/// What stands in the loop as it is.
pub(super) struct Ledger<'a> {
    pub(super) body: &'a Body,
    pub(super) loops: &'a Loops,
    pub(super) uses: &'a Uses,
    pub(super) frequencies: &'a Frequencies,
    pub(super) facts: &'a dyn TargetFacts,
    pub(super) rounds: &'a Rounds,
    /// The numbers and addresses from before the loop, and how many instructions use each.
    inputs: FxHashMap<Value, u32>,
    /// What is handed from round to round in registers of that kind.
    carried: u32,
    calls: bool,
}

/// What is needed no more.
#[derive(Debug, Default)]
pub(super) struct Saved {
    pub(super) insts: FxHashSet<Inst>,
    pub(super) order: Vec<Inst>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        body: &'a Body,
        loops: &'a Loops,
        uses: &'a Uses,
        frequencies: &'a Frequencies,
        facts: &'a dyn TargetFacts,
        rounds: &'a Rounds,
    ) -> Ledger<'a> {
        let (of, header) = (rounds.shape.of, rounds.shape.header);
        let mut inputs: FxHashMap<Value, u32> = FxHashMap::default();
        let mut calls = false;
        for inst in loops.blocks(of).iter().flat_map(|&block| body.layout.insts(block)) {
            calls |= body.inst(inst).op.is_call();
            for value in used_by(body, inst) {
                let home = body.defining_block(value);
                if home.is_some_and(|home| !loops.contains(of, home)) {
                    *inputs.entry(value).or_default() += 1;
                }
            }
        }
        let carried = body.params(header).iter().filter(|&&param| is_whole(body, param));
        let carried = carried.count() as u32;
        Ledger { body, loops, uses, frequencies, facts, rounds, inputs, carried, calls }
    }

    /// Whether anything but the computation of what moves wants a value.
    pub(super) fn is_wanted(&self, moving: &Moving) -> bool {
        let users = self.uses.of(self.body, moving.value);
        users.iter().any(|&user| !self.rounds.keeps_moving(self.body, user, moving.value))
    }

    /// Whether nothing but accesses by it wants an address, beside computing what moves.
    pub(super) fn is_for_accesses(&self, moving: &Moving) -> bool {
        let (body, value) = (self.body, moving.value);
        let is_access = |inst: Inst| {
            let place = match body.inst(inst).op {
                Op::Load => 0,
                Op::Store => 1,
                _ => return false,
            };
            body.uses(inst).enumerate().all(|(index, used)| (used == value) == (index == place))
                && body.layout.block_of(inst).is_some_and(|block| self.is_inside(block))
        };
        moving.is_address()
            && self
                .uses
                .of(body, value)
                .iter()
                .all(|&user| is_access(user) || self.rounds.keeps_moving(body, user, value))
    }

    fn is_inside(&self, block: Block) -> bool {
        self.loops.contains(self.rounds.shape.of, block)
    }

    /// What goes with the uses of some values, and with a parameter of the header.
    pub(super) fn saved(&self, renamed: &[Value], dropped: Option<Value>) -> Saved {
        let body = self.body;
        let handed = dropped.and_then(|param| self.rounds.shape.handed(body, param));
        let mut saved = Saved::default();
        let mut open: Vec<Value> = renamed.iter().copied().chain(handed).collect();
        let renamed: FxHashSet<Value> = renamed.iter().copied().collect();
        while let Some(value) = open.pop() {
            let ValueDef::Result(inst, _) = body.value_def(value) else { continue };
            let goes = renamed.contains(&value) || self.is_unused_without(&saved, value, handed);
            let is_inside = body.layout.block_of(inst).is_some_and(|block| self.is_inside(block));
            let is_pure = body.inst(inst).op.info().effects.is_empty();
            if goes && is_inside && is_pure && saved.insts.insert(inst) {
                saved.order.push(inst);
                open.extend(body.args(inst));
            }
        }
        saved
    }

    fn is_unused_without(&self, saved: &Saved, value: Value, handed: Option<Value>) -> bool {
        let is_dropped = |user: Inst| {
            user == self.rounds.shape.back.0
                && handed == Some(value)
                && self.rounds.is_handed_once(value)
        };
        let goes = |&user: &Inst| saved.insts.contains(&user) || is_dropped(user);
        self.uses.at_most(value) <= MOST_USERS && self.uses.of(self.body, value).iter().all(goes)
    }

    /// What instructions cost, as often as they run.
    pub(super) fn cost(&self, saved: &Saved) -> u64 {
        let cost = |&inst: &Inst| {
            let often = self.body.layout.block_of(inst).map_or(0, |at| self.frequencies.of(at));
            often.saturating_mul(self.cost_of(inst).into())
        };
        saved.order.iter().map(cost).fold(0, u64::saturating_add)
    }

    fn cost_of(&self, inst: Inst) -> u32 {
        let data = self.body.inst(inst);
        let is_part = self.rounds.made_by(self.body, inst).is_some_and(|it| self.is_part(it, inst));
        match data.op {
            Op::Mul if self.is_product(inst) => self.facts.latency(Op::Mul, data.ty).div_ceil(2),
            _ if is_part => 0,
            _ => 1,
        }
    }

    /// Whether accesses do themselves what an instruction does.
    fn is_part(&self, moving: &Moving, inst: Inst) -> bool {
        let body = self.body;
        let is_address = |user: &Inst| {
            let made = self.rounds.made_by(body, *user);
            body.inst(*user).op == Op::PtrAdd && made.is_some_and(|it| self.is_for_accesses(it))
        };
        match body.inst(inst).op {
            // What a round hands on is computed by itself anyway.
            Op::PtrAdd => {
                !self.rounds.is_handed(moving.value)
                    && self.is_wanted(moving)
                    && self.is_for_accesses(moving)
            }
            Op::Shl => {
                let by = body.args(inst).get(1).and_then(|&by| body.as_scalar_constant(by));
                by.is_some_and(|by| by <= 3)
                    && self.uses.of(body, moving.value).iter().all(is_address)
            }
            _ => false,
        }
    }

    /// Whether an instruction is a product for which the target has nothing simpler: by one,
    /// three, five, nine and powers of two there is.
    pub(super) fn is_product(&self, inst: Inst) -> bool {
        let body = self.body;
        let by = body.args(inst).get(1).and_then(|&by| body.as_scalar_constant(by));
        let is_simple = |by: u128| by.is_power_of_two() || matches!(by, 0 | 3 | 5 | 9);
        body.inst(inst).op == Op::Mul
            && matches!(body.inst(inst).ty, Type::I32 | Type::I64)
            && !by.is_some_and(is_simple)
    }

    /// How many instructions it takes to make a value of one that goes on from round to round.
    pub(super) fn cost_of_form(&self, moving: &Moving, form: &Form) -> u32 {
        let is_plain = *form == Form { scale: 0, has_base: false, more: 0 };
        if is_plain || (self.is_for_accesses(moving) && self.is_access(moving, form)) {
            return 0;
        }
        match self.facts.architecture() {
            Architecture::X86_64 => 1,
            Architecture::Aarch64 => {
                u32::from(form.has_base || form.scale > 0) + u32::from(form.more != 0)
            }
        }
    }

    /// Whether accesses do it all themselves.
    fn is_access(&self, moving: &Moving, form: &Form) -> bool {
        let (body, has_index) = (self.body, form.has_base || form.scale > 0);
        match self.facts.architecture() {
            Architecture::X86_64 => true,
            // A register of a step that is the size of what is accessed, or a short distance.
            Architecture::Aarch64 if !has_index => form.more.unsigned_abs() < 256,
            Architecture::Aarch64 => {
                let is_plain = |user: &Inst| {
                    let data = body.inst(*user);
                    let Some(access) = data.access() else { return true };
                    let bytes = data.ty.lane().map_or(64, |lane| lane.bits()) * data.ty.lanes() / 8;
                    access.offset == 0 && (form.scale == 0 || bytes == 1 << form.scale)
                };
                form.more == 0 && self.uses.of(body, moving.value).iter().all(is_plain)
            }
        }
    }

    /// Whether a plan makes rounds shorter, by more than it takes before the loop, which goes
    /// back at most so often.
    pub(super) fn pays(&self, plan: &Plan, before: u32, most: Option<u128>) -> bool {
        let often = |block: Block| self.frequencies.of(block);
        let shape = &self.rounds.shape;
        let header = often(shape.header);
        let mut cost = match plan.carrier {
            Carrier::Known(_) => 0,
            Carrier::New(..) => header,
        };
        for Item { moving, form, .. } in &plan.items {
            let each = u64::from(self.cost_of_form(moving, form));
            cost = cost.saturating_add(often(moving.block).saturating_mul(each));
        }
        let gain = self.cost(&plan.saved).saturating_sub(cost);
        if gain < header.saturating_mul(LEAST) {
            return false;
        }
        let entered = often(shape.preheader);
        let rounds = u64::try_from(most.unwrap_or(u128::MAX)).unwrap_or(u64::MAX);
        let rounds = rounds.saturating_add(1).min(header.checked_div(entered).unwrap_or(1));
        let each = gain / header.max(1);
        each.saturating_mul(rounds) > before.into()
    }

    /// Whether there are registers for what a plan holds in them, which are values that are
    /// there and so many new ones: enough for all, or as many as are taken now.
    pub(super) fn has_registers(&self, plan: &Plan, held: &FxHashSet<Value>, new: u32) -> bool {
        let mut lost: FxHashMap<Value, u32> = FxHashMap::default();
        for &inst in &plan.saved.order {
            used_by(self.body, inst).into_iter().for_each(|it| *lost.entry(it).or_default() += 1);
        }
        // The loop may have thousands of inputs, and is asked for each plan.
        let used = |value: &Value| self.inputs.get(value).copied().unwrap_or(0);
        let is_lost = |value: &Value| lost.get(value).is_some_and(|&lost| lost >= used(value));
        let is_input = |value: &&Value| self.inputs.contains_key(*value);
        let gone = lost.keys().filter(is_input).filter(|it| is_lost(it)).count();
        let kept = held.iter().filter(is_input).filter(|it| !is_lost(it)).count();
        let left = (self.inputs.len() - gone - kept) as u32;
        let dropped = u32::from(plan.dropped.is_some());
        let then = left + held.len() as u32 + new + self.carried - dropped;
        let now = self.inputs.len() as u32 + self.carried;
        let limit = match self.calls {
            // What is live across a call is in few registers, or in none.
            true => 0,
            false => self.facts.registers(Bank::Integer).saturating_sub(SCRATCH),
        };
        then <= limit.max(now)
    }
}

/// What an instruction uses, each once.
fn used_by(body: &Body, inst: Inst) -> Vec<Value> {
    let mut used: Vec<Value> = body.uses(inst).filter(|&value| is_whole(body, value)).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// Whether a value is a number or an address that takes a register.
fn is_whole(body: &Body, value: Value) -> bool {
    let scalar = body.value_type(value).as_scalar();
    body.as_constant(value).is_none()
        && scalar.is_some_and(|scalar| scalar.is_int() || scalar.is_address())
}
