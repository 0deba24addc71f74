use std::sync::Arc;
use std::thread;

use crate::job::{Caller, Cycle, Job, Waits};

#[test]
fn who_waits_is_woken_by_the_end() {
    let (waits, job) = (Waits::new(), Arc::new(Job::new(1, Caller(1))));
    thread::scope(|scope| {
        let waiters: Vec<_> = (2..6)
            .map(|number| {
                scope.spawn({
                    let (waits, job) = (&waits, &job);
                    move || waits.wait(Caller(number), job)
                })
            })
            .collect();
        job.end();
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), Ok(()));
        }
    });
    assert_eq!(waits.wait(Caller(9), &job), Ok(()));
}

#[test]
fn nobody_waits_for_a_job_of_their_own() {
    let (waits, job) = (Waits::new(), Arc::new(Job::new(1, Caller(1))));
    assert_eq!(waits.wait(Caller(1), &job), Err(Cycle));
    job.end();
    assert_eq!(waits.wait(Caller(1), &job), Ok(()));
}

#[test]
fn a_cycle_through_another_thread_is_told_to_the_one_that_closes_it() {
    let waits = Waits::new();
    let [first, second] = [1, 2].map(|number| Arc::new(Job::new(number, Caller(number))));
    thread::scope(|scope| {
        let waiter = scope.spawn(|| waits.wait(Caller(1), &second));
        // The other is entered before it blocks; until then there is nothing to find.
        while waits.count() == 0 {
            thread::yield_now();
        }
        assert_eq!(waits.wait(Caller(2), &first), Err(Cycle));
        second.end();
        assert_eq!(waiter.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_thread_is_at_a_job_until_its_last_one_ends() {
    let (waits, me) = (Waits::new(), Caller(1));
    assert!(!waits.is_compiling(me));
    let outer = waits.begin(me);
    drop(waits.begin(me));
    assert!(waits.is_compiling(me) && !waits.is_compiling(Caller(2)));
    drop(outer);
    assert!(!waits.is_compiling(me));
}
