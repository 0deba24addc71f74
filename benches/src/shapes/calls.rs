//! Shapes of calls: many of one function, of which each might have its code.

use std::fmt::Write as _;

use crate::programs::return_mixed;

/// As many calls of functions that are taken over or judged to be too much, of which each has
/// left as many numbers of values and blocks unused.
pub fn unused_numbers(calls: usize) -> String {
    let mut text = format!(
        "local func @taken(i64) -> i64 inline always {{
block0(%0: i64):
    jump block{calls}
block{calls}:
    %{calls} = add.i64 %0, 1
    return %{calls}
}}
local func @judged(i64) -> i64 {{
block0(%0: i64):
    jump block{calls}(1)
block{calls}(%{calls}: i64):
"
    );
    let mut last = calls;
    for _ in 0..60 {
        let _ = writeln!(text, "    %{} = mul.i64 %{last}, %0", last + 1);
        last += 1;
    }
    let _ = write!(text, "    return %{last}\n}}\nfunc @calls(i64) -> i64 {{\nblock0(%x0: i64):\n");
    for call in 0..calls {
        let callee = if call % 2 == 0 { "taken" } else { "judged" };
        let _ = writeln!(text, "    %x{} = call @{callee}(%x{call})", call + 1);
    }
    let _ = write!(text, "    return %x{calls}\n}}\n");
    text
}

/// As many calls of a function that wants to be taken over and cannot, as its last of as many
/// instructions shows: a handler would find what it has on the stack.
pub fn many_refusals(calls: usize) -> String {
    let mut text =
        String::from("local func @refused(i64) -> i64 inline always {\nblock0(%x0: i64):\n");
    for inst in 0..calls {
        let _ = writeln!(text, "    %x{} = mul.i64 %x{inst}, %x0", inst + 1);
    }
    let _ = write!(
        text,
        "    %a = stack_alloc %x{calls}, 8
    %r = ptr_to_int %a
    return %r
}}
func @calls(i64) -> i64 {{
block0(%x0: i64):
"
    );
    for call in 0..calls {
        let next = call + 1;
        let _ = write!(
            text,
            "    %r{next} = try_call @refused(%x{call}) normal next{next}(%r{next}), unwind failed
next{next}(%x{next}: i64):
"
        );
    }
    let _ = write!(text, "    return %x{calls}\nfailed:\n    return 0\n}}\n");
    text
}

/// A function that tells as many numbers apart by two answers, and as many calls of it with
/// numbers, as asking for properties of opcodes is written.
pub fn many_answers(calls: usize) -> String {
    let cases: Vec<String> = (0..calls)
        .map(|case| format!("{case}: {}", if case % 3 == 0 { "yes" } else { "no" }))
        .collect();
    let mut text = format!(
        "local func @answer(i64) -> i64 {{
block0(%x: i64):
    switch.i64 %x, [{}], no
yes:
    return 1
no:
    return 0
}}
func @calls(i64) -> i64 {{
block0(%n: i64):
    %s0 = xor.i64 %n, 1
",
        cases.join(", ")
    );
    for call in 0..calls {
        let _ = writeln!(text, "    %a{call} = call @answer({call})");
    }
    return_mixed(&mut text, "a", calls);
    text
}
