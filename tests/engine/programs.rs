//! What whole C programs need of an engine: symbols that several modules define
//! or that nobody has to, libraries, and a stack besides that of calls.

use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{Config, Engine, Level, LoadError};

fn engine(allowed: &[&str]) -> Engine {
    let allow_symbols = allowed.iter().map(|&name| name.to_owned()).collect();
    Engine::new(Config { allow_symbols, ..Config::default() }).unwrap()
}

fn load(engine: &Engine, texts: &[&str]) -> Result<(), LoadError> {
    let modules: Vec<_> = texts.iter().map(|text| parse_module(text).unwrap()).collect();
    // SAFETY: the texts of this file call C's functions as C declares them, and
    // access what they have.
    unsafe { engine.load_modules_unsafe(&modules) }
}

fn give(engine: &Engine, name: &str) -> i64 {
    engine.func::<(), i64>(name).unwrap().call(()).unwrap()
}

/// A module that defines `@f`, `@x` and a pointer to either, and gives both by
/// functions of its own.
fn definer(linkage: &str, number: i64, own: &str) -> String {
    format!(
        "{linkage} func @f() -> i64 {{
        entry:
            return {number}
        }}
        {linkage} data @x align 16 = {{ i64 {number}, ptr @f }}
        func @f_{own}() -> i64 {{
        entry:
            %r = call @f()
            return %r
        }}
        func @x_{own}() -> i64 {{
        entry:
            %r = data_load.i64 @x, 0
            return %r
        }}
        func @by_{own}() -> i64 {{
        entry:
            %x = data_addr @x
            %p = load.ptr %x+8
            %r = call_ptr.fn() -> i64 %p()
            return %r
        }}"
    )
}

#[test]
fn one_of_several_weak_definitions_stands_for_all() {
    let [a, b] = [definer("weak", 1, "a"), definer("weak", 2, "b")];
    let engine = engine(&[]);
    load(&engine, &[&a, &b]).unwrap();
    for name in ["f_a", "x_a", "by_a", "f_b", "x_b", "by_b"] {
        assert_eq!(give(&engine, name), 1, "{name}");
    }
    // What is there stays, whatever comes.
    load(&engine, &[&definer("weak", 3, "c")]).unwrap();
    for name in ["f_c", "x_c", "by_c", "f_a"] {
        assert_eq!(give(&engine, name), 1, "{name}");
    }
    let error = load(&engine, &[&definer("export", 4, "d")]).unwrap_err();
    assert!(matches!(error, LoadError::Duplicate { .. }), "{error}");
}

#[test]
fn a_definition_that_is_not_weak_stands_before_those_that_are() {
    let [a, b] = [definer("weak", 1, "a"), definer("export", 2, "b")];
    for texts in [[&a, &b], [&b, &a]] {
        let engine = engine(&[]);
        load(&engine, &[texts[0], texts[1]]).unwrap();
        for name in ["f_a", "x_a", "by_a", "f_b", "x_b", "by_b"] {
            assert_eq!(give(&engine, name), 2, "{name}");
        }
    }
}

#[test]
fn a_foreign_symbol_that_need_not_be_there_is_null() {
    let text = "foreign_weak func @abs(i32) -> i32
        foreign_weak func @no_such_function(i32) -> i32
        foreign_weak data @no_such_data size 0
        data @list = { ptr @no_such_function, ptr @no_such_data }
        func @has() -> i64 {
        entry:
            %f = function_addr.cfn(i32) -> i32 @abs
            %g = function_addr.cfn(i32) -> i32 @no_such_function
            %d = data_addr @no_such_data
            %l = data_addr @list
            %p = load.ptr %l
            %q = load.ptr %l+8
            %a = icmp.cfn(i32) -> i32 ne %f, null
            %b = icmp.cfn(i32) -> i32 ne %g, null
            %c = icmp.ptr ne %d, null
            %e = icmp.ptr ne %p, null
            %h = icmp.ptr ne %q, null
            %bc = or.i1 %b, %c
            %eh = or.i1 %e, %h
            %x = or.i1 %bc, %eh
            %y = not.i1 %x
            %z = and.i1 %a, %y
            %r = zext.i64 %z
            return %r
        }
        func @call_abs() -> i64 {
        entry:
            %x = call_foreign @abs(-3)
            %r = sext.i64 %x
            return %r
        }
        func @call_nothing() -> i64 {
        entry:
            %x = call_foreign @no_such_function(-3)
            %r = sext.i64 %x
            return %r
        }";
    let engine = engine(&["abs", "no_such_function"]);
    load(&engine, &[text]).unwrap();
    assert_eq!((give(&engine, "has"), give(&engine, "call_abs")), (1, 3));
    let error = engine.func::<(), i64>("call_nothing").unwrap().call(()).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::NullFunction);
    // Who cannot do without still gets an error.
    let error = load(&engine, &["foreign func @no_such_function(i32) -> i32"]).unwrap_err();
    assert!(matches!(error, LoadError::MissingSymbol { .. }), "{error}");
}

#[test]
fn a_linked_library_gives_every_symbol_that_it_has() {
    let text = "foreign @exp2(f64) -> f64
        func @f(f64) -> f64 {
        entry(%x: f64):
            %r = call_foreign @exp2(%x)
            return %r
        }";
    let engine = engine(&[]);
    let error = load(&engine, &[text]).unwrap_err();
    assert!(matches!(error, LoadError::ForbiddenSymbol { .. }), "{error}");
    // SAFETY: the libraries of C run nothing of note.
    unsafe { engine.link_library("libc") }.unwrap();
    // SAFETY: as above.
    unsafe { engine.link_library("libm") }.unwrap();
    load(&engine, &[text]).unwrap();
    assert_eq!(engine.func::<(f64,), f64>("f").unwrap().call((5.0,)).unwrap(), 32.0);
    // SAFETY: there is no such library.
    let error = unsafe { engine.link_library("libnothing_of_the_kind") }.unwrap_err();
    assert!(error.to_string().contains("libnothing_of_the_kind"), "{error}");
}

const JUMPS: &str = "
foreign func @_setjmp(ptr) -> i32 returns twice
foreign func @longjmp(ptr, i32) returns never
foreign func @qsort(ptr, i64, i64, ptr)
data @buffer align 16 thread_local = { zero 256 }
local func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %own = stack_alloc 10000, 16
    %x = load.i64 %a
    store.i64 %x, %own
    %big = icmp.i64 sgt %x, 100
    branch %big, deeper, go
deeper:
    %p = data_addr @buffer
    %y = trunc.i32 %x
    call_foreign @longjmp(%p, %y)
    unreachable
go:
    %y2 = load.i64 %b
    %l = icmp.i64 slt %x, %y2
    %m = icmp.i64 sgt %x, %y2
    %l2 = zext.i32 %l
    %m2 = zext.i32 %m
    %r = sub.i32 %m2, %l2
    return %r
}
func @sort(ptr, i64) -> i64 {
entry(%p: ptr, %n: i64):
    %own = stack_alloc 10000, 16
    store.i64 %n, %own
    %buffer = data_addr @buffer
    %r = call_foreign @_setjmp(%buffer)
    %again = icmp.i32 ne %r, 0
    branch %again, out, go
go:
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, %n, 8, %c)
    return 0
out:
    %kept = load.i64 %own
    %same = icmp.i64 eq %kept, %n
    %s = zext.i64 %same
    %x = sext.i64 %r
    %y = mul.i64 %x, %s
    return %y
}
func @trap_behind(ptr, i64, i64) -> i64 {
entry(%p: ptr, %n: i64, %d: i64):
    %x = call @sort(%p, %n)
    %q = sdiv.i64 %x, %d
    return %q
}";

#[test]
fn jumps_over_frames_of_c_leave_nothing_behind() {
    let engine = engine(&["_setjmp", "longjmp", "qsort"]);
    load(&engine, &[JUMPS]).unwrap();
    let sort = engine.func::<(&mut [i64],), i64>("sort").unwrap();
    let behind = engine.func::<(&mut [i64], i64), i64>("trap_behind").unwrap();
    // More often than what is left behind would fit, on several threads.
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for round in 0..10_000 {
                    assert_eq!(sort.call((&mut [5, 777, 3, 777],)).unwrap(), 777);
                    if round % 64 == 0 {
                        let mut numbers = [5, 4, 3, 9, 1];
                        assert_eq!(sort.call((&mut numbers,)).unwrap(), 0);
                        assert_eq!(numbers, [1, 3, 4, 5, 9]);
                        let error = behind.call((&mut [5, 777], 0)).unwrap_err();
                        let trap = error.trap().unwrap();
                        let frames: Vec<_> = trap.frames.iter().map(|it| &*it.function).collect();
                        assert_eq!(trap.code, TrapCode::DivisionByZero);
                        assert_eq!(frames, ["trap_behind"]);
                    }
                }
            });
        }
    });
}

const STOPS: &str = "
func @hold(i64, i64) -> i64 {
entry(%bytes: i64, %divisor: i64):
    %p = stack_alloc %bytes, 64
    store.i64 %bytes, %p
    %q = call @divide(%bytes, %divisor)
    %x = load.i64 %p
    %r = add.i64 %x, %q
    return %r
}
local func @divide(i64, i64) -> i64 {
entry(%a: i64, %b: i64):
    %p = stack_alloc 1000, 16
    store.i64 %a, %p
    %x = load.i64 %p
    %q = sdiv.i64 %x, %b
    return %q
}
func @deep(i64) -> i64 {
entry(%bytes: i64):
    %p = stack_alloc %bytes, 16
    store.i64 %bytes, %p
    %x = call @deep(%bytes)
    %y = load.i64 %p
    %r = add.i64 %x, %y
    return %r
}";

#[test]
fn traps_give_back_what_the_frames_had_on_the_side_stack() {
    let engine = engine(&[]);
    load(&engine, &[STOPS]).unwrap();
    let hold = engine.func::<(i64, i64), i64>("hold").unwrap();
    let deep = engine.func::<(i64,), i64>("deep").unwrap();
    for _ in 0..200 {
        let error = hold.call((1_000_000, 0)).unwrap_err();
        assert_eq!(error.trap().unwrap().code, TrapCode::DivisionByZero);
        // The side stack ends before the stack, or behind it.
        for bytes in [8, 100_000, 10_000_000] {
            let error = deep.call((bytes,)).unwrap_err();
            assert_eq!(error.trap().unwrap().code, TrapCode::StackOverflow);
        }
        assert_eq!(hold.call((20_000_000, 10)).unwrap(), 22_000_000);
    }
}

const THREADS: &str = "
foreign func @pthread_create(ptr, ptr, ptr, ptr) -> i32
foreign func @pthread_join(i64, ptr) -> i32
data @own thread_local = { i64 5 }
data @shared = { i64 0 }
local func @start(ptr) -> ptr {
entry(%p: ptr):
    %room = stack_alloc 10000, 16
    %a = data_addr @own
    %x = load.i64 %a
    %n = ptr_to_int %p
    %y = add.i64 %x, %n
    store.i64 %y, %a
    store.i64 %y, %room
    %s = data_addr @shared
    %old = atomic_rmw.i64 add seq_cst %s, %y
    %z = load.i64 %room
    %q = sdiv.i64 %z, %n
    %r = int_to_ptr %z
    return %r
}
func @run(i64, i64) -> i64 {
    ss0 = slot 8
    ss1 = slot 8
entry(%count: i64, %first: i64):
    %t = slot_addr ss0
    %result = slot_addr ss1
    %f = function_addr.fn(ptr) -> ptr @start
    %c = function_to_ptr.fn(ptr) -> ptr %f
    jump loop(%first, 0)
loop(%i: i64, %sum: i64):
    %p = int_to_ptr %i
    %e = call_foreign @pthread_create(%t, null, %c, %p)
    %id = load.i64 %t
    %j = call_foreign @pthread_join(%id, %result)
    %got = load.i64 %result
    %more = add.i64 %sum, %got
    %next = add.i64 %i, 1
    %done = icmp.i64 sge %next, %count
    branch %done, end, loop(%next, %more)
end:
    return %more
}
func @address() -> ptr {
entry:
    %f = function_addr.fn(ptr) -> ptr @start
    %c = function_to_ptr.fn(ptr) -> ptr %f
    return %c
}";

#[test]
fn threads_that_c_starts_run_compiled_code() {
    let engine = engine(&["pthread_create", "pthread_join"]);
    load(&engine, &[THREADS]).unwrap();
    let run = engine.func::<(i64, i64), i64>("run").unwrap();
    // Each thread has thread-local data of its own: five and its number.
    assert_eq!(run.call((200, 1)).unwrap(), 199 * 200 / 2 + 5 * 199);
    // What stops one is heard by nobody; its result is null.
    assert_eq!(run.call((2, 0)).unwrap(), 6);
}

#[test]
fn threads_of_the_host_call_compiled_code_at_its_address_without_having_entered_it() {
    let engine = engine(&["pthread_create", "pthread_join"]);
    load(&engine, &[THREADS]).unwrap();
    let address = engine.func::<(), *mut ()>("address").unwrap().call(()).unwrap();
    let address = address.expose_provenance();
    std::thread::scope(|scope| {
        for number in 1..20_usize {
            scope.spawn(move || {
                let address = std::ptr::with_exposed_provenance::<()>(address);
                // SAFETY: such is the function that the module declares, and the
                // engine outlives the threads.
                let start: extern "C" fn(usize) -> usize = unsafe { std::mem::transmute(address) };
                assert_eq!(start(number), 5 + number);
                assert_eq!(start(number), 5 + 2 * number);
            });
        }
    });
}

/// A program of managed objects that all vanish, which is compiled though such ops are not yet.
#[test]
fn objects_that_vanish_stay_apart_from_each_other() {
    let made = |size: u32| {
        format!(
            "func @f(i1, i1) -> i1 {{
        entry(%c: i1, %d: i1):
            %o = alloc_object null, {size}
            %p = alloc_object null, 0
            %s = select.ref %c, %o, null
            %t = select.ref %d, %p, null
            %r = icmp.ref eq %s, %t
            return %r
        }}"
        )
    };
    for level in [Level::O1, Level::O2, Level::O3] {
        for size in [0, 16, 24] {
            let engine = Engine::new(Config { level, ..Config::default() }).unwrap();
            engine.load(&made(size)).unwrap();
            let f = engine.func::<(bool, bool), bool>("f").unwrap();
            for (args, equal) in
                [((true, true), false), ((true, false), false), ((false, false), true)]
            {
                assert_eq!(f.call(args).unwrap(), equal, "{level:?}, {size}, {args:?}");
            }
        }
    }
}
