use std::sync::atomic::Ordering;
use std::thread;

use super::toy::{Source, Toy};
use crate::life::{Dependent, Undefined};
use crate::resolve::{Functions, Unresolved, resolve};

#[test]
fn what_is_called_first_is_compiled_then_and_once() {
    let toy = Toy::new(1);
    let me = toy.thread(1);
    assert_eq!(me.call(0), Err(Undefined.into()));
    toy.define(0, Source::of(7));
    assert_eq!(toy.compiles.load(Ordering::Relaxed), 0);
    for _ in 0..3 {
        assert_eq!(me.call(0), Ok(vec![7]));
    }
    assert_eq!(toy.compiles.load(Ordering::Relaxed), 1);
}

#[test]
fn many_threads_that_call_at_once_make_one_compile() {
    let toy = Toy::new(1);
    toy.define(0, Source { callback: Some(|_, _| thread::yield_now()), ..Source::of(7) });
    thread::scope(|scope| {
        for number in 0..64 {
            let toy = &toy;
            scope.spawn(move || assert_eq!(toy.thread(number).call(0), Ok(vec![7])));
        }
    });
    assert_eq!(toy.compiles.load(Ordering::Relaxed), 1);
}

#[test]
fn a_definition_is_what_the_next_call_reaches() {
    let toy = Toy::new(1);
    let me = toy.thread(1);
    for value in 0..10 {
        toy.define(0, Source::of(value));
        assert_eq!(me.call(0), Ok(vec![value]));
    }
    assert_eq!(toy.collect(), 0);
    assert!(toy.remove(0));
    assert!(!toy.remove(0));
    assert_eq!(me.call(0), Err(Undefined.into()));
}

#[test]
fn what_cannot_be_compiled_is_an_error_until_it_is_defined_anew() {
    let toy = Toy::new(1);
    let me = toy.thread(1);
    toy.define(0, Source { fault: Some("too large"), ..Source::default() });
    for _ in 0..2 {
        assert_eq!(me.call(0), Err(Unresolved::Failed("too large")));
    }
    assert_eq!(toy.compiles.load(Ordering::Relaxed), 1);
    toy.define(0, Source::of(3));
    assert_eq!(me.call(0), Ok(vec![3]));
}

#[test]
fn code_that_has_an_old_body_in_it_is_not_entered_behind_the_definition() {
    let toy = Toy::new(2);
    let me = toy.thread(1);
    toy.define(0, Source::inlining(1, &[1]));
    toy.define(1, Source::of(10));
    assert_eq!(me.call(0), Ok(vec![1, 10]));
    toy.define(1, Source::of(20));
    assert_eq!(me.call(0), Ok(vec![1, 20]));
    assert!(me.upgrade(0));
    toy.define(1, Source::of(30));
    assert_eq!(me.call(0), Ok(vec![1, 30]));
    assert!(toy.remove(1));
    assert_eq!(me.call(0), Ok(vec![1]));
}

#[test]
fn a_callback_that_redefines_its_own_function_is_followed_by_the_new_one() {
    let toy = Toy::new(1);
    let me = toy.thread(1);
    let callback = |toy: &Toy, _| toy.define(0, Source::of(2));
    toy.define(0, Source { callback: Some(callback), ..Source::of(1) });
    assert_eq!(me.call(0), Ok(vec![2]));
}

#[test]
fn a_body_that_changes_while_it_is_taken_over_is_taken_anew() {
    let toy = Toy::new(2);
    let me = toy.thread(1);
    toy.define(1, Source::of(10));
    let (_, version) = toy.life(1).source().unwrap();
    toy.define(1, Source::of(20));
    assert!(toy.life(1).depend(version, Dependent { function: 0, stamp: 1 }).is_err());
    toy.define(0, Source::inlining(1, &[1]));
    assert_eq!(me.call(0), Ok(vec![1, 20]));
}

#[test]
fn a_function_whose_compile_calls_it_is_an_error_and_no_deadlock() {
    let toy = Toy::new(1);
    let me = toy.thread(1);
    let callback = |toy: &Toy, caller| {
        assert!(matches!(resolve(toy, caller, 0), Err(Unresolved::Cycle(_))));
    };
    toy.define(0, Source { callback: Some(callback), ..Source::of(1) });
    assert_eq!(me.call(0), Ok(vec![1]));
}

#[test]
fn a_compile_that_panics_leaves_nobody_waiting() {
    let toy = Toy::new(1);
    toy.define(0, Source { callback: Some(|_, _| panic!("on purpose")), ..Source::of(1) });
    thread::scope(|scope| {
        let first = scope.spawn(|| toy.thread(1).call(0));
        assert!(first.join().is_err());
    });
    toy.define(0, Source::of(2));
    assert_eq!(toy.thread(2).call(0), Ok(vec![2]));
}

/// Threads call while others define and free: each answer is of a version between the one that
/// stood before the call and the one that stood behind it.
#[test]
fn answers_are_of_versions_that_were_allowed_at_that_moment() {
    use std::sync::atomic::AtomicU64;
    const LAST: u64 = 3_000;
    let toy = Toy::new(2);
    toy.define(1, Source::of(0));
    toy.define(0, Source::inlining(0, &[1]));
    let (returned, begun) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for number in 1..4 {
            let (toy, returned, begun) = (&toy, &returned, &begun);
            scope.spawn(move || {
                let me = toy.thread(number);
                loop {
                    let least = returned.load(Ordering::SeqCst);
                    let values = me.call(0).unwrap();
                    let most = begun.load(Ordering::SeqCst);
                    assert!((least..=most).contains(&values[1]), "{least} {values:?} {most}");
                    if values[1] == LAST {
                        break;
                    }
                    if number == 3 {
                        me.upgrade(0);
                    }
                }
            });
        }
        for value in 1..=LAST {
            begun.store(value, Ordering::SeqCst);
            toy.define(1, Source::of(value));
            returned.store(value, Ordering::SeqCst);
            toy.collect();
        }
    });
    assert_eq!(toy.collect(), 0);
}

#[test]
fn code_that_nobody_wants_any_more_is_taken_out_like_any_other() {
    let toy = Toy::new(1);
    let callback = |toy: &Toy, _| toy.define(0, Source::of(2));
    toy.define(0, Source { callback: Some(callback), ..Source::of(1) });
    assert_eq!(toy.thread(1).call(0), Ok(vec![2]));
    assert_eq!((toy.compiles.load(Ordering::Relaxed), toy.waiting()), (2, 1));
}
