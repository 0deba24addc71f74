//! What the mid-end is held to, and what is known of kernels that fall short: pure data.
//!
//! Gates are what must be, goals what is next. Both are for the suite handed over as SSA.

use crate::kernel::Class;

/// Kernels that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// Those of a class.
    Class(Class),
    /// Those of all classes, which count by their weights.
    All,
    /// Those with checked accesses.
    Checked,
}

/// A bound on the run time of code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RunGate {
    pub(super) over: Over,
    /// Whose run time is one.
    pub(super) rival: &'static str,
    pub(super) gate: f64,
    pub(super) goal: Option<f64>,
}

const fn run(over: Over, rival: &'static str, gate: f64, goal: Option<f64>) -> RunGate {
    RunGate { over, rival, gate, goal }
}

/// The bounds on run time.
pub(super) const RUN: &[RunGate] = &[
    run(Over::Class(Class::Call), "llvm-O2", 1.45, Some(1.25)),
    run(Over::Class(Class::Float), "llvm-O2", 1.08, Some(1.05)),
    run(Over::Class(Class::Integer), "llvm-O2", 1.25, Some(1.15)),
    run(Over::Class(Class::Vector), "llvm-O2", 4.8, Some(4.2)),
    run(Over::Class(Class::Vector), "llvm-O2-128", 1.3, None),
    run(Over::Class(Class::Strict), "llvm-O2", 1.03, Some(1.02)),
    run(Over::Class(Class::Struct), "llvm-O2", 1.0, Some(1.0)),
    run(Over::Class(Class::Memory), "llvm-O2", 1.08, Some(1.05)),
    run(Over::All, "llvm-O2", 1.95, Some(1.75)),
    run(Over::Checked, "llvm-O2-scalar", 1.0, None),
];

/// The bounds on what compiling takes in a warm process, of LLVM's time at `-O2`.
pub(super) const COMPILE: &[(&str, f64)] =
    &[("brolga-O2", 0.10), ("brolga-O1", 0.045), ("brolga-O0", 0.025)];

/// What is bounded of compiling a large module.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Large {
    /// The time that it takes, of LLVM's at `-O2`.
    Time,
    /// The memory of the process, in MB: 1,000,000 bytes.
    Memory,
}

/// The bounds on compiling large modules, by their names.
pub(super) const LARGE: &[(&str, Large, f64)] = &[
    ("20,000 functions", Large::Time, 0.125),
    ("20,000 functions", Large::Memory, 200.0),
    ("one function of 55,000 instructions", Large::Time, 0.07),
];

/// What is bounded of the first tier, and of all tiers together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum TierGate {
    /// At the most: the run time of the first tier's code, where the rival's takes so long.
    Run(&'static str, f64),
    /// At the least: how many times as fast as the rival the first tier compiles a module.
    Compile(&'static str, &'static str),
    /// At the most, with up to so much work to do: the time to a result in all tiers, of that of
    /// whoever is first of all others.
    First(f64),
    /// At the most, whatever there is to do: that time, of the time of the best of our levels.
    Ours,
}

/// The bounds on tiers.
pub(super) const TIERS: &[(TierGate, f64)] = &[
    (TierGate::Run("llvm-O0", 6.8), 8.5),
    (TierGate::Compile("llvm-O0", "20,000 functions"), 40.0),
    (TierGate::First(1e7), 1.0),
    (TierGate::Ours, 1.2),
];

/// The first tier alone.
pub(super) const QUICK: &str = "brolga-quick";

/// What is compared with vectors that are as long as ours, and how many times their run time
/// needs a reason.
pub(super) const AS_LONG: (&str, f64) = ("llvm-O2-128", 2.0);

/// Those that get the IR as it is handed over: no pass may make a kernel slower than that.
pub(super) const HANDED_OVER: [&str; 2] = ["cranelift-none", "cranelift-speed"];

/// Why kernels are so much slower than with LLVM's vectors of 128 bits, as the end of a
/// sentence that says how much. One whose kernel is no longer so slow says nothing.
pub(super) const REASONS: &[(&str, &str)] = &[
    (
        "blend",
        "LLVM widens bytes as it loads them, and takes the upper bytes of products by the shuffle \
         that narrows; here widening, shifting and narrowing are instructions of their own",
    ),
    (
        "edit_distance",
        "where its branches fall in lines of the cache decides, as the back end aligns no blocks: \
         the same instructions take 1.5 to 2.1 times as long from place to place",
    ),
    (
        "hamming",
        "LLVM counts the bits of words by `vpopcntq` of AVX-512; the back end has that of bytes \
         alone, whose counts are then added up",
    ),
    (
        "knapsack",
        "LLVM stores through the masks of AVX-512, which the back end has not; here a vector of \
         which some lanes are stored goes lane by lane",
    ),
    (
        "matmul_f32",
        "LLVM writes the inner loop out and keeps a row of sums in 16 registers of the 32 that \
         AVX-512 has; the back end has 16 in all, and every eighth round loads and stores its sums",
    ),
    (
        "utf8",
        "how its branches on bytes are predicted decides: calls of one and the same code take one \
         time or 1.7 times as long",
    ),
    (
        "words",
        "how its branches on bytes are predicted decides: calls of one and the same code take one \
         time or twice that",
    ),
];
