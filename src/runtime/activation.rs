//! One stay of a thread in compiled code.

use std::time::Instant;

use super::Stop;
use super::record::{Attention, ThreadRecord};

/// What an activation has changed in the record, to be put back at its end:
/// activations nest when a function of the host calls back.
#[derive(Debug)]
pub(crate) struct Activation {
    record: *mut ThreadRecord,
    exit_frame: u64,
    exit_pc: u64,
    fuel: i64,
    deadline: Option<Instant>,
}

impl Activation {
    /// Makes the record ready for compiled code.
    ///
    /// # Safety
    /// `record` is this thread's, and no reference to it is live until
    /// [`end`](Self::end).
    pub(crate) unsafe fn begin(
        record: *mut ThreadRecord,
        fuel: Option<u64>,
        deadline: Option<Instant>,
    ) -> Activation {
        // SAFETY: by the caller's promise.
        let own = unsafe { &mut *record };
        let activation = Activation {
            record,
            exit_frame: own.exit_frame,
            exit_pc: own.exit_pc,
            fuel: own.fuel,
            deadline: own.deadline,
        };
        if own.depth == 0 {
            own.take(Attention::Interrupt);
        }
        own.depth += 1;
        own.exit_frame = 0;
        if let Some(fuel) = fuel {
            own.fuel = own.fuel.min(i64::try_from(fuel).unwrap_or(i64::MAX));
        }
        own.deadline = match (own.deadline, deadline) {
            (Some(outer), Some(inner)) => Some(outer.min(inner)),
            (outer, inner) => outer.or(inner),
        };
        activation
    }

    /// Puts the record back, and takes what stopped execution.
    ///
    /// # Safety
    /// As [`begin`](Self::begin); compiled code is left.
    pub(crate) unsafe fn end(self) -> Option<Box<Stop>> {
        // SAFETY: by the caller's promise.
        let own = unsafe { &mut *self.record };
        own.depth -= 1;
        own.exit_frame = self.exit_frame;
        own.exit_pc = self.exit_pc;
        own.fuel = self.fuel;
        own.deadline = self.deadline;
        own.stop.take()
    }
}
