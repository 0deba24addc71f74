//! Forked children.

use std::sync::atomic::{AtomicBool, Ordering};

use super::execution::StopOnDrop;
use super::*;

fn safe() -> MemoryConfig {
    MemoryConfig { forking: Forking::Safe, ..small() }
}

#[test]
fn a_child_is_refused_with_an_error_and_its_parent_goes_on() {
    for reservation in each_strategy(&small()) {
        let block = text(&reservation, &returning(1)).unwrap();
        let mut draft = reservation.allocate(&Request::STUB).unwrap();
        let batch = reservation.allocate_batch([Request::STUB]).unwrap();
        in_child(|| {
            assert_eq!(reservation.ensure_usable(), Err(MemoryError::Forked));
            assert_eq!(text(&reservation, &[0]).unwrap_err(), MemoryError::Forked);
            assert_eq!(reservation.slot(3).unwrap_err(), MemoryError::Forked);
            assert_eq!(reservation.trim(), Err(MemoryError::Forked));
            assert_eq!(reservation.books().allocations, 0);
            assert_eq!(draft.write(|_, _| ()), Err(MemoryError::Forked));
            assert_eq!(draft.publish().unwrap_err(), MemoryError::Forked);
            assert_eq!(batch.publish().unwrap_err(), MemoryError::Forked);
            assert_eq!(call(&block), 1);
            in_child(|| assert_eq!(reservation.ensure_usable(), Err(MemoryError::Forked)));
        });
        assert_eq!(reservation.ensure_usable(), Ok(()));
        // The child's draft and batch were the parent's too.
        assert_eq!(reservation.books().allocations, 1);
        assert_eq!(call(&text(&reservation, &returning(2)).unwrap()), 2);
        assert_eq!(call(&block), 1);
    }
}

#[test]
fn a_child_inherits_no_way_to_write_its_parents_code() {
    let reservation = Reservation::new(&small()).unwrap();
    let _code = text(&reservation, &returning(1)).unwrap();
    in_child(assert_nothing_writable_is_inherited);
}

fn assert_nothing_writable_is_inherited() {
    for map in maps() {
        let writable = map.protection.contains('w') && map.file.contains("brolga-code");
        assert!(!writable, "{map:?}");
    }
}

#[test]
fn a_child_inherits_nothing_writable_of_a_reservation_that_is_being_made() {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                drop(Reservation::new(&small()).unwrap());
            }
        });
        let _stop = StopOnDrop(&stop);
        for _ in 0..300 {
            in_child(assert_nothing_writable_is_inherited);
        }
    });
}

#[test]
fn a_child_may_drop_everything_and_make_a_reservation_of_its_own() {
    for reservation in each_strategy(&small()) {
        let block = text(&reservation, &returning(1)).unwrap();
        let slot = reservation.slot(3).unwrap();
        in_child(|| {
            drop((block, slot, reservation));
            let other = Reservation::new(&small()).unwrap();
            assert_eq!(call(&text(&other, &returning(2)).unwrap()), 2);
        });
    }
}

#[test]
fn a_child_does_not_unmap_what_took_the_place_of_the_writable_mapping() {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    let reservation = Reservation::new(&small()).unwrap();
    let start = reservation.addresses(Area::ALL[0]).start;
    let maps = maps();
    let file = &maps.iter().find(|map| map.addresses.start == start).unwrap().file;
    let alias = maps.iter().find(|map| map.file == *file && map.protection == "rw-s").unwrap();
    in_child(|| {
        let flags = MapFlags::PRIVATE | MapFlags::FIXED_NOREPLACE;
        let alias = alias.addresses.clone();
        let address = std::ptr::with_exposed_provenance_mut(alias.start);
        // SAFETY: the kernel maps where nothing is mapped, or refuses.
        unsafe { mmap_anonymous(address, alias.len(), ProtFlags::READ, flags) }.unwrap();
        drop(reservation);
        assert_eq!(protections(&alias), ["r--p"]);
    });
}

#[test]
fn a_safe_child_goes_on_with_a_copy_of_its_own() {
    let reservation = Reservation::new(&safe()).unwrap();
    assert_ne!(reservation.strategy(), Strategy::Alias);
    for strategy in Strategy::PRIVATE {
        let reservation = Reservation::with_strategies(&safe(), &[strategy]).unwrap();
        let recycled = text(&reservation, &returning(1)).unwrap();
        let slot = reservation.slot(3).unwrap();
        let mut draft = reservation.allocate(&Request::new(Area::Text, layout(6, 16))).unwrap();
        draft.write(|bytes, _| bytes.fill(0x90)).unwrap();
        let mut handover = Some((recycled, draft));
        in_child(|| {
            let (recycled, draft) = handover.take().unwrap();
            assert_eq!(reservation.ensure_usable(), Ok(()));
            assert_eq!(reservation.books().allocations, 3);
            let address = recycled.address();
            drop(recycled);
            let other = text(&reservation, &returning(2)).unwrap();
            assert_eq!((other.address(), call(&other)), (address, 2));
            assert_eq!(read(&draft.publish().unwrap()), [0x90; 6]);
            slot.cell().store(4, Ordering::Release);
            in_child(|| {
                assert_eq!(call(&text(&reservation, &returning(5)).unwrap()), 5);
                drop(other);
            });
        });
        let (recycled, draft) = handover.take().unwrap();
        assert_eq!(call(&recycled), 1);
        assert_eq!(read(&draft.publish().unwrap()), [0x90; 6]);
        assert_eq!(slot.cell().load(Ordering::Acquire), 3);
    }
}

#[test]
fn a_safe_child_of_a_thread_that_allocates_gets_an_answer() {
    // Whether the other thread holds the lock at the fork is chance; both
    // outcomes are answers, and in neither does the child hang or crash.
    let reservation = Reservation::new(&safe()).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                text(&reservation, &[0xcc; 40_000]).unwrap();
            }
        });
        let _stop = StopOnDrop(&stop);
        for _ in 0..30 {
            in_child(|| match text(&reservation, &returning(6)) {
                Ok(block) => assert_eq!(call(&block), 6),
                Err(error) => assert_eq!(error, MemoryError::Forked),
            });
        }
    });
}
