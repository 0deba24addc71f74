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
use crate::attribute::{FloatCond, IntCond};
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
    pub(super) fn shape(&self) -> Shape {
        // Function references and ops without suffix compute on addresses.
        let lane_of = |ty: Type| ty.lane().unwrap_or(Scalar::Ptr);
        let lane = lane_of(self.ty);
        let condition = match *self.payload {
            Payload::IntCond(cond) if lane.is_address() => Condition::Int(cond.unsigned()),
            Payload::IntCond(cond) => Condition::Int(cond),
            Payload::FloatCond(cond) => Condition::Float(cond),
            _ => Condition::None,
        };
        Shape { types: Conversion { from: lane_of(self.operand), to: lane }, condition }
    }
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    None,
    Int(IntCond),
    Float(FloatCond),
}

/// What an instruction says of each lane that it computes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    types: Conversion,
    condition: Condition,
}

/// How an op computes a lane of its result from a lane of each operand.
#[derive(Clone, Copy)]
pub(super) enum LaneRule {
    /// On its bits.
    Unary(fn(u32, u128) -> u128),
    Binary(fn(u32, u128, u128) -> u128),
    Ternary(fn(u32, u128, u128, u128) -> u128),
    /// As `Binary`, or a trap.
    Trapping(fn(u32, u128, u128) -> Result<u128, TrapCode>),
    /// On its float.
    FloatUnary(fn(Scalar, u128) -> u128),
    FloatBinary(fn(Scalar, u128, u128) -> u128),
    FloatTernary(fn(Scalar, u128, u128, u128) -> u128),
    /// From one scalar type to another.
    Convert(fn(Conversion, u128) -> u128),
    ConvertTrapping(fn(Conversion, u128) -> Result<u128, TrapCode>),
    /// By the condition of the payload.
    Compare,
}

impl LaneRule {
    /// How many operands the rule reads.
    fn arity(self) -> usize {
        match self {
            LaneRule::Unary(_) | LaneRule::FloatUnary(_) => 1,
            LaneRule::Convert(_) | LaneRule::ConvertTrapping(_) => 1,
            LaneRule::Binary(_) | LaneRule::Trapping(_) | LaneRule::FloatBinary(_) => 2,
            LaneRule::Compare => 2,
            LaneRule::Ternary(_) | LaneRule::FloatTernary(_) => 3,
        }
    }

    pub(super) fn apply(self, shape: &Shape, [a, b, c]: [u128; 3]) -> Result<u128, TrapCode> {
        let lane = shape.types.to;
        Ok(match self {
            LaneRule::Unary(op) => op(lane.bits(), a),
            LaneRule::Binary(op) => op(lane.bits(), a, b),
            LaneRule::Ternary(op) => op(lane.bits(), a, b, c),
            LaneRule::Trapping(op) => return op(lane.bits(), a, b),
            LaneRule::FloatUnary(op) => op(lane, a),
            LaneRule::FloatBinary(op) => op(lane, a, b),
            LaneRule::FloatTernary(op) => op(lane, a, b, c),
            LaneRule::Convert(op) => op(shape.types, a),
            LaneRule::ConvertTrapping(op) => return op(shape.types, a),
            LaneRule::Compare => match shape.condition {
                Condition::Int(cond) => compare::icmp(cond, lane.bits(), a, b).into(),
                Condition::Float(cond) => compare::fcmp(cond, lane, a, b).into(),
                Condition::None => 0,
            },
        })
    }
}

/// How a pure op computes its results from its operands.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Each lane by itself.
    Lanes(LaneRule),
    /// A number, and whether it overflowed.
    Reporting(fn(u32, u128, u128) -> (u128, bool)),
    /// All lanes of all operands, from the first on, by a rule for two.
    Reduce(LaneRule),
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
        Meaning::Pure(rule) => Some(evaluate(rule, operation, &operation.shape(), operands)),
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
    shape: &Shape,
    operands: &[&Datum],
) -> Result<Datums, TrapCode> {
    let result = match rule {
        Rule::Lanes(rule) => each_lane(rule, shape, operands)?,
        Rule::Reporting(op) => {
            let [a, b] = [operand(operands, 0), operand(operands, 1)];
            let (wrapped, overflow) = op(shape.types.to.bits(), a.bits(), b.bits());
            return Ok(smallvec![Datum::Scalar(wrapped), overflow.into()]);
        }
        Rule::Reduce(rule) => {
            let mut lanes = operands.iter().flat_map(|operand| operand.lanes()).copied();
            let first = lanes.next().unwrap_or(0);
            Datum::Scalar(lanes.try_fold(first, |a, b| rule.apply(shape, [a, b, 0]))?)
        }
        Rule::Structure(op) => op(operation, operands)?,
    };
    Ok(smallvec![result])
}

fn each_lane(rule: LaneRule, shape: &Shape, operands: &[&Datum]) -> Result<Datum, TrapCode> {
    let all = [0, 1, 2].map(|index| operand(operands, index));
    let read = &all[..rule.arity()];
    if read.iter().all(|operand| matches!(operand, Datum::Scalar(_))) {
        return Ok(Datum::Scalar(rule.apply(shape, all.map(Datum::bits))?));
    }
    let count = read.iter().map(|operand| operand.lanes().len()).min().unwrap_or(0);
    let mut lanes = vec![0; count].into_boxed_slice();
    for (index, lane) in lanes.iter_mut().enumerate() {
        let at = |operand: &Datum| operand.lanes().get(index).copied().unwrap_or(0);
        *lane = rule.apply(shape, all.map(at))?;
    }
    Ok(Datum::Lanes(lanes))
}

#[cfg(test)]
mod tests;
