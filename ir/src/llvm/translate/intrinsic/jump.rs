//! The jumps of GCC's `__builtin_setjmp`, by those of C's library.

use super::Use;
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::translate::function::Translator;
use crate::module::Symbol;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// At least as many bytes as the `jmp_buf` of any platform of ours.
const BUFFER_BYTES: u64 = 512;

/// The second of the five words that a program keeps: LLVM says that this one is the
/// intrinsic's own.
fn own_word() -> Payload {
    Payload::Access(Access { offset: 8, ..Access::default() })
}

/// Keeps the place of this call. A call of one instruction in one frame returns to the
/// same place each time: all of them can share what C's library keeps.
pub(super) fn set(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let words = t.address(call.args[0])?;
    let buffer = t.own_slot(BUFFER_BYTES, 16)?;
    t.emit(Op::Store, Type::PTR, &[buffer, words], own_word(), &[]);
    let result = t.call_c("_setjmp", &[buffer], Some(Type::I32))?;
    if let Some(Symbol::Function(id)) = t.shared.module.symbol("_setjmp") {
        t.shared.returns_twice(id, t.at)?;
    }
    match result {
        Some(value) if t.ty(call.result)? == Type::I32 => Ok(value),
        _ => Err(t.invalid("the intrinsic gives an `i32`")),
    }
}

/// Goes back to a place that was kept.
pub(super) fn long(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let words = t.address(call.args[0])?;
    let buffer = t.emit_one(Op::Load, Type::PTR, &[words], own_word(), Type::PTR);
    let one = t.number(Type::I32, 1);
    t.call_c("longjmp", &[buffer, one], None)?;
    Ok(())
}
