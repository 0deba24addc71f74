//! Who is told of code beside the engine itself: debuggers and profilers.

use std::sync::{Arc, Mutex, PoisonError};

use brolga_debugging::PlacedUnit;
use brolga_debugging::gdb::{self, Registration};
use brolga_debugging::jitdump::Jitdump;
use brolga_debugging::perf_map::PerfMap;
use brolga_lowering::unit::CompiledUnit;

use crate::error::DebuggingError;
use crate::memory::Block;

/// Whether gdb is told of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gdb {
    /// It is not.
    #[default]
    Omit,
    /// It is, by its JIT interface, which LLDB reads, too: names, lines, inlined calls, frames.
    /// Each unit costs the making of an object, and a debugger that is there a stop.
    Register,
}

/// Which debuggers and profilers are told of the code of an engine; none by default.
///
/// All of its code is told of, before any thread can run it: functions that were loaded or are
/// compiled at their first call, what loops go on in, thunks. Lines that name no file are of the
/// file that the [name](brolga_ir::module::Module::name) of the module says: an absolute path, if
/// a debugger is to show them.
///
/// Several engines may tell the same files, of which a process has one each. What cannot be
/// written stops nothing: [`Engine::finish_records`](crate::Engine::finish_records) says so.
///
/// gdb cannot put a breakpoint into memory that is shared, and perf looks into no map for memory
/// that a file is mapped to. So an engine that tells gdb or fills a map has its code in private
/// memory: making code takes more system calls then.
#[derive(Clone, Debug, Default)]
pub struct Debugging {
    /// Whether gdb is. It forgets code before that is freed.
    pub gdb: Gdb,
    /// The dump that `perf inject --jit` makes objects of. A forked child adds nothing to it.
    pub jitdump: Option<Arc<Jitdump>>,
    /// The map of names for `perf report` and `perf top`. A forked child adds nothing to it.
    pub perf_map: Option<Arc<PerfMap>>,
}

impl Debugging {
    /// Whether anybody shows lines.
    pub(crate) fn needs_lines(&self) -> bool {
        self.gdb == Gdb::Register || self.jitdump.is_some()
    }

    /// Whether the code must stand in memory of no file that nobody else has.
    pub(crate) fn needs_private_memory(&self) -> bool {
        self.gdb == Gdb::Register || self.perf_map.is_some()
    }
}

/// The same as an engine has them.
#[derive(Debug, Default)]
pub(crate) struct Debuggers {
    told: Debugging,
    failure: Mutex<Option<DebuggingError>>,
}

impl Debuggers {
    /// Those of a configuration.
    ///
    /// # Errors
    /// If gdb cannot be told of anything here.
    pub(crate) fn new(told: Debugging) -> Result<Debuggers, DebuggingError> {
        if told.gdb == Gdb::Register {
            gdb::require_own_list()?;
        }
        Ok(Debuggers { told, failure: Mutex::default() })
    }

    /// Whether anybody is told of anything.
    pub(crate) fn listen(&self) -> bool {
        let Debugging { gdb, jitdump, perf_map } = &self.told;
        *gdb != Gdb::Omit || jitdump.is_some() || perf_map.is_some()
    }

    /// Tells of a unit that stands in `block` and that nobody can run yet. What is given must be
    /// dropped before the block.
    pub(super) fn tell(
        &self,
        unit: &CompiledUnit,
        text: &str,
        block: &Block,
    ) -> Option<Registration> {
        if !self.listen() {
            return None;
        }
        let Debugging { gdb, jitdump, perf_map } = &self.told;
        // SAFETY: a block holds so many bytes, which were written before it was published and
        // are not written again while it lives.
        let code = unsafe { std::slice::from_raw_parts(block.pointer().as_ptr(), block.size()) };
        let address = block.address() as u64;
        let placed = PlacedUnit { code, ..PlacedUnit::new(unit, address, text) };
        self.note(jitdump.iter().try_for_each(|it| it.add(&placed)));
        self.note(perf_map.iter().try_for_each(|it| it.add(&placed)));
        let register = || self.note(Registration::new(&placed));
        (*gdb == Gdb::Register).then(register).flatten()
    }

    /// Keeps the first failure.
    fn note<T>(&self, told: Result<T, impl Into<DebuggingError>>) -> Option<T> {
        let keep = |error: DebuggingError| {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        told.map_err(|error| keep(error.into())).ok()
    }

    /// The first failure since it was last asked for.
    pub(crate) fn take_failure(&self) -> Option<DebuggingError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
