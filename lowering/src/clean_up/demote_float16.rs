//! Computes with `f16` and `bf16` in wider formats: the back end moves their
//! bits and no more.
//!
//! Before:
//! ```text
//! func @f(bf16, bf16) -> bf16 {
//! block0(%0: bf16, %1: bf16):
//!     %2 = fadd.bf16 %0, %1
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! func @f(bf16, bf16) -> bf16 {
//! block0(%0: bf16, %1: bf16):
//!     %3 = bitcast.i16 %0
//!     %4 = zext.i32 %3
//!     %6 = shl.i32 %4, 16
//!     %7 = bitcast.f32 %6
//!     %8 = bitcast.i16 %1
//!     %9 = zext.i32 %8
//!     %10 = shl.i32 %9, 16
//!     %11 = bitcast.f32 %10
//!     %12 = fadd.f32 %7, %11
//!     %13 = bitcast.i32 %12
//!     %14 = lshr.i32 %13, 16
//!     %16 = and.i32 %14, 1
//!     %18 = add.i32 %16, 32767
//!     %19 = add.i32 %13, %18
//!     %21 = and.i32 %13, 2147483647
//!     %23 = icmp.i32 ugt %21, 2139095040
//!     %25 = or.i32 %13, 4194304
//!     %26 = select.i32 %23, %25, %19
//!     %27 = lshr.i32 %26, 16
//!     %28 = trunc.i16 %27
//!     %29 = bitcast.bf16 %28
//!     return %29
//! }
//! ```
//! Every op extends its operands, computes in 32 bits and rounds its result at
//! once, so that it is what the op says: 24 digits are at least twice the digits
//! of either format and two more, and a sum, product, quotient or root that is
//! rounded to these first is rounded to the same number afterwards (Figueroa
//! 1995). A fused product and sum goes through 64 bits, rounded to odd where the
//! exponents of `bf16` lie too far apart for an exact sum; so do integers that
//! 64 bits do not hold. What only concerns signs is done on the bits, NaN
//! included.
//!
//! Needs: no aggregates. Keeps: the flow graph. Does not try: to keep a chain of
//! ops in the wider format, which would round less often than the program says.

mod arithmetic;
mod formats;

use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, SecondaryMap, Value};
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Scalar, Type};

use crate::pass::{Change, Editor, PassContext, PassResult, placed_insts};

/// Computes with floats of 16 bits in wider formats.
///
/// # Errors
/// None.
pub fn demote_float16(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let concerned: Vec<Inst> = placed_insts(body).filter(|&inst| computes(body, inst)).collect();
    if concerned.is_empty() {
        return Ok(Change::Nothing);
    }
    let count = concerned.len() as u64;
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut editor = Editor::new(body, context);
    for inst in concerned {
        editor.stand_before(inst);
        let value = editor.in_wider_format(inst)?;
        if let Some(result) = editor.body.result(inst) {
            replaced[result] = Some(value);
        }
        editor.body.layout.remove_inst(inst);
    }
    context.statistics.add("demote_float16", "ops in wider formats", count);
    for inst in placed_insts(body).collect::<Vec<_>>() {
        body.map_uses(inst, |value| replaced[value].unwrap_or(value));
    }
    Ok(Change::Something)
}

/// Whether the lanes of `ty` are floats of 16 bits.
fn is_float16(ty: Type) -> bool {
    matches!(ty.lane(), Some(Scalar::F16 | Scalar::Bf16))
}

/// Whether an instruction computes with floats of 16 bits, rather than move them.
fn computes(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let operand = || body.args(inst).first().is_some_and(|&arg| is_float16(body.value_type(arg)));
    match data.op.info().theme {
        Theme::Float => is_float16(data.ty),
        Theme::Convert => data.op != Op::Bitcast && (is_float16(data.ty) || operand()),
        _ => match data.op {
            Op::Fcmp | Op::ReduceFadd | Op::ReduceFmul | Op::ReduceFmin | Op::ReduceFmax => {
                is_float16(data.ty)
            }
            _ => false,
        },
    }
}
