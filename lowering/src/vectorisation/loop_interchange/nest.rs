//! Two loops, one in the other, that do nothing but go through their rounds.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use crate::analysis::{FlowGraph, Loop, Loops, ScalarEvolution};
use crate::pass::{Uses, effects_of};
use crate::vectorisation::loop_vectorize::shape::Shape;

/// The most rounds of a loop.
const MOST_ROUNDS: u64 = 1 << 32;

/// One of the two loops.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) shape: Shape,
    /// How many rounds it has, each time.
    pub(super) rounds: u64,
}

/// A parameter of a header that is needed: what the first round has, and how much it goes on
/// by. The start stands in the outer loop, if the header is that of the inner one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    pub(super) param: Value,
    pub(super) start: Value,
    pub(super) step: i128,
}

/// A part of what both loops do, in the order in which a round comes by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// An instruction.
    Do(Inst),
    /// A parameter of a block that is no header, and what is handed to it.
    Hand(Value, Value),
    /// A counter of the outer loop.
    Outer(Counter),
    /// A counter of the inner loop.
    Inner(Counter),
}

/// The loops, and what a round of the inner one does.
#[derive(Debug)]
pub(super) struct Nest {
    pub(super) outer: Side,
    pub(super) inner: Side,
    /// What the stores need, and these.
    pub(super) steps: Vec<Step>,
}

/// Two loops by their form alone, if nothing stands in the outer one but the inner one and what
/// rounds compute, load and store.
pub(super) fn shapes(
    body: &Body,
    module: &Module,
    (graph, loops): (&FlowGraph, &Loops),
    [outer, inner]: [Loop; 2],
) -> Option<[Shape; 2]> {
    let shape = |of: Loop| Shape::of(body, graph, loops, of).ok();
    let [outer, inner] = [shape(outer)?, shape(inner)?];
    let mut stores = false;
    for inst in outer.blocks.iter().flat_map(|&block| body.layout.insts(block)) {
        let op = body.inst(inst).op;
        let effects = effects_of(module, body, inst);
        let is_stored = op == Op::Store && (Effects::READ | Effects::WRITE).contains(effects);
        if is_stored && !body.layout.block_of(inst).is_some_and(|block| inner.contains(block)) {
            return None;
        }
        stores |= is_stored;
        if !(is_stored || op.is_terminator() || effects.is_removable()) {
            return None;
        }
    }
    (stores && outer.branch != inner.branch).then_some([outer, inner])
}

impl Nest {
    /// The loops, if the numbers of their rounds are known, their counters go on by numbers that
    /// are, and nothing of them is used behind them.
    pub(super) fn of(
        body: &Body,
        evolution: &ScalarEvolution,
        uses: &Uses,
        [outer, inner]: [Shape; 2],
    ) -> Option<Nest> {
        let side = |shape: Shape| {
            let again = evolution.as_constant(shape.again(evolution).ok()?)?;
            let rounds = u64::try_from(again).ok()?.checked_add(1)?;
            (rounds <= MOST_ROUNDS).then_some(Side { shape, rounds })
        };
        let mut nest = Nest { outer: side(outer)?, inner: side(inner)?, steps: Vec::new() };
        nest.gather(body, evolution)?;
        nest.leaves_nothing(body, uses).then_some(nest)
    }

    /// The loads and stores, in their order, and whether each stands in the inner loop.
    pub(super) fn accesses(&self, body: &Body) -> Vec<(Inst, bool)> {
        let insts = self.steps.iter().filter_map(|step| match *step {
            Step::Do(inst) => Some(inst),
            _ => None,
        });
        let accesses = insts.filter(|&inst| is_access(body.inst(inst).op));
        accesses.map(|inst| (inst, self.is_inner(body, inst))).collect()
    }

    fn is_inner(&self, body: &Body, inst: Inst) -> bool {
        body.layout.block_of(inst).is_some_and(|block| self.inner.shape.contains(block))
    }

    /// Finds what the stores need, from the last instruction to the first.
    fn gather(&mut self, body: &Body, evolution: &ScalarEvolution) -> Option<()> {
        let (outer, inner) = (&self.outer.shape, &self.inner.shape);
        let mut needed: EntitySet<Value> = EntitySet::new();
        let mut steps = Vec::new();
        for (block, given) in chain(body, outer, inner)?.into_iter().rev() {
            let insts: Vec<Inst> = body.layout.insts(block).collect();
            for inst in insts.into_iter().rev() {
                let op = body.inst(inst).op;
                let is_needed = body.results(inst).iter().any(|&result| needed.contains(result));
                if op.is_terminator() || !(is_needed || op == Op::Store) {
                    continue;
                }
                // Other ops that read memory are none whose addresses are looked at.
                if !(is_access(op) || op.info().effects.is_empty()) {
                    return None;
                }
                steps.push(Step::Do(inst));
                needed.extend(body.uses(inst));
            }
            for (&param, start) in body.params(block).iter().zip(given) {
                if !needed.contains(param) {
                    continue;
                }
                needed.insert(start);
                steps.push(match block {
                    _ if block == outer.header => {
                        Step::Outer(counter(body, evolution, outer.of, (param, start))?)
                    }
                    _ if block == inner.header => {
                        Step::Inner(counter(body, evolution, inner.of, (param, start))?)
                    }
                    _ => Step::Hand(param, start),
                });
            }
        }
        steps.reverse();
        self.steps = steps;
        Some(())
    }

    /// Whether nothing that the loops compute is used behind them.
    fn leaves_nothing(&self, body: &Body, uses: &Uses) -> bool {
        let shape = &self.outer.shape;
        let is_inside = |value: Value| shape.computes(body, value);
        let stays = |value: &Value| {
            let mut blocks = uses.of(body, *value).into_iter().map(|it| body.layout.block_of(it));
            blocks.all(|block| block.is_none_or(|block| shape.contains(block)))
        };
        let handed = body.target_args(shape.leaving(body)).iter();
        handed.copied().all(|value| !is_inside(value))
            && shape.blocks.iter().all(|&block| {
                let results = body.layout.insts(block).flat_map(|inst| body.results(inst));
                body.params(block).iter().chain(results).all(stays)
            })
    }
}

/// The blocks of both loops in the order in which a round of each comes by, and what their
/// parameters are given, if there is one way only.
fn chain(body: &Body, outer: &Shape, inner: &Shape) -> Option<Vec<(Block, Vec<Value>)>> {
    let mut chain = vec![(outer.header, outer.given(body).to_vec())];
    while chain.len() <= outer.blocks.len() {
        let last = body.layout.last_inst(chain.last()?.0)?;
        if last == outer.branch {
            return (chain.len() == outer.blocks.len()).then_some(chain);
        }
        let target = match body.targets(last) {
            _ if last == inner.branch => inner.leaving(body),
            [only] => only,
            _ => return None,
        };
        chain.push((target.block, body.target_args(target).to_vec()));
    }
    None
}

fn counter(
    body: &Body,
    evolution: &ScalarEvolution,
    of: Loop,
    (param, start): (Value, Value),
) -> Option<Counter> {
    let is_count = [Type::I8, Type::I16, Type::I32, Type::I64, Type::PTR];
    if !is_count.contains(&body.value_type(param)) {
        return None;
    }
    let recurrence = evolution.as_affine(evolution.of(param)?, of)?;
    Some(Counter { param, start, step: evolution.as_signed(recurrence.step)? })
}

fn is_access(op: Op) -> bool {
    matches!(op, Op::Load | Op::Store)
}
