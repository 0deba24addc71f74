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

/// A function that sorts by a comparison of its own, which ends in `stop` when
/// it meets 666.
fn sort_text(stop: &str) -> String {
    format!(
        "
foreign @qsort(ptr, i64, i64, ptr)
func @compare(ptr, ptr) -> i32 {{
entry(%a: ptr, %b: ptr):
    %x = load.i64 %a
    %y = load.i64 %b
    %first = icmp.i64 eq %x, 666
    %second = icmp.i64 eq %y, 666
    %bad = or.i1 %first, %second
    branch %bad, stop, go
stop:
    {stop}
go:
    %less = icmp.i64 slt %x, %y
    %more = icmp.i64 sgt %x, %y
    %l = zext.i32 %less
    %m = zext.i32 %more
    %r = sub.i32 %m, %l
    return %r
}}
func @sort(ptr, i64) {{
entry(%p: ptr, %n: i64):
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, %n, 8, %c)
    return
}}"
    )
}

#[test]
fn c_code_calls_back_into_compiled_code() {
    let engine = libc_engine();
    // SAFETY: `qsort` has that signature, and is given a slice.
    unsafe { engine.load_unsafe(&sort_text("trap user(66)")) }.unwrap();
    let sort = engine.func::<(&mut [i64],), ()>("sort").unwrap();
    let mut numbers = [5, -3, 9, 0, 7, 7, 1];
    sort.call((&mut numbers,)).unwrap();
    assert_eq!(numbers, [-3, 0, 1, 5, 7, 7, 9]);
}

#[test]
fn a_trap_under_a_callback_stops_the_caller_of_the_c_function() {
    let engine = libc_engine();
    // SAFETY: as above.
    unsafe { engine.load_unsafe(&sort_text("trap user(66)")) }.unwrap();
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

/// Whether sorting goes through: a handler catches what the comparison throws.
const IS_SORTED: &str = "
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
    unsafe { engine.load_unsafe(&(sort_text("throw null") + IS_SORTED)) }.unwrap();
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
