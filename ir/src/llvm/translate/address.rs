//! `getelementptr`.

use super::function::Translator;
use super::types::Carrier;
use crate::attribute::InstFlags;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{TypeData, TypeId, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

/// An address that is being put together.
struct Sum {
    /// Our address, or the numbers of a vector of them.
    value: Value,
    /// The vector of numbers that is computed with; none for one address.
    lanes: Option<Type>,
    /// Bytes still to be added.
    offset: i64,
    flags: InstFlags,
}

impl Translator<'_, '_> {
    /// The address that the indices lead to.
    pub(super) fn element_pointer(
        &mut self,
        element: TypeId,
        base: Typed,
        indices: &[Typed],
        flags: InstFlags,
    ) -> Parsed<Value> {
        let mut sum = self.begin_sum(base, indices, flags)?;
        let mut place = element;
        for (depth, &index) in indices.iter().enumerate() {
            if depth == 0 {
                let stride = self.shared.room(element, self.at)?.stride();
                self.add_index(&mut sum, index, stride)?;
                continue;
            }
            let (inner, is_struct) = match self.shared.type_data(place) {
                &TypeData::Array { element, .. } | &TypeData::Vector { element, .. } => {
                    (element, false)
                }
                TypeData::Struct { .. } => (place, true),
                _ => return Err(self.invalid("the indices lead into something without parts")),
            };
            if is_struct {
                place = self.add_field(&mut sum, place, index)?;
            } else {
                let stride = self.shared.room(inner, self.at)?.stride();
                self.add_index(&mut sum, index, stride)?;
                place = inner;
            }
        }
        let offset = std::mem::take(&mut sum.offset);
        if offset != 0 {
            let numbers = sum.lanes.unwrap_or(Type::I64);
            let offset = self.number(numbers, offset as u64 as u128);
            self.add(&mut sum, offset)?;
        }
        Ok(if sum.lanes.is_some() { self.address_of_bits(sum.value) } else { sum.value })
    }

    /// The base of the sum: a vector if any operand is one.
    fn begin_sum(&mut self, base: Typed, indices: &[Typed], flags: InstFlags) -> Parsed<Sum> {
        for operand in std::iter::once(&base).chain(indices) {
            self.refuse_pieces(*operand)?;
        }
        let value = self.value(base)?;
        let carrier = self.body.value_type(value);
        let sum = Sum { value, lanes: None, offset: 0, flags };
        let is_vector = |operand: &Typed| self.is_vector(operand.ty);
        if !is_vector(&base) && !indices.iter().any(is_vector) {
            return Ok(sum);
        }
        let lanes = std::iter::once(&base).chain(indices).find_map(|operand| {
            match self.shared.type_data(operand.ty) {
                &TypeData::Vector { lanes, .. } => Some(lanes),
                _ => None,
            }
        });
        let lanes = lanes.unwrap_or(1);
        let numbers = Type::vector(Scalar::I64, lanes);
        let Some(numbers) = numbers.filter(|_| carrier.lane() == Some(Scalar::Ptr)) else {
            return Err(self.unsupported("`getelementptr` has vectors of at most 8 plain pointers"));
        };
        let number = self.address_bits(value);
        let value = self.spread(number, numbers);
        Ok(Sum { value, lanes: Some(numbers), ..sum })
    }

    /// A number in every lane; a vector is that already.
    fn spread(&mut self, value: Value, vector: Type) -> Value {
        match self.body.value_type(value).is_vector() {
            true => value,
            false => self.splat(vector, value),
        }
    }

    /// Adds the offset of a field, and gives its type.
    fn add_field(&mut self, sum: &mut Sum, ty: TypeId, index: Typed) -> Parsed<TypeId> {
        self.shared.room(ty, self.at)?;
        let index = self.as_number(index.value).map_or(0, |bits| bits as usize);
        let (field, offset) = self.part(ty, index)?;
        sum.offset = sum.offset.wrapping_add(offset as i64);
        Ok(field)
    }

    fn add_index(&mut self, sum: &mut Sum, index: Typed, stride: u64) -> Parsed<()> {
        let carrier = self.shared.carrier(index.ty, self.at)?;
        if carrier.is_wide() {
            return Err(self.unsupported("an index has more than 128 bits"));
        }
        if let Some(bits) = self.as_number(index.value) {
            let shift = 128 - carrier.width();
            let index = ((bits << shift) as i128 >> shift) as i64;
            sum.offset = sum.offset.wrapping_add(index.wrapping_mul(stride as i64));
            return Ok(());
        }
        let index = self.value(index)?;
        let mut index = self.index_bits(carrier, index)?;
        if let Some(numbers) = sum.lanes {
            index = self.spread(index, numbers);
        }
        if stride != 1 {
            let ty = self.body.value_type(index);
            let stride = self.number(ty, stride.into());
            index = self.op(Op::Mul, ty, &[index, stride]);
        }
        self.add(sum, index)
    }

    /// An index as a signed number of 64 bits, or a vector of them.
    fn index_bits(&mut self, carrier: Carrier, index: Value) -> Parsed<Value> {
        let Some(numbers) = carrier.ty.with_lane(Scalar::I64) else {
            return Err(self.unsupported("`getelementptr` has vectors of at most 8 indices"));
        };
        let index = self.sign_extended(carrier, index);
        let width = carrier.ty.lane().map_or(0, Scalar::bits);
        Ok(match width.cmp(&64) {
            std::cmp::Ordering::Less => self.op(Op::Sext, numbers, &[index]),
            std::cmp::Ordering::Equal => index,
            std::cmp::Ordering::Greater => self.op(Op::Trunc, numbers, &[index]),
        })
    }

    fn add(&mut self, sum: &mut Sum, bytes: Value) -> Parsed<()> {
        if let Some(numbers) = sum.lanes {
            sum.value = self.op(Op::Add, numbers, &[sum.value, bytes]);
            return Ok(());
        }
        let (op, ty) = match self.body.value_type(sum.value) {
            Type::PTR => (Op::PtrAdd, Type::PTR),
            Type::DERIVED => (Op::DerivedAdd, Type::DERIVED),
            other => {
                return Err(self.unsupported(format_args!(
                    "no number is added to a `{other}`: cast it to `ptr addrspace(11)` first"
                )));
            }
        };
        let payload = Payload::None;
        sum.value = self.emit_one(op, Type::NONE, &[sum.value, bytes], payload, ty);
        if let Some(inst) = self.body.layout.last_inst(self.block) {
            self.body.inst_mut(inst).flags = sum.flags & op.info().flags;
        }
        Ok(())
    }
}
