//! Operands: values that were emitted, and constants, made where they are used.

use brolga_ir::constant::{Constant, ConstantBits};
use brolga_ir::entity::{PackedOption, Value};
use brolga_ir::types::{Scalar, Type};
use cranelift_codegen::ir::{self as machine, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::types::machine_type;
use crate::level::BackEnd;

fn undefined(value: Value) -> Fault {
    Fault::illegal(format!("{value} is used but not defined before"))
}

/// So many values are looked for: a search in a long block must not take longer than the
/// value does.
const RECENT: usize = 8;

/// What was made last in the block that is being emitted, of what can be made anywhere.
#[derive(Debug, Default)]
pub(super) struct Recent {
    block: Option<machine::Block>,
    made: [Option<(Value, machine::Value)>; RECENT],
    next: usize,
}

impl Emitter<'_> {
    /// The value, for use here.
    pub(super) fn value(&mut self, value: Value) -> Emitted<machine::Value> {
        if let Some(known) = self.values[value].expand() {
            return Ok(known);
        }
        if self.options.back_end() == BackEnd::Quick {
            return self.made_here(value);
        }
        match self.body.as_constant(value) {
            // Made anew for each use: the back end computes no value again to
            // save a register, and a constant is only worth one in a loop (see
            // `steady`).
            Some(constant) => self.constant(constant),
            None => Err(undefined(value)),
        }
    }

    /// The operand of that index.
    pub(super) fn arg(
        &mut self,
        instruction: Instruction<'_>,
        index: usize,
    ) -> Emitted<machine::Value> {
        match instruction.args.get(index) {
            Some(&value) => self.value(value),
            None => Err(Fault::illegal(format!("operand {index} is missing"))),
        }
    }

    /// Two operands.
    pub(super) fn two(
        &mut self,
        instruction: Instruction<'_>,
    ) -> Emitted<(machine::Value, machine::Value)> {
        Ok((self.arg(instruction, 0)?, self.arg(instruction, 1)?))
    }

    /// The second operand, of an op whose instruction holds a small constant itself: one value
    /// for all such ops of a block, which is less for the back end to look at than one for each,
    /// and takes no register.
    pub(super) fn second(&mut self, instruction: Instruction<'_>) -> Emitted<machine::Value> {
        match instruction.args.get(1) {
            Some(&value) if self.is_immediate(value) => self.made_here(value),
            _ => self.arg(instruction, 1),
        }
    }

    /// Whether a value is a number that instructions hold: in 32 bits, which are extended.
    fn is_immediate(&self, value: Value) -> bool {
        let constant = self.body.as_constant(value);
        let Some((constant, lane)) = constant.and_then(|it| Some((it, it.ty().as_scalar()?)))
        else {
            return false;
        };
        match (constant.bits(), lane.bits()) {
            (ConstantBits::Scalar(bits), 64) => {
                lane.is_int() && i32::try_from(*bits as i64).is_ok()
            }
            (ConstantBits::Scalar(_), width) => lane.is_int() && width < 64,
            _ => false,
        }
    }

    /// The type of an operand.
    pub(super) fn arg_type(&self, instruction: Instruction<'_>, index: usize) -> Type {
        instruction.args.get(index).map_or(Type::NONE, |&value| self.body.value_type(value))
    }

    /// The bits of an operand that is a scalar constant.
    pub(super) fn arg_constant(&self, instruction: Instruction<'_>, index: usize) -> Option<u128> {
        self.body.as_scalar_constant(*instruction.args.get(index)?)
    }

    /// Several values.
    pub(super) fn values_of(&mut self, values: &[Value]) -> Emitted<Vec<machine::Value>> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    /// Says what the results of an instruction are.
    pub(super) fn define(
        &mut self,
        instruction: Instruction<'_>,
        values: &[machine::Value],
    ) -> Emitted {
        if instruction.results.len() != values.len() {
            let (has, wants) = (instruction.results.len(), values.len());
            return Err(Fault::illegal(format!("it has {has} results where the op gives {wants}")));
        }
        for (&result, &value) in instruction.results.iter().zip(values) {
            // The back end's verifier runs in tests only, and a value of
            // another type than its uses expect would be a miscompilation.
            if self.machine_type_of(result)? != self.builder.func.dfg.value_type(value) {
                return Err(Fault::illegal(format!(
                    "{result} is not of the type that the op gives"
                )));
            }
            self.values[result] = PackedOption::from(value);
        }
        Ok(())
    }

    /// The back end's type of the suffix.
    pub(super) fn suffix(&self, instruction: Instruction<'_>) -> Emitted<types::Type> {
        let ty = instruction.data.ty;
        machine_type(ty).ok_or_else(|| {
            Fault::illegal(format!("type {} is not legal", self.module.types.display(ty)))
        })
    }

    /// A constant, or an address that was left to its uses, made once in a block: most are
    /// operands that instructions hold themselves, and one value is less for the back end to
    /// look at than several.
    fn made_here(&mut self, value: Value) -> Emitted<machine::Value> {
        let block = self.builder.current_block();
        if self.recent.block != block {
            self.recent = Recent { block, ..Recent::default() };
        }
        let mut known = self.recent.made.iter().flatten();
        if let Some(&(_, made)) = known.find(|(known, _)| *known == value) {
            return Ok(made);
        }
        let made = match (self.displaced[value], self.body.as_constant(value)) {
            (Some(of), _) => self.displaced_address(of)?,
            (None, Some(constant)) => self.constant(constant)?,
            (None, None) => return Err(undefined(value)),
        };
        self.recent.made[self.recent.next] = Some((value, made));
        self.recent.next = (self.recent.next + 1) % RECENT;
        Ok(made)
    }

    fn constant(&mut self, constant: &Constant) -> Emitted<machine::Value> {
        let ty = constant.ty();
        let machine = machine_type(ty).ok_or_else(|| {
            Fault::illegal(format!(
                "a constant of type {} is not legal",
                self.module.types.display(ty)
            ))
        })?;
        match constant.bits() {
            ConstantBits::Scalar(bits) => Ok(self.scalar_constant(machine, *bits)),
            ConstantBits::Lanes(lanes) => Ok(self.lanes_constant(ty, machine, lanes)),
            ConstantBits::Zero => Err(Fault::illegal("an aggregate constant is not legal")),
        }
    }

    fn lanes_constant(&mut self, ty: Type, machine: types::Type, lanes: &[u128]) -> machine::Value {
        let lane_bytes = machine.lane_type().bytes() as usize;
        let mask = ty.lane() == Some(Scalar::I1);
        let mut bytes = [0; 16];
        for (place, &lane) in bytes.chunks_exact_mut(lane_bytes).zip(lanes) {
            let lane = if mask && lane & 1 == 1 { u128::MAX } else { lane };
            place.copy_from_slice(&lane.to_le_bytes()[..lane_bytes]);
        }
        self.vector_constant(machine, bytes)
    }
}
