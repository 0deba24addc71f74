//! Calls.

use super::function::FunctionBuilder;
use super::handle::{Block, Results, Value};
use crate::entity::{FuncId, PackedOption};
use crate::instruction::{InstData, Payload};
use crate::op::Op;
use crate::types::Type;

impl FunctionBuilder<'_> {
    /// Appends [`Op::Call`].
    pub fn call(&mut self, function: FuncId, args: &[Value]) -> Results {
        self.emit(Op::Call, Type::NONE, args, Payload::Function(function))
    }

    /// Appends [`Op::CallIndirect`], at the type of `function`, which is a
    /// function reference.
    pub fn call_indirect(&mut self, function: Value, args: &[Value]) -> Results {
        let ty = self.value_type(function);
        self.emit(Op::CallIndirect, ty, &with_first(function, args), Payload::None)
    }

    /// Appends [`Op::CallPtr`]; `ty` is the function type that the address is trusted to have.
    pub fn call_ptr(&mut self, ty: Type, address: Value, args: &[Value]) -> Results {
        self.emit(Op::CallPtr, ty, &with_first(address, args), Payload::None)
    }

    /// Appends [`Op::CallForeign`]; the references in `roots` stay alive over the call.
    pub fn call_foreign(&mut self, function: FuncId, args: &[Value], roots: &[Value]) -> Results {
        let all = [args, roots].concat();
        let payload = Payload::ForeignCall { function, roots: roots.len() as u32 };
        self.emit(Op::CallForeign, Type::NONE, &all, payload)
    }

    /// Appends [`Op::TryCall`]: goes on at `normal` with the results as
    /// arguments, then `normal_args`, or at `unwind` when the function throws.
    pub fn try_call(
        &mut self,
        function: FuncId,
        args: &[Value],
        (normal, normal_args): (Block, &[Value]),
        (unwind, unwind_args): (Block, &[Value]),
    ) {
        self.try_call_foreign(function, (args, &[]), (normal, normal_args), (unwind, unwind_args));
    }

    /// Appends [`Op::TryCall`] of a foreign function, as [`try_call`](Self::try_call);
    /// the references in `roots` stay alive over the call.
    pub fn try_call_foreign(
        &mut self,
        function: FuncId,
        (args, roots): (&[Value], &[Value]),
        (normal, normal_args): (Block, &[Value]),
        (unwind, unwind_args): (Block, &[Value]),
    ) {
        let targets = [(normal, normal_args), (unwind, unwind_args)];
        let callee = TryCallee { function: function.into(), roots: roots.len() as u32 };
        self.emit_try(Op::TryCall, Type::NONE, &[args, roots].concat(), callee, targets);
    }

    /// Appends [`Op::TryCallIndirect`], as [`try_call`](Self::try_call).
    pub fn try_call_indirect(
        &mut self,
        function: Value,
        args: &[Value],
        (normal, normal_args): (Block, &[Value]),
        (unwind, unwind_args): (Block, &[Value]),
    ) {
        let ty = self.value_type(function);
        let targets = [(normal, normal_args), (unwind, unwind_args)];
        let callee = TryCallee::default();
        self.emit_try(Op::TryCallIndirect, ty, &with_first(function, args), callee, targets);
    }

    /// Appends [`Op::TryCallPtr`], as [`try_call`](Self::try_call); `ty` is the
    /// function type that the address is trusted to have.
    pub fn try_call_ptr(
        &mut self,
        ty: Type,
        (address, args): (Value, &[Value]),
        (normal, normal_args): (Block, &[Value]),
        (unwind, unwind_args): (Block, &[Value]),
    ) {
        let targets = [(normal, normal_args), (unwind, unwind_args)];
        let callee = TryCallee::default();
        self.emit_try(Op::TryCallPtr, ty, &with_first(address, args), callee, targets);
    }

    fn emit_try(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        TryCallee { function, roots }: TryCallee,
        targets: [(Block, &[Value]); 2],
    ) {
        let [normal, unwind] = targets;
        let normal_args = self.own_all(normal.1);
        let (first, second) = (self.own_target(normal.0, &[]), self.own_target(unwind.0, unwind.1));
        let (Some(normal_args), Some(first), Some(second)) = (normal_args, first, second) else {
            return;
        };
        let payload = Payload::TryCall { function, roots, targets: [first, second] };
        let results = self.emit(op, ty, args, payload);
        let mut all: Vec<_> = results.as_slice().iter().map(|value| value.entity()).collect();
        all.extend(normal_args);
        let list = self.body.list(&all);
        if let Some(inst) = self.last
            && let InstData { payload: Payload::TryCall { targets, .. }, .. } =
                self.body.inst_mut(inst)
        {
            targets[0].args = list;
        }
    }

    /// Appends [`Op::ReturnCall`].
    pub fn return_call(&mut self, function: FuncId, args: &[Value]) {
        self.emit(Op::ReturnCall, Type::NONE, args, Payload::Function(function));
    }

    /// Appends [`Op::ReturnCallIndirect`], at the type of `function`, which is
    /// a function reference.
    pub fn return_call_indirect(&mut self, function: Value, args: &[Value]) {
        let ty = self.value_type(function);
        self.emit(Op::ReturnCallIndirect, ty, &with_first(function, args), Payload::None);
    }
}

/// What a call with an unwind edge names beside its operands: by default
/// nothing, for a call through a value.
#[derive(Default)]
struct TryCallee {
    function: PackedOption<FuncId>,
    roots: u32,
}

pub(super) fn with_first(first: Value, rest: &[Value]) -> Vec<Value> {
    let mut all = vec![first];
    all.extend_from_slice(rest);
    all
}

#[cfg(test)]
pub(super) const IN_THIS_FILE: &[Op] = &[
    Op::Call,
    Op::CallIndirect,
    Op::CallPtr,
    Op::CallForeign,
    Op::TryCall,
    Op::TryCallIndirect,
    Op::TryCallPtr,
    Op::ReturnCall,
    Op::ReturnCallIndirect,
];
