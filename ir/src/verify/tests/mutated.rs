//! Modules with parts exchanged at random: none makes the verifier panic, and
//! those that it accepts print, parse and execute.

use super::*;
use crate::attribute::{AccessFlags, InstFlags, IntCond, LoopFlags, Order, RmwOp};
use crate::body::{ExitData, ExitKind, Initial, LocData, SlotData, SwitchData, ValueRange};
use crate::constant::Constant;
use crate::datum::Datum;
use crate::entity::{
    AliasClass, Block, DataId, EntityRef, Exit, Loc, ScopeSet, Slot, SwitchTable, Value,
};
use crate::instruction::{Access, ImmediateList, InstData, Payload, Target};
use crate::interpret::{CallError, Interpreter, Limits};
use crate::module::{DataItem, Linkage, Symbol};
use crate::text::print_module;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// A generator of numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Mostly one of the first `count` handles, sometimes none at all.
    fn handle<T: EntityRef>(&mut self, count: usize) -> T {
        let far = self.below(12) == 0;
        T::new(if far { self.below(1000) } else { self.below(count) })
    }

    fn ty(&mut self) -> Type {
        let lane = self.pick(Scalar::ALL);
        match self.below(4) {
            0 => Type::vector(lane, self.below(9) as u32).unwrap_or(Type::NONE),
            1 => self.pick(&[Type::I64, Type::PTR, Type::REF, Type::I1, Type::NONE]),
            _ => Type::scalar(lane),
        }
    }
}

fn any_value(random: &mut Random, body: &mut Body) -> Value {
    if random.below(6) == 0 {
        let ty = random.ty();
        if let Some(constant) = Constant::zero(ty) {
            return body.constant(constant);
        }
    }
    let count = body.value_count();
    random.handle(count)
}

fn any_values(random: &mut Random, body: &mut Body) -> Vec<Value> {
    (0..random.below(4)).map(|_| any_value(random, body)).collect()
}

fn any_target(random: &mut Random, body: &mut Body) -> Target {
    let args = any_values(random, body);
    let count = body.block_count();
    body.target(random.handle(count), &args)
}

fn any_access(random: &mut Random) -> Access {
    Access {
        offset: random.below(3) as i32 - 1,
        align_log2: random.below(40) as u8,
        flags: AccessFlags::from_bits_truncate(random.below(16) as u8),
        class: (random.below(3) == 0).then(|| AliasClass::new(random.below(2))).into(),
        scopes: (random.below(5) == 0).then(|| ScopeSet::new(random.below(2))).into(),
        no_alias: None.into(),
    }
}

fn any_payload(random: &mut Random, module: &Module, body: &mut Body) -> Payload {
    let functions = module.functions().len();
    let order = random.pick(Order::ALL);
    let access = any_access(random);
    match random.below(22) {
        0 => Payload::None,
        1 => Payload::IntCond(random.pick(IntCond::ALL)),
        2 => Payload::Access(access),
        3 => Payload::Atomic { order, access },
        4 => Payload::AtomicRmw { op: random.pick(RmwOp::ALL), order, access },
        5 => Payload::AtomicCas { order, failure: random.pick(Order::ALL), access },
        6 => Payload::AtomicModify { function: random.handle(functions), order, access },
        7 => Payload::Order(order),
        8 => Payload::Slot(random.handle::<Slot>(body.slots().len())),
        9 => Payload::Data(random.handle::<DataId>(module.data_objects().len())),
        10 | 11 => Payload::Function(random.handle(functions)),
        12 => Payload::ForeignCall {
            function: random.handle(functions),
            roots: random.below(3) as u32,
        },
        13 => {
            let function = (random.below(2) == 0).then(|| random.handle(functions)).into();
            let targets = [any_target(random, body), any_target(random, body)];
            Payload::TryCall { function, targets }
        }
        14 => {
            let numbers: Vec<u32> = (0..random.below(5)).map(|_| random.below(9) as u32).collect();
            Payload::Immediates(body.immediate_list(&numbers))
        }
        15 => Payload::Jump(any_target(random, body)),
        16 => Payload::Branch([any_target(random, body), any_target(random, body)]),
        17 => {
            let cases: Vec<u128> = (0..random.below(3)).map(|_| random.below(4) as u128).collect();
            let targets = (0..=cases.len()).map(|_| any_target(random, body)).collect();
            Payload::Switch(body.make_switch(SwitchData { cases, targets }))
        }
        18 => Payload::Trap(TrapCode::User(3)),
        19 => Payload::Exit(random.handle::<Exit>(body.exits().len())),
        20 => Payload::Count(random.below(3) as u32),
        _ => Payload::LoopMark {
            flags: LoopFlags::from_bits_truncate(random.below(4) as u8),
            unroll: random.below(2000) as u32,
        },
    }
}

/// Puts an instruction of any kind somewhere.
fn insert_any(random: &mut Random, module: &Module, body: &mut Body) {
    let op = random.pick(Op::ALL);
    let ty = random.ty();
    let mut data = InstData::new(op, ty, Default::default(), any_payload(random, module, body));
    let args = match random.below(2) {
        0 => any_values(random, body),
        _ => {
            let patterns = op.info().operands;
            patterns
                .iter()
                .map(|pattern| match pattern.resolve(ty).and_then(Constant::zero) {
                    Some(constant) => body.constant(constant),
                    None => any_value(random, body),
                })
                .collect()
        }
    };
    data.args = body.list(&args);
    let results = crate::typing::Typing::of(module, body, None, &data).results();
    let count = body.inst_count();
    body.insert_inst(random.handle(count), data, &results.unwrap_or_default());
}

/// Exchanges a part of one instruction.
fn change_inst(random: &mut Random, module: &Module, body: &mut Body) {
    if body.inst_count() == 0 {
        return;
    }
    let inst = Inst::new(random.below(body.inst_count()));
    match random.below(10) {
        0 => body.inst_mut(inst).op = random.pick(Op::ALL),
        1 => body.inst_mut(inst).ty = random.ty(),
        2 => body.inst_mut(inst).payload = any_payload(random, module, body),
        3 => {
            let list = any_values(random, body);
            body.inst_mut(inst).args = body.list(&list);
        }
        4 => {
            let other = Inst::new(random.below(body.inst_count()));
            body.inst_mut(inst).args = body.inst(other).args;
        }
        5 => body.inst_mut(inst).flags = InstFlags::from_bits_truncate(random.below(64) as u16),
        6 => body.inst_mut(inst).loc = random.handle::<Loc>(2).into(),
        7 => {
            let wanted = any_value(random, body);
            let mut skip = random.below(3);
            body.map_uses(inst, |value| {
                skip = skip.wrapping_sub(1);
                if skip == usize::MAX { wanted } else { value }
            });
        }
        8 => {
            let weights: Vec<u32> = (0..random.below(4)).map(|i| i as u32).collect();
            body.set_weights(inst, &weights);
        }
        _ => {
            let (low, high) = (random.below(300) as u128, random.below(300) as u128);
            body.set_range(inst, ValueRange { low, high });
        }
    }
}

/// Exchanges places of blocks and instructions.
fn change_order(random: &mut Random, body: &mut Body) {
    let (blocks, insts) = (body.block_count(), body.inst_count());
    let (block, inst): (Block, Inst) = (random.handle(blocks), random.handle(insts));
    match random.below(7) {
        0 => body.layout.remove_block(block),
        1 => body.layout.append_block(block),
        2 => body.layout.insert_block_after(block, random.handle(blocks)),
        3 => body.layout.remove_inst(inst),
        4 => {
            body.layout.remove_inst(inst);
            body.layout.insert_inst_before(inst, random.handle(insts));
        }
        5 => body.layout.move_tail(inst, block),
        _ => {
            let fresh = body.make_block();
            body.layout.append_block(fresh);
            body.layout.move_tail(inst, fresh);
            let target = body.target(fresh, &[]);
            let jump =
                InstData::new(Op::Jump, Type::NONE, Default::default(), Payload::Jump(target));
            if body.contains_block(block) {
                body.append_inst(block, jump, &[]);
            }
        }
    }
}

/// Exchanges types, parameters and entities.
fn change_entities(random: &mut Random, body: &mut Body) {
    let (blocks, values) = (body.block_count(), body.value_count());
    match random.below(8) {
        0 => {
            body.append_param(random.handle(blocks), random.ty());
        }
        1 => body.retain_params(random.handle(blocks), |_| false),
        2 => body.set_value_type(random.handle(values), random.ty()),
        3 => {
            let initial = random.pick(&[Initial::Zeroed, Initial::Uninit]);
            let size = random.below(100) as u32;
            body.make_slot(SlotData { size, align_log2: random.below(8) as u8, initial });
        }
        4 => {
            let kind = match random.below(3) {
                0 => ExitKind::Trap(TrapCode::Bounds),
                1 => ExitKind::Side(1),
                _ => ExitKind::Deopt(FuncId::new(random.below(2))),
            };
            let types = (0..random.below(2)).map(|_| random.ty()).collect();
            body.make_exit(ExitData { kind, types });
        }
        5 => {
            let inlined_at = (random.below(2) == 0).then(|| Loc::new(random.below(2))).into();
            let line = random.below(3) as u32;
            let function = (random.below(3) == 0).then_some(0);
            body.make_loc(LocData { file: 0, line, column: 0, function, inlined_at });
        }
        6 => {
            let switch = SwitchTable::new(0);
            if let Some(data) = body.switch_mut(switch) {
                data.cases.push(1);
            }
        }
        _ => {
            let list = ImmediateList { start: random.below(9) as u32, len: random.below(9) as u32 };
            let block = body.layout.entry().unwrap_or(Block::new(0));
            let args = any_values(random, body);
            let args = body.list(&args);
            let data = InstData::new(Op::Shuffle, random.ty(), args, Payload::Immediates(list));
            if body.contains_block(block) {
                body.append_inst(block, data, &[]);
            }
        }
    }
}

fn change_declaration(random: &mut Random, module: &mut Module) {
    let sigs: Vec<_> = module.types.signatures().map(|(id, _)| id).collect();
    let count = module.functions().len();
    let linkage =
        random.pick(&[Linkage::Export, Linkage::Local, Linkage::Import, Linkage::Foreign]);
    match random.below(4) {
        0 => {
            if let Some(function) = module.function_mut(random.handle(count)) {
                function.sig = random.pick(&sigs);
            }
        }
        1 => {
            if let Some(function) = module.function_mut(random.handle(count)) {
                function.linkage = linkage;
            }
        }
        2 => {
            let symbol = Symbol::Function(random.handle(count));
            if let Some(object) = module.data_mut(DataId::new(0)) {
                object.items.push(DataItem::Address { symbol, addend: 4 });
                object.size += 8 * random.below(2) as u64;
            }
        }
        _ => {
            if let Some(object) = module.data_mut(DataId::new(0)) {
                object.linkage = linkage;
            }
        }
    }
}

fn mutate(random: &mut Random, module: &mut Module) {
    for _ in 0..=random.below(3) {
        let kind = random.below(10);
        if kind == 0 {
            change_declaration(random, module);
            continue;
        }
        let id = FuncId::new(random.below(module.functions().len()));
        let Some(mut body) = module.function_mut(id).and_then(|f| f.body.take()) else { continue };
        match kind {
            1..=3 => insert_any(random, module, &mut body),
            4..=6 => change_inst(random, module, &mut body),
            7 | 8 => change_order(random, &mut body),
            _ => change_entities(random, &mut body),
        }
        if let Some(function) = module.function_mut(id) {
            function.body = Some(body);
        }
    }
}

/// What a verified module must be good for.
fn assert_useful(module: &Module) {
    let text = print_module(module);
    let again = parse(&text);
    assert_eq!(print_module(&again), text);
    assert_eq!(broken_rules(&again, &Options::default()), [], "{text}");
    let limits = Limits { steps: 2000, memory: 1 << 16, depth: 20, output: 1000 };
    let Ok(mut interpreter) = Interpreter::setup().module(module).limits(limits).build() else {
        return;
    };
    for (id, function) in module.functions().filter(|(_, function)| function.body.is_some()) {
        let params = module.signature_of(id).param_types();
        let args: Vec<Datum> = params.map(|ty| Datum::zero(&module.types, ty)).collect();
        let result = interpreter.call(&function.name, &args);
        assert!(!matches!(result, Err(CallError::BrokenModule { .. })), "{result:?}\n{text}");
    }
}

#[test]
fn mutated_modules_are_refused_or_useful() {
    let sources: Vec<Module> = Op::ALL.iter().map(|&op| parse(&example_module(op))).collect();
    let (mut accepted, mut rules) = (0, std::collections::BTreeSet::new());
    let rounds = std::env::var("BROLGA_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let rounds: u64 = rounds.unwrap_or(20_000);
    for seed in 1..=rounds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut module = sources[random.below(sources.len())].clone();
        mutate(&mut random, &mut module);
        match verify_module(&module, &Options::default()) {
            Ok(()) => {
                accepted += 1;
                assert_useful(&module);
            }
            Err(errors) => {
                let _ = errors.to_string();
                rules.extend(errors.errors.iter().map(|error| error.rule));
            }
        }
        let _ = (print_module(&module), require_safe(&module).is_ok());
    }
    assert!(accepted as u64 > rounds / 20, "{accepted} accepted");
    assert!(rules.len() > 30, "{rules:?}");
}
