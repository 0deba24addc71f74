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
            return Ok(self.reduced(&data, &args));
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
        let format = data.ty.lane().unwrap_or(Scalar::F16);
        let x = args[0];
        Ok(match data.op {
            Op::Fneg => self.on_bits(Op::Xor, x, 0x8000),
            Op::Fabs => self.on_bits(Op::And, x, 0x7fff),
            Op::Fcopysign => self.with_sign(x, args[1]),
            Op::Fma => self.fused(format, args)?,
            Op::Muladd => {
                let product = self.by_way_of_32_bits(Op::Fmul, data.ty, &args[..2]);
                self.by_way_of_32_bits(Op::Fadd, data.ty, &[product, args[2]])
            }
            Op::Fptrunc => self.narrowed(format, x),
            Op::Fpext => self.widened(data.ty, x),
            Op::Sitofp | Op::Uitofp => self.from_integer(data, x)?,
            _ => match is_float16(data.ty) && data.op != Op::Fcmp {
                true => self.by_way_of_32_bits(data.op, data.ty, args),
                false => self.read_in_32_bits(data, args),
            },
        })
    }

    fn by_way_of_32_bits(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        let wide: SmallVec<[Value; 3]> = args.iter().map(|&arg| self.extended(arg)).collect();
        let value = self.op(op, with_lane(ty, Scalar::F32), &wide);
        self.rounded(ty.lane().unwrap_or(Scalar::F16), value)
    }

    /// Compares and conversions to integers, whose results are no floats.
    fn read_in_32_bits(&mut self, data: &InstData, args: &[Value]) -> Value {
        let wide: SmallVec<[Value; 2]> = args.iter().map(|&arg| self.extended(arg)).collect();
        let ty = if data.op == Op::Fcmp { with_lane(data.ty, Scalar::F32) } else { data.ty };
        self.op_like(data, ty, &wide)
    }

    fn narrowed(&mut self, format: Scalar, value: Value) -> Value {
        match self.body.value_type(value).lane() {
            Some(Scalar::F64) => self.rounded_once(format, value),
            _ => self.rounded(format, value),
        }
    }

    fn widened(&mut self, ty: Type, value: Value) -> Value {
        let extended = self.extended(value);
        match ty.lane() {
            Some(Scalar::F64) => self.op(Op::Fpext, ty, &[extended]),
            _ => extended,
        }
    }

    /// In 64 bits the product is exact. So is the sum of `f16`, wherever that
    /// matters: what is cut off a sum of numbers so far apart is too little to
    /// turn what lies between two numbers of 11 digits.
    fn fused(&mut self, format: Scalar, args: &[Value]) -> PassResult<Value> {
        let wide = with_lane(self.body.value_type(args[0]), Scalar::F64);
        let args: SmallVec<[Value; 3]> = args.iter().map(|&arg| self.widened(wide, arg)).collect();
        let sum = match format {
            Scalar::F16 => {
                let product = self.op(Op::Fmul, wide, &args[..2]);
                self.op(Op::Fadd, wide, &[product, args[2]])
            }
            _ => self.each_lane(wide, &args, |editor, args| {
                editor.call_prelude("brolga.fma_to_odd", args)
            })?,
        };
        Ok(self.rounded_once(format, sum))
    }

    /// Integers that the wider float holds exactly, or that are too large for
    /// the narrow one anyway; others are rounded to odd first.
    fn from_integer(&mut self, data: &InstData, value: Value) -> PassResult<Value> {
        let from = self.body.value_type(value);
        let format = data.ty.lane().unwrap_or(Scalar::F16);
        let bits = from.lane().map_or(0, Scalar::bits);
        let wide = with_lane(data.ty, Scalar::F64);
        let float = match format == Scalar::Bf16 && bits >= 64 {
            false => self.op(data.op, wide, &[value]),
            true => self.each_lane(wide, &[value], |editor, args| {
                let extend = if data.op == Op::Sitofp { Op::Sext } else { Op::Zext };
                let integer = match bits {
                    128 => args[0],
                    _ => editor.op(extend, Type::I128, args),
                };
                editor.call_prelude(&format!("brolga.{}_to_odd", data.op), &[integer])
            })?,
        };
        Ok(self.rounded_once(format, float))
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
    fn reduced(&mut self, data: &InstData, args: &[Value]) -> Value {
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
            whole = self.by_way_of_32_bits(op, data.ty, &[whole, value]);
        }
        whole
    }
}

/// The vector of that many such lanes.
fn shorter(ty: Type, lanes: u32) -> Type {
    ty.lane().and_then(|lane| Type::vector(lane, lanes)).unwrap_or(ty)
}
