use std::fmt::Write;

use brolga_ir::text::parse_module;

use super::*;
use crate::analysis::Analyses;
use crate::options::LowerOptions;
use crate::pass::{Inlined, Journal, Statistics};
use crate::target::TargetSpec;

/// What the pass says of @f, whose calls may hand that many values to handlers.
fn expanded(text: &str, max_parts: usize) -> PassResult<u64> {
    let mut module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let target = TargetSpec::parse("x86_64-linux/x86-64").unwrap();
    let function = module.function_named("f").unwrap();
    let mut body = module.function_mut(function).unwrap().body.take().unwrap();
    let (module, target) = (&mut module, &target);
    let (analyses, inlined) = (&mut Analyses::default(), &mut Inlined::default());
    let (statistics, option, journal) = (&mut Statistics::default(), "", Journal::default());
    let mut context = PassContext {
        module,
        function,
        target,
        max_parts,
        analyses,
        inlined,
        option,
        next_option: None,
        statistics,
        journal,
    };
    expand_regions(&mut body, &mut context)
}

/// Calls in one region, one after another.
fn calls(n: usize) -> String {
    let mut text = "import func @g(i64) -> i64\nfunc @f(i64) -> i64 {\nb(%x0: i64):\nenter i, \
                    unwind h(%x0)\ni:\n"
        .to_owned();
    (0..n).for_each(|i| writeln!(text, "%x{} = call @g(%x{i})", i + 1).unwrap());
    text + &format!("leave 1\nreturn %x{n}\nh(%e: i64):\nreturn %e\n}}")
}

/// Regions inside one another, all left at once by as many blocks.
fn left_at_once(n: usize) -> String {
    let mut text = "func @f(i64) {\nb(%x: i64):\njump e0\n".to_owned();
    for i in 0..n {
        let next = i + 1;
        writeln!(text, "e{i}:\nenter e{next}, unwind h{i}\nh{i}:\nunreachable").unwrap();
        writeln!(text, "l{i}:\nleave {n}\nreturn").unwrap();
    }
    let cases: Vec<String> = (0..n).map(|i| format!("{i}: l{i}")).collect();
    text + &format!("e{n}:\nswitch.i64 %x, [{}], l0\n}}", cases.join(", "))
}

/// Regions inside one another, left one by one, with calls and throws in each.
fn left_one_by_one(n: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nb(%x: i64):\njump e0\n".to_owned();
    for i in 0..n {
        let out = if i == 0 { "return %x".to_owned() } else { format!("jump l{}", i - 1) };
        writeln!(text, "e{i}:\nenter g{i}, unwind h{i}\ng{i}:\n%y{i} = call @f(%x)").unwrap();
        writeln!(text, "%c{i} = icmp.i64 eq %y{i}, 0\nbranch %c{i}, t{i}, e{}", i + 1).unwrap();
        writeln!(text, "t{i}:\nthrow null\nh{i}:\n{out}\nl{i}:\nleave 1\n{out}").unwrap();
    }
    text + &format!("e{n}:\njump l{}\n}}", n - 1)
}

/// Calls in a region whose handler takes as many values.
fn handed(n: usize) -> String {
    let params: Vec<String> = (0..n).map(|i| format!("%p{i}: i64")).collect();
    let args = vec!["%x"; n].join(", ");
    let calls = "call @g()\n".repeat(n);
    format!(
        "import func @g()\nfunc @f(i64) {{\nb(%x: i64):\nenter i, unwind h({args})\ni:\n{calls}\
         leave 1\nreturn\nh({}):\nreturn\n}}",
        params.join(", ")
    )
}

#[test]
fn twice_the_size_is_twice_the_work_on_every_shape() {
    type Shape = (&'static str, fn(usize) -> String, u64);
    let shapes: [Shape; 3] = [
        ("calls", calls, 5),
        ("left at once", left_at_once, 40),
        ("left one by one", left_one_by_one, 20),
    ];
    let size = 30_000;
    let limit = LowerOptions::default().max_parts();
    for (name, shape, per_part) in shapes {
        let [half, whole] = [size / 2, size].map(|size| expanded(&shape(size), limit).unwrap());
        assert!(whole <= per_part * size as u64, "{name} of {size}: {whole} steps");
        // The logarithms of deep regions are a tenth at these sizes.
        assert!(whole <= half * 22 / 10, "{name}: {half} steps, of twice the size {whole}");
    }
}

#[test]
fn values_for_handlers_are_refused_once_they_are_too_many() {
    assert!(expanded(&handed(30), 900).is_ok());
    let error = expanded(&handed(30), 899);
    assert_eq!(error, Err(PassError::TooManyParts { count: 900, limit: 899 }));
    let limit = LowerOptions::default().max_parts();
    let Err(PassError::TooManyParts { count, .. }) = expanded(&handed(20_000), limit) else {
        panic!("400 million values are within the limit");
    };
    assert!(count <= limit + 20_000, "{count}");
}
