//! The thread record: what the pinned register points to.

use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use brolga_lifecycle::epoch::{Epochs, Pin};
use brolga_lifecycle::job::Caller;
use brolga_lowering::runtime::{RECORD_SIZE, RecordField};

use super::Stop;
use super::code_map::Held;
use super::environment::Environment;
use super::inside::Inside;
use super::locals::ThreadLocals;
use super::side_stack::SideStack;
use super::stack;

/// One for each thread that has entered an engine. The first part is compiled
/// code's; its layout is [`RecordField`]'s.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ThreadRecord {
    pub stack_limit: u64,
    pub exit_frame: u64,
    pub exit_pc: u64,
    pub pending: u64,
    pub unwind_stack: u64,
    pub unwind_frame: u64,
    pub unwind_pc: u64,
    pub unwind_payload: u64,
    /// The only field that other threads write.
    pub poll_word: AtomicU64,
    pub fuel: i64,
    pub current_exception: u64,
    pub thread_locals: u64,
    pub allocation_cursor: u64,
    pub allocation_limit: u64,
    pub epoch_pin: u64,
    pub stub_base: u64,
    pub stub_bytes: u64,
    pub call_sequence: u64,
    /// What the engine's threads share, which outlives every call.
    pub environment: *const Environment,
    pub side_stack: u64,
    pub side_stack_limit: u64,
    pub callee: u64,

    /// Why execution stopped, from the raise until the entry takes it, or
    /// while it is pending.
    pub stop: Option<Box<Stop>>,
    /// The thread's copies of thread-local data.
    pub locals: ThreadLocals,
    /// The memory of the side stack.
    pub objects: SideStack,
    /// What the thread is inside of, and keeps what it may find there.
    pub inside: Inside,
    /// Since when.
    pub pin: Arc<Pin>,
    /// What it has frames of, as of when it last looked.
    held: Vec<Held>,
    /// What tells this thread from others.
    pub caller: Caller,
    /// When the running call must be over.
    pub deadline: Option<std::time::Instant>,
}

macro_rules! assert_layout {
    ($($field:ident = $name:ident;)*) => {
        const _: () = {
            $(assert!(offset_of!(ThreadRecord, $field) == RecordField::$name.offset() as usize);)*
            assert!(offset_of!(ThreadRecord, callee) + 8 == RECORD_SIZE as usize);
        };
    };
}

assert_layout! {
    stack_limit = StackLimit;
    exit_frame = ExitFrame;
    exit_pc = ExitPc;
    pending = Pending;
    unwind_stack = UnwindStack;
    unwind_frame = UnwindFrame;
    unwind_pc = UnwindPc;
    unwind_payload = UnwindPayload;
    poll_word = PollWord;
    fuel = Fuel;
    current_exception = CurrentException;
    thread_locals = ThreadLocals;
    allocation_cursor = AllocationCursor;
    allocation_limit = AllocationLimit;
    epoch_pin = EpochPin;
    stub_base = StubBase;
    stub_bytes = StubBytes;
    call_sequence = CallSequence;
    environment = Engine;
    side_stack = SideStack;
    side_stack_limit = SideStackLimit;
    callee = Callee;
}

/// What a bit of the poll word asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attention {
    /// Stop: somebody interrupted the engine.
    Interrupt = 1,
    /// Look at the clock: the deadline may have passed.
    Clock = 2,
    /// Say which code there are frames of: other code may be freed.
    Renew = 4,
}

impl ThreadRecord {
    /// The record of a thread whose stack must not grow below `stack_limit`.
    pub(crate) fn new(environment: &Environment, stack_limit: u64) -> ThreadRecord {
        let stubs = &environment.stubs;
        let locals = ThreadLocals::default();
        ThreadRecord {
            stack_limit,
            exit_frame: 0,
            exit_pc: 0,
            pending: 0,
            unwind_stack: 0,
            unwind_frame: 0,
            unwind_pc: 0,
            unwind_payload: 0,
            poll_word: AtomicU64::new(0),
            fuel: i64::MAX,
            current_exception: 0,
            thread_locals: locals.table_address(),
            allocation_cursor: 0,
            allocation_limit: 0,
            epoch_pin: 0,
            stub_base: stubs.start as u64,
            stub_bytes: stubs.len() as u64,
            call_sequence: 0,
            environment,
            side_stack: 0,
            side_stack_limit: 0,
            callee: 0,
            stop: None,
            locals,
            objects: SideStack::default(),
            inside: Inside::default(),
            pin: Arc::new(Pin::new()),
            held: Vec::new(),
            caller: environment.new_caller(),
            deadline: None,
        }
    }

    /// Comes in, before anything is loaded that leads to code.
    pub(super) fn enter<T>(&mut self, epochs: &Epochs, begin: impl FnOnce(&mut Inside) -> T) -> T {
        if self.inside.is_nothing() {
            epochs.enter(&self.pin);
        }
        begin(&mut self.inside)
    }

    /// Goes out, and holds nothing of what it found inside.
    pub(super) fn leave(&mut self, end: impl FnOnce(&mut Inside)) {
        end(&mut self.inside);
        if self.inside.is_nothing() {
            self.held.clear();
            Epochs::leave(&self.pin);
        }
    }

    /// Forgets callbacks that jumps have left, now that something stands at `here`. Gives what
    /// was pending for compiled code that is not there any more.
    pub(super) fn forget_left(&mut self, here: usize) -> Option<Box<Stop>> {
        if !self.inside.has_callbacks() {
            return None;
        }
        self.inside.forget_left(here, &stack::extent_of_this_thread());
        if self.inside.runs_code() { None } else { self.take_pending() }
    }

    /// Says that, of what was taken out so far, the thread may be inside of that alone.
    pub(super) fn renew(&mut self, epochs: &Epochs, held: Vec<Held>) {
        let before = std::mem::replace(&mut self.held, held);
        epochs.renew(&self.pin);
        drop(before);
    }

    /// Makes the thread look up at its next poll.
    pub(crate) fn request(word: &AtomicU64, attention: Attention) {
        word.fetch_or(attention as u64, Ordering::Release);
    }

    /// Whether `attention` is asked for.
    pub(crate) fn wants(&self, attention: Attention) -> bool {
        self.poll_word.load(Ordering::Relaxed) & attention as u64 != 0
    }

    /// Stops execution as soon as the host has returned to compiled code.
    pub(crate) fn set_pending(&mut self, stop: Box<Stop>) {
        self.stop = Some(stop);
        self.pending = 1;
    }

    /// The stop that is pending, which no longer is.
    pub(crate) fn take_pending(&mut self) -> Option<Box<Stop>> {
        let pending = std::mem::take(&mut self.pending) != 0;
        self.stop.take_if(|_| pending)
    }

    /// Whether `attention` was asked for, and no longer is.
    pub(crate) fn take(&self, attention: Attention) -> bool {
        let bit = attention as u64;
        self.wants(attention) && self.poll_word.fetch_and(!bit, Ordering::Acquire) & bit != 0
    }
}
