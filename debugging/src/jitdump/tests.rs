//! What cannot be written is an error, and leaves what was written before.

use std::fs::File;

use brolga_lowering::unit::CompiledUnit;

use super::{Jitdump, JitdumpError};
use crate::PlacedUnit;

#[test]
fn a_write_that_fails_is_an_error_and_the_dump_can_be_used_again() {
    let directory = std::env::temp_dir();
    let dump = Jitdump::create(&directory).unwrap();
    let unit = CompiledUnit { name: "f".into(), code: vec![0xc3], ..CompiledUnit::default() };
    let placed = PlacedUnit::new(&unit, 0x1000, "text");
    dump.add(&placed).unwrap();
    let written = std::fs::read(dump.path()).unwrap();
    let readable = File::open(dump.path()).unwrap();
    let writable = dump.lock().file.replace(readable);
    let error = dump.add(&placed).unwrap_err();
    assert!(matches!(&error, JitdumpError::Write { path, .. } if path == dump.path()), "{error}");
    assert_eq!(std::fs::read(dump.path()).unwrap(), written);
    dump.lock().file.replace(writable);
    dump.add(&placed).unwrap();
    // The header has 40 bytes; the second unit has the next number, as if nothing had been.
    let record = written.len() - 40;
    let text = std::fs::read(dump.path()).unwrap();
    assert_eq!(text.len(), written.len() + record);
    assert_eq!(text[written.len() + 48..][..8], 1_u64.to_ne_bytes());
    std::fs::remove_file(dump.path()).unwrap();
}
