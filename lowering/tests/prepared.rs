//! A function that is taken out of its module with what it can reach comes out
//! as it does of the whole module, and says whose code it has.

use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};
use brolga_lowering::pipeline::{
    Level, Prepared, Report, RunOptions, Stream, legal_function, passes_at,
};
use brolga_lowering::target::TargetSpec;

const TEXT: &str = include_str!("prepared.bir");

#[test]
fn a_module_is_streamed_only_where_one_row_alone_looks_into_functions() {
    let always = TEXT.replace("@square(i32) -> i32 {", "@square(i32) -> i32 inline always {");
    let passes = passes_at(Level::O2);
    let can_be_streamed = |text: &str| Stream::new(&parse_module(text).unwrap(), &passes).is_some();
    assert!(can_be_streamed(TEXT));
    assert!(!can_be_streamed(&always));
    assert!(!can_be_streamed(
        "weak func @f() {\nblock0:\n    return\n}\nweak func @g() {\nblock0:\n    return\n}\n"
    ));
}

#[test]
fn a_function_comes_out_alike_of_its_module_and_of_what_it_reaches() {
    let module = parse_module(TEXT).unwrap();
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let (passes, options) = (passes_at(Level::O1), RunOptions::new(&target));
    let report = &mut Report::default();
    let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
    for (id, function) in module.functions() {
        let alone = legal_function(&module, id, &passes, &options, report).unwrap();
        let whole = prepared.legal(id, &options, report).unwrap();
        assert_eq!(print_module(&alone.module), print_module(&whole.module), "{}", function.name);
        assert_eq!(alone.inlined, whole.inlined, "{}", function.name);
        let declared = whole.declared_signature(whole.function).unwrap();
        assert_eq!(
            whole.module.types.sig(declared).params.len(),
            module.signature_of(id).params.len(),
            "{}",
            function.name
        );
    }
}

#[test]
fn a_function_says_whose_code_and_exits_it_has_taken_over() {
    let module = parse_module(TEXT).unwrap();
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let (passes, options) = (passes_at(Level::O1), RunOptions::new(&target));
    let all = module.function_named("all").unwrap();
    let legal = legal_function(&module, all, &passes, &options, &mut Report::default()).unwrap();
    let names: Vec<&str> = legal.inlined.iter().map(AsRef::as_ref).collect();
    assert_eq!(names, ["square", "cube", "even", "odd"]);
    let body = legal.module.function(legal.function).unwrap().body.as_deref().unwrap();
    // The struct was taken apart before the exit was taken over, and is one for who declared it.
    let declared: Vec<_> = body.exits().filter_map(|(exit, _)| legal.declared_exit(exit)).collect();
    assert!(declared.iter().any(|shapes| shapes.len() == 1), "{declared:?}");
}

#[test]
fn exits_that_a_function_takes_over_from_itself_are_as_it_declared_them() {
    let text = "
func @down(i64) -> i64 {
    exit0 = side 7 (i64, i32x6)
block0(%n: i64):
    %more = icmp.i64 sgt %n, 0
    branch %more, block1, block2
block1:
    %m = sub.i64 %n, 2
    %r = call @down(%m)
    %s = mul.i64 %r, %n
    return %s
block2:
    %even = icmp.i64 eq %n, 0
    check %even, exit0(%n, zero)
    return 1
}";
    let module = parse_module(text).unwrap();
    let down = module.function_named("down").unwrap();
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let (passes, options) = (passes_at(Level::O2), RunOptions::new(&target));
    let report = &mut Report::default();
    let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
    let whole = prepared.legal(down, &options, report).unwrap();
    let alone = legal_function(&module, down, &passes, &options, report).unwrap();
    for legal in [whole, alone] {
        let body = legal.module.function(legal.function).unwrap().body.as_deref().unwrap();
        let exits: Vec<_> = body.exits().map(|(exit, _)| legal.declared_exit(exit)).collect();
        assert!(exits.len() > 1, "nothing was taken over");
        assert!(exits.iter().all(|shapes| shapes.is_some_and(|it| it.len() == 2)), "{exits:?}");
    }
}

/// Functions of which each does nothing but call the next one, and the last one multiplies.
fn wrappers(functions: usize, attributes: &str) -> Module {
    let function = |index: usize| {
        format!(
            "func @f{index}(i64) -> i64{attributes} {{\nblock0(%x: i64):\n    \
             %y = call @f{}(%x)\n    return %y\n}}\n",
            index + 1
        )
    };
    let last = format!(
        "func @f{functions}(i64) -> i64 {{\nb(%x: i64):\n    %y = mul.i64 %x, %x\n    return %y\n}}\n"
    );
    parse_module(&((0..functions).map(function).collect::<String>() + &last)).unwrap()
}

#[test]
fn along_a_chain_of_wrappers_each_has_the_code_of_so_many_and_no_more() {
    for (attributes, count, most) in [("", 400, 64), (" inline always", 1500, 1024)] {
        let module = wrappers(count, attributes);
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let (passes, options) = (passes_at(Level::O1), RunOptions::new(&target));
        let report = &mut Report::default();
        let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
        let mut longest = 0;
        for (id, _) in module.functions() {
            let legal = prepared.legal(id, &options, report).unwrap();
            let body = legal.module.function(legal.function).unwrap().body.as_deref().unwrap();
            let (taken, locations) = (legal.inlined.len(), body.locs().len());
            // The bound is on what is taken over, and instructions count as well.
            assert!(taken <= most + 8 && locations <= 2 * taken + 8, "{taken} {locations}");
            longest = longest.max(taken);
        }
        assert!(longest >= most, "{longest}");
    }
}

#[test]
fn a_long_chain_comes_out_alike_of_its_module_and_of_what_a_function_reaches() {
    let module = wrappers(200, "");
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let (passes, options) = (passes_at(Level::O1), RunOptions::new(&target));
    let report = &mut Report::default();
    let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
    for (id, function) in module.functions().step_by(19) {
        let alone = legal_function(&module, id, &passes, &options, report).unwrap();
        let whole = prepared.legal(id, &options, report).unwrap();
        assert_eq!(print_module(&alone.module), print_module(&whole.module), "{}", function.name);
        assert_eq!(alone.inlined, whole.inlined, "{}", function.name);
    }
}
