//! What stands in one stencil where two instructions were written.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use brolga_baseline::Baseline;
use brolga_ir::text::parse_module;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

/// The machine code of a function.
fn code(text: &str) -> Vec<u8> {
    let module = parse_module(text).unwrap();
    let isa = Isa::new(TargetSpec::host().unwrap(), IsaOptions::default()).unwrap();
    let f = module.function_named("f").unwrap();
    let options = LowerOptions::default();
    let unit = Baseline::new().begin(&module, &isa, &options).unwrap().lower(f);
    unit.unwrap_or_else(|reason| panic!("{reason}: {text}")).code
}

/// Whether an answer of flags is made a number: `setcc`.
fn makes_answers(code: &[u8]) -> bool {
    code.windows(2).any(|bytes| bytes[0] == 0x0f && bytes[1] >> 4 == 9)
}

fn branch_on(compare: &str, result: &str) -> String {
    format!(
        "func @f(i64, i64, f64) -> (i64, i1) {{
b(%x: i64, %y: i64, %z: f64):
    %c = {compare}
    branch %c, one, other
one:
    return %x, {result}
other:
    return %y, {result}
}}"
    )
}

#[test]
fn a_compare_that_a_branch_alone_wants_leaves_no_answer() {
    for compare in ["icmp.i64 slt %x, %y", "icmp.i64 uge %x, 1000", "fcmp.f64 olt %z, 0.5"] {
        assert!(!makes_answers(&code(&branch_on(compare, "1"))), "{compare}");
        assert!(makes_answers(&code(&branch_on(compare, "%c"))), "{compare} is returned, too");
    }
}

#[test]
fn a_compare_that_a_check_alone_wants_leaves_no_answer() {
    let text = "func @f(i64, i64) -> i64 {
    exit0 = trap bounds
b(%x: i64, %y: i64):
    %c = icmp.i64 ult %x, %y
    check %c, exit0
    return %x
}";
    assert!(!makes_answers(&code(text)));
}

/// A constant in front is brought to a register first: what has it inside is shorter.
#[test]
fn a_constant_behind_stands_inside() {
    let with = |op: &str, operands: &str| {
        let (op, condition) = op.split_once(' ').unwrap_or((op, ""));
        let result = if op == "icmp" { "i1" } else { "i64" };
        let text = format!(
            "func @f(i64) -> {result} {{
b(%x: i64):
    %y = {op}.i64 {condition} {operands}
    return %y
}}"
        );
        code(&text).len()
    };
    let ops = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "rotl", "rotr"];
    for op in ops.into_iter().chain(["icmp eq", "icmp slt", "icmp ugt"]) {
        let (inside, brought) = (with(op, "%x, 37"), with(op, "37, %x"));
        assert!(inside < brought, "{op}: {inside} and {brought}");
    }
}
