//! What passes find to do in generated programs: a pass that no program reaches is one that
//! comparing programs says nothing about.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use brolga_lowering::pass::Change;
use brolga_lowering::pipeline::{
    Inspection, Inspector, PASSES, Pass, Report, RunOptions, Step, Watcher, run_passes,
};
use brolga_lowering::target::TargetSpec;

use crate::generate::Generated;

/// What is known of one row of the table of passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// Functions that it ran on.
    pub runs: u64,
    /// Those of them that it changed.
    pub changed: u64,
    /// Programs of which it changed a function.
    pub programs: u64,
}

/// What was counted of one thing that a pass does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// How often it was done.
    pub times: u64,
    /// In how many functions, counted anew for each row.
    pub functions: u64,
    /// In how many programs.
    pub programs: u64,
}

/// What passes did in programs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// How many programs.
    programs: u64,
    /// By index in the table.
    rows: BTreeMap<usize, Reached>,
    /// By pass and by what it counts.
    counts: BTreeMap<(&'static str, &'static str), Counted>,
}

/// Who adds up what passes did in one program.
#[derive(Debug, Default)]
struct Adding(Mutex<Coverage>);

impl Watcher for Adding {
    fn passed(&self, step: &Step<'_>) {
        let mut coverage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(index) = index_of(step.pass) else { return };
        let reached = coverage.rows.entry(index).or_default();
        reached.runs += 1;
        if step.change == Change::Something {
            reached.changed += 1;
            reached.programs = 1;
        }
        for (pass, what, times) in step.statistics.iter() {
            let counted = coverage.counts.entry((pass, what)).or_default();
            counted.times += times;
            counted.functions += 1;
            counted.programs = 1;
        }
    }
}

fn index_of(pass: &'static Pass) -> Option<usize> {
    PASSES.iter().position(|row| std::ptr::eq(row, pass))
}

impl Coverage {
    /// What a list does in a program. Where a pass refuses the program, as some refuse managed
    /// code, that is what those before it did.
    pub fn of(program: &Generated, list: &[&'static Pass], target: &TargetSpec) -> Coverage {
        let adding = Arc::new(Adding::default());
        let inspector = Inspector::new(Inspection::default(), None).watched(adding.clone());
        let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(target) };
        let mut module = program.module.clone();
        let _ = run_passes(&mut module, list, &options, &mut Report::default());
        let known = adding.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut coverage = Coverage { programs: 1, ..known.clone() };
        for index in list.iter().filter_map(|&pass| index_of(pass)) {
            coverage.rows.entry(index).or_default();
        }
        coverage
    }

    /// Adds what passes did in other programs.
    pub fn merge(&mut self, other: &Coverage) {
        self.programs += other.programs;
        for (&index, more) in &other.rows {
            let reached = self.rows.entry(index).or_default();
            reached.runs += more.runs;
            reached.changed += more.changed;
            reached.programs += more.programs;
        }
        for (&key, more) in &other.counts {
            let counted = self.counts.entry(key).or_default();
            counted.times += more.times;
            counted.functions += more.functions;
            counted.programs += more.programs;
        }
    }

    /// The rows that were run, by their index in the table.
    pub fn rows(&self) -> impl Iterator<Item = (usize, Reached)> + '_ {
        self.rows.iter().map(|(&index, &reached)| (index, reached))
    }

    /// What passes have counted: pass, what it was, and how often.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, Counted)> + '_ {
        self.counts.iter().map(|(&(pass, what), &counted)| (pass, what, counted))
    }

    /// One line for each row, with those that changed nothing marked, and one below for each
    /// thing that its pass counts; these are told once, at the first row of the pass.
    pub fn table(&self) -> String {
        let mut text = String::from(" programs  functions       runs  row\n");
        let mut told: Vec<&str> = Vec::new();
        for (index, reached) in self.rows() {
            let (pass, mark) = (&PASSES[index], if reached.changed == 0 { "  NEVER" } else { "" });
            let Reached { runs, changed, programs } = reached;
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{programs:>9} {changed:>10} {runs:>10}  {index} {}{mark}",
                pass.spelling()
            );
            if told.contains(&pass.name) {
                continue;
            }
            told.push(pass.name);
            for (_, what, counted) in self.counts().filter(|(name, ..)| *name == pass.name) {
                let Counted { times, functions, programs } = counted;
                let _ =
                    writeln!(text, "{programs:>9} {functions:>10}             - {what}: {times}");
            }
        }
        let _ = writeln!(text, "{:>9} programs", self.programs);
        text
    }
}
