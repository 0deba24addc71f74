use brolga_ir::text::parse_module;
use brolga_lowering::level::Level;
use brolga_lowering::target::{IsaOptions, TargetSpec};

use super::*;
use crate::link::unit::{Form, Needs};

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

fn lower(module: &Module, options: &LowerOptions, threads: usize) -> Result<Vec<Unit>, LoadError> {
    let mut compiler = Compiler::new();
    let mut workers = Workers::new(&mut compiler, threads, None);
    workers.lower_module(module, &isa(), options).map(|made| made.units)
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

#[test]
fn only_what_calls_functions_and_the_runtime_needs_nothing_more() {
    let module = parse_module(
        "data @d align 8 = { zero 8 }
foreign func @c(i64) -> i64
func @calls(i64) -> i64 {
entry(%x: i64):
    %y = call @calls(%x)
    %z = sdiv.i64 %x, %y
    return %z
}
func @reads_data() -> i64 {
entry:
    %p = data_addr @d
    %x = load.i64 %p align 8
    return %x
}
func @takes_an_address() -> ptr {
entry:
    %f = function_addr.fn(i64) -> i64 @calls
    %p = function_to_ptr.fn(i64) -> i64 %f
    return %p
}
func @calls_beyond(i64) -> i64 {
entry(%x: i64):
    %y = call_foreign @c(%x)
    return %y
}
",
    )
    .unwrap();
    for level in [Level::O0, Level::O2] {
        let options = LowerOptions { level, ..LowerOptions::default() };
        let units = lower(&module, &options, 1).unwrap();
        let needs = units.iter().map(|unit| match &unit.form {
            Form::Whole(_, needs) => *needs,
            Form::Standing(..) => panic!("{unit:?}"),
        });
        let needs: Vec<Needs> = needs.collect();
        assert_eq!(needs, [Needs::Nothing, Needs::More, Needs::More, Needs::More], "{level:?}");
    }
}
