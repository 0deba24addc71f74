//! Writing instructions into a body, one behind another.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Loc, PackedOption, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use brolga_ir::typing::Typing;

use super::PassContext;

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
}

impl<'a, 'm> Editor<'a, 'm> {
    /// An editor that stands nowhere yet.
    pub(crate) fn new(body: &'a mut Body, context: &'a mut PassContext<'m>) -> Editor<'a, 'm> {
        let before = Inst::from_u32(0);
        Editor { body, context, before, loc: None.into() }
    }

    /// Writes directly before `inst` from now on, with its location.
    pub(crate) fn stand_before(&mut self, inst: Inst) {
        self.before = inst;
        self.loc = self.body.loc(inst);
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

    fn intern(&mut self, constant: Option<Constant>) -> Value {
        match constant {
            Some(constant) => self.body.constant(constant),
            None => Value::from_u32(NO_VALUE),
        }
    }

    /// The value of `ty` whose bits are all zero.
    pub(crate) fn zero(&mut self, ty: Type) -> Value {
        self.intern(Constant::zero(ty))
    }
}
