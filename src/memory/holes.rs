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
    /// End of each hole by its start.
    by_start: BTreeMap<u32, u32>,
    /// (size, start) of each hole.
    by_size: BTreeSet<(u32, u32)>,
    free: u32,
}

impl Holes {
    /// One hole.
    pub(super) fn new(range: Range<u32>) -> Self {
        let mut holes = Self { by_start: BTreeMap::new(), by_size: BTreeSet::new(), free: 0 };
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

    /// The holes by address.
    pub(super) fn iter(&self) -> impl Iterator<Item = Range<u32>> {
        self.by_start.iter().map(|(&start, &end)| start..end)
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
        self.remove(&hole);
        self.insert(hole.start..at);
        self.insert(at + size..hole.end);
        Some(at)
    }

    /// Gives a taken range back and returns the hole that it is now part of.
    pub(super) fn give(&mut self, range: Range<u32>) -> Range<u32> {
        let mut merged = range;
        let before = self.by_start.range(..merged.start).next_back();
        if let Some((&start, &end)) = before
            && end == merged.start
        {
            self.remove(&(start..end));
            merged.start = start;
        }
        if let Some(&end) = self.by_start.get(&merged.end) {
            self.remove(&(merged.end..end));
            merged.end = end;
        }
        self.insert(merged.clone());
        merged
    }

    fn insert(&mut self, hole: Range<u32>) {
        if !hole.is_empty() {
            let size = hole.end - hole.start;
            self.by_start.insert(hole.start, hole.end);
            self.by_size.insert((size, hole.start));
            self.free += size;
        }
    }

    fn remove(&mut self, hole: &Range<u32>) {
        let size = hole.end - hole.start;
        self.by_start.remove(&hole.start);
        self.by_size.remove(&(size, hole.start));
        self.free -= size;
    }
}
