//! The functions of a module, to be compiled a few at a time: by any number of compilers, on any
//! threads.
//!
//! The code of passes and of the back end is many times what the caches next to a processor hold.
//! So several functions go through each stage together, and then through the back end: 20,000
//! small ones are compiled in three quarters of the time that they take one by one.

use std::collections::VecDeque;
use std::sync::Arc;

use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, FuncId};
use brolga_ir::module::Module;

use super::compiler::{Compiled, Compiler, Listing, Source, check, guarded};
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::pipeline::{
    Finishing, Pass, Prepared, Report, RunOptions, Stage, Stream, Unfinished, needed,
};
use crate::target::Isa;
use crate::unit::CompiledUnit;

/// The most functions of a piece: of more at once each takes as long, and all take more memory.
const MOST_FUNCTIONS: usize = 16;

/// The instructions from which on a piece has enough: large functions have the caches to
/// themselves for long enough.
const ENOUGH_INSTRUCTIONS: usize = 4_000;

/// What is left to compile of a module: see [`Compiler::begin`](super::Compiler::begin).
#[derive(Debug)]
pub struct Batch<'a> {
    module: &'a Module,
    isa: &'a Isa,
    options: &'a LowerOptions,
    passes: Arc<[&'static Pass]>,
    left: Left<'a>,
}

/// Functions, and how far they have come.
#[derive(Debug)]
enum Left<'a> {
    /// No pass has run: none looks at several of them.
    Whole(VecDeque<FuncId>),
    /// The passes that do have run on all of them.
    Prepared(VecDeque<FuncId>, Box<Prepared>),
    /// They run on them one after another.
    Stream(Box<Stream<'a>>),
}

/// Some functions of a batch. They need no other piece.
#[derive(Debug)]
pub struct Piece<'a> {
    module: &'a Module,
    isa: &'a Isa,
    options: &'a LowerOptions,
    passes: Arc<[&'static Pass]>,
    functions: Vec<(FuncId, Taken)>,
}

/// A function that was taken from a batch, and how far it has come.
#[derive(Debug)]
enum Taken {
    /// No pass has run.
    Whole,
    /// Those that look at several functions have.
    Unfinished(Box<Unfinished>),
    /// One of them refused it.
    Refused(CompileError),
}

impl<'a> Batch<'a> {
    /// None of the functions of a module yet.
    pub(super) fn new(
        module: &'a Module,
        isa: &'a Isa,
        options: &'a LowerOptions,
        passes: Vec<&'static Pass>,
    ) -> Batch<'a> {
        let left = Left::Whole(VecDeque::new());
        Batch { module, isa, options, passes: passes.into(), left }
    }

    pub(super) fn passes(&self) -> &Arc<[&'static Pass]> {
        &self.passes
    }

    /// A function of the module, with its passes.
    pub(super) fn source<'b>(&self, id: FuncId, passes: &'b [&'static Pass]) -> Source<'b>
    where
        'a: 'b,
    {
        Source { module: self.module, id, isa: self.isa, options: self.options, passes }
    }

    /// Takes the functions as the module has them. Local ones that nobody names are left out.
    pub(super) fn take_whole(&mut self) {
        self.left = Left::Whole(self.wanted(&needed(self.module)));
    }

    /// Takes the functions from there. Local ones that nobody names any more are left out.
    pub(super) fn prepare(&mut self, prepared: Prepared) {
        let left = self.wanted(&prepared.needed());
        self.left = Left::Prepared(left, Box::new(prepared));
    }

    fn wanted(&self, needed: &EntitySet<FuncId>) -> VecDeque<FuncId> {
        bodies(self.module).filter(|&id| needed.contains(id)).collect()
    }

    /// The same, one by one.
    pub(super) fn stream(&mut self, stream: Stream<'a>) {
        self.left = Left::Stream(Box::new(stream));
    }

    /// The function that must be [advanced](Self::advance) before another one can be taken.
    pub(super) fn upcoming(&self) -> Option<FuncId> {
        match &self.left {
            Left::Whole(_) | Left::Prepared(..) => None,
            Left::Stream(stream) => stream.upcoming(),
        }
    }

    /// Runs passes over the upcoming function.
    pub(super) fn advance(
        &mut self,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<(), CompileError> {
        match &mut self.left {
            Left::Whole(_) | Left::Prepared(..) => Ok(()),
            Left::Stream(stream) => stream.advance(options, report),
        }
    }

    /// How many functions the module has that can be compiled. Local ones that nobody calls
    /// in the end may be left out of them.
    pub fn function_count(&self) -> usize {
        bodies(self.module).count()
    }

    /// Leaves the rest out.
    pub fn abandon(&mut self) {
        self.left = Left::Whole(VecDeque::new());
    }

    /// The next function for which no pass needs to run on others.
    fn take(&mut self) -> Option<(FuncId, Taken)> {
        let (id, unfinished) = match &mut self.left {
            Left::Whole(left) => return Some((left.pop_front()?, Taken::Whole)),
            Left::Prepared(left, prepared) => {
                let id = left.pop_front()?;
                (id, prepared.take(id))
            }
            Left::Stream(stream) => stream.take()?,
        };
        let taken = unfinished.map_or_else(Taken::Refused, |it| Taken::Unfinished(Box::new(it)));
        Some((id, taken))
    }

    fn empty_piece(&self) -> Piece<'a> {
        let Batch { module, isa, options, ref passes, .. } = *self;
        Piece { module, isa, options, passes: Arc::clone(passes), functions: Vec::new() }
    }
}

/// The functions of a module that have a body, in its order.
pub(super) fn bodies(module: &Module) -> impl Iterator<Item = FuncId> + '_ {
    module.functions().filter(|(_, function)| function.body.is_some()).map(|(id, _)| id)
}

impl Piece<'_> {
    /// How many functions it has.
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    fn source(&self, id: FuncId) -> Source<'_> {
        let Piece { module, isa, options, ref passes, .. } = *self;
        Source { module, id, isa, options, passes }
    }

    /// How many instructions a function of it has.
    fn inst_count(&self, (id, taken): &(FuncId, Taken)) -> usize {
        match taken {
            Taken::Unfinished(unfinished) => unfinished.inst_count(),
            Taken::Refused(_) => 0,
            Taken::Whole => {
                let function = self.module.function(*id);
                function.and_then(|it| it.body.as_deref()).map_or(0, Body::inst_count)
            }
        }
    }
}

impl Compiler {
    /// Begins to compile all functions of a module.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn begin<'a>(
        &mut self,
        module: &'a Module,
        isa: &'a Isa,
        options: &'a LowerOptions,
    ) -> Result<Batch<'a>, CompileError> {
        let mut batch = Batch::new(module, isa, options, self.passes(options));
        let passes = Arc::clone(batch.passes());
        if !Prepared::is_worth(module, &passes) {
            batch.take_whole();
            return Ok(batch);
        }
        let mut sources = bodies(module).map(|id| batch.source(id, &passes));
        sources.try_for_each(|source| check(&source))?;
        // Who inspects passes wants to see one after another, as the table has them.
        let stream = match self.is_inspected() {
            false => Stream::new(module, &passes),
            true => None,
        };
        if let Some(stream) = stream {
            batch.stream(stream);
        } else if let Some(first) = bodies(module).next() {
            let prepared = self.watched(&batch.source(first, &passes), |run, report| {
                Prepared::new(module.clone(), &passes, run, report)
            })?;
            batch.prepare(prepared);
        }
        Ok(batch)
    }

    /// The next piece of a batch, of so many functions at most; works on what functions take over
    /// from each other, as far as that piece needs it. The pieces can be lowered in any order, by
    /// any compilers on any threads; in the end they are what
    /// [`lower_module`](Self::lower_module) gives.
    pub fn next_piece<'a>(&mut self, batch: &mut Batch<'a>, most: usize) -> Option<Piece<'a>> {
        // Who inspects passes sees one function after another.
        let most = if self.is_inspected() { 1 } else { most.clamp(1, MOST_FUNCTIONS) };
        let mut piece = batch.empty_piece();
        let mut size = 0;
        while piece.functions.len() < most && size < ENOUGH_INSTRUCTIONS {
            let Some(taken) = self.next_function(batch) else { break };
            size += piece.inst_count(&taken);
            piece.functions.push(taken);
        }
        (!piece.functions.is_empty()).then_some(piece)
    }

    fn next_function(&mut self, batch: &mut Batch<'_>) -> Option<(FuncId, Taken)> {
        let passes = Arc::clone(batch.passes());
        while let Some(id) = batch.upcoming() {
            let source = batch.source(id, &passes);
            let advanced = self.watched(&source, |run, report| batch.advance(run, report));
            if let Err(error) = advanced {
                batch.abandon();
                return Some((id, Taken::Refused(error)));
            }
        }
        batch.take()
    }

    /// Compiles all of a batch, and gives what there is to keep in the order of the module.
    pub(super) fn compile_all<T>(
        &mut self,
        mut batch: Batch<'_>,
        listing: Option<Listing>,
        kept: impl Fn(Compiled) -> T,
    ) -> Result<Vec<(FuncId, T)>, CompileError> {
        let mut all = Vec::new();
        while let Some(piece) = self.next_piece(&mut batch, MOST_FUNCTIONS) {
            for (id, compiled) in self.compile_piece(piece, listing) {
                all.push((id, kept(compiled?)));
            }
        }
        all.sort_unstable_by_key(|&(id, _)| id);
        Ok(all)
    }

    /// Compiles a piece of a batch: each of its functions as
    /// [`lower_function`](Self::lower_function) does, in their order.
    pub fn lower_piece(
        &mut self,
        piece: Piece<'_>,
    ) -> impl Iterator<Item = (FuncId, Result<CompiledUnit, CompileError>)> + use<> {
        let compiled = self.compile_piece(piece, None);
        compiled.into_iter().map(|(id, compiled)| (id, compiled.map(|it| it.unit)))
    }

    fn compile_piece(
        &mut self,
        mut piece: Piece<'_>,
        listing: Option<Listing>,
    ) -> Vec<(FuncId, Result<Compiled, CompileError>)> {
        let functions = std::mem::take(&mut piece.functions);
        let begun = functions.into_iter().map(|(id, taken)| (id, begun(&piece.source(id), taken)));
        let mut begun: Vec<(FuncId, Result<Finishing, CompileError>)> = begun.collect();
        for &stage in Stage::ALL {
            for (id, function) in &mut begun {
                let Ok(finishing) = function else { continue };
                let source = piece.source(*id);
                let run = self.watched(&source, |run, report| finishing.run(stage, run, report));
                if let Err(error) = run {
                    *function = Err(error);
                }
            }
        }
        let emit = |(id, function): (FuncId, Result<Finishing, CompileError>)| {
            let emitted = function.and_then(|it| self.emit(it.end(), &piece.source(id), listing));
            (id, emitted)
        };
        begun.into_iter().map(emit).collect()
    }
}

/// A function before the passes that look at it alone.
fn begun(source: &Source<'_>, taken: Taken) -> Result<Finishing, CompileError> {
    match taken {
        Taken::Unfinished(unfinished) => Ok(unfinished.begin()),
        Taken::Refused(error) => Err(error),
        Taken::Whole => {
            check(source)?;
            let Source { module, id, passes, .. } = *source;
            guarded(source, || Ok(Unfinished::alone(module, id, passes)?.begin()))
        }
    }
}
