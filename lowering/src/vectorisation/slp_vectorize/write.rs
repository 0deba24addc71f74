//! Writing trees of vectors.

use brolga_ir::entity::{EntityRef, Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::Packer;
use super::tree::{Node, Source, Tree, common_flags};
use crate::pass::Editor;

impl Packer<'_, '_> {
    /// Writes the vectors of a tree before an instruction, and gives those of its rows.
    pub(super) fn write_tree(&mut self, tree: &Tree, before: Inst) -> Vec<Value> {
        let known = self.body.inst_count();
        let mut editor = Editor::new(self.body, self.context);
        editor.stand_before(before);
        let mut made: Vec<Value> = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            let value = write_node(&mut editor, node, &made);
            made.push(value);
        }
        self.note_uses(known);
        tree.rows.iter().map(|&row| made[row]).collect()
    }

    /// Notes what instructions use that have been made since there were so many.
    pub(super) fn note_uses(&mut self, known: usize) {
        for index in known..self.body.inst_count() {
            self.uses.add(self.body, Inst::new(index));
        }
    }

    /// Writes a tree and its store in the place of the last of several stores.
    pub(super) fn write_stores(&mut self, tree: &Tree, stores: &[Inst], last: Inst) {
        let rows = self.write_tree(tree, last);
        let mut editor = Editor::new(self.body, self.context);
        editor.stand_before(last);
        let data = *editor.body.inst(stores[0]);
        let address = editor.body.args(stores[0])[1];
        let (Some(&value), Some(&root)) = (rows.first(), tree.rows.first()) else { return };
        let (ty, known) = (tree.nodes[root].ty, editor.body.inst_count());
        editor.insert_like(&InstData { ty, ..data }, &[value, address], &[]);
        for &store in stores {
            editor.body.remove_inst(store);
        }
        self.note_uses(known);
        self.remove_scalars(tree);
    }

    /// Takes away what vectors do now.
    pub(super) fn remove_scalars(&mut self, tree: &Tree) {
        for inst in tree.scalars() {
            self.body.remove_inst(inst);
        }
    }
}

fn write_node(editor: &mut Editor<'_, '_>, node: &Node, made: &[Value]) -> Value {
    let ty = node.ty;
    match &node.source {
        Source::Constants => {
            let lanes = node.values.iter().map(|&value| editor.body.as_scalar_constant(value));
            let lanes: Vec<u128> = lanes.map(Option::unwrap_or_default).collect();
            editor.lanes(ty, lanes)
        }
        Source::Same(value) => editor.op(Op::Splat, ty, &[*value]),
        Source::Gathered => gather(editor, ty, &node.values),
        Source::Loads(loads) => {
            editor.take_location(loads[0]);
            let data = *editor.body.inst(loads[0]);
            let args = editor.body.args(loads[0]).to_vec();
            editor.op_like(&data, ty, &args)
        }
        Source::Ops(insts, operands) => {
            editor.take_location(insts[0]);
            let flags = common_flags(editor.body, insts);
            let data = InstData { flags, ..*editor.body.inst(insts[0]) };
            let args: Vec<Value> = operands.iter().map(|&operand| made[operand]).collect();
            editor.op_like(&data, ty, &args)
        }
    }
}

/// A vector of values that have nothing in common.
fn gather(editor: &mut Editor<'_, '_>, ty: Type, values: &[Value]) -> Value {
    let mut vector = editor.op(Op::Splat, ty, &values[..1]);
    for (lane, &value) in (0_u128..).zip(values).skip(1) {
        let lane = editor.constant(Type::I64, lane);
        vector = editor.op(Op::InsertLane, ty, &[vector, value, lane]);
    }
    vector
}
