//! Shapes of generated programs that a compiler easily takes the square of: one block that many
//! lead to, much of one kind in one block, many variables of one loop.

mod calls;
mod ways;

use std::fmt::Write as _;

use crate::programs::return_mixed;

pub use calls::{many_answers, many_refusals, unused_numbers};
pub use ways::{many_exits, many_states};

/// How many choices a shape has that differ.
const CHOICES: usize = 8;

/// So many values of a name, with a number each, and something behind each.
fn list(count: usize, name: &str, rest: &str) -> String {
    (0..count).map(|index| format!("%{name}{index}{rest}")).collect::<Vec<_>>().join(", ")
}

/// The loop of an interpreter: a switch of `cases` cases, each of which stores a word, changes
/// one of a few variables, and goes back.
pub fn dispatch(cases: usize) -> String {
    let mut text = String::from(
        "data @words align 8 = { zero 4096 }
func @dispatch(i64) -> i64 {
block0(%n: i64):
    jump loop(0, 0, 0, 0)
loop(%i: i64, %a: i64, %b: i64, %c: i64):
    %x = data_load.i64 @words, 0
    switch.i64 %x, [",
    );
    let list: Vec<String> = (0..cases).map(|case| format!("{case}: case{case}")).collect();
    let _ = writeln!(text, "{}], out", list.join(", "));
    for case in 0..cases {
        let mut variables = ["%a", "%b", "%c"].map(str::to_owned);
        let changed = std::mem::replace(&mut variables[case % 3], format!("%v{case}"));
        let _ = write!(
            text,
            "case{case}:
    %v{case} = add.i64 {changed}, {case}
    data_store.i64 %v{case}, @words, {}
    jump next({})
",
            8 * (case % 512),
            variables.join(", "),
        );
    }
    text.push_str(
        "next(%d: i64, %e: i64, %f: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %d, %e, %f), out
out:
    %s = add.i64 %i, %a
    return %s
}
",
    );
    text
}

/// A loop with as many variables, of which each goes on as a sum, and that are all used behind.
pub fn many_counters(counters: usize) -> String {
    let list = |name: &str, rest: &str| list(counters, name, rest);
    let zeros = vec!["0"; counters].join(", ");
    let mut text = format!(
        "func @counters(i64) -> i64 {{
block0(%n: i64):
    jump loop({zeros})
loop({}):
",
        list("c", ": i64")
    );
    for counter in 0..counters {
        let _ = writeln!(text, "    %d{counter} = add.i64 %c{counter}, {}", counter + 1);
    }
    let _ = write!(
        text,
        "    %more = icmp.i64 slt %d0, %n
    branch %more, loop({}), out({})
out({}):
    %s0 = xor.i64 %n, 1
",
        list("d", ""),
        list("d", ""),
        list("e", ": i64"),
    );
    return_mixed(&mut text, "e", counters);
    text
}

/// A loop of one block that compares as many words with constants.
pub fn many_compares(compares: usize) -> String {
    let mut text = format!(
        "data @words align 8 = {{ zero {} }}
func @compares(i64) -> i64 {{
block0(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s0: i64):
",
        8 * compares.max(1)
    );
    for compare in 0..compares {
        let next = compare + 1;
        let _ = write!(
            text,
            "    %x{compare} = data_load.i64 @words, {}
    %c{compare} = icmp.i64 slt %x{compare}, {compare}
    %y{compare} = select.i64 %c{compare}, %x{compare}, 7
    %s{next} = xor.i64 %s{compare}, %y{compare}
",
            8 * compare,
        );
    }
    let _ = write!(
        text,
        "    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %s{compares}), out
out:
    return %s{compares}
}}
"
    );
    text
}

/// Two ways that compute as many values alike, and a block that takes all of them.
pub fn many_meetings(values: usize) -> String {
    let list = |name: &str, rest: &str| list(values, name, rest);
    let mut text = String::from(
        "func @meetings(i1, i64, i64) -> i64 {
block0(%c: i1, %x: i64, %y: i64):
    branch %c, one, other
",
    );
    for (block, name, from) in [("one", "a", "%x"), ("other", "b", "%y")] {
        let _ = writeln!(text, "{block}:");
        for value in 0..values {
            let _ = writeln!(text, "    %{name}{value} = mul.i64 {from}, {}", 2 * value + 3);
        }
        let _ = writeln!(text, "    jump both({})", list(name, ""));
    }
    let _ = write!(text, "both({}):\n    %s0 = xor.i64 %x, %y\n", list("v", ": i64"));
    return_mixed(&mut text, "v", values);
    text
}

/// As many stores to one place.
pub fn many_stores(stores: usize) -> String {
    let mut text = String::from("func @stores() {\nblock0:\n");
    for store in 0..stores {
        let _ = writeln!(text, "    data_store.i64 {store}, @word, 0");
    }
    text.push_str("    return\n}\ndata @word align 8 = { zero 8 }\n");
    text
}

/// A chain of as many arms, whose ends are each the end of the one around it, as front ends write
/// `else if`.
pub fn nested_ends(arms: usize) -> String {
    let mut text = String::from("func @ends(i64) -> i64 {\nblock0(%x: i64):\n    jump test0\n");
    for arm in 0..arms {
        let otherwise =
            if arm + 1 == arms { format!("end{arm}") } else { format!("test{}", arm + 1) };
        let _ = write!(
            text,
            "test{arm}:
    %c{arm} = icmp.i64 eq %x, {arm}
    branch %c{arm}, arm{arm}, {otherwise}
arm{arm}:
    data_store.i64 {arm}, @last, 0
    jump end{arm}
"
        );
    }
    for arm in (1..arms).rev() {
        let _ = write!(text, "end{arm}:\n    jump end{}\n", arm - 1);
    }
    text.push_str(
        "end0:
    %r = data_load.i64 @last, 0
    return %r
}
data @last align 8 = { zero 8 }
",
    );
    text
}

/// As many functions, each of which does nothing but call the next one.
pub fn wrappers(functions: usize) -> String {
    let mut text = String::new();
    for function in 0..functions {
        let _ = write!(
            text,
            "func @f{function}(i64) -> i64 {{
block0(%x: i64):
    %y = call @f{}(%x)
    return %y
}}
",
            function + 1
        );
    }
    let _ = write!(
        text,
        "func @f{functions}(i64) -> i64 {{\nblock0(%x: i64):\n    %y = mul.i64 %x, %x\n    return %y\n}}\n"
    );
    text
}

/// A switch of as many cases, whose other way hands on as many choices, of which few differ.
pub fn many_choices(choices: usize) -> String {
    let mut text = String::from(
        "func @choices(i64, i64, i1) -> i64 {
block0(%n: i64, %x: i64, %c: i1):
",
    );
    for choice in 0..CHOICES {
        let _ = writeln!(text, "    %h{choice} = select.i64 %c, %n, {choice}");
    }
    let numbers: Vec<String> = (0..choices).map(|choice| choice.to_string()).collect();
    let handed: Vec<String> =
        (0..choices).map(|choice| format!("%h{}", choice % CHOICES)).collect();
    // Two ways in turn, so that no range stands for the cases.
    let case =
        |case: usize| format!("{case}: {}", if case.is_multiple_of(2) { "even" } else { "odd" });
    let cases: Vec<String> = (0..choices).map(case).collect();
    let _ = write!(
        text,
        "    branch %c, known, other({})
known:
    switch.i64 %x, [{}], other({})
even:
    return %n
odd:
    return %x
other({}):
    %s0 = xor.i64 %n, 1
",
        numbers.join(", "),
        cases.join(", "),
        handed.join(", "),
        list(choices, "p", ": i64"),
    );
    return_mixed(&mut text, "p", choices);
    text
}

/// A loop with as many counters, which go on by other steps each, times as many numbers from
/// before the loop.
pub fn many_products(products: usize) -> String {
    let list = |name: &str, rest: &str| list(products, name, rest);
    let mut text = String::from("func @products(i64) -> i64 {\nblock0(%n: i64):\n");
    for product in 0..products {
        let _ = writeln!(text, "    %v{product} = data_load.i64 @words, {}", 8 * product);
    }
    let starts: Vec<String> = (0..products).map(|product| product.to_string()).collect();
    let _ = write!(
        text,
        "    jump loop(0, 0, {})
loop(%i: i64, %x0: i64, {}):
",
        starts.join(", "),
        list("c", ": i64"),
    );
    for product in 0..products {
        let _ = write!(
            text,
            "    %m{product} = mul.i64 %i, %v{product}
    %k{product} = mul.i64 %c{product}, {}
    %y{product} = xor.i64 %x{product}, %m{product}
    %x{} = xor.i64 %y{product}, %k{product}
    %d{product} = add.i64 %c{product}, {}
",
            2 * product + 7,
            product + 1,
            2 * product + 1,
        );
    }
    let _ = write!(
        text,
        "    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, loop(%j, %x{products}, {}), out
out:
    return %x{products}
}}
data @words align 8 = {{ zero {} }}
",
        list("d", ""),
        8 * products.max(1),
    );
    text
}

/// A loop with as many counters, of which each goes on by one and starts where another one comes
/// to.
pub fn many_alike(counters: usize) -> String {
    let list = |name: &str, rest: &str| list(counters, name, rest);
    let starts: Vec<String> = (0..counters).map(|counter| counter.to_string()).collect();
    let mut text = format!(
        "func @alike(i64) -> i64 {{
block0(%n: i64):
    jump loop(0, {})
loop(%s0: i64, {}):
",
        starts.join(", "),
        list("c", ": i64"),
    );
    for counter in 0..counters {
        let _ = write!(
            text,
            "    %m{counter} = mul.i64 %s{counter}, 31
    %s{} = xor.i64 %m{counter}, %c{counter}
    %d{counter} = add.i64 %c{counter}, 1
",
            counter + 1,
        );
    }
    let _ = write!(
        text,
        "    %more = icmp.i64 ult %d0, %n
    branch %more, loop(%s{counters}, {}), out
out:
    return %s{counters}
}}
",
        list("d", ""),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use brolga::{Config, Engine};

    #[test]
    fn each_shape_is_a_program() {
        let shapes = [
            dispatch(7),
            many_counters(4),
            many_compares(6),
            many_meetings(4),
            nested_ends(3),
            many_exits(3),
            many_states(5),
            many_stores(4),
            unused_numbers(6),
            many_refusals(3),
            many_answers(4),
            wrappers(3),
            many_choices(4),
            many_products(3),
            many_alike(3),
        ];
        for text in shapes {
            let engine = Engine::new(Config::default()).unwrap();
            // SAFETY: nothing of it runs.
            let loaded = unsafe { engine.load_unsafe(&text) };
            loaded.unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}
