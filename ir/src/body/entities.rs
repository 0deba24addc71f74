//! The entities that a body declares beside blocks and values.

use super::Body;
use crate::entity::{
    EntityRef, Exit, FuncId, Inst, Loc, PackedOption, PrimaryMap, Scope, ScopeSet, SecondaryMap,
    Slot, SwitchTable,
};
use crate::instruction::{Payload, Target};
use crate::trap::TrapCode;
use crate::types::Type;

/// What a slot holds before the first store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initial {
    /// Zeros.
    #[default]
    Zeroed,
    /// Promise: nothing is read before it was stored, but lanes of vectors, which hold anything
    /// then.
    Uninit,
}

/// The logarithm of the largest alignment of a slot, in bytes.
pub const MAX_SLOT_ALIGN_LOG2: u8 = 12;

/// The least alignment of what `stack_alloc` gives, in bytes.
pub const MIN_STACK_OBJECT_ALIGN: u64 = 16;

/// The largest alignment of what `stack_alloc` gives, in bytes.
pub const MAX_STACK_OBJECT_ALIGN: u64 = 4096;

/// The alignment of what `stack_alloc` gives where its operand asks for that many bytes.
pub const fn stack_object_align(asked: u64) -> u64 {
    let fits = asked.is_power_of_two() && asked <= MAX_STACK_OBJECT_ALIGN;
    if fits && asked > MIN_STACK_OBJECT_ALIGN { asked } else { MIN_STACK_OBJECT_ALIGN }
}

/// A stack slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotData {
    /// Bytes.
    pub size: u32,
    /// The address is a multiple of `1 << align_log2` bytes; at most [`MAX_SLOT_ALIGN_LOG2`].
    pub align_log2: u8,
    /// What it holds at first.
    pub initial: Initial,
}

impl SlotData {
    /// A slot of zeros, with the alignment that follows from its size.
    pub const fn new(size: u32) -> SlotData {
        let align_log2 = Self::default_align_log2(size);
        SlotData { size, align_log2, initial: Initial::Zeroed }
    }

    /// The alignment of a slot of that many bytes, where nothing is said: the
    /// largest power of two that fits, up to 16 bytes.
    pub const fn default_align_log2(size: u32) -> u8 {
        match size {
            0..=1 => 0,
            2..=3 => 1,
            4..=7 => 2,
            8..=15 => 3,
            _ => 4,
        }
    }
}

/// How an exit leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// Stops execution with the code.
    Trap(TrapCode),
    /// Stops execution with `side_exit`, handing the number and the values to the caller.
    Side(u32),
    /// Goes on in the function, with the values as its arguments and its
    /// results as this function's.
    Deopt(FuncId),
}

/// An exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitData {
    /// How it leaves.
    pub kind: ExitKind,
    /// The types of the values that it takes along.
    pub types: Vec<Type>,
}

/// The file of a [`LocData`] that names a line of the module's own text.
pub const TEXT_FILE: u32 = u32::MAX;

/// A source location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocData {
    /// The file, by its index in the module's strings, or [`TEXT_FILE`].
    pub file: u32,
    /// The line, from 1; 0 of [`TEXT_FILE`] if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function that the code was written in, by its index in the module's
    /// strings, where it was inlined from another one.
    pub function: Option<u32>,
    /// The call that it was inlined at.
    pub inlined_at: PackedOption<Loc>,
}

impl LocData {
    /// Whether it is nothing but a line of the module's own text, which goes
    /// without saying in that text.
    pub fn is_of_text(&self) -> bool {
        self.file == TEXT_FILE && self.function.is_none() && self.inlined_at.is_none()
    }
}

/// The cases of a switch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwitchData {
    /// The values of the cases, each once.
    pub cases: Vec<u128>,
    /// A target for each case, then the default.
    pub targets: Vec<Target>,
}

/// A hint on the first result of an instruction: it lies in `low..high`,
/// counted upward and wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueRange {
    /// The first number inside.
    pub low: u128,
    /// The first number behind.
    pub high: u128,
}

impl Body {
    /// A new stack slot.
    pub fn make_slot(&mut self, slot: SlotData) -> Slot {
        self.slots.push(slot)
    }

    /// The slot, if it is one of this body.
    pub fn slot(&self, slot: Slot) -> Option<&SlotData> {
        self.slots.get(slot)
    }

    /// All slots.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = (Slot, &SlotData)> {
        self.slots.iter()
    }

    /// The slot, to be changed.
    pub fn slot_mut(&mut self, slot: Slot) -> Option<&mut SlotData> {
        self.slots.get_mut(slot)
    }

    /// Removes the slots for which `keep` says no, which nothing names any
    /// more; the others move up.
    pub fn retain_slots(&mut self, mut keep: impl FnMut(Slot) -> bool) {
        let mut kept: PrimaryMap<Slot, SlotData> = PrimaryMap::new();
        let mut moved: SecondaryMap<Slot, PackedOption<Slot>> = SecondaryMap::new();
        for (slot, data) in self.slots.iter().filter(|(slot, _)| keep(*slot)) {
            moved[slot] = kept.push(*data).into();
        }
        self.slots = kept;
        for inst in self.insts.values_mut() {
            if let Payload::Slot(slot) = &mut inst.payload {
                // An instruction that stands nowhere may name one that is gone.
                *slot = moved[*slot].expand().unwrap_or(*slot);
            }
        }
    }

    /// A new exit.
    pub fn make_exit(&mut self, exit: ExitData) -> Exit {
        self.exits.push(exit)
    }

    /// The exit, if it is one of this body.
    pub fn exit(&self, exit: Exit) -> Option<&ExitData> {
        self.exits.get(exit)
    }

    /// Changes the types of the values that an exit takes along; the checks
    /// that leave by it are the caller's to change.
    pub fn set_exit_types(&mut self, exit: Exit, types: Vec<Type>) {
        if let Some(data) = self.exits.get_mut(exit) {
            data.types = types;
        }
    }

    /// All exits.
    pub fn exits(&self) -> impl ExactSizeIterator<Item = (Exit, &ExitData)> {
        self.exits.iter()
    }

    /// A new source location.
    pub fn make_loc(&mut self, loc: LocData) -> Loc {
        self.has_source_locs |= !loc.is_of_text();
        self.locs.push(loc)
    }

    /// Whether any location names more than a line of the module's own text.
    pub fn has_source_locs(&self) -> bool {
        self.has_source_locs
    }

    /// The location, if it is one of this body.
    pub fn loc_data(&self, loc: Loc) -> Option<&LocData> {
        self.locs.get(loc)
    }

    /// All locations.
    pub fn locs(&self) -> impl ExactSizeIterator<Item = (Loc, &LocData)> {
        self.locs.iter()
    }

    /// A new switch.
    pub fn make_switch(&mut self, switch: SwitchData) -> SwitchTable {
        self.switches.push(switch)
    }

    /// The switch, if it is one of this body.
    pub fn switch(&self, table: SwitchTable) -> Option<&SwitchData> {
        self.switches.get(table)
    }

    /// The switch, to be changed.
    pub fn switch_mut(&mut self, table: SwitchTable) -> Option<&mut SwitchData> {
        self.switches.get_mut(table)
    }

    /// How many switches there are.
    pub fn switch_count(&self) -> usize {
        self.switches.len()
    }

    /// A new no-alias scope; the name is for people.
    pub fn make_scope(&mut self, name: &str) -> Scope {
        self.scopes.push(name.into())
    }

    /// All scopes and their names.
    pub fn scopes(&self) -> impl ExactSizeIterator<Item = (Scope, &str)> {
        self.scopes.iter().map(|(scope, name)| (scope, name.as_ref()))
    }

    /// The set of those scopes, in ascending order and each once.
    pub fn scope_set(&mut self, scopes: &[Scope]) -> ScopeSet {
        let mut sorted = scopes.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let sorted: Box<[Scope]> = sorted.into();
        match self.scope_set_ids.get(&sorted) {
            Some(&set) => set,
            None => {
                let set = self.scope_sets.push(sorted.clone());
                self.scope_set_ids.insert(sorted, set);
                set
            }
        }
    }

    /// The scopes of a set of this body.
    pub fn scope_set_members(&self, set: ScopeSet) -> &[Scope] {
        self.scope_sets.get(set).map_or(&[], |scopes| scopes)
    }

    /// All sets of scopes.
    pub fn scope_sets(&self) -> impl ExactSizeIterator<Item = (ScopeSet, &[Scope])> {
        self.scope_sets.iter().map(|(set, scopes)| (set, scopes.as_ref()))
    }

    /// The weights of the targets of `inst`, if it carries any.
    pub fn weights(&self, inst: Inst) -> Option<&[u32]> {
        self.weights.get(&inst).map(AsRef::as_ref)
    }

    /// Gives the targets of `inst` weights; none removes them.
    pub fn set_weights(&mut self, inst: Inst, weights: &[u32]) {
        match weights {
            [] => self.weights.remove(&inst),
            weights => self.weights.insert(inst, weights.into()),
        };
    }

    /// The range hint of the first result of `inst`.
    pub fn range(&self, inst: Inst) -> Option<ValueRange> {
        self.ranges.get(&inst).copied()
    }

    /// Gives the first result of `inst` a range hint.
    pub fn set_range(&mut self, inst: Inst, range: ValueRange) {
        self.ranges.insert(inst, range);
    }

    /// The chain of locations of `loc`, innermost first: where the code was
    /// written, then each call that it was inlined at.
    pub fn loc_chain(&self, loc: PackedOption<Loc>) -> impl Iterator<Item = &LocData> {
        // An inlined-at leads to a location made before: no chain is a cycle.
        std::iter::successors(loc.expand(), |&loc| {
            let next = self.locs.get(loc)?.inlined_at.expand()?;
            (next.index() < loc.index()).then_some(next)
        })
        .filter_map(|loc| self.locs.get(loc))
    }
}
