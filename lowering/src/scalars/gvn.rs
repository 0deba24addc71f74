//! Numbers what is computed, in all blocks, and computes it once.
//!
//! Before:
//! ```text
//! func @f(i64, ptr, i1) -> i64 {
//! block0(%0: i64, %1: ptr, %2: i1):
//!     branch %2, block1, block2
//! block1:
//!     %3 = add.i64 %0, 1
//!     store.i64 %3, %1
//!     jump block3(%0, %3)
//! block2:
//!     %4 = zext.i64 %2
//!     %5 = add.i64 7, %4
//!     jump block3(6, %5)
//! block3(%6: i64, %7: i64):
//!     %8 = add.i64 %6, 1
//!     %9 = load.i64 %1
//!     %10 = xor.i64 %8, %9
//!     %11 = xor.i64 %10, %7
//!     return %11
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, ptr, i1) -> i64 {
//! block0(%0: i64, %1: ptr, %2: i1):
//!     branch %2, block1, block2
//! block1:
//!     %3 = add.i64 %0, 1
//!     store.i64 %3, %1
//!     jump block3(%0, %3, %3, %3)
//! block2:
//!     %19 = load.i64 %1
//!     jump block3(6, 7, 7, %19)
//! block3(%6: i64, %7: i64, %18: i64, %20: i64):
//!     %10 = xor.i64 %18, %20
//!     %11 = xor.i64 %10, %7
//!     return %11
//! }
//! ```
//! In reverse postorder each expression is looked up in a table of those before, and one
//! whose block dominates this one stands for it; an op that traps would have trapped there.
//! What a branch, switch or check says a number to be, it is in the blocks behind. Loads
//! are numbered by their place and by the version of memory that last changed it (a walk
//! over memory SSA), so that a store of the whole place gives what was stored.
//!
//! Where paths meet, an op on parameters that each path has computed for its own arguments
//! is a parameter itself (Gargi, "A sparse algorithm for predicated global value
//! numbering", 2002). So is a load of a place that some path has changed: what each path
//! knows of the place comes along, and one path that knows nothing loads it at its end (the
//! partial redundancy of Bodik and Gupta, with a bound of one load), where every way from
//! there comes to this load before anything that leaves. In a loop this keeps in a
//! parameter what the loop stores and loads again. Where the address goes on from round to
//! round, what a round stores last and the next one loads is such a parameter too; and where
//! a round chooses between two addresses that it has loaded from, what it has found there.
//!
//! Each question is bounded, so that the pass takes O(instructions).
//!
//! Keeps: the flow graph
//! and all that follows from it. Does not try: values that are equal only if others around
//! a loop are; splitting edges for loads; calls.

mod available;
mod carried;
mod chosen;
mod loads;
mod meeting;

use std::rc::Rc;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::{Effects, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::conditions::Operand;
use crate::analysis::{Conditions, Kept};
use crate::pass::{
    Change, Expression, IncomingEdges, PassContext, PassResult, Renames, effects_of, fold_inst,
    wrapped,
};

use available::Available;
use carried::Carried;
use loads::{Memory, Place};

/// How much of what an edge says is taken.
const MOST_FACTS: usize = 16;

/// How many facts of a value are looked at.
const MOST_LOOKED_AT: usize = 8;

/// Computes once what is computed several times.
///
/// # Errors
/// None.
pub fn gvn(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let mut walk = Walk::new(body, context);
    let order: Vec<Block> = walk.graph.reverse_postorder().collect();
    let mut insts = Vec::new();
    for block in order {
        walk.arrive(body, block);
        insts.clear();
        insts.extend(body.layout.insts(block));
        for &inst in &insts {
            walk.visit(body, context, block, inst);
        }
        walk.latest = Some(block);
    }
    walk.carry_loads(body);
    walk.choose_loads(body);
    walk.renames.apply(body);
    for &inst in &walk.gone {
        body.remove_inst(inst);
    }
    let change = walk.counts.report(context);
    context.analyses.keep(Kept::GRAPH);
    Ok(change)
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    computed: u64,
    folded: u64,
    facts: u64,
    checks: u64,
    loads: u64,
    stored: u64,
    params: u64,
    merged: u64,
    merged_loads: u64,
    carried_loads: u64,
    chosen_loads: u64,
    inserted: u64,
}

impl Counts {
    fn report(self, context: &mut PassContext<'_>) -> Change {
        let counts = [
            ("removed instructions", self.computed),
            ("folded instructions", self.folded),
            ("known operands", self.facts),
            ("removed checks", self.checks),
            ("removed loads", self.loads),
            ("loads of what was stored", self.stored),
            ("equal parameters", self.params),
            ("ops that became parameters", self.merged),
            ("loads that became parameters", self.merged_loads),
            ("loads of what the round before stored", self.carried_loads),
            ("loads of what the round before chose", self.chosen_loads),
            ("loads on the way", self.inserted),
        ];
        context.statistics.add_each("gvn", counts)
    }
}

/// What a value is known to be in the blocks that a block dominates.
#[derive(Clone, Copy, Debug)]
struct Fact {
    block: Block,
    constant: Value,
    /// How many facts there were when the one before of the same value had been learned; 0 if
    /// there is none.
    before: u32,
}

/// The walk over the blocks.
struct Walk {
    graph: Rc<FlowGraph>,
    dominators: Rc<Dominators>,
    conditions: Rc<Conditions>,
    edges: IncomingEdges,
    /// Of a body with loads.
    memory: Option<Rc<Memory>>,
    renames: Renames,
    expressions: Available<Expression>,
    places: Available<Place>,
    /// Loads of what earlier rounds may have stored, looked at when all is known.
    carried: Vec<Carried>,
    /// Loads in loops, which may go by what these choose.
    choosing: Vec<Carried>,
    /// The headers of loops that dominate the block, the innermost last.
    headers: Vec<Block>,
    /// What values are known to be, in the order in which that was learned.
    facts: Vec<Fact>,
    /// How many facts there were when the latest of a value had been learned.
    latest_fact: SecondaryMap<Value, u32>,
    /// Whether execution that has come to the block comes to where the walk is.
    is_certain: bool,
    /// The block from which execution comes to this one without a branch.
    since: Option<Block>,
    /// Where the walk was before this block.
    latest: Option<Block>,
    /// Removed at the end: until then, locations stand for what was there.
    gone: Vec<Inst>,
    is_gone: EntitySet<Inst>,
    counts: Counts,
}

impl Walk {
    fn new(body: &Body, context: &mut PassContext<'_>) -> Walk {
        let count = body.layout.all_insts().count();
        Walk {
            graph: context.analyses.flow(body),
            dominators: context.analyses.dominators(body),
            conditions: context.analyses.conditions(body),
            edges: IncomingEdges::new(body),
            memory: Memory::new(body, context),
            renames: Renames::default(),
            expressions: Available::with_capacity(count),
            places: Available::with_capacity(0),
            carried: Vec::new(),
            choosing: Vec::new(),
            headers: Vec::new(),
            facts: Vec::new(),
            latest_fact: SecondaryMap::new(),
            is_certain: true,
            since: None,
            latest: None,
            gone: Vec::new(),
            is_gone: EntitySet::new(),
            counts: Counts::default(),
        }
    }

    /// Notes what is known where `block` begins.
    fn arrive(&mut self, body: &mut Body, block: Block) {
        if !self.is_next(body, block) {
            self.is_certain = true;
            self.since = Some(block);
        }
        self.learn(body, block);
        if body.layout.entry() != Some(block) {
            self.name_params(body, block);
            self.note_header(body, block);
        }
    }

    /// Whether the walk comes from the only block before, which jumps here.
    fn is_next(&self, body: &Body, block: Block) -> bool {
        let &[edge] = self.edges.of(block) else { return false };
        body.layout.block_of(edge.inst) == self.latest && body.inst(edge.inst).op == Op::Jump
    }

    /// What the only edge to a block says.
    fn learn(&mut self, body: &mut Body, block: Block) {
        let &[edge] = self.edges.of(block) else { return };
        let Some(before) = body.layout.block_of(edge.inst) else { return };
        let conditions = Rc::clone(&self.conditions);
        let mut numbers: SmallVec<[(Value, u128); 4]> = SmallVec::new();
        for known in conditions.on_edge(body, before, edge.index as usize).take(MOST_FACTS) {
            if let (IntCond::Eq, Operand::Number(number)) = (known.condition, known.operand) {
                numbers.push((known.value, number));
            }
        }
        for (value, number) in numbers {
            self.note_fact(body, block, value, number);
        }
    }

    /// Notes that a number is known where `block` begins, or in it.
    fn note_fact(&mut self, body: &mut Body, block: Block, value: Value, number: u128) {
        let ty = body.value_type(value);
        let is_number = ty.as_scalar().is_some_and(|scalar| !scalar.is_address());
        let value = self.renames.resolve(value);
        if is_number
            && body.as_constant(value).is_none()
            && let Some(constant) = Constant::scalar(ty, number)
        {
            let constant = body.constant(constant);
            let before = self.latest_fact[value];
            self.facts.push(Fact { block, constant, before });
            self.latest_fact[value] = self.facts.len() as u32;
        }
    }

    /// Lets parameters stand for what all edges give, or for others that get the same.
    fn name_params(&mut self, body: &Body, block: Block) {
        if body.params(block).is_empty() {
            return;
        }
        let mut edges: SmallVec<[_; 4]> = SmallVec::new();
        for &edge in self.edges.of(block) {
            let from = body.layout.block_of(edge.inst);
            if from.is_some_and(|from| self.graph.is_reachable(from)) {
                edges.push(edge);
            }
        }
        let mut seen: FxHashMap<SmallVec<[Option<Value>; 4]>, Value> = FxHashMap::default();
        for (index, &param) in body.params(block).iter().enumerate() {
            let mut args: SmallVec<[Option<Value>; 4]> = SmallVec::new();
            for edge in &edges {
                args.push(edge.arg(body, index).map(|arg| self.renames.resolve(arg)));
            }
            let mut others = args.iter().flatten().filter(|&&arg| arg != param);
            let first = others.next().copied();
            let only = first.filter(|&first| others.all(|&other| other == first));
            if let Some(value) = only.filter(|&value| self.is_above(body, value, block)) {
                self.renames.rename(param, value);
                self.counts.params += 1;
            } else if let Some(&twin) = seen.get(&args)
                && body.value_type(twin) == body.value_type(param)
            {
                self.renames.rename(param, twin);
                self.counts.params += 1;
            } else {
                seen.insert(args, param);
            }
        }
    }

    fn visit(&mut self, body: &mut Body, context: &PassContext<'_>, block: Block, inst: Inst) {
        self.rename_uses(body, block, inst);
        let op = body.inst(inst).op;
        if op == Op::Check {
            return self.check(body, block, inst);
        }
        if let Some(Ok(constants)) = fold_inst(body, inst) {
            self.counts.folded += 1;
            return self.replace(body, inst, &constants);
        }
        let effects = effects_of(context.module, body, inst);
        if loads::is_load(body, inst) {
            self.load(body, block, inst);
        } else if Effects::TRAP.contains(effects) && !op.is_call() && !body.results(inst).is_empty()
        {
            self.share(body, block, inst, effects);
        }
        let leaves = effects.intersects(Effects::TRAP | Effects::THROW | Effects::NO_RETURN);
        if op.is_call() || (leaves && !self.is_gone.contains(inst)) {
            self.is_certain = false;
        }
    }

    fn rename_uses(&mut self, body: &mut Body, block: Block, inst: Inst) {
        let (renames, facts, dominators) = (&mut self.renames, &self.facts, &self.dominators);
        let latest = &self.latest_fact;
        let mut found = 0;
        body.map_uses(inst, |value| {
            let value = renames.resolve(value);
            let mut next = latest[value];
            for _ in 0..MOST_LOOKED_AT {
                let Some(fact) = facts.get((next as usize).wrapping_sub(1)) else { break };
                if dominators.dominates(fact.block, block) {
                    found += 1;
                    return fact.constant;
                }
                next = fact.before;
            }
            value
        });
        self.counts.facts += found;
    }

    /// A check that was passed is passed again.
    fn check(&mut self, body: &mut Body, block: Block, inst: Inst) {
        let Some(&condition) = body.args(inst).first() else { return };
        if body.as_scalar_constant(condition) == Some(1) {
            self.counts.checks += 1;
            self.is_gone.insert(inst);
            self.gone.push(inst);
            return;
        }
        self.is_certain = false;
        self.note_fact(body, block, condition, 1);
    }

    /// Removes what was computed above, or notes that it is computed here.
    fn share(&mut self, body: &mut Body, block: Block, inst: Inst, effects: Effects) {
        let Some(expression) = Expression::of(body, inst) else { return };
        if let Some(values) = self.expressions.find(&expression, block, &self.dominators) {
            self.counts.computed += 1;
            return self.replace(body, inst, &values);
        }
        if effects == Effects::PURE
            && let Some(value) = self.merged_op(body, block, inst)
        {
            self.counts.merged += 1;
            self.expressions.insert(expression, block, &[value]);
            return self.replace(body, inst, &[value]);
        }
        let values: SmallVec<[Value; 2]> = SmallVec::from_slice(body.results(inst));
        if let Some(plain) = wrapped(body.inst(inst).op) {
            self.expressions.insert(expression.clone().with_op(plain), block, &values[..1]);
        }
        self.expressions.insert(expression, block, &values);
    }

    /// Lets other values stand for the results of an instruction, which goes.
    fn replace(&mut self, body: &Body, inst: Inst, values: &[Value]) {
        for (&result, &value) in body.results(inst).iter().zip(values) {
            self.renames.rename(result, value);
        }
        self.is_gone.insert(inst);
        self.gone.push(inst);
    }

    /// Whether `value` is there where `block` begins, and is the same in all its rounds.
    fn is_above(&self, body: &Body, value: Value, block: Block) -> bool {
        if let ValueDef::Result(inst, _) = body.value_def(value)
            && body.inst(inst).op.info().effects.contains(Effects::TERMINATE)
        {
            // Results of a call that may be caught exist on its normal edge only.
            return false;
        }
        match body.defining_block(value) {
            Some(above) => above != block && self.dominators.dominates(above, block),
            None => body.as_constant(value).is_some(),
        }
    }
}
