//! Loads and stores by address, and the promises about them.

use super::{Flow, Machine, Stop};
use crate::attribute::AccessFlags;
use crate::constant::mask;
use crate::datum::Datum;
use crate::instruction::Access;
use crate::interpret::code::{Code, Step};
use crate::interpret::memory::{AccessKind, ObjectKind};
use crate::module::{Content, MemoryEffects};
use crate::types::Type;

type Done = Result<Flow, Stop>;

/// How many invariant loads of an activation are compared with later ones.
const REMEMBERED_INVARIANTS: usize = 256;

/// The largest value that stands in memory as it is, in bytes.
const MAX_SIZE: usize = Type::MAX_VECTOR_BITS as usize / 8;

/// `load`.
pub(in crate::interpret) fn load<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.address(code, step, 0)?;
    let value = machine.read_promised(code, step, address)?;
    machine.check_loaded(step, address, &value)?;
    machine.give(step, value)
}

/// `store`.
pub(in crate::interpret) fn store<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.address(code, step, 1)?;
    let value = machine.operand(code, step, 0).clone();
    machine.write_promised(code, step, address, &value)?;
    Ok(Flow::Next)
}

/// `masked_load`.
pub(in crate::interpret) fn masked_load<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.address(code, step, 1)?;
    let mask = machine.operand(code, step, 0).clone();
    let mut lanes: Box<[u128]> = machine.operand(code, step, 2).lanes().into();
    let size = code.types.layout(step.data.ty.lane_type()).size;
    for (lane, at) in machine.masked_lanes(step, &mask, address) {
        let value = machine.read(code, step.data.ty.lane_type(), at)?.bits();
        machine.check_alias(code, step, at, size)?;
        if let Some(place) = lanes.get_mut(lane) {
            *place = value;
        }
    }
    machine.give(step, Datum::Lanes(lanes))
}

/// `masked_store`.
pub(in crate::interpret) fn masked_store<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.address(code, step, 2)?;
    let mask = machine.operand(code, step, 0).clone();
    let value = machine.operand(code, step, 1).clone();
    let lanes = machine.masked_lanes(step, &mask, address);
    // All or nothing: a trap leaves no lane behind.
    let size = code.types.layout(step.data.ty.lane_type()).size;
    for &(_, at) in &lanes {
        machine.reach(AccessKind::Write, at, size)?;
        machine.check_alias(code, step, at, size)?;
    }
    for (lane, at) in lanes {
        let bits = value.lanes().get(lane).copied().unwrap_or(0);
        machine.write(code, step.data.ty.lane_type(), at, &Datum::Scalar(bits))?;
    }
    Ok(Flow::Next)
}

impl<'m> Machine<'m> {
    /// The address that an access names by the operand of that index.
    pub(super) fn address(
        &self,
        code: &Code<'m>,
        step: &Step<'m>,
        index: usize,
    ) -> Result<u64, Stop> {
        let access = step.data.access().copied().unwrap_or_default();
        let base = self.bits(code, step, index) as u64;
        let address = base.wrapping_add_signed(access.offset.into());
        check_alignment(&access, address)?;
        Ok(address)
    }

    /// The numbers and addresses of the lanes where the mask is true.
    fn masked_lanes(&self, step: &Step<'m>, mask: &Datum, address: u64) -> Vec<(usize, u64)> {
        let bytes = step.data.ty.lane().map_or(0, |lane| lane.layout().size);
        let at = |lane: usize| address.wrapping_add(lane as u64 * bytes);
        let lanes = mask.lanes().iter().enumerate().filter(|(_, bit)| **bit & 1 == 1);
        lanes.map(|(lane, _)| (lane, at(lane))).collect()
    }

    /// Reads a value, if the promises of the present function allow it.
    pub(super) fn read(&mut self, code: &Code<'m>, ty: Type, address: u64) -> Result<Datum, Stop> {
        let mut buffer = [0; MAX_SIZE];
        let bytes = &mut buffer[..size_of_value(code, ty)];
        self.guard(AccessKind::Read, address, bytes.len() as u64)?;
        self.memory.read(address, bytes)?;
        Ok(Datum::from_bytes(code.types, ty, bytes))
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
        Ok(self.memory.write(address, bytes)?)
    }

    /// Reads the value of a load, if the access keeps its promises.
    pub(super) fn read_promised(
        &mut self,
        code: &Code<'m>,
        step: &Step<'m>,
        address: u64,
    ) -> Result<Datum, Stop> {
        let value = self.read(code, step.data.ty, address)?;
        self.check_alias(code, step, address, size_of_value(code, step.data.ty) as u64)?;
        Ok(value)
    }

    /// Writes the value of a store, if the access keeps its promises.
    pub(super) fn write_promised(
        &mut self,
        code: &Code<'m>,
        step: &Step<'m>,
        address: u64,
        value: &Datum,
    ) -> Result<(), Stop> {
        self.check_alias(code, step, address, size_of_value(code, step.data.ty) as u64)?;
        self.write(code, step.data.ty, address, value)
    }

    /// Refuses an access that a function being executed has promised not to make.
    pub(super) fn guard(&self, access: AccessKind, address: u64, size: u64) -> Result<(), Stop> {
        let Some(top) = self.activations.last() else { return Ok(()) };
        let is_allowed = match top.effects {
            MemoryEffects::Any => true,
            MemoryEffects::ReadOnly => access == AccessKind::Read,
            MemoryEffects::None => false,
        };
        if is_allowed || self.is_own_slot(top.own_slots, address) {
            return Ok(());
        }
        // What never changes reads as a part of the function.
        let object = self.memory.object_at(address).filter(|o| o.kind == ObjectKind::Data);
        let data = object.and_then(|object| self.program.data.get(object.tag as usize));
        if access == AccessKind::Read && data.is_some_and(|d| d.content == Content::Constant) {
            return Ok(());
        }
        let deed = if access == AccessKind::Read { "reads" } else { "writes" };
        let detail = format!(
            "@{}, or what it was called by, promises to leave memory alone, and {deed} {size} bytes at {address:#x}",
            top.code.name
        );
        Err(Stop::broken_promise(detail))
    }

    /// Refuses an access that is not allowed, or that goes nowhere.
    pub(super) fn reach(&self, access: AccessKind, address: u64, size: u64) -> Result<(), Stop> {
        self.guard(access, address, size)?;
        Ok(self.memory.check(access, address, size)?)
    }

    fn is_own_slot(&self, own_slots: usize, address: u64) -> bool {
        let object = self.memory.object_at(address);
        object.is_some_and(|object| {
            object.kind == ObjectKind::Slot && self.slots[own_slots..].contains(&object.address)
        })
    }

    /// Compares what was loaded with what the access promises.
    fn check_loaded(&mut self, step: &Step<'m>, address: u64, value: &Datum) -> Result<(), Stop> {
        let flags = step.data.access().map_or(AccessFlags::empty(), |access| access.flags);
        if flags.contains(AccessFlags::NON_NULL) && value.lanes().contains(&0) {
            return Err(Stop::broken_promise("a load that is `nonnull` gives null"));
        }
        if !flags.contains(AccessFlags::INVARIANT) {
            return Ok(());
        }
        let ty = step.data.ty;
        let known = &mut self.top()?.invariants;
        match known.iter().find(|(at, of, _)| *at == address && *of == ty) {
            Some((_, _, before)) if before != value => {
                let detail = format!("an `invariant` load at {address:#x} gives another value");
                Err(Stop::broken_promise(detail))
            }
            Some(_) => Ok(()),
            None => {
                if known.len() < REMEMBERED_INVARIANTS {
                    known.push((address, ty, value.clone()));
                }
                Ok(())
            }
        }
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
