//! The memory of the process itself.

use std::alloc::{alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use super::{AccessKind, Fault, Memory, MemoryError, NewObject, ObjectInfo, ObjectKind};

/// Nothing is mapped below: what an offset from null leads to.
const FIRST_ADDRESS: u64 = 0x1_0000;

#[derive(Debug)]
struct Allocation {
    layout: std::alloc::Layout,
    info: ObjectInfo,
}

/// The memory of the process: shares data with compiled code, and trusts every
/// address but those near null.
#[derive(Debug)]
pub struct Host {
    known: FxHashMap<Box<str>, u64>,
    allocations: BTreeMap<u64, Allocation>,
    limit: u64,
    used: u64,
}

impl Host {
    /// The memory of the process, with room for at most `limit` bytes of new
    /// objects.
    ///
    /// # Safety
    /// The program that is interpreted accesses only its own objects and what
    /// the embedder lets it, and keeps its promises; no other thread writes to
    /// what it reads, nor reads what it writes, while it runs.
    pub unsafe fn new(limit: u64) -> Host {
        let (known, allocations) = (FxHashMap::default(), BTreeMap::new());
        Host { known, allocations, limit, used: 0 }
    }

    /// Puts the data object or function of that name at `address`, where it
    /// already is; its bytes stay what they are.
    ///
    /// # Safety
    /// There are as many bytes as the program's declaration says, aligned as
    /// it says, for as long as this lives.
    pub unsafe fn share(&mut self, name: &str, address: u64) {
        self.known.insert(name.into(), address);
    }

    fn refuse(fault: Fault, access: AccessKind, address: u64, size: u64) -> MemoryError {
        MemoryError { fault, access, address, size, object: None }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for (&address, allocation) in &self.allocations {
            // SAFETY: `allocate` made it with that layout, and `free` takes
            // what it frees out of the map.
            unsafe { dealloc(address as usize as *mut u8, allocation.layout) };
        }
    }
}

impl Memory for Host {
    fn allocate(&mut self, object: &NewObject<'_>) -> Result<u64, MemoryError> {
        if let Some(&address) = self.known.get(object.name).filter(|_| !object.name.is_empty()) {
            return Ok(address);
        }
        let size = object.layout.size;
        let full = Host::refuse(Fault::OutOfMemory, AccessKind::Write, 0, size);
        let used = self.used.checked_add(size).filter(|&used| used <= self.limit).ok_or(full)?;
        let bytes = usize::try_from(size).map_err(|_| full)?.max(1);
        let align = object.layout.align.max(16) as usize;
        let layout = std::alloc::Layout::from_size_align(bytes, align).map_err(|_| full)?;
        // SAFETY: the layout has at least one byte.
        let pointer = unsafe { alloc_zeroed(layout) };
        if pointer.is_null() {
            return Err(full);
        }
        let address = pointer as usize as u64;
        let info = ObjectInfo { kind: object.kind, address, size, tag: object.tag };
        self.allocations.insert(address, Allocation { layout, info });
        self.used = used;
        Ok(address)
    }

    fn free(&mut self, address: u64, kind: ObjectKind) -> Result<(), MemoryError> {
        let refused = Host::refuse(Fault::NotAllocated, AccessKind::Free, address, 0);
        if self.allocations.get(&address).is_none_or(|a| a.info.kind != kind) {
            return Err(refused);
        }
        let allocation = self.allocations.remove(&address).ok_or(refused)?;
        self.used -= allocation.info.size;
        // SAFETY: `allocate` made it with that layout, and it is out of the map.
        unsafe { dealloc(address as usize as *mut u8, allocation.layout) };
        Ok(())
    }

    fn has_lasting_addresses(&self) -> bool {
        false
    }

    fn object_at(&self, address: u64) -> Option<ObjectInfo> {
        let (_, allocation) = self.allocations.range(..=address).next_back()?;
        (address - allocation.info.address <= allocation.info.size).then_some(allocation.info)
    }

    fn read(&self, address: u64, buffer: &mut [u8]) -> Result<(), MemoryError> {
        self.check(AccessKind::Read, address, buffer.len() as u64)?;
        let from = address as usize as *mut u8;
        let aligned = address.is_multiple_of(buffer.len().max(1) as u64);
        // SAFETY: the program accesses what it may (contract of `new`). One
        // access each, so that what is aligned is never seen torn.
        unsafe {
            match buffer.len() {
                1 => buffer[0] = AtomicU8::from_ptr(from).load(Relaxed),
                2 if aligned => buffer
                    .copy_from_slice(&AtomicU16::from_ptr(from.cast()).load(Relaxed).to_le_bytes()),
                4 if aligned => buffer
                    .copy_from_slice(&AtomicU32::from_ptr(from.cast()).load(Relaxed).to_le_bytes()),
                8 if aligned => buffer
                    .copy_from_slice(&AtomicU64::from_ptr(from.cast()).load(Relaxed).to_le_bytes()),
                size => std::ptr::copy(from, buffer.as_mut_ptr(), size),
            }
        }
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        self.check(AccessKind::Write, address, bytes.len() as u64)?;
        let to = address as usize as *mut u8;
        let aligned = address.is_multiple_of(bytes.len().max(1) as u64);
        // SAFETY: as in `read`.
        unsafe {
            match *bytes {
                [a] => AtomicU8::from_ptr(to).store(a, Relaxed),
                [a, b] if aligned => {
                    AtomicU16::from_ptr(to.cast()).store(u16::from_le_bytes([a, b]), Relaxed);
                }
                [a, b, c, d] if aligned => {
                    let word = u32::from_le_bytes([a, b, c, d]);
                    AtomicU32::from_ptr(to.cast()).store(word, Relaxed);
                }
                [a, b, c, d, e, f, g, h] if aligned => {
                    let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                    AtomicU64::from_ptr(to.cast()).store(word, Relaxed);
                }
                _ => std::ptr::copy(bytes.as_ptr(), to, bytes.len()),
            }
        }
        Ok(())
    }

    fn initialise(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        match self.object_at(address) {
            Some(_) => self.write(address, bytes),
            None => Ok(()),
        }
    }

    fn reset(&mut self, address: u64) -> Result<(), MemoryError> {
        match self.object_at(address) {
            Some(object) => self.fill(object.address, 0, object.size),
            None => Err(Host::refuse(Fault::NoObject, AccessKind::Write, address, 0)),
        }
    }

    fn check(&self, access: AccessKind, address: u64, size: u64) -> Result<(), MemoryError> {
        if address < FIRST_ADDRESS || address.checked_add(size).is_none() {
            return Err(Host::refuse(Fault::NoObject, access, address, size));
        }
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), MemoryError> {
        self.check(AccessKind::Read, from, size)?;
        self.check(AccessKind::Write, to, size)?;
        // SAFETY: the program accesses what it may (contract of `new`).
        unsafe {
            std::ptr::copy(from as usize as *const u8, to as usize as *mut u8, size as usize);
        }
        Ok(())
    }

    fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), MemoryError> {
        self.check(AccessKind::Write, to, size)?;
        // SAFETY: the program accesses what it may (contract of `new`).
        unsafe { std::ptr::write_bytes(to as usize as *mut u8, byte, size as usize) };
        Ok(())
    }
}
