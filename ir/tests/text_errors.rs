//! Errors in texts: every code has a file that shows it, and every file gives
//! exactly the errors that it says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use brolga_ir::text::{
    Code, Diagnostic, DirectiveKind, Limits, directives, parse_bytes, parse_module,
    parse_module_within,
};
use expect_test::expect;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text/errors");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The errors that a file says it has.
fn expected(text: &str) -> Vec<(u32, u32, Code)> {
    let error = |kind| match kind {
        DirectiveKind::Error { line, column, code } => Some((line, column, code)),
        _ => None,
    };
    directives(text).unwrap().into_iter().filter_map(|found| error(found.kind)).collect()
}

#[test]
fn every_file_gives_exactly_the_errors_that_it_says() {
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let errors = parse_module(&text).expect_err(&path.display().to_string());
        let found: Vec<_> = errors.iter().map(|e| (e.line, e.column, e.code)).collect();
        assert_eq!(found, expected(&text), "{}", path.display());
    }
}

#[test]
fn every_code_has_a_file_of_its_name_that_shows_it() {
    // What no text can show: bytes and sizes, and the directives themselves.
    let elsewhere = [Code::InvalidUtf8, Code::TextTooLarge, Code::BadDirective];
    // Those of the reader of LLVM IR have files of their own.
    let is_here = |code: &&Code| !elsewhere.contains(code) && !code.name().starts_with("llvm-");
    for &code in Code::ALL.iter().filter(is_here) {
        let path = files().into_iter().find(|path| path.file_stem().unwrap() == code.name());
        let path = path.unwrap_or_else(|| panic!("no file for {code}"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(expected(&text).iter().any(|(_, _, found)| *found == code), "{code}");
    }
}

#[test]
fn files_are_named_after_codes() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    for path in files() {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        assert!(names.contains(stem) || stem == "several", "{stem}");
    }
}

fn shown(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

#[test]
fn reading_goes_on_behind_errors_of_every_level() {
    let text = include_str!("text/errors/several.bir");
    expect![[r#"
        2:18: error[unexpected-token]: expected `,` or `)`, found `{`
        8:10: error[unknown-op]: there is no op `mull`
          hint: did you mean `mul`?
        9:22: error[unexpected-token]: expected a value or a literal, found `"2"`
        12:9: error[unexpected-token]: expected the number of a case, found `x`
        16:12: error[unexpected-token]: expected an attribute or the end of the line, found `call`
        17:1: error[unknown-op]: there is no op `one`
        23:26: error[unexpected-token]: expected `,` or `]`, found `}`
        24:24: error[unexpected-token]: expected `,` or `}`, found `{`
        30:5: error[unknown-op]: there is no op `retrun`
          hint: did you mean `return`?
    "#]]
    .assert_eq(&shown(&parse_module(text).unwrap_err()));
}

#[test]
fn spans_cover_what_is_wrong() {
    let text = "func @é() {\nentry:\n    %x = addd.i64 1, 2\n    return\n}\n";
    let errors = parse_module(text).unwrap_err();
    let pieces: Vec<&str> = errors.iter().map(|error| &text[error.span.clone()]).collect();
    assert_eq!(pieces, ["@é", "addd"]);
}

#[test]
fn bytes_that_are_no_text_are_named_by_line_and_column() {
    let errors = parse_bytes("; ü\n; ü\u{0}".as_bytes(), &Limits::default());
    assert!(errors.is_ok());
    let errors = parse_bytes(b"; \xc3\xbc\n; \xc3\xbc\xff", &Limits::default()).unwrap_err();
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!((error.code, error.line, error.column), (Code::InvalidUtf8, 2, 4));
    assert_eq!(error.span, 9..10);
}

#[test]
fn limits_hold() {
    let text = format!("func @f() {{\nentry:\n{}}}\n", "    oops\n".repeat(100));
    let count = |limits: &Limits| parse_module_within(&text, limits).unwrap_err().len();
    assert_eq!(count(&Limits::default()), 20);
    assert_eq!(count(&Limits { diagnostics: 3, ..Limits::default() }), 3);
    let small = Limits { bytes: 10, ..Limits::default() };
    let errors = parse_module_within(&text, &small).unwrap_err();
    assert_eq!(errors[0].code, Code::TextTooLarge);
    let sparse = "func @f(i64) {\nb(%1000: i64):\n    return\n}\n";
    assert!(parse_module(sparse).is_ok());
    let dense = Limits { unused_numbers: 0, ..Limits::default() };
    let errors = parse_module_within(sparse, &dense).unwrap_err();
    assert_eq!(errors[0].code, Code::NumberTooLarge);
    // The numbers to spare are those of the whole module.
    let spare = Limits { unused_numbers: 1500, ..Limits::default() };
    assert!(parse_module_within(sparse, &spare).is_ok());
    let twice = format!("{sparse}{}", sparse.replace("@f", "@g"));
    let errors = parse_module_within(&twice, &spare).unwrap_err();
    assert_eq!((errors[0].line, errors[0].code), (6, Code::NumberTooLarge));
}
