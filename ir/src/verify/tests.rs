use super::*;
use crate::entity::{AliasClass, Loc};
use crate::op::Op;
use crate::text::{example_module, parse_module};

mod accepted;
mod built;
mod linear;
mod refused;
mod safe;

/// The rules that `module` breaks, in order, each once where it repeats; every
/// error shows its line.
fn broken_rules(module: &Module, options: &Options<'_>) -> Vec<Rule> {
    rules_with_lines(verify_module(module, options))
}

fn rules_with_lines(result: Result<(), VerifyErrors>) -> Vec<Rule> {
    let errors = result.err().map_or(vec![], |errors| errors.errors);
    let without = errors.iter().find(|error| error.line.is_empty() || error.line.contains('\n'));
    assert_eq!(without, None);
    let mut rules: Vec<Rule> = errors.iter().map(|error| error.rule).collect();
    rules.dedup();
    rules
}

fn parse(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

#[test]
fn every_rule_has_a_module_that_breaks_it() {
    let mut shown: Vec<Rule> = refused::RULES.to_vec();
    shown.extend(refused::CASES.iter().map(|&(rule, _)| rule));
    shown.extend(built::rules());
    shown.extend(safe::CASES.iter().map(|&(rule, _)| rule));
    let missing: Vec<Rule> =
        Rule::ALL.iter().copied().filter(|rule| !shown.contains(rule)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn codes_and_explanations_are_rules_of_their_own() {
    for (i, &rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(Rule::from_code(rule.code()), Some(rule));
        assert!(rule.explanation().ends_with('.'), "{rule}");
        let word = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(rule.code().chars().all(word), "{rule}");
        assert!(Rule::ALL[..i].iter().all(|other| other.code() != rule.code()), "{rule}");
    }
}

#[test]
fn errors_name_function_block_line_and_instruction() {
    let module = parse(
        "\
func @f(i64) -> i64 {
    loc0 = \"a.jl\":3:5
start(%n: i64):
    %x = add.i32 %n, 1 !loc0
    jump next
next:
    return %x, %n
}",
    );
    let errors = verify_module(&module, &Options::default()).unwrap_err();
    expect_test::expect![[r#"
        @f, start (a.jl:3:5): operand 0 is `i64`, not `i32` [type-mismatch]
            %x = add.i32 %n, 1 !loc0
        @f, next: the function gives 1 result, not 2 [return-values]
            return %x, %n"#]]
    .assert_eq(&errors.to_string());
}

#[test]
fn errors_show_the_line_of_a_head_or_declaration_too() {
    let lines = |text: &str| -> Vec<String> {
        let errors = verify_module(&parse(text), &Options::default()).unwrap_err().errors;
        errors.into_iter().map(|error| format!("{}: {}", error.rule, error.line)).collect()
    };
    let text = "\
data @t thread_local = { zero 8 }
data @d const = { ptr @t, zero 8 }
foreign func @c(i64 sext)
func @g() memory none {
    ss0 = slot 16777216
    ss1 = slot 1 uninit
    exit0 = side 1 (derived)
entry:
    jump \"a b\"
\"a b\"(%x: token):
    jump entry
}
func @h(i64) {
entry:
    poll
}
func @k() {
entry:
}";
    assert_eq!(
        lines(text),
        [
            "signature: cfn(i64 sext)",
            "data-item: data @d const = {",
            "slot-limit: ss1 = slot 1 uninit",
            "exit-kind: exit0 = side 1 (derived)",
            "block-arguments: jump \"a b\"",
            "parameter-type: \"a b\"(%x: token):",
            "entry-predecessor: jump entry",
            "entry-parameters: entry:",
            "missing-terminator: poll",
            "missing-terminator: entry:",
        ]
    );
    let mut module = parse("func @f() {\n loc0 = \"a.jl\":3:5\nb:\n return !loc0\n}");
    let body = module.function_mut(FuncId::from_u32(0)).unwrap().body.as_mut().unwrap();
    body.make_loc(crate::body::LocData { line: 0, ..*body.loc_data(Loc::from_u32(0)).unwrap() });
    module.alias_class("late", Some(AliasClass::from_u32(7)));
    let errors = verify_module(&module, &Options::default()).unwrap_err().errors;
    let lines: Vec<&str> = errors.iter().map(|error| error.line.as_str()).collect();
    assert_eq!(lines, ["class !late in !\"?class7\"", "loc1 = \"a.jl\":0:5"]);
}

#[test]
fn an_error_shows_no_more_of_a_name_or_type_than_can_be_read() {
    let long = "n".repeat(100_000);
    let fields = "i8, ".repeat(3000);
    let text = format!(
        "func @{long}() {{\n loc0 = \"{long}\":1:1\n{long}:\n %{long} = opaque.i8 1\n \
         jump {long}b(%{long}) !loc0\n{long}b(%x: {{{fields}i8}}):\n jump {long}\n}}"
    );
    let errors = verify_module(&parse(&text), &Options::default()).unwrap_err();
    assert_eq!(errors.errors.len(), 2);
    for error in errors.errors {
        assert!(error.to_string().len() < 10_000, "{}", error.to_string().len());
    }
}

#[test]
fn errors_beyond_the_limit_are_counted() {
    let many: String = (0..500).map(|i| format!("%x{i} = add.i32 %n, 1\n")).collect();
    let module = parse(&format!("func @f(i64) {{\nb(%n: i64):\n{many}return\n}}"));
    let errors = verify_module(&module, &Options { max_errors: 3, ..Options::default() });
    let errors = errors.unwrap_err();
    assert_eq!((errors.errors.len(), errors.omitted), (3, 497));
    assert!(errors.to_string().ends_with("\nand 497 more"));
    let none = Options { max_errors: 0, ..Options::default() };
    assert_eq!(verify_module(&module, &none).unwrap_err().errors.len(), 1);
}

#[test]
fn one_function_is_verified_by_itself() {
    let module = parse("func @f(i64) {\nb(%x: i64):\n return %x\n}\nfunc @g() {\nb:\n return\n}");
    let options = Options::default();
    let verify = |name| verify_function(&module, module.function_named(name).unwrap(), &options);
    assert!(verify("f").is_err());
    assert!(verify("g").is_ok());
    let error = verify_function(&module, FuncId::from_u32(7), &options).unwrap_err();
    assert_eq!(error.errors[0].rule, Rule::UnknownHandle);
}
