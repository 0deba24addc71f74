use std::collections::BTreeSet;

use brolga_ir::op::Pattern;
use brolga_ir::types::{Scalar, Type};
use brolga_ir::verify::{Options, verify_module};

use super::*;
use crate::emit::Compiler;
use crate::options::LowerOptions;
use crate::target::{Isa, IsaOptions, TargetSpec};
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

#[test]
fn the_least_cpu_of_each_kind_needs_nothing_but_the_prelude_for_it() {
    for target in ["x86_64-unknown-linux-gnu/x86-64", "aarch64-unknown-linux-gnu/generic"] {
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
