//! What compiled code expects of whoever runs it: the thread record and the
//! entries of the runtime, as data. The engine implements both and asserts
//! the equality of the layouts when it is compiled.

use std::fmt;

/// Arguments, results and the values of an exit stand in buffers at multiples
/// of this many bytes; a value of more takes several strides.
pub const VALUE_STRIDE: u32 = 16;

/// Bytes from the start of a function's stub to its internal entry; the entry
/// by the platform's convention stands at the start.
pub const STUB_INTERNAL_ENTRY: u32 = 8;

/// Bytes of a stub.
pub const STUB_SIZE: u32 = 24;

/// Functions that call nothing and need no more than this many bytes of stack
/// do not look for its end, and others with such a frame compare the stack
/// pointer alone.
pub const STACK_MARGIN: u32 = 1024;

/// Bytes of stack that must remain below [`RecordField::StackLimit`]: for what
/// does not look for the end, for the arguments of tail calls, for the entries
/// of the runtime and for the C functions that are called.
pub const STACK_RESERVE: u32 = 256 * 1024;

/// From the frame pointer of code that can be left on its way back to a block: the word, 0 at
/// first, in which the runtime notes that this activation has used up a budget there.
pub const SPENT_MARK: i32 = -8;

macro_rules! record {
    ($($(#[$doc:meta])* $name:ident = $offset:literal;)*) => {
        /// A field of the thread record, which the pinned register points to
        /// while compiled code runs.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum RecordField { $($(#[$doc])* $name,)* }

        impl RecordField {
            /// Every field.
            pub const ALL: &'static [RecordField] = &[$(RecordField::$name,)*];

            /// Bytes from the start of the record; every field has 8.
            pub const fn offset(self) -> u32 {
                match self { $(RecordField::$name => $offset,)* }
            }
        }
    };
}

record! {
    /// A function whose frame would reach below this address raises a stack overflow.
    StackLimit = 0;
    /// The frame pointer of the thunk by which compiled code left to the host;
    /// 0 while compiled code itself runs.
    ExitFrame = 8;
    /// The return address at which execution stopped.
    ExitPc = 16;
    /// Not 0 once a callback has failed: the surrounding call out raises again.
    Pending = 24;
    /// Where unwinding ends: the stack pointer.
    UnwindStack = 32;
    /// Where unwinding ends: the frame pointer.
    UnwindFrame = 40;
    /// Where unwinding ends: the code. At other times the thunks use it.
    UnwindPc = 48;
    /// Where unwinding ends: the payload.
    UnwindPayload = 56;
    /// Not 0 when somebody wants the thread's attention: read by `poll`.
    PollWord = 64;
    /// Polls left, where fuel is counted; below 0 it is used up.
    Fuel = 72;
    /// The reference that was thrown last.
    CurrentException = 80;
    /// The thread's table of thread-local data: for each object the address of
    /// the thread's copy, 0 until its first use. Large enough for every object
    /// that will ever be linked.
    ThreadLocals = 88;
    /// Where the next object is allocated.
    AllocationCursor = 96;
    /// Where the allocation area ends.
    AllocationLimit = 104;
    /// The epoch that the thread entered in.
    EpochPin = 112;
    /// The first stub of the engine: addresses from here are ours.
    StubBase = 120;
    /// Bytes of stubs behind it.
    StubBytes = 128;
    /// Counts calls out, so that a blocked thread can be told from a moving one.
    CallSequence = 136;
    /// The engine's own.
    Engine = 144;
    /// Where the objects of the side stack end, which grows down: run-time-sized
    /// ones, for which frames have no room. 0 while there is none.
    SideStack = 152;
    /// The side stack does not grow below this.
    SideStackLimit = 160;
    /// The address that a pointer thunk calls, from right before the thunk is called.
    Callee = 168;
}

/// Bytes of the part of the thread record that compiled code knows.
pub const RECORD_SIZE: u32 = 176;

/// How an entry of the runtime is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntryConvention {
    /// As compiled functions call each other; the thread record is implied.
    Internal,
    /// As C functions are called.
    Platform,
}

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident = $text:literal $convention:ident ($params:literal) -> $results:literal;)*) => {
        /// What compiled code calls in the runtime, near, through a stub of
        /// each entry. Parameters and results are 64-bit integers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum RuntimeEntry { $($(#[$doc])* $name,)* }

        impl RuntimeEntry {
            /// Every entry.
            pub const ALL: &'static [RuntimeEntry] = &[$(RuntimeEntry::$name,)*];

            /// The name by which objects refer to it.
            pub const fn name(self) -> &'static str {
                match self { $(RuntimeEntry::$name => $text,)* }
            }

            /// How it is called.
            pub const fn convention(self) -> EntryConvention {
                match self { $(RuntimeEntry::$name => EntryConvention::$convention,)* }
            }

            /// How many parameters it has.
            pub const fn param_count(self) -> usize {
                match self { $(RuntimeEntry::$name => $params,)* }
            }

            /// How many results it has.
            pub const fn result_count(self) -> usize {
                match self { $(RuntimeEntry::$name => $results,)* }
            }
        }

        impl fmt::Display for RuntimeEntry {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

entries! {
    /// `(code, values)`, does not return: stops execution. The call site says
    /// the rest; `values` is the address of the exit's values, or 0. While
    /// something is pending in the record, that is what execution stops with.
    Raise = "brolga_raise" Internal(2) -> 0;
    /// `()`, does not return: entered by a function's guard before it has a
    /// frame, with the return address inside the function. That function was
    /// never entered: execution stops at the call of it.
    StackOverflow = "brolga_stack_overflow" Internal(0) -> 0;
    /// `()`: the slow path of `poll`; returns, or stops execution.
    Poll = "brolga_poll" Internal(0) -> 0;
    /// `(block) -> code`: entered when the budget of the unit is used up: on the way to the
    /// block of that number, or, below 0, at the entry of the function. Not 0 if there is
    /// better code that goes on at that block: it takes the frame pointer, by the convention
    /// of compiled functions, and gives what the function gives.
    Tier = "brolga_tier" Internal(1) -> 1;
    /// `(exception)`, does not return: unwinds to the innermost handler.
    Throw = "brolga_throw" Internal(1) -> 0;
    /// `(values, closure, record) -> status`: calls a function of the host with
    /// its arguments from the buffer and puts its results there; not 0 once
    /// something is pending.
    HostCall = "brolga_host_call" Platform(3) -> 1;
    /// `(stub, engine) -> record`: the record of a thread that C code calls back
    /// from, for compiled code to run with, made where the thread has never
    /// entered the engine; 0 if none may, and the callback returns zero. The thunk
    /// keeps the record's [`RecordField::ExitFrame`] meanwhile.
    EnterCallback = "brolga_enter_callback" Platform(2) -> 1;
    /// `(record, status)`: the other end of [`RuntimeEntry::EnterCallback`]; a
    /// status other than 0 becomes pending.
    LeaveCallback = "brolga_leave_callback" Platform(2) -> 0;
    /// `(offset) -> address`: makes this thread's copy of the thread-local
    /// object at that offset of the table ([`RecordField::ThreadLocals`]) and
    /// enters its address there.
    ThreadLocal = "brolga_thread_local" Internal(1) -> 1;
    /// `(record) -> status`: gives a thread whose [`RecordField::SideStack`] is 0
    /// its side stack, empty; 0 if there is no memory for it.
    SideStack = "brolga_side_stack" Platform(1) -> 1;
    /// `(to, from, bytes)`: `memmove`.
    MemoryCopy = "brolga_memory_copy" Platform(3) -> 0;
    /// `(to, byte, bytes)`: `memset`.
    MemoryFill = "brolga_memory_fill" Platform(3) -> 0;
    /// `(a, b, bytes) -> order`: -1, 0 or 1.
    MemoryCompare = "brolga_memory_compare" Platform(3) -> 1;
    /// `(from, byte, bytes) -> count`: how many bytes stand before that byte, `bytes` if it
    /// is none of them. Bytes behind it need not be there.
    MemoryFind = "brolga_memory_find" Platform(3) -> 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_record_do_not_overlap() {
        for (i, field) in RecordField::ALL.iter().enumerate() {
            assert_eq!(field.offset(), 8 * i as u32);
        }
        assert_eq!(RECORD_SIZE, 8 * RecordField::ALL.len() as u32);
    }
}
