//! The layout of managed objects: the contract between the managed ops, the
//! code that they are lowered to, and whoever allocates.
//!
//! A reference is the address of an object's first byte, a multiple of
//! [`OBJECT_ALIGN`]. The header word stands before it and holds the reference
//! to the object's type, whose low bits are the tag.

use crate::types::{Scalar, Type, TypePool};

/// Objects start at multiples of this many bytes.
pub const OBJECT_ALIGN: u64 = 16;

/// Bytes from an object's start to its header word.
pub const HEADER_OFFSET: i32 = -8;

/// Bytes of the header word.
pub const HEADER_SIZE: u64 = 8;

/// The bits of the header word that are no part of the type.
pub const TAG_MASK: u64 = 0xf;

/// Tag: the collector has reached the object in this round.
pub const TAG_MARKED: u64 = 1;

/// Tag: the object has survived a round.
pub const TAG_OLD: u64 = 2;

/// Tag: the object is an array.
pub const TAG_ARRAY: u64 = 4;

/// Bytes from an array's start to its length, an `i64`.
pub const ARRAY_LENGTH_OFFSET: i32 = 0;

/// Bytes from an array's start to its kind, an `i64`: see [`array_kind`].
pub const ARRAY_KIND_OFFSET: i32 = 8;

/// Bytes from an array's start to its first element.
pub const ARRAY_ELEMENTS_OFFSET: i32 = 16;

/// The part of an array's kind that is the size of an element in bytes.
pub const ARRAY_KIND_SIZE_MASK: u64 = 0xffff;

/// The bit of an array's kind that says that elements are references.
pub const ARRAY_KIND_REFERENCES: u64 = 1 << 16;

/// Where the lane's scalar type stands in an array's kind, by its number in
/// [`Scalar::ALL`]; 8 bits.
pub const ARRAY_KIND_LANE_SHIFT: u32 = 24;

/// Where the number of lanes stands in an array's kind; 0 for what is no vector.
pub const ARRAY_KIND_LANES_SHIFT: u32 = 32;

/// What an array of elements of `ty` has in its kind word: two kinds are equal
/// if and only if the types are. Nothing for types that are no element.
pub fn array_kind(types: &TypePool, ty: Type) -> Option<u64> {
    let lane = ty.lane()?;
    let lanes = if ty.is_vector() { u64::from(ty.lanes()) } else { 0 };
    let references = if lane == Scalar::Ref { ARRAY_KIND_REFERENCES } else { 0 };
    let shape = ((lane as u64) << ARRAY_KIND_LANE_SHIFT) | (lanes << ARRAY_KIND_LANES_SHIFT);
    Some(element_stride(types, ty) | references | shape)
}

/// Bytes from one element of an array to the next: the size, unpadded where
/// lanes leave no power of two.
pub fn element_stride(types: &TypePool, ty: Type) -> u64 {
    types.layout(ty).stride()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_arrays_differ_where_types_do() {
        let types = TypePool::default();
        let mut all: Vec<Type> = Scalar::ALL.iter().map(|&scalar| Type::scalar(scalar)).collect();
        for &lane in Scalar::ALL {
            all.extend((1..=64).filter_map(|lanes| Type::vector(lane, lanes)));
        }
        let mut kinds: Vec<u64> = all.iter().filter_map(|&ty| array_kind(&types, ty)).collect();
        assert_eq!(kinds.len(), all.len());
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), all.len());
    }

    #[test]
    fn an_array_of_references_says_so() {
        let types = TypePool::default();
        let kind = array_kind(&types, Type::REF).unwrap();
        assert_ne!(kind & ARRAY_KIND_REFERENCES, 0);
        assert_eq!(kind & ARRAY_KIND_SIZE_MASK, 8);
        assert_eq!(array_kind(&types, Type::F32).unwrap() & ARRAY_KIND_REFERENCES, 0);
    }
}
