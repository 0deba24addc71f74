//! Vectors lane by lane: taking them apart, and putting them together again.

use brolga_ir::constant::ConstantBits;
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::Work;
use crate::legal_form::vector_pieces;
use crate::pass::{Editor, Pieces};

impl Editor<'_, '_> {
    /// The lane of that number.
    pub(super) fn lane(&mut self, vector: Value, lane: u32) -> Value {
        let ty = self.body.value_type(vector);
        let known = self.body.as_constant(vector).and_then(|constant| match constant.bits() {
            ConstantBits::Lanes(lanes) => lanes.get(lane as usize).copied(),
            _ => None,
        });
        match known {
            Some(bits) => self.constant(ty.lane_type(), bits),
            None => self.extract(vector, lane),
        }
    }

    /// The vector of those lanes, and zeros behind them.
    pub(super) fn vector_of(&mut self, ty: Type, lanes: &[Value]) -> Value {
        let count = ty.lanes() as usize;
        let known: Option<Vec<u128>> =
            lanes.iter().map(|&lane| self.body.as_scalar_constant(lane)).collect();
        if let Some(mut bits) = known {
            bits.resize(count, 0);
            return self.lanes(ty, bits);
        }
        let zero = self.zero(ty.lane_type());
        let mut lanes: SmallVec<[Value; 16]> = lanes.into();
        lanes.resize(count, zero);
        self.op(Op::MakeVector, ty, &lanes)
    }
}

impl Work<'_, '_> {
    /// The lanes of a vector, those that count.
    pub(super) fn lanes_of(&mut self, value: Value) -> Vec<Value> {
        let lanes = self.editor.body.value_type(value).lanes();
        let pieces = self.pieces(value);
        (0..lanes).map(|lane| self.lane_of(&pieces, lane)).collect()
    }

    /// The lane of that number of a vector that is held in those pieces.
    pub(super) fn lane_of(&mut self, pieces: &[Value], lane: u32) -> Value {
        let held = self.editor.body.value_type(pieces[0]);
        let piece = pieces[(lane / held.lanes()) as usize];
        if held.is_vector() { self.editor.lane(piece, lane % held.lanes()) } else { piece }
    }

    /// The pieces of a vector of `ty` with those lanes.
    pub(super) fn pieces_from_lanes(&mut self, ty: Type, lanes: &[Value]) -> Pieces {
        let held = self.held_types(ty);
        if held.first().is_some_and(|piece| !piece.is_vector()) {
            return lanes.into();
        }
        let width = held.first().map_or(1, |piece| piece.lanes() as usize);
        let chunks = lanes.chunks(width);
        held.iter().zip(chunks).map(|(&ty, lanes)| self.editor.vector_of(ty, lanes)).collect()
    }

    /// The types that a vector is held in, one at least.
    pub(super) fn held_types(&self, ty: Type) -> SmallVec<[Type; 4]> {
        vector_pieces(ty).unwrap_or_else(|| SmallVec::from_elem(ty, 1))
    }

    /// Computes each lane of a vector of `ty` from the lanes of the operands.
    pub(super) fn lane_by_lane(
        &mut self,
        ty: Type,
        args: &[Value],
        mut compute: impl FnMut(&mut Self, &[Value]) -> crate::pass::PassResult<Value>,
    ) -> crate::pass::PassResult<Pieces> {
        let operands: Vec<Vec<Value>> = args.iter().map(|&arg| self.lanes_of(arg)).collect();
        let mut lanes = Vec::with_capacity(ty.lanes() as usize);
        for index in 0..ty.lanes() as usize {
            let operands: SmallVec<[Value; 3]> =
                operands.iter().filter_map(|lanes| lanes.get(index).copied()).collect();
            lanes.push(compute(self, &operands)?);
        }
        Ok(self.pieces_from_lanes(ty, &lanes))
    }
}
