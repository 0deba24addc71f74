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
}
