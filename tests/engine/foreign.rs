use brolga::ir::trap::TrapCode;
use brolga::{CallError, Config, Engine, LoadError};

fn libc_engine() -> Engine {
    let allow_symbols = ["abs", "qsort", "snprintf", "str*"].map(str::to_owned).to_vec();
    Engine::new(Config { allow_symbols, ..Config::default() }).unwrap()
}

#[test]
fn foreign_functions_are_called_if_they_are_allowed() {
    let engine = libc_engine();
    let text = "foreign @abs(i32) -> i32
        func @f(i32) -> i32 {
        entry(%x: i32):
            %y = call_foreign @abs(%x)
            return %y
        }";
    assert!(matches!(engine.load(text), Err(LoadError::NotSafe(_))));
    // SAFETY: `abs` has that signature.
    unsafe { engine.load_unsafe(text) }.unwrap();
    assert_eq!(engine.func::<(i32,), i32>("f").unwrap().call((-7,)).unwrap(), 7);
    // SAFETY: nothing is called.
    let error = unsafe { engine.load_unsafe("foreign @system(ptr) -> i32") }.unwrap_err();
    assert!(matches!(error, LoadError::ForbiddenSymbol { .. }), "{error}");
    // SAFETY: nothing is called.
    let error = unsafe { engine.load_unsafe("foreign @strnothing(ptr) -> i32") }.unwrap_err();
    assert!(matches!(error, LoadError::MissingSymbol { .. }), "{error}");
}

const SORT: &str = "
foreign @qsort(ptr, i64, i64, ptr)
func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %x = load.i64 %a
    %y = load.i64 %b
    %bad = icmp.i64 eq %x, 666
    branch %bad, stop, go
stop:
    trap user(66)
go:
    %less = icmp.i64 slt %x, %y
    %more = icmp.i64 sgt %x, %y
    %l = zext.i32 %less
    %m = zext.i32 %more
    %r = sub.i32 %m, %l
    return %r
}
func @sort(ptr, i64) {
entry(%p: ptr, %n: i64):
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, %n, 8, %c)
    return
}";

#[test]
fn c_code_calls_back_into_compiled_code() {
    let engine = libc_engine();
    // SAFETY: `qsort` has that signature, and is given a slice.
    unsafe { engine.load_unsafe(SORT) }.unwrap();
    let sort = engine.func::<(&mut [i64],), ()>("sort").unwrap();
    let mut numbers = [5, -3, 9, 0, 7, 7, 1];
    sort.call((&mut numbers,)).unwrap();
    assert_eq!(numbers, [-3, 0, 1, 5, 7, 7, 9]);
}

#[test]
fn a_trap_under_a_callback_stops_the_caller_of_the_c_function() {
    let engine = libc_engine();
    // SAFETY: as above.
    unsafe { engine.load_unsafe(SORT) }.unwrap();
    let sort = engine.func::<(&mut [i64],), ()>("sort").unwrap();
    for _ in 0..100 {
        let error = sort.call((&mut [1, 2, 666, 666, 4, 5],)).unwrap_err();
        let CallError::Trap(trap) = error else { panic!("{error}") };
        assert_eq!(trap.code, TrapCode::User(66));
        let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!(frames, ["compare", "sort"]);
        let mut fine = [3, 2, 1];
        sort.call((&mut fine,)).unwrap();
        assert_eq!(fine, [1, 2, 3]);
    }
}

#[test]
fn variadic_functions_take_floats() {
    let engine = libc_engine();
    let text = "foreign @snprintf(ptr, i64, ptr, ...) -> i32
        data @format const = { bytes \"%d %.2f %s\\00\" }
        data @word const = { bytes \"word\\00\" }
        func @print(ptr, i64) -> i32 {
        entry(%p: ptr, %n: i64):
            %f = data_addr @format
            %w = data_addr @word
            %r = call_foreign @snprintf(%p, %n, %f, i32:42, f64:2.5, %w)
            return %r
        }";
    // SAFETY: `snprintf` has that signature, and the arguments fit the format.
    unsafe { engine.load_unsafe(text) }.unwrap();
    let print = engine.func::<(&mut [u8],), i32>("print").unwrap();
    let mut buffer = [0u8; 32];
    assert_eq!(print.call((&mut buffer,)).unwrap(), 12);
    assert_eq!(&buffer[..12], b"42 2.50 word");
}

/// Of more integers than there are registers for, with one of 128 bits where
/// one register of x86-64 is left, one where one of aarch64 is left, and more.
type Wide = extern "C" fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, bool, f64) -> i128;

/// As [`Wide`], with less before.
type Late = extern "C" fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128;

extern "C" fn wide(
    a: i64,
    b: i64,
    c: i128,
    d: f32,
    e: i64,
    f: i128,
    g: i16,
    h: i128,
    i: i8,
    j: bool,
    k: f64,
) -> i128 {
    let narrow = [i128::from(a), i128::from(b), i128::from(e), i128::from(g), i128::from(i)];
    weigh(narrow.into_iter().chain([i128::from(j), d as i128, k as i128, c, f, h]))
}

extern "C" fn late(
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
    h: i128,
    i: i64,
    j: i128,
) -> i128 {
    weigh([a, b, c, d, e, f, g, i].into_iter().map(i128::from).chain([h, j]))
}

/// A number in which each has its own weight.
fn weigh(numbers: impl IntoIterator<Item = i128>) -> i128 {
    numbers.into_iter().fold(0, |sum, number| sum.wrapping_mul(1_000_003).wrapping_add(number))
}

const WIDE: &str = "
func @call_wide(ptr) -> i128 {
entry(%p: ptr):
    %r = call_ptr.cfn(i64, i64, i128, f32, i64, i128, i16 sext, i128, i8 sext, i1, f64) -> i128 %p(1, -2, 0x30000000000000005, 4.0, -5, -6, -7, 0x80000000000000000000000000000009, -10, 1, 12.0)
    return %r
}
func @call_late(ptr) -> i128 {
entry(%p: ptr):
    %r = call_ptr.cfn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 %p(1, -2, 3, -4, 5, -6, 7, 0x80000000000000009, -10, -11)
    return %r
}
func @fold(i128, i128) -> i128 {
entry(%sum: i128, %x: i128):
    %y = mul.i128 %sum, 1000003
    %z = add.i128 %y, %x
    return %z
}
func @wide(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 {
entry(%a: i64, %b: i64, %c: i128, %d: f32, %e: i64, %f: i128, %g: i16, %h: i128, %i: i8, %j: i1, %k: f64):
SEXT a
SEXT b
SEXT e
SEXT g
SEXT i
    %j1 = zext.i128 %j
    %d1 = fptosi_sat.i128 %d
    %k1 = fptosi_sat.i128 %k
FOLD a1 b1 e1 g1 i1 j1 d1 k1 c f h
}
func @late(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 {
entry(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i64, %h: i128, %i: i64, %j: i128):
SEXT a
SEXT b
SEXT c
SEXT d
SEXT e
SEXT f
SEXT g
SEXT i
FOLD a1 b1 c1 d1 e1 f1 g1 i1 h j
}
func @address_of_wide() -> ptr {
entry:
    %f = function_addr.fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 @wide
    %p = function_to_ptr.fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 %f
    return %p
}
func @address_of_late() -> ptr {
entry:
    %f = function_addr.fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 @late
    %p = function_to_ptr.fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 %f
    return %p
}";

/// The text, with lines in place of those that name a step and its operands.
fn written_out(text: &str) -> String {
    let fold = |values: &str| {
        let step = |(index, value): (usize, &str)| {
            let before = if index == 0 { "0".to_owned() } else { format!("%sum{}", index - 1) };
            format!("    %sum{index} = call @fold({before}, %{value})\n")
        };
        let count = values.split(' ').count();
        let steps: String = values.split(' ').enumerate().map(step).collect();
        format!("{steps}    return %sum{}", count - 1)
    };
    let line = |line: &str| match line.split_once(' ') {
        Some(("SEXT", value)) => format!("    %{value}1 = sext.i128 %{value}"),
        Some(("FOLD", values)) => fold(values),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn integers_of_128_bits_and_what_follows_stand_where_c_has_them() {
    let engine = Engine::new(Config::default()).unwrap();
    // SAFETY: the functions are called with addresses of their signatures.
    unsafe { engine.load_unsafe(&written_out(WIDE)) }.unwrap();
    let call = |name, address: *const ()| {
        engine.func::<(*const (),), i128>(name).unwrap().call((address,)).unwrap()
    };
    let wide_answer = |f: Wide| {
        let h = i128::MIN + 9;
        f(1, -2, (3 << 64) + 5, 4.0, -5, -6, -7, h, -10, true, 12.0)
    };
    let late_answer = |f: Late| f(1, -2, 3, -4, 5, -6, 7, (8 << 64) + 9, -10, -11);
    assert_eq!(call("call_wide", wide as *const ()), wide_answer(wide));
    assert_eq!(call("call_late", late as *const ()), late_answer(late));
    let address = |name| engine.func::<(), *const ()>(name).unwrap().call(()).unwrap();
    // SAFETY: it is of that type.
    let ours = unsafe { std::mem::transmute::<*const (), Wide>(address("address_of_wide")) };
    assert_eq!(wide_answer(ours), wide_answer(wide));
    // SAFETY: as above.
    let ours = unsafe { std::mem::transmute::<*const (), Late>(address("address_of_late")) };
    assert_eq!(late_answer(ours), late_answer(late));
}

/// Sorts by a comparison that throws for 666, where a handler may catch it.
const THROWING: &str = "
foreign @qsort(ptr, i64, i64, ptr)
func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %x = load.i64 %a
    %y = load.i64 %b
    %first = icmp.i64 eq %x, 666
    %second = icmp.i64 eq %y, 666
    %bad = or.i1 %first, %second
    branch %bad, stop, go
stop:
    throw null
go:
    %more = icmp.i64 sgt %x, %y
    %less = icmp.i64 slt %x, %y
    %m = zext.i32 %more
    %l = zext.i32 %less
    %r = sub.i32 %m, %l
    return %r
}
func @sort(ptr, i64) {
entry(%p: ptr, %n: i64):
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, %n, 8, %c)
    return
}
func @is_sorted(ptr, i64) -> i1 {
entry(%p: ptr, %n: i64):
    enter inside, unwind caught
inside:
    call @sort(%p, %n)
    leave 1
    return 1
caught:
    return 0
}";

#[test]
fn what_a_callback_throws_reaches_the_handlers_of_its_caller() {
    let engine = libc_engine();
    // SAFETY: `qsort` has that signature, and is given a slice.
    unsafe { engine.load_unsafe(THROWING) }.unwrap();
    let sort = engine.func::<(&mut [i64],), bool>("is_sorted").unwrap();
    for _ in 0..100 {
        assert!(!sort.call((&mut [3, 666, 1, 2],)).unwrap());
        assert!(sort.call((&mut [3, 1, 2],)).unwrap());
    }
    let bare = engine.func::<(&mut [i64],), ()>("sort").unwrap();
    let error = bare.call((&mut [3, 666, 1],)).unwrap_err();
    let trap = error.trap().unwrap();
    assert_eq!(trap.code, TrapCode::UncaughtException);
    let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
    assert_eq!(frames, ["compare", "sort"]);
}
