//! From instructions to the code that emits them.

use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;

use super::family::Family;
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::values::Recent;
use crate::runtime::RecordField;
use crate::target::{MachineType, Primitive, Shape, Support, support};

impl<'a> Emitter<'a> {
    /// Emits one instruction.
    pub(super) fn emit_instruction(&mut self, instruction: Instruction<'a>) -> Emitted {
        self.require(instruction)?;
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
            Family::Stack => self.stack(instruction),
            Family::Atomic => self.atomic(instruction),
            Family::Entity => self.entity(instruction),
            Family::Lanes => self.lanes(instruction),
            Family::Reduction => self.reduction(instruction),
            Family::Call => {
                self.call(instruction)?;
                // A call leaves no register as it was, and one that returns twice no place of
                // the back end's choice.
                self.recent = Recent::default();
                Ok(())
            }
            Family::Control => self.control(instruction),
            Family::Exit => self.exit(instruction),
            Family::Hint => self.hint(instruction),
            Family::Expanded => Err(Fault::illegal("the legaliser expands it on every target")),
            Family::Front => Err(Fault::illegal("an earlier pass rewrites it")),
            Family::Managed => Err(Fault::unsupported("managed ops are not compiled yet")),
        }
    }

    /// Whether the back end does what the op needs, or emission expands it.
    fn require(&mut self, instruction: Instruction<'a>) -> Emitted {
        let Some(primitive) = Primitive::of_op(instruction.data.op) else { return Ok(()) };
        let to = instruction.data.ty;
        let from = match primitive.shape() {
            Shape::Convert => self.arg_type(instruction, 0),
            _ => to,
        };
        let module = self.module;
        let display = |ty| module.types.display(ty);
        let (Some(from_machine), Some(to_machine)) =
            (MachineType::computing(from), MachineType::computing(to))
        else {
            let (from, to) = (display(from), display(to));
            return Err(Fault::illegal(format!("{from} to {to} is not legal")));
        };
        match support(self.isa.spec(), primitive, from_machine, to_machine) {
            support if support.is_emitted() => Ok(()),
            Support::Expand(expansion) => Err(Fault::illegal(format!(
                "the target wants it expanded at {} ({expansion:?})",
                display(to)
            ))),
            _ => Err(Fault::illegal(format!("no target has it at {}", display(to)))),
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

    fn hint(&mut self, instruction: Instruction<'a>) -> Emitted {
        match instruction.data.op {
            Op::LoopMark | Op::Assume => Ok(()),
            Op::Opaque => {
                let value = self.arg(instruction, 0)?;
                self.define(instruction, &[value])
            }
            _ => Err(self.misplaced(instruction)),
        }
    }
}
