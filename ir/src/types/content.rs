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
    data: DataCount,
}

/// How many data a value holds beside itself, at every depth, saturated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DataCount {
    /// Scalars and function references, those in lanes too.
    pub(crate) scalars: u64,
    /// Structs, arrays and vectors, each of which has storage of its own.
    pub(crate) holders: u64,
}

impl DataCount {
    /// All of them, where a holder counts as so many.
    pub(crate) fn total(self, holder: u64) -> u64 {
        self.scalars.saturating_add(self.holders.saturating_mul(holder))
    }

    fn times(self, count: u64) -> DataCount {
        DataCount {
            scalars: self.scalars.saturating_mul(count),
            holders: self.holders.saturating_mul(count),
        }
    }

    fn plus(self, other: DataCount) -> DataCount {
        DataCount {
            scalars: self.scalars.saturating_add(other.scalars),
            holders: self.holders.saturating_add(other.holders),
        }
    }
}

impl TypePool {
    fn content(&self, ty: Type) -> Content {
        match ty.kind() {
            TypeKind::None => Content::default(),
            TypeKind::Scalar(lane) => {
                Content { leaves: 1, kinds: 1 << lane as u32, data: DataCount::default() }
            }
            TypeKind::Vector(lane, lanes) => {
                let data = DataCount { scalars: lanes.into(), holders: 0 };
                Content { leaves: 1, kinds: 1 << lane as u32, data }
            }
            TypeKind::Function(_) => Content { leaves: 1, kinds: 0, data: DataCount::default() },
            TypeKind::Aggregate(id) => self.aggregate_content(id).unwrap_or_default(),
        }
    }

    pub(super) fn compute_content(&self, aggregate: &Aggregate) -> Content {
        match aggregate {
            Aggregate::Array { element, length } => {
                let data = self.data_of_field(*element).times(*length);
                let element = self.content(*element);
                // An element of nothing still is a field of a value.
                let leaves = element.leaves.max(1).saturating_mul(*length);
                Content { leaves, data, ..element }
            }
            Aggregate::Struct { fields, .. } => {
                fields.iter().fold(Content::default(), |whole, &field| {
                    let data = whole.data.plus(self.data_of_field(field));
                    let field = self.content(field);
                    Content {
                        data,
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

    /// How many data a value of `ty` holds beside itself.
    pub(crate) fn data_count(&self, ty: Type) -> DataCount {
        self.content(ty).data
    }

    /// A field itself, and what it holds.
    fn data_of_field(&self, ty: Type) -> DataCount {
        let is_holder = ty.is_aggregate() || ty.is_vector();
        let own = DataCount { scalars: u64::from(!is_holder), holders: u64::from(is_holder) };
        own.plus(self.data_count(ty))
    }

    /// Whether `ty` consists of or contains a scalar or lanes of that kind;
    /// signatures of function references do not count.
    pub fn holds(&self, ty: Type, scalar: Scalar) -> bool {
        self.content(ty).kinds & 1 << scalar as u32 != 0
    }
}
