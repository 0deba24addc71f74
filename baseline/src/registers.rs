//! Which values live in registers: in functions with loops, those that the loops use most.
//!
//! No stencil changes the registers that a callee preserves, nor the upper half of those for
//! floats, which calls do change: a function that calls has none of the latter. Each value that
//! is chosen has one register from its definition to its last use, told by the order of the
//! blocks alone: *linear scan* (Poletto and Sarkar, TOPLAS 1999) over blocks instead of
//! instructions, the most used first.
//!
//! For this every block but the first must have a predecessor before it. A definition then
//! stands before all that it dominates, for there is a way to each block over blocks before it
//! alone; and a value is needed behind its last use only up to the end of a loop that it is
//! defined before and used in. Functions in another order keep all values in the frame.

use std::ops::Range;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntityRef, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Form, Op};

use crate::assembler::{Place, Register};
use crate::homes::Homes;
use crate::key::Bank;

/// What callees preserve, but for the frame pointer and the thread record.
const INTEGERS: [Register; 4] = [Register::Rbx, Register::R12, Register::R13, Register::R14];

/// The upper registers for floats.
const FLOATS: [u8; 8] = [8, 9, 10, 11, 12, 13, 14, 15];

/// How many values are tried at most, so that work grows with the size of the function.
const MOST_TRIED: usize = 32;

/// Lighter values are in no loop often enough.
const LEAST_WEIGHT: u32 = 2 << FREQUENCY_LOG2;

/// Uses in a loop count this many times as much as those around it, as a power of two.
const FREQUENCY_LOG2: i32 = 3;

/// Loops in loops in loops are as frequent as it gets.
const DEEPEST: i32 = 4;

/// Stands for the place of a block that something before it leads to.
const AHEAD: u32 = u32::MAX;

/// A value that lives in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resident {
    pub(crate) value: Value,
    pub(crate) place: Place,
    first: u32,
    last: u32,
}

/// The registers of a function.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    /// The place of each block in the order of the text, from 1 on; 0 or [`AHEAD`] while it has
    /// none.
    order: Vec<u32>,
    /// The first and the last block of each loop, by the first.
    loops: Vec<(u32, u32)>,
    leads_back: bool,
    catches: bool,
    /// How many loops are around a block, by its place; empty where there is no loop.
    depths: Vec<i32>,
    /// Values and what they weigh, in a word each that is the smaller the heavier it is, and the
    /// older of what weighs the same.
    candidates: Vec<u64>,
    residents: Vec<Resident>,
    taken: [u64; INTEGERS.len() + FLOATS.len()],
    /// So many blocks in a row are one part of the function, as a power of two.
    part_log2: u32,
}

impl Registers {
    /// Begins with a function: the order of its blocks, and its loops: O(blocks).
    pub(crate) fn begin(&mut self, body: &Body) {
        self.residents.clear();
        self.taken.fill(0);
        self.loops.clear();
        self.catches = false;
        self.depths.clear();
        self.order.clear();
        self.order.resize(body.block_count(), 0);
        let is_in_order = self.find_loops(body);
        self.leads_back = !self.loops.is_empty();
        if !is_in_order {
            self.loops.clear();
        }
        if !self.loops.is_empty() {
            self.measure_depths();
        }
    }

    /// Whether there are loops that values can live in registers for.
    pub(crate) fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Whether anything leads back.
    pub(crate) fn leads_back(&self) -> bool {
        self.leads_back
    }

    /// The place of a block in the order of the text, from 1 on; 0 for one that stands nowhere.
    pub(crate) fn order(&self, block: Block) -> u32 {
        self.order.get(block.index()).copied().unwrap_or(0)
    }

    /// How often a block runs, by its place.
    pub(crate) fn frequency(&self, place: u32) -> u32 {
        let depth = self.depths.get(place as usize).copied().unwrap_or(0);
        1 << (depth.min(DEEPEST) * FREQUENCY_LOG2)
    }

    /// What lives in registers at a block.
    pub(crate) fn at(&self, block: Block) -> impl Iterator<Item = Resident> + '_ {
        let place = self.order(block);
        let is_there = move |it: &&Resident| (it.first..=it.last).contains(&place);
        self.residents.iter().filter(is_there).copied()
    }

    /// The registers of the caller that are not what they were at the end: those that are used,
    /// and all where something is caught, as what threw it has given none of them back.
    pub(crate) fn preserved(&self) -> impl Iterator<Item = Register> + '_ {
        let rows = INTEGERS.into_iter().zip(self.taken);
        rows.filter(|&(_, parts)| self.catches || parts != 0).map(|(register, _)| register)
    }

    /// Finds the places of blocks, and all ways back. False if blocks are not in order, or what is
    /// caught comes back to a frame by a way that no register survives.
    fn find_loops(&mut self, body: &Body) -> bool {
        let mut is_in_order = true;
        for (place, block) in (1..).zip(body.layout.blocks()) {
            let before = std::mem::replace(&mut self.order[block.index()], place);
            is_in_order &= place == 1 || before == AHEAD;
            let Some(last) = body.layout.last_inst(block) else { continue };
            self.catches |= matches!(body.inst(last).payload, Payload::TryCall { .. });
            for target in body.targets(last) {
                let there = &mut self.order[target.block.index()];
                match *there {
                    0 | AHEAD => *there = AHEAD,
                    there => self.loops.push((there, place)),
                }
            }
        }
        is_in_order && !self.catches
    }

    fn measure_depths(&mut self) {
        self.loops.sort_unstable_by_key(|&(first, last)| (first, u32::MAX - last));
        // Of all ways back to a block the longest is the loop.
        self.loops.dedup_by_key(|&mut (first, _)| first);
        self.depths.resize(self.order.len() + 2, 0);
        for &(first, last) in &self.loops {
            self.depths[first as usize] += 1;
            self.depths[last as usize + 1] -= 1;
        }
        let mut depth = 0;
        for place in &mut self.depths {
            depth += *place;
            *place = depth;
        }
    }

    /// Chooses which values live in registers: O(values and instructions).
    pub(crate) fn choose(&mut self, body: &Body, homes: &mut Homes) {
        if self.loops.is_empty() {
            return;
        }
        self.candidates.clear();
        homes.each_heavy(LEAST_WEIGHT, |value, weight| {
            let lightness = u64::from(u32::MAX - weight);
            self.candidates.push(lightness << 32 | u64::from(value.as_u32()));
        });
        self.candidates.sort_unstable();
        self.candidates.truncate(MOST_TRIED);
        self.part_log2 = (self.order.len() as u32 / 64 + 1).next_power_of_two().trailing_zeros();
        let mut has_calls = None;
        for index in 0..self.candidates.len() {
            let value = Value::from_u32(self.candidates[index] as u32);
            let Some(defined) = self.definition(body, value) else { continue };
            // What is used once, where it is defined, is mostly used by the next instruction.
            let Some((class, uses)) = homes.result(value) else { continue };
            let (given, last) = homes.span(value);
            if uses == 1 && last == defined && given >= defined {
                continue;
            }
            let rows = match class.bank() {
                Bank::Integer => 0..INTEGERS.len(),
                Bank::Float if !*has_calls.get_or_insert_with(|| calls(body)) => {
                    INTEGERS.len()..self.taken.len()
                }
                _ => continue,
            };
            let reach = self.reach(defined, given, last);
            self.settle(value, reach, rows, homes);
        }
    }

    /// The place of the block that a value is of.
    fn definition(&self, body: &Body, value: Value) -> Option<u32> {
        let block = match body.value_def(value) {
            ValueDef::Param(block, _) => Some(block),
            ValueDef::Result(inst, _) => body.layout.block_of(inst),
            ValueDef::Unused | ValueDef::Constant(_) => None,
        };
        block.map(|block| self.order(block)).filter(|&place| place != 0)
    }

    /// Gives a value a register that is free wherever it is needed, if there is one in a range.
    fn settle(
        &mut self,
        value: Value,
        (first, last): (u32, u32),
        mut rows: Range<usize>,
        homes: &mut Homes,
    ) {
        let wanted = self.stretch(first, last);
        let Some(row) = rows.find(|&row| self.taken[row] & wanted == 0) else { return };
        self.taken[row] |= wanted;
        let place = match row.checked_sub(INTEGERS.len()) {
            None => Place::Integer(INTEGERS[row]),
            Some(float) => Place::Float(FLOATS[float]),
        };
        homes.settle(value, place);
        self.residents.push(Resident { value, place, first, last });
    }

    /// The first and the last block that need a value of a block, which is given first and taken
    /// or given last in those.
    fn reach(&self, defined: u32, given: u32, last: u32) -> (u32, u32) {
        let (first, mut last) = (given.min(defined), last.max(defined));
        for &(header, latch) in &self.loops {
            if header > last {
                break;
            }
            if header > defined {
                last = last.max(latch);
            }
        }
        (first, last)
    }

    /// A bit for each of 64 parts of the function that some blocks in a row are in.
    fn stretch(&self, first: u32, last: u32) -> u64 {
        let (first, last) = (first >> self.part_log2, last >> self.part_log2);
        let (first, last) = (first.min(63), last.min(63));
        u64::MAX << first & u64::MAX >> (63 - last)
    }
}

/// Whether there may be calls that come back, other than those beside all blocks.
fn calls(body: &Body) -> bool {
    let is_call = |op: Op| {
        let is_of_runtime =
            op.info().form == Form::Bulk || matches!(op, Op::SlotStart | Op::SlotEnd);
        is_of_runtime || op.is_call()
    };
    // Slots are zeroed by a call if they are large.
    let blocks = body.layout.blocks();
    body.slots().next().is_some()
        || blocks.flat_map(|it| body.layout.insts(it)).any(|it| is_call(body.inst(it).op))
}

#[cfg(test)]
mod tests;
