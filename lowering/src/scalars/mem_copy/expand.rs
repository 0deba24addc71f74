//! Copies and fills of a few bytes by loads and stores.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::forward::at;
use crate::pass::PassContext;

/// So many pieces are cheaper than a call, and stand in registers at once.
const MOST_PIECES: usize = 4;

/// A value that is moved as one, at that many bytes from the beginning.
type Piece = (Type, u64);

/// Puts loads and stores in the place of a copy, or stores in that of a fill, of few bytes;
/// says whether it did.
pub(super) fn expand(body: &mut Body, context: &mut PassContext<'_>, inst: Inst) -> bool {
    let &[to, from, length] = body.args(inst) else { return false };
    let Some(access) = body.inst(inst).access().copied() else { return false };
    let is_copy = body.inst(inst).op == Op::MemCopy;
    let is_plain = |value: Value| body.value_type(value) == Type::PTR;
    let Some(length) = body.as_scalar_constant(length) else { return false };
    let Some(pieces) = pieces(length as u64) else { return false };
    if access.flags.contains(AccessFlags::VOLATILE)
        || access.offset != 0
        || !is_plain(to)
        || (is_copy && !is_plain(from))
    {
        return false;
    }
    let byte = if is_copy { None } else { body.as_scalar_constant(from) };
    if !is_copy && byte.is_none() {
        return false;
    }
    // All is read before anything is written: the two may overlap.
    let values: SmallVec<[Value; MOST_PIECES]> = pieces
        .iter()
        .filter_map(|&(ty, offset)| match byte {
            Some(byte) => repeated(body, ty, byte as u8),
            None => load(body, inst, (ty, offset), from, &access),
        })
        .collect();
    if values.len() < pieces.len() {
        return false;
    }
    for (&(ty, offset), &value) in pieces.iter().zip(&values) {
        let place = at(body, inst, to, offset as i64);
        let args = body.list(&[value, place]);
        add(body, inst, InstData::new(Op::Store, ty, args, piece_access(&access, offset)), None);
    }
    context.trace(format_args!("{inst} moves {} pieces", pieces.len()));
    body.remove_inst(inst);
    true
}

/// The pieces of so many bytes, the largest first; nothing if these are too many.
fn pieces(mut length: u64) -> Option<SmallVec<[Piece; MOST_PIECES]>> {
    let vector = Type::vector(Scalar::I64, 2)?;
    let sizes = [(vector, 16), (Type::I64, 8), (Type::I32, 4), (Type::I16, 2), (Type::I8, 1)];
    let mut pieces = SmallVec::new();
    let mut offset = 0;
    for (ty, size) in sizes {
        while length >= size {
            if pieces.len() == MOST_PIECES {
                return None;
            }
            pieces.push((ty, offset));
            (offset, length) = (offset + size, length - size);
        }
    }
    Some(pieces)
}

/// The constant of the type with that byte everywhere.
fn repeated(body: &mut Body, ty: Type, byte: u8) -> Option<Value> {
    let bits = u128::from_le_bytes([byte; 16]);
    let constant = match ty.is_vector() {
        true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
        false => Constant::scalar(ty, bits),
    };
    Some(body.constant(constant?))
}

/// What the whole promises of a piece.
fn piece_access(access: &Access, offset: u64) -> Payload {
    let align_log2 = access.align_log2.min(offset.trailing_zeros() as u8);
    Payload::Access(Access { align_log2, flags: AccessFlags::empty(), ..*access })
}

fn load(
    body: &mut Body,
    inst: Inst,
    (ty, offset): Piece,
    from: Value,
    access: &Access,
) -> Option<Value> {
    let place = at(body, inst, from, offset as i64);
    let args = body.list(&[place]);
    let data = InstData::new(Op::Load, ty, args, piece_access(access, offset));
    let added = add(body, inst, data, Some(ty));
    body.result(added)
}

fn add(body: &mut Body, before: Inst, data: InstData, result: Option<Type>) -> Inst {
    let data = InstData { loc: body.loc(before), ..data };
    body.insert_inst(before, data, result.as_slice())
}
