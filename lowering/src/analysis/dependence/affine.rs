//! Addresses as sums of multiples of rounds.

use brolga_ir::body::ValueDef;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::op::Op;

use super::{Base, Dependences, Expr, Location, Loop};
use crate::analysis::access::Variable;
use crate::analysis::scalar_evolution::Kind;

/// The most bytes that an object has: what processors can address.
const MOST_BYTES: u128 = 1 << 57;

/// What an address grows by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// From round to round of this loop.
    pub(super) of: Loop,
    /// So much.
    pub(super) by: i128,
    /// How often the loop goes back at most.
    pub(super) rounds: Option<i128>,
}

/// An address in the rounds of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    /// The object from whose start it is counted; none if it is a whole address.
    pub(super) origin: Option<Base>,
    /// What it is in the first rounds; the same while the loop in question runs.
    pub(super) rest: Expr,
    /// What is added to that in others.
    pub(super) steps: Vec<Step>,
    /// How many bytes are there.
    pub(super) size: i128,
}

impl Dependences<'_> {
    /// The address of a location while `within` runs, if it is such a sum.
    pub(super) fn address(
        &mut self,
        location: &Location,
        inst: Inst,
        block: Block,
        within: Loop,
    ) -> Option<Address> {
        let size = i128::from(location.size.filter(|&size| size > 0 && size < 1 << 48)?);
        let (mut origin, expr) = match location.variable {
            Variable::Start => (Some(location.base), self.evolution.constant(64, 0)),
            Variable::Index(index) => {
                (Some(location.base), self.evolution.of_use(self.body, index, block)?)
            }
            Variable::Address(address) => (None, self.evolution.of_use(self.body, address, block)?),
            Variable::Anything => return None,
        };
        if self.evolution.width(expr) != 64 {
            return None;
        }
        let mut rest = self.evolution.add_constant(expr, location.offset as u128);
        let mut steps = Vec::new();
        while let Some(recurrence) = self.evolution.as_recurrence(rest)
            && self.evolution.loops().encloses(within, recurrence.of)
        {
            let by = self.evolution.as_signed(recurrence.step)?;
            let rounds = self.most_rounds(recurrence.of, inst, block, by);
            steps.push(Step { of: recurrence.of, by, rounds });
            rest = recurrence.start;
        }
        if !self.evolution.is_invariant(rest, within) {
            return None;
        }
        if origin.is_none()
            && let Some(start) = self.start_of(location.base, rest)
        {
            origin = Some(location.base);
            rest = self.evolution.sub(rest, start);
        }
        Some(Address { origin, rest, steps, size })
    }

    /// The address of the start of a slot or data object that stands in a sum once, or in
    /// what recurrences of loops around start with.
    fn start_of(&self, base: Base, mut sum: Expr) -> Option<Expr> {
        let is_start = |expr: Expr| match *self.evolution.kind(expr) {
            Kind::Value(value) => self.is_start(base, value),
            _ => false,
        };
        while let Some(recurrence) = self.evolution.as_recurrence(sum) {
            sum = recurrence.start;
        }
        match self.evolution.kind(sum) {
            Kind::Sum(_, terms) => {
                let mut starts = terms.iter().filter(|&&(term, _)| is_start(term));
                let &(start, by) = starts.next()?;
                (by == 1 && starts.next().is_none()).then_some(start)
            }
            _ => is_start(sum).then_some(sum),
        }
    }

    fn is_start(&self, base: Base, value: Value) -> bool {
        let ValueDef::Result(inst, _) = self.body.value_def(value) else { return false };
        let is_known = matches!(base, Base::Slot(_) | Base::Data(_));
        is_known
            && matches!(self.body.inst(inst).op, Op::SlotAddr | Op::DataAddr)
            && self.accesses.escapes().bases().of(value) == base
    }

    /// Whether each round that goes back has made an access.
    pub(super) fn is_come_by(&self, inst: Inst, block: Block, of: Loop) -> bool {
        let loops = self.evolution.loops();
        let is_in_every_round = |latches: &[Block]| {
            loops.innermost(block) == Some(of)
                && !loops.is_irreducible(block)
                && latches.iter().all(|&latch| self.dominators.dominates(block, latch))
        };
        // What is done to many bytes, or to lanes, may be done to none.
        let is_made = matches!(
            self.body.inst(inst).op,
            Op::Load | Op::Store | Op::SlotLoad | Op::SlotStore | Op::DataLoad | Op::DataStore
        );
        is_made && loops.get(of).is_some_and(|data| is_in_every_round(&data.latches))
    }

    /// How often a loop goes back at most, by its compares, and because an access that
    /// every round comes by does not leave its object.
    fn most_rounds(&self, of: Loop, inst: Inst, block: Block, by: i128) -> Option<i128> {
        let most = self.evolution.trips(of).and_then(|trips| trips.most);
        let most = most.and_then(|most| i128::try_from(most).ok());
        let stays = by != 0 && by.unsigned_abs() < MOST_BYTES / 4;
        if !(stays && self.is_come_by(inst, block, of)) {
            return most;
        }
        // All rounds but the last one have come by.
        let held = i128::try_from(MOST_BYTES / by.unsigned_abs()).ok()? + 1;
        Some(most.map_or(held, |most| most.min(held)))
    }
}
