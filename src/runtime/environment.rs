//! What the running threads of one engine share.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock, Weak};

use brolga_ir::entity::Block;
use brolga_ir::observe::Observer;
use brolga_lifecycle::epoch::Epochs;
use brolga_lifecycle::job::Caller;
use brolga_lowering::unit::CompiledUnit;

use super::code_map::{CodeMap, Keep, Known, Placed, Role};
use super::debuggers::Debuggers;
use super::facts::Facts;
use super::locals::ThreadLocalImage;
use super::stop::Stop;
use super::thread::Registry;
use crate::memory::Block as CodeBlock;

/// Who makes the code of functions that are called and have none.
pub(crate) trait Resolver: fmt::Debug + Send + Sync {
    /// The address of the code of that function, which is made by this thread or another.
    fn resolve(&self, number: u32, caller: Caller) -> Result<usize, Box<Stop>>;

    /// The address of better code for an activation that has used up the budget of its unit to
    /// go on in, if there is any.
    fn go_on(&self, spent: &Spent<'_>) -> Option<usize>;
}

/// Whether an activation has used up a budget on a way back before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    /// It has.
    Yes,
    /// It has not, as far as is known.
    No,
}

/// A budget that is used up.
#[derive(Debug)]
pub(crate) struct Spent<'a> {
    /// Of what.
    pub placed: &'a Arc<Placed>,
    /// Who has called it, if it has just begun: the innermost first.
    pub callers: Vec<Arc<Placed>>,
    /// Where the activation is on its way back to; nothing, if it has just begun.
    pub block: Option<Block>,
    /// Whether this activation has done so on a way back before.
    pub again: Again,
    /// Whose it is.
    pub caller: Caller,
}

/// What the running threads of one engine share. Their records lead to it; it
/// lives as long as the engine.
#[derive(Debug)]
pub(crate) struct Environment {
    /// Which code stands where.
    pub code: CodeMap,
    /// The threads.
    pub registry: Registry,
    /// Thread-local data objects, by their index in each thread's table.
    pub thread_locals: RwLock<Vec<Arc<ThreadLocalImage>>>,
    /// Who is inside of code that may have been taken out.
    pub epochs: Epochs,
    /// Where the stubs of functions without code lead.
    pub resolver: OnceLock<Weak<dyn Resolver>>,
    callers: AtomicU64,
    /// Where stubs stand.
    pub stubs: Range<usize>,
    /// Who is told of events.
    pub observer: Option<Arc<dyn Observer>>,
    /// Who is told of code.
    pub debuggers: Debuggers,
}

impl Environment {
    /// One without code, whose stubs will stand in `stubs`.
    pub(crate) fn new(
        stubs: Range<usize>,
        observer: Option<Arc<dyn Observer>>,
        debuggers: Debuggers,
    ) -> Environment {
        Environment {
            code: CodeMap::default(),
            registry: Registry::default(),
            thread_locals: RwLock::default(),
            epochs: Epochs::new(),
            resolver: OnceLock::new(),
            callers: AtomicU64::new(0),
            stubs,
            observer,
            debuggers,
        }
    }

    /// Makes code known that has been published in `block`: to debuggers, then to whoever walks
    /// over frames; before any thread can run it. `text` is what the text of its module is
    /// called.
    pub(crate) fn place(
        &self,
        unit: Box<CompiledUnit>,
        text: &str,
        role: Role,
        block: CodeBlock,
        kept: impl Keep + 'static,
    ) -> Arc<Placed> {
        let known = self.tell(unit, text, &block);
        let placed = Arc::new(Placed::new(known, role, block, kept));
        self.code.insert(Arc::clone(&placed));
        placed
    }

    /// Makes such code known to debuggers alone: whoever calls this enters it in the
    /// [map](Self::code), before any thread can run it.
    #[inline]
    pub(crate) fn tell(&self, unit: Box<CompiledUnit>, text: &str, block: &CodeBlock) -> Known {
        let registration = self.debuggers.tell(&unit, text, block);
        Known { facts: Facts::of(unit), registration }
    }

    /// A number for a thread that no other one of the engine has.
    pub(crate) fn new_caller(&self) -> Caller {
        Caller(self.callers.fetch_add(1, Ordering::Relaxed))
    }
}
