//! Functions in the form that emission takes, one by one.
//!
//! A function that takes over the code of others needs them, as the passes
//! before have left them. Either a whole module is [`Prepared`] once and each of
//! its functions taken from there, or one function is taken with those that it
//! can reach through calls of functions that are open to it, and these are
//! prepared: what comes out is the same, as no pass looks at anything else. Which
//! code a function has in the end is told, for whoever defines one anew.

use std::sync::Arc;

use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, Exit, FuncId, SecondaryMap, SigId};
use brolga_ir::module::{Extract, Module, Name};
use brolga_ir::types::{Type, TypePool};
use rustc_hash::FxHashMap;

use super::call_order::{needed, opened_by, reachable};
use super::runner::{Around, Books, Progress, Runner};
use super::{Order, Pass, Report, RunOptions, Stage};
use crate::analysis::Analyses;
use crate::error::CompileError;
use crate::pass::{Argument, Inlined, LocalCalls};
use crate::unit::ValueShape;

/// A function in the form that emission takes.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The function with declarations of what it names.
    pub module: Module,
    /// The function there.
    pub function: FuncId,
    /// The names of the functions whose code it has taken over, in the order of
    /// their module.
    pub inlined: Vec<Name>,
    declared: SecondaryMap<FuncId, Option<SigId>>,
    exits: SecondaryMap<Exit, Option<Vec<ValueShape>>>,
}

impl Legal {
    /// A function that no pass has changed.
    pub(super) fn start(extract: Extract) -> Legal {
        let mut declared = SecondaryMap::new();
        for (id, function) in extract.module.functions() {
            declared[id] = Some(function.sig);
        }
        let Extract { module, function } = extract;
        Legal { module, function, inlined: Vec::new(), declared, exits: SecondaryMap::new() }
    }

    /// What the exits of the function take along now.
    fn exit_types(&self) -> DeclaredExits {
        let body = self.module.function(self.function).and_then(|it| it.body.as_deref());
        let exits = body.into_iter().flat_map(Body::exits);
        exits.map(|(id, exit)| (id, exit.types.clone())).collect()
    }

    /// Notes what exits were declared to take along, in types of `pool`: only when
    /// the passes have run, which refuse what is too large to be spelt out. A function
    /// that has taken over its own code has exits that were others of its own.
    fn shape_exits(&mut self, pool: &TypePool, exits: DeclaredExits, inlined: &Inlined) {
        for (id, types) in exits {
            self.exits[id] = Some(types.iter().map(|&ty| ValueShape::of(pool, ty)).collect());
        }
        let body = self.module.function(self.function).and_then(|it| it.body.as_deref());
        for (id, _) in body.into_iter().flat_map(Body::exits) {
            let (function, origin) = inlined.origin(self.function, id);
            if function == self.function && origin != id {
                self.exits[id] = self.exits[origin].clone();
            }
        }
    }

    /// What the exit of the function took along before passes took that apart.
    pub fn declared_exit(&self, exit: Exit) -> Option<&[ValueShape]> {
        self.exits[exit].as_deref()
    }

    /// The signature that the function was declared with, before passes
    /// changed it: the one by which callers in other modules know it.
    pub fn declared_signature(&self, function: FuncId) -> Option<SigId> {
        self.declared[function].or_else(|| Some(self.module.function(function)?.sig))
    }
}

/// A module behind the last pass that looks at several of its functions.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) module: Module,
    /// The signatures and the types of exits that the module declared.
    pub(super) declared: SecondaryMap<FuncId, Option<SigId>>,
    exits: FxHashMap<(FuncId, Exit), Vec<Type>>,
    pub(super) books: Books,
    pub(super) passes: Arc<Halves>,
}

/// The passes up to the last that looks at several functions, and those behind it.
#[derive(Debug)]
pub(super) struct Halves {
    done: Vec<&'static Pass>,
    pub(super) rest: Vec<&'static Pass>,
}

impl Prepared {
    /// Whether some function of the module is open to others in one of `passes`. Where none
    /// is, each comes out by itself at less cost.
    pub fn is_worth(module: &Module, passes: &[&'static Pass]) -> bool {
        passes.iter().any(|pass| pass.order.opens(module).is_some())
    }

    /// Runs those of `passes` that all functions must have behind them before
    /// the first is finished.
    ///
    /// # Errors
    /// What a pass refuses.
    pub fn new(
        module: Module,
        passes: &[&'static Pass],
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<Prepared, CompileError> {
        let calls = LocalCalls::of(&module);
        Prepared::of_part(module, calls, passes, options, report)
    }

    /// The same for a part of a module, in the whole of which there are those calls.
    fn of_part(
        module: Module,
        calls: LocalCalls,
        passes: &[&'static Pass],
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<Prepared, CompileError> {
        let last = passes.iter().rposition(|pass| matches!(pass.order, Order::BottomUp(_)));
        let (first, rest) = passes.split_at(last.map_or(0, |last| last + 1));
        let mut prepared = Prepared::start(module, first, rest);
        let mut runner = Runner::new(options, report);
        runner.books.inlined.set_calls(calls);
        runner.run(&mut prepared.module, first, Around { earlier: &[], later: rest })?;
        prepared.books = runner.books;
        Ok(prepared)
    }

    /// A module that no pass has changed, with those that are to.
    pub(super) fn start(
        module: Module,
        first: &[&'static Pass],
        rest: &[&'static Pass],
    ) -> Prepared {
        let passes = Arc::new(Halves { done: first.to_vec(), rest: rest.to_vec() });
        let (declared, exits) = (SecondaryMap::new(), FxHashMap::default());
        let mut prepared = Prepared { module, declared, exits, books: Books::default(), passes };
        let Prepared { module, declared, exits, .. } = &mut prepared;
        for (id, function) in module.functions() {
            declared[id] = Some(function.sig);
            function.body.iter().for_each(|body| declare_exits(exits, id, body));
        }
        prepared
    }

    /// Notes what the exits of a function were declared to take along.
    pub(super) fn declare_exits(&mut self, function: FuncId, body: &Body) {
        declare_exits(&mut self.exits, function, body);
    }

    /// The functions of which code is wanted: all but local ones that nothing names any
    /// more, as all callers have taken over their code.
    pub fn needed(&self) -> EntitySet<FuncId> {
        needed(&self.module)
    }

    /// One of the functions, in the form that emission takes: once, as its body is not kept.
    ///
    /// # Errors
    /// [`CompileError::NoBody`], and what a pass refuses.
    pub fn legal(
        &mut self,
        function: FuncId,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<Legal, CompileError> {
        self.take(function)?.finish(options, report)
    }

    /// One of the functions, to be brought into that form without the others: once.
    ///
    /// # Errors
    /// [`CompileError::NoBody`].
    pub fn take(&mut self, function: FuncId) -> Result<Unfinished, CompileError> {
        let extract = self.module.extract_taking(function);
        let mut legal = Legal::start(extract.ok_or_else(|| no_body(&self.module, function))?);
        let name = |id: FuncId| self.module.function(id).map(|it| it.name.clone());
        legal.inlined = self.books.inlined.functions(function).filter_map(name).collect();
        let ids: Vec<FuncId> = legal.module.functions().map(|(id, _)| id).collect();
        for id in ids {
            let name = legal.module.function(id).map_or("", |it| &it.name);
            let original = self.module.function_named(name);
            if let Some(sig) = original.and_then(|original| self.declared[original]) {
                legal.declared[id] = Some(legal.module.import_signature(&self.module, sig));
            }
        }
        let exits = legal.exit_types().into_iter().filter_map(|(exit, _)| {
            let declared = self.exits.get(&self.books.inlined.origin(function, exit));
            Some((exit, declared?.clone()))
        });
        let exits: DeclaredExits = exits.collect();
        let exits = (!exits.is_empty()).then(|| (self.module.types.clone(), exits));
        let progress = std::mem::take(&mut self.books.progress[function]);
        let arguments = self.books.inlined.arguments(function).into();
        Ok(Unfinished { legal, exits, progress, arguments, passes: Arc::clone(&self.passes) })
    }
}

fn declare_exits(exits: &mut FxHashMap<(FuncId, Exit), Vec<Type>>, function: FuncId, body: &Body) {
    exits.extend(body.exits().map(|(exit, data)| ((function, exit), data.types.clone())));
}

/// A function of a [`Prepared`] module, away from it.
#[derive(Clone, Debug)]
pub struct Unfinished {
    legal: Legal,
    /// What its exits were declared to take along, if it has any, with the types' pool.
    exits: Option<(TypePool, DeclaredExits)>,
    progress: Progress,
    /// What it is called with.
    arguments: Box<[Argument]>,
    passes: Arc<Halves>,
}

/// The exits of a function, and the types of what they take along.
type DeclaredExits = Vec<(Exit, Vec<Type>)>;

impl Unfinished {
    /// A function of a verified module that takes over no code of others, before all passes.
    ///
    /// # Errors
    /// [`CompileError::NoBody`].
    pub fn alone(
        module: &Module,
        function: FuncId,
        passes: &[&'static Pass],
    ) -> Result<Unfinished, CompileError> {
        let extract = module.extract(function).ok_or_else(|| no_body(module, function))?;
        Ok(Unfinished::start(extract, Box::default(), passes))
    }

    fn start(extract: Extract, arguments: Box<[Argument]>, passes: &[&'static Pass]) -> Unfinished {
        let legal = Legal::start(extract);
        let exits = legal.exit_types();
        let exits = (!exits.is_empty()).then(|| (legal.module.types.clone(), exits));
        let passes = Arc::new(Halves { done: Vec::new(), rest: passes.to_vec() });
        Unfinished { legal, exits, progress: Progress::default(), arguments, passes }
    }

    /// How many instructions it has.
    pub fn inst_count(&self) -> usize {
        let function = self.legal.module.function(self.legal.function);
        function.and_then(|it| it.body.as_deref()).map_or(0, Body::inst_count)
    }

    /// The same, to be brought into that form stage by stage.
    pub fn begin(self) -> Finishing {
        let Unfinished { legal, exits, progress, arguments, passes } = self;
        let mut calls = LocalCalls::default();
        calls.set_arguments(legal.function, arguments);
        let mut books = Books::default();
        books.inlined.set_calls(calls);
        books.progress[legal.function] = progress;
        Finishing { legal, exits, books, analyses: SecondaryMap::new(), passes, done: 0 }
    }

    /// The function in the form that emission takes.
    ///
    /// # Errors
    /// What a pass refuses.
    pub fn finish(
        self,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<Legal, CompileError> {
        let mut finishing = self.begin();
        finishing.run(Stage::CleanUp, options, report)?;
        Ok(finishing.end())
    }
}

/// A function between the passes that look at it alone.
#[derive(Debug)]
pub struct Finishing {
    legal: Legal,
    exits: Option<(TypePool, DeclaredExits)>,
    books: Books,
    analyses: SecondaryMap<FuncId, Analyses>,
    passes: Arc<Halves>,
    /// How many of the passes that are left have run.
    done: usize,
}

impl Finishing {
    /// Runs the passes up to the first that belongs to a later stage.
    ///
    /// # Errors
    /// What a pass refuses; the function is then of no use any more.
    pub fn run(
        &mut self,
        stage: Stage,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<(), CompileError> {
        let (before, left) = self.passes.rest.split_at(self.done);
        let count = left.iter().take_while(|pass| pass.stage <= stage).count();
        let (passes, later) = left.split_at(count);
        if passes.is_empty() {
            return Ok(());
        }
        let earlier = [&self.passes.done, before].concat();
        let mut runner = Runner::with_books(options, report, std::mem::take(&mut self.books));
        runner.analyses = std::mem::take(&mut self.analyses);
        runner.run(&mut self.legal.module, passes, Around { earlier: &earlier, later })?;
        (self.books, self.analyses) = (runner.books, runner.analyses);
        self.done += count;
        Ok(())
    }

    /// The function behind its passes.
    pub fn end(self) -> Legal {
        let Finishing { mut legal, exits, books, .. } = self;
        if let Some((types, exits)) = exits {
            legal.shape_exits(&types, exits, &books.inlined);
        }
        legal
    }
}

/// Brings a function of a verified module into the form that emission takes,
/// by `passes`: [`passes_at`](super::passes_at) gives those of a level.
///
/// # Errors
/// [`CompileError::NoBody`], and what a pass refuses.
pub fn legal_function(
    module: &Module,
    function: FuncId,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
    report: &mut Report,
) -> Result<Legal, CompileError> {
    let others = reachable(module, function, &opened_by(passes));
    // Who compiles all functions one by one does not look through the module for each.
    let calls = || match others.is_empty() {
        true => LocalCalls::default(),
        false => LocalCalls::of(module),
    };
    legal_among(module, (function, &others), calls, passes, options, report)
}

/// The same, where the function takes over code of those others alone, and there are the calls
/// of local functions that `calls` gives.
pub(super) fn legal_among(
    module: &Module,
    (function, others): (FuncId, &[FuncId]),
    calls: impl FnOnce() -> LocalCalls,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
    report: &mut Report,
) -> Result<Legal, CompileError> {
    if !others.is_empty() {
        let extract = module.extract_with(function, others);
        let extract = extract.ok_or_else(|| no_body(module, function))?;
        let calls = calls();
        let there = |id: FuncId| {
            let name = module.function(id).map_or("", |it| &it.name);
            extract.module.function_named(name)
        };
        let mut known = LocalCalls::of_sole_callees(calls.sole_callees().filter_map(there));
        known.set_arguments(extract.function, calls.arguments(function).into());
        let mut prepared = Prepared::of_part(extract.module, known, passes, options, report)?;
        return prepared.legal(extract.function, options, report);
    }
    let extract = module.extract(function).ok_or_else(|| no_body(module, function))?;
    let arguments = calls().arguments(function).into();
    Unfinished::start(extract, arguments, passes).finish(options, report)
}

fn no_body(module: &Module, function: FuncId) -> CompileError {
    let name = module.function(function).map(|it| (*it.name).into());
    CompileError::NoBody { function: name.unwrap_or_else(|| function.to_string().into()) }
}
