//! The entries of the runtime, for one thread.

use std::arch::naked_asm;
use std::cell::Cell;

use brolga_ir::datum::Datum;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Type, TypePool};

use super::{HostFunction, Role, Session, Stopped};
use crate::buffer::BufferLayout;
use crate::runtime::{RECORD_SIZE, RuntimeEntry};
use crate::unit::{SourceFrame, ValueShape};

/// The thread record.
#[derive(Default)]
#[repr(C)]
pub(in super::super) struct Record {
    pub(super) stack_limit: u64,
    exit_frame: u64,
    exit_pc: u64,
    pending: u64,
    unwind_stack: u64,
    unwind_frame: u64,
    unwind_pc: u64,
    unwind_payload: u64,
    pub(in super::super) poll_word: u64,
    pub(in super::super) fuel: i64,
    current_exception: u64,
    pub(super) thread_locals: u64,
    allocation: [u64; 3],
    pub(super) stub_base: u64,
    pub(super) stub_bytes: u64,
    pub(in super::super) call_sequence: u64,
    pub(super) engine: u64,
    side_stack: u64,
    side_stack_limit: u64,
    callee: u64,
}

const _: () = assert!(size_of::<Record>() == RECORD_SIZE as usize);

thread_local! {
    static CURRENT: Cell<*mut Record> = const { Cell::new(std::ptr::null_mut()) };
}

/// Says whose record callbacks of this thread find.
pub(super) fn enter(record: &mut Record, exit_frames: &mut Vec<u64>) {
    exit_frames.push(std::mem::take(&mut record.exit_frame));
    CURRENT.set(record);
}

/// The end of a call.
pub(super) fn leave(exit_frames: &mut Vec<u64>) {
    let current = CURRENT.get();
    // SAFETY: it was set by `enter`, whose caller still holds the record.
    unsafe { (*current).exit_frame = exit_frames.pop().unwrap() };
}

/// Where an entry's code is.
pub(super) fn address(entry: RuntimeEntry) -> u64 {
    let code: *const () = match entry {
        RuntimeEntry::Raise => raise as *const (),
        RuntimeEntry::StackOverflow => stack_overflow as *const (),
        RuntimeEntry::Poll => poll as *const (),
        // Nothing counts here.
        RuntimeEntry::Tier => raise as *const (),
        RuntimeEntry::Throw => throw as *const (),
        RuntimeEntry::HostCall => host_call as *const (),
        RuntimeEntry::EnterCallback => enter_callback as *const (),
        RuntimeEntry::LeaveCallback => leave_callback as *const (),
        RuntimeEntry::ThreadLocal => thread_local as *const (),
        RuntimeEntry::SideStack => side_stack as *const (),
        RuntimeEntry::MemoryCopy => copy as *const (),
        RuntimeEntry::MemoryFill => fill as *const (),
        RuntimeEntry::MemoryCompare => compare as *const (),
        RuntimeEntry::MemoryFind => find as *const (),
    };
    code as u64
}

/// Internal convention: code in rdi, values in rsi, record in r15.
#[unsafe(naked)]
unsafe extern "C" fn raise() {
    naked_asm!(
        "mov rax, [rsp]", "mov [r15 + 8], rbp", "mov [r15 + 16], rax",
        "mov rdx, rsi", "mov rsi, rdi", "mov rdi, r15", "and rsp, -16",
        "call {stop}",
        "mov rsp, [r15 + 32]", "mov rbp, [r15 + 40]", "mov rax, [r15 + 56]",
        "jmp [r15 + 48]",
        stop = sym stop,
    )
}

/// Entered before there is a frame: makes it, so that the walk starts right.
#[unsafe(naked)]
unsafe extern "C" fn stack_overflow() {
    naked_asm!(
        "pop r11", "push rbp", "mov rbp, rsp", "push r11",
        "mov edi, {code}", "xor esi, esi", "jmp {raise}",
        code = const TrapCode::StackOverflow.number(), raise = sym raise,
    )
}

#[unsafe(naked)]
unsafe extern "C" fn throw() {
    naked_asm!(
        "mov rax, [rsp]", "mov [r15 + 8], rbp", "mov [r15 + 16], rax",
        "mov rsi, rdi", "mov rdi, r15", "and rsp, -16",
        "call {find}",
        "mov rsp, [r15 + 32]", "mov rbp, [r15 + 40]", "mov rax, [r15 + 56]",
        "jmp [r15 + 48]",
        find = sym find_handler,
    )
}

#[unsafe(naked)]
unsafe extern "C" fn poll() {
    naked_asm!(
        "push rbp", "mov rbp, rsp", "mov rdi, r15", "call {check}", "pop rbp",
        "test rax, rax", "jnz 2f", "ret",
        "2: mov rdi, rax", "xor esi, esi", "jmp {raise}",
        check = sym check_poll, raise = sym raise,
    )
}

#[unsafe(naked)]
unsafe extern "C" fn thread_local() {
    naked_asm!(
        "push rbp", "mov rbp, rsp", "mov rsi, rdi", "mov rdi, r15", "call {make}", "pop rbp", "ret",
        make = sym make_thread_local,
    )
}

fn session<'a>(record: &Record) -> &'a mut Session<'a> {
    // SAFETY: `Session::call` put itself there, and waits while its code runs.
    unsafe { &mut *(record.engine as *mut Session<'a>) }
}

extern "C" fn make_thread_local(record: &mut Record, offset: u64) -> u64 {
    session(record).make_thread_local(offset)
}

extern "C" fn check_poll(record: &mut Record) -> u64 {
    match record.poll_word {
        0 if record.fuel < 0 => TrapCode::OutOfFuel.number().into(),
        0 => 0,
        _ => TrapCode::Interrupted.number().into(),
    }
}

/// A word of the stack.
fn read(at: u64) -> u64 {
    // SAFETY: frame pointers are kept by all compiled code, and the walk ends
    // at the thunk that was entered by.
    unsafe { *(at as *const u64) }
}

/// Walks to the first handler that `wanted` takes; gives the functions passed.
fn unwind(record: &mut Record, wanted: Option<Role>) -> (Role, Vec<(String, u32)>) {
    let session = session(record);
    let (mut frame, mut pc) = (record.exit_frame, record.exit_pc);
    let mut passed = Vec::new();
    loop {
        let placed = session.unit_at(pc).expect("a return address into compiled code");
        let site = placed.unit.call_site((pc - placed.start) as u32).expect("a call site");
        // A function that found no stack was not entered: the stop is at its call.
        let overflowed = site.exit.as_ref().map(|exit| exit.code) == Some(TrapCode::StackOverflow);
        if placed.role == Role::Function && !overflowed {
            let mut chain: Vec<&SourceFrame> = placed.unit.frame_chain(site.frame).collect();
            let outermost = chain.pop();
            for inlined in chain {
                let name = inlined.function.as_deref().unwrap_or("?");
                passed.push((name.to_owned(), inlined.line));
            }
            passed.push((placed.unit.name.to_string(), outermost.map_or(0, |frame| frame.line)));
        }
        if let Some(handler) = site.handler
            && wanted.is_none_or(|role| role == placed.role)
        {
            record.unwind_stack = frame - u64::from(handler.frame_offset);
            record.unwind_frame = frame;
            record.unwind_pc = placed.start + u64::from(handler.offset);
            record.unwind_payload = 1;
            record.exit_frame = 0;
            return (placed.role, passed);
        }
        (pc, frame) = (read(frame + 8), read(frame));
    }
}

extern "C" fn stop(record: &mut Record, code: u64, values: u64) {
    let session = session(record);
    let mut code = TrapCode::from_number(code as u32).unwrap();
    let placed = session.unit_at(record.exit_pc).unwrap();
    let site = placed.unit.call_site((record.exit_pc - placed.start) as u32).unwrap();
    if let Some(exit) = &site.exit {
        assert_eq!(exit.code, code, "the site says why");
    }
    let side = site.exit.as_ref().and_then(|exit| {
        let values = side_values(&exit.values, values);
        exit.side.map(|number| (number, values))
    });
    if code == TrapCode::HostError && record.pending != 0 {
        code = TrapCode::from_number(record.pending as u32).unwrap();
        record.pending = 0;
    }
    let (_, frames) = unwind(record, Some(Role::Thunk));
    record.unwind_payload = code.number().into();
    session.stopped = Some(Stopped { code, frames, side });
}

fn side_values(shapes: &[ValueShape], values: u64) -> Vec<Datum> {
    let (pool, mut leaves) = (TypePool::default(), Vec::new());
    shapes.iter().for_each(|shape| shape.append_leaves(&mut leaves));
    let layout = BufferLayout::of(&pool, leaves.iter().copied()).unwrap();
    let read = |(&ty, &offset): (&Type, &u32)| {
        let size = pool.layout(ty).size as usize;
        // SAFETY: the exit has stored a value of that type there.
        let bytes =
            unsafe { std::slice::from_raw_parts((values + u64::from(offset)) as *const u8, size) };
        Datum::from_bytes(&pool, ty, bytes)
    };
    let mut leaves = leaves.iter().zip(&layout.offsets).map(read);
    shapes.iter().map(|shape| shape.join(&mut leaves)).collect()
}

extern "C" fn find_handler(record: &mut Record, exception: u64) {
    record.current_exception = exception;
    let (role, frames) = unwind(record, None);
    if role == Role::Thunk {
        let code = TrapCode::UncaughtException;
        record.unwind_payload = code.number().into();
        session(record).stopped = Some(Stopped { code, frames, side: None });
    }
}

extern "C" fn host_call(
    values: *mut u128,
    host: *mut (usize, HostFunction),
    record: &mut Record,
) -> u64 {
    // SAFETY: the thunk gives what the session put into the slot.
    let (strides, closure) = unsafe { &mut *host };
    // SAFETY: the thunk gives a buffer for all arguments and results.
    let values = unsafe { std::slice::from_raw_parts_mut(values, *strides) };
    match closure(values) {
        Ok(()) => 0,
        Err(code) => {
            record.pending = code.number().into();
            1
        }
    }
}

extern "C" fn enter_callback(_stub: u64) -> *mut Record {
    let record = CURRENT.get();
    // SAFETY: a callback runs inside of a call, whose session holds the record.
    match unsafe { (*record).pending } {
        0 => record,
        _ => std::ptr::null_mut(),
    }
}

extern "C" fn leave_callback(record: &mut Record, status: u64) {
    record.pending = status;
}

/// Memory that is never given back.
extern "C" fn side_stack(record: &mut Record) -> u64 {
    const WORDS: usize = 1 << 16;
    let memory = vec![0_u128; WORDS].leak().as_ptr_range();
    record.side_stack_limit = (memory.start as u64).next_multiple_of(4096);
    record.side_stack = memory.end as u64;
    1
}

extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the program's promise.
    unsafe { std::ptr::copy(from, to, bytes) }
}

extern "C" fn fill(to: *mut u8, byte: u64, bytes: usize) {
    // SAFETY: the program's promise.
    unsafe { std::ptr::write_bytes(to, byte as u8, bytes) }
}

extern "C" fn find(from: *const u8, byte: u64, bytes: usize) -> usize {
    // SAFETY: the program's promise, up to the first that is equal.
    let is_it = |&at: &usize| unsafe { *from.add(at) } == byte as u8;
    (0..bytes).find(is_it).unwrap_or(bytes)
}

extern "C" fn compare(a: *const u8, b: *const u8, bytes: usize) -> i64 {
    if bytes == 0 {
        return 0;
    }
    // SAFETY: the program's promise.
    let (a, b) =
        unsafe { (std::slice::from_raw_parts(a, bytes), std::slice::from_raw_parts(b, bytes)) };
    a.cmp(b) as i64
}
