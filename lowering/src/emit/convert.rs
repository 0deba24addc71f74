//! Conversions between integers and between representations.

use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::memory::mask_bits;
use super::types::is_mask;

impl<'a> Emitter<'a> {
    /// Conversions that no float takes part in, or only as bits or in another
    /// width.
    pub(super) fn conversion(&mut self, instruction: Instruction<'a>) -> Emitted {
        let x = self.arg(instruction, 0)?;
        let (from, to) = (self.arg_type(instruction, 0), instruction.data.ty);
        let value = match instruction.data.op {
            Op::PtrToInt | Op::IntToPtr | Op::FunctionToPtr | Op::PtrToFunction => x,
            Op::Bitcast => self.bitcast(x, from, to)?,
            op => {
                if from.is_vector() || to.is_vector() {
                    return Err(Fault::illegal("the legaliser takes its lanes apart"));
                }
                let ty = self.suffix(instruction)?;
                if let Some(converted) = self.converted_by_load(instruction, ty) {
                    return self.define(instruction, &[converted]);
                }
                match op {
                    Op::Trunc if to == Type::I1 => {
                        let low = self.narrowed(types::I8, x);
                        let one = self.builder.ins().iconst(types::I8, 1);
                        self.builder.ins().band(low, one)
                    }
                    Op::Trunc => self.narrowed(ty, x),
                    Op::Zext if from == Type::I1 => self.widened(ty, x),
                    Op::Zext => self.builder.ins().uextend(ty, x),
                    Op::Sext if from == Type::I1 => {
                        let bit = self.widened(ty, x);
                        self.builder.ins().ineg(bit)
                    }
                    Op::Sext => self.builder.ins().sextend(ty, x),
                    Op::StruncSat | Op::UtruncSat => self.truncate_saturating(op, ty, x),
                    Op::StruncTrap | Op::UtruncTrap => self.truncate_trapping(op, ty, x),
                    Op::Fpext => self.builder.ins().fpromote(ty, x),
                    Op::Fptrunc => self.builder.ins().fdemote(ty, x),
                    _ => return Err(self.misplaced(instruction)),
                }
            }
        };
        self.define(instruction, &[value])
    }

    fn truncate_saturating(
        &mut self,
        op: Op,
        ty: types::Type,
        x: machine::Value,
    ) -> machine::Value {
        let wide = self.builder.func.dfg.value_type(x);
        let largest = u128::MAX >> (128 - ty.bits());
        if op == Op::UtruncSat {
            let limit = self.scalar_constant(wide, largest);
            let x = self.clamp(IntCC::UnsignedLessThan, x, limit);
            return self.builder.ins().ireduce(ty, x);
        }
        let limit = self.scalar_constant(wide, largest >> 1);
        let x = self.clamp(IntCC::SignedLessThan, x, limit);
        let smallest = -((largest >> 1) as i128) - 1;
        let mask = u128::MAX >> (128 - wide.bits());
        let limit = self.scalar_constant(wide, smallest as u128 & mask);
        let x = self.clamp(IntCC::SignedGreaterThan, x, limit);
        self.builder.ins().ireduce(ty, x)
    }

    /// `x` where the condition holds for it and the limit, else the limit.
    pub(super) fn clamp(
        &mut self,
        condition: IntCC,
        x: machine::Value,
        limit: machine::Value,
    ) -> machine::Value {
        let inside = self.builder.ins().icmp(condition, x, limit);
        self.select(inside, x, limit)
    }

    fn truncate_trapping(&mut self, op: Op, ty: types::Type, x: machine::Value) -> machine::Value {
        let wide = self.builder.func.dfg.value_type(x);
        let low = self.builder.ins().ireduce(ty, x);
        let again = match op {
            Op::StruncTrap => self.builder.ins().sextend(wide, low),
            _ => self.builder.ins().uextend(wide, low),
        };
        let changed = self.builder.ins().icmp(IntCC::NotEqual, x, again);
        self.trap_if(changed, TrapCode::BadConversion);
        low
    }

    fn bitcast(&mut self, x: machine::Value, from: Type, to: Type) -> Emitted<machine::Value> {
        let x =
            if is_mask(from) && !is_mask(to) { self.mask_to_bits(x, mask_bits(from)) } else { x };
        let x_type = self.builder.func.dfg.value_type(x);
        let illegal = || Fault::illegal("a bitcast between these types is not legal");
        let ty = match is_mask(to) && !is_mask(from) {
            true => mask_bits(to),
            false => super::types::machine_type(to).ok_or_else(illegal)?,
        };
        if x_type.bits() != ty.bits() {
            return Err(illegal());
        }
        let x = self.recast(ty, x);
        match (is_mask(to) && !is_mask(from), super::types::machine_type(to)) {
            (true, Some(mask)) => Ok(self.bits_to_mask(x, mask)),
            _ => Ok(x),
        }
    }
}
