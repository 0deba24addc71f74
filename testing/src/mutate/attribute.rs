//! Instructions with other flags, orders, accesses, weights and ranges.

use brolga_ir::attribute::{AccessFlags, InstFlags, LoopFlags, Order, RmwOp};
use brolga_ir::body::ValueRange;
use brolga_ir::entity::{AliasClass, EntityRef, ScopeSet};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::{Form, Op};
use brolga_ir::types::Type;

use super::{Mutation, at_inst, in_body, some_inst};
use crate::random::Random;

pub(super) const MUTATIONS: &[Mutation] = &[
    other_flags,
    other_access,
    dangling_access,
    other_order,
    other_order,
    other_rmw,
    other_weights,
    other_range,
    other_loop_mark,
    empty_feature,
    other_count,
    managed_access,
];

fn other_flags(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        body.inst_mut(inst).flags = InstFlags::from_bits_retain(random.bits() as u16);
    });
}

fn other_access(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        if let Some(access) = body.inst_mut(inst).access_mut() {
            match random.below(3) {
                0 => access.offset = random.bits() as i32,
                1 => access.align_log2 = random.bits() as u8,
                _ => access.flags = AccessFlags::from_bits_retain(random.bits() as u8),
            }
        }
    });
}

fn dangling_access(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let is_access = |op: Op| matches!(op.info().form, Form::Load | Form::Store);
        if let Some(inst) = some_inst(random, body, is_access)
            && let Some(access) = body.inst_mut(inst).access_mut()
        {
            let number = random.below(1 << 10);
            match random.below(3) {
                0 => access.class = AliasClass::new(number).into(),
                1 => access.scopes = ScopeSet::new(number).into(),
                _ => access.no_alias = ScopeSet::new(number).into(),
            }
        }
    });
}

fn other_order(random: &mut Random, module: &mut Module) {
    let wanted = |op: Op| {
        matches!(
            op,
            Op::AtomicLoad
                | Op::AtomicStore
                | Op::AtomicRmw
                | Op::AtomicCas
                | Op::AtomicModify
                | Op::Fence
        )
    };
    in_body(random, module, |random, body| {
        let Some(inst) = some_inst(random, body, wanted) else { return };
        let chosen = random.pick(Order::ALL);
        match &mut body.inst_mut(inst).payload {
            Payload::AtomicCas { failure, .. } if random.percent(50) => *failure = chosen,
            Payload::Atomic { order, .. }
            | Payload::AtomicRmw { order, .. }
            | Payload::AtomicCas { order, .. }
            | Payload::AtomicModify { order, .. }
            | Payload::Order(order) => *order = chosen,
            _ => {}
        }
    });
}

fn other_rmw(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let chosen = random.pick(RmwOp::ALL);
        if let Some(inst) = some_inst(random, body, |op| op == Op::AtomicRmw)
            && let Payload::AtomicRmw { op, .. } = &mut body.inst_mut(inst).payload
        {
            *op = chosen;
        }
    });
}

fn other_weights(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let weights: Vec<u32> = (0..random.below(4)).map(|_| random.below(3) as u32).collect();
        body.set_weights(inst, &weights);
    });
}

fn other_range(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let low = if random.percent(50) { 3 } else { random.wide_bits() };
        let high = if random.percent(50) { 9 } else { random.wide_bits() };
        body.set_range(inst, ValueRange { low, high });
    });
}

fn other_loop_mark(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let unroll = random.below(1 << 11) as u32;
        let flags = LoopFlags::from_bits_retain(random.below(8) as u8);
        let data = InstData::new(
            Op::LoopMark,
            Type::NONE,
            Default::default(),
            Payload::LoopMark { flags, unroll },
        );
        body.insert_inst(inst, data, &[]);
    });
}

fn empty_feature(random: &mut Random, module: &mut Module) {
    let empty = module.intern("");
    at_inst(random, module, |_, body, inst| {
        let data =
            InstData::new(Op::CpuHas, Type::NONE, Default::default(), Payload::Feature(empty));
        body.insert_inst(inst, data, &[Type::I1]);
    });
}

fn other_count(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        if let Some(inst) = some_inst(random, body, |op| op == Op::Leave) {
            body.inst_mut(inst).payload = Payload::Count(random.below(4) as u32);
        }
    });
}

/// A kind of address that may not stand in memory.
fn managed_access(random: &mut Random, module: &mut Module) {
    let ty = random.pick(&[Type::DERIVED, Type::CALLEE, Type::LOADED, Type::REF]);
    let is_access = |op: Op| matches!(op.info().form, Form::Load | Form::Store);
    in_body(random, module, |random, body| {
        let Some(inst) = some_inst(random, body, is_access) else { return };
        body.inst_mut(inst).ty = ty;
        let value = match body.inst(inst).op {
            Op::Load => body.result(inst),
            _ => body.args(inst).first().copied(),
        };
        if let Some(value) = value {
            body.set_value_type(value, ty);
        }
    });
}
