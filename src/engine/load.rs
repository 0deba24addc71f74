//! Loading modules: verify, compile with no lock held, link.

use std::sync::Arc;
use std::time::{Duration, Instant};

use brolga_ir::module::Module;
use brolga_ir::observe::LoadStep;
use brolga_ir::types::TypePool;
use brolga_ir::verify::{self, VerifyErrors, verify_module};
use brolga_lowering::emit::Compiler;
use brolga_lowering::options::StackGuard;

use super::foreign::resolve_symbol;
use super::host::NewHost;
use super::shared::Shared;
use super::spans;
use crate::error::LoadError;
use crate::link::{
    Incoming, LinkFailure, Made, Names, Prepared, Present, Verification, Workers, prepare,
};
use crate::runtime::ensure_room_to_compile;

/// Whether safe code may load modules, by what is found of each.
pub(super) fn check_safe(
    shared: &Shared,
    modules: impl Iterator<Item = Result<(), VerifyErrors>>,
) -> Result<(), LoadError> {
    if shared.options.stack_guard == StackGuard::Omit {
        return Err(LoadError::NoStackGuard);
    }
    for found in modules {
        found.map_err(LoadError::NotSafe)?;
    }
    Ok(())
}

/// Loads `modules` together: all of them, or nothing.
pub(super) fn load(
    shared: &Shared,
    modules: &[&Module],
    verification: Verification,
) -> Result<(), LoadError> {
    load_with(shared, modules, verification, None)
}

/// Defines a function of the host and loads the module that imports it: both,
/// or nothing.
pub(super) fn load_host(
    shared: &Shared,
    host: &NewHost,
    importer: &Module,
) -> Result<(), LoadError> {
    load_with(shared, &[importer], Verification::Pending, Some(host))
}

fn load_with(
    shared: &Shared,
    modules: &[&Module],
    verification: Verification,
    host: Option<&NewHost>,
) -> Result<(), LoadError> {
    let _span = spans::load(modules.len());
    ensure_room_to_compile()?;
    let mut watch = Watch::start(shared);
    if verification == Verification::Pending {
        for module in modules {
            verify_module(module, &verify::Options::default())?;
        }
    }
    watch.tell(LoadStep::Verify);
    let incoming: Vec<Incoming<'_>> =
        modules.iter().map(|module| incoming_module(module)).collect();
    let loaded = shared.with_freed(|| {
        while compile_and_link(shared, modules, &incoming, host, &mut watch)? == Linked::Stale {}
        Ok(())
    });
    shared.tell_freed();
    loaded
}

/// What came of linking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linked {
    Done,
    /// The engine changed meanwhile.
    Stale,
}

fn compile_and_link(
    shared: &Shared,
    modules: &[&Module],
    incoming: &[Incoming<'_>],
    host: Option<&NewHost>,
    watch: &mut Watch<'_>,
) -> Result<Linked, LoadError> {
    let present = Present::of(&shared.symbols());
    let present = match host {
        Some(host) => present.with_host(host.name()),
        None => present,
    };
    let mut compiler = watch.compiler();
    let (isa, options) = (&shared.isa, &shared.options);
    let (threads, first) = (shared.compile_threads(), shared.first_tier());
    let mut workers = Workers::new(&mut compiler, threads, first);
    let prepared = prepare(incoming, isa, options, present, &mut workers)
        .map_err(|error| shared.with_load_repro(modules, error))?;
    shared.tally.add_lowered(workers.lowered);
    let Workers { compiler, copying, .. } = workers;
    watch.tell_compiled(compiler, copying);
    let linked = link(shared, incoming, prepared, host);
    watch.tell(LoadStep::Link);
    match linked {
        Ok(()) => Ok(Linked::Done),
        Err(LinkFailure::Refused(error)) => Err(error),
        Err(LinkFailure::Stale) => Ok(Linked::Stale),
    }
}

/// Links under one lock, so that nobody sees a function of the host whose
/// definition may still fail.
fn link(
    shared: &Shared,
    incoming: &[Incoming<'_>],
    prepared: Made<Prepared>,
    host: Option<&NewHost>,
) -> Result<(), LinkFailure> {
    let mut symbols = shared.symbols();
    if let Some(host) = host {
        host.enter(&mut symbols)?;
    }
    let mut foreign = |name: &str| resolve_symbol(shared, name);
    let linked = shared.stage(&mut symbols).name_known(incoming).and_then(|()| {
        let names = Names::resolve(incoming, &symbols, &shared.reservation, &mut foreign)?;
        shared.stage(&mut symbols).link(incoming, &names, prepared)
    });
    if let (Err(_), Some(host)) = (&linked, host) {
        host.withdraw(&mut symbols);
    }
    let sources = shared.settle_loaded(&symbols, linked?);
    drop(symbols);
    shared.leave(sources);
    Ok(())
}

/// The part of compiling that needs no compiler.
const STENCILS: &str = "stencils";

/// Measures the steps of loading.
struct Watch<'a> {
    shared: &'a Shared,
    start: Instant,
}

impl<'a> Watch<'a> {
    fn start(shared: &'a Shared) -> Watch<'a> {
        Watch { shared, start: Instant::now() }
    }

    /// A compiler, which measures itself only if anybody is told.
    fn compiler(&self) -> Compiler {
        let is_told = self.shared.config.observer.is_some();
        let compiler = if is_told { Compiler::timed() } else { Compiler::new() };
        match &self.shared.inspected {
            Some(inspected) => compiler.inspected(Arc::clone(&inspected.inspector)),
            None => compiler,
        }
    }

    /// Compiling is over, after those parts of it.
    fn tell_compiled(&mut self, compiler: &Compiler, copying: Duration) {
        let took = self.start.elapsed();
        if let Some(observer) = &self.shared.config.observer {
            if !copying.is_zero() {
                observer.compiled(STENCILS, copying);
            }
            compiler.times().iter().for_each(|(part, took)| observer.compiled(part, took));
            observer.loaded(LoadStep::Compile, took);
        }
        if let Some(inspected) = &self.shared.inspected {
            inspected.inspector.conclude(compiler.report());
        }
        self.start = Instant::now();
    }

    /// The step is over, and the next one begins.
    fn tell(&mut self, step: LoadStep) {
        if let Some(observer) = &self.shared.config.observer {
            observer.loaded(step, self.start.elapsed());
        }
        self.start = Instant::now();
    }
}

fn incoming_module(module: &Module) -> Incoming<'_> {
    let types: TypePool = module.types.clone();
    Incoming { module, types: Arc::new(types) }
}
