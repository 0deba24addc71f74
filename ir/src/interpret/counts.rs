//! How often ops were executed.

use std::fmt;

use crate::op::Op;

/// How often each op was executed.
#[derive(Clone, PartialEq, Eq)]
pub struct OpCounts([u64; Op::ALL.len()]);

impl OpCounts {
    pub(super) fn count(&mut self, op: Op) {
        self.0[op as usize] += 1;
    }

    /// How often `op` was executed.
    pub fn of(&self, op: Op) -> u64 {
        self.0[op as usize]
    }

    /// Adds what another execution counted.
    pub fn merge(&mut self, other: &OpCounts) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own += other;
        }
    }

    /// Every op and how often it was executed, in table order.
    pub fn iter(&self) -> impl Iterator<Item = (Op, u64)> + '_ {
        Op::ALL.iter().map(|&op| (op, self.of(op)))
    }
}

impl Default for OpCounts {
    fn default() -> OpCounts {
        OpCounts([0; Op::ALL.len()])
    }
}

impl fmt::Debug for OpCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().filter(|(_, count)| *count > 0)).finish()
    }
}
