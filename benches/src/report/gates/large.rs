//! Gates on modules that are large one way or the other.

use super::super::format::{name_of, table_of_texts};
use super::super::record::Input;
use super::super::summary::{Summary, YARDSTICK};
use super::table::{LARGE, Large};
use super::{HELD, Outcome, Standings, told};

/// The table of what compiling them takes.
pub(super) fn section(summary: &Summary, standings: &mut Standings) -> String {
    let rows: Vec<(String, Vec<String>)> = LARGE
        .iter()
        .map(|&(name, what, gate)| {
            let input = summary.generated().into_iter().find(|input| name_of(input) == name);
            let value = input.and_then(|input| what.value(summary, input));
            let (words, outcome) = (what.words(), Outcome::of(value, gate));
            standings.push((format!("{words}: {name}"), outcome));
            let verdict = format!("{gate}, {}", outcome.words());
            (name.to_owned(), vec![words.to_owned(), told(value), verdict])
        })
        .collect();
    let columns = ["what", HELD, "gate"];
    table_of_texts("compiling large modules", &columns, rows.into_iter())
}

impl Large {
    const fn words(self) -> &'static str {
        match self {
            Large::Time => "time, of llvm-O2's",
            Large::Memory => "memory, MB",
        }
    }

    fn value(self, summary: &Summary, input: &Input) -> Option<f64> {
        let ours = summary.standing(input, HELD)?;
        match self {
            Large::Time => {
                let rival = summary.standing(input, YARDSTICK)?.cold_compile?;
                Some(ours.cold_compile? / rival)
            }
            Large::Memory => Some(ours.memory? * 1024.0 / 1e6),
        }
    }
}
