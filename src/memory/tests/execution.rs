//! Code that runs, and the protection of its pages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

/// Ends the loops of other threads.
pub(super) struct StopOnDrop<'a>(pub(super) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn published_code_runs_under_every_strategy() {
    for reservation in each_strategy(&small()) {
        let blocks: Vec<_> =
            (0..500).map(|value| text(&reservation, &returning(value)).unwrap()).collect();
        for (value, block) in blocks.iter().enumerate() {
            assert_eq!(call(block), value as u32);
        }
    }
}

#[test]
fn a_batch_knows_its_addresses_before_it_is_written() {
    for reservation in each_strategy(&small()) {
        let requests = [
            Request::new(Area::Text, layout(6, 64)),
            Request::new(Area::Data, layout(40, 64)),
            Request::STUB,
            Request::new(Area::ReadOnly, layout(8, 8)),
            Request::new(Area::Text, layout(100, 32)),
        ];
        let mut batch = reservation.allocate_batch(requests).unwrap();
        let addresses: Vec<_> = (0..).map_while(|index| batch.address(index)).collect();
        for (index, request) in requests.iter().enumerate() {
            let target = addresses[(index + 1) % addresses.len()];
            batch
                .write(index, |bytes, address| {
                    assert_eq!(bytes.len(), request.layout.size());
                    assert_eq!(address, addresses[index]);
                    assert!(bytes.iter().all(|&byte| byte == 0));
                    let bytes = &mut bytes[..6];
                    bytes.copy_from_slice(&target.to_le_bytes()[..6]);
                })
                .unwrap();
        }
        let blocks: Vec<_> = batch.publish().unwrap().take_all().collect();
        assert_eq!(blocks.len(), requests.len());
        for (index, (block, request)) in blocks.iter().zip(&requests).enumerate() {
            assert_eq!(block.area(), request.area);
            assert_eq!(block.size(), request.layout.size());
            assert_eq!(block.address() % request.layout.align(), 0);
            assert_eq!(block.address(), addresses[index]);
            let target = addresses[(index + 1) % addresses.len()].to_le_bytes();
            assert_eq!(read(block)[..6], target[..6]);
            let area = reservation.addresses(request.area);
            assert!(area.start <= block.address() && block.addresses().end <= area.end);
        }
    }
}

#[test]
fn a_draft_may_be_written_several_times() {
    for reservation in each_strategy(&small()) {
        let request = Request::new(Area::Text, layout(8, 16));
        let mut draft = reservation.allocate(&request).unwrap();
        draft.write(|bytes, _| bytes.fill(0x90)).unwrap();
        draft.write(|bytes, _| bytes[7] = 0xc3).unwrap();
        let block = draft.publish().unwrap();
        assert_eq!(read(&block), [[0x90; 7].as_slice(), &[0xc3]].concat());
    }
}

#[test]
fn no_page_is_ever_writable_and_executable() {
    let check = |reservation: &Reservation| {
        for map in maps() {
            let both = map.protection.contains('w') && map.protection.contains('x');
            assert!(!both, "{map:?}");
        }
        for area in [Area::Slots, Area::Data] {
            for protection in protections(&reservation.addresses(area)) {
                assert!(!protection.contains('x'), "{area}: {protection}");
            }
        }
        for area in [Area::Text, Area::Stubs, Area::ReadOnly] {
            for protection in protections(&reservation.addresses(area)) {
                assert!(!protection.contains('w'), "{area}: {protection}");
            }
        }
    };
    for reservation in each_strategy(&small()) {
        check(&reservation);
        let requests = Area::ALL.map(|area| Request::new(area, layout(64, 8)));
        let mut batch = reservation.allocate_batch(requests).unwrap();
        for index in 0..requests.len() {
            batch.write(index, |bytes, _| bytes.fill(0xcc)).unwrap();
            check(&reservation);
        }
        let blocks = batch.publish().unwrap();
        check(&reservation);
        drop(blocks);
        check(&reservation);
        reservation.trim().unwrap();
        check(&reservation);
    }
}

#[test]
fn published_pages_have_the_protection_of_their_area() {
    for reservation in each_strategy(&small()) {
        for (area, expected) in [
            (Area::Text, "r-x"),
            (Area::Stubs, "r-x"),
            (Area::ReadOnly, "r--"),
            (Area::Slots, "rw-"),
            (Area::Data, "rw-"),
        ] {
            let block = reservation.place(area, layout(8, 8), |_, _| ()).unwrap();
            for protection in protections(&block.addresses()) {
                assert_eq!(&protection[..3], expected, "{area}");
            }
        }
    }
}

#[test]
fn the_alias_is_one_writable_mapping_of_the_same_file() {
    let reservation = Reservation::new(&small()).unwrap();
    assert_eq!(reservation.strategy(), Strategy::Alias);
    let lowest = reservation.addresses(Area::ALL[0]);
    let file = |map: &Map| map.file.clone();
    let maps = maps();
    let code = maps.iter().find(|map| map.addresses.start == lowest.start);
    // The device and the inode tell this reservation's file from another's.
    let name = code.map(file).unwrap();
    assert!(name.contains("brolga-code"), "{name}");
    let writable = maps.iter().filter(|map| map.file == name && map.protection == "rw-s");
    assert_eq!(writable.count(), 1);
}

#[test]
fn code_keeps_running_while_its_neighbours_come_and_go() {
    for reservation in each_strategy(&small()) {
        let stop = AtomicBool::new(false);
        let lasting: Vec<_> =
            (0..4).map(|value| text(&reservation, &returning(value)).unwrap()).collect();
        thread::scope(|scope| {
            // Also if an assertion fails, or the threads would run for ever.
            let _stop = StopOnDrop(&stop);
            for (value, block) in lasting.iter().enumerate() {
                let stop = &stop;
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        assert_eq!(call(block), value as u32);
                    }
                });
            }
            for round in 0..2000 {
                let block = text(&reservation, &returning(round)).unwrap();
                assert_eq!(call(&block), u32::from(round));
            }
        });
        drop(lasting);
        assert_eq!(reservation.books().allocations, 0);
    }
}

#[test]
fn threads_allocate_publish_and_free_at_once() {
    for reservation in each_strategy(&small()) {
        thread::scope(|scope| {
            for thread in 0..4_u16 {
                let reservation = &reservation;
                scope.spawn(move || {
                    let mut kept = Vec::new();
                    for round in 0..200 {
                        let value = thread * 1000 + round;
                        kept.push((value, text(reservation, &returning(value)).unwrap()));
                        if round % 3 == 0 {
                            let (value, block) = kept.swap_remove(kept.len() / 2);
                            assert_eq!(call(&block), u32::from(value));
                        }
                    }
                    for (value, block) in kept {
                        assert_eq!(call(&block), u32::from(value));
                    }
                });
            }
        });
        let books = reservation.books();
        assert_eq!(books.free, books.reserved);
    }
}

#[test]
fn a_slot_holds_what_was_stored_last_and_is_recycled_lowest_first() {
    for reservation in each_strategy(&small()) {
        let slots: Vec<_> = (0..3).map(|value| reservation.slot(value).unwrap()).collect();
        let addresses: Vec<_> = slots.iter().map(Slot::address).collect();
        assert_eq!(addresses[1], addresses[0] + 8);
        assert_eq!(addresses[2], addresses[1] + 8);
        slots[2].cell().store(99, Ordering::Release);
        let values: Vec<_> = slots.iter().map(|slot| slot.cell().load(Ordering::Acquire)).collect();
        assert_eq!(values, [0, 1, 99]);
        let [first, second, third] = <[Slot; 3]>::try_from(slots).unwrap();
        drop(second);
        drop(first);
        let again = reservation.slot(7).unwrap();
        assert_eq!(again.address(), addresses[0]);
        assert_eq!(again.cell().load(Ordering::Acquire), 7);
        assert_eq!(third.cell().load(Ordering::Acquire), 99);
    }
}

#[test]
fn slots_made_together_are_neighbours_that_hold_their_values() {
    for reservation in each_strategy(&small()) {
        let values: Vec<_> = (0..1000).collect();
        let slots = reservation.slots(&values).unwrap();
        for (slot, &value) in slots.iter().zip(&values) {
            assert_eq!(slot.address(), slots[0].address() + 8 * value as usize);
            assert_eq!(slot.cell().load(Ordering::Acquire), value);
        }
        assert!(reservation.slots(&[]).unwrap().is_empty());
    }
}

/// Text calls through a slot with a 32-bit displacement, from the first byte of
/// the first area to the last area.
#[cfg(target_arch = "x86_64")]
#[test]
fn text_reaches_slots_by_a_32_bit_displacement() {
    for reservation in each_strategy(&MemoryConfig::default()) {
        let one = text(&reservation, &returning(1)).unwrap();
        let two = text(&reservation, &returning(2)).unwrap();
        let slot = reservation.slot(one.address() as u64).unwrap();
        let jump = reservation
            .place(Area::Text, layout(6, 16), |bytes, address| {
                let displacement = slot.address().wrapping_sub(address + 6) as u32;
                bytes[..2].copy_from_slice(&[0xff, 0x25]);
                bytes[2..].copy_from_slice(&displacement.to_le_bytes());
            })
            .unwrap();
        assert_eq!(call(&jump), 1);
        slot.cell().store(two.address() as u64, Ordering::Release);
        assert_eq!(call(&jump), 2);
    }
}
