use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::thread;

use crate::epoch::{Epochs, Pin};
use crate::retired::Retired;

/// Epochs with the system's barrier, and with fences.
fn both() -> [Epochs; 2] {
    [Epochs::new(), Epochs::with_fences()]
}

#[test]
fn what_is_retired_waits_for_those_who_were_inside() {
    for epochs in both() {
        let (pin, retired) = (Arc::new(Pin::new()), Retired::new());
        epochs.register(&pin);
        epochs.enter(&pin);
        retired.retire(&epochs, "first");
        assert_eq!(retired.collect(&epochs, usize::MAX), [""; 0]);
        assert_eq!(retired.len(), 1);
        Epochs::leave(&pin);
        assert_eq!(retired.collect(&epochs, usize::MAX), ["first"]);
        assert!(retired.is_empty());
    }
}

#[test]
fn who_comes_in_later_keeps_only_what_is_retired_later() {
    for epochs in both() {
        let (pin, retired) = (Arc::new(Pin::new()), Retired::new());
        epochs.register(&pin);
        retired.retire(&epochs, "before");
        epochs.enter(&pin);
        retired.retire(&epochs, "behind");
        assert_eq!(retired.collect(&epochs, usize::MAX), ["before"]);
        epochs.renew(&pin);
        assert_eq!(retired.collect(&epochs, usize::MAX), ["behind"]);
        Epochs::leave(&pin);
        epochs.unregister(&pin);
    }
}

#[test]
fn a_thread_that_is_gone_keeps_nothing() {
    let (epochs, retired) = (Epochs::new(), Retired::new());
    let pin = Arc::new(Pin::new());
    epochs.register(&pin);
    epochs.unregister(&pin);
    retired.retire(&epochs, 7);
    assert_eq!(retired.collect(&epochs, usize::MAX), [7]);
}

/// A litmus test of the real barrier: readers count how often they find what was freed.
#[test]
fn nobody_inside_finds_what_was_freed() {
    const FREED: u64 = u64::MAX;
    for epochs in both() {
        let retired = Retired::new();
        // Blocks are never given back to the allocator while the test runs: freeing marks them.
        let blocks: Vec<Box<AtomicU64>> = (0..2_000).map(|n| Box::new(AtomicU64::new(n))).collect();
        let word = AtomicPtr::new(std::ptr::from_ref(&*blocks[0]).cast_mut());
        let is_over = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let pin = Arc::new(Pin::new());
                    epochs.register(&pin);
                    while is_over.load(Ordering::Relaxed) == 0 {
                        epochs.enter(&pin);
                        let block = word.load(Ordering::Acquire);
                        for _ in 0..3 {
                            // SAFETY: the blocks live until the threads have ended.
                            let value = unsafe { (*block).load(Ordering::Relaxed) };
                            assert_ne!(value, FREED);
                        }
                        Epochs::leave(&pin);
                    }
                    epochs.unregister(&pin);
                });
            }
            for pair in blocks.windows(2) {
                word.store(std::ptr::from_ref(&*pair[1]).cast_mut(), Ordering::Release);
                retired.retire(&epochs, &pair[0]);
                for freed in retired.collect(&epochs, usize::MAX) {
                    freed.store(FREED, Ordering::Relaxed);
                }
            }
            is_over.store(1, Ordering::Relaxed);
        });
        let rest = retired.collect(&epochs, usize::MAX).len();
        let freed = blocks.iter().filter(|block| block.load(Ordering::Relaxed) == FREED).count();
        assert_eq!(freed + rest, blocks.len() - 1);
    }
}
