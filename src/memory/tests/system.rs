//! What the system sees: mappings, descriptors, refusals.

use rustix::process::{Resource, Rlimit, setrlimit};

use super::*;

/// A reservation is made, used in every area and dropped.
fn use_all(config: &MemoryConfig) {
    for reservation in each_strategy(config) {
        let requests = Area::ALL.map(|area| Request::new(area, layout(8, 8)));
        let blocks = reservation.allocate_batch(requests).unwrap().publish().unwrap();
        let code = text(&reservation, &returning(4)).unwrap();
        assert_eq!(call(&code), 4);
        drop(reservation.allocate_batch(requests).unwrap());
        drop(blocks);
        reservation.trim().unwrap();
    }
}

#[test]
fn nothing_stays_mapped_or_open_after_drop() {
    // A child has one thread: nobody else maps or opens anything.
    in_child(|| {
        let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
        let mapped = || {
            let ours = |map: &Map| !map.file.starts_with('[');
            maps().iter().filter(|map| ours(map)).map(|map| map.addresses.len()).sum::<usize>()
        };
        use_all(&small());
        let before = (descriptors(), mapped());
        for _ in 0..50 {
            use_all(&small());
        }
        let after = (descriptors(), mapped());
        assert_eq!(before.0, after.0);
        // The tests' own vectors may grow the heap, but by less than a single
        // reservation.
        assert!(after.1.abs_diff(before.1) < small().reservation / 2, "{before:?} {after:?}");
    });
}

#[test]
fn a_living_reservation_holds_no_descriptor() {
    in_child(|| {
        let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
        let before = descriptors();
        for reservation in each_strategy(&small()) {
            let _code = text(&reservation, &returning(1)).unwrap();
            assert_eq!(descriptors(), before);
        }
    });
}

#[test]
fn a_refused_reservation_is_an_error_that_names_its_size() {
    in_child(|| {
        limit(Resource::As, in_status("VmSize:") + (256 << 20));
        let config = MemoryConfig { reservation: 1 << 30, ..MemoryConfig::default() };
        let error = Reservation::new(&config).unwrap_err();
        let MemoryError::Refused { bytes, .. } = error else { panic!("{error}") };
        assert_eq!(bytes, 1 << 30);
        assert!(error.to_string().contains("lower the reservation"), "{error}");
        drop(Reservation::new(&small()).unwrap());
    });
}

#[test]
fn a_refused_second_mapping_falls_back_to_another_strategy() {
    in_child(|| {
        // Room for the reservation, not for its writable alias too.
        limit(Resource::As, in_status("VmSize:") + (288 << 20));
        let reservation = Reservation::new(&MemoryConfig::default()).unwrap();
        assert_eq!(reservation.strategy(), Strategy::ProcessMemory);
        assert_eq!(call(&text(&reservation, &returning(9)).unwrap()), 9);
    });
}

#[test]
fn refused_pages_are_an_error_and_leave_nothing_behind() {
    for reservation in each_strategy(&MemoryConfig::default()) {
        in_child(move || {
            let reservation =
                Reservation::with_strategies(&MemoryConfig::default(), &[reservation.strategy()])
                    .unwrap();
            limit(Resource::Data, in_status("VmData:") + (16 << 20));
            let place = |size| reservation.place(Area::Data, layout(size, 16), |_, _| ());
            let error = place(64 << 20).unwrap_err();
            assert!(matches!(error, MemoryError::Refused { .. }), "{error}");
            let books = reservation.books();
            assert_eq!((books.committed, books.free), (0, books.reserved));
            place(1 << 20).unwrap();
        });
    }
}

fn limit(resource: Resource, bytes: u64) {
    let limits = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    setrlimit(resource, limits).unwrap();
}

/// A size in bytes out of what the system tells of the process.
fn in_status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes.unwrap().parse::<u64>().unwrap() * 1024
}
