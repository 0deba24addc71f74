//! The runtime of the image, in machine code: a loop over the calls, and the
//! least that the entries ask for.

use brolga_ir::trap::TrapCode;
use brolga_lowering::runtime::{RecordField, RuntimeEntry};

use super::assembler::{Assembler, Condition, Label, SP};

/// The first integer argument of the internal convention.
const FIRST: u32 = 2;

/// The thread record, while compiled code runs.
const RECORD: u32 = 21;

/// What the loop finds of a call and leaves of it, in bytes from its start.
pub(super) mod call {
    /// The entry thunk.
    pub(crate) const THUNK: u32 = 0;
    /// The function's internal entry.
    pub(crate) const ENTRY: u32 = 8;
    /// Arguments and results.
    pub(crate) const BUFFER: u32 = 16;
    /// The stack pointer at the thunk's handler is its frame less this.
    pub(crate) const FRAME_OFFSET: u32 = 24;
    /// The thunk's handler.
    pub(crate) const HANDLER: u32 = 32;
    /// 0, or the trap code above bit 32.
    pub(crate) const STATUS: u32 = 40;
    /// The reference that was thrown last.
    pub(crate) const EXCEPTION: u32 = 56;
    /// The exit values.
    pub(crate) const VALUES: u32 = 64;
    /// Room for exit values.
    pub(crate) const VALUE_BYTES: u32 = 2048;
    /// Where it stopped, and the return addresses that led there, then a zero.
    pub(crate) const CHAIN: u32 = VALUES + VALUE_BYTES;
    /// Room for return addresses.
    pub(crate) const CHAIN_LENGTH: u32 = 200;
    /// Bytes of all.
    pub(crate) const SIZE: u32 = CHAIN + 8 * (CHAIN_LENGTH + 1);
}

/// Bytes of the side stack.
pub(super) const SIDE_STACK: u64 = 1 << 19;

/// Where things of the image are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) record: u64,
    /// [`SIDE_STACK`] bytes.
    pub(super) side_stack: u64,
    pub(super) calls: u64,
    pub(super) call_count: u64,
    /// What the program writes when it is done.
    pub(super) output: u64,
    pub(super) output_bytes: u64,
    /// The data objects, and their first contents.
    pub(super) data: u64,
    pub(super) data_copy: u64,
    pub(super) data_bytes: u64,
    /// How many of these bytes are put back before each call.
    pub(super) reset_bytes: u64,
    /// Handlers: return address, handler, frame offset; then a zero.
    pub(super) handlers: u64,
}

/// The C functions of the image, by name.
pub(super) const FOREIGN: &[&str] =
    &["abs", "labs", "toupper", "tolower", "sqrt", "fabs", "floor", "memmove", "memset"];

/// The code of the runtime, which starts at 0, and where its parts are.
pub(super) struct Runtime {
    pub(super) code: Vec<u8>,
    pub(super) entries: Vec<(RuntimeEntry, u64)>,
    /// In the order of [`FOREIGN`].
    pub(super) foreign: Vec<u64>,
}

pub(super) fn runtime(places: &Places) -> Runtime {
    let mut code = Assembler::default();
    emit_start(&mut code, places);
    let raise = emit_raise(&mut code);
    let (copy, fill) = (emit_copy(&mut code), emit_fill(&mut code));
    let entries: Vec<(RuntimeEntry, Label)> = RuntimeEntry::ALL
        .iter()
        .map(|&entry| {
            let label = match entry {
                RuntimeEntry::Raise => raise,
                RuntimeEntry::StackOverflow => emit_stack_overflow(&mut code, raise),
                RuntimeEntry::Throw => emit_throw(&mut code, places),
                RuntimeEntry::MemoryCopy => copy,
                RuntimeEntry::MemoryFill => fill,
                RuntimeEntry::MemoryCompare => emit_compare(&mut code),
                RuntimeEntry::MemoryFind => emit_find(&mut code),
                RuntimeEntry::EnterCallback => {
                    let label = code.here();
                    code.constant(0, places.record);
                    code.give_back();
                    label
                }
                RuntimeEntry::LeaveCallback => {
                    let label = code.here();
                    code.store(1, 0, RecordField::Pending.offset());
                    code.give_back();
                    label
                }
                RuntimeEntry::Poll => {
                    let label = code.here();
                    code.give_back();
                    label
                }
                // It is there from the start.
                RuntimeEntry::SideStack => {
                    let label = code.here();
                    code.constant(0, 0);
                    code.give_back();
                    label
                }
                // Programs that need a host are not for this, thread-local objects are in
                // the table from the start, and nothing counts.
                RuntimeEntry::HostCall | RuntimeEntry::ThreadLocal | RuntimeEntry::Tier => {
                    let label = code.here();
                    code.stop();
                    label
                }
            };
            (entry, label)
        })
        .collect();
    let foreign: Vec<Label> =
        FOREIGN.iter().map(|name| emit_foreign(&mut code, name, copy, fill)).collect();
    let (bytes, offset) = code.finish();
    Runtime {
        code: bytes,
        entries: entries.into_iter().map(|(entry, label)| (entry, offset(label))).collect(),
        foreign: foreign.into_iter().map(&offset).collect(),
    }
}

/// A C function by the platform's convention.
fn emit_foreign(code: &mut Assembler, name: &str, copy: Label, fill: Label) -> Label {
    let label = code.here();
    match name {
        "abs" => code.words(&[0x7100_001f, 0x5a80_a400]),
        "labs" => code.words(&[0xf100_001f, 0xda80_a400]),
        // The distance from `a` or `A`, compared with that of the letter behind `z`.
        "toupper" => code.words(&[0x5101_8409, 0x7100_693f, 0x5100_8009, 0x1a80_3120]),
        "tolower" => code.words(&[0x5101_0409, 0x7100_693f, 0x1100_8009, 0x1a80_3120]),
        "sqrt" => code.words(&[0x1e61_c000]),
        "fabs" => code.words(&[0x1e60_c000]),
        "floor" => code.words(&[0x1e65_4000]),
        "memmove" => code.branch(copy),
        "memset" => code.branch(fill),
        _ => code.stop(),
    }
    code.give_back();
    label
}

fn emit_start(code: &mut Assembler, places: &Places) {
    let (call, left, record) = (19, 20, 22);
    code.constant(call, places.calls);
    code.constant(left, places.call_count);
    code.constant(record, places.record);
    code.constant(9, 4 << 20);
    code.add_constant(10, SP, 0);
    code.subtract(10, 10, 9);
    code.store(10, record, RecordField::StackLimit.offset());
    code.constant(10, places.side_stack);
    code.store(10, record, RecordField::SideStackLimit.offset());
    let (again, done) = (code.here(), code.label());
    code.branch_if_zero(left, done);
    emit_reset(code, places);
    code.constant(9, places.side_stack + SIDE_STACK);
    code.store(9, record, RecordField::SideStack.offset());
    // Where the entry thunk's frame will be: it pushes frame and return address.
    code.subtract_constant(9, SP, 16);
    code.store(9, record, RecordField::UnwindFrame.offset());
    code.load(10, call, call::FRAME_OFFSET);
    code.subtract(9, 9, 10);
    code.store(9, record, RecordField::UnwindStack.offset());
    code.load(9, call, call::HANDLER);
    code.store(9, record, RecordField::UnwindPc.offset());
    if places.reset_bytes != 0 {
        code.store(SP, record, RecordField::CurrentException.offset());
    }
    code.store(call, record, RecordField::Engine.offset());
    code.load(16, call, call::THUNK);
    code.load(0, call, call::ENTRY);
    code.copy(1, record);
    code.load(2, call, call::BUFFER);
    code.call_register(16);
    code.store(0, call, call::STATUS);
    code.add_constant(call, call, call::SIZE);
    code.subtract_constant(left, left, 1);
    code.branch(again);
    code.bind(done);
    emit_finish(code, places);
}

/// Puts the data objects back to what they hold at first.
fn emit_reset(code: &mut Assembler, places: &Places) {
    code.constant(0, places.data);
    code.constant(1, places.data_copy);
    code.constant(2, places.reset_bytes);
    code.constant(9, 0);
    let (again, done) = (code.here(), code.label());
    code.compare(9, 2);
    code.branch_if(Condition::NotBelow, done);
    code.load_byte(10, 1, 9);
    code.store_byte(10, 0, 9);
    code.add_constant(9, 9, 1);
    code.branch(again);
    code.bind(done);
}

/// Writes what the calls left, then the data objects.
fn emit_finish(code: &mut Assembler, places: &Places) {
    const EXIT_GROUP: u64 = 94;
    emit_write(code, places.output, places.output_bytes);
    emit_write(code, places.data, places.data_bytes);
    code.constant(0, 0);
    code.system_call(EXIT_GROUP);
}

fn emit_write(code: &mut Assembler, start: u64, bytes: u64) {
    const WRITE: u64 = 64;
    code.constant(19, start);
    code.constant(20, bytes);
    let (again, done) = (code.here(), code.label());
    code.branch_if_zero(20, done);
    code.constant(0, 1);
    code.copy(1, 19);
    code.copy(2, 20);
    code.system_call(WRITE);
    code.add(19, 19, 0);
    code.subtract(20, 20, 0);
    code.branch(again);
    code.bind(done);
}

/// Notes the return addresses from here to the entry thunk. Changes x9 to x15.
fn emit_chain(code: &mut Assembler) {
    let (row, frame, pc, left, last) = (9, 10, 11, 12, 13);
    code.load(row, RECORD, RecordField::Engine.offset());
    code.add_constant(row, row, call::CHAIN);
    code.copy(frame, 29);
    code.copy(pc, 30);
    code.constant(left, call::CHAIN_LENGTH.into());
    code.load(last, RECORD, RecordField::UnwindFrame.offset());
    let (again, done) = (code.here(), code.label());
    code.branch_if_zero(left, done);
    code.store(pc, row, 0);
    code.add_constant(row, row, 8);
    code.subtract_constant(left, left, 1);
    code.compare(frame, last);
    code.branch_if(Condition::Equal, done);
    code.load(pc, frame, 8);
    code.load(frame, frame, 0);
    code.branch(again);
    code.bind(done);
    code.store(SP, row, 0);
}

/// Notes where and why, and goes on at the entry thunk's handler.
fn emit_raise(code: &mut Assembler) -> Label {
    let label = code.here();
    let (reason, values) = (FIRST, FIRST + 1);
    // What a callback failed of is what execution stops with.
    let own = code.label();
    code.load(9, RECORD, RecordField::Pending.offset());
    code.branch_if_zero(9, own);
    code.copy(reason, 9);
    code.store(SP, RECORD, RecordField::Pending.offset());
    code.bind(own);
    emit_chain(code);
    code.load(9, RECORD, RecordField::Engine.offset());
    let (copied, again) = (code.label(), code.label());
    code.branch_if_zero(values, copied);
    code.constant(10, 0);
    code.add_constant(11, 9, call::VALUES);
    code.bind(again);
    code.load_byte(12, values, 10);
    code.store_byte(12, 11, 10);
    code.add_constant(10, 10, 1);
    code.compare_constant(10, call::VALUE_BYTES);
    code.branch_if(Condition::NotEqual, again);
    code.bind(copied);
    code.constant(0, 1 << 32);
    code.or(0, 0, reason);
    code.load(9, RECORD, RecordField::UnwindStack.offset());
    code.add_constant(SP, 9, 0);
    code.load(29, RECORD, RecordField::UnwindFrame.offset());
    code.load(9, RECORD, RecordField::UnwindPc.offset());
    code.branch_to_register(9);
    label
}

/// Makes the frame that the function has not made.
fn emit_stack_overflow(code: &mut Assembler, raise: Label) -> Label {
    let label = code.here();
    code.push_frame(17);
    code.add_constant(29, SP, 0);
    code.constant(FIRST, TrapCode::StackOverflow.number().into());
    code.constant(FIRST + 1, 0);
    code.branch(raise);
    label
}

/// Walks to the innermost handler.
fn emit_throw(code: &mut Assembler, places: &Places) -> Label {
    let label = code.here();
    let (frame, pc, row) = (9, 10, 11);
    code.store(FIRST, RECORD, RecordField::CurrentException.offset());
    emit_chain(code);
    code.load(13, RECORD, RecordField::Engine.offset());
    code.store(FIRST, 13, call::EXCEPTION);
    code.copy(frame, 29);
    code.copy(pc, 30);
    let outward = code.here();
    code.constant(row, places.handlers);
    let (next, up, found) = (code.here(), code.label(), code.label());
    code.load(12, row, 0);
    code.branch_if_zero(12, up);
    code.compare(12, pc);
    code.branch_if(Condition::Equal, found);
    code.add_constant(row, row, 24);
    code.branch(next);
    code.bind(up);
    code.load(pc, frame, 8);
    code.load(frame, frame, 0);
    code.branch(outward);
    code.bind(found);
    code.load(12, row, 16);
    code.subtract(12, frame, 12);
    code.add_constant(SP, 12, 0);
    code.copy(29, frame);
    code.constant(0, 1 << 32 | u64::from(TrapCode::UncaughtException.number()));
    code.load(12, row, 8);
    code.branch_to_register(12);
    label
}

/// `(to, from, bytes)`: from the end that the other does not overwrite.
fn emit_copy(code: &mut Assembler) -> Label {
    let label = code.here();
    let (to, from, bytes) = (0, 1, 2);
    let (down, done) = (code.label(), code.label());
    code.compare(from, to);
    code.branch_if(Condition::Below, down);
    code.constant(9, 0);
    let up = code.here();
    code.compare(9, bytes);
    code.branch_if(Condition::Equal, done);
    code.load_byte(10, from, 9);
    code.store_byte(10, to, 9);
    code.add_constant(9, 9, 1);
    code.branch(up);
    code.bind(down);
    code.branch_if_zero(bytes, done);
    code.subtract_constant(bytes, bytes, 1);
    code.load_byte(10, from, bytes);
    code.store_byte(10, to, bytes);
    code.branch(down);
    code.bind(done);
    code.give_back();
    label
}

fn emit_fill(code: &mut Assembler) -> Label {
    let label = code.here();
    let (to, byte, bytes) = (0, 1, 2);
    let (again, done) = (code.here(), code.label());
    code.branch_if_zero(bytes, done);
    code.subtract_constant(bytes, bytes, 1);
    code.store_byte(byte, to, bytes);
    code.branch(again);
    code.bind(done);
    code.give_back();
    label
}

fn emit_find(code: &mut Assembler) -> Label {
    let label = code.here();
    let (from, byte, bytes) = (0, 1, 2);
    let done = code.label();
    code.constant(9, 0);
    let again = code.here();
    code.compare(9, bytes);
    code.branch_if(Condition::Equal, done);
    code.load_byte(10, from, 9);
    code.compare(10, byte);
    code.branch_if(Condition::Equal, done);
    code.add_constant(9, 9, 1);
    code.branch(again);
    code.bind(done);
    code.copy(0, 9);
    code.give_back();
    label
}

fn emit_compare(code: &mut Assembler) -> Label {
    let label = code.here();
    let (a, b, bytes) = (0, 1, 2);
    let (differ, below, equal) = (code.label(), code.label(), code.label());
    code.constant(9, 0);
    let again = code.here();
    code.compare(9, bytes);
    code.branch_if(Condition::Equal, equal);
    code.load_byte(10, a, 9);
    code.load_byte(11, b, 9);
    code.compare(10, 11);
    code.branch_if(Condition::NotEqual, differ);
    code.add_constant(9, 9, 1);
    code.branch(again);
    code.bind(differ);
    code.branch_if(Condition::Below, below);
    code.constant(0, 1);
    code.give_back();
    code.bind(below);
    code.constant(0, u64::MAX);
    code.give_back();
    code.bind(equal);
    code.constant(0, 0);
    code.give_back();
    label
}
