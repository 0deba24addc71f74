//! Shapes of ways through a function: many that meet, or part.

use std::fmt::Write as _;

/// A loop with as many branches straight to one block, and as many that come to it through empty
/// blocks, as front ends write `break` in the arms of a search.
pub fn many_exits(exits: usize) -> String {
    let mut text = String::from(
        "func @exits(i32, i32) -> i32 {
block0(%x: i32, %n: i32):
    jump loop(0)
loop(%i: i32):
    %y = mul.i32 %i, %x
    jump test0
",
    );
    for test in 0..2 * exits {
        let to = if test < exits { "found".to_owned() } else { format!("exit{test}") };
        let _ = write!(
            text,
            "test{test}:
    %d{test} = data_load.i32 @word, 0
    %e{test} = icmp.i32 eq %d{test}, %y
    branch %e{test}, {to}, test{}
",
            test + 1,
        );
    }
    let _ = write!(
        text,
        "test{}:
    %j = add.i32 %i, 1
    %more = icmp.i32 slt %j, %n
    branch %more, loop(%j), out
out:
    return 1
found:
    return 2
",
        2 * exits,
    );
    for test in exits..2 * exits {
        let _ = write!(text, "exit{test}:\n    jump found\n");
    }
    text.push_str("}\ndata @word align 4 = { zero 4 }\n");
    text
}

/// A switch of as many cases, each of which hands a number to a block that ends in another one of
/// as many, as machines of states are written.
pub fn many_states(states: usize) -> String {
    let cases = |name: &str| {
        let cases: Vec<String> = (0..states).map(|it| format!("{it}: {name}{it}")).collect();
        cases.join(", ")
    };
    let mut text = format!(
        "func @states(i32) -> i32 {{
block0(%x: i32):
    switch.i32 %x, [{}], out
",
        cases("from")
    );
    for state in 0..states {
        let _ = write!(
            text,
            "from{state}:
    %v{state} = mul.i32 %x, {}
    jump next({}, %v{state})
",
            state + 3,
            state * 7919 % states,
        );
    }
    let _ = write!(text, "next(%s: i32, %v: i32):\n    switch.i32 %s, [{}], out\n", cases("to"));
    for state in 0..states {
        let _ =
            write!(text, "to{state}:\n    %w{state} = xor.i32 %v, {state}\n    return %w{state}\n");
    }
    text.push_str("out:\n    return -1\n}\n");
    text
}
