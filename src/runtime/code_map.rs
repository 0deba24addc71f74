//! Which compiled unit a code address belongs to.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use brolga_debugging::gdb::Registration;
use brolga_lifecycle::holders::Holders;

use super::facts::Facts;
use crate::memory::{Area, Block};

/// What a frame of the unit means to a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A function of a module: shown in call chains.
    Function,
    /// A thunk between compiled code and the host's functions: not shown.
    Exit,
    /// A thunk by which the host enters: no walk goes beyond it.
    Entry,
}

/// A unit in code memory.
#[derive(Debug)]
pub(crate) struct Placed {
    /// What gdb knows of it. Fields are dropped in order: withdrawn before the bytes are free,
    /// and may be those of other code.
    #[expect(dead_code, reason = "owned for its drop alone")]
    registration: Option<Registration>,
    /// What is known of the code.
    pub facts: Facts,
    /// What a frame of it means.
    pub role: Role,
    block: Block,
    /// What the code refers to and nobody else keeps.
    kept: Box<dyn Keep>,
    /// How many threads hold it, since they have a frame of it on their stack.
    holders: Holders,
}

/// Code that debuggers have been told of, if they listen.
#[derive(Debug)]
pub(crate) struct Known {
    pub(super) facts: Facts,
    pub(super) registration: Option<Registration>,
}

impl From<Facts> for Known {
    /// Code that nobody is to be told of.
    fn from(facts: Facts) -> Known {
        Known { facts, registration: None }
    }
}

/// What lives as long as code does.
pub(crate) trait Keep: Any + fmt::Debug + Send + Sync {
    /// What must live on as long as somebody is inside of the code, though the code itself does
    /// not keep it.
    fn beyond(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }
}

impl Keep for () {}

/// While it is there, code is not freed.
#[derive(Debug)]
pub(crate) struct Held {
    placed: Arc<Placed>,
    #[expect(dead_code, reason = "owned for its drop alone")]
    beyond: Option<Arc<dyn Any + Send + Sync>>,
}

impl Held {
    /// Holds a unit; the thread has been inside of the engine since before it could be freed.
    pub(crate) fn new(placed: &Arc<Placed>) -> Held {
        placed.holders.hold();
        Held { placed: Arc::clone(placed), beyond: placed.kept.beyond() }
    }
}

impl Held {
    /// The address of the entry.
    pub(crate) fn address(&self) -> usize {
        self.placed.address()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Whoever finds nobody left may free the code that this thread has run.
        self.placed.holders.release();
    }
}

impl Placed {
    /// A unit whose code has been published in `block`, with what is to live as long as that.
    pub(crate) fn new(known: Known, role: Role, block: Block, kept: impl Keep + 'static) -> Placed {
        let (kept, holders, Known { facts, registration }) =
            (Box::new(kept), Holders::new(), known);
        Placed { registration, facts, role, block, kept, holders }
    }

    /// Whether a thread has a frame of it, which has said so.
    pub(crate) fn is_held(&self) -> bool {
        self.holders.is_held()
    }

    /// The address of the entry.
    pub(crate) fn address(&self) -> usize {
        self.block.address()
    }

    /// What lives as long as the code.
    pub(crate) fn kept(&self) -> &dyn Any {
        &*self.kept
    }

    /// Bytes of code.
    pub(crate) fn size(&self) -> usize {
        self.block.size()
    }

    /// Whether nothing stands between a unit and this one: the gap has no room for any.
    fn stands_behind(&self, other: &Placed) -> bool {
        let gap = self.address().checked_sub(other.address() + other.size());
        gap.is_some_and(|gap| gap < Area::Text.granule() as usize)
    }

    /// Where `pc` is, in bytes from the start of the code.
    pub(super) fn offset_of(&self, pc: usize) -> Option<u32> {
        u32::try_from(pc.checked_sub(self.address())?).ok()
    }

    /// Whether the frame of the call that returns to `pc` is only passed by.
    pub(super) fn awaits_continuation(&self, pc: usize) -> bool {
        self.offset_of(pc).is_some_and(|offset| self.facts.awaits_continuation(offset))
    }
}

/// All units in code memory, by address. Read on the way of a stop, written
/// when units are linked and freed; no user code runs under its lock.
#[derive(Debug, Default)]
pub(crate) struct CodeMap {
    units: RwLock<Units>,
}

#[derive(Debug, Default)]
struct Units {
    alone: BTreeMap<usize, Arc<Placed>>,
    /// Those that were placed one behind another, by the address of the first. No row stands
    /// within another: the last that begins before an address is the only one that may have it.
    rows: BTreeMap<usize, Row>,
}

/// Units one behind another, of which some may be gone: what has their place since is no part of
/// the row. A module of many functions is entered as one, at the cost of copying a list.
#[derive(Debug)]
struct Row {
    units: Vec<(usize, Option<Arc<Placed>>)>,
    left: usize,
}

/// Fewer units are entered one by one.
const LEAST_ROW: usize = 16;

impl CodeMap {
    /// Makes the unit known; before any thread can run it.
    pub(crate) fn insert(&self, placed: Arc<Placed>) {
        let mut units = self.units.write().unwrap_or_else(PoisonError::into_inner);
        units.alone.insert(placed.address(), placed);
    }

    /// The same of several units, in whatever order.
    pub(crate) fn insert_all(&self, placed: &[Arc<Placed>]) {
        let mut units = self.units.write().unwrap_or_else(PoisonError::into_inner);
        for row in placed.chunk_by(|placed, next| next.stands_behind(placed)) {
            if row.len() < LEAST_ROW || units.is_within_row(row[0].address()) {
                units.alone.extend(row.iter().map(|it| (it.address(), Arc::clone(it))));
                continue;
            }
            let all = row.iter().map(|it| (it.address(), Some(Arc::clone(it)))).collect();
            units.rows.insert(row[0].address(), Row { units: all, left: row.len() });
        }
    }

    /// Forgets a unit that no thread can be inside of.
    pub(crate) fn remove(&self, placed: &Placed) {
        let mut units = self.units.write().unwrap_or_else(PoisonError::into_inner);
        let address = placed.address();
        if units.alone.remove(&address).is_some() {
            return;
        }
        let Some((&start, row)) = units.rows.range_mut(..=address).next_back() else { return };
        row.remove(address);
        if row.left == 0 {
            units.rows.remove(&start);
        }
    }

    /// The unit that a call returning to `pc` belongs to. The call may be the
    /// unit's last instruction, so that `pc` is the address behind it.
    pub(crate) fn find(&self, pc: usize) -> Option<Arc<Placed>> {
        let call = pc.checked_sub(1)?;
        let units = self.units.read().unwrap_or_else(PoisonError::into_inner);
        let alone = units.alone.range(..=call).next_back().map(|(_, placed)| placed);
        let in_row = || units.rows.range(..=call).next_back()?.1.find(call);
        let is_inside = |placed: &&Arc<Placed>| call - placed.address() < placed.size();
        alone.filter(is_inside).or_else(|| in_row().filter(is_inside)).cloned()
    }
}

impl Units {
    /// Whether an address stands between the units of a row, where some may be gone.
    fn is_within_row(&self, address: usize) -> bool {
        let row = self.rows.range(..=address).next_back();
        row.is_some_and(|(_, row)| row.units.last().is_some_and(|&(last, _)| address <= last))
    }
}

impl Row {
    /// The last unit that begins at an address or before it, unless it is gone.
    fn find(&self, address: usize) -> Option<&Arc<Placed>> {
        let behind = self.units.partition_point(|&(start, _)| start <= address);
        self.units.get(behind.checked_sub(1)?)?.1.as_ref()
    }

    fn remove(&mut self, address: usize) {
        let found = self.units.binary_search_by_key(&address, |&(start, _)| start);
        if let Ok(index) = found
            && self.units[index].1.take().is_some()
        {
            self.left -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::Layout;

    use super::*;
    use crate::memory::{MemoryConfig, Request, Reservation};

    fn placed(reservation: &Reservation, sizes: impl Iterator<Item = usize>) -> Vec<Arc<Placed>> {
        let layouts = sizes.map(|size| Layout::from_size_align(size, 16).unwrap());
        let requests: Vec<_> = layouts.map(|layout| Request::new(Area::Text, layout)).collect();
        let mut blocks = reservation.allocate_batch(requests).unwrap().publish().unwrap();
        let facts = || Facts::of(Box::default());
        let unit = |block| Placed::new(facts().into(), Role::Function, block, ());
        blocks.take_all().map(|block| Arc::new(unit(block))).collect()
    }

    fn is_found(map: &CodeMap, placed: &Arc<Placed>) -> bool {
        let pcs = [placed.address() + 1, placed.address() + placed.size()];
        pcs.into_iter().all(|pc| map.find(pc).is_some_and(|found| Arc::ptr_eq(&found, placed)))
    }

    #[test]
    fn each_unit_is_found_whether_alone_or_in_a_row() {
        let reservation = Reservation::new(&MemoryConfig::default()).unwrap();
        let map = CodeMap::default();
        let (few, many) = (placed(&reservation, 1..4), placed(&reservation, 1..100));
        map.insert_all(&few);
        map.insert_all(&many);
        assert!(few.iter().chain(&many).all(|it| is_found(&map, it)));
        let units = map.units.read().unwrap();
        assert_eq!((units.alone.len(), units.rows.len()), (3, 1));
        drop(units);
        assert!(map.find(few[0].address()).is_none(), "no call is before the first byte");
        let last = &many[98];
        assert!(map.find(last.address() + last.size() + 1).is_none());
    }

    #[test]
    fn many_that_take_the_place_of_units_in_a_row_hide_none_behind_them() {
        let reservation = Reservation::new(&MemoryConfig::default()).unwrap();
        let map = CodeMap::default();
        let mut first = placed(&reservation, (0..60).map(|_| 32));
        map.insert_all(&first);
        let gone: Vec<_> = first.drain(10..40).collect();
        gone.iter().for_each(|it| map.remove(it));
        let place = gone[0].address();
        drop(gone);
        let next = placed(&reservation, (0..30).map(|_| 32));
        assert_eq!(next[0].address(), place, "the first hole that fits");
        map.insert_all(&next);
        assert!(first.iter().chain(&next).all(|it| is_found(&map, it)));
        first.iter().chain(&next).for_each(|it| map.remove(it));
        let units = map.units.read().unwrap();
        assert!(units.alone.is_empty() && units.rows.is_empty());
    }

    #[test]
    fn what_takes_the_place_of_a_unit_in_a_row_is_found_there() {
        let reservation = Reservation::new(&MemoryConfig::default()).unwrap();
        let map = CodeMap::default();
        let mut many = placed(&reservation, (0..50).map(|_| 32));
        map.insert_all(&many);
        let gone = many.remove(20);
        map.remove(&gone);
        let (address, size) = (gone.address(), gone.size());
        assert!(map.find(address + 1).is_none());
        drop(gone);
        let next = placed(&reservation, [size].into_iter()).remove(0);
        assert_eq!(next.address(), address, "the first hole that fits");
        map.insert(Arc::clone(&next));
        many.push(next);
        assert!(many.iter().all(|it| is_found(&map, it)));
        many.iter().for_each(|it| map.remove(it));
        let units = map.units.read().unwrap();
        assert!(units.alone.is_empty() && units.rows.is_empty());
    }
}
