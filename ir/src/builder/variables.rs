//! Mutable variables, which become values and block parameters (Braun et al.,
//! "Simple and efficient construction of static single assignment form",
//! 2013).
//!
//! Nobody says when all predecessors of a block are known: a read in a block
//! that does not set the variable gives a new value that stands for whatever
//! comes in, and the edges are asked for it when the function is finished. A
//! parameter for which all edges give one value then goes again.

use rustc_hash::FxHashMap;

use super::error::Fault;
use super::function::FunctionBuilder;
use super::handle::{Local, Value, Variable, VariableId};
use crate::constant::Constant;
use crate::entity::{self, Block, Inst, PrimaryMap};
use crate::flow::{FlowGraph, IncomingEdges};
use crate::merge::{Merge, Replacements, replace_trivial};
use crate::types::Type;

#[derive(Debug)]
struct VariableData {
    name: Box<str>,
    ty: Type,
    /// Whether a read without a set has been reported.
    reported: Reported,
}

#[derive(Debug, PartialEq, Eq)]
enum Reported {
    No,
    Yes,
}

/// The variables of a function, and what they are where.
#[derive(Debug, Default)]
pub(super) struct Variables {
    data: PrimaryMap<VariableId, VariableData>,
    /// What a variable is at the end of a block, as far as it is known.
    definitions: FxHashMap<(Block, VariableId), entity::Value>,
    incoming: Vec<Incoming>,
    /// Elementary steps taken, for tests of linearity.
    pub(super) work: u64,
}

/// A value that stands for what a variable is at the start of a block.
#[derive(Clone, Copy, Debug)]
struct Incoming {
    block: Block,
    variable: VariableId,
    value: entity::Value,
}

impl Variables {
    pub(super) fn contains(&self, variable: VariableId) -> bool {
        self.data.is_valid(variable)
    }
}

impl FunctionBuilder<'_> {
    /// A new variable of any type but `token`. The parameters that it becomes
    /// bear its name.
    pub fn declare_variable(&mut self, name: &str, ty: Type) -> Variable {
        if ty == Type::TOKEN || !ty.is_some() || !self.module.types.contains(ty) {
            self.fail(Fault::Type, format_args!("a variable cannot have the type `{ty}`"));
            return Local::missing(self.id);
        }
        let data = VariableData { name: name.into(), ty, reported: Reported::No };
        let variable = self.variables.data.push(data);
        self.local(variable)
    }

    /// Sets `variable` from here on.
    pub fn set(&mut self, variable: Variable, value: Value) {
        let ty = self.value_type(value);
        let (variable, value) = (self.own(variable), self.own(value));
        let (Some(variable), Some(value), Some(block)) = (variable, value, self.current) else {
            return;
        };
        let data = &self.variables.data[variable];
        if data.ty != ty {
            let (name, wanted) =
                (data.name.clone(), self.module.types.display(data.ty).to_string());
            let given = self.module.types.display(ty).to_string();
            let message = format_args!(
                "the variable `{name}` is `{wanted}` and cannot be set to a `{given}`"
            );
            return self.fail(Fault::Type, message);
        }
        if self.is_terminated() {
            let name = data.name.clone();
            let message =
                format_args!("`{name}` is set behind the terminator, where nothing can read it");
            return self.fail(Fault::AfterTerminator, message);
        }
        self.variables.definitions.insert((block, variable), value);
    }

    /// What `variable` is here.
    pub fn get(&mut self, variable: Variable) -> Value {
        let (Some(variable), Some(block)) = (self.own(variable), self.current) else {
            return Local::missing(self.id);
        };
        let value = match self.variables.definitions.get(&(block, variable)) {
            Some(&value) => value,
            None if block == self.entry => self.read_unset(block, variable),
            None => self.add_incoming(block, variable),
        };
        self.local(value)
    }

    /// A value for `variable` at the start of `block`, to be found out later.
    fn add_incoming(&mut self, block: Block, variable: VariableId) -> entity::Value {
        let value = self.body.reserve_value();
        self.body.set_value_type(value, self.variables.data[variable].ty);
        self.variables.incoming.push(Incoming { block, variable, value });
        self.variables.definitions.insert((block, variable), value);
        value
    }

    /// Reports that nothing has set `variable`, and goes on with zero.
    fn read_unset(&mut self, block: Block, variable: VariableId) -> entity::Value {
        let data = &mut self.variables.data[variable];
        if std::mem::replace(&mut data.reported, Reported::Yes) == Reported::No {
            let name = data.name.clone();
            let message = format_args!(
                "`{name}` may be read without having been set, on a path from here; set it first"
            );
            self.fail_in(Fault::UnsetVariable, Some(block), message);
        }
        self.zero_of(block, variable)
    }

    fn zero_of(&mut self, block: Block, variable: VariableId) -> entity::Value {
        let ty = self.variables.data[variable].ty;
        let value = match Constant::zero(ty) {
            Some(constant) => self.body.constant(constant),
            // Every type of a variable has a zero; a token has been refused.
            None => self.body.reserve_value(),
        };
        self.variables.definitions.insert((block, variable), value);
        value
    }

    /// Turns what stands for variables into values and parameters.
    pub(super) fn resolve_variables(&mut self) {
        if self.variables.incoming.is_empty() {
            return;
        }
        let graph = FlowGraph::new(&self.body);
        let mut merges = Vec::new();
        while let Some(&incoming) = self.variables.incoming.get(merges.len()) {
            let arguments = self.arguments_of(&graph, incoming);
            self.variables.work += 1 + arguments.len() as u64;
            merges.push(Merge { value: incoming.value, arguments });
        }
        let mut replacements = replace_trivial(&merges, self.body.value_count());
        self.variables.work += replacements.work;
        let edges = IncomingEdges::new(&self.body);
        for (index, merge) in merges.iter().enumerate() {
            if replacements.resolve(merge.value) == merge.value {
                self.append_merge(&edges, index, merge);
            } else {
                self.body.set_value_type(merge.value, Type::NONE);
            }
        }
        self.replace_uses(&mut replacements);
    }

    /// What each edge gives for `incoming`: its own value where the edge is
    /// never taken.
    fn arguments_of(&mut self, graph: &FlowGraph, incoming: Incoming) -> Vec<entity::Value> {
        if !graph.is_reachable(incoming.block) {
            return vec![self.zero_of(incoming.block, incoming.variable)];
        }
        let before = graph.predecessors(incoming.block);
        let mut arguments = Vec::with_capacity(before.len());
        for &from in before {
            arguments.push(match graph.is_reachable(from) {
                true => self.value_at_end(graph, from, incoming.variable),
                false => incoming.value,
            });
        }
        arguments
    }

    /// What `variable` is at the end of a reachable block.
    fn value_at_end(
        &mut self,
        graph: &FlowGraph,
        end: Block,
        variable: VariableId,
    ) -> entity::Value {
        let mut passed = Vec::new();
        let mut block = end;
        let value = loop {
            self.variables.work += 1;
            if let Some(&value) = self.variables.definitions.get(&(block, variable)) {
                break value;
            }
            if block == self.entry {
                break self.read_unset(block, variable);
            }
            match graph.predecessors(block) {
                [only] => {
                    passed.push(block);
                    block = *only;
                }
                _ => break self.add_incoming(block, variable),
            }
        };
        for block in passed {
            self.variables.definitions.insert((block, variable), value);
        }
        value
    }

    /// Makes a merge a parameter of its block, with an argument on each edge,
    /// which may be one that has yet to be replaced.
    fn append_merge(&mut self, edges: &IncomingEdges, index: usize, merge: &Merge) {
        let Incoming { block, variable, value } = self.variables.incoming[index];
        let data = &self.variables.data[variable];
        self.body.append_param_as(block, data.ty, Some(value));
        if !data.name.is_empty() {
            self.body.set_value_name(value, &data.name);
        }
        for (edge, &argument) in edges.of(block).iter().zip(&merge.arguments) {
            self.variables.work += 1;
            self.body.push_target_arg(edge.inst, edge.index as usize, argument);
        }
    }

    fn replace_uses(&mut self, replacements: &mut Replacements) {
        let blocks: Vec<Block> = self.body.layout.blocks().collect();
        for block in blocks {
            let insts: Vec<Inst> = self.body.layout.insts(block).collect();
            for inst in insts {
                self.variables.work += 1;
                self.body.map_uses(inst, |value| replacements.resolve(value));
            }
        }
    }
}
