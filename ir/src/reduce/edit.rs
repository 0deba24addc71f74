//! Smaller bodies.

use crate::body::{Body, ValueDef};
use crate::constant::Constant;
use crate::entity::{Block, FuncId, Inst, SecondaryMap, Value};
use crate::flow::FlowGraph;
use crate::instruction::{InstData, Payload, Target};
use crate::module::Module;
use crate::op::Op;
use crate::types::{Type, TypeKind};

/// What stands for the results of an instruction that goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stand {
    /// Zeros.
    Zeros,
    /// This value.
    Value(Value),
}

pub(super) fn placed(body: &Body) -> Vec<Inst> {
    body.layout.all_insts().collect()
}

/// Changes a body, given the types of the function's results.
pub(super) fn with_body(module: &mut Module, id: FuncId, change: impl FnOnce(&mut Body, &[Type])) {
    let results: Vec<Type> = module.signature_of(id).result_types().collect();
    if let Some(function) = module.function_mut(id)
        && let Some(body) = &mut function.body
    {
        change(body, &results);
    }
}

fn zeros(body: &mut Body, types: &[Type]) -> Option<Vec<Value>> {
    types.iter().map(|&ty| Some(body.constant(Constant::zero(ty)?))).collect()
}

/// Makes the function return zeros at once.
pub(super) fn gut(body: &mut Body, results: &[Type]) {
    let first = body.layout.entry().and_then(|entry| body.layout.first_inst(entry));
    if let Some(first) = first {
        end_with_zeros(body, first, results);
        sweep(body);
    }
}

/// Returns zeros in the place of `inst` and all behind it in its block.
pub(super) fn end_with_zeros(body: &mut Body, inst: Inst, results: &[Type]) {
    let Some(values) = zeros(body, results) else { return };
    let args = body.list(&values);
    let data = InstData::new(Op::Return, Type::NONE, args, Payload::None);
    body.insert_inst(inst, data, &[]);
    let behind: Vec<Inst> =
        std::iter::successors(Some(inst), |&inst| body.layout.next_inst(inst)).collect();
    take_out(body, &behind, Stand::Zeros);
}

pub(super) fn go_one_way(body: &mut Body, inst: Inst, way: usize) {
    let Some(target) = body.targets(inst).get(way).copied() else { return };
    let args = body.target_args(&target).to_vec();
    let target = Target { block: target.block, args: body.list(&args) };
    let data = InstData::new(Op::Jump, Type::NONE, Default::default(), Payload::Jump(target));
    body.insert_inst(inst, data, &[]);
    take_out(body, &[inst], Stand::Zeros);
}

/// The function that a call names, or whose address it is given there and then.
pub(super) fn callee(body: &Body, call: Inst) -> Option<FuncId> {
    let data = body.inst(call);
    let is_through =
        matches!(data.op, Op::CallPtr | Op::CallIndirect | Op::TryCallPtr | Op::TryCallIndirect);
    if !is_through {
        return data.function().filter(|_| data.op == Op::TryCall);
    }
    let defining = |value: Value| match body.value_def(value) {
        ValueDef::Result(inst, _) => Some(inst),
        _ => None,
    };
    let mut address = defining(*body.args(call).first()?)?;
    if body.inst(address).op == Op::FunctionToPtr {
        address = defining(*body.args(address).first()?)?;
    }
    let address = body.inst(address);
    address.function().filter(|_| address.op == Op::FunctionAddr)
}

/// Lets a call name its function and catch nothing.
pub(super) fn call_by_name(body: &mut Body, call: Inst) {
    let Some(function) = callee(body, call) else { return };
    let skipped = usize::from(body.inst(call).op != Op::TryCall);
    let args: Vec<Value> = body.args(call).iter().copied().skip(skipped).collect();
    let args = body.list(&args);
    let data = InstData::new(Op::Call, Type::NONE, args, Payload::Function(function));
    let old = body.results(call).to_vec();
    let types: Vec<Type> = old.iter().map(|&result| body.value_type(result)).collect();
    let named = body.insert_inst(call, data, &types);
    let new = body.results(named).to_vec();
    for user in placed(body) {
        body.map_uses(user, |value| {
            old.iter().position(|&result| result == value).map_or(value, |index| new[index])
        });
    }
    match body.inst(call).op.is_terminator() {
        true => go_one_way(body, call, 0),
        false => body.remove_inst(call),
    }
    for op in [Op::FunctionToPtr, Op::FunctionAddr] {
        let is_idle = |&inst: &Inst| body.inst(inst).op == op && !must_stay(body, inst);
        let idle: Vec<Inst> = placed(body).into_iter().filter(is_idle).collect();
        idle.into_iter().for_each(|inst| body.remove_inst(inst));
    }
}

/// Lets a jump go where the block that it leads to goes on that way.
pub(super) fn skip_block(body: &mut Body, inst: Inst, way: usize) {
    let Some(next) = body.targets(inst).first().map(|target| target.block) else { return };
    let Some(last) = body.layout.last_inst(next) else { return };
    let Some(target) = body.targets(last).get(way).copied() else { return };
    let args = body.target_args(&target).to_vec();
    let target = Target { block: target.block, args: body.list(&args) };
    if let [own] = body.targets_mut(inst) {
        *own = target;
    }
}

/// Takes a case out of a switch.
pub(super) fn drop_case(body: &mut Body, inst: Inst, way: usize) {
    let Payload::Switch(table) = body.inst(inst).payload else { return };
    body.set_weights(inst, &[]);
    if let Some(switch) = body.switch_mut(table)
        && way < switch.cases.len()
    {
        switch.cases.remove(way);
        switch.targets.remove(way);
    }
}

/// Whether zeros cannot stand for the results of an instruction that others
/// use: a function of C that calls null takes the process along.
pub(super) fn must_stay(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::FunctionAddr | Op::FunctionToPtr)
        && placed(body)
            .iter()
            .any(|&user| body.uses(user).any(|used| body.results(inst).contains(&used)))
}

/// Removes instructions; something else stands for their results. One that has a result that
/// nothing can stand for stays.
pub(super) fn take_out(body: &mut Body, insts: &[Inst], stand: Stand) {
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut gone = Vec::new();
    for &inst in insts {
        let results = body.results(inst).to_vec();
        let types: Vec<Type> = results.iter().map(|&result| body.value_type(result)).collect();
        let values = match stand {
            Stand::Zeros => zeros(body, &types),
            Stand::Value(value) => Some(vec![value; results.len()]),
        };
        let Some(values) = values else { continue };
        for (result, value) in results.into_iter().zip(values) {
            replaced[result] = Some(value);
        }
        gone.push(inst);
    }
    for user in placed(body) {
        body.map_uses(user, |value| replaced[value].unwrap_or(value));
    }
    gone.into_iter().for_each(|inst| body.remove_inst(inst));
}

/// Puts a small number in the place of an operand, by its number among all that an instruction
/// uses, also along its edges.
pub(super) fn put(body: &mut Body, inst: Inst, index: usize, number: u128) {
    let Some(old) = body.uses(inst).nth(index) else { return };
    let ty = body.value_type(old);
    let constant = match number {
        0 => Constant::zero(ty),
        _ => match ty.kind() {
            TypeKind::Scalar(scalar) if scalar.is_int() => Constant::scalar(ty, number),
            _ => None,
        },
    };
    let Some(constant) = constant else { return };
    let value = body.constant(constant);
    let mut at = 0;
    body.map_uses(inst, |used| {
        at += 1;
        if at == index + 1 { value } else { used }
    });
}

/// Puts zero in the place of a value; says whether there is one.
pub(super) fn put_zero(body: &mut Body, value: Value) -> bool {
    let ty = body.value_type(value);
    let Some(zero) = Constant::zero(ty).map(|zero| body.constant(zero)) else { return false };
    for user in placed(body) {
        body.map_uses(user, |used| if used == value { zero } else { used });
    }
    true
}

/// Takes an argument of a call away.
pub(super) fn drop_arg(body: &mut Body, inst: Inst, index: usize) {
    let mut args = body.args(inst).to_vec();
    if index < args.len() {
        args.remove(index);
        let args = body.list(&args);
        body.inst_mut(inst).args = args;
    }
}

/// Takes a parameter of a block away. What is left of it is what every edge gives, if they
/// give the same, or zero.
pub(super) fn drop_param(body: &mut Body, block: Block, index: usize) {
    let Some(&param) = body.params(block).get(index) else { return };
    let mut given: Vec<Value> = Vec::new();
    let mut edges = Vec::new();
    for inst in placed(body) {
        for (number, target) in body.targets(inst).iter().enumerate() {
            if target.block == block {
                edges.push((inst, number));
                given.extend(body.target_args(target).get(index));
            }
        }
    }
    given.retain(|&value| value != param);
    given.dedup();
    if !put_zero_or(body, param, &given) {
        return;
    }
    for (inst, number) in edges {
        let target = body.targets(inst)[number];
        let mut args = body.target_args(&target).to_vec();
        if index < args.len() {
            args.remove(index);
            let list = body.list(&args);
            body.targets_mut(inst)[number].args = list;
        }
    }
    body.retain_params(block, |it| it != param);
}

fn put_zero_or(body: &mut Body, param: Value, given: &[Value]) -> bool {
    let &[only] = given else { return put_zero(body, param) };
    for user in placed(body) {
        body.map_uses(user, |used| if used == param { only } else { used });
    }
    true
}

/// Lets the instructions come from the lines of the text.
pub(super) fn forget_places(module: &mut Module) {
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        with_body(module, id, |body, _| {
            for inst in placed(body) {
                body.inst_mut(inst).loc = None.into();
            }
        });
    }
}

pub(super) fn forget_weights(body: &mut Body) {
    for inst in placed(body) {
        body.set_weights(inst, &[]);
    }
}

/// Joins blocks that follow each other without a choice.
pub(super) fn merge(body: &mut Body) {
    let blocks: Vec<Block> = body.layout.blocks().collect();
    for block in blocks.into_iter().rev() {
        let flow = FlowGraph::new(body);
        let &[before] = flow.predecessors(block) else { continue };
        let Some(end) = body.layout.last_inst(before) else { continue };
        let Payload::Jump(target) = body.inst(end).payload else { continue };
        if before == block || body.inst(end).op != Op::Jump {
            continue;
        }
        let (params, args) = (body.params(block).to_vec(), body.target_args(&target).to_vec());
        for user in placed(body) {
            body.map_uses(user, |value| {
                let index = params.iter().position(|&param| param == value);
                index.map_or(value, |index| args[index])
            });
        }
        body.remove_inst(end);
        if let Some(first) = body.layout.first_inst(block) {
            body.layout.move_tail(first, before);
        }
        body.layout.remove_block(block);
    }
}

/// Removes the blocks that nothing leads to.
pub(super) fn sweep(body: &mut Body) {
    let flow = FlowGraph::new(body);
    let gone: Vec<Block> =
        body.layout.blocks().filter(|&block| !flow.is_reachable(block)).collect();
    for block in gone {
        body.layout.remove_block(block);
    }
}
