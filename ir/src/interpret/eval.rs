//! What pure ops compute, as free functions: the interpreter's arithmetic,
//! and the one by which passes fold constants.

pub mod bits;
pub mod compare;
pub mod convert;
pub mod float;
pub mod int;
mod structure;

use smallvec::{SmallVec, smallvec};

use self::convert::Conversion;
use super::meaning::{Meaning, meaning_of};
use crate::datum::Datum;
use crate::instruction::Payload;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

pub(super) use structure::{
    bitcast, extract_lane, extract_value, first_operand, insert_lane, insert_value, make, select,
    shuffle, splat, vec_select,
};

/// Several values, mostly one.
pub type Datums = SmallVec<[Datum; 1]>;

/// An instruction without its operands' values.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// What it does.
    pub op: Op,
    /// The type that the op is instantiated at.
    pub ty: Type,
    /// The type of the first operand; [`Type::NONE`] if there is none.
    pub operand: Type,
    /// What else it holds.
    pub payload: &'a Payload,
    /// The indices or lanes that the payload names.
    pub immediates: &'a [u32],
}

impl Operation<'_> {
    fn lane(&self) -> Scalar {
        lane_or_address(self.ty)
    }

    fn conversion(&self) -> Conversion {
        Conversion { from: lane_or_address(self.operand), to: self.lane() }
    }
}

/// Function references and ops without suffix compute on 64-bit addresses.
fn lane_or_address(ty: Type) -> Scalar {
    ty.lane().unwrap_or(Scalar::Ptr)
}

/// How a pure op computes its results from its operands.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// On the bits of each lane.
    Unary(fn(u32, u128) -> u128),
    Binary(fn(u32, u128, u128) -> u128),
    Ternary(fn(u32, u128, u128, u128) -> u128),
    /// As `Binary`, or a trap.
    Trapping(fn(u32, u128, u128) -> Result<u128, TrapCode>),
    /// As `Binary`, and whether it overflowed.
    Reporting(fn(u32, u128, u128) -> (u128, bool)),
    /// On the float of each lane.
    FloatUnary(fn(Scalar, u128) -> u128),
    FloatBinary(fn(Scalar, u128, u128) -> u128),
    FloatTernary(fn(Scalar, u128, u128, u128) -> u128),
    /// From one scalar type to another.
    Convert(fn(Conversion, u128) -> u128),
    ConvertTrapping(fn(Conversion, u128) -> Result<u128, TrapCode>),
    /// By the condition of the payload.
    IntCompare,
    FloatCompare,
    /// The lanes of the last operand, and of the first if there are two, in order.
    Reduce(fn(u32, u128, u128) -> u128),
    FloatReduce(fn(Scalar, u128, u128) -> u128),
    /// Moves lanes and fields about.
    Structure(fn(&Operation<'_>, &[&Datum]) -> Result<Datum, TrapCode>),
}

/// The results of a pure op, or the trap that it runs into; nothing for an op
/// whose results depend on more than its operands.
///
/// ```
/// use brolga_ir::datum::Datum;
/// use brolga_ir::instruction::Payload;
/// use brolga_ir::interpret::eval::{Operation, fold};
/// use brolga_ir::op::Op;
/// use brolga_ir::trap::TrapCode;
/// use brolga_ir::types::Type;
///
/// let (ty, payload) = (Type::I8, &Payload::None);
/// let add = Operation { op: Op::Add, ty, operand: ty, payload, immediates: &[] };
/// let hundred = Datum::from(100i8);
/// let sum = fold(&add, &[&hundred, &hundred]).unwrap().unwrap();
/// assert_eq!(sum[0], Datum::from(-56i8));
///
/// let divide = Operation { op: Op::Sdiv, ..add };
/// let trap = fold(&divide, &[&hundred, &Datum::from(0i8)]).unwrap().unwrap_err();
/// assert_eq!(trap, TrapCode::DivisionByZero);
///
/// assert!(fold(&Operation { op: Op::Load, ..add }, &[&hundred]).is_none());
/// ```
pub fn fold(operation: &Operation<'_>, operands: &[&Datum]) -> Option<Result<Datums, TrapCode>> {
    match meaning_of(operation.op) {
        Meaning::Pure(rule) => Some(evaluate(rule, operation, operands)),
        Meaning::State(_) => None,
    }
}

static ZERO: Datum = Datum::Scalar(0);

/// The operand of that index; zero where a broken module has none.
fn operand<'a>(operands: &[&'a Datum], index: usize) -> &'a Datum {
    operands.get(index).copied().unwrap_or(&ZERO)
}

pub(super) fn evaluate(
    rule: Rule,
    operation: &Operation<'_>,
    operands: &[&Datum],
) -> Result<Datums, TrapCode> {
    let [a, b] = [operand(operands, 0), operand(operands, 1)];
    let lane = operation.lane();
    let bits = lane.bits();
    let result = match rule {
        Rule::Unary(op) => map1(a, |a| op(bits, a)),
        Rule::Binary(op) => map2(a, b, |a, b| op(bits, a, b)),
        Rule::Ternary(op) => map3(operands, |a, b, c| op(bits, a, b, c)),
        Rule::Trapping(op) => Datum::Scalar(op(bits, a.bits(), b.bits())?),
        Rule::Reporting(op) => {
            let (wrapped, overflow) = op(bits, a.bits(), b.bits());
            return Ok(smallvec![Datum::Scalar(wrapped), overflow.into()]);
        }
        Rule::FloatUnary(op) => map1(a, |a| op(lane, a)),
        Rule::FloatBinary(op) => map2(a, b, |a, b| op(lane, a, b)),
        Rule::FloatTernary(op) => map3(operands, |a, b, c| op(lane, a, b, c)),
        Rule::Convert(op) => map1(a, |a| op(operation.conversion(), a)),
        Rule::ConvertTrapping(op) => Datum::Scalar(op(operation.conversion(), a.bits())?),
        Rule::IntCompare => compare_ints(operation.payload, lane, a, b),
        Rule::FloatCompare => compare_floats(operation.payload, lane, a, b),
        Rule::Reduce(op) => reduce(operands, |a, b| op(bits, a, b)),
        Rule::FloatReduce(op) => reduce(operands, |a, b| op(lane, a, b)),
        Rule::Structure(op) => op(operation, operands)?,
    };
    Ok(smallvec![result])
}

fn compare_ints(payload: &Payload, lane: Scalar, a: &Datum, b: &Datum) -> Datum {
    let Payload::IntCond(cond) = *payload else { return ZERO.clone() };
    let cond = if lane.is_address() { cond.unsigned() } else { cond };
    map2(a, b, |a, b| compare::icmp(cond, lane.bits(), a, b).into())
}

fn compare_floats(payload: &Payload, lane: Scalar, a: &Datum, b: &Datum) -> Datum {
    let Payload::FloatCond(cond) = *payload else { return ZERO.clone() };
    map2(a, b, |a, b| compare::fcmp(cond, lane, a, b).into())
}

fn map1(a: &Datum, op: impl Fn(u128) -> u128) -> Datum {
    match a {
        Datum::Scalar(a) => Datum::Scalar(op(*a)),
        vector => Datum::Lanes(vector.lanes().iter().map(|&a| op(a)).collect()),
    }
}

fn map2(a: &Datum, b: &Datum, op: impl Fn(u128, u128) -> u128) -> Datum {
    match (a, b) {
        (Datum::Scalar(a), Datum::Scalar(b)) => Datum::Scalar(op(*a, *b)),
        (a, b) => {
            let pairs = a.lanes().iter().zip(b.lanes());
            Datum::Lanes(pairs.map(|(&a, &b)| op(a, b)).collect())
        }
    }
}

fn map3(operands: &[&Datum], op: impl Fn(u128, u128, u128) -> u128) -> Datum {
    let [a, b, c] = [0, 1, 2].map(|index| operand(operands, index));
    match (a, b, c) {
        (Datum::Scalar(a), Datum::Scalar(b), Datum::Scalar(c)) => Datum::Scalar(op(*a, *b, *c)),
        (a, b, c) => {
            let triples = a.lanes().iter().zip(b.lanes()).zip(c.lanes());
            Datum::Lanes(triples.map(|((&a, &b), &c)| op(a, b, c)).collect())
        }
    }
}

fn reduce(operands: &[&Datum], op: impl Fn(u128, u128) -> u128) -> Datum {
    let lanes = operands.iter().flat_map(|operand| operand.lanes()).copied();
    Datum::Scalar(lanes.reduce(op).unwrap_or(0))
}

#[cfg(test)]
mod tests;
