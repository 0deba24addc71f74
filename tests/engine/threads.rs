use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, mpsc};
use std::thread;

use brolga::ir::trap::TrapCode;
use brolga::lowering::target::{Feature, TargetSpec};
use brolga::{CallError, Function};

use super::{engine, raw_engine};

#[test]
fn many_threads_call_and_trap_at_once() {
    let engine = engine(
        "func @check(i64) -> i64 {
        entry(%n: i64):
            %r = urem.i64 %n, 3
            %q = sdiv.i64 %n, %r
            return %q
        }",
    );
    let before = engine.books();
    thread::scope(|scope| {
        for worker in 0..4 {
            let check = engine.func::<(i64,), i64>("check").unwrap();
            scope.spawn(move || {
                for n in worker * 1000..worker * 1000 + 3000 {
                    match (n % 3, check.call((n,))) {
                        (0, result) => assert!(result.is_err()),
                        (rest, result) => assert_eq!(result.unwrap(), n / rest),
                    }
                }
            });
        }
    });
    assert_eq!(engine.books().allocations, before.allocations + 1, "one way in was made");
}

const DEEP: &str = "
func @deep(i64) -> i64 {
entry(%n: i64):
    %end = icmp.i64 eq %n, 0
    branch %end, bottom, more
bottom:
    return 0
more:
    %m = sub.i64 %n, 1
    %r = call @deep(%m)
    %s = add.i64 %r, 1
    return %s
}
func @leaf(i64) -> i64 {
entry(%n: i64):
    %q = sdiv.i64 10, %n
    return %q
}";

#[test]
fn a_thread_of_any_stack_calls_or_gets_an_error() {
    let engine = engine(DEEP);
    let deep = engine.func::<(i64,), i64>("deep").unwrap();
    let leaf = engine.func::<(i64,), i64>("leaf").unwrap();
    for kibibytes in [16, 32, 64, 128, 256, 320, 512, 1024, 8192, 65536] {
        let (deep, leaf) = (deep.clone(), leaf.clone());
        let builder = thread::Builder::new().stack_size(kibibytes << 10);
        let answers = move || {
            assert_eq!(leaf.call((5,)).unwrap(), 2);
            assert!(leaf.call((0,)).is_err());
            let error = deep.call((1_000_000_000,)).unwrap_err();
            assert_eq!(error.trap().unwrap().code, TrapCode::StackOverflow);
            deep.call((20,)).is_ok()
        };
        let enough = builder.spawn(answers).unwrap().join().unwrap();
        assert!(enough || kibibytes <= 256, "{kibibytes} KiB");
    }
}

#[test]
fn sixty_four_threads_enter_at_once_and_leave_nothing() {
    let engine = engine(DEEP);
    let handles = engine.func::<(i64,), i64>("deep").unwrap();
    let before = engine.books();
    for _ in 0..8 {
        let start = Barrier::new(64);
        thread::scope(|scope| {
            for n in 0..64 {
                let (deep, start) = (handles.clone(), &start);
                scope.spawn(move || {
                    start.wait();
                    assert_eq!(deep.call((n,)).unwrap(), n);
                });
            }
        });
        // Their records are gone: an interrupt meets nobody.
        engine.interrupt();
    }
    assert_eq!(engine.books(), before);
    assert_eq!(handles.call((3,)).unwrap(), 3);
}

#[test]
fn modules_are_loaded_while_others_call() {
    let engine = engine(DEEP);
    let deep = engine.func::<(i64,), i64>("deep").unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert_eq!(deep.call((100,)).unwrap(), 100);
                }
            });
        }
        let loaders: Vec<_> = (0..2)
            .map(|loader| {
                let engine = &engine;
                scope.spawn(move || {
                    for n in 0..20 {
                        // Each loads its own, and one of them what both define.
                        let own = DEEP.replace("deep", &format!("deep{loader}_{n}"));
                        let own = own.replace("leaf", &format!("leaf{loader}_{n}"));
                        engine.load(&own).unwrap();
                        let name = format!("deep{loader}_{n}");
                        let deep = engine.func::<(i64,), i64>(&name).unwrap();
                        assert_eq!(deep.call((n,)).unwrap(), n);
                    }
                })
            })
            .collect();
        loaders.into_iter().for_each(|loader| loader.join().unwrap());
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn of_threads_that_define_one_name_one_succeeds() {
    let engine = engine(DEEP);
    let text = "func @same() -> i64 {\nentry:\n    return 1\n}";
    let before = engine.books();
    let loaded: usize = thread::scope(|scope| {
        let attempts: Vec<_> =
            (0..8).map(|_| scope.spawn(|| usize::from(engine.load(text).is_ok()))).collect();
        attempts.into_iter().map(|attempt| attempt.join().unwrap()).sum()
    });
    assert_eq!(loaded, 1);
    // A stub, its two slots and the body.
    assert_eq!(engine.books().allocations, before.allocations + 3);
}

#[test]
fn an_engine_lives_as_long_as_a_call_of_another_thread() {
    let engine = engine(DEEP);
    let (entered, in_call) = mpsc::channel();
    let (leave, left) = mpsc::channel();
    let left = Mutex::new(left);
    engine
        .define_host("wait", move || {
            entered.send(()).unwrap();
            left.lock().unwrap().recv().unwrap();
        })
        .unwrap();
    engine
        .load("import @wait()\nfunc @w() -> i64 {\nentry:\n    call @wait()\n    return 7\n}")
        .unwrap();
    let w = engine.func::<(), i64>("w").unwrap();
    let weak = engine.downgrade();
    let caller = thread::spawn(move || w.call(()));
    in_call.recv().unwrap();
    drop(engine);
    assert!(weak.upgrade().is_some());
    leave.send(()).unwrap();
    assert_eq!(caller.join().unwrap().unwrap(), 7);
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_thread_that_ends_can_still_be_told_that_it_cannot_call() {
    struct AtTheEnd(RefCell<Option<Function<(i64,), i64>>>);
    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            if let Some(deep) = self.0.take() {
                // The records of the thread may or may not be gone already.
                match deep.call((3,)) {
                    Ok(result) => assert_eq!(result, 3),
                    Err(error) => {
                        assert!(matches!(error, CallError::CannotEnter { .. }), "{error}");
                    }
                }
            }
        }
    }
    thread_local!(static BEFORE: AtTheEnd = const { AtTheEnd(RefCell::new(None)) });
    thread_local!(static AFTER: AtTheEnd = const { AtTheEnd(RefCell::new(None)) });
    let engine = engine(DEEP);
    let deep = engine.func::<(i64,), i64>("deep").unwrap();
    let thread = thread::spawn(move || {
        BEFORE.with(|end| end.0.replace(Some(deep.clone())));
        assert_eq!(deep.call((1,)).unwrap(), 1);
        AFTER.with(|end| end.0.replace(Some(deep)));
    });
    thread.join().unwrap();
    let weak = engine.downgrade();
    drop(engine);
    assert!(weak.upgrade().is_none());
}

/// Each function makes so many accesses, after which both halves are one number again.
const PAIRS: &str = "
data @pair align 16 = { i128 0 }
func @add(i64) {
entry(%n: i64):
    %p = data_addr @pair
    jump next(0)
next(%i: i64):
    %old = atomic_rmw.i128 add relaxed %p, 0x10000000000000001
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, next(%j), out
out:
    return
}
func @exchange(i64) {
entry(%n: i64):
    %p = data_addr @pair
    jump next(0)
next(%i: i64):
    %seen = atomic_load.i128 relaxed %p
    jump again(%seen)
again(%known: i128):
    %new = add.i128 %known, 0x10000000000000001
    %old, %done = atomic_cas.i128 acq_rel acquire %p, %known, %new
    branch %done, step, again(%old)
step:
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, next(%j), out
out:
    return
}
func @put(i64) {
entry(%n: i64):
    %p = data_addr @pair
    jump next(0)
next(%i: i64):
    %low = zext.i128 %i
    %high = shl.i128 %low, 64
    %both = or.i128 %high, %low
    atomic_store.i128 relaxed %both, %p
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, next(%j), out
out:
    return
}
func @torn(i64) -> i64 {
entry(%n: i64):
    %p = data_addr @pair
    jump next(0, 0)
next(%i: i64, %count: i64):
    %x = atomic_load.i128 unordered %p
    %low = trunc.i64 %x
    %rest = lshr.i128 %x, 64
    %high = trunc.i64 %rest
    %differ = icmp.i64 ne %low, %high
    %one = zext.i64 %differ
    %sum = add.i64 %count, %one
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, next(%j, %sum), out
out:
    return %sum
}
func @read() -> i64 {
entry:
    %p = data_addr @pair
    %x = atomic_load.i128 seq_cst %p
    %low = trunc.i64 %x
    return %low
}";

#[test]
fn no_thread_sees_half_of_an_atomic_access_of_128_bits() {
    const ROUNDS: i64 = 200_000;
    if !TargetSpec::host().unwrap().has(Feature::Cx16) {
        return;
    }
    let engine = raw_engine(PAIRS);
    let [add, exchange, put] =
        ["add", "exchange", "put"].map(|name| engine.func::<(i64,), ()>(name).unwrap());
    let torn = engine.func::<(i64,), i64>("torn").unwrap();
    for [one, other] in [[&add, &exchange], [&put, &put]] {
        thread::scope(|scope| {
            scope.spawn(|| one.call((ROUNDS,)).unwrap());
            scope.spawn(|| other.call((ROUNDS,)).unwrap());
            assert_eq!(torn.call((ROUNDS,)).unwrap(), 0);
        });
        assert_eq!(torn.call((1,)).unwrap(), 0);
    }
    // The last of the stores, and what is added to it by two threads at once.
    let read = engine.func::<(), i64>("read").unwrap();
    assert_eq!(read.call(()).unwrap(), ROUNDS - 1);
    thread::scope(|scope| {
        scope.spawn(|| add.call((ROUNDS,)).unwrap());
        exchange.call((ROUNDS,)).unwrap();
    });
    assert_eq!(read.call(()).unwrap(), 3 * ROUNDS - 1);
}
