//! Who uses a value, kept up while code is edited.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Inst, Value};
use smallvec::SmallVec;

use super::placed_insts;

/// The users of each value. Those that use it no more, or stand nowhere, are left out when
/// one asks; new ones are told by [`add`](Self::add).
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    of: Vec<SmallVec<[Inst; 4]>>,
}

impl Uses {
    /// Of a body.
    pub(crate) fn new(body: &Body) -> Uses {
        let mut uses = Uses { of: Vec::new() };
        uses.of.resize_with(body.value_count(), SmallVec::new);
        for inst in placed_insts(body) {
            uses.add(body, inst);
        }
        uses
    }

    /// Notes what `inst` uses.
    pub(crate) fn add(&mut self, body: &Body, inst: Inst) {
        for value in body.uses(inst).filter(|&value| body.as_constant(value).is_none()) {
            let index = value.index();
            if index >= self.of.len() {
                self.of.resize_with(index + 1, SmallVec::new);
            }
            if self.of[index].last() != Some(&inst) {
                self.of[index].push(inst);
            }
        }
    }

    fn noted(&self, value: Value) -> &[Inst] {
        self.of.get(value.index()).map_or(&[], SmallVec::as_slice)
    }

    /// How many instructions use `value` at most, those that use it no more among them.
    pub(crate) fn at_most(&self, value: Value) -> usize {
        self.noted(value).len()
    }

    /// The instructions that use `value`.
    pub(crate) fn of(&self, body: &Body, value: Value) -> SmallVec<[Inst; 4]> {
        let is_user = |inst: &Inst| {
            body.layout.block_of(*inst).is_some() && body.uses(*inst).any(|used| used == value)
        };
        let mut users: SmallVec<[Inst; 4]> =
            self.noted(value).iter().copied().filter(is_user).collect();
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
