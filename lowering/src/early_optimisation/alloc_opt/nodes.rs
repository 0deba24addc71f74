//! The new objects that may come apart, and the addresses that are made from them.

use std::collections::VecDeque;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{EntitySet, Inst, Value};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::pass::Uses;

/// The largest object that becomes a slot.
const MOST_BYTES: u64 = 1 << 12;

/// Of how many objects an address may be one.
pub(super) const MOST_OBJECTS: usize = 8;

/// Objects by their index, ascending.
pub(super) type Indices = SmallVec<[u32; 2]>;

/// An instruction that makes an object of known size.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) inst: Inst,
    /// Its address.
    pub(super) address: Value,
    pub(super) ty: Value,
    pub(super) size: u32,
}

/// How far an address is from the start of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offset {
    Known(i64),
    /// Somewhere inside: raw accesses promise that.
    Varies,
}

impl Offset {
    fn plus(self, more: Offset) -> Offset {
        match (self, more) {
            (Offset::Known(one), Offset::Known(other)) => {
                one.checked_add(other).map_or(Offset::Varies, Offset::Known)
            }
            _ => Offset::Varies,
        }
    }
}

/// An address in one of some objects.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) objects: Indices,
    pub(super) offset: Offset,
    /// Whether it may be null.
    pub(super) is_nullable: bool,
    /// Whether it may be an address in something else, or in too many objects.
    pub(super) is_mixed: bool,
}

/// The addresses that are made from new objects.
#[derive(Debug)]
pub(super) struct Nodes {
    pub(super) objects: Vec<Object>,
    of: FxHashMap<Value, Node>,
    /// In the order in which they were found.
    order: Vec<Value>,
    /// Objects of which some address is not followed, as it is one of too many.
    pub(super) lost: Vec<u32>,
}

impl Nodes {
    /// Of the objects of a body but those in `refused`.
    pub(super) fn new(body: &Body, edges: &IncomingEdges, refused: &EntitySet<Value>) -> Nodes {
        let objects = body.layout.all_insts().filter_map(|inst| constant_object(body, inst));
        let objects = objects.filter(|object| !refused.contains(object.address));
        let objects: Vec<Object> = objects.collect();
        let (of, order, lost) = (FxHashMap::default(), Vec::new(), Vec::new());
        let mut nodes = Nodes { objects, of, order, lost };
        if !nodes.objects.is_empty() {
            let uses = Uses::new(body);
            nodes.follow(body, &uses);
            nodes.look_back(body, &uses, edges);
        }
        nodes
    }

    /// What is known of `value`, if it is made from a new object.
    pub(super) fn get(&self, value: Value) -> Option<&Node> {
        self.of.get(&value)
    }

    /// All of them, in the order in which they were found.
    pub(super) fn all(&self) -> &[Value] {
        &self.order
    }

    /// Follows addresses to what is made from them.
    fn follow(&mut self, body: &Body, uses: &Uses) {
        let mut open = VecDeque::new();
        for index in 0..self.objects.len() {
            let address = self.objects[index].address;
            let node = Node {
                objects: smallvec![index as u32],
                offset: Offset::Known(0),
                is_nullable: false,
                is_mixed: false,
            };
            self.join(address, node);
            open.push_back(address);
        }
        while let Some(value) = open.pop_front() {
            let node = self.of[&value].clone();
            for (made, step) in made_from(body, uses, value) {
                let node = Node { offset: node.offset.plus(step), ..node.clone() };
                if self.join(made, node) {
                    open.push_back(made);
                }
            }
        }
    }

    /// Finds what else leads to parameters and selects, and what that leads to.
    fn look_back(&mut self, body: &Body, uses: &Uses, edges: &IncomingEdges) {
        let mut open = VecDeque::new();
        for &value in &self.order {
            let (mut is_nullable, mut is_mixed) = (false, false);
            for source in sources(body, edges, value) {
                match source {
                    Some(source) if self.of.contains_key(&source) => {}
                    Some(source) if body.as_scalar_constant(source) == Some(0) => {
                        is_nullable = true;
                    }
                    _ => is_mixed = true,
                }
            }
            if let Some(node) = self.of.get_mut(&value).filter(|_| is_nullable || is_mixed) {
                node.is_nullable |= is_nullable;
                node.is_mixed |= is_mixed;
                open.push_back(value);
            }
        }
        while let Some(value) = open.pop_front() {
            let (is_nullable, is_mixed) = (self.of[&value].is_nullable, self.of[&value].is_mixed);
            for (made, _) in made_from(body, uses, value) {
                let Some(node) = self.of.get_mut(&made) else { continue };
                let known = (node.is_nullable, node.is_mixed);
                node.is_nullable |= is_nullable;
                node.is_mixed |= is_mixed;
                if known != (node.is_nullable, node.is_mixed) {
                    open.push_back(made);
                }
            }
        }
    }

    /// Adds to what is known of an address; says whether it is more.
    fn join(&mut self, value: Value, more: Node) -> bool {
        let Some(node) = self.of.get_mut(&value) else {
            self.of.insert(value, more);
            self.order.push(value);
            return true;
        };
        let known = (node.objects.len(), node.offset, node.is_mixed);
        node.objects.extend(more.objects);
        node.objects.sort_unstable();
        node.objects.dedup();
        if node.objects.len() > MOST_OBJECTS {
            self.lost.extend(node.objects.drain(MOST_OBJECTS..));
            node.is_mixed = true;
        }
        node.is_mixed |= more.is_mixed;
        if node.offset != more.offset {
            node.offset = Offset::Varies;
        }
        known != (node.objects.len(), node.offset, node.is_mixed)
    }
}

/// The object that an instruction makes, if its size is known and small.
fn constant_object(body: &Body, inst: Inst) -> Option<Object> {
    let &[ty, size] = body.args(inst) else { return None };
    if body.inst(inst).op != Op::AllocObject {
        return None;
    }
    let size = body.as_scalar_constant(size)? as u64;
    let address = body.result(inst)?;
    (size <= MOST_BYTES).then_some(Object { inst, address, ty, size: size as u32 })
}

/// The addresses that are made from `value`, and how much further they are.
fn made_from(body: &Body, uses: &Uses, value: Value) -> SmallVec<[(Value, Offset); 4]> {
    let mut made: SmallVec<[(Value, Offset); 4]> = SmallVec::new();
    for inst in uses.of(body, value) {
        let args = body.args(inst);
        let step = match body.inst(inst).op {
            Op::AddressCast | Op::PointerFromRef => Some(Offset::Known(0)),
            Op::DerivedAdd | Op::PtrAdd if args[0] == value => {
                let offset = body.as_scalar_constant(args[1]);
                Some(offset.map_or(Offset::Varies, |bits| Offset::Known(bits as i64)))
            }
            Op::Select if args[1..].contains(&value) => Some(Offset::Known(0)),
            _ => None,
        };
        made.extend(body.result(inst).zip(step));
        for target in body.targets(inst) {
            let given = body.params(target.block).iter().zip(body.target_args(target));
            let given = given.filter(|(_, arg)| **arg == value);
            made.extend(given.map(|(&param, _)| (param, Offset::Known(0))));
        }
    }
    made
}

/// What parameters and selects are made from; nothing where it is not known.
fn sources(body: &Body, edges: &IncomingEdges, value: Value) -> SmallVec<[Option<Value>; 4]> {
    match body.value_def(value) {
        ValueDef::Param(block, _) if body.layout.entry() == Some(block) => smallvec![None],
        ValueDef::Param(block, index) => {
            edges.of(block).iter().map(|edge| edge.arg(body, index as usize)).collect()
        }
        ValueDef::Result(inst, _) if body.inst(inst).op == Op::Select => {
            body.args(inst)[1..].iter().copied().map(Some).collect()
        }
        _ => smallvec![],
    }
}

/// Whether a value is an address of a managed kind.
pub(super) fn is_managed(body: &Body, value: Value) -> bool {
    body.value_type(value).as_scalar().is_some_and(|scalar| scalar.is_managed())
}

/// Whether a value of `ty` is or holds an address of a managed kind.
pub(super) fn holds_managed(ty: Type) -> bool {
    ty.lane().is_some_and(|lane| lane.is_managed())
}
