//! Time to result: who is first when there is so much to do.

use super::climb::{LADDER, SHORT};
use super::format::{duration, number, table, table_of_texts};
use super::plot::{Plot, Series};
use super::record::Input;
use super::summary::{FORM, Summary, YARDSTICK, all_kernels, kernels_of};
use crate::backend::{OURS, TIERED, competes};
use crate::kernel::Class;

/// The work at which times are told, in nanoseconds of the yardstick: from nothing to seconds.
const WORKS: [f64; 8] = [0.0, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/// The same in fine steps.
fn fine_works() -> impl Iterator<Item = f64> {
    (24..=80).map(|step| 10_f64.powf(f64::from(step) / 8.0))
}

fn competing(summary: &Summary) -> impl Iterator<Item = &'static str> {
    summary.backends().into_iter().filter(|name| competes(name))
}

/// Whom all tiers are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    /// Everybody else.
    All,
    /// Each of our levels, and the first tier alone.
    Ours,
}

/// How much longer all tiers need to a result than the first of others, and who that is.
fn against(summary: &Summary, others: Others, work: f64) -> Option<(f64, &'static str)> {
    let inputs = all_kernels(FORM);
    let those = competing(summary)
        .filter(|&name| name != TIERED && (others == Others::All || name.starts_with(OURS)));
    let ratios =
        those.filter_map(|rival| Some((summary.time_ratio(&inputs, TIERED, rival, work)?, rival)));
    ratios.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The same where it is most, of all amounts of work that are measured or go on from there, up to
/// `most`; and that amount.
pub(super) fn slowest_against(
    summary: &Summary,
    others: Others,
    most: f64,
) -> Option<(f64, &'static str, f64)> {
    let works = LADDER[1..].iter().chain(&WORKS[WORKS.len() - 1..]).filter(|&&work| work <= most);
    let found = works.filter_map(|&work| {
        let (ratio, rival) = against(summary, others, work)?;
        Some((ratio, rival, work))
    });
    found.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The rows of all tiers against others; none if these were not raced.
fn tiers(summary: &Summary, columns: &[&str]) -> String {
    let rows = [("the first of all others", Others::All), ("the best of our levels", Others::Ours)];
    let rows = rows.map(|(name, others)| {
        let cells = WORKS.map(|work| match against(summary, others, work) {
            Some((ratio, rival)) => format!("{}, {rival}", number(ratio)),
            None => "-".to_owned(),
        });
        (name.to_owned(), cells.to_vec())
    });
    match against(summary, Others::All, 0.0) {
        Some(_) => format!(
            "`{TIERED}` against others, over the kernels that both ran:\n\n{}\n",
            table_of_texts("to", columns, rows.into_iter())
        ),
        None => String::new(),
    }
}

/// Who is first, and when.
fn winner(summary: &Summary, inputs: &[Input], work: f64) -> Option<(&'static str, f64)> {
    let times = competing(summary)
        .filter_map(|backend| Some((backend, summary.time_to_result(inputs, backend, work)?)));
    times.min_by(|a, b| a.1.total_cmp(&b.1))
}

fn title(work: f64) -> String {
    if work == 0.0 { "no work".to_owned() } else { duration(work) }
}

/// For each back end that is ever first, from which work to which it is.
pub(super) fn reigns(summary: &Summary) -> Vec<(&'static str, f64, f64)> {
    let inputs = all_kernels(FORM);
    let mut reigns: Vec<(&'static str, f64, f64)> = Vec::new();
    for work in std::iter::once(0.0).chain(fine_works()) {
        let Some((backend, _)) = winner(summary, &inputs, work) else { continue };
        match reigns.last_mut() {
            Some((last, _, to)) if *last == backend => *to = work,
            _ => reigns.push((backend, work, work)),
        }
    }
    reigns
}

/// The section of the page.
pub(super) fn section(summary: &Summary, picture: &str) -> String {
    let inputs = all_kernels(FORM);
    let columns = WORKS.map(title);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let first = WORKS.map(|work| winner(summary, &inputs, work));
    let rows = competing(summary).map(|backend| {
        let ratios = WORKS.iter().zip(&first).map(|(&work, first)| {
            Some(summary.time_to_result(&inputs, backend, work)? / (*first)?.1)
        });
        (backend.to_owned(), ratios.collect())
    });
    let times = first.map(|first| first.map_or_else(|| "-".to_owned(), |(_, time)| duration(time)));
    let classes = Class::ALL.into_iter().map(|class| {
        let inputs = kernels_of(class, FORM);
        let name = |work| winner(summary, &inputs, work).map_or("-", |(name, _)| name).to_owned();
        (class.name().to_owned(), WORKS.map(name).to_vec())
    });
    let everything = first.map(|first| first.map_or("-", |(name, _)| name).to_owned());
    let winners = std::iter::once(("all".to_owned(), everything.to_vec())).chain(classes);
    format!(
        "## Time to result\n\nFrom a module in memory to a result: compiling in a warm process, then \
         a call that makes the kernel's data and does what takes LLVM's `-O2` code the time above \
         the column. It is measured, by the clock on the wall, as one call after compiling anew, \
         at {} of work: the median of three calls in each round. Between these, and where less \
         than a round of a kernel's work would be left, it is on the straight line. Behind the \
         last, or the one with which two seconds are over, time goes on as in the fastest run. \
         Code of `{TIERED}` gets better as it runs: it is measured on to a second, and goes on as \
         between the last two. Mean over the suite, against the fastest of all.\n\n{}\n\
         The fastest needs {}.\n\n{}Who is first, by class:\n\n{}\n\
         ![Time to result]({picture})\n\n",
        LADDER.into_iter().filter(|&work| work <= SHORT).map(title).collect::<Vec<_>>().join(", "),
        table("", &columns, rows),
        times.join(", "),
        tiers(summary, &columns),
        table_of_texts("", &columns, winners),
    )
}

/// The picture: time against that of the fastest, by work.
pub(super) fn picture(summary: &Summary) -> String {
    let inputs = all_kernels(FORM);
    let first = |work| winner(summary, &inputs, work).map(|(_, time)| time);
    let first: Vec<(f64, f64)> =
        fine_works().filter_map(|work| Some((work, first(work)?))).collect();
    let series = competing(summary).map(|backend| Series {
        name: backend.to_owned(),
        points: first
            .iter()
            .filter_map(|&(work, first)| {
                Some((work / 1e6, summary.time_to_result(&inputs, backend, work)? / first))
            })
            .collect(),
    });
    let plot = Plot {
        title: "Time to result, compiling and running: who is at 1 is first".to_owned(),
        across: format!("work, ms of {YARDSTICK} code"),
        up: "times as long as the fastest takes".to_owned(),
        series: series.filter(|series| !series.points.is_empty()).collect(),
    };
    plot.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{lap, record, records, rung};

    #[test]
    fn a_result_takes_what_was_measured_and_behind_that_what_the_fastest_run_takes() {
        let mut yardstick = lap(10_000, 1_000, "1");
        yardstick.rungs = vec![rung(0, 20_000_000), rung(2, 24_000_000)];
        let races =
            [record("fib", YARDSTICK, Ok(yardstick)), record("fib", TIERED, Ok(lap(1, 1, "1")))];
        let summary = Summary::of(&records(races.to_vec()));
        let inputs = all_kernels(FORM);
        // A run takes a millisecond.
        let times = [0.0, 1e6, 2e6, 5e6];
        let of =
            |name| times.map(|work| summary.time_to_result(&inputs, name, work).unwrap().round());
        assert_eq!(of(YARDSTICK), [2e7, 2.2e7, 2.4e7, 2.7e7]);
        assert_eq!(of(TIERED), [1e3, 2e3, 3e3, 6e3]);
    }
}
