//! What a type is made of when it is taken apart to its last field.

use super::{Aggregate, Scalar, Type, TypeKind, TypePool};

/// The most scalars, vectors and function references that one SSA value, or
/// the parameters or results of one signature, may consist of. Each becomes a
/// value of its own on the way down.
pub const MAX_LEAVES: u64 = 1 << 16;

/// The parts of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Content {
    /// How many parts, saturated.
    leaves: u64,
    /// Their kinds: a bit for each scalar.
    kinds: u32,
}

impl TypePool {
    fn content(&self, ty: Type) -> Content {
        match ty.kind() {
            TypeKind::None => Content::default(),
            TypeKind::Scalar(lane) | TypeKind::Vector(lane, _) => {
                Content { leaves: 1, kinds: 1 << lane as u32 }
            }
            TypeKind::Function(_) => Content { leaves: 1, kinds: 0 },
            TypeKind::Aggregate(id) => self.aggregate_content(id).unwrap_or_default(),
        }
    }

    pub(super) fn compute_content(&self, aggregate: &Aggregate) -> Content {
        match aggregate {
            Aggregate::Array { element, length } => {
                let element = self.content(*element);
                // An element of nothing still is a field of a value.
                Content { leaves: element.leaves.max(1).saturating_mul(*length), ..element }
            }
            Aggregate::Struct { fields, .. } => {
                fields.iter().fold(Content::default(), |whole, &field| {
                    let field = self.content(field);
                    Content {
                        leaves: whole.leaves.saturating_add(field.leaves),
                        kinds: whole.kinds | field.kinds,
                    }
                })
            }
        }
    }

    /// How many scalars, vectors and function references `ty` consists of
    /// (saturated); in an array, an empty struct counts as one.
    pub fn leaf_count(&self, ty: Type) -> u64 {
        self.content(ty).leaves
    }

    /// Whether `ty` consists of or contains a scalar or lanes of that kind;
    /// signatures of function references do not count.
    pub fn holds(&self, ty: Type, scalar: Scalar) -> bool {
        self.content(ty).kinds & 1 << scalar as u32 != 0
    }
}
