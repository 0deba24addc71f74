//! Computes what loops end with, where that is known before they run, makes counters longer
//! that are cast in each round, and lets one counter stand for others that go on alike.
//!
//! Before:
//! ```text
//! func @f(i64) -> i64 {
//! block0(%0: i64):
//!     %1 = icmp.i64 slt %0, 1
//!     branch %1, block3(0), block1
//! block1:
//!     jump block2(1, 0)
//! block2(%2: i64, %3: i64):
//!     %4 = add.i64 %3, %2
//!     %5 = add.i64 %2, 1
//!     %6 = icmp.i64 eq %2, %0
//!     branch %6, block3(%4), block2(%5, %4)
//! block3(%7: i64):
//!     return %7
//! }
//! ```
//! After:
//! ```text
//! func @f(i64) -> i64 {
//! block0(%0: i64):
//!     %1 = icmp.i64 slt %0, 1
//!     branch %1, block3(0), block1
//! block1:
//!     %10 = shl.i64 %0, 1
//!     %12 = add.i64 %0, -1
//!     %13 = lshr.i64 %12, 1
//!     %14 = sub.i64 %12, 1
//!     %15 = or.i64 %14, 1
//!     %16 = mul.i64 %13, %15
//!     %17 = add.i64 %10, %16
//!     %18 = add.i64 %17, -1
//!     jump block2(1, 0)
//! block2(%2: i64, %3: i64):
//!     %4 = add.i64 %3, %2
//!     %5 = add.i64 %2, 1
//!     %6 = icmp.i64 eq %2, %0
//!     branch %6, block3(%18), block2(%5, %4)
//! block3(%7: i64):
//!     return %7
//! }
//! ```
//! A value of a loop that is used behind it is what its recurrence is in the last round
//! (see `analysis/scalar_evolution`): a polynomial of degree two at most in how often the
//! loop goes back, with division where no bit is lost. Where the loop then has nothing left
//! to do, `loop_deletion` takes it out, so that a sum of numbers needs no loop; elsewhere
//! the value is computed anew only where that costs next to nothing. Loops are looked at
//! again when loops in them have become numbers.
//!
//! Before that, a counter of fewer than 64 bits that the loop casts to 64 becomes one of 64,
//! where it is proved that it does not wrap while the loop runs: see `induction/widen`. Then
//! counters that are the same in all rounds become one, and those that are so much apart, where
//! that saves what they go on by: see `induction/alike`.
//!
//! With the option `counters`, only the last is done, and counters of few bits are made of
//! longer ones that have these bits: vectors, which hold more of the short ones, have been made.
//!
//! Needs: preheaders, as `loop_simplify` leaves them. Keeps: the flow graph. Does not try:
//! sums of squares and of products of three; steps that are no constants; products in each
//! round (`strength_reduction`); casts of multiples of counters.

mod alike;
mod counters;
mod unite;
mod widen;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use super::expansion::{Available, Expansion, NEVER, end_of};
use crate::analysis::addresses::{Bases, is_address};
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{Kept, Loop, Loops, ScalarEvolution};
use crate::pass::{Change, Editor, PassContext, PassResult, effects_of};
use alike::Short;
use unite::unite;
use widen::widen;

/// The option by which counters become one, and nothing else is done.
const COUNTERS: &str = "counters";

/// How often loops around loops that became numbers are looked at again.
const TURNS: usize = 3;

/// The most instructions that a value costs in whose place a loop stays.
const CHEAP: u32 = 1;

/// The most that the values cost together in whose place no loop stays.
const WHOLE: u32 = 24;

/// Puts numbers in the place of what loops end with.
///
/// # Errors
/// None.
pub fn induction(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.analyses.loops(body).all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let removed = context.remove_unreachable_blocks(body) > 0;
    let changes = |did: bool| if did || removed { Change::Something } else { Change::Nothing };
    if context.option == COUNTERS {
        return Ok(changes(unite(body, context, Short::Goes)));
    }
    let mut did = widen(body, context);
    if did {
        context.analyses.keep(Kept::GRAPH);
    }
    if unite(body, context, Short::Stays) {
        context.analyses.keep(Kept::GRAPH);
        did = true;
    }
    for _ in 0..TURNS {
        if !turn(body, context) {
            break;
        }
        context.analyses.keep(Kept::GRAPH);
        did = true;
    }
    Ok(changes(did))
}

/// A use of a value of a loop outside of it.
#[derive(Clone, Copy, Debug)]
struct Use {
    inst: Inst,
    /// The target whose argument it is; none if it is an operand.
    target: Option<usize>,
    value: Value,
}

/// Looks at every loop once; whether anything was changed.
fn turn(body: &mut Body, context: &mut PassContext<'_>) -> bool {
    let loops = context.analyses.loops(body);
    let graph = context.analyses.flow(body);
    let dominators = context.analyses.dominators(body);
    let known = context.analyses.scalar_evolution(body, context.module);
    let uses = uses_behind(body, &loops);
    let may_be_known = |of: Loop| {
        let mut uses = uses[of].iter();
        uses.any(|place| known.may_be_known_at_exit(place.value, of))
    };
    let wanted: Vec<Loop> = loops.all().rev().filter(|&of| may_be_known(of)).collect();
    if wanted.is_empty() {
        return false;
    }
    let mut evolution = ScalarEvolution::clone(&known);
    let idle = idle_loops(body, context, &loops);
    let available = Available::new(body, &graph, &evolution);
    let mut changed = 0;
    for of in wanted {
        let uses: &[Use] = &uses[of];
        let Some(preheader) = loops.preheader(of, &graph) else { continue };
        let mut expansion = Expansion {
            evolution: &mut evolution,
            available: &available,
            dominators: &dominators,
            block: preheader,
        };
        changed += replace(body, context, &mut expansion, (of, idle[of]), uses);
    }
    context.statistics.add("induction", "values behind loops that are numbers", changed);
    changed > 0
}

/// The uses behind loops of the values in them, by the innermost loop of the value.
fn uses_behind(body: &Body, loops: &Loops) -> SecondaryMap<Loop, Vec<Use>> {
    let mut uses: SecondaryMap<Loop, Vec<Use>> = SecondaryMap::new();
    let mut note = |inst: Inst, target: Option<usize>, at: Block, value: Value| {
        let home = body.defining_block(value).and_then(|block| loops.innermost(block));
        if let Some(of) = home.filter(|&of| !loops.contains(of, at)) {
            uses[of].push(Use { inst, target, value });
        }
    };
    for block in body.layout.blocks() {
        for inst in body.layout.insts(block) {
            body.args(inst).iter().for_each(|&value| note(inst, None, block, value));
            for (index, target) in body.targets(inst).iter().enumerate() {
                let args = body.target_args(target).iter();
                args.for_each(|&value| note(inst, Some(index), target.block, value));
            }
        }
    }
    uses
}

/// The loops that do nothing but compute.
fn idle_loops(body: &Body, context: &PassContext<'_>, loops: &Loops) -> SecondaryMap<Loop, bool> {
    let mut busy: SecondaryMap<Loop, bool> = SecondaryMap::new();
    let seen = Effects::WRITE
        | Effects::TRAP
        | Effects::THROW
        | Effects::SYNCHRONISE
        | Effects::SAFEPOINT
        | Effects::MARK;
    for block in body.layout.blocks() {
        let Some(of) = loops.innermost(block) else { continue };
        busy[of] |= body
            .layout
            .insts(block)
            .any(|inst| effects_of(context.module, body, inst).intersects(seen));
    }
    let mut idle = SecondaryMap::new();
    for of in loops.all().rev() {
        idle[of] = !busy[of];
        if let Some(parent) = loops.get(of).and_then(|data| data.parent.expand()) {
            busy[parent] |= busy[of];
        }
    }
    idle
}

/// How a value is computed before its loop.
struct Formula {
    value: Value,
    ty: Type,
    /// What is added to, if it is an address.
    address: Option<Value>,
    expr: Expr,
    cost: u32,
}

impl Formula {
    fn new(
        body: &Body,
        expansion: &mut Expansion<'_>,
        bases: Option<&Bases>,
        (value, ty): (Value, Type),
        expr: Expr,
    ) -> Option<Formula> {
        let is_address = is_address(body, value);
        let (address, expr) = match is_address {
            true => {
                let (address, rest) = expansion.address_parts(body, expr, ty)?;
                // What is added to another object is in that one, for all who ask.
                let is_in_it = bases.is_some_and(|bases| bases.of(address) == bases.of(value));
                is_in_it.then_some((Some(address), rest))?
            }
            false => (None, expr),
        };
        let number = if is_address { Type::I64 } else { ty };
        let is_same = is_address && expansion.evolution.as_constant(expr) == Some(0);
        let cost = expansion.cost(body, expr, number) + u32::from(is_address && !is_same);
        (cost < NEVER).then_some(Formula { value, ty, address, expr, cost })
    }

    fn write(&self, editor: &mut Editor<'_, '_>, expansion: &mut Expansion<'_>) -> Option<Value> {
        let Some(address) = self.address else {
            return expansion.write(editor, self.expr, self.ty);
        };
        if expansion.evolution.as_constant(self.expr) == Some(0) {
            return Some(address);
        }
        let added = expansion.write(editor, self.expr, Type::I64)?;
        Some(editor.op(Op::PtrAdd, Type::NONE, &[address, added]))
    }
}

/// Replaces the values of one loop where they are used behind it; how many.
fn replace(
    body: &mut Body,
    context: &mut PassContext<'_>,
    expansion: &mut Expansion<'_>,
    (of, is_idle): (Loop, bool),
    uses: &[Use],
) -> u64 {
    let mut values: Vec<Value> = uses.iter().map(|place| place.value).collect();
    values.sort_unstable();
    values.dedup();
    // What objects there are is asked for addresses alone.
    let has_address = values.iter().any(|&value| is_address(body, value));
    let escapes = has_address.then(|| context.analyses.escapes(body));
    let bases = escapes.as_ref().map(|escapes| escapes.bases());
    let mut found = Vec::new();
    for &value in &values {
        let ty = body.value_type(value);
        let Some(expr) = expansion.evolution.at_exit(value, of) else { continue };
        found.extend(Formula::new(body, expansion, bases, (value, ty), expr));
    }
    let together = found.iter().map(|found| found.cost).sum::<u32>();
    let is_whole = is_idle && found.len() == values.len() && together <= WHOLE;
    found.retain(|found| is_whole || found.cost <= CHEAP);
    let Some(end) = end_of(body, expansion.block).filter(|_| !found.is_empty()) else { return 0 };
    let mut editor = Editor::new(body, context);
    editor.stand_before(end);
    let mut written: Vec<(Value, Value)> = Vec::new();
    for formula in found {
        if let Some(number) = formula.write(&mut editor, expansion) {
            written.push((formula.value, number));
        }
    }
    for places in uses.chunk_by(|one, other| (one.inst, one.target) == (other.inst, other.target)) {
        rename_uses(body, places, &written);
    }
    if is_whole {
        context.remark(end, RemarkKind::Applied, "what the loop computes is a formula");
    }
    written.len() as u64
}

/// Puts numbers in the places of values, at the uses behind the loop that one list is: that may
/// be long, and is written once.
fn rename_uses(body: &mut Body, places: &[Use], written: &[(Value, Value)]) {
    let Some(&Use { inst, target, .. }) = places.first() else { return };
    let number = |value: Value| {
        let known = written.binary_search_by_key(&value, |&(value, _)| value);
        known.ok().map(|index| written[index].1)
    };
    if !places.iter().any(|place| number(place.value).is_some()) {
        return;
    }
    let renamed = |values: &[Value]| -> Vec<Value> {
        values.iter().map(|&value| number(value).unwrap_or(value)).collect()
    };
    match target {
        None => {
            let args = renamed(body.args(inst));
            let list = body.list(&args);
            body.inst_mut(inst).args = list;
        }
        Some(index) => {
            let Some(&target) = body.targets(inst).get(index) else { return };
            let args = renamed(body.target_args(&target));
            let list = body.list(&args);
            body.targets_mut(inst)[index].args = list;
        }
    }
}
