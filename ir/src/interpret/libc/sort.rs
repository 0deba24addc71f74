//! Sorting and searching by a comparison of the program's own.

use super::{Args, Given, Model, NOTHING, charge_bytes, memory};
use crate::datum::Datum;
use crate::interpret::host::{HostCall, HostError};
use crate::interpret::memory::ObjectKind;
use crate::trap::TrapCode;

pub(super) const MODELS: &[(&str, Model)] = &[("qsort", qsort), ("bsearch", bsearch)];

/// What the program's comparison says of two elements.
fn compare(
    call: &mut HostCall<'_, '_>,
    function: u64,
    left: u64,
    right: u64,
) -> Result<i32, HostError> {
    let results = call.call(function, &[Datum::from(left), Datum::from(right)])?;
    Ok(results.first().map_or(0, Datum::bits) as i32)
}

/// Sorts a copy's indices, so that the comparison sees every element whole
/// and in one place; equal elements keep their order.
fn qsort(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (base, count, size, function) = (args.word(0), args.word(1), args.word(2), args.word(3));
    let Some(bytes) = count.checked_mul(size).filter(|&bytes| bytes != 0 && count > 1) else {
        return NOTHING;
    };
    call.memory().check(crate::interpret::AccessKind::Write, base, bytes)?;
    let copy = memory::allocate(call, bytes, 16)?;
    if copy == 0 {
        return Err(HostError::failed("`qsort` has no room for a copy"));
    }
    // There and back.
    charge_bytes(call, bytes.saturating_mul(2))?;
    call.memory().copy(copy, base, bytes)?;
    let order = sorted(call, copy, count, size, function);
    let moved = order.and_then(|order| {
        (0..).zip(order).try_for_each(|(index, from)| {
            Ok(call.memory().copy(base + index * size, copy + from * size, size)?)
        })
    });
    call.memory().free(copy, ObjectKind::Heap)?;
    moved.and(NOTHING)
}

/// Merges runs of twice the length until there is one.
fn sorted(
    call: &mut HostCall<'_, '_>,
    base: u64,
    count: u64,
    size: u64,
    function: u64,
) -> Result<Vec<u64>, HostError> {
    // Beside the elements, their order takes room.
    if count > call.machine().limits.memory / 16 {
        return Err(HostError::Trap(TrapCode::OutOfMemory));
    }
    let mut order: Vec<u64> = (0..count).collect();
    let mut run = 1;
    while run < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(run * 2) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let ([a, ..], [b, ..]) = (left, right) {
                let is_below = compare(call, function, base + b * size, base + a * size)? < 0;
                let taken = if is_below { &mut right } else { &mut left };
                merged.push(taken[0]);
                *taken = &taken[1..];
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        run *= 2;
    }
    Ok(order)
}

fn bsearch(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (key, base, size) = (args.word(0), args.word(1), args.word(3));
    let (mut low, mut high) = (0, args.word(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.wrapping_add(middle.wrapping_mul(size));
        match compare(call, args.word(4), key, element)? {
            0 => return Ok(element.into()),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    NOTHING
}
