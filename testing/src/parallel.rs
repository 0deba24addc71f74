//! Work on all cores, with results in the order of what was asked for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads the machine has work for.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does that for each item, on so many threads; gives what comes of it, in the order of
/// the items. A panic of the work is one of the call.
pub fn map<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = work(index, item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..50).collect();
        let squares: Vec<usize> = (0..50).map(|item| item * item).collect();
        for threads in [0, 1, 7] {
            assert_eq!(map(threads, &items, |index, item| index * item), squares);
        }
        assert!(map(3, &[], |_, item: &usize| *item).is_empty());
    }
}
