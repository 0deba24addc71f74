//! Calls from compiled code to the host, and back from C code.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use brolga_ir::trap::TrapCode;

use super::environment::Environment;
use super::record::{Attention, ThreadRecord};
use super::stop::Stop;
use super::thread::{self, ThreadEntry};
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
    // SAFETY: compiled code passes its own record, which no reference is to
    // between calls of the engine.
    if unsafe { (*record).pending } != 0 {
        discard(outcome);
        return 1;
    }
    let error = match outcome {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(payload) => HostError::panicked(panic_message(payload)),
    };
    let mut stop = Box::new(Stop::new(TrapCode::HostError));
    // The error's own text may panic too.
    let text = catch_unwind(AssertUnwindSafe(|| format!("`@{}` {error}", closure.name)));
    let text = text.unwrap_or_else(|payload| {
        let message = panic_message(payload);
        format!("`@{}` failed with an error whose text panicked: {message}", closure.name)
    });
    stop.trap.detail = Some(text.into());
    stop.host = Some(error);
    // SAFETY: as above; nothing of the host's runs any more.
    unsafe { &mut *record }.set_pending(stop);
    1
}

/// What a panic said.
pub(crate) fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(message), _) => (*message).to_owned(),
        (None, Some(message)) => message.clone(),
        (None, None) => "a value that is no text".to_owned(),
    };
    discard(payload);
    message
}

/// What an error of the user's says, which may panic meanwhile, and when it is dropped.
pub(crate) fn error_message(error: Box<dyn Error + Send + Sync>) -> String {
    let message = catch_unwind(AssertUnwindSafe(|| error.to_string()));
    discard(error);
    message.unwrap_or_else(|payload| {
        format!("an error that panics when it is shown: {}", panic_message(payload))
    })
}

/// Drops what may panic when it is dropped; what it panics with is leaked,
/// since that may panic again.
pub(crate) fn discard<T>(value: T) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        std::mem::forget(again);
    }
}

/// The record of a thread that C code calls back from, or null where nothing
/// may run: something is pending, or the thread is being torn down. A thread that
/// has never entered the engine gets a record. `frame` is that of the thunk.
pub(super) unsafe extern "C" fn enter_callback(
    stub: u64,
    engine: *const Environment,
    frame: usize,
) -> *mut ThreadRecord {
    let enter = || {
        // SAFETY: the thunk, which belongs to the engine, passes what its slot
        // holds; and who calls the thunk keeps the engine alive.
        let environment = unsafe {
            Arc::increment_strong_count(engine);
            Arc::from_raw(engine)
        };
        ThreadEntry::of(&environment).map(|entry| entry.record())
    };
    let Some(record) = thread::record_of_stub(stub).or_else(enter) else {
        return std::ptr::null_mut();
    };
    let record = record.as_ptr();
    // SAFETY: the record is this thread's, and compiled code has left it for
    // the C function that calls back.
    unsafe { forget_left(record, frame) };
    // SAFETY: as above.
    let own = unsafe { &mut *record };
    if own.pending != 0 {
        return std::ptr::null_mut();
    }
    if !own.inside.runs_code() {
        // What was to stop an earlier call is not for this one.
        own.take(Attention::Interrupt);
    }
    // SAFETY: the engine is alive while code of it runs.
    let epochs = unsafe { &(*own.environment).epochs };
    own.enter(epochs, |inside| inside.begin_callback(frame));
    record
}

/// Ends what `enter_callback` began. What stopped it is pending for the caller
/// of the C function; C code that calls while compiled code is not inside has
/// no such caller, and gets zero: the observer alone is told.
pub(super) unsafe extern "C" fn leave_callback(
    record: *mut ThreadRecord,
    status: u64,
    frame: usize,
) {
    let (stop, environment) = {
        // SAFETY: the thunk passes the record that `enter_callback` gave it, and no
        // compiled code of the thread runs.
        let record = unsafe { &mut *record };
        record.leave(|inside| inside.end_callback(frame));
        let Some(stop) = record.stop.take_if(|_| status != 0) else { return };
        if record.inside.runs_code() {
            return record.set_pending(stop);
        }
        (stop, record.environment)
    };
    // SAFETY: the engine is alive while code of it runs.
    unsafe { tell_observer(environment, stop) };
}

/// Forgets callbacks that jumps have left, now that something stands at `here`.
///
/// # Safety
/// The record is this thread's, in an engine that is alive; no compiled code of the thread runs,
/// and no reference to the record is live.
pub(super) unsafe fn forget_left(record: *mut ThreadRecord, here: usize) {
    // SAFETY: by the caller's promise.
    let (stop, environment) = unsafe { ((*record).forget_left(here), (*record).environment) };
    if let Some(stop) = stop {
        // SAFETY: by the caller's promise.
        unsafe { tell_observer(environment, stop) };
    }
}

/// Tells the observer of a stop that no caller hears of.
///
/// # Safety
/// The engine is alive, and no reference to the record of this thread is live.
pub(super) unsafe fn tell_observer(environment: *const Environment, stop: Box<Stop>) {
    // SAFETY: by the caller's promise.
    let observer = unsafe { (*environment).observer.clone() };
    // It is code of the host's, which may call the engine, and may panic: C code has no
    // place for that.
    let told = AssertUnwindSafe(|| observer.iter().for_each(|it| it.unheard(&stop.trap)));
    if let Err(payload) = catch_unwind(told) {
        discard(payload);
    }
    discard((stop, observer));
}

/// The platform's entry of a function that the platform's convention cannot
/// carry: C code that calls it breaks a promise, and gets zero.
pub(crate) extern "C" fn refused_callback() -> u64 {
    0
}
