//! Work grows as the module does.

use std::fmt::Write;

use super::*;

fn work_of(text: &str) -> u64 {
    let module = parse(text);
    let options = Options::default();
    let mut report = Report::new(&module, options.max_errors);
    check_module(&module, &options, &mut report);
    let work = report.work;
    assert_eq!(report.finish(), Ok(()));
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

/// A name, a text of that size, the size, and the steps for each part.
type Shape = (&'static str, fn(usize) -> String, usize, u64);

#[test]
fn work_is_linear_on_every_shape() {
    let shapes: [Shape; 7] = [
        ("straight", straight, 100_000, 11),
        ("diamonds", diamonds, 50_000, 45),
        ("nesting", nesting, 50_000, 56),
        ("wide switch", wide_switch, 100_000, 11),
        ("many parameters", many_params, 30_000, 9),
        ("loops", loops, 30_000, 40),
        ("signatures", signatures, 10_000, 4),
    ];
    for (name, shape, size, per_part) in shapes {
        for size in [size / 10, size] {
            let work = work_of(&shape(size));
            assert!(work <= per_part * size as u64, "{name} of {size}: {work} steps");
        }
    }
}
