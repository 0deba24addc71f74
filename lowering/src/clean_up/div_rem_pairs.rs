//! Computes the rest of a division from the quotient, where that is there.
//!
//! Before:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %2 = sdiv.i32 %0, %1
//!     %3 = srem.i32 %0, %1
//!     %4 = xor.i32 %2, %3
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i32) -> i32 {
//! block0(%0: i32, %1: i32):
//!     %2 = sdiv.i32 %0, %1
//!     %5 = mul.i32 %2, %1
//!     %3 = sub.i32 %0, %5
//!     %4 = xor.i32 %2, %3
//!     return %4
//! }
//! ```
//! A division takes ten times as long as a product and a difference, and the machine's
//! own pair of quotient and rest is out of reach of the back end. Behind a quotient
//! the divisor is not zero, so that the rest traps no more. Where the rest of an
//! unsigned division comes first, in the same block, the quotient is computed in its
//! place: it traps where that would have.
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try:
//! divisions by constants, which are cheap; a signed quotient behind the rest, which
//! may trap where the rest does not; quotients on other paths.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use rustc_hash::FxHashMap;

use crate::pass::{Change, PassContext, PassResult, has_op, placed_insts};

/// How many divisions of the same numbers are compared with a rest.
const MOST_CANDIDATES: usize = 8;

/// Computes rests from quotients.
///
/// # Errors
/// None.
pub fn div_rem_pairs(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !has_op(body, &[Op::Srem, Op::Urem]) || !has_op(body, &[Op::Sdiv, Op::Udiv]) {
        return Ok(Change::Nothing);
    }
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
    context.statistics.add("div_rem_pairs", "shared divisions", found.len() as u64);
    Ok(if found.is_empty() { Change::Nothing } else { Change::Something })
}

/// What is divided by what, and as what.
type Key = (Op, Value, Value);

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
        for (position, inst) in (0..).zip(placed_insts(body)) {
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
        for rest in placed_insts(body) {
            let division_op = match body.inst(rest).op {
                Op::Srem => Op::Sdiv,
                Op::Urem => Op::Udiv,
                _ => continue,
            };
            let &[a, b] = body.args(rest) else { continue };
            if body.as_constant(b).is_some() {
                continue;
            }
            let candidates = divisions.get(&(division_op, a, b)).map_or(&[][..], Vec::as_slice);
            let own: Option<Block> = place(rest);
            let fits = |&&division: &&Inst| {
                let is_beside = division_op == Op::Udiv && place(division) == own;
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
