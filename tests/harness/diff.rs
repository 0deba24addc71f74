//! Differences as a reader wants to see them.

use brolga_ir::datum::Datum;
use brolga_ir::types::{Scalar, Type, TypeKind, TypePool};

/// The lines in which two texts differ, `-` before those of `old` and `+`
/// before those of `new`, between the first and the last difference.
pub(crate) fn lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = format!("at line {}:\n", before + 1);
    for line in &old_rest[..old_rest.len() - behind] {
        text.push_str(&format!("-{line}\n"));
    }
    for line in &new_rest[..new_rest.len() - behind] {
        text.push_str(&format!("+{line}\n"));
    }
    text
}

/// Whether `found` is what `expected` stands for: the same bits, but the NaN
/// that `nan` spells stands for every NaN.
pub(crate) fn is_expected(types: &TypePool, ty: Type, expected: &Datum, found: &Datum) -> bool {
    match (ty.kind(), expected, found) {
        (TypeKind::Aggregate(_), Datum::Fields(expected), Datum::Fields(found)) => {
            let part = |index: usize| types.field(ty, index as u64).unwrap_or(Type::NONE);
            let mut pairs = expected.iter().zip(found).enumerate();
            expected.len() == found.len()
                && pairs.all(|(index, (a, b))| is_expected(types, part(index), a, b))
        }
        (TypeKind::Scalar(lane) | TypeKind::Vector(lane, _), ..) => {
            let (expected, found) = (expected.lanes(), found.lanes());
            let mut pairs = expected.iter().zip(found);
            expected.len() == found.len() && pairs.all(|(a, b)| a == b || is_nan_for(lane, *a, *b))
        }
        _ => expected == found,
    }
}

/// Whether `expected` is what `nan` spells, and `found` a NaN.
fn is_nan_for(lane: Scalar, expected: u128, found: u128) -> bool {
    let (infinity, quiet) = match lane {
        Scalar::F16 => (0x7c00, 0x7e00),
        Scalar::Bf16 => (0x7f80, 0x7fc0),
        Scalar::F32 => (0x7f80_0000, 0x7fc0_0000),
        Scalar::F64 => (0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000),
        _ => return false,
    };
    let without_sign = found & !(1 << (lane.bits() - 1));
    expected == quiet && without_sign > infinity
}
