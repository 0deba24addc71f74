//! Gates over races that were made up.

use std::collections::HashSet;

use super::table::{QUICK, TIERS, TierGate};
use super::*;
use crate::backend::{PARALLEL, TIERED};
use crate::race::Lap;
use crate::report::drive::GENERATED;
use crate::report::record::{Record, Temperature};
use crate::report::samples::{lap, record, records, rung};

/// A row of a table: what stands in its first cells.
fn row(text: &str, start: &str) -> String {
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap_or_else(|| panic!("no row `{start}` in\n{text}")).to_owned()
}

/// The section where every kernel takes each back end what `run` says, in µs, and compiling
/// takes LLVM 10 ms and us `compile` µs.
fn section_of(backends: &[&str], compile: u64, run: impl Fn(&str, &str) -> u64) -> String {
    let races = KERNELS.iter().flat_map(|kernel| {
        backends.iter().map(|&backend| {
            let compile = if backend.starts_with("llvm") { 10_000 } else { compile };
            let lap = lap(compile, run(kernel.name, backend), "1");
            record(kernel.name, backend, Ok(lap))
        })
    });
    section(&Summary::of(&records(races.collect())))
}

const EVERYBODY: [&str; 10] = [
    "brolga-O0",
    "brolga-O1",
    "brolga-O2",
    "brolga-O2-polls",
    "brolga-O2-bare",
    "cranelift-none",
    "cranelift-speed",
    "llvm-O2",
    "llvm-O2-128",
    "llvm-O2-scalar",
];

#[test]
fn each_gate_is_said_to_be_met_or_not_under_each_condition() {
    let text = section_of(&EVERYBODY, 300, |_, backend| match backend {
        "brolga-O2" => 1_200,
        "brolga-O2-polls" => 1_500,
        "llvm-O2-scalar" => 2_000,
        _ => 1_000,
    });
    let call = "| call | llvm-O2 | 1.200 | 1.45, met | 1.25, met | 1.500, not met | 1.000, met |";
    assert_eq!(row(&text, "| call |"), call);
    let float = "| float | llvm-O2 | 1.200 | 1.08, not met | 1.05, not met |";
    assert!(row(&text, "| float |").starts_with(float), "{text}");
    let vector = "| vector | llvm-O2-128 | 1.200 | 1.30, met | - | 1.500, not met | 1.000, met |";
    assert_eq!(row(&text, "| vector | llvm-O2-128 |"), vector);
    let checked = "| checked accesses | llvm-O2-scalar | 0.600 | 1.00, met | - | 0.750, met |";
    assert!(row(&text, "| checked accesses |").starts_with(checked), "{text}");
    assert_eq!(row(&text, "| brolga-O2 |"), "| brolga-O2 | llvm-O2 | 0.030 | 0.10, met |");
    assert_eq!(row(&text, "| brolga-O0 |"), "| brolga-O0 | llvm-O2 | 0.030 | 0.025, not met |");
    assert!(text.contains("\n10 of 23 gates are met. Not met: float; strict; struct; memory; "));
}

#[test]
fn classes_count_in_all_by_their_weights() {
    let is_vector = |name: &str| {
        KERNELS.iter().any(|kernel| kernel.name == name && kernel.class.name() == "vector")
    };
    let text = section_of(&EVERYBODY, 300, |name, backend| match backend {
        "brolga-O2" if is_vector(name) => 10_000,
        _ => 1_000,
    });
    // 14 of 42 parts.
    let all = "| all, by weight | llvm-O2 | 2.154 | 1.95, not met | 1.75, not met | 1.000, met |";
    assert!(row(&text, "| all, by weight |").starts_with(all), "{text}");
}

#[test]
fn what_was_not_raced_is_neither_met_nor_unmet() {
    let text = section_of(&["brolga-O2", "llvm-O2"], 300, |_, _| 1_000);
    let call = "| call | llvm-O2 | 1.000 | 1.45, met | 1.25, met | not measured | ";
    assert!(row(&text, "| call |").starts_with(call), "{text}");
    assert_eq!(row(&text, "| brolga-O1 |"), "| brolga-O1 | llvm-O2 | - | 0.045, not measured |");
    let those = "Not measured: vector to llvm-O2-128; checked accesses to llvm-O2-scalar; compile \
                 time of brolga-O1; ";
    assert!(text.contains(those), "{text}");
    assert!(text.contains("the IR as it is handed over; there should be none: not measured.\n"));
}

#[test]
fn large_modules_are_held_to_a_share_of_the_time_and_to_memory() {
    let race = |name: &str, backend: &str, compile_us, rss_compile_kb| {
        let input = Input::Generated { name: name.to_owned(), instructions: 1 };
        let outcome = Ok(Lap { rss_compile_kb, ..lap(compile_us, 1, "1") });
        let temperature = Temperature::Cold;
        Record { input, temperature, ..record(name, backend, outcome) }
    };
    let (many, long) = ("20,000 functions", "one function of 55,000 instructions");
    let races = [
        race(many, "brolga-O2", 100_000, 190_000),
        race(many, "llvm-O2", 1_000_000, 400_000),
        race(long, "brolga-O2", 100_000, 90_000),
        race(long, "llvm-O2", 1_000_000, 90_000),
    ];
    let text = section(&Summary::of(&records(races.to_vec())));
    assert!(
        text.contains("| 20,000 functions | time, of llvm-O2's | 0.100 | 0.125, met |"),
        "{text}"
    );
    assert!(text.contains("| 20,000 functions | memory, MB | 194.560 | 200, met |"), "{text}");
    let long =
        "| one function of 55,000 instructions | time, of llvm-O2's | 0.100 | 0.07, not met |";
    assert!(text.contains(long), "{text}");
}

/// The section where all kernels do a millisecond's work for an argument of one, and all tiers
/// take half a millisecond and so many µs for that.
fn section_of_tiers(each: u64) -> String {
    let rung = |n: i64| rung(n, 500_000 + n as u64 * each * 1_000);
    let races = KERNELS.iter().flat_map(|kernel| {
        let tiered = Lap { rungs: vec![rung(0), rung(1), rung(1_000)], ..lap(10, each, "1") };
        [
            record(kernel.name, "llvm-O2", Ok(lap(10_000, 1_000, "1"))),
            record(kernel.name, "llvm-O0", Ok(lap(5_000, 2_000, "1"))),
            record(kernel.name, QUICK, Ok(lap(1_000, 2_200, "1"))),
            record(kernel.name, "brolga-O2", Ok(lap(1_000, 1_000, "1"))),
            record(kernel.name, TIERED, Ok(tiered)),
        ]
    });
    section(&Summary::of(&records(races.collect())))
}

#[test]
fn all_tiers_are_held_to_the_first_of_all_for_little_work_and_to_our_best_for_any() {
    let first = "| brolga-tiered to a result, of the first of all others, up to 10 ms |";
    let ours = "| brolga-tiered to a result, of the best of our levels |";
    let text = section_of_tiers(1_000);
    assert_eq!(row(&text, first), format!("{first} 0.955, to brolga-O2 at 10 ms | 1, met |"));
    assert_eq!(row(&text, ours), format!("{ours} 1.000, to brolga-O2 at 10 s | 1.2, met |"));
    let text = section_of_tiers(1_500);
    assert_eq!(row(&text, first), format!("{first} 1.409, to brolga-O2 at 10 ms | 1, not met |"));
    assert_eq!(row(&text, ours), format!("{ours} 1.500, to brolga-O2 at 10 s | 1.2, not met |"));
}

#[test]
fn the_first_tier_is_held_to_the_code_and_the_compile_time_of_llvm_without_passes() {
    let run = "| run time of brolga-quick where llvm-O0 takes 6.8 |";
    let text = section_of_tiers(1_000);
    assert_eq!(row(&text, run), format!("{run} 7.480 | 8.5, met |"));
    let compile = "| brolga-quick compiles 20,000 functions, times as fast as llvm-O0 |";
    assert_eq!(row(&text, compile), format!("{compile} - | at least 40, not measured |"));
    let with = |ours, by_threads: Option<u64>| {
        let race = |backend: &str, compile| {
            let input = Input::Generated { name: "20,000 functions".to_owned(), instructions: 1 };
            let temperature = Temperature::Cold;
            Record { input, temperature, ..record("", backend, Ok(lap(compile, 1, "1"))) }
        };
        let mut races = vec![race("llvm-O0", 1_000_000), race(QUICK, ours)];
        races.extend(by_threads.map(|time| race(PARALLEL, time)));
        row(&section(&Summary::of(&records(races))), compile)
    };
    assert_eq!(with(20_000, None), format!("{compile} 50.000 | at least 40, met |"));
    // One thread is held to it, whatever several do.
    let threads = ", 62.500 by all processors";
    let told = format!("{compile} 25.000{threads} | at least 40, not met |");
    assert_eq!(with(40_000, Some(16_000)), told);
}

#[test]
fn kernels_far_from_vectors_as_long_are_named_with_the_worst_first() {
    let text = section_of(&EVERYBODY, 300, |name, backend| match (backend, name) {
        ("brolga-O2", "fib") => 2_100,
        ("brolga-O2", "tak") => 3_000,
        ("brolga-O2", "queens") => 2_000,
        ("brolga-O2", "hamming") => 4_000,
        _ => 1_000,
    });
    let (_, why) = REASONS.iter().find(|(name, _)| *name == "hamming").unwrap();
    let lines = format!(
        "needs a reason: not met.\n\n- hamming 4.00: {why}\n- tak 3.00: no reason is known\n\
         - fib 2.10: no reason is known\n\n"
    );
    assert!(text.contains(&lines), "{text}");
}

#[test]
fn a_race_that_breaks_off_is_a_gate_that_is_not_met() {
    let gate = "Not met: everything runs, to equal results";
    let with = |outcome: Result<Lap, String>| {
        let races = vec![
            record("fib", "brolga-O2", Ok(lap(300, 1_000, "1"))),
            record("fib", "cranelift-none", outcome),
        ];
        section(&Summary::of(&records(races)))
    };
    assert!(with(Err("SIGTRAP".to_owned())).contains(gate));
    assert!(with(Ok(lap(300, 1_000, "2"))).contains(gate));
    assert!(!with(Ok(lap(300, 1_000, "1"))).contains("everything runs"));
}

#[test]
fn kernels_slower_than_without_our_passes_are_named_with_the_better_of_both() {
    let text = section_of(&EVERYBODY, 300, |name, backend| match (backend, name) {
        ("brolga-O2", "fib") => 1_100,
        ("brolga-O2", "tak") => 1_070,
        ("cranelift-speed", _) => 1_000,
        ("cranelift-none", _) => 900,
        _ => 950,
    });
    let lines = "there should be none: not met.\n\n- fib 1.22, to `cranelift-none`\n\
                 - tak 1.19, to `cranelift-none`\n";
    assert!(text.contains(lines), "{text}");
    assert!(!text.contains("- queens"), "{text}");
}

#[test]
fn reasons_are_of_kernels_that_exist_each_of_one() {
    let mut seen = HashSet::new();
    for (name, reason) in REASONS {
        assert!(KERNELS.iter().any(|kernel| kernel.name == *name), "{name}");
        assert!(seen.insert(name) && !reason.is_empty(), "{name}");
    }
}

#[test]
fn bounds_are_of_back_ends_that_exist() {
    let names = RUN.iter().map(|gate| gate.rival).chain(COMPILE.iter().map(|(ours, _)| *ours));
    let tiers = TIERS.iter().filter_map(|(gate, _)| match gate {
        TierGate::Run(rival, _) | TierGate::Compile(rival, _) => Some(*rival),
        TierGate::First(_) | TierGate::Ours => None,
    });
    for name in
        names.chain(tiers).chain([HELD, AS_LONG.0, QUICK]).chain(CONDITIONS).chain(HANDED_OVER)
    {
        assert!(crate::backend::NAMES.contains(&name), "{name}");
    }
}

#[test]
fn bounds_on_large_modules_are_of_modules_that_are_generated() {
    let tiers = TIERS.iter().filter_map(|(gate, _)| match gate {
        TierGate::Compile(_, module) => Some(module),
        _ => None,
    });
    for name in table::LARGE.iter().map(|(name, _, _)| name).chain(tiers) {
        assert!(GENERATED.iter().any(|(known, _, _)| known == name), "{name}");
    }
}
