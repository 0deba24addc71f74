use std::collections::BTreeSet;

use brolga_ir::op::{Op, Pattern};
use brolga_ir::types::{Scalar, Type};
use brolga_ir::verify::{Options, verify_module};

use super::*;
use crate::emit::Compiler;
use crate::options::LowerOptions;
use crate::target::{
    Expansion, Isa, IsaOptions, MachineType, Primitive, Support, TargetSpec, support,
};
use crate::unit::UnitSymbol;

#[test]
fn the_text_of_the_prelude_is_read_without_error() {
    let text = TEXTS.concat();
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(module.functions().len(), super::module().functions().len());
    for (_, function) in module.functions() {
        assert!(function.name.starts_with(PRELUDE_PREFIX), "{}", function.name);
        assert!(function.body.is_some(), "{}", function.name);
    }
    verify_module(&module, &Options::default()).unwrap();
}

/// As what the prelude passes values of the type.
fn passed(ty: Type) -> Type {
    match ty.lane() {
        Some(Scalar::F16 | Scalar::Bf16) => Type::I16,
        _ => ty,
    }
}

#[test]
fn each_function_of_the_table_has_the_operands_and_results_of_its_op() {
    for function in FUNCTIONS {
        let info = function.op.info();
        let id = module().function_named(function.name).expect(function.name);
        let signature = module().signature_of(id);
        let operands = vec![passed(function.from); info.operands.len()];
        assert_eq!(signature.param_types().collect::<Vec<_>>(), operands, "{}", function.name);
        let result = |pattern: &Pattern| passed(pattern.resolve(function.to).unwrap());
        let results: Vec<Type> = info.results.iter().map(result).collect();
        assert_eq!(signature.result_types().collect::<Vec<_>>(), results, "{}", function.name);
        let found = function_for(function.op, function.from, function.to);
        assert_eq!(found, Some(function.name));
    }
    let names: BTreeSet<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    assert_eq!(names.len(), FUNCTIONS.len());
}

const LEAST: [&str; 2] = ["x86_64-unknown-linux-gnu/x86-64", "aarch64-unknown-linux-gnu/generic"];

const SCALARS: [(MachineType, Type); 7] = [
    (MachineType::I8, Type::I8),
    (MachineType::I16, Type::I16),
    (MachineType::I32, Type::I32),
    (MachineType::I64, Type::I64),
    (MachineType::I128, Type::I128),
    (MachineType::F32, Type::F32),
    (MachineType::F64, Type::F64),
];

#[test]
fn what_the_legality_table_leaves_to_the_prelude_is_there() {
    let expanded = [
        (Primitive::Smulhi, Op::Smulhi),
        (Primitive::Umulhi, Op::Umulhi),
        (Primitive::Sdiv, Op::Sdiv),
        (Primitive::Udiv, Op::Udiv),
        (Primitive::Srem, Op::Srem),
        (Primitive::Urem, Op::Urem),
        (Primitive::SmulOverflow, Op::SmulOverflow),
        (Primitive::UmulOverflow, Op::UmulOverflow),
        (Primitive::Ceil, Op::Fceil),
        (Primitive::Floor, Op::Ffloor),
        (Primitive::Trunc, Op::Ftrunc),
        (Primitive::Nearest, Op::Fnearest),
        (Primitive::Fma, Op::Fma),
        (Primitive::FcvtFromSint, Op::Sitofp),
        (Primitive::FcvtFromUint, Op::Uitofp),
        (Primitive::FcvtToSintSat, Op::FptosiSat),
        (Primitive::FcvtToUintSat, Op::FptouiSat),
    ];
    for target in LEAST {
        let spec = TargetSpec::parse(target).unwrap();
        for &primitive in Primitive::ALL {
            for ((from, from_type), (to, to_type)) in
                SCALARS.into_iter().flat_map(|from| SCALARS.map(|to| (from, to)))
            {
                if support(&spec, primitive, from, to) != Support::Expand(Expansion::Prelude) {
                    continue;
                }
                let row = expanded.iter().find(|(it, _)| *it == primitive);
                let (_, op) =
                    row.unwrap_or_else(|| panic!("{primitive:?} is no op of the prelude"));
                let found = function_for(*op, from_type, to_type);
                assert!(found.is_some(), "{target}: {op} of {from_type} to {to_type}");
            }
        }
    }
}

#[test]
fn the_least_cpu_of_each_kind_needs_nothing_but_the_prelude_for_it() {
    for target in LEAST {
        let isa = Isa::new(TargetSpec::parse(target).unwrap(), IsaOptions::default()).unwrap();
        let mut compiler = Compiler::new();
        for function in FUNCTIONS {
            let id = module().function_named(function.name).unwrap();
            let unit = compiler.lower_function(module(), id, &isa, &LowerOptions::default());
            let unit = unit.unwrap_or_else(|error| panic!("{target}: {error}"));
            for relocation in &unit.relocations {
                let known =
                    matches!(relocation.symbol, UnitSymbol::Prelude(_) | UnitSymbol::Runtime(_));
                assert!(known, "{target} {}: {}", function.name, relocation.symbol);
            }
        }
    }
}
