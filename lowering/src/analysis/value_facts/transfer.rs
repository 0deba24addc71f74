//! What is known of a result by what is known of the operands.

use brolga_ir::body::{Body, MIN_STACK_OBJECT_ALIGN, stack_object_align};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};
use smallvec::SmallVec;

use super::fact::{Fact, mask};
use super::{arithmetic, bits, width_of};

type OperandFacts = SmallVec<[Fact; 3]>;

/// What is known of operands.
pub(crate) trait Operands {
    /// What is known of a number; nothing if it is never computed.
    fn fact(&self, value: Value) -> Option<Fact>;

    /// Whether nothing is known of it, as is of most.
    fn is_any(&self, value: Value) -> bool;
}

/// What is known of the result of that index; nothing if an operand is never computed,
/// or the instruction always traps.
pub(crate) fn result(
    body: &Body,
    module: &Module,
    inst: Inst,
    index: usize,
    operands: &impl Operands,
) -> Option<Fact> {
    let result = *body.results(inst).get(index)?;
    let width = width_of(body.value_type(result))?;
    let op = body.inst(inst).op;
    if is_of_state(op)
        && let Some(fact) = of_state(body, module, inst, width)
    {
        return Some(fact);
    }
    let args = body.args(inst);
    let loses_all = || index == 0 && is_lossy(op) && args.iter().any(|&arg| operands.is_any(arg));
    let has_fact = |&value: &Value| width_of(body.value_type(value)).is_some();
    if !is_computed(op) || loses_all() || !args.iter().all(has_fact) {
        return Some(Fact::any(width));
    }
    // Most ops have two operands, of which one is no constant.
    if let &[a, b] = args {
        let (a, b) = (operands.fact(a)?, operands.fact(b)?);
        if a.as_constant().is_none() || b.as_constant().is_none() {
            return Some(of_two(body, inst, index, width, (&a, &b)));
        }
        return of_all(body, inst, index, width, &[a, b]);
    }
    let facts: Option<OperandFacts> = args.iter().map(|&arg| operands.fact(arg)).collect();
    of_all(body, inst, index, width, &facts?)
}

/// Whether what the op gives follows from its operands alone.
fn is_computed(op: Op) -> bool {
    Effects::TRAP.contains(op.info().effects)
}

/// Whether nothing is known of what the op gives if nothing is known of one operand.
fn is_lossy(op: Op) -> bool {
    matches!(op, Op::Add | Op::PtrAdd | Op::DerivedAdd | Op::Sub)
}

/// What is known of a result by all operands; nothing if they let the instruction trap.
fn of_all(body: &Body, inst: Inst, index: usize, width: u32, operands: &[Fact]) -> Option<Fact> {
    let is_constant = operands.iter().all(|fact| fact.as_constant().is_some());
    match if is_constant { folded(body, inst, index, width, operands) } else { Folded::Not } {
        Folded::Not => Some(computed(body, inst, index, width, operands)),
        Folded::To(constant) => Some(constant),
        Folded::Traps => None,
    }
}

enum Folded {
    Not,
    To(Fact),
    Traps,
}

/// What the interpreter computes of operands each of which is one number.
fn folded(body: &Body, inst: Inst, index: usize, width: u32, operands: &[Fact]) -> Folded {
    let numbers = operands.iter().filter_map(Fact::as_constant);
    let data = body.inst(inst);
    if matches!(data.payload, Payload::Immediates(_)) || data.op.is_terminator() {
        return Folded::Not;
    }
    let args = body.args(inst);
    let operand = args.first().map_or(data.ty, |&arg| body.value_type(arg));
    let operation =
        Operation { op: data.op, ty: data.ty, operand, payload: &data.payload, immediates: &[] };
    let datums: SmallVec<[Datum; 3]> = numbers.map(Datum::Scalar).collect();
    let datums: SmallVec<[&Datum; 3]> = datums.iter().collect();
    match fold(&operation, &datums) {
        None => Folded::Not,
        Some(Err(_)) => Folded::Traps,
        Some(Ok(results)) => match results.get(index) {
            Some(Datum::Scalar(bits)) => Folded::To(Fact::constant(width, *bits)),
            _ => Folded::Not,
        },
    }
}

/// Whether something may be known of what the op gives that is no matter of the operands.
fn is_of_state(op: Op) -> bool {
    use Op::{ArrayLen, DataAddr, MemCompare, MemFind, SlotAddr, StackAlloc};
    matches!(op, SlotAddr | DataAddr | StackAlloc | ArrayLen | MemCompare | MemFind)
}

/// What is known of that, if [`is_of_state`].
fn of_state(body: &Body, module: &Module, inst: Inst, width: u32) -> Option<Fact> {
    let data = body.inst(inst);
    let aligned = |log2: u32| Fact::with_bits(width, mask(log2), 0);
    match (data.op, &data.payload) {
        (Op::SlotAddr, &Payload::Slot(slot)) => {
            let align = aligned(body.slot(slot)?.align_log2.into());
            // Systems keep the upper half of all addresses to themselves.
            Some(align.narrowed(&Fact::unsigned_between(width, 1, mask(width - 1))))
        }
        (Op::DataAddr, &Payload::Data(data)) => {
            let data = module.data(data).filter(|data| data.linkage.is_defined_here())?;
            Some(aligned(data.align_log2.into()))
        }
        (Op::StackAlloc, _) => {
            let asked = body.args(inst).get(1).and_then(|&align| body.as_scalar_constant(align));
            let align = asked.map_or(MIN_STACK_OBJECT_ALIGN, |asked| {
                stack_object_align(u64::try_from(asked).unwrap_or(0))
            });
            Some(aligned(align.trailing_zeros()))
        }
        (Op::ArrayLen, _) => Some(Fact::signed_between(width, 0, i128::MAX)),
        (Op::MemCompare, _) => Some(Fact::signed_between(width, -1, 1)),
        (Op::MemFind, _) => {
            let bytes = body.as_scalar_constant(*body.args(inst).get(2)?)?;
            Some(Fact::unsigned_between(width, 0, bytes))
        }
        _ => None,
    }
}

/// What is known of what the interpreter would compute.
fn computed(body: &Body, inst: Inst, index: usize, width: u32, operands: &[Fact]) -> Fact {
    let any = Fact::any(width);
    let op = body.inst(inst).op;
    match operands {
        [a, b] => of_two(body, inst, index, width, (a, b)),
        [a] if index == 0 => unary(op, width, a).unwrap_or(any),
        [condition, a, b] if index == 0 && op == Op::Select => match condition.as_constant() {
            Some(0) => *b,
            Some(_) => *a,
            None => a.joined(b),
        },
        _ => any,
    }
}

/// What is known of what is computed of two operands.
fn of_two(body: &Body, inst: Inst, index: usize, width: u32, (a, b): (&Fact, &Fact)) -> Fact {
    let data = body.inst(inst);
    let found = match (data.op, data.payload) {
        (op, _) if index > 0 => arithmetic::overflow(op, a, b),
        (Op::Icmp, Payload::IntCond(condition)) => {
            let is_address = body.args(inst).first().is_some_and(|&arg| {
                body.value_type(arg).as_scalar().is_some_and(|scalar| scalar.is_address())
            });
            let condition = if is_address { condition.unsigned() } else { condition };
            a.compare(condition, b).map(|truth| Fact::constant(1, truth.into()))
        }
        (op, _) => binary(op, a, b),
    };
    found.unwrap_or(Fact::any(width))
}

fn unary(op: Op, width: u32, a: &Fact) -> Option<Fact> {
    Some(match op {
        Op::Not => bits::not(a),
        Op::Neg => arithmetic::sub(&Fact::constant(width, 0), a),
        Op::Abs => arithmetic::abs(a),
        Op::Popcount | Op::Clz | Op::Ctz => bits::count(op, a),
        Op::Bswap | Op::Bitreverse => bits::permuted(op, a, None)?,
        Op::Trunc => bits::truncated(width, a),
        Op::Zext => {
            let (least, most) = a.unsigned();
            let bits = Fact::any(width).and_bits(a.zeros(), a.ones());
            bits.within_unsigned(least, most).settled()
        }
        Op::Sext => bits::sign_extended(width, a),
        Op::StruncSat | Op::StruncTrap => arithmetic::clamped_signed(width, a.signed()),
        Op::UtruncSat | Op::UtruncTrap => {
            let (least, most) = a.unsigned();
            Fact::unsigned_between(width, least.min(mask(width)), most)
        }
        Op::PtrToInt | Op::IntToPtr | Op::AddressCast | Op::PointerFromRef | Op::Bitcast
            if a.width() == width =>
        {
            *a
        }
        _ => return None,
    })
}

fn binary(op: Op, a: &Fact, b: &Fact) -> Option<Fact> {
    let width = a.width();
    if b.width() != width {
        return None;
    }
    // Of two numbers of which nothing is known, only rests are less than some.
    if a.is_any() && b.is_any() && !matches!(op, Op::Urem | Op::Srem) {
        return None;
    }
    Some(match op {
        Op::Add | Op::PtrAdd | Op::DerivedAdd | Op::SaddOverflow | Op::UaddOverflow => {
            arithmetic::add(a, b)
        }
        Op::Sub | Op::SsubOverflow | Op::UsubOverflow => arithmetic::sub(a, b),
        Op::Mul | Op::SmulOverflow | Op::UmulOverflow => arithmetic::mul(a, b),
        Op::SaddTrap | Op::SaddSat | Op::SsubTrap | Op::SsubSat => {
            arithmetic::held_signed(op, a, b)
        }
        Op::UaddTrap | Op::UaddSat | Op::UsubTrap | Op::UsubSat => {
            arithmetic::held_unsigned(op, a, b)
        }
        Op::Smin | Op::Smax | Op::Umin | Op::Umax => arithmetic::extreme(op, a, b),
        Op::Udiv => arithmetic::udiv(a, b)?,
        Op::Urem => arithmetic::urem(a, b)?,
        Op::Sdiv if a.signed().0 >= 0 && b.signed().0 >= 0 => arithmetic::udiv(a, b)?,
        Op::Srem => arithmetic::srem(a, b)?,
        Op::And => bits::and(a, b),
        Op::Or => bits::or(a, b),
        Op::Xor => bits::xor(a, b),
        Op::Shl | Op::Lshr | Op::Ashr => bits::shifted(op, a, b),
        Op::Rotl | Op::Rotr => bits::permuted(op, a, Some(b.as_constant()?))?,
        Op::Expect => *a,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_numbers_of_which_one_may_be_any_lossy_ops_tell_nothing() {
        let any = Fact::any(8);
        let others = [Fact::constant(8, 0), Fact::constant(8, 4), Fact::with_bits(8, 1, 0), any];
        for op in Op::ALL.iter().copied().filter(|&op| is_lossy(op)) {
            for other in others {
                for (a, b) in [(any, other), (other, any)] {
                    let found = binary(op, &a, &b).unwrap_or(any);
                    assert!(found.is_any(), "{op:?} of {a:?} and {b:?} is {found:?}");
                }
            }
        }
    }
}
