use super::*;
use crate::types::Type;

#[test]
fn recursion_gives_fibonacci() {
    let text = "
func @fib(i64) -> i64 {
entry(%n: i64):
    %small = icmp.i64 slt %n, 2
    branch %small, done(%n), more
more:
    %a = sub.i64 %n, 1
    %x = call @fib(%a)
    %b = sub.i64 %n, 2
    %y = call @fib(%b)
    %sum = add.i64 %x, %y
    jump done(%sum)
done(%r: i64):
    return %r
}
func @main() -> i64 {
entry:
    %r = call @fib(20)
    return %r
}";
    assert_eq!(run(text).unwrap(), ints(&[6765]));
}

#[test]
fn a_trap_says_where_and_by_which_calls() {
    let text = "func @divide(i32) -> i32 {
entry(%x: i32):
    %y = sdiv.i32 7, %x
    return %y
}
func @main() -> i32 {
entry:
    %y = call @divide(0)
    return %y
}";
    let trap = trap(text);
    assert_eq!(
        trap.to_string(),
        "trap division_by_zero: an integer was divided by zero\n  in @divide at line 3\n  called from @main at line 8"
    );
}

#[test]
fn a_tail_call_that_passes_bytes_is_among_the_calls_of_a_trap() {
    let text = "func @divide(ptr byval(8 align 8)) -> i64 {
entry(%p: ptr):
    %x = load.i64 %p
    %y = sdiv.i64 7, %x
    return %y
}
func @pass() -> i64 {
    ss0 = slot 8
entry:
    %p = slot_addr ss0
    return_call @divide(%p)
}
func @main() -> i64 {
entry:
    return_call @pass()
}
func @checks(i1) -> i64 {
    exit0 = deopt @divide (ptr)
    ss0 = slot 8
entry(%x: i1):
    %p = slot_addr ss0
    check %x, exit0(%p)
    return 1
}
func @outer() -> i64 {
entry:
    %y = call @checks(0)
    return %y
}";
    let module = module(text);
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    for (name, calls) in [
        ("main", "\n  called from @pass at line 11"),
        ("outer", "\n  called from @checks at line 22\n  called from @outer at line 27"),
    ] {
        let trap = trap_of(interpreter.call(name, &[])).to_string();
        assert!(trap.ends_with(&format!("in @divide at line 4{calls}")), "{trap}");
    }
}

#[test]
fn tail_calls_take_no_space() {
    let text = "
func @count(i64) -> i64 {
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, done, more
more:
    %m = sub.i64 %n, 1
    return_call @count(%m)
done:
    return %n
}
func @main() -> i64 {
entry:
    %r = call @count(1000000)
    return %r
}";
    let module = module(text);
    let limits = Limits { depth: 2, memory: 1 << 16, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    assert_eq!(interpreter.call("main", &[]).unwrap(), ints(&[0]));
}

#[test]
fn deep_recursion_is_a_stack_overflow() {
    let text = "
func @main() -> i64 {
entry:
    %r = call @main()
    return %r
}";
    let trap = trap(text);
    assert_eq!(trap.code, TrapCode::StackOverflow);
    assert_eq!(trap.frames.len() as u64 + trap.omitted, 100_000);
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let module = module("func @main() {\nentry:\n    jump again\nagain:\n    jump again\n}");
    let limits = Limits { steps: 1000, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    let error = interpreter.call("main", &[]).unwrap_err();
    assert_eq!(error.code(), Some(TrapCode::OutOfFuel));
    assert_eq!(interpreter.counts().of(Op::Jump), 1000);
}

#[test]
fn a_side_exit_hands_over_its_values() {
    let text = "
func @main() {
    exit0 = side 3 (i64, f64)
entry:
    check 0, exit0(5, 1.5)
    return
}";
    let trap = trap(text);
    assert_eq!((trap.code, trap.side_exit), (TrapCode::SideExit, Some(3)));
    assert_eq!(trap.values, [Datum::from(5i64), Datum::from(1.5)]);
}

#[test]
fn a_deoptimisation_goes_on_in_the_other_function() {
    let text = "
func @slow(i64) -> i64 {
entry(%x: i64):
    %y = mul.i64 %x, 2
    return %y
}
func @fast(i1) -> i64 {
    exit0 = deopt @slow (i64)
entry(%ok: i1):
    check %ok, exit0(21)
    return 1
}
func @main() -> (i64, i64) {
entry:
    %a = call @fast(0)
    %b = call @fast(1)
    return %a, %b
}";
    assert_eq!(run(text).unwrap(), ints(&[42, 1]));
}

#[test]
fn block_parameters_are_given_all_at_once() {
    let text = "
func @main() -> i64 {
entry:
    jump loop(0, 1, 10)
loop(%a: i64, %b: i64, %n: i64):
    %m = sub.i64 %n, 1
    %sum = add.i64 %a, %b
    %go = icmp.i64 ne %m, 0
    branch %go, loop(%b, %sum, %m), done(%b, %a)
done(%x: i64, %y: i64):
    %ten = mul.i64 %x, 100
    %r = add.i64 %ten, %y
    return %r
}";
    assert_eq!(run_int(text), 5534);
}

#[test]
fn an_atomic_modify_starts_over_when_its_function_interferes() {
    let text = "
data @d = { i64 1 }
func @f(i64, i64) -> i64 {
entry(%old: i64, %operand: i64):
    %first = icmp.i64 eq %old, 1
    branch %first, interfere, done
interfere:
    data_store.i64 50, @d, 0
    jump done
done:
    %new = add.i64 %old, %operand
    return %new
}
func @main() -> (i64, i64, i64) {
entry:
    %p = data_addr @d
    %old, %new = atomic_modify.i64 @f, seq_cst %p, 7
    %now = data_load.i64 @d, 0
    return %old, %new, %now
}";
    assert_eq!(run(text).unwrap(), ints(&[50, 57, 57]));
}

#[test]
fn an_atomic_modify_by_a_host_that_always_interferes_runs_out_of_fuel() {
    let text = "
import func @host(i64, i64) -> i64
data @d = { i64 1 }
func @main() {
entry:
    %p = data_addr @d
    %old, %new = atomic_modify.i64 @host, seq_cst %p, 7
    return
}";
    let module = module(text);
    let mut host = HostFunctions::new();
    host.define("host", &[Type::I64; 2], &[Type::I64], |call, args| {
        call.memory().write(BASE, &(args[0].bits() as u64 + 1).to_le_bytes())?;
        Ok(vec![args[1].clone()])
    });
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let setup = Interpreter::setup().module(&module).host(host).limits(limits);
    let error = setup.build().unwrap().call("main", &[]).unwrap_err();
    assert_eq!(error.code(), Some(TrapCode::OutOfFuel));
}

#[test]
fn copying_large_values_takes_more_steps() {
    let text = "
func @main() {
entry:
    jump again(zero)
again(%a: [10000 x i64]):
    jump again(%a)
}";
    let module = module(text);
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::OutOfFuel);
    assert!(interpreter.counts().of(Op::Jump) < 1000);
}

#[test]
fn read_modify_writes_compute_what_their_kind_says() {
    for (kind, ty, old, operand, new) in [
        ("xchg", "i8", "5", "7", "7"),
        ("add", "i8", "127", "1", "-128"),
        ("sub", "i8", "-128", "1", "127"),
        ("and", "i8", "12", "10", "8"),
        ("nand", "i8", "12", "10", "-9"),
        ("or", "i8", "12", "10", "14"),
        ("xor", "i8", "12", "10", "6"),
        ("smin", "i8", "-1", "1", "-1"),
        ("smax", "i8", "-1", "1", "1"),
        ("umin", "i8", "-1", "1", "1"),
        ("umax", "i8", "-1", "1", "-1"),
        ("fadd", "f32", "1.5", "0.25", "1.75"),
        ("fsub", "f64", "1.5", "0.25", "1.25"),
        ("fmin", "f64", "0.0", "-0.0", "-0.0"),
        ("fmax", "f64", "nan", "1.0", "nan"),
        ("xchg", "ptr", "null", "0x40", "0x40"),
    ] {
        let text = format!(
            "
func @main() -> ({ty}, {ty}, {ty}, {ty}) {{
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    store.{ty} {old}, %p
    %old = atomic_rmw.{ty} {kind} seq_cst %p, {operand}
    %new = load.{ty} %p
    return %old, %new, {old}, {new}
}}"
        );
        let results = run(&text).unwrap();
        assert_eq!(results[..2], results[2..], "{kind}");
    }
}

#[test]
fn a_compare_exchange_compares_bits() {
    let text = "
func @main() -> (i1, i1) {
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    store.f64 -0.0, %p
    %a, %zero = atomic_cas.f64 seq_cst seq_cst %p, 0.0, 1.0
    store.f64 nan, %p
    %b, %nan = atomic_cas.f64 seq_cst seq_cst %p, nan, 1.0
    return %zero, %nan
}";
    assert_eq!(run(text).unwrap(), [false.into(), true.into()]);
}

#[test]
fn values_too_large_for_an_activation_are_refused() {
    let text = "
func @main() {
entry:
    %a = opaque.[100000000 x i8] zero
    return
}";
    assert_eq!(trap(text).code, TrapCode::OutOfMemory);
}

#[test]
fn a_frame_of_many_values_counts_against_the_stack() {
    let text = "
func @main() {
entry:
    %a = opaque.[1000 x i64] zero
    call @main()
    return
}";
    let module = module(text);
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    let trap = trap_of(interpreter.call("main", &[]));
    assert_eq!(trap.code, TrapCode::StackOverflow);
    assert!(trap.frames.len() < 32);
}

#[test]
fn an_interpreter_is_usable_after_a_trap() {
    let module = module(
        "
func @f(i64) -> i64 {
  ss0 = slot 64
entry(%x: i64):
    %y = udiv.i64 100, %x
    return %y
}
func @g(i64) -> i64 {
entry(%x: i64):
    %y = call @f(%x)
    return %y
}",
    );
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    for _ in 0..1000 {
        assert_eq!(trap_of(interpreter.call("g", &ints(&[0]))).code, TrapCode::DivisionByZero);
        assert_eq!(interpreter.call("g", &ints(&[5])).unwrap(), ints(&[20]));
    }
}
