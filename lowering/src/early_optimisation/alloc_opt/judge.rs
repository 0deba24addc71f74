//! What is done with new objects, and which of them must stay.

use std::fmt;

use brolga_ir::attribute::{IntCond, LoopFlags};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::managed::{HEADER_SIZE, OBJECT_ALIGN};
use brolga_ir::op::{Form, Op};
use brolga_ir::types::{Type, TypePool};
use brolga_ir::verify::frame_size;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::known::is_start;
use super::nodes::{Indices, Node, Nodes, Offset, holds_managed, is_managed};
use crate::analysis::escape::is_place;
use crate::pass::bytes::size_of;

/// How many bytes the slots of a function may have in all.
const MOST_FRAME_BYTES: u64 = 1 << 16;

/// Objects times blocks, at most: that often an object may be alive where a block begins.
const MOST_LIVE: usize = 1 << 21;

/// Why an object stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// An address of it gets out.
    Escapes(Op),
    /// An address is one of it, or one of something else that stays.
    Mixed,
    /// An access reaches out of it.
    Outside,
    /// Its type is asked for where that is not one value.
    Type,
    /// One round of a loop still has the object of an earlier one.
    Twice,
    /// It is preserved, and what it refers to while that lasts cannot be told.
    Preserved,
    /// It has references that would stand on the stack, where no collector looks.
    References,
    /// There is no room in the frame.
    Frame,
    /// To find where all of them are alive takes too long.
    Many,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self {
            Reason::Escapes(op) => {
                return write!(f, "the object stays: `{}` lets its address out", op.mnemonic());
            }
            Reason::Mixed => "an address may be one in it or in something that stays",
            Reason::Outside => "an access reaches out of it",
            Reason::Type => "its type is asked for where it is not known",
            Reason::Twice => "it is used when the next one is made",
            Reason::Preserved => "what it keeps alive is not known",
            Reason::References => "references in it would stand on the stack",
            Reason::Frame => "the frame has no room",
            Reason::Many => "the function has too many others, and too many blocks",
        };
        write!(f, "the object stays: {reason}")
    }
}

/// What is done with an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Deeds {
    /// Whether it may not stand in memory: it has references, or memory of one round is
    /// promised to be that of no other.
    pub(super) must_go: bool,
    /// Where references stand in it, each offset once.
    pub(super) references: SmallVec<[u32; 4]>,
    /// What stores references to it.
    pub(super) stores: Vec<Inst>,
    /// Whether references may come into it by copies.
    pub(super) is_filled: bool,
}

/// What a compare of an address gives once the object is no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Known(bool),
    /// What the plain addresses give.
    Plain,
    /// It lets the address out.
    Open,
}

/// What is known of the new objects of a body.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) nodes: Nodes,
    pub(super) reasons: Vec<Option<Reason>>,
    pub(super) deeds: Vec<Deeds>,
    /// What preserves one of them.
    pub(super) preserves: Vec<Inst>,
    /// Where what was preserved is let go, by token; nothing if that cannot be told.
    pub(super) ends: FxHashMap<Value, Option<SmallVec<[Inst; 2]>>>,
    /// Objects that go together or not at all.
    ties: Vec<Indices>,
}

impl Findings {
    pub(super) fn new(body: &Body, types: &TypePool, nodes: Nodes) -> Findings {
        let count = nodes.objects.len();
        let mut found = Findings {
            reasons: vec![None; count],
            deeds: vec![Deeds::default(); count],
            preserves: Vec::new(),
            ends: FxHashMap::default(),
            ties: Vec::new(),
            nodes,
        };
        for index in found.nodes.lost.clone() {
            found.refuse(index, Reason::Mixed);
        }
        found.tie(body);
        for inst in body.layout.all_insts() {
            found.visit(body, types, inst);
        }
        found.limit(body);
        found
    }

    /// Lets an object stay, for the first reason that is found.
    pub(super) fn refuse(&mut self, index: u32, reason: Reason) {
        self.reasons[index as usize].get_or_insert(reason);
    }

    /// Whether an object goes as far as is known.
    pub(super) fn goes(&self, index: u32) -> bool {
        self.reasons[index as usize].is_none()
    }

    /// The node of an address that stands for a plain one once its objects are gone.
    pub(super) fn gone(&self, body: &Body, value: Value) -> Option<&Node> {
        let node = self.nodes.get(value).filter(|_| is_managed(body, value))?;
        node.objects.iter().all(|&index| self.goes(index)).then_some(node)
    }

    /// Lets objects stay that some address has in common with one that does.
    pub(super) fn close(&mut self) {
        let mut of: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); self.reasons.len()];
        for (index, tie) in self.ties.iter().enumerate() {
            tie.iter().for_each(|&object| of[object as usize].push(index as u32));
        }
        let refused = |index: &u32| !self.goes(*index);
        let mut open: Vec<u32> = (0..self.reasons.len() as u32).filter(refused).collect();
        while let Some(index) = open.pop() {
            for &tie in &of[index as usize] {
                for &other in &self.ties[tie as usize] {
                    if self.reasons[other as usize].is_none() {
                        self.reasons[other as usize] = Some(Reason::Mixed);
                        open.push(other);
                    }
                }
            }
        }
    }

    /// Notes which objects addresses have in common; none may be of anything else as well.
    fn tie(&mut self, body: &Body) {
        for &value in self.nodes.all() {
            let Some(node) = self.nodes.get(value).filter(|_| is_managed(body, value)) else {
                continue;
            };
            if node.is_mixed {
                let objects = node.objects.clone();
                objects.iter().for_each(|&index| {
                    self.reasons[index as usize].get_or_insert(Reason::Mixed);
                });
            } else if node.objects.len() > 1 {
                self.ties.push(node.objects.clone());
            }
        }
    }

    fn visit(&mut self, body: &Body, types: &TypePool, inst: Inst) {
        let data = body.inst(inst);
        match (data.op, data.payload) {
            (Op::LoopMark, Payload::LoopMark { flags, .. }) if flags.contains(LoopFlags::IVDEP) => {
                self.deeds.iter_mut().for_each(|deeds| deeds.must_go = true);
            }
            (Op::PreserveEnd, _) => {
                let ends = self.ends.entry(body.args(inst)[0]).or_insert(Some(SmallVec::new()));
                ends.as_mut().into_iter().for_each(|ends| ends.push(inst));
            }
            _ => {}
        }
        for value in body.uses(inst) {
            if data.op != Op::PreserveEnd && body.value_type(value) == Type::TOKEN {
                self.ends.insert(value, None);
            }
        }
        for (index, &arg) in body.args(inst).iter().enumerate() {
            if let Some(node) = self.nodes.get(arg).cloned() {
                self.judge(body, types, (inst, index), &node);
            }
        }
    }

    /// What the operand of that index means for the objects that it is an address in.
    fn judge(&mut self, body: &Body, types: &TypePool, at: (Inst, usize), node: &Node) {
        let (inst, index) = at;
        let op = body.inst(inst).op;
        let refused = match op {
            Op::AddressCast | Op::PointerFromRef | Op::Prefetch | Op::WriteBarrier => None,
            Op::DerivedAdd | Op::PtrAdd if index == 0 => None,
            Op::Select if index > 0 => None,
            Op::Icmp => self.judge_compare(body, inst),
            Op::TypeOf => self.type_of(body, node).is_none().then_some(Reason::Type),
            Op::PreserveBegin => {
                if self.preserves.last() != Some(&inst) {
                    self.preserves.push(inst);
                }
                None
            }
            _ if is_place(op, index) => return self.access(body, types, at, node),
            _ => Some(Reason::Escapes(op)),
        };
        if let Some(reason) = refused {
            node.objects.iter().for_each(|&index| self.refuse(index, reason));
        }
    }

    fn judge_compare(&mut self, body: &Body, inst: Inst) -> Option<Reason> {
        match self.compare(body, inst) {
            Compare::Known(_) => None,
            Compare::Open => Some(Reason::Escapes(Op::Icmp)),
            Compare::Plain => {
                let managed = body.args(inst).iter().filter(|&&arg| is_managed(body, arg));
                let nodes = managed.filter_map(|&arg| self.nodes.get(arg));
                let tie: Indices = nodes.flat_map(|node| node.objects.iter().copied()).collect();
                self.ties.push(tie);
                None
            }
        }
    }

    /// What a compare gives of which an operand is an address in new objects.
    pub(super) fn compare(&self, body: &Body, inst: Inst) -> Compare {
        let &[one, other] = body.args(inst) else { return Compare::Open };
        let is_plain = !is_managed(body, one);
        let differs = match body.inst(inst).payload {
            Payload::IntCond(IntCond::Eq) => Some(false),
            Payload::IntCond(IntCond::Ne) => Some(true),
            _ => None,
        };
        let both = [self.nodes.get(one), self.nodes.get(other)];
        let is_null = |value| body.as_scalar_constant(value) == Some(0);
        let is_start =
            |node: &Node| node.offset == Offset::Known(0) && !node.is_nullable && !node.is_mixed;
        match (both, differs) {
            (_, Some(differs)) if one == other => Compare::Known(!differs),
            ([Some(a), Some(b)], Some(differs)) if is_start(a) && is_start(b) => {
                let is_common = a.objects.iter().any(|index| b.objects.contains(index));
                if is_common { Compare::Plain } else { Compare::Known(differs) }
            }
            ([Some(_), Some(_)], Some(_)) => Compare::Plain,
            ([Some(a), Some(b)], None) if a.objects.len() == 1 && a.objects == b.objects => {
                Compare::Plain
            }
            _ if is_plain => Compare::Plain,
            ([Some(node), None] | [None, Some(node)], Some(differs)) => {
                let ty = body.value_type(one);
                match is_null(one) || is_null(other) {
                    true if is_start(node) => Compare::Known(differs),
                    true => Compare::Plain,
                    // Nothing that comes from elsewhere is the start of an object that has
                    // not been there.
                    false if ty == Type::REF && is_start(node) => Compare::Known(differs),
                    false => Compare::Open,
                }
            }
            _ => Compare::Open,
        }
    }

    /// The type of all objects that an address is one of.
    pub(super) fn type_of(&self, body: &Body, node: &Node) -> Option<Value> {
        let mut types = node.objects.iter().map(|&index| self.nodes.objects[index as usize].ty);
        let ty = types.next()?;
        let is_one = types.all(|other| other == ty) && !node.is_nullable && !node.is_mixed;
        let is_known = is_one && is_steady(body, ty) && node.offset == Offset::Known(0);
        (is_known && is_start(body, ty)).then_some(ty)
    }

    /// What the headers of objects refer to.
    pub(super) fn types(&self, objects: &[u32]) -> impl Iterator<Item = Value> {
        objects.iter().map(|&index| self.nodes.objects[index as usize].ty)
    }

    /// An access by the operand of that index.
    fn access(&mut self, body: &Body, types: &TypePool, (inst, index): (Inst, usize), node: &Node) {
        let data = body.inst(inst);
        let args = body.args(inst);
        let size = match data.op.info().form == Form::Bulk {
            true => body.as_scalar_constant(args[2]).map(|bits| bits as u64),
            false => Some(size_of(types, data.ty)),
        };
        let start = match node.offset {
            Offset::Known(offset) => {
                let more = data.access().map_or(0, |access| access.offset);
                offset.checked_add(more.into())
            }
            Offset::Varies => None,
        };
        for &object in &node.objects {
            let room = self.nodes.objects[object as usize].size;
            let is_outside = match (node.offset, start, size) {
                (Offset::Varies, ..) => false,
                (_, Some(start), Some(size)) => {
                    start < 0 || start.unsigned_abs().saturating_add(size) > u64::from(room)
                }
                (_, Some(start), None) => start < 0 || start.unsigned_abs() > u64::from(room),
                _ => true,
            };
            if is_outside {
                self.refuse(object, Reason::Outside);
            }
        }
        if data.op == Op::MemCopy && index == 0 {
            self.copy(body, args[1], node);
        }
        if holds_managed(data.ty) {
            self.reference(inst, data.op, start, &node.objects);
        }
    }

    /// An access to references.
    fn reference(&mut self, inst: Inst, op: Op, start: Option<i64>, objects: &Indices) {
        let offset = start.and_then(|start| u32::try_from(start).ok());
        for &object in objects {
            let deeds = &mut self.deeds[object as usize];
            deeds.must_go = true;
            if let Some(offset) = offset.filter(|offset| !deeds.references.contains(offset)) {
                deeds.references.push(offset);
            }
            if op != Op::Load {
                deeds.stores.push(inst);
            }
        }
    }

    /// A copy into objects: out of an object that stays, it may be of references, of which no
    /// part may become a number that lives at a safepoint; out of one that goes, its parts are
    /// known. What comes from plain memory is plain data.
    fn copy(&mut self, body: &Body, from: Value, node: &Node) {
        match self.nodes.get(from).cloned() {
            Some(source) => {
                let both = node.objects.iter().chain(&source.objects).copied();
                self.ties.push(both.collect());
                for &object in &node.objects {
                    let deeds = &mut self.deeds[object as usize];
                    (deeds.must_go, deeds.is_filled) = (true, true);
                }
            }
            None if is_managed(body, from) => {
                node.objects.iter().for_each(|&object| self.refuse(object, Reason::References));
            }
            None => {}
        }
    }

    /// Lets objects stay that there is no room or time for.
    fn limit(&mut self, body: &Body) {
        let mut bytes = frame_size(body);
        let mut left = MOST_LIVE / body.block_count().max(1);
        for index in 0..self.nodes.objects.len() {
            if self.reasons[index].is_none() {
                let size = u64::from(self.nodes.objects[index].size) + HEADER_SIZE;
                bytes += size.next_multiple_of(OBJECT_ALIGN);
                if bytes > MOST_FRAME_BYTES {
                    self.reasons[index] = Some(Reason::Frame);
                } else if left == 0 {
                    self.reasons[index] = Some(Reason::Many);
                }
                left = left.saturating_sub(1);
            }
        }
    }
}

/// Whether the type of an object is that of all objects which one instruction makes: one of an
/// earlier round has the type of that round.
pub(super) fn is_steady(body: &Body, ty: Value) -> bool {
    match body.value_def(ty) {
        ValueDef::Constant(_) => true,
        _ => body.defining_block(ty) == body.layout.entry(),
    }
}
