//! Addresses at a constant distance from another one, where code is made quickly: accesses
//! hold the distance themselves, and what else asks for such an address makes it there, as it
//! would a constant.

use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::verify::MAX_FRAME_SIZE;
use cranelift_codegen::ir as machine;

use super::fault::Emitted;
use super::function::{Emitter, Instruction};
use crate::level::BackEnd;

/// A value, and so many bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Displacement {
    base: Value,
    bytes: i32,
}

impl Displacement {
    /// So many bytes further, if an access can hold that.
    fn further(self, bytes: i32) -> Option<Displacement> {
        let bytes = self.bytes.checked_add(bytes)?;
        let is_near = u64::from(bytes.unsigned_abs()) <= MAX_FRAME_SIZE;
        is_near.then_some(Displacement { bytes, ..self })
    }
}

impl Emitter<'_> {
    /// Leaves a sum of an address and a constant to what uses it. `false` if that cannot be.
    pub(super) fn displace(&mut self, instruction: Instruction<'_>) -> bool {
        if self.options.back_end() != BackEnd::Quick || instruction.data.op != Op::PtrAdd {
            return false;
        }
        let (&[base, _], &[sum]) = (instruction.args, instruction.results) else { return false };
        let bytes = self.arg_constant(instruction, 1).map(|bits| bits as u64 as i64);
        let bytes = bytes.and_then(|bytes| i32::try_from(bytes).ok());
        let from = self.displaced[base].unwrap_or(Displacement { base, bytes: 0 });
        let found = bytes.and_then(|bytes| from.further(bytes));
        if found.is_some() {
            self.displaced[sum] = found;
        }
        found.is_some()
    }

    /// The address that an access at `offset` from an operand goes by, and the offset from it.
    pub(super) fn address(
        &mut self,
        instruction: Instruction<'_>,
        index: usize,
        offset: i32,
    ) -> Emitted<(machine::Value, i32)> {
        let of = instruction.args.get(index).and_then(|&value| self.displaced[value]);
        match of.and_then(|of| of.further(offset)) {
            Some(Displacement { base, bytes }) => Ok((self.value(base)?, bytes)),
            None => Ok((self.arg(instruction, index)?, offset)),
        }
    }

    /// An address of those left out, made here.
    pub(super) fn displaced_address(&mut self, of: Displacement) -> Emitted<machine::Value> {
        let base = self.value(of.base)?;
        Ok(self.further(base, of.bytes.into()))
    }
}
