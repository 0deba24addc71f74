//! Loops of compare-exchanges that one operation does.

use brolga_ir::attribute::{AccessFlags, Order, RmwOp};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{
    Change, Edge, IncomingEdges, PassContext, Renames, count_uses, effects_of, retain_params,
};

/// What each op is as an operation on memory, and whether its operands may be swapped.
const OPERATIONS: &[(Op, RmwOp, Swap)] = &[
    (Op::Add, RmwOp::Add, Swap::May),
    (Op::Sub, RmwOp::Sub, Swap::MayNot),
    (Op::And, RmwOp::And, Swap::May),
    (Op::Or, RmwOp::Or, Swap::May),
    (Op::Xor, RmwOp::Xor, Swap::May),
    (Op::Smin, RmwOp::Smin, Swap::May),
    (Op::Smax, RmwOp::Smax, Swap::May),
    (Op::Umin, RmwOp::Umin, Swap::May),
    (Op::Umax, RmwOp::Umax, Swap::May),
    (Op::Fadd, RmwOp::Fadd, Swap::May),
    (Op::Fsub, RmwOp::Fsub, Swap::MayNot),
    (Op::Fmin, RmwOp::Fmin, Swap::May),
    (Op::Fmax, RmwOp::Fmax, Swap::May),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Swap {
    May,
    MayNot,
}

/// A loop that one operation does.
#[derive(Clone, Copy, Debug)]
struct Found {
    block: Block,
    address: Value,
    old: Value,
    exchange: Inst,
    branch: Inst,
    operation: RmwOp,
    operand: Value,
    order: Order,
    access: Access,
}

/// Puts operations in the place of loops.
pub(super) fn recognise(body: &mut Body, context: &mut PassContext<'_>) -> Change {
    if !context.analyses.ops(body).has_any(&[Op::AtomicCas]) {
        return Change::Nothing;
    }
    let blocks = body.layout.blocks();
    let found: Vec<Found> = blocks.filter_map(|block| find(body, context, block)).collect();
    if found.is_empty() {
        return Change::Nothing;
    }
    let (uses, edges) = (count_uses(body), IncomingEdges::new(body));
    let mut renames = Renames::default();
    for it in &found {
        rewrite(body, context, &mut renames, it);
        drop_first_guess(body, &uses, edges.of(it.block), it);
    }
    renames.apply(body);
    let count = found.len() as u64;
    context.statistics.add("expand_atomic_modify", "operations recognised", count);
    Change::Something
}

fn find(body: &Body, context: &PassContext<'_>, block: Block) -> Option<Found> {
    let branch = body.layout.last_inst(block)?;
    let &[condition] = body.args(branch) else { return None };
    let ValueDef::Result(exchange, 1) = body.value_def(condition) else { return None };
    let Payload::Branch([done, again]) = body.inst(branch).payload else { return None };
    let data = body.inst(exchange);
    let Payload::AtomicCas { order, failure, access } = data.payload else { return None };
    let order = with_failure(order, failure);
    let (&[old], &[address, expected, new]) = (body.params(block), body.args(exchange)) else {
        return None;
    };
    let seen = body.results(exchange).first()?;
    let is_loop = body.inst(branch).op == Op::Branch
        && body.layout.block_of(exchange) == Some(block)
        && again.block == block
        && done.block != block
        && body.target_args(&again) == [*seen]
        && expected == old;
    let is_outside = |value: Value| body.defining_block(value) != Some(block);
    let is_pure = |inst: Inst| {
        inst == exchange || inst == branch || effects_of(context.module, body, inst).is_empty()
    };
    let is_plain = !access.flags.contains(AccessFlags::VOLATILE);
    if !is_loop || !is_outside(address) || !is_plain || !body.layout.insts(block).all(is_pure) {
        return None;
    }
    let (operation, operand) = operation_of(body, old, new, &is_outside)?;
    let is_defined = data.ty.as_scalar().is_some_and(|scalar| operation.computes_on(scalar));
    let found = Found { block, address, old, exchange, branch, operation, operand, order, access };
    is_defined.then_some(found)
}

/// The order of one exchange that stands for a success and the failures before it: it has come
/// behind what any of these saw.
fn with_failure(order: Order, failure: Order) -> Order {
    match (order, failure) {
        (Order::SequentiallyConsistent, _) | (_, Order::SequentiallyConsistent) => {
            Order::SequentiallyConsistent
        }
        (Order::Release, Order::Acquire) => Order::AcquireRelease,
        (Order::Unordered | Order::Relaxed, Order::Acquire) => Order::Acquire,
        _ => order,
    }
}

/// The operation that makes `new` of `old`, with what.
fn operation_of(
    body: &Body,
    old: Value,
    new: Value,
    is_outside: &dyn Fn(Value) -> bool,
) -> Option<(RmwOp, Value)> {
    if is_outside(new) {
        return Some((RmwOp::Exchange, new));
    }
    let ValueDef::Result(inst, _) = body.value_def(new) else { return None };
    let inner = inverted(body, inst).map(|value| body.value_def(value));
    if let Some(ValueDef::Result(inner, _)) = inner
        && body.inst(inner).op == Op::And
    {
        return Some((RmwOp::Nand, beside(body, inner, old, Swap::May, is_outside)?));
    }
    let &(_, operation, swap) = OPERATIONS.iter().find(|row| row.0 == body.inst(inst).op)?;
    Some((operation, beside(body, inst, old, swap, is_outside)?))
}

/// The other operand of an instruction that computes on `old`.
fn beside(
    body: &Body,
    inst: Inst,
    old: Value,
    swap: Swap,
    is_outside: &dyn Fn(Value) -> bool,
) -> Option<Value> {
    match *body.args(inst) {
        [a, b] if a == old && is_outside(b) => Some(b),
        [a, b] if b == old && is_outside(a) && swap == Swap::May => Some(a),
        _ => None,
    }
}

/// Of what an instruction gives the other bits, if it does.
fn inverted(body: &Body, inst: Inst) -> Option<Value> {
    let bits = body.inst(inst).ty.as_scalar()?.bits();
    let is_ones = |value: Value| {
        body.as_scalar_constant(value) == Some(u128::MAX >> (128 - bits.clamp(1, 128)))
    };
    match (body.inst(inst).op, body.args(inst)) {
        (Op::Not, &[a]) => Some(a),
        (Op::Xor, &[a, b]) if is_ones(b) => Some(a),
        (Op::Xor, &[a, b]) if is_ones(a) => Some(b),
        _ => None,
    }
}

/// Puts the operation at the begin of the block, which goes round no more.
fn rewrite(body: &mut Body, context: &mut PassContext<'_>, renames: &mut Renames, found: &Found) {
    let &Found { block, old, exchange, branch, operation: op, order, access, .. } = found;
    let data = *body.inst(exchange);
    let Some(start) = body.layout.first_inst(block) else { return };
    let args = body.list(&[found.address, found.operand]);
    let payload = Payload::AtomicRmw { op, order, access };
    let made = InstData { loc: data.loc, ..InstData::new(Op::AtomicRmw, data.ty, args, payload) };
    let made = body.insert_inst(start, made, &[data.ty]);
    let (Some(was), &[seen, is_done]) = (body.result(made), body.results(exchange)) else { return };
    renames.rename(old, was);
    renames.rename(seen, was);
    if let Some(name) = body.value_name(old).map(str::to_owned) {
        body.set_value_name(was, &name);
    }
    if let Some(yes) = Constant::scalar(Type::I1, 1) {
        let yes = body.constant(yes);
        renames.rename(is_done, yes);
    }
    context.remark(exchange, RemarkKind::Applied, "one operation does what the loop did");
    if let Payload::Branch([done, _]) = body.inst(branch).payload {
        body.set_weights(branch, &[]);
        let args = body.list(&[]);
        let loc = body.loc(branch);
        let jump = InstData::new(Op::Jump, Type::NONE, args, Payload::Jump(done));
        *body.inst_mut(branch) = InstData { loc, ..jump };
    }
    body.remove_inst(exchange);
}

/// Takes out the parameter for what was seen, and the loads that began with it.
fn drop_first_guess(
    body: &mut Body,
    uses: &SecondaryMap<Value, u32>,
    edges: &[Edge],
    found: &Found,
) {
    let Some(operation) = body.layout.first_inst(found.block) else { return };
    let is_sole = edges.iter().filter(|edge| edge.inst != found.branch).count() == 1;
    for edge in edges {
        let target = body.targets(edge.inst).get(edge.index as usize);
        let Some(&[guess]) = target.map(|target| body.target_args(target)) else { continue };
        let ValueDef::Result(load, _) = body.value_def(guess) else { continue };
        let data = body.inst(load);
        let Payload::Atomic { order: Order::Unordered | Order::Relaxed, access: own } =
            data.payload
        else {
            continue;
        };
        // It traps as the operation does, if nothing that can be seen stands between; where, is
        // told of the operation from now on.
        let is_told = is_sole || body.loc(load) == body.loc(operation);
        let is_same = own.offset == found.access.offset && own.flags.is_empty();
        let is_last = body.layout.prev_inst(edge.inst) == Some(load);
        let is_alone = body.inst(edge.inst).op == Op::Jump && uses[guess] == 1;
        if is_told && is_same && is_last && is_alone && body.args(load) == [found.address] {
            body.inst_mut(operation).loc = body.loc(load);
            body.layout.remove_inst(load);
        }
    }
    retain_params(body, found.block, edges, |_| false);
}
