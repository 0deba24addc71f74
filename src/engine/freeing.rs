//! Giving back what nothing leads to any more and no thread is inside of.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use brolga_lifecycle::numbers::Fate;
use brolga_lifecycle::resolve;

use super::shared::{Full, Shared};
use crate::link::{AbandonedList, Source, Symbols};
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

/// What is freed so at a time.
const SOME: usize = 128;

impl Shared {
    /// Leaves sources to be dropped to whoever comes to it: that takes time by their size. What
    /// makes modules is the user's and is dropped at once: it may have the engine itself in it.
    pub(super) fn leave(&self, sources: impl IntoIterator<Item = Source>) {
        for source in sources {
            match source {
                Source::Callback(_) => discard(source),
                _ => self.left.lock().unwrap_or_else(PoisonError::into_inner).push(source),
            }
        }
    }

    /// Takes so many of these, for the caller to drop.
    fn take_left(&self, most: usize) -> Vec<Source> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let count = left.len().min(most);
        left.drain(..count).collect()
    }

    /// Frees a little of what earlier changes have left, if that is very much: called before a
    /// change, whose own time it is not.
    pub(super) fn free_little(&self) {
        if self.left.lock().unwrap_or_else(PoisonError::into_inner).len() >= MANY {
            self.take_left(SOME).into_iter().for_each(discard);
        }
        if self.retired.len() >= MANY.max(2 * self.lingering.load(Ordering::Relaxed)) {
            for retiree in self.retired.collect(&self.environment.epochs, SOME) {
                self.free(retiree);
            }
            self.settle_abandoned();
            self.note_lingering();
        }
    }

    /// Takes out what has been given up: behind what failed, too, so that names which that alone
    /// has named mean nothing again.
    pub(super) fn settle_abandoned(&self) {
        self.settle(self.abandoned.take());
    }

    /// Frees what can be, once enough waits for it.
    pub(super) fn free_some(&self) {
        let enough = FEW.max(2 * self.lingering.load(Ordering::Relaxed));
        if self.retired.len() >= enough {
            self.free_all();
        }
    }

    /// Frees what can be, and whatever that leaves without use.
    pub(super) fn free_all(&self) {
        loop {
            // What they consist of is the user's, and may panic.
            self.take_left(usize::MAX).into_iter().for_each(discard);
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

    fn note_lingering(&self) {
        self.lingering.store(self.retired.len(), Ordering::Relaxed);
        if !self.retired.is_empty() {
            self.environment.registry.request(Attention::Renew);
        }
    }

    fn free(&self, retiree: Retiree) {
        match retiree {
            // A thread that has stayed inside has a frame of it: later.
            Retiree::Code(placed) if placed.is_held() => {
                self.retired.retire(&self.environment.epochs, Retiree::Code(placed));
            }
            Retiree::Code(placed) => {
                self.environment.code.remove(&placed);
                let (name, size) = (placed.unit.name.clone(), placed.size());
                drop(placed);
                self.tell_freed(&name, size);
            }
            Retiree::Function(number) => {
                // Dropped behind the lock.
                let _symbol = {
                    let mut symbols = self.symbols();
                    let symbol = self.functions.entry(number).take_slot();
                    self.forget_calls(number);
                    symbols.numbers.reuse(number);
                    symbol
                };
            }
        }
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
