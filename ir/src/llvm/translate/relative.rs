//! Tables of addresses relative to themselves.
//!
//! LLVM turns tables of addresses into tables of distances of 32 bits, which it reads by
//! `llvm.load.relative` alone. Ours hold the addresses again, at twice the offset.

use super::data::{Image, Initialisers};
use super::function::Translator;
use super::{Resolved, Shared};
use crate::entity::{DataId, Value};
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{
    BinaryOp, CastOp, Constant, ConstantData, ConstantId, GlobalId, Operand, TypeData, Typed,
};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// The address of which an entry is the distance from `table`.
fn entry_of(constants: &[Constant<'_>], entry: ConstantId, table: GlobalId) -> Option<ConstantId> {
    let data = |id: ConstantId| constants.get(id.index()).map(|constant| &constant.data);
    let &ConstantData::Cast { op: CastOp::Trunc, value } = data(entry)? else { return None };
    let &ConstantData::Binary { op: BinaryOp::Sub, left, right } = data(value)? else {
        return None;
    };
    let address = |id| match data(id)? {
        &ConstantData::Cast { op: CastOp::PtrToInt, value } => Some(value),
        _ => None,
    };
    let base = data(address(right)?)?;
    matches!(base, ConstantData::Global(global) if *global == table).then(|| address(left))?
}

/// The addresses of a table of distances from itself.
fn entries_of(
    constants: &[Constant<'_>],
    initializer: ConstantId,
    table: GlobalId,
) -> Option<Vec<ConstantId>> {
    match &constants.get(initializer.index())?.data {
        ConstantData::Aggregate(entries) => {
            entries.iter().map(|&entry| entry_of(constants, entry, table)).collect()
        }
        _ => None,
    }
}

impl Shared<'_> {
    /// How many addresses a table of distances has; none for another global.
    pub(super) fn relative_length(&self, id: GlobalId, initializer: ConstantId) -> Option<u64> {
        let constant = self.syntax.constants.get(initializer.index())?;
        let &TypeData::Array { element, .. } = self.type_data(constant.ty) else { return None };
        let distances = matches!(self.type_data(element), TypeData::Integer(32));
        let entries = entries_of(&self.syntax.constants, initializer, id).filter(|_| distances)?;
        Some(entries.len() as u64)
    }
}

impl Initialisers<'_, '_> {
    /// Writes the addresses of a table of distances.
    pub(super) fn write_relative(
        &mut self,
        image: &mut Image,
        id: GlobalId,
        initializer: ConstantId,
    ) -> Parsed<()> {
        for entry in entries_of(self.constants, initializer, id).unwrap_or_default() {
            let at = self.constants[entry.index()].at;
            let folded = self.fold(entry)?;
            match folded.base {
                Some(symbol) => self.write_address(image, symbol, folded.bits, at)?,
                None => image.put(&folded.bits.to_le_bytes()[..8]),
            }
        }
        Ok(())
    }
}

impl Translator<'_, '_> {
    /// The address that `llvm.load.relative` finds at an offset of a table of distances.
    pub(super) fn load_relative(&mut self, table: Typed, offset: Typed) -> Parsed<Value> {
        let Some(data) = self.relative_table(table.value) else {
            return Err(self.unsupported("`llvm.load.relative` reads no table of known distances"));
        };
        let base = self.emit_one(Op::DataAddr, Type::NONE, &[], Payload::Data(data), Type::PTR);
        let offset = self.value(offset)?;
        let offset = match self.body.value_type(offset) {
            Type::I64 => offset,
            Type::I32 => self.op(Op::Sext, Type::I64, &[offset]),
            _ => return Err(self.invalid("the offset is no `i32` or `i64`")),
        };
        let offset = self.op(Op::Add, Type::I64, &[offset, offset]);
        let args = [base, offset];
        let address = self.emit_one(Op::PtrAdd, Type::NONE, &args, Payload::None, Type::PTR);
        let payload = Payload::Access(Access::default());
        Ok(self.emit_one(Op::Load, Type::PTR, &[address], payload, Type::PTR))
    }

    fn relative_table(&self, operand: Operand) -> Option<DataId> {
        let Operand::Constant(id) = operand else { return None };
        let &ConstantData::Global(global) = &self.constant_of(id).data else { return None };
        match self.shared.symbols.get(global.index()) {
            Some(&Some(Resolved::Relative(data))) => Some(data),
            _ => None,
        }
    }
}
