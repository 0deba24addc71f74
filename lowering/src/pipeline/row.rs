//! What a row of the table of passes says, and what can be read off the table.

use std::borrow::Cow;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::op::Dialect;

use super::table::{PASSES, SANITIZE};
use crate::analysis::Kept;
use crate::legal_form::ValueForm;
use crate::level::Level;
use crate::options::{LowerOptions, Sanitizing};
use crate::pass::PassFunction;

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
    /// Yes, and then it is only slower: what bisecting leaves out. It comes to no body where
    /// flow is hidden: to a call that returns twice, the flow of values and of control says
    /// too little, and no program that has one is fast for it.
    Optional,
    /// Yes, and no level runs it by itself: it is there for those who name it in a list, or
    /// ask for it by an option ([`passes_for`]). Else as [`Optional`](Duty::Optional).
    OnRequest,
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
    /// Its place in the table.
    pub place: Place,
}

/// Where a row stands in the table, if it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the first row that says the same to the same pass: what tells those two
    /// from all others.
    pub(super) number: Option<u8>,
    /// Whether rows of the pass say anything to it, as far as is known.
    pub(super) has_options: bool,
}

impl Place {
    /// That of a row outside of the table.
    pub const NOWHERE: Place = Place { number: None, has_options: true };
}

/// A table whose rows have their numbers.
pub(super) const fn numbered<const N: usize>(mut rows: [Pass; N]) -> [Pass; N] {
    assert!(N <= u8::MAX as usize);
    let mut at = 0;
    while at < N {
        let (mut first, mut any, mut has_options) = (N, 0, false);
        while any < N {
            if is_equal(rows[any].name, rows[at].name) {
                has_options |= !rows[any].option.is_empty();
                if first == N && is_equal(rows[any].option, rows[at].option) {
                    first = any;
                }
            }
            any += 1;
        }
        rows[at].place = Place { number: Some(first as u8), has_options };
        at += 1;
    }
    rows
}

/// Whether two texts are the same, where the compiler asks.
const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

impl Pass {
    /// A row of a pass of which code does not depend, from `O2` on, on functions of plain
    /// values; without a reason to stand where it stands.
    pub const fn optional(name: &'static str, stage: Stage, run: PassFunction) -> Pass {
        Pass {
            name,
            option: "",
            stage,
            run,
            order: Order::Any,
            from: Level::O2,
            duty: Duty::Optional,
            reason: "",
            after: &["flatten_aggregates", "demote_returns_twice", "lower_expect"],
            border: Dialect::Managed,
            form: ValueForm::Flattened,
            keeps: Kept::empty(),
            place: Place::NOWHERE,
        }
    }

    /// How textual pipelines spell the row: `name`, or `name(option)`.
    pub fn spelling(&self) -> Cow<'static, str> {
        match self.option {
            "" => Cow::Borrowed(self.name),
            option => Cow::Owned(format!("{}({option})", self.name)),
        }
    }
}

/// The passes of a level, in order.
pub fn passes_at(level: Level) -> Vec<&'static Pass> {
    passes_for(&LowerOptions { level, ..LowerOptions::default() })
}

/// The passes that a function is compiled by, in order: those of the level, and at their
/// places in the table those that the options ask for, whatever the level.
pub fn passes_for(options: &LowerOptions) -> Vec<&'static Pass> {
    let is_run = |pass: &&Pass| match pass.duty {
        Duty::OnRequest => is_requested(pass, options),
        Duty::Required | Duty::Optional => pass.from <= options.level,
    };
    PASSES.iter().filter(is_run).collect()
}

/// Whether there is an option that asks for the pass.
pub(super) fn is_requested(pass: &Pass, options: &LowerOptions) -> bool {
    match options.sanitize {
        Sanitizing::Omit => false,
        Sanitizing::Check => pass.name == SANITIZE,
    }
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
        row.duty != Duty::Required || passes.iter().any(|pass| pass.spelling() == row.spelling())
    };
    PASSES.iter().take_while(has_run).last().map_or(Dialect::Front, |row| row.border)
}
