//! The bytes of stubs.
//!
//! A function's stub, on x86-64:
//!
//! ```text
//! +0   jmp [rip + platform slot]     entered by C code
//! +16  jmp [rip + entry slot]        entered by compiled code
//! +22  mov eax, number               where the entry slot leads at first
//! +27  jmp missing
//! ```

use brolga_lowering::runtime::{STUB_INTERNAL_ENTRY, STUB_SIZE};

/// Bytes of `jmp [rip + slot]`.
const JUMP: usize = 6;

/// Where the stub of an undefined function goes on: behind the jump through
/// the entry slot.
pub(super) const UNDEFINED_ENTRY: usize = STUB_INTERNAL_ENTRY as usize + JUMP;

/// What the stub of a function needs to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionStub {
    /// The slot that the platform's entry jumps through.
    pub platform_slot: usize,
    /// The slot that the internal entry jumps through.
    pub entry_slot: usize,
    /// The number of the function's symbol.
    pub number: u32,
    /// The stub that raises for undefined functions.
    pub missing: usize,
}

/// Writes a function's stub that will stand at `base`.
pub(super) fn write_function_stub(bytes: &mut [u8], base: usize, stub: &FunctionStub) {
    let entry = STUB_INTERNAL_ENTRY as usize;
    bytes[..STUB_SIZE as usize].fill(0xcc);
    write_jump(&mut bytes[..JUMP], base, stub.platform_slot);
    write_jump(&mut bytes[entry..entry + JUMP], base + entry, stub.entry_slot);
    bytes[UNDEFINED_ENTRY] = 0xb8;
    bytes[UNDEFINED_ENTRY + 1..][..4].copy_from_slice(&stub.number.to_le_bytes());
    let jump = UNDEFINED_ENTRY + 5;
    bytes[jump] = 0xe9;
    bytes[jump + 1..][..4].copy_from_slice(&distance(base + jump + 5, stub.missing));
}

/// Writes a stub at `base` that jumps through `slot`.
pub(super) fn write_jump_stub(bytes: &mut [u8], base: usize, slot: usize) {
    bytes.fill(0xcc);
    write_jump(&mut bytes[..JUMP], base, slot);
}

fn write_jump(bytes: &mut [u8], base: usize, slot: usize) {
    bytes[..2].copy_from_slice(&[0xff, 0x25]);
    bytes[2..JUMP].copy_from_slice(&distance(base + JUMP, slot));
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
        let mut bytes = [0; STUB_SIZE as usize];
        let stub =
            FunctionStub { platform_slot: 0x2000, entry_slot: 0x3000, number: 7, missing: 0x1000 };
        write_function_stub(&mut bytes, 0x1100, &stub);
        assert_eq!(bytes[..6], [0xff, 0x25, 0xfa, 0x0e, 0, 0]);
        assert_eq!(bytes[16..22], [0xff, 0x25, 0xea, 0x1e, 0, 0]);
        assert_eq!(bytes[22..27], [0xb8, 7, 0, 0, 0]);
        assert_eq!(bytes[27..32], [0xe9, 0xe0, 0xfe, 0xff, 0xff]);
    }
}
