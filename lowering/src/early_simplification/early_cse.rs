//! Lets what has been computed stand for what would give the same, where every
//! path has come by it.
//!
//! Before:
//! ```text
//! func @f(i32, i32, ptr) -> i32 {
//! block0(%0: i32, %1: i32, %2: ptr):
//!     %3 = sdiv.i32 %0, %1
//!     %4 = load.i32 %2
//!     %5 = icmp.i32 slt %0, %1
//!     branch %5, block1, block2
//! block1:
//!     %6 = sdiv.i32 %0, %1
//!     %7 = load.i32 %2
//!     %8 = icmp.i32 sge %0, %1
//!     %9 = select.i32 %8, %6, %7
//!     return %9
//! block2:
//!     store.i32 %3, %2
//!     %10 = load.i32 %2
//!     return %10
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i32, ptr) -> i32 {
//! block0(%0: i32, %1: i32, %2: ptr):
//!     %3 = sdiv.i32 %0, %1
//!     %4 = load.i32 %2
//!     %5 = icmp.i32 slt %0, %1
//!     branch %5, block1, block2
//! block1:
//!     %9 = select.i32 0, %3, %4
//!     return %9
//! block2:
//!     store.i32 %3, %2
//!     return %3
//! }
//! ```
//! A walk down the dominator tree keeps a table of what the blocks above have
//! computed, with a scope for each block. What reads memory is known as long as
//! nothing has written: a counter tells one state of memory from another, and a
//! block where paths meet has a new one. A store makes its value known, and goes
//! when that is what memory holds. An equal op that can trap would have trapped
//! above, and goes as well. On an edge that a condition decides, and behind a
//! check or a promise, the condition is known, with what follows from it: that
//! operands are equal, and in which ways they may compare.
//!
//! Where loads are left that only other writes stand between, memory SSA is asked
//! in a second walk whether these touch what is read: few functions have any, and
//! others do not pay for it.
//!
//! With the option `rounds`, functions without loops and vectors are left as they are: late, what
//! is equal has been made so by passes over loops, and by those that make vectors.
//!
//! Needs: nothing. Keeps: the flow graph. Does not try: what is equal on all
//! paths and computed on each (`gvn`); calls that only read.

mod conditions;
mod memory;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value, dense_map};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::op::{Effects, Op};
use smallvec::SmallVec;

use crate::analysis::Kept;
use crate::analysis::conditions::Outcomes;
use crate::pass::{
    Change, Expression, PassContext, PassResult, Renames, ScopedMap, effects_of, fold_inst,
    headers, remove_unreachable_blocks, wrapped,
};

use memory::{Memory, is_load};

/// The option by which functions without loops and vectors are left as they are.
const ROUNDS: &str = "rounds";

/// Lets values stand for equal ones.
///
/// # Errors
/// None.
pub fn early_cse(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.option == ROUNDS && !has_rounds(body, context) {
        return Ok(Change::Nothing);
    }
    let removed = remove_unreachable_blocks(body);
    if removed > 0 {
        context.analyses.drop_all();
    }
    let mut counts = Counts::default();
    let left = walk_down(body, context, None, &mut counts);
    if left > 0 {
        context.analyses.keep(Kept::GRAPH);
        let memory = Memory::of(body, context);
        walk_down(body, context, Some(memory), &mut counts);
    }
    let change = counts.report(context);
    Ok(if removed > 0 { Change::Something } else { change })
}

/// Whether passes over loops have left any, or others vectors.
fn has_rounds(body: &Body, context: &mut PassContext<'_>) -> bool {
    !headers(&context.analyses.flow(body)).is_empty()
        || body.layout.all_insts().any(|inst| body.inst(inst).ty.is_vector())
}

/// Walks down the dominator tree; gives how many loads were made before, but for writes that
/// may touch what they read.
fn walk_down(
    body: &mut Body,
    context: &mut PassContext<'_>,
    memory: Option<Memory>,
    counts: &mut Counts,
) -> u64 {
    let dominators = context.analyses.dominators(body);
    let edges = IncomingEdges::new(body);
    let count = body.layout.all_insts().count();
    let states_behind = dense_map(body.block_count());
    let mut walk = Walk {
        body,
        context,
        memory,
        renames: Renames::default(),
        available: ScopedMap::with_capacity(count),
        known: ScopedMap::with_capacity(0),
        compared: ScopedMap::with_capacity(0),
        bases: SecondaryMap::new(),
        state: 0,
        states: 0,
        states_behind,
        counts: *counts,
        left: 0,
    };
    let mut open: Vec<Block> = Vec::new();
    for &block in dominators.preorder() {
        let above = dominators.immediate_dominator(block);
        while open.last().copied() != above && open.pop().is_some() {
            walk.leave_scope();
        }
        open.push(block);
        walk.enter_scope();
        walk.arrive(above, edges.of(block));
        walk.visit_block(block);
    }
    *counts = walk.counts;
    walk.left
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    computed: u64,
    loads: u64,
    stores: u64,
    folded: u64,
    checks: u64,
    conditions: u64,
}

impl Counts {
    fn report(self, context: &mut PassContext<'_>) -> Change {
        let counts = [
            ("removed instructions", self.computed),
            ("removed loads", self.loads),
            ("removed stores", self.stores),
            ("folded instructions", self.folded),
            ("removed checks", self.checks),
            ("known operands", self.conditions),
        ];
        context.statistics.add_each("early_cse", counts)
    }
}

/// What has been computed.
#[derive(Clone, Debug)]
struct Computed {
    values: SmallVec<[Value; 2]>,
    /// The state of memory that it holds for; any if it reads none.
    state: Option<u32>,
    /// The instruction that computes it, or has stored it, if it is one of these.
    by: Option<Inst>,
}

/// The walk down the dominator tree.
struct Walk<'a, 'm> {
    body: &'a mut Body,
    context: &'a mut PassContext<'m>,
    /// What tells which writes touch what is read; at first none do as far as is known.
    memory: Option<Memory>,
    renames: Renames,
    available: ScopedMap<Expression, Computed>,
    /// What values are known to be here.
    known: ScopedMap<Value, Value>,
    /// In which ways pairs of numbers may compare here, the lesser value first.
    compared: ScopedMap<(Value, Value), Outcomes>,
    /// What an address is a constant offset behind.
    bases: SecondaryMap<Value, Option<(Value, i64)>>,
    /// The state of memory, and how many there have been.
    state: u32,
    states: u32,
    states_behind: SecondaryMap<Block, u32>,
    counts: Counts,
    /// How many loads were made before, but for writes that may touch what they read.
    left: u64,
}

impl Walk<'_, '_> {
    fn enter_scope(&mut self) {
        self.available.enter();
        self.known.enter();
        self.compared.enter();
    }

    fn leave_scope(&mut self) {
        self.available.leave();
        self.known.leave();
        self.compared.leave();
    }

    fn visit_block(&mut self, block: Block) {
        let mut next = self.body.layout.first_inst(block);
        while let Some(inst) = next {
            next = self.body.layout.next_inst(inst);
            self.rename_uses(inst);
            self.visit(inst);
        }
        self.states_behind[block] = self.state;
    }

    fn rename_uses(&mut self, inst: Inst) {
        let (renames, known) = (&mut self.renames, &self.known);
        let mut found = 0;
        self.body.map_uses(inst, |value| {
            let value = renames.resolve(value);
            match known.get(&value) {
                Some(&constant) => {
                    found += 1;
                    constant
                }
                None => value,
            }
        });
        self.counts.conditions += found;
    }

    fn visit(&mut self, inst: Inst) {
        let op = self.body.inst(inst).op;
        if matches!(op, Op::Check | Op::Assume) {
            return self.check(inst);
        }
        if op == Op::Branch {
            self.name_condition(inst);
        }
        if let Some(Ok(constants)) = fold_inst(self.body, inst) {
            self.counts.folded += 1;
            return self.replace(inst, &constants);
        }
        if op == Op::Icmp
            && let Some(constant) = self.decided(inst)
        {
            self.counts.computed += 1;
            return self.replace(inst, &[constant]);
        }
        self.note_base(inst);
        let effects = effects_of(self.context.module, self.body, inst);
        if effects.intersects(Effects::WRITE | Effects::SYNCHRONISE) {
            return self.write(inst, effects);
        }
        // What throws or stops for the collector does so for no other reason
        // than what it computes from.
        let shareable = Effects::READ | Effects::TRAP | Effects::THROW | Effects::SAFEPOINT;
        if shareable.contains(effects) && !self.body.results(inst).is_empty() {
            self.share(inst, effects);
        }
    }

    /// Removes what has been computed before, or notes that it is computed here.
    fn share(&mut self, inst: Inst, effects: Effects) {
        let Some(expression) = self.expression(inst) else { return };
        let state = self.state_read(inst, effects);
        let known = self.available.get(&expression);
        let holds = |it: &Computed| it.state.is_none() || state.is_none() || it.state == state;
        let is_written = known.is_some_and(|known| !holds(known));
        if let Some(known) = known.filter(|known| holds(known) || self.is_untouched(inst, known.by))
        {
            let values = known.values.clone();
            match effects.contains(Effects::READ) {
                true => self.counts.loads += 1,
                false => self.counts.computed += 1,
            }
            return self.replace(inst, &values);
        }
        self.left += u64::from(is_written && is_load(self.body.inst(inst).op));
        let values = SmallVec::from_slice(self.body.results(inst));
        if let Some(plain) = wrapped(self.body.inst(inst).op) {
            let values = SmallVec::from_slice(&values[..1]);
            let computed = Computed { values, state: None, by: Some(inst) };
            self.available.insert(expression.clone().with_op(plain), computed);
        }
        self.available.insert(expression, Computed { values, state, by: Some(inst) });
    }

    /// Lets other values stand for the results of an instruction, which goes.
    fn replace(&mut self, inst: Inst, values: &[Value]) {
        let results: SmallVec<[Value; 2]> = SmallVec::from_slice(self.body.results(inst));
        for (result, &value) in results.into_iter().zip(values) {
            self.renames.rename(result, value);
        }
        self.body.remove_inst(inst);
    }
}
