//! Entering compiled code.

use std::sync::Arc;
use std::time::Instant;

use brolga_lowering::emit::Compiler;
use brolga_lowering::options::{Fuel, Polls};

use super::clock::PendingDeadline;
use super::config::Config;
use super::shared::Shared;
use crate::error::{CallError, FunctionError};
use crate::link::{FunctionSymbol, signature_text};
use crate::memory::{Area, Request};
use crate::runtime::{
    Activation, Placed, Role, Stop, ThreadEntry, ThreadRecord, ensure_room_to_compile,
};

/// What a call may use up. Needs an engine whose
/// [`Config::polls`](super::Config::polls) are on: otherwise a call with a
/// limit is an error. With [`Polls::Explicit`] only code that has a `poll` of
/// its own is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallOptions {
    /// Polls until it stops with `out_of_fuel`; needs
    /// [`Config::fuel`](super::Config::fuel).
    pub fuel: Option<u64>,
    /// When it stops with `deadline_exceeded`.
    pub deadline: Option<Instant>,
}

/// Buffers of typed calls: aligned as compiled code wants them.
pub(super) type Buffer = smallvec::SmallVec<[u128; 16]>;

/// What a thunk by which the host enters looks like.
type EntryThunk = unsafe extern "C" fn(usize, *mut ThreadRecord, *mut u8) -> u64;

/// By which the host enters compiled code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The address of the thunk for the function's signature.
    pub(super) thunk: usize,
    /// Where that goes on: the function's stub, or code of it.
    pub(super) target: usize,
}

/// Calls a function with its arguments in `buffer`, which then holds its results. The way is asked
/// for when the thread is inside already, where nothing that it finds can be freed.
///
/// # Safety
/// The way's thunk is the one for the signature of the function that it leads to, both stand until
/// the call is over, and `buffer` has room for the arguments and for the results.
pub(super) unsafe fn enter(
    shared: &Arc<Shared>,
    way: impl FnOnce() -> Way,
    buffer: *mut u8,
    options: &CallOptions,
) -> Result<(), CallError> {
    check_limits(&shared.config, options)?;
    let cannot = |reason: String| CallError::CannotEnter { reason };
    shared.reservation.ensure_usable().map_err(|error| cannot(error.to_string()))?;
    let entry = ThreadEntry::of(&shared.environment)
        .ok_or_else(|| cannot("the thread is being torn down".to_owned()))?;
    let _deadline = schedule(shared, options)?;
    let record = entry.record().as_ptr();
    // SAFETY: the record is this thread's, and no reference to it is live while
    // the host runs.
    let activation = unsafe { Activation::begin(record, options.fuel, options.deadline) };
    let way = way();
    // SAFETY: the address is that of a published thunk of this type.
    let call: EntryThunk = unsafe { std::mem::transmute(way.thunk) };
    // SAFETY: by the caller's promise; the engine is alive for the whole call.
    let status = unsafe { call(way.target, record, buffer) };
    // SAFETY: compiled code is left.
    let stop = unsafe { activation.end() };
    match (status, stop) {
        (0, _) => Ok(()),
        (_, Some(stop)) => Err(stop.into_error()),
        (_, None) => Err(Stop::new(brolga_ir::trap::TrapCode::Unreachable).into_error()),
    }
}

/// Refuses limits that the engine's code would run past.
fn check_limits(config: &Config, options: &CallOptions) -> Result<(), CallError> {
    let limit = match (options.fuel, options.deadline) {
        (Some(_), _) => "fuel",
        (None, Some(_)) => "deadline",
        (None, None) => return Ok(()),
    };
    if config.polls == Polls::Off {
        let remedy = "set `Config::polls` to `Polls::LoopsAndEntries`";
        return Err(CallError::IgnoredLimit { limit, remedy });
    }
    if options.fuel.is_some() && config.fuel == Fuel::Unlimited {
        let remedy = "set `Config::fuel` to `Fuel::Counted`";
        return Err(CallError::IgnoredLimit { limit, remedy });
    }
    Ok(())
}

fn schedule(
    shared: &Arc<Shared>,
    options: &CallOptions,
) -> Result<Option<PendingDeadline>, CallError> {
    let Some(deadline) = options.deadline else { return Ok(None) };
    let scheduled = shared.clock.schedule(shared, deadline);
    scheduled.map(Some).map_err(|error| CallError::CannotEnter {
        reason: format!("no thread could be started to watch the deadline: {error}"),
    })
}

/// The thunk by which the host calls functions of a signature, made at first use.
pub(super) fn entry_thunk(
    shared: &Shared,
    function: &FunctionSymbol,
) -> Result<Arc<Placed>, FunctionError> {
    let text = signature_text(&function.types, &function.signature);
    if let Some(thunk) = shared.symbols().entries.get(text.as_str()) {
        return Ok(Arc::clone(thunk));
    }
    ensure_room_to_compile()?;
    let mut compiler = Compiler::new();
    let unit = compiler.entry_thunk(&function.types, &function.signature, &shared.isa)?;
    let mut symbols = shared.symbols();
    if let Some(thunk) = symbols.entries.get(text.as_str()) {
        return Ok(Arc::clone(thunk));
    }
    let layout =
        std::alloc::Layout::from_size_align(unit.code.len().max(1), unit.align.max(1) as usize);
    let layout = layout.unwrap_or(std::alloc::Layout::new::<u8>());
    let failed = |error| FunctionError::Memory(crate::error::CodeMemoryError(error));
    let mut draft =
        shared.reservation.allocate(&Request::new(Area::Text, layout)).map_err(failed)?;
    draft.write(|bytes, _| bytes[..unit.code.len()].copy_from_slice(&unit.code)).map_err(failed)?;
    let block = draft.publish().map_err(failed)?;
    let placed = shared.environment.place(Box::new(unit), "", Role::Entry, block, ());
    symbols.entries.insert(text.into(), Arc::clone(&placed));
    Ok(placed)
}
