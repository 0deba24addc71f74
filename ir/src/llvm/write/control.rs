//! Control flow between blocks.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::code::{FunctionWriter, Incoming};
use super::constant::scalar_constant;
use super::function::label_of;
use super::types::{result_text, scalar_text};
use crate::attribute::Order;
use crate::body::Body;
use crate::entity::{Block, EntityRef, Inst, Value};
use crate::instruction::{Payload, Target};
use crate::types::Scalar;

/// The edges of one terminator. A block whose parameters get different values
/// over two of them is reached over blocks of their own.
#[derive(Default)]
pub(super) struct Edges<'m> {
    /// The first edge to each block: what it gives.
    direct: HashMap<Block, &'m [Value]>,
    /// The other edges, with the label of the block that they go over.
    others: HashMap<(Block, &'m [Value]), String>,
}

impl<'m> FunctionWriter<'_, 'm> {
    /// The label for an edge from the block that is being written.
    pub(super) fn edge(&mut self, edges: &mut Edges<'m>, target: &Target) -> String {
        let body: &'m Body = self.body;
        let (block, args) = (target.block, body.target_args(target));
        if body.params(block).is_empty() {
            return label_of(block);
        }
        let first = *edges.direct.entry(block).or_insert(args);
        if first == args {
            self.arrive(block, args);
            return label_of(block);
        }
        match edges.others.entry((block, args)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(free) => {
                let label = self.new_label();
                free.insert(label.clone());
                self.write_aside(label.clone(), |writer| writer.go(block, args));
                label
            }
        }
    }

    /// Notes an edge from here.
    fn arrive(&mut self, block: Block, args: &[Value]) {
        let edge = Incoming { label: self.label.clone(), args: args.to_vec() };
        if let Some(edges) = self.incoming.get_mut(block.index()) {
            edges.push(edge);
        }
    }

    /// Goes on at a block over the only edge from here.
    pub(super) fn go(&mut self, block: Block, args: &[Value]) {
        self.arrive(block, args);
        self.line(format_args!("br label %{}", label_of(block)));
    }

    pub(super) fn write_jump(&mut self, inst: Inst) {
        for target in self.body.targets(inst) {
            self.go(target.block, self.body.target_args(target));
        }
    }

    pub(super) fn write_branch(&mut self, inst: Inst) {
        let body: &'m Body = self.body;
        let [yes, no] = body.targets(inst) else { return };
        let mut edges = Edges::default();
        let condition = self.arg(inst, 0);
        let (yes, no) = (self.edge(&mut edges, yes), self.edge(&mut edges, no));
        self.line(format_args!("br i1 {condition}, label %{yes}, label %{no}"));
    }

    pub(super) fn write_switch(&mut self, inst: Inst) {
        let body: &'m Body = self.body;
        let Payload::Switch(table) = body.inst(inst).payload else { return };
        let Some(switch) = body.switch(table) else { return };
        let scalar = self.data(inst).ty.as_scalar().unwrap_or(Scalar::I64);
        let ty = scalar_text(scalar);
        let mut edges = Edges::default();
        let labels: Vec<String> =
            switch.targets.iter().map(|target| self.edge(&mut edges, target)).collect();
        let operand = self.arg(inst, 0);
        let Some(default) = labels.last() else { return };
        self.line(format_args!("switch {ty} {operand}, label %{default} ["));
        for (&case, label) in switch.cases.iter().zip(&labels) {
            let case = scalar_constant(scalar, case);
            self.line(format_args!("  {ty} {case}, label %{label}"));
        }
        self.line(format_args!("]"));
    }

    pub(super) fn write_return(&mut self, inst: Inst) {
        let body: &'m Body = self.body;
        match body.args(inst) {
            [] => self.line(format_args!("ret void")),
            &[one] => {
                let value = self.passed(self.signature, one);
                self.line(format_args!("ret {value}"));
            }
            many => {
                let ty = result_text(self.types(), self.signature);
                let mut whole = "poison".to_owned();
                for (index, &value) in many.iter().enumerate() {
                    let value = self.passed(self.signature, value);
                    whole =
                        self.temporary(format_args!("insertvalue {ty} {whole}, {value}, {index}"));
                }
                self.line(format_args!("ret {ty} {whole}"));
            }
        }
    }

    pub(super) fn write_fence(&mut self, inst: Inst) {
        if let Payload::Order(order) = self.data(inst).payload
            && !matches!(order, Order::Unordered | Order::Relaxed)
        {
            self.line(format_args!("fence {order}"));
        }
    }
}
