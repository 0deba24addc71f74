//! Acting on an [`Inspection`]: the runner hands each run of a pass to it, before and behind.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::observe::{Observer, Remark};
use brolga_ir::text::print_function;
use brolga_ir::verify::{Options, verify_function};

use super::inspection::{Inspection, Remarks, Selection, Switch};
use super::runner::Report;
use super::{Duty, Pass, border_behind};
use crate::error::CompileError;
use crate::pass::{Change, Journal, Statistics};

/// Who looks at each function as each pass has left it.
pub trait Watcher: fmt::Debug + Send + Sync {
    /// A pass has run on all functions that it runs on; this is one of them. Comes in the
    /// order of the runs.
    fn passed(&self, step: &Step<'_>);
}

/// A function behind a pass.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The module, with the signatures that the pass gives.
    pub module: &'a Module,
    /// The function.
    pub function: FuncId,
    /// The pass.
    pub pass: &'static Pass,
    /// What the pass says to have done.
    pub change: Change,
    /// What it remarked, where remarks are asked for.
    pub remarks: &'a [Remark],
    /// What it counted.
    pub statistics: &'a Statistics,
    /// How long it took; zero where nothing is timed.
    pub time: Duration,
}

/// Who inspects the passes, for as long as the runs are counted that bisecting limits.
#[derive(Debug)]
pub struct Inspector {
    inspection: Inspection,
    observer: Option<Arc<dyn Observer>>,
    watcher: Option<Arc<dyn Watcher>>,
    optional_runs: AtomicU64,
}

/// What was seen of a run of a pass.
#[derive(Debug)]
pub(super) struct Glimpse {
    function: FuncId,
    /// The text before it, if it will be needed.
    text: Option<String>,
    /// The remarks of it, among all.
    remarks: Range<usize>,
    /// What had been counted before it, and then by it, if that will be needed.
    statistics: Statistics,
    /// How long it took.
    time: Duration,
    /// What it says to have done.
    pub(super) change: Change,
}

impl Glimpse {
    /// The text that the function has behind the run, if it is known.
    pub(super) fn into_text(self) -> (FuncId, Option<String>) {
        let text = self.text.filter(|_| self.change == Change::Nothing);
        (self.function, text)
    }
}

impl Inspector {
    /// One who finds out what is asked for, and shows it to the observer.
    pub fn new(inspection: Inspection, observer: Option<Arc<dyn Observer>>) -> Inspector {
        Inspector { inspection, observer, watcher: None, optional_runs: AtomicU64::new(0) }
    }

    /// The same one, who shows each function behind each pass to somebody.
    pub fn watched(self, watcher: Arc<dyn Watcher>) -> Inspector {
        Inspector { watcher: Some(watcher), ..self }
    }

    /// What is asked for.
    pub fn inspection(&self) -> &Inspection {
        &self.inspection
    }

    /// Whether what each pass leaves is verified.
    pub(super) fn verifies_each(&self) -> bool {
        self.inspection.verify_each == Switch::On
    }

    /// Shows what is asked for at the end: times, and what passes have counted.
    pub fn conclude(&self, report: &Report) {
        if self.inspection.time_passes == Switch::On {
            self.show(&report.time_table());
        }
        if self.inspection.statistics == Switch::On {
            self.show(&report.statistics_table());
        }
    }

    fn show(&self, text: &str) {
        if let Some(observer) = &self.observer
            && !text.is_empty()
        {
            observer.shown(text);
        }
    }

    /// What a pass is to tell.
    pub(super) fn journal(&self, pass: &Pass) -> Journal<'_> {
        let mut journal = Journal::default();
        if self.inspection.remarks != Remarks::Off {
            journal = journal.with_remarks();
        }
        match &self.observer {
            Some(observer) if self.inspection.debug_only.has(pass) => {
                journal.with_trace(&**observer, pass.name)
            }
            _ => journal,
        }
    }

    /// Looks at a function before a pass runs on it, whose text may be known; nothing if it is
    /// not to run.
    pub(super) fn before(
        &self,
        module: &Module,
        function: FuncId,
        pass: &Pass,
        report: &Report,
        known_text: Option<String>,
    ) -> Option<Glimpse> {
        if !self.may_run(module, function, pass) {
            return None;
        }
        let before = &self.inspection.print_before;
        let shows = before.has(pass) && self.shows_texts_of(module, function);
        let is_late = *before == Selection::Changed;
        let is_compared = self.inspection.verify_each == Switch::On;
        let print = || print_function(module, function);
        let text = (shows || is_compared).then(|| known_text.unwrap_or_else(print));
        if let (Some(text), true) = (&text, shows && !is_late) {
            self.show_text("before", pass, text);
        }
        let known = report.remarks.len();
        let counted = self.counts(pass).then(|| report.statistics.clone());
        Some(Glimpse {
            function,
            text,
            remarks: known..known,
            statistics: counted.unwrap_or_default(),
            time: Duration::ZERO,
            change: Change::Nothing,
        })
    }

    /// Looks at a function right behind a pass, whose signature is still what it was.
    pub(super) fn behind(
        &self,
        glimpse: &mut Glimpse,
        module: &Module,
        pass: &Pass,
        report: &Report,
    ) -> Result<(), CompileError> {
        glimpse.remarks.end = report.remarks.len();
        self.show_remarks(&report.remarks[glimpse.remarks.clone()]);
        if self.counts(pass) {
            glimpse.statistics = report.statistics.since(&glimpse.statistics);
            glimpse.time = report.runs.last().map_or(Duration::ZERO, |run| run.time);
        }
        if self.inspection.debug_only.has(pass) {
            let function = name_of(module, glimpse.function);
            for (pass, what, count) in glimpse.statistics.iter() {
                self.show(&format!("{pass}: @{function}: {what}: {count}\n"));
            }
        }
        let Glimpse { function, text: Some(before), change: Change::Nothing, .. } = glimpse else {
            return Ok(());
        };
        let is_compared = self.inspection.verify_each == Switch::On;
        if is_compared && *before != print_function(module, *function) {
            return Err(CompileError::Defect {
                function: name_of(module, *function).into(),
                pass: pass.name,
                reason: "says that it has changed nothing, and has".into(),
            });
        }
        Ok(())
    }

    /// Shows the texts of the functions that a pass ran on, which have the signatures that
    /// it gives them by now.
    pub(super) fn show_behind(
        &self,
        glimpses: &[Glimpse],
        module: &Module,
        pass: &'static Pass,
        report: &Report,
    ) {
        let Inspection { print_before, print_after, .. } = &self.inspection;
        for Glimpse { function, text, remarks, statistics, time, change } in glimpses {
            if let Some(watcher) = &self.watcher {
                let remarks = &report.remarks[remarks.clone()];
                let (function, change, time) = (*function, *change, *time);
                let step = Step { module, function, pass, change, remarks, statistics, time };
                watcher.passed(&step);
            }
            if !self.shows_texts_of(module, *function) {
                continue;
            }
            let is_changed = *change == Change::Something;
            if let (Some(text), Selection::Changed, true) = (text, print_before, is_changed) {
                self.show_text("before", pass, text);
            }
            if print_after.has(pass) && (is_changed || *print_after != Selection::Changed) {
                self.show_text("behind", pass, &print_function(module, *function));
            }
        }
    }

    /// Verifies what the last of `passes` has left of the functions of a module. Its data objects
    /// may be without their contents here.
    pub(super) fn verify(&self, module: &Module, passes: &[&Pass]) -> Result<(), CompileError> {
        let (Switch::On, Some(pass)) = (self.inspection.verify_each, passes.last()) else {
            return Ok(());
        };
        let options = Options { border: border_behind(passes), ..Options::default() };
        for (id, function) in module.functions() {
            verify_function(module, id, &options).map_err(|errors| CompileError::Defect {
                function: (*function.name).into(),
                pass: pass.name,
                reason: format!("leaves what does not verify:\n{errors}\n").into(),
            })?;
        }
        Ok(())
    }

    /// Counts a run of a pass that code does without, and says whether it is to be.
    fn may_run(&self, module: &Module, function: FuncId, pass: &Pass) -> bool {
        let Some(limit) = self.inspection.bisect_limit else { return true };
        if pass.duty == Duty::Required {
            return true;
        }
        let number = self.optional_runs.fetch_add(1, Ordering::Relaxed) + 1;
        let runs = number <= limit;
        let what = if runs { "runs" } else { "does not run" };
        let (pass, function) = (pass.spelling(), name_of(module, function));
        self.show(&format!("bisect: {number}: {pass} {what} on @{function}\n"));
        runs
    }

    /// Whether somebody wants to know what the pass has counted in a function.
    fn counts(&self, pass: &Pass) -> bool {
        self.watcher.is_some() || self.inspection.debug_only.has(pass)
    }

    fn shows_texts_of(&self, module: &Module, function: FuncId) -> bool {
        let only = &self.inspection.print_only;
        only.is_empty() || only.iter().any(|name| **name == *name_of(module, function))
    }

    /// Shows the text of a function. The line above is a comment of the text.
    fn show_text(&self, when: &str, pass: &Pass, text: &str) {
        self.show(&format!("; {when} {}\n{text}\n", pass.spelling()));
    }

    fn show_remarks(&self, remarks: &[Remark]) {
        let Some(observer) = &self.observer else { return };
        for remark in remarks {
            observer.remarked(remark);
            match self.inspection.remarks {
                Remarks::Off | Remarks::Collected => {}
                Remarks::Text => observer.shown(&format!("{remark}\n")),
                Remarks::Json => observer.shown(&format!("{}\n", remark.to_json())),
            }
        }
    }
}

fn name_of(module: &Module, function: FuncId) -> &str {
    module.function(function).map_or("", |function| &function.name)
}

#[cfg(test)]
mod tests;
