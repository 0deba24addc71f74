//! From instructions to the code that emits them.

use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::{InstBuilder, types};

use super::family::Family;
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use crate::runtime::RecordField;
use crate::target::Feature;

impl<'a> Emitter<'a> {
    /// Emits one instruction.
    pub(super) fn emit_instruction(&mut self, instruction: Instruction<'a>) -> Emitted {
        match Family::of(instruction.data.op) {
            Family::Integer => self.integer_arithmetic(instruction),
            Family::Division => self.division(instruction),
            Family::Overflow => self.overflow(instruction),
            Family::Bits => self.bits(instruction),
            Family::Shift => self.shift(instruction),
            Family::Comparison => self.comparison(instruction),
            Family::Float => self.float_arithmetic(instruction),
            Family::Conversion => self.conversion(instruction),
            Family::FloatConversion => self.float_conversion(instruction),
            Family::Memory => self.memory(instruction),
            Family::Atomic => self.atomic(instruction),
            Family::Entity => self.entity(instruction),
            Family::Lanes => self.lanes(instruction),
            Family::Reduction => self.reduction(instruction),
            Family::Call => self.call(instruction),
            Family::Control => self.control(instruction),
            Family::Exit => self.exit(instruction),
            Family::Known => self.known(instruction),
            Family::Expanded => Err(Fault::illegal("the legaliser expands it on every target")),
            Family::Front => Err(Fault::illegal("the first stage rewrites it")),
            Family::Managed => Err(Fault::unsupported("managed ops are not compiled yet")),
        }
    }

    /// An instruction whose op and payload do not go together.
    pub(super) fn misplaced(&self, instruction: Instruction<'_>) -> Fault {
        Fault::illegal(format!("`{}` has another form", instruction.data.op))
    }

    fn exit(&mut self, instruction: Instruction<'a>) -> Emitted {
        match (instruction.data.op, instruction.data.payload) {
            (Op::Trap, Payload::Trap(code)) => self.trap(code),
            (Op::Unreachable, _) => self.trap(TrapCode::Unreachable),
            (Op::Check, _) => return self.check(instruction),
            (Op::Poll, _) => self.poll(),
            (Op::Throw, _) => return self.throw(instruction),
            (Op::CurrentException, _) => {
                let exception = self.load_record(RecordField::CurrentException);
                return self.define(instruction, &[exception]);
            }
            _ => return Err(self.misplaced(instruction)),
        }
        Ok(())
    }

    fn known(&mut self, instruction: Instruction<'a>) -> Emitted {
        let holds = match (instruction.data.op, instruction.data.payload) {
            (Op::LoopMark, _) => return Ok(()),
            (Op::Opaque, _) => {
                let value = self.arg(instruction, 0)?;
                return self.define(instruction, &[value]);
            }
            (Op::CpuHas, Payload::Feature(feature)) => {
                let spec = self.isa.spec();
                let feature = Feature::from_name(spec.architecture(), self.module.string(feature));
                feature.is_ok_and(|feature| spec.has(feature))
            }
            _ => self.has_fma(),
        };
        let value = self.builder.ins().iconst(types::I8, i64::from(holds));
        self.define(instruction, &[value])
    }
}
