//! Calls of addresses.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::op::Op;
use brolga_ir::text::parse_module;
use brolga_ir::trap::TrapCode;
use brolga_lowering::options::{Calls, LowerOptions};
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};

fn lower(text: &str) -> Result<CompiledUnit, Unsupported> {
    lower_with(text, &LowerOptions::default())
}

fn lower_with(text: &str, options: &LowerOptions) -> Result<CompiledUnit, Unsupported> {
    let module = parse_module(text).unwrap();
    let isa = Isa::new(TargetSpec::host().unwrap(), IsaOptions::default()).unwrap();
    let f = module.function_named("f").unwrap();
    Baseline::new().begin(&module, &isa, options)?.lower(f)
}

#[test]
fn functions_are_called_by_their_entries_or_by_their_slots() {
    let text = "import @g(i64) -> i64
func @f(i64) -> i64 {
b(%x: i64):
    %a = call @f(%x)
    return_call @g(%a)
}";
    let named = |calls| {
        let options = LowerOptions { calls, ..LowerOptions::default() };
        let unit = lower_with(text, &options).unwrap();
        let symbols = unit.relocations.iter().map(|it| it.symbol.to_string());
        symbols.filter(|symbol| symbol.contains('@')).collect::<Vec<_>>()
    };
    assert_eq!(named(Calls::Near), ["call @f", "call @g"]);
    assert_eq!(named(Calls::BySlot), ["entry slot @f", "entry slot @g"]);
}

#[test]
fn what_is_not_ours_is_called_by_one_thunk_for_each_signature() {
    let unit = lower(
        "func @f(ptr, i64) -> i64 {
b(%p: ptr, %x: i64):
    %y = call_ptr.fn(i64) -> i64 %p(%x)
    %z = call_ptr.fn(i64) -> i64 %p(%y)
    %a = call_ptr.fn(i64, i64) -> i64 %p(%z, %x)
    return %a
}",
    );
    let unit = unit.unwrap();
    assert_eq!(unit.thunks.len(), 2);
    let is_thunk = |symbol: &UnitSymbol| matches!(symbol, UnitSymbol::PointerThunk(_));
    assert_eq!(unit.relocations.iter().filter(|it| is_thunk(&it.symbol)).count(), 3);
    // Each of ours, each thunk, and no call else but of the guard and for null.
    assert_eq!(unit.call_sites.iter().filter(|site| site.exit.is_none()).count(), 6);
}

#[test]
fn what_no_function_of_the_platform_takes_asks_for_no_thunk() {
    let unit = lower(
        "func @f(ptr, i1x16) -> i64 {
b(%p: ptr, %m: i1x16):
    %a = call_ptr.fn(i1x16) -> i64 %p(%m)
    return %a
}",
    );
    let unit = unit.unwrap();
    assert_eq!(unit.thunks, []);
    let mut exits = unit.call_sites.iter().filter_map(|site| site.exit.as_ref());
    assert!(exits.any(|exit| exit.code == TrapCode::MissingFunction));
}

#[test]
fn what_no_function_of_the_platform_gives_is_left_to_the_pipeline() {
    let unit = lower(
        "func @f(ptr) -> i64 {
b(%p: ptr):
    %a, %b = call_ptr.fn() -> (i64, i64) %p()
    return %a
}",
    );
    assert_eq!(unit.err(), Some(Unsupported::Op(Op::CallPtr)));
}
