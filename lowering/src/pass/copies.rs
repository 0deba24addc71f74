//! Copies of instructions and of regions of blocks.

use brolga_ir::body::{Body, SwitchData};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Which copy stands for which original.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    blocks: FxHashMap<Block, Block>,
    values: FxHashMap<Value, Value>,
}

impl Copies {
    /// What stands for `value` in the copy: itself, if it was not copied.
    pub(crate) fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// The copy of `block`: itself, if it was not copied.
    pub(crate) fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    /// Lets `copy` stand for `value` in what is copied from now on.
    pub(crate) fn stand_in(&mut self, value: Value, copy: Value) {
        self.values.insert(value, copy);
    }

    /// A copy of an instruction, which stands nowhere yet, of the operands that stand for
    /// those of the original; its edges lead to the copies of blocks.
    pub(crate) fn copy_inst(&mut self, body: &mut Body, inst: Inst) -> Inst {
        let copy = self.duplicate(body, inst);
        self.settle(body, copy);
        copy
    }

    /// Copies blocks, and puts the copies behind the block `after` in the order of the
    /// originals. Edges and uses of what is copied go to the copies, others where the
    /// originals go; who jumps to a copy from outside is the caller's to say.
    pub(crate) fn copy_blocks(&mut self, body: &mut Body, region: &[Block], mut after: Block) {
        let mut made = Vec::new();
        let count = region.iter().map(|&block| body.layout.insts(block).count()).sum();
        made.reserve(count);
        self.values.reserve(count);
        for &block in region {
            let copy = body.make_block();
            body.layout.insert_block_after(copy, after);
            after = copy;
            self.blocks.insert(block, copy);
            for param in body.params(block).to_vec() {
                let ty = body.value_type(param);
                let stand_in = body.append_param(copy, ty);
                self.values.insert(param, stand_in);
            }
            let mut next = body.layout.first_inst(block);
            while let Some(inst) = next {
                let new = self.duplicate(body, inst);
                body.layout.append_inst(new, copy);
                made.push(new);
                next = body.layout.next_inst(inst);
            }
        }
        for inst in made {
            self.settle(body, inst);
        }
    }

    /// A copy that uses what the original uses.
    fn duplicate(&mut self, body: &mut Body, inst: Inst) -> Inst {
        let mut data = *body.inst(inst);
        data.args = body.copy_list(data.args);
        data.payload = match data.payload {
            Payload::Jump(target) => Payload::Jump(own_target(body, target)),
            Payload::Branch(targets) => {
                Payload::Branch(targets.map(|target| own_target(body, target)))
            }
            Payload::TryCall { function, roots, targets } => {
                let targets = targets.map(|target| own_target(body, target));
                Payload::TryCall { function, roots, targets }
            }
            Payload::Switch(table) => {
                let SwitchData { cases, targets } = body.switch(table).cloned().unwrap_or_default();
                let targets = targets.into_iter().map(|target| own_target(body, target)).collect();
                Payload::Switch(body.make_switch(SwitchData { cases, targets }))
            }
            plain => plain,
        };
        let mut types: SmallVec<[Type; 2]> = SmallVec::new();
        for &result in body.results(inst) {
            types.push(body.value_type(result));
        }
        let copy = body.make_inst(data, &types);
        for (&result, &new) in body.results(inst).iter().zip(body.results(copy)) {
            self.values.insert(result, new);
        }
        if let Some(weights) = body.weights(inst).map(<[u32]>::to_vec) {
            body.set_weights(copy, &weights);
        }
        if let Some(range) = body.range(inst) {
            body.set_range(copy, range);
        }
        copy
    }

    /// Lets a copy use copies.
    fn settle(&self, body: &mut Body, copy: Inst) {
        body.map_uses(copy, |value| self.value(value));
        for target in body.targets_mut(copy) {
            target.block = self.block(target.block);
        }
    }
}

/// Copies the blocks of a loop so many times, behind the block `after`: what leads back to the
/// header, the first block, leads from each copy to the next one, and from the last one to
/// `then`, or to the first copy if that is none.
pub(crate) fn copy_rounds(
    body: &mut Body,
    blocks: &[Block],
    count: usize,
    mut after: Block,
    then: Option<Block>,
) -> Vec<Copies> {
    let (Some(&header), Some(&last)) = (blocks.first(), blocks.last()) else { return Vec::new() };
    let mut copies: Vec<Copies> = Vec::with_capacity(count);
    for _ in 0..count {
        let mut copy = Copies::default();
        copy.copy_blocks(body, blocks, after);
        after = copy.block(last);
        copies.push(copy);
    }
    let mut next = then.or_else(|| copies.first().map(|copy| copy.block(header)));
    for copy in copies.iter().rev() {
        let own = copy.block(header);
        let copied: Vec<Block> = blocks.iter().map(|&block| copy.block(block)).collect();
        redirect(body, &copied, own, next.unwrap_or(own));
        next = Some(own);
    }
    copies
}

/// Lets the edges out of `blocks` that lead to a block lead to another one.
pub(crate) fn redirect(body: &mut Body, blocks: &[Block], from: Block, to: Block) {
    for &block in blocks {
        let Some(last) = body.layout.last_inst(block) else { continue };
        for target in body.targets_mut(last) {
            target.block = if target.block == from { to } else { target.block };
        }
    }
}

fn own_target(body: &mut Body, target: Target) -> Target {
    Target { block: target.block, args: body.copy_list(target.args) }
}
