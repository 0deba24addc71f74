//! Who uses a value, kept up while code is edited.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Inst, Value};
use smallvec::SmallVec;

/// The users of each value. Those that use it no more, or stand nowhere, are left out when
/// one asks; new ones are told by [`add`](Self::add).
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    of: Vec<SmallVec<[User; 2]>>,
}

/// An instruction that uses a value.
#[derive(Clone, Copy, Debug)]
struct User {
    inst: Inst,
    /// The list that it first stands in, and where: 0 are the operands, behind them are those of
    /// the targets. An instruction may use thousands of values, and is asked of each.
    list: u32,
    index: u32,
}

impl User {
    /// Whether the instruction still uses the value.
    fn uses(&self, body: &Body, value: Value) -> bool {
        let (list, index) = (self.list as usize, self.index as usize);
        let is_there = values_in(body, self.inst, list).and_then(|values| values.get(index));
        is_there == Some(&value) || body.uses(self.inst).any(|used| used == value)
    }
}

/// The values in one list of an instruction.
fn values_in(body: &Body, inst: Inst, list: usize) -> Option<&[Value]> {
    match list.checked_sub(1) {
        None => Some(body.args(inst)),
        Some(target) => Some(body.target_args(body.targets(inst).get(target)?)),
    }
}

impl Uses {
    /// Of a body.
    pub(crate) fn new(body: &Body) -> Uses {
        let mut uses = Uses { of: Vec::new() };
        uses.of.resize_with(body.value_count(), SmallVec::new);
        for inst in body.layout.all_insts() {
            uses.add(body, inst);
        }
        uses
    }

    /// Notes what `inst` uses.
    pub(crate) fn add(&mut self, body: &Body, inst: Inst) {
        for list in 0..=body.targets(inst).len() {
            let values = values_in(body, inst, list).unwrap_or(&[]);
            for (&value, index) in values.iter().zip(0..) {
                self.note(body, value, User { inst, list: list as u32, index });
            }
        }
    }

    fn note(&mut self, body: &Body, value: Value, user: User) {
        if body.as_constant(value).is_some() {
            return;
        }
        let index = value.index();
        if index >= self.of.len() {
            self.of.resize_with(index + 1, SmallVec::new);
        }
        if self.of[index].last().is_none_or(|last| last.inst != user.inst) {
            self.of[index].push(user);
        }
    }

    fn noted(&self, value: Value) -> &[User] {
        self.of.get(value.index()).map_or(&[], SmallVec::as_slice)
    }

    /// How many instructions use `value` at most, those that use it no more among them.
    pub(crate) fn at_most(&self, value: Value) -> usize {
        self.noted(value).len()
    }

    /// The instructions that use `value`.
    pub(crate) fn of(&self, body: &Body, value: Value) -> SmallVec<[Inst; 4]> {
        let is_user =
            |user: &&User| body.layout.block_of(user.inst).is_some() && user.uses(body, value);
        let mut users: SmallVec<[Inst; 4]> =
            self.noted(value).iter().filter(is_user).map(|user| user.inst).collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    /// Lets `to` stand for `from` in an instruction.
    pub(crate) fn replace(&mut self, body: &mut Body, inst: Inst, from: Value, to: Value) {
        body.map_uses(inst, |used| if used == from { to } else { used });
        self.add(body, inst);
    }
}
