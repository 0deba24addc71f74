//! What instructions compute, without where: of two with equal expressions the
//! second gives what the first gave, if memory is as it was for those that read it.

use brolga_ir::attribute::{InstFlags, IntCond};
use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

/// An op with its operands and all that decides what it gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Expression {
    op: Op,
    ty: Type,
    /// The flags that are part of the meaning.
    permissions: InstFlags,
    /// What the payload says, in words.
    detail: SmallVec<[u32; 2]>,
    args: SmallVec<[Value; 3]>,
}

/// The flags that affect what an op gives; the others are hints.
const PERMISSIONS: InstFlags = InstFlags::CONTRACT.union(InstFlags::REASSOCIATE);

impl Expression {
    /// The expression of an op with those operands, in one order where the order
    /// does not matter; nothing for an op whose payload names more than a value
    /// can depend on, nor for the last exception: callees that touch no memory throw others.
    pub(crate) fn new(body: &Body, data: &InstData, args: &[Value]) -> Option<Expression> {
        if data.op == Op::CurrentException {
            return None;
        }
        let mut expression = Expression {
            op: data.op,
            ty: data.ty,
            permissions: data.flags & PERMISSIONS,
            detail: detail(body, &data.payload)?,
            args: SmallVec::from_slice(args),
        };
        if let (Payload::IntCond(condition), &[x, y]) = (data.payload, args) {
            return Some(Expression::compare(data.ty, condition, x, y));
        }
        if data.op.is_commutative() && args.len() >= 2 && args[0] > args[1] {
            expression.args.swap(0, 1);
        }
        Some(expression)
    }

    /// The expression of an instruction with its own operands.
    pub(crate) fn of(body: &Body, inst: Inst) -> Option<Expression> {
        Expression::new(body, body.inst(inst), body.args(inst))
    }

    /// The expression of a compare of integers or addresses.
    fn compare(ty: Type, condition: IntCond, x: Value, y: Value) -> Expression {
        let is_address = ty.lane().is_none_or(Scalar::is_address);
        let condition = if is_address { condition.unsigned() } else { condition };
        let (condition, args) = match x > y {
            true => (condition.swapped(), [y, x]),
            false => (condition, [x, y]),
        };
        Expression {
            op: Op::Icmp,
            ty,
            permissions: InstFlags::empty(),
            detail: SmallVec::from_slice(&[condition as u32]),
            args: SmallVec::from_slice(&args),
        }
    }

    /// The expression of a load that many bytes behind an address.
    pub(crate) fn load(ty: Type, base: Value, offset: i64) -> Expression {
        Expression {
            op: Op::Load,
            ty,
            permissions: InstFlags::empty(),
            detail: SmallVec::from_slice(&[offset as u32, (offset >> 32) as u32]),
            args: SmallVec::from_slice(&[base]),
        }
    }

    /// The same with another op.
    pub(crate) fn with_op(self, op: Op) -> Expression {
        Expression { op, ..self }
    }
}

fn detail(body: &Body, payload: &Payload) -> Option<SmallVec<[u32; 2]>> {
    let word = |word: u32| Some(SmallVec::from_slice(&[word]));
    match *payload {
        Payload::None => Some(SmallVec::new()),
        Payload::IntCond(condition) => word(condition as u32),
        Payload::FloatCond(condition) => word(condition as u32),
        Payload::Access(access) => word(access.offset as u32),
        Payload::Slot(slot) => word(slot.index() as u32),
        Payload::Data(data) => word(data.index() as u32),
        Payload::Function(function) => word(function.index() as u32),
        Payload::ForeignCall { function, roots: 0 } => word(function.index() as u32),
        Payload::Feature(feature) => word(feature),
        Payload::Immediates(list) => Some(SmallVec::from_slice(body.immediates(list))),
        _ => None,
    }
}

/// The op that wraps where this one traps or says that it does not fit.
pub(crate) fn wrapped(op: Op) -> Option<Op> {
    match op {
        Op::SaddTrap | Op::UaddTrap | Op::SaddOverflow | Op::UaddOverflow => Some(Op::Add),
        Op::SsubTrap | Op::UsubTrap | Op::SsubOverflow | Op::UsubOverflow => Some(Op::Sub),
        Op::SmulTrap | Op::UmulTrap | Op::SmulOverflow | Op::UmulOverflow => Some(Op::Mul),
        _ => None,
    }
}
