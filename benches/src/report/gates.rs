//! What the mid-end is held to, and what of it is met.

mod large;
mod table;
mod tiers;

use std::fmt::Write;

use self::table::{AS_LONG, COMPILE, HANDED_OVER, Over, REASONS, RUN, RunGate};
use super::format::{name_of, number, table_of_texts};
use super::record::Input;
use super::summary::{FORM, NOISE, Standing, Summary, YARDSTICK, all_kernels, mean};
use crate::kernel::{Accesses, KERNELS};

/// What is held to bounds on run time, and the same under other conditions.
const HELD: &str = "brolga-O2";
const CONDITIONS: [&str; 2] = ["brolga-O2-polls", "brolga-O2-bare"];

/// Whether a gate is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Met,
    Unmet,
    Unmeasured,
}

impl Outcome {
    fn of(value: Option<f64>, bound: f64) -> Outcome {
        match value {
            Some(value) if value <= bound => Outcome::Met,
            Some(_) => Outcome::Unmet,
            None => Outcome::Unmeasured,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Outcome::Met => "met",
            Outcome::Unmet => "not met",
            Outcome::Unmeasured => "not measured",
        }
    }
}

/// A gate by its name, and how it stands.
type Standings = Vec<(String, Outcome)>;

/// The section of the page.
pub(super) fn section(summary: &Summary) -> String {
    let mut standings = vec![soundness(summary)];
    let run = run_times(summary, &mut standings);
    let compile = compile_times(summary, &mut standings);
    let large = large::section(summary, &mut standings);
    let tiers = tiers::section(summary, &mut standings);
    let as_long = against_vectors_as_long(summary, &mut standings);
    let handed_over = against_what_is_handed_over(summary, &mut standings);
    let checked = checked_kernels().map(|kernel| name_of(&kernel)).collect::<Vec<_>>().join(", ");
    format!(
        "## Gates\n\nWhat the mid-end is held to: a gate is a bound that must be kept, a goal one that \
         is aimed at. Run times are those of `{HELD}`'s code, which has guards of the stack and no \
         polls, to a rival's, and means as everywhere on this page; `{}` polls in loops and at \
         entries, too, and `{}` has neither.\n\n{}\n{run}\n\
         Checked accesses are those of {checked}.\n\n{compile}\n{large}\n{tiers}\n{as_long}\n{handed_over}\n\
         Which loops have no vectors, and why not, is on \
         [a page of its own](benchmarks-loops.md).\n\n",
        CONDITIONS[0],
        CONDITIONS[1],
        counts(&standings)
    )
}

/// A race that a back end lost by breaking off tells the other gates nothing, and would be
/// missed by none of them.
fn soundness(summary: &Summary) -> (String, Outcome) {
    let troubles = summary.failures.len() + summary.disagreements.len();
    let name = "everything runs, to equal results".to_owned();
    (name, Outcome::of(Some(troubles as f64), 0.0))
}

/// How many gates are met, and the names of the others.
fn counts(standings: &Standings) -> String {
    let those = |outcome: Outcome| -> Vec<&str> {
        let of = standings.iter().filter(|(_, of)| *of == outcome);
        of.map(|(name, _)| name.as_str()).collect()
    };
    let mut text = format!("{} of {} gates are met.", those(Outcome::Met).len(), standings.len());
    for outcome in [Outcome::Unmet, Outcome::Unmeasured] {
        let names = those(outcome);
        if !names.is_empty() {
            let words = outcome.words();
            let _ = write!(
                text,
                " {}{}: {}.",
                words[..1].to_uppercase(),
                &words[1..],
                names.join("; ")
            );
        }
    }
    text + "\n"
}

fn run_times(summary: &Summary, standings: &mut Standings) -> String {
    let columns = ["to", HELD, "gate", "goal", CONDITIONS[0], CONDITIONS[1]];
    let rows: Vec<(String, Vec<String>)> = RUN
        .iter()
        .map(|gate| {
            let value = gate.ratio(summary, HELD);
            standings.push((gate.name(), Outcome::of(value, gate.gate)));
            let goal = gate.goal.map_or_else(|| "-".to_owned(), |goal| verdict(value, goal));
            let mut cells =
                vec![gate.rival.to_owned(), told(value), verdict(value, gate.gate), goal];
            cells.extend(CONDITIONS.map(|ours| {
                let value = gate.ratio(summary, ours);
                let words = Outcome::of(value, gate.gate).words();
                value.map_or_else(|| words.to_owned(), |value| format!("{value:.3}, {words}"))
            }));
            (gate.over.name().to_owned(), cells)
        })
        .collect();
    table_of_texts("run time", &columns, rows.into_iter())
}

fn compile_times(summary: &Summary, standings: &mut Standings) -> String {
    let warm = |input: &Input, backend: &str| {
        summary.standing(input, backend).and_then(|standing: &Standing| standing.warm_compile)
    };
    let rows: Vec<(String, Vec<String>)> = COMPILE
        .iter()
        .map(|&(ours, gate)| {
            let ratios = all_kernels(FORM)
                .into_iter()
                .filter_map(|input| Some(warm(&input, ours)? / warm(&input, YARDSTICK)?));
            let value = mean(ratios);
            standings.push((format!("compile time of {ours}"), Outcome::of(value, gate)));
            (ours.to_owned(), vec![YARDSTICK.to_owned(), told(value), verdict(value, gate)])
        })
        .collect();
    table_of_texts("compile time, warm", &["to", "ratio", "gate"], rows.into_iter())
}

/// Kernels that are far from a rival whose vectors are as long as ours, and why.
fn against_vectors_as_long(summary: &Summary, standings: &mut Standings) -> String {
    let (rival, most) = AS_LONG;
    let name = format!("reasons for what takes more than {most:.1} times as long as {rival}");
    let measured = all_kernels(FORM).into_iter().filter_map(|input| {
        let ratio = summary.ratio(&input, HELD, rival)?;
        Some((input, ratio))
    });
    let measured: Vec<(Input, f64)> = measured.collect();
    let mut far: Vec<&(Input, f64)> = measured.iter().filter(|(_, ratio)| *ratio > most).collect();
    far.sort_by(|a, b| b.1.total_cmp(&a.1));
    let reason = |input: &Input| {
        let kernel = name_of(input);
        REASONS.iter().find(|(name, _)| *name == kernel).map(|(_, reason)| *reason)
    };
    let outcome = match far.iter().all(|(input, _)| reason(input).is_some()) {
        _ if measured.is_empty() => Outcome::Unmeasured,
        true => Outcome::Met,
        false => Outcome::Unmet,
    };
    standings.push((name, outcome));
    let lines = far.iter().map(|(input, ratio)| {
        let reason = reason(input).unwrap_or("no reason is known");
        format!("{} {}: {reason}", name_of(input), number(*ratio))
    });
    let title = format!(
        "Kernels that take more than {most:.1} times as long as with `{rival}`, each of which needs a \
         reason"
    );
    listed(&title, &lines.collect::<Vec<_>>(), outcome)
}

/// Kernels that are slower than the same back end makes them without our passes.
fn against_what_is_handed_over(summary: &Summary, standings: &mut Standings) -> String {
    let best = |input: &Input| {
        let ratios = HANDED_OVER
            .iter()
            .filter_map(|&rival| Some((rival, summary.ratio(input, HELD, rival)?)));
        ratios.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let measured: Vec<(Input, (&str, f64))> = all_kernels(FORM)
        .into_iter()
        .filter_map(|input| {
            let best = best(&input)?;
            Some((input, best))
        })
        .collect();
    let mut slower: Vec<_> = measured.iter().filter(|(_, (_, ratio))| *ratio > NOISE).collect();
    slower.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let outcome = match measured.is_empty() {
        true => Outcome::Unmeasured,
        false => Outcome::of(Some(slower.len() as f64), 0.0),
    };
    let [plain, rewriting] = HANDED_OVER;
    standings.push((format!("no kernel slower than {plain} and {rewriting}"), outcome));
    let lines = slower.iter().map(|(input, (rival, ratio))| {
        format!("{} {}, to `{rival}`", name_of(input), number(*ratio))
    });
    let title = format!(
        "Kernels that are slower by more than 8 % than the better of `{plain}` and `{rewriting}`, which \
         get the IR as it is handed over; there should be none"
    );
    listed(&title, &lines.collect::<Vec<_>>(), outcome)
}

fn listed(title: &str, lines: &[String], outcome: Outcome) -> String {
    let mut text = format!("{title}: {}.\n", outcome.words());
    if !lines.is_empty() {
        text.push('\n');
    }
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
    text
}

impl RunGate {
    fn name(&self) -> String {
        match self.rival {
            YARDSTICK => self.over.name().to_owned(),
            rival => format!("{} to {rival}", self.over.name()),
        }
    }

    fn ratio(&self, summary: &Summary, ours: &str) -> Option<f64> {
        let to = self.rival;
        match self.over {
            Over::Class(class) => summary.class_ratio_to(class, FORM, ours, to),
            Over::All => summary.total_ratio_to(FORM, ours, to),
            Over::Checked => {
                mean(checked_kernels().filter_map(|input| summary.ratio(&input, ours, to)))
            }
        }
    }
}

impl Over {
    const fn name(self) -> &'static str {
        match self {
            Over::Class(class) => class.name(),
            Over::All => "all, by weight",
            Over::Checked => "checked accesses",
        }
    }
}

fn checked_kernels() -> impl Iterator<Item = Input> {
    let checked = KERNELS.iter().filter(|kernel| kernel.accesses == Accesses::Checked);
    checked.map(|kernel| Input::Kernel { name: kernel.name.to_owned(), form: FORM.to_owned() })
}

/// A ratio, told more finely than elsewhere: it is compared with a bound.
fn told(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn verdict(value: Option<f64>, bound: f64) -> String {
    format!("{}, {}", number(bound), Outcome::of(value, bound).words())
}

#[cfg(test)]
mod tests;
