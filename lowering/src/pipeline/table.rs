//! The table of passes, and what can be read off it.

use brolga_ir::op::Dialect;

use crate::analysis::Kept;
use crate::clean_up::{demote_float16, div_rem_pairs, legalize};
use crate::early_simplification::{
    dce, demote_returns_twice, expand_handlers, flatten_aggregates, inst_combine, lower_expect,
    simplify_cfg,
};
use crate::legal_form::ValueForm;
use crate::pass::PassFunction;
use crate::scalars::{bit_dce, sccp};

/// How hard code is worked on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Only what emission needs: the fastest compile.
    O0,
    /// What pays for itself at once.
    O1,
    /// What makes most code fast.
    #[default]
    O2,
    /// Whatever may help.
    O3,
}

impl Level {
    /// Every level, the lowest first.
    pub const ALL: &'static [Level] = &[Level::O0, Level::O1, Level::O2, Level::O3];

    /// The levels that code is compiled at, the lowest first; the others are names so
    /// far, with the passes of the lowest.
    pub const COMPILED: &'static [Level] = &[Level::O0];

    /// The spelling in textual pipelines.
    pub const fn name(self) -> &'static str {
        match self {
            Level::O0 => "O0",
            Level::O1 => "O1",
            Level::O2 => "O2",
            Level::O3 => "O3",
        }
    }

    /// The level that `name` spells.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.iter().copied().find(|level| level.name() == name)
    }

    /// The spelling behind an option `-O`.
    pub fn digit(self) -> &'static str {
        self.name().trim_start_matches('O')
    }
}

/// The stages, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Code in the forms that all later passes know.
    EarlySimplification,
    /// Cheap cuts of the number of instructions.
    EarlyOptimisation,
    /// Loops.
    Loops,
    /// Scalars.
    Scalars,
    /// Vectors out of loops and straight lines.
    Vectorisation,
    /// Managed ops into machine-level ones.
    IntrinsicLowering,
    /// What the target wants.
    CleanUp,
}

impl Stage {
    /// The stage as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::EarlySimplification => "early_simplification",
            Stage::EarlyOptimisation => "early_optimisation",
            Stage::Loops => "loops",
            Stage::Scalars => "scalars",
            Stage::Vectorisation => "vectorisation",
            Stage::IntrinsicLowering => "intrinsic_lowering",
            Stage::CleanUp => "clean_up",
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Pass {
    /// What it is called in textual pipelines, statistics and timings.
    pub name: &'static str,
    /// Where it belongs.
    pub stage: Stage,
    /// What it does.
    pub run: PassFunction,
    /// The lowest level that runs it.
    pub from: Level,
    /// What it is for, and why it stands where it stands.
    pub reason: &'static str,
    /// The passes that must have run before it, where they run at all.
    pub after: &'static [&'static str],
    /// The highest dialect that is legal behind it.
    pub border: Dialect,
    /// How values cross the borders of functions behind it.
    pub form: ValueForm,
    /// The analyses that hold behind it where they held before, even if it changed
    /// something.
    pub keeps: Kept,
}

/// Every pass, in the order in which they run.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "expand_handlers",
        stage: Stage::EarlySimplification,
        run: expand_handlers,
        from: Level::O0,
        reason: "no later pass meets flow that its graph does not show",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        keeps: Kept::empty(),
    },
    Pass {
        name: "flatten_aggregates",
        stage: Stage::EarlySimplification,
        run: flatten_aggregates,
        from: Level::O0,
        reason: "later passes and the back end know scalars and vectors only; \
                 behind `expand_handlers`, so that unwind edges are flattened as all edges are",
        after: &["expand_handlers"],
        border: Dialect::Front,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "demote_returns_twice",
        stage: Stage::EarlySimplification,
        run: demote_returns_twice,
        from: Level::O0,
        reason: "a second return finds memory as it is, and no register or spilled value; \
                 before any pass that moves values, which then sees the loads",
        after: &["expand_handlers", "flatten_aggregates"],
        border: Dialect::Front,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "lower_expect",
        stage: Stage::EarlySimplification,
        run: lower_expect,
        from: Level::O0,
        reason: "hints become weights before anything moves the branches that they are about",
        after: &["flatten_aggregates"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "dce",
        stage: Stage::EarlySimplification,
        run: dce,
        from: Level::O1,
        reason: "front ends and the passes before leave values that nobody uses: later passes \
                 need not look at them",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "simplify_cfg",
        stage: Stage::EarlySimplification,
        run: simplify_cfg,
        from: Level::O1,
        reason: "few blocks and decided branches, so that what follows sees straight lines; behind \
                 `dce`, which leaves blocks empty",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "inst_combine",
        stage: Stage::EarlySimplification,
        run: inst_combine,
        from: Level::O1,
        reason: "one form for each thing that code can say; behind `simplify_cfg`, whose selects \
                 and compares it takes further",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "sccp",
        stage: Stage::Scalars,
        run: sccp,
        from: Level::O1,
        reason: "constants that go around loops, which single instructions do not show",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "bit_dce",
        stage: Stage::Scalars,
        run: bit_dce,
        from: Level::O1,
        reason: "masks and extensions whose bits nobody reads; behind `sccp`, which leaves \
                 constants as masks",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "div_rem_pairs",
        stage: Stage::CleanUp,
        run: div_rem_pairs,
        from: Level::O2,
        reason: "one division for quotient and rest; late, so that no rule on divisions misses \
                 one, and before `legalize`, which calls for wide ones",
        after: &["flatten_aggregates", "demote_returns_twice"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "demote_float16",
        stage: Stage::CleanUp,
        run: demote_float16,
        from: Level::O0,
        reason: "the back end computes with no float of 16 bits; before `legalize`, which \
                 then splits the vectors of 32 bits that come out",
        after: &["flatten_aggregates"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "legalize",
        stage: Stage::CleanUp,
        run: legalize,
        from: Level::O0,
        reason: "emission takes the types and ops of the target only; last, so that no \
                 pass undoes it",
        after: &["flatten_aggregates", "demote_float16"],
        border: Dialect::Managed,
        form: ValueForm::Legal,
        keeps: Kept::empty(),
    },
];

/// The passes of a level, in order.
pub fn passes_at(level: Level) -> Vec<&'static Pass> {
    PASSES.iter().filter(|pass| pass.from <= level).collect()
}

/// The passes of those names, in that order; the name of a level stands for
/// the passes of that level.
///
/// # Errors
/// The first name that is neither a pass nor a level.
pub fn passes_named<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<&'static Pass>, &'a str> {
    let mut passes = Vec::new();
    for name in names {
        match Level::from_name(name) {
            Some(level) => passes.extend(passes_at(level)),
            None => passes.push(PASSES.iter().find(|pass| pass.name == name).ok_or(name)?),
        }
    }
    Ok(passes)
}

/// What is wrong with running those passes in that order.
pub fn ordering_faults(passes: &[&Pass]) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, pass) in passes.iter().enumerate() {
        let too_late = passes[index..].iter().filter(|late| pass.after.contains(&late.name));
        faults.extend(
            too_late.map(|late| format!("`{}` must not run before `{}`", pass.name, late.name)),
        );
    }
    faults
}
