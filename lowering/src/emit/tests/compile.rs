//! Every op, compiled for every target.

use std::fmt::Write as _;

use brolga_ir::entity::FuncId;
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::example_module;
use brolga_ir::types::{Scalar, Signature, Type};

use super::*;
use crate::error::CompileError;
use crate::level::{BackEnd, Level};
use crate::options::{Calls, Polls};
use crate::pipeline::{Demand, GivenUp};
use crate::runtime::RuntimeEntry;
use crate::unit::{CodeRelocation, CompiledUnit, ThunkRequest, UnitSymbol};

fn compile_all(text: &str, isa: &Isa) -> Result<Vec<CompiledUnit>, CompileError> {
    let module = module(text);
    let mut compiler = Compiler::new();
    let bodies = module.functions().filter(|(_, function)| function.body.is_some());
    bodies
        .map(|(id, _)| compiler.lower_function(&module, id, isa, &LowerOptions::default()))
        .collect()
}

#[test]
fn every_example_compiles_or_is_refused_by_name() {
    for target in TARGETS {
        let isa = isa(target);
        for &op in Op::ALL {
            match compile_all(&example_module(op), &isa) {
                Ok(units) => assert!(!units.is_empty(), "{op}"),
                Err(CompileError::Unsupported { .. }) => {
                    assert_eq!(op.info().dialect, Dialect::Managed, "{op}");
                }
                Err(error) => panic!("{target} {op}: {error}"),
            }
        }
    }
}

/// Modules that lean on everything that leaves records in the back end.
fn all_texts() -> Vec<String> {
    let mut texts: Vec<String> = Op::ALL.iter().map(|&op| example_module(op)).collect();
    let programs = [programs::CALLS, programs::EXCEPTIONS, programs::ENTITIES, programs::EXITS];
    texts.extend(programs.map(str::to_owned));
    texts
}

fn compile_each(isa: &Isa, mut visit: impl FnMut(&Module, FuncId, CompiledUnit)) {
    let mut compiler = Compiler::new();
    for text in all_texts() {
        let module = module(&text);
        for (id, function) in module.functions() {
            if function.body.is_none() {
                continue;
            }
            let options = LowerOptions { polls: Polls::LoopsAndEntries, ..Default::default() };
            if let Ok(unit) = compiler.lower_function(&module, id, isa, &options) {
                visit(&module, id, unit);
            }
        }
    }
}

#[test]
fn the_same_function_gives_the_same_unit_whatever_came_before() {
    for target in TARGETS {
        let isa = isa(target);
        compile_each(&isa, |module, id, unit| {
            let options = LowerOptions { polls: Polls::LoopsAndEntries, ..Default::default() };
            assert_eq!(lower_function(module, id, &isa, &options).unwrap(), unit);
        });
    }
}

#[test]
fn a_call_of_an_address_is_one_call_whoever_is_called() {
    let text = "func @f(ptr, i64) -> i64 {\nentry(%p: ptr, %n: i64):\n    \
                %r = call_ptr.fn(i64) -> i64 %p(%n)\n    return %r\n}\n";
    for target in TARGETS {
        for unit in compile_all(text, &isa(target)).unwrap() {
            let calls = unit.call_sites.iter().filter(|site| site.exit.is_none());
            assert_eq!(calls.count(), 1, "{target}");
            assert!(matches!(unit.thunks[..], [ThunkRequest { .. }]), "{target}");
        }
    }
}

#[test]
fn calls_by_slot_read_it_each_time_and_those_of_the_prelude_do_not() {
    let text = "import @g(i64) -> i64\nfunc @f(i64, i128) -> i64 {\nentry(%n: i64, %w: i128):\n    \
                %a = call @g(%n)\n    %b = call @f(%a, %w)\n    %q = udiv.i128 %w, %w\n    \
                %t = trunc.i64 %q\n    %c = add.i64 %b, %t\n    return_call @g(%c)\n}\n";
    let module = module(text);
    let function = module.function_named("f").unwrap();
    for target in TARGETS {
        let (level, calls) = (Level::O0, Calls::BySlot);
        let options = LowerOptions { level, calls, ..LowerOptions::default() };
        let unit = lower_function(&module, function, &isa(target), &options).unwrap();
        let named = |of: &str| {
            let symbols = unit.relocations.iter().map(|it| it.symbol.to_string());
            symbols.filter(|symbol| symbol == of).count()
        };
        // An address takes two instructions there.
        let parts = if target.starts_with("aarch64") { 2 } else { 1 };
        assert_eq!(
            (named("entry slot @g"), named("entry slot @f")),
            (2 * parts, parts),
            "{target}"
        );
        assert_eq!((named("call @g"), named("call @f")), (0, 0), "{target}");
        let prelude = |it: &CodeRelocation| matches!(it.symbol, UnitSymbol::Prelude(_));
        assert!(unit.relocations.iter().any(prelude), "{target}");
    }
}

#[test]
fn units_are_in_order_and_refer_inside_of_themselves() {
    for target in TARGETS {
        let isa = isa(target);
        let mut count = 0;
        compile_each(&isa, |_, _, unit| {
            let size = unit.code.len() as u32;
            assert!(unit.relocations.is_sorted_by_key(|it| it.offset));
            assert!(unit.call_sites.is_sorted_by_key(|it| it.return_offset));
            assert!(unit.lines.is_sorted_by_key(|it| it.offset));
            assert!(unit.relocations.iter().all(|it| it.offset + 4 <= size));
            // Behind a tail call that ends the code there is nothing.
            assert!(unit.call_sites.iter().all(|it| (1..=size).contains(&it.return_offset)));
            let handlers = unit.call_sites.iter().filter_map(|site| site.handler);
            assert!(handlers.into_iter().all(|handler| handler.offset < size));
            let frames = unit.call_sites.iter().filter_map(|site| site.frame);
            assert!(frames.into_iter().all(|frame| (frame as usize) < unit.frames.len()));
            assert!(unit.align >= 16 && unit.align.is_power_of_two());
            count += 1;
        });
        assert!(count > 100, "{count}");
    }
}

#[test]
fn every_call_that_stops_execution_says_why() {
    for target in TARGETS {
        let isa = isa(target);
        compile_each(&isa, |_, _, unit| {
            for relocation in &unit.relocations {
                let UnitSymbol::Runtime(RuntimeEntry::Raise) = relocation.symbol else { continue };
                let site = unit.call_site(relocation.offset + 4).unwrap();
                assert!(site.exit.is_some(), "{unit:?}");
            }
            let raises = |unit: &CompiledUnit| {
                let is_raise = |it: &&CodeRelocation| {
                    matches!(
                        it.symbol,
                        UnitSymbol::Runtime(RuntimeEntry::Raise | RuntimeEntry::StackOverflow)
                    )
                };
                unit.relocations.iter().filter(is_raise).count()
            };
            let exits = unit.call_sites.iter().filter(|site| site.exit.is_some()).count();
            assert_eq!(raises(&unit), exits);
        });
    }
}

/// A function of many instructions that all matter.
fn long_function(instructions: usize) -> String {
    let mut text = "func @f(i64) -> i64 {\nblock0(%0: i64):\n".to_owned();
    for i in 0..instructions {
        text.push_str(&format!("    %{} = add.i64 %{i}, {}\n", i + 1, i % 100));
    }
    text.push_str(&format!("    return %{instructions}\n}}\n"));
    text
}

#[test]
fn a_function_over_the_limit_is_refused_and_the_compiler_goes_on() {
    let isa = isa(TARGETS[0]);
    let mut compiler = Compiler::new();
    let options =
        LowerOptions { level: Level::O0, max_instructions: 100, ..LowerOptions::default() };
    let large = module(&long_function(200));
    let id = large.function_named("f").unwrap();
    let error = compiler.lower_function(&large, id, &isa, &options).unwrap_err();
    let expected = CompileError::TooLarge { function: "f".into(), count: 201, limit: 100 };
    assert_eq!(error, expected);
    // Constants count once they are instructions of the back end's.
    let constants = module(&long_function(80));
    let id = constants.function_named("f").unwrap();
    let error = compiler.lower_function(&constants, id, &isa, &options).unwrap_err();
    assert!(matches!(error, CompileError::TooLarge { count: 161.., .. }), "{error}");
    let small = module(&long_function(20));
    let id = small.function_named("f").unwrap();
    compiler.lower_function(&small, id, &isa, &options).unwrap();
}

#[test]
fn large_functions_compile() {
    let isa = isa(TARGETS[0]);
    let module = module(&long_function(100_000));
    let id = module.function_named("f").unwrap();
    for (level, least) in [(Level::O0, 400_000), (Level::O2, 10)] {
        let options = LowerOptions { level, ..LowerOptions::default() };
        let unit = lower_function(&module, id, &isa, &options).unwrap();
        assert!(unit.code.len() > least, "{}", unit.code.len());
    }
}

#[test]
fn functions_without_body_are_refused() {
    let isa = isa(TARGETS[0]);
    let module = module("import func @f(i64) -> i64\n");
    let id = module.function_named("f").unwrap();
    let error = lower_function(&module, id, &isa, &LowerOptions::default()).unwrap_err();
    assert_eq!(error, CompileError::NoBody { function: "f".into() });
    let error = lower_function(&module, FuncId::from_u32(7), &isa, &LowerOptions::default());
    assert_eq!(error.unwrap_err(), CompileError::NoBody { function: "fn7".into() });
}

#[test]
fn signatures_that_no_convention_carries_are_refused() {
    let isa = isa(TARGETS[0]);
    let params = vec!["i64"; 4001].join(", ");
    let named: Vec<String> = (0..4001).map(|i| format!("%{i}: i64")).collect();
    let text = format!("func @f({params}) {{\nblock0({}):\n    return\n}}\n", named.join(", "));
    let module = module(&text);
    let id = module.function_named("f").unwrap();
    let error = lower_function(&module, id, &isa, &LowerOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "@f: the parameters take 4001 words, the limit is 4000; pass a pointer instead"
    );
    let wide = Type::vector(Scalar::F32, 8).unwrap();
    let signature = Signature::platform(&[wide], &[]);
    let error = Compiler::new().foreign_thunk("g", &signature, &isa).unwrap_err();
    let text = error.to_string();
    assert_eq!(
        text,
        "foreign @g: parameter 0 of type f32x4 of(32) does not fit the C convention; pass a pointer instead"
    );
}

#[test]
fn listings_show_the_function_and_name_its_symbols() {
    let isa = isa(TARGETS[0]);
    let module = module(programs::EXITS);
    let id = module.function_named("checked").unwrap();
    let list = |listing| {
        let options = LowerOptions::default();
        Compiler::new().list_function(&module, id, &isa, &options, listing).unwrap()
    };
    let clif = list(Listing::Clif);
    assert!(clif.contains("icmp slt") && clif.contains("is call @slow"), "{clif}");
    let assembly = list(Listing::Assembly);
    assert!(assembly.contains("%rbp") && assembly.contains("runtime brolga_raise"), "{assembly}");
}

/// A loop that scales floats, and has that instruction in it.
fn scaling_loop(other: &str) -> String {
    format!(
        "func @g() {{\nentry:\n    return\n}}\nfunc @f(ptr, i64) {{\nentry(%p: ptr, %n: i64):\n    \
         jump head(0)\nhead(%i: i64):\n    %q = ptr_add %p, %i\n    %x = load.f32x4 %q\n    \
         %y = fmul.f32x4 %x, <1.5, 1.5, 1.5, 1.5>\n    \
         %z = fadd.f32x4 %y, <1.5, 1.5, 1.5, 1.5>\n    store.f32x4 %z, %q\n    {other}\n    \
         %j = add.i64 %i, 16\n    %more = icmp.i64 ult %j, %n\n    branch %more, head(%j), done\n\
         done:\n    return\n}}\n"
    )
}

#[test]
fn constants_of_a_loop_are_made_before_it_unless_it_calls() {
    let isa = isa(TARGETS[0]);
    let clif = |other: &str, back_end: BackEnd| {
        let module = module(&scaling_loop(other));
        let id = module.function_named("f").unwrap();
        let options =
            LowerOptions { level: Level::O0, back_end: Some(back_end), ..Default::default() };
        Compiler::new().list_function(&module, id, &isa, &options, Listing::Clif).unwrap()
    };
    let before = |clif: &str| {
        let loaded = clif.find("load.f32x4").unwrap();
        (clif[..loaded].matches("vconst").count(), clif[loaded..].matches("vconst").count())
    };
    assert_eq!(before(&clif("", BackEnd::Plain)), (1, 0));
    assert_eq!(before(&clif("call @g()", BackEnd::Plain)), (0, 2));
    assert_eq!(before(&clif("", BackEnd::Rewriting)), (0, 2));
}

#[test]
fn a_constant_is_one_value_in_a_block_where_instructions_hold_it() {
    let isa = isa(TARGETS[0]);
    let constants = |op: &str, constant: &str| {
        let text = format!(
            "func @f(i64) -> i64 {{\nentry(%x: i64):\n    %y = {op}.i64 %x, {constant}\n    \
             %z = {op}.i64 %y, {constant}\n    jump next(%z)\nnext(%a: i64):\n    \
             %b = {op}.i64 %a, {constant}\n    return %b\n}}\n"
        );
        let module = module(&text);
        let id = module.function_named("f").unwrap();
        let back_end = Some(BackEnd::Plain);
        let options = LowerOptions { level: Level::O0, back_end, ..Default::default() };
        let list = Compiler::new().list_function(&module, id, &isa, &options, Listing::Clif);
        list.unwrap().matches("iconst").count()
    };
    let few = ["add", "sub", "mul", "and", "or", "xor"].map(|op| constants(op, "1000"));
    assert_eq!(few, [2; 6], "one for each block");
    assert_eq!(constants("add", "0x100000000"), 3, "it takes a register");
    assert_eq!(constants("smax", "1000"), 3);
}

/// A function that repeats each kind of code that emission makes blocks or
/// entities for.
fn repetitive_function(times: usize) -> String {
    let mut text = "func @g(i64) -> i64 {\nblock0(%x: i64):\n    return %x\n}\n\
                    func @f(i64, i1) -> i64 {\n"
        .to_owned();
    for i in 0..times {
        text.push_str(&format!("    ss{i} = slot 24\n"));
    }
    for i in 0..times {
        text.push_str(&format!("    exit{i} = side {i} (i64)\n"));
    }
    text.push_str("entry(%x0: i64, %c: i1):\n");
    for i in 0..times {
        let next = i + 1;
        text.push_str(&format!(
            "    %d{i} = sdiv.i64 %x{i}, %x0\n    slot_store.i64 %d{i}, ss{i}, %x0\n    \
             check %c, exit{i}(%d{i})\n    \
             %r{i} = try_call @g(%d{i}) normal next{next}(%r{i}), unwind out(%x0)\n\
             next{next}(%x{next}: i64):\n"
        ));
    }
    text.push_str(&format!("    switch.i64 %x{times}, ["));
    let cases: Vec<String> = (0..times).map(|i| format!("{}: out({i})", i * 3)).collect();
    text.push_str(&format!("{}], out(7)\nout(%r: i64):\n    return %r\n}}\n", cases.join(", ")));
    text
}

#[test]
fn code_grows_with_the_function_and_no_faster() {
    for target in TARGETS {
        let isa = isa(target);
        let sizes = [100, 200, 400].map(|times| {
            let module = module(&repetitive_function(times));
            let id = module.function_named("f").unwrap();
            // One way for all sizes: which fits a size is another matter.
            let back_end = Some(BackEnd::Quick);
            let options = LowerOptions { back_end, ..LowerOptions::default() };
            let list = Compiler::new().list_function(&module, id, &isa, &options, Listing::Clif);
            let unit = lower_function(&module, id, &isa, &options).unwrap();
            let parts = unit.code.len() + unit.metadata_bytes();
            (list.unwrap().lines().count(), parts)
        });
        for pair in sizes.windows(2) {
            let ratio = |small: usize, large: usize| large as f64 / small as f64;
            let (lines, bytes) = (ratio(pair[0].0, pair[1].0), ratio(pair[0].1, pair[1].1));
            assert!(lines < 2.05, "{sizes:?}");
            // Longer branches cost something.
            assert!(bytes < 2.2, "{sizes:?}");
        }
    }
}

#[test]
fn compilers_go_to_threads_and_units_to_other_ones() {
    fn goes<T: Send>() {}
    fn is_shared<T: Send + Sync>() {}
    goes::<Compiler>();
    is_shared::<CompiledUnit>();
    is_shared::<Isa>();
    is_shared::<CompileError>();
}

#[test]
fn local_functions_that_nobody_names_are_left_out_at_each_level() {
    let text = "data @d = { ptr @held }
func @f() -> i64 {
b:
    %x = call @called()
    return %x
}
local func @called() -> i64 {
b:
    %x = call @called_in_turn()
    return %x
}
local func @called_in_turn() -> i64 inline never {
b:
    return 1
}
local func @held() -> i64 {
b:
    return 2
}
local func @nobody() -> i64 {
b:
    %x = call @nobody_else()
    return %x
}
local func @nobody_else() -> i64 {
b:
    return 3
}";
    let (module, isa) = (module(text), isa(TARGETS[0]));
    for level in [Level::O0, Level::O1, Level::O2, Level::O3] {
        let options = LowerOptions { level, ..LowerOptions::default() };
        let units = Compiler::new().lower_module(&module, &isa, &options).unwrap();
        let names: Vec<&str> = units.iter().map(|(_, unit)| &*unit.name).collect();
        assert!(!names.iter().any(|name| name.starts_with("nobody")), "{level:?}: {names:?}");
        for wanted in ["f", "called_in_turn", "held"] {
            assert!(names.contains(&wanted), "{level:?}: {names:?}");
        }
    }
}

/// A function of so many products, and others of which each adds something to what the one before
/// gives.
fn long_and_many(products: usize, count: usize) -> String {
    let mut text = String::from("func @long(i64) -> i64 {\nb(%v0: i64):\n");
    for index in 0..products {
        let _ = writeln!(text, "    %v{} = mul.i64 %v{index}, %v0", index + 1);
    }
    let _ = writeln!(text, "    return %v{products}\n}}");
    for index in 0..count {
        let callee = index.saturating_sub(1);
        let _ = writeln!(
            text,
            "func @f{index}(i64) -> i64 {{\nb(%x: i64):\n    %y = call @f{callee}(%x)\n    \
             %z = add.i64 %y, %x\n    return %z\n}}"
        );
    }
    text
}

#[test]
fn functions_are_lowered_a_few_at_a_time_as_each_is_alone() {
    let (module, isa) = (module(&long_and_many(5_000, 40)), isa(TARGETS[0]));
    for level in [Level::O0, Level::O2] {
        let options = LowerOptions { level, ..LowerOptions::default() };
        for most in [1, 7, usize::MAX] {
            let mut compiler = Compiler::new();
            let mut batch = compiler.begin(&module, &isa, &options).unwrap();
            let (mut counts, mut units) = (Vec::new(), Vec::new());
            while let Some(piece) = compiler.next_piece(&mut batch, most) {
                counts.push(piece.function_count());
                units.extend(compiler.lower_piece(piece));
            }
            let largest = counts.iter().copied().max();
            assert_eq!(largest, Some(most.min(16)), "{level:?}: {counts:?}");
            assert_eq!(counts.iter().sum::<usize>(), 41, "{level:?}: {counts:?}");
            for (id, unit) in units {
                let alone = Compiler::new().lower_function(&module, id, &isa, &options);
                assert_eq!(unit, alone, "{level:?}, {most} at most: {id}");
            }
        }
        // What is large leaves no room for others.
        let mut compiler = Compiler::new();
        let mut batch = compiler.begin(&module, &isa, &options).unwrap();
        let mut next = || compiler.next_piece(&mut batch, usize::MAX);
        let counts: Vec<_> = std::iter::from_fn(|| next().map(|it| it.function_count())).collect();
        assert_eq!(counts, [1, 16, 16, 8], "{level:?}");
    }
}

/// Gives up when it is asked so often.
#[derive(Debug)]
struct Patience(std::sync::atomic::AtomicUsize, GivenUp);

impl Demand for Patience {
    fn given_up(&self) -> Option<GivenUp> {
        let left = self.0.load(std::sync::atomic::Ordering::Relaxed).checked_sub(1);
        self.0.store(left.unwrap_or(0), std::sync::atomic::Ordering::Relaxed);
        left.is_none().then_some(self.1)
    }
}

#[test]
fn what_nobody_wants_or_waits_for_is_given_up_between_passes() {
    let module = module(programs::CALLS);
    let isa = isa(TARGETS[0]);
    let (id, _) = module.functions().find(|(_, function)| function.body.is_some()).unwrap();
    let mut compiler = Compiler::new();
    let options = LowerOptions::default();
    let whole = compiler.lower_function(&module, id, &isa, &options).unwrap();
    for asked in [0, 1, 5] {
        for why in [GivenUp::Late, GivenUp::Unwanted] {
            let patience = Patience(asked.into(), why);
            compiler.set_demand(Some(std::sync::Arc::new(patience)));
            let error = compiler.lower_function(&module, id, &isa, &options).unwrap_err();
            let is_so = match why {
                GivenUp::Late => matches!(error, CompileError::Late { .. }),
                GivenUp::Unwanted => matches!(error, CompileError::Unwanted { .. }),
            };
            assert!(is_so, "{error}");
        }
    }
    compiler.set_demand(None);
    assert_eq!(compiler.lower_function(&module, id, &isa, &options).unwrap(), whole);
}

#[test]
fn volatile_accesses_are_all_made_whatever_the_back_end_rewrites() {
    let isa = isa(TARGETS[0]);
    let module = module(
        "func @f(ptr) -> i64 {\nentry(%p: ptr):\n    store.i64 1, %p volatile\n    \
         store.i64 1, %p volatile\n    store.i64 2, %p volatile\n    \
         %x = load.i64 %p volatile\n    %y = load.i64 %p volatile\n    \
         store.i64 3, %p volatile\n    store.i64 4, %p\n    %z = add.i64 %x, %y\n    \
         return %z\n}\n",
    );
    let id = module.function_named("f").unwrap();
    for level in Level::ALL.iter().copied() {
        let options = LowerOptions { level, ..Default::default() };
        let list = Compiler::new().list_function(&module, id, &isa, &options, Listing::Assembly);
        let list = list.unwrap();
        let is_access = |line: &&str| {
            let line = line.trim_start();
            let is_frame = line.contains("(%rsp)") || line.contains("(%rbp)");
            line.contains("(%r") && !line.starts_with("lea") && !is_frame
        };
        assert_eq!(list.lines().filter(is_access).count(), 7, "{level:?}:\n{list}");
    }
}
