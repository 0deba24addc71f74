//! Claims about any module and any text.

use std::fmt::Write;

use proptest::prelude::*;

use super::describe::describe;
use super::generate::{Choices, corrupt, module};
use super::*;
use crate::op::Op;

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..1000)
}

/// Words, marks and numbers that texts are made of.
const PIECES: &[&str] = &[
    "func",
    "data",
    "class",
    "local",
    "import",
    "foreign",
    "foreign_weak",
    "weak",
    "module",
    "target",
    "@f",
    "@g",
    "@\"\"",
    "%x",
    "%0",
    "%1",
    "%99999999999",
    "%\"a\\22\"",
    "!c",
    "!loc0",
    "block0",
    "block1",
    "entry",
    "ss0",
    "exit0",
    "scope0",
    "loc0",
    "=",
    ":",
    ",",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "->",
    "...",
    ".",
    "+",
    "-",
    "\n",
    "\n",
    " ",
    ";",
    "\"",
    "\"a\"",
    "\"\\",
    "i1",
    "i8",
    "i64",
    "i32x4",
    "f16",
    "f64",
    "bf16",
    "f128",
    "x86_fp80",
    "ptr",
    "ref",
    "token",
    "fn",
    "cfn",
    "fn() -> i64",
    "{i64, f64}",
    "[2 x i8]",
    "sext",
    "null",
    "zero",
    "inf",
    "nan",
    "bits",
    "bits:0x7fff",
    "0",
    "1",
    "-1",
    "255",
    "0xff",
    "1.5",
    "1e300",
    "1e999",
    "340282366920938463463374607431768211456",
    "add",
    "icmp",
    "slt",
    "load",
    "store",
    "call",
    "call_indirect",
    "call_foreign",
    "try_call",
    "roots",
    "normal",
    "unwind",
    "switch",
    "branch",
    "jump",
    "return",
    "check",
    "trap",
    "bounds",
    "user",
    "shuffle",
    "_",
    "extract_value",
    "insert_value",
    "make_aggregate",
    "select",
    "fadd",
    "atomic_rmw",
    "seq_cst",
    "loop_mark",
    "simd",
    "unroll",
    "slot",
    "uninit",
    "align",
    "const",
    "size",
    "side",
    "deopt",
    "in",
    "at",
    "text",
    "nsw",
    "volatile",
    "class",
    "scopes",
    "noalias",
    "weights",
    "range",
    "inline",
    "always",
    "opt",
    "é",
    "\u{0}",
    "\r\n",
    "\u{feff}",
    "€",
];

/// What holds of the answer to any text.
fn check_text(text: &str) -> Result<(), TestCaseError> {
    let limits = Limits::default();
    let Reading { module, work, .. } = read(text, &limits, None);
    prop_assert!(work <= 30 * text.len() as u64 + 1000, "{work} for {}", text.len());
    match module {
        Ok(module) => {
            let printed = print_module(&module);
            let again = parse_module(&printed);
            prop_assert!(again.is_ok(), "{:?}\nof the print:\n{}", again.err(), printed);
            prop_assert_eq!(describe(&module), describe(&again.unwrap()));
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty() && errors.len() <= limits.diagnostics);
            for error in &errors {
                check_place(text, error)?;
            }
        }
    }
    let _ = directives(text);
    Ok(())
}

/// The place of an error, counted again from its span.
fn check_place(text: &str, error: &Diagnostic) -> Result<(), TestCaseError> {
    prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error);
    let before = &text[..error.span.start];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
    prop_assert_eq!((error.line, error.column), (line, column), "{:?} in {:?}", error, text);
    Ok(())
}

/// The text of a module, with pieces taken out, doubled and put in.
fn mutated(text: &str, mutations: &[(u32, u32, u32)]) -> String {
    let mut pieces: Vec<&str> = text.split_inclusive([' ', '\n', '(', ',', '.', ':']).collect();
    for &(place, kind, other) in mutations {
        let count = pieces.len();
        if count == 0 {
            break;
        }
        let (place, other) = (place as usize % count, other as usize);
        match kind % 4 {
            0 => drop(pieces.remove(place)),
            1 => pieces.insert(place, pieces[other % count]),
            2 => pieces.insert(place, PIECES[other % PIECES.len()]),
            _ => pieces.swap(place, other % count),
        }
    }
    pieces.concat()
}

/// The text with comments and empty lines at some of the places where they
/// may stand.
fn commented(text: &str, choices: &mut Choices<'_>) -> String {
    let mut commented = String::new();
    let mut number = 0;
    let mut comment = |text: &mut String| {
        number += 1;
        write!(text, "; {number}").unwrap();
    };
    for line in text.lines() {
        for _ in 0..choices.below(3) {
            match choices.below(4) {
                0 => comment(&mut commented),
                1 => {
                    commented.push_str("  \t");
                    comment(&mut commented);
                }
                _ => {}
            }
            commented.push('\n');
        }
        // Quotes apart, a line goes on behind a comma.
        let breaks = !line.contains('"') && choices.below(2) == 0;
        for piece in line.split_inclusive(", ") {
            commented.push_str(piece);
            if breaks && piece.ends_with(", ") && choices.below(2) == 0 {
                comment(&mut commented);
                commented.push('\n');
            }
        }
        if choices.below(3) == 0 {
            comment(&mut commented);
        }
        commented.push('\n');
    }
    comment(&mut commented);
    commented
}

/// The comments that [`commented`] has put there, by number.
fn numbers(text: &str) -> Vec<u32> {
    let numbers = text.lines().filter_map(|line| line.rsplit_once("; ")?.1.trim().parse().ok());
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn formatting_keeps_module_and_comments_and_is_a_fixed_point(
        choices in choices(),
        places in choices(),
    ) {
        let canonical = print_module(&module(&mut Choices::new(&choices)));
        let text = commented(&canonical, &mut Choices::new(&places));
        let format = |text: &str| format_bytes(text.as_bytes(), &Limits::default());
        let once = format(&text);
        prop_assert!(once.is_ok(), "{:?}\nin:\n{}", once, text);
        let once = once.unwrap();
        prop_assert_eq!(numbers(&text), numbers(&once), "of:\n{}\nto:\n{}", text, once);
        prop_assert_eq!(describe(&parsed(&text)), describe(&parsed(&once)), "of:\n{}", text);
        prop_assert_eq!(format(&once).unwrap(), once, "of:\n{}", text);
    }

    #[test]
    fn printing_then_parsing_gives_the_same_module(choices in choices()) {
        let module = module(&mut Choices::new(&choices));
        let text = print_module(&module);
        let again = parsed(&text);
        prop_assert_eq!(describe(&module), describe(&again), "of the text:\n{}", text);
        prop_assert_eq!(&text, &print_module(&again));
    }

    #[test]
    fn a_module_that_makes_no_sense_prints(choices in choices()) {
        let mut choices = Choices::new(&choices);
        let mut module = module(&mut choices);
        corrupt(&mut choices, &mut module);
        let text = print_module(&module);
        prop_assert!(text.lines().count() >= module.declarations().len());
        let _ = parse_module(&text);
    }

    #[test]
    fn pieces_in_any_order_parse_or_are_refused(
        pieces in prop::collection::vec((0..PIECES.len(), any::<bool>()), 0..120)
    ) {
        let text: String = pieces
            .iter()
            .map(|&(piece, apart)| format!("{}{}", PIECES[piece], if apart { " " } else { "" }))
            .collect();
        check_text(&text)?;
        check_text(&format!("func @f() {{\nb:\n{text}\n}}\n"))?;
    }

    #[test]
    fn changed_modules_parse_or_are_refused(
        choices in choices(),
        mutations in prop::collection::vec(any::<(u32, u32, u32)>(), 1..6),
    ) {
        let text = print_module(&module(&mut Choices::new(&choices)));
        check_text(&mutated(&text, &mutations))?;
    }

    #[test]
    fn any_bytes_parse_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        match std::str::from_utf8(&bytes) {
            Ok(text) => check_text(text)?,
            Err(_) => prop_assert!(parse_bytes(&bytes, &Limits::default()).is_err()),
        }
    }
}

#[test]
fn random_modules_hold_every_op() {
    let mut seen = std::collections::BTreeSet::new();
    let mut state = 1_u32;
    for _ in 0..2000 {
        let choices: Vec<u32> = (0..800)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // The low bits of such a generator repeat soon.
                state >> 8
            })
            .collect();
        let module = module(&mut Choices::new(&choices));
        for body in module.functions().filter_map(|(_, function)| function.body.as_deref()) {
            let insts = body.layout.all_insts();
            seen.extend(insts.map(|inst| body.inst(inst).op));
        }
    }
    let missing: Vec<Op> = Op::ALL.iter().copied().filter(|op| !seen.contains(op)).collect();
    assert_eq!(missing, []);
}
