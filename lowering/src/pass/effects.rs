//! What an instruction may do, less what its operands and its callee rule out.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Function, MemoryEffects, Module, Returns};
use brolga_ir::op::{Effects, Op};

/// What executing `inst` may do: what the row of its op says, without traps that
/// its constant operands exclude and what its callee promises not to do. A
/// volatile access stays where it is, as a mark does.
pub(crate) fn effects_of(module: &Module, body: &Body, inst: Inst) -> Effects {
    let data = body.inst(inst);
    let mut effects = data.op.info().effects;
    if data.access().is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE)) {
        effects |= Effects::MARK;
    }
    if effects.contains(Effects::TRAP) && never_traps(module, body, inst) {
        effects -= Effects::TRAP;
    }
    let callee = data.function().filter(|_| data.op.is_call());
    match callee.and_then(|callee| module.function(callee)) {
        Some(callee) => effects - excluded(module, callee),
        None => effects,
    }
}

/// What a callee promises not to do.
fn excluded(module: &Module, callee: &Function) -> Effects {
    let memory = match module.memory_of_call(callee) {
        MemoryEffects::Any => Effects::empty(),
        MemoryEffects::ReadOnly => Effects::WRITE | Effects::SYNCHRONISE,
        MemoryEffects::None => Effects::READ | Effects::WRITE | Effects::SYNCHRONISE,
    };
    match callee.attributes.returns {
        Returns::Always => memory | Effects::TRAP | Effects::THROW,
        _ => memory,
    }
}

/// Whether `inst` may go when its results are unused. That the collector would
/// have run there is nothing that code can see.
pub(crate) fn is_removable(module: &Module, body: &Body, inst: Inst) -> bool {
    (effects_of(module, body, inst) - Effects::SAFEPOINT).is_removable()
}

/// Whether the constant operands of `inst`, of an op that may trap, exclude that.
fn never_traps(module: &Module, body: &Body, inst: Inst) -> bool {
    let (data, args) = (body.inst(inst), body.args(inst));
    let constant = |index: usize| body.as_scalar_constant(*args.get(index)?);
    let is_inside = |(offset, last): (Value, u64)| {
        body.as_scalar_constant(offset).is_some_and(|at| at <= last.into())
    };
    let is_lane = |index: usize| constant(index).is_some_and(|at| at < data.ty.lanes().into());
    match data.op {
        Op::Udiv | Op::Urem | Op::Srem => constant(1).is_some_and(|divisor| divisor != 0),
        Op::Sdiv => args.get(1).is_some_and(|&divisor| is_plain_divisor(body, divisor)),
        Op::SlotLoad | Op::DataLoad | Op::SlotStore | Op::DataStore => {
            checked_place(module, body, inst).is_some_and(is_inside)
        }
        Op::ExtractLane => is_lane(1),
        Op::InsertLane => is_lane(2),
        Op::Check => constant(0) == Some(1),
        _ => false,
    }
}

/// Where an access of a slot or a data object checks that it lies inside: its offset, and the
/// last at which it does, if there is any.
pub(crate) fn checked_place(module: &Module, body: &Body, inst: Inst) -> Option<(Value, u64)> {
    let data = body.inst(inst);
    let index = match data.op {
        Op::SlotLoad | Op::DataLoad => 0,
        Op::SlotStore | Op::DataStore => 1,
        _ => return None,
    };
    let size = match data.payload {
        Payload::Slot(slot) => u64::from(body.slot(slot)?.size),
        Payload::Data(object) => module.data(object)?.size,
        _ => return None,
    };
    let last = size.checked_sub(module.types.layout(data.ty).size)?;
    Some((*body.args(inst).get(index)?, last))
}

/// Whether a signed division by `divisor` never traps: it is neither 0 nor -1.
fn is_plain_divisor(body: &Body, divisor: Value) -> bool {
    let bits = body.value_type(divisor).lane().map_or(0, |lane| lane.bits());
    let minus_one = u128::MAX >> (128 - bits.clamp(1, 128));
    body.as_scalar_constant(divisor).is_some_and(|divisor| divisor != 0 && divisor != minus_one)
}
