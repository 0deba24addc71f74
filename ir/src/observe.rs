//! What happens to modules on their way, as whoever watches is told it.

mod compiled;
mod remark;

use std::fmt;
use std::time::Duration;

use crate::report::Trap;

pub use compiled::{CodeFreed, CompileFailed, CompileReason, FunctionCompiled};
pub use remark::{Remark, RemarkKind};

/// A step of loading modules into an engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum LoadStep {
    /// Looking for breaches of the rules.
    Verify,
    /// Making machine code.
    Compile,
    /// Placing code and data, and resolving what they refer to.
    Link,
}

impl LoadStep {
    /// The step as a word.
    pub const fn name(self) -> &'static str {
        match self {
            LoadStep::Verify => "verify",
            LoadStep::Compile => "compile",
            LoadStep::Link => "link",
        }
    }
}

/// Who is told of events. It is called on the thread of the event, with no
/// lock held, and should be quick. A panic of it ends there, with two exceptions:
/// whoever loads has one in [`loaded`](Observer::loaded) or
/// [`compiled`](Observer::compiled), and one in [`remarked`](Observer::remarked)
/// or [`shown`](Observer::shown), while passes run, is a panic of that compile.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A step of loading is over and took that long; it comes again if others
    /// loaded at the same time and it had to be repeated.
    fn loaded(&self, step: LoadStep, took: Duration) {
        let _ = (step, took);
    }

    /// Compiling the modules of a load spent that long in a part of it: a stage
    /// of the pipeline by its name, `emit`, or `stencils`, of which the first
    /// tier's functions are copied. Comes before the step that it is part of,
    /// [`LoadStep::Compile`].
    fn compiled(&self, part: &'static str, took: Duration) {
        let _ = (part, took);
    }

    /// A pass remarked something. Comes only where remarks are asked for.
    fn remarked(&self, remark: &Remark) {
        let _ = remark;
    }

    /// What whoever inspects the passes asked to see: whole lines of text. It comes as
    /// the passes run, before whatever comes of them.
    fn shown(&self, text: &str) {
        let _ = text;
    }

    /// A function that was defined, not loaded, was compiled by itself. Whatever this does: it may
    /// call the engine, and a panic of it ends here.
    fn function_compiled(&self, event: &FunctionCompiled<'_>) {
        let _ = event;
    }

    /// A function could not be compiled by itself. As with
    /// [`function_compiled`](Self::function_compiled), a panic of this ends here.
    fn compile_failed(&self, event: &CompileFailed<'_>) {
        let _ = event;
    }

    /// Code that was compiled so was freed, as nothing leads to it any more and no thread is
    /// inside. What goes with the engine is not told. As with
    /// [`function_compiled`](Self::function_compiled), a panic of this ends here.
    fn code_freed(&self, event: &CodeFreed<'_>) {
        let _ = event;
    }

    /// C code called a function of the engine while no call of it was being made on the
    /// thread, as at the end of the process or from a thread of its own, and that was stopped.
    /// C code knows nothing of it and goes on, whatever this does: it may call the engine,
    /// and a panic of it ends here. It is also told while another event is, where whoever is told
    /// of that one has C code call the engine.
    fn unheard(&self, trap: &Trap) {
        let _ = trap;
    }
}
