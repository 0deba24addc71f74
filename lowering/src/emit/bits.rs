//! Bit patterns.

use brolga_ir::constant::ConstantBits;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};

impl<'a> Emitter<'a> {
    /// Logic, counts and reversals.
    pub(super) fn bits(&mut self, instruction: Instruction<'a>) -> Emitted {
        let x = self.arg(instruction, 0)?;
        let op = instruction.data.op;
        let value = match op {
            Op::And | Op::Or | Op::Xor => {
                if let Some(masked) = self.mask_widened(instruction) {
                    return self.define(instruction, &[masked]);
                }
                let y = self.second(instruction)?;
                let ins = self.builder.ins();
                match op {
                    Op::And => ins.band(x, y),
                    Op::Or => ins.bor(x, y),
                    _ => ins.bxor(x, y),
                }
            }
            // A truth value keeps to 0 and 1.
            Op::Not if instruction.data.ty == Type::I1 => {
                let one = self.builder.ins().iconst(types::I8, 1);
                self.builder.ins().bxor(x, one)
            }
            Op::Not => self.builder.ins().bnot(x),
            Op::Popcount => self.builder.ins().popcnt(x),
            Op::Clz => self.builder.ins().clz(x),
            Op::Ctz => self.builder.ins().ctz(x),
            Op::Bswap => self.builder.ins().bswap(x),
            Op::Bitreverse => self.builder.ins().bitrev(x),
            _ => return Err(self.misplaced(instruction)),
        };
        self.define(instruction, &[value])
    }

    /// Shifts and rotations.
    pub(super) fn shift(&mut self, instruction: Instruction<'a>) -> Emitted {
        let ty = self.suffix(instruction)?;
        let op = instruction.data.op;
        if ty.is_vector() {
            return self.shift_lanes(instruction, ty);
        }
        let x = self.arg(instruction, 0)?;
        if let (Op::Shl | Op::Lshr | Op::Ashr, Some(amount)) =
            (op, self.arg_constant(instruction, 1))
        {
            let value = self.shift_by_constant(op, ty, x, amount);
            return self.define(instruction, &[value]);
        }
        let y = self.arg(instruction, 1)?;
        let value = match op {
            Op::Rotl => self.builder.ins().rotl(x, y),
            Op::Rotr => self.builder.ins().rotr(x, y),
            Op::Fshl | Op::Fshr => {
                let amount = self.arg(instruction, 2)?;
                self.funnel(op, x, y, amount)
            }
            _ => self.shift_by_value(op, ty, x, y),
        };
        self.define(instruction, &[value])
    }

    fn shift_by_constant(
        &mut self,
        op: Op,
        ty: types::Type,
        x: machine::Value,
        amount: u128,
    ) -> machine::Value {
        let width = u128::from(ty.lane_bits());
        if amount >= width && op != Op::Ashr {
            return match ty.is_vector() {
                true => self.vector_constant(ty, [0; 16]),
                false => self.integer(ty, 0),
            };
        }
        let amount = self.builder.ins().iconst(types::I32, amount.min(width - 1) as i64);
        self.machine_shift(op, x, amount)
    }

    /// The back end shifts by the amount modulo the width.
    fn machine_shift(
        &mut self,
        op: Op,
        x: machine::Value,
        amount: machine::Value,
    ) -> machine::Value {
        let ins = self.builder.ins();
        match op {
            Op::Shl => ins.ishl(x, amount),
            Op::Lshr => ins.ushr(x, amount),
            _ => ins.sshr(x, amount),
        }
    }

    fn shift_by_value(
        &mut self,
        op: Op,
        ty: types::Type,
        x: machine::Value,
        amount: machine::Value,
    ) -> machine::Value {
        let width = self.integer(ty, ty.bits().into());
        let fits = self.builder.ins().icmp(IntCC::UnsignedLessThan, amount, width);
        if op == Op::Ashr {
            let most = self.integer(ty, i64::from(ty.bits()) - 1);
            let amount = self.select(fits, amount, most);
            return self.machine_shift(op, x, amount);
        }
        let shifted = self.machine_shift(op, x, amount);
        let zero = self.integer(ty, 0);
        self.select(fits, shifted, zero)
    }

    /// Two numbers as one of twice the width, shifted. The other half is
    /// shifted by one and then by the width less one less the amount, which is
    /// the amount inverted: so that an amount of 0 needs no case of its own.
    fn funnel(
        &mut self,
        op: Op,
        upper: machine::Value,
        lower: machine::Value,
        amount: machine::Value,
    ) -> machine::Value {
        let rest = self.builder.ins().bnot(amount);
        let one = self.builder.ins().iconst(types::I32, 1);
        let (kept, other) = match op {
            Op::Fshl => {
                let kept = self.builder.ins().ishl(upper, amount);
                let other = self.builder.ins().ushr(lower, one);
                (kept, self.builder.ins().ushr(other, rest))
            }
            _ => {
                let kept = self.builder.ins().ushr(lower, amount);
                let other = self.builder.ins().ishl(upper, one);
                (kept, self.builder.ins().ishl(other, rest))
            }
        };
        self.builder.ins().bor(kept, other)
    }

    /// A shift of all lanes by one constant; the legaliser takes others apart.
    fn shift_lanes(&mut self, instruction: Instruction<'a>, ty: types::Type) -> Emitted {
        let op = instruction.data.op;
        let uniform = instruction.args.get(1).and_then(|&amounts| {
            let ConstantBits::Lanes(lanes) = self.body.as_constant(amounts)?.bits() else {
                return None;
            };
            let first = *lanes.first()?;
            lanes.iter().all(|&lane| lane == first).then_some(first)
        });
        match (op, uniform) {
            (Op::Shl | Op::Lshr | Op::Ashr, Some(amount)) => {
                let x = self.arg(instruction, 0)?;
                let value = self.shift_by_constant(op, ty, x, amount);
                self.define(instruction, &[value])
            }
            _ => Err(Fault::illegal("lanes are shifted by one constant or taken apart")),
        }
    }
}
