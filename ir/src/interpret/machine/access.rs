//! Loads and stores by address, and the promises about them.

use std::fmt;

use super::{Activation, Flow, Machine, Site, Stop};
use crate::attribute::AccessFlags;
use crate::constant::mask;
use crate::datum::Datum;
use crate::instruction::{Access, Payload};
use crate::interpret::code::Code;
use crate::interpret::memory::{AccessKind, Fault, ObjectKind};
use crate::module::{Content, MemoryEffects};
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::Type;

type Done = Result<Flow, Stop>;

/// Bytes that are read as one from memory that cannot be written, too.
const LARGEST_ATOMIC_READ: u64 = 8;

/// The largest value that stands in memory as it is, in bytes.
const MAX_SIZE: usize = Type::MAX_VECTOR_BITS as usize / 8;

/// `load` and `atomic_load`.
pub(in crate::interpret) fn load<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.address(site, 0)?;
    let size = size_of_value(site.code, site.step.data.ty) as u64;
    // Code of x86-64 reads 16 bytes as one by putting back what it finds.
    if site.step.data.op == Op::AtomicLoad && size > LARGEST_ATOMIC_READ {
        machine.memory.check(AccessKind::Write, address, size)?;
    }
    let value = machine.read_promised(site, address)?;
    machine.check_loaded(site, address, &value)?;
    machine.give(site, value)
}

/// `store` and `atomic_store`.
pub(in crate::interpret) fn store<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.address(site, 1)?;
    let value = machine.operand(site, 0).clone();
    machine.write_promised(site, address, &value)?;
    Ok(Flow::Next)
}

/// `masked_load`.
pub(in crate::interpret) fn masked_load<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let mut lanes: Box<[u128]> = machine.operand(site, 2).lanes().into();
    let ty = site.step.data.ty.lane_type();
    for (lane, address) in machine.masked_lanes(site, 1)? {
        let value = machine.read(site.code, ty, address)?.bits();
        machine.check_alias(site, address, size_of_value(site.code, ty) as u64)?;
        if let Some(place) = lanes.get_mut(lane) {
            *place = value;
        }
    }
    machine.give(site, Datum::Lanes(lanes))
}

/// `masked_store`.
pub(in crate::interpret) fn masked_store<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let ty = site.step.data.ty.lane_type();
    let lanes = machine.masked_lanes(site, 2)?;
    // All or nothing: a trap leaves no lane behind.
    for &(_, address) in &lanes {
        machine.reach(site, AccessKind::Write, address, size_of_value(site.code, ty) as u64)?;
    }
    for (lane, address) in lanes {
        let bits = machine.operand(site, 1).lanes().get(lane).copied().unwrap_or(0);
        machine.write(site.code, ty, address, &Datum::Scalar(bits))?;
    }
    Ok(Flow::Next)
}

impl<'m> Machine<'m> {
    /// The address that an access names by the operand of that index.
    pub(super) fn address(&self, site: Site<'_, 'm>, index: usize) -> Result<u64, Stop> {
        let access = site.step.data.access().copied().unwrap_or_default();
        let address = (self.bits(site, index) as u64).wrapping_add_signed(access.offset.into());
        let is_atomic = !matches!(site.step.data.payload, Payload::Access(_));
        // The trap of the op comes before any promise about the access.
        if is_atomic && !address.is_multiple_of(size_of_value(site.code, site.step.data.ty) as u64)
        {
            return Err(TrapCode::MisalignedAtomic.into());
        }
        check_alignment(&access, address)?;
        Ok(address)
    }

    /// The numbers and addresses of the lanes where the mask, the first
    /// operand, is true.
    fn masked_lanes(&self, site: Site<'_, 'm>, address: usize) -> Result<Vec<(usize, u64)>, Stop> {
        let address = self.address(site, address)?;
        let bytes = size_of_value(site.code, site.step.data.ty.lane_type()) as u64;
        let at = |lane: usize| address.wrapping_add(lane as u64 * bytes);
        let lanes = self.operand(site, 0).lanes().iter().enumerate();
        Ok(lanes.filter(|(_, bit)| **bit & 1 == 1).map(|(lane, _)| (lane, at(lane))).collect())
    }

    /// Reads a value, if the promises of the present function allow it.
    pub(super) fn read(&mut self, code: &Code<'m>, ty: Type, address: u64) -> Result<Datum, Stop> {
        let mut buffer = [0; MAX_SIZE];
        let bytes = &mut buffer[..size_of_value(code, ty)];
        self.guard(AccessKind::Read, address, bytes.len() as u64)?;
        match self.memory.read(address, bytes) {
            Err(error) if ty.is_vector() && error.fault == Fault::Uninitialised => {
                self.read_stored(address, bytes)?;
            }
            read => read?,
        }
        Ok(Datum::from_bytes(code.types, ty, bytes))
    }

    /// Reads what was stored of a vector: lanes of which nothing was hold anything, and zeros here.
    fn read_stored(&self, address: u64, bytes: &mut [u8]) -> Result<(), Stop> {
        for (address, byte) in (address..).zip(bytes) {
            match self.memory.read(address, std::slice::from_mut(byte)) {
                Err(error) if error.fault == Fault::Uninitialised => {}
                read => read?,
            }
        }
        Ok(())
    }

    /// Writes a value, if the promises of the present function allow it.
    pub(super) fn write(
        &mut self,
        code: &Code<'m>,
        ty: Type,
        address: u64,
        value: &Datum,
    ) -> Result<(), Stop> {
        let mut buffer = [0; MAX_SIZE];
        let bytes = &mut buffer[..size_of_value(code, ty)];
        value.write_bytes(code.types, ty, bytes);
        self.guard(AccessKind::Write, address, bytes.len() as u64)?;
        self.change(address, bytes.len() as u64, |memory| memory.write(address, bytes))
    }

    /// Reads the value of a load, if the access keeps its promises.
    pub(super) fn read_promised(
        &mut self,
        site: Site<'_, 'm>,
        address: u64,
    ) -> Result<Datum, Stop> {
        let ty = site.step.data.ty;
        let value = self.read(site.code, ty, address)?;
        self.check_alias(site, address, size_of_value(site.code, ty) as u64)?;
        Ok(value)
    }

    /// Writes the value of a store, if the access keeps its promises.
    pub(super) fn write_promised(
        &mut self,
        site: Site<'_, 'm>,
        address: u64,
        value: &Datum,
    ) -> Result<(), Stop> {
        let ty = site.step.data.ty;
        self.check_alias(site, address, size_of_value(site.code, ty) as u64)?;
        self.write(site.code, ty, address, value)
    }

    /// Refuses an access that a function being executed has promised not to make.
    fn guard(&mut self, access: AccessKind, address: u64, size: u64) -> Result<(), Stop> {
        let Some(top) = self.activations.last() else { return Ok(()) };
        let is_allowed = match top.effects {
            MemoryEffects::Any => true,
            MemoryEffects::ReadOnly => access == AccessKind::Read,
            MemoryEffects::None => false,
        };
        let own_slots = top.own_slots;
        if is_allowed || self.is_own_slot(own_slots, address)? {
            return Ok(());
        }
        // What never changes reads as a part of the function.
        let object = self.memory.object_at(address).filter(|o| o.kind == ObjectKind::Data);
        let data = object.and_then(|object| self.program.data.get(object.tag as usize));
        if access == AccessKind::Read && data.is_some_and(|d| d.content == Content::Constant) {
            return Ok(());
        }
        let deed = if access == AccessKind::Read { "reads" } else { "writes" };
        Err(self.broken_memory_promise(format_args!("{deed} {size} bytes at {address:#x}")))
    }

    /// Refuses what changes, or depends on, more than memory that accesses reach: such calls would
    /// not be alike, whatever is in memory.
    pub(super) fn guard_state(&self, by: Option<&Activation<'_>>, deed: &str) -> Result<(), Stop> {
        match by.is_some_and(|by| by.effects != MemoryEffects::Any) {
            true => Err(self.broken_memory_promise(format_args!("{deed}"))),
            false => Ok(()),
        }
    }

    fn broken_memory_promise(&self, deed: fmt::Arguments<'_>) -> Stop {
        let name = self.activations.last().map_or("", |top| top.code.name);
        let detail = format!(
            "@{name}, or what it was called by, promises to leave memory alone, and {deed}"
        );
        Stop::broken_promise(detail)
    }

    /// Refuses an access that is not allowed, that goes nowhere, or that breaks
    /// a promise of another.
    pub(super) fn reach(
        &mut self,
        site: Site<'_, 'm>,
        access: AccessKind,
        address: u64,
        size: u64,
    ) -> Result<(), Stop> {
        self.guard(access, address, size)?;
        self.memory.check(access, address, size)?;
        self.check_alias(site, address, size)
    }

    /// Searches slots from the innermost on, which it mostly is, and takes steps
    /// for many of them.
    fn is_own_slot(&mut self, own_slots: usize, address: u64) -> Result<bool, Stop> {
        const SLOTS_A_STEP: usize = 64;
        let object = self.memory.object_at(address);
        let Some(object) = object.filter(|object| object.kind == ObjectKind::Slot) else {
            return Ok(false);
        };
        let mut own = self.slots[own_slots..].iter().rev();
        let found = own.position(|&slot| slot == object.address);
        let searched = found.unwrap_or(self.slots.len() - own_slots);
        self.charge((searched / SLOTS_A_STEP) as u64)?;
        Ok(found.is_some())
    }

    /// Compares what was loaded with what the access promises.
    fn check_loaded(
        &mut self,
        site: Site<'_, 'm>,
        address: u64,
        value: &Datum,
    ) -> Result<(), Stop> {
        let flags = site.step.data.access().map_or(AccessFlags::empty(), |access| access.flags);
        if flags.contains(AccessFlags::NON_NULL) && value.lanes().contains(&0) {
            return Err(Stop::broken_promise("a load that is `nonnull` gives null"));
        }
        self.check_invariant(site, address, value)
    }
}

/// Bytes of a value that stands in memory as it is.
pub(super) fn size_of_value(code: &Code<'_>, ty: Type) -> usize {
    code.types.layout(ty).size.min(MAX_SIZE as u64) as usize
}

pub(super) fn check_alignment(access: &Access, address: u64) -> Result<(), Stop> {
    let promised = 1u64 << access.align_log2.min(63);
    if u128::from(address) & mask(access.align_log2.into()) == 0 {
        return Ok(());
    }
    Err(Stop::broken_promise(format!("{address:#x} is no multiple of {promised}")))
}
