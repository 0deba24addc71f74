//! Puts slots in the place of objects, and plain addresses in that of references to them.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, Initial, SlotData};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Slot, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::managed::{HEADER_SIZE, OBJECT_ALIGN};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::judge::{Compare, Findings};
use super::nodes::is_managed;
use crate::pass::{Renames, retain_params};

/// Converts the objects that go; gives the slot of each, in their order.
pub(super) fn convert(
    body: &mut Body,
    graph: &FlowGraph,
    edges: &IncomingEdges,
    found: &Findings,
) -> Vec<(u32, Slot)> {
    let mut converter = Converter {
        body,
        found,
        twins: FxHashMap::default(),
        renames: Renames::default(),
        slots: Vec::new(),
    };
    let params = converter.append_params();
    for block in graph.reverse_postorder() {
        for inst in converter.body.layout.insts(block).collect::<Vec<_>>() {
            converter.visit(inst);
        }
    }
    converter.replace_params(edges, &params);
    let Converter { body, mut renames, mut slots, .. } = converter;
    renames.apply(body);
    slots.sort_unstable();
    slots
}

struct Converter<'a> {
    body: &'a mut Body,
    found: &'a Findings,
    /// The plain addresses of those that were managed.
    twins: FxHashMap<Value, Value>,
    renames: Renames,
    slots: Vec<(u32, Slot)>,
}

impl Converter<'_> {
    fn is_gone(&self, value: Value) -> bool {
        self.found.gone(self.body, value).is_some()
    }

    /// What stands for an address.
    fn twin(&mut self, value: Value) -> Value {
        if let Some(&twin) = self.twins.get(&value) {
            return twin;
        }
        let is_null = self.body.as_scalar_constant(value) == Some(0);
        match Constant::zero(Type::PTR).filter(|_| is_null) {
            Some(null) => self.body.constant(null),
            None => value,
        }
    }

    /// Gives blocks plain parameters beside those that go; gives these.
    fn append_params(&mut self) -> Vec<(Block, Vec<usize>)> {
        let mut all = Vec::new();
        for block in self.body.layout.blocks().collect::<Vec<_>>() {
            let params = self.body.params(block).to_vec();
            let gone = |&(_, &param): &(usize, &Value)| self.is_gone(param);
            let indices: Vec<usize> =
                params.iter().enumerate().filter(gone).map(|(index, _)| index).collect();
            for &index in &indices {
                let twin = self.body.append_param(block, Type::PTR);
                self.twins.insert(params[index], twin);
            }
            if !indices.is_empty() {
                all.push((block, indices));
            }
        }
        all
    }

    fn replace_params(&mut self, edges: &IncomingEdges, params: &[(Block, Vec<usize>)]) {
        for (block, indices) in params {
            for &index in indices {
                for edge in edges.of(*block) {
                    if let Some(arg) = edge.arg(self.body, index) {
                        let twin = self.twin(arg);
                        self.body.push_target_arg(edge.inst, edge.index as usize, twin);
                    }
                }
            }
        }
        for (block, indices) in params {
            let gone: Vec<Value> = indices.iter().map(|&at| self.body.params(*block)[at]).collect();
            retain_params(self.body, *block, edges.of(*block), |param| !gone.contains(&param));
        }
    }

    fn insert(&mut self, before: Inst, data: InstData) -> Option<Value> {
        let loc = self.body.loc(before);
        let results: &[Type] = if data.op == Op::MemFill { &[] } else { &[Type::PTR] };
        let inst = self.body.insert_inst(before, InstData { loc, ..data }, results);
        self.body.result(inst)
    }

    fn visit(&mut self, inst: Inst) {
        let data = *self.body.inst(inst);
        let result = self.body.result(inst);
        let first = self.body.args(inst).first().copied();
        match (data.op, result, first) {
            (Op::AllocObject, Some(result), _) if self.is_gone(result) => self.place(inst, result),
            (Op::AddressCast, Some(result), Some(of)) if self.is_gone(result) => {
                let twin = self.twin(of);
                self.twins.insert(result, twin);
                self.body.remove_inst(inst);
            }
            (Op::PointerFromRef, Some(result), Some(of)) if self.is_gone(of) => {
                let twin = self.twin(of);
                self.rename(inst, result, twin);
            }
            (Op::DerivedAdd, Some(result), _) if self.is_gone(result) => {
                self.write_twin(inst, Op::PtrAdd, Type::NONE, result);
            }
            (Op::Select, Some(result), _) if self.is_gone(result) => {
                self.write_twin(inst, Op::Select, Type::PTR, result);
            }
            (Op::Icmp, Some(result), _) => self.compare(inst, result),
            (Op::TypeOf, Some(result), Some(of)) => {
                if let Some(node) = self.found.gone(self.body, of)
                    && let Some(ty) = self.found.type_of(self.body, node)
                {
                    self.rename(inst, result, ty);
                }
            }
            (Op::PreserveBegin, Some(token), _) => self.preserve(inst, token),
            (Op::WriteBarrier, ..) => {
                if self.body.args(inst).to_vec().into_iter().any(|arg| self.is_gone(arg)) {
                    self.body.remove_inst(inst);
                }
            }
            _ => self.access(inst),
        }
    }

    fn rename(&mut self, inst: Inst, result: Value, to: Value) {
        self.renames.rename(result, to);
        self.body.remove_inst(inst);
    }

    /// A slot in the place of an object, zero as that is.
    fn place(&mut self, inst: Inst, result: Value) {
        let Some(index) = self.found.nodes.get(result).map(|node| node.objects[0]) else { return };
        let size = self.found.nodes.objects[index as usize].size;
        let align_log2 = OBJECT_ALIGN.trailing_zeros() as u8;
        // With room for the header, of which nothing is left: no object starts where another one
        // starts or ends, and compares of their addresses tell.
        let room = size.saturating_add(HEADER_SIZE as u32);
        let data = SlotData { size: room, align_log2, initial: Initial::Uninit };
        let slot = self.body.make_slot(data);
        self.slots.push((index, slot));
        let args = self.body.list(&[]);
        let data = InstData::new(Op::SlotAddr, Type::NONE, args, Payload::Slot(slot));
        let Some(address) = self.insert(inst, data) else { return };
        let constants = [(Type::I8, 0), (Type::I64, u128::from(size))];
        let constants = constants.map(|(ty, bits)| Constant::scalar(ty, bits));
        if let ([Some(byte), Some(count)], true) = (constants, size > 0) {
            let args = [address, self.body.constant(byte), self.body.constant(count)];
            let args = self.body.list(&args);
            let payload = Payload::Access(Access { align_log2, ..Access::default() });
            self.insert(inst, InstData::new(Op::MemFill, Type::NONE, args, payload));
        }
        self.twins.insert(result, address);
        self.body.remove_inst(inst);
    }

    /// The same, of plain addresses.
    fn write_twin(&mut self, inst: Inst, op: Op, ty: Type, result: Value) {
        let args = self.twin_args(inst);
        let args = self.body.list(&args);
        let data = InstData { op, ty, args, ..*self.body.inst(inst) };
        if let Some(twin) = self.insert(inst, data) {
            self.twins.insert(result, twin);
        }
        self.body.remove_inst(inst);
    }

    /// The operands, plain where they are managed.
    fn twin_args(&mut self, inst: Inst) -> Vec<Value> {
        let args = self.body.args(inst).to_vec();
        let plain = |arg| if is_managed(self.body, arg) { self.twin(arg) } else { arg };
        args.into_iter().map(plain).collect()
    }

    fn compare(&mut self, inst: Inst, result: Value) {
        if !self.body.args(inst).to_vec().into_iter().any(|arg| self.is_gone(arg)) {
            return;
        }
        match self.found.compare(self.body, inst) {
            Compare::Known(bit) => {
                if let Some(constant) = Constant::scalar(Type::I1, bit.into()) {
                    let constant = self.body.constant(constant);
                    self.rename(inst, result, constant);
                }
            }
            Compare::Plain | Compare::Open => {
                let args = self.twin_args(inst);
                let args = self.body.list(&args);
                let data = self.body.inst_mut(inst);
                (data.args, data.ty) = (args, Type::PTR);
            }
        }
    }

    /// Preserves what objects refer to in their place.
    fn preserve(&mut self, inst: Inst, token: Value) {
        let args = self.body.args(inst).to_vec();
        if !args.iter().any(|&arg| self.is_gone(arg)) {
            return;
        }
        let mut kept = Vec::new();
        for arg in args {
            match self.found.gone(self.body, arg) {
                Some(node) => {
                    let types = self.found.types(&node.objects);
                    kept.extend(types.filter(|&ty| self.body.as_constant(ty).is_none()));
                    let all = node.objects.iter();
                    let deeds = all.map(|&index| &self.found.deeds[index as usize]);
                    let stored = deeds.filter(|deeds| !deeds.stores.is_empty());
                    let mut offsets: Vec<u32> =
                        stored.flat_map(|deeds| deeds.references.iter().copied()).collect();
                    offsets.sort_unstable();
                    offsets.dedup();
                    for offset in offsets {
                        kept.extend(self.load(inst, arg, offset));
                    }
                }
                None => kept.push(arg),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.is_empty()
            && let Some(Some(ends)) = self.found.ends.get(&token)
        {
            ends.iter().for_each(|&end| self.body.remove_inst(end));
            self.body.remove_inst(inst);
            return;
        }
        let args = self.body.list(&kept);
        self.body.inst_mut(inst).args = args;
    }

    fn load(&mut self, before: Inst, of: Value, offset: u32) -> Option<Value> {
        let twin = self.twin(of);
        let args = self.body.list(&[twin]);
        let access = Access { offset: i32::try_from(offset).ok()?, ..Access::default() };
        let data = InstData::new(Op::Load, Type::REF, args, Payload::Access(access));
        let loc = self.body.loc(before);
        let load = self.body.insert_inst(before, InstData { loc, ..data }, &[Type::REF]);
        self.body.result(load)
    }

    /// Lets an access be one of plain memory. What is promised of the bytes of an object does
    /// not hold for those of a slot, which are of one object after another.
    fn access(&mut self, inst: Inst) {
        let args = self.body.args(inst).to_vec();
        let is_one = |&arg: &Value| {
            let node = self.found.nodes.get(arg);
            node.is_some_and(|node| node.objects.iter().any(|&index| self.found.goes(index)))
        };
        if !args.iter().any(is_one) {
            return;
        }
        let plain = args.into_iter();
        let plain: Vec<Value> =
            plain.map(|arg| if self.is_gone(arg) { self.twin(arg) } else { arg }).collect();
        let list = self.body.list(&plain);
        let data = self.body.inst_mut(inst);
        data.args = list;
        if let Some(access) = data.access_mut() {
            access.flags.remove(AccessFlags::INVARIANT);
            (access.class, access.scopes) = (None.into(), None.into());
            access.no_alias = None.into();
        }
    }
}
