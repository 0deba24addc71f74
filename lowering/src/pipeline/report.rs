//! What a report says, as text.

use std::fmt::Write;
use std::time::Duration;

use super::runner::Report;
use crate::pass::Change;

/// All runs of one pass.
#[derive(Default)]
struct Sum {
    time: Duration,
    runs: usize,
    changes: usize,
    before: usize,
    behind: usize,
}

impl Report {
    /// How long each pass took, in the order in which they first ran: time and share of
    /// all, how many functions it ran on and how many of those it changed, and by how many
    /// instructions they grew. Empty where nothing was timed.
    pub fn time_table(&self) -> String {
        let mut sums: Vec<(&'static str, Sum)> = Vec::new();
        for run in &self.runs {
            let known = sums.iter().position(|(pass, _)| *pass == run.pass);
            let index = known.unwrap_or_else(|| {
                sums.push((run.pass, Sum::default()));
                sums.len() - 1
            });
            let sum = &mut sums[index].1;
            sum.time += run.time;
            sum.runs += 1;
            sum.changes += usize::from(run.change == Change::Something);
            sum.before += run.before;
            sum.behind += run.behind;
        }
        if sums.is_empty() {
            return String::new();
        }
        let total: Duration = sums.iter().map(|(_, sum)| sum.time).sum();
        let mut text = String::from("   time ms  share   runs  changed  instructions  pass\n");
        for (pass, sum) in &sums {
            let share = 100.0 * sum.time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            let grown = sum.behind as i64 - sum.before as i64;
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{:>10.3} {share:>5.1}% {:>6} {:>8} {grown:>+13}  {pass}",
                milliseconds(sum.time),
                sum.runs,
                sum.changes
            );
        }
        let _ = writeln!(text, "{:>10.3} 100.0%  all", milliseconds(total));
        text
    }

    /// What passes have counted, one count a line, sorted by name; empty if nothing.
    pub fn statistics_table(&self) -> String {
        let mut text = String::new();
        for (pass, what, count) in self.statistics.iter() {
            let _ = writeln!(text, "{count:>10}  {pass}: {what}");
        }
        text
    }

    /// Adds what another report has.
    pub fn merge(&mut self, other: Report) {
        self.runs.extend(other.runs);
        self.stages.iter_mut().zip(other.stages).for_each(|(sum, more)| *sum += more);
        self.statistics.merge(&other.statistics);
        self.remarks.extend(other.remarks);
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{PassRun, Stage};
    use brolga_ir::entity::FuncId;

    fn run(pass: &'static str, change: Change, (before, behind): (usize, usize)) -> PassRun {
        let (function, time) = (FuncId::from_u32(0), Duration::from_millis(1));
        PassRun { pass, stage: Stage::Scalars, function, change, before, behind, time }
    }

    #[test]
    fn runs_of_one_pass_are_one_line_of_times() {
        let mut report = Report::default();
        assert_eq!(report.time_table(), "");
        report.runs = vec![
            run("gvn", Change::Something, (10, 7)),
            run("licm", Change::Nothing, (7, 7)),
            run("gvn", Change::Something, (20, 21)),
            run("gvn", Change::Nothing, (4, 4)),
        ];
        let wanted = "   time ms  share   runs  changed  instructions  pass\n     \
                      3.000  75.0%      3        2            -2  gvn\n     \
                      1.000  25.0%      1        0            +0  licm\n     \
                      4.000 100.0%  all\n";
        assert_eq!(report.time_table(), wanted);
    }

    #[test]
    fn counts_are_sorted_and_add_up() {
        let mut report = Report::default();
        report.statistics.add("licm", "hoisted", 2);
        let mut other = Report::default();
        other.statistics.add("licm", "hoisted", 3);
        other.statistics.add("gvn", "replaced", 1);
        report.merge(other);
        assert_eq!(
            report.statistics_table(),
            "         1  gvn: replaced\n         5  licm: hoisted\n"
        );
    }
}
