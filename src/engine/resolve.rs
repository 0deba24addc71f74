//! Making the code of functions that are called and have none.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use brolga_baseline::Baseline;
use brolga_ir::trap::TrapCode;
use brolga_lifecycle::job::{Caller, Job, Waits};
use brolga_lifecycle::life::Started;
use brolga_lifecycle::queue::Priority;
use brolga_lifecycle::resolve::{Functions, Goal, Made, Unresolved};
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::pipeline::{Demand, GivenUp, Part};
use brolga_lowering::unit::CompiledUnit;

use super::events::reason;
use super::foreign::resolve_symbol;
use super::freeing::Retiree;
use super::gather::Gathered;
use super::generators::Generated;
use super::shared::Shared;
use super::spans;
use super::tiering::{Work, has_loops};
use crate::error::LoadError;
use crate::link::{Bound, FunctionLife, FunctionSymbol, Lazy, LinkFailure, Missing, Source};
use crate::runtime::{Placed, Resolver, Spent, Stop, panic_message};

pub(super) type Compiled = Result<Made<Arc<Placed>>, Arc<LoadError>>;

impl Functions for Shared {
    type Source = Source;
    type Code = Arc<Placed>;
    type Error = Arc<LoadError>;
    type Slot = Arc<FunctionSymbol>;

    fn life(&self, function: u32) -> &FunctionLife {
        self.functions.entry(function)
    }

    fn compile(&self, function: u32, started: &Started<Source>, goal: Goal) -> Compiled {
        match &started.source {
            // What it defines has freed what can be, if it had to.
            Source::Callback(callback) => self.call_back(function, callback, &started.job),
            _ => self.with_freed(|| self.compile_source(function, started, goal)),
        }
    }

    fn published(&self, _: u32, started: &Started<Source>, code: &Arc<Placed>, goal: Goal) {
        self.tell_compiled(started, code, goal);
        self.free_some();
    }

    fn failed(&self, function: u32, started: &Started<Source>, error: &Arc<LoadError>, goal: Goal) {
        self.tell_failed(function, started, error, goal);
        self.tell_freed();
    }

    fn retire(&self, code: Arc<Placed>) {
        self.keep_calls(&code);
        self.retired.retire(&self.environment.epochs, Retiree::Code(code));
    }

    fn retire_all(&self, codes: Vec<Arc<Placed>>) {
        codes.iter().for_each(|code| self.keep_calls(code));
        self.retired.retire_all(&self.environment.epochs, codes.into_iter().map(Retiree::Code));
    }

    fn waits(&self) -> &Waits {
        &self.waits
    }

    fn help(&self, caller: Caller) -> bool {
        let Some(work) = self.pool.try_take() else { return false };
        // Who waits may have locks of its own, for which what makes modules would wait.
        let is_ours = match work {
            Work::Better(..) => true,
            Work::First(number) => {
                let source = self.life(number).source();
                source.is_none_or(|(source, _)| source.definition().is_some())
            }
        };
        if is_ours {
            self.carry_out(&work, caller);
        } else {
            // Where the engine is going, nobody wants it.
            let _ = self.pool.push(Priority::Speculation, work);
        }
        is_ours
    }
}

/// What makes code of any tier, with the memory that it needs for that. Both are large, and it is
/// taken and given back for each function.
#[derive(Debug, Default)]
pub(super) struct Workbench {
    compiler: Box<Compiler>,
    baseline: Box<Baseline>,
}

/// A function that was compiled by itself.
struct Lowered {
    unit: CompiledUnit,
    /// How well.
    tier: Tier,
    /// The bodies that it may have in it, if there are others than its own.
    gathered: Option<Gathered>,
}

/// Gives up what nobody wants any more, and what takes too long.
#[derive(Debug)]
struct InTime {
    job: Arc<Job>,
    deadline: Option<Instant>,
}

impl Demand for InTime {
    fn given_up(&self) -> Option<GivenUp> {
        if self.job.is_over() {
            return Some(GivenUp::Unwanted);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(GivenUp::Late)
    }
}

impl Shared {
    /// Compiles a function, what is left of it, or the way to another one.
    fn compile_source(&self, function: u32, started: &Started<Source>, goal: Goal) -> Compiled {
        if matches!(started.source, Source::Elsewhere) {
            return self.lead_elsewhere(function);
        }
        let Some((definition, id)) = started.source.definition() else {
            let name = self.name_of(function);
            return Err(Arc::new(CompileError::NoBody { function: name }.into()));
        };
        let block = match started.source {
            Source::Continuation(_, _, block) => Some(block),
            _ => None,
        };
        let tier = match (goal, block) {
            (Goal::Better(tier), _) => tier,
            (_, Some(_)) => Tier::Hot,
            (Goal::FirstAt(tier), None) if self.config.tiering.is_adaptive() => tier,
            (Goal::First | Goal::FirstAt(_), None) => {
                let function = definition.module.function(id);
                self.config.tiering.first(function.map_or("", |function| &function.name))
            }
        };
        let (number, budget, took) = (function, None, Duration::ZERO);
        let (definition, names) = (&definition, &definition.module);
        let (bound, slots) = (&Bound::default(), &[][..]);
        let lazy = Lazy { definition, id, names, bound, slots, number, block, tier, budget, took };
        let job = &started.job;
        let _span = spans::compile(|| self.name_of(function), reason(&started.source, goal));
        let compiled = self.with_room(Some(job.owner()), || self.compile_in_time(&lazy, job));
        let compiled = compiled.unwrap_or_else(|small| Ok(Err(Arc::new(small.into()))));
        let compiled = compiled.unwrap_or_else(|payload| {
            let reason = panic_message(payload).into();
            let function = self.name_of(function);
            Err(Arc::new(CompileError::Panicked { function, reason }.into()))
        });
        compiled.map_err(|error| self.with_repro(&lazy, error))
    }

    /// The same with less work for what is large or takes too long.
    fn compile_in_time(&self, lazy: &Lazy<'_>, job: &Arc<Job>) -> Compiled {
        // It does not ask for more again, which would come to the same.
        let less = Lazy { tier: Tier::Warm, budget: Some(u32::MAX), ..*lazy };
        let job = Arc::clone(job);
        let unlimited = InTime { job: Arc::clone(&job), deadline: None };
        match self.config.compile_deadline {
            _ if lazy.tier == Tier::Hot && self.is_large(lazy) => {
                self.compile_lazy(&less, unlimited)
            }
            Some(limit) if self.pipeline_tier(lazy) == Tier::Hot => {
                let deadline = Instant::now().checked_add(limit);
                match self.compile_lazy(lazy, InTime { job, deadline }) {
                    Err(error) if is_late(&error) => self.compile_lazy(&less, unlimited),
                    compiled => compiled,
                }
            }
            _ => self.compile_lazy(lazy, unlimited),
        }
    }

    /// Whether a function is too large to be compiled as well as it can be.
    fn is_large(&self, lazy: &Lazy<'_>) -> bool {
        let body = lazy.definition.module.function(lazy.id).and_then(|it| it.body.as_deref());
        body.is_some_and(|body| body.inst_count() > self.config.max_hot_instructions)
    }

    /// Compiles a function and links it; nobody is led there yet.
    fn compile_lazy(&self, lazy: &Lazy<'_>, demand: InTime) -> Compiled {
        let definition = lazy.definition;
        let (start, demand): (_, Arc<dyn Demand>) = (Instant::now(), Arc::new(demand));
        definition.verify(lazy.id)?;
        loop {
            let (isa, options) = (&self.isa, &self.options);
            let mut bench = self.take_workbench();
            bench.compiler.set_demand(Some(Arc::clone(&demand)));
            let lowered = self.lower_lazy(lazy, &mut bench);
            if let Some(inspected) = &self.inspected {
                inspected.take_from(&mut bench.compiler);
            }
            let Lowered { mut unit, tier, gathered } = lowered?;
            let budget = self.config.tiering.budget(tier, 0);
            let budget = budget.map(|budget| lazy.budget.unwrap_or(budget));
            let (names, bound) = match &gathered {
                Some(gathered) => (&gathered.extract.module, &gathered.bound),
                None => (lazy.names, lazy.bound),
            };
            if let Some(gathered) = &gathered {
                gathered.name_frames(&mut unit);
            }
            let lazy = Lazy { names, bound, tier, budget, took: start.elapsed(), ..*lazy };
            let inlined = std::mem::take(&mut unit.inlined);
            let missing = Missing::of(&unit, &lazy, &self.symbols());
            let prepared = missing.compile(&lazy, unit, &mut bench.compiler, isa, options);
            let prepared = prepared.map_err(|error| Arc::new(error.into()))?;
            self.give_back(bench);
            let mut symbols = self.symbols();
            let mut foreign = |name: &str| resolve_symbol(self, name);
            let linked = self.depended_on(&mut symbols, bound, &inlined).and_then(|depended| {
                let lazy = Lazy { slots: &depended.slots, ..lazy };
                let linked = self.stage(&mut symbols).link_lazy(&lazy, prepared, &mut foreign);
                let (code, left) = linked?;
                let sources = self.settle_loaded(&symbols, left);
                Ok((Made { code, inlined: depended.versions }, sources))
            });
            drop(symbols);
            let linked = linked.map(|(made, sources)| {
                self.leave(sources);
                made
            });
            match linked {
                Ok(made) => {
                    self.speculate(&made.code);
                    return Ok(made);
                }
                Err(LinkFailure::Refused(error)) => {
                    self.settle_abandoned();
                    return Err(Arc::new(error));
                }
                Err(LinkFailure::Stale) => {}
            }
        }
    }

    /// Compiles a function by itself, or what is left of it.
    fn lower_lazy(
        &self,
        lazy: &Lazy<'_>,
        Workbench { compiler, baseline }: &mut Workbench,
    ) -> Result<Lowered, Arc<LoadError>> {
        let module = &lazy.definition.module;
        if lazy.tier == Tier::Quick
            && let Some(unit) = self.copy_function(baseline, module, lazy.id)
        {
            return Ok(Lowered { unit, tier: lazy.tier, gathered: None });
        }
        let tier = self.pipeline_tier(lazy);
        let options = self.options_of(tier);
        let gathered = self.gather(lazy.definition, lazy.id, self.passes_of(tier));
        let arguments = lazy.definition.arguments(lazy.id);
        let (module, part) = match &gathered {
            Some(Gathered { extract, others, sole, .. }) => {
                (&extract.module, Part { function: extract.function, others, sole, arguments })
            }
            None => (module, Part { function: lazy.id, others: &[], sole: &[], arguments }),
        };
        self.tally.add_lowered(1);
        let unit = match lazy.block {
            None => compiler.lower_part(module, part, &self.isa, options),
            Some(block) => {
                let frame = self.frame_of(&lazy.definition.module, lazy.id).unwrap_or_default();
                let entry = (block, &frame);
                let unit = compiler.lower_continuation(module, part, entry, &self.isa, options);
                let reason = "a loop of it cannot be left for better code".into();
                let function = self.name_of(lazy.number);
                unit.and_then(|unit| unit.ok_or(CompileError::BackEnd { function, reason }))
            }
        };
        let unit = unit.map_err(|error| Arc::new(error.into()))?;
        Ok(Lowered { unit, tier, gathered })
    }

    /// The tier that a function goes through the pipeline for. One of the first tier for which
    /// there are no stencils is not left in the middle of a loop: where what runs counts, one
    /// with loops is compiled as well as it can be.
    fn pipeline_tier(&self, lazy: &Lazy<'_>) -> Tier {
        let function = lazy.definition.module.function(lazy.id);
        let body = function.and_then(|function| function.body.as_deref());
        let counts = self.config.tiering.budget(lazy.tier, 0).is_some();
        match lazy.tier {
            Tier::Quick if counts && body.is_some_and(has_loops) && !self.is_large(lazy) => {
                Tier::Hot
            }
            tier => tier,
        }
    }

    /// A workbench that has its memory already, if there is one.
    fn take_workbench(&self) -> Workbench {
        let kept = self.workbenches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(bench) = kept {
            return bench;
        }
        let mut bench = Workbench::default();
        if let Some(inspected) = &self.inspected {
            *bench.compiler = Compiler::new().inspected(Arc::clone(&inspected.inspector));
        }
        bench
    }

    fn give_back(&self, mut bench: Workbench) {
        bench.compiler.set_demand(None);
        self.workbenches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
    }

    /// The name of a function.
    pub(super) fn name_of(&self, function: u32) -> Box<str> {
        let entry = self.functions.entry(function);
        if let Some(symbol) = entry.slot() {
            return (*symbol.name).into();
        }
        let definition = entry.source().and_then(|(source, _)| source.definition());
        let name = definition.and_then(|(definition, id)| {
            definition.module.function(id).map(|function| (*function.name).into())
        });
        name.unwrap_or_default()
    }

    /// Why a call of a function led nowhere.
    fn stop_for(&self, function: u32, why: &Unresolved<Arc<LoadError>>) -> Stop {
        let name = self.name_of(function);
        let (code, detail) = match why {
            Unresolved::Undefined(_) => (TrapCode::MissingFunction, self.absence(function, &name)),
            Unresolved::Failed(error) => {
                (TrapCode::RefusedFunction, format!("`@{name}` cannot be compiled: {error}"))
            }
            Unresolved::Cycle(cycle) => {
                (TrapCode::RefusedFunction, format!("`@{name}` cannot be compiled: {cycle}"))
            }
        };
        let mut stop = Stop::new(code);
        stop.trap.detail = Some(detail.into());
        stop
    }

    /// Why a function has no definition.
    fn absence(&self, function: u32, name: &str) -> String {
        let symbols = self.symbols();
        let library = symbols.symbol(function).map_or(self.main.library, |symbol| symbol.library);
        match symbols.named_function(library, name) {
            Some(other) if other != function => {
                let (old, new) = (symbols.signature_text(function), symbols.signature_text(other));
                format!("`@{name}` is called as {old}, and is defined as {new} by now")
            }
            _ if symbols.hosts.contains_key(name) => {
                let old = symbols.signature_text(function);
                format!("`@{name}` is called as {old}, which the host's function is not")
            }
            _ => format!("`@{name}` is declared and not defined; load the module that defines it"),
        }
    }
}

/// Whoever was to make a function did not.
fn not_made(name: &str, reason: &str) -> Stop {
    let mut stop = Stop::new(TrapCode::RefusedFunction);
    stop.trap.detail = Some(format!("`@{name}` was not made: {reason}").into());
    stop
}

fn is_late(error: &LoadError) -> bool {
    matches!(error, LoadError::Compile(CompileError::Late { .. }))
}

impl Resolver for Shared {
    fn resolve(&self, number: u32, caller: Caller) -> Result<usize, Box<Stop>> {
        let mut code = self.resolve_anywhere(number, caller);
        if matches!(code, Err(Unresolved::Undefined(_)))
            && let Some(symbol) = self.functions.entry(number).slot()
        {
            let full = (symbol.library, &*symbol.name);
            match self.generate(full) {
                Ok(Generated::Defined) => code = self.resolve_anywhere(number, caller),
                Ok(Generated::Unknown) => {}
                Err(reason) => return Err(Box::new(not_made(full.1, &reason))),
            }
        }
        // Who calls is inside: the code stays, though it be taken out at once.
        code.map(|code| code.address()).map_err(|why| Box::new(self.stop_for(number, &why)))
    }

    fn go_on(&self, spent: &Spent<'_>) -> Option<usize> {
        self.spent(spent)
    }
}
