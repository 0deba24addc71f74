//! Shifts and rotations of lanes by one constant. The amount from which on
//! nothing is left is emission's to know, of scalars and of lanes alike.

use brolga_ir::entity::Value;
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::legality::uniform;
use crate::pass::Editor;

/// Whether all lanes are shifted by one constant.
pub(super) fn is_uniform(editor: &Editor<'_, '_>, amounts: Value) -> bool {
    uniform(editor.body, amounts).is_some()
}

impl Editor<'_, '_> {
    /// A shift or rotation whose last operand is a constant, equal in all lanes.
    pub(super) fn shift_lanes(&mut self, data: &InstData, ty: Type, args: &[Value]) -> Value {
        let width = ty.lane().map_or(8, Scalar::bits);
        let amount = args.last().and_then(|&amount| uniform(self.body, amount)).unwrap_or(0);
        let amount = (amount % u128::from(width)) as u32;
        let x = args[0];
        match data.op {
            Op::Rotl => self.join_shifted(ty, x, x, amount, width),
            Op::Rotr => self.join_shifted(ty, x, x, (width - amount) % width, width),
            Op::Fshl => self.join_shifted(ty, x, args[1], amount, width),
            // Nothing of the upper half is left of a shift by nothing.
            Op::Fshr if amount == 0 => args[1],
            Op::Fshr => self.join_shifted(ty, x, args[1], width - amount, width),
            _ => self.op_like(data, ty, args),
        }
    }

    /// The upper half of `upper` joined above `lower`, shifted left.
    fn join_shifted(
        &mut self,
        ty: Type,
        upper: Value,
        lower: Value,
        amount: u32,
        width: u32,
    ) -> Value {
        if amount == 0 {
            return upper;
        }
        let high = self.shift_all(Op::Shl, ty, upper, amount);
        let low = self.shift_all(Op::Lshr, ty, lower, width - amount);
        self.op(Op::Or, ty, &[high, low])
    }
}
