//! What calls of the functions of a module may do beside giving results.
//!
//! Each function does what its instructions do by the op table, less what nobody else
//! sees: accesses to its own objects that do not escape, and reads of constant data; and
//! what the functions do that it calls. Those come first, bottom-up over the call graph;
//! functions that call each other do all that any of them does. It takes O(instructions).
//!
//! What is declared is believed: a function `memory none` neither reads nor writes, nor
//! orders what others do.
//! What has no body here, or another definition may take the place of (`weak`), may do
//! anything else. A call that returns always neither traps, throws nor loops for ever; a
//! loop or recursion may. That a call may find no room on the stack counts for recursion
//! alone: otherwise no call could ever go.
//!
//! Does not try: which arguments memory is reached through; how often loops run; what
//! facts of values say of traps, other than constant operands.

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{FuncId, Inst, SecondaryMap};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Function, Linkage, MemoryEffects, Module, Returns};
use brolga_ir::op::{Effects, Op};

use super::access::{Accesses, Reach};
use super::call_graph::CallGraph;
use super::loops::Loops;

/// What a call of a function may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallEffects {
    /// Read, write, trap, throw, reach a safepoint, order the accesses of other threads.
    pub effects: Effects,
    /// Whether it comes back.
    pub returns: Returns,
}

impl CallEffects {
    /// Whatever a call may do.
    pub const ANYTHING: CallEffects =
        CallEffects { effects: Effects::CALL, returns: Returns::Maybe };

    /// Nothing but to give results.
    const NOTHING: CallEffects = CallEffects { effects: Effects::PURE, returns: Returns::Always };

    /// Whether a call whose results are not used may go. That the collector may run in
    /// it is no reason to stay.
    pub fn is_removable(&self) -> bool {
        let others = self.effects.difference(Effects::SAFEPOINT);
        others.is_removable() && self.returns == Returns::Always
    }

    fn add(&mut self, other: CallEffects) {
        self.effects |= other.effects;
        if other.returns != Returns::Always {
            self.returns = Returns::Maybe;
        }
    }

    /// Less what is declared not to happen.
    fn declared(mut self, module: &Module, function: &Function) -> CallEffects {
        match module.memory_of_call(function) {
            MemoryEffects::Any => {}
            MemoryEffects::ReadOnly => self.effects.remove(Effects::WRITE),
            MemoryEffects::None => {
                self.effects.remove(Effects::READ | Effects::WRITE | Effects::SYNCHRONISE);
            }
        }
        match function.attributes.returns {
            Returns::Always => {
                self.effects.remove(Effects::TRAP | Effects::THROW);
                self.returns = Returns::Always;
            }
            Returns::Maybe => {}
            other => self.returns = other,
        }
        self
    }
}

/// What calls of the functions of a module may do.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionEffects {
    of: SecondaryMap<FuncId, Option<CallEffects>>,
}

impl FunctionEffects {
    /// Of all functions of a module.
    pub fn new(module: &Module, calls: &CallGraph) -> FunctionEffects {
        let mut found = FunctionEffects { of: SecondaryMap::new() };
        for group in calls.bottom_up() {
            let mut all = CallEffects::NOTHING;
            for &id in &group {
                all.add(found.of_body(module, calls, id));
            }
            for &id in &group {
                let effects = module.function(id).map(|function| match is_final(function) {
                    true => all.declared(module, function),
                    false => CallEffects::ANYTHING.declared(module, function),
                });
                found.of[id] = effects;
            }
        }
        found
    }

    /// What a call of `id` may do.
    pub fn of(&self, id: FuncId) -> CallEffects {
        self.of[id].unwrap_or(CallEffects::ANYTHING)
    }

    /// What `inst` may do: by its row, or by the function that it calls.
    pub fn of_inst(&self, body: &Body, inst: Inst) -> CallEffects {
        let data = body.inst(inst);
        let own = CallEffects { effects: data.op.info().effects, returns: Returns::Always };
        match data.function().filter(|_| data.op.is_call()) {
            Some(callee) => self.of(callee),
            None if data.op.is_call() || data.op == Op::BoxedCall => CallEffects::ANYTHING,
            None if own.effects.intersects(Effects::TRAP | Effects::THROW) => {
                CallEffects { returns: Returns::Maybe, ..own }
            }
            None => own,
        }
    }

    /// What the body of a function does, without calls of its own group.
    fn of_body(&self, module: &Module, calls: &CallGraph, id: FuncId) -> CallEffects {
        let Some(function) = module.function(id) else { return CallEffects::ANYTHING };
        let Some(body) = function.body.as_deref().filter(|_| is_final(function)) else {
            return CallEffects::ANYTHING;
        };
        let graph = FlowGraph::new(body);
        let loops = Loops::new(&graph, &Dominators::new(&graph));
        let accesses = Accesses::new(body, &FlowGraph::new(body), module);
        let mut all = CallEffects::NOTHING;
        if calls.is_recursive(id) {
            all.add(CallEffects { effects: Effects::TRAP, returns: Returns::Maybe });
        }
        if loops.all().len() > 0 || loops.has_irreducible() {
            all.returns = Returns::Maybe;
        }
        for inst in graph.reverse_postorder().flat_map(|block| body.layout.insts(block)) {
            let is_inner = |callee| self.of[callee].is_none() && module.function(callee).is_some();
            let data = body.inst(inst);
            if data.op.is_call() && data.function().is_some_and(is_inner) {
                continue;
            }
            all.add(self.seen_outside(body, module, &accesses, inst));
            // The function in which it goes on does its part of this call.
            if let Some(callee) = deoptimised_in(body, inst).filter(|&callee| !is_inner(callee)) {
                all.add(self.of(callee));
            }
        }
        all.effects &= Effects::CALL;
        all
    }

    /// What `inst` does that a caller can tell.
    fn seen_outside(
        &self,
        body: &Body,
        module: &Module,
        accesses: &Accesses,
        inst: Inst,
    ) -> CallEffects {
        let mut own = self.of_inst(body, inst);
        if body.inst(inst).op.is_call() {
            return own;
        }
        let is_seen = |reach: &Reach| match reach {
            Reach::Nothing => false,
            // They move a stack whose objects are gone when the function returns.
            Reach::Everything => {
                !matches!(body.inst(inst).op, Op::StackAlloc | Op::StackSave | Op::StackRestore)
            }
            Reach::Shared => true,
            reach => reach
                .locations()
                .any(|location| location.volatile || !accesses.escapes().is_private(location.base)),
        };
        let is_constant =
            |reach: &Reach| reach.location().is_some_and(|at| accesses.is_constant(at.base));
        let (reads, writes) = (accesses.reads(inst), accesses.writes(inst));
        own.effects.set(Effects::READ, is_seen(reads) && !is_constant(reads));
        own.effects.set(Effects::WRITE, is_seen(writes));
        if never_traps(body, module, inst) {
            own.effects.remove(Effects::TRAP);
            own.returns = Returns::Always;
        }
        own
    }
}

/// Whether the body that is here is the one that a call runs.
fn is_final(function: &Function) -> bool {
    function.body.is_some() && function.linkage != Linkage::Weak
}

/// The function in which a failing check goes on.
fn deoptimised_in(body: &Body, inst: Inst) -> Option<FuncId> {
    let Payload::Exit(exit) = body.inst(inst).payload else { return None };
    match body.exit(exit)?.kind {
        ExitKind::Deopt(callee) => Some(callee),
        ExitKind::Trap(_) | ExitKind::Side(_) => None,
    }
}

/// Whether an instruction that may trap does not, by its constant operands.
fn never_traps(body: &Body, module: &Module, inst: Inst) -> bool {
    let number = |index: usize| body.as_scalar_constant(*body.args(inst).get(index)?);
    let data = body.inst(inst);
    let lies_in = |slot, offset: Option<u128>| {
        let size = body.slot(slot).map_or(0, |slot| u128::from(slot.size));
        let read = u128::from(module.types.layout(data.ty).size);
        offset.is_some_and(|offset| offset + read <= size)
    };
    match (data.op, data.payload) {
        (Op::Udiv | Op::Urem | Op::Srem, _) => number(1).is_some_and(|divisor| divisor != 0),
        (Op::Sdiv, _) => {
            let width = data.ty.as_scalar().map_or(0, |scalar| scalar.bits());
            let minus_one = u128::MAX >> (128 - width.clamp(1, 128));
            number(1).is_some_and(|divisor| divisor != 0 && divisor != minus_one)
        }
        (Op::SlotLoad, Payload::Slot(slot)) => lies_in(slot, number(0)),
        (Op::SlotStore, Payload::Slot(slot)) => lies_in(slot, number(1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
