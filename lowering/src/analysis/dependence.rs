//! In which rounds of loops two accesses may touch the same bytes.
//!
//! Of two accesses that one loop encloses, addresses are written as sums: a part that does
//! not change while that loop runs, and a multiple of the round of each loop in it. They
//! touch the same byte where the difference of the sums is less than their sizes, which
//! is asked of each loop that is around both: with the second access in the same round as
//! the first, in a later and in an earlier one. No numbers of rounds do it if the greatest
//! common divisor of the multiples leads past those differences (Banerjee, "Dependence
//! analysis for supercomputing", 1988; the test of single subscripts is that of Goff,
//! Kennedy and Tseng, "Practical dependence testing", 1991), or if the bounds of the sum
//! are beyond them. Where rounds of one loop alone count, their distance follows.
//!
//! Which objects the addresses are made from, alias classes and scopes are asked first
//! (see `access`). Addresses are numbers modulo two to the 64: distances count where
//! nothing wraps, by how often loops go back at most. That an access which every round
//! comes by stays in one object bounds this, too: no object is larger than what processors
//! can address.
//!
//! Does not try: distances across several loops at once; steps that are no constants, but
//! where both have the same outside of the loop that is asked about; `ivdep`.

mod affine;
mod solve;

use std::rc::Rc;

use bitflags::bitflags;
use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst};

use super::access::{Accesses, Location, Overlap, Reach};
use super::addresses::Base;
use super::loops::Loop;
use super::scalar_evolution::{Expr, ScalarEvolution};

bitflags! {
    /// In which rounds of a loop the second of two accesses may touch what the first does.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Directions: u8 {
        /// In the same round.
        const SAME = 1;
        /// The second in a later round.
        const LATER = 2;
        /// The second in an earlier round.
        const EARLIER = 4;
    }
}

/// What is known of the rounds of one loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The loop.
    pub of: Loop,
    /// When the two may meet.
    pub directions: Directions,
    /// How many rounds later than the first the second is whenever they meet, if it is
    /// always the same number.
    pub distance: Option<i64>,
}

/// In which rounds two accesses may touch the same byte, where one of them writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// In none.
    Independent,
    /// In those: the loops around both, the outermost first.
    Levels(Vec<Level>),
}

/// The bytes that an access touches while a loop runs, whenever that is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The object.
    pub base: Base,
    /// The address of the first one.
    pub low: Expr,
    /// The address behind the last one.
    pub high: Expr,
    /// Whether some rounds may go without the access: where it would be in these may be beyond
    /// the ends of memory, and `low` not below `high`.
    pub may_wrap: bool,
}

/// Questions about the accesses of a body.
#[derive(Debug)]
pub struct Dependences<'a> {
    body: &'a Body,
    accesses: Rc<Accesses>,
    dominators: Rc<Dominators>,
    evolution: ScalarEvolution,
}

impl<'a> Dependences<'a> {
    /// Questions about `body`, of which the others are true.
    pub fn new(
        body: &'a Body,
        accesses: Rc<Accesses>,
        dominators: Rc<Dominators>,
        evolution: &ScalarEvolution,
    ) -> Dependences<'a> {
        Dependences { body, accesses, dominators, evolution: evolution.clone() }
    }

    /// What instructions read and write.
    pub fn accesses(&self) -> &Accesses {
        &self.accesses
    }

    /// The expressions that the answers are made of.
    pub fn evolution(&mut self) -> &mut ScalarEvolution {
        &mut self.evolution
    }

    /// The same, when all is asked.
    pub fn into_evolution(self) -> ScalarEvolution {
        self.evolution
    }

    /// In which rounds `one` and `other` touch the same byte while `within` runs once, so
    /// that their order matters: a loop in which both stand.
    pub fn between(&mut self, one: Inst, other: Inst, within: Loop) -> Dependence {
        let Some(blocks) = self.blocks(one, other, within) else {
            return Dependence::Independent;
        };
        let accesses = Rc::clone(&self.accesses);
        let (reads, writes) = (accesses.reads(one), accesses.writes(one));
        let (other_reads, other_writes) = (accesses.reads(other), accesses.writes(other));
        let mut all: Option<Vec<Level>> = None;
        let pairs = [(writes, other_writes), (writes, other_reads), (reads, other_writes)];
        for (reach, other_reach) in pairs {
            for levels in self.meetings(reach, other_reach, (one, other), blocks, within) {
                all = Some(match all {
                    Some(known) => joined(known, levels),
                    None => levels,
                });
            }
        }
        all.map_or(Dependence::Independent, Dependence::Levels)
    }

    /// By how many bytes the address of a load or store goes on with each round of the loops
    /// around it, from `within` inward, if these are numbers and nothing else in it changes.
    pub fn steps(&mut self, inst: Inst, within: Loop) -> Option<Vec<(Loop, i128)>> {
        let block = self.body.layout.block_of(inst)?;
        let accesses = Rc::clone(&self.accesses);
        let location = accesses.writes(inst).location().or(accesses.reads(inst).location())?;
        let address = self.address(location, inst, block, within)?;
        Some(address.steps.iter().map(|step| (step.of, step.by)).collect())
    }

    /// The blocks of two instructions, if they stand in the loop.
    fn blocks(&self, one: Inst, other: Inst, within: Loop) -> Option<(Block, Block)> {
        let layout = &self.body.layout;
        let (one, other) = (layout.block_of(one)?, layout.block_of(other)?);
        let loops = self.evolution.loops();
        (loops.contains(within, one) && loops.contains(within, other)).then_some((one, other))
    }

    /// The loops around both blocks, from `within` inward.
    fn common(&self, (one, other): (Block, Block), within: Loop) -> Vec<Loop> {
        let loops = self.evolution.loops();
        let parent = |&of: &Loop| loops.get(of)?.parent.expand();
        let around = std::iter::successors(loops.innermost(one), parent);
        let around = around.filter(|&of| loops.encloses(within, of) && loops.contains(of, other));
        let mut common: Vec<Loop> = around.collect();
        common.reverse();
        common
    }

    fn meetings(
        &mut self,
        one: &Reach,
        other: &Reach,
        insts: (Inst, Inst),
        blocks: (Block, Block),
        within: Loop,
    ) -> Vec<Vec<Level>> {
        let common = self.common(blocks, within);
        let anything = || vec![unknown(&common)];
        let is_private = |location: &Location| self.accesses.escapes().is_private(location.base);
        match (one, other) {
            (Reach::Nothing, _) | (_, Reach::Nothing) => Vec::new(),
            (Reach::Everything, _) | (_, Reach::Everything) => anything(),
            (Reach::Shared, Reach::Shared) => anything(),
            (Reach::Shared, rest) | (rest, Reach::Shared) => {
                if rest.locations().all(is_private) {
                    Vec::new()
                } else {
                    anything()
                }
            }
            (Reach::One(_) | Reach::Two(_), Reach::One(_) | Reach::Two(_)) => {
                let others: Vec<Location> = other.locations().copied().collect();
                let mut found = Vec::new();
                for own in one.locations() {
                    for other in &others {
                        found.extend(self.levels((own, other), insts, blocks, &common, within));
                    }
                }
                found
            }
        }
    }

    /// When two locations have bytes in common; nothing if they never do.
    fn levels(
        &mut self,
        (one, other): (&Location, &Location),
        insts: (Inst, Inst),
        blocks: (Block, Block),
        common: &[Loop],
        within: Loop,
    ) -> Option<Vec<Level>> {
        if self.accesses.overlap(&one.at_any_time(), &other.at_any_time()) == Overlap::Never {
            return None;
        }
        if one.volatile && other.volatile {
            return Some(unknown(common));
        }
        let one = self.address(one, insts.0, blocks.0, within);
        let other = self.address(other, insts.1, blocks.1, within);
        match (one, other) {
            (Some(one), Some(other)) if one.origin == other.origin => {
                self.solve(&one, &other, common)
            }
            _ => Some(unknown(common)),
        }
    }

    /// What two accesses touch while a loop runs, for a compare before the loop of whether they
    /// meet: where they are in objects of which that is not known, and it is known where
    /// each of them begins and ends. The addresses stay in those objects, and so wrap
    /// nowhere, in rounds that the accesses are made in. Of accesses that are made together,
    /// those of the lowest and of the highest address are named; the others are between.
    pub fn to_compare(
        &mut self,
        one: [Inst; 2],
        other: [Inst; 2],
        of: Loop,
    ) -> Option<[Extent; 2]> {
        let extents = [self.span(one, of)?, self.span(other, of)?];
        let [a, b] = [extents[0].base, extents[1].base];
        let is_told_apart = a == b && matches!(a, Base::Slot(_) | Base::Data(_) | Base::Fresh(_));
        (!is_told_apart).then_some(extents)
    }

    fn span(&mut self, [lowest, highest]: [Inst; 2], of: Loop) -> Option<Extent> {
        let low = self.extent(lowest, of)?;
        let high = if lowest == highest { low } else { self.extent(highest, of)? };
        let may_wrap = low.may_wrap || high.may_wrap;
        (low.base == high.base).then_some(Extent { high: high.high, may_wrap, ..low })
    }

    /// What an access touches while a loop runs.
    pub fn extent(&mut self, inst: Inst, of: Loop) -> Option<Extent> {
        let block = self.body.layout.block_of(inst)?;
        let accesses = Rc::clone(&self.accesses);
        let location = accesses.writes(inst).location().or(accesses.reads(inst).location())?;
        let address = self.address(location, inst, block, of)?;
        if address.origin.is_some() || address.steps.iter().any(|step| step.of != of) {
            return None;
        }
        let last = self.evolution.trips(of)?.bound?;
        let way = address.steps.first().map_or(0, |step| step.by);
        let times = self.evolution.resized(64, last);
        let way_there = self.evolution.scale(times, way as u128);
        let end = self.evolution.add(address.rest, way_there);
        let (low, last) = if way < 0 { (end, address.rest) } else { (address.rest, end) };
        let high = self.evolution.add_constant(last, address.size as u128);
        let may_wrap = !self.is_made_in_each_round(inst, block, of);
        Some(Extent { base: location.base, low, high, may_wrap })
    }

    /// Whether each round of a loop makes an access, that by which the loop is left, too.
    fn is_made_in_each_round(&self, inst: Inst, block: Block, of: Loop) -> bool {
        let Some(trips) = self.evolution.trips(of) else { return false };
        self.is_come_by(inst, block, of)
            && trips.exits.iter().all(|&(exit, _)| self.dominators.dominates(block, exit))
    }
}

/// Nothing is known of the rounds.
fn unknown(common: &[Loop]) -> Vec<Level> {
    let level = |&of: &Loop| Level { of, directions: Directions::all(), distance: None };
    common.iter().map(level).collect()
}

/// When either of two meetings may be.
fn joined(one: Vec<Level>, other: Vec<Level>) -> Vec<Level> {
    let both = |(one, other): (Level, Level)| Level {
        directions: one.directions | other.directions,
        distance: one.distance.filter(|_| one.distance == other.distance),
        ..one
    };
    one.into_iter().zip(other).map(both).collect()
}

#[cfg(test)]
mod tests;
