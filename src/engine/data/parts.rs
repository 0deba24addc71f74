//! Copies between memory of the host and an object that other threads work on, too.
//!
//! Two accesses to the same bytes at once are defined where both are atomic and of one size. So an
//! object is divided into parts, by nothing but where it stands and ends: each part is the largest
//! block of up to eight bytes around a byte that is aligned to its size and inside of the object.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// The sizes of parts, the largest first.
const WIDTHS: [usize; 4] = [8, 4, 2, 1];

/// The bytes of a data object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    start: *mut u8,
    size: usize,
}

/// Bytes of an object that lie in one part of it.
struct Piece {
    /// Where the part begins in the object.
    part: usize,
    width: usize,
    /// The bytes before them in the part.
    skip: usize,
    /// Which of all that is copied they are.
    bytes: Range<usize>,
}

impl Object {
    /// An object of which each byte can be read.
    pub(super) fn new(start: *mut u8, size: usize) -> Object {
        Object { start, size }
    }

    /// The part that a byte of the object lies in: where it begins, and how large it is.
    fn part(self, byte: usize) -> (usize, usize) {
        let address = self.start.addr() + byte;
        let is_inside = |&width: &usize| {
            let before = address % width;
            before <= byte && byte - before + width <= self.size
        };
        let width = WIDTHS.into_iter().find(is_inside).unwrap_or(1);
        (byte - address % width, width)
    }

    /// The bytes from `offset` on, part for part.
    fn pieces(self, offset: usize, count: usize) -> impl Iterator<Item = Piece> {
        let mut done = 0;
        std::iter::from_fn(move || {
            let byte = (done < count).then_some(offset + done)?;
            let (part, width) = self.part(byte);
            let skip = byte - part;
            let end = count.min(done + width - skip);
            let bytes = std::mem::replace(&mut done, end)..end;
            Some(Piece { part, width, skip, bytes })
        })
    }

    /// Copies bytes out of the object.
    ///
    /// # Safety
    /// The object is there, and has so many bytes from `offset` on.
    pub(super) unsafe fn read(self, offset: usize, into: &mut [u8]) {
        for Piece { part, width, skip, bytes } in self.pieces(offset, into.len()) {
            let (place, into) = (self.start.wrapping_add(part), &mut into[bytes]);
            macro_rules! load {
                ($cell:ident) => {{
                    // SAFETY: the part is inside of the object and aligned to its size; all of
                    // the host's accesses to it are of this size and atomic.
                    let cell = unsafe { $cell::from_ptr(place.cast()) };
                    let found = cell.load(Ordering::Relaxed).to_ne_bytes();
                    into.copy_from_slice(&found[skip..][..into.len()]);
                }};
            }
            match width {
                8 => load!(AtomicU64),
                4 => load!(AtomicU32),
                2 => load!(AtomicU16),
                _ => load!(AtomicU8),
            }
        }
    }

    /// Copies bytes into the object.
    ///
    /// # Safety
    /// The object is there, can be written, and has so many bytes from `offset` on.
    pub(super) unsafe fn write(self, offset: usize, from: &[u8]) {
        for Piece { part, width, skip, bytes } in self.pieces(offset, from.len()) {
            let (place, from) = (self.start.wrapping_add(part), &from[bytes]);
            macro_rules! store {
                ($cell:ident, $number:ident) => {{
                    // SAFETY: as in `read`.
                    let cell = unsafe { $cell::from_ptr(place.cast()) };
                    let with = |old: $number| {
                        let mut new = old.to_ne_bytes();
                        new[skip..][..from.len()].copy_from_slice(from);
                        Some($number::from_ne_bytes(new))
                    };
                    if from.len() < width {
                        // Those beside it may change meanwhile.
                        let _ = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with);
                    } else if let Some(new) = with(0) {
                        cell.store(new, Ordering::Relaxed);
                    }
                }};
            }
            match width {
                8 => store!(AtomicU64, u64),
                4 => store!(AtomicU32, u32),
                2 => store!(AtomicU16, u16),
                _ => store!(AtomicU8, u8),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Calls `with` for each place and size that an object may have in a few words, whose bytes
    /// are numbered.
    fn for_each_object(with: impl Fn(Vec<u8>, Object)) {
        for (start, size) in (0..8).flat_map(|start| (0..24).map(move |size| (start, size))) {
            let numbers: [u8; 32] = std::array::from_fn(|byte| byte as u8);
            let mut words = [0, 8, 16, 24]
                .map(|at| u64::from_ne_bytes(std::array::from_fn(|byte| numbers[at + byte])));
            let first = words.as_mut_ptr().cast::<u8>();
            with(numbers[start..][..size].to_vec(), Object::new(first.wrapping_add(start), size));
        }
    }

    /// All bytes of an object that nobody else looks at.
    fn all_of(object: Object) -> Vec<u8> {
        let mut all = vec![0; object.size];
        // SAFETY: the words that it is part of are there.
        unsafe { object.read(0, &mut all) };
        all
    }

    #[test]
    fn each_byte_of_an_object_lies_in_one_part_whoever_asks() {
        for_each_object(|_, object| {
            let mut next = 0;
            while next < object.size {
                let (part, width) = object.part(next);
                assert_eq!(part, next);
                assert!((object.start.addr() + part).is_multiple_of(width));
                assert!(part + width <= object.size);
                (part..part + width).for_each(|byte| assert_eq!(object.part(byte), (part, width)));
                next += width;
            }
        });
    }

    #[test]
    fn what_is_copied_is_what_is_there_and_nothing_beside_it_changes() {
        for_each_object(|numbers, object| {
            assert_eq!(all_of(object), numbers);
            let size = object.size;
            for (from, to) in (0..=size).flat_map(|from| (from..=size).map(move |to| (from, to))) {
                let (before, mut read) = (all_of(object), vec![0; to - from]);
                // SAFETY: the object is there, and nobody else looks at it meanwhile.
                unsafe { object.read(from, &mut read) };
                assert_eq!(read, before[from..to]);
                let turned: Vec<u8> = read.iter().map(|byte| !byte).collect();
                // SAFETY: as above.
                unsafe { object.write(from, &turned) };
                assert_eq!(all_of(object), [&before[..from], &turned, &before[to..]].concat());
            }
        });
    }

    #[test]
    fn threads_that_write_side_by_side_take_nothing_from_each_other() {
        let mut words = [0u64; 2];
        let start = words.as_mut_ptr().expose_provenance();
        thread::scope(|scope| {
            for own in 0..4 {
                scope.spawn(move || {
                    let object = Object::new(std::ptr::with_exposed_provenance_mut(start), 16);
                    for round in 1..=100u8 {
                        // SAFETY: the words are there until all threads are done.
                        unsafe { object.write(3 * own, &[round; 3]) };
                        let mut all = [0; 16];
                        // SAFETY: as above.
                        unsafe { object.read(0, &mut all) };
                        assert_eq!(all[3 * own..][..3], [round; 3]);
                    }
                });
            }
        });
        assert_eq!(words.map(u64::to_ne_bytes).concat()[..13], [&[100; 12][..], &[0]].concat());
    }
}
