//! Functions with structs and arrays, which are taken apart first.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use brolga_lowering::continuation::{FrameMap, Leaf};
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use brolga_lowering::unit::{CompiledUnit, SignatureHash, UnitSymbol};

const PAIRS: &str = "
import func @g({i64, f64}) -> {i64, f64}
func @f({i64, f64}, i64) -> {i64, f64} {
b(%p: {i64, f64}, %n: i64):
    %a = extract_value.{i64, f64} %p, 0
    %q = make_aggregate.{i64, f64} %a, 1.5
    jump loop(%q, 0)
loop(%r: {i64, f64}, %i: i64):
    %s = call @g(%r)
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%s, %j), end
end:
    return %q
}
";

fn with<T>(
    module: &Module,
    look: impl FnOnce(brolga_baseline::Functions<'_>) -> Result<T, Unsupported>,
) -> Result<T, Unsupported> {
    let isa = Isa::new(TargetSpec::host().unwrap(), IsaOptions::default()).unwrap();
    let options = LowerOptions::default();
    let mut baseline = Baseline::new();
    look(baseline.begin(module, &isa, &options)?)
}

fn lower(module: &Module, function: &str) -> Result<CompiledUnit, Unsupported> {
    let id = module.function_named(function).unwrap();
    with(module, |mut functions| functions.lower(id))
}

#[test]
fn others_are_called_by_the_signatures_that_they_are_declared_with() {
    let module = parse_module(PAIRS).unwrap();
    let unit = lower(&module, "f").unwrap();
    let called = unit.relocations.iter().find_map(|relocation| match &relocation.symbol {
        UnitSymbol::Call(symbol) => Some(symbol.clone()),
        _ => None,
    });
    let g = module.function_named("g").unwrap();
    let declared = SignatureHash::of(&module.types, module.signature_of(g));
    assert_eq!(called.unwrap().signature, declared);
    assert_eq!(&*unit.name, "f");
}

#[test]
fn a_frame_tells_of_each_leaf_where_it_is() {
    let module = parse_module(PAIRS).unwrap();
    let f = module.function_named("f").unwrap();
    let body = module.function(f).unwrap().body.as_deref().unwrap();
    let FrameMap { split, .. } = with(&module, |mut functions| functions.frame(f)).unwrap();
    let leaves = |name: &str| {
        let value = body.value_named(name).unwrap();
        &split.iter().find(|(it, _)| *it == value).unwrap().1
    };
    assert!(matches!(leaves("p")[..], [Leaf::Home(_), Leaf::Unused]), "{:?}", leaves("p"));
    assert!(matches!(leaves("q")[..], [Leaf::Home(_), Leaf::Constant(_)]), "{:?}", leaves("q"));
    assert!(matches!(leaves("r")[..], [Leaf::Home(_), Leaf::Home(_)]), "{:?}", leaves("r"));
    assert_eq!(leaves("p")[0], leaves("a")[0], "what was taken out is where it was");
}

#[test]
fn what_leaves_by_an_exit_as_a_struct_is_left_to_the_pipeline() {
    let text = "
func @f({i64, i64}, i1) -> i64 {
    exit0 = side 3 ({i64, i64})
b(%p: {i64, i64}, %c: i1):
    check %c, exit0(%p)
    return 1
}
";
    let module = parse_module(text).unwrap();
    assert_eq!(lower(&module, "f").err(), Some(Unsupported::Value));
}

#[test]
fn the_next_function_of_a_module_is_not_mixed_up_with_one_that_was_taken_apart() {
    let text = format!(
        "{PAIRS}\nfunc @h(i64) -> i64 {{\nb(%x: i64):\n    %y = call @h(%x)\n    return %y\n}}\n"
    );
    let module = parse_module(&text).unwrap();
    let alone = lower(&module, "h").unwrap();
    let [f, h] = ["f", "h"].map(|name| module.function_named(name).unwrap());
    let behind = with(&module, |mut functions| {
        functions.lower(h)?;
        functions.lower(f)?;
        functions.lower(h)
    });
    assert_eq!(behind.unwrap().relocations, alone.relocations);
}
