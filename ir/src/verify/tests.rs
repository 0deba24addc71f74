use super::*;
use crate::op::Op;
use crate::text::{example_module, parse_module};

mod accepted;
mod built;
mod linear;
mod refused;
mod safe;

/// The rules that `module` breaks, in order, each once where it repeats.
fn broken_rules(module: &Module, options: &Options<'_>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = match verify_module(module, options) {
        Ok(()) => vec![],
        Err(errors) => errors.errors.iter().map(|error| error.rule).collect(),
    };
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
