//! How values of any type are held in the types that code computes with: what
//! an aggregate or a vector is taken apart into, in registers, in signatures
//! and on the way from and to a host.
//!
//! An aggregate is the list of its leaves, in order. A vector of numbers is
//! held in vectors of 128 bits, as many as it takes; what the last of them has
//! beside is of no meaning, and nothing may depend on it. Vectors of `i128` are
//! their lanes. A mask is held in masks of 16 lanes, and one of 8 lanes and
//! less in one of 8, 4 or 2. The rule knows nothing of targets, so that code
//! of every target, and every host, agree on signatures.

use brolga_ir::datum::Datum;
use brolga_ir::types::{Aggregate, Param, Passing, Scalar, Signature, Type, TypeKind, TypePool};
use smallvec::{SmallVec, smallvec};

/// Bits of a vector register.
const REGISTER_BITS: u32 = 128;

/// The types that a value is held in.
pub type PieceTypes = SmallVec<[Type; 4]>;

/// The leaves of `ty`, in order: scalars, vectors and function references.
pub fn leaf_types(types: &TypePool, ty: Type) -> Vec<Type> {
    // Types nest to a fixed depth, and values have a limited number of leaves.
    match types.aggregate(ty) {
        None => vec![ty],
        Some(Aggregate::Struct { fields, .. }) => {
            fields.iter().flat_map(|&field| leaf_types(types, field)).collect()
        }
        Some(Aggregate::Array { element, length }) => {
            let element = leaf_types(types, *element);
            // Of elements without leaves there may be any number.
            let times = if element.is_empty() { 0 } else { *length as usize };
            element.repeat(times)
        }
    }
}

/// The types that a vector is held in; nothing for a type that is held as it is.
pub fn vector_pieces(ty: Type) -> Option<PieceTypes> {
    let TypeKind::Vector(lane, lanes) = ty.kind() else { return None };
    let lanes = u32::from(lanes);
    if lane == Scalar::I128 {
        return Some(SmallVec::from_elem(Type::I128, lanes as usize));
    }
    let width = match lane {
        Scalar::I1 => lanes.next_power_of_two().clamp(2, 16),
        lane => REGISTER_BITS / lane.bits().max(1),
    };
    let piece = Type::vector(lane, width)?;
    (piece != ty).then(|| SmallVec::from_elem(piece, lanes.div_ceil(width) as usize))
}

/// Whether there are such types.
pub fn is_held_otherwise(ty: Type) -> bool {
    ty.is_vector() && vector_pieces(ty).is_some()
}

/// The types that a value of `ty` is held in.
pub fn legal_types(types: &TypePool, ty: Type) -> Vec<Type> {
    let pieces = |leaf| vector_pieces(leaf).unwrap_or_else(|| smallvec![leaf]);
    leaf_types(types, ty).into_iter().flat_map(pieces).collect()
}

/// The signature of a function once its aggregates are taken apart.
pub fn flattened_signature(types: &TypePool, signature: &Signature) -> Signature {
    changed(signature, |param| match param.ty.is_aggregate() {
        true => leaf_types(types, param.ty).into_iter().map(Param::from).collect(),
        false => vec![param],
    })
}

/// The signature of a function in legal form: what its code takes and gives.
pub fn legal_signature(types: &TypePool, signature: &Signature) -> Signature {
    let pieces = |param: Param| match vector_pieces(param.ty) {
        Some(pieces) => {
            // At most 64: what the platform's convention makes of the vector
            // cannot be told from its pieces.
            let passing = Passing::PieceOf(types.layout(param.ty).size as u8);
            pieces.into_iter().map(|ty| Param { ty, passing }).collect()
        }
        None => vec![param],
    };
    changed(&flattened_signature(types, signature), pieces)
}

fn changed(signature: &Signature, pieces: impl Fn(Param) -> Vec<Param>) -> Signature {
    let all = |params: &[Param]| params.iter().flat_map(|&param| pieces(param)).collect();
    Signature {
        params: all(&signature.params),
        results: all(&signature.results),
        ..signature.clone()
    }
}

/// The form in which values cross the borders of functions, at some border of
/// the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ValueForm {
    /// As the module declares them.
    #[default]
    Declared,
    /// Aggregates as their leaves.
    Flattened,
    /// As code computes with them.
    Legal,
}

impl ValueForm {
    /// The signature, declared or in an earlier form, in this one.
    pub fn signature(self, types: &TypePool, signature: &Signature) -> Signature {
        match self {
            ValueForm::Declared => signature.clone(),
            ValueForm::Flattened => flattened_signature(types, signature),
            ValueForm::Legal => legal_signature(types, signature),
        }
    }

    /// Whether a signature is the same in this form, which is told without making one.
    pub fn keeps(self, signature: &Signature) -> bool {
        let is_kept = |ty: Type| match self {
            ValueForm::Declared => true,
            ValueForm::Flattened => !ty.is_aggregate(),
            ValueForm::Legal => !ty.is_aggregate() && !is_held_otherwise(ty),
        };
        signature.params.iter().chain(&signature.results).all(|param| is_kept(param.ty))
    }

    /// A value of `ty` in this form.
    pub fn split(self, types: &TypePool, ty: Type, value: &Datum) -> Vec<Datum> {
        match self {
            ValueForm::Declared => vec![value.clone()],
            ValueForm::Flattened => {
                flatten(types, ty, value).into_iter().map(|(_, leaf)| leaf).collect()
            }
            ValueForm::Legal => into_legal(types, ty, value),
        }
    }

    /// The value of `ty` that the next data are in this form; zero for what is missing.
    pub fn join(self, types: &TypePool, ty: Type, data: &mut impl Iterator<Item = Datum>) -> Datum {
        match self {
            ValueForm::Declared => data.next().unwrap_or_else(|| Datum::zero(types, ty)),
            ValueForm::Flattened => unflatten(types, ty, data),
            ValueForm::Legal => from_legal(types, ty, data),
        }
    }
}

/// The leaves of a value of `ty`, in order.
fn flatten(types: &TypePool, ty: Type, value: &Datum) -> Vec<(Type, Datum)> {
    let Datum::Fields(fields) = value else { return vec![(ty, value.clone())] };
    let part =
        |(index, field)| flatten(types, types.field(ty, index as u64).unwrap_or(Type::NONE), field);
    fields.iter().enumerate().flat_map(part).collect()
}

/// The value of `ty` whose leaves come next; zero for those that are missing.
fn unflatten(types: &TypePool, ty: Type, leaves: &mut impl Iterator<Item = Datum>) -> Datum {
    if !ty.is_aggregate() {
        return leaves.next().unwrap_or_else(|| Datum::zero(types, ty));
    }
    let count = types.field_count(ty);
    let field = |index| types.field(ty, index).unwrap_or(Type::NONE);
    Datum::Fields((0..count).map(|index| unflatten(types, field(index), leaves)).collect())
}

/// What a value of `ty` is held in: the pieces of its [`legal_types`].
fn into_legal(types: &TypePool, ty: Type, value: &Datum) -> Vec<Datum> {
    let leaves = flatten(types, ty, value).into_iter();
    leaves.flat_map(|(ty, leaf)| split_lanes(ty, leaf)).collect()
}

/// The value of `ty` that is held in the next pieces; zero for missing ones.
fn from_legal(types: &TypePool, ty: Type, pieces: &mut impl Iterator<Item = Datum>) -> Datum {
    let leaves: Vec<Datum> =
        leaf_types(types, ty).into_iter().map(|leaf| join_lanes(types, leaf, pieces)).collect();
    unflatten(types, ty, &mut leaves.into_iter())
}

fn split_lanes(ty: Type, value: Datum) -> Vec<Datum> {
    let Some(pieces) = vector_pieces(ty) else { return vec![value] };
    let mut lanes = value.lanes().iter().copied();
    let piece = |piece: Type| match piece.is_vector() {
        true => Datum::Lanes((0..piece.lanes()).map(|_| lanes.next().unwrap_or(0)).collect()),
        false => Datum::Scalar(lanes.next().unwrap_or(0)),
    };
    pieces.into_iter().map(piece).collect()
}

fn join_lanes(types: &TypePool, ty: Type, pieces: &mut impl Iterator<Item = Datum>) -> Datum {
    let Some(held) = vector_pieces(ty) else {
        return pieces.next().unwrap_or_else(|| Datum::zero(types, ty));
    };
    let held: Vec<Datum> = pieces.take(held.len()).collect();
    let lanes = held.iter().flat_map(|piece| piece.lanes()).copied();
    let mut lanes: Vec<u128> = lanes.take(ty.lanes() as usize).collect();
    lanes.resize(ty.lanes() as usize, 0);
    Datum::Lanes(lanes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brolga_ir::types::Packing;

    fn vector(lane: Scalar, lanes: u32) -> Type {
        Type::vector(lane, lanes).unwrap()
    }

    #[test]
    fn vectors_are_held_in_registers_and_masks_follow_their_lanes() {
        let held = |lane, lanes| {
            vector_pieces(vector(lane, lanes)).map(|pieces| (pieces.len(), pieces[0]))
        };
        assert_eq!(held(Scalar::F32, 4), None);
        assert_eq!(held(Scalar::F32, 3), Some((1, vector(Scalar::F32, 4))));
        assert_eq!(held(Scalar::I8, 64), Some((4, vector(Scalar::I8, 16))));
        assert_eq!(held(Scalar::F16, 1), Some((1, vector(Scalar::F16, 8))));
        assert_eq!(held(Scalar::I128, 4), Some((4, Type::I128)));
        assert_eq!(held(Scalar::Ptr, 5), Some((3, vector(Scalar::Ptr, 2))));
        assert_eq!(held(Scalar::I1, 16), None);
        assert_eq!(held(Scalar::I1, 2), None);
        assert_eq!(held(Scalar::I1, 1), Some((1, vector(Scalar::I1, 2))));
        assert_eq!(held(Scalar::I1, 5), Some((1, vector(Scalar::I1, 8))));
        assert_eq!(held(Scalar::I1, 33), Some((3, vector(Scalar::I1, 16))));
    }

    #[test]
    fn a_value_survives_its_legal_form() {
        let mut types = TypePool::default();
        let pair = types.structure(&[vector(Scalar::I32, 6), Type::I8], Packing::Natural).unwrap();
        let list = types.array(pair, 2).unwrap();
        let lanes = |start: u128| Datum::Lanes((start..start + 6).collect());
        let item = |start: u128| Datum::Fields([lanes(start), Datum::Scalar(start)].into());
        let value = Datum::Fields([item(1), item(10)].into());
        let pieces = into_legal(&types, list, &value);
        assert_eq!(pieces.len(), legal_types(&types, list).len());
        assert_eq!(pieces[1], Datum::Lanes([5, 6, 0, 0].into()));
        assert_eq!(from_legal(&types, list, &mut pieces.into_iter()), value);
    }

    #[test]
    fn a_signature_says_of_pieces_what_they_are_of() {
        let mut types = TypePool::default();
        let wide = vector(Scalar::I32, 8);
        let pair = types.structure(&[wide, Type::F64], Packing::Natural).unwrap();
        let piece = Param { ty: vector(Scalar::I32, 4), passing: Passing::PieceOf(32) };
        for signature in [Signature::platform, Signature::internal] {
            let legal = legal_signature(&types, &signature(&[pair], &[wide]));
            assert_eq!(legal.params, [piece, piece, Type::F64.into()]);
            assert_eq!(legal.results, [piece, piece]);
            assert_eq!(legal_signature(&types, &legal), legal);
        }
    }

    #[test]
    fn a_form_keeps_the_signatures_that_are_the_same_in_it() {
        let mut types = TypePool::default();
        let single = types.structure(&[Type::I64], Packing::Natural).unwrap();
        let empty = types.structure(&[], Packing::Natural).unwrap();
        let wide = [vector(Scalar::I32, 8), vector(Scalar::I128, 2), vector(Scalar::I1, 3)];
        let plain = [Type::I64, Type::PTR, Type::I128, vector(Scalar::F64, 2)];
        for ty in [single, empty].into_iter().chain(wide).chain(plain) {
            for signature in [Signature::internal(&[ty], &[]), Signature::platform(&[], &[ty])] {
                for form in [ValueForm::Declared, ValueForm::Flattened, ValueForm::Legal] {
                    let is_same = form.signature(&types, &signature) == signature;
                    assert_eq!(form.keeps(&signature), is_same, "{form:?} {signature:?}");
                }
            }
        }
    }
}
