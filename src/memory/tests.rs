//! Whole reservations, with real machine code, under every strategy.

mod accounting;
mod execution;
mod forking;
mod model;
mod system;

use std::alloc::Layout;
use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::*;

/// A small reservation, so that tests meet its limits.
fn small() -> MemoryConfig {
    MemoryConfig { reservation: 16 << 20, ..MemoryConfig::default() }
}

/// A reservation under each strategy. All of them exist where tests run.
fn each_strategy(config: &MemoryConfig) -> impl Iterator<Item = Reservation> {
    Strategy::ALL.into_iter().map(|strategy| {
        let reservation = Reservation::with_strategies(config, &[strategy]).unwrap();
        assert_eq!(reservation.strategy(), strategy);
        reservation
    })
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// Machine code of a function without arguments that returns `value`.
fn returning(value: u16) -> Vec<u8> {
    let [low, high] = value.to_le_bytes();
    if cfg!(target_arch = "x86_64") {
        // mov eax, value; ret
        vec![0xb8, low, high, 0, 0, 0xc3]
    } else {
        // movz w0, #value; ret
        let movz = 0x5280_0000 | u32::from(value) << 5;
        [movz, 0xd65f_03c0].map(u32::to_le_bytes).concat()
    }
}

fn text(reservation: &Reservation, code: &[u8]) -> Result<Block, MemoryError> {
    reservation.place(Area::Text, layout(code.len(), 16), |bytes, _| {
        bytes.copy_from_slice(code);
    })
}

/// The blocks of a batch that nothing is written to.
fn allocated(
    reservation: &Reservation,
    requests: impl IntoIterator<Item = Request, IntoIter: Clone>,
) -> Vec<Block> {
    reservation.allocate_batch(requests).unwrap().publish().unwrap().take_all().collect()
}

fn call(code: &Block) -> u32 {
    assert_eq!(code.area(), Area::Text);
    // SAFETY: the tests publish nothing in text but functions of this type.
    let function: extern "C" fn() -> u32 = unsafe { std::mem::transmute(code.pointer()) };
    function()
}

fn read(block: &Block) -> Vec<u8> {
    // SAFETY: a published block is readable, and no test writes it meanwhile.
    unsafe { std::slice::from_raw_parts(block.pointer().as_ptr(), block.size()) }.to_vec()
}

/// Runs `body` in a forked child, which has this thread alone, and fails if it
/// panics, crashes or hangs.
pub(super) fn in_child(body: impl FnOnce()) {
    unsafe extern "C" {
        safe fn fork() -> i32;
        safe fn _exit(status: i32) -> !;
    }
    let Some(child) = Pid::from_raw(fork()) else {
        let outcome = catch_unwind(AssertUnwindSafe(body));
        _exit(i32::from(outcome.is_err()));
    };
    let start = Instant::now();
    let status = loop {
        if let Some((_, status)) = waitpid(Some(child), WaitOptions::NOHANG).unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            kill_process(child, Signal::KILL).unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(status.exit_status(), Some(0), "{status:?}");
}

/// One line of the list of mappings.
#[derive(Debug)]
struct Map {
    addresses: Range<usize>,
    /// As in `r-xp`.
    protection: String,
    file: String,
}

fn maps() -> Vec<Map> {
    let text = fs::read_to_string("/proc/self/maps").unwrap();
    let map = |line: &str| {
        let mut fields = line.split_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        Some(Map {
            addresses: address(start)?..address(end)?,
            protection: fields.next()?.to_owned(),
            file: fields.skip(2).collect::<Vec<_>>().join(" "),
        })
    };
    text.lines().map(|line| map(line).unwrap()).collect()
}

/// The protections of all pages of a range of addresses.
fn protections(addresses: &Range<usize>) -> Vec<String> {
    let inside =
        |map: &Map| map.addresses.start < addresses.end && map.addresses.end > addresses.start;
    let mut protections: Vec<_> =
        maps().into_iter().filter(inside).map(|map| map.protection).collect();
    protections.dedup();
    protections
}
