//! Makes one op of a product and the sum that it goes into, where both may be contracted.
//!
//! Before:
//! ```text
//! ; target: x86_64-linux/haswell
//! func @f(f64, f64, f64) -> f64 {
//! block0(%0: f64, %1: f64, %2: f64):
//!     %3 = fmul.f64 %0, %1 contract
//!     %4 = fsub.f64 %2, %3 contract
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! func @f(f64, f64, f64) -> f64 {
//! block0(%0: f64, %1: f64, %2: f64):
//!     %5 = fneg.f64 %0
//!     %4 = muladd.f64 %5, %1, %2 contract
//!     return %4
//! }
//! ```
//! A product that nothing uses but a sum or difference of the same block becomes a part of
//! it, where `fma` is one instruction of the target: emission then rounds once. The
//! negation of a factor or of what is taken away is exact, and a part of the machine's
//! instruction. The op is `muladd`, which the interpreter rounds twice: up to emission the
//! code means what it did.
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try:
//! products of other blocks, which would move into loops; products with several uses,
//! which would be computed as often.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, SecondaryMap, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{Change, PassContext, PassResult, count_uses, list_insts};

/// Makes one op of products and sums.
///
/// # Errors
/// None.
pub fn mul_add(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::Fmul]) {
        return Ok(Change::Nothing);
    }
    let uses = count_uses(body);
    let mut fused = 0;
    for inst in list_insts(body) {
        let data = *body.inst(inst);
        let is_sum = matches!(data.op, Op::Fadd | Op::Fsub) && may_contract(&data);
        // A wide vector comes apart later, into vectors that fuse if the lanes do.
        let lane = data.ty.lane().map(Type::scalar);
        if is_sum
            && lane.is_some_and(|lane| context.target.fuses(lane))
            && let Some(site) = Site::of(body, inst, &uses)
        {
            site.fuse(body);
            fused += 1;
        }
    }
    context.statistics.add("mul_add", "fused products", fused);
    Ok(if fused == 0 { Change::Nothing } else { Change::Something })
}

fn may_contract(data: &InstData) -> bool {
    data.flags.contains(InstFlags::CONTRACT)
}

/// A sum or difference, one side of which is a product that nothing else uses.
struct Site {
    sum: Inst,
    product: Inst,
    /// Which operand of the sum is the product.
    side: usize,
}

impl Site {
    fn of(body: &Body, sum: Inst, uses: &SecondaryMap<Value, u32>) -> Option<Site> {
        let product_of = |&value: &Value| {
            let ValueDef::Result(product, _) = body.value_def(value) else { return None };
            let data = body.inst(product);
            let fits = data.op == Op::Fmul && may_contract(data) && uses[value] == 1;
            let is_near = body.layout.block_of(product) == body.layout.block_of(sum);
            (fits && is_near).then_some(product)
        };
        let mut sides = body.args(sum).iter().enumerate();
        sides.find_map(|(side, value)| Some(Site { sum, product: product_of(value)?, side }))
    }

    fn fuse(&self, body: &mut Body) {
        let (&[mut x, y], &[a, b]) = (body.args(self.product), body.args(self.sum)) else { return };
        let data = *body.inst(self.sum);
        let mut other = if self.side == 0 { b } else { a };
        if data.op == Op::Fsub {
            let negated = if self.side == 0 { &mut other } else { &mut x };
            *negated = self.negate(body, *negated);
        }
        let flags = data.flags & body.inst(self.product).flags;
        let args = body.list(&[x, y, other]);
        let fused = InstData::new(Op::Muladd, data.ty, args, Payload::None);
        *body.inst_mut(self.sum) = InstData { loc: data.loc, flags, ..fused };
        body.remove_inst(self.product);
    }

    /// The negation of `value`, before the sum.
    fn negate(&self, body: &mut Body, value: Value) -> Value {
        let data = *body.inst(self.sum);
        let args = body.list(&[value]);
        let negation = InstData::new(Op::Fneg, data.ty, args, Payload::None);
        let negation = InstData { loc: data.loc, ..negation };
        let inst = body.insert_inst(self.sum, negation, &[data.ty]);
        body.result(inst).unwrap_or(value)
    }
}
