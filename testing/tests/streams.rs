//! Functions of a module that are handed out one by one are what the module gives that has one
//! pass after another run on all of them.

use std::collections::BTreeMap;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Inlining, Module};
use brolga_ir::text::{parse_module, print_module};
use brolga_lowering::pipeline::{
    Legal, Level, Pass, Prepared, Report, RunOptions, Stream, passes_at,
};
use brolga_lowering::target::TargetSpec;
use brolga_testing::generate::{Managed, Options, generate_many};

/// Functions that call each other, and one whose exit another takes over.
const CIRCLE: &str = include_str!("../../lowering/tests/prepared.bir");

fn target() -> TargetSpec {
    TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64-v3").unwrap()
}

fn streamed(
    module: &Module,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
) -> Option<BTreeMap<FuncId, Legal>> {
    let report = &mut Report::default();
    let mut stream = Stream::new(module, passes)?;
    let mut all = BTreeMap::new();
    loop {
        while stream.upcoming().is_some() {
            stream.advance(options, report).unwrap();
        }
        let Some((id, unfinished)) = stream.take() else { return Some(all) };
        all.insert(id, unfinished.unwrap().finish(options, report).unwrap());
    }
}

/// How many functions of the module have been compared, if they can be handed out one by one.
fn compare(title: &str, module: &Module, level: Level, target: &TargetSpec) -> Option<usize> {
    let (passes, options) = (passes_at(level), RunOptions::new(target));
    let streamed = streamed(module, &passes, &options)?;
    let report = &mut Report::default();
    let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
    let needed = prepared.needed();
    for (id, function) in module.functions().filter(|(_, function)| function.body.is_some()) {
        let place = format!("{title}, @{}", function.name);
        assert_eq!(streamed.contains_key(&id), needed.contains(id), "{place}");
        let Some(one) = streamed.get(&id) else { continue };
        let whole = prepared.legal(id, &options, report).unwrap();
        assert_eq!(print_module(&one.module), print_module(&whole.module), "{place}");
        assert_eq!(one.inlined, whole.inlined, "{place}");
        let body = one.module.function(one.function).unwrap().body.as_deref().unwrap();
        for (exit, _) in body.exits() {
            assert_eq!(one.declared_exit(exit), whole.declared_exit(exit), "{place}");
        }
    }
    Some(streamed.len())
}

/// A generated module. A second row would have something to do where a function is always to be
/// taken over, so none is.
fn generated(seed: u64) -> Module {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    let mut module = generate_many(seed, 12, &options).module;
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        if let Some(function) = module.function_mut(id) {
            function.attributes.inlining = Inlining::Auto;
        }
    }
    module
}

const LEVELS: [Level; 3] = [Level::O1, Level::O2, Level::O3];

#[test]
fn functions_of_a_circle_and_exits_are_what_the_whole_module_gives() {
    let module = parse_module(CIRCLE).unwrap();
    for level in LEVELS {
        assert_eq!(compare("circle", &module, level, &target()), Some(4));
    }
}

#[test]
fn local_functions_are_handed_out_if_code_that_is_wanted_names_them() {
    let local = |name: &str, callee: &str| {
        let call = match callee {
            "" => "    %r = sdiv.i32 %x, %x\n".to_owned(),
            callee => format!("    %r = call @{callee}(%x)\n"),
        };
        let attribute = "inline never";
        format!(
            "local func @{name}(i32) -> i32 {attribute} {{\nblock0(%x: i32):\n{call}    return %r\n}}\n"
        )
    };
    let text =
        [local("leaf", ""), local("dead", "leaf"), local("alive", "leaf"), CIRCLE.to_owned()];
    let user =
        "func @user(i32) -> i32 {\nblock0(%x: i32):\n    %r = call @alive(%x)\n    return %r\n}\n";
    let module = parse_module(&(text.concat() + user)).unwrap();
    assert_eq!(compare("locals", &module, Level::O2, &target()), Some(7));
}

#[test]
fn functions_of_generated_modules_are_what_the_whole_module_gives() {
    let target = target();
    let compared = (0..30).filter_map(|seed| {
        let level = LEVELS[seed as usize % LEVELS.len()];
        compare(&format!("seed {seed}"), &generated(seed), level, &target)
    });
    let count: usize = compared.sum();
    assert!(count > 100, "{count} functions were compared");
}
