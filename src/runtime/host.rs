//! Calls from compiled code to the host, and back from C code.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use brolga_ir::trap::TrapCode;

use super::record::ThreadRecord;
use super::stop::Stop;
use super::thread;
use crate::error::HostError;

/// What runs a host function on a buffer that holds its arguments and takes
/// its results, at multiples of the stride.
type HostBody = dyn Fn(*mut u8) -> Result<(), HostError> + Send + Sync;

/// A function of the host, as compiled code knows it: by address.
pub(crate) struct HostClosure {
    /// Its name, for messages.
    pub name: Box<str>,
    /// What it does.
    pub body: Box<HostBody>,
}

impl fmt::Debug for HostClosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostClosure({})", self.name)
    }
}

/// Calls a function of the host: 0, or 1 once something is pending. It may
/// have called back through an address: what that stopped with comes first,
/// whatever the function made of it.
pub(super) unsafe extern "C" fn call(
    values: *mut u8,
    closure: *const HostClosure,
    record: *mut ThreadRecord,
) -> i64 {
    // SAFETY: the engine keeps a linked closure alive as long as its thunk.
    let closure = unsafe { &*closure };
    let outcome = catch_unwind(AssertUnwindSafe(|| (closure.body)(values)));
    // SAFETY: compiled code passes its own record, which no other reference
    // is to once the host has run.
    let record = unsafe { &mut *record };
    let error = match outcome {
        _ if record.pending != 0 => return 1,
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(payload) => HostError::panicked(panic_message(payload)),
    };
    let mut stop = Box::new(Stop::new(TrapCode::HostError));
    stop.trap.detail = Some(format!("`@{}` {error}", closure.name).into());
    stop.host = Some(error);
    record.stop = Some(stop);
    record.pending = 1;
    1
}

/// What a panic said. Dropping a payload may panic again: such a one is leaked.
fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(message), _) => (*message).to_owned(),
        (None, Some(message)) => message.clone(),
        (None, None) => "a value that is no text".to_owned(),
    };
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    message
}

/// The record of a thread that C code calls back from, or null where nothing
/// may run: something is pending, or the thread never entered the engine.
pub(super) unsafe extern "C" fn enter_callback(stub: u64) -> *mut ThreadRecord {
    let Some(record) = thread::record_of_stub(stub) else {
        return std::ptr::null_mut();
    };
    // SAFETY: the record is this thread's, and compiled code has left it for
    // the C function that calls back.
    let record = unsafe { &mut *record.as_ptr() };
    if record.pending != 0 {
        return std::ptr::null_mut();
    }
    record.suspended.push(record.exit_frame);
    record.exit_frame = 0;
    record
}

/// Ends what `enter_callback` began.
pub(super) unsafe extern "C" fn leave_callback(record: &mut ThreadRecord, status: u64) {
    record.exit_frame = record.suspended.pop().unwrap_or(0);
    if status != 0 {
        record.pending = 1;
    }
}

/// The platform's entry of a function that the platform's convention cannot
/// carry: C code that calls it breaks a promise, and gets zero.
pub(crate) extern "C" fn refused_callback() -> u64 {
    0
}
