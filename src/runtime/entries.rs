//! What compiled code calls, in Rust.
//!
//! None of these may unwind: each catches what its callees throw, or calls
//! nothing that can.

use std::ptr::NonNull;

use brolga_ir::datum::Datum;
use brolga_ir::entity::Block;
use brolga_ir::trap::TrapCode;
use brolga_lowering::runtime::{RuntimeEntry, SPENT_MARK};

use super::code_map::Held;
use super::environment::{Again, Environment, Spent};
use super::host::{discard, tell_observer};
use super::record::{Attention, ThreadRecord};
use super::stop::{Stop, read_exit_values};
use super::walk::{Cursor, Landing, LandingKind, append_frames, callers, walk};
use super::{assembly, host, side_stack};

/// The address of an entry of the runtime.
pub(crate) fn entry_address(entry: RuntimeEntry) -> usize {
    match entry {
        RuntimeEntry::Raise => assembly::raise as *const () as usize,
        RuntimeEntry::StackOverflow => assembly::stack_overflow as *const () as usize,
        RuntimeEntry::Poll => assembly::poll as *const () as usize,
        RuntimeEntry::Tier => assembly::tier as *const () as usize,
        RuntimeEntry::Throw => assembly::throw as *const () as usize,
        RuntimeEntry::HostCall => host::call as *const () as usize,
        RuntimeEntry::EnterCallback => assembly::enter_callback as *const () as usize,
        RuntimeEntry::LeaveCallback => assembly::leave_callback as *const () as usize,
        RuntimeEntry::ThreadLocal => assembly::thread_local as *const () as usize,
        RuntimeEntry::SideStack => side_stack::make_side_stack as *const () as usize,
        RuntimeEntry::MemoryCopy => memory_copy as *const () as usize,
        RuntimeEntry::MemoryFill => memory_fill as *const () as usize,
        RuntimeEntry::MemoryCompare => memory_compare as *const () as usize,
        RuntimeEntry::MemoryFind => memory_find as *const () as usize,
    }
}

/// The address that the stub of an undefined symbol leads to.
pub(crate) fn missing_symbol_address() -> usize {
    assembly::missing_symbol as *const () as usize
}

/// The environment of a record.
///
/// # Safety
/// The record is that of the running thread, inside a call.
unsafe fn environment_of<'a>(record: &ThreadRecord) -> &'a Environment {
    // SAFETY: whoever entered keeps the engine alive for the whole call.
    unsafe { &*record.environment }
}

/// Records the stop and prepares the record for going on at the host's entry,
/// or at a handler: what was thrown under a callback goes on being thrown from
/// the call out that led there.
pub(super) unsafe extern "C" fn stop_at_entry(
    record: &mut ThreadRecord,
    code: i64,
    values: *const u8,
) {
    // SAFETY: called by `raise`, on the thread of the record.
    let environment = unsafe { environment_of(record) };
    let start = Cursor { pc: record.exit_pc as usize, frame: record.exit_frame as usize };
    let stop = record.take_pending().unwrap_or_else(|| {
        let code = TrapCode::from_number(code as u32).unwrap_or(TrapCode::Unreachable);
        Box::new(describe_stop(environment, start, code, values))
    });
    let wanted = match stop.exception {
        Some(exception) => {
            record.current_exception = exception;
            LandingKind::Handler
        }
        None => LandingKind::Entry,
    };
    go_on(record, environment, start, stop, wanted);
}

/// What the call site and the record say of a stop.
fn describe_stop(
    environment: &Environment,
    start: Cursor,
    code: TrapCode,
    values: *const u8,
) -> Stop {
    let mut stop = Stop::new(code);
    let placed = environment.code.find(start.pc);
    let exit = placed.as_ref().and_then(|it| it.facts.exit(it.offset_of(start.pc)?));
    if let Some(exit) = exit {
        // SAFETY: the exit's code has just stored values of these types there.
        stop.trap.values = unsafe { read_exit_values(&exit.values, values) };
        stop.trap.side_exit = exit.side;
    }
    stop
}

/// Finds the innermost handler of an exception.
pub(super) unsafe extern "C" fn unwind_to_handler(record: &mut ThreadRecord, exception: u64) {
    record.current_exception = exception;
    // SAFETY: called by `throw`, on the thread of the record.
    let environment = unsafe { environment_of(record) };
    let start = Cursor { pc: record.exit_pc as usize, frame: record.exit_frame as usize };
    let mut stop = Box::new(Stop::new(TrapCode::UncaughtException));
    stop.exception = Some(exception);
    stop.trap.values.push(Datum::Scalar(exception.into()));
    go_on(record, environment, start, stop, LandingKind::Handler);
}

/// Prepares the record for going on where `wanted` is first found; the stop
/// stays in it unless a handler has taken the exception.
fn go_on(
    record: &mut ThreadRecord,
    environment: &Environment,
    start: Cursor,
    mut stop: Box<Stop>,
    wanted: LandingKind,
) {
    let trap = &mut stop.trap;
    let mut mark = None;
    // SAFETY: compiled code has stopped at `start`, which is its frame, and each
    // frame that is visited is live.
    let landing = unsafe {
        walk(&environment.code, start, wanted, |placed, cursor| {
            append_frames(trap, placed, cursor.pc);
            mark = cursor.side_mark(placed).or(mark);
        })
    };
    // Of the frames that are given up, the outermost one was entered first.
    record.side_stack = mark.unwrap_or(record.side_stack);
    if landing.is_some_and(|landing| landing.kind == LandingKind::Entry) {
        record.stop = Some(stop);
    }
    record.exit_frame = 0;
    land(record, landing, 1);
}

fn land(record: &mut ThreadRecord, landing: Option<Landing>, payload: u64) {
    let Some(landing) = landing else {
        // Frames that lead nowhere mean that memory is corrupted, which only
        // raw code can do: going on would run on it.
        std::process::abort();
    };
    record.unwind_pc = landing.pc as u64;
    record.unwind_stack = landing.stack as u64;
    record.unwind_frame = landing.frame as u64;
    record.unwind_payload = payload;
}

/// The address of the code of a function that the stub of that number leads here for; 0, with
/// the reason pending, if there is none. Who makes it may have called back through an address:
/// what that stopped with comes first, whatever was made.
pub(super) unsafe extern "C" fn resolve_missing(record: *mut ThreadRecord, number: u32) -> usize {
    // SAFETY: called by `missing_symbol`, on the thread of the record. No reference to it is
    // kept, as what resolves the function may call compiled code.
    let (environment, caller) = unsafe { (environment_of(&*record), (*record).caller) };
    let resolver = environment.resolver.get().and_then(std::sync::Weak::upgrade);
    let resolve = || match &resolver {
        Some(resolver) => resolver.resolve(number, caller),
        None => Err(Box::new(Stop::new(TrapCode::MissingFunction))),
    };
    let resolved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(resolve));
    let resolved = resolved.unwrap_or_else(|payload| {
        discard(payload);
        Err(Box::new(Stop::new(TrapCode::RefusedFunction)))
    });
    // SAFETY: as above.
    if unsafe { (*record).pending } != 0 {
        discard(resolved);
        return 0;
    }
    match resolved {
        Ok(address) => address,
        Err(stop) => {
            // SAFETY: as above; nothing else of the engine runs on this thread now.
            unsafe { (*record).set_pending(stop) };
            0
        }
    }
}

/// So many of those around a function hear that it is called often.
const MOST_CALLERS: usize = 8;

/// The address of code for the activation with that frame to go on in, on its way back to that
/// block, or at its entry, if the number is none of a block; 0 if it goes on as it is.
pub(super) unsafe extern "C" fn answer_budget(
    record: *mut ThreadRecord,
    frame: usize,
    pc: usize,
    block: u64,
) -> usize {
    // SAFETY: called by `tier`, on the thread of the record. No reference to it is kept, as what
    // compiles may call compiled code.
    let (environment, caller) = unsafe { (environment_of(&*record), (*record).caller) };
    let go_on = || {
        let resolver = environment.resolver.get().and_then(std::sync::Weak::upgrade)?;
        let placed = environment.code.find(pc)?;
        let block = u32::try_from(block).ok().map(Block::from_u32);
        let again = match block {
            // SAFETY: code that asks on its way back to a block has that word in its frame,
            // which is this thread's, and reads it nowhere.
            Some(_) => unsafe { mark_spent(frame) },
            None => Again::No,
        };
        let callers = match block {
            Some(_) => Vec::new(),
            // SAFETY: the function that calls here has that frame.
            None => unsafe { callers(&environment.code, Cursor { pc, frame }, MOST_CALLERS) },
        };
        resolver.go_on(&Spent { placed: &placed, callers, block, again, caller })
    };
    let better = std::panic::catch_unwind(std::panic::AssertUnwindSafe(go_on));
    // The activation has asked for nothing that could fail: what stopped under whoever made
    // code is not for it, as it would not be if another thread had made that.
    // SAFETY: as above, and whoever entered keeps the engine alive.
    if let Some(stop) = unsafe { (*record).take_pending() } {
        // SAFETY: as above.
        unsafe { tell_observer(environment, stop) };
    }
    match better {
        Ok(better) => better.unwrap_or(0),
        Err(payload) => {
            discard(payload);
            0
        }
    }
}

/// Notes that the activation with that frame has used up a budget; tells whether it had before.
///
/// # Safety
/// The frame has the word [`SPENT_MARK`], and nobody else looks at it meanwhile.
unsafe fn mark_spent(frame: usize) -> Again {
    let mark = frame.wrapping_add_signed(SPENT_MARK as isize) as *mut u64;
    // SAFETY: the caller says that the word is there.
    match unsafe { mark.replace(1) } {
        0 => Again::No,
        _ => Again::Yes,
    }
}

/// The number of the code to stop with, or 0 to go on. An interrupt stays until
/// the thread's outermost call is over: a host function that goes on after
/// the call that it made was stopped keeps none of those around it running.
pub(super) unsafe extern "C" fn answer_poll(
    record: &mut ThreadRecord,
    frame: usize,
    pc: usize,
) -> u32 {
    // Taken in any case: while it is asked for, each poll comes here.
    if record.take(Attention::Renew) {
        // Nothing is pending while compiled code runs.
        let _ = record.forget_left(frame);
        if record.inside.is_outermost() {
            renew(record, Cursor { pc, frame });
        }
    }
    if record.wants(Attention::Interrupt) {
        return TrapCode::Interrupted.number();
    }
    if record.fuel < 0 {
        return TrapCode::OutOfFuel.number();
    }
    if record.take(Attention::Clock)
        && record.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline)
    {
        return TrapCode::DeadlineExceeded.number();
    }
    0
}

/// Says of which code the thread has frames: it has been inside for long.
fn renew(record: &mut ThreadRecord, start: Cursor) {
    // SAFETY: called by compiled code, on the thread of the record.
    let environment = unsafe { environment_of(record) };
    let mut held: Vec<Held> = Vec::new();
    // SAFETY: compiled code polls at `start`, which is its frame, and each frame that is visited
    // is live.
    let landing = unsafe {
        walk(&environment.code, start, LandingKind::Entry, |placed, _| held.push(Held::new(placed)))
    };
    // Frames that lead nowhere tell nothing.
    if landing.is_some() {
        record.renew(&environment.epochs, held);
    }
}

/// This thread's copy of the thread-local object at `offset` of the table, or
/// null where there is no memory for it.
pub(super) unsafe extern "C" fn make_thread_local(
    record: &mut ThreadRecord,
    offset: u64,
) -> *mut u8 {
    // SAFETY: called by compiled code, on the thread of the record.
    let environment = unsafe { environment_of(record) };
    let copy = record.locals.make((offset / 8) as usize, &environment.thread_locals);
    copy.map_or(std::ptr::null_mut(), NonNull::as_ptr)
}

unsafe extern "C" fn memory_copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the module that copies was loaded by a caller who vouches for
    // its addresses.
    unsafe { std::ptr::copy(from, to, bytes) };
}

unsafe extern "C" fn memory_fill(to: *mut u8, byte: u8, bytes: usize) {
    // SAFETY: as in `memory_copy`.
    unsafe { std::ptr::write_bytes(to, byte, bytes) };
}

unsafe extern "C" fn memory_find(from: *const u8, byte: u8, bytes: usize) -> usize {
    // SAFETY: the bytes up to the first that is equal are there, by what the op asks of its
    // caller, and C's search goes no further as far as anybody can tell. No object is larger
    // than half of the address space.
    let found = unsafe { libc::memchr(from.cast(), byte.into(), bytes.min(isize::MAX as usize)) };
    if found.is_null() { bytes } else { found as usize - from as usize }
}

unsafe extern "C" fn memory_compare(a: *const u8, b: *const u8, bytes: usize) -> i64 {
    if bytes == 0 {
        return 0;
    }
    // SAFETY: as in `memory_copy`; a slice of no bytes was excluded, since its
    // address may be null.
    let (a, b) =
        unsafe { (std::slice::from_raw_parts(a, bytes), std::slice::from_raw_parts(b, bytes)) };
    a.cmp(b) as i64
}
