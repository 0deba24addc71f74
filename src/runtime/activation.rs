//! One stay of a thread in compiled code.

use std::time::Instant;

use super::Stop;
use super::host::forget_left;
use super::inside::{Around, Inside};
use super::record::{Attention, ThreadRecord};
use super::stack::approximate_stack_pointer;

/// What an activation has changed in the record, to be put back at its end:
/// activations nest when a function of the host calls back.
#[derive(Debug)]
pub(crate) struct Activation {
    record: *mut ThreadRecord,
    around: Around,
    exit_frame: u64,
    exit_pc: u64,
    /// A stop that waits for C code to return, whose host calls the engine
    /// before it does: it is not the new activation's.
    pending: Option<Box<Stop>>,
    fuel: i64,
    granted: i64,
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
        if unsafe { (*record).inside.has_callbacks() } {
            // SAFETY: as above.
            unsafe { forget_left(record, approximate_stack_pointer()) };
        }
        // SAFETY: as above.
        let own = unsafe { &mut *record };
        if !own.inside.runs_code() {
            own.take(Attention::Interrupt);
        }
        // SAFETY: whoever enters keeps the engine alive.
        let epochs = unsafe { &(*own.environment).epochs };
        let around = own.enter(epochs, Inside::begin_activation);
        let granted = fuel.map_or(i64::MAX, |fuel| i64::try_from(fuel).unwrap_or(i64::MAX));
        let activation = Activation {
            record,
            around,
            exit_frame: own.exit_frame,
            exit_pc: own.exit_pc,
            pending: own.take_pending(),
            fuel: own.fuel,
            granted: own.fuel.min(granted),
            deadline: own.deadline,
        };
        own.exit_frame = 0;
        own.fuel = activation.granted;
        own.deadline = match (own.deadline, deadline) {
            (Some(outer), Some(inner)) => Some(outer.min(inner)),
            (outer, inner) => outer.or(inner),
        };
        activation
    }

    /// Puts the record back, and takes what stopped execution. The activation
    /// around this one pays for its fuel, and looks at the clock again: what
    /// stopped this one may have been meant for both.
    ///
    /// # Safety
    /// As [`begin`](Self::begin); compiled code is left.
    pub(crate) unsafe fn end(self) -> Option<Box<Stop>> {
        // SAFETY: by the caller's promise.
        let own = unsafe { &mut *self.record };
        let stop = own.stop.take();
        own.leave(|inside| inside.end_activation(&self.around));
        let used = self.granted.saturating_sub(own.fuel);
        own.exit_frame = self.exit_frame;
        own.exit_pc = self.exit_pc;
        let pays = own.inside.runs_code();
        own.fuel = if pays { self.fuel.saturating_sub(used) } else { self.fuel };
        own.deadline = self.deadline;
        if own.deadline.is_some() {
            ThreadRecord::request(&own.poll_word, Attention::Clock);
        }
        if let Some(pending) = self.pending {
            own.set_pending(pending);
        }
        stop
    }
}
