//! `getelementptr`.

use super::function::Translator;
use super::pieces::{PIECE, Pieces};
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
    /// Our address, or the numbers of a vector of them, in pieces if there are many.
    values: Pieces,
    vector: Option<Numbers>,
    /// Bytes still to be added.
    offset: i64,
    flags: InstFlags,
}

/// The numbers that a vector of addresses is computed with.
#[derive(Clone, Copy)]
struct Numbers {
    lanes: u32,
    /// The type of a piece.
    ty: Type,
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
            let numbers = sum.vector.map_or(Type::I64, |numbers| numbers.ty);
            let offset = self.number(numbers, offset as u64 as u128);
            self.add(&mut sum, &[offset])?;
        }
        let Some(numbers) = sum.vector else { return Ok(sum.values[0]) };
        let mut pieces: Pieces =
            sum.values.iter().map(|&number| self.address_of_bits(number)).collect();
        if numbers.lanes <= PIECE {
            return Ok(pieces[0]);
        }
        // One piece is all of them where no operand but splats has been added.
        let last = pieces[pieces.len() - 1];
        pieces.resize(numbers.lanes.div_ceil(PIECE) as usize, last);
        self.join(&pieces, numbers.lanes)
    }

    /// The base of the sum: a vector if any operand is one.
    fn begin_sum(&mut self, base: Typed, indices: &[Typed], flags: InstFlags) -> Parsed<Sum> {
        let value = self.value(base)?;
        let lanes = std::iter::once(&base).chain(indices).find_map(|operand| {
            match self.shared.type_data(operand.ty) {
                &TypeData::Vector { lanes, .. } => Some(lanes),
                _ => None,
            }
        });
        let Some(lanes) = lanes else {
            return Ok(Sum {
                values: Pieces::from_slice(&[value]),
                vector: None,
                offset: 0,
                flags,
            });
        };
        self.shared.charge(4 * u64::from(lanes.div_ceil(PIECE)), self.at)?;
        let ty = Type::vector(Scalar::I64, lanes.min(PIECE)).unwrap_or(Type::I64);
        let numbers = Numbers { lanes, ty };
        let mut values = self.spread(value, numbers);
        for value in &mut values {
            if self.body.value_type(*value).lane() != Some(Scalar::Ptr) {
                return Err(self.unsupported("a vector of addresses is one of plain pointers"));
            }
            let number = self.address_bits(*value);
            *value = self.in_each_lane(number, numbers);
        }
        Ok(Sum { values, vector: Some(numbers), offset: 0, flags })
    }

    /// The pieces of a vector; a value that all lanes have is its own only piece.
    fn spread(&mut self, value: Value, numbers: Numbers) -> Pieces {
        let ty = self.body.value_type(value);
        let is_whole = !ty.is_vector() && !ty.is_aggregate() || numbers.lanes <= PIECE;
        if is_whole { Pieces::from_slice(&[value]) } else { self.split(value) }
    }

    /// A number in every lane of a piece; a vector is that already.
    fn in_each_lane(&mut self, value: Value, numbers: Numbers) -> Value {
        match self.body.value_type(value).is_vector() {
            true => value,
            false => self.splat(numbers.ty, value),
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
        let carrier = self.pieced(index.ty)?.map_or(carrier, |pieced| pieced.piece);
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
        let values = match sum.vector {
            Some(numbers) => self.spread(index, numbers),
            None => Pieces::from_slice(&[index]),
        };
        let mut bytes = Pieces::new();
        for value in values {
            let carrier = Carrier { ty: self.body.value_type(value), ..carrier };
            let mut index = self.index_bits(carrier, value)?;
            if let Some(numbers) = sum.vector {
                index = self.in_each_lane(index, numbers);
            }
            if stride != 1 {
                let ty = self.body.value_type(index);
                let stride = self.number(ty, stride.into());
                index = self.op(Op::Mul, ty, &[index, stride]);
            }
            bytes.push(index);
        }
        self.add(sum, &bytes)
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

    /// Adds to each piece that many bytes, or all the same.
    fn add(&mut self, sum: &mut Sum, bytes: &[Value]) -> Parsed<()> {
        let Some(numbers) = sum.vector else {
            return self.add_to_address(sum, bytes[0]);
        };
        let pieces = std::mem::take(&mut sum.values);
        let count = pieces.len().max(bytes.len());
        let of = |values: &[Value], index: usize| values[index.min(values.len() - 1)];
        sum.values = (0..count)
            .map(|index| self.op(Op::Add, numbers.ty, &[of(&pieces, index), of(bytes, index)]))
            .collect();
        Ok(())
    }

    fn add_to_address(&mut self, sum: &mut Sum, bytes: Value) -> Parsed<()> {
        let (op, ty) = match self.body.value_type(sum.values[0]) {
            Type::PTR => (Op::PtrAdd, Type::PTR),
            Type::DERIVED => (Op::DerivedAdd, Type::DERIVED),
            other => {
                return Err(self.unsupported(format_args!(
                    "no number is added to a `{other}`: cast it to `ptr addrspace(11)` first"
                )));
            }
        };
        let payload = Payload::None;
        sum.values[0] = self.emit_one(op, Type::NONE, &[sum.values[0], bytes], payload, ty);
        if let Some(inst) = self.body.layout.last_inst(self.block) {
            self.body.inst_mut(inst).flags = sum.flags & op.info().flags;
        }
        Ok(())
    }
}
