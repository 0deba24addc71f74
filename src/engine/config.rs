//! What an embedder chooses about an engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use brolga_ir::observe::Observer;
use brolga_lifecycle::tiers::{Tier, Tiering};
use brolga_lowering::level::{BackEnd, Level};
use brolga_lowering::options::{
    Calls, Counting, Fuel, LowerOptions, Polls, Sanitizing, StackGuard, TextLines, Verification,
};
use brolga_lowering::pipeline::{Inspection, Inspector};
use brolga_lowering::target::TargetSpec;

use super::inspected::Inspected;
use crate::memory::{self, Mappings, MemoryConfig};
use crate::runtime::Debugging;

/// What a forked child of the process may do with an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forking {
    /// Nothing: loading and calling in it are errors. The fastest.
    #[default]
    Refused,
    /// Everything: it gets a copy of its own. Of the parent's threads, the child has the one
    /// that forked alone, so that what another thread was about just then stays as it was: a
    /// function that it was compiling is waited for without end, what it had locked stays
    /// locked, and code stays that it was inside of. Fork while no other thread calls, compiles
    /// or changes definitions, those of [`Config::background_threads`] among them.
    Safe,
}

/// Whether functions that are [defined](super::Engine::define) are compiled before anybody calls
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speculation {
    /// They are not.
    #[default]
    Off,
    /// Those that a function calls by name are, once it is compiled itself, by threads of the
    /// engine that have nothing better to do.
    Callees,
}

/// What an embedder chooses about an engine.
#[derive(Clone, Debug)]
pub struct Config {
    /// How hard code is worked on; [`Level::O2`] by default.
    pub level: Level,
    /// How well functions are compiled, and when better: once, through the pipeline at
    /// [`Config::level`], by default. Where it depends on what runs, that is so for functions
    /// that are [defined](super::Engine::define); modules that are loaded are compiled once, at
    /// that level.
    pub tiering: Tiering,
    /// How many threads compile better what runs already. One by default; they are made when
    /// there is something to do. With 0 whoever finds that code is to be better compiles it
    /// at once: the same runs compile the same then.
    pub background_threads: usize,
    /// How long a function that is [defined](super::Engine::define) may be compiled as well as
    /// it can be, until it is compiled warm instead: somebody may wait for it. Looked at between
    /// two passes. No limit by default: with one, the same program is not compiled the same
    /// each time.
    pub compile_deadline: Option<Duration>,
    /// The most instructions of a function that is compiled as well as it can be; larger ones are
    /// warm instead, as far as they are defined one by one. No limit by default.
    pub max_hot_instructions: usize,
    /// Whether functions are compiled before anybody calls them. By default not.
    pub speculation: Speculation,
    /// How the back end works; as the level has it by default.
    pub back_end: Option<BackEnd>,
    /// Bytes of address space for code and data, 1 MiB to 2 GiB. They cost no
    /// memory until they are used. 256 MiB by default. The thread-local data of
    /// all modules together, which each thread has beside it, may be no larger.
    pub reservation: usize,
    /// The most bytes of memory for code and data, and the most for the
    /// thread-local data of one thread; no limit by default.
    pub memory_budget: usize,
    /// What a forked child may do; by default nothing with the engine.
    pub forking: Forking,
    /// Where calls can be stopped from outside, by fuel, a deadline or
    /// [`Engine::interrupt`](super::Engine::interrupt). By default where the
    /// program itself polls.
    pub polls: Polls,
    /// Whether polls take fuel. By default not.
    pub fuel: Fuel,
    /// Whether functions test for the end of the stack, so that deep recursion is a trap; by
    /// default they do. Without it there is no safe loading: recursion that is too deep writes
    /// to whatever lies behind the stack.
    pub stack_guard: StackGuard,
    /// Whether accesses by address are checked against the objects that they belong to, so that
    /// one outside is the trap `invalid_access`; by default not. For debugging, as it costs
    /// time at each access, and knows only the slots, data and objects on the stack that a
    /// function names itself: it makes no module safe.
    pub sanitize: Sanitizing,
    /// The target; by default this machine with all its features.
    pub target: Option<TargetSpec>,
    /// Symbols of this process that modules may name as foreign: names, or
    /// beginnings of names with a `*` behind. By default none.
    pub allow_symbols: Vec<String>,
    /// The most instructions of a function, 1,000,000 by default: a larger one is
    /// [`CompileError::TooLarge`](brolga_lowering::error::CompileError::TooLarge). It bounds the
    /// parts of its aggregates and vectors, too: see [`LowerOptions::max_parts`].
    pub max_instructions: usize,
    /// How many threads compile the functions of what is loaded, the loading one among them;
    /// 1 by default, which makes no others. They are gone when loading is over, and the code
    /// is the same, whatever the number. While passes are inspected there is one.
    pub compile_threads: usize,
    /// Who is told of what happens; by default nobody.
    pub observer: Option<Arc<dyn Observer>>,
    /// Which passes run, if others than those of the level, and what the observer is shown of
    /// them, and told by them; by default nothing. Times and counts of what is loaded are shown
    /// when it is, and those of functions that are [defined](super::Engine::define) when
    /// [`Engine::finish_records`](super::Engine::finish_records) is called, and at the end of the
    /// engine.
    /// [`Inspection::from_environment`] takes it from variables of the environment, so that
    /// a program that has no options for it can be asked all the same.
    pub inspection: Inspection,
    /// Which debuggers and profilers are told of code; by default none.
    pub debugging: Debugging,
    /// A file in which each function that is [defined](super::Engine::define) gets a line when it
    /// is first compiled, in place of what the file had; by default there is none.
    /// [`Engine::precompile`](super::Engine::precompile) reads it, in a later process. It has what
    /// went before wherever the process ends.
    pub trace_compile: Option<PathBuf>,
    /// The folder in which the text of a function is written whose compile panics, as by
    /// [`Engine::dump_repro`](super::Engine::dump_repro); the error says where. By default there
    /// is none, and nothing is written.
    pub repro_directory: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Config {
        let memory = MemoryConfig::default();
        let lower = LowerOptions::default();
        Config {
            level: lower.level,
            tiering: Tiering::Fixed(Tier::Hot),
            background_threads: 1,
            compile_deadline: None,
            max_hot_instructions: usize::MAX,
            speculation: Speculation::Off,
            back_end: lower.back_end,
            reservation: memory.reservation,
            memory_budget: memory.budget,
            forking: Forking::Refused,
            polls: lower.polls,
            fuel: lower.fuel,
            stack_guard: lower.stack_guard,
            sanitize: lower.sanitize,
            target: None,
            allow_symbols: Vec::new(),
            max_instructions: lower.max_instructions,
            compile_threads: 1,
            observer: None,
            inspection: Inspection::default(),
            debugging: Debugging::default(),
            trace_compile: None,
            repro_directory: None,
        }
    }
}

impl Config {
    pub(super) fn memory(&self) -> MemoryConfig {
        MemoryConfig {
            reservation: self.reservation,
            budget: self.memory_budget,
            forking: match self.forking {
                Forking::Refused => memory::Forking::Refused,
                Forking::Safe => memory::Forking::Safe,
            },
            mappings: match self.debugging.needs_private_memory() {
                true => Mappings::Private,
                false => Mappings::Any,
            },
            ..MemoryConfig::default()
        }
    }

    /// How modules are compiled that are loaded.
    pub(super) fn load_tier(&self) -> Tier {
        match self.tiering {
            Tiering::Fixed(tier) => tier,
            Tiering::Adaptive(_) | Tiering::Replay(_) => Tier::Hot,
        }
    }

    /// How functions of a tier are lowered.
    pub(super) fn lowering(&self, tier: Tier) -> LowerOptions {
        LowerOptions {
            level: match tier {
                Tier::Quick => Level::O0,
                Tier::Warm => self.level.min(Level::O1),
                Tier::Hot => self.level,
            },
            back_end: self.back_end,
            polls: self.polls,
            fuel: self.fuel,
            stack_guard: self.stack_guard,
            sanitize: self.sanitize,
            counting: match self.tiering.budget(tier, 0) {
                Some(_) => Counting::Emit,
                None => Counting::Omit,
            },
            calls: Calls::Near,
            text_lines: match self.debugging.needs_lines() {
                true => TextLines::All,
                false => TextLines::Cheap,
            },
            // Loading verifies whole modules; the prelude's tests verify that.
            verification: Verification::Omit,
            max_instructions: self.max_instructions,
        }
    }

    /// Who inspects the passes, if anything is asked of them.
    pub(super) fn inspected(&self) -> Option<Inspected> {
        let inspect = || Inspector::new(self.inspection.clone(), self.observer.clone());
        (!self.inspection.is_empty()).then(|| Inspected::new(inspect()))
    }

    /// Whether modules may name the process's `symbol`.
    pub(super) fn allows(&self, symbol: &str) -> bool {
        matches_any(&self.allow_symbols, symbol)
    }
}

/// Whether a name is one of these: names, or beginnings of names with a `*` behind.
pub(super) fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    })
}
