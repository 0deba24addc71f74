//! What `invariant` loads promise: that their bytes hold one value from the call of the function
//! to its end, whoever writes.

use rustc_hash::FxHashMap;

use super::access::size_of_value;
use super::activation::Activation;
use super::{Machine, Site, Stop};
use crate::attribute::AccessFlags;
use crate::datum::Datum;
use crate::interpret::memory::{Memory, MemoryError};
use crate::types::Type;

/// How many invariant loads of an activation are remembered, how many bytes that have changed,
/// and how many of one write.
const REMEMBERED_LOADS: usize = 256;
const REMEMBERED_CHANGES: usize = 1 << 20;
const REMEMBERED_OF_A_WRITE: u64 = 4096;

/// What is known of bytes while functions are active that make such promises.
#[derive(Debug, Default)]
pub(in crate::interpret) struct Promised {
    /// How many such activations there are.
    activations: usize,
    /// The number of the last activation that had begun when a byte changed.
    changed: FxHashMap<u64, u64>,
    /// The number of the outermost activation that has read a byte.
    read: FxHashMap<u64, u64>,
}

/// An invariant load that an activation has made.
#[derive(Debug)]
pub(super) struct InvariantLoad {
    address: u64,
    ty: Type,
    size: u64,
    value: Datum,
}

impl<'m> Machine<'m> {
    pub(super) fn begin_promises(&mut self) {
        self.promised.activations += 1;
    }

    /// The promises of an activation end with it.
    pub(super) fn end_promises(&mut self, activation: &Activation<'m>) {
        let promised = &mut self.promised;
        for load in &activation.invariants {
            for byte in bytes_of(load.address, load.size) {
                if promised.read.get(&byte) == Some(&activation.serial) {
                    promised.read.remove(&byte);
                }
            }
        }
        promised.activations -= 1;
        if promised.activations == 0 {
            promised.changed.clear();
        }
    }

    /// Writes to memory, and refuses to where a byte changes of which it is promised that it
    /// stays. Where addresses are used again, a byte is not what it was, and nothing is said.
    pub(super) fn change(
        &mut self,
        address: u64,
        size: u64,
        write: impl FnOnce(&mut dyn Memory) -> Result<(), MemoryError>,
    ) -> Result<(), Stop> {
        if self.promised.activations == 0 || !self.memory.has_lasting_addresses() {
            return Ok(write(&mut *self.memory)?);
        }
        let size = size.min(REMEMBERED_OF_A_WRITE);
        let before = self.bytes_at(address, size);
        write(&mut *self.memory)?;
        let after = self.bytes_at(address, size);
        let pairs = bytes_of(address, size).zip(before.iter().zip(&after));
        let changed: Vec<_> = pairs.filter(|(_, (old, new))| old != new).map(|it| it.0).collect();
        let Promised { changed: known, read, .. } = &mut self.promised;
        for byte in changed {
            if read.contains_key(&byte) {
                let detail = format!("{byte:#x} changes, which an `invariant` load has read");
                return Err(Stop::broken_promise(detail));
            }
            if known.len() < REMEMBERED_CHANGES || known.contains_key(&byte) {
                known.insert(byte, self.serial);
            }
        }
        Ok(())
    }

    /// The bytes there; none for those that were never stored.
    fn bytes_at(&self, address: u64, size: u64) -> Vec<Option<u8>> {
        let mut bytes = vec![0; size as usize];
        if self.memory.read(address, &mut bytes).is_ok() {
            return bytes.into_iter().map(Some).collect();
        }
        let read = |byte| {
            let mut buffer = [0];
            self.memory.read(byte, &mut buffer).ok().map(|()| buffer[0])
        };
        bytes_of(address, size).map(read).collect()
    }

    /// Compares what was loaded with what is known of its bytes, if it is promised that they stay.
    pub(super) fn check_invariant(
        &mut self,
        site: Site<'_, 'm>,
        address: u64,
        value: &Datum,
    ) -> Result<(), Stop> {
        let flags = site.step.data.access().map_or(AccessFlags::empty(), |access| access.flags);
        if !flags.contains(AccessFlags::INVARIANT) {
            return Ok(());
        }
        let ty = site.step.data.ty;
        let size = size_of_value(site.code, ty) as u64;
        let top = self.activations.last_mut();
        let top = top.ok_or_else(|| Stop::Broken("nothing is being executed".into()))?;
        let known = top.invariants.iter().find(|load| load.address == address && load.ty == ty);
        if known.is_some_and(|load| load.value != *value) {
            let detail = format!("an `invariant` load at {address:#x} gives another value");
            return Err(Stop::broken_promise(detail));
        }
        let changed = &self.promised.changed;
        let has_changed = |byte| changed.get(&byte).is_some_and(|&last| last >= top.serial);
        if let Some(byte) = bytes_of(address, size).find(|&byte| has_changed(byte)) {
            let detail = format!(
                "an `invariant` load reads {byte:#x}, which has changed since @{} was called",
                top.code.name
            );
            return Err(Stop::broken_promise(detail));
        }
        if known.is_none() && top.invariants.len() < REMEMBERED_LOADS {
            for byte in bytes_of(address, size) {
                self.promised.read.entry(byte).or_insert(top.serial);
            }
            top.invariants.push(InvariantLoad { address, ty, size, value: value.clone() });
        }
        Ok(())
    }
}

fn bytes_of(address: u64, size: u64) -> impl Iterator<Item = u64> {
    (0..size).map(move |offset| address.wrapping_add(offset))
}
