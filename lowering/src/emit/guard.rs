//! The entry guard: machine code of ours before and behind a function's own,
//! that finds the end of the stack before the frame is made.
//!
//! Before: the stack pointer, less the frame where that is large, is compared
//! with the record's limit. Behind: the call that stops execution, whose
//! return address lies in the function and so names it. Registers that the
//! guard uses are dead at the entry of the internal convention.

use super::placement::Start;
use crate::runtime::{RecordField, STACK_MARGIN};
use crate::target::Architecture;
use crate::unit::RelocationKind;

/// Code around a function.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// Before the function, of a length that keeps its constants aligned.
    pub(super) prefix: Vec<u8>,
    /// Behind it.
    pub(super) tail: Vec<u8>,
    /// Where in the tail the call of the runtime is to be filled in.
    pub(super) call: Option<GuardCall>,
}

/// The call of the runtime in the tail of a guard.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuardCall {
    /// In bytes from the start of the tail.
    pub(super) offset: u32,
    /// How it is filled in.
    pub(super) kind: RelocationKind,
    /// Plus that.
    pub(super) addend: i64,
    /// Where it would return to, in bytes from the start of the tail.
    pub(super) return_offset: u32,
}

/// Whether a function needs a guard.
pub(super) const fn needs_guard(frame_size: u32, calls: u32) -> bool {
    calls > 0 || frame_size > STACK_MARGIN
}

/// The guard of a function whose own code has `length` bytes (a multiple of 4),
/// starts so, and takes `frame_size` bytes of stack.
pub(super) fn guard(
    architecture: Architecture,
    frame_size: u32,
    length: u32,
    start: Start,
) -> Guard {
    match architecture {
        Architecture::X86_64 => guard_x86_64(frame_size, length, start),
        Architecture::Aarch64 => guard_aarch64(frame_size, length, start.align),
    }
}

/// What stands before a function without a guard, on x86-64, where nothing is moved elsewhere.
pub(super) fn padding(start: Start) -> Vec<u8> {
    let mut prefix = Vec::new();
    pad_x86_64(&mut prefix, start.behind(0) as usize);
    prefix
}

fn guard_x86_64(frame_size: u32, length: u32, start: Start) -> Guard {
    let limit = RecordField::StackLimit.offset() as u8;
    let mut prefix = Vec::with_capacity(32);
    if frame_size <= STACK_MARGIN {
        // cmp rsp, [r15 + limit]
        prefix.extend([0x49, 0x3b, 0x67, limit]);
    } else {
        // lea r11, [rsp - frame_size]; cmp r11, [r15 + limit]
        prefix.extend([0x4c, 0x8d, 0x9c, 0x24]);
        prefix.extend(frame_size.wrapping_neg().to_le_bytes());
        prefix.extend([0x4d, 0x3b, 0x5f, limit]);
    }
    // jb tail
    let end = prefix.len() as u32 + 6;
    let padded = start.behind(end);
    prefix.extend([0x0f, 0x82]);
    prefix.extend((padded - end + length).to_le_bytes());
    pad_x86_64(&mut prefix, padded as usize);
    // call stack_overflow; ud2, which the call does not return to.
    let tail = vec![0xe8, 0, 0, 0, 0, 0x0f, 0x0b];
    let kind = RelocationKind::X86Relative32;
    let call = GuardCall { offset: 1, kind, addend: -4, return_offset: 5 };
    Guard { prefix, tail, call: Some(call) }
}

/// Pads with few long instructions that do nothing.
fn pad_x86_64(code: &mut Vec<u8>, length: usize) {
    const NOPS: [&[u8]; 9] = [
        &[0x90],
        &[0x66, 0x90],
        &[0x0f, 0x1f, 0x00],
        &[0x0f, 0x1f, 0x40, 0x00],
        &[0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
        &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    ];
    while code.len() < length {
        code.extend(NOPS[(length - code.len()).min(NOPS.len()) - 1]);
    }
}

/// Words that `b.lo` reaches, less the guard itself.
const SHORT_BRANCH: u32 = (1 << 18) - 16;

fn guard_aarch64(frame_size: u32, length: u32, align: u32) -> Guard {
    const NOP: u32 = 0xd503_201f;
    let limit = RecordField::StackLimit.offset() / 8;
    // ldr x16, [x21, #limit]
    let load_limit = 0xf940_02b0 | (limit << 10);
    let mut words = Vec::with_capacity(8);
    if frame_size <= STACK_MARGIN {
        // cmp sp, x16
        words.extend([load_limit, 0xeb30_63ff]);
    } else {
        let (low, high) = (frame_size & 0xffff, frame_size >> 16);
        // movz x17, low; movk x17, high, lsl 16; sub x17, sp, x17; cmp x17, x16
        words.extend([0xd280_0011 | (low << 5), 0xf2a0_0011 | (high << 5), 0xcb31_63f1]);
        words.extend([load_limit, 0xeb10_023f]);
    }
    let far = length / 4 > SHORT_BRANCH;
    let end = words.len() as u32 + if far { 2 } else { 1 };
    let padded = end.next_multiple_of(align / 4);
    let distance = padded - end + 1 + length / 4;
    if far {
        // b.hs past the next; b tail
        words.extend([0x5400_0042, 0x1400_0000 | distance]);
    } else {
        // b.lo tail
        words.push(0x5400_0003 | (distance << 5));
    }
    words.resize(padded as usize, NOP);
    let prefix = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    // mov x17, x30; bl stack_overflow; udf, which the call does not return to.
    let tail = [0xaa1e_03f1_u32, 0x9400_0000, 0];
    let tail = tail.iter().flat_map(|word| word.to_le_bytes()).collect();
    let kind = RelocationKind::Arm64Call26;
    let call = GuardCall { offset: 4, kind, addend: 0, return_offset: 8 };
    Guard { prefix, tail, call: Some(call) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the branch of a guard to its tail leads, from the start of the prefix.
    fn branch_target(architecture: Architecture, prefix: &[u8]) -> i64 {
        let word = |at: usize| u32::from_le_bytes(prefix[at..at + 4].try_into().unwrap());
        match architecture {
            Architecture::X86_64 => {
                let at = prefix.windows(2).position(|bytes| bytes == [0x0f, 0x82]).unwrap();
                at as i64 + 6 + i64::from(word(at + 2) as i32)
            }
            Architecture::Aarch64 => {
                let branches = (0..prefix.len()).step_by(4).map(|at| (at as i64, word(at)));
                let mut targets = branches.filter_map(|(at, word)| match word >> 24 {
                    0x54 if word & 0xf == 3 => Some(at + i64::from(word >> 5 & 0x7_ffff) * 4),
                    0x14..=0x17 => Some(at + i64::from(word & 0x03ff_ffff) * 4),
                    _ => None,
                });
                targets.next().unwrap()
            }
        }
    }

    #[test]
    fn a_guard_leads_to_its_tail_behind_code_of_any_length() {
        for architecture in [Architecture::X86_64, Architecture::Aarch64] {
            for frame in [16, STACK_MARGIN, STACK_MARGIN + 16, 70_000, 1 << 29] {
                for length in [4, 60, 1 << 20, (1 << 20) - 64, 5 << 20] {
                    for align in [16, 32, 64] {
                        let guard = guard(architecture, frame, length, Start::at(align));
                        assert_eq!(guard.prefix.len() as u32 % align, 0);
                        let tail = guard.prefix.len() as i64 + i64::from(length);
                        assert_eq!(branch_target(architecture, &guard.prefix), tail);
                    }
                }
            }
        }
    }
}
