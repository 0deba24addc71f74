//! What ops cost: the measure that rules lower. A quarter of the latency of an `add`
//! is one; what matters is the order, not the machine.

use brolga_ir::op::Op;

use super::rule::{Node, OpNode};

/// The cost of an op on a value of a register.
pub(super) fn cost_of(op: Op) -> u32 {
    match op {
        Op::Trunc | Op::Bitcast | Op::PtrToInt | Op::IntToPtr => 1,
        Op::Neg | Op::Not | Op::Zext => 3,
        Op::Sext => 4,
        Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Lshr | Op::Ashr => 4,
        Op::Rotl | Op::Rotr | Op::Icmp | Op::PtrAdd | Op::DerivedAdd | Op::Bswap => 4,
        Op::Fneg | Op::Fabs | Op::Splat | Op::ExtractLane | Op::InsertLane | Op::Shuffle => 4,
        Op::Select | Op::VecSelect | Op::Fcmp => 5,
        Op::Smin | Op::Smax | Op::Umin | Op::Umax | Op::Abs | Op::Fcopysign => 6,
        Op::Popcount | Op::Clz | Op::Ctz | Op::Fshl | Op::Fshr => 6,
        Op::SaddOverflow | Op::SsubOverflow | Op::UaddOverflow | Op::UsubOverflow => 6,
        Op::SaddTrap | Op::SsubTrap | Op::UaddTrap | Op::UsubTrap => 6,
        Op::StruncTrap | Op::UtruncTrap => 6,
        Op::Mul => 10,
        Op::Fadd | Op::Fsub | Op::Fmul | Op::Smulhi | Op::Umulhi => 12,
        Op::Fdiv => 40,
        Op::Fsqrt | Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem => 60,
        Op::Frem => 200,
        _ => 14,
    }
}

/// What a tree costs: what has only constants as operands is computed before.
pub(super) fn cost_of_tree(node: &Node) -> u32 {
    match node {
        Node::Op(op) if !is_constant(node) => {
            cost_of(op.op) + op.args.iter().map(cost_of_tree).sum::<u32>()
        }
        _ => 0,
    }
}

/// Whether a tree has no values in it.
pub(super) fn is_constant(node: &Node) -> bool {
    match node {
        Node::Value(_) => false,
        Node::Constant(_) | Node::Literal(_) | Node::Typed(..) => true,
        Node::Op(op) => op.args.iter().all(is_constant),
    }
}

/// Whether a pattern is to be tried with the operands of `node` in both orders.
/// Constants stand behind other operands already.
pub(super) fn has_two_orders(node: &OpNode) -> bool {
    use super::rule::Condition;
    use brolga_ir::attribute::IntCond;
    let is_symmetric = matches!(node.condition, Condition::Int(IntCond::Eq | IntCond::Ne));
    let [_, second] = node.args else { return false };
    (node.op.is_commutative() || is_symmetric) && !is_constant(second)
}
