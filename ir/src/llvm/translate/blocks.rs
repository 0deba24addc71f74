//! The graph of a function's blocks: which are reached, in which order they are
//! translated, and what each edge gives the `phi`s behind it.

use std::ops::Range;

use super::function::Translator;
use crate::entity::Block;
use crate::instruction::{Payload, Target};
use crate::llvm::syntax::{BlockId, Function, Instruction, Kind, Operand, Tail};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// What a `phi` gets along an edge.
#[derive(Clone, Copy)]
struct Incoming {
    from: BlockId,
    to: BlockId,
    /// Which `phi` of its block.
    phi: u32,
    operand: Operand,
}

/// The blocks of a function that its entry reaches.
#[derive(Default)]
pub(super) struct Graph {
    /// Each behind those that dominate it.
    pub(super) order: Vec<BlockId>,
    /// Our block for each that is reached.
    blocks: Vec<Option<Block>>,
    /// Sorted by edge and `phi`, each once.
    incoming: Vec<Incoming>,
}

impl Graph {
    /// Our block, if the entry reaches `block`.
    pub(super) fn block(&self, block: BlockId) -> Option<Block> {
        self.blocks[block.index()]
    }

    fn edge(&self, from: BlockId, to: BlockId) -> Range<usize> {
        let start = self.incoming.partition_point(|entry| (entry.from, entry.to) < (from, to));
        let count =
            self.incoming[start..].iter().take_while(|entry| (entry.from, entry.to) == (from, to));
        start..start + count.count()
    }
}

/// The instructions of a block.
pub(super) fn instructions<'a>(function: &'a Function<'_>, block: BlockId) -> &'a [Instruction] {
    let list = &function.blocks[block.index()].instructions;
    &function.instructions[list.start as usize..list.end as usize]
}

/// Calls `visit` for each block behind `block`; the last edge first, so that a walk
/// that stacks them meets the first edge's block first.
pub(super) fn visit_successors(
    function: &Function<'_>,
    block: BlockId,
    mut visit: impl FnMut(BlockId),
) {
    let Some(last) = instructions(function, block).last() else { return };
    match &last.kind {
        Kind::Branch(to) | Kind::Invoke { normal: to, .. } => visit(*to),
        Kind::ConditionalBranch { yes, no, .. } => {
            visit(*no);
            visit(*yes);
        }
        Kind::Switch { cases, other, .. } => {
            let cases = &function.cases[cases.start as usize..cases.end as usize];
            cases.iter().rev().for_each(|&(_, to)| visit(to));
            visit(*other);
        }
        Kind::IndirectBranch { targets, .. } => {
            let targets = &function.targets[targets.start as usize..targets.end as usize];
            targets.iter().rev().for_each(|&to| visit(to));
        }
        _ => {}
    }
}

/// The blocks that `entry` reaches, each behind those that dominate it: the reverse of
/// the order in which a depth-first walk leaves them.
fn reverse_postorder(function: &Function<'_>, entry: BlockId) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut seen = vec![false; function.blocks.len()];
    // A block is pushed once to be entered, for each edge, and once to be left.
    let mut stack = vec![(entry, false)];
    while let Some((block, entered)) = stack.pop() {
        if entered {
            order.push(block);
        } else if !std::mem::replace(&mut seen[block.index()], true) {
            stack.push((block, true));
            visit_successors(function, block, |to| {
                if !seen[to.index()] {
                    stack.push((to, false));
                }
            });
        }
    }
    order.reverse();
    order
}

impl<'t> Translator<'_, 't> {
    /// Makes the blocks that are reached, with a parameter for each `phi`.
    pub(super) fn make_blocks(&mut self) -> Parsed<()> {
        let function = self.function;
        let Some(&entry) = function.order.first() else {
            return Err(self.invalid("the function has no blocks"));
        };
        self.graph.order = reverse_postorder(function, entry);
        self.graph.blocks = vec![None; function.blocks.len()];
        for index in 0..self.graph.order.len() {
            let block = self.graph.order[index];
            let ours = self.body.make_block();
            self.graph.blocks[block.index()] = Some(ours);
            let mut leads_to_entry = false;
            visit_successors(function, block, |to| leads_to_entry |= to == entry);
            if leads_to_entry {
                self.at = instructions(function, block).last().map_or(self.at, |inst| inst.at);
                return Err(self.invalid("a branch leads to the entry block"));
            }
            self.make_phis(block, ours)?;
        }
        self.sort_incoming()
    }

    fn make_phis(&mut self, block: BlockId, ours: Block) -> Parsed<()> {
        let function = self.function;
        for (phi, inst) in (0..).zip(instructions(function, block)) {
            let Kind::Phi { ty, incoming } = &inst.kind else { break };
            self.at = inst.at;
            if self.is_entry(block) {
                return Err(self.invalid("a `phi` stands where no branch leads to"));
            }
            let carrier = self.ty(*ty)?;
            let value = self.body.append_param(ours, carrier);
            self.block = ours;
            self.define(inst.result, value);
            let pairs = &function.incoming[incoming.start as usize..incoming.end as usize];
            self.graph.incoming.extend(pairs.iter().map(|&(operand, from)| Incoming {
                from,
                to: block,
                phi,
                operand,
            }));
        }
        Ok(())
    }

    fn sort_incoming(&mut self) -> Parsed<()> {
        let incoming = &mut self.graph.incoming;
        incoming.sort_by_key(|entry| (entry.from, entry.to, entry.phi));
        let mut different = None;
        // Where several edges lead from one block to another, each has its entry.
        incoming.dedup_by(|next, kept| {
            let same = (next.from, next.to, next.phi) == (kept.from, kept.to, kept.phi);
            let local = |entry: &Incoming| matches!(entry.operand, Operand::Local(_));
            if same && next.operand != kept.operand && (local(next) || local(kept)) {
                different = Some(next.to);
            }
            same
        });
        match different {
            Some(block) => {
                self.at = self.function.blocks[block.index()].at;
                Err(self.invalid("a `phi` has two values for one block before it"))
            }
            None => Ok(()),
        }
    }

    /// Translates the instructions of `block`, which has not been translated yet.
    pub(super) fn translate_block(&mut self, block: BlockId) -> Parsed<()> {
        let Some(ours) = self.graph.block(block) else { return Ok(()) };
        self.current = block;
        self.addresses.clear();
        self.switch_to(ours);
        let mut behind_phis = false;
        for inst in instructions(self.function, block) {
            match inst.kind {
                Kind::Phi { .. } if behind_phis => {
                    self.at = inst.at;
                    return Err(self.invalid("a `phi` stands behind other instructions"));
                }
                Kind::Phi { .. } => {}
                _ => {
                    behind_phis = true;
                    self.pay_for(0, |this| this.instruction(inst))?;
                    // Such a call has left the function; a `ret` of its value follows.
                    if matches!(&inst.kind, Kind::Call(call) if call.tail == Tail::Must) {
                        break;
                    }
                }
            }
        }
        let last = self.body.layout.last_inst(self.block);
        match last.is_some_and(|inst| self.body.inst(inst).op.is_terminator()) {
            true => Ok(()),
            false => Err(self.invalid("a block does not end with a terminator")),
        }
    }

    /// The edge from the current block of the text to another one.
    pub(super) fn edge(&mut self, to: BlockId) -> Parsed<Target> {
        let Some(block) = self.graph.block(to) else {
            return Err(self.invalid("the block is not one that a terminator leads to"));
        };
        let count = self.body.params(block).len();
        if count == 0 {
            return Ok(self.body.target(block, &[]));
        }
        self.shared.charge(count as u64, self.at)?;
        let range = self.graph.edge(self.current, to);
        if range.len() != count {
            let at = self.function.blocks[to.index()].at;
            let message = "a `phi` has no value for one of the blocks before it";
            return Err(self.shared.invalid(at, message));
        }
        let mut args = std::mem::take(&mut self.edge_args);
        args.clear();
        for index in range {
            let Incoming { operand, .. } = self.graph.incoming[index];
            args.push(self.operand(operand)?);
        }
        let target = self.body.target(block, &args);
        self.edge_args = args;
        Ok(target)
    }

    /// Ends the current block with a jump along an edge of the text.
    pub(super) fn jump_to(&mut self, to: BlockId) -> Parsed<()> {
        let target = self.edge(to)?;
        self.emit(Op::Jump, Type::NONE, &[], Payload::Jump(target), &[]);
        Ok(())
    }
}
