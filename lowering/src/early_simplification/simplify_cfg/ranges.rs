//! Two branches one behind the other that ask where one number lies are one.
//!
//! What leads to the far side of both is a range, or the far side is left by two ranges that
//! differ in one bit, as the letters of ASCII of both cases do:
//! ```text
//! 65 <= x && x < 91                  (x - 65) < 26
//! 65 <= x < 91 || 97 <= x < 123      ((x & ~32) - 65) < 26
//! ```
//! The compare that may be done in vain takes less than a branch that may be mispredicted.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::Counts;
use super::shape::{Way, compute, count_edges, loops, only_jump, replace_by_branch};
use crate::analysis::{Analyses, Loops};
use crate::pass::count_uses;

/// Numbers one behind the other, modulo two to the width: not none, and not all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    start: u128,
    size: u128,
    width: u32,
}

impl Range {
    fn of(start: u128, size: u128, width: u32) -> Option<Range> {
        let all = 1_u128 << width;
        (size > 0 && size < all).then_some(Range { start: start & (all - 1), size, width })
    }

    /// The numbers that are so.
    fn that_are(condition: IntCond, number: u128, width: u32) -> Option<Range> {
        let all = 1_u128 << width;
        let least = all >> 1;
        // How many are less, counted from the least.
        let (below, from) = match condition {
            IntCond::Slt | IntCond::Sle | IntCond::Sgt | IntCond::Sge => {
                (number.wrapping_sub(least) & (all - 1), least)
            }
            _ => (number, 0),
        };
        match condition {
            IntCond::Eq => Range::of(number, 1, width),
            IntCond::Ne => Range::of(number + 1, all - 1, width),
            IntCond::Ult | IntCond::Slt => Range::of(from, below, width),
            IntCond::Ule | IntCond::Sle => Range::of(from, below + 1, width),
            IntCond::Ugt | IntCond::Sgt => Range::of(number + 1, all - 1 - below, width),
            IntCond::Uge | IntCond::Sge => Range::of(number, all - below, width),
        }
    }

    /// The others.
    fn rest(self) -> Range {
        let all = 1_u128 << self.width;
        let start = (self.start + self.size) & (all - 1);
        Range { start, size: all - self.size, ..self }
    }

    /// The same numbers less another one.
    fn moved(self, by: u128) -> Range {
        let mask = (1_u128 << self.width) - 1;
        Range { start: self.start.wrapping_sub(by) & mask, ..self }
    }

    /// What is in both, if that is a range.
    fn both(self, other: Range) -> Option<Range> {
        let all = 1_u128 << self.width;
        let first = other.moved(self.start).start;
        let end = first + other.size;
        let wrapped = end.saturating_sub(all).min(self.size);
        match (first < self.size, wrapped > 0) {
            (true, true) => None,
            (true, false) => Range::of(self.start + first, end.min(self.size) - first, self.width),
            (false, _) => Range::of(self.start, wrapped, self.width),
        }
    }

    /// The bit in which this range and another one differ, if that is all, and the one of
    /// them that is without it.
    fn twin(self, other: Range) -> Option<(u128, Range)> {
        let bit = self.start ^ other.start;
        let low = if self.start < other.start { self } else { other };
        let last = low.start + low.size - 1;
        let is_twin = self.size == other.size && bit.is_power_of_two();
        (is_twin && (low.start ^ last) < bit).then_some((bit, low))
    }
}

/// A branch on whether a number lies in a range.
#[derive(Debug)]
struct Test {
    branch: Inst,
    number: Value,
    range: Range,
    /// Where it leads if so, and if not.
    ways: [Way; 2],
}

/// What two branches ask together.
struct Joined {
    /// The bit that does not count.
    without: Option<u128>,
    range: Range,
    /// Where it leads if so, and if not.
    ways: [Way; 2],
    weights: Option<[u32; 2]>,
}

impl Joined {
    /// The same, by the numbers that do not lie in the range.
    fn inverted(self) -> Joined {
        let [yes, no] = self.ways;
        let weights = self.weights.map(|[yes, no]| [no, yes]);
        Joined { range: self.range.rest(), ways: [no, yes], weights, ..self }
    }
}

/// Makes one of two branches, wherever there are such; the graph is that of the analyses.
pub(super) fn find(
    body: &mut Body,
    graph: &FlowGraph,
    analyses: &mut Analyses,
    counts: &mut Counts,
) {
    if !body.layout.blocks().any(|block| may_join(body, block)) {
        return;
    }
    let loops = loops(body, graph, analyses);
    let (edges, mut uses) = (count_edges(body), count_uses(body));
    // From behind, so that what was made of two is there for the one before.
    for &block in graph.postorder() {
        let Some(end) = body.layout.last_inst(block) else { continue };
        let Some(first) = test(body, end) else { continue };
        let joined = [0, 1].into_iter().find_map(|side| {
            let next = next(body, (&loops, &edges, &uses), &first, side)?;
            join(body, &first, side, &next)
        });
        if let Some(joined) = joined {
            counts.ranges += usize::from(write(body, &mut uses, &first, &joined).is_some());
        }
    }
}

/// The most instructions of a block that does nothing but test: a sum, a compare, a branch.
const MOST_OF_TEST: usize = 3;

/// Whether a block ends with a test, and one that it leads to does nothing but test the same
/// number.
fn may_join(body: &Body, block: Block) -> bool {
    let of = |block: Block| Some(tested(body, body.layout.last_inst(block)?)?.0);
    let Some(number) = of(block) else { return false };
    let is_bare = |&next: &Block| {
        let insts = body.layout.insts(next).take(MOST_OF_TEST + 1);
        body.params(next).is_empty() && insts.count() <= MOST_OF_TEST
    };
    body.successors(block).filter(is_bare).any(|next| of(next) == Some(number))
}

/// The branch as a test of a range.
fn test(body: &Body, branch: Inst) -> Option<Test> {
    let (number, range) = tested(body, branch)?;
    let ways = [Way::of(body, branch, 0)?, Way::of(body, branch, 1)?];
    Some(Test { branch, number, range, ways })
}

/// What a branch tests: a number, and the range of it for which it leads to its first side.
fn tested(body: &Body, branch: Inst) -> Option<(Value, Range)> {
    if body.inst(branch).op != Op::Branch {
        return None;
    }
    let (number, range) = asked(body, *body.args(branch).first()?)?;
    if let ValueDef::Result(inst, _) = body.value_def(number)
        && body.inst(inst).op == Op::Add
        && let &[inner, by] = body.args(inst)
        && let Some(by) = body.as_scalar_constant(by)
    {
        return Some((inner, range.moved(by)));
    }
    Some((number, range))
}

/// The number that is compared with a constant, and the range in which that holds.
fn asked(body: &Body, condition: Value) -> Option<(Value, Range)> {
    let ValueDef::Result(compare, _) = body.value_def(condition) else { return None };
    let data = body.inst(compare);
    let scalar = data.ty.as_scalar().filter(|scalar| scalar.is_int() && scalar.bits() <= 64)?;
    let (&[number, constant], Payload::IntCond(condition)) = (body.args(compare), data.payload)
    else {
        return None;
    };
    let constant = body.as_scalar_constant(constant)?;
    Some((number, Range::that_are(condition, constant, scalar.bits())?))
}

/// The test that a side of another one leads to, if its block does nothing else, nobody else
/// comes there, and it is of the same number.
fn next(
    body: &Body,
    (loops, edges, uses): (&Loops, &SecondaryMap<Block, u32>, &SecondaryMap<Value, u32>),
    first: &Test,
    side: usize,
) -> Option<Test> {
    let block = first.ways[side].block;
    let end = body.layout.last_inst(block)?;
    let test = test(body, end).filter(|test| test.number == first.number)?;
    // The compare, and the sum that it may be of, which nothing else uses.
    let made_for = |inst: Option<Inst>| {
        let operand = *body.args(inst?).first()?;
        match body.value_def(operand) {
            ValueDef::Result(made, _) if uses[operand] == 1 => Some(made),
            _ => None,
        }
    };
    let compare = made_for(Some(end));
    let own = [Some(end), compare, made_for(compare)];
    let is_bare = body.layout.insts(block).all(|inst| own.contains(&Some(inst)));
    let before = body.layout.block_of(first.branch)?;
    let is_own = edges[block] == 1 && block != before && body.params(block).is_empty();
    let is_alike = loops.innermost(block) == loops.innermost(before);
    (is_bare && is_own && is_alike).then_some(test)
}

/// What both ask together, if a side of the second leads where the other side of the first
/// does.
fn join(body: &Body, first: &Test, side: usize, next: &Test) -> Option<Joined> {
    let shared = &first.ways[1 - side];
    let end = past(body, shared);
    let same = next.ways.iter().position(|way| past(body, way) == end)?;
    let far = &next.ways[1 - same];
    if past(body, far) == end {
        return None;
    }
    let when = |range: Range, side: usize| if side == 0 { range } else { range.rest() };
    let (into, on) = (when(first.range, side), when(next.range, 1 - same));
    let weights = weights(body, (first.branch, side), (next.branch, 1 - same));
    if let Some(range) = into.both(on) {
        let ways = [far.clone(), shared.clone()];
        let joined = Joined { without: None, range, ways, weights };
        return Some(if range.size > range.rest().size { joined.inverted() } else { joined });
    }
    let (bit, range) = into.rest().twin(on.rest())?;
    let ways = [shared.clone(), far.clone()];
    let weights = weights.map(|[far, shared]| [shared, far]);
    Some(Joined { without: Some(bit), range, ways, weights })
}

/// Where a way leads behind a block that only jumps, as exits of loops have one each.
fn past(body: &Body, way: &Way) -> Way {
    let jump = only_jump(body, way.block).filter(|_| body.params(way.block).is_empty());
    jump.and_then(|jump| Way::of(body, jump, 0)).unwrap_or_else(|| way.clone())
}

/// The weights of the way to the far side of both, and of the other one.
fn weights(body: &Body, first: (Inst, usize), next: (Inst, usize)) -> Option<[u32; 2]> {
    let of = |(branch, side): (Inst, usize)| {
        let weights = body.weights(branch)?;
        Some([u64::from(*weights.get(side)?), u64::from(*weights.get(1 - side)?)])
    };
    let ([into, past], [on, back]) = (of(first)?, of(next)?);
    let (all, passed) = (into + past, on + back);
    let far = match passed {
        0 => into,
        _ => (u128::from(into) * u128::from(on) / u128::from(passed)) as u64,
    };
    let fit = |weight: u64| u32::try_from(weight).unwrap_or(u32::MAX);
    Some([fit(far), fit(all - far)])
}

/// Puts one branch in the place of the first; the second becomes unreachable.
fn write(
    body: &mut Body,
    uses: &mut SecondaryMap<Value, u32>,
    first: &Test,
    joined: &Joined,
) -> Option<()> {
    let ty = body.value_type(first.number);
    let mask = (1_u128 << joined.range.width) - 1;
    let (mut number, mut made) = (first.number, Vec::new());
    let constant = |body: &mut Body, bits: u128| {
        Constant::scalar(ty, bits & mask).map(|constant| body.constant(constant))
    };
    let before = first.branch;
    if let Some(bit) = joined.without {
        let others = constant(body, !bit)?;
        number = compute(body, before, Op::And, ty, &[number, others], Payload::None, ty);
        made.push(number);
    }
    let (mut condition, mut bound) = (IntCond::Ult, joined.range.size);
    if bound == 1 {
        (condition, bound) = (IntCond::Eq, joined.range.start);
    } else if joined.range.start != 0 {
        let by = constant(body, joined.range.start.wrapping_neg())?;
        number = compute(body, before, Op::Add, ty, &[number, by], Payload::None, ty);
        made.push(number);
    }
    let bound = constant(body, bound)?;
    let payload = Payload::IntCond(condition);
    let asked = compute(body, before, Op::Icmp, ty, &[number, bound], payload, Type::I1);
    made.push(asked);
    made.into_iter().for_each(|value| uses[value] = 1);
    let condition = body.args(before).first().copied();
    replace_by_branch(body, before, asked, [&joined.ways[0], &joined.ways[1]], joined.weights);
    remove_unused(body, uses, condition, first.number);
    Some(())
}

/// Removes what nobody asks for any more: a compare, and the sum that it was of, but not
/// the number that the new compare goes by.
fn remove_unused(
    body: &mut Body,
    uses: &SecondaryMap<Value, u32>,
    value: Option<Value>,
    number: Value,
) {
    let mut pending = value;
    while let Some(value) = pending.take()
        && value != number
        && uses[value] == 1
        && let ValueDef::Result(inst, _) = body.value_def(value)
        && matches!(body.inst(inst).op, Op::Icmp | Op::Add)
    {
        pending = body.args(inst).first().copied();
        body.remove_inst(inst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of eight bits in a range, by trying each.
    fn members(range: Range) -> Vec<u128> {
        (0..256).filter(|&x| (x + 256 - range.start) % 256 < range.size).collect()
    }

    #[test]
    fn ranges_hold_what_conditions_say() {
        let conditions = [
            IntCond::Eq,
            IntCond::Ne,
            IntCond::Slt,
            IntCond::Sle,
            IntCond::Sgt,
            IntCond::Sge,
            IntCond::Ult,
            IntCond::Ule,
            IntCond::Ugt,
            IntCond::Uge,
        ];
        for condition in conditions {
            for number in 0..256_u128 {
                let holds = |x: u128| {
                    let (signed, other) = (x as u8 as i8, number as u8 as i8);
                    match condition {
                        IntCond::Eq => x == number,
                        IntCond::Ne => x != number,
                        IntCond::Slt => signed < other,
                        IntCond::Sle => signed <= other,
                        IntCond::Sgt => signed > other,
                        IntCond::Sge => signed >= other,
                        IntCond::Ult => x < number,
                        IntCond::Ule => x <= number,
                        IntCond::Ugt => x > number,
                        IntCond::Uge => x >= number,
                    }
                };
                let expected: Vec<u128> = (0..256).filter(|&x| holds(x)).collect();
                match Range::that_are(condition, number, 8) {
                    Some(range) => assert_eq!(members(range), expected, "{condition:?} {number}"),
                    None => assert!([0, 256].contains(&expected.len()), "{condition:?} {number}"),
                }
            }
        }
    }

    #[test]
    fn what_is_in_both_ranges_is_found_where_it_is_one() {
        let some = || (0..256_u128).step_by(23).chain([0, 1, 127, 128, 255]);
        let sizes = || [1, 2, 100, 128, 129, 200, 254, 255_u128].into_iter();
        let ranges =
            || some().flat_map(|start| sizes().filter_map(move |size| Range::of(start, size, 8)));
        for one in ranges() {
            assert_eq!(members(one).len() + members(one.rest()).len(), 256);
            for other in ranges() {
                let (own, its) = (members(one), members(other));
                let both: Vec<u128> = own.into_iter().filter(|x| its.contains(x)).collect();
                let turns = (0..256_u128)
                    .filter(|&x| both.contains(&x) && !both.contains(&((x + 255) % 256)));
                match one.both(other) {
                    Some(range) => assert_eq!(members(range), both, "{one:?} {other:?}"),
                    None => assert_ne!(turns.count(), 1, "{one:?} {other:?}"),
                }
            }
        }
    }

    #[test]
    fn twins_differ_in_one_bit() {
        for (a, b, size) in
            [(65, 97, 26), (97, 65, 26), (65, 98, 26), (60, 92, 26), (0, 16, 16), (0, 8, 9)]
        {
            let pair = (Range::of(a, size, 8).unwrap(), Range::of(b, size, 8).unwrap());
            let Some((bit, low)) = pair.0.twin(pair.1) else {
                assert!([(65, 98), (60, 92), (0, 8)].contains(&(a, b)), "{a} {b}");
                continue;
            };
            let is_in = |x: u128| ((x & !bit) + 256 - low.start) % 256 < low.size;
            let found: Vec<u128> = (0..256).filter(|&x| is_in(x)).collect();
            let mut expected = [members(pair.0), members(pair.1)].concat();
            expected.sort_unstable();
            assert_eq!(found, expected, "{a} {b}");
        }
    }
}
