//! Which numbers functions have. By its number a function has its slot, its stub and its life, so
//! a number is given again only when nobody can mean the old function by it: it has no
//! definition, no code and no handle refers to it, nobody outside has its address, and no thread
//! can be inside of what was compiled with it.
//!
//! ```text
//!            refer, release                    refer
//!           ┌──────────────┐                ┌─────────► in use
//!  give ──► │    in use    │ ── bury ──► buried ── nobody refers ──► retired ── reuse ──► free
//!           └──────────────┘ ◄── revive ────┘
//! ```
//! Nothing here has a lock: the engine holds that of its names.

/// What becomes of a number.
#[must_use = "a number that nobody retires is never given again"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Somebody can mean the function still.
    Stays,
    /// Nobody can any more, but who is inside of code already: it is to be retired, and given
    /// back behind that.
    Retires,
}

/// How a number stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Free,
    InUse,
    Buried,
    Retired,
}

/// How a number stands, and who refers to it, in one word: there may be very many.
#[derive(Clone, Copy, Debug)]
struct Entry(u32);

impl Entry {
    const ESCAPED: u32 = 4;
    const REFERENCE: u32 = 8;

    fn new() -> Entry {
        Entry(Stage::InUse as u32)
    }

    fn stage(self) -> Stage {
        match self.0 % Self::ESCAPED {
            0 => Stage::Free,
            1 => Stage::InUse,
            2 => Stage::Buried,
            _ => Stage::Retired,
        }
    }

    fn set_stage(&mut self, stage: Stage) {
        self.0 = self.0 / Self::ESCAPED * Self::ESCAPED + stage as u32;
    }

    /// Whether the address is with somebody who does not say when it is of no use any more.
    fn has_escaped(self) -> bool {
        self.0 & Self::ESCAPED != 0
    }

    fn escape(&mut self) {
        self.0 |= Self::ESCAPED;
    }

    fn references(self) -> u32 {
        self.0 / Self::REFERENCE
    }

    /// Counts one more. Where there is no room to count, nobody can say any more who is the last:
    /// it is as if the address had got out.
    fn refer(&mut self) {
        match self.0.checked_add(Self::REFERENCE) {
            Some(more) => self.0 = more,
            None => self.escape(),
        }
    }

    fn release(&mut self) {
        self.0 = self.0.checked_sub(Self::REFERENCE).unwrap_or(self.0);
    }
}

/// The numbers of an engine.
#[derive(Debug, Default)]
pub struct Numbers {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

impl Numbers {
    /// None is given.
    pub fn new() -> Numbers {
        Numbers::default()
    }

    /// A number for a function, of 31 bits; the least that was never given if none is free.
    /// Nothing if there are no more.
    pub fn give(&mut self) -> Option<u32> {
        let entry = Entry::new();
        if let Some(number) = self.free.pop() {
            *self.entries.get_mut(number as usize)? = entry;
            return Some(number);
        }
        let number = u32::try_from(self.entries.len()).ok().filter(|&it| it <= u32::MAX >> 1)?;
        self.entries.push(entry);
        Some(number)
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, count: usize) {
        self.entries.reserve(count.saturating_sub(self.free.len()));
    }

    fn entry(&mut self, number: u32) -> Option<&mut Entry> {
        let entry = self.entries.get_mut(number as usize)?;
        (entry.stage() != Stage::Free).then_some(entry)
    }

    /// Notes that code or a handle refers to it. Tells whether it could: what is retired is on
    /// its way out, and whoever names the function gets another number.
    pub fn refer(&mut self, number: u32) -> bool {
        let Some(entry) = self.entry(number) else { return false };
        let can = entry.stage() != Stage::Retired;
        if can {
            entry.refer();
        }
        can
    }

    /// Notes that code or a handle that referred to it is gone.
    pub fn release(&mut self, number: u32) -> Fate {
        let Some(entry) = self.entry(number) else { return Fate::Stays };
        entry.release();
        Self::judge(entry)
    }

    /// Notes that somebody outside has the address: the number is never given again.
    pub fn escape(&mut self, number: u32) {
        if let Some(entry) = self.entry(number) {
            entry.escape();
        }
    }

    /// Whether that is so.
    pub fn has_escaped(&self, number: u32) -> bool {
        let entry = self.entries.get(number as usize);
        entry.is_some_and(|entry| entry.stage() != Stage::Free && entry.has_escaped())
    }

    /// Notes that the function has no definition any more.
    pub fn bury(&mut self, number: u32) -> Fate {
        let Some(entry) = self.entry(number) else { return Fate::Stays };
        if entry.stage() == Stage::InUse {
            entry.set_stage(Stage::Buried);
        }
        Self::judge(entry)
    }

    /// Notes that a function without definition has one again. Tells whether it could: see
    /// [`refer`](Self::refer).
    pub fn revive(&mut self, number: u32) -> bool {
        let Some(entry) = self.entry(number) else { return false };
        let can = entry.stage() != Stage::Retired;
        if can {
            entry.set_stage(Stage::InUse);
        }
        can
    }

    fn judge(entry: &mut Entry) -> Fate {
        if entry.stage() == Stage::Buried && entry.references() == 0 && !entry.has_escaped() {
            entry.set_stage(Stage::Retired);
            return Fate::Retires;
        }
        Fate::Stays
    }

    /// Takes back a number that was retired, now that no thread can be inside.
    pub fn reuse(&mut self, number: u32) {
        if let Some(entry) = self.entry(number)
            && entry.stage() == Stage::Retired
        {
            entry.set_stage(Stage::Free);
            self.free.push(number);
        }
    }

    /// Those that are not free, in their order.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let numbered = (0..).zip(&self.entries);
        numbered.filter(|(_, entry)| entry.stage() != Stage::Free).map(|(number, _)| number)
    }

    /// How many are not free.
    pub fn count(&self) -> usize {
        self.entries.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_more_refer_to_than_can_be_counted_is_never_given_again() {
        let mut numbers = Numbers::new();
        let number = numbers.give().unwrap();
        let most = u32::MAX / Entry::REFERENCE;
        numbers.entries[0].0 += most * Entry::REFERENCE;
        assert!(numbers.refer(number), "it is referred to, though that is not counted");
        for _ in 0..3 {
            assert_eq!(numbers.release(number), Fate::Stays);
        }
        numbers.entries[0].0 -= (most - 3) * Entry::REFERENCE;
        assert_eq!(numbers.bury(number), Fate::Stays);
        assert_eq!(numbers.release(number), Fate::Stays);
    }
}
