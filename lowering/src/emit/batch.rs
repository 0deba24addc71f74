//! The functions of a module, to be compiled one by one: by any number of compilers, on any
//! threads.

use std::collections::VecDeque;
use std::sync::Arc;

use brolga_ir::entity::{EntitySet, FuncId};
use brolga_ir::module::Module;

use super::compiler::Source;
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::pipeline::{Pass, Prepared, Report, RunOptions, Stream, Unfinished, needed};
use crate::target::Isa;

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

/// A function of a batch. It needs no other piece.
#[derive(Debug)]
pub struct Piece<'a> {
    module: &'a Module,
    id: FuncId,
    isa: &'a Isa,
    options: &'a LowerOptions,
    passes: Arc<[&'static Pass]>,
    unfinished: Option<Result<Unfinished, CompileError>>,
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
    pub(super) fn take(&mut self) -> Option<Piece<'a>> {
        let (id, unfinished) = match &mut self.left {
            Left::Whole(left) => (left.pop_front()?, None),
            Left::Prepared(left, prepared) => {
                let id = left.pop_front()?;
                (id, Some(prepared.take(id)))
            }
            Left::Stream(stream) => {
                let (id, unfinished) = stream.take()?;
                (id, Some(unfinished))
            }
        };
        Some(self.piece(id, unfinished))
    }

    /// The piece of a function that a pass refused.
    pub(super) fn refused(&self, id: FuncId, error: CompileError) -> Piece<'a> {
        self.piece(id, Some(Err(error)))
    }

    fn piece(&self, id: FuncId, unfinished: Option<Result<Unfinished, CompileError>>) -> Piece<'a> {
        let Batch { module, isa, options, ref passes, .. } = *self;
        Piece { module, id, isa, options, passes: Arc::clone(passes), unfinished }
    }
}

/// The functions of a module that have a body, in its order.
pub(super) fn bodies(module: &Module) -> impl Iterator<Item = FuncId> + '_ {
    module.functions().filter(|(_, function)| function.body.is_some()).map(|(id, _)| id)
}

impl Piece<'_> {
    pub(super) fn source(&self) -> Source<'_> {
        let Piece { module, id, isa, options, ref passes, .. } = *self;
        Source { module, id, isa, options, passes }
    }

    /// The function behind the passes that look at several, if those have run.
    pub(super) fn take_unfinished(&mut self) -> Option<Result<Unfinished, CompileError>> {
        self.unfinished.take()
    }
}
