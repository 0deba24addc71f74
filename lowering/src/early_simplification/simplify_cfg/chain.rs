//! Branches one behind another that compare one number with constants are a switch.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, SwitchData, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Scalar;
use rustc_hash::FxHashSet;

use super::Counts;
use super::shape::{Way, count_edges, loops};
use crate::analysis::{Analyses, Loops};
use crate::pass::count_uses;

/// How many cases a switch is worth: two compares are as quick.
const FEWEST_CASES: usize = 3;

/// A branch on whether a number is a constant.
#[derive(Clone, Copy, Debug)]
struct Test {
    branch: Inst,
    number: Value,
    constant: u128,
    /// Where it leads if so, by the index of the edge.
    equal: usize,
    /// The block that it leads to if not.
    other: Block,
}

/// Makes switches of chains of branches; the graph is that of the analyses.
pub(super) fn find(
    body: &mut Body,
    graph: &FlowGraph,
    analyses: &mut Analyses,
    counts: &mut Counts,
) {
    let blocks = body.layout.blocks();
    if blocks.filter(|&block| is_followed(body, block)).nth(FEWEST_CASES - 2).is_none() {
        return;
    }
    let loops = loops(body, graph, analyses);
    let edges = count_edges(body);
    let uses = count_uses(body);
    // Blocks of chains that are written: nothing leads there any more.
    let mut passed: EntitySet<Block> = EntitySet::new();
    for block in graph.reverse_postorder() {
        if !body.layout.is_placed(block) || passed.contains(block) {
            continue;
        }
        let chain = chain(body, &loops, &edges, &uses, block);
        if chain.len() >= FEWEST_CASES {
            let behind = chain.iter().skip(1);
            let behind = behind.filter_map(|test| body.layout.block_of(test.branch));
            passed.extend(behind.collect::<Vec<_>>());
            write(body, &chain);
            counts.switches += 1;
        }
    }
}

/// Whether a block ends with a test, and that leads to another one of the same number.
fn is_followed(body: &Body, block: Block) -> bool {
    let first = body.layout.last_inst(block).and_then(|end| test(body, end));
    first.is_some_and(|first| {
        let next = bare_test(body, first.other).and_then(|end| test(body, end));
        next.is_some_and(|next| next.number == first.number)
    })
}

/// The end of a block that does nothing but compare and branch.
fn bare_test(body: &Body, block: Block) -> Option<Inst> {
    let (first, end) = (body.layout.first_inst(block)?, body.layout.last_inst(block)?);
    let is_bare = body.layout.next_inst(first) == Some(end)
        && body.args(end).first().copied() == body.result(first);
    is_bare.then_some(end)
}

/// The tests that begin at the end of `block`.
fn chain(
    body: &Body,
    loops: &Loops,
    edges: &SecondaryMap<Block, u32>,
    uses: &SecondaryMap<Value, u32>,
    block: Block,
) -> Vec<Test> {
    let mut tests: Vec<Test> =
        body.layout.last_inst(block).and_then(|it| test(body, it)).into_iter().collect();
    while let Some(last) = tests.last() {
        let next = last.other;
        // Nobody else wants to know.
        let is_alone = |end: &Inst| body.args(*end).first().is_some_and(|&arg| uses[arg] == 1);
        let Some(end) = bare_test(body, next).filter(is_alone) else { break };
        let is_own = edges[next] == 1 && next != block && body.params(next).is_empty();
        // What is asked behind a loop is asked once.
        let is_own = is_own && loops.innermost(next) == loops.innermost(block);
        match test(body, end).filter(|it| is_own && it.number == last.number) {
            Some(further) => tests.push(further),
            None => break,
        }
    }
    tests
}

/// The branch as a test of equality.
fn test(body: &Body, branch: Inst) -> Option<Test> {
    if body.inst(branch).op != Op::Branch {
        return None;
    }
    let condition = *body.args(branch).first()?;
    let ValueDef::Result(compare, _) = body.value_def(condition) else { return None };
    let data = body.inst(compare);
    let is_integer = data.ty.as_scalar().is_some_and(Scalar::is_int);
    let (&[number, constant], Payload::IntCond(cond)) = (body.args(compare), data.payload) else {
        return None;
    };
    let equal = match cond {
        IntCond::Eq => 0,
        IntCond::Ne => 1,
        _ => return None,
    };
    let constant = body.as_scalar_constant(constant).filter(|_| is_integer)?;
    let other = body.targets(branch).get(1 - equal)?.block;
    Some(Test { branch, number, constant, equal, other })
}

impl Test {
    /// The weights of the edges, that of the equal first.
    fn weights(&self, body: &Body) -> Option<[u32; 2]> {
        let weights = body.weights(self.branch)?;
        Some([*weights.get(self.equal)?, *weights.get(1 - self.equal)?])
    }
}

/// Puts a switch in the place of the first test; the others become unreachable.
fn write(body: &mut Body, tests: &[Test]) {
    let (Some(first), Some(last)) = (tests.first(), tests.last()) else { return };
    let mut seen = FxHashSet::default();
    let is_new: Vec<bool> = tests.iter().map(|test| seen.insert(test.constant)).collect();
    let kept = || tests.iter().zip(&is_new).filter(|(_, is_new)| **is_new).map(|(test, _)| test);
    let cases = kept().map(|test| test.constant).collect();
    let edges = kept().map(|test| (test.branch, test.equal)).chain([(last.branch, 1 - last.equal)]);
    let ways: Vec<Way> = edges.filter_map(|(end, index)| Way::of(body, end, index)).collect();
    let targets = ways.iter().map(|way| way.target(body)).collect();
    let of_tests: Vec<_> = tests.iter().map(|test| test.weights(body)).collect();
    let weights = weights(&of_tests, &is_new);
    let ty = body.value_type(first.number);
    let table = body.make_switch(SwitchData { cases, targets });
    let args = body.list(&[first.number]);
    let data = InstData::new(Op::Switch, ty, args, Payload::Switch(table));
    let loc = body.loc(first.branch);
    let switch = body.insert_inst(first.branch, InstData { loc, ..data }, &[]);
    if let Some(weights) = weights {
        body.set_weights(switch, &weights);
    }
    body.remove_inst(first.branch);
}

/// The weights of the cases and the default, where every branch has its own.
fn weights(tests: &[Option<[u32; 2]>], is_new: &[bool]) -> Option<Vec<u32>> {
    let mut left: Option<u64> = None;
    let mut weights = Vec::new();
    for (test, is_new) in tests.iter().zip(is_new) {
        let [equal, other] = (*test)?.map(u64::from);
        let sum = equal + other;
        let before = left.unwrap_or(sum);
        // What comes here is shared out as this branch shares its own.
        let taken =
            if sum == 0 { 0 } else { u128::from(before) * u128::from(equal) / u128::from(sum) };
        // What was compared before goes no way here.
        let taken = if *is_new { taken as u64 } else { 0 };
        left = Some(before - taken);
        if *is_new {
            weights.push(u32::try_from(taken).unwrap_or(u32::MAX));
        }
    }
    weights.push(u32::try_from(left?).unwrap_or(u32::MAX));
    weights.iter().any(|&weight| weight > 0).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shared_out_along_the_chain() {
        let chain = [Some([50, 50]), Some([1, 4]), Some([3, 1])];
        assert_eq!(weights(&chain, &[true; 3]), Some(vec![50, 10, 30, 10]));
        assert_eq!(weights(&[Some([1, 2]), None], &[true; 2]), None);
        let again = [Some([0, 1]), Some([1, 0]), Some([1, 1])];
        assert_eq!(weights(&again, &[true, false, true]), Some(vec![0, 0, 1]));
    }
}
