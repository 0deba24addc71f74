//! Sizes and alignments in memory, the same on every target.

use super::{Aggregate, Packing, Scalar, Type, TypeKind, TypePool};

/// The largest aggregate, in bytes.
pub const MAX_AGGREGATE_SIZE: u64 = 1 << 31;

/// Where a type may stand in memory and what it fills there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes that a load reads and a store writes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
}

impl Layout {
    /// The distance between two elements of an array: the size, rounded up
    /// to the alignment (saturating).
    pub fn stride(self) -> u64 {
        self.size.checked_next_multiple_of(self.align).unwrap_or(u64::MAX)
    }
}

impl Scalar {
    /// The layout of one scalar.
    pub const fn layout(self) -> Layout {
        let (size, align) = match self {
            Scalar::Token => (0, 1),
            Scalar::I1 => (1, 1),
            Scalar::X86Fp80 => (10, 16),
            other => (other.bits() as u64 / 8, other.bits() as u64 / 8),
        };
        Layout { size, align }
    }
}

impl TypePool {
    /// The layout of `ty`. A mask stands as one bit a lane, lane 0 lowest; a
    /// vector is aligned to its size rounded up to a power of two.
    pub fn layout(&self, ty: Type) -> Layout {
        match ty.kind() {
            TypeKind::None => Layout { size: 0, align: 1 },
            TypeKind::Scalar(scalar) => scalar.layout(),
            TypeKind::Vector(lane, lanes) => {
                let size = match lane {
                    Scalar::I1 => u64::from(lanes).div_ceil(8),
                    lane => u64::from(lanes) * lane.layout().size,
                };
                Layout { size, align: size.next_power_of_two() }
            }
            TypeKind::Aggregate(id) => {
                self.aggregate_layout(id).unwrap_or(Layout { size: 0, align: 1 })
            }
            TypeKind::Function(_) => Layout { size: 8, align: 8 },
        }
    }

    pub(super) fn compute_layout(&self, aggregate: &Aggregate) -> Layout {
        match aggregate {
            Aggregate::Array { element, length } => {
                let element = self.layout(*element);
                Layout { size: element.stride().saturating_mul(*length), align: element.align }
            }
            Aggregate::Struct { fields, packing } => {
                let (mut end, mut align) = (0, 1);
                for &field in fields {
                    let (start, layout) = self.place(end, field, *packing);
                    end = start.saturating_add(layout.size);
                    align = align.max(layout.align);
                }
                Layout { size: end.checked_next_multiple_of(align).unwrap_or(u64::MAX), align }
            }
        }
    }

    /// Where `field` starts when the fields before it end at `end`, and its
    /// layout there.
    fn place(&self, end: u64, field: Type, packing: Packing) -> (u64, Layout) {
        let layout = self.layout(field);
        match packing {
            Packing::Packed => (end, Layout { size: layout.stride(), align: 1 }),
            Packing::Natural => {
                let start = end.checked_next_multiple_of(layout.align).unwrap_or(u64::MAX);
                (start, Layout { size: layout.stride(), align: layout.align })
            }
        }
    }

    /// The offset in bytes of field or element `index` of `ty`.
    pub fn field_offset(&self, ty: Type, index: u64) -> Option<u64> {
        match self.aggregate(ty)? {
            Aggregate::Array { element, length } => {
                (index < *length).then(|| self.layout(*element).stride() * index)
            }
            Aggregate::Struct { .. } => {
                let index = usize::try_from(index).ok()?;
                self.placed_fields(ty).nth(index).map(|(_, offset)| offset)
            }
        }
    }

    /// The fields or elements of `ty` with their offsets in bytes.
    pub fn placed_fields(&self, ty: Type) -> impl Iterator<Item = (Type, u64)> {
        let packing = match self.aggregate(ty) {
            Some(Aggregate::Struct { packing, .. }) => *packing,
            // Elements follow each other at their stride.
            _ => Packing::Packed,
        };
        let mut end = 0;
        (0..self.field_count(ty)).map_while(move |index| {
            let field = self.field(ty, index)?;
            let (start, layout) = self.place(end, field, packing);
            end = start + layout.size;
            Some((field, start))
        })
    }
}
