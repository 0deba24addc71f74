//! Float arithmetic.

use brolga_ir::attribute::InstFlags;
use brolga_ir::op::Op;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self as machine, InstBuilder, types};

use super::fault::Emitted;
use super::function::{Emitter, Instruction};
use crate::target::TargetFacts;

impl<'a> Emitter<'a> {
    /// Arithmetic on scalars and vectors of 32 and 64 bits.
    pub(super) fn float_arithmetic(&mut self, instruction: Instruction<'a>) -> Emitted {
        let ty = self.suffix(instruction)?;
        let x = self.arg(instruction, 0)?;
        let op = instruction.data.op;
        let value = match op {
            Op::Fneg => self.builder.ins().fneg(x),
            Op::Fabs => self.builder.ins().fabs(x),
            Op::Fsqrt => self.builder.ins().sqrt(x),
            Op::Ffloor => self.builder.ins().floor(x),
            Op::Fceil => self.builder.ins().ceil(x),
            Op::Ftrunc => self.builder.ins().trunc(x),
            Op::Fnearest => self.builder.ins().nearest(x),
            _ => {
                let y = self.arg(instruction, 1)?;
                self.float_binary(instruction, ty, x, y)?
            }
        };
        self.define(instruction, &[value])
    }

    fn float_binary(
        &mut self,
        instruction: Instruction<'a>,
        ty: types::Type,
        x: machine::Value,
        y: machine::Value,
    ) -> Emitted<machine::Value> {
        Ok(match instruction.data.op {
            Op::Fadd => self.builder.ins().fadd(x, y),
            Op::Fsub => self.builder.ins().fsub(x, y),
            Op::Fmul => self.builder.ins().fmul(x, y),
            Op::Fdiv => self.builder.ins().fdiv(x, y),
            Op::Fmin => self.builder.ins().fmin(x, y),
            Op::Fmax => self.builder.ins().fmax(x, y),
            Op::FminNum | Op::FmaxNum => self.number_extremum(instruction.data.op, x, y),
            Op::Fcopysign => self.copy_sign(ty, x, y),
            Op::Fma => {
                let z = self.arg(instruction, 2)?;
                self.builder.ins().fma(x, y, z)
            }
            Op::Muladd => {
                let z = self.arg(instruction, 2)?;
                let fuses = self.isa.spec().fuses(instruction.data.ty);
                if fuses && instruction.data.flags.contains(InstFlags::CONTRACT) {
                    return Ok(self.builder.ins().fma(x, y, z));
                }
                let product = self.builder.ins().fmul(x, y);
                self.builder.ins().fadd(product, z)
            }
            _ => return Err(self.misplaced(instruction)),
        })
    }

    /// The smaller or larger number, whichever operand is one.
    fn number_extremum(&mut self, op: Op, x: machine::Value, y: machine::Value) -> machine::Value {
        let both = match op {
            Op::FminNum => self.builder.ins().fmin(x, y),
            _ => self.builder.ins().fmax(x, y),
        };
        let x_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, x, x);
        let y_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, y, y);
        if self.builder.func.dfg.value_type(x).is_vector() {
            let known = self.select_lanes(y_is_nan, x, both);
            return self.select_lanes(x_is_nan, y, known);
        }
        let known = self.select(y_is_nan, x, both);
        self.select(x_is_nan, y, known)
    }

    fn copy_sign(
        &mut self,
        ty: types::Type,
        x: machine::Value,
        y: machine::Value,
    ) -> machine::Value {
        if !ty.is_vector() {
            return self.builder.ins().fcopysign(x, y);
        }
        let bytes = ty.lane_type().bytes() as usize;
        let mut sign = [0; 16];
        sign.iter_mut().skip(bytes - 1).step_by(bytes).for_each(|byte| *byte = 0x80);
        let sign = self.vector_constant(ty, sign);
        self.builder.ins().bitselect(sign, y, x)
    }
}
