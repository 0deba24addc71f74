//! Jumps of C over callbacks, which never come to their end.

use std::convert::Infallible;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::report::Trap;
use brolga::ir::trap::TrapCode;
use brolga::lowering::options::Polls;
use brolga::{Config, Engine, Observer};

const DECLARED: &str = "
foreign func @_setjmp(ptr) -> i32 returns twice
foreign func @longjmp(ptr, i32) returns never
foreign func @qsort(ptr, i64, i64, ptr)
";

/// `@sort` sets a jump to `@buffer`, and gives 7 if `@compare` has jumped there.
const SORT: &str = "
func @sort(ptr, i64, ptr) -> i64 {
entry(%p: ptr, %n: i64, %compare: ptr):
    %buffer = data_addr @buffer
    %r = call_foreign @_setjmp(%buffer)
    %again = icmp.i32 ne %r, 0
    branch %again, out, go
go:
    call_foreign @qsort(%p, %n, 8, %compare)
    return 0
out:
    %x = sext.i64 %r
    return %x
}
";

/// A thread sorts by its own compare, which jumps.
const OWN: &str = "
data @buffer align 16 thread_local = { zero 256 }
local func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %p = data_addr @buffer
    call_foreign @longjmp(%p, 7)
    unreachable
}
func @sort_own(ptr, i64) -> i64 {
entry(%p: ptr, %n: i64):
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    %r = call @sort(%p, %n, %c)
    return %r
}
data @state = { zero 24 }
func @stay(ptr, i64) -> i64 {
entry(%p: ptr, %n: i64):
    %r = call @sort_own(%p, %n)
    %state = data_addr @state
    %there = ptr_add %state, 8
    atomic_store.i64 relaxed 1, %there
    jump again
again:
    %s = atomic_load.i64 relaxed %state
    %over = icmp.i64 ne %s, 0
    branch %over, done, again
done:
    return %r
}
";

fn engine_of(config: Config, texts: &[&str]) -> Engine {
    let names = ["_setjmp", "longjmp", "qsort"];
    let allow_symbols = names.map(str::to_owned).to_vec();
    let engine = Engine::new(Config { allow_symbols, ..config }).unwrap();
    // SAFETY: the modules access what they are given, and jump over no frame of the host.
    unsafe { engine.load_unsafe(&[&[DECLARED], texts].concat().concat()) }.unwrap();
    engine
}

/// Bytes of code after functions were defined, called and freed.
fn live_after(engine: &Engine, rounds: i64) -> usize {
    // Numbers of one size take code of one size.
    for number in 1_000..1_000 + rounds {
        let text = format!(
            "export func @g(i64) -> i64 {{\nb(%x: i64):\n    %y = add.i64 %x, {number}\n    return %y\n}}"
        );
        engine.define(&text).unwrap();
        assert_eq!(engine.func::<(i64,), i64>("g").unwrap().call((1,)).unwrap(), number + 1);
    }
    engine.collect();
    engine.books().live_code
}

#[test]
fn a_jump_over_a_callback_leaves_nobody_inside() {
    let engine = engine_of(Config::default(), &[SORT, OWN]);
    let sort = engine.func::<(&mut [i64],), i64>("sort_own").unwrap();
    assert_eq!(sort.call((&mut [2, 1],)).unwrap(), 7);
    let few = live_after(&engine, 10);
    assert_eq!(live_after(&engine, 200), few);
}

#[test]
fn who_stays_in_a_loop_behind_a_jump_keeps_only_what_it_has_frames_of() {
    let engine =
        engine_of(Config { polls: Polls::LoopsAndEntries, ..Config::default() }, &[SORT, OWN]);
    let stay = engine.func::<(&mut [i64],), i64>("stay").unwrap();
    let few = live_after(&engine, 1);
    let stays = thread::spawn(move || stay.call((&mut [2, 1],)).unwrap());
    let mut is_there = [0i64];
    while is_there == [0] {
        engine.read_data("state", 8, &mut is_there).unwrap();
    }
    let start = Instant::now();
    while live_after(&engine, 100) > few {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is freed");
    }
    engine.write_data("state", 0, &[1i64]).unwrap();
    assert_eq!(stays.join().unwrap(), 7);
}

/// Compares by a jump to a buffer of another engine, or divides.
const ELSEWHERE: &str = "
import func @buffer() -> ptr
import func @keep(ptr, ptr)
func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %p = call @buffer()
    call_foreign @longjmp(%p, 7)
    unreachable
}
func @divide(i64) -> i64 {
entry(%n: i64):
    %q = sdiv.i64 100, %n
    return %q
}
func @addresses() {
entry:
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    %g = function_addr.fn(i64) -> i64 @divide
    %d = function_to_ptr.fn(i64) -> i64 %g
    call @keep(%c, %d)
    return
}
";

#[derive(Debug, Default)]
struct Unheard(AtomicU64);

impl Observer for Unheard {
    fn unheard(&self, trap: &Trap) {
        assert_eq!(trap.code, TrapCode::DivisionByZero);
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_callback_that_c_code_enters_by_and_jumps_over_leaves_nobody_inside() {
    let near = engine_of(
        Config::default(),
        &[
            SORT,
            "data @buffer align 16 = { zero 256 }\nfunc @place() -> ptr {\nb:\n    %p = data_addr @buffer\n    return %p\n}",
        ],
    );
    let place = near.func::<(), *mut u8>("place").unwrap().call(()).unwrap();
    let unheard = Arc::new(Unheard::default());
    let observer: Arc<dyn Observer> = Arc::clone(&unheard) as _;
    let far = Engine::new(Config {
        observer: Some(observer),
        allow_symbols: vec!["longjmp".into()],
        ..Config::default()
    })
    .unwrap();
    let (place, kept) = (AtomicPtr::new(place), Arc::new(Mutex::new(Vec::new())));
    far.define_host("buffer", move || Ok::<_, Infallible>(place.load(Ordering::Relaxed))).unwrap();
    let keeper = Arc::clone(&kept);
    far.define_host("keep", move |compare: *const (), divide: *const ()| {
        keeper.lock().unwrap().extend([compare as usize, divide as usize]);
    })
    .unwrap();
    let longjmp = "foreign func @longjmp(ptr, i32) returns never\n";
    // SAFETY: the module jumps where the other one has set it, over no frame of the host.
    unsafe { far.load_unsafe(&[longjmp, ELSEWHERE].concat()) }.unwrap();
    far.func::<(), ()>("addresses").unwrap().call(()).unwrap();
    let [compare, divide] = kept.lock().unwrap()[..] else { panic!("two addresses") };
    // SAFETY: what the module hands out is the address of such a function.
    let divide = unsafe { std::mem::transmute::<usize, extern "C" fn(i64) -> i64>(divide) };
    let sort = near.func::<(&mut [i64], *const u8), i64>("sort").unwrap();
    for round in 1..20 {
        assert_eq!(sort.call((&mut [2, 1], compare as *const u8)).unwrap(), 7);
        assert_eq!((divide(0), divide(5)), (0, 20));
        assert_eq!(unheard.0.load(Ordering::Relaxed), round, "nobody waits for it");
    }
    let few = live_after(&far, 10);
    assert_eq!(live_after(&far, 200), few);
}
