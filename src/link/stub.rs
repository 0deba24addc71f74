//! The bytes of stubs.
//!
//! A function's stub, on x86-64:
//!
//! ```text
//! +0   jmp [rip + platform slot]     entered by C code
//! +8   jmp [rip + entry slot]        entered by compiled code
//! +14  mov eax, number               where the entry slot leads at first
//! +19  jmp missing
//! ```
//!
//! If its code stays for good, `jmp code` is in the place of the jump through the entry slot.
//!
//! A block of the stubs' area is larger than a stub, which stands at one of
//! five places in it. As far as can be measured, AMD's Zen 4 predicts by the last four
//! bits of where earlier branches went, by which stubs at multiples of 16 all look the
//! same: four objects in turn with two virtual calls each took 13.3 ns an object
//! there, and 5.4 here.

use brolga_lowering::runtime::{STUB_INTERNAL_ENTRY, STUB_SIZE};

use crate::memory::STUB_BLOCK;

/// Bytes of `jmp [rip + slot]`.
pub(super) const JUMP: usize = 6;

/// Bytes of `jmp code`.
const NEAR_JUMP: usize = 5;

/// Where the stub of an undefined function goes on: behind the jump through
/// the entry slot.
pub(super) const UNDEFINED_ENTRY: usize = STUB_INTERNAL_ENTRY as usize + JUMP;

/// What the stub of a function needs to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionStub {
    /// The slot that the platform's entry jumps through.
    pub platform_slot: usize,
    /// Where the internal entry goes on.
    pub entry: Way,
    /// The number of the function's symbol.
    pub number: u32,
    /// The stub that raises for undefined functions.
    pub missing: usize,
}

/// Where a jump leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// To what that slot holds by then.
    Through(usize),
    /// To that address, always.
    To(usize),
}

/// Bytes that a stub stands further to the front than the one in the block before: two, since
/// C++ has a use for the lowest bit of a function's address.
const STEP: usize = 2;

/// Where a reservation stands differs from run to run by multiples of this, the least page.
const PAGE: usize = 4096;

/// The address of the stub in its block.
pub(super) fn stub_in(block: usize) -> usize {
    let room = (STUB_BLOCK - STUB_SIZE as usize) / STEP;
    let moved = block % PAGE / STUB_BLOCK % (room + 1);
    block + STEP * (room - moved)
}

/// Writes a function's stub into the block that will stand at `block`.
pub(super) fn write_function_stub(bytes: &mut [u8], block: usize, stub: &FunctionStub) {
    let (base, entry) = (stub_in(block), STUB_INTERNAL_ENTRY as usize);
    bytes[..STUB_BLOCK].fill(0xcc);
    let bytes = &mut bytes[base - block..];
    write_jump(&mut bytes[..JUMP], base, stub.platform_slot);
    match stub.entry {
        Way::Through(slot) => write_jump(&mut bytes[entry..][..JUMP], base + entry, slot),
        Way::To(code) => write_near_jump(&mut bytes[entry..], base + entry, code),
    }
    bytes[UNDEFINED_ENTRY] = 0xb8;
    bytes[UNDEFINED_ENTRY + 1..][..4].copy_from_slice(&stub.number.to_le_bytes());
    let jump = UNDEFINED_ENTRY + 5;
    write_near_jump(&mut bytes[jump..], base + jump, stub.missing);
}

/// Writes a stub at `base`, the start of its block, that jumps through `slot`.
pub(super) fn write_jump_stub(bytes: &mut [u8], base: usize, slot: usize) {
    bytes[..STUB_BLOCK].fill(0xcc);
    write_jump(&mut bytes[..JUMP], base, slot);
}

/// Writes a jump that will stand at `base` through `slot`.
pub(super) fn write_jump(bytes: &mut [u8], base: usize, slot: usize) {
    bytes[..2].copy_from_slice(&[0xff, 0x25]);
    bytes[2..JUMP].copy_from_slice(&distance(base + JUMP, slot));
}

fn write_near_jump(bytes: &mut [u8], base: usize, target: usize) {
    bytes[0] = 0xe9;
    bytes[1..NEAR_JUMP].copy_from_slice(&distance(base + NEAR_JUMP, target));
}

/// From the end of an instruction to an address of the same reservation,
/// which has at most 2 GiB.
fn distance(from: usize, to: usize) -> [u8; 4] {
    (to.wrapping_sub(from) as i32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_holds_two_entries_and_the_way_of_the_undefined() {
        let mut bytes = [0; STUB_BLOCK];
        let entry = Way::Through(0x3000);
        let stub = FunctionStub { platform_slot: 0x2000, entry, number: 7, missing: 0x1000 };
        write_function_stub(&mut bytes, 0x1180, &stub);
        assert_eq!(stub_in(0x1180), 0x1184);
        assert_eq!(bytes[..4], [0xcc; 4]);
        assert_eq!(bytes[4..10], [0xff, 0x25, 0x76, 0x0e, 0, 0]);
        assert_eq!(bytes[12..18], [0xff, 0x25, 0x6e, 0x1e, 0, 0]);
        assert_eq!(bytes[18..23], [0xb8, 7, 0, 0, 0]);
        assert_eq!(bytes[23..28], [0xe9, 0x64, 0xfe, 0xff, 0xff]);
        assert_eq!(bytes[28..], [0xcc; 4]);

        let stays = FunctionStub { entry: Way::To(0x4000), ..stub };
        write_function_stub(&mut bytes, 0x1180, &stays);
        assert_eq!(bytes[12..17], [0xe9, 0x6f, 0x2e, 0, 0]);
    }

    #[test]
    fn stubs_of_neighbours_end_in_different_bits() {
        let ends: Vec<usize> = (0..5).map(|block| stub_in(block * STUB_BLOCK) % 16).collect();
        assert_eq!(ends, [8, 6, 4, 2, 0]);
        assert!((0..100).all(|block| {
            let (start, end) = (block * STUB_BLOCK, (block + 1) * STUB_BLOCK);
            (start..=end - STUB_SIZE as usize).contains(&stub_in(start))
        }));
    }
}
