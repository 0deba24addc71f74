//! Instructions with another op, type, operand, result or payload.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, DataId, EntityRef, Exit, FuncId, Inst, Slot, SwitchTable, Value};
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::{Mutation, at_inst, in_body, some_inst};
use crate::random::Random;

pub(super) const MUTATIONS: &[Mutation] = &[
    exchange_op,
    exchange_suffix,
    exchange_operand,
    exchange_operand,
    drop_operand,
    add_operand,
    swap_operands,
    remove_instruction,
    remove_with_results,
    double_instruction,
    move_instruction,
    exchange_payload,
    exchange_payload,
    dangling_payload,
    exchange_result_type,
    add_result,
    share_operands,
    another_path,
    another_roots,
    operand_of_other_function,
];

/// Any type, mostly of numbers.
pub(super) fn some_type(random: &mut Random, module: &mut Module) -> Type {
    let scalar = Type::scalar(random.pick(Scalar::ALL));
    match random.below(12) {
        0 => Type::NONE,
        1 | 2 => {
            let lanes = random.between(1, 64) as u32;
            Type::vector(random.pick(Scalar::ALL), lanes).unwrap_or(scalar)
        }
        3 => module.types.array(scalar, random.below(5) as u64).unwrap_or(scalar),
        4 => module.types.array(Type::I8, 1 << random.below(20)).unwrap_or(scalar),
        5 => {
            let signatures = module.types.signatures().map(|(id, _)| id).collect::<Vec<_>>();
            Type::function(random.pick(&signatures))
        }
        6 => Type::function(brolga_ir::entity::SigId::from_u32(random.below(1 << 20) as u32)),
        _ => scalar,
    }
}

pub(super) fn some_value(random: &mut Random, body: &mut Body) -> Value {
    match random.below(12) {
        0 => Value::new(body.value_count() + random.below(1 << 20)),
        1 => {
            let ty = Type::scalar(random.pick(Scalar::ALL));
            let constant = Constant::scalar(ty, random.wide_bits()).or(Constant::zero(ty));
            match constant {
                Some(constant) => body.constant(constant),
                None => Value::new(0),
            }
        }
        _ => Value::new(random.below(body.value_count())),
    }
}

fn set_args(body: &mut Body, inst: Inst, args: &[Value]) {
    let list = body.list(args);
    body.inst_mut(inst).args = list;
}

fn exchange_op(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| body.inst_mut(inst).op = random.pick(Op::ALL));
}

fn exchange_suffix(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    at_inst(random, module, |_, body, inst| body.inst_mut(inst).ty = ty);
}

fn exchange_operand(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let mut args = body.args(inst).to_vec();
        if !args.is_empty() {
            let index = random.below(args.len());
            args[index] = some_value(random, body);
            set_args(body, inst, &args);
        }
    });
}

fn drop_operand(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let mut args = body.args(inst).to_vec();
        if !args.is_empty() {
            args.remove(random.below(args.len()));
            set_args(body, inst, &args);
        }
    });
}

fn add_operand(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let mut args = body.args(inst).to_vec();
        args.insert(random.below(args.len() + 1), some_value(random, body));
        set_args(body, inst, &args);
    });
}

fn swap_operands(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let mut args = body.args(inst).to_vec();
        if args.len() > 1 {
            let (a, b) = (random.below(args.len()), random.below(args.len()));
            args.swap(a, b);
            set_args(body, inst, &args);
        }
    });
}

/// Its results stay in use, and are defined by what stands nowhere.
fn remove_instruction(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |_, body, inst| body.layout.remove_inst(inst));
}

/// Its results stay in use, and are defined by nothing.
fn remove_with_results(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |_, body, inst| body.remove_inst(inst));
}

fn double_instruction(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let mut data = *body.inst(inst);
        if random.percent(80) {
            let args = body.args(inst).to_vec();
            data.args = body.list(&args);
        }
        let types: Vec<Type> =
            body.results(inst).iter().map(|&result| body.value_type(result)).collect();
        body.insert_inst(inst, data, &types);
    });
}

fn move_instruction(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let Some(place) = some_inst(random, body, |_| true).filter(|&place| place != inst) else {
            return;
        };
        body.layout.remove_inst(inst);
        body.layout.insert_inst_before(inst, place);
    });
}

/// What another instruction holds.
fn exchange_payload(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        if let Some(other) = some_inst(random, body, |_| true) {
            body.inst_mut(inst).payload = body.inst(other).payload;
        }
    });
}

fn dangling_payload(random: &mut Random, module: &mut Module) {
    let number = if random.percent(50) { random.below(8) } else { random.below(1 << 24) };
    let target = Target { block: Block::new(number), args: Default::default() };
    let payload = match random.below(12) {
        0 => Payload::Slot(Slot::new(number)),
        1 => Payload::Data(DataId::new(number)),
        2 => Payload::Function(FuncId::new(number)),
        3 => Payload::Exit(Exit::new(number)),
        4 => Payload::Switch(SwitchTable::new(number)),
        5 => Payload::Jump(target),
        6 => Payload::Branch([target, target]),
        7 => Payload::Count(number as u32),
        8 => Payload::Feature(number as u32),
        9 => Payload::TryCall {
            function: FuncId::new(number).into(),
            roots: number as u32 % 3,
            targets: [target, target],
        },
        10 => Payload::ForeignCall { function: FuncId::new(number), roots: number as u32 },
        _ => Payload::None,
    };
    // Mostly where the payload belongs, with a handle that leads elsewhere.
    let kind = std::mem::discriminant(&payload);
    let anywhere = random.percent(20);
    in_body(random, module, |random, body| {
        let fits: Vec<Inst> = body
            .layout
            .all_insts()
            .filter(|&inst| anywhere || std::mem::discriminant(&body.inst(inst).payload) == kind)
            .collect();
        if !fits.is_empty() {
            body.inst_mut(random.pick(&fits)).payload = payload;
        }
    });
}

fn exchange_result_type(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    in_body(random, module, |random, body| {
        let value = Value::new(random.below(body.value_count()));
        body.set_value_type(value, ty);
    });
}

fn add_result(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    at_inst(random, module, |_, body, inst| {
        let mut types: Vec<Type> =
            body.results(inst).iter().map(|&result| body.value_type(result)).collect();
        types.push(ty);
        let data = *body.inst(inst);
        let other = body.make_inst(data, &types);
        body.layout.insert_inst_before(other, inst);
        body.layout.remove_inst(inst);
    });
}

fn share_operands(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        if let Some(other) = some_inst(random, body, |_| true) {
            body.inst_mut(inst).args = body.inst(other).args;
        }
    });
}

fn another_path(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let wanted = |op| matches!(op, Op::Shuffle | Op::ExtractValue | Op::InsertValue);
        if let Some(inst) = some_inst(random, body, wanted) {
            let indices: Vec<u32> = (0..random.below(6)).map(|_| random.below(9) as u32).collect();
            let list = body.immediate_list(&indices);
            body.inst_mut(inst).payload = Payload::Immediates(list);
        }
    });
}

fn another_roots(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        if let Some(inst) = some_inst(random, body, |op| op == Op::CallForeign)
            && let Payload::ForeignCall { roots, .. } = &mut body.inst_mut(inst).payload
        {
            *roots = random.below(4) as u32;
        }
    });
}

/// Lists of one body mean something else, or nothing, in another.
fn operand_of_other_function(random: &mut Random, module: &mut Module) {
    let mut foreign = None;
    at_inst(random, module, |_, body, inst| foreign = Some(*body.inst(inst)));
    at_inst(random, module, |_, body, inst| {
        if let Some(data) = foreign {
            body.inst_mut(inst).args = data.args;
        }
    });
}
