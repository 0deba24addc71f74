//! What the steps ask of blocks and edges, and how they write them.

use std::rc::Rc;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntityRef, EntitySet, Inst, SecondaryMap, Value, dense_map};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use crate::analysis::{Analyses, Loops};
use crate::pass::headers;

/// An edge with its arguments spelled out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) block: Block,
    pub(super) args: Args,
}

/// The arguments of an edge, of which most have few.
pub(super) type Args = SmallVec<[Value; 4]>;

impl Way {
    /// The target of that index.
    pub(super) fn of(body: &Body, inst: Inst, index: usize) -> Option<Way> {
        let target = body.targets(inst).get(index)?;
        Some(Way { block: target.block, args: body.target_args(target).into() })
    }

    /// All targets of `inst`.
    pub(super) fn all(body: &Body, inst: Inst) -> Vec<Way> {
        (0..body.targets(inst).len()).filter_map(|index| Way::of(body, inst, index)).collect()
    }

    pub(super) fn target(&self, body: &mut Body) -> Target {
        body.target(self.block, &self.args)
    }
}

/// The loops, of which most graphs have none; the graph is that of the analyses.
pub(super) fn loops(body: &Body, graph: &FlowGraph, analyses: &mut Analyses) -> Rc<Loops> {
    match headers(graph).is_empty() {
        true => Rc::default(),
        false => analyses.loops(body),
    }
}

/// How many edges lead to each block.
pub(super) fn count_edges(body: &Body) -> SecondaryMap<Block, u32> {
    let mut counts = dense_map(body.block_count());
    for to in body.layout.blocks().flat_map(|block| body.successors(block)) {
        counts[to] += 1;
    }
    counts
}

/// The parameters that something else uses than the end of their own block.
pub(super) fn params_used_elsewhere(body: &Body) -> EntitySet<Value> {
    let mut used = EntitySet::new();
    for inst in body.layout.all_insts() {
        let own = body.layout.block_of(inst).filter(|_| body.inst(inst).op.is_terminator());
        for value in body.uses(inst) {
            if let ValueDef::Param(block, _) = body.value_def(value)
                && own != Some(block)
            {
                used.insert(value);
            }
        }
    }
    used
}

/// The instruction of `block`, if it has no other and that is a jump.
pub(super) fn only_jump(body: &Body, block: Block) -> Option<Inst> {
    let last = body.layout.last_inst(block)?;
    let is_only = body.layout.first_inst(block) == Some(last) && body.inst(last).op == Op::Jump;
    is_only.then_some(last)
}

/// A new instruction without operands at the end of `block`, from where `like` is.
pub(super) fn append(body: &mut Body, block: Block, op: Op, like: Inst) -> Inst {
    let args = body.list(&[]);
    let data = InstData::new(op, Type::NONE, args, Payload::None);
    body.append_inst(block, InstData { loc: body.loc(like), ..data }, &[])
}

/// A new instruction with one result before `before`, from where that is.
pub(super) fn compute(
    body: &mut Body,
    before: Inst,
    op: Op,
    ty: Type,
    args: &[Value],
    payload: Payload,
    result: Type,
) -> Value {
    let args = body.list(args);
    let data = InstData { loc: body.loc(before), ..InstData::new(op, ty, args, payload) };
    let inst = body.insert_inst(before, data, &[result]);
    body.result(inst).unwrap_or(Value::new(0))
}

/// Puts a jump in the place of a terminator.
pub(super) fn replace_by_jump(body: &mut Body, old: Inst, way: &Way) {
    let target = way.target(body);
    let args = body.list(&[]);
    let data = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(target));
    body.insert_inst(old, InstData { loc: body.loc(old), ..data }, &[]);
    body.remove_inst(old);
}

/// Puts a branch in the place of a terminator.
pub(super) fn replace_by_branch(
    body: &mut Body,
    old: Inst,
    condition: Value,
    ways: [&Way; 2],
    weights: Option<[u32; 2]>,
) {
    let targets = ways.map(|way| way.target(body));
    let args = body.list(&[condition]);
    let data = InstData::new(Op::Branch, Type::NONE, args, Payload::Branch(targets));
    let branch = body.insert_inst(old, InstData { loc: body.loc(old), ..data }, &[]);
    if let Some(weights) = weights {
        body.set_weights(branch, &weights);
    }
    body.remove_inst(old);
}

/// Whether a machine selects between two values of `ty` without a branch.
pub(super) fn is_selectable(ty: Type) -> bool {
    ty.as_scalar().is_some_and(|scalar| {
        let is_word = scalar.is_int() || matches!(scalar, Scalar::F32 | Scalar::F64);
        is_word || matches!(scalar, Scalar::I1 | Scalar::Ptr | Scalar::Ref)
    })
}
