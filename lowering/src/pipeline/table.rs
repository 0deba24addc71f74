//! The table of passes, and what can be read off it.

use std::borrow::Cow;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::op::Dialect;

use crate::analysis::Kept;
use crate::clean_up::{demote_float16, div_rem_pairs, legalize, mul_add};
use crate::early_optimisation::{
    constraint_elimination, correlated_values, cpu_features, reassociate,
};
use crate::early_simplification::{
    dce, demote_returns_twice, early_cse, expand_handlers, flatten_aggregates, inline,
    inst_combine, is_always_open, is_open, lower_expect, simplify_cfg, sroa,
};
use crate::legal_form::ValueForm;
use crate::loops::{
    induction, licm, loop_deletion, loop_idiom, loop_rotate, loop_simplify, loop_unroll_full,
    loop_unswitch,
};
use crate::pass::PassFunction;
use crate::scalars::{bit_dce, dse, gvn, mem_copy, merged_load_store, sccp};

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
    /// Every stage, in their order.
    pub const ALL: &'static [Stage] = &[
        Stage::EarlySimplification,
        Stage::EarlyOptimisation,
        Stage::Loops,
        Stage::Scalars,
        Stage::Vectorisation,
        Stage::IntrinsicLowering,
        Stage::CleanUp,
    ];

    /// The stage as a word: the folder of its passes.
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

/// Whether code can be emitted without a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Duty {
    /// No: what it takes apart, emission does not know.
    Required,
    /// Yes, and then it is only slower: what bisecting leaves out.
    Optional,
}

/// Whether a pass may look into a function of the module when it comes to its callers.
/// What passes do to a body does not open it.
pub type Open = fn(&Module, FuncId) -> bool;

/// In which order a pass comes to the functions of a module.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// In that of the module: it looks at one function alone.
    Any,
    /// Those that are called before those that call them: it looks into those that are
    /// open, as it has left them.
    BottomUp(Open),
}

/// A row of the table: a pass at one place of the pipeline. One that runs at several
/// places has as many rows.
#[derive(Debug)]
pub struct Pass {
    /// What it is called in textual pipelines, statistics and timings.
    pub name: &'static str,
    /// What is said to it, and stands in parentheses behind its name; empty if nothing is.
    pub option: &'static str,
    /// Where it belongs.
    pub stage: Stage,
    /// What it does.
    pub run: PassFunction,
    /// In which order it comes to functions.
    pub order: Order,
    /// The lowest level that runs it.
    pub from: Level,
    /// Whether code can be emitted without it.
    pub duty: Duty,
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

impl Pass {
    /// How textual pipelines spell the row: `name`, or `name(option)`.
    pub fn spelling(&self) -> Cow<'static, str> {
        match self.option {
            "" => Cow::Borrowed(self.name),
            option => Cow::Owned(format!("{}({option})", self.name)),
        }
    }
}

/// Every pass, in the order in which they run.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "expand_handlers",
        option: "",
        stage: Stage::EarlySimplification,
        run: expand_handlers,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "no later pass meets flow that its graph does not show",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        keeps: Kept::empty(),
    },
    Pass {
        name: "flatten_aggregates",
        option: "",
        stage: Stage::EarlySimplification,
        run: flatten_aggregates,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "later passes and the back end know scalars and vectors only; \
                 behind `expand_handlers`, so that unwind edges are flattened as all edges are",
        after: &["expand_handlers"],
        border: Dialect::Front,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "demote_returns_twice",
        option: "",
        stage: Stage::EarlySimplification,
        run: demote_returns_twice,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "a second return finds memory as it is, and no register or spilled value; \
                 before any pass that moves values, which then sees the loads",
        after: &["expand_handlers", "flatten_aggregates"],
        border: Dialect::Front,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "lower_expect",
        option: "",
        stage: Stage::EarlySimplification,
        run: lower_expect,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "hints become weights before anything moves the branches that they are about",
        after: &["flatten_aggregates"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "inline",
        option: "always",
        stage: Stage::EarlySimplification,
        run: inline,
        order: Order::BottomUp(is_always_open),
        from: Level::O1,
        duty: Duty::Optional,
        reason: "what is always to be taken over is, at every level; behind the passes that know \
                 bodies as they were declared",
        after: &["expand_handlers", "flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "dce",
        option: "",
        stage: Stage::EarlySimplification,
        run: dce,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "front ends and the passes before leave values that nobody uses: later passes \
                 need not look at them",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "simplify_cfg",
        option: "",
        stage: Stage::EarlySimplification,
        run: simplify_cfg,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "few blocks and decided branches, so that what follows sees straight lines; behind \
                 `dce`, which leaves blocks empty",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "sroa",
        option: "",
        stage: Stage::EarlySimplification,
        run: sroa,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "later passes see values and not what stands in memory; behind \
                 `demote_returns_twice`, whose slots stay",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "early_cse",
        option: "",
        stage: Stage::EarlySimplification,
        run: early_cse,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "front ends compute the same again and again: later passes need not look at \
                 it; behind `sroa`, which shows what is the same",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "inline",
        option: "",
        stage: Stage::EarlySimplification,
        run: inline,
        order: Order::BottomUp(is_open),
        from: Level::O1,
        duty: Duty::Optional,
        reason: "what a callee does is known to its caller from here on; behind the passes \
                 that make callees small, and before those that make use of arguments",
        after: &["expand_handlers", "flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "inst_combine",
        option: "",
        stage: Stage::EarlySimplification,
        run: inst_combine,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "one form for each thing that code can say; behind `simplify_cfg`, whose selects \
                 and compares it takes further",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "cpu_features",
        option: "",
        stage: Stage::EarlyOptimisation,
        run: cpu_features,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "emission knows no questions to the processor; at every level, so that \
                 code for others is never compiled",
        after: &["flatten_aggregates"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "correlated_values",
        option: "",
        stage: Stage::EarlyOptimisation,
        run: correlated_values,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "compares and traps that branches on the way decide; before `reassociate`, which \
                 hides what sums are made of",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "constraint_elimination",
        option: "",
        stage: Stage::EarlyOptimisation,
        run: constraint_elimination,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "compares that follow from several; behind `correlated_values`, which is cheaper \
                 and takes traps out of sums",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "reassociate",
        option: "",
        stage: Stage::EarlyOptimisation,
        run: reassociate,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "sums in one order, so that equal parts are found and constants come together",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "loop_simplify",
        option: "",
        stage: Stage::Loops,
        run: loop_simplify,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "one form of loops, so that no pass over loops makes places for its own code",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "loop_rotate",
        option: "",
        stage: Stage::Loops,
        run: loop_rotate,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "what stands in a loop then runs whenever the loop does, which is what `licm` asks; \
                 behind `loop_simplify`, whose form it needs",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "licm",
        option: "",
        stage: Stage::Loops,
        run: licm,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "what every round would do again; behind `loop_rotate`, which lets it take out what a \
                 test at the top keeps in",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "induction",
        option: "",
        stage: Stage::Loops,
        run: induction,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "a loop that counts or adds up has a formula; before `loop_deletion`, which takes out \
                 what then has no use",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "loop_idiom",
        option: "",
        stage: Stage::Loops,
        run: loop_idiom,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "what the library does with wide stores is a loop no more; before `loop_deletion`, \
                 and `loop_unroll_full`, which would write short ones out",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "loop_deletion",
        option: "",
        stage: Stage::Loops,
        run: loop_deletion,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "loops that the passes before have left without work; behind `licm`, which takes out \
                 what is used behind them",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "loop_unswitch",
        option: "",
        stage: Stage::Loops,
        run: loop_unswitch,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "branches that every round would take again; behind `licm`, which brings their \
                 conditions before the loop, and `loop_deletion`, so that no copy is made of nothing",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "loop_unroll_full",
        option: "",
        stage: Stage::Loops,
        run: loop_unroll_full,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "rounds that are known by number become straight code, which the passes over scalars \
                 see through; behind `induction`, which leaves loops that have formulas without use",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "gvn",
        option: "",
        stage: Stage::Scalars,
        run: gvn,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "what is computed or loaded twice, also on different paths; before `sccp`, which \
                 goes on with what branches said",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "sccp",
        option: "",
        stage: Stage::Scalars,
        run: sccp,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "constants that go around loops, which single instructions do not show",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "mem_copy",
        option: "",
        stage: Stage::Scalars,
        run: mem_copy,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "bytes are read where they come from, and few bytes move without a call; before \
                 `dse`, which takes out the copies that nobody reads then",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "dse",
        option: "",
        stage: Stage::Scalars,
        run: dse,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "stores that later ones overwrite, or that nothing reads before their object is \
                 gone; behind what finds loads to be constant",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "merged_load_store",
        option: "",
        stage: Stage::Scalars,
        run: merged_load_store,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "loads and stores that both arms of a branch have; behind `dse`, so that those left \
                 are needed",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "bit_dce",
        option: "",
        stage: Stage::Scalars,
        run: bit_dce,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "masks and extensions whose bits nobody reads; behind `sccp`, which leaves \
                 constants as masks",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "simplify_cfg",
        option: "aggressive",
        stage: Stage::IntrinsicLowering,
        run: simplify_cfg,
        order: Order::Any,
        from: Level::O1,
        duty: Duty::Optional,
        reason: "what two ways have in common stands once; behind all that knows more on one \
                 way than before it, and what the passes since have made empty or known goes",
        after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::empty(),
    },
    Pass {
        name: "div_rem_pairs",
        option: "",
        stage: Stage::CleanUp,
        run: div_rem_pairs,
        order: Order::Any,
        from: Level::O2,
        duty: Duty::Optional,
        reason: "one division for quotient and rest; late, so that no rule on divisions misses \
                 one, and before `legalize`, which calls for wide ones",
        after: &["flatten_aggregates", "demote_returns_twice"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "mul_add",
        option: "",
        stage: Stage::CleanUp,
        run: mul_add,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Optional,
        reason: "one instruction and one rounding for two; late, so that rules on products \
                 and sums see both",
        after: &["flatten_aggregates", "lower_expect"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "demote_float16",
        option: "",
        stage: Stage::CleanUp,
        run: demote_float16,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
        reason: "the back end computes with no float of 16 bits; before `legalize`, which \
                 then splits the vectors of 32 bits that come out",
        after: &["flatten_aggregates"],
        border: Dialect::Managed,
        form: ValueForm::Flattened,
        keeps: Kept::GRAPH,
    },
    Pass {
        name: "legalize",
        option: "",
        stage: Stage::CleanUp,
        run: legalize,
        order: Order::Any,
        from: Level::O0,
        duty: Duty::Required,
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

/// The first row of each pass: what there is to know of a pass wherever it runs.
pub fn distinct_passes() -> impl Iterator<Item = &'static Pass> {
    let is_first = |&(index, pass): &(usize, &'static Pass)| {
        !PASSES[..index].iter().any(|earlier| earlier.name == pass.name)
    };
    PASSES.iter().enumerate().filter(is_first).map(|(_, pass)| pass)
}

/// What is wrong with running those passes in that order.
pub fn ordering_faults(passes: &[&Pass]) -> Vec<String> {
    let faults = passes.iter().enumerate().flat_map(|(index, pass)| {
        let late = too_late(passes, index);
        late.map(|late| format!("`{}` must not run before `{late}`", pass.spelling()))
    });
    faults.collect()
}

/// The passes that run only behind the one at `index`, and must run before it.
pub(super) fn too_late<'a>(
    passes: &'a [&Pass],
    index: usize,
) -> impl Iterator<Item = &'static str> + 'a {
    let (before, behind) = passes.split_at(index);
    let runs = |passes: &[&Pass], name: &str| passes.iter().any(|pass| pass.name == name);
    let wanted = passes[index].after.iter().copied();
    wanted.filter(move |name| !runs(before, name) && runs(behind, name))
}

/// The highest dialect that is legal where those passes have run on a module of any
/// dialect: that of the last row of the table up to which none that is required is missing.
pub fn border_behind(passes: &[&Pass]) -> Dialect {
    let has_run = |row: &&Pass| {
        row.duty == Duty::Optional || passes.iter().any(|pass| pass.spelling() == row.spelling())
    };
    PASSES.iter().take_while(has_run).last().map_or(Dialect::Front, |row| row.border)
}
