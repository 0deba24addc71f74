use std::thread;

use crate::queue::{Priority, Queue};

#[test]
fn what_is_awaited_comes_first_and_then_what_came_first() {
    let queue = Queue::new();
    for (priority, work) in [
        (Priority::Speculation, "guess"),
        (Priority::Upgrade, "better"),
        (Priority::Awaited, "now"),
        (Priority::Upgrade, "better, too"),
        (Priority::Asked, "soon"),
        (Priority::Awaited, "now, too"),
    ] {
        queue.push(priority, work).unwrap();
    }
    let mut order = Vec::new();
    while let Some(work) = queue.try_take() {
        order.push(work);
    }
    assert_eq!(order, ["now", "now, too", "soon", "better", "better, too", "guess"]);
    assert!(queue.is_empty());
}

#[test]
fn a_queue_that_is_closed_gives_back_what_it_has_and_takes_nothing() {
    let queue = Queue::new();
    queue.push(Priority::Upgrade, 1).unwrap();
    queue.push(Priority::Asked, 2).unwrap();
    assert_eq!(queue.close(), [2, 1]);
    assert_eq!(queue.push(Priority::Awaited, 3), Err(3));
    assert_eq!(queue.take(), None);
    assert_eq!(queue.close(), []);
}

#[test]
fn threads_that_wait_share_what_comes_and_end_with_the_queue() {
    let queue = Queue::new();
    let done: usize = thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = 0;
                    while let Some(work) = queue.take() {
                        done += work;
                    }
                    done
                })
            })
            .collect();
        for _ in 0..1_000 {
            queue.push(Priority::Asked, 1).unwrap();
        }
        while !queue.is_empty() {
            thread::yield_now();
        }
        queue.close();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert_eq!(done, 1_000);
}
