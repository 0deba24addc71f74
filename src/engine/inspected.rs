//! Who inspects the passes of an engine, and what they have done that was not shown yet.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use brolga_lowering::emit::Compiler;
use brolga_lowering::pipeline::{Inspector, Report};

/// Who inspects the passes, and what they have done that was not shown yet.
#[derive(Debug)]
pub(super) struct Inspected {
    pub(super) inspector: Arc<Inspector>,
    report: Mutex<Report>,
}

impl Inspected {
    pub(super) fn new(inspector: Inspector) -> Inspected {
        Inspected { inspector: Arc::new(inspector), report: Mutex::default() }
    }

    /// Takes into account what the passes have done in a compiler since it was last asked.
    pub(super) fn take_from(&self, compiler: &mut Compiler) {
        let report = compiler.take_report();
        self.report.lock().unwrap_or_else(PoisonError::into_inner).merge(report);
    }

    /// Shows times and counts, as far as they are asked for and were not shown.
    pub(super) fn conclude(&self) {
        let mut kept = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        let report = std::mem::take(&mut *kept);
        drop(kept);
        self.inspector.conclude(&report);
    }
}

impl Drop for Inspected {
    fn drop(&mut self) {
        // Nobody is left to be told that an observer has panicked.
        drop(catch_unwind(AssertUnwindSafe(|| self.conclude())));
    }
}
