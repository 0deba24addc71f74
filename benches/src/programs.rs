//! Programs of any size for the benches, made by rule.

use std::fmt::Write;
use std::path::PathBuf;

use crate::source::{Format, Source};

/// A module with one function of about `ops` instructions: arithmetic, a
/// branch in every eighth.
pub fn long_function(ops: usize) -> String {
    let mut text = String::from("func @long(i64, i64) -> i64 {\nblock0(%a0: i64, %b0: i64):\n");
    let mut last = 0;
    for op in 0..ops / 8 {
        let (a, b) = (format!("%a{last}"), format!("%b{last}"));
        let next = op + 1;
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "    %x{next} = mul.i64 {a}, 7
    %y{next} = xor.i64 %x{next}, {b}
    %z{next} = add.i64 %y{next}, {op}
    %s{next} = lshr.i64 %z{next}, 3
    %t{next} = sub.i64 %s{next}, {a}
    %c{next} = icmp.i64 slt %t{next}, {b}
    branch %c{next}, left{next}, right{next}(%t{next}, %z{next})
left{next}:
    jump right{next}(%z{next}, %s{next})
right{next}(%a{next}: i64, %b{next}: i64):
"
        );
        last = next;
    }
    let _ = write!(text, "    %r = add.i64 %a{last}, %b{last}\n    return %r\n}}\n");
    text
}

/// A module of `functions` functions of about 30 instructions each, each
/// calling the one before.
pub fn many_functions(functions: usize) -> String {
    let mut text = String::new();
    for index in 0..functions {
        let callee = index.saturating_sub(1);
        let _ = write!(
            text,
            "func @f{index}(i64) -> i64 {{
entry(%n: i64):
    %stop = icmp.i64 sle %n, 0
    branch %stop, done(%n), loop(0, %n)
loop(%i: i64, %s: i64):
    %p = mul.i64 %s, 31
    %q = add.i64 %p, %i
    %r = ashr.i64 %q, 1
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 4
    branch %more, loop(%j, %r), next(%r)
next(%v: i64):
    %m = sub.i64 %n, 1
    %w = call @f{callee}(%m)
    %x = xor.i64 %v, %w
    jump done(%x)
done(%y: i64):
    return %y
}}
"
        );
    }
    text
}

/// A function of `depth` branches one inside another, each of which joins again. No value
/// lives through them all: with as many as blocks, the back end's registers take their
/// product.
pub fn nested_branches(depth: usize) -> String {
    let mut text = String::from("func @nested(i64, i64) -> i64 {\nblock0(%a0: i64, %b: i64):\n");
    for level in 0..depth {
        let next = level + 1;
        let _ = write!(
            text,
            "    %m{next} = mul.i64 %a{level}, 3
    %a{next} = add.i64 %m{next}, %b
    %c{next} = icmp.i64 slt %a{next}, {level}
    branch %c{next}, in{next}, out{level}(%m{next})
in{next}:
"
        );
    }
    let _ = write!(
        text,
        "    %r{depth} = xor.i64 %a{depth}, 5\n    jump out{}(%r{depth})\n",
        depth - 1
    );
    for level in (0..depth).rev() {
        let _ = write!(
            text,
            "out{level}(%x{level}: i64):\n    %r{level} = xor.i64 %x{level}, {level}\n"
        );
        let _ = match level {
            0 => text.write_str("    return %r0\n}\n"),
            _ => writeln!(text, "    jump out{}(%r{level})", level - 1),
        };
    }
    text
}

/// A function of one switch of `cases` cases, each of which computes something else.
pub fn wide_switch(cases: usize) -> String {
    let mut text = String::from(
        "func @wide(i64, i64) -> i64 {\nblock0(%n: i64, %a: i64):\n    switch.i64 %n, [",
    );
    for case in 0..cases {
        let comma = if case == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{case}: case{case}");
    }
    text.push_str("], end(0)\n");
    for case in 0..cases {
        let _ = write!(
            text,
            "case{case}:
    %x{case} = mul.i64 %a, {case}
    %y{case} = xor.i64 %x{case}, %n
    %z{case} = add.i64 %y{case}, {case}
    jump end(%z{case})
"
        );
    }
    text.push_str("end(%r: i64):\n    return %r\n}\n");
    text
}

/// A function of `loops` small loops one behind the other.
pub fn many_loops(loops: usize) -> String {
    let mut text = String::from(
        "func @loops(i64, i64) -> i64 {\nblock0(%n: i64, %p: i64):\n    jump loop0(0, 0)\n",
    );
    for index in 0..loops {
        let next = index + 1;
        let end = if next == loops { "end".to_owned() } else { format!("loop{next}") };
        let args = if next == loops { format!("(%t{index})") } else { format!("(0, %t{index})") };
        let _ = write!(
            text,
            "loop{index}(%i{index}: i64, %s{index}: i64):
    %o{index} = mul.i64 %i{index}, %s{index}
    %q{index} = add.i64 %p, %o{index}
    %v{index} = lshr.i64 %q{index}, 3
    %w{index} = xor.i64 %v{index}, {index}
    %t{index} = add.i64 %s{index}, %w{index}
    %j{index} = add.i64 %i{index}, 1
    %c{index} = icmp.i64 slt %j{index}, %n
    branch %c{index}, loop{index}(%j{index}, %t{index}), {end}{args}
"
        );
    }
    text.push_str("end(%r: i64):\n    return %r\n}\n");
    text
}

/// A function of `depth` loops one inside another, each of which asks a function whether it
/// goes round again, which is so as often as the argument says. No value lives through them
/// all, as with [`nested_branches`].
pub fn nested_loops(depth: usize) -> String {
    let mut text = String::from(
        "data @left = { i64 0 }
func @again() -> i1 inline never {
block0:
    %x = data_load.i64 @left, 0
    %y = sub.i64 %x, 1
    data_store.i64 %y, @left, 0
    %c = icmp.i64 sgt %x, 0
    return %c
}
func @nest(i64) -> i64 {
block0(%n: i64):
    data_store.i64 %n, @left, 0
    jump loop0(%n)
",
    );
    for level in 0..depth {
        let next = level + 1;
        let inner = if next == depth { format!("end{level}") } else { format!("loop{next}") };
        let _ = write!(
            text,
            "loop{level}(%s{level}: i64):
    %x{level} = mul.i64 %s{level}, 3
    jump {inner}(%x{level})
"
        );
    }
    for level in (0..depth).rev() {
        let outer = match level {
            0 => "done".to_owned(),
            _ => format!("end{}", level - 1),
        };
        let _ = write!(
            text,
            "end{level}(%r{level}: i64):
    %t{level} = add.i64 %r{level}, {}
    %c{level} = call @again()
    branch %c{level}, loop{level}(%t{level}), {outer}(%t{level})
",
            level + 1
        );
    }
    text.push_str("done(%r: i64):\n    return %r\n}\n");
    text
}

/// A function of `values` values that are loaded, then live at once across a loop with a call
/// in it that changes what they were loaded from, and then used in the same order. Plain values
/// stand for references, which are live in the same way.
pub fn live_values(values: usize) -> String {
    let mut text = format!(
        "data @d align 8 = {{ zero {} }}
func @other(i64) inline never {{
block0(%i: i64):
    data_store.i64 %i, @d, 0
    return
}}
func @live(i64) -> i64 {{
block0(%n: i64):
",
        8 * values
    );
    for value in 0..values {
        let _ = writeln!(text, "    %v{value} = data_load.i64 @d, {}", 8 * value);
    }
    text.push_str(
        "    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    call @other(%j)
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), end
end:
    %s0 = mul.i64 %j, 7
",
    );
    return_mixed(&mut text, "v", values);
    text
}

/// Ends a function with what so many values give that are mixed into `%s0`, one by one.
pub(crate) fn return_mixed(text: &mut String, name: &str, values: usize) {
    for value in 0..values {
        let next = value + 1;
        let _ = write!(
            text,
            "    %m{value} = mul.i64 %s{value}, 31\n    %s{next} = xor.i64 %m{value}, %{name}{value}\n"
        );
    }
    let _ = write!(text, "    return %s{values}\n}}\n");
}

/// A kernel that calls, loads and asks the prelude; of an even argument it gives one and a
/// half of it.
pub fn sample() -> Source {
    Source {
        path: PathBuf::from("sample.bir"),
        format: Format::Brolga,
        text: SAMPLE.to_owned(),
        symbol: "kernel".to_owned(),
    }
}

const SAMPLE: &str = "data @table = { i64 [3, 5] }
func @kernel(i64) -> i64 {
entry(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    %more = icmp.i64 slt %i, %n
    branch %more, body, done
body:
    %k = and.i64 %i, 1
    %at = mul.i64 %k, 8
    %x = data_load.i64 @table, %at
    %w = zext.i128 %x
    %q = udiv.i128 %w, 2
    %y = trunc.i64 %q
    %t = call @add(%s, %y)
    %j = add.i64 %i, 1
    jump loop(%j, %t)
done:
    return %s
}
func @add(i64, i64) -> i64 {
entry(%a: i64, %b: i64):
    %c = add.i64 %a, %b
    return %c
}";

#[cfg(test)]
mod tests {
    use brolga::{Config, Engine};

    #[test]
    fn the_programs_load_and_run() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(&super::long_function(800)).unwrap();
        engine.load(&super::many_functions(50)).unwrap();
        engine.func::<(i64, i64), i64>("long").unwrap().call((1, 2)).unwrap();
        engine.func::<(i64,), i64>("f49").unwrap().call((10,)).unwrap();
    }
    /// What `nested_loops` computes from a level on.
    fn nest(depth: i64, level: i64, sum: i64, left: &mut i64) -> i64 {
        let inner = sum * 3;
        let inner = if level + 1 < depth { nest(depth, level + 1, inner, left) } else { inner };
        *left -= 1;
        let sum = inner + level + 1;
        if *left >= 0 { nest(depth, level, sum, left) } else { sum }
    }

    #[test]
    fn loops_in_loops_go_round_as_often_as_they_are_told() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(&super::nested_loops(3)).unwrap();
        let compiled = engine.func::<(i64,), i64>("nest").unwrap();
        for start in [0, 1, 5] {
            assert_eq!(
                compiled.call((start,)).unwrap(),
                nest(3, 0, start, &mut { start }),
                "{start}"
            );
        }
    }

    #[test]
    fn live_values_are_those_from_before_the_calls() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(&super::live_values(5)).unwrap();
        let compiled = engine.func::<(i64,), i64>("live").unwrap();
        assert_eq!(compiled.call((3,)).unwrap(), 21 * 31_i64.pow(5), "zeros, and no 3 among them");
    }
}
