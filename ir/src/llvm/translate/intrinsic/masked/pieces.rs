//! Masked accesses of vectors in pieces.

use super::{Lanes, Masked};
use crate::entity::Value;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::pieces::{PIECE, Pieces};
use crate::text::Parsed;
use crate::types::{Scalar, Type};

impl Translator<'_, '_> {
    /// The same as accesses of pieces, where one value is too small for all lanes or for
    /// all of their addresses.
    pub(super) fn in_pieces(&mut self, masked: &Masked) -> Parsed<Option<Vec<Masked>>> {
        let scalar = masked.lane.ty.lane().unwrap_or(Scalar::I8);
        let is_scattered = matches!(masked.lanes, Lanes::Scattered(_));
        let is_one = |lane: Scalar| Type::vector(lane, masked.count).is_some();
        if is_one(scalar) && (!is_scattered || is_one(Scalar::Ptr)) {
            return Ok(None);
        }
        let size = self.shared.room(masked.element, self.at)?.size();
        let masks = self.split(masked.mask);
        let addresses = match masked.lanes {
            Lanes::Scattered(addresses) => self.split(addresses),
            _ => Pieces::new(),
        };
        let mut parts = Vec::with_capacity(masks.len());
        for (index, &mask) in masks.iter().enumerate() {
            let offset = index as u64 * u64::from(PIECE) * size;
            let mut part = Masked { mask, count: PIECE, ..*masked };
            match masked.lanes {
                Lanes::Dense(address) => {
                    let align = offset.trailing_zeros().min(31) as u8;
                    part.access.align_log2 = part.access.align_log2.min(align);
                    let offset = self.number(Type::I64, offset.into());
                    part.lanes = Lanes::Dense(self.address_behind(address, offset));
                }
                Lanes::Scattered(_) => part.lanes = Lanes::Scattered(addresses[index]),
                // Known once the piece before has been touched.
                Lanes::Packed(_) => {}
            }
            parts.push(part);
        }
        Ok(Some(parts))
    }

    /// Does something to each piece with its part of a value.
    pub(super) fn each_piece(
        &mut self,
        whole: &Masked,
        parts: Vec<Masked>,
        value: Value,
        mut access: impl FnMut(&mut Self, &Masked, Value) -> Parsed<Value>,
    ) -> Parsed<()> {
        let mut packed = whole.address();
        for (mut part, piece) in parts.into_iter().zip(self.split(value)) {
            if let Lanes::Packed(_) = part.lanes {
                part.lanes = Lanes::Packed(packed);
            }
            packed = access(self, &part, piece)?;
        }
        Ok(())
    }
}
