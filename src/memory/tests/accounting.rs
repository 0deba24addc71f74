//! Books, limits, and what is given back.

use super::*;

const PAGE: usize = 4096;

fn assert_balanced(books: &Books) {
    let accounted = books.live_code + books.live_data + books.padding + books.free;
    assert_eq!(accounted, books.reserved, "{books:?}");
}

#[test]
fn books_account_for_every_byte() {
    let reservation = Reservation::new(&small()).unwrap();
    let empty = reservation.books();
    assert_eq!(empty.reserved, 16 << 20);
    assert_eq!((empty.free, empty.committed), (16 << 20, 0));
    let code = text(&reservation, &[0x90; 100]).unwrap();
    let slot = reservation.slot(0).unwrap();
    let data = reservation.place(Area::Data, layout(33, 1), |_, _| ()).unwrap();
    let draft = reservation.allocate(&Request::STUB).unwrap();
    let books = reservation.books();
    assert_balanced(&books);
    assert_eq!((books.live_code, books.live_data), (132, 41));
    assert_eq!(books.padding, (112 - 100) + (48 - 33));
    assert_eq!(books.allocations, 4);
    assert_eq!(books.committed, 4 * rustix::param::page_size());
    drop((code, slot, data, draft));
    let books = reservation.books();
    assert_eq!(Books { committed: 0, ..books }, empty);
}

#[test]
fn stubs_and_text_begin_next_to_each_other() {
    for reservation in each_strategy(&small()) {
        let stubs = reservation.addresses(Area::Stubs);
        let first = text(&reservation, &[0x90; 100]).unwrap();
        let block = |_| reservation.allocate(&Request::STUB).unwrap().publish().unwrap();
        let blocks: Vec<_> = (0..200).map(block).collect();
        assert_eq!(first.address(), stubs.end);
        assert!(blocks.iter().all(|block| stubs.contains(&block.address())));
        let furthest = blocks.iter().map(|block| stubs.end - block.address()).max();
        let page = rustix::param::page_size();
        // Where pages are protected as wholes, each is a stub's.
        let each = if reservation.strategy() == Strategy::Protection { page } else { 32 };
        assert_eq!(furthest, Some(200 * each));
        assert_balanced(&reservation.books());
    }
}

#[test]
fn an_aligned_stub_wastes_what_follows_it_and_nothing_else() {
    let reservation = Reservation::new(&small()).unwrap();
    let stubs = reservation.addresses(Area::Stubs);
    let aligned = Request::new(Area::Stubs, layout(32, 256));
    let aligned = reservation.allocate(&aligned).unwrap().publish().unwrap();
    assert_eq!(aligned.address(), stubs.end - 256);
    let block = |_| reservation.allocate(&Request::STUB).unwrap().publish().unwrap();
    let blocks: Vec<_> = (0..8).map(block).collect();
    let behind = blocks.iter().filter(|block| block.address() > aligned.address());
    assert_eq!(behind.count(), 7);
    assert_balanced(&reservation.books());
}

#[test]
fn an_empty_allocation_has_an_address_of_its_own() {
    for reservation in each_strategy(&small()) {
        let empty = reservation.place(Area::Data, layout(0, 1), |_, _| ()).unwrap();
        let other = reservation.place(Area::Data, layout(0, 1), |_, _| ()).unwrap();
        assert_ne!(empty.address(), other.address());
        assert_eq!(reservation.books().live_data, 0);
    }
}

#[test]
fn ten_thousand_small_functions_lose_less_than_a_tenth() {
    for reservation in each_strategy(&small()) {
        // Sizes from 25 to 185 in an irregular order: 105 in the mean.
        let sizes = (0..10_000).map(|index| 25 + index * 7919 % 161);
        let requests = sizes.map(|size| Request::new(Area::Text, layout(size, 16)));
        let blocks = allocated(&reservation, requests);
        let books = reservation.books();
        assert_balanced(&books);
        assert!(books.live_code >= 100 * blocks.len());
        assert!(books.padding * 10 <= books.live_code, "{books:?}");
    }
}

#[test]
fn a_full_area_is_an_error_that_names_it_and_the_rest_goes_on() {
    for reservation in each_strategy(&small()) {
        let area = reservation.addresses(Area::Text).len();
        let error = text(&reservation, &vec![0; area + 1]).unwrap_err();
        let MemoryError::Full { area: Area::Text, largest, free, capacity, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((largest, free, capacity), (area, area, area));
        assert!(error.to_string().contains("text area"), "{error}");
        let all = text(&reservation, &vec![0; area]).unwrap();
        assert!(matches!(text(&reservation, &[0]), Err(MemoryError::Full { free: 0, .. })));
        reservation.slot(1).unwrap();
        drop(all);
        text(&reservation, &[0]).unwrap();
    }
}

#[test]
fn sizes_that_no_area_has_are_errors() {
    for reservation in each_strategy(&small()) {
        for size in [1 << 31, 1 << 32, isize::MAX as usize] {
            let request = Request::new(Area::Text, layout(size, 1));
            assert!(matches!(reservation.allocate(&request), Err(MemoryError::Full { .. })));
            let batch = reservation.allocate_batch([request; 3]);
            assert!(matches!(batch, Err(MemoryError::Full { .. })));
        }
        let books = reservation.books();
        assert_eq!(books.free, books.reserved);
    }
}

#[test]
fn a_batch_that_does_not_fit_leaves_nothing_behind() {
    for reservation in each_strategy(&small()) {
        let area = reservation.addresses(Area::Text).len();
        let requests = [
            Request::new(Area::Data, layout(100, 16)),
            Request::new(Area::Text, layout(100, 16)),
            Request::new(Area::Text, layout(area, 16)),
        ];
        let error = reservation.allocate_batch(requests).unwrap_err();
        assert!(matches!(error, MemoryError::Full { area: Area::Text, .. }), "{error}");
        let books = reservation.books();
        assert_eq!((books.free, books.allocations), (books.reserved, 0));
    }
}

#[test]
fn a_batch_that_no_hole_takes_whole_is_spread_over_the_holes() {
    let reservation = Reservation::new(&small()).unwrap();
    let area = reservation.addresses(Area::Text).len();
    let mut blocks: Vec<_> =
        (0..8).map(|_| text(&reservation, &vec![0; area / 8]).unwrap()).collect();
    for index in [6, 4, 2, 0] {
        blocks.remove(index);
    }
    let half = Request::new(Area::Text, layout(area / 16, 16));
    let batch = allocated(&reservation, [half; 8]);
    assert_eq!(batch.len(), 8);
    assert!(matches!(text(&reservation, &[0]), Err(MemoryError::Full { free: 0, .. })));
}

#[test]
fn the_gaps_of_an_aligned_batch_can_be_allocated() {
    for strategy in [Strategy::Alias, Strategy::ProcessMemory] {
        let reservation = Reservation::with_strategies(&small(), &[strategy]).unwrap();
        let aligned = Request::new(Area::Text, layout(16, 64));
        let batch = allocated(&reservation, [aligned; 3]);
        assert_eq!(batch[2].address(), batch[0].address() + 128);
        assert_eq!(reservation.books().padding, 0);
        let between = text(&reservation, &[0; 48]).unwrap();
        assert_eq!(between.address(), batch[0].address() + 16);
    }
}

#[test]
fn an_alignment_above_a_page_is_an_error() {
    for reservation in each_strategy(&small()) {
        let page = rustix::param::page_size();
        let aligned = |align| reservation.place(Area::Data, layout(8, align), |_, _| ());
        assert_eq!(aligned(page).unwrap().address() % page, 0);
        let error = aligned(2 * page).unwrap_err();
        assert_eq!(error, MemoryError::Alignment { requested: 2 * page, most: page });
    }
}

#[test]
fn the_budget_bounds_what_is_committed_and_free_pages_count() {
    let config = MemoryConfig { budget: 10 * 16384, ..small() };
    for reservation in each_strategy(&config) {
        let mut blocks = Vec::new();
        let error = loop {
            match text(&reservation, &[0x90; 16384]) {
                Ok(block) => blocks.push(block),
                Err(error) => break error,
            }
        };
        let expected =
            MemoryError::Budget { requested: 16384, committed: 163_840, budget: 163_840 };
        assert_eq!(error, expected);
        assert_eq!(blocks.len(), 10);
        assert!(reservation.slot(1).is_err());
        blocks.clear();
        // The pages are free but still committed to text: they move over.
        reservation.place(Area::Data, layout(163_840, 16), |_, _| ()).unwrap();
    }
}

#[test]
fn free_pages_are_given_back_beyond_what_is_retained() {
    let config = MemoryConfig { retained: 4 * 16384, ..small() };
    for reservation in each_strategy(&config) {
        let blocks: Vec<_> = (0..20).map(|_| text(&reservation, &[0xcc; 16384]).unwrap()).collect();
        assert_eq!(reservation.books().committed, 20 * 16384);
        drop(blocks);
        assert!(reservation.books().committed <= 4 * 16384);
        reservation.trim().unwrap();
        assert_eq!(reservation.books().committed, 0);
    }
}

#[test]
fn released_pages_leave_the_process() {
    for reservation in each_strategy(&MemoryConfig::default()) {
        for area in [Area::Text, Area::Data] {
            let size = 8 << 20;
            let resident = |reservation: &Reservation| resident(&reservation.addresses(area));
            assert_eq!(resident(&reservation), 0);
            let block = reservation.place(area, layout(size, 16), |bytes, _| bytes.fill(1));
            let block = block.unwrap();
            assert!(read(&block).iter().all(|&byte| byte == 1));
            assert!(resident(&reservation) >= size);
            drop(block);
            assert!(resident(&reservation) <= 1 << 20);
            reservation.trim().unwrap();
            assert_eq!(resident(&reservation), 0);
        }
    }
}

#[test]
fn data_is_committed_where_it_is_touched_only() {
    for reservation in each_strategy(&MemoryConfig::default()) {
        let draft = reservation.allocate(&Request::new(Area::Data, layout(64 << 20, 64)));
        let block = draft.unwrap().publish().unwrap();
        assert!(resident(&block.addresses()) <= PAGE * 4);
    }
}

#[test]
fn recycled_bytes_are_zero() {
    for reservation in each_strategy(&small()) {
        for area in Area::ALL {
            let layout = layout(8, 8);
            drop(reservation.place(area, layout, |bytes, _| bytes.fill(0xff)).unwrap());
            let block = reservation.place(area, layout, |_, _| ()).unwrap();
            assert_eq!(read(&block), [0; 8], "{area}");
        }
    }
}

#[test]
fn a_panic_while_writing_frees_the_draft() {
    for reservation in each_strategy(&small()) {
        let write = || reservation.place(Area::Text, layout(8, 8), |_, _| panic!("on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(write)).is_err());
        assert_eq!(reservation.books().allocations, 0);
        assert_eq!(call(&text(&reservation, &returning(3)).unwrap()), 3);
    }
}

#[test]
fn reservations_are_independent_and_outlive_their_handles() {
    for reservation in each_strategy(&small()) {
        let other = Reservation::new(&small()).unwrap();
        let (a, b) = (reservation.addresses(Area::Text), other.addresses(Area::Text));
        assert!(a.end <= b.start || b.end <= a.start);
        let block = text(&reservation, &returning(5)).unwrap();
        assert_eq!(other.books().allocations, 0);
        drop((reservation, other));
        assert_eq!(call(&block), 5);
    }
}

#[test]
fn sealed_pages_are_reused_when_all_of_their_batch_is_freed() {
    let reservation = Reservation::with_strategies(&small(), &[Strategy::Protection]).unwrap();
    let requests = [Request::new(Area::Text, layout(100, 16)); 10];
    let mut batch = allocated(&reservation, requests);
    let first = batch[0].address();
    let last = batch.pop().unwrap();
    drop(batch);
    assert_eq!(reservation.books().padding, PAGE - 100);
    let other = text(&reservation, &[0; 100]).unwrap();
    assert_eq!(other.address(), first + PAGE);
    drop(last);
    assert_eq!(text(&reservation, &[0; 100]).unwrap().address(), first);
}

/// Bytes of a range that are in memory.
fn resident(addresses: &Range<usize>) -> usize {
    let text = fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    let mut bytes = 0;
    for line in text.lines() {
        let mut fields = line.split_whitespace();
        let Some(first) = fields.next() else { continue };
        if let Some((start, end)) = first.split_once('-') {
            let address = |text| usize::from_str_radix(text, 16).unwrap();
            inside = address(start) < addresses.end && address(end) > addresses.start;
        } else if inside && first == "Rss:" {
            bytes += fields.next().unwrap().parse::<usize>().unwrap() * 1024;
        }
    }
    bytes
}

/// The addresses of all areas.
fn everywhere(reservation: &Reservation) -> Range<usize> {
    let areas = Area::ALL.map(|area| reservation.addresses(area));
    let start = areas.iter().map(|range| range.start).min().unwrap();
    start..areas.iter().map(|range| range.end).max().unwrap()
}

/// How many bytes of a reservation are mapped, and of how many that may be accessed.
fn mapped(reservation: &Reservation) -> [usize; 2] {
    let all = everywhere(reservation);
    let mut sizes = [0; 2];
    for map in maps() {
        let inside = map.addresses.start.max(all.start)..map.addresses.end.min(all.end);
        sizes[0] += inside.len();
        sizes[1] += if map.protection.starts_with("---") { 0 } else { inside.len() };
    }
    sizes
}

#[test]
fn books_are_those_of_the_system() {
    for reservation in each_strategy(&small()) {
        let is_as_the_system_says = || {
            let (books, [all, accessible]) = (reservation.books(), mapped(&reservation));
            assert_eq!(all, books.reserved);
            match reservation.strategy() {
                // Its pages can be accessed before there are any.
                Strategy::Alias => assert!(resident(&everywhere(&reservation)) <= books.committed),
                _ => assert_eq!(accessible, books.committed),
            }
        };
        is_as_the_system_says();
        let place = |index: usize| {
            let area = Area::ALL[index % Area::ALL.len()];
            let fill = |bytes: &mut [u8], _| bytes.fill(1);
            reservation.place(area, layout(32 + 100 * index, 8), fill).unwrap()
        };
        let blocks: Vec<_> = (0..100).map(place).collect();
        let many = reservation.books().committed;
        blocks.iter().for_each(|block| assert!(!read(block).is_empty()));
        is_as_the_system_says();
        drop(blocks);
        is_as_the_system_says();
        reservation.trim().unwrap();
        assert!(reservation.books().committed < many);
        is_as_the_system_says();
    }
}
