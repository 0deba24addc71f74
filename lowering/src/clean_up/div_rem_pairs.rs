//! Computes the rest of a division from the quotient, where that is there, and divides
//! by constants without divisions.
//!
//! Before:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %2 = sdiv.i32 %0, %1
//!     %3 = srem.i32 %0, %1
//!     %4 = udiv.i32 %3, 10
//!     %5 = xor.i32 %2, %4
//!     return %5
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %2 = sdiv.i32 %0, %1
//!     %7 = mul.i32 %2, %1
//!     %3 = sub.i32 %0, %7
//!     %8 = zext.i64 %3
//!     %10 = mul.i64 %8, 3435973837
//!     %12 = lshr.i64 %10, 35
//!     %13 = trunc.i32 %12
//!     %5 = xor.i32 %2, %13
//!     return %5
//! }
//! ```
//! A division takes ten times as long as a product and a difference, and the machine's
//! own pair of quotient and rest is out of reach of the back end. Behind a quotient
//! the divisor is not zero, so that the rest traps no more. Where the rest of an
//! unsigned division comes first, in the same block, the quotient is computed in its
//! place: it traps where that would have. By a constant other than 0 and -1, nothing
//! traps: there the quotient is the product with the reciprocal, rounded as the division
//! rounds (`reciprocal`, `by_constant`).
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try:
//! a signed quotient behind the rest of a division by what is no constant, which may
//! trap where the rest does not; quotients on other paths; constants of 128 bits.

mod by_constant;
mod reciprocal;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use rustc_hash::FxHashMap;

use self::by_constant::Site;
use crate::analysis::Kept;
use crate::pass::{Change, Editor, PassContext, PassResult, Renames};

/// How many divisions of the same numbers are compared with a rest.
const MOST_CANDIDATES: usize = 8;

/// Computes rests from quotients, and quotients by constants from products.
///
/// # Errors
/// None.
pub fn div_rem_pairs(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::Srem, Op::Urem, Op::Sdiv, Op::Udiv]) {
        return Ok(Change::Nothing);
    }
    let shared = share_divisions(body);
    let multiplied = multiply(body, context);
    context.statistics.add("div_rem_pairs", "shared divisions", shared);
    context.statistics.add("div_rem_pairs", "divisions by constants", multiplied);
    Ok(if shared + multiplied == 0 { Change::Nothing } else { Change::Something })
}

/// Computes rests from quotients: how many.
fn share_divisions(body: &mut Body) -> u64 {
    let Pairs { found, mut positions } = Pairs::of(body);
    for &(division, rest) in &found {
        if body.layout.block_of(division) == body.layout.block_of(rest)
            && positions[division] > positions[rest]
        {
            body.layout.remove_inst(division);
            body.layout.insert_inst_before(division, rest);
            body.inst_mut(division).loc = body.loc(rest);
            positions[division] = positions[rest];
        }
        share(body, division, rest);
    }
    found.len() as u64
}

/// Divides by constants without divisions: how many.
fn multiply(body: &mut Body, context: &mut PassContext<'_>) -> u64 {
    let has_constant = |inst| {
        let divisor = body.args(inst).get(1);
        is_division(body, inst) && divisor.is_some_and(|&y| body.as_constant(y).is_some())
    };
    let sites: Vec<Inst> = body.layout.all_insts().filter(|&inst| has_constant(inst)).collect();
    if sites.is_empty() {
        return 0;
    }
    context.analyses.keep(Kept::GRAPH);
    let facts = context.analyses.value_facts(body, context.module);
    let sites: Vec<Site> =
        sites.into_iter().filter_map(|inst| Site::of(body, &facts, inst)).collect();
    let mut renames = Renames::default();
    let mut editor = Editor::new(body, context);
    sites.iter().for_each(|site| site.expand(&mut editor, &mut renames));
    renames.apply(body);
    sites.len() as u64
}

fn is_division(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem)
}

/// What is divided by what, and as what.
type Key = (Op, Value, Value);

/// What is known of a divisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Divisor {
    Any,
    /// No quotient by it traps.
    Safe,
    /// A power of two: the rest is cheaper without the quotient.
    Mask,
}

impl Divisor {
    fn of(body: &Body, value: Value) -> Divisor {
        let width = body.value_type(value).as_scalar().map_or(0, |scalar| scalar.bits());
        match body.as_scalar_constant(value) {
            Some(bits) if bits.is_power_of_two() => Divisor::Mask,
            Some(bits) if bits != 0 && bits.count_ones() < width => Divisor::Safe,
            _ => Divisor::Any,
        }
    }
}

struct Pairs {
    /// Each quotient with its rest.
    found: Vec<(Inst, Inst)>,
    /// Where each instruction stands among all.
    positions: SecondaryMap<Inst, u32>,
}

impl Pairs {
    fn of(body: &Body) -> Pairs {
        let mut positions: SecondaryMap<Inst, u32> = SecondaryMap::new();
        let mut divisions: FxHashMap<Key, Vec<Inst>> = FxHashMap::default();
        for (position, inst) in (0..).zip(body.layout.all_insts()) {
            positions[inst] = position;
            let op = body.inst(inst).op;
            if let (Op::Sdiv | Op::Udiv, &[a, b]) = (op, body.args(inst)) {
                divisions.entry((op, a, b)).or_default().push(inst);
            }
        }
        let dominators = Dominators::new(&FlowGraph::new(body));
        let place = |inst: Inst| body.layout.block_of(inst);
        let comes_first = |first: Inst, second: Inst| match (place(first), place(second)) {
            (Some(a), Some(b)) if a == b => positions[first] < positions[second],
            (Some(a), Some(b)) => dominators.dominates(a, b),
            _ => false,
        };
        let mut found = Vec::new();
        for rest in body.layout.all_insts() {
            let division_op = match body.inst(rest).op {
                Op::Srem => Op::Sdiv,
                Op::Urem => Op::Udiv,
                _ => continue,
            };
            let &[a, b] = body.args(rest) else { continue };
            let by = Divisor::of(body, b);
            if by == Divisor::Mask {
                continue;
            }
            let candidates = divisions.get(&(division_op, a, b)).map_or(&[][..], Vec::as_slice);
            let own: Option<Block> = place(rest);
            let fits = |&&division: &&Inst| {
                let moves = division_op == Op::Udiv || by == Divisor::Safe;
                let is_beside = moves && place(division) == own;
                comes_first(division, rest) || is_beside
            };
            let mut candidates = candidates.iter().take(MOST_CANDIDATES);
            if let Some(&division) = candidates.find(fits) {
                found.push((division, rest));
            }
        }
        Pairs { found, positions }
    }
}

/// Computes `rest` from `division`, which stands before it.
fn share(body: &mut Body, division: Inst, rest: Inst) {
    let (Some(quotient), &[a, b]) = (body.result(division), body.args(rest)) else { return };
    let ty = body.inst(rest).ty;
    let loc = body.loc(rest);
    let args = body.list(&[quotient, b]);
    let product = InstData { loc, ..InstData::new(Op::Mul, ty, args, Payload::None) };
    let product = body.insert_inst(rest, product, &[ty]);
    let Some(product) = body.result(product) else { return };
    let args = body.list(&[a, product]);
    *body.inst_mut(rest) = InstData { loc, ..InstData::new(Op::Sub, ty, args, Payload::None) };
}
