//! What safe code can load, and what makes a module raw.

use super::*;
use crate::op::Safety;

/// A rule, and a text that breaks it and no other.
pub(super) const CASES: &[(Rule, &str)] = &[
    (Rule::RawOp, "func @f() -> i64 {\nb:\n %p = int_to_ptr 8\n return 1\n}"),
    (Rule::RawSymbol, "foreign func @f()"),
    (Rule::RawSymbol, "foreign data @d size 8"),
    (Rule::RawPromise, "import func @f() memory none"),
    (Rule::RawPromise, "import func @f() returns always"),
    (Rule::RawPromise, "func @f() {\n ss0 = slot 8 uninit\nb:\n return\n}"),
    (
        Rule::RawPromise,
        "func @f(i1) {\nb(%c: i1):\n jump b1\nb1:\n loop_mark ivdep\n branch %c, b1, b2\nb2:\n return\n}",
    ),
];

#[test]
fn each_text_is_raw_for_its_reason() {
    for &(rule, text) in CASES {
        let module = parse(text);
        assert_eq!(broken_rules(&module, &Options::default()), [], "{text}");
        assert_eq!(rules_with_lines(require_safe(&module)), [rule], "{text}");
        let verified = Verified::check(module).unwrap();
        assert_eq!(rules_with_lines(verified.require_safe()), [rule], "{text}");
    }
}

#[test]
fn an_example_is_safe_unless_it_has_a_raw_op_or_a_foreign_name() {
    let raw: Vec<&str> = Op::ALL
        .iter()
        .filter(|op| op.info().safety == Safety::Raw)
        .map(|op| op.mnemonic())
        .collect();
    for &op in Op::ALL {
        let text = example_module(op);
        let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let expected = !words().any(|word| raw.contains(&word) || word == "foreign");
        let verified = Verified::check(parse(&text)).unwrap();
        assert_eq!(require_safe(verified.module()).is_ok(), expected, "{text}");
        assert_eq!(verified.require_safe().is_ok(), expected, "{text}");
    }
}
