//! Does what several instructions do side by side with one on vectors.
//!
//! Before:
//! ```text
//! func @f(ptr, ptr, f64) {
//! block0(%0: ptr, %1: ptr, %2: f64):
//!     %3 = load.f64 %0
//!     %4 = load.f64 %0+8
//!     %5 = fmul.f64 %3, %2
//!     %6 = fmul.f64 %2, %4
//!     %7 = fadd.f64 %5, 1.0
//!     %8 = fadd.f64 %6, 2.0
//!     store.f64 %8, %1+8
//!     store.f64 %7, %1
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, ptr, f64) {
//! block0(%0: ptr, %1: ptr, %2: f64):
//!     %11 = load.f64x2 %0
//!     %12 = splat.f64x2 %2
//!     %13 = fmul.f64x2 %11, %12
//!     %15 = fadd.f64x2 %13, <1.0, 2.0>
//!     store.f64x2 %15, %1
//!     return
//! }
//! ```
//! Stores to places that follow each other, as many as fill a register, are the start: what
//! they store is looked at side by side. Where all of it comes from one op, that op is done
//! once, on vectors of its operands, which are looked at next; loads from places that follow
//! each other are one load. Constants, the same value in each lane, and whatever is different
//! end the search (Larsen and Amarasinghe, "Exploiting superword level parallelism with
//! multimedia instruction sets", 2000; from the bottom up as by Rosen, Nuzman and Zaks,
//! "Loop-aware SLP in GCC", 2007). The other start are sums, products, bit patterns and
//! extremes of many parts: parts that are alike are put together in vectors first, and their
//! lanes then. Of floats only those sums and products that are permitted to be regrouped.
//!
//! Everything moves down to the last store, or to the end of the sum. So nothing that stands
//! between may touch what is moved over it, and stores go over nothing but loads and stores.
//! It is done where the target's costs say that vectors take fewer instructions. Blocks are
//! taken apart into pieces of a bounded length, and trees are bounded, so that the work is
//! linear.
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try: vectors
//! shorter than a register; values of several blocks; conversions, compares and choices;
//! volatile and atomic accesses, traps; trees of which other code needs a part.

mod memory;
mod seeds;
mod sum;
mod tree;
mod write;

use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::analysis::{Accesses, Kept};
use crate::pass::{Change, PassContext, PassResult, Uses};
use memory::Window;
use tree::Tree;

/// The most instructions that are looked at together.
const MOST_INSTS: usize = 256;

/// What a body is looked at with.
struct Packer<'a, 'm> {
    body: &'a mut Body,
    context: &'a mut PassContext<'m>,
    accesses: &'a Accesses,
    uses: Uses,
    /// How many stores, and how many sums, have become vectors.
    stores: u64,
    sums: u64,
}

/// Does what stands side by side with vectors.
///
/// # Errors
/// None.
pub fn slp_vectorize(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::Load, Op::Store]) {
        return Ok(Change::Nothing);
    }
    let accesses = context.analyses.accesses(body, context.module);
    let uses = Uses::new(body);
    let mut packer = Packer { body, context, accesses: &accesses, uses, stores: 0, sums: 0 };
    for block in packer.body.layout.blocks().collect::<Vec<_>>() {
        let insts: Vec<Inst> = packer.body.layout.insts(block).collect();
        for piece in insts.chunks(MOST_INSTS) {
            packer.pack(piece);
        }
    }
    let counts = [("vectors stored", packer.stores), ("sums of vectors", packer.sums)];
    let change = context.statistics.add_each("slp_vectorize", counts);
    if change == Change::Something {
        context.analyses.keep(Kept::GRAPH);
    }
    Ok(change)
}

impl Packer<'_, '_> {
    /// Looks at instructions that stand one behind the other.
    fn pack(&mut self, insts: &[Inst]) {
        let mut window = Window::new(self.body, self.context.module, insts);
        for stores in seeds::stores(self.body, self.accesses, self.context.target, insts) {
            if self.pack_stores(&mut window, &stores).is_some() {
                self.stores += 1;
            }
        }
        for &root in insts {
            let is_there = self.body.layout.block_of(root).is_some();
            if is_there && self.pack_sum(&mut window, root).is_some() {
                self.sums += 1;
            }
        }
    }

    /// Makes one store of several, if that pays.
    fn pack_stores(&mut self, window: &mut Window, stores: &[Inst]) -> Option<()> {
        let values = stores.iter().map(|&store| self.body.args(store).first().copied());
        let values: Vec<Value> = values.collect::<Option<_>>()?;
        let tree = self.tree(window, stores, &[values])?;
        let (facts, ty) = (self.context.target, self.body.inst(*stores.first()?).ty);
        let vector = tree::vector_of(ty, stores.len())?;
        let stored = stores.len() as u32 * facts.access_cost(ty);
        let before = tree.scalar_cost(self.body, facts) + stored;
        let behind = tree.vector_cost(self.body, facts) + facts.access_cost(vector);
        let last = window.last(stores)?;
        if behind >= before || !window.may_move(self.accesses, stores, &tree) {
            return None;
        }
        let (count, made) = (stores.len(), tree.len());
        let message = format_args!("{count} stores are one, of a tree of {made} vectors");
        self.context.remark(last, RemarkKind::Applied, message);
        self.write_stores(&tree, stores, last);
        window.moved(stores, &tree, last);
        Some(())
    }

    /// What rows of values side by side are computed from, where nothing but `users` needs
    /// it.
    fn tree(&self, window: &Window, users: &[Inst], rows: &[Vec<Value>]) -> Option<Tree> {
        Tree::new(self.body, self.accesses, &self.uses, window, users, rows)
    }
}
