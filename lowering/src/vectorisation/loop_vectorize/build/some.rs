//! Stores that only some rounds of a vector make.
//!
//! ```text
//! ──► is any? ──► are all? ──► all of the vector ──► on
//!        │            └──► each lane that is ────────►▲
//!        └────────────────────────────────────────────┘
//! ```
//! Rounds next to each other mostly go the same way. Memory of lanes that do not store is
//! not touched, as another thread may be writing it.

use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::{Builder, append_jump};

impl Builder<'_, '_, '_> {
    /// Stores the lanes for which the mask holds, as `store` does, and goes on behind that.
    pub(super) fn store_some(
        &mut self,
        (store, vector): (Inst, Type),
        [mask, value, address]: [Value; 3],
        payload: Payload,
    ) {
        let Some(before) = self.body().layout.block_of(self.vectors_end) else { return };
        let any = self.editor.op(Op::ReduceOr, Type::I1, &[mask]);
        let [some, all, each, behind] = self.blocks_after(before);
        self.editor.body.layout.move_tail(self.vectors_end, behind);
        let asked = append_jump(self.editor.body, before, behind, &[]);
        self.decide(asked, any, [some, behind]);
        let asked = self.stand_in(some, behind, store);
        let every = self.editor.op(Op::ReduceAnd, Type::I1, &[mask]);
        self.decide(asked, every, [all, each]);
        self.stand_in(all, behind, store);
        self.editor.op_without_result(Op::Store, vector, &[value, address], payload);
        self.stand_in(each, behind, store);
        self.editor.op_without_result(Op::MaskedStore, vector, &[mask, value, address], payload);
        self.editor.stand_before(self.vectors_end);
    }

    /// New blocks, one behind the other.
    fn blocks_after(&mut self, mut after: Block) -> [Block; 4] {
        std::array::from_fn(|_| {
            let block = self.editor.body.make_block();
            self.editor.body.layout.insert_block_after(block, after);
            after = block;
            block
        })
    }

    /// Writes into a block that leads on, from now on.
    fn stand_in(&mut self, block: Block, to: Block, like: Inst) -> Inst {
        let end = append_jump(self.editor.body, block, to, &[]);
        self.editor.stand_before(end);
        self.editor.take_location(like);
        end
    }

    fn decide(&mut self, end: Inst, condition: Value, targets: [Block; 2]) {
        let targets = targets.map(|block| self.editor.body.target(block, &[]));
        self.end(end, Op::Branch, &[condition], Payload::Branch(targets));
    }
}
