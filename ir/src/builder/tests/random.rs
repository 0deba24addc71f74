//! Calls in any order with any handles: never a panic, and what is finished
//! without an error is a module.

use proptest::prelude::*;

use super::*;
use crate::attribute::{LoopFlags, Order};
use crate::entity::DataId;
use crate::instruction::Access;
use crate::verify::{Options, verify_module};

/// Every handle that some function gave so far.
struct Handles {
    values: Vec<Value>,
    blocks: Vec<Block>,
    slots: Vec<Slot>,
    exits: Vec<Exit>,
    variables: Vec<Variable>,
}

impl Handles {
    fn with(mut self, others: Handles) -> Handles {
        self.values.extend(others.values);
        self.blocks.extend(others.blocks);
        self.slots.extend(others.slots);
        self.exits.extend(others.exits);
        self.variables.extend(others.variables);
        self
    }
}

/// A handle of the list; any number names one.
fn pick<T: Copy>(list: &[T], number: u8) -> T {
    list[usize::from(number) % list.len()]
}

const TYPES: [Type; 7] =
    [Type::I64, Type::I1, Type::F64, Type::PTR, Type::REF, Type::TOKEN, Type::NONE];

/// One call: which, and the numbers that choose its operands.
type Call = (u8, [u8; 4]);

fn straight_call(b: &mut FunctionBuilder<'_>, handles: &mut Handles, (call, by): Call) {
    let [x, y, z, w] = by.map(|number| pick(&handles.values, number));
    let ty = pick(&TYPES, by[0]);
    let function = FuncId::from_u32(u32::from(by[3]) % 4);
    let result = match call % 26 {
        0 => b.add(x, y),
        1 => b.icmp(IntCond::Slt, x, y),
        2 => b.select(x, y, z),
        3 => b.load(ty, x, -8),
        4 => b.call(function, &[x, y]).first(),
        5 => b.extract_value(x, &[u32::from(by[1]), 0]),
        6 => b.shuffle(x, y, &[Some(u32::from(by[2])), None]),
        7 => b.ins(pick(Op::ALL, by[0]), pick(&TYPES, by[1]), &[z, w]),
        8 => b.iconst(ty, i64::from(by[1])),
        9 => b.zero(ty),
        10 => b.function_addr(function),
        11 => b.call_indirect(x, &[y]).get(1),
        12 => b.data_load(ty, DataId::from_u32(0), x),
        13 => b.slot_addr(pick(&handles.slots, by[1])),
        14 => b.slot_load(ty, pick(&handles.slots, by[1]), x),
        15 => b.boxed_call(x, &[y]),
        16 => b.preserve_begin(&[x]),
        17 => b.atomic_load(ty, pick(Order::ALL, by[1]), x, Access::default()),
        18 => b.reduce_add(x),
        19 => b.call_foreign(function, &[x], &[y]).first(),
        20 => b.param(usize::from(by[0] % 4)),
        21 => b.block_param(pick(&handles.blocks, by[0]), usize::from(by[1] % 3)),
        22 => b.append_param(pick(&handles.blocks, by[0]), pick(&TYPES, by[1])),
        23 => b.opaque(x),
        _ => b.get(pick(&handles.variables, by[0])),
    };
    handles.values.push(result);
}

fn other_call(b: &mut FunctionBuilder<'_>, handles: &mut Handles, (call, by): Call) {
    let [x, y, ..] = by.map(|number| pick(&handles.values, number));
    let [to, or, ..] = by.map(|number| pick(&handles.blocks, number));
    match call % 22 {
        0 | 1 => b.switch_to(to),
        2 => b.jump(to, &[]),
        3 => b.jump(to, &[x]),
        4 => b.branch(x, to, &[], or, &[y]),
        5 => b.switch(x, &[(3, to, &[]), (i128::from(by[2]), or, &[])], to, &[]),
        6 => b.return_values(&[x]),
        7 => b.try_call(FuncId::from_u32(u32::from(by[3]) % 3), &[x], (to, &[y]), (or, &[])),
        8 => b.check(x, pick(&handles.exits, by[1]), &[y]),
        9 | 10 => b.set(pick(&handles.variables, by[0]), y),
        11 => b.store(x, y, 1),
        12 => b.enter(to, or),
        13 => b.leave(u32::from(by[0] % 3)),
        14 => b.loop_mark(LoopFlags::SIMD, 2),
        15 => b.hint(InstFlags::EXACT),
        16 => b.weights(&[1, 2]),
        17 => b.range(0, u128::from(by[0])),
        18 => b.name_value(x, "x"),
        19 => b.set_location("a.jl", u32::from(by[0]), 0),
        20 => b.trap(TrapCode::Bounds),
        _ => b.throw(x),
    }
}

/// Makes the calls in `@f` and then the second half of them in `@g`, with the
/// handles of both.
fn build(calls: &[Call]) -> Result<Module, BuildErrors> {
    let mut module = ModuleBuilder::new("m");
    let functions =
        ["f", "g"].map(|name| module.export(name, &[Type::I64, Type::REF], &[Type::I64]));
    module.import("h", &[Type::I64], &[Type::I64, Type::I1]);
    module.foreign("c", &[Type::PTR], &[]);
    let (mut handles, mut failed) = (None::<Handles>, None);
    for (function, calls) in functions.into_iter().zip(calls.chunks(calls.len() / 2 + 1)) {
        let mut b = module.define(function);
        let fresh = Handles {
            values: vec![b.param(0), b.param(1)],
            blocks: vec![b.create_block("a"), b.create_block(""), b.create_block("b")],
            slots: vec![b.create_slot(8)],
            exits: vec![b.create_exit(ExitKind::Trap(TrapCode::Bounds), &[Type::I64])],
            variables: vec![b.declare_variable("v", Type::I64), b.declare_variable("w", Type::REF)],
        };
        // Foreign handles come seldom, or nothing would ever be right.
        let mut all = match handles.take() {
            Some(before) if calls.len() % 4 == 0 => fresh.with(before),
            _ => fresh,
        };
        for &(kind, numbers) in calls {
            match kind % 5 {
                0 | 1 => other_call(&mut b, &mut all, (kind / 5, numbers)),
                _ => straight_call(&mut b, &mut all, (kind / 5, numbers)),
            }
        }
        if !b.is_terminated() {
            b.return_values(&[b.param(0)]);
        }
        handles = Some(all);
        failed = failed.or(b.finish().err());
    }
    let finished = module.finish();
    failed.map_or(finished, Err)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn any_calls_give_a_module_or_errors(
        calls in prop::collection::vec((any::<u8>(), any::<[u8; 4]>()), 0..40)
    ) {
        match build(&calls) {
            Ok(module) => prop_assert_eq!(verify_module(&module, &Options::default()), Ok(())),
            Err(errors) => prop_assert!(!errors.errors.is_empty() && !errors.to_string().is_empty()),
        }
    }
}
