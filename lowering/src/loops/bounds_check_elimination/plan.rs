//! Which loops are split, and what it takes.

use std::rc::Rc;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use super::proof::Reasoning;
use super::rounds::{Moving, Part, parts};
use crate::analysis::scalar_evolution::{Compare, Expr, Line, Reading};
use crate::analysis::{Frequencies, Loop};
use crate::loops::expansion::Available;
use crate::loops::form::{Reads, preheader_jump};
use crate::pass::{DedicatedExits, PassContext, effects_of};

/// The most instructions of a loop that is copied.
const MOST_COPIED: usize = 200;

/// A loop that goes back less often than that stays as it is.
const LEAST_TRIPS: u128 = 3;

/// A loop that is entered less often than one time in so many that control comes to what
/// leads there is not worth a copy: above all those that were split off.
const SELDOM: u64 = 64;

/// How many blocks are followed to see whether an exit ends in a trap.
const MOST_STEPS: usize = 4;

/// What must hold for the rounds without checks to be gone to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    Truth(Value, bool),
    Compare(Compare),
}

/// What is done before the loop in one go: all of it happens in the first round, before
/// anything that the guards rule out.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) moved: Vec<Inst>,
    pub(super) guards: Vec<Guard>,
}

/// How a loop is split.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) of: Loop,
    /// The end of the preheader.
    pub(super) jump: Inst,
    /// The branch that leads back.
    pub(super) latch: Inst,
    pub(super) exits: Vec<Block>,
    pub(super) size: usize,
    pub(super) stages: Vec<Stage>,
    /// How often the loop without checks goes back at most.
    pub(super) limits: Vec<Expr>,
    /// What is compared to end it.
    pub(super) moving: Value,
    pub(super) line: Line,
    pub(super) condition: IntCond,
    /// What tells whether the loop goes on at all, in order.
    pub(super) decision: Vec<Inst>,
    /// The same of the checks that go.
    pub(super) conditions: Vec<Inst>,
    /// The checks that go, and the branches, with the target that they always take.
    pub(super) checks: Vec<Inst>,
    pub(super) branches: Vec<(Inst, usize)>,
}

/// What is looked at beside what is known of numbers.
pub(super) struct Surroundings<'a> {
    pub(super) reads: Reads<'a>,
    pub(super) frequencies: &'a Frequencies,
    pub(super) exits: &'a DedicatedExits,
    /// The numbers that are there already.
    pub(super) available: &'a Available,
}

/// A plan in the making.
struct Draft<'r, 'b> {
    reasoning: &'r mut Reasoning<'b>,
    available: &'r Available,
    of: Loop,
    moved: EntitySet<Inst>,
    stages: Vec<Stage>,
    limits: Vec<Expr>,
}

/// What a condition asks for.
#[derive(Default)]
struct Demand {
    guards: Vec<Guard>,
    limits: Vec<Expr>,
    /// The first of what moves.
    moving: Option<Moving>,
}

impl Plan {
    /// Whether what is written before the loop has to do with a loop for which that holds.
    pub(super) fn names(&self, reasoning: &Reasoning<'_>, is_it: &dyn Fn(Loop) -> bool) -> bool {
        let Reasoning { body, loops, evolution, .. } = reasoning;
        let touches = |expr: Expr| evolution.touches(expr, is_it);
        let is_named = |guard: &Guard| match *guard {
            Guard::Truth(value, _) => {
                let home = body.defining_block(value).and_then(|block| loops.innermost(block));
                home.is_some_and(is_it)
            }
            Guard::Compare((a, _, b)) => touches(a) || touches(b),
        };
        self.stages.iter().flat_map(|stage| &stage.guards).any(is_named)
            || self.limits.iter().any(|&limit| touches(limit))
            || touches(self.line.start)
    }

    /// How a loop is split, if that takes checks out of it.
    pub(super) fn of(
        reasoning: &mut Reasoning<'_>,
        context: &mut PassContext<'_>,
        around: &Surroundings<'_>,
        of: Loop,
    ) -> Option<Plan> {
        let (body, loops) = (reasoning.body, Rc::clone(&reasoning.loops));
        let jump = preheader_jump(body, &reasoning.graph, &loops, of)?;
        let blocks = loops.blocks(of);
        let is_plain = |&block: &Block| !loops.is_irreducible(block);
        let insts = blocks.iter().flat_map(|&block| body.layout.insts(block));
        let size = insts.take(MOST_COPIED + 1).count();
        let trips = reasoning.evolution.trips(of)?;
        if size > MOST_COPIED
            || !loops.is_innermost(of)
            || !blocks.iter().all(is_plain)
            || trips.most.is_some_and(|most| most < LEAST_TRIPS)
            || is_seldom(reasoning, around.frequencies, body.layout.block_of(jump)?)
        {
            return None;
        }
        let exits = around.exits.of(of)?.to_vec();
        let &[latch] = loops.get(of)?.latches.as_slice() else { return None };
        let latch = body.layout.last_inst(latch)?;
        let mut draft = Draft {
            reasoning,
            available: around.available,
            of,
            moved: EntitySet::new(),
            stages: vec![Stage::default()],
            limits: Vec::new(),
        };
        let (checks, branches) = draft.scan(context, around, latch);
        if checks.is_empty() && branches.is_empty() {
            return None;
        }
        let moving = draft.latch(latch)?;
        let condition = draft.end_condition(&moving);
        let is_inside = |block| loops.contains(of, block);
        let decision = decision(body, latch, &is_inside)?;
        let gone = checks.iter().copied().chain(branches.iter().map(|branch| branch.0));
        let conditions = gone.filter_map(|inst| self::decision(body, inst, &is_inside));
        let conditions = conditions.flatten().collect();
        let Draft { stages, limits, .. } = draft;
        let line = moving.line;
        let moving = moving.value;
        Some(Plan {
            of,
            jump,
            latch,
            exits,
            size,
            stages,
            limits,
            moving,
            line,
            condition,
            decision,
            conditions,
            checks,
            branches,
        })
    }
}

/// Whether what leads to a loop mostly leads elsewhere.
fn is_seldom(reasoning: &Reasoning<'_>, frequencies: &Frequencies, preheader: Block) -> bool {
    let above = reasoning.dominators.immediate_dominator(preheader);
    above.is_some_and(|above| {
        frequencies.of(preheader).saturating_mul(SELDOM) < frequencies.of(above)
    })
}

/// The instructions of a loop that tell how a branch or check goes, in order: few.
fn decision(body: &Body, user: Inst, is_inside: &dyn Fn(Block) -> bool) -> Option<Vec<Inst>> {
    const MOST: usize = 16;
    let (mut found, mut next) = (vec![*body.args(user).first()?], 0);
    let mut insts = Vec::new();
    while let Some(&value) = found.get(next) {
        next += 1;
        let ValueDef::Result(inst, 0) = body.value_def(value) else { continue };
        let is_own = body.layout.block_of(inst).is_some_and(is_inside);
        if !is_own || !matches!(body.inst(inst).op, Op::Icmp | Op::And | Op::Or | Op::Not) {
            continue;
        }
        insts.push(inst);
        if body.inst(inst).op != Op::Icmp {
            found.extend(body.args(inst));
        }
        if found.len() > MOST {
            return None;
        }
    }
    // What is used stands behind what uses it, and once: where it was found last.
    insts.reverse();
    let mut kept: Vec<Inst> = Vec::new();
    for inst in insts {
        if !kept.contains(&inst) {
            kept.push(inst);
        }
    }
    Some(kept)
}

impl Draft<'_, '_> {
    /// Goes through the loop: finds the checks that go, and what moves before it.
    fn scan(
        &mut self,
        context: &mut PassContext<'_>,
        around: &Surroundings<'_>,
        latch: Inst,
    ) -> (Vec<Inst>, Vec<(Inst, usize)>) {
        let (body, loops) = (self.reasoning.body, Rc::clone(&self.reasoning.loops));
        let (mut checks, mut branches) = (Vec::new(), Vec::new());
        // The block that the first round comes to in any case, if it is still known.
        let mut certain = loops.get(self.of).map(|data| data.header);
        for &block in loops.blocks(self.of) {
            let mut is_certain = certain == Some(block);
            for inst in body.layout.insts(block) {
                let op = body.inst(inst).op;
                if op == Op::Check {
                    let condition = body.args(inst).first().copied();
                    let demand = condition.and_then(|condition| self.demand(condition, true));
                    match demand.and_then(|demand| self.take(demand)) {
                        Some(()) => checks.push(inst),
                        None => is_certain = false,
                    }
                } else if inst != latch && op == Op::Branch {
                    branches.extend(self.branch(inst, &mut is_certain));
                } else if is_certain && self.may_move(context, around, inst) {
                    self.move_inst(context, inst);
                } else {
                    let leaving = Effects::TRAP | Effects::THROW | Effects::NO_RETURN;
                    let leaves = effects_of(context.module, body, inst).intersects(leaving);
                    // A poll stops the call for reasons that no address depends on.
                    is_certain &= !leaves || op == Op::Poll;
                }
            }
            if is_certain {
                certain = self.next_of(body, block, &branches);
            } else if certain == Some(block) {
                certain = None;
            }
        }
        (checks, branches)
    }

    /// Where the first round goes on behind a block.
    fn next_of(&self, body: &Body, block: Block, branches: &[(Inst, usize)]) -> Option<Block> {
        let last = body.layout.last_inst(block)?;
        let targets = body.targets(last);
        let index = match body.inst(last).op {
            Op::Jump => 0,
            _ => branches.last().filter(|branch| branch.0 == last)?.1,
        };
        targets.get(index).map(|target| target.block)
    }

    /// Takes a branch that leaves the loop for a trap only, if it is one.
    fn branch(&mut self, inst: Inst, is_certain: &mut bool) -> Option<(Inst, usize)> {
        let body = self.reasoning.body;
        let taken = self.trapping(inst).or_else(|| self.null_check(inst)).and_then(|stays| {
            let &condition = body.args(inst).first()?;
            let demand = self.demand(condition, stays == 0)?;
            self.take(demand)?;
            Some((inst, stays))
        });
        *is_certain &= taken.is_some();
        taken
    }

    /// The index of the target in the loop, if the other one ends in a trap.
    fn trapping(&self, inst: Inst) -> Option<usize> {
        let (body, loops) = (self.reasoning.body, &self.reasoning.loops);
        let is_inside = |index: usize| {
            body.targets(inst).get(index).is_some_and(|way| loops.contains(self.of, way.block))
        };
        let stays = match (is_inside(0), is_inside(1)) {
            (true, false) => 0,
            (false, true) => 1,
            _ => return None,
        };
        let mut block = body.targets(inst).get(1 - stays)?.block;
        for _ in 0..MOST_STEPS {
            let last = body.layout.last_inst(block)?;
            match body.inst(last).op {
                Op::Jump => block = body.targets(last).first()?.block,
                Op::Trap | Op::Unreachable | Op::Throw => return Some(stays),
                _ => return None,
            }
        }
        None
    }

    /// The index of the target in the loop, if the other one is taken when an address is
    /// null: iterators end by that what they give, which is never the address of anything.
    fn null_check(&self, inst: Inst) -> Option<usize> {
        let (body, loops) = (self.reasoning.body, &self.reasoning.loops);
        let &[condition] = body.args(inst) else { return None };
        let ValueDef::Result(compare, 0) = body.value_def(condition) else { return None };
        let data = body.inst(compare);
        let is_null = |value: &&Value| body.as_scalar_constant(**value) == Some(0);
        if data.op != Op::Icmp
            || data.ty != Type::PTR
            || body.args(compare).iter().filter(is_null).count() != 1
        {
            return None;
        }
        let stays = match data.payload {
            Payload::IntCond(IntCond::Ne) => 0,
            Payload::IntCond(IntCond::Eq) => 1,
            _ => return None,
        };
        let is_inside = |index: usize| {
            body.targets(inst).get(index).is_some_and(|way| loops.contains(self.of, way.block))
        };
        (is_inside(stays) && !is_inside(1 - stays)).then_some(stays)
    }

    /// Whether an instruction that the first round comes to may stand before the loop.
    fn may_move(&self, context: &PassContext<'_>, around: &Surroundings<'_>, inst: Inst) -> bool {
        let body = self.reasoning.body;
        let op = body.inst(inst).op;
        if op.is_terminator()
            || op == Op::LoopMark
            || !body.uses(inst).all(|value| self.is_outside(value))
        {
            return false;
        }
        let effects = effects_of(context.module, body, inst);
        effects.is_empty()
            || (effects == Effects::READ && around.reads.finds_the_same(body, self.of, inst))
    }

    /// Lets an instruction stand before the loop: what reads, behind the guards so far.
    fn move_inst(&mut self, context: &PassContext<'_>, inst: Inst) {
        let reads = !effects_of(context.module, self.reasoning.body, inst).is_empty();
        if reads && self.stages.last().is_some_and(|stage| !stage.guards.is_empty()) {
            self.stages.push(Stage::default());
        }
        self.moved.insert(inst);
        let stage = self.stages.last_mut();
        stage.into_iter().for_each(|stage| stage.moved.push(inst));
    }

    fn is_outside(&self, value: Value) -> bool {
        let body = self.reasoning.body;
        let defined = body.defining_block(value);
        defined.is_none_or(|block| !self.reasoning.loops.contains(self.of, block))
            || is_moved(body, &self.moved, value)
    }

    /// What it asks for that a condition is `truth`: nothing if that cannot be told.
    fn demand(&mut self, condition: Value, truth: bool) -> Option<Demand> {
        let body = self.reasoning.body;
        let mut demand = Demand::default();
        for part in parts(body, condition, truth)? {
            match part {
                Part::Truth(value, truth) if self.is_outside(value) => {
                    if body.as_scalar_constant(value) != Some(truth.into()) {
                        demand.guards.push(Guard::Truth(value, truth));
                    }
                }
                Part::Compare(inst, truth)
                    if body.result(inst).is_some_and(|result| self.is_outside(result)) =>
                {
                    demand.guards.extend(body.result(inst).map(|value| Guard::Truth(value, truth)));
                }
                Part::Compare(inst, truth) => self.compare(&mut demand, inst, truth)?,
                Part::Truth(..) => return None,
            }
        }
        Some(demand)
    }

    fn compare(&mut self, demand: &mut Demand, inst: Inst, truth: bool) -> Option<()> {
        let (body, moved) = (self.reasoning.body, &self.moved);
        let is_steady = |value: Value| is_moved(body, moved, value);
        let evolution = &mut self.reasoning.evolution;
        let moving = Moving::new(body, evolution, self.of, (inst, truth), &is_steady)?;
        let (a, _, b) = moving.at_first();
        if !self.can_write(a) || !self.can_write(b) {
            return None;
        }
        if moving.line.step != 0 {
            let rounds = moving.rounds_behind_first(&mut self.reasoning.evolution)?;
            if !self.reasoning.never_turns(&moving) {
                demand.limits.push(rounds);
            }
            demand.moving = demand.moving.or(Some(moving));
        }
        if !self.reasoning.holds(self.of, moving.at_first()) {
            demand.guards.push(Guard::Compare(moving.at_first()));
        }
        Some(())
    }

    /// Whether code can compute an expression before the loop.
    fn can_write(&self, expr: Expr) -> bool {
        let written = (&self.reasoning.evolution, self.available);
        super::split::can_write(self.reasoning.body, written, expr)
    }

    /// Adds what a check asks for.
    fn take(&mut self, demand: Demand) -> Option<()> {
        let known = |stages: &[Stage], guard: &Guard| {
            stages.iter().any(|stage| stage.guards.contains(guard))
        };
        let mut guards = demand.guards;
        guards.retain(|guard| !known(&self.stages, guard));
        self.stages.last_mut()?.guards.append(&mut guards);
        for limit in demand.limits {
            if !self.limits.contains(&limit) {
                self.limits.push(limit);
            }
        }
        Some(())
    }

    /// Adds what the branch that leads back asks for; what moves in it.
    fn latch(&mut self, latch: Inst) -> Option<Moving> {
        let body = self.reasoning.body;
        if body.inst(latch).op != Op::Branch {
            return None;
        }
        let header = self.reasoning.loops.get(self.of)?.header;
        let targets = body.targets(latch);
        let is_back: Vec<bool> = targets.iter().map(|target| target.block == header).collect();
        let back = is_back.iter().position(|&is_back| is_back)?;
        if is_back.iter().all(|&is_back| is_back) {
            return None;
        }
        let demand = self.demand(*body.args(latch).first()?, back == 0)?;
        let moving = demand.moving?;
        // Where it holds in the first round and so many behind it, the loop goes back as
        // often, and once more. If that wraps, it is none, which is no more than that.
        let limits = demand.limits.iter();
        let limits: Vec<Expr> =
            limits.map(|&limit| self.reasoning.evolution.add_constant(limit, 1)).collect();
        self.take(Demand { limits, ..demand })?;
        (!self.limits.is_empty()).then_some(moving)
    }

    /// How what moves is compared with where the loop is to end. It is equal to that when
    /// the loop has gone back often enough, so that any strict order ends it then or before.
    fn end_condition(&self, moving: &Moving) -> IntCond {
        let evolution = &self.reasoning.evolution;
        let never_wraps = |reading| {
            evolution.of(moving.value).is_some_and(|expr| evolution.never_wraps(expr, reading))
        };
        let (signed, unsigned) = match moving.line.step > 0 {
            true => (IntCond::Slt, IntCond::Ult),
            false => (IntCond::Sgt, IntCond::Ugt),
        };
        match moving.condition {
            _ if self.reasoning.body.value_type(moving.value) == Type::PTR => IntCond::Ne,
            IntCond::Slt | IntCond::Sle | IntCond::Sgt | IntCond::Sge => signed,
            IntCond::Ult | IntCond::Ule | IntCond::Ugt | IntCond::Uge => unsigned,
            _ if never_wraps(Reading::Signed) => signed,
            _ if never_wraps(Reading::Unsigned) => unsigned,
            _ => IntCond::Ne,
        }
    }
}

fn is_moved(body: &Body, moved: &EntitySet<Inst>, value: Value) -> bool {
    matches!(body.value_def(value), ValueDef::Result(inst, _) if moved.contains(inst))
}
