//! The functions of a module, to be compiled one by one: in any order, by any number of
//! compilers, on any threads.

use std::collections::VecDeque;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;

use super::compiler::Source;
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::pipeline::{Pass, Prepared, Unfinished};
use crate::target::Isa;

/// What is left to compile of a module, in its order: see
/// [`Compiler::begin`](super::Compiler::begin).
#[derive(Debug)]
pub struct Batch<'a> {
    module: &'a Module,
    isa: &'a Isa,
    options: &'a LowerOptions,
    passes: Arc<[&'static Pass]>,
    left: VecDeque<FuncId>,
    /// The module behind the passes that look at several functions, if there are any.
    prepared: Option<Prepared>,
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
    /// All functions of a module that have a body.
    pub(super) fn new(
        module: &'a Module,
        isa: &'a Isa,
        options: &'a LowerOptions,
        passes: Vec<&'static Pass>,
    ) -> Batch<'a> {
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        let left = bodies.map(|(id, _)| id).collect();
        Batch { module, isa, options, passes: passes.into(), left, prepared: None }
    }

    pub(super) fn passes(&self) -> &[&'static Pass] {
        &self.passes
    }

    /// The functions that are left, with their passes.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let Batch { module, isa, options, ref passes, ref left, .. } = *self;
        left.iter().map(move |&id| Source { module, id, isa, options, passes })
    }

    /// Takes the functions from there, and leaves out those that nobody calls any more.
    pub(super) fn prepare(&mut self, prepared: Prepared) {
        let needed = prepared.needed();
        self.left.retain(|&id| needed.contains(id));
        self.prepared = Some(prepared);
    }

    /// How many functions are left.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }
}

impl<'a> Iterator for Batch<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let id = self.left.pop_front()?;
        let unfinished = self.prepared.as_mut().map(|prepared| prepared.take(id));
        let Batch { module, isa, options, ref passes, .. } = *self;
        Some(Piece { module, id, isa, options, passes: Arc::clone(passes), unfinished })
    }
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
