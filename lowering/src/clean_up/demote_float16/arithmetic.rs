//! What each op becomes in a wider format.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::formats::with_lane;
use super::is_float16;
use crate::pass::{Editor, PassResult};

/// So many lanes are computed at once that a vector of 64-bit lanes can hold them.
const MAX_LANES: u32 = 8;

impl Editor<'_, '_> {
    /// What `inst` gives, computed in a wider format.
    pub(super) fn in_wider_format(&mut self, inst: Inst) -> PassResult<Value> {
        let data = *self.body.inst(inst);
        let args: SmallVec<[Value; 3]> = self.body.args(inst).into();
        if data.op.info().theme == Theme::Vector {
            return self.reduced(&data, &args);
        }
        if data.ty.lanes() <= MAX_LANES {
            return self.computed(&data, &args);
        }
        self.in_parts(&data, &args)
    }

    /// Long vectors in several parts.
    fn in_parts(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let lanes = data.ty.lanes();
        let mut whole: Option<(Value, u32)> = None;
        let mut start = 0;
        while start < lanes {
            let count = MAX_LANES.min(lanes - start);
            let order: Vec<u32> = (start..start + count).collect();
            let args: SmallVec<[Value; 3]> =
                args.iter().map(|&arg| self.part(arg, count, &order)).collect();
            let ty = shorter(data.ty, count);
            let part = self.computed(&InstData { ty, ..*data }, &args)?;
            whole = Some(match whole {
                None => (part, count),
                Some((before, length)) => {
                    (self.joined(before, part, length, count), length + count)
                }
            });
            start += count;
        }
        Ok(whole.map_or(args[0], |(value, _)| value))
    }

    fn part(&mut self, vector: Value, count: u32, order: &[u32]) -> Value {
        let ty = self.body.value_type(vector);
        self.shuffle(shorter(ty, count), vector, vector, order)
    }

    /// Two vectors of different length, one behind the other.
    fn joined(&mut self, first: Value, second: Value, length: u32, count: u32) -> Value {
        let ty = self.body.value_type(first);
        // The operands of a shuffle are of one type.
        let padded: Vec<u32> = (0..length).map(|lane| lane.min(count - 1)).collect();
        let second = self.shuffle(ty, second, second, &padded);
        let order: Vec<u32> = (0..length + count).collect();
        self.shuffle(shorter(ty, length + count), first, second, &order)
    }

    fn computed(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let x = args[0];
        Ok(match data.op {
            Op::Fneg => self.on_bits(Op::Xor, x, 0x8000),
            Op::Fabs => self.on_bits(Op::And, x, 0x7fff),
            Op::Fcopysign => self.with_sign(x, args[1]),
            Op::Fma => self.fused(data, args)?,
            Op::Muladd => {
                let product = self.by_way_of_32_bits(Op::Fmul, data.ty, &args[..2])?;
                self.by_way_of_32_bits(Op::Fadd, data.ty, &[product, args[2]])?
            }
            Op::Fptrunc => self.narrowed(data.ty, x)?,
            Op::Fpext => self.widened(data.ty, x)?,
            Op::Sitofp | Op::Uitofp => self.integer_to_float(data, x)?,
            _ => match is_float16(data.ty) && data.op != Op::Fcmp {
                true => self.by_way_of_32_bits(data.op, data.ty, args)?,
                false => self.read_in_32_bits(data, args)?,
            },
        })
    }

    fn by_way_of_32_bits(&mut self, op: Op, ty: Type, args: &[Value]) -> PassResult<Value> {
        let wide = self.all_extended(args)?;
        let value = self.op(op, with_lane(ty, Scalar::F32), &wide);
        self.narrowed(ty, value)
    }

    fn all_extended(&mut self, args: &[Value]) -> PassResult<SmallVec<[Value; 3]>> {
        args.iter().map(|&arg| self.extended(arg)).collect()
    }

    /// Compares and conversions to integers, whose results are no floats.
    fn read_in_32_bits(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let wide = self.all_extended(args)?;
        let ty = if data.op == Op::Fcmp { with_lane(data.ty, Scalar::F32) } else { data.ty };
        Ok(self.op_like(data, ty, &wide))
    }

    fn widened(&mut self, ty: Type, value: Value) -> PassResult<Value> {
        let extended = self.extended(value)?;
        Ok(match ty.lane() {
            Some(Scalar::F64) => self.op(Op::Fpext, ty, &[extended]),
            _ => extended,
        })
    }

    /// A fused product and sum, each lane by the prelude.
    fn fused(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let lane = data.ty.lane_type();
        let bits: SmallVec<[Value; 3]> = args.iter().map(|&arg| self.bits(arg)).collect();
        let result = self.each_lane(with_lane(data.ty, Scalar::I16), &bits, |editor, args| {
            editor.prelude(Op::Fma, lane, lane, args)
        })?;
        Ok(self.op(Op::Bitcast, data.ty, &[result]))
    }

    fn bits(&mut self, value: Value) -> Value {
        let ty = with_lane(self.body.value_type(value), Scalar::I16);
        self.op(Op::Bitcast, ty, &[value])
    }

    /// Integers that 64 bits of a float hold exactly are rounded from there;
    /// others are the prelude's.
    fn integer_to_float(&mut self, data: &InstData, value: Value) -> PassResult<Value> {
        let from = self.body.value_type(value);
        if from.lane().map_or(0, Scalar::bits) < 64 {
            let float = self.op(data.op, with_lane(data.ty, Scalar::F64), &[value]);
            return self.narrowed(data.ty, float);
        }
        let (lane, ints) = (data.ty.lane_type(), with_lane(data.ty, Scalar::I16));
        let result = self.each_lane(ints, &[value], |editor, args| {
            editor.prelude(data.op, from.lane_type(), lane, args)
        })?;
        Ok(self.op(Op::Bitcast, data.ty, &[result]))
    }

    /// Floats of 16 bits in 32: scalars by the prelude, which keeps code small,
    /// registers in place, since lanes cost more than what is done to them.
    fn extended(&mut self, value: Value) -> PassResult<Value> {
        let ty = self.body.value_type(value);
        if ty.is_vector() {
            return Ok(self.extended_lanes(value));
        }
        let bits = self.bits(value);
        self.prelude(Op::Fpext, ty, Type::F32, &[bits])
    }

    /// Floats of 32 or 64 bits in a type of 16, rounded once.
    fn narrowed(&mut self, ty: Type, value: Value) -> PassResult<Value> {
        let from = self.body.value_type(value);
        if !ty.is_vector() {
            let bits = self.prelude(Op::Fptrunc, from, ty, &[value])?;
            return Ok(self.op(Op::Bitcast, ty, &[bits]));
        }
        let format = ty.lane().unwrap_or(Scalar::F16);
        Ok(match from.lane() {
            Some(Scalar::F64) => self.rounded_once(format, value),
            _ => self.rounded(format, value),
        })
    }

    /// The result for each lane of the operands, together.
    fn each_lane(
        &mut self,
        ty: Type,
        args: &[Value],
        mut compute: impl FnMut(&mut Self, &[Value]) -> PassResult<Value>,
    ) -> PassResult<Value> {
        if !ty.is_vector() {
            return compute(self, args);
        }
        let mut lanes = Vec::with_capacity(ty.lanes() as usize);
        for lane in 0..ty.lanes() {
            let args: SmallVec<[Value; 3]> =
                args.iter().map(|&arg| self.extract(arg, lane)).collect();
            lanes.push(compute(self, &args)?);
        }
        Ok(self.op(Op::MakeVector, ty, &lanes))
    }

    /// A reduction, one lane after the other, rounded after each.
    fn reduced(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let op = match data.op {
            Op::ReduceFadd => Op::Fadd,
            Op::ReduceFmul => Op::Fmul,
            Op::ReduceFmin => Op::Fmin,
            _ => Op::Fmax,
        };
        let (vector, start) = match *args {
            [start, vector] => (vector, Some(start)),
            _ => (args[0], None),
        };
        let lanes = self.body.value_type(vector).lanes();
        let lanes = (0..lanes).map(|lane| self.extract(vector, lane)).collect::<Vec<_>>();
        let mut values = start.into_iter().chain(lanes);
        let mut whole = values.next().unwrap_or(vector);
        for value in values {
            whole = self.by_way_of_32_bits(op, data.ty, &[whole, value])?;
        }
        Ok(whole)
    }
}

/// The vector of that many such lanes.
fn shorter(ty: Type, lanes: u32) -> Type {
    ty.lane().and_then(|lane| Type::vector(lane, lanes)).unwrap_or(ty)
}
