//! Which types ops take, and which they give.

use super::reader::Reader;
use crate::llvm::syntax::{BinaryOp, CastOp, ConstantData, ConstantId, TypeData, TypeId};

/// What the lanes of a type are, or the type itself if it is no vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// An integer of that many bits.
    Integer(u32),
    /// A float of that many bits.
    Float(u32),
    /// An address in that space.
    Pointer(u32),
    Other,
}

impl Reader<'_, '_> {
    /// The number of lanes of a vector type.
    pub(super) fn lanes(&self, ty: TypeId) -> Option<u32> {
        match self.module.types[ty.index()] {
            TypeData::Vector { lanes, .. } => Some(lanes),
            _ => None,
        }
    }

    /// The type of the lanes of a vector type; any other type is its own.
    pub(super) fn scalar(&self, ty: TypeId) -> TypeId {
        match self.module.types[ty.index()] {
            TypeData::Vector { element, .. } => element,
            _ => ty,
        }
    }

    pub(super) fn class(&self, ty: TypeId) -> Class {
        match self.module.types[self.scalar(ty).index()] {
            TypeData::Integer(bits) => Class::Integer(bits),
            TypeData::Pointer(space) => Class::Pointer(space),
            TypeData::Half | TypeData::Bfloat => Class::Float(16),
            TypeData::Float => Class::Float(32),
            TypeData::Double => Class::Float(64),
            TypeData::X86Fp80 => Class::Float(80),
            TypeData::Fp128 => Class::Float(128),
            _ => Class::Other,
        }
    }

    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.class(ty), Class::Integer(_))
    }

    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.class(ty), Class::Float(_))
    }

    pub(super) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.class(ty), Class::Pointer(_))
    }

    /// Whether a type is a plain address, and no vector of them.
    pub(super) fn is_plain_pointer(&self, ty: TypeId) -> bool {
        matches!(self.module.types[ty.index()], TypeData::Pointer(_))
    }

    /// Whether values of a type can be results and parameters.
    pub(super) fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(
            self.module.types[ty.index()],
            TypeData::Void | TypeData::Label | TypeData::Metadata | TypeData::Function { .. }
        )
    }

    /// `scalar`, in as many lanes as `like` has.
    pub(super) fn in_lanes_of(&mut self, like: TypeId, scalar: TypeId) -> TypeId {
        match self.lanes(like) {
            Some(lanes) => self.vector(lanes, scalar),
            None => scalar,
        }
    }

    /// A vector type of scalars.
    pub(super) fn vector(&mut self, lanes: u32, element: TypeId) -> TypeId {
        let ty = self.module.type_id(TypeData::Vector { lanes, element });
        super::facts::extend_if_whole(self.module, self.stage);
        ty
    }

    /// What the operands of an op are; nothing if `ty` is that.
    pub(super) fn refused_by_binary(&self, op: BinaryOp, ty: TypeId) -> Option<&'static str> {
        let is_float = matches!(
            op,
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem
        );
        match is_float {
            true if !self.is_float(ty) => Some("this op takes floats"),
            false if !self.is_integer(ty) => Some("this op takes integers"),
            _ => None,
        }
    }

    /// Whether a conversion is one of `from` to `to`.
    pub(super) fn casts(&self, op: CastOp, from: TypeId, to: TypeId) -> bool {
        let classes = (self.class(from), self.class(to));
        if op == CastOp::Bitcast {
            return match classes {
                (Class::Pointer(from_space), Class::Pointer(to_space)) => {
                    from_space == to_space
                        && self.lanes(from).unwrap_or(1) == self.lanes(to).unwrap_or(1)
                }
                _ => self.bits(from).is_some_and(|bits| self.bits(to) == Some(bits)),
            };
        }
        if self.lanes(from) != self.lanes(to) {
            return false;
        }
        match (op, classes) {
            (CastOp::Trunc, (Class::Integer(from), Class::Integer(to))) => to < from,
            (CastOp::ZExt | CastOp::SExt, (Class::Integer(from), Class::Integer(to))) => from < to,
            (CastOp::FpTrunc, (Class::Float(from), Class::Float(to))) => to < from,
            (CastOp::FpExt, (Class::Float(from), Class::Float(to))) => from < to,
            (CastOp::AddrSpaceCast, (Class::Pointer(from), Class::Pointer(to))) => from != to,
            (CastOp::UiToFp | CastOp::SiToFp, (Class::Integer(_), Class::Float(_)))
            | (CastOp::FpToUi | CastOp::FpToSi, (Class::Float(_), Class::Integer(_)))
            | (CastOp::PtrToInt | CastOp::PtrToAddr, (Class::Pointer(_), Class::Integer(_)))
            | (CastOp::IntToPtr, (Class::Integer(_), Class::Pointer(_))) => true,
            _ => false,
        }
    }

    /// The bits of a number or a vector of them.
    fn bits(&self, ty: TypeId) -> Option<u64> {
        let lanes = u64::from(self.lanes(ty).unwrap_or(1));
        match self.class(ty) {
            Class::Integer(bits) | Class::Float(bits) => Some(lanes * u64::from(bits)),
            _ => None,
        }
    }

    /// The number that an index is, the same in all lanes.
    pub(super) fn index_value(&self, id: ConstantId) -> Option<u128> {
        match &self.constant(id).data {
            ConstantData::Integer(value) => Some(*value),
            ConstantData::Zero => Some(0),
            ConstantData::Splat(lane) => match self.constant(*lane).data {
                ConstantData::Integer(value) => Some(value),
                _ => None,
            },
            ConstantData::Numbers(lanes) => {
                lanes.iter().all(|lane| lane == &lanes[0]).then(|| u128::from(lanes[0]))
            }
            _ => None,
        }
    }

    /// The part of an aggregate type with that number.
    pub(super) fn part(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.data(ty) {
            TypeData::Struct { fields, .. } => {
                usize::try_from(index).ok().and_then(|index| fields.get(index)).copied()
            }
            &TypeData::Array { length, element } => (index < length).then_some(element),
            _ => None,
        }
    }
}
