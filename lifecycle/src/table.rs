//! What every function has, by its number: found without a lock, and never moved.
//!
//! Parts of the table are made when a number in them is first asked for. They grow with it, so that
//! there are few of them, and about a twelfth of what there is stands empty at most.

use std::sync::OnceLock;

/// Entries of the first part; a power of two.
const FIRST: usize = 64;

/// So many rows hold every number of 32 bits; each is twice as long as the one before it.
const ROWS: usize = 27;

/// So many parts each row has; those of the first rows are no smaller than [`FIRST`].
const PARTS_OF_ROW: usize = 8;

/// An entry for each number, as good as new until somebody changes it.
#[derive(Debug)]
pub struct Table<T> {
    parts: [OnceLock<Box<[T]>>; ROWS * PARTS_OF_ROW],
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { parts: [const { OnceLock::new() }; ROWS * PARTS_OF_ROW] }
    }
}

impl<T: Default> Table<T> {
    /// A table in which nothing has been changed.
    pub fn new() -> Table<T> {
        Table::default()
    }

    /// The entry of a number.
    pub fn entry(&self, number: u32) -> &T {
        let place = Place::of(number);
        let part = self.parts[place.part]
            .get_or_init(|| std::iter::repeat_with(T::default).take(place.length).collect());
        &part[place.index]
    }
}

/// Where a number's entry is.
struct Place {
    part: usize,
    index: usize,
    /// Entries of the part.
    length: usize,
}

impl Place {
    fn of(number: u32) -> Place {
        // By powers of two alone: asked of each function that anything happens to.
        let shifted = number as usize + FIRST;
        let row = shifted.ilog2();
        let length = row.saturating_sub(PARTS_OF_ROW.ilog2()).max(FIRST.ilog2());
        let in_row = shifted - (1 << row);
        let part = (row - FIRST.ilog2()) as usize * PARTS_OF_ROW + (in_row >> length);
        let length = 1 << length;
        Place { part, index: in_row & (length - 1), length }
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn each_number_has_an_entry_of_its_own() {
        let mut seen = BTreeSet::new();
        let numbers = (0..1_000).chain((6..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit]));
        for number in numbers.chain([u32::MAX]) {
            let place = Place::of(number);
            assert!(place.part < ROWS * PARTS_OF_ROW && place.index < place.length, "{number}");
            seen.insert((place.part, place.index));
        }
        // Powers of two below 1,000 are counted once.
        assert_eq!(seen.len(), 1_000 + 52 - 8 + 1);
    }

    #[test]
    fn entries_stay_where_they_are_while_others_are_made() {
        let table: Table<AtomicU32> = Table::new();
        let first: *const AtomicU32 = table.entry(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..5_000 {
                        table.entry(number).fetch_add(number, Ordering::Relaxed);
                    }
                });
            }
        });
        assert!(std::ptr::eq(first, table.entry(0)));
        assert!((0..5_000).all(|n| table.entry(n).load(Ordering::Relaxed) == 4 * n));
        assert_eq!(table.entry(5_000).load(Ordering::Relaxed), 0);
    }
}
