//! Vectors, structs and arrays as values.

use super::function::Translator;
use super::types::Carrier;
use crate::entity::Value;
use crate::instruction::{Payload, ZERO_LANE};
use crate::llvm::syntax::{
    ConstantData, ConstantId, Instruction, List, Operand, TypeData, TypeId, Typed,
};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// Vectors.
impl Translator<'_, '_> {
    /// The value of a vector, and its carrier.
    fn vector(&mut self, vector: Typed) -> Parsed<(Value, Type)> {
        let value = self.value(vector)?;
        Ok((value, self.body.value_type(value)))
    }

    /// The lane of that index. Where there is none, LLVM gives poison, which
    /// a program may have and not look at: here it is some lane.
    pub(super) fn extract_element(&mut self, vector: Typed, index: Typed) -> Parsed<Value> {
        let (value, carrier) = self.vector(vector)?;
        let lanes = self.lane_count(vector.ty);
        let index = self.lane_index(index, lanes)?;
        if self.pieced(vector.ty)?.is_some() {
            return Ok(self.pieced_lane(value, index));
        }
        let payload = Payload::None;
        let lane = carrier.lane_type();
        Ok(self.emit_one(Op::ExtractLane, carrier, &[value, index], payload, lane))
    }

    /// The vector with the lane of that index replaced.
    pub(super) fn insert_element(
        &mut self,
        vector: Typed,
        lane: Typed,
        index: Typed,
    ) -> Parsed<Value> {
        let (value, carrier) = self.vector(vector)?;
        let lane = self.value(lane)?;
        let lanes = self.lane_count(vector.ty);
        let index = self.lane_index(index, lanes)?;
        if self.pieced(vector.ty)?.is_some() {
            return Ok(self.with_pieced_lane(value, lane, index));
        }
        Ok(self.op(Op::InsertLane, carrier, &[value, lane, index]))
    }

    /// The number of a lane that is there.
    fn lane_index(&mut self, index: Typed, lanes: u32) -> Parsed<Value> {
        let last = u128::from(lanes - 1);
        if let Some(bits) = self.as_number(index.value) {
            return Ok(self.number(Type::I64, bits.min(last)));
        }
        if self.shared.carrier(index.ty, self.at)?.is_wide() {
            return Err(self.unsupported("the index has more than 128 bits"));
        }
        let index = self.value(index)?;
        let index = self.resized(index, Carrier { ty: Type::I64, bits: 0 });
        let last = self.number(Type::I64, last);
        Ok(self.op(Op::Umin, Type::I64, &[index, last]))
    }

    /// The lanes that a constant mask names of two vectors.
    pub(super) fn shuffle(&mut self, left: Typed, right: Operand, mask: Typed) -> Parsed<Value> {
        let (first, carrier) = self.vector(left)?;
        let second = self.operand(right)?;
        let (from, count) = (self.lane_count(left.ty), self.lane_count(mask.ty));
        self.shared.charge(u64::from(count / 16), self.at)?;
        let lanes = self.shuffled_lanes(mask, count as usize)?;
        let outside = |&&lane: &&u32| lane != ZERO_LANE && lane >= from.saturating_mul(2);
        if let Some(lane) = lanes.iter().find(outside) {
            return Err(self.invalid(format_args!("there is no lane {lane}")));
        }
        let result = carrier.lane().and_then(|lane| Type::vector(lane, count));
        let Some(result) = result.filter(|_| carrier.is_vector()) else {
            self.shared.charge(u64::from(count.max(from)), self.at)?;
            return self.shuffle_pieces([first, second], from, &lanes);
        };
        let payload = Payload::Immediates(self.body.immediate_list(&lanes));
        Ok(self.emit_one(Op::Shuffle, result, &[first, second], payload, result))
    }

    /// How many lanes a vector type has; any other type is one.
    pub(super) fn lane_count(&self, ty: TypeId) -> u32 {
        match *self.shared.type_data(ty) {
            TypeData::Vector { lanes, .. } => lanes,
            _ => 1,
        }
    }

    /// The numbers of a constant mask; a lane that is not said is zero.
    fn shuffled_lanes(&mut self, mask: Typed, count: usize) -> Parsed<Vec<u32>> {
        let lanes = match mask.value {
            Operand::Constant(id) => self.mask_lanes(id, count),
            Operand::Local(_) => None,
        };
        match lanes.filter(|lanes| lanes.len() == count) {
            Some(lanes) => Ok(lanes),
            None => Err(self.invalid("the mask is no constant vector of numbers")),
        }
    }

    fn mask_lanes(&self, id: ConstantId, count: usize) -> Option<Vec<u32>> {
        let lane = |id: ConstantId| match self.constant_of(id).data {
            ConstantData::Undef | ConstantData::Poison => Some(ZERO_LANE),
            _ => u32::try_from(self.number_of(id)?).ok(),
        };
        match &self.constant_of(id).data {
            ConstantData::Aggregate(parts) => parts.iter().map(|&part| lane(part)).collect(),
            ConstantData::Numbers(parts) => {
                parts.iter().map(|&part| u32::try_from(part).ok()).collect()
            }
            ConstantData::Splat(part) => Some(vec![lane(*part)?; count]),
            _ => Some(vec![lane(id)?; count]),
        }
    }
}

/// Structs and arrays.
impl<'a> Translator<'a, '_> {
    fn path(&self, path: &List) -> &'a [u32] {
        let function = self.function;
        &function.indices[path.start as usize..path.end as usize]
    }

    /// The part of an aggregate that a path leads to.
    pub(super) fn extract_value(
        &mut self,
        inst: &Instruction,
        aggregate: Typed,
        path: &List,
    ) -> Parsed<()> {
        let value = self.value(aggregate)?;
        let (ours, result) = (self.body.value_type(value), self.result_type(inst)?);
        let payload = Payload::Immediates(self.body.immediate_list(self.path(path)));
        let value = self.emit_one(Op::ExtractValue, ours, &[value], payload, result);
        self.define(inst.result, value);
        Ok(())
    }

    /// An aggregate with the part that a path leads to replaced.
    pub(super) fn insert_value(
        &mut self,
        inst: &Instruction,
        aggregate: Typed,
        part: Typed,
        path: &List,
    ) -> Parsed<()> {
        let (value, part) = (self.value(aggregate)?, self.value(part)?);
        let ours = self.body.value_type(value);
        let payload = Payload::Immediates(self.body.immediate_list(self.path(path)));
        let value = self.emit_one(Op::InsertValue, ours, &[value, part], payload, ours);
        self.define(inst.result, value);
        Ok(())
    }
}
