//! Where objects of one kind are, and which have been.

use std::cell::Cell;

use super::{NewObject, ObjectInfo, ObjectKind};
use crate::body::Initial;
use crate::module::Content;
use crate::types::Layout;

/// The first address. It is above what an address sanitiser claims, below
/// what a process of 47 address bits can map, and far from where systems put
/// programs and libraries: native memory can be mapped at the same addresses.
pub const BASE: u64 = 0x2000_0000_0000;

/// The distance between the regions of [`ObjectKind::ALL`], which follow each
/// other from [`BASE`] on in that order.
pub const REGION_SIZE: u64 = 1 << 40;

/// No object has an address in this many bytes behind another's end, so that
/// running off an object never hits the next one.
pub(super) const RED_ZONE: u64 = 64;

/// What an object counts for beside its bytes, against the limit: what this
/// memory holds to know it, so that no number of empty ones goes past the limit.
pub(super) const OBJECT_COST: u64 = 128;

/// Where objects of one kind go: upward, each at an address that no other
/// one has had, so that an address says which object was meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    next: u64,
    end: u64,
}

impl Placement {
    /// The places for objects of `kind`.
    pub(super) fn of(kind: ObjectKind) -> Placement {
        let start = BASE + kind as u64 * REGION_SIZE;
        Placement { next: start, end: start + REGION_SIZE }
    }

    /// The address of the next object; nothing if the region is used up.
    pub(super) fn place(&mut self, layout: Layout) -> Option<u64> {
        let address = self.next.checked_next_multiple_of(layout.align.max(16))?;
        let behind = address.checked_add(layout.size)?.checked_add(RED_ZONE)?;
        if behind > self.end {
            return None;
        }
        self.next = behind;
        Some(address)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Live,
    Over,
}

#[derive(Debug)]
pub(super) struct Object {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) tag: u64,
    pub(super) bytes: Vec<u8>,
    /// Which bytes were stored, where that is to be watched.
    pub(super) stored: Option<Vec<bool>>,
    pub(super) content: Content,
    pub(super) life: Life,
}

#[derive(Debug)]
pub(super) struct Region {
    pub(super) kind: ObjectKind,
    pub(super) placement: Placement,
    /// Ascending by address.
    pub(super) objects: Vec<Object>,
    pub(super) dead: usize,
    /// Where the last search ended: accesses mostly stay with one object.
    pub(super) last: Cell<usize>,
}

/// Dead objects that a region remembers, to say what a stray access has hit.
const REMEMBERED: usize = 4096;

impl Region {
    pub(super) fn new(kind: ObjectKind) -> Region {
        let placement = Placement::of(kind);
        Region { kind, placement, objects: Vec::new(), dead: 0, last: Cell::new(0) }
    }

    /// The last object that starts at or below `address`.
    pub(super) fn below(&self, address: u64) -> Option<usize> {
        let starts_below =
            |index: usize| self.objects.get(index).is_some_and(|o| o.address <= address);
        let last = self.last.get();
        if starts_below(last) && !starts_below(last + 1) {
            return Some(last);
        }
        let found = self.objects.partition_point(|o| o.address <= address).checked_sub(1)?;
        self.last.set(found);
        Some(found)
    }

    /// Forgets the objects that are dead, once there are many.
    pub(super) fn forget(&mut self) {
        if self.dead > REMEMBERED && self.dead > self.objects.len() / 2 {
            self.objects.retain(|object| object.life == Life::Live);
            self.dead = 0;
        }
    }
}

impl Object {
    pub(super) fn new(new: &NewObject<'_>, address: u64) -> Option<Object> {
        let size = match new.kind {
            ObjectKind::Function => 0,
            _ => usize::try_from(new.layout.size).ok()?,
        };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).ok()?;
        bytes.resize(size, 0);
        let stored = (new.initial == Initial::Uninit).then(|| vec![false; size]);
        let (size, content) = (new.layout.size, new.content);
        Some(Object { address, size, tag: new.tag, bytes, stored, content, life: Life::Live })
    }

    pub(super) fn info(&self, kind: ObjectKind) -> ObjectInfo {
        ObjectInfo { kind, address: self.address, size: self.size, tag: self.tag }
    }

    pub(super) fn is_stored(&self, offset: usize, size: usize) -> bool {
        self.stored.as_ref().is_none_or(|stored| stored[offset..offset + size].iter().all(|&s| s))
    }

    pub(super) fn mark_stored(&mut self, offset: usize, size: usize) {
        if let Some(stored) = &mut self.stored {
            stored[offset..offset + size].fill(true);
        }
    }
}
