//! What emission takes as it stands.

use brolga_ir::body::Body;
use brolga_ir::constant::ConstantBits;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Scalar, Type};

use crate::target::{Architecture, MachineType, Primitive, Shape, TargetFacts};

/// Whether emission takes an instruction, all of whose types are legal.
pub(super) fn is_legal(body: &Body, target: &dyn TargetFacts, inst: Inst) -> bool {
    let data = body.inst(inst);
    let args = body.args(inst);
    let from = args.first().map_or(Type::NONE, |&arg| body.value_type(arg));
    match data.op {
        Op::Frem | Op::Fround | Op::MaskedLoad | Op::MaskedStore => false,
        Op::ReduceFadd | Op::ReduceFmul | Op::ReduceFmin | Op::ReduceFmax => false,
        Op::Shl | Op::Lshr | Op::Ashr if data.ty.is_vector() => {
            args.get(1).is_some_and(|&amounts| uniform(body, amounts).is_some())
        }
        Op::Fshl | Op::Fshr => !data.ty.is_vector(),
        Op::FptosiWrap | Op::FptouiWrap => !data.ty.is_vector(),
        op => match op.info().theme {
            Theme::Integer | Theme::Bits | Theme::Float | Theme::Convert => {
                is_supported(target, op, from, data.ty)
            }
            _ => true,
        },
    }
}

/// Whether vectors of integers become floats by other ops: of x86-64 the back end takes their
/// lanes apart, which is slower.
pub(super) fn is_by_bits(target: &dyn TargetFacts, op: Op, to: Type) -> bool {
    matches!(op, Op::Sitofp | Op::Uitofp)
        && (to.is_vector() && to.lane() == Some(Scalar::F64))
        && target.architecture() == Architecture::X86_64
}

/// Whether emission takes `op` from operands of `from` to results of `to`.
pub(super) fn is_supported(target: &dyn TargetFacts, op: Op, from: Type, to: Type) -> bool {
    if is_by_bits(target, op, to) {
        return false;
    }
    let Some(primitive) = Primitive::of_op(op) else {
        // What has no primitive is bits, which all registers have, or moves.
        return !(from.is_vector() && op.info().theme == Theme::Convert && op != Op::Bitcast);
    };
    let from = if primitive.shape() == Shape::Convert { from } else { to };
    match (MachineType::computing(from), MachineType::computing(to)) {
        (Some(from), Some(to)) => target.support(primitive, from, to).is_emitted(),
        _ => false,
    }
}

/// The bits that every lane of a constant has.
pub(super) fn uniform(body: &Body, value: Value) -> Option<u128> {
    let ConstantBits::Lanes(lanes) = body.as_constant(value)?.bits() else { return None };
    let first = *lanes.first()?;
    lanes.iter().all(|&lane| lane == first).then_some(first)
}
