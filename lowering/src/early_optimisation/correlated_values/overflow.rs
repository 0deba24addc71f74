//! Arithmetic that tells of an overflow, or traps, where the operands leave no room for one.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::Known;
use crate::analysis::conditions::Position;
use crate::analysis::value_facts::Fact;
use crate::pass::wrapped;

impl Known {
    /// What stands for the number and the flag that `inst` gives, if that never overflows:
    /// plain arithmetic before it, and false.
    pub(super) fn without_overflow(
        &self,
        body: &mut Body,
        at: Position,
        inst: Inst,
    ) -> Option<[Value; 2]> {
        let (data, &[x, y]) = (*body.inst(inst), body.args(inst)) else { return None };
        let plain = wrapped(data.op).filter(|_| body.results(inst).len() == 2)?;
        if !data.ty.as_scalar().is_some_and(Scalar::is_int) {
            return None;
        }
        if may_wrap(data.op, &self.fact(body, at, x)?, &self.fact(body, at, y)?) {
            return None;
        }
        let no = Constant::zero(Type::I1).map(|no| body.constant(no))?;
        let args = body.list(&[x, y]);
        let plain =
            InstData { loc: data.loc, ..InstData::new(plain, data.ty, args, Payload::None) };
        let made = body.insert_inst(inst, plain, &[data.ty]);
        Some([body.result(made)?, no])
    }
}

/// Whether what an op that wraps, traps or tells gives of such numbers may not fit.
pub(super) fn may_wrap(op: Op, x: &Fact, y: &Fact) -> bool {
    let (sx, sy) = (x.signed(), y.signed());
    let (ux, uy) = (x.unsigned(), y.unsigned());
    let any = Fact::any(x.width());
    let fits_signed = |bounds: &[Option<i128>]| {
        let (least, most) = any.signed();
        bounds.iter().all(|bound| bound.is_some_and(|bound| bound >= least && bound <= most))
    };
    let fits = |most: Option<u128>| most.is_some_and(|most| most <= any.unsigned().1);
    let never = match op {
        Op::SaddTrap | Op::SaddOverflow => {
            fits_signed(&[sx.0.checked_add(sy.0), sx.1.checked_add(sy.1)])
        }
        Op::SsubTrap | Op::SsubOverflow => {
            fits_signed(&[sx.0.checked_sub(sy.1), sx.1.checked_sub(sy.0)])
        }
        Op::SmulTrap | Op::SmulOverflow => fits_signed(&[
            sx.0.checked_mul(sy.0),
            sx.0.checked_mul(sy.1),
            sx.1.checked_mul(sy.0),
            sx.1.checked_mul(sy.1),
        ]),
        Op::UaddTrap | Op::UaddOverflow => fits(ux.1.checked_add(uy.1)),
        Op::UmulTrap | Op::UmulOverflow => fits(ux.1.checked_mul(uy.1)),
        Op::UsubTrap | Op::UsubOverflow => ux.0 >= uy.1,
        _ => false,
    };
    !never
}
