//! Writing instructions into a body, one behind another.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ExitData, ExitKind};
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Exit, Inst, Loc, PackedOption, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use brolga_ir::typing::Typing;
use rustc_hash::FxHashMap;

use super::{PassContext, PassError};

/// What a pass that is at odds with the op table gets instead of a value: no
/// body has so many, and verification and emission refuse it by name.
const NO_VALUE: u32 = u32::MAX - 1;

/// A place in a body at which a pass writes.
#[derive(Debug)]
pub(crate) struct Editor<'a, 'm> {
    pub(crate) body: &'a mut Body,
    pub(crate) context: &'a mut PassContext<'m>,
    before: Inst,
    loc: PackedOption<Loc>,
    traps: FxHashMap<TrapCode, Exit>,
}

impl<'a, 'm> Editor<'a, 'm> {
    /// An editor that stands nowhere yet.
    pub(crate) fn new(body: &'a mut Body, context: &'a mut PassContext<'m>) -> Editor<'a, 'm> {
        let before = Inst::from_u32(0);
        Editor { body, context, before, loc: None.into(), traps: FxHashMap::default() }
    }

    /// Writes directly before `inst` from now on, with its location.
    pub(crate) fn stand_before(&mut self, inst: Inst) {
        self.before = inst;
        self.loc = self.body.loc(inst);
    }

    /// What is written from now on comes from where `inst` comes from.
    pub(crate) fn take_location(&mut self, inst: Inst) {
        self.loc = self.body.loc(inst);
    }

    /// The instruction here is in no verified module.
    pub(crate) fn illegal(&self, reason: impl Into<Box<str>>) -> PassError {
        PassError::illegal(self.before, reason)
    }

    /// A new instruction here.
    pub(crate) fn insert(&mut self, data: InstData, results: &[Type]) -> Inst {
        let data = InstData { loc: self.loc, ..data };
        self.body.insert_inst(self.before, data, results)
    }

    /// A new instruction here that is like `like` but for its operands and results.
    pub(crate) fn insert_like(
        &mut self,
        like: &InstData,
        args: &[Value],
        results: &[Type],
    ) -> Inst {
        let args = self.body.list(args);
        self.insert(InstData { args, ..*like }, results)
    }

    /// The result of a new instruction here. The op has one, of a type that
    /// its suffix gives.
    pub(crate) fn op(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        self.op_with(op, ty, args, Payload::None)
    }

    /// A new instruction here that gives nothing.
    pub(crate) fn op_without_result(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
    ) -> Inst {
        let args = self.body.list(args);
        self.insert(InstData::new(op, ty, args, payload), &[])
    }

    /// The same, with a payload.
    pub(crate) fn op_with(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Value {
        let args = self.body.list(args);
        self.value_of(InstData::new(op, ty, args, payload))
    }

    /// The result of a new instruction here that is like `like` but for its
    /// suffix and operands: flags and payload stay.
    pub(crate) fn op_like(&mut self, like: &InstData, ty: Type, args: &[Value]) -> Value {
        let args = self.body.list(args);
        self.value_of(InstData { ty, args, ..*like })
    }

    fn value_of(&mut self, data: InstData) -> Value {
        self.values_of(data).0
    }

    fn values_of(&mut self, data: InstData) -> (Value, Value) {
        let results = Typing::new(&self.context.module.types, data.op, data.ty).results();
        let inst = self.insert(data, &results.unwrap_or_default());
        let mut results = self.body.results(inst).iter().copied();
        let mut next = || results.next().unwrap_or(Value::from_u32(NO_VALUE));
        (next(), next())
    }

    /// A compare of integers.
    pub(crate) fn icmp(&mut self, condition: IntCond, ty: Type, x: Value, y: Value) -> Value {
        self.op_with(Op::Icmp, ty, &[x, y], Payload::IntCond(condition))
    }

    /// A shuffle to `ty`.
    pub(crate) fn shuffle(&mut self, ty: Type, x: Value, y: Value, lanes: &[u32]) -> Value {
        let lanes = self.body.immediate_list(lanes);
        self.op_with(Op::Shuffle, ty, &[x, y], Payload::Immediates(lanes))
    }

    fn intern(&mut self, constant: Option<Constant>) -> Value {
        match constant {
            Some(constant) => self.body.constant(constant),
            None => Value::from_u32(NO_VALUE),
        }
    }

    /// The constant of `ty` with the low bits of `bits`, in every lane.
    pub(crate) fn constant(&mut self, ty: Type, bits: u128) -> Value {
        match ty.is_vector() {
            true => self.lanes(ty, std::iter::repeat_n(bits, ty.lanes() as usize)),
            false => self.intern(Constant::scalar(ty, bits)),
        }
    }

    /// The vector constant with those lanes.
    pub(crate) fn lanes(&mut self, ty: Type, lanes: impl IntoIterator<Item = u128>) -> Value {
        self.intern(Constant::vector(ty, lanes))
    }

    /// The constant of `ty` that `datum` is, if there is one.
    pub(crate) fn datum(&mut self, ty: Type, datum: &Datum) -> Option<Value> {
        let constant = match datum {
            Datum::Scalar(bits) => Constant::scalar(ty, *bits),
            Datum::Lanes(lanes) => Constant::vector(ty, lanes.iter().copied()),
            Datum::Fields(_) => None,
        };
        Some(self.body.constant(constant?))
    }

    /// The value of `ty` whose bits are all zero.
    pub(crate) fn zero(&mut self, ty: Type) -> Value {
        self.intern(Constant::zero(ty))
    }

    /// Traps here unless `condition` holds.
    pub(crate) fn check(&mut self, condition: Value, code: TrapCode) {
        let body = &mut *self.body;
        let exit = *self.traps.entry(code).or_insert_with(|| {
            body.make_exit(ExitData { kind: ExitKind::Trap(code), types: Vec::new() })
        });
        let args = self.body.list(&[condition]);
        self.insert(InstData::new(Op::Check, Type::NONE, args, Payload::Exit(exit)), &[]);
    }

    /// The lane of that number.
    pub(crate) fn extract(&mut self, vector: Value, lane: u32) -> Value {
        let ty = self.body.value_type(vector);
        let index = self.constant(Type::I64, lane.into());
        self.op(Op::ExtractLane, ty, &[vector, index])
    }
}
