//! What must not verify, as text.

use super::*;
use crate::constant::Constant;
use crate::op::TypeClass;
use crate::types::{Signature, Type, TypePool};

/// A rule, and a text that breaks it and no other. A text without `func` is
/// the inside of `func @f(%a: i64, %p: ptr, %r: ref, %c: i1) -> i64`, behind
/// the line of the first block.
pub(super) const CASES: &[(Rule, &str)] = &[
    (Rule::SymbolName, "func @\"\"() {\nb:\n return\n}"),
    (Rule::SymbolName, "func @\"a\\00b\"() {\nb:\n return\n}"),
    (Rule::SymbolName, "data @\"\" = { zero 8 }"),
    (Rule::Signature, "import func @g() -> derived"),
    (Rule::Signature, "import func @g() -> {i64, loaded}"),
    (Rule::Signature, "foreign func @g(i64 sext)"),
    (Rule::Signature, "foreign func @g(f32 zext)"),
    (Rule::AggregateSize, "import func @g([65537 x i8])"),
    (Rule::AggregateSize, "import func @g([65536 x i8], i8)"),
    (Rule::AggregateSize, "%x = opaque.[70000 x {}] zero\nreturn %a"),
    (Rule::DataItem, "data @t thread_local = { zero 8 }\ndata @d = { ptr @t }"),
    (Rule::SlotLimit, "ss0 = slot 16777216\nss1 = slot 1"),
    (Rule::ExitKind, "exit0 = side 1 (derived)"),
    (Rule::ExitKind, "exit0 = deopt @f (i64)"),
    (Rule::ExitKind, "exit0 = deopt @f (i64, ptr, ref, i1)\nexit1 = deopt @f ()"),
    (
        Rule::ExitKind,
        "foreign func @g(i64) -> i64\nfunc @h() -> i64 {\n exit0 = deopt @g (i64)\nb:\n return 1\n}",
    ),
    (Rule::ExitKind, "import func @g()\nfunc @h() -> i64 {\n exit0 = deopt @g\nb:\n return 1\n}"),
    (Rule::SuffixType, "%x = add.f64 1.0, 2.0\nreturn %a"),
    (Rule::TypeMismatch, "%x = add.i32 %a, 1\nreturn %a"),
    (Rule::TypeMismatch, "%x = make_aggregate.{i64, i8} %a, %a\nreturn %a"),
    (Rule::TypeMismatch, "%x = boxed_call %r, %p\nreturn %a"),
    (Rule::TypeMismatch, "%t = preserve_begin %p\nreturn %a"),
    (Rule::TypeMismatch, "branch %a, b1, b1\nb1:\nreturn %a"),
    (Rule::TypeMismatch, "%d = ptr_add %r, 8\nreturn %a"),
    (Rule::TypeMismatch, "%d = ptr_to_int %r\nreturn %a"),
    (Rule::TypeRelation, "%x = trunc.i64 %a\nreturn %a"),
    (Rule::TypeRelation, "%x = sext.i64 %a\nreturn %a"),
    (Rule::TypeRelation, "%x = sext.i64x2 %c\nreturn %a"),
    (Rule::TypeRelation, "%x = bitcast.f32 %a\nreturn %a"),
    (Rule::TypeRelation, "%x = bswap.i8 1\nreturn %a"),
    (Rule::TypeRelation, "%x = address_cast.ref %r\nreturn %a"),
    (Rule::TypeRelation, "%d = address_cast.derived %r\n%x = address_cast.ref %d\nreturn %a"),
    (Rule::TypeRelation, "%d = address_cast.ptr %r\nreturn %a"),
    (Rule::TypeRelation, "%x = insert_value.{i64, i8} zero, %a, 1\nreturn %a"),
    (Rule::TypeRelation, "%x = reduce_add.i32 i64x2:<1, 2>\nreturn %a"),
    (Rule::TypeRelation, "%x = shuffle.i32x2 i32x2:<1, 2>, i32x4:<1, 2, 3, 4>, [0, 1]\nreturn %a"),
    (Rule::Immediates, "%x = shuffle.i32x2 i32x2:<1, 2>, i32x2:<1, 2>, [0, 4]\nreturn %a"),
    (Rule::RmwKind, "%x = atomic_rmw.ptr add seq_cst %p, %p\nreturn %a"),
    (Rule::RmwKind, "%x = atomic_rmw.i64 fadd seq_cst %p, %a\nreturn %a"),
    (Rule::CallKind, "foreign func @g()\nfunc @h() {\nb:\n call @g()\n return\n}"),
    (Rule::CallKind, "foreign func @g()\nfunc @h() {\nb:\n return_call @g()\n}"),
    (Rule::CallKind, "import func @g()\nfunc @h() {\nb:\n call_foreign @g()\n return\n}"),
    (
        Rule::CallKind,
        "foreign func @g()\nfunc @h() {\nb:\n %f = function_addr.cfn() @g\n call_indirect.cfn() %f()\n return\n}",
    ),
    (Rule::Arguments, "%x = call @f(%a, %p, %r)\nreturn %x"),
    (Rule::Arguments, "%x = call @f(%a, %p, %r, %a)\nreturn %x"),
    (Rule::Arguments, "%x = call @f(%a, %p, %r, %c, %c)\nreturn %x"),
    (Rule::Arguments, "foreign func @g(ptr, ...)\nfunc @h() {\nb:\n call_foreign @g()\n return\n}"),
    (
        Rule::VariadicArgument,
        "foreign func @g(ptr, ...)\nfunc @h() {\nb:\n call_foreign @g(null, f32:1.0)\n return\n}",
    ),
    (
        Rule::Roots,
        "foreign func @g(ptr)\nfunc @h(ptr) {\nb(%p: ptr):\n call_foreign @g(%p) roots(%p)\n return\n}",
    ),
    (Rule::TailCall, "import func @g()\nfunc @h() -> i64 {\nb:\n return_call @g()\n}"),
    (
        Rule::TailCall,
        "import func @g(derived)\nfunc @h(ref) {\nb(%r: ref):\n %d = address_cast.derived %r\n return_call @g(%d)\n}",
    ),
    (Rule::ReturnValues, "return"),
    (Rule::ReturnValues, "return %p"),
    (Rule::ReturnValues, "return %a, %a"),
    (Rule::ExitValues, "exit0 = trap bounds\ncheck %c, exit0(%a)\nreturn %a"),
    (Rule::ExitValues, "exit0 = side 1 (i64)\ncheck %c, exit0(%p)\nreturn %a"),
    (Rule::ModifyFunction, "%x, %y = atomic_modify.i64 @f, seq_cst %p, %a\nreturn %a"),
    (Rule::FunctionType, "%x = function_addr.fn() @f\nreturn %a"),
    (Rule::Flag, "%x = load.i64 %p nonnull\nreturn %a"),
    (Rule::Flag, "store.i64 %a, %p invariant\nreturn %a"),
    (Rule::MemoryOrder, "%x = atomic_load.i64 release %p\nreturn %a"),
    (Rule::MemoryOrder, "atomic_store.i64 acquire %a, %p\nreturn %a"),
    (Rule::MemoryOrder, "%x = atomic_rmw.i64 add unordered %p, %a\nreturn %a"),
    (Rule::MemoryOrder, "%x, %y = atomic_cas.i64 unordered relaxed %p, %a, %a\nreturn %a"),
    (Rule::MemoryOrder, "%x, %y = atomic_cas.i64 seq_cst release %p, %a, %a\nreturn %a"),
    (Rule::MemoryOrder, "%x, %y = atomic_cas.i64 relaxed acquire %p, %a, %a\nreturn %a"),
    (Rule::MemoryOrder, "%x, %y = atomic_cas.i64 seq_cst unordered %p, %a, %a\nreturn %a"),
    (Rule::MemoryOrder, "fence relaxed\nreturn %a"),
    (Rule::SwitchCase, "switch.i64 %a, [1: b1, 1: b1], b1\nb1:\nreturn %a"),
    (Rule::SwitchCase, "switch.i8 1, [255: b1, -1: b1], b1\nb1:\nreturn %a"),
    (Rule::Weights, "branch %c, b1, b1 weights(0, 0)\nb1:\nreturn %a"),
    (Rule::Weights, "branch %c, b1, b1 weights(1)\nb1:\nreturn %a"),
    (Rule::Range, "%x = add.i64 %a, 1 range(3, 3)\nreturn %a"),
    (Rule::Range, "%x = load.f64 %p range(0, 3)\nreturn %a"),
    (Rule::LoopMark, "loop_mark simd\nreturn %a"),
    (
        Rule::LoopMark,
        "jump b1\nb1:\nloop_mark simd\nloop_mark simd\nbranch %c, b1, b2\nb2:\nreturn %a",
    ),
    (Rule::Feature, "%x = cpu_has \"\"\nreturn %a"),
    (
        Rule::ConstantStore,
        "data @d const = { zero 8 }\nfunc @g() {\nb:\n data_store.i8 1, @d, 0\n return\n}",
    ),
    (Rule::EntryParameters, "func @g(i64) {\nb:\n return\n}"),
    (Rule::EntryParameters, "func @g(i64) {\nb(%x: i32):\n return\n}"),
    (Rule::EntryPredecessor, "func @g() {\nb:\n jump b\n}"),
    (Rule::ParameterType, "jump b1\nb1:\nreturn %a\nb2(%x: token):\nreturn %a"),
    (Rule::BlockArguments, "jump b1\nb1(%x: i64):\nreturn %a"),
    (Rule::BlockArguments, "jump b1(%p)\nb1(%x: i64):\nreturn %a"),
    (Rule::Dominance, "%x = add.i64 %y, 1\n%y = add.i64 %x, 1\nreturn %a"),
    (Rule::Dominance, "branch %c, b1, b2\nb1:\n%x = add.i64 %a, 1\njump b2\nb2:\nreturn %x"),
    (Rule::Dominance, "%x = add.i64 %x, 1\nreturn %a"),
    (Rule::Dominance, "branch %c, b1(%a), b2\nb1(%x: i64):\njump b2\nb2:\nreturn %x"),
    (
        Rule::Dominance,
        "branch %c, b1, b2\nb1:\n%t = preserve_begin %r\njump b2\nb2:\npreserve_end %t\nreturn %a",
    ),
    (Rule::TryResult, "%x = try_call @f(%a, %p, %r, %c) normal b1, unwind b1\nb1:\nreturn %x"),
    (Rule::TryResult, "%x = try_call @f(%x, %p, %r, %c) normal b1, unwind b1\nb1:\nreturn %a"),
    (
        Rule::TryResult,
        "%x = try_call @f(%a, %p, %r, %c) normal b1(%a), unwind b1(%x)\nb1(%y: i64):\nreturn %y",
    ),
    (Rule::RegionNesting, "leave 1\nreturn %a"),
    (Rule::RegionNesting, "leave 0\nreturn %a"),
    (Rule::RegionNesting, "enter b1, unwind b2\nb1:\nleave 2\nreturn %a\nb2:\nreturn %a"),
    (
        Rule::RegionNesting,
        "branch %c, b1, b2\nb1:\nenter b2, unwind b3\nb2:\njump b3\nb3:\nthrow null",
    ),
    (
        Rule::RegionNesting,
        "branch %c, b1, b2\nb1:\nenter b3, unwind b4\nb2:\nenter b3, unwind b4\nb3:\nthrow null\nb4:\nreturn %a",
    ),
    (Rule::ReturnInRegion, "enter b1, unwind b2\nb1:\nreturn %a\nb2:\nreturn %a"),
    (
        Rule::ReturnInRegion,
        "enter b1, unwind b2\nb1:\nreturn_call @f(%a, %p, %r, %c)\nb2:\nreturn %a",
    ),
    (Rule::CalleeUse, "%k = address_cast.callee %r\nstore.i64 %a, %k\nreturn %a"),
    (Rule::CalleeUse, "%k = address_cast.callee %r\n%x = icmp.callee eq %k, null\nreturn %a"),
    (Rule::CalleeUse, "%k = address_cast.callee %r\njump b1(%k)\nb1(%x: callee):\nreturn %a"),
    (Rule::CalleeUse, "%k = address_cast.callee %r\n%x = pointer_from_ref %k\nreturn %a"),
    (Rule::ManagedAccess, "%d = address_cast.derived %r\nstore.derived %d, %p\nreturn %a"),
    (Rule::ManagedAccess, "%d = load.derived %p\nreturn %a"),
    (Rule::ManagedAccess, "%d = load.loaded %p\nstore.loaded %d, %p\nreturn %a"),
];

/// Rules that the tests below show.
pub(super) const RULES: &[Rule] = &[Rule::Dialect, Rule::Target];

fn module_of(text: &str) -> String {
    if text.contains("@g") || text.contains("data @") || text.contains("func @") {
        return text.to_owned();
    }
    let declares =
        |line: &&str| line.contains(" = slot") || line.starts_with("exit") && line.contains('=');
    let declarations: Vec<&str> = text.lines().filter(declares).collect();
    let mut code: Vec<&str> = text.lines().filter(|line| !declares(line)).collect();
    if code.is_empty() {
        code.push("return %a");
    }
    format!(
        "func @f(i64, ptr, ref, i1) -> i64 {{\n{}\nentry(%a: i64, %p: ptr, %r: ref, %c: i1):\n{}\n}}",
        declarations.join("\n"),
        code.join("\n")
    )
}

#[test]
fn each_text_breaks_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    for &(rule, text) in CASES {
        let text = module_of(text);
        let module = match parse_module(&text) {
            Ok(module) => module,
            Err(errors) => {
                wrong.push(format!("{rule} does not parse: {errors:?}\n{text}"));
                continue;
            }
        };
        let found = broken_rules(&module, &Options::default());
        if found != [rule] {
            wrong.push(format!("{rule}, found {found:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// So each `preserve_end` ends what one `preserve_begin` on every path to it began.
#[test]
fn a_token_comes_from_a_preserve_begin_alone() {
    for &op in Op::ALL {
        let info = op.info();
        let results = info.results.iter().map(|pattern| pattern.resolve(Type::TOKEN));
        let gives = results.flatten().any(|ty| ty == Type::TOKEN);
        let is_possible = info.suffix.contains(Type::TOKEN) || info.suffix == TypeClass::None;
        assert_eq!(gives && is_possible, op == Op::PreserveBegin, "{op}");
    }
    let mut types = TypePool::default();
    let token = Signature::internal(&[], &[Type::TOKEN]);
    assert!(types.signature(token).is_err() && types.array(Type::TOKEN, 1).is_err());
    assert!(Constant::zero(Type::TOKEN).is_none());
}

/// A module with an op of each dialect.
const DIALECTS: &str = "\
func @f(i64) -> i64 {
b(%a: i64):
    %e = expect.i64 %a, 1
    safepoint
    %x = add.i64 %e, 1
    return %x
}";

#[test]
fn each_border_refuses_the_dialects_before_it() {
    let module = parse(DIALECTS);
    let lines_at = |border| {
        let errors = verify_module(&module, &Options { border, ..Options::default() }).err();
        let errors = errors.map_or(vec![], |errors| errors.errors);
        assert!(errors.iter().all(|error| error.rule == Rule::Dialect));
        errors.into_iter().map(|error| error.line).collect::<Vec<_>>()
    };
    assert!(lines_at(Dialect::Front).is_empty());
    assert_eq!(lines_at(Dialect::Managed), ["%e = expect.i64 %a, 1"]);
    assert_eq!(lines_at(Dialect::Machine), ["%e = expect.i64 %a, 1", "safepoint"]);
}

#[test]
fn aggregates_end_at_the_first_border() {
    for text in [
        "import func @f([2 x i8])",
        "import func @f() -> {i8}",
        "func @f() {\nb:\n %x = opaque.{i8} zero\n return\n}",
        "func @f() {\nb:\n jump b1(zero)\nb1(%x: {i8}):\n return\n}",
    ] {
        let module = parse(text);
        assert_eq!(broken_rules(&module, &Options::default()), [], "{text}");
        let options = Options { border: Dialect::Managed, ..Options::default() };
        assert_eq!(broken_rules(&module, &options), [Rule::Dialect], "{text}");
    }
}

/// A target that cannot add.
#[derive(Debug)]
struct NoAdder;

impl TargetRules for NoAdder {
    fn refusal(&self, _: &Module, body: &Body, inst: Inst) -> Option<String> {
        (body.inst(inst).op == Op::Add).then(|| "the target has no adder".to_owned())
    }
}

#[test]
fn a_target_refuses_what_it_cannot_do() {
    let module = parse(DIALECTS);
    let options = Options { target: Some(&NoAdder), ..Options::default() };
    let errors = verify_module(&module, &options).unwrap_err();
    assert_eq!(
        errors.to_string(),
        "@f, b (line 5:5): the target has no adder [target]\n    %x = add.i64 %e, 1"
    );
}
