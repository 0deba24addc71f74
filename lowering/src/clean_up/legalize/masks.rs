//! Masks: held in pieces of any of the widths that registers have, and brought
//! to the one that is asked for.

use brolga_ir::entity::Value;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::Work;
use crate::legal_form::vector_pieces;
use crate::pass::Pieces;

/// The mask of that many lanes.
pub(super) fn mask_type(lanes: u32) -> Type {
    Type::vector(Scalar::I1, lanes).unwrap_or(Type::I1)
}

/// Whether `ty` is a mask.
pub(super) fn is_mask(ty: Type) -> bool {
    ty.is_vector() && ty.lane() == Some(Scalar::I1)
}

/// The lanes of each piece that a mask is held in across borders.
pub(super) fn canonical_width(ty: Type) -> u32 {
    vector_pieces(ty).and_then(|pieces| pieces.first().copied()).unwrap_or(ty).lanes()
}

impl Work<'_, '_> {
    /// The pieces of a value as they cross the border of a block or function.
    pub(super) fn canonical(&mut self, value: Value) -> Pieces {
        let ty = self.editor.body.value_type(value);
        match is_mask(ty) {
            true => self.mask(value, canonical_width(ty)),
            false => self.pieces(value),
        }
    }

    /// The lanes of each piece that a mask is held in now.
    pub(super) fn mask_width(&mut self, mask: Value) -> u32 {
        let pieces = self.pieces(mask);
        pieces.first().map_or(1, |&piece| self.editor.body.value_type(piece).lanes())
    }

    /// The pieces of a mask, each of `width` lanes, as many as its lanes take.
    pub(super) fn mask(&mut self, mask: Value, width: u32) -> Pieces {
        let lanes = self.editor.body.value_type(mask).lanes();
        let mut pieces = self.pieces(mask);
        loop {
            let held =
                pieces.first().map_or(width, |&piece| self.editor.body.value_type(piece).lanes());
            pieces = match held.cmp(&width) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Greater => self.halve(&pieces, held),
                std::cmp::Ordering::Less => self.join(&pieces, held),
            };
        }
        pieces.truncate(lanes.div_ceil(width) as usize);
        pieces
    }

    fn halve(&mut self, pieces: &[Value], held: u32) -> Pieces {
        let half = held / 2;
        let mut halves = SmallVec::new();
        for &piece in pieces {
            for start in [0, half] {
                let lanes: Vec<u32> = (start..start + half).collect();
                halves.push(self.editor.shuffle(mask_type(half), piece, piece, &lanes));
            }
        }
        halves
    }

    fn join(&mut self, pieces: &[Value], held: u32) -> Pieces {
        let lanes: Vec<u32> = (0..2 * held).collect();
        let mut joined = SmallVec::new();
        for pair in pieces.chunks(2) {
            let second = match pair.get(1) {
                Some(&second) => second,
                None => self.editor.zero(mask_type(held)),
            };
            joined.push(self.editor.shuffle(mask_type(2 * held), pair[0], second, &lanes));
        }
        joined
    }

    /// The pieces of a mask with its lanes that do not count set to `fill`.
    pub(super) fn filled_mask(&mut self, mask: Value, width: u32, fill: bool) -> Pieces {
        let lanes = self.editor.body.value_type(mask).lanes();
        let mut pieces = self.mask(mask, width);
        let rest = lanes % width;
        if let Some(last) = pieces.last_mut().filter(|_| rest != 0) {
            let ty = mask_type(width);
            let op = if fill { brolga_ir::op::Op::Or } else { brolga_ir::op::Op::And };
            let keep = (0..width).map(|lane| u128::from((lane < rest) != fill));
            let keep = self.editor.lanes(ty, keep);
            *last = self.editor.op(op, ty, &[*last, keep]);
        }
        pieces
    }
}
