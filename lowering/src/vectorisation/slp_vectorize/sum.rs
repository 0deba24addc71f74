//! Sums of many parts in one block, and what can be regrouped as they can.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::Packer;
use super::memory::Window;
use super::seeds::{location, size_of};
use super::tree::{MOST_USERS, Source, Tree, lanes_of, vector_of};
use crate::analysis::Accesses;
use crate::pass::{Editor, Uses};
use crate::vectorisation::loop_vectorize::reduction::reduce_of;

/// The most parts of a sum.
const MOST_PARTS: usize = 64;

/// How far from a part the load is looked for by which it is ordered.
const MOST_STEPS: u32 = 4;

/// A sum, in one sense or another. Those of floats but for extremes are permitted to be made in
/// another order.
struct Sum {
    op: Op,
    /// What puts the lanes of a vector of parts together.
    reduce: Op,
    ty: Type,
    flags: InstFlags,
    /// The instructions, the last one first.
    insts: Vec<Inst>,
    parts: Vec<Value>,
}

/// Parts that one op gives, by the distances of the loads that they are ordered by.
struct Group {
    load: Inst,
    op: Op,
    members: Vec<(i64, Value)>,
}

impl Sum {
    /// The sum that ends at `root`.
    fn of(body: &Body, uses: &Uses, window: &Window, root: Inst) -> Option<Sum> {
        let (op, ty) = (body.inst(root).op, body.inst(root).ty);
        let (result, reduce) = (body.result(root)?, reduce_of(op)?);
        let is_of_it = |inst: Inst| {
            let data = body.inst(inst);
            let is_free =
                !matches!(op, Op::Fadd | Op::Fmul) || data.flags.contains(InstFlags::REASSOCIATE);
            data.op == op && data.ty == ty && is_free && window.contains(inst)
        };
        // The instruction that alone uses a value, as one operand, if it is of the sum.
        let above = |value: Value| match users(body, uses, value).as_slice() {
            &[user] if is_of_it(user) => {
                let times = body.args(user).iter().filter(|&&arg| arg == value).count();
                (times == 1).then_some(user)
            }
            _ => None,
        };
        if !is_of_it(root) || above(result).is_some() {
            return None;
        }
        let (flags, insts, parts) = (body.inst(root).flags, Vec::new(), Vec::new());
        let mut sum = Sum { op, reduce, ty, flags, insts, parts };
        let mut work = vec![root];
        while let Some(inst) = work.pop() {
            sum.flags &= body.inst(inst).flags;
            sum.insts.push(inst);
            for &arg in body.args(inst) {
                match body.value_def(arg) {
                    ValueDef::Result(own, _) if is_of_it(own) && above(arg) == Some(inst) => {
                        work.push(own);
                    }
                    _ => sum.parts.push(arg),
                }
            }
            if sum.parts.len() + work.len() > MOST_PARTS {
                return None;
            }
        }
        sum.flags -= InstFlags::NO_SIGNED_WRAP | InstFlags::NO_UNSIGNED_WRAP;
        Some(sum)
    }

    /// The parts that stand in no row. One may stand in the sum several times, and in one
    /// row.
    fn others(&self, rows: &[Vec<Value>]) -> Vec<Value> {
        let mut rest = self.parts.clone();
        for &part in rows.iter().flatten() {
            if let Some(at) = rest.iter().position(|&other| other == part) {
                rest.remove(at);
            }
        }
        rest
    }

    /// Parts that may fill vectors: alike, and made of what stands one behind the other.
    fn rows(&self, body: &Body, accesses: &Accesses, lanes: usize) -> Vec<Vec<Value>> {
        let mut groups: Vec<Group> = Vec::new();
        for &part in &self.parts {
            let ValueDef::Result(inst, _) = body.value_def(part) else { continue };
            let Some(load) = anchor(body, inst) else { continue };
            let op = body.inst(inst).op;
            let found = groups.iter_mut().find_map(|Group { load: first, op: own, members }| {
                let distance = location(accesses, *first)?.distance(location(accesses, load)?)?;
                let is_new = members.iter().all(|&(known, _)| known != distance);
                (*own == op && is_new).then_some((members, distance))
            });
            match found {
                Some((members, distance)) => members.push((distance, part)),
                None => groups.push(Group { load, op, members: vec![(0, part)] }),
            }
        }
        let mut rows = Vec::new();
        for Group { load, members, .. } in &mut groups {
            members.sort_unstable_by_key(|&(distance, _)| distance);
            let size = size_of(body.inst(*load).ty);
            let runs = members.chunk_by(|one, other| other.0.checked_sub(one.0) == Some(size));
            for row in runs.flat_map(|run| run.chunks_exact(lanes)) {
                rows.push(row.iter().map(|&(_, part)| part).collect());
            }
        }
        rows
    }
}

/// Who uses a value; nobody, if it is more than can be of a sum.
fn users(body: &Body, uses: &Uses, value: Value) -> SmallVec<[Inst; 4]> {
    match uses.at_most(value) > MOST_USERS {
        true => SmallVec::new(),
        false => uses.of(body, value),
    }
}

/// The load by which a part is ordered.
fn anchor(body: &Body, mut inst: Inst) -> Option<Inst> {
    for _ in 0..MOST_STEPS {
        if body.inst(inst).op == Op::Load {
            return Some(inst);
        }
        let results = body.args(inst).iter().filter_map(|&arg| match body.value_def(arg) {
            ValueDef::Result(inst, _) => Some(inst),
            _ => None,
        });
        let results: Vec<Inst> = results.collect();
        let load = results.iter().find(|&&inst| body.inst(inst).op == Op::Load);
        inst = *load.or(results.first())?;
    }
    None
}

impl Packer<'_, '_> {
    /// Puts the parts of a sum together as vectors, if that pays.
    pub(super) fn pack_sum(&mut self, window: &mut Window, root: Inst) -> Option<()> {
        let sum = Sum::of(self.body, &self.uses, window, root)?;
        let lanes = lanes_of(self.context.target, sum.ty)?;
        let rows = sum.rows(self.body, self.accesses, lanes);
        let (rows, tree) = self.rows_tree(window, &sum, rows)?;
        let facts = self.context.target;
        let vector = vector_of(sum.ty, lanes)?;
        let own = facts.cost(sum.op, sum.ty, sum.ty);
        let wide = facts.cost(sum.op, vector, vector);
        // `legalize` adds lanes of floats one by one.
        let is_float = sum.ty.as_scalar().is_some_and(|scalar| scalar.is_float());
        let joined = match is_float {
            true => lanes as u32 * (1 + own),
            false => (lanes as u32).ilog2() * (facts.shuffle_cost(vector) + wide) + 1,
        };
        // As many ops as there are parts go, but for those of the parts that stay.
        let gone = (rows.len() * lanes) as u32 * own;
        let before = tree.scalar_cost(self.body, facts) + gone - own;
        let added = (rows.len() as u32 - 1) * wide;
        let behind = tree.vector_cost(self.body, facts) + added + joined;
        let end = window.place(root);
        let rest = sum.others(&rows);
        let goes = |&part: &Value| match self.body.value_def(part) {
            ValueDef::Result(inst, _) => tree.packs(inst),
            _ => false,
        };
        if rest.iter().any(goes) {
            return None;
        }
        if behind >= before || !window.may_load(self.accesses, &[], &tree, end) {
            return None;
        }
        let (parts, made) = (rows.len() * lanes, rows.len());
        let message = format_args!("{parts} parts of a sum are {made} vectors");
        self.context.remark(root, RemarkKind::Applied, message);
        self.write_sum(&tree, &sum, rest, root);
        window.moved(&[], &tree, root);
        Some(())
    }

    /// The rows that come out as vectors, and their tree.
    fn rows_tree(
        &self,
        window: &Window,
        sum: &Sum,
        mut rows: Vec<Vec<Value>>,
    ) -> Option<(Vec<Vec<Value>>, Tree)> {
        while !rows.is_empty() {
            let tree = self.tree(window, &sum.insts, &rows)?;
            let is_made =
                |row: &usize| matches!(tree.nodes[*row].source, Source::Loads(_) | Source::Ops(..));
            if tree.rows.iter().all(is_made) {
                return Some((rows, tree));
            }
            let mut made = tree.rows.iter().map(is_made);
            rows.retain(|_| made.next().unwrap_or(false));
        }
        None
    }

    fn write_sum(&mut self, tree: &Tree, sum: &Sum, mut rest: Vec<Value>, root: Inst) {
        let vectors = self.write_tree(tree, root);
        let known = self.body.inst_count();
        let mut editor = Editor::new(self.body, self.context);
        editor.stand_before(root);
        let none = editor.body.list(&[]);
        let like = InstData::new(sum.op, sum.ty, none, Payload::None);
        let like = InstData { flags: sum.flags, ..like };
        let Some((&first, others)) = vectors.split_first() else { return };
        let vector = editor.body.value_type(first);
        let mut all = first;
        for &other in others {
            all = editor.op_like(&like, vector, &[all, other]);
        }
        let mut total = reduce(&mut editor, sum, all, &mut rest);
        for &part in &rest {
            total = editor.op_like(&like, sum.ty, &[total, part]);
        }
        self.note_uses(known);
        let Some(result) = self.body.result(root) else { return };
        for user in self.uses.of(self.body, result) {
            self.uses.replace(self.body, user, result, total);
        }
        for &inst in &sum.insts {
            self.body.remove_inst(inst);
        }
        self.remove_scalars(tree);
    }
}

/// Puts lanes together; of floats that are added, behind a part, which is taken away.
fn reduce(editor: &mut Editor<'_, '_>, sum: &Sum, all: Value, rest: &mut Vec<Value>) -> Value {
    let none = editor.body.list(&[]);
    let flags = sum.flags & sum.reduce.info().flags;
    let like = InstData { flags, ..InstData::new(sum.reduce, sum.ty, none, Payload::None) };
    let bits = sum.ty.as_scalar().map_or(64, |scalar| scalar.bits());
    let neutral = match sum.op {
        Op::Fadd => 1 << (bits - 1),
        Op::Fmul if bits == 32 => 1.0_f32.to_bits().into(),
        Op::Fmul => 1.0_f64.to_bits().into(),
        _ => return editor.op_like(&like, sum.ty, &[all]),
    };
    let start = rest.pop().unwrap_or_else(|| editor.constant(sum.ty, neutral));
    editor.op_like(&like, sum.ty, &[start, all])
}
