//! What a loop looks like, seen as one list of steps.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Target;
use brolga_ir::op::Op;
use rustc_hash::FxHashMap;

use super::refusal::Refusal;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{FlowGraph, Loop, Loops, PostDominators, ScalarEvolution};

/// The most instructions that a loop has.
const MOST_INSTS: usize = 256;

/// The most blocks.
const MOST_BLOCKS: usize = 16;

/// A loop that ends by the test at its bottom, and nowhere else.
#[derive(Debug)]
pub(in crate::vectorisation) struct Shape {
    pub(in crate::vectorisation) of: Loop,
    pub(in crate::vectorisation) header: Block,
    /// In an order in which each stands behind those that lead to it.
    pub(in crate::vectorisation) blocks: Vec<Block>,
    pub(in crate::vectorisation) preheader: Block,
    /// The jump that ends the preheader.
    pub(in crate::vectorisation) entering: Inst,
    /// The branch that goes back or leaves.
    pub(in crate::vectorisation) branch: Inst,
    /// The index of its target that is the header.
    pub(in crate::vectorisation) back: usize,
}

impl Shape {
    pub(in crate::vectorisation) fn of(
        body: &Body,
        graph: &FlowGraph,
        loops: &Loops,
        of: Loop,
    ) -> Result<Shape, Refusal> {
        let data = loops.get(of).ok_or(Refusal::Form)?;
        let &[latch] = data.latches.as_slice() else { return Err(Refusal::Form) };
        let blocks = loops.blocks(of).to_vec();
        let insts = blocks.iter().map(|&block| body.layout.insts(block).count()).sum::<usize>();
        if blocks.len() > MOST_BLOCKS || insts > MOST_INSTS {
            return Err(Refusal::Large);
        }
        if blocks.iter().any(|&block| loops.is_irreducible(block)) {
            return Err(Refusal::Form);
        }
        let preheader = loops.preheader(of, graph).ok_or(Refusal::Form)?;
        let entering = body.layout.last_inst(preheader).ok_or(Refusal::Form)?;
        let branch = body.layout.last_inst(latch).ok_or(Refusal::Form)?;
        if body.inst(entering).op != Op::Jump {
            return Err(Refusal::Form);
        }
        for &block in &blocks {
            let last = body.layout.last_inst(block).map(|last| body.inst(last).op);
            match last {
                Some(Op::Jump | Op::Branch) => {}
                Some(op) => return Err(Refusal::Flow(op)),
                None => return Err(Refusal::Form),
            }
        }
        if loops.exits(of, graph).any(|(from, _)| from != latch) {
            return Err(Refusal::Exits);
        }
        let targets = body.targets(branch);
        let back = targets.iter().position(|target| target.block == data.header);
        let back = back.filter(|_| targets.len() == 2).ok_or(Refusal::Count)?;
        if targets[1 - back].block == data.header {
            return Err(Refusal::Count);
        }
        let header = data.header;
        Ok(Shape { of, header, blocks, preheader, entering, branch, back })
    }

    /// How often it goes back, if that is known before it does.
    pub(in crate::vectorisation) fn again(
        &self,
        evolution: &ScalarEvolution,
    ) -> Result<Expr, Refusal> {
        let again = evolution.trips(self.of).and_then(|trips| trips.exact);
        again.filter(|&again| evolution.width(again) <= 64).ok_or(Refusal::Count)
    }

    /// What leaves the loop.
    pub(in crate::vectorisation) fn leaving<'a>(&self, body: &'a Body) -> &'a Target {
        &body.targets(self.branch)[1 - self.back]
    }

    /// What each round gives to the next one, for the header's parameters.
    pub(in crate::vectorisation) fn handed<'a>(&self, body: &'a Body) -> &'a [Value] {
        body.target_args(&body.targets(self.branch)[self.back])
    }

    /// What the first round gets.
    pub(in crate::vectorisation) fn given<'a>(&self, body: &'a Body) -> &'a [Value] {
        body.targets(self.entering).first().map_or(&[], |target| body.target_args(target))
    }

    pub(in crate::vectorisation) fn contains(&self, block: Block) -> bool {
        self.blocks.contains(&block)
    }

    /// Whether a value is computed anew in each round.
    pub(in crate::vectorisation) fn computes(&self, body: &Body, value: Value) -> bool {
        body.defining_block(value).is_some_and(|block| self.contains(block))
    }
}

/// In which rounds a block runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mask(u32);

impl Mask {
    /// Which of the masks of its round it is.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// What a mask is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskParts {
    /// Where the block of that mask runs, or any, and a condition is what is said.
    Edge { from: Option<Mask>, condition: Value, holds: bool },
    /// Where either holds.
    Either(Mask, Mask),
}

/// What a round does, one thing behind the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An instruction, and where it runs; none for all rounds.
    Do(Inst, Option<Mask>),
    /// A parameter of a block within the loop, and what it is on which ways.
    Merge(Value, Vec<(Option<Mask>, Value)>),
}

/// A round.
#[derive(Debug, Default)]
pub(super) struct Round {
    pub(super) steps: Vec<Step>,
    masks: Vec<MaskParts>,
}

impl Round {
    /// The values that it names, other than by its instructions.
    pub(super) fn named(&self) -> impl Iterator<Item = Value> + '_ {
        let conditions = self.masks.iter().filter_map(|parts| match *parts {
            MaskParts::Edge { condition, .. } => Some(condition),
            MaskParts::Either(..) => None,
        });
        let ways = self.steps.iter().filter_map(|step| match step {
            Step::Merge(_, ways) => Some(ways),
            Step::Do(..) => None,
        });
        conditions.chain(ways.flatten().map(|&(_, value)| value))
    }

    /// The blocks of a loop in a row.
    pub(super) fn of(
        body: &Body,
        graph: &FlowGraph,
        post: &PostDominators,
        shape: &Shape,
    ) -> Result<Round, Refusal> {
        let mut round = Round::default();
        let mut of_block: FxHashMap<Block, Option<Mask>> = FxHashMap::default();
        for &block in &shape.blocks {
            let mask = match block == shape.header {
                true => None,
                false => round.enter(body, (graph, post), shape, &of_block, block)?,
            };
            of_block.insert(block, mask);
            for inst in body.layout.insts(block) {
                if !body.inst(inst).op.is_terminator() {
                    round.steps.push(Step::Do(inst, mask));
                }
            }
        }
        Ok(round)
    }

    pub(super) fn parts(&self, mask: Mask) -> MaskParts {
        self.masks[mask.0 as usize]
    }

    fn mask(&mut self, parts: MaskParts) -> Mask {
        let known = self.masks.iter().position(|&known| known == parts);
        let index = known.unwrap_or_else(|| {
            self.masks.push(parts);
            self.masks.len() - 1
        });
        Mask(index as u32)
    }

    /// Notes the parameters of a block, and gives where it runs.
    fn enter(
        &mut self,
        body: &Body,
        (graph, post): (&FlowGraph, &PostDominators),
        shape: &Shape,
        of_block: &FxHashMap<Block, Option<Mask>>,
        block: Block,
    ) -> Result<Option<Mask>, Refusal> {
        let mut ways: Vec<(Option<Mask>, &Target)> = Vec::new();
        let mut before: Vec<Block> = graph.predecessors(block).to_vec();
        before.dedup();
        for from in before {
            let &mask = of_block.get(&from).ok_or(Refusal::Form)?;
            let last = body.layout.last_inst(from).ok_or(Refusal::Form)?;
            let targets = body.targets(last);
            let leading: Vec<usize> =
                (0..targets.len()).filter(|&index| targets[index].block == block).collect();
            match (leading.as_slice(), targets.len(), body.args(last)) {
                (&[only], 1, _) => ways.push((mask, &targets[only])),
                (&[only], 2, &[condition]) => {
                    let parts = MaskParts::Edge { from: mask, condition, holds: only == 0 };
                    ways.push((Some(self.mask(parts)), &targets[only]));
                }
                _ => return Err(Refusal::Form),
            }
        }
        for (index, &param) in body.params(block).iter().enumerate() {
            let args = ways.iter().map(|&(mask, target)| (mask, body.target_args(target)[index]));
            self.steps.push(Step::Merge(param, args.collect()));
        }
        // Where all ways from a block meet again, it runs whenever that one does.
        for &split in shape.blocks.iter().rev() {
            if let Some(&mask) = of_block.get(&split)
                && post.post_dominates(block, split)
                && ways.iter().all(|&(way, _)| self.is_within(way, mask))
            {
                return Ok(mask);
            }
        }
        let mut masks = ways.iter().map(|&(mask, _)| mask);
        let mut whole = masks.next().flatten();
        for mask in masks {
            whole = match (whole, mask) {
                (Some(one), Some(other)) => Some(self.mask(MaskParts::Either(one, other))),
                _ => None,
            };
        }
        Ok(whole)
    }

    /// Whether one mask is made by narrowing the other, or several such.
    fn is_within(&self, mask: Option<Mask>, outer: Option<Mask>) -> bool {
        let mut pending = vec![mask];
        while let Some(mask) = pending.pop() {
            let Some(inner) = mask.filter(|_| mask != outer) else {
                if mask == outer {
                    continue;
                }
                return outer.is_none();
            };
            match self.parts(inner) {
                MaskParts::Edge { from, .. } => pending.push(from),
                MaskParts::Either(one, other) => pending.extend([Some(one), Some(other)]),
            }
        }
        true
    }
}
