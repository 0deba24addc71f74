//! The entries of the runtime, for code that returns, stops or throws.

use std::arch::naked_asm;
use std::ops::Range;

use brolga_ir::trap::TrapCode;
use brolga_lowering::runtime::{RECORD_SIZE, RecordField, RuntimeEntry};
use brolga_lowering::unit::CompiledUnit;

/// Bytes of stack that code may use.
const STACK: u64 = 16 << 20;

/// Polls that code may come to.
const FUEL: u64 = 1 << 40;

/// What units stand where.
type Frames<'a> = [(u64, &'a CompiledUnit)];

/// The thread record.
pub(super) struct Record<'a> {
    words: [u64; RECORD_SIZE as usize / 8],
    frames: &'a Frames<'a>,
}

impl<'a> Record<'a> {
    /// A record for code whose stubs stand in these addresses.
    pub(super) fn new(frames: &'a Frames<'a>, stubs: Range<u64>) -> Record<'a> {
        let mut record = Record { words: [0; RECORD_SIZE as usize / 8], frames };
        record.set(RecordField::StubBase, stubs.start);
        record.set(RecordField::StubBytes, stubs.end - stubs.start);
        record
    }

    /// Calls the function at `entry` by the thunk of its signature; gives the status.
    ///
    /// # Safety
    /// `thunk` is the entry thunk of the function's signature, and `buffer` has room for
    /// arguments and results.
    pub(super) unsafe fn enter(&mut self, thunk: *const u8, entry: u64, buffer: *mut u8) -> u64 {
        let here = 0_u8;
        let frames: *const &Frames<'a> = &self.frames;
        self.set(RecordField::StackLimit, (&raw const here) as u64 - STACK);
        self.set(RecordField::Fuel, FUEL);
        self.set(RecordField::Engine, frames as u64);
        type Thunk = unsafe extern "C" fn(u64, *mut u64, *mut u8) -> u64;
        // SAFETY: by the caller's promise.
        unsafe {
            let thunk: Thunk = std::mem::transmute(thunk);
            thunk(entry, self.words.as_mut_ptr(), buffer)
        }
    }

    fn set(&mut self, field: RecordField, value: u64) {
        self.words[field.offset() as usize / 8] = value;
    }
}

/// The address of an entry, if it is here.
pub(super) fn address_of(entry: RuntimeEntry) -> Option<u64> {
    Some(match entry {
        RuntimeEntry::Raise => raise as *const () as u64,
        RuntimeEntry::StackOverflow => stack_overflow as *const () as u64,
        RuntimeEntry::Throw => throw as *const () as u64,
        RuntimeEntry::Poll => poll as *const () as u64,
        RuntimeEntry::MemoryCopy => copy as *const () as u64,
        RuntimeEntry::MemoryFill => fill as *const () as u64,
        RuntimeEntry::MemoryCompare => compare as *const () as u64,
        RuntimeEntry::MemoryFind => search as *const () as u64,
        _ => return None,
    })
}

macro_rules! leave_frames {
    ($find:path) => {
        naked_asm!(
            "mov rcx, [rsp]",
            "mov rdx, rbp",
            "mov rsi, rdi",
            "mov rdi, r15",
            "and rsp, -16",
            "call {find}",
            "mov rsp, [r15 + {stack}]",
            "mov rbp, [r15 + {frame}]",
            "mov rax, [r15 + {payload}]",
            "jmp [r15 + {pc}]",
            find = sym $find,
            stack = const RecordField::UnwindStack.offset(),
            frame = const RecordField::UnwindFrame.offset(),
            payload = const RecordField::UnwindPayload.offset(),
            pc = const RecordField::UnwindPc.offset(),
        )
    };
}

#[unsafe(naked)]
unsafe extern "C" fn raise() -> ! {
    leave_frames!(find_entry)
}

#[unsafe(naked)]
unsafe extern "C" fn throw() -> ! {
    leave_frames!(find_handler)
}

#[unsafe(naked)]
unsafe extern "C" fn stack_overflow() -> ! {
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

extern "C" fn poll() {}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    if bytes > 0 {
        // SAFETY: a test's code copies what it declares.
        unsafe { std::ptr::copy(from, to, bytes) }
    }
}

unsafe extern "C" fn fill(to: *mut u8, byte: u64, bytes: usize) {
    if bytes > 0 {
        // SAFETY: a test's code fills what it declares.
        unsafe { std::ptr::write_bytes(to, byte as u8, bytes) }
    }
}

unsafe extern "C" fn compare(first: *const u8, second: *const u8, bytes: usize) -> i64 {
    if bytes == 0 {
        return 0;
    }
    // SAFETY: a test's code compares what it declares.
    let [first, second] =
        unsafe { [first, second].map(|start| std::slice::from_raw_parts(start, bytes)) };
    first.cmp(second) as i64
}

unsafe extern "C" fn search(from: *const u8, byte: u64, bytes: usize) -> usize {
    // SAFETY: a test's code has the bytes up to the first that it looks for.
    let is_it = |&at: &usize| unsafe { *from.add(at) } == byte as u8;
    (0..bytes).find(is_it).unwrap_or(bytes)
}

/// Goes on in the thunk that entered.
unsafe extern "C" fn find_entry(record: *mut u64, code: u64, fp: *const u64, pc: u64) {
    // SAFETY: code calls with its record and its frame pointer.
    unsafe { find(record, code + 1, fp, pc, Wanted::Entry) }
}

/// Goes on at the innermost handler.
unsafe extern "C" fn find_handler(record: *mut u64, exception: u64, fp: *const u64, pc: u64) {
    // SAFETY: as above; the record has the field.
    unsafe {
        *record.add(RecordField::CurrentException.offset() as usize / 8) = exception;
        let payload = u64::from(TrapCode::UncaughtException.number()) + 1;
        find(record, payload, fp, pc, Wanted::Handler);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Entry,
    Handler,
}

/// Walks the frames.
unsafe fn find(record: *mut u64, payload: u64, mut fp: *const u64, mut pc: u64, wanted: Wanted) {
    let field = |field: RecordField| field.offset() as usize / 8;
    // SAFETY: the record is that of `Record::enter`, which outlives the call, and frame pointers
    // lead from frame to frame up to the thunk.
    unsafe {
        let frames: &Frames<'_> = *(*record.add(field(RecordField::Engine)) as *const &Frames<'_>);
        let thunk = frames.len() - 1;
        loop {
            let at = frames.iter().position(|(start, unit)| {
                (*start..start + unit.code.len() as u64).contains(&(pc - 1))
            });
            if let Some(index) = at {
                let (start, unit) = frames[index];
                let handler = unit.call_site((pc - start) as u32).and_then(|site| site.handler);
                if let Some(handler) =
                    handler.filter(|_| index == thunk || wanted == Wanted::Handler)
                {
                    let stack = fp as u64 - u64::from(handler.frame_offset);
                    *record.add(field(RecordField::UnwindStack)) = stack;
                    *record.add(field(RecordField::UnwindFrame)) = fp as u64;
                    *record.add(field(RecordField::UnwindPc)) = start + u64::from(handler.offset);
                    *record.add(field(RecordField::UnwindPayload)) = payload;
                    return;
                }
            }
            pc = *fp.add(1);
            fp = *fp as *const u64;
        }
    }
}
