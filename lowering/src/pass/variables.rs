//! Variables that become values and block parameters (Braun et al., "Simple
//! and efficient construction of static single assignment form", 2013).
//!
//! A pass walks over a body, sets and gets variables, and finishes. A get in a
//! block that does not set the variable gives a new parameter of the block;
//! when all is set, the edges are asked for its arguments, and a parameter for
//! which they all give one value goes again.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::merge::{Merge, Replacements, replace_trivial};
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

/// A variable, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Variable(u32);

#[derive(Debug)]
struct VariableData {
    ty: Type,
    /// What it is where the function begins.
    initial: Value,
}

/// A parameter that stands for what a variable is at the start of a block.
#[derive(Clone, Copy, Debug)]
struct Incoming {
    block: Block,
    variable: Variable,
    value: Value,
}

/// Variables, and what they are where.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    data: Vec<VariableData>,
    /// What a variable is at the end of a block, as far as it is known.
    definitions: FxHashMap<(Block, Variable), Value>,
    incoming: Vec<Incoming>,
}

impl Variables {
    /// A variable that is `initial` where the function begins.
    pub(crate) fn declare(&mut self, ty: Type, initial: Value) -> Variable {
        self.data.push(VariableData { ty, initial });
        Variable(self.data.len() as u32 - 1)
    }

    /// The type of a variable.
    pub(crate) fn ty(&self, variable: Variable) -> Type {
        self.data[variable.0 as usize].ty
    }

    /// Sets a variable from here on in `block`.
    pub(crate) fn set(&mut self, block: Block, variable: Variable, value: Value) {
        self.definitions.insert((block, variable), value);
    }

    /// What a variable is here in `block`.
    pub(crate) fn get(&mut self, body: &mut Body, block: Block, variable: Variable) -> Value {
        if let Some(&known) = self.definitions.get(&(block, variable)) {
            return known;
        }
        if body.layout.entry() == Some(block) {
            return self.data[variable.0 as usize].initial;
        }
        let value = body.append_param(block, self.ty(variable));
        self.incoming.push(Incoming { block, variable, value });
        self.definitions.insert((block, variable), value);
        value
    }

    /// Finds the arguments of all parameters, and what each value that stood
    /// for a variable has become, which is for the caller to put in its place.
    /// All blocks are reachable. The parameters that were appended to a block
    /// meanwhile by the caller have their arguments already.
    pub(crate) fn finish(mut self, body: &mut Body, graph: &FlowGraph) -> Replacements {
        let mut merges = Vec::new();
        while let Some(&incoming) = self.incoming.get(merges.len()) {
            let before = graph.predecessors(incoming.block);
            let arguments = before.iter().map(|&from| self.at_end(body, graph, from, incoming));
            let arguments = arguments.collect();
            merges.push(Merge { value: incoming.value, arguments });
        }
        let mut replacements = replace_trivial(&merges, body.value_count());
        let edges = IncomingEdges::new(body);
        let mut gone = EntitySet::new();
        for (merge, incoming) in merges.iter().zip(&self.incoming) {
            if replacements.resolve(merge.value) != merge.value {
                gone.insert(merge.value);
                continue;
            }
            for (edge, &argument) in edges.of(incoming.block).iter().zip(&merge.arguments) {
                let argument = replacements.resolve(argument);
                body.push_target_arg(edge.inst, edge.index as usize, argument);
            }
        }
        let mut seen = EntitySet::new();
        for incoming in self.incoming {
            if gone.contains(incoming.value) && seen.insert(incoming.block) {
                body.retain_params(incoming.block, |param| !gone.contains(param));
            }
        }
        replacements
    }

    /// What the variable of `incoming` is at the end of `from`.
    fn at_end(
        &mut self,
        body: &mut Body,
        graph: &FlowGraph,
        from: Block,
        incoming: Incoming,
    ) -> Value {
        let variable = incoming.variable;
        let (mut block, mut passed) = (from, Vec::new());
        let value = loop {
            if let Some(&known) = self.definitions.get(&(block, variable)) {
                break known;
            }
            match graph.predecessors(block) {
                [only] => {
                    passed.push(block);
                    block = *only;
                }
                _ => break self.get(body, block, variable),
            }
        };
        for block in passed {
            self.definitions.insert((block, variable), value);
        }
        value
    }
}
