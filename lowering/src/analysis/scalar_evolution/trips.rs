//! How often loops go back.
//!
//! Of an exit that every round comes by, the number of the first round in which its
//! condition ends the loop is found as if nothing else ended it: a formula of what stands
//! before the loop, right for all numbers, wrapped ones among them. The loop goes back as
//! often as the least of these numbers says, provided that it ends by an edge at all and
//! not by a trap or a throw, and that it has no other exit.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::ValueDef;
use brolga_ir::op::Op;

use super::build::Builder;
use super::expression::{Expr, Reading, Recurrence};
use super::ranges::Proved;
use super::{Block, Body, Inst, Known, Loop, SecondaryMap, Value};
use crate::analysis::value_facts::{Fact, mask};

/// How often a loop goes back to its header each time that it is entered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trips {
    /// How often it goes back if it is left by an edge, as an unsigned number: it runs once
    /// more. In terms of what stands before the loop.
    pub exact: Option<Expr>,
    /// How often it goes back at most, as an unsigned number.
    pub bound: Option<Expr>,
    /// How often it goes back at most, in numbers; less than that if it traps.
    pub most: Option<u128>,
    /// The exits that every round comes by, and in which round each would be taken if the
    /// others were not there: where that is known.
    pub exits: Vec<(Block, Expr)>,
}

/// The most exits, and the most latches, of a loop that are looked at.
const MOST_EXITS: usize = 8;

/// The most loops that an edge is followed out of.
const MOST_LEFT: usize = 32;

/// How deep a condition of truth values is looked into.
const MOST_DEPTH: u32 = 4;

/// Where control leaves loops.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    /// The blocks of a loop and of none in it that lead out.
    exits: SecondaryMap<Loop, Vec<Block>>,
    /// Whether blocks of loops in it lead out, or there are too many exits.
    is_left_otherwise: SecondaryMap<Loop, bool>,
    /// Checks that stand in blocks of the loop and of none in it.
    checks: SecondaryMap<Loop, Vec<Inst>>,
}

impl Leaving {
    pub(super) fn new(body: &Body, known: &Known<'_>) -> Leaving {
        let (loops, mut leaving) = (known.loops, Leaving::default());
        // The least depth that is reached from a loop, by edges out of it.
        let mut reached: SecondaryMap<Loop, Option<u32>> = SecondaryMap::new();
        for block in known.graph.reverse_postorder() {
            let Some(of) = loops.innermost(block) else { continue };
            for &to in known.graph.successors(block) {
                if loops.contains(of, to) {
                    continue;
                }
                let depth = common_depth(known, of, to);
                reached[of] = Some(reached[of].map_or(depth, |known| known.min(depth)));
                if leaving.exits[of].last() != Some(&block) {
                    leaving.exits[of].push(block);
                }
            }
            for inst in body.layout.insts(block) {
                if body.inst(inst).op == Op::Check && leaving.checks[of].len() < MOST_EXITS {
                    leaving.checks[of].push(inst);
                }
            }
        }
        for of in loops.all().rev() {
            leaving.is_left_otherwise[of] |= leaving.exits[of].len() > MOST_EXITS;
            let Some(parent) = loops.get(of).and_then(|data| data.parent.expand()) else {
                continue;
            };
            let Some(depth) = reached[of] else { continue };
            if loops.get(parent).is_some_and(|data| depth < data.depth) {
                leaving.is_left_otherwise[parent] = true;
                reached[parent] = Some(reached[parent].map_or(depth, |known| known.min(depth)));
            }
        }
        leaving
    }
}

/// How many of the loops around a loop are around `to` as well.
fn common_depth(known: &Known<'_>, of: Loop, to: Block) -> u32 {
    let parent = |&of: &Loop| known.loops.get(of)?.parent.expand();
    // Whoever leaves more loops than that leaves all of them, as far as anybody cares.
    let mut around = std::iter::successors(Some(of), parent).take(MOST_LEFT);
    let common = around.find(|&around| known.loops.contains(around, to));
    common.and_then(|common| known.loops.get(common)).map_or(0, |data| data.depth)
}

/// In which round a condition ends a loop.
#[derive(Clone, Copy, Default)]
struct Count {
    exact: Option<Expr>,
    bound: Option<Expr>,
    /// No later than in that one.
    most: Option<u128>,
}

impl Count {
    fn exactly(count: Expr) -> Count {
        Count { exact: Some(count), bound: Some(count), most: None }
    }

    fn at_most(self, most: Option<u128>) -> Count {
        Count { most, ..self }
    }
}

/// A loop whose rounds are counted.
#[derive(Clone, Copy)]
struct Counted {
    of: Loop,
    header: Block,
}

impl Builder<'_> {
    /// How often a loop goes back.
    pub(super) fn trips(&mut self, of: Loop, leaving: &Leaving) -> Trips {
        let mut trips = Trips::default();
        let Some(data) = self.known.loops.get(of) else { return trips };
        let counted = Counted { of, header: data.header };
        if data.latches.len() > MOST_EXITS {
            return trips;
        }
        let mut counts: Vec<Count> = Vec::new();
        let exits = leaving.exits[of].iter().take(MOST_EXITS);
        for &block in exits {
            let count = match self.is_in_every_round(of, block) {
                true => self.exit_count(counted, block),
                false => Count::default(),
            };
            trips.exits.extend(count.exact.map(|exact| (block, exact)));
            counts.push(count);
        }
        let is_whole = !leaving.is_left_otherwise[of] && !counts.is_empty();
        let exact: Option<Vec<Expr>> = counts.iter().map(|count| count.exact).collect();
        trips.exact = exact.filter(|_| is_whole).and_then(|exact| self.least(&exact));
        let bounds: Vec<Expr> = counts.iter().filter_map(|count| count.bound).collect();
        trips.bound = self.least(&bounds);
        for &check in &leaving.checks[of] {
            let block = self.body.layout.block_of(check);
            if block.is_some_and(|block| self.is_in_every_round(of, block))
                && let Some(&condition) = self.body.args(check).first()
            {
                counts.push(self.condition_count(counted, condition, true, 0));
            }
        }
        let most = counts.iter().flat_map(|count| {
            let bound = count.bound.map(|bound| self.fact_at(counted.header, bound).unsigned().1);
            [bound, count.most].into_iter().flatten()
        });
        trips.most = most.min();
        trips
    }

    fn is_in_every_round(&self, of: Loop, block: Block) -> bool {
        let latches = self.known.loops.get(of).map_or(&[][..], |data| &data.latches);
        self.known.loops.innermost(block) == Some(of)
            && !self.known.loops.is_irreducible(block)
            && latches.iter().all(|&latch| self.known.dominators.dominates(block, latch))
    }

    /// The least of some unsigned numbers.
    fn least(&mut self, counts: &[Expr]) -> Option<Expr> {
        let width = counts.iter().map(|&count| self.evolution.width(count)).max()?;
        let mut least = None;
        for &count in counts {
            let count = self.evolution.resized(width, count);
            least = Some(match least {
                Some(least) => self.evolution.extreme(Op::Umin, least, count),
                None => count,
            });
        }
        least
    }

    /// In which round the branch at the end of `block` leaves the loop.
    fn exit_count(&mut self, counted: Counted, block: Block) -> Count {
        let Some(last) = self.body.layout.last_inst(block) else { return Count::default() };
        let (Op::Branch, &[condition]) = (self.body.inst(last).op, self.body.args(last)) else {
            return Count::default();
        };
        let stays = |builder: &Self, index: usize| {
            let target = builder.body.targets(last).get(index);
            target.is_some_and(|target| builder.known.loops.contains(counted.of, target.block))
        };
        match (stays(self, 0), stays(self, 1)) {
            (true, false) => self.condition_count(counted, condition, true, 0),
            (false, true) => self.condition_count(counted, condition, false, 0),
            _ => Count::default(),
        }
    }

    /// In which round a truth value is first not what lets the loop go on.
    fn condition_count(
        &mut self,
        counted: Counted,
        condition: Value,
        going_on: bool,
        depth: u32,
    ) -> Count {
        let ValueDef::Result(inst, 0) = self.body.value_def(condition) else {
            return Count::default();
        };
        if depth > MOST_DEPTH || !self.is_truth(condition) {
            return Count::default();
        }
        match (self.body.inst(inst).op, self.body.args(inst)) {
            (Op::Not, &[inner]) => self.condition_count(counted, inner, !going_on, depth + 1),
            // It ends when the first of the two does.
            (op @ (Op::And | Op::Or), &[a, b]) if going_on == (op == Op::And) => {
                let counts =
                    [a, b].map(|part| self.condition_count(counted, part, going_on, depth + 1));
                let exact = counts.map(|count| count.exact);
                let bounds: Vec<Expr> = counts.iter().filter_map(|count| count.bound).collect();
                let exact = match exact {
                    [Some(a), Some(b)] => self.least(&[a, b]),
                    _ => None,
                };
                let most = counts.iter().filter_map(|count| count.most).min();
                Count { exact, bound: self.least(&bounds), most }
            }
            (Op::Icmp, _) => self.compare_count(counted, inst, going_on).unwrap_or_default(),
            _ => Count::default(),
        }
    }

    fn compare_count(&mut self, counted: Counted, inst: Inst, going_on: bool) -> Option<Count> {
        let (condition, a, b) = self.resolved_compare(counted.of, counted.header, inst)?;
        let condition = if going_on { condition } else { condition.inverted() };
        let evolution = &mut self.evolution;
        let (moves, other) =
            (evolution.is_invariant(a, counted.of), evolution.is_invariant(b, counted.of));
        match (!moves, !other) {
            (true, false) => self.count(counted, condition, a, b),
            (false, true) => self.count(counted, condition.swapped(), b, a),
            (true, true) if matches!(condition, IntCond::Eq | IntCond::Ne) => {
                let difference = evolution.sub(a, b);
                let zero = evolution.constant(evolution.width(a), 0);
                self.count(counted, condition, difference, zero)
            }
            _ => None,
        }
    }

    /// In which round a condition between what moves and a bound that does not is first
    /// not met.
    fn count(
        &mut self,
        counted: Counted,
        condition: IntCond,
        moving: Expr,
        bound: Expr,
    ) -> Option<Count> {
        let Recurrence { start, step, .. } = self.evolution.as_affine(moving, counted.of)?;
        let step = self.evolution.as_signed(step)?;
        match condition {
            IntCond::Ne => self.count_until_equal(counted, moving, bound, step),
            // It is there in one round only.
            IntCond::Eq => {
                let one = self.evolution.constant(self.evolution.width(moving), 1);
                let is_there = self.fact_at(counted.header, start);
                let is_there = is_there.compare(IntCond::Eq, &self.fact_at(counted.header, bound));
                let exact = match (is_there, start == bound) {
                    (Some(true), _) | (_, true) => Some(one),
                    (Some(false), _) => Some(self.evolution.constant(self.evolution.width(one), 0)),
                    (None, false) => None,
                };
                Some(Count { exact, bound: exact.or(Some(one)), most: None })
            }
            IntCond::Ult | IntCond::Slt => {
                self.count_while_less(counted, Side { condition, moving, start, bound, step })
            }
            IntCond::Ule | IntCond::Sle => {
                let greatest = match condition {
                    IntCond::Ule => Fact::any(self.evolution.width(bound)).unsigned().1,
                    _ => Fact::greatest(self.evolution.width(bound)) as u128,
                };
                let width = self.evolution.width(bound);
                let greatest = self.evolution.constant(width, greatest);
                let strict = if condition == IntCond::Ule { IntCond::Ult } else { IntCond::Slt };
                // Of the greatest number, none is more: the loop would not end.
                if !self.holds_at(counted.header, (bound, strict, greatest)) {
                    return None;
                }
                let bound = self.evolution.add_constant(bound, 1);
                let side = Side { condition: strict, moving, start, bound, step };
                self.count_while_less(counted, side)
            }
            // With every bit inverted, order is the other way round.
            _ => {
                let inverted = self.evolution.inverted(moving);
                let bound = self.evolution.inverted(bound);
                let count = self.count(counted, condition.swapped(), inverted, bound)?;
                self.prove_inverted(moving, inverted);
                Some(count)
            }
        }
    }

    /// What is proved of an expression with every bit inverted holds of itself, turned
    /// around.
    fn prove_inverted(&mut self, expr: Expr, inverted: Expr) {
        if let Some(&proved) = self.evolution.proved.get(&inverted) {
            let width = proved.fact.width();
            let (ul, um) = proved.fact.unsigned();
            let (sl, sm) = proved.fact.signed();
            let fact = Fact::unsigned_between(width, mask(width) - um, mask(width) - ul);
            let fact = fact.narrowed(&Fact::signed_between(width, -1 - sm, -1 - sl));
            self.evolution.prove(expr, Proved { fact, ..proved });
        }
    }

    /// The first round in which `start + n*step` is `bound`, modulo two to the width.
    fn count_until_equal(
        &mut self,
        counted: Counted,
        moving: Expr,
        bound: Expr,
        step: i128,
    ) -> Option<Count> {
        let Recurrence { start, .. } = self.evolution.as_affine(moving, counted.of)?;
        // Downward the way is as long, by as long steps.
        let way = match step > 0 {
            true => self.evolution.sub(bound, start),
            false => self.evolution.sub(start, bound),
        };
        let width = self.evolution.width(way);
        let length = step.unsigned_abs();
        let zeros = length.trailing_zeros();
        if zeros >= width || self.fact_at(counted.header, way).trailing_zeros() < zeros {
            // It may step over the bound, for ever.
            return None;
        }
        // An odd step has an inverse; a power of two divides the way, and the rounds repeat.
        let inverse = inverse(length >> zeros);
        let count = match zeros {
            0 => self.evolution.scale(way, inverse),
            _ => {
                let way = self.evolution.quotient(way, 1 << zeros);
                let count = self.evolution.scale(way, inverse);
                let count = self.evolution.truncated(width - zeros, count);
                self.evolution.extended(Reading::Unsigned, width, count)
            }
        };
        let mut most = None;
        if step == 1 || step == -1 {
            for (reading, ahead) in
                [(Reading::Unsigned, IntCond::Ule), (Reading::Signed, IntCond::Sle)]
            {
                let ordered = if step > 0 { (start, ahead, bound) } else { (bound, ahead, start) };
                if self.holds_at(counted.header, ordered) {
                    self.prove_between(counted, moving, reading, ordered);
                    let ends = (ordered.0, ordered.2);
                    most = [most, self.longest_way(counted, reading, ends)]
                        .into_iter()
                        .flatten()
                        .min();
                }
            }
        }
        Some(Count::exactly(count).at_most(most))
    }

    /// Notes that a recurrence goes from one bound to the other and wraps nowhere.
    fn prove_between(
        &mut self,
        counted: Counted,
        moving: Expr,
        reading: Reading,
        (least, _, most): (Expr, IntCond, Expr),
    ) {
        let (least, most) =
            (self.fact_at(counted.header, least), self.fact_at(counted.header, most));
        let width = least.width();
        let mut proved = Proved::nothing(width);
        match reading {
            Reading::Unsigned => {
                proved.unsigned = true;
                proved.fact = Fact::unsigned_between(width, least.unsigned().0, most.unsigned().1);
            }
            Reading::Signed => {
                proved.signed = true;
                proved.fact = Fact::signed_between(width, least.signed().0, most.signed().1);
            }
        }
        self.evolution.prove(moving, proved);
    }

    /// The first round in which `start + n*step` is not less than `bound`.
    fn count_while_less(&mut self, counted: Counted, side: Side) -> Option<Count> {
        let Side { condition, start, bound, step, .. } = side;
        let width = self.evolution.width(bound);
        let is_signed = condition == IntCond::Slt;
        if step <= 0 {
            return None;
        }
        // The last step must not lead past the greatest number: back among the lesser ones.
        let most = self.fact_at(counted.header, bound);
        let room = match is_signed {
            true => Fact::greatest(width).checked_sub(most.signed().1),
            false => i128::try_from(mask(width) - most.unsigned().1).ok(),
        };
        if step > 1 && room.is_none_or(|room| room < step - 1) {
            return None;
        }
        let at_most = if is_signed { IntCond::Sle } else { IntCond::Ule };
        let is_ahead = self.holds_at(counted.header, (start, at_most, bound));
        let end = match is_ahead {
            true => bound,
            false => {
                let op = if is_signed { Op::Smax } else { Op::Umax };
                self.evolution.extreme(op, bound, start)
            }
        };
        let way = self.evolution.sub(end, start);
        let count = match step {
            1 => way,
            _ => {
                let rounded = self.evolution.add_constant(way, step as u128 - 1);
                self.evolution.quotient(rounded, step as u128)
            }
        };
        self.prove_while_less(counted, side, is_ahead);
        let reading = if is_signed { Reading::Signed } else { Reading::Unsigned };
        let most = self.longest_way(counted, reading, (start, bound));
        let most = most.map(|most| most.div_ceil(step as u128));
        Some(Count::exactly(count).at_most(most))
    }

    /// How far it is from one number to another at most, by what is known of each of them;
    /// nothing if it lies behind.
    fn longest_way(
        &self,
        counted: Counted,
        reading: Reading,
        (from, to): (Expr, Expr),
    ) -> Option<u128> {
        let (from, to) = (self.fact_at(counted.header, from), self.fact_at(counted.header, to));
        match reading {
            Reading::Unsigned => Some(to.unsigned().1.saturating_sub(from.unsigned().0)),
            Reading::Signed => {
                let way = to.signed().1.checked_sub(from.signed().0)?;
                u128::try_from(way.max(0)).ok()
            }
        }
    }

    /// Notes between which bounds what is compared stays, and, where the compare is of the
    /// next round, what it is computed from.
    fn prove_while_less(&mut self, counted: Counted, side: Side, is_ahead: bool) {
        let Side { condition, moving, start, bound, step } = side;
        let is_signed = condition == IntCond::Slt;
        let (first, last) =
            (self.fact_at(counted.header, start), self.fact_at(counted.header, bound));
        let width = first.width();
        let mut proved = Proved::nothing(width);
        match is_signed {
            true => {
                let past = last.signed().1.saturating_add(step - 1);
                let most = if is_ahead { past } else { past.max(first.signed().1) };
                proved.signed = true;
                proved.fact = Fact::signed_between(width, first.signed().0, most);
            }
            false => {
                let past = last.unsigned().1.saturating_add(step as u128 - 1);
                let most = if is_ahead { past } else { past.max(first.unsigned().1) };
                proved.unsigned = true;
                proved.fact = Fact::unsigned_between(width, first.unsigned().0, most);
            }
        }
        self.evolution.prove(moving, proved);
        // A loop that compares what it goes on with was entered by the same compare, or
        // has come there by an addition that cannot have wrapped.
        let before = self.evolution.add_constant(start, (-step) as u128);
        if self.holds_at(counted.header, (before, condition, bound)) {
            let back = self.evolution.add_constant(moving, (-step) as u128);
            let own = self.fact_at(counted.header, before);
            proved.fact = match is_signed {
                true => {
                    Fact::signed_between(width, own.signed().0, last.signed().1.saturating_sub(1))
                }
                false => Fact::unsigned_between(
                    width,
                    own.unsigned().0,
                    last.unsigned().1.saturating_sub(1),
                ),
            };
            self.evolution.prove(back, proved);
        }
    }
}

/// What stands on the two sides of a compare that lets a loop go on.
#[derive(Clone, Copy)]
struct Side {
    condition: IntCond,
    moving: Expr,
    start: Expr,
    bound: Expr,
    step: i128,
}

/// The number whose product with an odd one is 1, modulo two to any width up to 128: each
/// step doubles the bits that are right (Newton).
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..7 {
        let rest = 2_u128.wrapping_sub(odd.wrapping_mul(inverse));
        inverse = inverse.wrapping_mul(rest);
    }
    inverse
}
