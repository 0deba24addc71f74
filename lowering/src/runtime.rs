//! What compiled code expects of whoever runs it: the thread record and the
//! entries of the runtime, as data. The engine implements both and asserts
//! the equality of the layouts when it is compiled.

use std::fmt;

/// Arguments, results and the values of an exit stand in buffers at multiples
/// of this many bytes; a value of more takes several strides.
pub const VALUE_STRIDE: u32 = 16;

/// Bytes from the start of a function's stub to its internal entry; the entry
/// by the platform's convention stands at the start.
pub const STUB_INTERNAL_ENTRY: u32 = 16;

/// Bytes of a stub.
pub const STUB_SIZE: u32 = 32;

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
    /// Where unwinding ends: the code.
    UnwindPc = 48;
    /// Where unwinding ends: the payload.
    UnwindPayload = 56;
    /// Not 0 when somebody wants the thread's attention: read by `poll`.
    PollWord = 64;
    /// Polls left, where fuel is counted; below 0 it is used up.
    Fuel = 72;
    /// The reference that was thrown last.
    CurrentException = 80;
    /// The thread's copies of thread-local data.
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
}

/// Bytes of the part of the thread record that compiled code knows.
pub const RECORD_SIZE: u32 = 152;

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// What compiled code calls in the runtime. All use the internal
        /// convention, in which the thread record is implied.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum RuntimeEntry { $($(#[$doc])* $name,)* }

        impl RuntimeEntry {
            /// Every entry.
            pub const ALL: &'static [RuntimeEntry] = &[$(RuntimeEntry::$name,)*];

            /// The name by which objects refer to it.
            pub const fn name(self) -> &'static str {
                match self { $(RuntimeEntry::$name => $text,)* }
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
    /// `(code: i64, values: i64)`, does not return: stops execution. The call
    /// site says the rest; `values` is the address of the exit's values, or 0.
    Raise = "brolga_raise";
    /// `()`, does not return: entered by a function's guard before it has a
    /// frame, with the return address inside the function.
    StackOverflow = "brolga_stack_overflow";
    /// `()`: the slow path of `poll`; returns, or stops execution.
    Poll = "brolga_poll";
    /// `(exception: i64)`, does not return: unwinds to the innermost handler.
    Throw = "brolga_throw";
    /// `(values: i64, closure: i64) -> i64`, platform convention with the
    /// thread record as a third argument: calls a function of the host with
    /// its arguments from the buffer and puts its results there; not 0 once
    /// something is pending.
    HostCall = "brolga_host_call";
    /// `(stub: i64) -> i64`, platform convention: makes a thread that C code
    /// calls back from ready to run compiled code, and gives its record.
    EnterCallback = "brolga_enter_callback";
    /// `(record: i64, status: i64)`, platform convention: the other end of
    /// [`RuntimeEntry::EnterCallback`]; a status other than 0 becomes pending.
    LeaveCallback = "brolga_leave_callback";
    /// `() -> i64`: the thread's copies of thread-local data, made at first use.
    ThreadLocals = "brolga_thread_locals";
    /// `(to: i64, from: i64, bytes: i64)`, platform convention: `memmove`.
    MemoryCopy = "brolga_memory_copy";
    /// `(to: i64, byte: i64, bytes: i64)`, platform convention: `memset`.
    MemoryFill = "brolga_memory_fill";
    /// `(a: i64, b: i64, bytes: i64) -> i64`, platform convention: -1, 0 or 1.
    MemoryCompare = "brolga_memory_compare";
}

impl RuntimeEntry {
    /// Whether it is called by the platform's convention, through a slot.
    pub const fn is_platform(self) -> bool {
        matches!(
            self,
            RuntimeEntry::HostCall
                | RuntimeEntry::EnterCallback
                | RuntimeEntry::LeaveCallback
                | RuntimeEntry::MemoryCopy
                | RuntimeEntry::MemoryFill
                | RuntimeEntry::MemoryCompare
        )
    }
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
