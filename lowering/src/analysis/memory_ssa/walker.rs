//! What last wrote to a place.
//!
//! From the version that an access finds, the way goes up over writes that do not touch
//! its location. Where paths meet, all ways up are gone to the version that the
//! immediate dominator ends with, which every one of them comes to; if nothing on them
//! touches the location, that is where it goes on, and if something does, the meeting
//! is the answer. So each answer is the closest one there is, as far as the bound
//! allows: after that many writes and meetings the walk stops where it is, which is
//! right and less precise.
//!
//! A way up may come round a loop, to where the values of the location are those of an
//! earlier round. Where the block of a meeting is not dominated by the definitions of
//! all of them, the location stands for those of all rounds from there on.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst};
use rustc_hash::FxHashSet;

use super::{MemorySsa, Origin, Version};
use crate::analysis::access::{Accesses, Location};

/// What answers for one access after another.
#[derive(Clone, Copy, Debug)]
pub struct Walker<'a> {
    body: &'a Body,
    dominators: &'a Dominators,
    accesses: &'a Accesses,
    ssa: &'a MemorySsa,
    bound: u32,
}

/// A way up: where it is, and what it looks for.
#[derive(Clone, Copy, Debug)]
struct Way {
    at: Version,
    round: Round,
}

/// Whether the values of a location are those of the question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Round {
    Same,
    Any,
}

/// The location that is looked for, in both meanings.
struct Wanted {
    same: Location,
    any: Location,
}

impl Wanted {
    fn of(&self, round: Round) -> &Location {
        match round {
            Round::Same => &self.same,
            Round::Any => &self.any,
        }
    }
}

impl<'a> Walker<'a> {
    /// The bound that serves most: one more makes little difference on common code.
    pub const BOUND: u32 = 100;

    /// Answers for a body, with that bound on each answer.
    pub fn new(
        body: &'a Body,
        dominators: &'a Dominators,
        accesses: &'a Accesses,
        ssa: &'a MemorySsa,
        bound: u32,
    ) -> Walker<'a> {
        Walker { body, dominators, accesses, ssa, bound }
    }

    /// The version that last changed what `inst` reads, or before it writes, if that is
    /// in one place; nothing for other instructions.
    pub fn clobber_of(&self, inst: Inst) -> Option<Version> {
        let reads = self.accesses.reads(inst).location();
        let location = reads.or_else(|| self.accesses.writes(inst).location())?;
        Some(self.clobber(self.ssa.found(inst)?, location))
    }

    /// The version that last changed the location, seen from where `from` is the state
    /// of memory and the values of the location are known.
    pub fn clobber(&self, from: Version, location: &Location) -> Version {
        let wanted = Wanted { same: *location, any: location.at_any_time() };
        let mut way = Way { at: from, round: Round::Same };
        let mut left = self.bound;
        loop {
            let above = match self.ssa.origin(way.at) {
                Origin::Entry => None,
                Origin::Write(inst) => self.step(inst, &wanted, way, &mut left),
                Origin::Meeting(block) => self.through(block, &wanted, way, &mut left),
            };
            match above {
                Some(above) => way = above,
                None => return way.at,
            }
        }
    }

    /// The way above a write, unless that touches the location.
    fn step(&self, inst: Inst, wanted: &Wanted, way: Way, left: &mut u32) -> Option<Way> {
        *left = left.checked_sub(1)?;
        let touches = self.accesses.may_write(inst, wanted.of(way.round));
        let at = self.ssa.found(inst).filter(|_| !touches)?;
        Some(Way { at, ..way })
    }

    /// The way from above a meeting, if no way to it touches the location.
    fn through(&self, block: Block, wanted: &Wanted, way: Way, left: &mut u32) -> Option<Way> {
        let above = self.ssa.at_end(self.dominators.immediate_dominator(block)?)?;
        let mut round = way.round;
        let mut seen: FxHashSet<(Version, Round)> = FxHashSet::default();
        let mut stack = vec![way];
        while let Some(mut way) = stack.pop() {
            while way.at != above {
                way = match self.ssa.origin(way.at) {
                    Origin::Entry => return None,
                    Origin::Write(inst) => self.step(inst, wanted, way, left)?,
                    Origin::Meeting(block) => {
                        way.round = self.round_above(block, wanted, way.round);
                        if seen.insert((way.at, way.round)) {
                            let met = self.ssa.meeting(block);
                            *left = left.checked_sub(met.len().saturating_sub(1).max(1) as u32)?;
                            stack.extend(met.iter().map(|&(_, at)| Way { at, ..way }));
                        }
                        break;
                    }
                };
            }
            round = round.max(way.round);
        }
        Some(Way { at: above, round })
    }

    /// Whether the values of the location are still the same before `block`.
    fn round_above(&self, block: Block, wanted: &Wanted, round: Round) -> Round {
        let is_above = |value| {
            let defined = self.body.defining_block(value);
            defined.is_none_or(|above| above != block && self.dominators.dominates(above, block))
        };
        if wanted.same.values().all(is_above) { round } else { Round::Any }
    }
}
