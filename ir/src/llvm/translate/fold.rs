//! Constant expressions of initialisers: a number, or an address plus a number.

use super::Resolved;
use super::data::Initialisers;
use crate::attribute::IntCond;
use crate::constant::mask;
use crate::interpret::eval::compare::icmp;
use crate::llvm::syntax::{BinaryOp, CastOp, ConstantData, ConstantId, Offset, TypeData, TypeId};
use crate::module::{Linkage, Symbol};
use crate::text::{Parsed, Reported};

/// What an expression comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Folded {
    /// The symbol whose address it is relative to.
    pub(super) base: Option<Symbol>,
    /// Zero above the width of the type; two's complement.
    pub(super) bits: u128,
}

impl Initialisers<'_, '_> {
    /// What a scalar constant comes to.
    pub(super) fn fold(&mut self, id: ConstantId) -> Parsed<Folded> {
        let constant = &self.constants[id.index()];
        let (ty, at) = (constant.ty, constant.at);
        let number = |bits| Ok(Folded { base: None, bits });
        match &constant.data {
            ConstantData::Integer(bits) | ConstantData::Float(bits) => number(*bits),
            ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => number(0),
            ConstantData::Global(global) => match self.resolve(*global, at)? {
                Resolved::Address { symbol, offset } => {
                    Ok(Folded { base: Some(symbol), bits: u128::from(offset as u64) })
                }
                Resolved::Null | Resolved::Relative(_) => number(0),
            },
            ConstantData::BlockAddress { function, block } => {
                number(self.shared.block_number(*function, (**block).clone()).into())
            }
            ConstantData::Cast { op, value } => self.fold_cast(*op, *value, ty, at),
            ConstantData::Binary { op, left, right } => {
                self.fold_binary(*op, (*left, *right), ty, at)
            }
            ConstantData::GetElementPointer { element, base, indices } => {
                let base = self.fold(*base)?;
                let offset = self.fold_path(*element, indices, at)?;
                Ok(Folded { bits: base.bits.wrapping_add(offset as u128) & mask(64), ..base })
            }
            ConstantData::ICmp { condition, left, right } => {
                self.fold_comparison(*condition, (*left, *right), at)
            }
            ConstantData::Select { condition, yes, no } => {
                let condition = self.fold(*condition)?;
                match condition.base {
                    None if condition.bits == 1 => self.fold(*yes),
                    None => self.fold(*no),
                    Some(_) => Err(self.refuse(at)),
                }
            }
            ConstantData::ExtractElement { vector, index } => {
                let index = self.fold(*index)?.bits;
                match &self.constants[vector.index()].data {
                    ConstantData::Aggregate(lanes) => {
                        let lane = usize::try_from(index).ok().and_then(|i| lanes.get(i));
                        lane.map_or(number(0), |&lane| self.fold(lane))
                    }
                    ConstantData::Numbers(lanes) => {
                        let lane = usize::try_from(index).ok().and_then(|i| lanes.get(i));
                        number(lane.copied().unwrap_or(0).into())
                    }
                    ConstantData::Splat(lane) => self.fold(*lane),
                    _ => Err(self.refuse(at)),
                }
            }
            _ => Err(self.refuse(at)),
        }
    }

    fn refuse(&mut self, at: Offset) -> Reported {
        let message = "the constant expression comes neither to a number nor to an address";
        self.shared.unsupported(at, message)
    }

    fn width(&mut self, ty: TypeId, at: Offset) -> Parsed<u32> {
        Ok(u32::try_from(self.shared.room(ty, at)?.bits).unwrap_or(u32::MAX))
    }

    fn fold_cast(
        &mut self,
        op: CastOp,
        value: ConstantId,
        to: TypeId,
        at: Offset,
    ) -> Parsed<Folded> {
        let from = self.constants[value.index()].ty;
        let (from, to) = (self.width(from, at)?, self.width(to, at)?);
        let value = self.fold(value)?;
        match op {
            CastOp::SExt if value.base.is_none() => {
                Ok(Folded { bits: signed(value.bits, from) as u128 & mask(to), ..value })
            }
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::PtrToInt
            | CastOp::PtrToAddr
            | CastOp::IntToPtr
            | CastOp::Bitcast
            | CastOp::AddrSpaceCast
                if value.base.is_none() =>
            {
                Ok(Folded { bits: value.bits & mask(to), ..value })
            }
            CastOp::PtrToInt
            | CastOp::PtrToAddr
            | CastOp::IntToPtr
            | CastOp::Bitcast
            | CastOp::AddrSpaceCast
                if from == 64 && to == 64 =>
            {
                Ok(value)
            }
            _ => Err(self.refuse(at)),
        }
    }

    fn fold_binary(
        &mut self,
        op: BinaryOp,
        (left, right): (ConstantId, ConstantId),
        ty: TypeId,
        at: Offset,
    ) -> Parsed<Folded> {
        let width = self.width(ty, at)?;
        let (left, right) = (self.fold(left)?, self.fold(right)?);
        let (x, y) = (left.bits, right.bits);
        let base = match (op, left.base, right.base) {
            (_, None, None) => None,
            (BinaryOp::Add, base, None) | (BinaryOp::Add, None, base) => base,
            (BinaryOp::Sub, base, None) => base,
            (BinaryOp::Sub, one, other) if one == other => None,
            (BinaryOp::Sub, ..) => {
                let message = "how far two symbols are apart is not known before they have places";
                return Err(self.shared.unsupported(at, message));
            }
            _ => return Err(self.refuse(at)),
        };
        let amount = u32::try_from(y).unwrap_or(u32::MAX);
        let bits = match op {
            BinaryOp::Add => x.wrapping_add(y),
            BinaryOp::Sub => x.wrapping_sub(y),
            BinaryOp::Mul => x.wrapping_mul(y),
            BinaryOp::And => x & y,
            BinaryOp::Or => x | y,
            BinaryOp::Xor => x ^ y,
            BinaryOp::Shl => x.checked_shl(amount).unwrap_or(0),
            BinaryOp::LShr => x.checked_shr(amount).unwrap_or(0),
            BinaryOp::AShr => (signed(x, width) >> amount.min(127)) as u128,
            _ => return Err(self.refuse(at)),
        };
        Ok(Folded { base, bits: bits & mask(width) })
    }

    /// Whether numbers, or places of one object, are so ordered. That an object of this
    /// module is somewhere is known, too.
    fn fold_comparison(
        &mut self,
        condition: IntCond,
        (left, right): (ConstantId, ConstantId),
        at: Offset,
    ) -> Parsed<Folded> {
        let width = self.width(self.constants[left.index()].ty, at)?;
        let (left, right) = (self.fold(left)?, self.fold(right)?);
        let null = Folded { base: None, bits: 0 };
        let is_of_address = |one: Folded, other: Folded| {
            other == null && one.bits == 0 && one.base.is_some_and(|base| self.has_address(base))
        };
        // What is counted from an object may be before it.
        let is_unsigned = condition == condition.unsigned();
        let flip = if left.base.is_some() && is_unsigned { 1 << 63 } else { 0 };
        let holds = match condition {
            _ if left.base == right.base => {
                icmp(condition, width, left.bits ^ flip, right.bits ^ flip)
            }
            IntCond::Eq | IntCond::Ne
                if is_of_address(left, right) || is_of_address(right, left) =>
            {
                condition == IntCond::Ne
            }
            _ => return Err(self.refuse(at)),
        };
        Ok(Folded { base: None, bits: holds.into() })
    }

    /// Whether a symbol is one that this module defines.
    fn has_address(&self, symbol: Symbol) -> bool {
        let module = &self.shared.module;
        let linkage = match symbol {
            Symbol::Function(id) => module.function(id).map(|function| function.linkage),
            Symbol::Data(id) => module.data(id).map(|object| object.linkage),
        };
        linkage.is_some_and(Linkage::is_defined_here)
    }

    /// The bytes from the base of a path to its end.
    fn fold_path(&mut self, element: TypeId, path: &[ConstantId], at: Offset) -> Parsed<i64> {
        let mut place = element;
        let mut offset = 0i64;
        for (depth, &id) in path.iter().enumerate() {
            let width = self.width(self.constants[id.index()].ty, at)?;
            let Folded { base: None, bits } = self.fold(id)? else {
                return Err(self.refuse(at));
            };
            let index = signed(bits, width) as i64;
            let (inner, stride) = match (depth, self.shared.type_data(place)) {
                (0, _) => (place, self.shared.room(place, at)?.stride()),
                (_, &TypeData::Array { element, .. } | &TypeData::Vector { element, .. }) => {
                    (element, self.shared.room(element, at)?.stride())
                }
                (_, TypeData::Struct { fields, .. }) => {
                    let field = usize::try_from(bits).ok().filter(|&i| i < fields.len());
                    let Some(field) = field else {
                        return Err(self.shared.invalid(at, "a struct has no such field"));
                    };
                    let inner = fields[field];
                    self.shared.room(place, at)?;
                    offset = offset.wrapping_add(self.shared.field_offset(place, field) as i64);
                    place = inner;
                    continue;
                }
                _ => {
                    let message = "the indices lead into something without parts";
                    return Err(self.shared.invalid(at, message));
                }
            };
            offset = offset.wrapping_add(index.wrapping_mul(stride as i64));
            place = inner;
        }
        Ok(offset)
    }
}

/// The low bits of a number, read as signed.
fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128u32.saturating_sub(width);
    match shift {
        128 => 0,
        shift => ((bits << shift) as i128) >> shift,
    }
}
