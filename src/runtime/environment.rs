//! What the running threads of one engine share.

use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use brolga_ir::observe::Observer;

use super::code_map::CodeMap;
use super::locals::ThreadLocalImage;
use super::thread::Registry;

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
    /// The names of functions, by the number in their stubs.
    pub names: RwLock<Vec<Box<str>>>,
    /// Where stubs stand.
    pub stubs: Range<usize>,
    /// Who is told of events.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Environment {
    /// One without code, whose stubs will stand in `stubs`.
    pub(crate) fn new(stubs: Range<usize>, observer: Option<Arc<dyn Observer>>) -> Environment {
        Environment {
            code: CodeMap::default(),
            registry: Registry::default(),
            thread_locals: RwLock::default(),
            names: RwLock::default(),
            stubs,
            observer,
        }
    }

    /// What is missing, of the function of that number.
    pub(super) fn describe_missing(&self, number: u32) -> Option<Box<str>> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let name = names.get(number as usize)?;
        Some(
            format!("`@{name}` is declared and not defined; load the module that defines it")
                .into(),
        )
    }
}
