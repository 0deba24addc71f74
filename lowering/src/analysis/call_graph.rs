//! Which functions of a module call which, and in which order to look at them so that
//! callees come first.
//!
//! Calls by name, the functions of `atomic_modify`, and those in which a deoptimisation
//! goes on are edges, each once. Functions that call each other stand in one component;
//! components are in bottom-up order (Tarjan). It takes O(instructions).
//!
//! Does not try: where calls through references and addresses lead to. A function that
//! makes some is told by [`CallGraph::calls_unknown`], and one that they may lead to by
//! [`CallGraph::is_known_outside`].

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::entity::{EntityRef, FuncId};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{DataItem, Module, Symbol};
use brolga_ir::op::Op;

use super::components::Components;

/// The calls between the functions of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<FuncId>>,
    callers: Vec<Vec<FuncId>>,
    calls_unknown: Vec<bool>,
    known_outside: Vec<bool>,
    components: Components,
}

impl CallGraph {
    /// Of all functions of a module.
    pub fn new(module: &Module) -> CallGraph {
        let count = module.functions().len();
        let mut graph = CallGraph {
            callees: vec![Vec::new(); count],
            callers: vec![Vec::new(); count],
            calls_unknown: vec![false; count],
            known_outside: vec![false; count],
            components: Components::default(),
        };
        for (id, function) in module.functions() {
            graph.known_outside[id.index()] |= function.linkage.is_shared();
            match &function.body {
                Some(body) => graph.look(id, body),
                None => graph.calls_unknown[id.index()] = true,
            }
        }
        for item in module.data_objects().flat_map(|(_, data)| &data.items) {
            if let DataItem::Address { symbol: Symbol::Function(id), .. } = *item {
                graph.let_out(id);
            }
        }
        graph.turn_round();
        let callee = |from: u32, index: usize| {
            graph.callees.get(from as usize)?.get(index).map(|id| id.as_u32())
        };
        graph.components = Components::new(count, callee);
        graph
    }

    fn look(&mut self, id: FuncId, body: &Body) {
        for inst in body.layout.all_insts() {
            let data = body.inst(inst);
            match (data.op, data.function()) {
                (Op::FunctionAddr, Some(named)) => self.let_out(named),
                (_, Some(callee)) => self.callees[id.index()].push(callee),
                (op, None) if op.is_call() || op == Op::BoxedCall => {
                    self.calls_unknown[id.index()] = true;
                }
                _ => {}
            }
            if let Payload::Exit(exit) = data.payload
                && let Some(ExitKind::Deopt(callee)) = body.exit(exit).map(|exit| exit.kind)
            {
                self.callees[id.index()].push(callee);
            }
        }
        let count = self.callees.len();
        let callees = &mut self.callees[id.index()];
        callees.retain(|callee| callee.index() < count);
        callees.sort_unstable();
        callees.dedup();
    }

    fn let_out(&mut self, id: FuncId) {
        if let Some(known) = self.known_outside.get_mut(id.index()) {
            *known = true;
        }
    }

    fn turn_round(&mut self) {
        for (index, callees) in self.callees.iter().enumerate() {
            for callee in callees {
                self.callers[callee.index()].push(FuncId::new(index));
            }
        }
    }

    /// The functions that `id` calls by name, each once, in ascending order.
    pub fn callees(&self, id: FuncId) -> &[FuncId] {
        self.callees.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// The functions that call `id` by name, each once, in ascending order.
    pub fn callers(&self, id: FuncId) -> &[FuncId] {
        self.callers.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether `id` may call functions that it does not name: it has no body here, or
    /// calls through a value.
    pub fn calls_unknown(&self, id: FuncId) -> bool {
        self.calls_unknown.get(id.index()).copied().unwrap_or(true)
    }

    /// Whether `id` may be called by what is not seen: another module, or a call through
    /// a value.
    pub fn is_known_outside(&self, id: FuncId) -> bool {
        self.known_outside.get(id.index()).copied().unwrap_or(true)
    }

    /// The functions in groups of those that call each other, each group behind all that
    /// it calls.
    pub fn bottom_up(&self) -> impl DoubleEndedIterator<Item = Vec<FuncId>> + '_ {
        let ids = |nodes: &[u32]| nodes.iter().map(|&node| FuncId::from_u32(node)).collect();
        self.components.all().map(ids)
    }

    /// Whether a call of `id` may lead to another call of it, by the calls that are seen.
    pub fn is_recursive(&self, id: FuncId) -> bool {
        let component = self.components.component_of(id.as_u32());
        component.is_some_and(|component| self.components.nodes(component).len() > 1)
            || self.callees(id).contains(&id)
    }
}

#[cfg(test)]
mod tests;
