//! The entries that must be written in assembly, for x86-64.
//!
//! Compiled code calls them by the internal convention: the first two integer
//! arguments in `rdi` and `rsi`, the thread record in `r15`, a frame pointer
//! in every function.

use std::arch::naked_asm;
use std::mem::offset_of;

use brolga_ir::trap::TrapCode;

use super::record::ThreadRecord;
use super::{entries, host};

/// The body of an entry that leaves frames: records where execution stopped,
/// has `$find` say where to go on, given the record and the entry's own
/// arguments, and goes on there.
macro_rules! leave_frames {
    ($find:path) => {
        naked_asm!(
            "mov rax, [rsp]",
            "mov [r15 + {exit_frame}], rbp",
            "mov [r15 + {exit_pc}], rax",
            "mov rdx, rsi",
            "mov rsi, rdi",
            "mov rdi, r15",
            "and rsp, -16",
            "call {find}",
            "mov rsp, [r15 + {unwind_stack}]",
            "mov rbp, [r15 + {unwind_frame}]",
            "mov rax, [r15 + {unwind_payload}]",
            "jmp [r15 + {unwind_pc}]",
            exit_frame = const offset_of!(ThreadRecord, exit_frame),
            exit_pc = const offset_of!(ThreadRecord, exit_pc),
            unwind_stack = const offset_of!(ThreadRecord, unwind_stack),
            unwind_frame = const offset_of!(ThreadRecord, unwind_frame),
            unwind_payload = const offset_of!(ThreadRecord, unwind_payload),
            unwind_pc = const offset_of!(ThreadRecord, unwind_pc),
            find = sym $find,
        )
    };
}

/// `(code, values)`: goes on at the innermost host entry.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn raise() -> ! {
    leave_frames!(entries::stop_at_entry)
}

/// `(exception)`: goes on at the innermost handler.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn throw() -> ! {
    leave_frames!(entries::unwind_to_handler)
}

/// Entered by the guard of a function that has no frame yet, by a call: makes
/// the frame that the walk expects, then raises.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn stack_overflow() -> ! {
    naked_asm!(
        "pop r11",
        "push rbp",
        "mov rbp, rsp",
        "push r11",
        "mov edi, {code}",
        "xor esi, esi",
        "jmp {raise}",
        code = const TrapCode::StackOverflow.number(),
        raise = sym raise,
    )
}

/// `()`: the slow path of a poll.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn poll() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rdi, r15",
        "mov rsi, [rbp]",
        "mov rdx, [rbp + 8]",
        "call {poll}",
        "pop rbp",
        "test eax, eax",
        "jnz 2f",
        "ret",
        "2:",
        "mov edi, eax",
        "xor esi, esi",
        "jmp {raise}",
        poll = sym entries::answer_poll,
        raise = sym raise,
    )
}

/// `(block) -> code`: the budget of the unit that calls is used up.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn tier() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rcx, rdi",
        "mov rdi, r15",
        "mov rsi, [rbp]",
        "mov rdx, [rbp + 8]",
        "call {answer}",
        "pop rbp",
        "ret",
        answer = sym entries::answer_budget,
    )
}

/// Jumped to from the stub of a function that has no code, whose number is in
/// `eax`, with its arguments in place: has the code made and goes on there, or
/// raises as if from the call of the stub.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn missing_symbol() -> ! {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 176",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "mov [rsp + 128], rdi",
        "mov [rsp + 136], rsi",
        "mov [rsp + 144], rdx",
        "mov [rsp + 152], rcx",
        "mov [rsp + 160], r8",
        "mov [rsp + 168], r9",
        "mov rdi, r15",
        "mov esi, eax",
        "call {resolve}",
        "test rax, rax",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "mov rdi, [rsp + 128]",
        "mov rsi, [rsp + 136]",
        "mov rdx, [rsp + 144]",
        "mov rcx, [rsp + 152]",
        "mov r8, [rsp + 160]",
        "mov r9, [rsp + 168]",
        "mov rsp, rbp",
        "pop rbp",
        "jz 2f",
        "jmp rax",
        "2:",
        "mov edi, {code}",
        "xor esi, esi",
        "jmp {raise}",
        resolve = sym entries::resolve_missing,
        code = const TrapCode::MissingFunction.number(),
        raise = sym raise,
    )
}

/// `(stub, engine) -> record`, by the platform's convention: what calls is known by its frame.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn enter_callback() {
    naked_asm!("mov rdx, rbp", "jmp {enter}", enter = sym host::enter_callback)
}

/// `(record, status)`: as [`enter_callback`].
#[unsafe(naked)]
pub(super) unsafe extern "C" fn leave_callback() {
    naked_asm!("mov rdx, rbp", "jmp {leave}", leave = sym host::leave_callback)
}

/// `(offset) -> address`: this thread's copy of a thread-local object; raises
/// where there is no memory for it.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn thread_local() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rsi, rdi",
        "mov rdi, r15",
        "call {make}",
        "pop rbp",
        "test rax, rax",
        "jz 2f",
        "ret",
        "2:",
        "mov edi, {code}",
        "xor esi, esi",
        "jmp {raise}",
        make = sym entries::make_thread_local,
        code = const TrapCode::OutOfMemory.number(),
        raise = sym raise,
    )
}
