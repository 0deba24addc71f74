//! Giving back what nothing leads to any more and no thread is inside of.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use brolga_lifecycle::numbers::Fate;
use brolga_lifecycle::resolve::{self, Functions};

use super::shared::Shared;
use crate::link::AbandonedList;
use crate::runtime::{Attention, Placed};

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

impl Shared {
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
            for retiree in self.retired.collect(&self.environment.epochs) {
                self.free(retiree);
            }
            let list = self.abandoned.take();
            if list.is_empty() {
                break;
            }
            self.settle(list);
        }
        self.lingering.store(self.retired.len(), Ordering::Relaxed);
        if !self.retired.is_empty() {
            self.environment.registry.request(Attention::Renew);
        }
    }

    fn free(&self, retiree: Retiree) {
        match retiree {
            // A thread that has stayed inside has a frame of it: later.
            Retiree::Code(placed) if placed.is_held() => self.retire(placed),
            Retiree::Code(placed) => self.environment.code.remove(&placed),
            Retiree::Function(number) => {
                // Dropped behind the lock.
                let _symbol = {
                    let mut symbols = self.symbols();
                    let symbol = self.functions.entry(number).take_symbol();
                    symbols.forget(number, symbol.as_deref());
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
            sources.extend(resolve::remove(self, number).into_iter().flatten());
            self.retire_function(symbols.numbers.bury(number), number);
        }
        for number in references {
            self.retire_function(symbols.numbers.release(number), number);
        }
        for data in &data {
            let is_meant =
                symbols.global_data.get(&data.name).is_some_and(|it| Arc::ptr_eq(it, data));
            if is_meant {
                symbols.global_data.remove(&data.name);
            }
        }
        drop(symbols);
        drop((sources, data));
    }

    pub(super) fn retire_function(&self, fate: Fate, number: u32) {
        if fate == Fate::Retires {
            self.retired.retire(&self.environment.epochs, Retiree::Function(number));
        }
    }
}
