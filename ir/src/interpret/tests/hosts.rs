use super::*;
use crate::types::Type;
use std::sync::atomic::{AtomicU64, Ordering};

fn with_host(text: &str, host: HostFunctions) -> Result<Vec<Datum>, CallError> {
    let module = module(text);
    Interpreter::setup().module(&module).host(host).build().unwrap().call("main", &[])
}

const CALLS_ONE: &str = "
import func @host(i64) -> i64
func @main() -> i64 {
entry:
    %x = call @host(20)
    return %x
}";

#[test]
fn a_host_function_has_state_and_sees_memory() {
    let text = "
import func @host(ptr) -> i64
data @d = { i64 5 }
func @main() -> i64 {
entry:
    %p = data_addr @d
    %x = call @host(%p)
    %y = call @host(%p)
    return %y
}";
    let calls = AtomicU64::new(0);
    let mut host = HostFunctions::new();
    host.define("host", &[Type::PTR], &[Type::I64], move |call, args| {
        let count = calls.fetch_add(1, Ordering::Relaxed) + 1;
        let mut bytes = [0; 8];
        call.memory().read(args[0].bits() as u64, &mut bytes)?;
        let new = u64::from_le_bytes(bytes) * 10 + count;
        call.memory().write(args[0].bits() as u64, &new.to_le_bytes())?;
        Ok(vec![new.into()])
    });
    assert_eq!(with_host(text, host).unwrap(), ints(&[512]));
}

#[test]
fn what_a_host_function_fails_with_is_a_trap_of_its_caller() {
    for (error, code) in [
        (HostError::failed("no such file"), TrapCode::HostError),
        (HostError::Trap(TrapCode::User(3)), TrapCode::User(3)),
        (HostError::Throw(0), TrapCode::UncaughtException),
    ] {
        let mut host = HostFunctions::new();
        host.define("host", &[Type::I64], &[Type::I64], move |_, _| Err(error.clone()));
        let trap = trap_of(with_host(CALLS_ONE, host));
        assert_eq!((trap.code, trap.function(), trap.line()), (code, "main", 5));
    }
}

#[test]
fn a_panic_or_a_missing_result_of_the_host_is_a_trap() {
    let mut host = HostFunctions::new();
    host.define("host", &[Type::I64], &[Type::I64], |_, args| Ok(args[1..].to_vec()));
    assert_eq!(trap_of(with_host(CALLS_ONE, host)).code, TrapCode::HostError);
    let mut host = HostFunctions::new();
    host.define("host", &[Type::I64], &[Type::I64], |_, _| std::panic::resume_unwind(Box::new(1)));
    assert_eq!(trap_of(with_host(CALLS_ONE, host)).code, TrapCode::HostError);
}

#[test]
fn an_import_that_nobody_defines_traps_with_its_name() {
    let trap = trap_of(with_host(CALLS_ONE, HostFunctions::new()));
    assert_eq!(trap.code, TrapCode::MissingFunction);
    assert_eq!(detail(&trap), "nobody defines `@host`");
}

#[test]
fn a_host_function_of_another_signature_is_refused() {
    let module = module(CALLS_ONE);
    let mut host = HostFunctions::new();
    host.define("host", &[Type::F64], &[Type::I64], |_, _| Ok(Vec::new()));
    let error = Interpreter::setup().module(&module).host(host).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`@host` is imported as `(i64) -> i64`, but defined as `(f64) -> i64`"
    );
}

const CALLS_BACK: &str = "
import func @host(ptr) -> i64
func @back(i64) -> i64 {
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, now, later
now:
    throw null
later:
    %q = sdiv.i64 100, %n
    %one = icmp.i64 eq %n, 1
    branch %one, fail, done
fail:
    unreachable
done:
    return %q
}
func @main() -> i64 {
entry:
    %f = function_addr.fn(i64) -> i64 @back
    %p = function_to_ptr.fn(i64) -> i64 %f
    %x = try_call @host(%p) normal done(%x), unwind caught
done(%r: i64):
    return %r
caught:
    return -1
}";

/// A host function that calls back with each number, and swallows errors.
fn calling_back(numbers: &'static [i64]) -> HostFunctions {
    let mut host = HostFunctions::new();
    host.define("host", &[Type::PTR], &[Type::I64], move |call, args| {
        let mut sum = 0;
        for &number in numbers {
            let result = call.call(args[0].bits() as u64, &[number.into()]);
            sum += result.map_or(1000, |results| results[0].bits() as i64);
        }
        Ok(vec![sum.into()])
    });
    host
}

#[test]
fn the_host_calls_back_into_the_program() {
    let sum = with_host(CALLS_BACK, calling_back(&[4, 5]));
    assert_eq!(sum.unwrap(), ints(&[45]));
}

#[test]
fn what_stops_a_callback_goes_on_behind_the_host_whatever_it_returns() {
    let caught = with_host(CALLS_BACK, calling_back(&[4, 0, 5]));
    assert_eq!(caught.unwrap(), ints(&[-1]));
    let trap = trap_of(with_host(CALLS_BACK, calling_back(&[1, 0])));
    assert_eq!(trap.code, TrapCode::Unreachable);
    let places: Vec<&str> = trap.frames.iter().map(|frame| &*frame.function).collect();
    assert_eq!(places, ["back", "main"]);
}

#[test]
fn callbacks_of_callbacks_end_in_a_stack_overflow() {
    let text = "
import func @host(ptr)
func @main() {
entry:
    %f = function_addr.fn() @main
    %p = function_to_ptr.fn() %f
    call @host(%p)
    return
}";
    let mut host = HostFunctions::new();
    host.define("host", &[Type::PTR], &[], |call, args| call.call(args[0].bits() as u64, &[]));
    assert_eq!(trap_of(with_host(text, host)).code, TrapCode::StackOverflow);
}

#[test]
fn a_flag_from_outside_interrupts_loops_and_calls() {
    for text in [
        "func @main() {\nentry:\n    jump again\nagain:\n    jump again\n}",
        "func @main() {\nentry:\n    return_call @main()\n}",
        "func @main() {\nentry:\n    poll\n    unreachable\n}",
    ] {
        let module = module(text);
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        interpreter.interrupt_flag().store(true, Ordering::Relaxed);
        let error = interpreter.call("main", &[]).unwrap_err();
        assert_eq!(error.code(), Some(TrapCode::Interrupted), "{text}");
    }
}

#[test]
fn arguments_of_another_type_are_refused() {
    let module = module("func @f(i8, i32x2) {\nentry(%a: i8, %b: i32x2):\n    return\n}");
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    let pair = Datum::Lanes([1, 2].into());
    assert_eq!(interpreter.call("f", &[3i8.into(), pair.clone()]), Ok(Vec::new()));
    for args in [&[][..], &[pair.clone(), pair.clone()], &[256i16.into(), pair]] {
        let error = interpreter.call("f", args).unwrap_err();
        assert!(error.to_string().starts_with("`@f(i8, i32x2)` cannot be called"), "{error}");
    }
    let error = interpreter.call("g", &[]).unwrap_err();
    assert_eq!(error, CallError::NoFunction { name: "g".into() });
}

#[test]
fn a_trace_sees_instructions_with_their_results() {
    struct Lines(std::rc::Rc<std::cell::RefCell<Vec<String>>>);
    impl Trace for Lines {
        fn executed(&mut self, step: &Traced<'_>) {
            self.0.borrow_mut().push(format!("{} {step}", step.depth));
        }
    }
    let module = module(
        "
func @f(i32) -> (i32, i1) {
entry(%x: i32):
    %y, %o = sadd_overflow.i32 %x, 1
    return %y, %o
}
func @main() {
entry:
    %a, %b = call @f(6)
    poll
    return
}",
    );
    let lines = std::rc::Rc::default();
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    interpreter.trace(Box::new(Lines(std::rc::Rc::clone(&lines))));
    interpreter.call("main", &[]).unwrap();
    assert_eq!(
        *lines.borrow(),
        [
            "2 @f: %y, %o = sadd_overflow.i32 %x, 1 ; 7, 0",
            "1 @main: %a, %b = call @f(6) ; 7, 0",
            "1 @main: poll",
        ]
    );
}

#[test]
fn what_a_host_function_gives_must_be_of_its_type() {
    for given in [Datum::Scalar(1 << 64), Datum::Lanes([1].into()), Datum::Fields([].into())] {
        let mut host = HostFunctions::new();
        host.define("host", &[Type::I64], &[Type::I64], move |_, _| Ok(vec![given.clone()]));
        let trap = trap_of(with_host(CALLS_ONE, host));
        assert_eq!(trap.code, TrapCode::HostError);
        assert!(detail(&trap).ends_with("which is not what it returns"), "{trap}");
    }
}

#[test]
fn a_host_that_calls_back_with_other_arguments_is_told_so() {
    for args in [ints(&[]), ints(&[1, 2]), vec![Datum::Lanes([1].into())]] {
        let mut host = HostFunctions::new();
        host.define("host", &[Type::PTR], &[Type::I64], move |call, own| {
            let results = call.call(own[0].bits() as u64, &args);
            Ok(results.unwrap_or_else(|_| vec![7i64.into()]))
        });
        let trap = trap_of(with_host(CALLS_BACK, host));
        assert_eq!((trap.code, trap.function()), (TrapCode::HostError, "main"));
        assert!(detail(&trap).starts_with("`@back` cannot be called back"), "{trap}");
    }
}

#[test]
fn a_trace_ends_where_execution_does() {
    struct Count(std::rc::Rc<std::cell::Cell<u64>>);
    impl Trace for Count {
        fn executed(&mut self, step: &Traced<'_>) {
            assert_eq!(step.results, ints(&[3]));
            self.0.set(self.0.get() + 1);
        }
    }
    let module = module(
        "func @main() {\nentry:\n    %x = add.i64 1, 2\n    %y = sdiv.i64 %x, 0\n    return\n}",
    );
    let count = std::rc::Rc::default();
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    interpreter.trace(Box::new(Count(std::rc::Rc::clone(&count))));
    assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::DivisionByZero);
    assert_eq!(count.get(), 1);
}
