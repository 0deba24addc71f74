//! Ops that move lanes, fields and bits about without computing on them.

use super::{Operation, operand};
use crate::constant::mask;
use crate::datum::Datum;
use crate::instruction::ZERO_LANE;
use crate::trap::TrapCode;

type Moved = Result<Datum, TrapCode>;

/// `expect` and the casts that keep every bit.
pub(in crate::interpret) fn first_operand(_: &Operation<'_>, operands: &[&Datum]) -> Moved {
    Ok(operand(operands, 0).clone())
}

/// `select`.
pub(in crate::interpret) fn select(_: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let chosen = if operand(operands, 0).bits() & 1 == 1 { 1 } else { 2 };
    Ok(operand(operands, chosen).clone())
}

/// `vec_select`.
pub(in crate::interpret) fn vec_select(_: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let [mask, yes, no] = [0, 1, 2].map(|index| operand(operands, index).lanes());
    let lanes = mask.iter().zip(yes.iter().zip(no));
    Ok(Datum::Lanes(lanes.map(|(&bit, (&yes, &no))| if bit & 1 == 1 { yes } else { no }).collect()))
}

/// `make_aggregate` and `make_vector`.
pub(in crate::interpret) fn make(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    Ok(if operation.ty.is_vector() {
        Datum::Lanes(operands.iter().map(|operand| operand.bits()).collect())
    } else {
        Datum::Fields(operands.iter().map(|&operand| operand.clone()).collect())
    })
}

/// `extract_value`.
pub(in crate::interpret) fn extract_value(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let mut part = operand(operands, 0);
    for &index in operation.immediates {
        part = match part {
            Datum::Fields(fields) => fields.get(index as usize).unwrap_or(&super::ZERO),
            _ => &super::ZERO,
        };
    }
    Ok(part.clone())
}

/// `insert_value`.
pub(in crate::interpret) fn insert_value(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let mut whole = operand(operands, 0).clone();
    let mut part = Some(&mut whole);
    for &index in operation.immediates {
        part = match part {
            Some(Datum::Fields(fields)) => fields.get_mut(index as usize),
            _ => None,
        };
    }
    if let Some(part) = part {
        *part = operand(operands, 1).clone();
    }
    Ok(whole)
}

/// `splat`.
pub(in crate::interpret) fn splat(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let count = operation.ty.lanes() as usize;
    Ok(Datum::Lanes(vec![operand(operands, 0).bits(); count].into()))
}

/// The lane of that index, read as unsigned.
fn lane_at(lanes: &[u128], index: &Datum) -> Result<usize, TrapCode> {
    let index = usize::try_from(index.bits()).ok().filter(|&index| index < lanes.len());
    index.ok_or(TrapCode::Bounds)
}

/// `extract_lane`.
pub(in crate::interpret) fn extract_lane(_: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let lanes = operand(operands, 0).lanes();
    Ok(Datum::Scalar(lanes[lane_at(lanes, operand(operands, 1))?]))
}

/// `insert_lane`.
pub(in crate::interpret) fn insert_lane(_: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let mut lanes: Box<[u128]> = operand(operands, 0).lanes().into();
    let index = lane_at(&lanes, operand(operands, 2))?;
    lanes[index] = operand(operands, 1).bits();
    Ok(Datum::Lanes(lanes))
}

/// `shuffle`.
pub(in crate::interpret) fn shuffle(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let (a, b) = (operand(operands, 0).lanes(), operand(operands, 1).lanes());
    let lane = |&index: &u32| match index {
        ZERO_LANE => 0,
        index => a.iter().chain(b).nth(index as usize).copied().unwrap_or(0),
    };
    Ok(Datum::Lanes(operation.immediates.iter().map(lane).collect()))
}

/// `bitcast`: the lanes laid end to end, lane 0 lowest, and cut up anew.
pub(in crate::interpret) fn bitcast(operation: &Operation<'_>, operands: &[&Datum]) -> Moved {
    let types = operation.shape().types;
    let (from, to) = (types.from.bits(), types.to.bits());
    let mut joined = [0; 512 / 8];
    for (index, &lane) in operand(operands, 0).lanes().iter().enumerate() {
        put_bits(&mut joined, index as u32 * from, from, lane);
    }
    Ok(if operation.ty.is_vector() {
        let lanes = 0..operation.ty.lanes();
        Datum::Lanes(lanes.map(|index| get_bits(&joined, index * to, to)).collect())
    } else {
        Datum::Scalar(get_bits(&joined, 0, to))
    })
}

/// Lanes of whole bytes stand at whole bytes, and those of a mask have one bit.
fn put_bits(bytes: &mut [u8], at: u32, count: u32, value: u128) {
    let (start, size) = ((at / 8) as usize, count.div_ceil(8) as usize);
    let Some(place) = bytes.get_mut(start..start + size) else { return };
    if count == 1 {
        place[0] |= (value as u8 & 1) << (at % 8);
    } else {
        place.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

fn get_bits(bytes: &[u8], at: u32, count: u32) -> u128 {
    let (start, size) = ((at / 8) as usize, count.div_ceil(8) as usize);
    let mut value = [0; 16];
    value[..size].copy_from_slice(bytes.get(start..start + size).unwrap_or(&[0; 16][..size]));
    (u128::from_le_bytes(value) >> (at % 8)) & mask(count)
}
