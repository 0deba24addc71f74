use brolga::FunctionError;
use brolga::ir::datum::Datum;

use super::{engine, raw_engine};

const FIB: &str = "
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
}";

#[test]
fn a_function_is_called_by_its_types() {
    let engine = engine(FIB);
    let fib = engine.func::<(i64,), i64>("fib").unwrap();
    assert_eq!(fib.call((20,)).unwrap(), 6765);
    assert_eq!(fib.clone().call((1,)).unwrap(), 1);
}

#[test]
fn a_function_is_called_with_values() {
    let engine = engine(FIB);
    assert_eq!(engine.call("fib", &[Datum::from(10i64)]).unwrap(), [Datum::from(55i64)]);
    let error = engine.call("fib", &[]).unwrap_err();
    assert!(error.to_string().contains("0 arguments were given, it takes 1"), "{error}");
    let error = engine.call("fib", &[Datum::Scalar(1 << 64)]).unwrap_err();
    assert!(error.to_string().contains("argument 1 is no i64"), "{error}");
}

#[test]
fn another_signature_is_an_error_that_names_both() {
    let engine = engine(FIB);
    let error = engine.func::<(f64,), i64>("fib").unwrap_err();
    assert_eq!(error.to_string(), "`@fib` has the signature fn(i64) -> i64, not fn(f64) -> i64");
    let error = engine.func::<(*const u8,), i64>("fib").unwrap_err();
    assert!(matches!(error, FunctionError::Signature { .. }));
    let error = engine.func::<(), ()>("fob").unwrap_err();
    assert!(matches!(error, FunctionError::Missing { .. }));
}

#[test]
fn every_scalar_goes_in_and_out() {
    let engine = engine(
        "func @all(i1, i8, i16, i32, i64, i128, f32, f64) -> (i128, f64, f32, i64, i32, i16, i8, i1) {
        entry(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: i128, %g: f32, %h: f64):
            return %f, %h, %g, %e, %d, %c, %b, %a
        }",
    );
    type In = (bool, i8, i16, i32, i64, i128, f32, f64);
    type Out = (i128, f64, f32, i64, i32, i16, i8, bool);
    let all = engine.func::<In, Out>("all").unwrap();
    let results = all.call((true, -1, -2, -3, -4, -5, 1.5, 2.5)).unwrap();
    assert_eq!(results, (-5, 2.5, 1.5, -4, -3, -2, -1, true));
}

#[test]
fn a_slice_is_passed_with_its_length() {
    let engine = raw_engine(
        "func @sum(ptr, i64) -> f64 {
        entry(%p: ptr, %n: i64):
            jump loop(0, 0.0)
        loop(%i: i64, %s: f64):
            %more = icmp.i64 slt %i, %n
            branch %more, body, done
        body:
            %o = shl.i64 %i, 3
            %q = ptr_add %p, %o
            %x = load.f64 %q
            %t = fadd.f64 %s, %x
            store.f64 0.0, %q
            %j = add.i64 %i, 1
            jump loop(%j, %t)
        done:
            return %s
        }",
    );
    let sum = engine.func::<(&mut [f64],), f64>("sum").unwrap();
    let mut numbers = [1.0, 2.0, 3.5];
    assert_eq!(sum.call((&mut numbers,)).unwrap(), 6.5);
    assert_eq!(numbers, [0.0; 3]);
    let mut others = vec![4.0; 100];
    assert_eq!(sum.call((&mut others,)).unwrap(), 400.0);
    assert!(engine.func::<(&mut [f64], i64), f64>("sum").is_err());
}

#[test]
fn a_handle_keeps_its_engine_alive() {
    let fib = engine(FIB).func::<(i64,), i64>("fib").unwrap();
    assert_eq!(fib.call((10,)).unwrap(), 55);
}
