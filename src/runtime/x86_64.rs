//! The entries that must be written in assembly, for x86-64.
//!
//! Compiled code calls them by the internal convention: the first two integer
//! arguments in `rdi` and `rsi`, the thread record in `r15`, a frame pointer
//! in every function.

use std::arch::naked_asm;
use std::mem::offset_of;

use brolga_ir::trap::TrapCode;

use super::entries;
use super::record::ThreadRecord;

/// `(code, values)`: records where execution stopped and goes on at the
/// innermost host entry.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn raise() -> ! {
    naked_asm!(
        "mov rax, [rsp]",
        "mov [r15 + {exit_frame}], rbp",
        "mov [r15 + {exit_pc}], rax",
        "mov rdx, rsi",
        "mov rsi, rdi",
        "mov rdi, r15",
        "and rsp, -16",
        "call {stop}",
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
        stop = sym entries::stop_at_entry,
    )
}

/// `(exception)`: records where it was thrown and goes on at the innermost
/// handler.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn throw() -> ! {
    naked_asm!(
        "mov rax, [rsp]",
        "mov [r15 + {exit_frame}], rbp",
        "mov [r15 + {exit_pc}], rax",
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
        find = sym entries::unwind_to_handler,
    )
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

/// Jumped to from the stub of a symbol that nobody defines, whose number is
/// in `eax`: raises as if from the call of the stub.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn missing_symbol() -> ! {
    naked_asm!(
        "mov [r15 + {payload}], rax",
        "mov edi, {code}",
        "xor esi, esi",
        "jmp {raise}",
        payload = const offset_of!(ThreadRecord, unwind_payload),
        code = const TrapCode::MissingFunction.number(),
        raise = sym raise,
    )
}

/// `(offset) -> address`: this thread's copy of a thread-local object.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn thread_local() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rsi, rdi",
        "mov rdi, r15",
        "call {make}",
        "pop rbp",
        "ret",
        make = sym entries::make_thread_local,
    )
}
