//! The loops of a function, as a forest: which loop stands in which.
//!
//! A loop is natural: its *header* dominates its blocks, its *latches* are the blocks
//! that lead back to the header, and it holds all blocks from which a latch is reached
//! without going through the header. Loops of one header are one loop, so that two
//! loops share no block, or one stands in the other. Headers are met innermost first,
//! up the dominator tree, and from the latches edges are followed backward; loops that
//! were found already are stepped over as one block, through links that are shortened
//! on the way (Tarjan, "Efficiency of a good but not linear set union algorithm",
//! 1975), so that finding all takes O(m log n) however deep they nest.
//!
//! A cycle that is entered at several blocks has no header that dominates it and is no
//! loop. What remains of the graph without the edges from latches to headers has
//! cycles only where such a region is: those blocks are told by
//! [`Loops::is_irreducible`]. Every cycle goes through a loop's header or stays among
//! them (Tarjan's strongly connected components, 1972).
//!
//! Does not try: to make a header of an irreducible region; what is left of loops by
//! traps, throws and stops; how often a loop runs.

mod data;
mod find;

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef, PackedOption, PrimaryMap, SecondaryMap};
use brolga_ir::flow::FlowGraph;
use cranelift_entity::entity_impl;

pub use data::{LoopData, Loops};

/// A loop of a body. A loop in which others stand has a lower number than they, and
/// loops are numbered in the order in which a walk meets their headers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

#[cfg(test)]
mod tests;
