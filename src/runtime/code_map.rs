//! Which compiled unit a code address belongs to.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use brolga_debugging::gdb::Registration;
use brolga_lowering::unit::{CallSite, CompiledUnit};

use crate::memory::Block;

/// What a frame of the unit means to a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A function of a module: shown in call chains.
    Function,
    /// The function of the frame that called it goes on here: both are shown as one.
    Continuation,
    /// A thunk between compiled code and the host's functions: not shown.
    Exit,
    /// A thunk by which the host enters: no walk goes beyond it.
    Entry,
}

/// A unit in code memory.
#[derive(Debug)]
pub(crate) struct Placed {
    /// What gdb knows of it. Fields are dropped in order: withdrawn before the bytes are free,
    /// and may be those of other code.
    #[expect(dead_code, reason = "owned for its drop alone")]
    registration: Option<Registration>,
    /// What is known of the code; the bytes themselves are in the block.
    pub unit: CompiledUnit,
    /// What a frame of it means.
    pub role: Role,
    block: Block,
    /// What the code refers to and nobody else keeps.
    kept: Box<dyn Keep>,
    /// How many threads hold it, since they have a frame of it on their stack.
    holders: AtomicUsize,
}

/// What lives as long as code does.
pub(crate) trait Keep: Any + fmt::Debug + Send + Sync {
    /// What must live on as long as somebody is inside of the code, though the code itself does
    /// not keep it.
    fn beyond(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }
}

impl Keep for () {}

/// While it is there, code is not freed.
#[derive(Debug)]
pub(crate) struct Held {
    placed: Arc<Placed>,
    #[expect(dead_code, reason = "owned for its drop alone")]
    beyond: Option<Arc<dyn Any + Send + Sync>>,
}

impl Held {
    /// Holds a unit; the thread has been inside of it since before it could be freed.
    pub(super) fn new(placed: &Arc<Placed>) -> Held {
        placed.holders.fetch_add(1, Ordering::Relaxed);
        Held { placed: Arc::clone(placed), beyond: placed.kept.beyond() }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Whoever finds nobody left may free the code that this thread has run.
        self.placed.holders.fetch_sub(1, Ordering::Release);
    }
}

impl Placed {
    /// A unit whose code has been published in `block`, with what is to live as long as that.
    pub(super) fn new(
        mut unit: CompiledUnit,
        role: Role,
        block: Block,
        registration: Option<Registration>,
        kept: impl Keep + 'static,
    ) -> Placed {
        unit.code = Vec::new();
        unit.relocations = Vec::new();
        let (kept, holders) = (Box::new(kept), AtomicUsize::new(0));
        Placed { registration, unit, role, block, kept, holders }
    }

    /// Whether a thread has a frame of it, which has said so.
    pub(crate) fn is_held(&self) -> bool {
        self.holders.load(Ordering::Acquire) != 0
    }

    /// The address of the entry.
    pub(crate) fn address(&self) -> usize {
        self.block.address()
    }

    /// What lives as long as the code.
    pub(crate) fn kept(&self) -> &dyn Any {
        &*self.kept
    }

    /// Bytes of code.
    pub(crate) fn size(&self) -> usize {
        self.block.size()
    }

    /// What is known of the call that returns to `pc`.
    pub(crate) fn call_site(&self, pc: usize) -> Option<&CallSite> {
        self.unit.call_site(u32::try_from(pc.checked_sub(self.address())?).ok()?)
    }
}

/// All units in code memory, by address. Read on the way of a stop, written
/// when units are linked and freed; no user code runs under its lock.
#[derive(Debug, Default)]
pub(crate) struct CodeMap {
    units: RwLock<BTreeMap<usize, Arc<Placed>>>,
}

impl CodeMap {
    /// Makes the unit known; before any thread can run it.
    pub(crate) fn insert(&self, placed: Arc<Placed>) {
        let mut units = self.units.write().unwrap_or_else(PoisonError::into_inner);
        units.insert(placed.address(), placed);
    }

    /// Forgets a unit that no thread can be inside of.
    pub(crate) fn remove(&self, placed: &Placed) {
        let mut units = self.units.write().unwrap_or_else(PoisonError::into_inner);
        units.remove(&placed.address());
    }

    /// The unit that a call returning to `pc` belongs to. The call may be the
    /// unit's last instruction, so that `pc` is the address behind it.
    pub(crate) fn find(&self, pc: usize) -> Option<Arc<Placed>> {
        let call = pc.checked_sub(1)?;
        let units = self.units.read().unwrap_or_else(PoisonError::into_inner);
        let (_, placed) = units.range(..=call).next_back()?;
        (call - placed.address() < placed.size()).then(|| Arc::clone(placed))
    }
}
