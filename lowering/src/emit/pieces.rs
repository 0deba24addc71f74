//! Values of any type between memory, where they stand as their type says,
//! and the pieces that compiled code holds them in.

use brolga_ir::types::{Aggregate, Scalar, Type, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::code::Code;
use super::fault::Emitted;
use super::memory::{mask_bits, plain};
use super::types::is_mask;
use crate::legal_form::vector_pieces;

/// A piece of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The type that holds it, in legal form.
    pub(super) ty: Type,
    /// Bytes from the start of the value.
    pub(super) offset: u32,
    /// Lanes that have a meaning; 1 for what is no vector.
    pub(super) lanes: u32,
}

/// The pieces of a value of `ty` that starts at `offset`: of the types, and in
/// the order, of [`legal_types`](crate::legal_form::legal_types).
pub(super) fn pieces(types: &TypePool, ty: Type, offset: u32) -> Vec<Piece> {
    let count = types.field_count(ty);
    match types.aggregate(ty) {
        None => leaf_pieces(types, ty, offset),
        // Of elements without leaves there may be any number.
        Some(Aggregate::Array { element, .. }) if types.leaf_count(*element) == 0 => Vec::new(),
        Some(_) => (0..count)
            .filter_map(|index| Some((types.field(ty, index)?, types.field_offset(ty, index)?)))
            .flat_map(|(field, start)| pieces(types, field, offset + start as u32))
            .collect(),
    }
}

fn leaf_pieces(types: &TypePool, ty: Type, offset: u32) -> Vec<Piece> {
    let Some(held) = vector_pieces(ty) else {
        return vec![Piece { ty, offset, lanes: ty.lanes() }];
    };
    let piece = |(index, held): (usize, Type)| {
        let before = index as u32 * held.lanes();
        let bytes = match held.lane() {
            Some(Scalar::I1) => before / 8,
            _ => index as u32 * types.layout(held).size as u32,
        };
        Piece { ty: held, offset: offset + bytes, lanes: held.lanes().min(ty.lanes() - before) }
    };
    held.into_iter().enumerate().map(piece).collect()
}

impl Code<'_> {
    /// The piece of a value at an address. Bytes that are not the piece's are
    /// not read: they may be another value's, or nobody's.
    pub(super) fn load_piece(
        &mut self,
        piece: Piece,
        address: machine::Value,
    ) -> Emitted<machine::Value> {
        let Piece { ty, offset, lanes } = piece;
        if lanes == ty.lanes() {
            return self.load_as(ty, address, offset as i32, plain());
        }
        let machine = self.memory_type(ty)?;
        if is_mask(ty) {
            let stored = if lanes > 8 { types::I16 } else { types::I8 };
            let bits = self.builder.ins().load(stored, plain(), address, offset as i32);
            let bits = self.widened(mask_bits(ty), bits);
            return Ok(self.bits_to_mask(bits, machine));
        }
        let mut vector = self.vector_constant(machine, [0; 16]);
        let lane = machine.lane_type();
        for index in 0..lanes {
            let at = (offset + index * lane.bytes()) as i32;
            let value = self.builder.ins().load(lane, plain(), address, at);
            vector = self.builder.ins().insertlane(vector, value, index as u8);
        }
        Ok(vector)
    }

    /// Puts a piece of a value at an address, and nothing beside it.
    pub(super) fn store_piece(
        &mut self,
        piece: Piece,
        value: machine::Value,
        address: machine::Value,
    ) -> Emitted {
        let Piece { ty, offset, lanes } = piece;
        if lanes == ty.lanes() {
            return self.store_as(ty, value, address, offset as i32, plain());
        }
        let machine = self.memory_type(ty)?;
        if is_mask(ty) {
            let bits = self.mask_to_bits(value, mask_bits(ty));
            let kept = self.integer(mask_bits(ty), (1 << lanes) - 1);
            let bits = self.builder.ins().band(bits, kept);
            let stored = if lanes > 8 { types::I16 } else { types::I8 };
            let bits = self.narrowed(stored, bits);
            self.builder.ins().store(plain(), bits, address, offset as i32);
            return Ok(());
        }
        let lane = machine.lane_type();
        for index in 0..lanes {
            let taken = self.builder.ins().extractlane(value, index as u8);
            let at = (offset + index * lane.bytes()) as i32;
            self.builder.ins().store(plain(), taken, address, at);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::types::Packing;

    use super::*;
    use crate::legal_form::legal_types;

    #[test]
    fn pieces_are_the_legal_types_where_memory_has_them() {
        let mut types = TypePool::default();
        let vector = |lane, lanes| Type::vector(lane, lanes).unwrap();
        let (odd, wide) = (vector(Scalar::I16, 11), vector(Scalar::I1, 37));
        let inner = types.structure(&[Type::I8, odd, wide], Packing::Natural).unwrap();
        let pair = types.array(inner, 2).unwrap();
        let empty = types.structure(&[], Packing::Natural).unwrap();
        let many = types.array(empty, 1 << 40).unwrap();
        let whole = types.structure(&[many, pair, Type::X86_FP80], Packing::Natural).unwrap();
        let pieces = pieces(&types, whole, 16);
        let held: Vec<Type> = pieces.iter().map(|piece| piece.ty).collect();
        assert_eq!(held, legal_types(&types, whole));
        let places: Vec<(u32, u32)> =
            pieces.iter().map(|piece| (piece.offset, piece.lanes)).collect();
        let first = [(16, 1), (48, 8), (64, 3), (80, 16), (82, 16), (84, 5)];
        let second = first.map(|(offset, lanes)| (offset + 96, lanes));
        assert_eq!(places, [&first[..], &second[..], &[(208, 1)]].concat());
    }
}
