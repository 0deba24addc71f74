use brolga::FunctionError;
use brolga::ir::datum::Datum;
use brolga::ir::trap::TrapCode;

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

#[test]
fn a_reference_is_not_made_up_of_bits() {
    let engine = engine(
        "func @direct(fn() -> i64) -> i64 {
        entry(%f: fn() -> i64):
            %r = call_indirect.fn() -> i64 %f()
            return %r
        }
        func @inside({i64, fn() -> i64}) -> i64 {
        entry(%b: {i64, fn() -> i64}):
            %f = extract_value.{i64, fn() -> i64} %b, 1
            %r = call_indirect.fn() -> i64 %f()
            return %r
        }
        func @managed(ref) -> i1 {
        entry(%o: ref):
            %n = icmp.ref eq %o, null
            return %n
        }",
    );
    let made_up = Datum::from(0x1000i64);
    let null = Datum::from(0i64);
    let boxed = |f: &Datum| Datum::Fields([Datum::from(1i64), f.clone()].into());
    for (name, bad) in
        [("direct", made_up.clone()), ("inside", boxed(&made_up)), ("managed", made_up.clone())]
    {
        let error = engine.call(name, &[bad]).unwrap_err();
        assert!(error.to_string().contains("a reference made up of bits"), "{name}: {error}");
    }
    for (name, good) in [("direct", null.clone()), ("inside", boxed(&null))] {
        let error = engine.call(name, &[good]).unwrap_err();
        assert_eq!(error.trap().unwrap().code, TrapCode::NullFunction, "{name}");
    }
    assert_eq!(engine.call("managed", &[null]).unwrap(), [Datum::Scalar(1)]);
}

#[test]
fn values_that_do_not_have_the_shape_of_their_type_are_errors() {
    let engine = engine(
        "func @lanes(i8x4) -> i8 {
        entry(%v: i8x4):
            %x = extract_lane.i8x4 %v, 3
            return %x
        }
        func @mask(i1x4) -> i1x4 {
        entry(%v: i1x4):
            return %v
        }
        func @pair({i8, [2 x i16]}) -> i16 {
        entry(%p: {i8, [2 x i16]}):
            %x = extract_value.{i8, [2 x i16]} %p, 1, 1
            return %x
        }",
    );
    let lanes = |bits: &[u128]| Datum::Lanes(bits.into());
    let fields = |fields: &[Datum]| Datum::Fields(fields.into());
    let number = |bits: u128| Datum::Scalar(bits);
    let right = fields(&[number(1), fields(&[number(2), number(3)])]);
    assert_eq!(engine.call("lanes", &[lanes(&[1, 2, 3, 255])]).unwrap(), [number(255)]);
    assert_eq!(engine.call("mask", &[lanes(&[1, 0, 1, 1])]).unwrap(), [lanes(&[1, 0, 1, 1])]);
    assert_eq!(engine.call("pair", &[right]).unwrap(), [number(3)]);
    let wrong = [
        ("lanes", lanes(&[1, 2, 3])),
        ("lanes", lanes(&[1, 2, 3, 256])),
        ("lanes", number(1)),
        ("lanes", fields(&[number(1), number(2), number(3), number(4)])),
        ("mask", lanes(&[1, 2, 0, 0])),
        ("mask", lanes(&[u128::MAX; 4])),
        ("pair", fields(&[number(1)])),
        ("pair", fields(&[])),
        ("pair", fields(&[number(1), lanes(&[2, 3])])),
        ("pair", fields(&[number(256), fields(&[number(2), number(3)])])),
        ("pair", fields(&[number(1), fields(&[number(2), number(3), number(4)])])),
        ("pair", lanes(&[1, 2])),
    ];
    for (name, datum) in wrong {
        let error = engine.call(name, std::slice::from_ref(&datum)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&format!("@{name}")) && text.contains("argument 1 is no"), "{text}");
    }
}

#[test]
fn extreme_numbers_arrive_bit_for_bit() {
    let engine = engine(
        "func @same(f32, f64, i128, i64) -> (i64, i128, f64, f32) {
        entry(%a: f32, %b: f64, %c: i128, %d: i64):
            return %d, %c, %b, %a
        }",
    );
    type Out = (i64, i128, f64, f32);
    let same = engine.func::<(f32, f64, i128, i64), Out>("same").unwrap();
    let singles = [0x7f80_0001, 0xffc0_1234, 0x8000_0000, 1, 0x7f7f_ffff].map(f32::from_bits);
    let doubles =
        [0x7ff0_0000_0000_0001, 0xfff8_dead_beef_0001, 1 << 63, 1, u64::MAX].map(f64::from_bits);
    for (a, b) in singles.into_iter().zip(doubles) {
        for (c, d) in [(i128::MIN, i64::MIN), (i128::MAX, i64::MAX), (-1, 0), (1 << 64, -1)] {
            let (d2, c2, b2, a2) = same.call((a, b, c, d)).unwrap();
            assert_eq!((d2, c2), (d, c));
            assert_eq!((b2.to_bits(), a2.to_bits()), (b.to_bits(), a.to_bits()));
        }
    }
}

#[test]
fn twelve_arguments_and_eight_results_are_passed() {
    let engine = engine(
        "func @many(i64, f64, i8, f32, i128, i64, i64, i64, i128, i16, f64, i1) -> (i1, f64, i16, i128, i64, i64, i64, i128) {
        entry(%a: i64, %b: f64, %c: i8, %d: f32, %e: i128, %f: i64, %g: i64, %h: i64, %i: i128, %j: i16, %k: f64, %l: i1):
            return %l, %k, %j, %i, %h, %g, %f, %e
        }",
    );
    type In = (i64, f64, i8, f32, i128, i64, i64, i64, i128, i16, f64, bool);
    type Out = (bool, f64, i16, i128, i64, i64, i64, i128);
    let many = engine.func::<In, Out>("many").unwrap();
    let results = many.call((1, 2.0, 3, 4.0, 5, 6, 7, 8, -9, -10, 11.5, true)).unwrap();
    assert_eq!(results, (true, 11.5, -10, -9, 8, 7, 6, 5));
}

#[test]
fn empty_slices_and_long_ones_are_passed() {
    let engine = raw_engine(
        "func @ends(ptr, i64, ptr, i64) -> (i64, i64) {
        entry(%p: ptr, %n: i64, %q: ptr, %m: i64):
            return %n, %m
        }",
    );
    let ends = engine.func::<(&[u8], &mut [i128]), (i64, i64)>("ends").unwrap();
    assert_eq!(ends.call((&[], &mut [])).unwrap(), (0, 0));
    assert_eq!(ends.call((&[1; 1000], &mut [2; 3])).unwrap(), (1000, 3));
}

#[test]
fn what_a_call_by_name_lacks_is_named() {
    let engine = engine(FIB);
    let error = engine.call("fob", &[]).unwrap_err();
    assert!(error.to_string().contains("no function `@fob`"), "{error}");
    for name in ["", "\0", "@fib", "fib ", &"x".repeat(100_000)] {
        assert!(engine.call(name, &[]).is_err());
        assert!(engine.function(name).is_err());
        assert!(engine.func::<(), ()>(name).is_err());
        assert!(engine.read_data(name, 0, &mut [0u8]).is_err());
    }
}

#[test]
fn handles_are_sent_and_shared() {
    fn anywhere<T: Clone + Send + Sync + 'static>(_: &T) {}
    let engine = engine(FIB);
    anywhere(&engine);
    anywhere(&engine.downgrade());
    anywhere(&engine.func::<(i64,), i64>("fib").unwrap());
    anywhere(&engine.function("fib").unwrap());
}
