//! The bytes of records, in the order of the machine: perf tells it by the magic number.

use crate::PlacedUnit;
use crate::lines::line_rows;
use crate::names::zero_free;

const MAGIC: u32 = 0x4a69_5444;
const VERSION: u32 = 1;
const HEADER_SIZE: u32 = 40;

/// Kinds of records.
const LOAD: u32 = 0;
const DEBUG_INFO: u32 = 2;
const CLOSE: u32 = 3;

/// What a file begins with.
pub(super) struct Header {
    /// By its number in ELF.
    pub(super) machine: u32,
    pub(super) process: u32,
    /// In nanoseconds of `CLOCK_MONOTONIC`, as all times are.
    pub(super) time: u64,
}

impl Header {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_SIZE as usize);
        put_words(&mut bytes, &[MAGIC, VERSION, HEADER_SIZE, self.machine, 0, self.process]);
        // No flags: times are not those of the processor's counter.
        put_longs(&mut bytes, &[self.time, 0]);
        bytes
    }
}

/// Who loads a unit, when, and how many were before it.
pub(super) struct Origin {
    pub(super) process: u32,
    pub(super) thread: u32,
    pub(super) time: u64,
    pub(super) index: u64,
}

/// The records of a unit; nothing if one is too large for the format.
pub(super) fn of_unit(placed: &PlacedUnit<'_>, origin: &Origin) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(body) = debug_info(placed) {
        put_record(&mut bytes, DEBUG_INFO, origin.time, &body)?;
    }
    put_record(&mut bytes, LOAD, origin.time, &load(placed, origin))?;
    Some(bytes)
}

/// The record that ends a file.
pub(super) fn close(time: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // An empty body is not too large.
    let _ = put_record(&mut bytes, CLOSE, time, &[]);
    bytes
}

fn put_record(bytes: &mut Vec<u8>, kind: u32, time: u64, body: &[u8]) -> Option<()> {
    const PREFIX: usize = 16;
    let size = u32::try_from(body.len() + PREFIX).ok()?;
    put_words(bytes, &[kind, size]);
    put_longs(bytes, &[time]);
    bytes.extend_from_slice(body);
    Some(())
}

fn load(placed: &PlacedUnit<'_>, origin: &Origin) -> Vec<u8> {
    let size = placed.code.len();
    let mut body = Vec::with_capacity(size + 128);
    put_words(&mut body, &[origin.process, origin.thread]);
    // Where the code was made and where it runs: the same.
    put_longs(&mut body, &[placed.address, placed.address, size as u64, origin.index]);
    put_text(&mut body, &placed.unit.name);
    body.extend_from_slice(placed.code);
    body
}

/// The lines of a unit, if any are known. Code without one is of line 0, as DWARF has it.
fn debug_info(placed: &PlacedUnit<'_>) -> Option<Vec<u8>> {
    let rows = line_rows(placed);
    if rows.is_empty() {
        return None;
    }
    let mut body = Vec::with_capacity(16 + rows.len() * 48);
    put_longs(&mut body, &[placed.address, rows.len() as u64]);
    for row in &rows {
        put_longs(&mut body, &[row.address]);
        let (line, file) = row.line.map_or((0, placed.text), |line| (line.line, line.file));
        // perf takes the second number for a column or a discriminator, and shows neither.
        put_words(&mut body, &[line, 0]);
        put_text(&mut body, file);
    }
    Some(body)
}

fn put_words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
}

fn put_longs(bytes: &mut Vec<u8>, longs: &[u64]) {
    bytes.extend(longs.iter().flat_map(|long| long.to_ne_bytes()));
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(zero_free(text).as_bytes());
    bytes.push(0);
}
