//! A toy engine over the primitives: its code is a value, and the values of the functions that
//! were inlined. Tests and explorers run the same one.

use crate::epoch::{Epochs, Pin};
use crate::job::{Caller, Waits};
use crate::life::{Life, Slot, Started};
use crate::queue::Queue;
use crate::resolve::{Functions, Goal, LifeOf, Made, Unresolved, define, remove, resolve, upgrade};
use crate::retired::Retired;
use crate::sync::{Arc, AtomicU64, AtomicUsize, Mutex, Ordering, lock};
use crate::tiers::Tier;

/// What a function is compiled from.
#[derive(Clone, Default)]
pub(crate) struct Source {
    /// What the function gives.
    pub(crate) value: u64,
    /// Functions whose bodies are taken over.
    pub(crate) inlines: Vec<u32>,
    /// Why it cannot be compiled.
    pub(crate) fault: Option<&'static str>,
    /// What a callback does while it is compiled.
    pub(crate) callback: Option<fn(&Toy, Caller)>,
}

impl Source {
    pub(crate) fn of(value: u64) -> Source {
        Source { value, ..Source::default() }
    }

    pub(crate) fn inlining(value: u64, inlines: &[u32]) -> Source {
        Source { value, inlines: inlines.to_vec(), ..Source::default() }
    }
}

/// Compiled code.
pub(crate) struct Body {
    /// What the function gives, and then what those give whose bodies it has.
    values: Vec<u64>,
    is_freed: AtomicU64,
}

impl Body {
    /// What a thread reads that is inside.
    pub(crate) fn run(&self) -> Vec<u64> {
        assert_eq!(self.is_freed.load(Ordering::Relaxed), 0, "a thread was inside of freed code");
        let values = self.values.clone();
        assert_eq!(self.is_freed.load(Ordering::Relaxed), 0, "freed under the thread");
        values
    }
}

struct Function {
    life: LifeOf<Toy>,
    slot: Arc<Entry>,
}

impl Default for Function {
    fn default() -> Function {
        let function = Function { life: Life::new(), slot: Arc::default() };
        function.life.set_slot(Arc::clone(&function.slot));
        function
    }
}

/// The place of a body in the list of all, behind 0, which leads through.
#[derive(Default)]
pub(crate) struct Entry {
    place: AtomicUsize,
    bodies: Arc<Mutex<Vec<Arc<Body>>>>,
}

impl Slot<Arc<Body>> for Entry {
    fn lead_through(&self) {
        self.place.store(0, Ordering::Release);
    }

    fn lead_to(&self, code: &Arc<Body>) {
        let mut bodies = lock(&self.bodies);
        bodies.push(Arc::clone(code));
        self.place.store(bodies.len(), Ordering::Release);
    }
}

impl Entry {
    fn load(&self) -> Option<Arc<Body>> {
        let place = self.place.load(Ordering::Acquire);
        place.checked_sub(1).map(|index| Arc::clone(&lock(&self.bodies)[index]))
    }
}

/// The engine.
pub(crate) struct Toy {
    functions: Vec<Function>,
    epochs: Epochs,
    retired: Retired<Arc<Body>>,
    waits: Waits,
    /// Functions that anybody may compile who has nothing better to do.
    pub(crate) queue: Arc<Queue<u32>>,
    /// A handle to itself, until a callback lets go of it.
    #[cfg(shuttle)]
    pub(crate) owner: Mutex<Option<Arc<Toy>>>,
    pub(crate) compiles: AtomicUsize,
}

impl Functions for Toy {
    type Source = Source;
    type Code = Arc<Body>;
    type Error = &'static str;
    type Slot = Arc<Entry>;

    fn life(&self, function: u32) -> &LifeOf<Toy> {
        &self.functions[function as usize].life
    }

    fn compile(
        &self,
        _: u32,
        started: &Started<Source>,
        _: Goal,
    ) -> Result<Made<Arc<Body>>, &'static str> {
        self.compiles.fetch_add(1, Ordering::Relaxed);
        let source = &started.source;
        if let Some(callback) = source.callback {
            callback(self, started.job.owner());
        }
        if let Some(fault) = source.fault {
            return Err(fault);
        }
        let (mut values, mut inlined) = (vec![source.value], Vec::new());
        for &callee in &source.inlines {
            if let Some((body, version)) = self.life(callee).source() {
                values.push(body.value);
                inlined.push((callee, version));
            }
        }
        let code = Arc::new(Body { values, is_freed: AtomicU64::new(0) });
        Ok(Made { code, inlined })
    }

    fn retire(&self, code: Arc<Body>) {
        self.retired.retire(&self.epochs, code);
    }

    fn waits(&self) -> &Waits {
        &self.waits
    }

    fn help(&self, caller: Caller) -> bool {
        let Some(function) = self.queue.try_take() else { return false };
        let _ = resolve(self, caller, function);
        true
    }
}

impl Toy {
    pub(crate) fn new(functions: usize) -> Toy {
        Toy {
            functions: (0..functions).map(|_| Function::default()).collect(),
            epochs: Epochs::new(),
            retired: Retired::new(),
            waits: Waits::new(),
            queue: Arc::new(Queue::new()),
            #[cfg(shuttle)]
            owner: Mutex::new(None),
            compiles: AtomicUsize::new(0),
        }
    }

    /// A thread that calls functions.
    pub(crate) fn thread(&self, number: u64) -> Thread<'_> {
        let pin = Arc::new(Pin::new());
        self.epochs.register(&pin);
        Thread { toy: self, pin, caller: Caller(number) }
    }

    pub(crate) fn define(&self, function: u32, source: Source) {
        define(self, function, source);
    }

    pub(crate) fn remove(&self, function: u32) -> bool {
        remove(self, function).is_ok()
    }

    /// How much was taken out, and is not free yet.
    #[cfg(not(any(loom, shuttle)))]
    pub(crate) fn waiting(&self) -> usize {
        self.retired.len()
    }

    /// Frees what can be; gives the number of what cannot.
    pub(crate) fn collect(&self) -> usize {
        for body in self.retired.collect(&self.epochs, usize::MAX) {
            body.is_freed.store(1, Ordering::Relaxed);
        }
        self.retired.len()
    }
}

/// With the engine goes its memory, and threads of its own find nothing to do any more.
impl Drop for Toy {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        drop(self.queue.close());
        for function in &self.functions {
            for body in lock(&function.slot.bodies).iter() {
                body.is_freed.store(1, Ordering::Relaxed);
            }
        }
    }
}

/// A thread inside or outside of a toy engine.
pub(crate) struct Thread<'a> {
    toy: &'a Toy,
    pin: Arc<Pin>,
    pub(crate) caller: Caller,
}

impl Thread<'_> {
    /// Calls a function: what it gives, and what those give whose bodies it has.
    pub(crate) fn call(&self, function: u32) -> Result<Vec<u64>, Unresolved<&'static str>> {
        self.toy.epochs.enter(&self.pin);
        let body = match self.toy.functions[function as usize].slot.load() {
            Some(body) => Ok(body),
            None => resolve(self.toy, self.caller, function),
        };
        let values = body.map(|body| body.run());
        Epochs::leave(&self.pin);
        values
    }

    pub(crate) fn upgrade(&self, function: u32) -> bool {
        upgrade(self.toy, self.caller, (function, Tier::Hot), |_| true).is_ok()
    }
}

impl Drop for Thread<'_> {
    fn drop(&mut self) {
        // A test that has failed is over, and shuttle has no schedule any more.
        if !std::thread::panicking() {
            self.toy.epochs.unregister(&self.pin);
        }
    }
}
