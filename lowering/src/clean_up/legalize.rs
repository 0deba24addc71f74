//! Brings code into the types and ops that emission takes on the target.
//!
//! Before:
//! ```text
//! func @f(f32x6, i32x2) -> (f32x6, i32x2) {
//! block0(%0: f32x6, %1: i32x2):
//!     %2 = fadd.f32x6 %0, %0
//!     %3 = shl.i32x2 %1, <1, 33>
//!     return %2, %3
//! }
//! ```
//! After:
//! ```text
//! func @f(f32x4 of(24), f32x4 of(24), i32x4 of(8)) -> (f32x4 of(24), f32x4 of(24), i32x4 of(8)) {
//! block0(%5: f32x4, %6: f32x4, %7: i32x4):
//!     %8 = fadd.f32x4 %5, %5
//!     %9 = fadd.f32x4 %6, %6
//!     %11 = extract_lane.i32x4 %7, 0
//!     %13 = extract_lane.i32x4 %7, 1
//!     %17 = shl.i32 %11, 1
//!     %18 = shl.i32 %13, 33
//!     %20 = make_vector.i32x4 %17, %18, 0, 0
//!     return %8, %9, %20
//! }
//! ```
//! A vector is held in registers of 128 bits (see [`legal_form`]), and an op on
//! it becomes that op on each. What the target does not do on a register is
//! spelt with what it does, or done lane by lane, or asked of the prelude. A
//! mask stays in the width of the compare that made it as long as nobody asks
//! for another, and changes it by shuffles.
//!
//! Which op the target does at which type is what the table of [`target`] says;
//! what to do instead is here, a file for each concern: `lanes` and `masks` for
//! taking apart and putting together, `elementwise`, `integer`, `float`, `shift`,
//! `convert`, `bitcast`, `structure`, `reduce`, `memory`, `scalar`.
//!
//! Needs: no aggregates, no arithmetic on floats of 16 bits. Keeps: edges between
//! blocks that are reached. Does not try: to keep values in fewer registers than
//! their types say, or to make sense of lanes that do not count: they hold
//! anything.
//!
//! [`legal_form`]: crate::legal_form
//! [`target`]: crate::target

mod bitcast;
mod convert;
mod elementwise;
mod float;
mod float_from_int;
mod integer;
mod lanes;
mod legality;
mod masks;
mod memory;
mod reduce;
mod scalar;
mod shift;
mod structure;

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Inst, Slot, Value};
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Type, TypePool};
use rustc_hash::FxHashMap;

use crate::legal_form::{PieceTypes, ValueForm, is_held_otherwise, vector_pieces};
use crate::pass::{Editor, PassContext, PassError, PassResult, Pieces, SplitRule, Splitter, split};

/// Brings code into the types and ops that emission takes on the target.
///
/// # Errors
/// A masked access through a reference of the managed kinds, and a managed op
/// on vectors.
pub fn legalize(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    split(Legalize::default(), body, context)
}

/// The walk.
type Work<'a, 'm> = Splitter<'a, 'm, Legalize>;

/// What the walk keeps beside the pieces of values.
#[derive(Debug, Default)]
struct Legalize {
    /// A slot for each number of bytes that passed through memory.
    scratch: FxHashMap<u32, Slot>,
}

impl SplitRule for Legalize {
    const PASS: &'static str = "legalize";
    const FORM: ValueForm = ValueForm::Legal;

    fn pieces(&self, _: &TypePool, ty: Type) -> Option<PieceTypes> {
        vector_pieces(ty)
    }

    fn splits(&self, ty: Type) -> bool {
        is_held_otherwise(ty)
    }

    fn constant(&mut self, editor: &mut Editor<'_, '_>, constant: &Constant) -> Pieces {
        let datum = Datum::from_constant(&editor.context.module.types, constant);
        let lanes = datum.lanes();
        // Lanes that do not count repeat the last one, so that a constant with
        // equal lanes has equal lanes in every register.
        let last = lanes.last().copied().unwrap_or(0);
        let mut lanes = lanes.iter().copied().chain(std::iter::repeat(last));
        let held = vector_pieces(constant.ty()).unwrap_or_default();
        let piece = |ty: Type| match ty.is_vector() {
            true => editor.lanes(ty, lanes.by_ref().take(ty.lanes() as usize)),
            false => editor.constant(ty, lanes.next().unwrap_or(0)),
        };
        held.into_iter().map(piece).collect()
    }

    fn concerns(&self, body: &Body, context: &PassContext<'_>, inst: Inst) -> bool {
        !legality::is_legal(body, context.target, inst)
    }

    fn pass(work: &mut Work<'_, '_>, value: Value) -> Pieces {
        work.canonical(value)
    }

    fn rewrite(work: &mut Work<'_, '_>, inst: Inst) -> PassResult<()> {
        let op = work.editor.body.inst(inst).op;
        if op.info().theme == Theme::Aggregate {
            let reason = format!("`{op}`: `flatten_aggregates` comes before this");
            return Err(PassError::illegal(inst, reason));
        }
        if work.editor.body.inst(inst).ty.is_vector() || !work.operand_is_scalar(inst) {
            return work.vector(inst, op);
        }
        work.scalar(inst, op)
    }
}

/// The op table has vectors nowhere else, and what is called, left or checked
/// with them the walk itself has rewritten.
fn not_of_vectors(inst: Inst, op: Op) -> PassError {
    PassError::illegal(inst, format!("`{op}` takes and gives no vectors here"))
}

impl Work<'_, '_> {
    fn operand_is_scalar(&self, inst: Inst) -> bool {
        let args = self.editor.body.args(inst);
        args.iter().all(|&arg| !self.editor.body.value_type(arg).is_vector())
    }

    /// An instruction that works on vectors.
    fn vector(&mut self, inst: Inst, op: Op) -> PassResult<()> {
        match op {
            Op::Trunc | Op::Zext | Op::Sext | Op::StruncSat | Op::UtruncSat => self.resize(inst),
            Op::Bitcast => self.bitcast(inst),
            Op::Select | Op::VecSelect | Op::Opaque => self.choose(inst),
            _ => match op.info().theme {
                Theme::Integer | Theme::Bits | Theme::Float => self.elementwise(inst),
                Theme::Compare => self.compare(inst),
                Theme::Convert => self.convert(inst),
                Theme::Vector => self.restructure(inst),
                Theme::Memory | Theme::Entity => self.access(inst),
                Theme::Managed => {
                    Err(PassError::unsupported(inst, "managed ops are not compiled yet"))
                }
                _ => Err(not_of_vectors(inst, op)),
            },
        }
    }
}
