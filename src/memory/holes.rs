//! The free list of one area.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many holes are tried for an aligned placement before a hole is taken
/// that fits whatever its own alignment. It bounds the search; fewer leave
/// more alignment gaps.
const PROBES: usize = 8;

/// Free ranges, none empty and no two adjacent, indexed by address and by size.
///
/// Placement is best fit, lowest address first: a function of the calls made so
/// far and of nothing else.
#[derive(Debug)]
pub(super) struct Holes {
    /// Start of each hole by its end: allocation mostly moves the start, which
    /// then is a change in place.
    by_end: BTreeMap<u32, u32>,
    /// (size, start) of each hole.
    by_size: BTreeSet<(u32, u32)>,
    free: u32,
}

impl Holes {
    /// One hole.
    pub(super) fn new(range: Range<u32>) -> Self {
        let mut holes = Self { by_end: BTreeMap::new(), by_size: BTreeSet::new(), free: 0 };
        holes.insert(range);
        holes
    }

    /// Bytes in all holes.
    pub(super) fn free(&self) -> u32 {
        self.free
    }

    /// Bytes in the largest hole.
    pub(super) fn largest(&self) -> u32 {
        self.by_size.last().map_or(0, |&(size, _)| size)
    }

    /// Takes `size` bytes at a multiple of `align` (a power of two), or nothing
    /// if no hole is large enough.
    pub(super) fn take(&mut self, size: u32, align: u32) -> Option<u32> {
        let snug = self.by_size.range((size, 0)..).take(PROBES);
        let roomy = self.by_size.range((size.checked_add(align - 1)?, 0)..);
        let (hole, at) = snug.chain(roomy.take(1)).find_map(|&(len, start)| {
            let at = start.next_multiple_of(align);
            let hole = start..start + len;
            (at.checked_add(size)? <= hole.end).then_some((hole, at))
        })?;
        let rest = at + size;
        self.remove_size(&hole);
        if rest < hole.end {
            // Cut off its front, a hole stays where it is in the index.
            self.insert(rest..hole.end);
        } else {
            self.by_end.remove(&hole.end);
        }
        if hole.start < at {
            self.insert(hole.start..at);
        }
        Some(at)
    }

    /// Gives a taken range back, as one hole with its free neighbours.
    pub(super) fn give(&mut self, range: Range<u32>) {
        let mut merged = range;
        if let Some(start) = self.by_end.remove(&merged.start) {
            self.remove_size(&(start..merged.start));
            merged.start = start;
        }
        let next = self.by_end.range(merged.end..).next();
        if let Some((&end, &start)) = next
            && start == merged.end
        {
            self.remove_size(&(start..end));
            merged.end = end;
        }
        self.insert(merged);
    }

    /// Enters a hole, or gives the hole that ends there another start.
    fn insert(&mut self, hole: Range<u32>) {
        let size = hole.end - hole.start;
        self.by_end.insert(hole.end, hole.start);
        self.by_size.insert((size, hole.start));
        self.free += size;
    }

    fn remove_size(&mut self, hole: &Range<u32>) {
        let size = hole.end - hole.start;
        self.by_size.remove(&(size, hole.start));
        self.free -= size;
    }
}
