//! The back end, guarded: whatever it does, the caller gets a unit or an error.

use std::any::Any;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::verify::{self, verify_function};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::{CompiledCode, Context};
use cranelift_frontend::FunctionBuilderContext;

use super::assemble::{Assembly, assemble};
use super::code::Needs;
use super::function::{Subject, emit_function};
use super::memory::declare_memory;
use super::times::{EMIT, Times};
use crate::error::CompileError;
use crate::level::BackEnd;
use crate::options::{LowerOptions, StackGuard, Verification};
use crate::pipeline::{
    Demand, Inspector, Legal, Pass, Report, RunOptions, Stage, Timing, legal_function,
    passes_wanted,
};
use crate::target::Isa;
use crate::unit::CompiledUnit;

/// From here on the good register allocator's time grows with the square of
/// the size: 2.6 s for a chain of branches of 56,000 instructions.
const MAX_BACKTRACKING_INSTRUCTIONS: usize = 10_000;

/// The same for blocks.
const MAX_BACKTRACKING_BLOCKS: usize = 1_000;

/// A stage of the code to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// What the back end is given, in its own language.
    Clif,
    /// Machine code with registers assigned.
    Assembly,
}

/// What compiles functions, one after another. Holds no state between them
/// but memory to reuse: keep one per thread.
#[derive(Default)]
pub struct Compiler {
    context: Option<Box<Context>>,
    builder: FunctionBuilderContext,
    times: Option<Times>,
    inspector: Option<Arc<Inspector>>,
    demand: Option<Arc<dyn Demand>>,
    report: Report,
}

impl std::fmt::Debug for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiler").finish_non_exhaustive()
    }
}

/// A function to bring all the way down.
pub(super) struct Source<'a> {
    pub(super) module: &'a Module,
    pub(super) id: FuncId,
    pub(super) isa: &'a Isa,
    pub(super) options: &'a LowerOptions,
    /// What brings it into legal form.
    pub(super) passes: &'a [&'static Pass],
}

impl Source<'_> {
    fn name(&self) -> Box<str> {
        let function = self.module.function(self.id);
        function.map_or_else(|| self.id.to_string().into(), |it| (*it.name).into())
    }
}

/// What is to be compiled, and how.
pub(super) struct Job<'a> {
    pub(super) name: &'a str,
    pub(super) isa: &'a Isa,
    pub(super) max_instructions: usize,
    pub(super) stack_guard: StackGuard,
    /// How the back end works, unless the code is too large for that.
    pub(super) back_end: BackEnd,
}

/// Makes the code of a job.
pub(super) type EmitCode<'a> = dyn FnOnce(&mut Function, &mut FunctionBuilderContext, &mut Needs) -> Result<(), CompileError>
    + 'a;

impl Compiler {
    /// A compiler.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// A compiler that measures where its time goes.
    pub fn timed() -> Compiler {
        Compiler { times: Some(Times::default()), ..Compiler::default() }
    }

    /// Another compiler for another thread, which measures its time as this one does and
    /// whose passes are inspected by the same.
    pub fn another(&self) -> Compiler {
        let times = self.times.is_some().then(Times::default);
        Compiler { times, inspector: self.inspector.clone(), ..Compiler::default() }
    }

    /// Counts the times of another compiler among its own, if it measures any.
    pub fn add_times(&mut self, others: &Times) {
        if let Some(times) = &mut self.times {
            times.merge(others);
        }
    }

    /// The same compiler, whose passes are inspected.
    pub fn inspected(self, inspector: Arc<Inspector>) -> Compiler {
        Compiler { inspector: Some(inspector), ..self }
    }

    /// Has whatever it compiles from now on given up as soon as that says so, between two
    /// passes; by nobody, if there is none.
    pub fn set_demand(&mut self, demand: Option<Arc<dyn Demand>>) {
        self.demand = demand;
    }

    /// What the passes did in all that was compiled so far; nothing unless they are
    /// [`inspected`](Self::inspected).
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The same, to be counted by somebody else from here on.
    pub fn take_report(&mut self) -> Report {
        std::mem::take(&mut self.report)
    }

    /// The passes that functions are compiled by: those that the inspection wants, or those of
    /// the options' level.
    pub(super) fn passes(&self, options: &LowerOptions) -> Vec<&'static Pass> {
        let inspection = self.inspector.as_deref().map(Inspector::inspection);
        passes_wanted(inspection.and_then(|it| it.passes.as_ref()), options)
    }

    /// Whether somebody inspects its passes.
    pub(super) fn is_inspected(&self) -> bool {
        self.inspector.is_some()
    }

    /// Where the time of all that was compiled so far went; nothing unless it is
    /// [`timed`](Self::timed).
    pub fn times(&self) -> Times {
        self.times.clone().unwrap_or_default()
    }

    /// Compiles a function of a module.
    ///
    /// # Errors
    /// Any [`CompileError`]; the compiler can be used again after each.
    pub fn lower_function(
        &mut self,
        module: &Module,
        id: FuncId,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<CompiledUnit, CompileError> {
        let passes = &self.passes(options);
        Ok(self.lower(&Source { module, id, isa, options, passes }, None)?.unit)
    }

    /// Compiles all functions of a module that have a body, in its order. Each comes out as
    /// [`lower_function`](Self::lower_function) gives it; what several of them take over is
    /// worked on once, and a local one that nobody calls behind that is left out.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn lower_module(
        &mut self,
        module: &Module,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Vec<(FuncId, CompiledUnit)>, CompileError> {
        let batch = self.begin(module, isa, options)?;
        self.compile_all(batch, None, |compiled| compiled.unit)
    }

    /// A stage of the code of all functions of a module that have a body, as text.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn list_module(
        &mut self,
        module: &Module,
        isa: &Isa,
        options: &LowerOptions,
        listing: Listing,
    ) -> Result<Vec<(FuncId, String)>, CompileError> {
        let batch = self.begin(module, isa, options)?;
        self.compile_all(batch, Some(listing), |compiled| compiled.listing)
    }

    /// A stage of the code of a function, as text.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn list_function(
        &mut self,
        module: &Module,
        id: FuncId,
        isa: &Isa,
        options: &LowerOptions,
        listing: Listing,
    ) -> Result<String, CompileError> {
        self.list_behind(module, id, &self.passes(options), isa, options, listing)
    }

    /// The same behind other passes.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function), also where a pass that emission needs is
    /// not among them.
    pub fn list_behind(
        &mut self,
        module: &Module,
        id: FuncId,
        passes: &[&'static Pass],
        isa: &Isa,
        options: &LowerOptions,
        listing: Listing,
    ) -> Result<String, CompileError> {
        let source = Source { module, id, isa, options, passes };
        Ok(self.lower(&source, Some(listing))?.listing)
    }

    /// Verifies a function, brings it into legal form, and compiles that.
    pub(super) fn lower(
        &mut self,
        source: &Source<'_>,
        listing: Option<Listing>,
    ) -> Result<Compiled, CompileError> {
        check(source)?;
        let Source { module, id, passes, .. } = *source;
        let legal =
            self.watched(source, |run, report| legal_function(module, id, passes, run, report))?;
        self.emit(legal, source, listing)
    }

    /// Compiles a function in legal form.
    pub(super) fn emit(
        &mut self,
        legal: Legal,
        source: &Source<'_>,
        listing: Option<Listing>,
    ) -> Result<Compiled, CompileError> {
        let subject = subject(&legal, source)?;
        let job = job(&subject);
        let emit = |into: &mut _, context: &mut _, needs: &mut _| {
            emit_function(&subject, into, context, needs)
        };
        let mut compiled = self.compile(&job, listing, Box::new(emit))?;
        compiled.unit.inlined = legal.inlined;
        Ok(compiled)
    }

    /// Runs passes: guarded, timed and inspected.
    pub(super) fn watched<T>(
        &mut self,
        source: &Source<'_>,
        passes: impl FnOnce(&RunOptions<'_>, &mut Report) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let timing = if self.times.is_some() { Timing::Stages } else { Timing::Off };
        let (max_parts, inspector) = (source.options.max_parts(), self.inspector.as_deref());
        let run = RunOptions::new(source.isa.spec());
        let demand = self.demand.clone();
        let demand = demand.as_deref();
        let run = RunOptions { max_parts, timing, inspector, demand, ..run };
        let mut report = Report::default();
        let done = guarded(source, || passes(&run, &mut report));
        if let Some(times) = &mut self.times {
            let took = Stage::ALL.iter().zip(report.stages).filter(|(_, time)| !time.is_zero());
            took.for_each(|(stage, time)| times.add(stage.name(), time));
        }
        if self.inspector.is_some() {
            self.report.merge(report);
        }
        done
    }

    /// Compiles what `emit` makes.
    pub(super) fn unit(
        &mut self,
        job: &Job<'_>,
        emit: Box<EmitCode<'_>>,
    ) -> Result<CompiledUnit, CompileError> {
        Ok(self.compile(job, None, emit)?.unit)
    }

    fn compile(
        &mut self,
        job: &Job<'_>,
        listing: Option<Listing>,
        emit: Box<EmitCode<'_>>,
    ) -> Result<Compiled, CompileError> {
        let start = self.times.is_some().then(Instant::now);
        let compiled = self.compile_guarded(job, listing, emit);
        if let (Some(times), Some(start)) = (&mut self.times, start) {
            times.add(EMIT, start.elapsed());
        }
        compiled
    }

    fn compile_guarded(
        &mut self,
        job: &Job<'_>,
        listing: Option<Listing>,
        emit: Box<EmitCode<'_>>,
    ) -> Result<Compiled, CompileError> {
        // Taken, so that a panic or an error drops what it left half made.
        let mut context = self.context.take().unwrap_or_else(|| Box::new(Context::new()));
        let mut builder = std::mem::take(&mut self.builder);
        let attempt = AssertUnwindSafe(|| {
            let compiled = run(job, listing, emit, &mut context, &mut builder)?;
            Ok((compiled, context, builder))
        });
        match catch_unwind(attempt) {
            Ok(Ok((compiled, mut context, builder))) => {
                context.clear();
                (self.context, self.builder) = (Some(context), builder);
                Ok(compiled)
            }
            Ok(Err(error)) => Err(error),
            Err(panic) => {
                let reason = format!("in the back end, {}", panic_message(&*panic)).into();
                Err(CompileError::Panicked { function: job.name.into(), reason })
            }
        }
    }
}

/// Compiles a function of a module; a [`Compiler`] that is kept saves
/// allocations.
///
/// # Errors
/// Any [`CompileError`].
pub fn lower_function(
    module: &Module,
    id: FuncId,
    isa: &Isa,
    options: &LowerOptions,
) -> Result<CompiledUnit, CompileError> {
    Compiler::new().lower_function(module, id, isa, options)
}

/// Whether passes can be run on the function: it is there, not too large, and sound.
pub(super) fn check(source: &Source<'_>) -> Result<(), CompileError> {
    let Source { module, id, options, .. } = *source;
    let body = module.function(id).and_then(|function| function.body.as_deref());
    let body = body.ok_or_else(|| CompileError::NoBody { function: source.name() })?;
    let (count, limit) = (body.inst_count(), options.max_instructions);
    if count > limit {
        return Err(CompileError::TooLarge { function: source.name(), count, limit });
    }
    if options.verification == Verification::Omit {
        return Ok(());
    }
    let verify = || verify_function(module, id, &verify::Options::default());
    guarded(source, || {
        verify().map_err(|errors| CompileError::Invalid {
            function: source.name(),
            errors: Box::new(errors),
        })
    })
}

/// What passes make of the function, or the panic of one of them as an error.
pub(super) fn guarded<T>(
    source: &Source<'_>,
    passes: impl FnOnce() -> Result<T, CompileError>,
) -> Result<T, CompileError> {
    catch_unwind(AssertUnwindSafe(passes)).unwrap_or_else(|panic| {
        let reason = format!("in a pass, {}", panic_message(&*panic)).into();
        Err(CompileError::Panicked { function: source.name(), reason })
    })
}

fn subject<'a>(legal: &'a Legal, source: &Source<'a>) -> Result<Subject<'a>, CompileError> {
    let module = &legal.module;
    let missing = || CompileError::NoBody { function: legal.function.to_string().into() };
    let function = module.function(legal.function).ok_or_else(missing)?;
    let body = function.body.as_deref().ok_or_else(missing)?;
    Ok(Subject { legal, module, function, body, isa: source.isa, options: source.options })
}

fn job<'a>(subject: &Subject<'a>) -> Job<'a> {
    Job {
        name: &subject.function.name,
        isa: subject.isa,
        max_instructions: subject.options.max_instructions,
        stack_guard: subject.options.stack_guard,
        back_end: subject.options.back_end(),
    }
}

/// What the back end made of a job.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) unit: CompiledUnit,
    listing: String,
}

fn run(
    job: &Job<'_>,
    listing: Option<Listing>,
    emit: Box<EmitCode<'_>>,
    context: &mut Context,
    builder: &mut FunctionBuilderContext,
) -> Result<Compiled, CompileError> {
    let mut needs = Needs::default();
    declare_memory(&mut context.func);
    emit(&mut context.func, builder, &mut needs)?;
    let chosen = back_end_for(job, &needs, context)?;
    context.set_disasm(listing == Some(Listing::Assembly));
    let clif = (listing == Some(Listing::Clif)).then(|| context.func.display().to_string());
    let mut code = match job.back_end {
        BackEnd::Quick => machine_code_as_is(job, context)?,
        BackEnd::Plain | BackEnd::Rewriting => machine_code(job, chosen, context)?,
    };
    let listing = listing.map_or_else(String::new, |_| {
        let mut listing = clif.or_else(|| code.vcode.take()).unwrap_or_default();
        for (index, symbol) in needs.symbols.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(listing, "; u0:{index} is {symbol}");
        }
        listing
    });
    let assembly = Assembly {
        name: job.name,
        architecture: job.isa.spec().architecture(),
        stack_guard: job.stack_guard,
    };
    let unit = assemble(&assembly, &code, &context.func, needs)
        .map_err(|reason| back_end(job, &format!("it left {reason}")))?;
    Ok(Compiled { unit, listing })
}

fn machine_code(
    job: &Job<'_>,
    chosen: BackEnd,
    context: &mut Context,
) -> Result<CompiledCode, CompileError> {
    context
        .compile(job.isa.machine(chosen), &mut ControlPlane::default())
        .map_err(|error| back_end(job, &error.inner.to_string()))?;
    context.take_compiled_code().ok_or_else(|| back_end(job, "it gave no code"))
}

/// The code without a search for parameters of blocks that are always the same, which takes
/// longer than it saves, and for blocks that nothing leads to, of which emission makes none.
fn machine_code_as_is(job: &Job<'_>, context: &mut Context) -> Result<CompiledCode, CompileError> {
    let isa = job.isa.machine(BackEnd::Quick);
    context.verify_if(isa).map_err(|error| back_end(job, &error.to_string()))?;
    context.flowgraph();
    context.func.dfg.resolve_all_aliases();
    let (function, tree, listed) = (&context.func, &context.domtree, context.want_disasm);
    // Registers that are assigned in one pass need nothing of an earlier function.
    let mut registers = Default::default();
    let made =
        isa.compile_function(function, tree, &mut registers, listed, &mut ControlPlane::default());
    let made = made.map_err(|error| back_end(job, &error.to_string()))?;
    Ok(made.apply_params(&function.params))
}

/// How the back end works on such code.
fn back_end_for(job: &Job<'_>, needs: &Needs, context: &Context) -> Result<BackEnd, CompileError> {
    let dfg = &context.func.dfg;
    let (count, limit) = (dfg.num_insts(), job.max_instructions);
    if count > limit {
        return Err(CompileError::TooLarge { function: job.name.into(), count, limit });
    }
    let small =
        count <= MAX_BACKTRACKING_INSTRUCTIONS && dfg.num_blocks() <= MAX_BACKTRACKING_BLOCKS;
    // Registers that are assigned in one pass leave each value a place of its own in the frame,
    // those of the back end itself, too: the address where results go that no registers are left
    // for. A second return finds it there, whatever the way from the first has done. And
    // rewriting would make one value of two equal ones, before and behind such a call.
    let is_quick = !small || needs.second_returns > 0;
    Ok(if is_quick { BackEnd::Quick } else { job.back_end })
}

fn back_end(job: &Job<'_>, reason: &str) -> CompileError {
    CompileError::BackEnd { function: job.name.into(), reason: reason.into() }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a message".to_owned())
}

#[cfg(test)]
mod tests;
