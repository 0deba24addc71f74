//! The same bits as another type.

use brolga_ir::body::{Initial, SlotData};
use brolga_ir::entity::{Inst, Slot, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::Work;
use super::masks::is_mask;
use crate::pass::{PassResult, Pieces};

/// The vector of lanes of `lane` that fills a register.
pub(super) fn register(lane: Scalar) -> Type {
    let lanes = 128 / lane.bits().max(1);
    Type::vector(lane, lanes).unwrap_or(Type::scalar(lane))
}

impl Work<'_, '_> {
    pub(super) fn bitcast(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let value = self.editor.body.args(inst)[0];
        let from = self.editor.body.value_type(value);
        let pieces = match self.casts_by_piece(from, data.ty) {
            true => {
                let held = self.held_types(data.ty);
                let pieces = self.canonical(value);
                let cast =
                    |(&ty, &piece): (&Type, &Value)| self.editor.op(Op::Bitcast, ty, &[piece]);
                held.iter().zip(&pieces).map(cast).collect()
            }
            // Whatever else has as many bits has them in the same order in memory.
            false => self.through_memory(value, data.ty)?,
        };
        self.define_result(inst, pieces);
        Ok(())
    }

    /// Whether the registers of both types hold the same bits.
    fn casts_by_piece(&self, from: Type, to: Type) -> bool {
        let bits = |ty: Type| ty.lane().map_or(0, Scalar::bits) * ty.lanes();
        let fills = |ty: Type| !is_mask(ty) && bits(ty) % 128 == 0;
        let legal = |ty: Type| crate::legal_form::vector_pieces(ty).is_none();
        (fills(from) && fills(to)) || (legal(from) && legal(to))
    }

    /// A value, stored and loaded as another type of no more bytes.
    fn through_memory(&mut self, value: Value, to: Type) -> PassResult<Pieces> {
        let from = self.editor.body.value_type(value);
        let types = &self.editor.context.module.types;
        let size = types.layout(from).size.max(types.layout(to).size);
        let slot = self.scratch_slot(size as u32);
        let address = self.slot_address(slot);
        self.store_value(from, value, address, Access::default())?;
        self.load_value(to, address, Access::default())
    }

    /// A slot that a few instructions in a row use.
    pub(super) fn scratch_slot(&mut self, size: u32) -> Slot {
        let body = &mut *self.editor.body;
        *self.rule.scratch.entry(size).or_insert_with(|| {
            // Zeroed, since what does not count may be read before it is written.
            body.make_slot(SlotData { size, align_log2: 4, initial: Initial::Zeroed })
        })
    }

    /// The address of a slot.
    pub(super) fn slot_address(&mut self, slot: Slot) -> Value {
        let args = self.editor.body.list(&[]);
        let data = InstData::new(Op::SlotAddr, Type::NONE, args, Payload::Slot(slot));
        let made = self.editor.insert(data, &[Type::PTR]);
        let results: SmallVec<[Value; 1]> = self.editor.body.results(made).into();
        results[0]
    }
}
