use brolga_ir::text::parse_module;
use brolga_lowering::level::Level;
use brolga_lowering::target::{IsaOptions, TargetSpec};

use super::*;

fn isa() -> Isa {
    Isa::new(TargetSpec::host().unwrap(), IsaOptions::default()).unwrap()
}

/// Functions of different sizes that take each other over, and some that nobody calls.
fn module(functions: usize) -> Module {
    let mut text = String::new();
    for index in 0..functions {
        let linkage = if index % 5 == 1 { "local " } else { "" };
        let callee = index.saturating_sub(1 + index % 3);
        let sums: String = (0..index % 7)
            .map(|at| format!("    %s{} = mul.i64 %s{at}, {}\n", at + 1, index + at))
            .collect();
        text += &format!(
            "{linkage}func @f{index}(i64) -> i64 {{\nentry(%s0: i64):\n{sums}    %c = call @f{callee}(%s{})\n    return %c\n}}\n",
            index % 7
        );
    }
    parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn lower(
    module: &Module,
    options: &LowerOptions,
    threads: usize,
) -> Result<Vec<Unit>, CompileError> {
    let mut compiler = Compiler::new();
    Workers::new(&mut compiler, threads, None).lower_module(module, &isa(), options)
}

#[test]
fn any_number_of_threads_gives_the_same_units_in_the_same_order() {
    let module = module(200);
    for level in Level::ALL.iter().copied() {
        let options = LowerOptions { level, ..LowerOptions::default() };
        let alone = lower(&module, &options, 1).unwrap();
        assert!(alone.len() > 100);
        for threads in [2, 4, 1000] {
            assert_eq!(lower(&module, &options, threads).unwrap(), alone, "{level:?} {threads}");
        }
    }
}

#[test]
fn the_first_function_that_is_refused_is_named_whatever_the_threads() {
    let module = module(200);
    let most = module.functions().map(|(_, it)| it.body.as_deref().map_or(0, |it| it.inst_count()));
    let max_instructions = most.max().unwrap() - 1;
    let options = LowerOptions { level: Level::O0, max_instructions, ..LowerOptions::default() };
    let alone = lower(&module, &options, 1).unwrap_err();
    for threads in [2, 3, 8] {
        let error = lower(&module, &options, threads).unwrap_err();
        assert_eq!(format!("{error:?}"), format!("{alone:?}"));
    }
}

#[test]
fn times_of_all_threads_are_counted() {
    let (module, mut compiler) = (module(100), Compiler::timed());
    let options = LowerOptions::default();
    let mut workers = Workers::new(&mut compiler, 3, None);
    workers.lower_module(&module, &isa(), &options).unwrap();
    assert!(compiler.times().iter().any(|(part, _)| part == "emit"));
}
