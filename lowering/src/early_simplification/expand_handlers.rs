//! Turns handler regions into unwind edges of the calls inside them, so that
//! no later pass meets flow that it does not see.
//!
//! Before:
//! ```text
//! import func @g(i32) -> i32
//!
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     enter block1, unwind block2(%0)
//! block1:
//!     %1 = call @g(%0)
//!     leave 1
//!     return %1
//! block2(%2: i32):
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! import func @g(i32) -> i32
//!
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1
//! block1:
//!     %4 = try_call @g(%0) normal block3(%4), unwind block2(%0)
//! block3(%3: i32):
//!     return %3
//! block2(%2: i32):
//!     return %2
//! }
//! ```
//! Every block stands in a known stack of regions. A call inside one ends its
//! block: what comes back takes the normal edge to a block of its own, and what
//! is thrown goes to the handler of the innermost region with the values that
//! its `enter` named, which dominate all of the region. A `throw` inside a
//! region becomes such a call too, of a function of the prelude that throws:
//! throwing sets the current exception, which nothing else can. Traps and polls
//! stop the whole call and are caught by nobody.
//!
//! Needs: regions that nest the same way on every path. Keeps: nothing of the
//! flow graph. Does not try: to find calls that cannot throw.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::op::{Dialect, Effects, Op};
use brolga_ir::regions::{OUTSIDE, Region, RegionTree};
use brolga_ir::types::Type;

use crate::pass::{
    Change, PassContext, PassError, PassResult, attach_behind, call_with_edge, list_insts,
    remove_unreachable_blocks, returns_twice,
};

/// Turns handler regions into unwind edges.
///
/// # Errors
/// An op of the managed dialect that may throw inside a region, and calls that
/// hand too many values to handlers.
pub fn expand_handlers(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::Enter]) {
        return Ok(Change::Nothing);
    }
    expand_regions(body, context)?;
    Ok(Change::Something)
}

/// Turns handler regions into unwind edges, and says in how many steps.
fn expand_regions(body: &mut Body, context: &mut PassContext<'_>) -> PassResult<u64> {
    remove_unreachable_blocks(body);
    let order: Vec<Block> = FlowGraph::new(body).reverse_postorder().collect();
    let mut expansion = Expansion {
        body,
        context,
        regions: RegionTree::default(),
        handlers: Vec::new(),
        inside: SecondaryMap::new(),
        renamed: SecondaryMap::new(),
        expanded: 0,
        handed: 0,
        work: 0,
    };
    for &block in &order {
        expansion.expand_block(block)?;
    }
    expansion.rename_results();
    let work = expansion.work + expansion.regions.work() + expansion.handed as u64;
    let expanded = expansion.expanded;
    context.statistics.add("expand_handlers", "calls in regions", expanded);
    Ok(work)
}

struct Expansion<'a, 'm> {
    body: &'a mut Body,
    context: &'a mut PassContext<'m>,
    regions: RegionTree,
    /// The unwind edge of each region, by its number less 1.
    handlers: Vec<Target>,
    /// The innermost region that a block begins in.
    inside: SecondaryMap<Block, Region>,
    /// What the results of calls are called behind them.
    renamed: SecondaryMap<Value, Option<Value>>,
    expanded: u64,
    /// How many values the calls hand to handlers: of those that an `enter`
    /// names, each call in its region has a list of its own.
    handed: usize,
    /// Steps that the tree and the lists do not count.
    work: u64,
}

impl Expansion<'_, '_> {
    fn expand_block(&mut self, whole: Block) -> PassResult<()> {
        let mut region = self.inside[whole];
        let mut next = self.body.layout.first_inst(whole);
        let mut block = whole;
        while let Some(inst) = next {
            next = self.body.layout.next_inst(inst);
            self.work += 1;
            // One at a time: to move all that follows a call at each call takes
            // the square of the length.
            if block != whole {
                self.body.layout.remove_inst(inst);
                attach_behind(self.body, inst, whole, block);
            }
            match (self.body.inst(inst).op, self.body.inst(inst).payload) {
                (Op::Enter, Payload::Branch([inner, handler])) => {
                    self.inside[handler.block] = region;
                    self.handlers.push(handler);
                    region = self.regions.enter(region);
                    let data = self.body.inst_mut(inst);
                    data.op = Op::Jump;
                    data.payload = Payload::Jump(inner);
                    self.inside[inner.block] = region;
                }
                (Op::Leave, Payload::Count(count)) => {
                    region = self.regions.leave(region, count);
                    self.body.remove_inst(inst);
                }
                (op, _) => {
                    if region != OUTSIDE && self.may_throw(inst, op) {
                        block = self.expand(inst, block, region)?;
                    }
                    self.note_successors(inst, region);
                }
            }
        }
        Ok(())
    }

    /// The successors of an ordinary instruction begin where it ends.
    fn note_successors(&mut self, inst: Inst, region: Region) {
        for index in 0..self.body.targets(inst).len() {
            let block = self.body.targets(inst)[index].block;
            self.inside[block] = region;
            self.work += 1;
        }
    }

    /// Whether a throw of the instruction would be for the region to handle: that
    /// of a call with an edge of its own goes there. What returns twice calls
    /// nothing back, and must be called by a plain call.
    fn may_throw(&self, inst: Inst, op: Op) -> bool {
        op.info().effects.contains(Effects::THROW)
            && !op.is_try_call()
            && !returns_twice(self.context.module, self.body, inst)
    }

    /// Gives a throwing instruction its edge; says where what follows it stands.
    fn expand(&mut self, inst: Inst, block: Block, region: Region) -> PassResult<Block> {
        let data = *self.body.inst(inst);
        if data.op.info().dialect == Dialect::Managed {
            let reason = format!("`{}` inside a handler region is not compiled yet", data.op);
            return Err(PassError::unsupported(inst, reason));
        }
        self.expanded += 1;
        let args = self.body.args(inst).to_vec();
        let call = call_with_edge(self.body, self.context, inst, &data, &args)?;
        let next = self.body.make_block();
        self.body.layout.insert_block_after(next, block);
        let results = self.body.results(inst).to_vec();
        let types: Vec<Type> = results.iter().map(|&value| self.body.value_type(value)).collect();
        for (&result, &ty) in results.iter().zip(&types) {
            let param = self.body.append_param(next, ty);
            if let Some(name) = self.body.value_name(result).map(str::to_owned) {
                self.body.set_value_name(param, &name);
            }
            self.renamed[result] = Some(param);
        }
        let made = self.body.insert_inst(inst, InstData { loc: data.loc, ..call }, &types);
        if data.op.is_terminator() {
            self.end_in_nothing(inst, next);
        }
        self.body.layout.remove_inst(inst);
        let given = self.body.results(made).to_vec();
        let normal = self.body.target(next, &given);
        let unwind = self.unwind_target(region)?;
        if let Payload::TryCall { targets, .. } = &mut self.body.inst_mut(made).payload {
            *targets = [normal, unwind];
        }
        Ok(next)
    }

    /// The edge of one more call to the handler of its region.
    fn unwind_target(&mut self, region: Region) -> PassResult<Target> {
        let handler = self.handlers[region as usize - 1];
        let values = self.body.target_args(&handler).to_vec();
        self.handed += values.len();
        let (count, limit) = (self.handed, self.context.max_parts);
        if count > limit {
            return Err(PassError::TooManyParts { count, limit });
        }
        Ok(self.body.target(handler.block, &values))
    }

    /// Ends what follows a throw, which ends its block: nothing comes back.
    fn end_in_nothing(&mut self, throw: Inst, block: Block) {
        let args = self.body.list(&[]);
        let data = InstData::new(Op::Unreachable, Type::NONE, args, Payload::None);
        let loc = self.body.loc(throw);
        self.body.append_inst(block, InstData { loc, ..data }, &[]);
    }

    fn rename_results(&mut self) {
        let renamed = &self.renamed;
        for inst in list_insts(self.body) {
            self.body.map_uses(inst, |value| renamed[value].unwrap_or(value));
        }
    }
}

#[cfg(test)]
mod tests;
