//! Values side by side, and what they are computed from.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::Window;
use super::seeds::{is_alike, is_plain, location, size_of};
use crate::analysis::Accesses;
use crate::pass::Uses;
use crate::target::TargetFacts;
use crate::vectorisation::loop_vectorize::is_lane;

/// The most vectors of a tree.
const MOST_NODES: usize = 48;

/// How far from its root a tree goes.
const MOST_DEPTH: u32 = 12;

/// How often a tree is built anew without the parts that other code needs.
const MOST_TIMES: usize = 4;

/// The most users of a value of which all may be inside of a tree.
pub(super) const MOST_USERS: usize = 16;

/// Ops that do to each lane what they do to a number, and never trap.
const OPS: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Not,
    Op::Neg,
    Op::Smin,
    Op::Smax,
    Op::Umin,
    Op::Umax,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Fadd,
    Op::Fsub,
    Op::Fmul,
    Op::Fdiv,
    Op::Fneg,
    Op::Fabs,
    Op::Fsqrt,
    Op::Muladd,
    Op::Fma,
];

/// How many lanes a register has of a number of that type.
pub(super) fn lanes_of(facts: &dyn TargetFacts, ty: Type) -> Option<usize> {
    let scalar = ty.as_scalar().filter(|&scalar| is_lane(scalar))?;
    Some((facts.vector_bits() / scalar.bits()) as usize).filter(|&lanes| lanes > 1)
}

/// The vector of so many lanes.
pub(super) fn vector_of(ty: Type, lanes: usize) -> Option<Type> {
    Type::vector(ty.as_scalar()?, u32::try_from(lanes).ok()?)
}

/// Where the lanes of a vector come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// They are constants.
    Constants,
    /// All are that value.
    Same(Value),
    /// They are put together one by one.
    Gathered,
    /// They stand one behind the other where these loads read.
    Loads(Vec<Inst>),
    /// One op does it, of operands that are these nodes.
    Ops(Vec<Inst>, Vec<usize>),
}

/// A vector.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) values: Vec<Value>,
    pub(super) ty: Type,
    pub(super) source: Source,
}

/// What rows of values are computed from, a vector before those that it is needed for.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The node of each row.
    pub(super) rows: Vec<usize>,
    /// The scalars that go.
    packed: FxHashSet<Inst>,
}

struct Growing<'a> {
    body: &'a Body,
    accesses: &'a Accesses,
    uses: &'a Uses,
    window: &'a Window,
    /// What other code needs.
    kept: &'a FxHashSet<Inst>,
    known: FxHashMap<Vec<Value>, usize>,
    tree: Tree,
}

impl Tree {
    /// What rows of values are computed from, where nothing but `users` needs them.
    pub(super) fn new(
        body: &Body,
        accesses: &Accesses,
        uses: &Uses,
        window: &Window,
        users: &[Inst],
        rows: &[Vec<Value>],
    ) -> Option<Tree> {
        let mut kept = FxHashSet::default();
        for _ in 0..MOST_TIMES {
            let (known, tree) = (FxHashMap::default(), Tree::default());
            let mut growing = Growing { body, accesses, uses, window, kept: &kept, known, tree };
            for row in rows {
                let node = growing.grow(row, 0)?;
                growing.tree.rows.push(node);
            }
            let tree = growing.tree;
            let is_inside = |user: &Inst| users.contains(user) || tree.packed.contains(user);
            let needed = |&inst: &Inst| {
                body.result(inst).is_none_or(|value| !uses.of(body, value).iter().all(is_inside))
            };
            let mut outside: Vec<Inst> = tree.packed.iter().copied().filter(needed).collect();
            outside.extend(tree.single_lanes(body).filter(|inst| tree.packed.contains(inst)));
            if outside.is_empty() {
                return Some(tree);
            }
            kept.extend(outside);
        }
        None
    }

    pub(super) fn len(&self) -> usize {
        let is_made = |node: &&Node| matches!(node.source, Source::Loads(_) | Source::Ops(..));
        self.nodes.iter().filter(is_made).count()
    }

    /// The loads that become vectors.
    pub(super) fn loads(&self) -> impl Iterator<Item = Inst> + '_ {
        let loads = self.nodes.iter().filter_map(|node| match &node.source {
            Source::Loads(loads) => Some(loads),
            _ => None,
        });
        loads.flatten().copied()
    }

    /// What computes the lanes that are put together one by one.
    fn single_lanes(&self, body: &Body) -> impl Iterator<Item = Inst> {
        let is_single = |node: &&Node| matches!(node.source, Source::Same(_) | Source::Gathered);
        let lanes = self.nodes.iter().filter(is_single).flat_map(|node| &node.values);
        lanes.filter_map(|&value| match body.value_def(value) {
            ValueDef::Result(inst, _) => Some(inst),
            _ => None,
        })
    }

    pub(super) fn packs(&self, inst: Inst) -> bool {
        self.packed.contains(&inst)
    }

    /// The scalars that go, those that use others before these.
    pub(super) fn scalars(&self) -> impl Iterator<Item = Inst> + '_ {
        let packed = self.nodes.iter().rev().filter_map(|node| match &node.source {
            Source::Loads(insts) | Source::Ops(insts, _) => Some(insts),
            _ => None,
        });
        packed.flatten().copied()
    }

    /// What the scalars take that go.
    pub(super) fn scalar_cost(&self, body: &Body, facts: &dyn TargetFacts) -> u32 {
        let cost = |inst: Inst| match (body.inst(inst).op, body.inst(inst).ty) {
            (Op::Load, ty) => facts.access_cost(ty),
            (op, ty) => facts.cost(op, ty, ty),
        };
        self.packed.iter().map(|&inst| cost(inst)).sum()
    }

    /// What the vectors take.
    pub(super) fn vector_cost(&self, body: &Body, facts: &dyn TargetFacts) -> u32 {
        let cost = |node: &Node| {
            let lanes = node.values.len() as u32;
            match &node.source {
                Source::Constants => 1,
                Source::Same(_) => 2,
                Source::Gathered => 2 * lanes,
                Source::Loads(_) => facts.access_cost(node.ty),
                Source::Ops(insts, _) => facts.cost(body.inst(insts[0]).op, node.ty, node.ty),
            }
        };
        self.nodes.iter().map(cost).sum()
    }
}

impl Growing<'_> {
    /// The node of values side by side; nothing if there are too many.
    fn grow(&mut self, values: &[Value], depth: u32) -> Option<usize> {
        if let Some(&known) = self.known.get(values) {
            return Some(known);
        }
        if self.tree.nodes.len() >= MOST_NODES {
            return None;
        }
        let ty = vector_of(self.body.value_type(values[0]), values.len())?;
        let source = self.source(values, depth)?;
        self.tree.nodes.push(Node { values: values.to_vec(), ty, source });
        let node = self.tree.nodes.len() - 1;
        self.known.insert(values.to_vec(), node);
        Some(node)
    }

    fn source(&mut self, values: &[Value], depth: u32) -> Option<Source> {
        let body = self.body;
        if values.iter().all(|&value| body.as_scalar_constant(value).is_some()) {
            return Some(Source::Constants);
        }
        if values.iter().all(|&value| value == values[0]) {
            return Some(Source::Same(values[0]));
        }
        let Some(insts) = self.alike(values).filter(|_| depth < MOST_DEPTH) else {
            return Some(Source::Gathered);
        };
        match body.inst(insts[0]).op {
            Op::Load if self.follow_each_other(&insts) => {
                self.tree.packed.extend(&insts);
                Some(Source::Loads(insts))
            }
            op if OPS.contains(&op) => {
                let rows = operands(body, self.accesses, &insts);
                let is_shift = matches!(op, Op::Shl | Op::Lshr | Op::Ashr);
                let is_known = |row: &Vec<Value>| {
                    body.as_scalar_constant(row[0]).is_some() && row.iter().all(|&by| by == row[0])
                };
                if is_shift && !rows.last().is_some_and(is_known) {
                    return Some(Source::Gathered);
                }
                // What they need must not be one of them.
                self.tree.packed.extend(&insts);
                let mut nodes = Vec::with_capacity(rows.len());
                for row in rows {
                    nodes.push(self.grow(&row, depth + 1)?);
                }
                Some(Source::Ops(insts, nodes))
            }
            _ => Some(Source::Gathered),
        }
    }

    /// The instructions that compute values, if each is another one of the same op, and none
    /// is needed elsewhere or already part of another vector.
    fn alike(&self, values: &[Value]) -> Option<Vec<Inst>> {
        let body = self.body;
        let mut insts: Vec<Inst> = Vec::with_capacity(values.len());
        for &value in values {
            let ValueDef::Result(inst, _) = body.value_def(value) else { return None };
            let is_free = self.window.contains(inst)
                && !self.kept.contains(&inst)
                && self.uses.at_most(value) <= MOST_USERS
                && !self.tree.packed.contains(&inst)
                && !insts.contains(&inst);
            let (own, data) = (body.inst(*insts.first().unwrap_or(&inst)), body.inst(inst));
            if !is_free || own.op != data.op || own.ty != data.ty {
                return None;
            }
            insts.push(inst);
        }
        Some(insts)
    }

    fn follow_each_other(&self, loads: &[Inst]) -> bool {
        let size = size_of(self.body.inst(loads[0]).ty);
        is_plain(self.body, loads[0])
            && loads.windows(2).all(|pair| {
                let distance = distance(self.accesses, pair[0], pair[1]);
                is_alike(self.body, pair[0], pair[1]) && distance == Some(size)
            })
    }
}

fn distance(accesses: &Accesses, one: Inst, other: Inst) -> Option<i64> {
    location(accesses, one)?.distance(location(accesses, other)?)
}

/// The operands of alike instructions, side by side: those that may change places do where
/// that makes them more like those of the first lane.
fn operands(body: &Body, accesses: &Accesses, insts: &[Inst]) -> Vec<Vec<Value>> {
    let first = body.args(insts[0]);
    let mut rows: Vec<Vec<Value>> = first.iter().map(|&arg| vec![arg]).collect();
    for &inst in &insts[1..] {
        let mut args = body.args(inst).to_vec();
        if body.inst(inst).op.is_commutative() && args.len() > 1 {
            let before = |row: usize| *rows[row].last().unwrap_or(&args[row]);
            let score = |a: usize, b: usize| {
                likeness(body, accesses, before(0), args[a])
                    + likeness(body, accesses, before(1), args[b])
            };
            if score(1, 0) > score(0, 1) {
                args.swap(0, 1);
            }
        }
        for (row, arg) in rows.iter_mut().zip(args) {
            row.push(arg);
        }
    }
    rows
}

/// How well a value goes into the lane behind another one.
fn likeness(body: &Body, accesses: &Accesses, one: Value, other: Value) -> u32 {
    let constant = |value: Value| body.as_scalar_constant(value).is_some();
    if constant(one) || constant(other) {
        return if constant(one) && constant(other) { 2 } else { 0 };
    }
    if one == other {
        return 2;
    }
    match (body.value_def(one), body.value_def(other)) {
        (ValueDef::Result(one, _), ValueDef::Result(other, _)) => {
            let ops = (body.inst(one).op, body.inst(other).op);
            match ops {
                (Op::Load, Op::Load) => {
                    let size = size_of(body.inst(one).ty);
                    if distance(accesses, one, other) == Some(size) { 4 } else { 1 }
                }
                (a, b) if a == b => 2,
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// What all of the instructions are permitted.
pub(super) fn common_flags(body: &Body, insts: &[Inst]) -> InstFlags {
    let wraps = InstFlags::NO_SIGNED_WRAP | InstFlags::NO_UNSIGNED_WRAP | InstFlags::EXACT;
    let flags = insts.iter().map(|&inst| body.inst(inst).flags);
    flags.reduce(|one, other| one & other).unwrap_or_default() - wraps
}
