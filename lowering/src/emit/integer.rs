//! Integer arithmetic.

use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::fault::Emitted;
use super::function::{Emitter, Instruction};

/// Both operands.
type Pair = [machine::Value; 2];

impl<'a> Emitter<'a> {
    /// Arithmetic that cannot fail, on scalars and vectors.
    pub(super) fn integer_arithmetic(&mut self, instruction: Instruction<'a>) -> Emitted {
        let x = self.arg(instruction, 0)?;
        let ty = self.suffix(instruction)?;
        let op = instruction.data.op;
        let value = match op {
            Op::Neg => self.builder.ins().ineg(x),
            Op::Abs => self.builder.ins().iabs(x),
            Op::Mul => self.product(instruction, ty, x)?,
            Op::Add => {
                let y = self.second(instruction)?;
                self.builder.ins().iadd(x, y)
            }
            Op::Sub => {
                let y = self.second(instruction)?;
                self.builder.ins().isub(x, y)
            }
            _ => {
                let y = self.arg(instruction, 1)?;
                match op {
                    Op::Smin | Op::Smax | Op::Umin | Op::Umax => self.extremum(op, ty, [x, y]),
                    Op::SaddSat | Op::SsubSat | Op::UaddSat | Op::UsubSat => {
                        self.saturating(op, ty, [x, y])
                    }
                    Op::Smulhi => self.builder.ins().smulhi(x, y),
                    Op::Umulhi => self.builder.ins().umulhi(x, y),
                    _ => return Err(self.misplaced(instruction)),
                }
            }
        };
        self.define(instruction, &[value])
    }

    /// A product by 3, 5 or 9 is an address of x86-64: one step instead of three. One by a
    /// power of two may be a part of an address, where no pass has made a shift of it.
    fn product(
        &mut self,
        instruction: Instruction<'a>,
        ty: types::Type,
        x: machine::Value,
    ) -> Emitted<machine::Value> {
        let factor = self.arg_constant(instruction, 1);
        let shift = match factor.filter(|_| matches!(ty, types::I32 | types::I64)) {
            Some(3) => 1,
            Some(5) => 2,
            Some(9) => 3,
            Some(power) if power.is_power_of_two() => {
                return Ok(self.builder.ins().ishl_imm_u(x, i64::from(power.trailing_zeros())));
            }
            _ => {
                let y = self.second(instruction)?;
                return Ok(self.builder.ins().imul(x, y));
            }
        };
        let shifted = self.builder.ins().ishl_imm_u(x, shift);
        Ok(self.builder.ins().iadd(x, shifted))
    }

    fn extremum(&mut self, op: Op, ty: types::Type, [x, y]: Pair) -> machine::Value {
        if ty != types::I128 {
            let ins = self.builder.ins();
            return match op {
                Op::Smin => ins.smin(x, y),
                Op::Smax => ins.smax(x, y),
                Op::Umin => ins.umin(x, y),
                _ => ins.umax(x, y),
            };
        }
        let condition = match op {
            Op::Smin => IntCC::SignedLessThan,
            Op::Smax => IntCC::SignedGreaterThan,
            Op::Umin => IntCC::UnsignedLessThan,
            _ => IntCC::UnsignedGreaterThan,
        };
        let first = self.builder.ins().icmp(condition, x, y);
        self.select(first, x, y)
    }

    fn saturating(&mut self, op: Op, ty: types::Type, [x, y]: Pair) -> machine::Value {
        if ty.is_vector() {
            return self.saturating_lanes(op, ty, [x, y]);
        }
        let (wrapped, overflowed) = match op {
            Op::SaddSat => self.builder.ins().sadd_overflow(x, y),
            Op::SsubSat => self.builder.ins().ssub_overflow(x, y),
            Op::UaddSat => self.builder.ins().uadd_overflow(x, y),
            _ => self.builder.ins().usub_overflow(x, y),
        };
        let limit = match op {
            Op::UaddSat => self.integer(ty, -1),
            Op::UsubSat => self.integer(ty, 0),
            // Both operands of a sum that does not fit have its sign, and so
            // has the minuend of such a difference.
            _ => {
                let amount = self.builder.ins().iconst(types::I8, i64::from(ty.bits()) - 1);
                let sign = self.builder.ins().sshr(x, amount);
                let largest = self.scalar_constant(ty, u128::MAX >> (129 - ty.bits()));
                self.builder.ins().bxor(sign, largest)
            }
        };
        self.select(overflowed, limit, wrapped)
    }

    fn saturating_lanes(&mut self, op: Op, ty: types::Type, [x, y]: Pair) -> machine::Value {
        if ty.lane_bits() <= 16 {
            let ins = self.builder.ins();
            return match op {
                Op::SaddSat => ins.sadd_sat(x, y),
                Op::SsubSat => ins.ssub_sat(x, y),
                Op::UaddSat => ins.uadd_sat(x, y),
                _ => ins.usub_sat(x, y),
            };
        }
        let wrapped = match op {
            Op::SaddSat | Op::UaddSat => self.builder.ins().iadd(x, y),
            _ => self.builder.ins().isub(x, y),
        };
        match op {
            Op::UaddSat => {
                let wraps = self.builder.ins().icmp(IntCC::UnsignedLessThan, wrapped, x);
                self.builder.ins().bor(wrapped, wraps)
            }
            Op::UsubSat => {
                let fits = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, x, y);
                self.builder.ins().band(wrapped, fits)
            }
            _ => self.saturate_signed_lanes(op, ty, [x, y, wrapped]),
        }
    }

    /// A sum does not fit where both operands have another sign than it, a
    /// difference where the minuend has another sign than both others.
    fn saturate_signed_lanes(
        &mut self,
        op: Op,
        ty: types::Type,
        [x, y, wrapped]: [machine::Value; 3],
    ) -> machine::Value {
        let changed = self.builder.ins().bxor(x, wrapped);
        let other = if op == Op::SaddSat { wrapped } else { x };
        let differs = self.builder.ins().bxor(y, other);
        let signs = self.builder.ins().band(changed, differs);
        let last = self.builder.ins().iconst(types::I32, i64::from(ty.lane_bits()) - 1);
        let overflows = self.builder.ins().sshr(signs, last);
        let sign = self.builder.ins().sshr(x, last);
        let one = self.builder.ins().iconst(types::I32, 1);
        let ones = self.vector_constant(ty, [0xff; 16]);
        let largest = self.builder.ins().ushr(ones, one);
        let limit = self.builder.ins().bxor(sign, largest);
        self.builder.ins().bitselect(overflows, limit, wrapped)
    }

    /// Arithmetic that says whether the result does not fit, or traps then.
    pub(super) fn overflow(&mut self, instruction: Instruction<'a>) -> Emitted {
        let (x, y) = self.two(instruction)?;
        let op = instruction.data.op;
        let ins = self.builder.ins();
        let (value, overflowed) = match op {
            Op::SaddTrap | Op::SaddOverflow => ins.sadd_overflow(x, y),
            Op::UaddTrap | Op::UaddOverflow => ins.uadd_overflow(x, y),
            Op::SsubTrap | Op::SsubOverflow => ins.ssub_overflow(x, y),
            Op::UsubTrap | Op::UsubOverflow => ins.usub_overflow(x, y),
            Op::SmulTrap | Op::SmulOverflow => ins.smul_overflow(x, y),
            Op::UmulTrap | Op::UmulOverflow => ins.umul_overflow(x, y),
            _ => return Err(self.misplaced(instruction)),
        };
        if instruction.results.len() == 2 {
            return self.define(instruction, &[value, overflowed]);
        }
        self.trap_if(overflowed, TrapCode::IntegerOverflow);
        self.define(instruction, &[value])
    }

    /// The only place that emits a division. The back end leaves trap records
    /// at each; that none of them is ever reached is what the tests before it
    /// are for.
    pub(super) fn division(&mut self, instruction: Instruction<'a>) -> Emitted {
        let ty = self.suffix(instruction)?;
        let (x, y) = self.two(instruction)?;
        let op = instruction.data.op;
        let divisor = self.arg_constant(instruction, 1);
        if divisor.is_none_or(|divisor| divisor == 0) {
            self.trap_unless(y, TrapCode::DivisionByZero);
        }
        let minus_one = u128::MAX >> (128 - ty.bits());
        if op == Op::Sdiv && divisor.is_none_or(|divisor| divisor == minus_one) {
            let smallest = self.scalar_constant(ty, 1 << (ty.bits() - 1));
            let all_ones = self.scalar_constant(ty, minus_one);
            let is_smallest = self.builder.ins().icmp(IntCC::Equal, x, smallest);
            let is_minus_one = self.builder.ins().icmp(IntCC::Equal, y, all_ones);
            let overflows = self.builder.ins().band(is_smallest, is_minus_one);
            self.trap_if(overflows, TrapCode::IntegerOverflow);
        }
        self.needs.divisions += 1;
        let ins = self.builder.ins();
        let value = match op {
            Op::Sdiv => ins.sdiv(x, y),
            Op::Udiv => ins.udiv(x, y),
            Op::Srem => ins.srem(x, y),
            _ => ins.urem(x, y),
        };
        self.define(instruction, &[value])
    }
}
