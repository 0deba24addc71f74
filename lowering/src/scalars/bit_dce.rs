//! Drops what computes bits that nobody looks at.
//!
//! Before:
//! ```text
//! func @f(i32, i8) -> i8 {
//! block0(%0: i32, %1: i8):
//!     %2 = and.i32 %0, 255
//!     %3 = sext.i32 %1
//!     %4 = add.i32 %2, %3
//!     %5 = or.i32 %4, 4096
//!     %6 = trunc.i8 %5
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, i8) -> i8 {
//! block0(%0: i32, %1: i8):
//!     %3 = zext.i32 %1
//!     %4 = add.i32 %0, %3
//!     %6 = trunc.i8 %4
//!     return %6
//! }
//! ```
//! From the uses back to the definitions: each value gets the set of its bits on which
//! something depends, starting from none and growing (a work list, through parameters
//! too). An operation that changes only other bits is its operand; a value without any
//! such bit is zero as well as anything.
//!
//! Needs: no aggregates. Keeps: the flow graph and all that follows from it. Does not
//! try: narrower ops; vectors whose lanes differ in what is asked of them.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::{Constant, ConstantBits};
use brolga_ir::entity::{Inst, SecondaryMap, Value, dense_map};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::{Scalar, Type};

use crate::pass::{
    PassContext, PassResult, Renames, effects_of, is_removable, list_insts, remove_unused,
};

/// Drops what computes bits that nobody looks at.
///
/// # Errors
/// None.
pub fn bit_dce(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let demand = Demand::of(body, context.module);
    let mut renames = Renames::default();
    let (mut dropped, mut narrowed, mut unneeded) = (0, 0, 0);
    let insts = list_insts(body);
    for &inst in &insts {
        let Some(result) = body.result(inst) else { continue };
        let needed = demand.bits[result];
        if needed == 0 {
            let is_needless = is_removable(context.module, body, inst) && demand.used[result];
            if is_needless && let Some(zero) = zero(body, result) {
                renames.rename(result, zero);
                unneeded += 1;
            }
        } else if let Some(operand) = same_bits(body, inst, needed) {
            renames.rename(result, operand);
            dropped += 1;
        } else if body.inst(inst).op == Op::Sext && has_no_sign(body, inst, needed) {
            body.inst_mut(inst).op = Op::Zext;
            narrowed += 1;
        }
    }
    renames.apply(body);
    let is_unused = |inst: &Inst| {
        body.results(*inst).iter().all(|&result| !demand.used[result])
            && is_removable(context.module, body, *inst)
    };
    let gone = match dropped + unneeded > 0 || insts.iter().any(is_unused) {
        true => remove_unused(body, context.module, &insts),
        false => 0,
    };
    let counts = [
        ("operations on other bits", dropped),
        ("extensions without sign", narrowed),
        ("values without needed bits", unneeded),
        ("removed instructions", gone),
    ];
    Ok(context.statistics.add_each("bit_dce", counts))
}

fn zero(body: &mut Body, like: Value) -> Option<Value> {
    let ty = body.value_type(like);
    let zero = Some(ty).filter(|&ty| has_zero(ty)).and_then(Constant::zero)?;
    Some(body.constant(zero))
}

/// Whether a value of the type that nobody looks at may as well be zero.
fn has_zero(ty: Type) -> bool {
    width(ty).is_some() || ty.lane().is_some_and(Scalar::is_float)
}

/// Whether an instruction stays and does what its operands say, although nobody looks at what
/// it gives: one that reads memory does so at an address that must be one, and what a callee
/// promises it promises of what it is called with.
fn stays(body: &Body, module: &Module, inst: Inst) -> bool {
    let goes = |result: Value| has_zero(body.value_type(result));
    let effects = effects_of(module, body, inst);
    !(effects - Effects::SAFEPOINT).is_removable()
        || (effects.contains(Effects::READ) || body.inst(inst).op.is_call())
            && !body.result(inst).is_some_and(goes)
}

/// How many bits a lane of a type of integers has; none for other types, of which all
/// bits are taken to be needed.
fn width(ty: Type) -> Option<u32> {
    let lane = ty.lane()?;
    (lane.is_int() || lane == Scalar::I1).then(|| lane.bits())
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// All bits up to the highest of a set: what carries go through.
fn below(bits: u128) -> u128 {
    u128::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

/// The bits that a constant has in any lane, and in all.
fn constant_bits(body: &Body, value: Value) -> Option<(u128, u128)> {
    match body.as_constant(value)?.bits() {
        ConstantBits::Scalar(bits) => Some((*bits, *bits)),
        ConstantBits::Lanes(lanes) => {
            let any = lanes.iter().fold(0, |all, &lane| all | lane);
            Some((any, lanes.iter().fold(u128::MAX, |all, &lane| all & lane)))
        }
        ConstantBits::Zero => None,
    }
}

/// The operand that has the same bits as the result where they are needed.
fn same_bits(body: &Body, inst: Inst, needed: u128) -> Option<Value> {
    let &[operand, mask] = body.args(inst) else { return None };
    let (any, all) = constant_bits(body, mask)?;
    let is_same = match body.inst(inst).op {
        Op::And => needed & !all == 0,
        Op::Or | Op::Xor => needed & any == 0,
        _ => false,
    };
    is_same.then_some(operand)
}

fn has_no_sign(body: &Body, inst: Inst, needed: u128) -> bool {
    let operand = body.args(inst).first().map(|&arg| body.value_type(arg));
    operand.and_then(width).is_some_and(|width| needed & !mask(width) == 0)
}

/// Which bits of values something depends on.
struct Demand {
    bits: SecondaryMap<Value, u128>,
    used: SecondaryMap<Value, bool>,
}

impl Demand {
    fn of(body: &Body, module: &Module) -> Demand {
        let count = body.value_count();
        let mut search = Search {
            body,
            edges: IncomingEdges::new(body),
            demand: Demand { bits: dense_map(count), used: dense_map(count) },
            left: Vec::new(),
        };
        for inst in body.layout.all_insts() {
            for &value in body.args(inst) {
                search.demand.used[value] = true;
            }
            for target in body.targets(inst) {
                for &value in body.target_args(target) {
                    search.demand.used[value] = true;
                }
            }
            if stays(body, module, inst) {
                for &arg in body.args(inst) {
                    search.need(arg, u128::MAX);
                }
            }
        }
        search.run();
        search.demand
    }
}

struct Search<'a> {
    body: &'a Body,
    edges: IncomingEdges,
    demand: Demand,
    left: Vec<Value>,
}

impl Search<'_> {
    fn need(&mut self, value: Value, bits: u128) {
        let width = width(self.body.value_type(value));
        // Bits mean nothing where the lanes are no integers.
        let bits = width.map_or(u128::from(bits != 0), |width| bits & mask(width));
        let known = self.demand.bits[value];
        if known | bits != known {
            self.demand.bits[value] = known | bits;
            self.left.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.left.pop() {
            let bits = self.demand.bits[value];
            match self.body.value_def(value) {
                ValueDef::Result(inst, 0) => self.need_operands(inst, bits),
                ValueDef::Result(inst, _) => self.need_all(inst),
                ValueDef::Param(block, index) => {
                    for position in 0..self.edges.of(block).len() {
                        let edge = self.edges.of(block)[position];
                        if let Some(arg) = edge.arg(self.body, index as usize) {
                            self.need(arg, bits);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn need_all(&mut self, inst: Inst) {
        for &arg in self.body.args(inst) {
            self.need(arg, u128::MAX);
        }
    }

    /// What of its operands an instruction needs for those bits of its result.
    fn need_operands(&mut self, inst: Inst, bits: u128) {
        let data = self.body.inst(inst);
        let width = width(data.ty).unwrap_or(0);
        let constant = |index: usize| {
            let value = *self.body.args(inst).get(index)?;
            constant_bits(self.body, value)
        };
        let shift = constant(1).filter(|(any, all)| any == all && *any < u128::from(width));
        let shift = shift.map(|(count, _)| count as u32);
        let first = match (data.op, shift) {
            (Op::Add | Op::Sub | Op::Mul | Op::Neg, _) => return self.need_each(inst, below(bits)),
            (Op::Xor | Op::Not, _) => return self.need_each(inst, bits),
            (Op::And, _) => constant(1).map_or(bits, |(any, _)| bits & any),
            (Op::Or, _) => constant(1).map_or(bits, |(_, all)| bits & !all),
            (Op::Shl, Some(count)) => bits >> count,
            (Op::Lshr, Some(count)) => bits << count,
            (Op::Ashr, Some(count)) => {
                let has_sign = bits & !(mask(width) >> count) != 0;
                bits << count | u128::from(has_sign) << (width - 1)
            }
            (Op::Trunc | Op::Zext, _) => bits,
            (Op::Sext, _) => {
                let operand = self.body.args(inst).first().map(|&arg| self.body.value_type(arg));
                let narrow = operand.and_then(self::width).unwrap_or(128);
                let has_sign = bits & !mask(narrow) != 0;
                bits | u128::from(has_sign) << (narrow - 1)
            }
            (Op::Select | Op::VecSelect, _) => {
                let &[condition, yes, no] = self.body.args(inst) else { return };
                self.need(condition, u128::MAX);
                self.need(yes, bits);
                return self.need(no, bits);
            }
            _ => return self.need_all(inst),
        };
        let args = self.body.args(inst);
        if let Some(&arg) = args.first() {
            self.need(arg, first);
        }
        for &arg in &args[1..] {
            let is_mask = matches!(data.op, Op::And | Op::Or);
            self.need(arg, if is_mask { bits } else { u128::MAX });
        }
    }

    fn need_each(&mut self, inst: Inst, bits: u128) {
        for &arg in self.body.args(inst) {
            self.need(arg, bits);
        }
    }
}
