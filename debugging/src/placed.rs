//! A unit where it stands.

use brolga_lowering::unit::CompiledUnit;

/// A unit, where it stands, and what its text is called.
#[derive(Clone, Copy, Debug)]
pub struct PlacedUnit<'a> {
    /// What was compiled.
    pub unit: &'a CompiledUnit,
    /// The address of its first byte.
    pub address: u64,
    /// Its bytes as they stand there, with relocations filled in. The unit itself need not have
    /// them any more.
    pub code: &'a [u8],
    /// The name of the file that holds the text of the module: what
    /// [`SourceFrame`](brolga_lowering::unit::SourceFrame) means where it names no file.
    pub text: &'a str,
}

impl<'a> PlacedUnit<'a> {
    /// A unit whose code is known as it was compiled alone.
    pub fn new(unit: &'a CompiledUnit, address: u64, text: &'a str) -> PlacedUnit<'a> {
        PlacedUnit { unit, address, code: &unit.code, text }
    }

    /// Bytes of code, those of its constants included.
    pub fn size(&self) -> u64 {
        self.code.len() as u64
    }
}
