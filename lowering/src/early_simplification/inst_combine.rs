//! Replaces instructions by cheaper ones that mean the same, and by constants.
//!
//! Before:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %2 = add.i32 %0, 1
//!     %3 = sub.i32 %2, 5
//!     %4 = mul.i32 %3, 8
//!     %5 = icmp.i32 slt %4, %1
//!     %6 = select.i32 %5, %4, %1
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %13 = shl.i32 %0, 3
//!     %4 = add.i32 %13, -32
//!     %6 = smin.i32 %4, %1
//!     return %6
//! }
//! ```
//! The rules stand in `rules/`, a theme a file, as patterns and results; `procedure`
//! has those that look at more than operands. One walk meets definitions before
//! uses, so that an instruction sees its operands in their last form; what a rule
//! writes is gone through before what it was written for.
//!
//! A rule applies where what it writes costs less than what it makes superfluous:
//! an operand that something else uses, too, is not superfluous. Rules marked `->`
//! also apply at equal cost; these have one direction: constants outward and to the
//! right, fewer kinds of ops and conditions. So no rule undoes another.
//!
//! Needs: no aggregates. Keeps: the flow graph and all that follows from it. Does not
//! try: facts about ranges and bits that no operand shows (`sccp`, `bit_dce`), facts
//! that hold on one branch only (`correlated_values`), regrouping of long sums
//! (`reassociate`).

mod bound;
mod build;
mod cost;
mod pattern;
mod procedure;
mod rule;
mod rules;
#[cfg(test)]
mod tests;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use self::bound::{Binding, Bound};
use self::build::{Builder, Written};
use self::cost::cost_of;
use self::pattern::{Entry, Orders, Rules};
use crate::pass::{PassContext, PassResult, Renames, count_uses, fold_inst, is_removable};

/// How often a body is gone through: a later walk finds what became superfluous only
/// behind the place where it would have mattered.
const MOST_WALKS: usize = 3;

/// How many levels of operands rules look at, that of the instruction itself among them.
const MOST_LEVELS: u8 = 5;

/// How many rewrites there may be for each instruction, and for a body beside. More is
/// a defect of the rules, which then costs time but not for ever.
const MOST_REWRITES: (usize, usize) = (8, 64);

/// Replaces instructions by cheaper ones.
///
/// # Errors
/// None.
pub fn inst_combine(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let mut combiner = Combiner::new(body, context.module);
    let mut among = Among::All;
    for _ in 0..MOST_WALKS {
        let before = combiner.counts;
        combiner.walk(&graph, among);
        if combiner.counts == before {
            break;
        }
        among = Among::Touched;
    }
    let counts = combiner.counts;
    combiner.renames.apply(body);
    let counts = [
        ("rewritten", counts.rewritten),
        ("folded to constants", counts.folded),
        ("reordered", counts.reordered),
        ("removed", counts.removed),
    ];
    Ok(context.statistics.add_each("inst_combine", counts))
}

/// Which instructions a walk looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Among {
    All,
    /// Those for which something has changed since the walk before came to them.
    Touched,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    rewritten: usize,
    folded: usize,
    reordered: usize,
    removed: usize,
}

/// The walk over one body.
struct Combiner<'a> {
    body: &'a mut Body,
    module: &'a Module,
    renames: Renames,
    /// How often each value is used, by its last name.
    uses: SecondaryMap<Value, u32>,
    /// How many instructions further a change of each value may still be of account, as
    /// rules see so many levels of operands and no more.
    reach: SecondaryMap<Value, u8>,
    /// The values with fewer uses than when the walk began, which lets rules fit that have
    /// been tried.
    lighter: Vec<Value>,
    counts: Counts,
    rewrites_left: usize,
}

impl<'a> Combiner<'a> {
    fn new(body: &'a mut Body, module: &'a Module) -> Combiner<'a> {
        let (uses, count) = (count_uses(body), body.layout.all_insts().count());
        let rewrites_left = MOST_REWRITES.0 * count + MOST_REWRITES.1;
        let (renames, counts) = (Renames::default(), Counts::default());
        let (reach, lighter) = (SecondaryMap::new(), Vec::new());
        Combiner { body, module, renames, uses, reach, lighter, counts, rewrites_left }
    }

    fn walk(&mut self, graph: &FlowGraph, among: Among) {
        self.reach.clear();
        for value in std::mem::take(&mut self.lighter) {
            self.touch(value);
        }
        for block in graph.reverse_postorder() {
            let mut next = self.body.layout.first_inst(block);
            while let Some(inst) = next {
                // Before it is gone: what a rule writes stands before it.
                next = self.body.layout.next_inst(inst);
                if among == Among::All || self.is_touched(inst) {
                    self.visit(inst);
                }
            }
        }
    }

    /// Whether a change since it was visited may let another rule fit `inst`; if so it may
    /// do the same to what uses it.
    fn is_touched(&mut self, inst: Inst) -> bool {
        let args = self.body.args(inst).iter().map(|&arg| self.reach[arg]);
        let reach = args.max().unwrap_or(0);
        let mut is_touched = reach > 0;
        for &result in self.body.results(inst) {
            is_touched |= self.reach[result] > 0;
            if reach > self.reach[result] + 1 {
                self.reach[result] = reach - 1;
            }
        }
        is_touched
    }

    fn touch(&mut self, value: Value) {
        self.reach[value] = MOST_LEVELS;
    }

    /// Brings `inst` into its last form.
    fn visit(&mut self, inst: Inst) {
        let mut left: SmallVec<[Inst; 8]> = SmallVec::from_slice(&[inst]);
        while let Some(&inst) = left.last() {
            let mut fresh = Vec::new();
            let goes_on = self.body.layout.block_of(inst).is_some() && self.step(inst, &mut fresh);
            if !goes_on {
                left.pop();
            }
            if !fresh.is_empty() {
                // The first written is the first to be gone through.
                left.extend(fresh.into_iter().rev());
            }
        }
    }

    /// Rewrites `inst` once, and says whether it is there and may be rewritten again.
    fn step(&mut self, inst: Inst, fresh: &mut Vec<Inst>) -> bool {
        self.renames.apply_to(self.body, inst);
        if self.body.results(inst).iter().all(|&result| self.uses[result] == 0) && self.remove(inst)
        {
            return false;
        }
        if self.rewrites_left == 0 {
            return false;
        }
        self.order(inst);
        let done = self.fold(inst) || self.by_procedure(inst, fresh) || self.by_rule(inst, fresh);
        if done {
            self.rewrites_left -= 1;
        }
        done
    }

    /// Takes `inst` out if it does nothing, and then what only it used.
    fn remove(&mut self, inst: Inst) -> bool {
        let mut left: SmallVec<[Inst; 4]> = SmallVec::from_slice(&[inst]);
        let mut is_gone = false;
        while let Some(inst) = left.pop() {
            let is_unused = self.body.results(inst).iter().all(|&result| self.uses[result] == 0);
            if !is_unused
                || self.body.layout.block_of(inst).is_none()
                || !is_removable(self.module, self.body, inst)
            {
                continue;
            }
            is_gone = true;
            self.counts.removed += 1;
            let args: SmallVec<[Value; 3]> = SmallVec::from_slice(self.body.args(inst));
            self.body.remove_inst(inst);
            left.extend(args.into_iter().filter_map(|arg| self.release(arg)));
        }
        is_gone
    }

    /// One use less; what defines the value, if that was the last.
    fn release(&mut self, value: Value) -> Option<Inst> {
        let value = self.renames.resolve(value);
        self.uses[value] = self.uses[value].saturating_sub(1);
        let ValueDef::Result(inst, _) = self.body.value_def(value) else { return None };
        if self.uses[value] > 0 {
            self.lighter.push(value);
            self.touch(value);
            return None;
        }
        Some(inst)
    }

    fn release_all(&mut self, values: &[Value]) {
        for &value in values {
            if let Some(inst) = self.release(value) {
                self.remove(inst);
            }
        }
    }

    /// Lets `to` stand for `from`.
    fn rename(&mut self, from: Value, to: Value) {
        let to = self.renames.resolve(to);
        self.uses[to] += self.uses[from];
        self.uses[from] = 0;
        self.touch(from);
        self.renames.rename(from, to);
    }

    /// Puts a constant behind the other operand, and spells conditions on addresses as
    /// they are meant.
    fn order(&mut self, inst: Inst) {
        let data = self.body.inst(inst);
        let (op, ty) = (data.op, data.ty);
        if let Payload::IntCond(cond) = data.payload
            && ty.lane().is_none_or(Scalar::is_address)
            && cond != cond.unsigned()
        {
            self.body.inst_mut(inst).payload = Payload::IntCond(cond.unsigned());
            self.counts.reordered += 1;
        }
        let &[first, second] = self.body.args(inst) else { return };
        let is_swapped =
            self.body.as_constant(first).is_some() && self.body.as_constant(second).is_none();
        let swapped = match self.body.inst(inst).payload {
            _ if !is_swapped => return,
            Payload::IntCond(cond) => Payload::IntCond(cond.swapped()),
            Payload::FloatCond(cond) => Payload::FloatCond(cond.swapped()),
            payload if op.is_commutative() => payload,
            _ => return,
        };
        let args = self.body.list(&[second, first]);
        let data = self.body.inst_mut(inst);
        data.args = args;
        data.payload = swapped;
        self.counts.reordered += 1;
    }

    /// Puts constants in the place of what only has constants as operands.
    fn fold(&mut self, inst: Inst) -> bool {
        let Some(Ok(constants)) = fold_inst(self.body, inst) else { return false };
        let results: SmallVec<[Value; 2]> = SmallVec::from_slice(self.body.results(inst));
        for (result, constant) in results.into_iter().zip(constants) {
            self.rename(result, constant);
        }
        self.body.remove_inst(inst);
        self.counts.folded += 1;
        true
    }

    fn by_rule(&mut self, inst: Inst, fresh: &mut Vec<Inst>) -> bool {
        Rules::that_may_fit(self.body, inst).any(|(entry, orders)| {
            match self.binding(entry, inst, orders) {
                Some(binding) => self.apply(entry, inst, &binding, fresh),
                None => false,
            }
        })
    }

    /// What the names of a rule stand for at `inst`, if it holds and pays there.
    fn binding(&self, entry: &Entry, inst: Inst, orders: Orders) -> Option<Binding> {
        entry.bindings(self.body, inst, orders).find(|binding| {
            let pays = || entry.rule.gain.pays(entry.cost, self.freed(inst, binding));
            (entry.always_pays || pays()) && (entry.rule.holds)(&Bound { body: self.body, binding })
        })
    }

    /// What `inst` and the operands cost that only it uses.
    fn freed(&self, inst: Inst, binding: &Binding) -> u32 {
        let mut cost = cost_of(self.body.inst(inst).op);
        let mut is_freed: SmallVec<[bool; 8]> = SmallVec::from_slice(&[true]);
        for &(inner, user) in &binding.inner {
            let result = self.body.result(inner);
            let is_own = result.is_some_and(|result| self.uses[result] == 1);
            is_freed.push(is_own && is_freed[user]);
            if is_own && is_freed[user] {
                cost += cost_of(self.body.inst(inner).op);
            }
        }
        cost
    }

    fn apply(
        &mut self,
        entry: &Entry,
        inst: Inst,
        binding: &Binding,
        fresh: &mut Vec<Inst>,
    ) -> bool {
        let known = fresh.len();
        let mut builder = Builder { body: self.body, binding, before: inst, fresh };
        let written = builder.write(&entry.rule.result);
        for &inst in &fresh[known..] {
            self.body.uses(inst).for_each(|value| self.uses[value] += 1);
        }
        let Some(written) = written else { return false };
        match written {
            Written::Value(value) => self.replace(inst, value),
            Written::Inst(data) => self.become_inst(inst, data),
        }
        self.counts.rewritten += 1;
        true
    }

    /// Puts a value in the place of the only result of `inst`.
    fn replace(&mut self, inst: Inst, value: Value) {
        let Some(result) = self.body.result(inst) else { return };
        self.rename(result, value);
        let args: SmallVec<[Value; 3]> = SmallVec::from_slice(self.body.args(inst));
        self.body.remove_inst(inst);
        self.release_all(&args);
    }

    /// Makes `inst` another instruction with the same results.
    fn become_inst(&mut self, inst: Inst, data: InstData) {
        let old: SmallVec<[Value; 3]> = SmallVec::from_slice(self.body.args(inst));
        *self.body.inst_mut(inst) = data;
        let result = self.body.result(inst);
        result.into_iter().for_each(|result| self.touch(result));
        self.body.uses(inst).for_each(|value| self.uses[value] += 1);
        self.release_all(&old);
    }

    /// A new instruction with one result before `before`.
    fn insert(
        &mut self,
        before: Inst,
        op: Op,
        ty: Type,
        args: &[Value],
        fresh: &mut Vec<Inst>,
    ) -> Option<Value> {
        let result = op.info().results.first()?.resolve(ty)?;
        let list = self.body.list(args);
        let data = InstData::new(op, ty, list, Payload::None);
        let inst = self.body.insert_inst(
            before,
            InstData { loc: self.body.loc(before), ..data },
            &[result],
        );
        args.iter().for_each(|&arg| self.uses[arg] += 1);
        fresh.push(inst);
        self.body.result(inst)
    }
}
