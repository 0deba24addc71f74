//! What occurs in generated programs, as far as no count of executed ops shows it.

use brolga_ir::attribute::LoopFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Linkage, Module, Returns};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::report::FrameKind;
use brolga_ir::text::print_module;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Arity, Convention, Param, Passing, Type};
use brolga_ir::verify::{Options as Border, verify_module};
use brolga_testing::compare::{Answer, interpret, reference};
use brolga_testing::generate::{
    Access, Atomics, Generated, Managed, Options, Split, Surroundings, Types, generate,
};

const PROGRAMS: u64 = 1000;

fn programs() -> impl Iterator<Item = Generated> {
    programs_of(PROGRAMS)
}

fn programs_of(count: u64) -> impl Iterator<Item = Generated> {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    (0..count).map(move |seed| generate(seed, &options))
}

fn answers_of(count: u64) -> impl Iterator<Item = Answer> {
    programs_of(count).flat_map(|program| reference(&program).expect("it links").0.answers)
}

/// Whether an instruction that the module defines has such a payload.
fn has(module: &Module, wanted: impl Fn(&Payload) -> bool) -> bool {
    module.functions().filter_map(|(_, function)| function.body.as_deref()).any(|body| {
        let mut insts = body.layout.all_insts();
        insts.any(|inst| wanted(&body.inst(inst).payload))
    })
}

/// Whether the module imports what a later one defines.
fn calls_ahead(modules: &[&Module]) -> bool {
    modules.iter().enumerate().any(|(index, module)| {
        let later = &modules[index + 1..];
        has(module, |payload| match *payload {
            Payload::Function(callee) => module.function(callee).is_some_and(|callee| {
                callee.linkage == Linkage::Import
                    && later.iter().any(|other| {
                        let defined = other.function_named(&callee.name);
                        let defined = defined.and_then(|id| other.function(id));
                        defined.is_some_and(|function| function.body.is_some())
                    })
            }),
            _ => false,
        })
    })
}

#[test]
fn modules_of_a_program_call_ahead_and_back_and_link_to_the_same_program() {
    let (mut stepwise, mut together) = (0, 0);
    for program in programs().filter(|program| program.split != Split::WHOLE).take(150) {
        let loads = program.loads();
        let modules: Vec<&Module> = loads.iter().flat_map(|load| load.iter()).collect();
        assert_eq!(modules.len(), program.split.parts);
        for module in &modules {
            verify_module(module, &Border::default()).expect("a part is valid by itself");
        }
        let ahead = u32::from(calls_ahead(&modules));
        *if loads.len() > 1 { &mut stepwise } else { &mut together } += ahead;
        let (whole, _) = reference(&program).expect("it links");
        let (parts, _) = interpret(&modules, &program.module, &program.calls).expect("they link");
        assert_eq!(whole, parts, "{}", print_module(&program.module));
    }
    assert!(stepwise > 10 && together > 10, "{stepwise} stepwise, {together} together");
}

#[test]
fn functions_of_the_host_are_called_and_fail_and_panic() {
    let called = programs().filter(|program| reference(program).expect("it links").0.host != 0);
    assert!(called.count() > 50);
    // Few programs get so far that a function of the host stops them.
    let messages: Vec<_> = answers_of(4 * PROGRAMS)
        .filter_map(|answer| match answer {
            Answer::Trapped { code: TrapCode::HostError, message, .. } => message,
            _ => None,
        })
        .collect();
    let panics = messages.iter().filter(|message| message.starts_with("panicked: ")).count();
    assert!(panics > 0 && messages.len() > panics, "{messages:?}");
}

/// The lines from which the module calls the function of that name; no two
/// instructions of a program have one line.
fn lines_of_calls(module: &Module, name: &str) -> Vec<u32> {
    let Some(callee) = module.function_named(name) else { return Vec::new() };
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    let lines = bodies.flat_map(|body| {
        let insts = body.layout.all_insts();
        insts.filter(|&inst| body.inst(inst).function() == Some(callee)).filter_map(|inst| {
            let mut places = body.loc_chain(body.inst(inst).loc);
            places.next().map(|place| place.line)
        })
    });
    lines.collect()
}

#[test]
fn what_stops_a_callback_stops_whoever_called_out() {
    for name in ["qsort", "bsearch", "host_again"] {
        let (mut trapped, mut thrown) = (0, 0);
        for program in programs_of(160 * PROGRAMS) {
            if trapped > 0 && thrown > 0 {
                break;
            }
            let lines = lines_of_calls(&program.module, name);
            if lines.is_empty() {
                continue;
            }
            for answer in reference(&program).expect("it links").0.answers {
                let Answer::Trapped { code, frames, .. } = answer else { continue };
                let is_under = frames.iter().skip(1).any(|frame| lines.contains(&frame.line));
                let is_thrown = code == TrapCode::UncaughtException;
                *if is_thrown { &mut thrown } else { &mut trapped } += u32::from(is_under);
            }
        }
        assert!(trapped > 0 && thrown > 0, "{name}: {trapped} {thrown}");
    }
}

#[test]
fn functions_of_c_print_sort_and_search() {
    for name in ["snprintf", "qsort", "bsearch", "calloc"] {
        let calls = programs().filter(|program| {
            let module = &program.module;
            let id = module.function_named(name);
            has(module, |payload| match *payload {
                Payload::ForeignCall { function, .. } => Some(function) == id,
                _ => false,
            })
        });
        assert!(calls.count() > 20, "{name}");
    }
}

/// How many programs have an instruction of the op that `wanted` holds for.
fn programs_with(wanted: impl Fn(&Module, &Body, Inst) -> bool) -> usize {
    let has = |program: &Generated| {
        let bodies =
            program.module.functions().filter_map(|(_, function)| function.body.as_deref());
        bodies.into_iter().any(|body| {
            let mut insts = body.layout.all_insts();
            insts.any(|inst| wanted(&program.module, body, inst))
        })
    };
    programs().filter(has).count()
}

#[test]
fn functions_are_entered_as_c_enters_them() {
    let called = |module: &Module, body: &Body, inst: Inst| {
        let sig = body.inst(inst).ty.signature().filter(|_| body.inst(inst).op.is_call());
        sig.map(|sig| module.types.sig(sig).clone())
            .filter(|signature| signature.convention == Convention::Platform)
    };
    let params = |wanted: fn(&Module, &Param) -> bool| {
        programs_with(move |module, body, inst| {
            let signature = called(module, body, inst);
            signature.is_some_and(|it| it.params.iter().any(|param| wanted(module, param)))
        })
    };
    let counts = [
        params(|_, param| matches!(param.passing, Passing::ByValue { .. })),
        params(|_, param| param.passing == Passing::StructReturn),
        params(|_, param| param.passing == Passing::SignExtended),
        params(|module, param| module.types.aggregate(param.ty).is_some()),
        params(|_, param| param.ty == Type::F16),
        programs_with(|module, body, inst| {
            called(module, body, inst).is_some_and(|it| it.arity == Arity::Variadic)
        }),
    ];
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn weak_symbols_stand_in_several_modules() {
    let mut copies = [0; 2];
    for program in programs().filter(|program| program.split.parts > 1) {
        let loads = program.loads();
        let modules: Vec<&Module> = loads.iter().flat_map(|load| load.iter()).collect();
        for (_, function) in program.module.functions() {
            let defines = |module: &&&Module| {
                let id = module.function_named(&function.name);
                let defined = id.and_then(|id| module.function(id));
                defined.is_some_and(|it| it.linkage == Linkage::Weak && it.body.is_some())
            };
            copies[0] += usize::from(modules.iter().filter(defines).count() > 1);
        }
        for (_, object) in program.module.data_objects() {
            let defines = |module: &&&Module| {
                let mut objects = module.data_objects();
                objects.any(|(_, it)| it.name == object.name && it.linkage == Linkage::Weak)
            };
            copies[1] += usize::from(modules.iter().filter(defines).count() > 1);
        }
    }
    assert!(copies.iter().all(|&count| count > 20), "{copies:?}");
}

#[test]
fn calls_return_twice() {
    let twice = |module: &Module, body: &Body, inst: Inst| {
        let callee = body.inst(inst).function().and_then(|id| module.function(id));
        callee.is_some_and(|callee| callee.attributes.returns == Returns::Twice)
    };
    let count = programs_with(twice);
    assert!(count > 50, "{count}");
}

#[test]
fn loops_are_marked_in_every_way() {
    let marked = |wanted: LoopFlags| {
        programs().filter(move |program| {
            has(&program.module, |payload| {
                matches!(payload, Payload::LoopMark { flags, unroll } if *flags == wanted && *unroll > 1)
            })
        })
    };
    let (simd, ivdep) = (LoopFlags::SIMD, LoopFlags::IVDEP);
    for flags in [LoopFlags::empty(), simd, ivdep, simd | ivdep] {
        assert!(marked(flags).count() > 5, "{flags:?}");
    }
}

#[test]
fn traps_lie_under_deep_chains_of_inlined_and_real_calls() {
    let (mut inlined, mut called) = (0, 0);
    // Deep ones are rare.
    for answer in answers_of(3 * PROGRAMS) {
        let Answer::Trapped { frames, .. } = answer else { continue };
        let count = |kind| frames.iter().filter(|frame| frame.kind == kind).count();
        inlined = inlined.max(count(FrameKind::Inlined));
        called = called.max(count(FrameKind::Called));
    }
    assert!(inlined >= 8 && called >= 3, "{inlined} inlined, {called} called");
}

#[test]
fn bare_programs_find_neither_a_host_nor_the_library_of_c() {
    let options = Options { surroundings: Surroundings::Bare, ..Options::default() };
    for seed in 0..200 {
        let program = generate(seed, &options);
        for (_, function) in program.module.functions() {
            let is_host = function.linkage == Linkage::Import;
            let is_c = ["snprintf", "qsort", "bsearch", "calloc"].contains(&&*function.name);
            assert!(!is_host && !is_c, "{}", function.name);
        }
    }
}

#[test]
fn what_safe_code_loads_has_hosts_too() {
    let options = Options { access: Access::Checked, ..Options::default() };
    let hosts = (0..200).filter(|&seed| {
        let program = generate(seed, &options);
        let mut functions = program.module.functions();
        functions.any(|(_, function)| function.linkage == Linkage::Import)
    });
    assert!(hosts.count() > 20);
}

/// The ops that are made as one access of 128 bits in some program.
fn wide_atomics(options: Options) -> Vec<Op> {
    let is_wide = |op: &Op, ty: Type| op.info().suffix == TypeClass::Atomic && ty == Type::I128;
    let mut ops = Vec::new();
    for seed in 0..1000 {
        let module = generate(seed, &options).module;
        for body in module.functions().filter_map(|(_, function)| function.body.as_deref()) {
            let insts = body.layout.all_insts();
            let made = insts.map(|inst| (body.inst(inst).op, body.inst(inst).ty));
            ops.extend(made.filter(|(op, ty)| is_wide(op, *ty)).map(|(op, _)| op));
        }
    }
    ops.sort_unstable();
    ops.dedup();
    ops
}

#[test]
fn atomic_accesses_have_128_bits_where_they_may() {
    let mut all: Vec<Op> = Op::ALL.to_vec();
    all.retain(|op| op.info().suffix == TypeClass::Atomic);
    assert_eq!(wide_atomics(Options::default()), all);
    assert_eq!(wide_atomics(Options { atomics: Atomics::Words, ..Options::default() }), []);
    assert_eq!(wide_atomics(Options { types: Types::Simple, ..Options::default() }), []);
}
