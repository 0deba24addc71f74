//! Finding the loops: see the module above.

use brolga_ir::entity::dense_map;

use super::{
    Block, Dominators, EntityRef, FlowGraph, Loop, LoopData, Loops, PackedOption, SecondaryMap,
};
use crate::analysis::components::Components;

const NONE: u32 = u32::MAX;

/// A loop that was found, by its number in the order of finding, innermost first.
#[derive(Debug)]
struct Found {
    header: Block,
    latches: Vec<Block>,
    parent: u32,
    /// A loop around this one, or itself: the way to the outermost that is known.
    outer: u32,
}

struct Search<'a> {
    graph: &'a FlowGraph,
    found: Vec<Found>,
    innermost: Vec<u32>,
    stack: Vec<Block>,
}

pub(super) fn loops(graph: &FlowGraph, dominators: &Dominators) -> Loops {
    if !has_cycle(graph) {
        return Loops::default();
    }
    let innermost = vec![NONE; graph.block_capacity()];
    let mut search = Search { graph, found: Vec::new(), innermost, stack: Vec::new() };
    for &header in dominators.preorder().iter().rev() {
        let before = graph.predecessors(header).iter().copied();
        let mut latches: Vec<Block> =
            before.filter(|&before| dominators.dominates(header, before)).collect();
        latches.dedup();
        if !latches.is_empty() {
            search.grow(header, latches);
        }
    }
    let mut loops = search.number();
    place_blocks(&mut loops, graph);
    mark_irreducible(&mut loops, graph, dominators);
    loops
}

/// Whether any edge leads back. In most functions none does.
fn has_cycle(graph: &FlowGraph) -> bool {
    // What is met behind a block on the way from the end has a smaller number.
    let leads_back = |from: Block, number: u32| {
        let before = |&to: &Block| graph.postorder_number(to).is_some_and(|to| to >= number);
        graph.successors(from).iter().any(before)
    };
    (0..).zip(graph.postorder()).any(|(number, &from)| leads_back(from, number))
}

impl Search<'_> {
    /// Finds the loop of a header: what is met on the way back from its latches.
    fn grow(&mut self, header: Block, latches: Vec<Block>) {
        let number = self.found.len() as u32;
        self.innermost[header.index()] = number;
        self.stack.extend(&latches);
        self.found.push(Found { header, latches, parent: NONE, outer: number });
        while let Some(block) = self.stack.pop() {
            let entered = match self.innermost[block.index()] {
                NONE => {
                    self.innermost[block.index()] = number;
                    block
                }
                known => {
                    let outermost = self.outermost(known);
                    if outermost == number {
                        continue;
                    }
                    let inner = &mut self.found[outermost as usize];
                    inner.parent = number;
                    inner.outer = number;
                    inner.header
                }
            };
            let before = self.graph.predecessors(entered).iter();
            self.stack.extend(before.filter(|&&before| self.graph.is_reachable(before)));
        }
    }

    fn outermost(&mut self, mut at: u32) -> u32 {
        loop {
            let outer = self.found[at as usize].outer;
            if outer == at {
                return at;
            }
            let further = self.found[outer as usize].outer;
            self.found[at as usize].outer = further;
            at = further;
        }
    }

    /// Numbers the loops by the order in which a walk meets their headers, so that
    /// those around a loop come before it.
    fn number(mut self) -> Loops {
        let mut loops = Loops::default();
        if !self.found.is_empty() {
            loops.innermost = dense_map(self.graph.block_capacity());
            loops.positions = dense_map(self.graph.block_capacity());
        }
        let mut ids: Vec<PackedOption<Loop>> = vec![None.into(); self.found.len()];
        for block in self.graph.reverse_postorder() {
            let Some(innermost) = self.found.get(self.innermost[block.index()] as usize) else {
                continue;
            };
            if innermost.header == block {
                let number = self.innermost[block.index()] as usize;
                let parent = ids.get(innermost.parent as usize).and_then(|id| id.expand());
                let depth = parent.map_or(1, |parent| loops.loops[parent].depth + 1);
                let latches = std::mem::take(&mut self.found[number].latches);
                let (range, reducible) = (0..0, true);
                let parent = parent.into();
                let data = LoopData { header: block, parent, depth, latches, range, reducible };
                ids[number] = loops.loops.push(data).into();
            }
            loops.innermost[block] = ids[self.innermost[block.index()] as usize];
        }
        loops
    }
}

/// Lists the blocks of loops so that those of each stand side by side.
fn place_blocks(loops: &mut Loops, graph: &FlowGraph) {
    let mut own: SecondaryMap<Loop, u32> = dense_map(loops.loops.len());
    for block in graph.reverse_postorder() {
        if let Some(id) = loops.innermost(block) {
            own[id] += 1;
        }
    }
    let mut sizes = own.clone();
    for id in loops.all().rev() {
        if let Some(parent) = loops.loops[id].parent.expand() {
            sizes[parent] += sizes[id];
        }
    }
    // Where the next loop begins that stands in that one, or in none.
    let mut next: SecondaryMap<Loop, u32> = dense_map(loops.loops.len());
    let mut next_outermost = 0;
    for id in loops.all() {
        let place = match loops.loops[id].parent.expand() {
            Some(parent) => &mut next[parent],
            None => &mut next_outermost,
        };
        let start = *place;
        *place += sizes[id];
        loops.loops[id].range = start..start + sizes[id];
        next[id] = start + own[id];
    }
    let mut free: SecondaryMap<Loop, u32> = dense_map(loops.loops.len());
    loops.blocks = vec![Block::new(0); next_outermost as usize];
    for block in graph.reverse_postorder() {
        if let Some(id) = loops.innermost(block) {
            let position = loops.loops[id].range.start + free[id];
            free[id] += 1;
            loops.positions[block] = position;
            loops.blocks[position as usize] = block;
        }
    }
}

/// Finds the cycles that remain without the edges from latches to headers.
fn mark_irreducible(loops: &mut Loops, graph: &FlowGraph, dominators: &Dominators) {
    let number = |block| graph.reverse_postorder_number(block);
    let mut edges = graph.postorder().iter().flat_map(|&from| {
        let successors = graph.successors(from).iter();
        successors.map(move |&to| (from, to))
    });
    if !edges.any(|(from, to)| number(to) <= number(from) && !dominators.dominates(to, from)) {
        return;
    }
    let components = Components::new(graph.block_capacity(), |from, index| {
        let block = Block::from_u32(from);
        let to = *graph.successors(block).get(index).filter(|_| graph.is_reachable(block))?;
        // An edge to itself makes no component larger.
        Some(if dominators.dominates(to, block) { from } else { to.as_u32() })
    });
    loops.irreducible = vec![false; graph.block_capacity()];
    for component in components.all().filter(|component| component.len() > 1) {
        let blocks = component.iter().map(|&node| Block::from_u32(node));
        loops.cycles.extend(blocks.min_by_key(|&block| number(block)));
        for &node in component {
            let block = Block::from_u32(node);
            loops.irreducible[block.index()] = true;
            let mut around = loops.innermost(block);
            while let Some(id) = around.filter(|&id| loops.loops[id].reducible) {
                loops.loops[id].reducible = false;
                around = loops.loops[id].parent.expand();
            }
        }
    }
    loops.cycles.sort_unstable_by_key(|&block| number(block));
}
