//! What a pass is: a function over the code of one function, with a view of
//! the module that the function stands in.

pub(crate) mod bytes;
mod closed_loops;
mod copies;
mod edges;
mod editor;
mod effects;
mod expression;
mod fold;
mod headers;
mod hidden;
mod inlined;
mod join_edges;
mod journal;
mod local_calls;
mod loop_marks;
mod prelude;
mod renames;
mod scoped;
mod slots;
mod split;
mod unwind;
mod uses;
mod variable;
pub(crate) mod variables;

use std::collections::BTreeMap;
use std::fmt::Display;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{EntityRef, FuncId, Inst, SecondaryMap, Value, dense_map};
use brolga_ir::module::Module;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::analysis::Analyses;
use crate::target::TargetFacts;

pub(crate) use brolga_ir::flow::{Edge, IncomingEdges};
pub(crate) use closed_loops::{DedicatedExits, can_be_param, close_loops, closed_of};
pub(crate) use copies::{Copies, copy_rounds, redirect};
pub(crate) use edges::{decide_branch, retain_params, take_way};
pub(crate) use editor::Editor;
pub(crate) use effects::{checked_place, effects_of, is_removable};
pub(crate) use expression::{Expression, wrapped};
pub(crate) use fold::{constant_of, datum_of, decide_equality, fold_inst, fold_op};
pub(crate) use headers::{enter_with_params, headers};
pub(crate) use hidden::{has_hidden_flow, returns_twice};
pub use inlined::Inlined;
pub(crate) use join_edges::{join_copied_edges, join_edges};
pub(crate) use journal::Entry;
pub use journal::Journal;
pub(crate) use local_calls::called_by;
pub use local_calls::{Argument, LocalCalls};
pub(crate) use loop_marks::{attach_behind, drop_stale_marks, settle_rounds, wished_rounds};
pub(crate) use renames::Renames;
pub(crate) use scoped::ScopedMap;
pub(crate) use slots::take_apart;
pub(crate) use split::{
    Pieces, SplitRule, Splits, Splitter, remove_unreachable_blocks, split, split_values,
};
pub(crate) use unwind::{call_with_edge, has_edge_form};
pub(crate) use uses::Uses;
pub(crate) use variable::{Graph, Variable};

/// Whether a pass has changed anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The body is what it was.
    Nothing,
    /// The body is another one.
    Something,
}

/// How a pass failed: what it found cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassError {
    /// An instruction cannot be compiled for any target yet.
    Unsupported {
        /// The instruction, which still stands in the body.
        inst: Inst,
        /// What is missing.
        reason: Box<str>,
    },
    /// The values of the function come apart into more parts than are allowed,
    /// or its calls hand more values to handlers.
    TooManyParts {
        /// How many there are, at least.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// An instruction that no verified module has at this place.
    Illegal {
        /// The instruction, which still stands in the body.
        inst: Inst,
        /// What is wrong with it.
        reason: Box<str>,
    },
    /// The module has given a name of the library's own to another function.
    ReservedName {
        /// The name.
        name: Box<str>,
    },
    /// A signature is too much for the convention.
    Signature {
        /// Whose it is.
        callable: Box<str>,
        /// What is wrong with it.
        reason: Box<str>,
    },
}

impl PassError {
    /// `inst` cannot be compiled.
    pub(crate) fn unsupported(inst: Inst, reason: impl Into<Box<str>>) -> PassError {
        PassError::Unsupported { inst, reason: reason.into() }
    }

    /// `inst` cannot be where it is: a defect of an earlier pass, or a module
    /// that was not verified.
    pub(crate) fn illegal(inst: Inst, reason: impl Into<Box<str>>) -> PassError {
        PassError::Illegal { inst, reason: reason.into() }
    }

    /// The signature of `callable` cannot be passed.
    pub(crate) fn signature(
        callable: impl Into<Box<str>>,
        reason: impl Into<Box<str>>,
    ) -> PassError {
        PassError::Signature { callable: callable.into(), reason: reason.into() }
    }
}

/// What a pass gives.
pub type PassResult<T = Change> = Result<T, PassError>;

/// A pass over one body, which stands outside of its module meanwhile.
pub type PassFunction = fn(&mut Body, &mut PassContext<'_>) -> PassResult;

/// What a pass knows beside the body.
#[derive(Debug)]
pub struct PassContext<'a> {
    /// The module: types, declarations, strings. The pass may add to it.
    pub module: &'a mut Module,
    /// The function whose body it is.
    pub function: FuncId,
    /// What code is made for.
    pub target: &'a dyn TargetFacts,
    /// How many parts the values of the function may come apart into, and how
    /// many values its calls may hand to handlers.
    pub max_parts: usize,
    /// What is known of the body, computed when it is asked for. A pass that asks
    /// after it has changed the body says first what still holds, by
    /// [`Analyses::keep`].
    pub analyses: &'a mut Analyses,
    /// What the row of the table says to the pass; empty if nothing.
    pub option: &'static str,
    /// What the next row of this pass that is to run says to it, if there is one.
    pub next_option: Option<&'static str>,
    /// Which functions have taken over the code of which.
    pub inlined: &'a mut Inlined,
    /// What passes have counted.
    pub statistics: &'a mut Statistics,
    /// What the pass tells of its work.
    pub journal: Journal<'a>,
}

impl PassContext<'_> {
    /// Tells whoever asked for remarks what the pass did at `inst`, or could not do. The
    /// instruction may be gone from its block, but not from the body. The message is a
    /// sentence without capital or period; it is put into words only if somebody asked.
    pub fn remark(&mut self, inst: Inst, kind: RemarkKind, message: impl Display) {
        self.journal.remark(inst, kind, message);
    }

    /// Takes out the blocks that no path leads to, by the graph that the pass goes on with, and
    /// says how many there were.
    pub(crate) fn remove_unreachable_blocks(&mut self, body: &mut Body) -> usize {
        if self.analyses.flow(body).postorder().len() == body.layout.blocks().count() {
            return 0;
        }
        self.analyses.drop_all();
        remove_unreachable_blocks(body)
    }

    /// Tells whoever debugs this pass a step of its work: a line, or several.
    pub fn trace(&self, text: impl Display) {
        self.journal.trace(text);
    }
}

/// How often passes did what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    counts: BTreeMap<(&'static str, &'static str), u64>,
}

impl Statistics {
    /// Adds to a count of a pass.
    pub fn add(&mut self, pass: &'static str, what: &'static str, count: u64) {
        if count > 0 {
            *self.counts.entry((pass, what)).or_default() += count;
        }
    }

    /// Adds to several counts of a pass that are there because each says of a change.
    pub fn add_each<N: TryInto<u64>>(
        &mut self,
        pass: &'static str,
        counts: impl IntoIterator<Item = (&'static str, N)>,
    ) -> Change {
        let mut change = Change::Nothing;
        for (what, count) in counts {
            let count = count.try_into().unwrap_or(u64::MAX);
            self.add(pass, what, count);
            if count > 0 {
                change = Change::Something;
            }
        }
        change
    }

    /// Adds what another run has counted.
    pub fn merge(&mut self, other: &Statistics) {
        for (&(pass, what), &count) in &other.counts {
            self.add(pass, what, count);
        }
    }

    /// What was counted since it was `earlier`.
    pub(crate) fn since(&self, earlier: &Statistics) -> Statistics {
        let mut counted = Statistics::default();
        for (&(pass, what), &count) in &self.counts {
            let known = earlier.counts.get(&(pass, what)).copied().unwrap_or(0);
            counted.add(pass, what, count.saturating_sub(known));
        }
        counted
    }

    /// Pass, what it counted, and how often, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> + '_ {
        self.counts.iter().map(|(&(pass, what), &count)| (pass, what, count))
    }
}

/// Every placed instruction as a list, for those who change them meanwhile.
pub(crate) fn list_insts(body: &Body) -> Vec<Inst> {
    let mut insts = Vec::with_capacity(body.inst_count());
    insts.extend(body.layout.all_insts());
    insts
}

/// Whether an instruction with one of `ops` stands in the body.
pub(crate) fn has_op(body: &Body, ops: &[Op]) -> bool {
    let is_one = |inst: Inst| ops.contains(&body.inst(inst).op);
    // Most often there is none, which is seen sooner in the order of memory.
    (0..body.inst_count()).map(Inst::new).any(is_one) && body.layout.all_insts().any(is_one)
}

/// How often each value is used by what is placed.
pub(crate) fn count_uses(body: &Body) -> SecondaryMap<Value, u32> {
    let mut uses = dense_map(body.value_count());
    for inst in body.layout.all_insts() {
        for &value in body.args(inst) {
            uses[value] += 1;
        }
        for target in body.targets(inst) {
            for &value in body.target_args(target) {
                uses[value] += 1;
            }
        }
    }
    uses
}

/// Takes out those of these instructions that nothing uses any more, and what then nothing uses
/// of what they used; gives how many.
pub(crate) fn remove_unused(body: &mut Body, module: &Module, insts: &[Inst]) -> u64 {
    let mut uses = count_uses(body);
    let mut left: Vec<Inst> = insts.to_vec();
    let mut gone = 0;
    while let Some(inst) = left.pop() {
        let is_unused = body.results(inst).iter().all(|&result| uses[result] == 0);
        let stands = body.layout.block_of(inst).is_some();
        if !stands || !is_unused || !is_removable(module, body, inst) {
            continue;
        }
        for &arg in body.args(inst) {
            uses[arg] -= 1;
            if let (0, ValueDef::Result(inst, _)) = (uses[arg], body.value_def(arg)) {
                left.push(inst);
            }
        }
        body.remove_inst(inst);
        gone += 1;
    }
    gone
}
