//! The files that perf reads, as it does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use brolga::debugging::jitdump::Jitdump;
use brolga::debugging::perf_map::PerfMap;
use brolga::{Debugging, DebuggingError, Engine, Forking, RecordError};

use super::debuggee::{engine, module};

/// A new folder of the test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

trials![
    a_jitdump_has_all_code_as_it_stands_in_memory,
    several_engines_share_a_jitdump,
    any_number_of_threads_places_the_same_code,
    four_threads_make_of_loops_what_one_makes,
    functions_that_stay_are_called_where_their_code_is,
    a_perf_map_has_names_of_code_in_memory_of_no_file,
    a_forked_child_adds_nothing_to_the_records,
    what_cannot_be_written_stops_no_code_and_is_told_once,
];

/// A record of code that was loaded.
struct Load {
    address: u64,
    name: String,
    code: Vec<u8>,
}

/// The records of code in a dump, whose other records are skipped.
fn loads(dump: &Path) -> Vec<Load> {
    let bytes = std::fs::read(dump).unwrap();
    let long = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap());
    let word = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut at, mut found) = (word(8) as usize, Vec::new());
    while at < bytes.len() {
        let (kind, size) = (word(at), word(at + 4) as usize);
        if kind == 0 {
            let (address, count) = (long(at + 32), long(at + 40) as usize);
            let rest = &bytes[at + 56..at + size];
            let end = rest.iter().position(|&byte| byte == 0).unwrap();
            let name = String::from_utf8(rest[..end].to_vec()).unwrap();
            found.push(Load { address, name, code: rest[end + 1..][..count].to_vec() });
        }
        at += size;
    }
    found
}

fn with_jitdump(dump: &Arc<Jitdump>) -> Engine {
    engine(Debugging { jitdump: Some(Arc::clone(dump)), ..Debugging::default() })
}

fn call_churn(engine: &Engine) {
    engine.define_module(module()).unwrap();
    engine.func::<(i64,), i64>("churn").unwrap().call((500,)).unwrap();
}

fn a_jitdump_has_all_code_as_it_stands_in_memory() {
    let dump = Arc::new(Jitdump::create(&folder("engine_jitdump")).unwrap());
    let engine = with_jitdump(&dump);
    call_churn(&engine);
    let loads = loads(dump.path());
    let count = |name: &str| loads.iter().filter(|load| load.name == name).count();
    assert_eq!((count("churn"), count("quadruple_and_one")), (3, 2), "of both tiers");
    assert_eq!(count("entry(i64) -> i64"), 1);
    for Load { address, name, code } in &loads {
        // SAFETY: none of the code was freed, and all of it can be read.
        let memory = unsafe {
            let start = std::ptr::with_exposed_provenance::<u8>(*address as usize);
            std::slice::from_raw_parts(start, code.len())
        };
        assert_eq!(memory, code, "{name} has what it refers to filled in");
    }
    engine.finish_records().unwrap();
}

fn several_engines_share_a_jitdump() {
    let dump = Arc::new(Jitdump::create(&folder("engines_jitdump")).unwrap());
    let engines = [with_jitdump(&dump), with_jitdump(&dump)];
    engines.iter().for_each(call_churn);
    let loads = loads(dump.path());
    assert_eq!(loads.iter().filter(|load| load.name == "quadruple_and_one").count(), 4);
}

/// The names and the code of all functions of a text, in their order, by so many threads.
fn placed(of: &str, text: &str, compile_threads: usize) -> Vec<(String, Vec<u8>)> {
    let folder = folder(&format!("engine_jitdump_of_{of}_by_{compile_threads}"));
    let dump = Arc::new(Jitdump::create(&folder).unwrap());
    let debugging = Debugging { jitdump: Some(Arc::clone(&dump)), ..Debugging::default() };
    let config = brolga::Config { compile_threads, debugging, ..brolga::Config::default() };
    let engine = Engine::new(config).unwrap();
    // SAFETY: nothing of it is called.
    unsafe { engine.load_unsafe(text).unwrap() };
    engine.finish_records().unwrap();
    loads(dump.path()).into_iter().map(|load| (load.name, load.code)).collect()
}

fn any_number_of_threads_places_the_same_code() {
    let text: String = (0..200)
        .map(|index: usize| {
            format!(
                "func @f{index}(i64) -> i64 {{\nentry(%n: i64):\n    %c = call @f{}(%n)\n    \
                 %q = sdiv.i64 {index}, %c\n    return %q\n}}\n",
                index * 7 % 200
            )
        })
        .collect();
    let alone = placed("calls", &text, 1);
    assert_eq!(alone.iter().filter(|(name, _)| name.starts_with('f')).count(), 200);
    for threads in [2, 3, 7] {
        assert_eq!(placed("calls", &text, threads), alone, "{threads} threads");
    }
}

/// The examples, several times, in one text: each function has a name of its own.
fn examples() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "bir")).collect();
    files.sort();
    let mut whole = String::new();
    for (number, path) in files.iter().cycle().take(3 * files.len()).enumerate() {
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with("module "));
        for line in lines {
            whole.push_str(&line.replace('@', &format!("@of{number}_")));
            whole.push('\n');
        }
    }
    whole
}

fn four_threads_make_of_loops_what_one_makes() {
    let text = examples();
    let alone = placed("loops", &text, 1);
    assert!(alone.len() > 100, "enough for four threads: {}", alone.len());
    assert_eq!(placed("loops", &text, 4), alone);
}

fn functions_that_stay_are_called_where_their_code_is() {
    let dump = Arc::new(Jitdump::create(&folder("engine_jitdump_of_calls")).unwrap());
    let debugging = Debugging { jitdump: Some(Arc::clone(&dump)), ..Debugging::default() };
    let config = brolga::Config { level: brolga::Level::O0, debugging, ..Default::default() };
    let engine = Engine::new(config).unwrap();
    let calling = |name: &str, callee: &str| {
        let body = format!("{{\nentry(%n: i64):\n    %c = call @{callee}(%n)\n    return %c\n}}\n");
        format!("func @{name}(i64) -> i64 {body}")
    };
    let leaf = |name| format!("func @{name}(i64) -> i64 {{\nentry(%n: i64):\n    return %n\n}}\n");
    engine.load(&format!("{}{}", calling("loaded", "stays"), leaf("stays"))).unwrap();
    engine.load(&format!("import @stays(i64) -> i64\n{}", calling("later", "stays"))).unwrap();
    engine.define(&format!("{}{}", calling("to_defined", "goes"), leaf("goes"))).unwrap();
    for name in ["loaded", "later", "to_defined"] {
        assert_eq!(engine.func::<(i64,), i64>(name).unwrap().call((5,)).unwrap(), 5);
    }
    engine.finish_records().unwrap();
    let loads = loads(dump.path());
    let load = |name: &str| loads.iter().find(|load| load.name == name).unwrap();
    let calls = |caller: &str, callee: &str| {
        let Load { address, code, .. } = load(caller);
        let target = load(callee).address;
        code.windows(5).zip(*address..).any(|(bytes, at)| {
            let distance = i32::from_le_bytes(bytes[1..].try_into().unwrap());
            bytes[0] == 0xe8 && (at + 5).wrapping_add_signed(distance.into()) == target
        })
    };
    assert!(calls("loaded", "stays") && calls("later", "stays"));
    assert!(!calls("to_defined", "goes"), "what may be defined anew is called through its slot");
}

fn a_perf_map_has_names_of_code_in_memory_of_no_file() {
    for forking in [Forking::Refused, Forking::Safe] {
        let map = Arc::new(PerfMap::create_in(&folder("engine_perf_map")).unwrap());
        let debugging = Debugging { perf_map: Some(Arc::clone(&map)), ..Debugging::default() };
        let config = brolga::Config { forking, debugging, ..brolga::Config::default() };
        let engine = Engine::new(config).unwrap();
        call_churn(&engine);
        let text = std::fs::read_to_string(map.path()).unwrap();
        let line = text.lines().find(|line| line.ends_with(" churn")).unwrap();
        let start = u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let mapping = maps.lines().find(|line| {
            let (range, _) = line.split_once(' ').unwrap();
            let (low, high) = range.split_once('-').unwrap();
            let number = |text| u64::from_str_radix(text, 16).unwrap();
            (number(low)..number(high)).contains(&start)
        });
        let fields: Vec<&str> = mapping.unwrap().split_whitespace().collect();
        assert_eq!(fields[4..], ["0"], "no file: {fields:?}");
    }
}

fn a_forked_child_adds_nothing_to_the_records() {
    let folder = folder("forked_records");
    let jitdump = Arc::new(Jitdump::create(&folder).unwrap());
    let perf_map = Arc::new(PerfMap::create_in(&folder).unwrap());
    let debugging = Debugging {
        jitdump: Some(Arc::clone(&jitdump)),
        perf_map: Some(Arc::clone(&perf_map)),
        ..Debugging::default()
    };
    let (forking, default) = (Forking::Safe, brolga::Config::default());
    let engine = Engine::new(brolga::Config { forking, debugging, ..default }).unwrap();
    engine.load("export func @before() {\nb:\n    return\n}").unwrap();
    let read = |path: &Path| std::fs::read(path).unwrap();
    let before = [read(jitdump.path()), read(perf_map.path())];
    let load = move || {
        engine.load("export func @inside() {\nb:\n    return\n}").unwrap();
        engine.func::<(), ()>("inside").unwrap().call(()).unwrap();
    };
    // SAFETY: the child's engine and allocator take no lock that another thread of the test may
    // have held, beside those of C's library, which sees to that; it leaves by `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(load));
        // The last handles: what ends the files elsewhere.
        drop((jitdump, perf_map));
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(ran.is_err())) };
    }
    let mut status = -1;
    // SAFETY: waits for the child that was just made.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(status, 0);
    assert_eq!([read(jitdump.path()), read(perf_map.path())], before);
}

fn what_cannot_be_written_stops_no_code_and_is_told_once() {
    let map = Arc::new(PerfMap::create_in(&folder("full_perf_map")).unwrap());
    let debugging = Debugging { perf_map: Some(Arc::clone(&map)), ..Debugging::default() };
    let engine = engine(debugging);
    make_unwritable(map.path());
    call_churn(&engine);
    let error = engine.finish_records().unwrap_err();
    let RecordError::Debugging(DebuggingError::PerfMap(_)) = &error else { panic!("{error}") };
    assert!(error.to_string().contains("full_perf_map/perf-"), "{error}");
    engine.finish_records().unwrap();
}

/// Puts a file that cannot be written in the place of one that this process has open.
fn make_unwritable(path: &Path) {
    let file = std::fs::File::open("/dev/null").unwrap();
    for entry in std::fs::read_dir("/proc/self/fd").unwrap() {
        let entry = entry.unwrap();
        if std::fs::read_link(entry.path()).is_ok_and(|target| target == path) {
            let number = entry.file_name().to_str().unwrap().parse().unwrap();
            // SAFETY: the number is that of the open file, which goes on under it as another.
            unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&file), number) };
        }
    }
}
