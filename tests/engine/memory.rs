//! Memory that is short, and memory that comes back.

use brolga::{Books, Config, Engine, EngineError, Forking, FunctionError, LoadError};

/// Uses every area: code, helpers, stubs, constants, slots, data, ways in and
/// out.
const EVERYTHING: &str = "
data @table = { i64 [1, 2, 3, 4] }
data @limit const = { i64 3 }
data @count thread_local = { i64 5 }
import @host(i64) -> i64
import @later(i64) -> i64
func @wide(i128, i128) -> i128 {
entry(%a: i128, %b: i128):
    %q = udiv.i128 %a, %b
    return %q
}
func @all(i64) -> i64 {
entry(%n: i64):
    %a = data_load.i64 @table, %n
    %b = data_load.i64 @limit, 0
    %c = data_load.i64 @count, 0
    %h = call @host(%a)
    %s = add.i64 %h, %b
    %t = add.i64 %s, %c
    return %t
}";

fn balanced(books: &Books) -> bool {
    books.live_code + books.live_data + books.padding + books.free == books.reserved
}

/// Makes an engine with everything, and calls it; what could not be had, at
/// the first step that it was short for. A step that fails leaves the books
/// as they were.
fn attempt(config: Config) -> Result<(), String> {
    let engine = match Engine::new(config) {
        Ok(engine) => engine,
        Err(error @ EngineError::Memory(_)) => return Err(error.to_string()),
        Err(error) => panic!("{error}"),
    };
    let kept = |before: Books| {
        let after = engine.books();
        assert!(balanced(&after), "{after:?}");
        let content = |books: &Books| (books.live_code, books.live_data, books.allocations);
        assert_eq!(content(&after), content(&before));
    };
    let before = engine.books();
    if let Err(error) = engine.define_host("host", |n: i64| n + 1) {
        kept(before);
        return Err(error.to_string());
    }
    let before = engine.books();
    if let Err(error) = engine.load(EVERYTHING) {
        assert!(matches!(error, LoadError::Memory(_)), "{error}");
        kept(before);
        assert!(matches!(engine.func::<(i64,), i64>("all"), Err(FunctionError::Missing { .. })));
        return Err(error.to_string());
    }
    let before = engine.books();
    match engine.func::<(i64,), i64>("all") {
        Ok(all) => assert_eq!(all.call((8,)).unwrap(), 2 + 1 + 3 + 5),
        Err(error) => {
            assert!(matches!(error, FunctionError::Memory(_)), "{error}");
            kept(before);
            return Err(error.to_string());
        }
    }
    Ok(())
}

#[test]
fn every_budget_is_enough_or_is_an_error_that_leaves_nothing_behind() {
    for forking in [Forking::Refused, Forking::Safe] {
        let mut enough = 0;
        let mut errors = 0;
        for kibibytes in (0..256).step_by(4) {
            let config = Config { memory_budget: kibibytes << 10, forking, ..Config::default() };
            match attempt(config) {
                Ok(()) => enough += 1,
                Err(error) => {
                    assert_eq!(enough, 0, "a smaller budget was enough");
                    assert!(error.contains("budget"), "{error}");
                    errors += 1;
                }
            }
        }
        assert!(errors > 2 && enough > 2, "{errors} {enough}");
    }
}

#[test]
fn every_size_of_reservation_works_or_is_an_error_that_says_what_sizes_are() {
    for reservation in [0, 1, 4095, (1 << 20) - 1, (2 << 30) + 1, 1 << 40, usize::MAX] {
        let error = attempt(Config { reservation, ..Config::default() }).unwrap_err();
        assert!(error.contains("1 MiB"), "{reservation}: {error}");
    }
    for reservation in [1 << 20, (1 << 20) + 1, 5_000_000, 256 << 20, 2 << 30] {
        attempt(Config { reservation, ..Config::default() }).unwrap();
    }
}

#[test]
fn a_full_reservation_takes_what_still_fits() {
    let engine = Engine::new(Config { reservation: 1 << 20, ..Config::default() }).unwrap();
    let mut size = 1_000_000;
    let mut objects = 0;
    while size >= 16 {
        let text = format!("data @d{objects} = {{ zero {size} }}");
        let before = engine.books();
        match engine.load(&text) {
            Ok(()) => objects += 1,
            Err(error) => {
                assert!(matches!(error, LoadError::Memory(_)), "{error}");
                assert!(error.to_string().contains("data area"), "{error}");
                assert_eq!(engine.books(), before);
                size /= 2;
            }
        }
    }
    assert!(objects > 2);
    for object in 0..objects {
        engine.write_data(&format!("d{object}"), 0, &[object as u8]).unwrap();
    }
}

/// Bytes of address space of this process.
#[cfg(target_os = "linux")]
fn address_space() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').next().unwrap().parse::<usize>().unwrap() * 4096
}

#[cfg(target_os = "linux")]
#[test]
fn engines_that_are_dropped_give_everything_back() {
    let round = |rounds: usize| {
        for round in 0..rounds {
            let engine = Engine::new(Config::default()).unwrap();
            engine.define_host("host", |n: i64| n + 1).unwrap();
            engine.load(EVERYTHING).unwrap();
            let all = engine.func::<(i64,), i64>("all").unwrap();
            drop(engine);
            assert_eq!(all.call((0,)).unwrap(), 1 + 1 + 3 + 5);
            if round % 2 == 0 {
                std::thread::spawn(move || assert!(all.call((8000,)).is_err())).join().unwrap();
            }
        }
    };
    let code = super::in_child(|| {
        round(20);
        let before = address_space();
        round(200);
        // Other than engines, the process may have grown its heap: by less
        // than one engine.
        i32::from(address_space().saturating_sub(before) >= Config::default().reservation)
    });
    assert_eq!(code, 0);
}

const LARGE: &str = "
data @large thread_local = { zero 200000000 }
func @touch() -> i64 {
entry:
    %x = data_load.i64 @large, 199999992
    return %x
}
func @five() -> i64 {
entry:
    return 5
}";

#[cfg(target_os = "linux")]
#[test]
fn a_thread_local_object_that_there_is_no_memory_for_is_a_trap() {
    use brolga::DataError;
    use brolga::ir::trap::TrapCode;

    let code = super::in_child(|| {
        let engine = super::engine(LARGE);
        let touch = engine.func::<(), i64>("touch").unwrap();
        let five = engine.func::<(), i64>("five").unwrap();
        let most = libc::rlimit {
            rlim_cur: address_space() as u64 + (64 << 20),
            rlim_max: libc::RLIM_INFINITY,
        };
        // SAFETY: sets a limit of this child alone.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const most) }, 0);
        for _ in 0..2 {
            let error = touch.call(()).unwrap_err();
            let trap = error.trap().unwrap();
            assert_eq!((trap.code, trap.function()), (TrapCode::OutOfMemory, "touch"));
            let read = engine.read_data("large", 0, &mut [0u8]);
            assert!(matches!(read, Err(DataError::OutOfMemory { .. })));
            assert_eq!(five.call(()).unwrap(), 5);
        }
        0
    });
    assert_eq!(code, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn address_space_that_is_refused_is_an_error() {
    let code = super::in_child(|| {
        let most = libc::rlimit {
            rlim_cur: address_space() as u64 + (128 << 20),
            rlim_max: libc::RLIM_INFINITY,
        };
        // SAFETY: sets a limit of this child alone.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const most) }, 0);
        let error = attempt(Config::default()).unwrap_err();
        assert!(error.contains("lower the reservation"), "{error}");
        attempt(Config { reservation: 16 << 20, ..Config::default() }).unwrap();
        0
    });
    assert_eq!(code, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn no_descriptor_to_be_had_is_another_way_to_write_code() {
    let code = super::in_child(|| {
        let most = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: sets a limit of this child alone.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const most) }, 0);
        // No file in memory, and no memory file of the process: pages are
        // written before they are made executable.
        attempt(Config::default()).unwrap();
        attempt(Config { forking: Forking::Safe, ..Config::default() }).unwrap();
        0
    });
    assert_eq!(code, 0);
}
