//! Giving back what nothing leads to any more and no thread is inside of.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brolga_lifecycle::numbers::Fate;
use brolga_lifecycle::resolve;

use super::shared::{Full, Shared};
use crate::error::{CodeMemoryError, FunctionError, LoadError};
use crate::link::{AbandonedList, Source, Symbols};
use crate::memory::MemoryError;
use crate::runtime::{Attention, Placed, discard};

/// What was taken out of an engine.
#[derive(Debug)]
pub(super) enum Retiree {
    /// Code.
    Code(Arc<Placed>),
    /// The number, the stub and the slots of a function that nobody can name any more.
    Function(u32),
}

/// When so many things wait, or twice as many as could not be freed before, it is tried again:
/// trying costs about as much as freeing a few.
const FEW: usize = 32;

/// When so many wait, whoever changes definitions frees some, a few at a time. Else that is left to
/// those who compile, to whom it adds little: a definition takes a few microseconds.
const MANY: usize = 512;

/// What is freed so at a time, at the least: as much as has come in since, else it would not keep
/// up with changes that leave more.
const SOME: usize = 128;

/// Sources that nothing is defined by any more, and that nobody has dropped yet.
#[derive(Debug, Default)]
pub(super) struct Left(Mutex<LeftSources>);

#[derive(Debug, Default)]
struct LeftSources {
    sources: VecDeque<Source>,
    arrived: usize,
}

impl Left {
    fn lock(&self) -> MutexGuard<'_, LeftSources> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, source: Source) {
        let mut left = self.lock();
        left.sources.push_back(source);
        left.arrived += 1;
    }

    /// Takes all of them, for the caller to drop.
    fn take(&self) -> VecDeque<Source> {
        mem::take(&mut self.lock().sources)
    }

    /// Takes some of them, if there are very many, for the caller to drop.
    fn take_some(&self) -> Vec<Source> {
        let mut left = self.lock();
        let arrived = mem::take(&mut left.arrived);
        if left.sources.len() < MANY {
            return Vec::new();
        }
        let count = left.sources.len().min(arrived.max(SOME));
        left.sources.drain(..count).collect()
    }
}

/// Why something cannot be, which may be for want of what freeing gives back: room, and names of
/// data.
pub(super) trait Shortage {
    fn may_pass(&self) -> bool;
}

impl Shortage for CodeMemoryError {
    fn may_pass(&self) -> bool {
        matches!(self.0, MemoryError::Full { .. } | MemoryError::Budget { .. })
    }
}

impl Shortage for LoadError {
    fn may_pass(&self) -> bool {
        match self {
            LoadError::Memory(error) => error.may_pass(),
            LoadError::Duplicate { .. } => true,
            _ => false,
        }
    }
}

impl Shortage for Arc<LoadError> {
    fn may_pass(&self) -> bool {
        (**self).may_pass()
    }
}

impl Shortage for FunctionError {
    fn may_pass(&self) -> bool {
        matches!(self, FunctionError::Memory(error) if error.may_pass())
    }
}

/// What has become of something that was to be freed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freed {
    Now,
    /// Somebody has it still.
    Later,
}

impl Shared {
    /// Leaves sources to be dropped to whoever comes to it: that takes time by their size. What
    /// makes modules is the user's and is dropped at once: it may have the engine itself in it.
    pub(super) fn leave(&self, sources: impl IntoIterator<Item = Source>) {
        for source in sources {
            match source {
                Source::Callback(_) => drop(source),
                _ => self.left.add(source),
            }
        }
    }

    /// Frees a little of what earlier changes have left, if that is very much: called before a
    /// change, whose own time it is not. Nobody is [told](Self::tell_freed) yet.
    pub(super) fn free_little(&self) {
        self.left.take_some().into_iter().for_each(discard);
        self.settle_many();
        let (arrived, waiting) = (self.retired.arrived(), self.retired.len());
        if waiting < MANY.max(2 * self.lingering.load(Ordering::Relaxed)) {
            return;
        }
        let some = self.retired.collect(&self.environment.epochs, arrived.max(SOME));
        let fates = some.into_iter().map(|retiree| self.free(retiree));
        let freed = fates.filter(|&fate| fate == Freed::Now).count();
        self.settle_abandoned();
        if freed < SOME {
            self.note_lingering();
        } else {
            // What is left could be freed, too: it lingers for want of time alone.
            self.lingering.store(0, Ordering::Relaxed);
        }
    }

    /// Takes out what has been given up: behind what failed, too, so that names which that alone
    /// has named mean nothing again.
    pub(super) fn settle_abandoned(&self) {
        self.settle(self.abandoned.take());
    }

    /// The same, if that is very much: handles that come and go leave some without any change.
    pub(super) fn settle_many(&self) {
        if let Some(list) = self.abandoned.take_many(MANY) {
            self.settle(list);
        }
    }

    /// Frees what can be, once enough waits for it.
    pub(super) fn free_some(&self) {
        let enough = FEW.max(2 * self.lingering.load(Ordering::Relaxed));
        if self.retired.len() >= enough {
            self.free_quietly();
        }
        self.tell_freed();
    }

    /// Frees what can be, and whatever that leaves without use.
    pub(super) fn free_all(&self) {
        self.free_quietly();
        self.tell_freed();
    }

    /// The same, and leaves it to others to tell of it: while a function is made, whoever waits
    /// for that may have locks of its own, which whoever is told may want.
    fn free_quietly(&self) {
        loop {
            // What they consist of is the user's, and may panic.
            self.left.take().into_iter().for_each(discard);
            for retiree in self.retired.collect(&self.environment.epochs, usize::MAX) {
                self.free(retiree);
            }
            let list = self.abandoned.take();
            if list.is_empty() {
                break;
            }
            self.settle(list);
        }
        self.note_lingering();
    }

    /// Tries once more where something finds no room, or its name with what has gone, once what
    /// nobody needs is freed.
    pub(super) fn with_freed<T, E: Shortage>(
        &self,
        mut attempt: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        match attempt() {
            Err(error) if error.may_pass() => {
                self.free_quietly();
                attempt()
            }
            made => made,
        }
    }

    /// Tells of code that was freed and that nobody has told of yet.
    pub(super) fn tell_freed(&self) {
        let freed = mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, size) in freed {
            self.tell_freed_code(&name, size);
        }
    }

    fn note_lingering(&self) {
        self.lingering.store(self.retired.len(), Ordering::Relaxed);
        if !self.retired.is_empty() {
            self.environment.registry.request(Attention::Renew);
        }
    }

    fn free(&self, retiree: Retiree) -> Freed {
        match retiree {
            // A thread that has stayed inside has a frame of it: later.
            Retiree::Code(placed) if placed.is_held() => {
                self.retired.retire(&self.environment.epochs, Retiree::Code(placed));
                return Freed::Later;
            }
            Retiree::Code(placed) => {
                self.environment.code.remove(&placed);
                let freed = (placed.facts.name().clone(), placed.size());
                drop(placed);
                self.untold.lock().unwrap_or_else(PoisonError::into_inner).push(freed);
            }
            Retiree::Function(number) => {
                // Dropped behind the lock.
                let _rest = {
                    let mut symbols = self.symbols();
                    let symbol = self.functions.entry(number).take_slot();
                    // The callers of whoever gets the number next must not be led to what a
                    // thread inside has had it mean at the last.
                    let source = resolve::remove(self, number).ok().flatten();
                    self.forget_calls(number);
                    symbols.numbers.reuse(number);
                    (symbol, source)
                };
            }
        }
        Freed::Now
    }

    /// Looks at what was given up, and takes out what goes with it.
    fn settle(&self, list: AbandonedList) {
        let AbandonedList { references, locals, data } = list;
        let mut sources = Vec::new();
        let mut symbols = self.symbols();
        for number in locals {
            sources.extend(self.take_out(&mut symbols, number, (self.main.library, "")));
        }
        for number in references {
            let fate = symbols.numbers.release(number);
            if fate == Fate::Stays {
                continue;
            }
            // What was referred to has a symbol.
            let Some(symbol) = symbols.symbol(number) else { continue };
            let full = (symbol.library, &*symbol.name);
            sources.extend(self.retire_function(&mut symbols, fate, number, full));
        }
        for data in &data {
            symbols.names.forget_data(data);
        }
        drop(symbols);
        drop((sources, data));
    }

    /// Takes away the definition that a function has, if any, for the caller to drop; and the
    /// function, if nobody refers to it. A local one has no name that others see.
    pub(super) fn take_out(
        &self,
        symbols: &mut Symbols,
        number: u32,
        full: Full<'_>,
    ) -> Option<Source> {
        symbols.forget_function(full.0, full.1, number);
        let source = resolve::remove(self, number).ok().flatten();
        let fate = symbols.numbers.bury(number);
        let rest = self.retire_function(symbols, fate, number, full);
        source.or(rest)
    }

    /// Takes a function out that nobody refers to any more. It may lead to one of another library
    /// still.
    fn retire_function(
        &self,
        symbols: &mut Symbols,
        fate: Fate,
        number: u32,
        (library, name): Full<'_>,
    ) -> Option<Source> {
        if fate != Fate::Retires {
            return None;
        }
        symbols.names.unname(library, name, number);
        let source = resolve::remove(self, number).ok().flatten();
        self.retired.retire(&self.environment.epochs, Retiree::Function(number));
        source
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;
    use crate::engine::{Config, Engine};

    /// A module of so many functions, which nobody calls.
    fn functions(linkage: &str, count: usize) -> String {
        let one = |number| {
            format!("{linkage} func @f{number}() -> i64 {{\nb:\n    return {number}\n}}\n")
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn looking_a_function_up_leaves_nothing_that_grows() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.define(&functions("export", 1)).unwrap();
        for _ in 0..10 * MANY {
            drop(engine.function("f0").unwrap());
        }
        let left = engine.shared.abandoned.take();
        assert!(left.references.len() <= MANY, "{}", left.references.len());
    }

    #[test]
    fn definitions_leave_no_more_sources_than_a_few_of_them_have() {
        let engine = Engine::new(Config::default()).unwrap();
        let module = parse_module(&functions("export", 1000)).unwrap();
        for _ in 0..20 {
            engine.define_module(module.clone()).unwrap();
        }
        let left = engine.shared.left.take().len();
        assert!(left < 2000, "{left}");
    }

    #[test]
    fn definitions_leave_no_more_numbers_than_a_few_of_them_have() {
        let engine = Engine::new(Config::default()).unwrap();
        let text = functions("local", 99) + "export func @g() -> i64 {\nb:\n    return 1\n}";
        let module = parse_module(&text).unwrap();
        for _ in 0..2 * MANY {
            engine.define_module(module.clone()).unwrap();
        }
        let count = engine.shared.symbols().numbers.count();
        assert!(count < 100 * (MANY + SOME), "{count}");
    }

    #[test]
    fn a_number_that_is_given_again_has_no_definition_of_whoever_had_it() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.define(&functions("export", 1)).unwrap();
        let shared = &engine.shared;
        let number = shared.symbols().defined_function(shared.main.library, "f0").unwrap();
        engine.remove("f0").unwrap();
        let _nothing = resolve::define(&**shared, number, Source::Elsewhere);
        engine.collect();
        assert_eq!(shared.symbols().give_number().unwrap(), number);
        assert!(!shared.functions.entry(number).is_defined());
    }
}
