//! Blocks, edges and their arguments.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, Inst};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::instruction::{some_type, some_value};
use super::{Mutation, at_inst, in_body, some_inst};
use crate::random::Random;

pub(super) const MUTATIONS: &[Mutation] = &[
    retarget,
    retarget,
    swap_targets,
    drop_argument,
    exchange_argument,
    exchange_argument,
    share_arguments,
    add_param,
    drop_param,
    add_token_param,
    remove_block,
    move_block,
    empty_block,
    cut_terminator,
    early_terminator,
    switch_cases,
    share_switch,
    return_inside,
    use_try_result,
];

/// A block: one of the body's, or none.
fn some_block(random: &mut Random, body: &Body) -> Block {
    match random.percent(85) {
        true => Block::new(random.below(body.block_count())),
        false => Block::new(body.block_count() + random.below(100)),
    }
}

fn branching(random: &mut Random, body: &Body) -> Option<Inst> {
    let has_targets =
        |op: Op| op.is_try_call() || matches!(op, Op::Jump | Op::Branch | Op::Switch | Op::Enter);
    some_inst(random, body, has_targets)
}

fn retarget(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let Some(inst) = branching(random, body) else { return };
        let block = some_block(random, body);
        let index = random.below(body.targets(inst).len());
        if let Some(target) = body.targets_mut(inst).get_mut(index) {
            target.block = block;
        }
    });
}

fn swap_targets(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let Some(inst) = branching(random, body) else { return };
        body.targets_mut(inst).reverse();
    });
}

fn change_arguments(
    random: &mut Random,
    body: &mut Body,
    change: impl FnOnce(&mut Random, &mut Body, &mut Vec<brolga_ir::entity::Value>),
) {
    let Some(inst) = branching(random, body) else { return };
    let index = random.below(body.targets(inst).len());
    let Some(target) = body.targets(inst).get(index).copied() else { return };
    let mut args = body.target_args(&target).to_vec();
    change(random, body, &mut args);
    let list = body.list(&args);
    if let Some(target) = body.targets_mut(inst).get_mut(index) {
        target.args = list;
    }
}

fn drop_argument(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        change_arguments(random, body, |random, _, args| {
            if !args.is_empty() {
                args.remove(random.below(args.len()));
            }
        });
    });
}

fn exchange_argument(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        change_arguments(random, body, |random, body, args| {
            if !args.is_empty() {
                let index = random.below(args.len());
                args[index] = some_value(random, body);
            }
        });
    });
}

fn share_arguments(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let (Some(first), Some(second)) = (branching(random, body), branching(random, body)) else {
            return;
        };
        let Some(args) = body.targets(first).first().map(|target| target.args) else { return };
        if let Some(target) = body.targets_mut(second).last_mut() {
            target.args = args;
        }
    });
}

fn add_param(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    in_body(random, module, |random, body| {
        let block = some_block(random, body);
        if block.index() < body.block_count() {
            body.append_param(block, ty);
        }
    });
}

fn add_token_param(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let block = Block::new(random.below(body.block_count()));
        let ty = random.pick(&[Type::TOKEN, Type::NONE]);
        body.append_param(block, ty);
    });
}

fn drop_param(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let block = Block::new(random.below(body.block_count()));
        let mut kept = random.below(3);
        body.retain_params(block, |_| {
            kept = kept.wrapping_sub(1);
            kept != usize::MAX
        });
    });
}

fn remove_block(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let block = Block::new(random.below(body.block_count()));
        body.layout.remove_block(block);
    });
}

fn move_block(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let block = Block::new(random.below(body.block_count()));
        body.layout.remove_block(block);
        body.layout.append_block(block);
    });
}

fn empty_block(random: &mut Random, module: &mut Module) {
    in_body(random, module, |_, body| {
        let block = body.make_block();
        body.layout.append_block(block);
    });
}

fn cut_terminator(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        if let Some(inst) = some_inst(random, body, Op::is_terminator) {
            body.layout.remove_inst(inst);
        }
    });
}

fn early_terminator(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |_, body, inst| {
        let data = InstData::new(Op::Unreachable, Type::NONE, Default::default(), Payload::None);
        body.insert_inst(inst, data, &[]);
    });
}

fn switch_cases(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let Some(inst) = some_inst(random, body, |op| op == Op::Switch) else { return };
        let Payload::Switch(table) = body.inst(inst).payload else { return };
        if let Some(switch) = body.switch_mut(table) {
            match random.below(4) {
                0 => switch.cases.push(random.wide_bits()),
                1 => switch.cases.extend(switch.cases.first().copied()),
                2 => switch.targets.truncate(random.below(3)),
                _ => switch.cases.truncate(1),
            }
        }
    });
}

fn share_switch(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let (Some(first), Some(second)) = (
            some_inst(random, body, |op| op == Op::Switch),
            some_inst(random, body, |op| matches!(op, Op::Switch | Op::Jump)),
        ) else {
            return;
        };
        let data = *body.inst(first);
        *body.inst_mut(second) = data;
    });
}

/// A return where a region may be open.
fn return_inside(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let returns = some_inst(random, body, |op| op == Op::Return);
        let (Some(from), Some(to)) = (returns, some_inst(random, body, Op::is_terminator)) else {
            return;
        };
        let args = body.args(from).to_vec();
        let mut data = *body.inst(from);
        data.args = body.list(&args);
        *body.inst_mut(to) = data;
    });
}

/// The result of a call with an unwind edge, where only its normal edge may have it.
fn use_try_result(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let Some(call) = some_inst(random, body, |op| op == Op::TryCall) else { return };
        let Some(&result) = body.results(call).first() else { return };
        let Some(user) = some_inst(random, body, |_| true) else { return };
        let ty = body.value_type(result);
        let mut args = body.args(user).to_vec();
        if let Some(arg) = args.iter_mut().find(|arg| body.value_type(**arg) == ty) {
            *arg = result;
        }
        let list = body.list(&args);
        body.inst_mut(user).args = list;
    });
}
