//! Dumps, read back by a reader that shares no code with the writer.
#![cfg(target_os = "linux")]

mod units;

use std::path::{Path, PathBuf};

use brolga_debugging::PlacedUnit;
use brolga_debugging::jitdump::{Jitdump, JitdumpError};
use rustix::time::{ClockId, clock_gettime};

use units::{ADDRESS, LENGTH, TEXT, unit};

/// A new folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Bytes that are read from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn word(&mut self) -> u32 {
        u32::from_ne_bytes(self.bytes(4).try_into().unwrap())
    }

    fn long(&mut self) -> u64 {
        u64::from_ne_bytes(self.bytes(8).try_into().unwrap())
    }

    fn text(&mut self) -> &'a str {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap();
        let text = std::str::from_utf8(self.bytes(end)).unwrap();
        self.bytes(1);
        text
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Body {
    Load { process: u32, thread: u32, address: u64, index: u64, name: String, code: Vec<u8> },
    Lines { address: u64, lines: Vec<(u64, u32, String)> },
    Close,
}

#[derive(Debug)]
struct Record {
    time: u64,
    body: Body,
}

/// All records behind a header that is as it should be.
fn read(path: &Path) -> Vec<Record> {
    let bytes = std::fs::read(path).unwrap();
    let mut reader = Reader(&bytes);
    // "JiTD" in the order of the machine, version, size of the header, x86-64 or aarch64.
    let machine = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
    let head: Vec<u32> = (0..6).map(|_| reader.word()).collect();
    assert_eq!(head, [0x4a69_5444, 1, 40, machine, 0, std::process::id()]);
    let (mut before, flags) = (reader.long(), reader.long());
    assert_eq!(flags, 0);
    let mut records = Vec::new();
    while !reader.0.is_empty() {
        let (kind, size, time) = (reader.word(), reader.word(), reader.long());
        let mut body = Reader(reader.bytes(size as usize - 16));
        assert!(time >= before, "times go back");
        before = time;
        let content = match kind {
            0 => load(&mut body),
            2 => lines(&mut body),
            3 => Body::Close,
            other => panic!("a record of kind {other}"),
        };
        assert!(body.0.is_empty(), "a record with more than it should have");
        records.push(Record { time, body: content });
    }
    records
}

fn load(body: &mut Reader<'_>) -> Body {
    let (process, thread) = (body.word(), body.word());
    let (made_at, address, size, index) = (body.long(), body.long(), body.long(), body.long());
    assert_eq!(made_at, address);
    let name = body.text().to_owned();
    Body::Load { process, thread, address, index, name, code: body.bytes(size as usize).to_vec() }
}

fn lines(body: &mut Reader<'_>) -> Body {
    let (address, count) = (body.long(), body.long());
    let mut line = || {
        let (address, line, _column) = (body.long(), body.word(), body.word());
        (address, line, body.text().to_owned())
    };
    Body::Lines { address, lines: (0..count).map(|_| line()).collect() }
}

#[test]
fn what_is_read_back_is_what_went_in() {
    let start = now();
    let dump = Jitdump::create(&folder("jitdump_content")).unwrap();
    let name = format!("jit-{}.dump", std::process::id());
    assert_eq!(dump.path().file_name().unwrap(), &*name);
    let (path, unit) = (dump.path().to_owned(), unit("f with\0 all"));
    let placed = vec![0xab; LENGTH];
    dump.add(&PlacedUnit { code: &placed, ..PlacedUnit::new(&unit, ADDRESS, TEXT) }).unwrap();
    dump.close().unwrap();
    let end = now();
    let records = read(&path);
    assert!(records.iter().all(|record| (start..=end).contains(&record.time)));
    let row = |offset, line, file: &str| (ADDRESS + offset, line, file.to_owned());
    let lines = vec![
        row(0, 10, TEXT),
        row(6, 20, "a.jl"),
        row(8, 30, "b.jl"),
        row(12, 20, "a.jl"),
        row(16, 11, TEXT),
        row(20, 0, TEXT),
        row(24, 20, "a.jl"),
    ];
    let load = Body::Load {
        process: std::process::id(),
        thread: rustix::thread::gettid().as_raw_nonzero().get() as u32,
        address: ADDRESS,
        index: 0,
        name: "f with? all".to_owned(),
        code: placed,
    };
    let bodies: Vec<Body> = records.into_iter().map(|record| record.body).collect();
    assert_eq!(bodies, [Body::Lines { address: ADDRESS, lines }, load, Body::Close]);
}

#[test]
fn a_unit_without_lines_is_one_record_and_dropping_ends_the_file() {
    let dump = Jitdump::create(&folder("jitdump_plain")).unwrap();
    let (path, mut unit) = (dump.path().to_owned(), unit("f"));
    unit.lines.clear();
    dump.add(&PlacedUnit::new(&unit, ADDRESS, TEXT)).unwrap();
    drop(dump);
    let records = read(&path);
    assert!(matches!(&records[0].body, Body::Load { code, .. } if *code == unit.code));
    assert!(matches!(&records[1..], [Record { body: Body::Close, .. }]));
}

#[test]
fn records_of_several_threads_are_whole_and_those_of_a_unit_adjacent() {
    let dump = Jitdump::create(&folder("jitdump_threads")).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let dump = &dump;
            scope.spawn(move || {
                for count in 0..100 {
                    let unit = unit(&format!("f{thread}_{count}"));
                    let address = ADDRESS + (thread << 32 | count << 8);
                    dump.add(&PlacedUnit::new(&unit, address, TEXT)).unwrap();
                }
            });
        }
    });
    let path = dump.path().to_owned();
    dump.close().unwrap();
    let mut records = read(&path);
    assert!(matches!(records.pop(), Some(Record { body: Body::Close, .. })));
    let (mut threads, mut names) = (Vec::new(), Vec::new());
    for (count, pair) in records.chunks(2).enumerate() {
        let [Record { body: Body::Lines { address: lines, .. }, .. }, load] = pair else {
            panic!("no lines before code: {pair:?}");
        };
        let Body::Load { thread, address, index, name, .. } = &load.body else {
            panic!("no code behind lines: {load:?}");
        };
        assert_eq!((lines, *index), (address, count as u64));
        threads.push(*thread);
        names.push(name.clone());
    }
    names.sort_unstable();
    names.dedup();
    threads.sort_unstable();
    threads.dedup();
    assert_eq!((names.len(), threads.len()), (400, 4));
}

#[test]
fn the_first_page_is_mapped_executable_for_as_long_as_the_dump_lives() {
    let dump = Jitdump::create(&folder("jitdump_mapping")).unwrap();
    let path = dump.path().to_owned();
    let mapped = || {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with(path.to_str().unwrap()));
        line.map(|line| line.split(' ').nth(1).unwrap().to_owned())
    };
    assert_eq!(mapped().as_deref(), Some("r-xp"));
    drop(dump);
    assert_eq!(mapped(), None);
}

#[test]
fn a_folder_that_is_not_there_is_an_error_that_names_the_file() {
    let folder = folder("jitdump_missing").join("not-there");
    let error = Jitdump::create(&folder).unwrap_err();
    assert!(matches!(&error, JitdumpError::Create { path, .. } if path.starts_with(&folder)));
    assert!(error.to_string().contains("not-there/jit-"), "{error}");
}
