//! Compiled code against what the directives of test files say.

use std::collections::BTreeSet;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter};
use brolga_ir::op::Op;
use brolga_ir::text::{DirectiveKind, Outcome, Run, directives, example_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::session::{HostFunction, Session, Stopped};
use super::*;
use crate::buffer::BufferLayout;
use crate::level::{BackEnd, Level};
use crate::options::{Fuel, Polls};
use crate::target::Feature;

/// What test files call in C.
const FOREIGN: &[(&str, *const ())] = &[("abs", abs as *const ())];

extern "C" fn abs(x: i32) -> i32 {
    x.wrapping_abs()
}

/// Runs what a file says of the functions that compile, and of those that they
/// call; gives how many runs there were.
fn run_file(text: &str, isa: &Isa, options: &LowerOptions, name: &str) -> usize {
    let module = module(text);
    let mut session = Session::new(&module, isa, options, vec![], FOREIGN);
    let mut runs = 0;
    for directive in directives(text).unwrap() {
        let DirectiveKind::Run(run) = directive.kind else { continue };
        if !session.refused.is_empty() && depends_on_refused(&session, &module, &run.function) {
            continue;
        }
        check_run(&mut session, &module, &run, directive.line, name);
        runs += 1;
    }
    runs
}

fn depends_on_refused(session: &Session<'_>, module: &Module, function: &str) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![function.to_owned()]);
    while let Some(name) = left.pop() {
        if session.refused.contains_key(&name) {
            return true;
        }
        let id = module.function_named(&name).unwrap();
        let Some(body) = module.function(id).and_then(|it| it.body.as_deref()) else { continue };
        let insts = body.layout.all_insts();
        for callee in insts.filter_map(|inst| body.inst(inst).function()) {
            let callee = module.function(callee).unwrap().name.to_string();
            if seen.insert(callee.clone()) {
                left.push(callee);
            }
        }
    }
    false
}

/// Compiled code gives what the directive says, and the interpreter too.
fn check_run(session: &mut Session<'_>, module: &Module, run: &Run, line: u32, name: &str) {
    let args = run.argument_data(module, line).unwrap();
    let interpreted = Interpreter::new(&[module]).unwrap().call(&run.function, &args);
    let said = run.result_data(module, line).unwrap();
    match (interpreted, session.call(&run.function, &args)) {
        (Ok(interpreted), Ok(results)) => {
            let id = module.function_named(&run.function).unwrap();
            let types: Vec<Type> = module.signature_of(id).result_types().collect();
            for expected in [Some(interpreted), said].iter().flatten() {
                let equal = types
                    .iter()
                    .zip(expected.iter().zip(&results))
                    .all(|(&ty, (expected, result))| expected.agrees(result, &module.types, ty));
                assert!(equal, "{name}:{line}: {results:x?} instead of {expected:x?}");
            }
        }
        (Err(CallError::Trap(trap)), Err(stopped)) => {
            let code = match run.outcome {
                Outcome::Traps { code, .. } => code,
                Outcome::Returns(_) => panic!("{name}:{line}: {stopped:?}"),
            };
            assert_eq!([trap.code, code], [stopped.code; 2], "{name}:{line}");
            let (function, at) = &stopped.frames[0];
            assert_eq!((trap.function(), trap.line()), (&**function, *at), "{name}:{line}");
        }
        (expected, outcome) => panic!("{name}:{line}: {outcome:x?} instead of {expected:?}"),
    }
}

fn host_isas() -> Vec<Isa> {
    let host = Isa::host(IsaOptions::default()).unwrap();
    vec![isa("x86_64-unknown-linux-gnu/x86-64"), host]
}

/// Code for the least target and for this machine, at the levels whose passes and back end
/// differ most.
fn ways() -> Vec<(Isa, LowerOptions)> {
    let at = |level| {
        let options = LowerOptions { level, ..LowerOptions::default() };
        host_isas().into_iter().map(move |isa| (isa, options))
    };
    at(Level::O0).chain(at(Level::O2)).collect()
}

#[test]
fn examples_give_what_the_table_says() {
    for (isa, options) in ways() {
        let runs: usize = Op::ALL
            .iter()
            .map(|&op| run_file(&example_module(op), &isa, &options, op.mnemonic()))
            .sum();
        assert!(runs > 90, "{runs}");
    }
}

#[test]
fn programs_give_what_the_interpreter_gives() {
    let programs = [
        ("calls", programs::CALLS),
        ("exceptions", programs::EXCEPTIONS),
        ("entities", programs::ENTITIES),
        ("exits", programs::EXITS),
    ];
    for (isa, options) in ways() {
        for (name, text) in programs {
            let said = text.lines().filter(|line| line.starts_with("; run:")).count();
            assert_eq!(run_file(text, &isa, &options, name), said, "{name}");
        }
    }
}

/// Operands and addresses meet fixed registers in either allocator, and halves that are
/// known to be equal in one register.
#[test]
fn atomic_accesses_of_128_bits_give_what_the_interpreter_gives() {
    if !TargetSpec::host().unwrap().has(Feature::Cx16) {
        return;
    }
    let short = programs::WIDE_ATOMICS.to_owned();
    // So many blocks are for the allocator that makes one pass.
    let stores = "    atomic_store.i128 seq_cst 0, %p\n".repeat(1200);
    let mut long = short.clone();
    for address in ["    %p = slot_addr ss0\n", "    %p = ptr_add %s, %off\n"] {
        long = long.replace(address, &format!("{address}{stores}"));
    }
    let isa = Isa::host(IsaOptions::default()).unwrap();
    for &back_end in BackEnd::ALL {
        let options = LowerOptions { back_end: Some(back_end), ..Default::default() };
        for text in [&short, &long] {
            assert_eq!(run_file(text, &isa, &options, "wide atomics"), 4);
        }
    }
}

fn stopped(result: Result<Vec<Datum>, Stopped>) -> Stopped {
    result.expect_err("it stops")
}

#[test]
fn a_side_exit_takes_its_number_and_values_along() {
    let text = r#"
func @f(i64, i1) -> i64 {
    exit0 = side 3 (i8, i1, f32, {i128, [2 x i8]}, i1x4, x86_fp80, f64x2)
block0(%x: i64, %ok: i1):
    %n = trunc.i8 %x
    %f = sitofp.f32 %x
    %w = sext.i128 %x
    %m = icmp.i32x4 slt <1, 2, 3, 4>, <4, 3, 2, 1>
    %list = make_aggregate.[2 x i8] %n, 9
    %pair = make_aggregate.{i128, [2 x i8]} %w, %list
    check %ok, exit0(%n, %ok, %f, %pair, %m, bits:0x3fffc000000000000000, <1.5, 2.5>)
    return %x
}
"#;
    let module = module(text);
    let one = |bits: u128| Datum::Scalar(bits);
    for isa in host_isas() {
        let mut session = Session::new(&module, &isa, &LowerOptions::default(), vec![], &[]);
        assert_eq!(session.call("f", &[one(5), one(1)]).unwrap(), [one(5)]);
        let stopped = stopped(session.call("f", &[one(5), one(0)]));
        assert_eq!(stopped.code, TrapCode::SideExit);
        let (number, values) = stopped.side.unwrap();
        assert_eq!(number, 3);
        let doubles = [1.5f64.to_bits(), 2.5f64.to_bits()].map(u128::from);
        let expected = [
            one(5),
            one(0),
            one(5f32.to_bits().into()),
            Datum::Fields([one(5), Datum::Fields([one(5), one(9)].into())].into()),
            Datum::Lanes([1, 1, 0, 0].into()),
            one(0x3fff_c000_0000_0000_0000),
            Datum::Lanes(doubles.into()),
        ];
        assert_eq!(values, expected);
    }
}

#[test]
fn a_trap_names_each_function_and_line_on_its_way() {
    let text = r#"
func @outer(i64) -> i64 {
block0(%n: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    %a = call @inner(1, %n)
    return %a
block2:
    %m = sub.i64 %n, 1
    %b = call @outer(%m)
    return %b
}
func @inner(i64, i64) -> i64 {
    loc0 = "a.jl":30:1
    loc1 = "b.jl":7:1 in "divide" at loc0
block0(%a: i64, %b: i64):
    %c = add.i64 %a, %b
    %d = sdiv.i64 %c, %b !loc1
    return %d
}
"#;
    let module = module(text);
    let isa = Isa::host(IsaOptions::default()).unwrap();
    let mut session = Session::new(&module, &isa, &LowerOptions::default(), vec![], &[]);
    for depth in [0u128, 1, 50] {
        let stopped = stopped(session.call("outer", &[Datum::Scalar(depth)]));
        assert_eq!(stopped.code, TrapCode::DivisionByZero);
        let mut expected = vec![("divide".to_owned(), 7), ("inner".to_owned(), 30)];
        expected.push(("outer".to_owned(), 7));
        expected.extend((0..depth).map(|_| ("outer".to_owned(), 11)));
        assert_eq!(stopped.frames, expected);
    }
}

#[test]
fn deep_recursion_is_an_error_and_leaves_the_stack_usable() {
    let text = r#"
func @deep(i64) -> i64 {
block0(%n: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    return 0
block2:
    %m = sub.i64 %n, 1
    %a = call @deep(%m)
    %b = add.i64 %a, 1
    return %b
}
func @wide(i64) -> i64 {
    ss0 = slot 100000 uninit
block0(%n: i64):
    slot_store.i64 %n, ss0, 0
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    return 0
block2:
    %m = sub.i64 %n, 1
    %a = call @wide(%m)
    %b = add.i64 %a, 1
    return %b
}
func @leaf_with_a_large_frame() -> i64 {
    ss0 = slot 16000000 uninit
block0:
    slot_store.i64 1, ss0, 8
    return 1
}
"#;
    let module = module(text);
    let isa = Isa::host(IsaOptions::default()).unwrap();
    // At others, a slot that nobody needs is none.
    let options = LowerOptions { level: Level::O0, ..LowerOptions::default() };
    let mut session = Session::new(&module, &isa, &options, vec![], &[]);
    for name in ["deep", "wide"] {
        let stopped = stopped(session.call(name, &[Datum::Scalar(1_000_000_000)]));
        assert_eq!(stopped.code, TrapCode::StackOverflow);
        assert!(stopped.frames.iter().all(|(function, line)| function == name && *line > 0));
        assert!(stopped.frames.len() > 3, "{}", stopped.frames.len());
        assert_eq!(session.call(name, &[Datum::Scalar(3)]).unwrap(), [Datum::Scalar(3)]);
    }
    let stopped = stopped(session.call("leaf_with_a_large_frame", &[]));
    assert_eq!(stopped.code, TrapCode::StackOverflow);
}

#[test]
fn a_function_of_the_host_gets_values_and_can_fail() {
    let text = r#"
import func @host(i1, i16, f64, i128, i32x4) -> (i128, i1x4)
func @f(i16) -> (i128, i1x4) {
block0(%x: i16):
    %a, %b = try_call @host(1, %x, 2.5, -1, <1, 2, 3, 4>) normal block1(%a, %b), unwind block2
block1(%r: i128, %s: i1x4):
    return %r, %s
block2:
    return 0, zero
}
"#;
    let module = module(text);
    for isa in host_isas() {
        let host = |values: &mut [u128]| {
            let [truth, short, double, wide] = [values[0], values[1], values[2], values[3]];
            assert_eq!((truth as u8, f64::from_bits(double as u64)), (1, 2.5));
            assert_eq!((wide, values[4]), (u128::MAX, 4 << 96 | 3 << 64 | 2 << 32 | 1));
            if short as u16 == 13 {
                return Err(TrapCode::User(9));
            }
            (values[0], values[1]) = (short & 0xffff, 0b0110);
            Ok(())
        };
        let hosts: Vec<(&str, HostFunction)> = vec![("host", Box::new(host))];
        let mut session = Session::new(&module, &isa, &LowerOptions::default(), hosts, &[]);
        let expected = [Datum::Scalar(7), Datum::Lanes([0, 1, 1, 0].into())];
        assert_eq!(session.call("f", &[Datum::Scalar(7)]).unwrap(), expected);
        let stopped = stopped(session.call("f", &[Datum::Scalar(13)]));
        assert_eq!(stopped.code, TrapCode::User(9));
        assert_eq!(stopped.frames.last().unwrap(), &("f".to_owned(), 5));
        assert_eq!(session.call("f", &[Datum::Scalar(7)]).unwrap(), expected);
        assert_eq!(session.record.call_sequence, 3);
    }
}

unsafe extern "C" {
    fn snprintf(to: *mut u8, size: usize, format: *const u8, ...) -> i32;
    fn qsort(
        base: *mut u8,
        count: usize,
        size: usize,
        compare: extern "C" fn(*const u8, *const u8) -> i32,
    );
}

#[test]
fn c_functions_are_called_and_call_back() {
    let text = r#"
foreign @snprintf(ptr, i64, ptr, ...) -> i32
foreign @qsort(ptr, i64, i64, ptr) -> ()
data @format const = { bytes "%d %.3f %s\00" }
data @word const = { bytes "end\00" }
data @numbers = { i32 [5, -3, 9, 0, 1] }
func @print() -> (i32, i64) {
    ss0 = slot 64
block0:
    %p = slot_addr ss0
    %f = data_addr @format
    %w = data_addr @word
    %n = call_foreign @snprintf(%p, 64, %f, i32:-42, f64:2.5, %w)
    %x = load.i64 %p
    return %n, %x
}
func @compare(ptr, ptr) -> i32 {
block0(%a: ptr, %b: ptr):
    %x = load.i32 %a
    %y = load.i32 %b
    %d = ssub_trap.i32 %x, %y
    return %d
}
func @sort(i32) -> (i32, i32) {
block0(%last: i32):
    %p = data_addr @numbers
    store.i32 %last, %p+16
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %q = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, 5, 4, %q)
    %a = load.i32 %p
    %b = load.i32 %p+16
    return %a, %b
}
func @address(ptr, i32) -> i32 {
block0(%f: ptr, %x: i32):
    %a = call_ptr.fn(i32) -> i32 %f(%x)
    %b = call_ptr.cfn(i32) -> i32 %f(%a)
    return %b
}
"#;
    let text = text.replace(" -> ()", "");
    let module = module(&text);
    let foreign = [("snprintf", snprintf as *const ()), ("qsort", qsort as *const ())];
    for isa in host_isas() {
        let mut session = Session::new(&module, &isa, &LowerOptions::default(), vec![], &foreign);
        let printed = u64::from_le_bytes(*b"-42 2.50");
        let expected = [Datum::Scalar(13), Datum::Scalar(printed.into())];
        assert_eq!(session.call("print", &[]).unwrap(), expected);
        let sorted = [Datum::from(-3), Datum::from(9)];
        assert_eq!(session.call("sort", &[Datum::from(1)]).unwrap(), sorted);
        // The callback traps inside of C: that comes back as an error.
        let stopped = stopped(session.call("sort", &[Datum::from(i32::MIN)]));
        assert_eq!(stopped.code, TrapCode::IntegerOverflow);
        let sorted = [Datum::from(-3), Datum::from(8)];
        assert_eq!(session.call("sort", &[Datum::from(8)]).unwrap(), sorted);
        let twice = [Datum::Scalar(abs as *const () as u128), Datum::from(-5)];
        assert_eq!(session.call("address", &twice).unwrap(), [Datum::from(5)]);
    }
}

/// What `al` holds at the entry of a function.
#[unsafe(naked)]
extern "C" fn low_byte() -> i32 {
    std::arch::naked_asm!("movzx eax, al", "ret")
}

#[test]
fn a_variadic_function_learns_how_many_vector_registers_to_save() {
    let text = r#"
foreign @low_byte(...) -> i32
func @by_name() -> i32 {
block0:
    %a = call_foreign @low_byte(f64:1.5, i64:2)
    return %a
}
func @by_address(ptr) -> i32 {
block0(%f: ptr):
    %a = call_ptr.cfn(...) -> i32 %f(f64:1.5, i64:2)
    return %a
}
"#;
    let module = module(text);
    let foreign = [("low_byte", low_byte as *const ())];
    for isa in host_isas() {
        let mut session = Session::new(&module, &isa, &LowerOptions::default(), vec![], &foreign);
        assert_eq!(session.call("by_name", &[]).unwrap(), [Datum::from(8)]);
        let address = [Datum::Scalar(low_byte as *const () as u128)];
        assert_eq!(session.call("by_address", &address).unwrap(), [Datum::from(8)]);
    }
}

#[test]
fn a_call_without_end_can_be_stopped() {
    let text = r#"
func @forever() -> i64 {
block0:
    jump block1(0)
block1(%i: i64):
    %j = add.i64 %i, 1
    jump block1(%j)
}
func @tails(i64) -> i64 {
block0(%n: i64):
    return_call @tails(%n)
}
func @polls(i64) -> i64 {
block0(%n: i64):
    jump block1(0)
block1(%i: i64):
    poll
    %j = add.i64 %i, 1
    %c = icmp.i64 ult %j, %n
    branch %c, block1(%j), block2
block2:
    return %j
}
"#;
    let module = module(text);
    let isa = Isa::host(IsaOptions::default()).unwrap();
    let everywhere = LowerOptions { polls: Polls::LoopsAndEntries, ..LowerOptions::default() };
    let mut session = Session::new(&module, &isa, &everywhere, vec![], &[]);
    session.record.poll_word = 1;
    for (name, args) in [("forever", vec![]), ("tails", vec![Datum::from(1i64)])] {
        assert_eq!(stopped(session.call(name, &args)).code, TrapCode::Interrupted);
    }
    let counted = LowerOptions { fuel: Fuel::Counted, ..everywhere };
    let mut session = Session::new(&module, &isa, &counted, vec![], &[]);
    for (name, args) in [("forever", vec![]), ("tails", vec![Datum::from(1i64)])] {
        session.record.fuel = 1000;
        assert_eq!(stopped(session.call(name, &args)).code, TrapCode::OutOfFuel);
    }
    let explicit = LowerOptions { fuel: Fuel::Counted, ..LowerOptions::default() };
    let mut session = Session::new(&module, &isa, &explicit, vec![], &[]);
    session.record.fuel = 1000;
    session.call("polls", &[Datum::from(1000i64)]).unwrap();
    assert_eq!(session.record.fuel, 0);
    let off = LowerOptions { polls: Polls::Off, ..explicit };
    let mut session = Session::new(&module, &isa, &off, vec![], &[]);
    session.record.poll_word = 1;
    session.call("polls", &[Datum::from(1000i64)]).unwrap();
}

#[test]
fn values_of_any_type_pass_through_thunks_and_leave_their_neighbours_alone() {
    let types =
        "i1, i32x3, i1x20, {i8, i8x3, <{i1, f64}>}, [3 x i16], i128x2, f32x9, i1x3, x86_fp80";
    let text = format!("import func @host({types}) -> ({types})\n");
    let module = module(&text);
    let signature = module.signature_of(module.function_named("host").unwrap());
    let params = BufferLayout::of(&module.types, signature.param_types()).unwrap();
    let mut bytes = vec![0u8; params.size as usize];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = (index * 37 + 11) as u8;
    }
    let places = signature.param_types().zip(&params.offsets);
    let values: Vec<Datum> = places
        .map(|(ty, &offset)| Datum::from_bytes(&module.types, ty, &bytes[offset as usize..]))
        .collect();
    for isa in host_isas() {
        let given = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let seen = given.clone();
        let host = move |values: &mut [u128]| {
            seen.borrow_mut().extend_from_slice(values);
            Ok(())
        };
        let hosts: Vec<(&str, HostFunction)> = vec![("host", Box::new(host))];
        let mut session = Session::new(&module, &isa, &LowerOptions::default(), hosts, &[]);
        assert_eq!(session.call("host", &values).unwrap(), values);
        // What the host was given is what was sent, in the same places.
        let given: Vec<u8> = given.borrow().iter().flat_map(|word| word.to_le_bytes()).collect();
        let places = signature.param_types().zip(&params.offsets);
        for ((ty, &offset), value) in places.zip(&values) {
            let datum = Datum::from_bytes(&module.types, ty, &given[offset as usize..]);
            assert_eq!(&datum, value, "{}", module.types.display(ty));
        }
    }
}

#[test]
fn aggregates_go_in_and_out_of_functions() {
    let text = r#"
func @swap({i8, {f64, i1}}, i16) -> ([2 x i16], {i1, f64, i8}) {
block0(%a: {i8, {f64, i1}}, %b: i16):
    %x = extract_value.{i8, {f64, i1}} %a, 0
    %y = extract_value.{i8, {f64, i1}} %a, 1, 0
    %z = extract_value.{i8, {f64, i1}} %a, 1, 1
    %r = make_aggregate.{i1, f64, i8} %z, %y, %x
    %s = make_aggregate.[2 x i16] %b, 7
    return %s, %r
}
; run: @swap({-1, {2.5, 1}}, 300) == ([300, 7], {1, 2.5, -1})
"#;
    for isa in host_isas() {
        assert_eq!(run_file(text, &isa, &LowerOptions::default(), "aggregates"), 1);
    }
}
