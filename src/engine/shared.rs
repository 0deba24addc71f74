//! What all handles of an engine share.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brolga_ir::module::Name;
use brolga_lifecycle::job::Waits;
use brolga_lifecycle::names::LibraryId;
use brolga_lifecycle::retired::Retired;
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::options::{Calls, LowerOptions};
use brolga_lowering::pipeline::{Pass, passes_wanted};
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

use rustc_hash::FxHashMap;

use super::clock::Clock;
use super::config::Config;
use super::foreign::Library;
use super::freeing::{Left, Retiree};
use super::generators::Generators;
use super::inspected::Inspected;
use super::pool::Pool;
use super::resolve::Workbench;
use super::stats::Tally;
use super::trace::CompileTrace;
use crate::error::{CodeMemoryError, EngineError};
use crate::link::{Abandoned, Functions, Home, Resident, Row, Stage, Symbols};
use crate::memory::{Area, Books, MemoryError, Reservation};
use crate::runtime::{Debuggers, Environment};

/// A name, and the library that it is a name in.
pub(super) type Full<'a> = (LibraryId, &'a str);

/// What all handles of an engine share. Fields are dropped in order: what
/// refers to code memory before the reservation.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(super) config: Config,
    /// How modules are compiled that are loaded.
    pub(super) options: LowerOptions,
    /// How functions are compiled that are defined, in the order of [`Tier::ALL`].
    tiers: [LowerOptions; 3],
    /// By which passes, in the same order.
    passes: [Box<[&'static Pass]>; 3],
    pub(super) inspected: Option<Inspected>,
    pub(super) isa: Isa,
    pub(super) clock: Clock,
    pub(super) environment: Arc<Environment>,
    /// In the order in which symbols are looked for.
    pub(super) libraries: Mutex<Vec<Library>>,
    /// Symbols whose addresses the embedder has given.
    pub(super) absolute: Mutex<FxHashMap<Box<str>, usize>>,
    /// Who makes functions that nobody has defined.
    pub(super) generators: Generators,
    symbols: Mutex<Symbols>,
    /// Where definitions come in if nobody says where.
    pub(super) main: Home,
    pub(super) functions: Arc<Functions>,
    pub(super) abandoned: Arc<Abandoned>,
    /// What was taken out, and is not free yet.
    pub(super) retired: Retired<Retiree>,
    pub(super) left: Left,
    /// Names and sizes of code that was freed and that nobody has told of yet.
    pub(super) untold: Mutex<Vec<(Name, usize)>>,
    /// How often functions were called in code that others have taken the place of.
    pub(super) calls: Mutex<FxHashMap<u32, u64>>,
    /// How much of that could not be freed when it was last tried.
    pub(super) lingering: AtomicUsize,
    /// Who waits for whom to compile.
    pub(super) waits: Waits,
    /// What has been compiled.
    pub(super) tally: Tally,
    /// Where that is written down, if it is.
    pub(super) trace: Option<CompileTrace>,
    /// Those that nobody uses.
    pub(super) workbenches: Mutex<Vec<Workbench>>,
    /// Who compiles in the background.
    pub(super) pool: Pool,
    resident: Resident,
    pub(super) reservation: Reservation,
}

impl Shared {
    pub(super) fn new(config: Config) -> Result<Shared, EngineError> {
        require_platform(std::env::consts::OS, std::env::consts::ARCH)?;
        let host = TargetSpec::host()?;
        let target = config.target.unwrap_or(host);
        if !target.runs_on(&host) {
            return Err(EngineError::Foreign { target: target.to_string() });
        }
        let isa = Isa::new(target, IsaOptions::default())?;
        let reservation = Reservation::new(&config.memory()).map_err(CodeMemoryError)?;
        let stubs = reservation.addresses(Area::Stubs);
        let debuggers = Debuggers::new(config.debugging.clone())?;
        let environment = Environment::new(stubs, config.observer.clone(), debuggers);
        let environment = Arc::new(environment);
        let resident = Resident::new(&reservation, &environment).map_err(CodeMemoryError)?;
        let symbols = Symbols::default();
        Ok(Shared {
            main: symbols.names.main(),
            functions: Arc::clone(&symbols.functions),
            abandoned: Arc::clone(&symbols.abandoned),
            retired: Retired::new(),
            left: Left::default(),
            untold: Mutex::default(),
            calls: Mutex::default(),
            lingering: AtomicUsize::new(0),
            waits: Waits::new(),
            tally: Tally::default(),
            trace: config.trace_compile.as_deref().map(CompileTrace::create).transpose()?,
            workbenches: Mutex::default(),
            options: config.lowering(config.load_tier()),
            // What is defined may be defined anew.
            tiers: Tier::ALL
                .map(|tier| LowerOptions { calls: Calls::BySlot, ..config.lowering(tier) }),
            passes: Tier::ALL.map(|tier| {
                passes_wanted(config.inspection.passes.as_ref(), &config.lowering(tier)).into()
            }),
            pool: Pool::new(config.background_threads),
            inspected: config.inspected(),
            config,
            isa,
            clock: Clock::default(),
            environment,
            libraries: Mutex::default(),
            absolute: Mutex::default(),
            generators: Generators::default(),
            symbols: Mutex::new(symbols),
            resident,
            reservation,
        })
    }

    /// How functions of a tier are lowered.
    pub(super) fn options_of(&self, tier: Tier) -> &LowerOptions {
        &self.tiers[tier as usize]
    }

    /// The passes by which functions of a tier are lowered.
    pub(super) fn passes_of(&self, tier: Tier) -> &[&'static Pass] {
        &self.passes[tier as usize]
    }

    /// How many threads compile what is loaded. Remarks and dumps come in the order of the
    /// passes from one alone.
    pub(super) fn compile_threads(&self) -> usize {
        if self.inspected.is_some() { 1 } else { self.config.compile_threads }
    }

    /// The names. Nothing of the embedder's runs while they are locked.
    pub(super) fn symbols(&self) -> MutexGuard<'_, Symbols> {
        self.symbols.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parts that linking changes, of which the names are locked.
    pub(super) fn stage<'a>(&'a self, symbols: &'a mut Symbols) -> Stage<'a> {
        Stage {
            symbols,
            resident: &self.resident,
            reservation: &self.reservation,
            environment: &self.environment,
        }
    }

    /// Where code is written that need not wait for names; nowhere if debuggers are to be told of
    /// the whole.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        let row = || Row::new(&self.reservation, &self.resident);
        (!self.environment.debuggers.listen()).then(row)
    }

    pub(super) fn books(&self) -> Books {
        self.reservation.books()
    }
}

/// Refuses the platforms where compiled code has not been made to run: the
/// entries in assembly are missing there, or nobody has tried them.
fn require_platform(os: &'static str, architecture: &'static str) -> Result<(), CodeMemoryError> {
    match (os, architecture) {
        ("linux", "x86_64") => Ok(()),
        _ => Err(CodeMemoryError(MemoryError::Unsupported { os, architecture })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_runs_where_it_was_made_to_and_elsewhere_the_error_names_the_platform() {
        assert_eq!(require_platform("linux", "x86_64"), Ok(()));
        for (os, architecture) in [("linux", "aarch64"), ("macos", "x86_64"), ("windows", "x86_64")]
        {
            let error = require_platform(os, architecture).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{os} {architecture}: run the module with")),
                "{error}"
            );
        }
    }
}
