use super::*;
use crate::body::Body;
use crate::entity::{
    AliasClass, DataId, EntityRef, Exit, FuncId, Inst, ScopeSet, Slot, SwitchTable, Value,
};
use crate::instruction::{Access, Payload};
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// A sequence of numbers that look random: an LCG's upper bits.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

fn types() -> Vec<Type> {
    let scalars = Scalar::ALL.iter().map(|&scalar| Type::scalar(scalar));
    let vectors = [(Scalar::I1, 9), (Scalar::I32, 4), (Scalar::F64, 8), (Scalar::Ptr, 2)];
    let vectors = vectors.into_iter().filter_map(|(lane, lanes)| Type::vector(lane, lanes));
    scalars.chain(vectors).chain([Type::NONE]).collect()
}

/// What an instruction may hold, with handles that may be of nothing.
fn payload(numbers: &mut Numbers, others: &[Payload]) -> Payload {
    let index = numbers.below(4);
    let access = Access {
        offset: -1,
        align_log2: 255,
        class: Some(AliasClass::new(index)).into(),
        scopes: Some(ScopeSet::new(index)).into(),
        ..Access::default()
    };
    match numbers.below(12) {
        0 => Payload::None,
        1 => Payload::Slot(Slot::new(index)),
        2 => Payload::Data(DataId::new(index)),
        3 => Payload::Function(FuncId::new(index)),
        4 => Payload::ForeignCall { function: FuncId::new(index), roots: 9 },
        5 => Payload::Switch(SwitchTable::new(index)),
        6 => Payload::Exit(Exit::new(index)),
        7 => Payload::Count(index as u32),
        8 => Payload::Access(access),
        9 => Payload::Trap(TrapCode::User(7)),
        _ => numbers.of(others),
    }
}

/// Changes one thing of one instruction.
fn break_something(body: &mut Body, numbers: &mut Numbers, others: &[Payload]) {
    let insts: Vec<Inst> = body.layout.all_insts().collect();
    let inst = numbers.of(&insts);
    match numbers.below(4) {
        0 => body.inst_mut(inst).op = numbers.of(Op::ALL),
        1 => body.inst_mut(inst).ty = numbers.of(&types()),
        2 => body.inst_mut(inst).payload = payload(numbers, others),
        _ => {
            let mut args = body.args(inst).to_vec();
            args.resize(numbers.below(args.len() + 3), Value::new(0));
            for arg in &mut args {
                if numbers.below(2) == 0 {
                    *arg = Value::new(numbers.below(body.value_count() + 2));
                }
            }
            body.inst_mut(inst).args = body.list(&args);
        }
    }
}

#[test]
fn no_module_however_broken_is_a_panic() {
    let examples: Vec<Module> = Op::ALL.iter().map(|&op| module(&example_module(op))).collect();
    let bodies = examples.iter().flat_map(|module| module.functions());
    let payloads: Vec<Payload> = bodies
        .filter_map(|(_, function)| function.body.as_deref())
        .flat_map(|body| (0..body.inst_count()).map(|i| body.inst(Inst::new(i)).payload))
        .collect();
    let limits = Limits { steps: 2000, memory: 1 << 20, depth: 50, output: 100 };
    let mut numbers = Numbers(42);
    let mut answers = [0; 3];
    for round in 0..100 {
        for example in &examples {
            let mut broken = example.clone();
            let id = broken.function_named("example").unwrap();
            let body = broken.function_mut(id).unwrap().body.as_mut().unwrap();
            for _ in 0..=round % 3 {
                break_something(body, &mut numbers, &payloads);
            }
            let setup = Interpreter::setup().module(&broken).limits(limits);
            let Ok(mut interpreter) = setup.build() else { continue };
            match interpreter.call("example", &[]) {
                Ok(_) => answers[0] += 1,
                Err(CallError::BrokenModule { .. }) => answers[1] += 1,
                Err(_) => answers[2] += 1,
            }
        }
    }
    // All three happen, often: the changes reach execution.
    assert!(answers.iter().all(|&count| count > 300), "{answers:?}");
}

#[test]
fn regions_that_are_never_left_end_the_call() {
    let text = "func @main() {\nentry:\n    jump again\nagain:\n    enter again, unwind caught\ncaught:\n    return\n}";
    let error = run(text).unwrap_err();
    assert!(matches!(error, CallError::BrokenModule { .. }), "{error}");
    assert!(error.to_string().contains("without being left"), "{error}");
}
