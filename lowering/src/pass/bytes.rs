//! Values as the bytes that memory would hold of them: a part of one value
//! read as another type, and a part replaced.

use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::Value;
use brolga_ir::instruction::ZERO_LANE;
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Scalar, Type, TypePool};

use super::Editor;

/// The largest granule: no lane has more bytes.
const MAX_LANE_LOG2: u32 = 4;

/// The bytes that a value of `ty` fills in memory.
pub(crate) fn size_of(types: &TypePool, ty: Type) -> u64 {
    types.layout(ty).size
}

/// The integer of that many bytes.
pub(crate) fn integer_of(size: u64) -> Option<Type> {
    match size {
        1 => Some(Type::I8),
        2 => Some(Type::I16),
        4 => Some(Type::I32),
        8 => Some(Type::I64),
        16 => Some(Type::I128),
        _ => None,
    }
}

/// Whether a value of `ty` is the bytes that memory holds of it, bit for bit;
/// of an `i1`, the lowest bit of its byte.
fn is_plain(types: &TypePool, ty: Type) -> bool {
    let bits = |lane: Scalar| u64::from(lane.bits() * ty.lanes());
    let fills = ty.lane().is_some_and(|lane| bits(lane) == 8 * size_of(types, ty));
    let casts = TypeClass::Bitcast.contains(ty) && ty != Type::X86_FP80;
    ty == Type::I1 || (casts && fills)
}

/// Whether a value of `ty` holds all bits of the bytes that it is loaded from: a
/// truth value holds one of a byte.
pub(crate) fn holds_bytes(ty: Type) -> bool {
    ty.lane() != Some(Scalar::I1) || (ty.is_vector() && ty.lanes().is_multiple_of(8))
}

/// Whether [`convert`] can read all bytes of a value of `from` as `to`.
pub(crate) fn converts(types: &TypePool, from: Type, to: Type) -> bool {
    let same_size = || size_of(types, from) == size_of(types, to);
    from == to || (is_plain(types, from) && is_plain(types, to) && same_size())
}

/// Whether [`extract`] can read, and [`insert`] replace, the bytes from `offset`
/// on of a value of `whole` as a value of `part`.
pub(crate) fn contains_part(types: &TypePool, whole: Type, offset: u64, part: Type) -> bool {
    let (size, part_size) = (size_of(types, whole), size_of(types, part));
    if offset == 0 && size == part_size {
        return converts(types, whole, part);
    }
    let inside = offset.checked_add(part_size).is_some_and(|end| end <= size) && part_size != 0;
    let fits = match whole.is_vector() {
        true => granules(size, offset, part_size).is_some(),
        false => integer_of(size).is_some() && integer_of(part_size).is_some(),
    };
    inside && fits && is_plain(types, whole) && is_plain(types, part)
}

/// The lanes in which a part of a vector is a whole number of lanes: the vector
/// of all of them, and how many bytes each has.
fn granules(size: u64, offset: u64, part: u64) -> Option<(Type, u64)> {
    let lane = 1 << (size | offset | part).trailing_zeros().min(MAX_LANE_LOG2);
    let lanes = vector_of(lane, size)?;
    Some((lanes, lane))
}

/// The vector of integers of `lane` bytes that fill `size` bytes.
fn vector_of(lane: u64, size: u64) -> Option<Type> {
    Type::vector(integer_of(lane)?.lane()?, u32::try_from(size / lane).ok()?)
}

/// The bytes of `value` as a value of `to`, which it [`converts`] to.
pub(crate) fn convert(editor: &mut Editor<'_, '_>, value: Value, to: Type) -> Value {
    let from = editor.body.value_type(value);
    if from == to {
        return value;
    }
    if from == Type::I1 {
        let byte = editor.op(Op::Zext, Type::I8, &[value]);
        return convert(editor, byte, to);
    }
    if to == Type::I1 {
        let byte = convert(editor, value, Type::I8);
        return editor.op(Op::Trunc, Type::I1, &[byte]);
    }
    editor.op(Op::Bitcast, to, &[value])
}

/// The bytes of `whole` from `offset` on as a value of `part`, where it
/// [`contains_part`].
pub(crate) fn extract(editor: &mut Editor<'_, '_>, whole: Value, offset: u64, part: Type) -> Value {
    let types = &editor.context.module.types;
    let ty = editor.body.value_type(whole);
    let (size, part_size) = (size_of(types, ty), size_of(types, part));
    if size == part_size {
        return convert(editor, whole, part);
    }
    if let Some((lanes, lane)) = granules(size, offset, part_size).filter(|_| ty.is_vector()) {
        return extract_lanes(editor, whole, Lanes { lanes, lane, offset, part_size }, part);
    }
    let (Some(wide), Some(narrow)) = (integer_of(size), integer_of(part_size)) else {
        return editor.zero(part);
    };
    let bits = convert(editor, whole, wide);
    let shifted = match offset {
        0 => bits,
        _ => {
            let count = editor.constant(wide, u128::from(8 * offset));
            editor.op(Op::Lshr, wide, &[bits, count])
        }
    };
    let low = editor.op(Op::Trunc, narrow, &[shifted]);
    convert(editor, low, part)
}

/// Where a part of a vector is.
#[derive(Clone, Copy)]
struct Lanes {
    lanes: Type,
    /// Bytes of each.
    lane: u64,
    offset: u64,
    part_size: u64,
}

/// Whether `part` is the type of the lanes of `whole`, which are whole bytes.
fn is_lane(whole: Type, part: Type) -> bool {
    part == whole.lane_type() && part != Type::I1
}

fn extract_lanes(editor: &mut Editor<'_, '_>, whole: Value, at: Lanes, part: Type) -> Value {
    let (first, count) = ((at.offset / at.lane) as u32, (at.part_size / at.lane) as u32);
    let ty = editor.body.value_type(whole);
    if is_lane(ty, part) && count == 1 {
        return editor.extract(whole, first);
    }
    let whole = convert(editor, whole, at.lanes);
    if count == 1 {
        let lane = editor.extract(whole, first);
        return convert(editor, lane, part);
    }
    let taken: Vec<u32> = (first..first + count).collect();
    match vector_of(at.lane, at.part_size) {
        Some(narrow) => {
            let lanes = editor.shuffle(narrow, whole, whole, &taken);
            convert(editor, lanes, part)
        }
        None => editor.zero(part),
    }
}

/// `whole` with its bytes from `offset` on replaced by those of `part`, where
/// it [`contains_part`].
pub(crate) fn insert(editor: &mut Editor<'_, '_>, whole: Value, offset: u64, part: Value) -> Value {
    let types = &editor.context.module.types;
    let (ty, part_ty) = (editor.body.value_type(whole), editor.body.value_type(part));
    let (size, part_size) = (size_of(types, ty), size_of(types, part_ty));
    if size == part_size {
        return convert(editor, part, ty);
    }
    if let Some((lanes, lane)) = granules(size, offset, part_size).filter(|_| ty.is_vector()) {
        return insert_lanes(editor, whole, Lanes { lanes, lane, offset, part_size }, part);
    }
    let (Some(wide), Some(narrow)) = (integer_of(size), integer_of(part_size)) else {
        return whole;
    };
    let bits = convert(editor, whole, wide);
    let hole = !(u128::MAX >> (128 - 8 * part_size) << (8 * offset));
    let hole = editor.constant(wide, hole);
    let kept = editor.op(Op::And, wide, &[bits, hole]);
    let low = convert(editor, part, narrow);
    let mut placed = editor.op(Op::Zext, wide, &[low]);
    if offset != 0 {
        let count = editor.constant(wide, u128::from(8 * offset));
        placed = editor.op(Op::Shl, wide, &[placed, count]);
    }
    let joined = editor.op(Op::Or, wide, &[kept, placed]);
    convert(editor, joined, ty)
}

fn insert_lanes(editor: &mut Editor<'_, '_>, whole: Value, at: Lanes, part: Value) -> Value {
    let (first, count) = ((at.offset / at.lane) as u32, (at.part_size / at.lane) as u32);
    let ty = editor.body.value_type(whole);
    if count == 1 {
        let lanes = if is_lane(ty, editor.body.value_type(part)) { ty } else { at.lanes };
        let part = convert(editor, part, lanes.lane_type());
        let whole = convert(editor, whole, lanes);
        let index = editor.constant(Type::I64, first.into());
        let joined = editor.op(Op::InsertLane, lanes, &[whole, part, index]);
        return convert(editor, joined, ty);
    }
    let Some(narrow) = vector_of(at.lane, at.part_size) else { return whole };
    let part = convert(editor, part, narrow);
    let whole = convert(editor, whole, at.lanes);
    let total = at.lanes.lanes();
    let inside = |lane: u32| (first..first + count).contains(&lane);
    let spread: Vec<u32> =
        (0..total).map(|lane| if inside(lane) { lane - first } else { ZERO_LANE }).collect();
    let wide = editor.shuffle(at.lanes, part, part, &spread);
    let chosen: Vec<u32> =
        (0..total).map(|lane| if inside(lane) { total + lane } else { lane }).collect();
    let joined = editor.shuffle(at.lanes, whole, wide, &chosen);
    convert(editor, joined, ty)
}

/// Whether [`splat`] can give a value of `ty`.
pub(crate) fn has_splat(types: &TypePool, ty: Type, byte: Option<u8>) -> bool {
    is_plain(types, ty) || (byte == Some(0) && Constant::zero(ty).is_some())
}

/// The value of `ty` each of whose bytes is `byte`, where there
/// [is one](has_splat).
pub(crate) fn splat(editor: &mut Editor<'_, '_>, ty: Type, byte: Value) -> Value {
    let types = &editor.context.module.types;
    let size = size_of(types, ty);
    if let Some(bits) = editor.body.as_scalar_constant(byte) {
        let bytes = vec![bits as u8; size as usize];
        let datum = Datum::from_bytes(types, ty, &bytes);
        return editor.datum(ty, &datum).unwrap_or_else(|| editor.zero(ty));
    }
    match Type::vector(Scalar::I8, size as u32).filter(|_| size > 1) {
        Some(bytes) => {
            let all = editor.op(Op::Splat, bytes, &[byte]);
            convert(editor, all, ty)
        }
        None => convert(editor, byte, ty),
    }
}
