//! Misuse is an error that names its place, and never a panic.

use super::*;
use crate::module::MemoryEffects;
use crate::module::{DataItem, DataObject};
use crate::verify::require_safe;

fn faults(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> Vec<Fault> {
    refused(build).errors.into_iter().map(|error| error.fault).collect()
}

/// What is raw of each is found as it is built: an op, a declaration, a promise.
#[test]
fn what_is_built_raw_is_no_safe_module() {
    let raw: [fn(&mut ModuleBuilder, FuncId); 4] = [
        |module, f| {
            let mut b = module.define(f);
            let eight = b.param(0);
            let _ = b.int_to_ptr(eight);
            b.return_values(&[eight]);
            b.finish().unwrap();
        },
        |module, _| {
            let _ = module.foreign("abs", &[Type::I32], &[Type::I32]);
        },
        |module, f| module.attributes(f).unwrap().memory = MemoryEffects::None,
        |_, _| {},
    ];
    for (index, make) in raw.into_iter().enumerate() {
        let mut module = ModuleBuilder::new("m");
        let f = module.export("f", &[Type::I64], &[Type::I64]);
        make(&mut module, f);
        if module.module().function(f).unwrap().body.is_none() {
            let mut b = module.define(f);
            let given = b.param(0);
            b.return_values(&[given]);
            b.finish().unwrap();
        }
        let verified = module.finish_verified().unwrap();
        assert_eq!(verified.require_safe().is_ok(), index == 3, "{index}");
        assert_eq!(require_safe(verified.module()).is_ok(), index == 3, "{index}");
    }
}

#[test]
fn a_block_without_a_terminator_is_an_error() {
    let fault = Fault::Rule(Rule::MissingTerminator);
    assert_eq!(faults(|_| {}), [fault]);
    let errors = refused(|b| {
        let next = b.create_block("next");
        b.jump(next, &[]);
        b.switch_to(next);
        let n = b.param(0);
        b.name_value(n, "n");
        let twice = b.add(n, n);
        b.name_value(twice, "twice");
    });
    expect_test::expect![[r#"
        @f, next: the block does not end with a terminator, such as `return` [missing-terminator]
        next:
            %twice = add.i64 %n, %n"#]]
    .assert_eq(&errors.to_string());
}

#[test]
fn an_instruction_behind_a_terminator_is_an_error() {
    let errors = refused(|b| {
        let n = b.param(0);
        for _ in 0..9 {
            b.not(n);
        }
        b.return_values(&[n]);
        b.neg(n);
    });
    expect_test::expect![[r#"
        @f, block0: `neg` stands behind the terminator; switch to another block first [after-terminator]
        block0(%0: i64):
            …
            %5 = not.i64 %0
            %6 = not.i64 %0
            %7 = not.i64 %0
            %8 = not.i64 %0
            %9 = not.i64 %0
            return %0"#]]
    .assert_eq(&errors.to_string());
}

/// Handles of `@f`.
struct Others {
    value: Value,
    block: Block,
    slot: Slot,
    exit: Exit,
    variable: Variable,
}

const MISUSES: &[fn(&mut FunctionBuilder<'_>, &Others)] = &[
    |b, others| {
        b.neg(others.value);
    },
    |b, others| b.return_values(&[others.value]),
    |b, others| b.jump(others.block, &[]),
    |b, others| b.switch_to(others.block),
    |b, others| {
        b.append_param(others.block, Type::I8);
    },
    |b, others| b.slot_start(others.slot),
    |b, others| {
        b.slot_addr(others.slot);
    },
    |b, others| {
        let yes = b.iconst(Type::I1, 1);
        b.check(yes, others.exit, &[]);
    },
    |b, others| {
        b.get(others.variable);
    },
    |b, others| b.set(others.variable, b.param(0)),
    |b, others| b.name_value(others.value, "v"),
    |b, others| b.branch(b.param(0), b.entry_block(), &[others.value], others.block, &[]),
    |b, others| b.try_call(b.id(), &[], (others.block, &[]), (b.entry_block(), &[])),
];

#[test]
fn handles_of_another_function_are_errors() {
    let mut module = ModuleBuilder::new("m");
    let (f, g) = (module.export("f", &[Type::I64], &[]), module.export("g", &[Type::I64], &[]));
    let mut b = module.define(f);
    let others = Others {
        value: b.param(0),
        block: b.create_block(""),
        slot: b.create_slot(8),
        exit: b.create_exit(ExitKind::Trap(TrapCode::Bounds), &[]),
        variable: b.declare_variable("v", Type::I64),
    };
    b.return_values(&[]);
    b.finish().unwrap();
    for (i, misuse) in MISUSES.iter().enumerate() {
        let mut b = module.define(g);
        misuse(&mut b, &others);
        let errors = b.finish().unwrap_err();
        assert_eq!(errors.errors[0].fault, Fault::ForeignHandle, "{i}");
        assert!(errors.errors[0].message.contains("is of @f"), "{i}: {errors}");
    }
}

#[test]
fn a_result_that_does_not_exist_is_one_error() {
    let missing = |build: fn(&mut FunctionBuilder<'_>)| {
        assert_eq!(faults(build), [Fault::ForeignHandle]);
    };
    missing(|b| {
        let nothing = b.param(7);
        let sum = b.add(nothing, nothing);
        b.return_values(&[sum]);
    });
    missing(|b| {
        let n = b.param(0);
        let results = b.call(FuncId::from_u32(1), &[n]);
        b.return_values(&[results.first()]);
    });
    missing(|b| {
        let entry = b.entry_block();
        let nothing = b.block_param(entry, 9);
        b.neg(nothing);
    });
}

#[test]
fn wrong_types_are_the_verifiers_errors() {
    let errors = refused(|b| {
        let (n, half) = (b.param(0), b.fconst(Type::F64, 0.5));
        let sum = b.add(n, half);
        b.return_values(&[sum]);
    });
    expect_test::expect![[r#"
        @f, block0: operand 1 is `f64`, not `i64` [type-mismatch]
        block0(%0: i64):
            %2 = add.i64 %0, f64:0.5"#]]
    .assert_eq(&errors.to_string());
    assert_eq!(
        faults(|b| {
            let n = b.param(0);
            b.call(FuncId::from_u32(0), &[]);
            b.jump(b.entry_block(), &[n]);
        }),
        [Fault::Rule(Rule::Arguments), Fault::Rule(Rule::EntryPredecessor)]
    );
}

#[test]
fn instructions_without_a_meaning_are_errors() {
    let meaningless: [fn(&mut FunctionBuilder<'_>); 6] = [
        |b| {
            b.ins(Op::Add, Type::NONE, &[]);
        },
        |b| {
            b.ins(Op::Poll, Type::I8, &[]);
        },
        |b| {
            b.call(FuncId::from_u32(99), &[]);
        },
        |b| {
            b.call_indirect(b.param(0), &[]);
        },
        |b| {
            b.function_addr(FuncId::from_u32(99));
        },
        |b| {
            b.shuffle(b.param(0), b.param(0), &[None; 99]);
        },
    ];
    for (i, build) in meaningless.into_iter().enumerate() {
        assert_eq!(faults(build), [Fault::Instruction], "{i}");
    }
}

#[test]
fn constants_fit_their_type() {
    let unfit: [fn(&mut FunctionBuilder<'_>) -> Value; 9] = [
        |b| b.iconst(Type::I8, 256),
        |b| b.iconst(Type::I8, -129),
        |b| b.iconst(Type::I1, 2),
        |b| b.iconst(Type::F64, 1),
        |b| b.fconst(Type::I64, 1.0),
        |b| b.bits(Type::I16, 0x1_0000),
        |b| b.bits(Type::REF, 8),
        |b| b.vconst(Type::vector(Scalar::I8, 2).unwrap(), &[1]),
        |b| b.zero(Type::TOKEN),
    ];
    for (i, build) in unfit.into_iter().enumerate() {
        assert_eq!(
            faults(|b| {
                build(b);
            }),
            [Fault::Type],
            "{i}"
        );
    }
}

#[test]
fn a_definition_is_made_once_and_where_it_belongs() {
    let mut module = ModuleBuilder::new("m");
    let (f, g) = (module.export("f", &[], &[]), module.import("g", &[], &[]));
    let mut define = |id| {
        let mut b = module.define(id);
        b.return_values(&[]);
        b.finish().map_err(|errors| errors.errors[0].fault)
    };
    assert_eq!(define(f), Ok(f));
    for id in [f, g, FuncId::from_u32(9)] {
        assert_eq!(define(id), Err(Fault::Definition));
    }
    module.finish().unwrap();
}

#[test]
fn declarations_that_cannot_be_are_errors_of_the_module() {
    let mut module = ModuleBuilder::new("m");
    module.import("f", &[], &[]);
    let twice = module.import("f", &[], &[]);
    module.data("f", vec![DataItem::Zero(8)]);
    module.import("g", &[Type::TOKEN], &[]);
    module.declare_data(DataObject { size: 7, ..DataObject::new("d", vec![]) });
    module.export("h", &[], &[]);
    assert!(module.attributes(twice).is_none());
    let errors = module.finish().unwrap_err();
    let faults: Vec<Fault> = errors.errors.iter().map(|error| error.fault).collect();
    assert_eq!(
        faults,
        [
            Fault::Declaration,
            Fault::Declaration,
            Fault::Declaration,
            Fault::Rule(Rule::DataLayout),
            Fault::Rule(Rule::UnknownHandle),
            Fault::Rule(Rule::FunctionBody),
        ]
    );
}

#[test]
fn hints_and_parameters_have_their_place() {
    assert_eq!(faults(|b| b.hint(InstFlags::EXACT)), [Fault::Place]);
    assert_eq!(faults(|b| b.weights(&[1])), [Fault::Place]);
    assert_eq!(faults(|b| b.range(0, 1)), [Fault::Place]);
    assert_eq!(
        faults(|b| {
            b.append_param(b.entry_block(), Type::I8);
        }),
        [Fault::Place]
    );
    let misplaced = faults(|b| {
        let n = b.param(0);
        b.add(n, n);
        b.hint(InstFlags::EXACT);
        b.return_values(&[n]);
    });
    assert_eq!(misplaced, [Fault::Rule(Rule::Flag)]);
}

#[test]
fn errors_beyond_the_limit_are_counted() {
    let errors = refused(|b| {
        let n = b.param(0);
        b.return_values(&[n]);
        for _ in 0..MAX_ERRORS + 5 {
            b.poll();
        }
    });
    assert_eq!((errors.errors.len(), errors.omitted), (MAX_ERRORS, 5));
    assert!(errors.to_string().ends_with("and 5 more"));
}

/// What a misuse is reported as.
type Misuse = (Fault, fn(&mut FunctionBuilder<'_>));

#[test]
fn misuse_of_variables_is_an_error() {
    let misuses: [Misuse; 5] = [
        (Fault::Type, |b| {
            b.declare_variable("t", Type::TOKEN);
        }),
        (Fault::Type, |b| {
            b.declare_variable("t", Type::NONE);
        }),
        (Fault::Type, |b| {
            let v = b.declare_variable("v", Type::I8);
            b.set(v, b.param(0));
        }),
        (Fault::AfterTerminator, |b| {
            let v = b.declare_variable("v", Type::I64);
            b.return_values(&[b.param(0)]);
            b.set(v, b.param(0));
        }),
        (Fault::UnsetVariable, |b| {
            let v = b.declare_variable("v", Type::I64);
            let value = b.get(v);
            b.return_values(&[value]);
        }),
    ];
    for (fault, build) in misuses {
        assert_eq!(faults(build), [fault]);
    }
}

#[test]
fn a_variable_that_one_path_leaves_unset_is_an_error_of_that_path() {
    let errors = refused(|b| {
        let (yes, no, end) = (b.create_block("yes"), b.create_block("no"), b.create_block("end"));
        let v = b.declare_variable("v", Type::I64);
        let n = b.param(0);
        let is_zero = {
            let zero = b.iconst(Type::I64, 0);
            b.icmp(IntCond::Eq, n, zero)
        };
        b.branch(is_zero, yes, &[], no, &[]);
        b.switch_to(yes);
        b.set(v, n);
        b.jump(end, &[]);
        b.switch_to(no);
        b.jump(end, &[]);
        b.switch_to(end);
        let value = b.get(v);
        b.return_values(&[value]);
    });
    expect_test::expect![[r#"
        @f, block0: `v` may be read without having been set, on a path from here; set it first [unset-variable]
        block0(%0: i64):
            %2 = icmp.i64 eq %0, 0
            branch %2, yes, no"#]]
    .assert_eq(&errors.to_string());
}

#[test]
fn an_error_shows_no_more_of_a_huge_instruction_than_can_be_read() {
    let errors = refused(|b| {
        let (n, next) = (b.param(0), b.create_block("next"));
        let cases: Vec<(i128, Block, &[Value])> =
            (0..10_000).map(|case| (case, next, &[][..])).collect();
        b.switch(n, &cases, next, &[]);
        b.poll();
    });
    assert!(errors.to_string().len() < 1000, "{}", errors.to_string().len());
}
