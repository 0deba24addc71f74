use super::*;
use crate::op::Op;

mod describe;
mod generate;
mod random;

/// The module of a text that must parse.
pub(super) fn parsed(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\nin:\n{text}", errors.join("\n"))
    })
}

/// Asserts that printing a parsed text is a fixed point; gives the print.
pub(super) fn assert_fixed_point(text: &str) -> String {
    let first = print_module(&parsed(text));
    let second = print_module(&parsed(&first));
    assert_eq!(first, second, "of the text:\n{text}");
    first
}

#[test]
fn the_example_of_every_op_is_a_fixed_point() {
    for &op in Op::ALL {
        assert_fixed_point(&example_module(op));
    }
}

/// The bytes looked at for each byte of a text.
fn work_per_byte(text: &str) -> u64 {
    read(text, &Limits::default(), None).work / text.len().max(1) as u64
}

#[test]
fn no_text_is_looked_at_more_than_a_few_times() {
    const COUNT: usize = 100_000;
    let line = "    %a = add.i64 %b, <1, 2\n";
    let texts = [
        "(".repeat(COUNT),
        "{".repeat(COUNT),
        format!("func @f({}", "[1 x ".repeat(COUNT)),
        format!("func @f() {{\nb:\n{}", line.repeat(COUNT / 10)),
        format!("func @f() {{\nb:\n    jump c({})\nc:\n}}", "1, ".repeat(COUNT)),
        format!("func @f() {{\nb:\n    return {}\n}}", "<".repeat(COUNT)),
        "func @f() {\nb:\n    return\n}\n".replace("@f", "@\"f\"").repeat(COUNT / 10),
        format!("data @d = {{ i8 [{}] }}", "1, ".repeat(COUNT)),
        "\"".repeat(COUNT),
        "é".repeat(COUNT),
        "func ".repeat(COUNT),
        "func @f() {\n".repeat(COUNT / 10),
    ];
    for text in texts {
        let work = work_per_byte(&text);
        assert!(work <= 4, "{work} looks at each byte of {}…", &text[..20]);
    }
}
