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
//!     %4 = call @brolga.fpext.f32.bf16(%3)
//!     %5 = bitcast.i16 %1
//!     %6 = call @brolga.fpext.f32.bf16(%5)
//!     %7 = fadd.f32 %4, %6
//!     %8 = call @brolga.fptrunc.bf16.f32(%7)
//!     %9 = bitcast.bf16 %8
//!     return %9
//! }
//!
//! import func @brolga.fpext.f32.bf16(i16) -> f32
//! import func @brolga.fptrunc.bf16.f32(f32) -> i16
//! ```
//! Every op extends its operands, computes in 32 bits and rounds its result at
//! once, so that it is what the op says: 24 digits are at least twice the digits
//! of either format and two more, and a sum, product, quotient or root that is
//! rounded to these first is rounded to the same number afterwards (Figueroa
//! 1995). What that does not hold for, a fused product and sum and integers that
//! no float of 64 bits holds, is the prelude's; so are the conversions of
//! scalars. Those of lanes are done in place. What only concerns signs is done
//! on the bits, NaN included.
//!
//! Needs: no aggregates. Keeps: the flow graph. Does not try: to keep a chain of
//! ops in the wider format, which would round less often than the program says.

mod arithmetic;
mod formats;

use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, SecondaryMap, Value};
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Scalar, Type};

use crate::pass::{Change, Editor, PassContext, PassResult, list_insts};

/// Computes with floats of 16 bits in wider formats.
///
/// # Errors
/// None.
pub fn demote_float16(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let concerned: Vec<Inst> =
        body.layout.all_insts().filter(|&inst| computes(body, inst)).collect();
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
    for inst in list_insts(body) {
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
