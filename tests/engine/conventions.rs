//! What C passes and gives back, both ways, in each of the forms that its
//! types take.

mod registers;

use std::sync::Mutex;

use brolga::{Config, Engine};

/// An engine whose modules get addresses of functions of the host by `@address`.
fn engine(addresses: &'static [usize], text: &str) -> Engine {
    let allow_symbols = ["strtold", "snprintf"].map(str::to_owned).to_vec();
    let engine = Engine::new(Config { allow_symbols, ..Config::default() }).unwrap();
    let find = move |index: i64| -> Result<*const (), String> {
        Ok(std::ptr::with_exposed_provenance(addresses[index as usize]))
    };
    engine.define_host("address", find).unwrap();
    // SAFETY: the texts of this file call the functions as they are declared.
    unsafe { engine.load_unsafe(text) }.unwrap();
    engine
}

fn addresses<const N: usize>(list: [*const (); N]) -> &'static [usize] {
    Box::leak(Box::new(list.map(<*const ()>::expose_provenance)))
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Large {
    a: i64,
    b: f64,
    c: [u8; 5],
}

#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Aligned {
    a: i64,
    b: [i64; 3],
}

extern "C" fn sum_large(first: i32, x: Large, y: Large, last: i64) -> f64 {
    let part = |z: Large| z.a as f64 + z.b + f64::from(z.c[4]);
    f64::from(first) + 10.0 * part(x) + 100.0 * part(y) + 1000.0 * last as f64
}

extern "C" fn sum_aligned(x: Large, y: Aligned, z: u8) -> i64 {
    assert_eq!(std::ptr::from_ref(&y).addr() % 16, 0);
    x.a + 10 * y.a + 100 * y.b[2] + 1000 * i64::from(z)
}

const BY_VALUE: &str = "
import @address(i64) -> ptr
func @sum(ptr, ptr) -> f64 {
entry(%x: ptr, %y: ptr):
    %f = call @address(0)
    %r = call_ptr.cfn(i32, ptr byval(24 align 8), ptr byval(24 align 8), i64) -> f64 %f(7, %x, %y, 9)
    return %r
}
func @sum_odd(ptr) -> f64 {
    ss0 = slot 24
entry(%x: ptr):
    %p = slot_addr ss0
    mem_copy %p, %x, 21
    %f = call @address(0)
    %r = call_ptr.fn(i32, ptr byval(21 align 8), ptr byval(21 align 1), i64) -> f64 %f(7, %p, %x, 9)
    return %r
}
func @sum_aligned(ptr, ptr) -> i64 {
entry(%x: ptr, %y: ptr):
    %f = call @address(1)
    %r = call_ptr.cfn(ptr byval(24 align 8), ptr byval(32 align 16), i8 zext) -> i64 %f(%x, %y, 200)
    return %r
}";

#[test]
fn structs_are_passed_by_value() {
    let places = addresses([sum_large as *const (), sum_aligned as *const ()]);
    let engine = engine(places, BY_VALUE);
    let x = Large { a: 1, b: 0.5, c: [0, 0, 0, 0, 3] };
    let y = Large { a: -2, b: 0.25, c: [0, 0, 0, 0, 200] };
    let z = Aligned { a: 5, b: [0, 0, 6] };
    let (px, py, pz) = (&raw const x, &raw const y, &raw const z);
    let sum = engine.func::<(*const Large, *const Large), f64>("sum").unwrap();
    assert_eq!(sum.call((px, py)).unwrap(), sum_large(7, x, y, 9));
    let odd = engine.func::<(*const Large,), f64>("sum_odd").unwrap();
    assert_eq!(odd.call((px,)).unwrap(), sum_large(7, x, x, 9));
    let aligned = engine.func::<(*const Large, *const Aligned), i64>("sum_aligned").unwrap();
    assert_eq!(aligned.call((px, pz)).unwrap(), sum_aligned(x, z, 200));
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mixed {
    a: i64,
    b: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    a: i64,
    b: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Floats {
    x: f32,
    y: f32,
    z: f32,
}

extern "C" fn swap(x: Pair) -> Pair {
    Pair { a: x.b, b: x.a }
}

extern "C" fn mix(a: i64, b: f64) -> Mixed {
    Mixed { a: a + 1, b: b * 2.0 }
}

#[repr(C)]
struct Doubles(f64, f64);

extern "C" fn make_doubles(a: f64) -> Doubles {
    Doubles(a + 1.0, a + 2.0)
}

extern "C" fn scale(v: Floats, by: f32) -> Floats {
    Floats { x: v.x * by, y: v.y * by, z: v.z * by }
}

extern "C" fn make_large(a: i64, b: f64) -> Large {
    Large { a, b, c: [1, 2, 3, 4, 5] }
}

extern "C" fn wide(a: u128, b: i32, c: u128, d: i64, e: u128, f: i64) -> u128 {
    a ^ (b as u128) << 3 ^ c << 1 ^ (d as u128) << 64 ^ e.rotate_left(9) ^ (f as u128) << 32
}

const RESULTS: &str = "
import @address(i64) -> ptr
func @swap(i64, i64) -> {i64, i64} {
entry(%a: i64, %b: i64):
    %f = call @address(0)
    %p = make_aggregate.{i64, i64} %a, %b
    %r = call_ptr.cfn({i64, i64}) -> {i64, i64} %f(%p)
    return %r
}
func @mix(i64, f64) -> (i64, f64) {
entry(%a: i64, %b: f64):
    %f = call @address(1)
    %x, %y = call_ptr.fn(i64, f64) -> (i64, f64) %f(%a, %b)
    return %x, %y
}
func @doubles(f64) -> (f64, f64) {
entry(%a: f64):
    %f = call @address(2)
    %x, %y = call_ptr.cfn(f64) -> (f64, f64) %f(%a)
    return %x, %y
}
func @large(i64, f64, ptr) {
entry(%a: i64, %b: f64, %p: ptr):
    %f = call @address(4)
    call_ptr.cfn(ptr sret, i64, f64) %f(%p, %a, %b)
    return
}
func @wide(i128, i32, i128, i64, i128, i64) -> i128 {
entry(%a: i128, %b: i32, %c: i128, %d: i64, %e: i128, %g: i64):
    %f = call @address(5)
    %r = call_ptr.fn(i128, i32, i128, i64, i128, i64) -> i128 %f(%a, %b, %c, %d, %e, %g)
    return %r
}";

fn places() -> &'static [usize] {
    addresses([
        swap as *const (),
        mix as *const (),
        make_doubles as *const (),
        scale as *const (),
        make_large as *const (),
        wide as *const (),
    ])
}

#[test]
fn small_structs_come_back_in_registers_and_large_ones_at_an_address() {
    let engine = engine(places(), RESULTS);
    let mixed = engine.func::<(i64, f64), (i64, f64)>("mix").unwrap();
    assert_eq!(mixed.call((4, 1.5)).unwrap(), (5, 3.0));
    let doubles = engine.func::<(f64,), (f64, f64)>("doubles").unwrap();
    assert_eq!(doubles.call((4.0,)).unwrap(), (5.0, 6.0));
    let large = engine.func::<(i64, f64, *mut Large), ()>("large").unwrap();
    let mut to = Large { a: 0, b: 0.0, c: [0; 5] };
    large.call((3, 0.5, &raw mut to)).unwrap();
    assert_eq!(to, make_large(3, 0.5));
    use brolga::ir::datum::Datum;
    let swapped = engine.call("swap", &[Datum::from(1_i64), Datum::from(2_i64)]).unwrap();
    assert_eq!(swapped, [Datum::Fields([Datum::from(2_i64), Datum::from(1_i64)].into())]);
}

#[test]
fn integers_of_two_registers_are_never_torn() {
    let engine = engine(places(), RESULTS);
    let call = engine.func::<(u128, i32, u128, i64, u128, i64), u128>("wide").unwrap();
    let (a, c, e) = (u128::MAX / 3, u128::MAX / 7, u128::MAX / 11);
    assert_eq!(call.call((a, 5, c, 6, e, 8)).unwrap(), wide(a, 5, c, 6, e, 8));
}

#[test]
fn short_vectors_cross_as_the_structs_that_they_are_parts_of() {
    let text = "import @address(i64) -> ptr
        func @scale(f32, f32, f32, f32) -> f32 {
        entry(%x: f32, %y: f32, %z: f32, %by: f32):
            %f = call @address(3)
            %xy = make_vector.f32x2 %x, %y
            %v = make_aggregate.{f32x2, f32} %xy, %z
            %r = call_ptr.cfn({f32x2, f32}, f32) -> {f32x2, f32} %f(%v, %by)
            %s = extract_value.{f32x2, f32} %r, 0
            %t = extract_value.{f32x2, f32} %r, 1
            %a = extract_lane.f32x2 %s, 0
            %b = extract_lane.f32x2 %s, 1
            %ab = fsub.f32 %a, %b
            %c = fadd.f32 %ab, %t
            return %c
        }";
    let engine = engine(places(), text);
    let scale = engine.func::<(f32, f32, f32, f32), f32>("scale").unwrap();
    assert_eq!(scale.call((1.0, 2.0, 4.0, 3.0)).unwrap(), 3.0 - 6.0 + 12.0);
}

/// Functions that the host calls by the convention of C.
const CALLED: &str = "
import @take(i64, ptr)
func @sum(i32, ptr byval(24 align 8), ptr byval(24 align 8), i64) -> f64 {
entry(%first: i32, %x: ptr, %y: ptr, %last: i64):
    %a = sitofp.f64 %first
    %b = call @part(%x, 10.0)
    %c = call @part(%y, 100.0)
    %l = sitofp.f64 %last
    %d = fmul.f64 %l, 1000.0
    %ab = fadd.f64 %a, %b
    %abc = fadd.f64 %ab, %c
    %r = fadd.f64 %abc, %d
    store.i64 -1, %x
    return %r
}
local func @part(ptr, f64) -> f64 {
entry(%p: ptr, %by: f64):
    %a = load.i64 %p
    %b = load.f64 %p+8
    %c = load.i8 %p+20
    %x = sitofp.f64 %a
    %y = fadd.f64 %x, %b
    %z = uitofp.f64 %c
    %w = fadd.f64 %y, %z
    %r = fmul.f64 %w, %by
    return %r
}
func @mix(i64, f64) -> {i64, f64} {
entry(%a: i64, %b: f64):
    %x = add.i64 %a, 1
    %y = fmul.f64 %b, 2.0
    %r = make_aggregate.{i64, f64} %x, %y
    return %r
}
func @large(ptr sret, i64, f64) {
entry(%to: ptr, %a: i64, %b: f64):
    store.i64 %a, %to
    store.f64 %b, %to+8
    store.i64 0x504030201, %to+16
    return
}
func @wide(i128, i32, i128, i64, i128, i64) -> i128 {
entry(%a: i128, %b: i32, %c: i128, %d: i64, %e: i128, %f: i64):
    %b2 = sext.i128 %b
    %b3 = shl.i128 %b2, 3
    %c2 = shl.i128 %c, 1
    %d2 = sext.i128 %d
    %d3 = shl.i128 %d2, 64
    %e2 = rotl.i128 %e, 9
    %f2 = sext.i128 %f
    %f3 = shl.i128 %f2, 32
    %x1 = xor.i128 %a, %b3
    %x2 = xor.i128 %x1, %c2
    %x3 = xor.i128 %x2, %d3
    %x4 = xor.i128 %x3, %e2
    %x5 = xor.i128 %x4, %f3
    return %x5
}
func @many(f64, i64, f32, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, f32, f64, i8 sext) -> f64 {
entry(%a: f64, %b: i64, %c: f32, %d: i64, %e: f64, %f: i64, %g: f64, %h: i64, %i: f64, %j: i64, %k: f64, %l: i64, %m: f64, %n: i64, %o: f64, %p: f32, %q: f64, %r: i8):
    %n2 = sitofp.f64 %n
    %r2 = sitofp.f64 %r
    %p2 = fpext.f64 %p
    %c2 = fpext.f64 %c
    %x1 = fadd.f64 %n2, %r2
    %x2 = fmul.f64 %p2, 100.0
    %x3 = fmul.f64 %q, 1000.0
    %x4 = fadd.f64 %x1, %x2
    %x5 = fadd.f64 %x3, %c2
    %x6 = fadd.f64 %x4, %x5
    return %x6
}
func @hand_out() {
entry:
    %s = function_addr.fn(i32, ptr byval(24 align 8), ptr byval(24 align 8), i64) -> f64 @sum
    %s2 = function_to_ptr.fn(i32, ptr byval(24 align 8), ptr byval(24 align 8), i64) -> f64 %s
    call @take(0, %s2)
    %m = function_addr.fn(i64, f64) -> {i64, f64} @mix
    %m2 = function_to_ptr.fn(i64, f64) -> {i64, f64} %m
    call @take(1, %m2)
    %l = function_addr.fn(ptr sret, i64, f64) @large
    %l2 = function_to_ptr.fn(ptr sret, i64, f64) %l
    call @take(2, %l2)
    %w = function_addr.fn(i128, i32, i128, i64, i128, i64) -> i128 @wide
    %w2 = function_to_ptr.fn(i128, i32, i128, i64, i128, i64) -> i128 %w
    call @take(3, %w2)
    %n = function_addr.fn(f64, i64, f32, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, f32, f64, i8 sext) -> f64 @many
    %n2 = function_to_ptr.fn(f64, i64, f32, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, i64, f64, f32, f64, i8 sext) -> f64 %n
    call @take(4, %n2)
    return
}";

type Many = extern "C" fn(
    f64,
    i64,
    f32,
    i64,
    f64,
    i64,
    f64,
    i64,
    f64,
    i64,
    f64,
    i64,
    f64,
    i64,
    f64,
    f32,
    f64,
    i8,
) -> f64;

/// The functions of [`CALLED`], by number.
fn handed_out() -> (Engine, Vec<*const ()>) {
    let taken: &'static Mutex<Vec<usize>> = Box::leak(Box::default());
    let engine = Engine::new(Config::default()).unwrap();
    let take = |_: i64, address: *const ()| {
        taken.lock().unwrap().push(address.expose_provenance());
    };
    engine.define_host("take", take).unwrap();
    // SAFETY: the functions are called below as they are declared.
    unsafe { engine.load_unsafe(CALLED) }.unwrap();
    engine.func::<(), ()>("hand_out").unwrap().call(()).unwrap();
    let addresses = taken.lock().unwrap().clone();
    (engine, addresses.into_iter().map(std::ptr::with_exposed_provenance).collect())
}

macro_rules! function {
    ($address:expr, $ty:ty) => {
        // SAFETY: such is the function that the module declares.
        unsafe { std::mem::transmute::<*const (), $ty>($address) }
    };
}

#[test]
fn c_calls_compiled_functions_with_structs() {
    let (_engine, list) = handed_out();
    let sum = function!(list[0], extern "C" fn(i32, Large, Large, i64) -> f64);
    let x = Large { a: 1, b: 0.5, c: [0, 0, 0, 0, 3] };
    let y = Large { a: -2, b: 0.25, c: [0, 0, 0, 0, 200] };
    assert_eq!(sum(7, x, y, 9), sum_large(7, x, y, 9));
    assert_eq!(x.a, 1, "the callee has bytes of its own");
    let mixed = function!(list[1], extern "C" fn(i64, f64) -> Mixed);
    assert_eq!(mixed(4, 1.5), mix(4, 1.5));
    let large = function!(list[2], extern "C" fn(i64, f64) -> Large);
    assert_eq!(large(3, 0.5), make_large(3, 0.5));
}

#[test]
fn c_calls_compiled_functions_with_more_than_registers_hold() {
    let (_engine, list) = handed_out();
    let call = function!(list[3], extern "C" fn(u128, i32, u128, i64, u128, i64) -> u128);
    let (a, c, e) = (u128::MAX / 3, u128::MAX / 7, u128::MAX / 11);
    assert_eq!(call(a, -5, c, 6, e, 8), wide(a, -5, c, 6, e, 8));
    let many = function!(list[4], Many);
    let found =
        many(0.5, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5, 11, 12.5, 13, 14.5, 15.5, 16.5, -17);
    assert_eq!(found, 13.0 - 17.0 + 1550.0 + 16500.0 + 2.5);
}

/// `long double` comes from the x87 unit, and goes onto the stack.
const EXTENDED: &str = "
foreign @strtold(ptr, ptr) -> x86_fp80
foreign @snprintf(ptr, i64, ptr, ...) -> i32
data @format const = { bytes \"%d %.3Lf %d\\00\" }
data @digits const = { bytes \"-12.625\\00\" }
func @print(ptr, i64) -> i32 {
entry(%to: ptr, %size: i64):
    %d = data_addr @digits
    %x = call_foreign @strtold(%d, null)
    %f = data_addr @format
    %r = call_foreign @snprintf(%to, %size, %f, i32:1, %x, i32:2)
    return %r
}
func @same(x86_fp80) -> x86_fp80 {
entry(%x: x86_fp80):
    return %x
}
func @through() -> x86_fp80 {
entry:
    %d = data_addr @digits
    %x = call_foreign @strtold(%d, null)
    %f = function_addr.fn(x86_fp80) -> x86_fp80 @same
    %p = function_to_ptr.fn(x86_fp80) -> x86_fp80 %f
    %y = call_ptr.cfn(x86_fp80) -> x86_fp80 %p(%x)
    return %y
}";

#[test]
fn long_doubles_come_and_go() {
    use brolga::ir::datum::Datum;
    let engine = engine(&[], EXTENDED);
    let print = engine.func::<(&mut [u8],), i32>("print").unwrap();
    let mut buffer = [0; 32];
    assert_eq!(print.call((&mut buffer,)).unwrap(), 11);
    assert_eq!(&buffer[..11], b"1 -12.625 2");
    // Sign and exponent of 2^3, then the digits.
    let bits = 0xc002_u128 << 64 | 0xca00_0000_0000_0000;
    for _ in 0..20 {
        assert_eq!(engine.call("through", &[]).unwrap(), [Datum::Scalar(bits)]);
    }
}

const FORMATTER: &str = "
foreign @vsnprintf(ptr, i64, ptr, ptr) -> i32
import @take(i64, ptr)
func @format(ptr, i64, ptr, ...) -> i32 {
entry(%to: ptr, %size: i64, %format: ptr, %list: ptr):
    %n = call_foreign @vsnprintf(%to, %size, %format, %list)
    return %n
}
func @hand_out() {
entry:
    %f = function_addr.cfn(ptr, i64, ptr, ...) -> i32 @format
    %p = function_to_ptr.cfn(ptr, i64, ptr, ...) -> i32 %f
    call @take(0, %p)
    return
}";

#[test]
fn c_calls_a_compiled_function_of_variable_arguments() {
    type Format = unsafe extern "C" fn(*mut u8, usize, *const u8, ...) -> i32;
    let taken: &'static Mutex<usize> = Box::leak(Box::default());
    let allow_symbols = vec!["vsnprintf".to_owned()];
    let engine = Engine::new(Config { allow_symbols, ..Config::default() }).unwrap();
    let take = |_: i64, address: *const ()| *taken.lock().unwrap() = address.expose_provenance();
    engine.define_host("take", take).unwrap();
    // SAFETY: the function is called below as it is declared.
    unsafe { engine.load_unsafe(FORMATTER) }.unwrap();
    engine.func::<(), ()>("hand_out").unwrap().call(()).unwrap();
    let address = std::ptr::with_exposed_provenance::<()>(*taken.lock().unwrap());
    let format = function!(address, Format);
    let mut text = [0_u8; 64];
    let pattern = c"%d %.1f %d %.1f %d %.1f %d %.1f %.0f %.0f %.0f %.0f %.0f %.1f";
    // SAFETY: the arguments fit the format, and the text fits the buffer.
    let length = unsafe {
        format(
            text.as_mut_ptr(),
            text.len(),
            pattern.as_ptr().cast(),
            1_i32,
            1.5_f64,
            2_i32,
            2.5_f64,
            3_i32,
            3.5_f64,
            4_i32,
            4.5_f64,
            5.0_f64,
            6.0_f64,
            7.0_f64,
            8.0_f64,
            9.0_f64,
            -10.5_f64,
        )
    };
    assert_eq!(&text[..length as usize], b"1 1.5 2 2.5 3 3.5 4 4.5 5 6 7 8 9 -10.5");
    let refused = engine.function("format").unwrap_err();
    assert!(refused.to_string().contains("variable arguments"), "{refused}");
}
