//! Work grows as the module does.

use std::fmt::Write;

use super::*;
use crate::entity::ValueList;
use crate::instruction::{InstData, Payload};
use crate::types::Type;

fn work_of(module: &Module, expected: Expected) -> u64 {
    let options = Options::default();
    let mut report = Report::new(module, options.max_errors);
    check_module(module, &options, &mut report);
    let work = report.work;
    assert_eq!(report.finish().is_ok(), expected == Expected::Module);
    work
}

fn straight(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x0: i64):\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "%x{} = add.i64 %x{i}, %x{}", i + 1, i / 2);
    }
    let _ = writeln!(text, "return %x{n}\n}}");
    text
}

fn diamonds(n: usize) -> String {
    let mut text = "func @f(i1) {\nb0(%c: i1):\njump d0\n".to_owned();
    for i in 0..n {
        let next = i + 1;
        let _ = writeln!(
            text,
            "d{i}:\nbranch %c, l{i}, r{i}\nl{i}:\njump d{next}\nr{i}:\njump d{next}"
        );
    }
    let _ = writeln!(text, "d{n}:\nreturn\n}}");
    text
}

/// Regions in regions, all left at once by as many blocks.
fn nesting(n: usize) -> String {
    let mut text = "func @f(i64) {\nb(%x: i64):\njump e0\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "e{i}:\nenter e{}, unwind h{i}\nh{i}:\nunreachable", i + 1);
        let _ = writeln!(text, "l{i}:\nleave {n}\nreturn");
    }
    let _ = write!(text, "e{n}:\nswitch.i64 %x, [");
    for i in 0..n {
        let _ = write!(text, "{}{i}: l{i}", if i == 0 { "" } else { ", " });
    }
    text.push_str("], l0\n}");
    text
}

fn wide_switch(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x: i64):\nswitch.i64 %x, [".to_owned();
    for i in 0..n {
        let _ = write!(text, "{}{i}: t(%x)", if i == 0 { "" } else { ", " });
    }
    text.push_str("], t(%x)\nt(%y: i64):\nreturn %y\n}");
    text
}

fn many_params(n: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let params = list(&|i| format!("%p{i}: i64"));
    let args = list(&|i| format!("%p{}", (i + 1) % n));
    let first = list(&|i| i.to_string());
    format!(
        "func @f(i1) -> i64 {{\nb(%c: i1):\njump t({first})\nt({params}):\nbranch %c, t({args}), d\nd:\nreturn %p0\n}}"
    )
}

fn loops(n: usize) -> String {
    let mut text = "func @f(i1) {\nb(%c: i1):\njump h0\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "h{i}:\nloop_mark simd\njump h{}", i + 1);
    }
    let _ = writeln!(text, "h{n}:\njump t{}", n - 1);
    for i in (0..n).rev() {
        let next = if i == 0 { "end".to_owned() } else { format!("t{}", i - 1) };
        let _ = writeln!(text, "t{i}:\nbranch %c, h{i}, {next}");
    }
    text.push_str("end:\nreturn\n}");
    text
}

fn signatures(n: usize) -> String {
    (0..n).map(|i| format!("import func @f{i}([{i} x i8]) -> i64\n")).collect()
}

/// A dominator tree as deep as there are blocks, from whose end all values
/// are used, and whose every block may also go to one end.
fn deep_tree(n: usize) -> String {
    let mut text = "func @f(i1, i64) -> i64 {\nb(%c: i1, %v0: i64):\njump t1\n".to_owned();
    for i in 1..=n {
        let _ = writeln!(text, "t{i}:\n%v{i} = add.i64 %v{}, 1", i - 1);
        let _ = writeln!(text, "branch %c, t{}, end(%v{i})", i + 1);
    }
    let _ = writeln!(text, "t{}:", n + 1);
    for i in 0..=n {
        let _ = writeln!(text, "%w{i} = add.i64 %v{i}, %v{}", n - i);
    }
    text.push_str("jump end(%w0)\nend(%x: i64):\nreturn %x\n}");
    text
}

/// Calls in nested regions, each with its handler, left one by one.
fn handlers(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x: i64):\njump e0\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "e{i}:\nenter g{i}, unwind h{i}");
        let _ = writeln!(text, "g{i}:\n%y{i} = call @f(%x)\njump e{}", i + 1);
        let out = if i == 0 { "return %x".to_owned() } else { format!("jump l{}", i - 1) };
        let _ = writeln!(text, "h{i}:\n{out}\nl{i}:\nleave 1\n{out}");
    }
    let _ = writeln!(text, "e{n}:\njump l{}\n}}", n - 1);
    text
}

/// Calls whose unwind edges all lead to one handler.
fn one_handler(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x: i64):\njump n0(%x)\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "n{i}(%v{i}: i64):");
        let _ =
            writeln!(text, "%r{i} = try_call @f(%v{i}) normal n{}(%r{i}), unwind h(%v{i})", i + 1);
    }
    let _ = writeln!(text, "n{n}(%v{n}: i64):\nreturn %v{n}\nh(%y: i64):\nreturn %y\n}}");
    text
}

/// Preserved references, begun one after the other and ended behind all branches.
fn preserve_pairs(n: usize) -> String {
    let mut text = "func @f(ref, i1) {\nb(%r: ref, %c: i1):\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "%t{i} = preserve_begin %r, %r\nbranch %c, l{i}, r{i}");
        let _ = writeln!(text, "l{i}:\njump j{i}\nr{i}:\njump j{i}\nj{i}:");
    }
    for i in (0..n).rev() {
        let _ = writeln!(text, "preserve_end %t{i}");
    }
    text.push_str("return\n}");
    text
}

/// Each case goes to a block of its own, all of which use what stands above.
fn forked_switch(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x: i64):\nswitch.i64 %x, [".to_owned();
    for i in 0..n {
        let _ = write!(text, "{}{}: t{i}(%x)", if i == 0 { "" } else { ", " }, n - i);
    }
    text.push_str("], t0(%x)\n");
    for i in 0..n {
        let _ = writeln!(text, "t{i}(%y{i}: i64):\n%z{i} = add.i64 %x, %y{i}\nreturn %z{i}");
    }
    text + "}"
}

/// Tail calls and exits to a function that gives thousands of results.
fn tail_calls(n: usize) -> String {
    let results = vec!["i64"; 4000].join(", ");
    let mut text = format!("import func @g() -> ({results})\nfunc @f(i64) -> ({results}) {{\n");
    (0..n).for_each(|i| text.push_str(&format!("exit{i} = deopt @g\n")));
    text.push_str("b(%x: i64):\njump t0\n");
    (0..n).for_each(|i| text.push_str(&format!("t{i}:\nreturn_call @g()\n")));
    text + "}"
}

/// Nothing but errors, of three rules.
fn errors(n: usize) -> String {
    let mut text = "func @f(i64, i1) {\nb(%x: i64, %c: i1):\njump t0\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "t{i}:\n%y{i} = add.i32 %x, %x\nbranch %c, t{i}(%x), t{}", i + 1);
    }
    let _ = writeln!(text, "t{n}:\nreturn %x\n}}");
    text
}

/// Uses before their definition, and edges into regions from outside.
fn flow_errors(n: usize) -> String {
    let mut text = "func @f(i64, i1) {\nb(%x: i64, %c: i1):\njump t0\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "t{i}:\n%y{i} = add.i64 %x, %y{}", i + 1);
        let _ = writeln!(text, "branch %c, e{i}, g{i}\ne{i}:\nenter g{i}, unwind h");
        let _ = writeln!(text, "g{i}:\nleave 1\njump t{}", i + 1);
    }
    let _ = writeln!(text, "t{n}:\n%y{n} = add.i64 %x, %x\nreturn\nh:\nreturn\n}}");
    text
}

/// Calls that take none of the thousands of results, of a type that takes
/// thousands of words to write out: no text says that, but a body can.
fn calls_without_results(n: usize) -> Module {
    let results = vec!["i64"; 4000].join(", ");
    let mut module = parse(&format!(
        "import func @g() -> ({results})\nfunc @f({{{results}}}) {{\nb(%x: {{{results}}}):\nreturn\n}}"
    ));
    let id = module.function_named("f").unwrap();
    let callee = Payload::Function(module.function_named("g").unwrap());
    let body = module.function_mut(id).unwrap().body.as_mut().unwrap();
    let entry = body.layout.entry().unwrap();
    let (end, param) = (body.layout.last_inst(entry).unwrap(), body.params(entry)[0]);
    for i in 0..n {
        let args = body.list(&[param]);
        let data = match i % 2 {
            0 => InstData::new(Op::Call, Type::NONE, ValueList::default(), callee),
            _ => InstData::new(Op::Neg, Type::I64, args, Payload::None),
        };
        body.insert_inst(end, data, &[]);
    }
    module
}

/// Whether a shape is a module, or full of errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Module,
    Errors,
}

/// A name, what is made in a size, the size, and the steps for each part.
type Shape = (&'static str, fn(usize) -> Module, usize, u64, Expected);

macro_rules! texts {
    ($($name:ident, $size:literal, $per_part:literal, $expected:ident;)*) => {
        &[$((stringify!($name), |n| parse(&$name(n)), $size, $per_part, Expected::$expected)),*]
    };
}

const TEXTS: &[Shape] = texts! {
    straight, 100_000, 11, Module;
    diamonds, 50_000, 45, Module;
    nesting, 50_000, 56, Module;
    wide_switch, 100_000, 11, Module;
    forked_switch, 50_000, 34, Module;
    many_params, 30_000, 9, Module;
    loops, 30_000, 40, Module;
    signatures, 10_000, 4, Module;
    deep_tree, 30_000, 48, Module;
    handlers, 30_000, 82, Module;
    one_handler, 30_000, 35, Module;
    preserve_pairs, 30_000, 64, Module;
    tail_calls, 30_000, 7, Module;
    errors, 30_000, 36, Errors;
    flow_errors, 30_000, 80, Errors;
};

#[test]
fn twice_the_size_is_twice_the_work_on_every_shape() {
    let built: Shape =
        ("calls without results", calls_without_results, 30_000, 4, Expected::Errors);
    for &(name, shape, size, per_part, expected) in TEXTS.iter().chain([&built]) {
        let [half, whole] = [size / 2, size].map(|size| work_of(&shape(size), expected));
        assert!(whole <= per_part * size as u64, "{name} of {size}: {whole} steps");
        // The logarithms of dominators and regions are a tenth at these sizes.
        assert!(whole <= half * 22 / 10, "{name}: {half} steps, of twice the size {whole}");
    }
}
