use super::*;

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
