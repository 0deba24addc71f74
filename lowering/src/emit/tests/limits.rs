//! Short texts that mean much code: each compiles, or says which limit it breaks.

use super::*;
use crate::error::CompileError;
use crate::unit::CompiledUnit;

fn compile(text: &str, isa: &Isa) -> Result<CompiledUnit, CompileError> {
    let module = module(text);
    let id = module.function_named("f").unwrap();
    lower_function(&module, id, isa, &LowerOptions::default())
}

/// A chain of blocks that hand on an array of `length`.
fn handed_on(length: usize, blocks: usize) -> String {
    let ty = format!("[{length} x i64]");
    let mut text = "func @f(i1) -> i64 {\nstart(%c: i1):\n    jump b0(zero)\n".to_owned();
    for i in 0..blocks {
        let next = i + 1;
        text += &format!("b{i}(%x{i}: {ty}):\n    branch %c, b{next}(%x{i}), end(%x{i})\n");
    }
    let last = format!("b{blocks}(%x{blocks}: {ty}):\n    jump end(%x{blocks})\n");
    let end = format!("end(%z: {ty}):\n    %r = extract_value.{ty} %z, 0\n    return %r\n}}\n");
    text + &last + &end
}

/// As many exits, each with an array.
fn exits(length: usize, count: usize) -> String {
    let ty = format!("[{length} x i64]");
    let mut text = "func @f(i1) {\n".to_owned();
    (0..count).for_each(|i| text += &format!("    exit{i} = side {i} ({ty})\n"));
    text += "start(%c: i1):\n";
    (0..count).for_each(|i| text += &format!("    check %c, exit{i}(zero)\n"));
    text + "    return\n}\n"
}

#[test]
fn values_of_too_many_parts_are_refused_before_they_come_apart() {
    let isa = isa(TARGETS[0]);
    for text in [handed_on(65536, 1000), exits(65536, 1000)] {
        let error = compile(&text, &isa).unwrap_err();
        let CompileError::TooManyParts { count, limit: 8_000_000, .. } = error else {
            panic!("{error}");
        };
        assert!(count > 100 * 1_000_000, "{count}");
    }
    compile(&handed_on(64, 100), &isa).unwrap();
    compile(&exits(64, 100), &isa).unwrap();
}

/// A region with as many calls, one after another.
fn calls_in_a_region(count: usize) -> String {
    let mut text = "import func @g(i64) -> i64\nfunc @f(i64) -> i64 {\nstart(%x0: i64):\n    \
                    enter inside, unwind handler(%x0)\ninside:\n"
        .to_owned();
    (0..count).for_each(|i| text += &format!("    %x{} = call @g(%x{i})\n", i + 1));
    text + &format!("    leave 1\n    return %x{count}\nhandler(%e: i64):\n    return %e\n}}\n")
}

/// Regions inside one another, whose innermost calls.
fn nested_regions(count: usize) -> String {
    let mut text = "import func @g(i64) -> i64\nfunc @f(i64) -> i64 {\nstart(%x: i64):\n    \
                    jump r0\n"
        .to_owned();
    (0..count).for_each(|i| text += &format!("r{i}:\n    enter r{}, unwind h{i}\n", i + 1));
    text += &format!("r{count}:\n    %y = call @g(%x)\n    leave {count}\n    return %y\n");
    for i in 0..count {
        let leave = if i == 0 { String::new() } else { format!("    leave {i}\n") };
        text += &format!("h{i}:\n    %q{i} = call @g({i})\n{leave}    return %q{i}\n");
    }
    text + "}\n"
}

/// A switch whose ways have blocks of their own.
fn ways(count: usize) -> String {
    let cases: Vec<String> = (0..count).map(|i| format!("{}: out{i}(%x)", i * 7)).collect();
    let mut text = format!(
        "func @f(i64) -> i64 {{\nstart(%x: i64):\n    switch.i64 %x, [{}], other\n",
        cases.join(", ")
    );
    (0..count).for_each(|i| text += &format!("out{i}(%p{i}: i64):\n    return {i}\n"));
    text + "other:\n    return -1\n}\n"
}

/// A loop of so many values, each of which takes another's place.
fn rotating(count: usize) -> String {
    let mut text = "func @f(i64, i1) -> i64 {\nstart(%x: i64, %c: i1):\n".to_owned();
    (0..count).for_each(|i| text += &format!("    %a{i} = mul.i64 %x, {}\n", i + 3));
    let list = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(", ");
    text += &format!("    jump m({})\n", list(&|i| format!("%a{i}")));
    text += &format!("m({}):\n", list(&|i| format!("%p{i}: i64")));
    let turned = list(&|i| format!("%p{}", (i + 1) % count));
    text += &format!("    branch %c, m({turned}), end\nend:\n    %s0 = or.i64 %p0, 0\n");
    (1..count).for_each(|i| text += &format!("    %s{i} = xor.i64 %s{}, %p{i}\n", i - 1));
    text + &format!("    return %s{}\n}}\n", count - 1)
}

#[test]
fn long_functions_of_every_shape_compile() {
    let texts = [calls_in_a_region(100_000), nested_regions(2_000), ways(20_000), rotating(10_000)];
    for text in texts {
        for target in [TARGETS[0], TARGETS[2]] {
            compile(&text, &isa(target)).unwrap();
        }
    }
}
