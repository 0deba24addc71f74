//! A run that was made up, so that every number on the page is known.

use super::*;
use crate::backend::TIERED;
use crate::race::{Lap, Rung};
use crate::report::samples::{self, lap, record, rung};

/// All kernels take LLVM a millisecond and us two; compiling takes LLVM 10 ms and us 1 ms.
fn records() -> Records {
    let races = KERNELS.iter().flat_map(|kernel| {
        let ours = match kernel.name {
            "fib" => Ok(lap(1_000, 500, "1")),
            "tak" => Err("it fell".to_owned()),
            "trees" => Ok(lap(1_000, 2_000, "2")),
            _ => Ok(lap(1_000, 2_000, "1")),
        };
        [
            record(kernel.name, "llvm-O2", Ok(lap(10_000, 1_000, "1"))),
            record(kernel.name, "brolga-O0", ours),
        ]
    });
    samples::records(races.collect())
}

fn text() -> String {
    page(&records()).swap_remove(0).1
}

#[test]
fn ratios_are_to_the_yardstick_and_wins_are_told_from_losses() {
    let text = text();
    assert!(text.contains("- Faster: fib 0.50.\n"), "{text}");
    assert!(text.contains("- Slower, the worst first: "), "{text}");
    assert!(text.contains("| fib (call) | 0.50 | 1.00 |"), "{text}");
    assert!(text.contains("| sieve (integer) | 2.00 | 1.00 |"), "{text}");
    assert!(text.contains("| tak (call) | - | 1.00 |"), "{text}");
}

#[test]
fn variants_have_rows_and_compete_with_nobody() {
    let mut records = records();
    let bare = KERNELS.iter().map(|kernel| {
        let lap = lap(1, 1, "1");
        record(kernel.name, "brolga-O2-bare", Ok(lap))
    });
    records.races.extend(bare);
    let files = page(&records);
    let text = &files[0].1;
    assert_eq!(text.matches("- First to a result").count(), 1, "{text}");
    assert!(text.contains("| brolga-O2-bare | 0.001 | 0.001 |"), "{text}");
    assert!(text.contains("- Faster: fib 0.50.\n"), "{text}");
    assert!(text.contains("`brolga-O0` from nothing to 7.50 ms, `llvm-O2` from 10 ms"), "{text}");
    assert!(files[2..].iter().all(|(_, svg)| !svg.contains("brolga-O2-bare")));
}

#[test]
fn what_failed_and_what_differs_is_told() {
    let text = text();
    assert!(text.contains("- tak by brolga-O0: it fell\n"), "{text}");
    assert!(text.contains("`brolga-O0` ran 51 of them. "), "{text}");
    assert!(text.contains("- trees: the results differ: brolga-O0 2, llvm-O2 1\n"), "{text}");
}

#[test]
fn short_work_is_won_by_who_compiles_fast_and_long_work_by_who_runs_fast() {
    let text = text();
    let first = text.lines().find(|line| line.starts_with("| all |")).unwrap();
    assert!(first.starts_with("| all | brolga-O0 | brolga-O0 |"), "{first}");
    assert!(first.ends_with("| llvm-O2 | llvm-O2 |"), "{first}");
    assert!(text.contains("`brolga-O0` from nothing to 7.50 ms, `llvm-O2` from 10 ms"), "{text}");
}

#[test]
fn all_tiers_are_first_where_they_were_measured_to_be_and_nowhere_if_they_were_not() {
    let with = |rungs: &[Rung]| {
        let mut records = records();
        let tiered = KERNELS.iter().map(|kernel| {
            let lap = Lap { rungs: rungs.to_vec(), ..lap(1, 1, "1") };
            record(kernel.name, TIERED, Ok(lap))
        });
        records.races.extend(tiered);
        page(&records)
    };
    let files = with(&[rung(0, 500_000), rung(1, 9_000_000), rung(10, 9_000_000)]);
    let text = &files[0].1;
    assert!(text.contains("`brolga-tiered` from nothing to "), "{text}");
    assert!(text.contains("| the best of our levels | 0.50, brolga-O0 |"), "{text}");
    assert!(files[4].1.contains(">brolga-tiered<"), "{}", files[4].1);
    let files = with(&[]);
    let section = files[0].1.split("\n## Time to result\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    assert!(!section.contains("| brolga-tiered |"), "{section}");
    assert!(!files[4].1.contains(">brolga-tiered<"), "{}", files[4].1);
}

#[test]
fn each_kernel_has_its_steps_its_code_and_its_memory() {
    let text = page(&records()).swap_remove(1).1;
    let row = "| brolga-O0 | 10 ms | 2.00 | 1000 | - | 100 | - | emit 1000 |";
    assert!(text.contains(row), "{text}");
}

#[test]
fn gates_have_a_section_that_leads_to_the_page_of_loops() {
    let text = text();
    assert!(text.contains("\n## Gates\n") && text.contains("](benchmarks-loops.md)"), "{text}");
}

#[test]
fn pictures_are_those_that_the_page_shows() {
    let files = page(&records());
    let text = &files[0].1;
    assert!(text.contains("](benchmarks-kernels.md)"), "{text}");
    for (name, svg) in &files[2..] {
        assert!(text.contains(&format!("]({name})")), "{name}");
        assert!(svg.starts_with("<svg ") && svg.contains("brolga-O0"), "{svg}");
    }
}
