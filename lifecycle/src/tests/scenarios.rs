//! Whole scenarios under shuttle: random schedules, and such as change threads where few
//! random ones would.

use std::sync::atomic::AtomicU64 as Plain;
use std::sync::atomic::Ordering::SeqCst;

use shuttle::sync::Weak;
use shuttle::thread;

use super::toy::{Source, Toy};
use crate::job::Caller;
use crate::life::Undefined;
use crate::queue::{Priority, Queue};
use crate::resolve::{Unresolved, resolve};
use crate::sync::{Arc, lock};

/// How many schedules of each kind are tried.
const SCHEDULES: usize = 2_000;

/// Changes of threads in the schedules that are not random.
const CHANGES: usize = 3;

fn explore(scenario: fn()) {
    shuttle::check_random(scenario, SCHEDULES);
    shuttle::check_pct(scenario, SCHEDULES, CHANGES);
}

/// Runs each on a thread of its own, with its number.
fn at_once(toy: &Arc<Toy>, parts: Vec<fn(&Toy, u64)>) {
    let threads: Vec<_> = (1..)
        .zip(parts)
        .map(|(number, part)| {
            let toy = Arc::clone(toy);
            thread::spawn(move || part(&toy, number))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Everything is freed at the end, and answers are those of the last versions.
fn settled(toy: &Toy, expected: &[u64]) {
    assert_eq!(toy.thread(99).call(0).as_deref(), Ok(expected));
    assert_eq!(toy.collect(), 0);
}

#[test]
fn redefined_while_another_thread_compiles() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source::of(1));
        let call: fn(&Toy, u64) = |toy, number| {
            let values = toy.thread(number).call(0).unwrap();
            assert!(values == [1] || values == [2]);
        };
        let define: fn(&Toy, u64) = |toy, number| {
            toy.define(0, Source::of(2));
            assert_eq!(toy.thread(number).call(0), Ok(vec![2]));
            toy.collect();
        };
        at_once(&toy, vec![call, define, call]);
        settled(&toy, &[2]);
    });
}

#[test]
fn removed_while_it_is_made() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source::of(1));
        let call: fn(&Toy, u64) = |toy, number| {
            let values = toy.thread(number).call(0);
            assert!(values == Ok(vec![1]) || values == Err(Undefined.into()));
        };
        let remove: fn(&Toy, u64) = |toy, number| {
            assert!(toy.remove(0));
            assert_eq!(toy.thread(number).call(0), Err(Undefined.into()));
            toy.collect();
        };
        at_once(&toy, vec![call, remove, call]);
        assert_eq!(toy.collect(), 0);
    });
}

#[test]
fn defined_twice_at_once() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        let define: fn(&Toy, u64) = |toy, number| {
            toy.define(0, Source::of(number));
            let values = toy.thread(number).call(0).unwrap();
            assert!(values == [1] || values == [2]);
        };
        at_once(&toy, vec![define, define]);
        let me = toy.thread(3);
        assert_eq!(me.call(0), me.call(0), "one of them is the last");
        assert_eq!(toy.collect(), 0);
    });
}

#[test]
fn called_first_by_many_is_compiled_once() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source { callback: Some(|_, _| thread::yield_now()), ..Source::of(1) });
        let call: fn(&Toy, u64) = |toy, number| assert_eq!(toy.thread(number).call(0), Ok(vec![1]));
        at_once(&toy, vec![call; 3]);
        assert_eq!(toy.compiles.load(SeqCst), 1);
    });
}

#[test]
fn freed_while_a_thread_comes_in() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source::of(1));
        toy.thread(9).call(0).unwrap();
        let call: fn(&Toy, u64) = |toy, number| {
            let me = toy.thread(number);
            for _ in 0..2 {
                assert!(me.call(0).is_ok());
            }
        };
        let define: fn(&Toy, u64) = |toy, _| {
            for value in 2..4 {
                toy.define(0, Source::of(value));
                toy.collect();
            }
        };
        at_once(&toy, vec![call, call, define]);
        settled(&toy, &[3]);
    });
}

/// A thread of the engine's own, which does not keep it: it makes functions better until the
/// engine is gone.
fn serve(toy: &Weak<Toy>, queue: &Queue<u32>) {
    while let Some(function) = queue.take() {
        let Some(toy) = toy.upgrade() else { break };
        toy.thread(50).upgrade(function);
    }
}

#[test]
fn dropped_by_its_owner_while_calls_are_in_flight() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source::of(1));
        let (engine, queue) = (Arc::downgrade(&toy), Arc::clone(&toy.queue));
        let served = engine.clone();
        let server = thread::spawn(move || serve(&served, &queue));
        let threads: Vec<_> = (1..3)
            .map(|number| {
                let toy = Arc::clone(&toy);
                thread::spawn(move || {
                    assert_eq!(toy.thread(number).call(0), Ok(vec![1]));
                    toy.queue.push(Priority::Upgrade, 0).unwrap();
                    assert_eq!(toy.thread(number).call(0), Ok(vec![1]));
                })
            })
            .collect();
        drop(toy);
        for thread in threads {
            thread.join().unwrap();
        }
        // It may have been the last that had the engine, and ends with that.
        server.join().unwrap();
        assert!(engine.upgrade().is_none(), "somebody keeps the engine");
    });
}

#[test]
fn let_go_by_a_callback_while_a_call_is_in_flight() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        let lets_go: fn(&Toy, Caller) = |toy, _| drop(lock(&toy.owner).take());
        toy.define(0, Source { callback: Some(lets_go), ..Source::of(1) });
        *lock(&toy.owner) = Some(Arc::clone(&toy));
        let engine = Arc::downgrade(&toy);
        let threads: Vec<_> = (1..3)
            .map(|number| {
                let toy = Arc::clone(&toy);
                thread::spawn(move || assert_eq!(toy.thread(number).call(0), Ok(vec![1])))
            })
            .collect();
        drop(toy);
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(engine.upgrade().is_none(), "somebody keeps the engine");
    });
}

#[test]
fn made_better_while_it_is_redefined() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source::of(1));
        toy.thread(9).call(0).unwrap();
        let upgrade: fn(&Toy, u64) = |toy, number| {
            toy.thread(number).upgrade(0);
            toy.collect();
        };
        let define: fn(&Toy, u64) = |toy, number| {
            toy.define(0, Source::of(2));
            for _ in 0..2 {
                assert_eq!(toy.thread(number).call(0), Ok(vec![2]));
            }
        };
        at_once(&toy, vec![upgrade, define, upgrade]);
        settled(&toy, &[2]);
    });
}

#[test]
fn failed_while_others_wait() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        toy.define(0, Source { fault: Some("too large"), ..Source::default() });
        let call: fn(&Toy, u64) = |toy, number| match toy.thread(number).call(0) {
            Ok(values) => assert_eq!(values, [2]),
            Err(error) => assert_eq!(error, Unresolved::Failed("too large")),
        };
        let define: fn(&Toy, u64) = |toy, number| {
            toy.define(0, Source::of(2));
            assert_eq!(toy.thread(number).call(0), Ok(vec![2]));
        };
        at_once(&toy, vec![call, define, call]);
        settled(&toy, &[2]);
    });
}

#[test]
fn redefined_by_a_callback_of_its_own() {
    explore(|| {
        let toy = Arc::new(Toy::new(1));
        let callback = |toy: &Toy, _| toy.define(0, Source::of(2));
        toy.define(0, Source { callback: Some(callback), ..Source::of(1) });
        let call: fn(&Toy, u64) = |toy, number| assert_eq!(toy.thread(number).call(0), Ok(vec![2]));
        at_once(&toy, vec![call, call]);
        settled(&toy, &[2]);
    });
}

#[test]
fn redefined_while_others_take_its_body_over() {
    explore(|| {
        let toy = Arc::new(Toy::new(2));
        toy.define(0, Source::inlining(1, &[1]));
        toy.define(1, Source::of(10));
        let call: fn(&Toy, u64) = |toy, number| {
            let values = toy.thread(number).call(0).unwrap();
            assert!(values == [1, 10] || values == [1, 20]);
        };
        let define: fn(&Toy, u64) = |toy, number| {
            toy.define(1, Source::of(20));
            assert_eq!(toy.thread(number).call(0), Ok(vec![1, 20]));
        };
        let upgrade: fn(&Toy, u64) = |toy, number| {
            toy.thread(number).upgrade(0);
        };
        at_once(&toy, vec![call, define, upgrade]);
        settled(&toy, &[1, 20]);
    });
}

/// Two functions whose callbacks call each other: one of the threads is told, none hangs.
#[test]
fn compiled_each_by_way_of_the_other() {
    explore(|| {
        let toy = Arc::new(Toy::new(2));
        let other = |function: u32| Source {
            callback: Some(match function {
                0 => |toy: &Toy, caller: Caller| drop(resolve(toy, caller, 1)),
                _ => |toy: &Toy, caller: Caller| drop(resolve(toy, caller, 0)),
            }),
            ..Source::of(u64::from(function))
        };
        toy.define(0, other(0));
        toy.define(1, other(1));
        let first: fn(&Toy, u64) =
            |toy, number| assert_eq!(toy.thread(number).call(0), Ok(vec![0]));
        let second: fn(&Toy, u64) =
            |toy, number| assert_eq!(toy.thread(number).call(1), Ok(vec![1]));
        at_once(&toy, vec![first, second]);
    });
}

/// A chain of functions whose callbacks need the next, two of them in the queue: whoever waits
/// helps, and nobody comes to wait for themselves by that.
#[test]
fn compiled_by_those_who_wait() {
    fn needing(callback: fn(&Toy, Caller), value: u64) -> Source {
        Source { callback: Some(callback), ..Source::of(value) }
    }
    fn need(toy: &Toy, caller: Caller, function: u32) {
        assert!(resolve(toy, caller, function).is_ok(), "nothing waits for itself");
    }
    explore(|| {
        let toy = Arc::new(Toy::new(4));
        toy.define(2, needing(|toy, caller| need(toy, caller, 3), 2));
        toy.define(3, needing(|toy, caller| need(toy, caller, 0), 3));
        toy.define(0, needing(|toy, caller| need(toy, caller, 1), 0));
        toy.define(1, Source::of(1));
        for function in [2, 1] {
            toy.queue.push(Priority::Speculation, function).unwrap();
        }
        let call: fn(&Toy, u64) = |toy, number| {
            let function = [0, 1, 3][number as usize - 1];
            assert_eq!(toy.thread(number).call(function), Ok(vec![u64::from(function)]));
        };
        at_once(&toy, vec![call; 3]);
        assert_eq!(toy.thread(9).call(2), Ok(vec![2]));
        assert_eq!(toy.compiles.load(SeqCst), 4, "each once");
    });
}

/// A caller sees no version that stood before the last definition that had come back.
#[test]
fn answers_grow_with_the_versions() {
    static RETURNED: Plain = Plain::new(0);
    explore(|| {
        RETURNED.store(0, SeqCst);
        let toy = Arc::new(Toy::new(2));
        toy.define(0, Source::inlining(0, &[1]));
        toy.define(1, Source::of(0));
        let define: fn(&Toy, u64) = |toy, _| {
            for value in 1..4 {
                toy.define(1, Source::of(value));
                RETURNED.store(value, SeqCst);
                toy.collect();
            }
        };
        let call: fn(&Toy, u64) = |toy, number| {
            let me = toy.thread(number);
            for _ in 0..3 {
                let least = RETURNED.load(SeqCst);
                let values = me.call(0).unwrap();
                assert!(values[1] >= least, "{values:?} behind {least}");
            }
        };
        at_once(&toy, vec![define, call, call]);
        settled(&toy, &[0, 3]);
    });
}
