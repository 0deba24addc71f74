//! Allocation, and bytes at addresses.

use super::{Args, Given, Model, NOTHING, charge_bytes, write};
use crate::interpret::host::{HostCall, HostError};
use crate::interpret::memory::{AccessKind, NewObject, ObjectKind};
use crate::types::Layout;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("free", free),
    ("aligned_alloc", aligned_alloc),
    ("posix_memalign", posix_memalign),
    // What C++ throws; a throw itself stops the program.
    ("__cxa_allocate_exception", malloc),
    ("__cxa_free_exception", free),
    ("memcpy", memmove),
    ("memmove", memmove),
    ("memset", memset),
    ("memcmp", memcmp),
    ("memchr", memchr),
];

const EINVAL: i32 = 22;
const ENOMEM: i32 = 12;

/// What `malloc` aligns to.
const ALIGN: u64 = 16;

/// A new heap object; null when there is no room for it.
pub(super) fn allocate(
    call: &mut HostCall<'_, '_>,
    size: u64,
    align: u64,
) -> Result<u64, HostError> {
    let layout = Layout { size, align };
    let object = NewObject::zeroed(ObjectKind::Heap, layout, 0);
    let Ok(address) = call.memory().allocate(&object) else { return Ok(0) };
    charge_bytes(call, size)?;
    Ok(address)
}

fn malloc(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    Ok(allocate(call, args.word(0), ALIGN)?.into())
}

fn calloc(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    match args.word(0).checked_mul(args.word(1)) {
        Some(size) => Ok(allocate(call, size, ALIGN)?.into()),
        None => NOTHING,
    }
}

fn release(call: &mut HostCall<'_, '_>, address: u64) -> Result<(), HostError> {
    Ok(call.memory().free(address, ObjectKind::Heap)?)
}

fn free(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    if args.word(0) != 0 {
        release(call, args.word(0))?;
    }
    NOTHING
}

fn realloc(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (old, size) = (args.word(0), args.word(1));
    let kept = match call.memory().object_at(old) {
        Some(object) => object.size.min(size),
        None => 0,
    };
    let new = allocate(call, size, ALIGN)?;
    if old != 0 && new != 0 {
        charge_bytes(call, kept)?;
        if kept != 0 {
            call.memory().copy(new, old, kept)?;
        }
        release(call, old)?;
    }
    Ok(new.into())
}

fn aligned_alloc(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let align = args.word(0);
    let is_sound = align.is_power_of_two() && align <= 1 << 20;
    Ok(if is_sound { allocate(call, args.word(1), align)? } else { 0 }.into())
}

fn posix_memalign(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (place, align) = (args.word(0), args.word(1));
    if !align.is_power_of_two() || !(8..=1 << 20).contains(&align) {
        return Ok(EINVAL.into());
    }
    match allocate(call, args.word(2), align)? {
        0 => Ok(ENOMEM.into()),
        address => {
            write(call, place, &address.to_le_bytes())?;
            NOTHING
        }
    }
}

/// `memcpy` too: what overlaps is copied as if it did not.
fn memmove(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (to, from, size) = (args.word(0), args.word(1), args.word(2));
    if size != 0 {
        call.memory().check(AccessKind::Write, to, size)?;
        call.memory().check(AccessKind::Read, from, size)?;
        charge_bytes(call, size)?;
        call.memory().copy(to, from, size)?;
    }
    Ok(to.into())
}

fn memset(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (to, byte, size) = (args.word(0), args.int(1) as u8, args.word(2));
    if size != 0 {
        call.memory().check(AccessKind::Write, to, size)?;
        charge_bytes(call, size)?;
        call.memory().fill(to, byte, size)?;
    }
    Ok(to.into())
}

fn memcmp(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (left, right, size) = (args.word(0), args.word(1), args.word(2));
    for address in [left, right].into_iter().filter(|_| size != 0) {
        call.memory().check(AccessKind::Read, address, size)?;
    }
    charge_bytes(call, size)?;
    Ok((call.machine().compare(left, right, size)? as i32).into())
}

/// Reads no further than the byte that it finds, as C demands.
fn memchr(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (start, wanted, size) = (args.word(0), args.int(1) as u8, args.word(2));
    for offset in 0..size {
        let address = start.wrapping_add(offset);
        if super::byte_at(call, address)? == wanted {
            return Ok(address.into());
        }
    }
    NOTHING
}
