//! Memory that knows its objects: the oracle.

use super::region::{BASE, Life, OBJECT_COST, Object, RED_ZONE, REGION_SIZE, Region};
use super::{AccessKind, Fault, Memory, MemoryError, NewObject, ObjectInfo, ObjectKind};
use crate::module::Content;
use crate::types::Layout;

/// Memory with deterministic addresses that are never used twice, red zones
/// between objects, and lifetimes: an access outside every live object is an
/// error that says what it has missed.
#[derive(Debug)]
pub struct Checked {
    regions: [Region; 5],
    limit: u64,
    /// What live objects count for.
    used: u64,
}

impl Checked {
    /// Empty memory for at most `limit` bytes of live objects, each of which
    /// counts for 128 bytes more than it has.
    pub fn new(limit: u64) -> Checked {
        Checked { regions: ObjectKind::ALL.map(Region::new), limit, used: 0 }
    }

    /// What live objects count for against the limit, in bytes.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The live objects of a kind, by address.
    pub fn objects(&self, kind: ObjectKind) -> impl Iterator<Item = (ObjectInfo, &[u8])> {
        let region = &self.regions[kind as usize];
        let live = region.objects.iter().filter(|object| object.life == Life::Live);
        live.map(|object| (object.info(region.kind), object.bytes.as_slice()))
    }

    fn region(&self, address: u64) -> Option<&Region> {
        let index = address.checked_sub(BASE)? / REGION_SIZE;
        self.regions.get(usize::try_from(index).ok()?)
    }

    fn region_mut(&mut self, address: u64) -> Option<&mut Region> {
        let index = address.checked_sub(BASE)? / REGION_SIZE;
        self.regions.get_mut(usize::try_from(index).ok()?)
    }

    /// The object that holds all of the bytes, and where in it they start.
    fn find(
        &self,
        access: AccessKind,
        address: u64,
        size: u64,
    ) -> Result<(&Object, usize), MemoryError> {
        let error = |fault, object| MemoryError { fault, access, address, size, object };
        let Some(region) = self.region(address) else {
            return Err(error(Fault::NoObject, None));
        };
        let Some(object) = region.below(address).map(|index| &region.objects[index]) else {
            return Err(error(Fault::NoObject, None));
        };
        let offset = address - object.address;
        let fault = if object.life == Life::Over {
            Fault::Freed
        } else if region.kind == ObjectKind::Function {
            Fault::Code
        } else if access == AccessKind::Write && object.content == Content::Constant {
            Fault::Constant
        } else if offset.checked_add(size).is_none_or(|end| end > object.size) {
            Fault::OutOfBounds
        } else {
            return Ok((object, offset as usize));
        };
        // Far behind an object nothing says that it was meant.
        let is_near = offset <= object.size.saturating_add(RED_ZONE);
        let info = is_near.then(|| object.info(region.kind));
        Err(error(if is_near { fault } else { Fault::NoObject }, info))
    }

    fn find_mut(
        &mut self,
        access: AccessKind,
        address: u64,
        size: u64,
    ) -> Result<(&mut Object, usize), MemoryError> {
        let offset = self.find(access, address, size)?.1;
        let error = MemoryError { fault: Fault::NoObject, access, address, size, object: None };
        let region = self.region_mut(address).ok_or(error)?;
        let index = region.below(address).ok_or(error)?;
        Ok((&mut region.objects[index], offset))
    }
}

impl Memory for Checked {
    fn allocate(&mut self, object: &NewObject<'_>) -> Result<u64, MemoryError> {
        let Layout { size, .. } = object.layout;
        let (fault, access) = (Fault::OutOfMemory, AccessKind::Write);
        let full = MemoryError { fault, access, address: 0, size, object: None };
        let used = self.used.checked_add(size).and_then(|used| used.checked_add(OBJECT_COST));
        let used = used.filter(|&used| used <= self.limit).ok_or(full)?;
        let region = &mut self.regions[object.kind as usize];
        let address = region.placement.place(object.layout).ok_or(full)?;
        region.objects.push(Object::new(object, address).ok_or(full)?);
        self.used = used;
        Ok(address)
    }

    fn free(&mut self, address: u64, kind: ObjectKind) -> Result<(), MemoryError> {
        let access = AccessKind::Free;
        let error = |fault, object| MemoryError { fault, access, address, size: 0, object };
        let region = self.region_mut(address).ok_or(error(Fault::NotAllocated, None))?;
        let index = region.below(address).ok_or(error(Fault::NotAllocated, None))?;
        let object = &mut region.objects[index];
        let info = Some(object.info(region.kind));
        if object.address != address || region.kind != kind {
            return Err(error(Fault::NotAllocated, info));
        }
        if object.life == Life::Over {
            return Err(error(Fault::Freed, info));
        }
        object.life = Life::Over;
        object.bytes = Vec::new();
        object.stored = None;
        let size = object.size;
        region.dead += 1;
        region.forget();
        self.used -= size + OBJECT_COST;
        Ok(())
    }

    fn has_lasting_addresses(&self) -> bool {
        true
    }

    fn object_at(&self, address: u64) -> Option<ObjectInfo> {
        let region = self.region(address)?;
        let object = &region.objects[region.below(address)?];
        let inside = object.life == Life::Live && address - object.address <= object.size;
        inside.then(|| object.info(region.kind))
    }

    fn read(&self, address: u64, buffer: &mut [u8]) -> Result<(), MemoryError> {
        let (access, size) = (AccessKind::Read, buffer.len() as u64);
        let (object, offset) = self.find(access, address, size)?;
        if !object.is_stored(offset, buffer.len()) {
            let object = Some(object.info(ObjectKind::Slot));
            let fault = Fault::Uninitialised;
            return Err(MemoryError { fault, access, address, size, object });
        }
        buffer.copy_from_slice(&object.bytes[offset..offset + buffer.len()]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (object, offset) = self.find_mut(AccessKind::Write, address, bytes.len() as u64)?;
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        object.mark_stored(offset, bytes.len());
        Ok(())
    }

    fn initialise(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (object, offset) = self.find_mut(AccessKind::Read, address, bytes.len() as u64)?;
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn reset(&mut self, address: u64) -> Result<(), MemoryError> {
        let (object, _) = self.find_mut(AccessKind::Write, address, 0)?;
        object.bytes.fill(0);
        if let Some(stored) = &mut object.stored {
            stored.fill(false);
        }
        Ok(())
    }

    fn check(&self, access: AccessKind, address: u64, size: u64) -> Result<(), MemoryError> {
        self.find(access, address, size).map(|_| ())
    }

    fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), MemoryError> {
        self.check(AccessKind::Write, to, size)?;
        self.check(AccessKind::Read, from, size)?;
        let mut buffer = vec![0; size as usize];
        self.read(from, &mut buffer)?;
        self.write(to, &buffer)
    }

    fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), MemoryError> {
        let (object, offset) = self.find_mut(AccessKind::Write, to, size)?;
        let size = size as usize;
        object.bytes[offset..offset + size].fill(byte);
        object.mark_stored(offset, size);
        Ok(())
    }
}
