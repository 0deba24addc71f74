//! What Julia's front end calls: objects that the collector manages.

use super::Use;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{ConstantData, Operand};
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// The operands are the task, the size and the type.
pub(super) fn allocate(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let size = t.value(call.args[1])?;
    if !t.is_integer_value(size) {
        return Err(t.invalid("the size is no integer"));
    }
    let size = t.resized(size, Carrier { ty: Type::I64, bits: 0 });
    let ty = t.operand_of(call, 2, Type::REF)?;
    Ok(t.emit_one(Op::AllocObject, Type::NONE, &[ty, size], Payload::None, Type::REF))
}

pub(super) fn pointer(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let object = t.address(call.args[0])?;
    Ok(t.emit_one(Op::PointerFromRef, Type::NONE, &[object], Payload::None, Type::PTR))
}

pub(super) fn type_of(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let object = t.operand_of(call, 0, Type::REF)?;
    Ok(t.emit_one(Op::TypeOf, Type::NONE, &[object], Payload::None, Type::REF))
}

/// The first object refers to the others now.
pub(super) fn write_barrier(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let parent = t.operand_of(call, 0, Type::REF)?;
    for index in 1..call.args.len() {
        let child = t.operand_of(call, index, Type::REF)?;
        t.emit(Op::WriteBarrier, Type::NONE, &[parent, child], Payload::None, &[]);
    }
    Ok(())
}

pub(super) fn safepoint(t: &mut Translator<'_, '_>, _: &Use<'_>) -> Parsed<()> {
    t.emit(Op::Safepoint, Type::NONE, &[], Payload::None, &[]);
    Ok(())
}

/// Keeps objects alive until the token ends. Plain addresses among them are of nothing
/// that the collector frees.
pub(super) fn preserve_begin(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let args = call.args.iter().map(|&arg| t.value(arg));
    let mut objects: Vec<Value> = args.collect::<Parsed<_>>()?;
    objects.retain(|&object| t.body.value_type(object) != Type::PTR);
    if objects.iter().any(|&object| t.body.value_type(object) != Type::REF) {
        return Err(t.unsupported("only whole objects are kept alive"));
    }
    Ok(t.emit_one(Op::PreserveBegin, Type::NONE, &objects, Payload::None, Type::TOKEN))
}

pub(super) fn preserve_end(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let token = t.operand_of(call, 0, Type::TOKEN)?;
    t.emit(Op::PreserveEnd, Type::NONE, &[token], Payload::None, &[]);
    Ok(())
}

/// An address that was loaded out of an object, which stays alive with it.
pub(super) fn loaded(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let address = t.operand_of(call, 1, Type::PTR)?;
    Ok(t.op(Op::AddressCast, Type::scalar(Scalar::Loaded), &[address]))
}

/// What Julia's runtime calls any function by: the function and its arguments are objects.
const GENERIC_CALLS: [&str; 2] = ["ijl_apply_generic", "jl_apply_generic"];

/// The operands are the function of the runtime that calls, what it is to call, and the
/// arguments of that.
pub(super) fn call(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let name = match call.args[0].value {
        Operand::Constant(id) => match t.constant_of(id).data {
            ConstantData::Global(global) => &*t.shared.syntax.globals[global.index()].name,
            _ => "",
        },
        Operand::Local(_) => "",
    };
    if !GENERIC_CALLS.contains(&name) {
        let message =
            format!("`@julia.call` calls by `@ijl_apply_generic` alone, not by `@{name}`");
        return Err(t.unsupported(message));
    }
    let objects = (1..call.args.len()).map(|index| t.operand_of(call, index, Type::REF));
    let objects: Vec<Value> = objects.collect::<Parsed<_>>()?;
    Ok(t.emit_one(Op::BoxedCall, Type::NONE, &objects, Payload::None, Type::REF))
}

/// The place that the task keeps its roots at: the runtime knows it.
pub(super) fn task(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    match t.call_c("jl_get_pgcstack", &[], Some(Type::PTR))? {
        Some(place) if t.ty(call.result)? == Type::PTR => Ok(place),
        _ => Err(t.invalid("the intrinsic gives a `ptr`")),
    }
}
