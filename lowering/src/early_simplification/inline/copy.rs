//! Copies the code of a callee into its caller.

use brolga_ir::attribute::{AccessFlags, IntCond};
use brolga_ir::body::{Body, ExitData, ExitKind, Initial, SlotData, SwitchData};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, EntityRef, Exit, FuncId, Inst, Loc, PackedOption, Slot, Value};
use brolga_ir::instruction::{Access, InstData, Payload, Target};
use brolga_ir::op::{Effects, Op};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Passing, Signature, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::locations::Locations;
use super::order::Order;
use super::site::Site;
use crate::pass::{PassContext, PassResult, call_with_edge};

/// The weights of a check that is now a branch.
const CHECK_WEIGHTS: [u32; 2] = [2000, 1];

/// A copy in the making.
pub(super) struct Copier<'a, 'm> {
    caller: &'a mut Body,
    context: &'a mut PassContext<'m>,
    callee: &'a Body,
    site: Site,
    id: FuncId,
    locations: Locations,
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
    slots: FxHashMap<Slot, Slot>,
    exits: FxHashMap<Exit, Exit>,
    /// Where the copy of a block begins.
    start: Block,
    /// Where instructions go.
    at: Block,
    /// Behind which block the next new one stands.
    last: Block,
    /// Whether what lies in its memory was another call's before.
    shares_memory: bool,
    /// What is put back where the callee would return.
    mark: Option<Value>,
    returns: Returning,
}

/// Where the callee returns to.
#[derive(Clone, Debug)]
enum Returning {
    /// Along the normal edge of the call.
    Edge,
    /// To a block, whose parameters are the results.
    Block(Block),
    /// What follows the call follows the only return.
    Here(Option<(Block, Vec<Value>)>),
}

impl<'a, 'm> Copier<'a, 'm> {
    /// A copy of `callee`, which is called `id` and, in the strings of the
    /// module, `name`.
    pub(super) fn new(
        caller: &'a mut Body,
        context: &'a mut PassContext<'m>,
        callee: &'a Body,
        site: Site,
        id: FuncId,
        name: u32,
    ) -> Copier<'a, 'm> {
        let locations = Locations::new(name, site.loc);
        if has_memory_of_its_own(callee, context.module.signature_of(id)) {
            context.inlined.share_memory(context.function);
        }
        let shares_memory = context.inlined.shares_memory(context.function);
        let start = Block::new(0);
        Copier {
            caller,
            context,
            callee,
            site,
            id,
            locations,
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            slots: FxHashMap::default(),
            exits: FxHashMap::default(),
            start,
            at: start,
            last: start,
            shares_memory,
            mark: None,
            returns: Returning::Edge,
        }
    }

    /// Copies all of it behind `here`; gives the block where what follows the
    /// call goes on, and the results.
    pub(super) fn copy(mut self, here: Block) -> PassResult<(Block, Vec<Value>)> {
        (self.at, self.last) = (here, here);
        let order = Order::new(self.callee).blocks;
        self.find_returns(&order);
        self.enter();
        for &block in order.iter().skip(1) {
            let made = self.make_block();
            self.blocks.insert(block, made);
            for &param in self.callee.params(block) {
                let ty = self.callee.value_type(param);
                self.values.insert(param, self.caller.append_param(made, ty));
            }
        }
        for &block in &order {
            self.at = self.blocks.get(&block).copied().unwrap_or(here);
            (self.start, self.last) = (self.at, self.at);
            for inst in self.callee.layout.insts(block) {
                self.copy_inst(inst)?;
            }
        }
        Ok(match self.returns {
            Returning::Here(Some(end)) => end,
            Returning::Block(block) => (block, self.caller.params(block).to_vec()),
            Returning::Edge | Returning::Here(None) => (here, Vec::new()),
        })
    }

    fn make_block(&mut self) -> Block {
        let made = self.caller.make_block();
        self.caller.layout.insert_block_after(made, self.last);
        self.last = made;
        made
    }

    /// Finds out where the callee returns to: behind the only return if there
    /// is one.
    fn find_returns(&mut self, order: &[Block]) {
        if self.site.edges.is_some() {
            return;
        }
        let insts = order.iter().flat_map(|&block| self.callee.layout.insts(block));
        let returns = insts.filter(|&inst| self.returns(inst)).count();
        self.returns = match returns {
            1 => Returning::Here(None),
            _ => {
                let block = self.make_block();
                for &result in &self.site.results {
                    let ty = self.caller.value_type(result);
                    self.caller.append_param(block, ty);
                }
                // The code of the callee stands before it.
                self.last = self.at;
                Returning::Block(block)
            }
        };
    }

    /// Whether an instruction of the callee can end a call of it with results.
    fn returns(&self, inst: Inst) -> bool {
        match self.callee.inst(inst).op {
            Op::Return | Op::ReturnCall | Op::ReturnCallIndirect => true,
            Op::Check => self.resumption(inst).is_some(),
            _ => false,
        }
    }

    /// The function in which a check goes on when it fails, if it does.
    fn resumption(&self, inst: Inst) -> Option<FuncId> {
        let Payload::Exit(exit) = self.callee.inst(inst).payload else { return None };
        match self.callee.exit(exit)?.kind {
            ExitKind::Deopt(function) => Some(function),
            ExitKind::Trap(_) | ExitKind::Side(_) => None,
        }
    }

    /// What a call does before the first instruction: arguments, slots, the mark
    /// of the side stack.
    fn enter(&mut self) {
        let signature = self.context.module.signature_of(self.id).clone();
        let entry = self.callee.layout.entry();
        let params = entry.map_or(&[][..], |entry| self.callee.params(entry));
        for (index, &param) in params.iter().enumerate() {
            let Some(&arg) = self.site.args.get(index) else { continue };
            let passing = signature.params.get(index).map(|param| param.passing);
            let arg = match passing {
                Some(Passing::ByValue { size, align_log2 }) => {
                    self.pass_bytes(arg, size, align_log2)
                }
                _ => arg,
            };
            self.values.insert(param, arg);
        }
        for (slot, data) in self.callee.slots() {
            let made = self.caller.make_slot(SlotData { initial: Initial::Uninit, ..*data });
            self.slots.insert(slot, made);
            if data.initial == Initial::Zeroed {
                self.clear(made, data.size);
            }
        }
        if self.callee.layout.all_insts().any(|inst| self.callee.inst(inst).op == Op::StackAlloc) {
            self.mark = self.add(Op::StackSave, Type::NONE, &[], Payload::None, &[Type::PTR]);
        }
    }

    fn clear(&mut self, slot: Slot, size: u32) {
        if size > 0 {
            let address = self.slot_address(slot);
            let zero = self.constant(Type::I8, 0);
            let size = self.constant(Type::I64, size.into());
            self.bulk(Op::MemFill, &[address, zero, size]);
        }
    }

    /// Bytes of the callee's own for what is passed by value.
    fn pass_bytes(&mut self, given: Value, size: u32, align_log2: u8) -> Value {
        let slot = SlotData { size: size.max(1), align_log2, initial: Initial::Uninit };
        let slot = self.caller.make_slot(slot);
        let address = self.slot_address(slot);
        let size = self.constant(Type::I64, size.into());
        self.bulk(Op::MemCopy, &[address, given, size]);
        address
    }

    fn constant(&mut self, ty: Type, bits: u128) -> Value {
        match Constant::scalar(ty, bits) {
            Some(constant) => self.caller.constant(constant),
            // Numbers have constants.
            None => Value::new(0),
        }
    }

    fn slot_address(&mut self, slot: Slot) -> Value {
        let payload = Payload::Slot(slot);
        let made = self.add(Op::SlotAddr, Type::NONE, &[], payload, &[Type::PTR]);
        made.unwrap_or(Value::new(0))
    }

    fn bulk(&mut self, op: Op, args: &[Value]) {
        self.add(op, Type::NONE, args, Payload::Access(Access::default()), &[]);
    }

    /// A new instruction that the call itself asks for; its first result.
    fn add(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        results: &[Type],
    ) -> Option<Value> {
        let args = self.caller.list(args);
        let data = InstData { loc: self.site.loc, ..InstData::new(op, ty, args, payload) };
        let inst = self.caller.append_inst(self.at, data, results);
        self.caller.results(inst).first().copied()
    }
}

/// Instructions.
impl Copier<'_, '_> {
    fn copy_inst(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.callee.inst(inst);
        let throws = data.op.info().effects.contains(Effects::THROW) && !data.op.is_try_call();
        match data.op {
            Op::Return => {
                let values = self.args(inst);
                self.finish(&values);
            }
            Op::ReturnCall | Op::ReturnCallIndirect => self.copy_tail_call(inst, &data)?,
            Op::Check if self.resumption(inst).is_some() => self.copy_resumption(inst, &data)?,
            Op::SlotStart | Op::SlotEnd => self.copy_use_of_slot(inst, &data),
            Op::LoopMark => self.copy_mark(&data),
            _ if throws && self.site.edges.is_some() => self.copy_throwing(inst, &data)?,
            _ => self.copy_plain(inst, &data),
        }
        Ok(())
    }

    fn value(&mut self, value: Value) -> Value {
        if let Some(&known) = self.values.get(&value) {
            return known;
        }
        let made = match self.callee.as_constant(value) {
            Some(constant) => self.caller.constant(constant.clone()),
            // A definition comes before its uses.
            None => return value,
        };
        self.values.insert(value, made);
        made
    }

    fn args(&mut self, inst: Inst) -> SmallVec<[Value; 4]> {
        let callee = self.callee;
        self.copies(callee.args(inst))
    }

    /// What stands for values of the callee.
    fn copies(&mut self, values: &[Value]) -> SmallVec<[Value; 4]> {
        let mut copies = SmallVec::new();
        for &value in values {
            copies.push(self.value(value));
        }
        copies
    }

    fn loc(&mut self, loc: PackedOption<Loc>) -> PackedOption<Loc> {
        self.locations.of(self.callee, self.caller, loc)
    }

    fn result_types(&self, inst: Inst) -> SmallVec<[Type; 2]> {
        let mut types = SmallVec::new();
        for &result in self.callee.results(inst) {
            types.push(self.callee.value_type(result));
        }
        types
    }

    fn name_results(&mut self, inst: Inst, values: &[Value]) {
        for (&result, &value) in self.callee.results(inst).iter().zip(values) {
            self.values.insert(result, value);
        }
    }

    fn copy_plain(&mut self, inst: Inst, data: &InstData) {
        let args = self.args(inst);
        let args = self.caller.list(&args);
        let (loc, payload) = (self.loc(data.loc), self.payload(inst, &data.payload));
        let copy = InstData { args, loc, payload, ..*data };
        let types = self.result_types(inst);
        let made = self.caller.append_inst(self.at, copy, &types);
        for (&result, &value) in self.callee.results(inst).iter().zip(self.caller.results(made)) {
            self.values.insert(result, value);
        }
        for index in 0..self.callee.targets(inst).len() {
            let target = self.target(self.callee.targets(inst)[index]);
            self.caller.targets_mut(made)[index] = target;
        }
        if let Some(weights) = self.callee.weights(inst) {
            self.caller.set_weights(made, weights);
        }
        if let Some(range) = self.callee.range(inst) {
            self.caller.set_range(made, range);
        }
    }

    /// A mark belongs to the header of its loop, whatever a block has been split for.
    fn copy_mark(&mut self, data: &InstData) {
        let args = self.caller.list(&[]);
        let copy = InstData { args, loc: self.loc(data.loc), ..*data };
        match self.caller.layout.first_inst(self.start) {
            Some(first) => {
                self.caller.insert_inst(first, copy, &[]);
            }
            None => {
                self.caller.append_inst(self.start, copy, &[]);
            }
        }
    }

    /// Where a use of a slot begins or ends its bytes are zeros, if it begins as zeros: its
    /// copy in the caller does not by itself.
    fn copy_use_of_slot(&mut self, inst: Inst, data: &InstData) {
        let Payload::Slot(slot) = data.payload else { return };
        match (self.callee.slot(slot).copied(), self.slots.get(&slot)) {
            (Some(SlotData { initial: Initial::Zeroed, size, .. }), Some(&made)) => {
                self.clear(made, size);
            }
            _ => self.copy_plain(inst, data),
        }
    }

    fn target(&mut self, target: Target) -> Target {
        let callee = self.callee;
        let args = self.copies(callee.target_args(&target));
        let block = self.blocks.get(&target.block).copied().unwrap_or(target.block);
        self.caller.target(block, &args)
    }

    /// A payload with the handles of the caller; targets are still to be filled in.
    fn payload(&mut self, inst: Inst, payload: &Payload) -> Payload {
        let mut payload = *payload;
        match &mut payload {
            Payload::Slot(slot) => *slot = self.slots.get(slot).copied().unwrap_or(*slot),
            Payload::Exit(exit) => *exit = self.exit(*exit),
            Payload::Immediates(list) => {
                *list = self.caller.immediate_list(self.callee.immediates(*list));
            }
            Payload::Switch(table) => {
                let cases = self.callee.switch(*table).map(|switch| switch.cases.clone());
                let empty = self.caller.target(self.at, &[]);
                let targets = vec![empty; self.callee.targets(inst).len()];
                let cases = cases.unwrap_or_default();
                *table = self.caller.make_switch(SwitchData { cases, targets });
            }
            Payload::Access(access)
            | Payload::Atomic { access, .. }
            | Payload::AtomicRmw { access, .. }
            | Payload::AtomicCas { access, .. }
            | Payload::AtomicModify { access, .. } => {
                // These were promised for one call of the callee.
                access.flags -= AccessFlags::INVARIANT;
                access.scopes = None.into();
                access.no_alias = None.into();
                if self.shares_memory {
                    access.class = None.into();
                }
            }
            _ => {}
        }
        payload
    }

    fn exit(&mut self, exit: Exit) -> Exit {
        if let Some(&known) = self.exits.get(&exit) {
            return known;
        }
        let unknown =
            || ExitData { kind: ExitKind::Trap(TrapCode::Unreachable), types: Vec::new() };
        let data = self.callee.exit(exit).cloned().unwrap_or_else(unknown);
        let made = self.caller.make_exit(data);
        self.exits.insert(exit, made);
        self.context.inlined.take_exit(self.context.function, made, self.id, exit);
        made
    }

    /// The callee returns those values.
    fn finish(&mut self, values: &[Value]) {
        if let Some(mark) = self.mark {
            self.add(Op::StackRestore, Type::NONE, &[mark], Payload::None, &[]);
        }
        let (block, args) = match &mut self.returns {
            Returning::Here(end) => {
                *end = Some((self.at, values.to_vec()));
                return;
            }
            Returning::Block(block) => (*block, values.to_vec()),
            Returning::Edge => {
                let Some([normal, _]) = &self.site.edges else { return };
                (normal.block, self.site.normal_args(values))
            }
        };
        let target = self.caller.target(block, &args);
        self.add(Op::Jump, Type::NONE, &[], Payload::Jump(target), &[]);
    }

    /// A call in the callee's place becomes one with a return behind it.
    fn copy_tail_call(&mut self, inst: Inst, data: &InstData) -> PassResult<()> {
        let op = match data.op {
            Op::ReturnCall => Op::Call,
            _ => Op::CallIndirect,
        };
        let args = self.args(inst);
        if let (Op::CallIndirect, Some(&reference)) = (op, args.first()) {
            self.check_reference(data, reference);
        }
        self.leave_for(inst, &InstData { op, ..*data }, &args)
    }

    /// A call of nothing is the callee's own trap, which is still there when it traps.
    fn check_reference(&mut self, call: &InstData, reference: Value) {
        let loc = self.loc(call.loc);
        let null = Constant::scalar(call.ty, 0).map(|null| self.caller.constant(null));
        let Some(null) = null else { return };
        let args = self.caller.list(&[reference, null]);
        let compare = InstData::new(Op::Icmp, call.ty, args, Payload::IntCond(IntCond::Ne));
        let compare = self.caller.append_inst(self.at, InstData { loc, ..compare }, &[Type::I1]);
        let kind = ExitKind::Trap(TrapCode::NullFunction);
        let exit = self.caller.make_exit(ExitData { kind, types: Vec::new() });
        let args = self.caller.results(compare).to_vec();
        let args = self.caller.list(&args);
        let check = InstData::new(Op::Check, Type::NONE, args, Payload::Exit(exit));
        self.caller.append_inst(self.at, InstData { loc, ..check }, &[]);
    }

    /// Calls what goes on in the callee's place, at the place of the call, as if its caller
    /// did: what the callee has on the stack is gone before. But what is passed by value may
    /// stand there: then the callee is there until that call is through.
    fn leave_for(&mut self, inst: Inst, call: &InstData, args: &[Value]) -> PassResult<()> {
        let stays = self.passes_by_value(call);
        let loc = if stays { self.loc(call.loc) } else { self.site.loc };
        let mark = if stays { None } else { self.mark.take() };
        if let Some(mark) = mark {
            self.add(Op::StackRestore, Type::NONE, &[mark], Payload::None, &[]);
        }
        let types: Vec<Type> = self.context.module.signature_of(self.id).result_types().collect();
        let values = self.call(inst, &InstData { loc, ..*call }, args, &types)?;
        self.finish(&values);
        self.mark = self.mark.or(mark);
        Ok(())
    }

    fn passes_by_value(&self, call: &InstData) -> bool {
        let module = &self.context.module;
        let called = call.function().map(|function| module.signature_of(function));
        let called = called.or_else(|| call.ty.signature().map(|sig| module.types.sig(sig)));
        called.is_some_and(|signature| !signature.by_value().is_empty())
    }

    /// A check that goes on in another function when it fails becomes a branch to
    /// a call of that one, whose results are the callee's.
    fn copy_resumption(&mut self, inst: Inst, data: &InstData) -> PassResult<()> {
        let Some(function) = self.resumption(inst) else { return Ok(()) };
        let args = self.args(inst);
        let (holds, fails) = (self.make_block(), self.make_block());
        let targets = [self.caller.target(holds, &[]), self.caller.target(fails, &[])];
        let condition = self.caller.list(&args[..1]);
        let loc = self.loc(data.loc);
        let branch = InstData::new(Op::Branch, Type::NONE, condition, Payload::Branch(targets));
        let branch = self.caller.append_inst(self.at, InstData { loc, ..branch }, &[]);
        self.caller.set_weights(branch, &CHECK_WEIGHTS);
        self.at = fails;
        self.last = fails;
        let list = self.caller.list(&[]);
        let call = InstData::new(Op::Call, Type::NONE, list, Payload::Function(function));
        self.leave_for(inst, &InstData { loc: data.loc, ..call }, &args[1..])?;
        self.at = holds;
        self.last = holds;
        Ok(())
    }

    /// What throws gets the unwind edge of the call.
    fn copy_throwing(&mut self, inst: Inst, data: &InstData) -> PassResult<()> {
        let args = self.args(inst);
        let data = InstData { loc: self.loc(data.loc), ..*data };
        let types = self.result_types(inst);
        let values = self.call(inst, &data, &args, &types)?;
        self.name_results(inst, &values);
        if data.op.is_terminator() {
            // Nothing comes back from a throw.
            self.add(Op::Unreachable, Type::NONE, &[], Payload::None, &[]);
        }
        Ok(())
    }

    /// A call with those operands, and with the unwind edge that there is; its
    /// results.
    fn call(
        &mut self,
        inst: Inst,
        data: &InstData,
        args: &[Value],
        types: &[Type],
    ) -> PassResult<Vec<Value>> {
        let Some([_, unwind]) = self.site.edges.clone() else {
            let args = self.caller.list(args);
            let made = self.caller.append_inst(self.at, InstData { args, ..*data }, types);
            return Ok(self.caller.results(made).to_vec());
        };
        let call = call_with_edge(self.caller, self.context, inst, data, args)?;
        let call = InstData { loc: data.loc, ..call };
        let made = self.caller.append_inst(self.at, call, types);
        let next = self.make_block();
        let results = self.caller.results(made).to_vec();
        let params = types.iter().map(|&ty| self.caller.append_param(next, ty)).collect();
        let targets =
            [self.caller.target(next, &results), self.caller.target(unwind.block, &unwind.args)];
        self.caller.targets_mut(made).copy_from_slice(&targets);
        self.at = next;
        Ok(params)
    }
}

/// Whether each call of a function has memory that goes when it returns.
fn has_memory_of_its_own(body: &Body, signature: &Signature) -> bool {
    let is_given = |inst: Inst| body.inst(inst).op == Op::StackAlloc;
    body.slots().len() > 0
        || !signature.by_value().is_empty()
        || body.layout.all_insts().any(is_given)
}
