//! Memory as one variable: which state of it each instruction finds, and which it leaves.
//!
//! Every instruction that may write makes a new [`Version`]; where paths with different
//! versions meet, the block has one of its own, which is placed as parameters are: by
//! the iterated dominance frontier of the blocks that write. What a block begins with is
//! then its own version, or what its immediate dominator ends with, so that one walk
//! down the dominator tree is enough: O(instructions + m log n). It says nothing of
//! places in memory; what last wrote to one is found by a [`Walker`] (Novillo, "Memory
//! SSA: a unified approach for sparsely representing memory operations", 2007; the one
//! variable and the walker are LLVM's).
//!
//! Does not try: to be kept up to date while a body changes; versions for parts of memory.

mod walker;

use std::ops::Range;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef, Inst, PackedOption, PrimaryMap, SecondaryMap};
use brolga_ir::flow::FlowGraph;
use cranelift_entity::entity_impl;

use super::access::Accesses;
use super::frontier::Frontier;

pub use walker::Walker;

/// A state of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(u32);
entity_impl!(Version, "memory");

/// Where a version comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was there when the function began.
    Entry,
    /// The instruction made it of what it found.
    Write(Inst),
    /// Paths with different versions meet where the block begins.
    Meeting(Block),
}

/// The versions of memory in a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemorySsa {
    origins: PrimaryMap<Version, Origin>,
    found: SecondaryMap<Inst, PackedOption<Version>>,
    made: SecondaryMap<Inst, PackedOption<Version>>,
    starts: Vec<PackedOption<Version>>,
    ends: Vec<PackedOption<Version>>,
    /// Where the versions that meet in a block stand in the list of all.
    meetings: SecondaryMap<Block, Range<u32>>,
    meeting: Vec<(Block, Version)>,
}

impl MemorySsa {
    /// What was there when the function began.
    pub const ENTRY: Version = Version(0);

    /// The versions in the blocks that the entry reaches.
    pub fn new(
        body: &Body,
        graph: &FlowGraph,
        dominators: &Dominators,
        accesses: &Accesses,
    ) -> MemorySsa {
        let none = vec![PackedOption::default(); graph.block_capacity()];
        let mut ssa = MemorySsa {
            origins: PrimaryMap::new(),
            found: SecondaryMap::new(),
            made: SecondaryMap::new(),
            starts: none.clone(),
            ends: none,
            meetings: SecondaryMap::new(),
            meeting: Vec::new(),
        };
        ssa.origins.push(Origin::Entry);
        let writes = |&block: &Block| {
            body.layout.insts(block).any(|inst| !accesses.writes(inst).is_nothing())
        };
        let writing = graph.reverse_postorder().filter(writes);
        for block in Frontier::new(graph, dominators).of(writing, |_| true) {
            ssa.starts[block.index()] = ssa.origins.push(Origin::Meeting(block)).into();
        }
        for &block in dominators.preorder() {
            ssa.walk(body, dominators, accesses, block);
        }
        ssa.join(graph);
        ssa
    }

    fn walk(&mut self, body: &Body, dominators: &Dominators, accesses: &Accesses, block: Block) {
        let above = dominators.immediate_dominator(block);
        let inherited = above.and_then(|above| self.ends[above.index()].expand());
        let own = self.starts[block.index()].expand();
        let mut version = own.or(inherited).unwrap_or(MemorySsa::ENTRY);
        self.starts[block.index()] = version.into();
        for inst in body.layout.insts(block) {
            let writes = !accesses.writes(inst).is_nothing();
            if writes || !accesses.reads(inst).is_nothing() {
                self.found[inst] = version.into();
            }
            if writes {
                version = self.origins.push(Origin::Write(inst));
                self.made[inst] = version.into();
            }
        }
        self.ends[block.index()] = version.into();
    }

    /// Notes what meets, now that it is known what blocks end with.
    fn join(&mut self, graph: &FlowGraph) {
        let blocks = self.origins.values().filter_map(|origin| match *origin {
            Origin::Meeting(block) => Some(block),
            _ => None,
        });
        for block in blocks.collect::<Vec<_>>() {
            let start = self.meeting.len() as u32;
            let before = graph.predecessors(block).iter();
            let ends = before.filter_map(|&from| Some((from, self.ends[from.index()].expand()?)));
            self.meeting.extend(ends);
            self.meetings[block] = start..self.meeting.len() as u32;
        }
    }

    /// Where a version comes from.
    pub fn origin(&self, version: Version) -> Origin {
        self.origins.get(version).copied().unwrap_or(Origin::Entry)
    }

    /// How many versions there are.
    pub fn version_count(&self) -> usize {
        self.origins.len()
    }

    /// The version that `inst` finds; nothing if it neither reads nor writes, or is not
    /// reached.
    pub fn found(&self, inst: Inst) -> Option<Version> {
        self.found[inst].expand()
    }

    /// The version that `inst` leaves, if it may write.
    pub fn made(&self, inst: Inst) -> Option<Version> {
        self.made[inst].expand()
    }

    /// The version that `block` begins with; nothing if it is not reached.
    pub fn at_start(&self, block: Block) -> Option<Version> {
        self.starts.get(block.index())?.expand()
    }

    /// The version that `block` ends with; nothing if it is not reached.
    pub fn at_end(&self, block: Block) -> Option<Version> {
        self.ends.get(block.index())?.expand()
    }

    /// What meets where `block` begins, with the blocks that bring it, one for each edge;
    /// nothing where the block has no version of its own.
    pub fn meeting(&self, block: Block) -> &[(Block, Version)] {
        let range = &self.meetings[block];
        &self.meeting[range.start as usize..range.end as usize]
    }
}

#[cfg(test)]
mod tests;
