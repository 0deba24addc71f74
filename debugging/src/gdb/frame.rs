//! Where frames are, for back-traces: `.debug_frame`.
//!
//! Every unit for x86-64 keeps its frame pointer in `rbp`. It begins, behind a guard of the stack
//! if it has one, with `push rbp; mov rbp, rsp`, and is left behind a `pop rbp` or `leave`. A unit
//! says where neither is, so both are found in the code, by the forms that this workspace emits;
//! of a unit that begins otherwise nothing is told, and debuggers guess. With these, the canonical
//! frame address is known at each instruction but for two:
//!
//! - Between the `pop rbp` and the jump of a tail call that takes fewer arguments on the stack
//!   than the function, a frame is told that is there no more.
//! - Where a function has made room for a tail call that takes more arguments on the stack, the
//!   caller's stack pointer is told too low by that room. The return address and the caller's
//!   frame pointer, which back-traces need, are right.
//!
//! The internal convention preserves no other register, and where thunks save what the platform
//! preserves is not known: such registers are told to be lost, rather than wrongly.

use brolga_lowering::unit::CompiledUnit;
use gimli::write::{
    Address, CallFrameInstruction, CommonInformationEntry, FrameDescriptionEntry, FrameTable,
};
use gimli::{Encoding, Register, X86_64};

use crate::PlacedUnit;

/// Saved registers of the platform's convention, other than `rbp`.
const PRESERVED: [Register; 5] = [X86_64::RBX, X86_64::R12, X86_64::R13, X86_64::R14, X86_64::R15];

/// `push rbp`.
const PUSH: &[u8] = &[0x55];
/// `mov rbp, rsp`.
const SET: &[u8] = &[0x48, 0x89, 0xe5];

/// How a function comes to its frame, in bytes from the start of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Prologue {
    /// Behind `push rbp`.
    pub(super) pushed: u32,
    /// Behind `mov rbp, rsp`.
    pub(super) end: u32,
}

/// The frames of a unit, if its start has the form of ours.
pub(super) fn frame_table(
    placed: &PlacedUnit<'_>,
    length: u32,
    encoding: Encoding,
) -> Option<FrameTable> {
    let prologue = prologue(placed)?;
    let mut entry = FrameDescriptionEntry::new(Address::Constant(placed.address), length);
    entry.add_instruction(prologue.pushed, CallFrameInstruction::CfaOffset(16));
    entry.add_instruction(prologue.pushed, CallFrameInstruction::Offset(X86_64::RBP, -16));
    entry.add_instruction(prologue.end, CallFrameInstruction::CfaRegister(X86_64::RBP));
    for left in exits(placed.code, prologue.end) {
        entry.add_instruction(left.start, CallFrameInstruction::RememberState);
        leave(&mut entry, left.start);
        entry.add_instruction(left.end, CallFrameInstruction::RestoreState);
    }
    if let Some(tail) = guard_tail(placed.unit, prologue) {
        leave(&mut entry, tail);
    }
    let mut table = FrameTable::default();
    let common = table.add_cie(common_entry(encoding));
    table.add_fde(common, entry);
    Some(table)
}

/// From there on there is no frame: the return address is on top of the stack.
fn leave(entry: &mut FrameDescriptionEntry, offset: u32) {
    entry.add_instruction(offset, CallFrameInstruction::Cfa(X86_64::RSP, 8));
    entry.add_instruction(offset, CallFrameInstruction::SameValue(X86_64::RBP));
}

/// At the entry: the return address, and all else of the caller.
fn common_entry(encoding: Encoding) -> CommonInformationEntry {
    let mut common = CommonInformationEntry::new(encoding, 1, -8, X86_64::RA);
    common.add_instruction(CallFrameInstruction::Cfa(X86_64::RSP, 8));
    common.add_instruction(CallFrameInstruction::Offset(X86_64::RA, -8));
    for register in PRESERVED {
        common.add_instruction(CallFrameInstruction::Undefined(register));
    }
    common
}

/// Where the frame is made, if it is where it should be.
pub(super) fn prologue(&PlacedUnit { unit, code, .. }: &PlacedUnit<'_>) -> Option<Prologue> {
    // Guards of the first tier are not padded, and others up to some place before or behind the
    // next multiple of the alignment.
    let unpadded = guard_length(code).unwrap_or(0);
    let padded = (0..unit.align.max(16) as usize).step_by(16);
    let padded = padded.map(|more| unpadded.next_multiple_of(16) + more);
    let start = padded.chain([unpadded]).find(|&start| {
        code.get(start..)
            .is_some_and(|code| code.strip_prefix(PUSH).is_some_and(|code| code.starts_with(SET)))
    })?;
    let pushed = u32::try_from(start + PUSH.len()).ok()?;
    Some(Prologue { pushed, end: pushed + SET.len() as u32 })
}

/// Bytes of a guard of the stack, if the code begins with one:
/// `cmp rsp, [r15 + limit]; jb` or `lea r11, [rsp - frame]; cmp r11, [r15 + limit]; jb`.
fn guard_length(code: &[u8]) -> Option<usize> {
    let compare = match code {
        [0x49, 0x3b, 0x67, _, ..] => 4,
        [0x4c, 0x8d, 0x9c, 0x24, _, _, _, _, 0x4d, 0x3b, 0x5f, _, ..] => 12,
        _ => return None,
    };
    code.get(compare..)?.starts_with(&[0x0f, 0x82]).then_some(compare + 6)
}

/// Where the guard's call stands, which is made without a frame, and only padding, trampolines
/// and constants behind it.
fn guard_tail(unit: &CompiledUnit, prologue: Prologue) -> Option<u32> {
    /// Bytes of a call.
    const CALL: u32 = 5;
    unit.guard_return?.checked_sub(CALL).filter(|&tail| tail >= prologue.end)
}

/// Code without a frame, in bytes from the start of the unit.
struct Exit {
    start: u32,
    end: u32,
}

/// Where the function is left, in order: what lies between `pop rbp` or `leave` and the
/// instruction behind the `ret` or jump that follows. Bytes that only look so lie within an
/// instruction or a constant, where execution never stands.
fn exits(code: &[u8], from: u32) -> Vec<Exit> {
    let mut exits = Vec::new();
    let mut at = from as usize;
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let restored = match rest {
            // mov rsp, rbp; pop rbp
            [0x48, 0x89, 0xec, 0x5d, ..] => 4,
            // leave
            [0xc9, ..] => 1,
            _ => 0,
        };
        let exit = exit_length(&rest[restored..]).filter(|_| restored > 0);
        let start = at + restored;
        at = exit.map_or(at + 1, |length| start + length);
        // Code of 4 GiB and more is refused before.
        let bounds = (u32::try_from(start), u32::try_from(at));
        if let (Some(_), (Ok(start), Ok(end))) = (exit, bounds) {
            exits.push(Exit { start, end });
        }
    }
    exits
}

/// Bytes of the `ret` or jump that code begins with.
fn exit_length(code: &[u8]) -> Option<usize> {
    match code {
        [0xc3, ..] => Some(1),
        [0xc2, ..] => Some(3),
        [0xe9, ..] => Some(5),
        // jmp register
        [0xff, 0xe0..=0xe7, ..] => Some(2),
        [0x41, 0xff, 0xe0..=0xe7, ..] => Some(3),
        _ => None,
    }
}
