//! Gates on the first tier, and on code that gets better as it runs.

use super::super::format::{duration, name_of, table_of_texts};
use super::super::summary::{FORM, Summary};
use super::super::time::{Others, slowest_against};
use super::table::{QUICK, TIERS, TierGate};
use super::{Outcome, Standings, told};
use crate::backend::{PARALLEL, TIERED};

/// The table of what tiers are held to.
pub(super) fn section(summary: &Summary, standings: &mut Standings) -> String {
    let rows: Vec<(String, Vec<String>)> = TIERS
        .iter()
        .map(|&(gate, bound)| {
            let found = gate.found(summary);
            let value = found.as_ref().map(|found| found.0);
            let (outcome, side) = match gate {
                TierGate::Compile(..) => (at_least(value, bound), "at least "),
                _ => (Outcome::of(value, bound), ""),
            };
            standings.push((gate.name(), outcome));
            let place = found.map_or_else(String::new, |(_, place)| place);
            let verdict = format!("{side}{bound}, {}", outcome.words());
            (gate.name(), vec![told(value) + &place, verdict])
        })
        .collect();
    table_of_texts("tiers", &["value", "gate"], rows.into_iter())
}

fn at_least(value: Option<f64>, bound: f64) -> Outcome {
    Outcome::of(value.map(|value| -value), -bound)
}

impl TierGate {
    fn name(self) -> String {
        match self {
            TierGate::Run(rival, scale) => {
                format!("run time of {QUICK} where {rival} takes {scale}")
            }
            TierGate::Compile(rival, module) => {
                format!("{QUICK} compiles {module}, times as fast as {rival}")
            }
            TierGate::First(most) => {
                format!(
                    "{TIERED} to a result, of the first of all others, up to {}",
                    duration(most)
                )
            }
            TierGate::Ours => format!("{TIERED} to a result, of the best of our levels"),
        }
    }

    /// The number, and where it was found.
    fn found(self, summary: &Summary) -> Option<(f64, String)> {
        let at = |slowest: (f64, &str, f64)| {
            let (ratio, rival, work) = slowest;
            (ratio, format!(", to {rival} at {}", duration(work)))
        };
        match self {
            TierGate::Run(rival, scale) => {
                Some((scale * summary.total_ratio_to(FORM, QUICK, rival)?, String::new()))
            }
            TierGate::Compile(rival, module) => {
                let inputs = summary.generated();
                let input = inputs.into_iter().find(|input| name_of(input) == module)?;
                let time = |backend| summary.standing(input, backend)?.cold_compile;
                let by_threads = time(PARALLEL).and_then(|ours| Some(time(rival)? / ours));
                let place = by_threads.map_or_else(String::new, |times| {
                    format!(", {} by all processors", told(Some(times)))
                });
                Some((time(rival)? / time(QUICK)?, place))
            }
            TierGate::First(most) => slowest_against(summary, Others::All, most).map(at),
            TierGate::Ours => slowest_against(summary, Others::Ours, f64::INFINITY).map(at),
        }
    }
}
