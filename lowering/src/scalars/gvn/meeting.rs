//! What is known on all paths to a block, each by its own values.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::op::Op;
use smallvec::SmallVec;

use super::Walk;
use crate::analysis::access::{Location, Variable};
use crate::analysis::memory_ssa::Origin;
use crate::pass::{Edge, Expression, can_be_param, fold_op};

/// Blocks with more edges get no new parameters.
const MOST_EDGES: usize = 32;

/// Edges with the blocks that they leave.
pub(super) type Edges = SmallVec<[(Edge, Block); 4]>;

impl Walk {
    /// The edges to a block, if these are few and all taken.
    pub(super) fn few_edges(&self, body: &Body, block: Block) -> Option<Edges> {
        let edges = self.edges.of(block);
        if edges.len() < 2 || edges.len() > MOST_EDGES || body.layout.entry() == Some(block) {
            return None;
        }
        let from = |edge: &Edge| {
            let from = body.layout.block_of(edge.inst)?;
            self.graph.is_reachable(from).then_some((*edge, from))
        };
        edges.iter().map(from).collect()
    }

    /// The same of a header: the edges back to it, and those that enter its loop.
    pub(super) fn back_and_entering(&self, body: &Body, header: Block) -> Option<(Edges, Edges)> {
        let is_back = |&(_, from): &(Edge, Block)| self.dominators.dominates(header, from);
        Some(self.few_edges(body, header)?.into_iter().partition(is_back))
    }

    /// A new parameter that is what the edges give.
    fn add_param(body: &mut Body, block: Block, edges: &Edges, values: &[Value]) -> Option<Value> {
        let ty = body.value_type(*values.first()?);
        let param = body.append_param(block, ty);
        for (&(edge, _), &value) in edges.iter().zip(values) {
            body.push_target_arg(edge.inst, edge.index as usize, value);
        }
        Some(param)
    }

    /// What an op on parameters gives, if each path has computed that for its arguments.
    pub(super) fn merged_op(&mut self, body: &mut Body, block: Block, inst: Inst) -> Option<Value> {
        let param = |arg: &Value| match body.value_def(*arg) {
            ValueDef::Param(of, index) if of == block => Some(index as usize),
            _ => None,
        };
        let args: SmallVec<[Value; 3]> = SmallVec::from_slice(body.args(inst));
        let params: SmallVec<[Option<usize>; 3]> = args.iter().map(param).collect();
        if self.edges.of(block).len() < 2 || params.iter().all(Option::is_none) {
            return None;
        }
        let is_above = |(arg, param): (&Value, &Option<usize>)| {
            param.is_some() || self.is_above(body, *arg, block)
        };
        let &[result] = body.results(inst) else { return None };
        if !can_be_param(body.value_type(result)) || !args.iter().zip(&params).all(is_above) {
            return None;
        }
        let edges = self.few_edges(body, block)?;
        let number = |block| self.graph.reverse_postorder_number(block);
        if edges.iter().any(|&(_, from)| number(from) >= number(block)) {
            return None;
        }
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for &(edge, from) in &edges {
            let given = args.iter().zip(&params).map(|(&arg, param)| match param {
                Some(param) => edge.arg(body, *param),
                None => Some(arg),
            });
            let given: SmallVec<[Value; 3]> = given.collect::<Option<_>>()?;
            values.push(self.known_op(body, inst, &given, from)?);
        }
        match values.iter().all(|value| *value == values[0])
            && self.is_above(body, values[0], block)
        {
            true => Some(values[0]),
            false => Walk::add_param(body, block, &edges, &values),
        }
    }

    /// What the op of `inst` gives for other operands at the end of a block, if that is
    /// known there.
    pub(super) fn known_op(
        &mut self,
        body: &mut Body,
        inst: Inst,
        args: &[Value],
        block: Block,
    ) -> Option<Value> {
        let data = *body.inst(inst);
        if let (Op::Select, &[condition, yes, no]) = (data.op, args)
            && let Some(condition) = body.as_scalar_constant(condition)
        {
            return Some(self.renames.resolve(if condition == 0 { no } else { yes }));
        }
        if args.iter().all(|&arg| body.as_constant(arg).is_some()) {
            let folded = fold_op(body, data.op, data.ty, args, &data.payload)?;
            return folded.ok()?.first().copied();
        }
        let expression = Expression::new(body, &data, args)?;
        let found = self.expressions.find(&expression, block, &self.dominators)?;
        found.first().map(|&value| self.renames.resolve(value))
    }

    /// What a load gives that is the first thing to happen behind a meeting, by what the
    /// paths know of the place; one of them may have to load it.
    pub(super) fn merged_load(
        &mut self,
        body: &mut Body,
        block: Block,
        load: Inst,
        location: &Location,
    ) -> Option<Value> {
        let memory = self.memory.clone()?;
        let edges = self.few_edges(body, block)?;
        if !location.values().all(|value| self.is_above(body, value, block)) {
            return None;
        }
        let ty = body.inst(load).ty;
        let mut values: SmallVec<[Option<Value>; 4]> = SmallVec::new();
        let mut comes_again: SmallVec<[bool; 4]> = SmallVec::new();
        for &(_, from) in &edges {
            let end = memory.ssa.at_end(from)?;
            let version = memory.clobber(body, end, location);
            comes_again.push(memory.ssa.origin(version) == Origin::Meeting(block));
            values.push(self.known_at(body, from, (ty, location, version)));
        }
        let unknown = |index: &usize| values[*index].is_none() && !comes_again[*index];
        let missing: SmallVec<[usize; 4]> = (0..edges.len()).filter(unknown).collect();
        if values.iter().all(Option::is_none) || missing.len() > 1 {
            return None;
        }
        if let Some(&index) = missing.first() {
            values[index] = Some(self.load_before(body, load, edges[index], location)?);
        }
        let param = body.append_param(block, ty);
        for (&(edge, _), &value) in edges.iter().zip(&values) {
            body.push_target_arg(edge.inst, edge.index as usize, value.unwrap_or(param));
        }
        Some(param)
    }

    /// Loads a place where an edge begins that is the only one to leave its block.
    fn load_before(
        &mut self,
        body: &mut Body,
        load: Inst,
        (edge, from): (Edge, Block),
        location: &Location,
    ) -> Option<Value> {
        let data = *body.inst(load);
        if data.op != Op::Load || body.inst(edge.inst).op != Op::Jump {
            return None;
        }
        let Variable::Address(address) = location.variable else { return None };
        let address = self.renames.resolve(address);
        let offset = i32::try_from(location.offset).ok()?;
        let access = Access { offset, ..*data.access()? };
        let is_there = body.defining_block(address);
        let is_there = is_there.is_none_or(|above| self.dominators.dominates(above, from));
        if !is_there || body.value_type(address) != body.value_type(*body.args(load).first()?) {
            return None;
        }
        let args = body.list(&[address]);
        let data = InstData { args, payload: Payload::Access(access), ..data };
        let inserted = body.insert_inst(edge.inst, data, &[data.ty]);
        self.counts.inserted += 1;
        body.result(inserted)
    }
}
