//! Whether rounds may load and store side by side, and what must be compared before the loop.
//!
//! What stands in one place of the body does so for all rounds of a vector, one place behind
//! the other. That is right for two accesses if they never touch the same bytes, or if the
//! one that is made second is the later one wherever they do: in the same round, or in a
//! later one. A group is made in one place, so that accesses may come past others of the
//! same round: then these must not meet there, either.

use brolga_ir::attribute::LoopFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

use super::memory::Memory;
use super::refusal::Refusal;
use super::shape::Shape;
use crate::analysis::dependence::{Dependence, Dependences, Directions};

/// The most pairs that are compared before the loop.
const MOST_TESTS: usize = 6;

/// What is made in one place: an access, or all of a group.
#[derive(Debug)]
struct Unit {
    op: Op,
    /// The place, and the accesses, counted through all of the loop.
    at: usize,
    members: Vec<usize>,
    /// Those of the lowest and of the highest address.
    ends: [Inst; 2],
}

/// When two accesses touch the same bytes, if that makes their order wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    Never,
    /// The one that is made second so many rounds earlier.
    Earlier(u32),
    /// Nobody knows.
    Sometimes,
}

/// What is asked about a pair.
#[derive(Clone, Copy, Debug)]
struct Question {
    first: Inst,
    second: Inst,
    /// In which rounds the second one must not come to the same place.
    wrong: Directions,
}

impl Memory {
    /// Finds out how many rounds may be done side by side, and what must be compared first.
    pub(super) fn compare(
        &mut self,
        body: &Body,
        dependences: &mut Dependences<'_>,
        shape: &Shape,
    ) -> Result<(), Refusal> {
        let always = match has_independent_rounds(body, shape) {
            true => Directions::empty(),
            false => Directions::EARLIER,
        };
        let units = self.units(body);
        for (index, first) in units.iter().enumerate() {
            for second in &units[index + 1..] {
                if first.op == Op::Store || second.op == Op::Store {
                    self.compare_units(dependences, shape, always, [first, second])?;
                }
            }
        }
        if self.tests.len() > MOST_TESTS { Err(Refusal::Aliasing) } else { Ok(()) }
    }

    /// What is made in which place, one behind the other.
    fn units(&self, body: &Body) -> Vec<Unit> {
        let index = |inst: Inst| self.moved.iter().position(|moved| moved.inst == inst);
        let alone = self.moved.iter().enumerate().filter(|(_, moved)| moved.part.is_none());
        let alone = alone.map(|(at, moved)| Unit {
            op: body.inst(moved.inst).op,
            at,
            members: vec![at],
            ends: [moved.inst; 2],
        });
        let groups = self.groups.iter().filter_map(|group| {
            let members = group.members.iter().filter_map(|&(inst, _)| index(inst)).collect();
            Some(Unit { op: group.op, at: index(group.at)?, members, ends: group.ends })
        });
        let mut units: Vec<Unit> = alone.chain(groups).collect();
        units.sort_by_key(|unit| unit.at);
        units
    }

    fn compare_units(
        &mut self,
        dependences: &mut Dependences<'_>,
        shape: &Shape,
        always: Directions,
        [first, second]: [&Unit; 2],
    ) -> Result<(), Refusal> {
        let mut may_meet = false;
        for &one in &first.members {
            for &other in &second.members {
                let comes_past = if other < one { Directions::SAME } else { Directions::empty() };
                let (one, other) = (self.moved[one].inst, self.moved[other].inst);
                let wrong = always | comes_past;
                let question = Question { first: one, second: other, wrong };
                match question.answer(dependences, shape) {
                    Meeting::Never => {}
                    Meeting::Earlier(0) => return Err(Refusal::Between),
                    Meeting::Earlier(1) => return Err(Refusal::Carried),
                    Meeting::Earlier(rounds) => self.most_lanes = self.most_lanes.min(rounds),
                    Meeting::Sometimes => may_meet = true,
                }
            }
        }
        if may_meet {
            let test = dependences.to_compare(first.ends, second.ends, shape.of);
            let test = test.ok_or(Refusal::Aliasing)?;
            if !self.tests.contains(&test) {
                self.tests.push(test);
            }
        }
        Ok(())
    }
}

impl Question {
    fn answer(self, dependences: &mut Dependences<'_>, shape: &Shape) -> Meeting {
        if self.wrong.is_empty() {
            return Meeting::Never;
        }
        let between = dependences.between(self.first, self.second, shape.of);
        let Dependence::Levels(levels) = between else { return Meeting::Never };
        let Some(level) = levels.iter().find(|level| level.of == shape.of) else {
            return Meeting::Sometimes;
        };
        if !level.directions.intersects(self.wrong) {
            return Meeting::Never;
        }
        let distance = level.distance.filter(|&distance| distance <= 0);
        distance.map_or(Meeting::Sometimes, |distance| {
            Meeting::Earlier(u32::try_from(distance.unsigned_abs()).unwrap_or(u32::MAX))
        })
    }
}

/// Whether the loop is promised to touch in no round what an earlier one did.
fn has_independent_rounds(body: &Body, shape: &Shape) -> bool {
    body.layout.insts(shape.header).any(|inst| {
        matches!(body.inst(inst).payload,
            Payload::LoopMark { flags, .. } if flags.contains(LoopFlags::IVDEP))
    })
}
