//! Computing ops on constants by the interpreter's own functions.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::{Constant, ConstantBits};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use smallvec::SmallVec;

/// How many offsets behind each other are summed up.
const MOST_OFFSETS: usize = 8;

/// The results of an instruction as constants, or the trap that it runs into: only
/// where all its operands are constants and decide what it does.
pub(crate) fn fold_inst(
    body: &mut Body,
    inst: Inst,
) -> Option<Result<SmallVec<[Value; 2]>, TrapCode>> {
    let args = body.args(inst);
    if args.is_empty() || args.iter().any(|&arg| body.as_constant(arg).is_none()) {
        return None;
    }
    let (data, args) = (*body.inst(inst), SmallVec::<[Value; 3]>::from_slice(args));
    fold_op(body, data.op, data.ty, &args, &data.payload)
}

/// What a compare of addresses for equality gives that are known offsets from one address:
/// so is the end of an array of known length from its start.
pub(crate) fn decide_equality(body: &Body, inst: Inst) -> Option<bool> {
    let data = body.inst(inst);
    let (Op::Icmp, Payload::IntCond(condition), &[a, b]) = (data.op, data.payload, body.args(inst))
    else {
        return None;
    };
    let is_equality = matches!(condition, IntCond::Eq | IntCond::Ne) && data.ty == Type::PTR;
    let (a, b) = is_equality.then(|| (behind(body, a), behind(body, b)))?;
    (a.0 == b.0).then_some((a.1 == b.1) == (condition == IntCond::Eq))
}

/// The address that another one is a known offset behind, modulo the size of memory.
fn behind(body: &Body, mut address: Value) -> (Value, u64) {
    let mut offset = 0_u64;
    for _ in 0..MOST_OFFSETS {
        let ValueDef::Result(inst, 0) = body.value_def(address) else { break };
        let (Op::PtrAdd, &[base, by]) = (body.inst(inst).op, body.args(inst)) else { break };
        let Some(by) = body.as_scalar_constant(by) else { break };
        (address, offset) = (base, offset.wrapping_add(by as u64));
    }
    (address, offset)
}

/// The same of an op that stands nowhere.
pub(crate) fn fold_op(
    body: &mut Body,
    op: Op,
    ty: Type,
    args: &[Value],
    payload: &Payload,
) -> Option<Result<SmallVec<[Value; 2]>, TrapCode>> {
    // Aggregates have no constants but zero, and are gone early.
    if op.info().suffix == TypeClass::Aggregate || ty.is_aggregate() {
        return None;
    }
    let mut operands: SmallVec<[Datum; 3]> = SmallVec::new();
    for &arg in args {
        operands.push(datum_of(body, arg)?);
    }
    let operand = args.first().map_or(Type::NONE, |&arg| body.value_type(arg));
    let immediates = match payload {
        Payload::Immediates(list) => body.immediates(*list).to_vec(),
        _ => Vec::new(),
    };
    let operation = Operation { op, ty, operand, payload, immediates: &immediates };
    let mut references: SmallVec<[&Datum; 3]> = SmallVec::new();
    for operand in &operands {
        references.push(operand);
    }
    let results = match fold(&operation, &references)? {
        Ok(results) => results,
        Err(trap) => return Some(Err(trap)),
    };
    constants_of(body, op, ty, &results).map(Ok)
}

/// The results of an op as values: all of them or none, so that no constant is made in vain.
fn constants_of(
    body: &mut Body,
    op: Op,
    ty: Type,
    results: &[Datum],
) -> Option<SmallVec<[Value; 2]>> {
    let patterns = op.info().results;
    let mut values = SmallVec::new();
    if let ([pattern], [datum]) = (patterns, results) {
        values.push(body.constant(constant_of(pattern.resolve(ty)?, datum)?));
        return Some(values);
    }
    let types: SmallVec<[Type; 2]> =
        patterns.iter().map(|pattern| pattern.resolve(ty)).collect::<Option<_>>()?;
    let constants = results.iter().zip(types).map(|(datum, ty)| constant_of(ty, datum));
    let constants: SmallVec<[Constant; 2]> = constants.collect::<Option<_>>()?;
    values.extend(constants.into_iter().map(|constant| body.constant(constant)));
    Some(values)
}

/// The value of a constant that is no aggregate.
pub(crate) fn datum_of(body: &Body, value: Value) -> Option<Datum> {
    match body.as_constant(value)?.bits() {
        ConstantBits::Scalar(bits) => Some(Datum::Scalar(*bits)),
        ConstantBits::Lanes(lanes) => Some(Datum::Lanes(lanes.clone())),
        ConstantBits::Zero => None,
    }
}

/// The constant of a type with a value; none if the type has no such constant.
pub(crate) fn constant_of(ty: Type, datum: &Datum) -> Option<Constant> {
    match ty.is_vector() {
        true => Constant::vector(ty, datum.lanes().iter().copied()),
        false => Constant::scalar(ty, datum.bits()),
    }
}
