//! One random call.

use super::handles::pick;
use super::*;

/// One call: which, and the numbers that choose its operands.
pub(super) type Call = (u8, [u8; 4]);

pub(super) fn make(b: &mut FunctionBuilder<'_>, handles: &mut Handles, (call, by): Call) {
    match call % 7 {
        0 | 1 => other(b, handles, (call / 7, by)),
        2 => part(b, handles, (call / 7, by)),
        _ => {
            let value = value(b, handles, (call / 7, by));
            handles.values.push(value);
        }
    }
}

/// Four values, mostly of one type, or hardly anything would ever be right.
fn operands(b: &FunctionBuilder<'_>, handles: &Handles, by: [u8; 4]) -> [Value; 4] {
    let first = pick(&handles.values, by[0]);
    let ty = b.value_type(first);
    by.map(|number| match number % 8 {
        0 => pick(&handles.values, number),
        _ => {
            let start = usize::from(number) % handles.values.len();
            let (before, behind) = handles.values.split_at(start);
            let mut all = behind.iter().chain(before).copied();
            all.find(|&value| b.value_type(value) == ty).unwrap_or(first)
        }
    })
}

/// A call that gives a value.
fn value(b: &mut FunctionBuilder<'_>, handles: &Handles, (call, by): Call) -> Value {
    let [x, y, z, w] = operands(b, handles, by);
    let ty = pick(&handles.types, by[0]);
    let function = FuncId::from_u32(u32::from(by[3]) % 5);
    match call % 28 {
        0 => b.add(x, y),
        1 => b.icmp(IntCond::Slt, x, y),
        2 => b.select(x, y, z),
        3 => b.load(ty, x, -8),
        4 => b.call(function, &[x, y]).first(),
        5 => b.extract_value(x, &[u32::from(by[1]), 0]),
        6 => b.shuffle(x, y, &[Some(u32::from(by[2])), None]),
        7 => b.ins(pick(Op::ALL, by[0]), pick(&handles.types, by[1]), &[z, w]),
        8 => b.iconst(ty, i64::from(by[1])),
        9 => b.zero(ty),
        10 => b.function_addr(function),
        11 => b.call_indirect(x, &[y]).get(1),
        12 => b.data_load(ty, DataId::from_u32(u32::from(by[1] % 2)), x),
        13 => b.slot_addr(pick(&handles.slots, by[1])),
        14 => b.slot_load(ty, pick(&handles.slots, by[1]), x),
        15 => b.boxed_call(x, &[y]),
        16 => b.preserve_begin(&[x]),
        17 => b.atomic_load(ty, pick(Order::ALL, by[1]), x, Access::default()),
        18 => b.reduce_add(x),
        19 => b.call_foreign(function, &[x], &[y]).first(),
        20 => b.param(usize::from(by[0] % 4)),
        21 => b.block_param(pick(&handles.blocks, by[0]), usize::from(by[1] % 3)),
        22 => b.append_param(pick(&handles.blocks, by[0]), pick(&handles.types, by[1])),
        23 => b.opaque(x),
        24 => b.vconst(ty, &[u128::from(by[1]); 3]),
        25 => b.make_aggregate(ty, &[x, y]),
        _ => b.get(pick(&handles.variables, by[0])),
    }
}

/// A call that gives nothing.
fn other(b: &mut FunctionBuilder<'_>, handles: &Handles, (call, by): Call) {
    let [x, y, ..] = operands(b, handles, by);
    let [to, or, ..] = by.map(|number| pick(&handles.blocks, number));
    let function = FuncId::from_u32(u32::from(by[3]) % 5);
    match call % 26 {
        0 | 1 => b.switch_to(to),
        2 => b.jump(to, &[]),
        3 => b.jump(to, &[x]),
        4 => b.branch(x, to, &[], or, &[y]),
        5 => b.switch(x, &[(3, to, &[]), (i128::from(by[2]), or, &[])], to, &[]),
        6 => b.return_values(&[x]),
        7 => b.try_call(function, &[x], (to, &[y]), (or, &[])),
        8 => b.check(x, pick(&handles.exits, by[1]), &[y]),
        9 | 10 => b.set(pick(&handles.variables, by[0]), y),
        11 => b.store(x, y, 1),
        12 => b.enter(to, or),
        13 => b.leave(u32::from(by[0] % 3)),
        14 => b.loop_mark(LoopFlags::SIMD, 2),
        15 => b.hint(InstFlags::EXACT),
        16 => b.weights(&[1, 2]),
        17 => b.range(0, u128::from(by[0])),
        18 => b.name_value(x, pick(&["x", "", "3", "a b", "\n\""], by[1])),
        19 => b.set_location("a.jl", u32::from(by[0]), 0),
        20 => b.set_loc(Some(pick(&handles.locs, by[0])).filter(|_| by[1] % 2 == 0)),
        21 => b.return_call(function, &[x, y]),
        22 => b.preserve_end(x),
        23 => b.try_call_indirect(x, &[y], (to, &[]), (or, &[x])),
        24 => b.trap(TrapCode::Bounds),
        _ => b.throw(x),
    }
}

/// A call that makes a part, or an instruction of such parts.
fn part(b: &mut FunctionBuilder<'_>, handles: &mut Handles, (call, by): Call) {
    let [x, y, ..] = operands(b, handles, by);
    let ty = pick(&handles.types, by[0]);
    match call % 10 {
        0 => handles.blocks.push(b.create_block(pick(&["a", "", "block0", "c d"], by[0]))),
        1 => handles.slots.push(b.create_slot(u32::from(by[0]) << 20)),
        2 => {
            let function = FuncId::from_u32(u32::from(by[1]) % 5);
            let kind = pick(&[ExitKind::Side(1), ExitKind::Deopt(function)], by[0]);
            handles.exits.push(b.create_exit(kind, &[pick(&handles.types, by[2])]));
        }
        3 => handles.variables.push(b.declare_variable("u", ty)),
        4 => handles.targets.extend(b.make_target(pick(&handles.blocks, by[0]), &[x])),
        5 => {
            let targets = vec![pick(&handles.targets, by[0]), pick(&handles.targets, by[1])];
            handles.tables.push(b.make_switch(vec![by[2].into()], targets));
        }
        6 => {
            let parent = pick(&handles.classes, by[0]);
            handles.classes.push(b.alias_class(pick(&["class", "e"], by[1]), Some(parent)));
        }
        7 => {
            let linkage = pick(&[Linkage::Import, Linkage::Foreign, Linkage::Local], by[0]);
            b.declare(pick(&["f", "k", "l"], by[1]), linkage, Signature::internal(&[ty], &[]));
        }
        _ => {
            let payload = payload(handles, by);
            let args = [x, y];
            let args = &args[..usize::from(by[2] % 3)];
            let results = b.instruction(pick(Op::ALL, by[3]), ty, args, payload);
            handles.values.extend(results.as_slice());
        }
    }
}

fn payload(handles: &Handles, by: [u8; 4]) -> Payload {
    let access = Access {
        align_log2: by[0] % 40,
        class: pick(&handles.classes, by[0]).into(),
        scopes: pick(&handles.scopes, by[1]).into(),
        ..Access::default()
    };
    let function = FuncId::from_u32(u32::from(by[1]) % 5);
    let targets = [by[0], by[1]].map(|number| pick(&handles.targets, number));
    match by[2] / 3 % 12 {
        0 => Payload::Access(access),
        1 => Payload::Jump(targets[0]),
        2 => Payload::Branch(targets),
        3 => Payload::Switch(pick(&handles.tables, by[0])),
        4 => Payload::Immediates(pick(&handles.lists, by[0])),
        5 => {
            let (function, roots) = (Some(function).into(), u32::from(by[3] % 4));
            Payload::TryCall { function, roots, targets }
        }
        6 => Payload::Slot(pick(&handles.slots, by[0]).entity()),
        7 => Payload::Exit(pick(&handles.exits, by[0]).entity()),
        8 => Payload::ForeignCall { function, roots: u32::from(by[0]) },
        9 => Payload::AtomicModify { function, order: pick(Order::ALL, by[0]), access },
        10 => Payload::Feature(u32::from(by[0])),
        _ => Payload::None,
    }
}
