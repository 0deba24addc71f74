//! Trees that a loop hands to its next round.
//!
//! Of `min(min(left + 1, other), above)` with `left` from the round before, a round takes
//! three ops one behind the other. As `min(min(other, above), left + 1)` it takes two, and
//! the rest of one round is computed while the last one ends: the height of the tree is
//! not made less, but the part of it that rounds wait for.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::op::{Effects, Op};
use smallvec::SmallVec;

use super::{Leaves, Order, write};
use crate::analysis::FlowGraph;

/// How many instructions an operand is followed back through to a parameter.
const MOST_BEFORE: usize = 4;

impl Order {
    /// Puts last what comes from the round before; gives how many trees that were.
    pub(super) fn arrange_carried(
        &mut self,
        body: &mut Body,
        graph: &FlowGraph,
        ranks: &SecondaryMap<Block, u32>,
    ) -> u64 {
        let mut count = 0;
        for header in graph.reverse_postorder().collect::<Vec<_>>() {
            let is_back = |from: &&Block| ranks[**from] >= ranks[header] && ranks[**from] > 0;
            for &from in graph.predecessors(header).iter().filter(is_back) {
                for (root, param) in handed(body, from, header) {
                    if self.is_root(body, root) && !self.is_gone.contains(root) {
                        count += u64::from(self.put_last(body, root, param));
                    }
                }
            }
        }
        count
    }

    /// Puts last, in a tree, the one leaf that is computed from a parameter.
    fn put_last(&mut self, body: &mut Body, root: Inst, param: Value) -> bool {
        let Some((leaves, inner, _)) = self.leaves(body, root) else { return false };
        if leaves.len() < 3 {
            return false;
        }
        let (late, early): (Leaves, Leaves) =
            leaves.into_iter().partition(|&leaf| comes_from(body, leaf, param));
        let &[late] = late.as_slice() else { return false };
        // A number that is added stays last: addresses and other sums take it over.
        let op = body.inst(root).op;
        let is_last = |value: Value| {
            let keeps = !matches!(op, Op::Smin | Op::Smax | Op::Umin | Op::Umax);
            keeps && body.as_constant(value).is_some()
        };
        let (numbers, others): (Leaves, Leaves) =
            early.into_iter().partition(|&leaf| is_last(leaf));
        let waits = 1 + numbers.len();
        if depth(body, root, &inner, late) <= waits {
            return false;
        }
        let leaves: Leaves = others.into_iter().chain([late]).chain(numbers).collect();
        write(body, root, &leaves);
        inner.into_iter().for_each(|inst| self.remove(inst));
        true
    }
}

/// What an edge back to a header hands over that an instruction computes, and to which
/// parameters.
fn handed(body: &Body, from: Block, header: Block) -> SmallVec<[(Inst, Value); 4]> {
    let Some(last) = body.layout.last_inst(from) else { return SmallVec::new() };
    let targets = body.targets(last).iter().filter(|target| target.block == header);
    let pairs = targets.flat_map(|target| {
        body.target_args(target).iter().copied().zip(body.params(header).iter().copied())
    });
    let computed = |(arg, param): (Value, Value)| match body.value_def(arg) {
        ValueDef::Result(inst, 0) => Some((inst, param)),
        _ => None,
    };
    pairs.filter_map(computed).collect()
}

/// Whether a value is computed from a parameter, by a few instructions that only compute.
fn comes_from(body: &Body, value: Value, param: Value) -> bool {
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[value]);
    let mut followed = 0;
    while let Some(value) = pending.pop() {
        if value == param {
            return true;
        }
        if let ValueDef::Result(inst, _) = body.value_def(value)
            && followed < MOST_BEFORE
            && body.inst(inst).op.info().effects == Effects::PURE
        {
            followed += 1;
            pending.extend_from_slice(body.args(inst));
        }
    }
    false
}

/// How many ops of a tree a leaf goes through.
fn depth(body: &Body, root: Inst, inner: &[Inst], leaf: Value) -> usize {
    let mut depth = 1;
    let mut at = leaf;
    while !body.args(root).contains(&at) && depth <= inner.len() {
        let user = inner.iter().find(|&&inst| body.args(inst).contains(&at));
        let Some(result) = user.and_then(|&user| body.result(user)) else { return 0 };
        at = result;
        depth += 1;
    }
    depth
}
