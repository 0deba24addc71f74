//! Generated programs give every pass something to do: of a pass that none of them reaches,
//! comparing them says nothing.

use brolga_lowering::pipeline::{Duty, PASSES};
use brolga_testing::pass_list::{Coverage, coverage, parse};

/// So few that the test is quick; `passes O3 --coverage` tells of more.
const PROGRAMS: u64 = 3000;

/// Rows that need not change any of the programs, and why.
const EXCEPTED: &[(&str, &str)] = &[];

/// What passes with several things to do must all do in some program.
const DEEDS: &[(&str, &[&str])] = &[
    ("bounds_check_elimination", &["checks that hold in all rounds", "split loops"]),
    ("div_rem_pairs", &["divisions by constants", "shared divisions"]),
    ("expand_atomic_modify", &["loops of compare-exchanges", "operations recognised"]),
    (
        "gvn",
        &[
            "loads of what the round before stored",
            "loads of what was stored",
            "loads on the way",
            "ops that became parameters",
            "removed checks",
        ],
    ),
    (
        "induction",
        &[
            "counters made longer",
            "counters that others stand for",
            "values behind loops that are numbers",
        ],
    ),
    ("licm", &["hoisted instructions", "promoted places", "sunk instructions"]),
    (
        "loop_idiom",
        &[
            "loops that copy memory",
            "loops that count by bits",
            "loops that fill memory",
            "loops that look for a byte",
        ],
    ),
    ("loop_interchange", &["jammed loops", "loops in strips", "swapped loops"]),
    (
        "loop_vectorize",
        &[
            "groups of accesses",
            "loops over elements that are alike",
            "loops that stay",
            "questions about several registers",
            "vectorised loops",
        ],
    ),
    (
        "managed_licm",
        &["allocations before loops", "barriers before loops", "preserves around loops"],
    ),
    ("mem_copy", &["copies of copies", "loads of copies", "loads of fills"]),
    ("merged_load_store", &["merged loads", "merged stores"]),
    ("simd_loop", &["permitted ops", "products that may be contracted"]),
    ("slp_vectorize", &["sums of vectors", "vectors stored"]),
    ("strength_reduction", &["pointers that counters stand for", "products that are sums"]),
];

fn reached() -> Coverage {
    let words = format!("O3 --coverage --count {PROGRAMS}");
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    coverage(&parse(&words).expect("these are its words"))
}

#[test]
fn every_row_of_the_table_changes_a_program_and_does_all_that_it_can() {
    let coverage = reached();
    let is_excepted = |row: &str| EXCEPTED.iter().any(|(name, _)| *name == row);
    let idle = coverage.rows().filter(|(_, reached)| reached.changed == 0);
    let idle: Vec<_> = idle.map(|(index, _)| (index, PASSES[index].spelling())).collect();
    let missed: Vec<_> = idle.iter().filter(|(_, row)| !is_excepted(row)).collect();
    assert!(missed.is_empty(), "{missed:?} change nothing\n{}", coverage.table());
    for (row, _) in EXCEPTED {
        assert!(idle.iter().any(|(_, it)| it == row), "`{row}` is excepted and need not be");
    }
    for &(pass, deeds) in DEEDS {
        for &deed in deeds {
            let is_done = coverage.counts().any(|(name, what, _)| (name, what) == (pass, deed));
            assert!(is_done, "{pass}: {deed}: never\n{}", coverage.table());
        }
    }
}

#[test]
fn every_row_of_the_highest_level_is_looked_at() {
    let words = ["O3", "--coverage", "--count", "1"].map(str::to_owned);
    let coverage = coverage(&parse(&words).expect("these are its words"));
    let rows: Vec<usize> = coverage.rows().map(|(index, _)| index).collect();
    let is_run = |&row: &usize| PASSES[row].duty != Duty::OnRequest;
    assert_eq!(rows, (0..PASSES.len()).filter(is_run).collect::<Vec<_>>());
}
