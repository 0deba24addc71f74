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
use crate::analysis::Loops;
use crate::pass::count_uses;

/// How many cases a switch is worth: two compares are as quick.
const FEWEST_CASES: usize = 3;

/// A branch on whether a number is a constant.
#[derive(Debug)]
struct Test {
    branch: Inst,
    number: Value,
    constant: u128,
    equal: Way,
    other: Way,
    /// Of the edges, in that order.
    weights: Option<[u32; 2]>,
}

/// Makes switches of chains of branches.
pub(super) fn find(body: &mut Body, counts: &mut Counts) {
    let ends = body.layout.blocks().filter_map(|block| body.layout.last_inst(block));
    if ends.filter(|&end| test(body, end).is_some()).count() < FEWEST_CASES {
        return;
    }
    let graph = FlowGraph::new(body);
    let (loops, order) = (loops(&graph), graph.reverse_postorder());
    let edges = count_edges(body);
    let uses = count_uses(body);
    // Blocks of chains that are written: nothing leads there any more.
    let mut passed: EntitySet<Block> = EntitySet::new();
    for block in order {
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
        let next = last.other.block;
        let (Some(first), Some(end)) = (body.layout.first_inst(next), body.layout.last_inst(next))
        else {
            break;
        };
        // The block does nothing but compare, and nobody else wants to know.
        let is_bare = body.layout.next_inst(first) == Some(end)
            && body.args(end).first().copied() == body.result(first)
            && body.result(first).is_some_and(|result| uses[result] == 1);
        let is_own = edges[next] == 1 && next != block && body.params(next).is_empty();
        // What is asked behind a loop is asked once.
        let is_own = is_own && loops.innermost(next) == loops.innermost(block);
        match test(body, end).filter(|it| is_bare && is_own && it.number == last.number) {
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
    let constant = body.as_scalar_constant(constant).filter(|_| is_integer)?;
    let equal = match cond {
        IntCond::Eq => 0,
        IntCond::Ne => 1,
        _ => return None,
    };
    let weights = body
        .weights(branch)
        .and_then(|weights| Some([*weights.get(equal)?, *weights.get(1 - equal)?]));
    let (equal, other) = (Way::of(body, branch, equal)?, Way::of(body, branch, 1 - equal)?);
    Some(Test { branch, number, constant, equal, other, weights })
}

/// Puts a switch in the place of the first test; the others become unreachable.
fn write(body: &mut Body, tests: &[Test]) {
    let (Some(first), Some(last)) = (tests.first(), tests.last()) else { return };
    let mut seen = FxHashSet::default();
    let is_new: Vec<bool> = tests.iter().map(|test| seen.insert(test.constant)).collect();
    let kept = || tests.iter().zip(&is_new).filter(|(_, is_new)| **is_new).map(|(test, _)| test);
    let cases = kept().map(|test| test.constant).collect();
    let ways: Vec<&Way> = kept().map(|test| &test.equal).chain([&last.other]).collect();
    let targets = ways.into_iter().map(|way| way.target(body)).collect();
    let weights = weights(tests, &is_new);
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
fn weights(tests: &[Test], is_new: &[bool]) -> Option<Vec<u32>> {
    let mut left: Option<u64> = None;
    let mut weights = Vec::new();
    for (test, is_new) in tests.iter().zip(is_new) {
        let [equal, other] = test.weights?.map(u64::from);
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
    use super::super::shape::Args;
    use super::*;

    #[test]
    fn weights_are_shared_out_along_the_chain() {
        let way = || Way { block: Block::from_u32(0), args: Args::new() };
        let test = |weights| Test {
            branch: Inst::from_u32(0),
            number: Value::from_u32(0),
            constant: 0,
            equal: way(),
            other: way(),
            weights,
        };
        let chain = [test(Some([50, 50])), test(Some([1, 4])), test(Some([3, 1]))];
        assert_eq!(weights(&chain, &[true; 3]), Some(vec![50, 10, 30, 10]));
        assert_eq!(weights(&[test(Some([1, 2])), test(None)], &[true; 2]), None);
        let again = [test(Some([0, 1])), test(Some([1, 0])), test(Some([1, 1]))];
        assert_eq!(weights(&again, &[true, false, true]), Some(vec![0, 0, 1]));
    }
}
