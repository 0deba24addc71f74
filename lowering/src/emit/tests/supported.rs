//! What the targets are asked for: they do it, or the error says what is missing.

use brolga_ir::op::Op;

use super::instance_texts::{computes, instances};
use super::*;
use crate::error::CompileError;
use crate::level::Level;
use crate::options::Verification;
use crate::unit::CompiledUnit;

/// The targets with the least, and this machine.
fn isas() -> [Isa; 3] {
    let host = Isa::host(IsaOptions::default()).unwrap();
    [isa(TARGETS[0]), host, isa("aarch64-unknown-linux-gnu/generic")]
}

fn compile(
    text: &str,
    isa: &Isa,
    verification: Verification,
) -> Result<CompiledUnit, CompileError> {
    let module = module(text);
    let id = module.function_named("f").unwrap();
    // Passes would take out what nobody uses.
    let options = LowerOptions { level: Level::O0, verification, ..Default::default() };
    lower_function(&module, id, isa, &options)
}

#[test]
fn every_legal_instance_compiles_for_every_target() {
    for isa in isas() {
        let mut count = 0;
        for &op in Op::ALL.iter().filter(|&&op| computes(op)) {
            for text in instances(op) {
                let outcome = compile(&text, &isa, Verification::Perform);
                assert!(outcome.is_ok(), "{} {text}{outcome:?}", isa.spec());
                count += 1;
            }
        }
        assert!(count > 1200, "{count}");
    }
}

#[test]
fn types_that_no_verified_module_has_are_named_with_the_op_and_its_place() {
    let byte = "func @f(i8) -> i8 {\nentry(%a: i8):\n    %r = bswap.i8 %a\n    return %r\n}";
    let lanes = "func @f(ptr) {\nentry(%p: ptr):\n    %r = atomic_load.i32x3 seq_cst %p\n    \
                 return\n}";
    for (text, fault) in [
        (byte, "`bswap` in block0, line 3: nothing computes `bswap` at i8 from i8"),
        (lanes, "`atomic_load` in block0, line 3: `atomic_load` takes and gives no vectors here"),
    ] {
        for isa in isas() {
            let error = compile(text, &isa, Verification::Omit).unwrap_err();
            assert!(matches!(error, CompileError::Illegal { .. }), "{error:?}");
            let advice = "verify the module, and report this if it passes";
            assert_eq!(error.to_string(), format!("@f: {fault}; {advice}"));
        }
    }
}

/// An atomic op each, at 128 bits.
const WIDE_ATOMICS: &[(&str, &str)] = &[
    ("atomic_load", "%r = atomic_load.i128 seq_cst %p"),
    ("atomic_store", "atomic_store.i128 relaxed %x, %p"),
    ("atomic_rmw", "%r = atomic_rmw.i128 add seq_cst %p, %x"),
    ("atomic_cas", "%r, %s = atomic_cas.i128 seq_cst seq_cst %p, 0, %x"),
];

#[test]
fn atomic_accesses_of_128_bits_name_the_feature_that_the_cpu_lacks() {
    const LACKS: &str = "an atomic access of 128 bits needs the CPU feature `cx16`, which \
                         x86_64-unknown-linux-gnu/x86-64 lacks";
    const NEVER: &str = "atomic accesses of 128 bits are not compiled for aarch64, \
                         whatever the CPU's features";
    for (target, fault) in [
        ("x86_64-unknown-linux-gnu/x86-64", Some(LACKS)),
        ("x86_64-unknown-linux-gnu/x86-64,+cx16", None),
        ("x86_64-unknown-linux-gnu/x86-64-v2", None),
        ("x86_64-unknown-linux-gnu/x86-64-v3", None),
        ("aarch64-unknown-linux-gnu/generic", Some(NEVER)),
        ("aarch64-unknown-linux-gnu/neoverse-v2", Some(NEVER)),
    ] {
        let isa = isa(target);
        for (op, body) in WIDE_ATOMICS {
            let text = format!(
                "func @f(ptr, i128) {{\nentry(%p: ptr, %x: i128):\n    {body}\n    return\n}}"
            );
            match (compile(&text, &isa, Verification::Perform), fault) {
                (Ok(_), None) => {}
                (Err(error), Some(fault)) => {
                    assert!(matches!(error, CompileError::Unsupported { .. }), "{error:?}");
                    let place = format!("@f: `{op}` in block0, line 3");
                    let advice = "the interpreter can run it";
                    assert_eq!(error.to_string(), format!("{place}: {fault}; {advice}"));
                }
                (found, _) => panic!("{target} {op}: {found:?}"),
            }
        }
    }
}

#[test]
fn vectors_end_within_reach_of_their_references() {
    let last = i32::MAX - 40;
    for (ty, offset, compiles) in
        [("ptr", last + 1, true), ("ref", last, true), ("ref", last + 1, false)]
    {
        let text = format!(
            "func @f({ty}) -> i32x10 {{\nentry(%p: {ty}):\n    %x = load.i32x10 %p+{offset}\n    \
             return %x\n}}"
        );
        for isa in isas() {
            match compile(&text, &isa, Verification::Perform) {
                Ok(_) => assert!(compiles, "{text}"),
                Err(error) => {
                    assert!(!compiles && error.to_string().contains("too far from its reference"));
                }
            }
        }
    }
}

#[test]
fn managed_ops_are_refused_as_such_at_vectors_of_any_length() {
    for ty in ["f32", "f32x4", "f32x3", "f32x16"] {
        let text = format!(
            "func @f(ref) {{\nentry(%a: ref):\n    %x = array_get.{ty} %a, 0\n    return\n}}"
        );
        for isa in isas() {
            let error = compile(&text, &isa, Verification::Perform).unwrap_err();
            assert_eq!(
                error.to_string(),
                "@f: `array_get` in block0, line 3: managed ops are not compiled yet; \
                 the interpreter can run it"
            );
        }
    }
}

#[test]
fn masked_accesses_through_managed_references_are_refused_as_of_the_managed_dialect() {
    let load = "%r = masked_load.i32x4 <1, 0, 1, 0>, %p, <1, 2, 3, 4>";
    let store = "masked_store.i32x4 <1, 0, 1, 0>, <1, 2, 3, 4>, %p";
    let isas = isas();
    for (op, body) in [("masked_load", load), ("masked_store", store)] {
        for (ty, compiles) in [("ptr", true), ("ref", false), ("derived", false), ("loaded", false)]
        {
            let text = format!("func @f({ty}) {{\nentry(%p: {ty}):\n    {body}\n    return\n}}");
            for isa in &isas {
                match compile(&text, isa, Verification::Perform) {
                    Ok(_) => assert!(compiles, "{text}"),
                    Err(error) => {
                        assert!(!compiles, "{error}");
                        assert_eq!(
                            error.to_string(),
                            format!(
                                "@f: `{op}` in block0, line 3: masked accesses through references \
                                 of the managed dialect are not compiled yet, only through `ptr`; \
                                 the interpreter can run it"
                            )
                        );
                    }
                }
            }
        }
    }
}
