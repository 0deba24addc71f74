//! Conversions of lanes.
//!
//! The width of lanes changes by factors of two: shuffles bring lanes to their
//! places, with zeros between, and shifts spread their signs. Floats convert
//! from and to integers of their own width, and others by way of these, where
//! that rounds no more than once; else lane by lane.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, ZERO_LANE};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::Work;
use super::bitcast::register;
use super::legality::{is_by_bits, is_supported};
use super::masks::is_mask;
use crate::pass::{PassResult, Pieces};

/// The integer of that many bits.
fn integer(bits: u32) -> Scalar {
    match bits {
        8 => Scalar::I8,
        16 => Scalar::I16,
        32 => Scalar::I32,
        64 => Scalar::I64,
        _ => Scalar::I128,
    }
}

fn lane_bits(ty: Type) -> u32 {
    ty.lane().map_or(8, Scalar::bits)
}

/// Registers of integers, and how many of their lanes count.
#[derive(Clone)]
struct Lanes {
    pieces: Pieces,
    bits: u32,
    count: u32,
}

impl Work<'_, '_> {
    /// Integers of another width.
    pub(super) fn resize(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let value = self.editor.body.args(inst)[0];
        let from = self.editor.body.value_type(value);
        let pieces = if is_mask(from) {
            self.widen_mask(&data, value)?
        } else if lane_bits(from) == 128 || lane_bits(data.ty) == 128 {
            self.convert_lanes(&data, value)?
        } else {
            let lanes =
                Lanes { pieces: self.pieces(value), bits: lane_bits(from), count: from.lanes() };
            match data.op {
                Op::Zext | Op::Sext => self.widen(lanes, data.op, lane_bits(data.ty)).pieces,
                _ if is_mask(data.ty) => self.low_bits(&lanes),
                Op::Trunc => self.narrow(lanes, lane_bits(data.ty)).pieces,
                op => {
                    let held = self.clamp(&lanes, op, lane_bits(data.ty));
                    self.narrow(held, lane_bits(data.ty)).pieces
                }
            }
        };
        self.define_result(inst, pieces);
        Ok(())
    }

    /// A conversion, lane by lane.
    fn convert_lanes(&mut self, data: &InstData, value: Value) -> PassResult<Pieces> {
        self.lane_by_lane(data.ty, &[value], |work, args| {
            let from = work.editor.body.value_type(args[0]);
            let to = data.ty.lane_type();
            work.editor.legal_conversion(data, from, to, args[0])
        })
    }

    /// 1 or -1 where a mask is true, 0 elsewhere.
    fn widen_mask(&mut self, data: &InstData, mask: Value) -> PassResult<Pieces> {
        let held = self.held_types(data.ty);
        if held.iter().any(|ty| !ty.is_vector()) {
            return self.convert_lanes(data, mask);
        }
        let set = if data.op == Op::Zext { 1 } else { u128::MAX };
        let width = held[0].lanes();
        let masks = self.mask(mask, width);
        let widen = |(&ty, &mask): (&Type, &Value)| {
            let (set, unset) = (self.editor.constant(ty, set), self.editor.zero(ty));
            self.editor.op(Op::VecSelect, ty, &[mask, set, unset])
        };
        Ok(held.iter().zip(&masks).map(widen).collect())
    }

    /// The mask of the lowest bits.
    fn low_bits(&mut self, lanes: &Lanes) -> Pieces {
        let ty = register(integer(lanes.bits));
        let test = |&piece: &Value| {
            let (one, zero) = (self.editor.constant(ty, 1), self.editor.zero(ty));
            let bit = self.editor.op(Op::And, ty, &[piece, one]);
            self.editor.icmp(brolga_ir::attribute::IntCond::Ne, ty, bit, zero)
        };
        lanes.pieces.iter().map(test).collect()
    }

    /// Doubles the width of lanes until they have `bits`.
    fn widen(&mut self, mut lanes: Lanes, op: Op, bits: u32) -> Lanes {
        while lanes.bits < bits {
            let (narrow, wide) = (register(integer(lanes.bits)), register(integer(2 * lanes.bits)));
            let width = narrow.lanes();
            let mut pieces = Pieces::new();
            for &piece in &lanes.pieces {
                for start in [0, width / 2] {
                    let place = |index: u32| match (index % 2 == 1) == (op == Op::Sext) {
                        true => start + index / 2,
                        false => ZERO_LANE,
                    };
                    let order: Vec<u32> = (0..width).map(place).collect();
                    let spread = self.editor.shuffle(narrow, piece, piece, &order);
                    let spread = self.editor.op(Op::Bitcast, wide, &[spread]);
                    pieces.push(match op {
                        Op::Sext => self.editor.shift_all(Op::Ashr, wide, spread, lanes.bits),
                        _ => spread,
                    });
                }
            }
            lanes = self.trimmed(Lanes { pieces, bits: 2 * lanes.bits, ..lanes });
        }
        lanes
    }

    /// Halves the width of lanes until they have `bits`.
    fn narrow(&mut self, mut lanes: Lanes, bits: u32) -> Lanes {
        while lanes.bits > bits {
            let narrow = register(integer(lanes.bits / 2));
            let order: Vec<u32> = (0..narrow.lanes()).map(|index| 2 * index).collect();
            let mut pieces = Pieces::new();
            for pair in lanes.pieces.chunks(2) {
                let first = self.editor.op(Op::Bitcast, narrow, &[pair[0]]);
                let second = match pair.get(1) {
                    Some(&second) => self.editor.op(Op::Bitcast, narrow, &[second]),
                    None => self.editor.zero(narrow),
                };
                pieces.push(self.editor.shuffle(narrow, first, second, &order));
            }
            lanes = self.trimmed(Lanes { pieces, bits: lanes.bits / 2, ..lanes });
        }
        lanes
    }

    /// Without the registers none of whose lanes count.
    fn trimmed(&self, mut lanes: Lanes) -> Lanes {
        lanes.pieces.truncate((lanes.count * lanes.bits).div_ceil(128) as usize);
        lanes
    }

    /// Lanes held inside the range of integers of `bits`.
    fn clamp(&mut self, lanes: &Lanes, op: Op, bits: u32) -> Lanes {
        let ty = register(integer(lanes.bits));
        let largest = u128::MAX >> (128 - bits);
        let clamp = |&piece: &Value| {
            if op == Op::UtruncSat {
                let limit = self.editor.constant(ty, largest);
                return self.editor.op(Op::Umin, ty, &[piece, limit]);
            }
            let limit = self.editor.constant(ty, largest >> 1);
            let below = self.editor.op(Op::Smin, ty, &[piece, limit]);
            let limit = self.editor.constant(ty, !(largest >> 1));
            self.editor.op(Op::Smax, ty, &[below, limit])
        };
        Lanes { pieces: lanes.pieces.iter().map(clamp).collect(), ..*lanes }
    }

    /// Conversions that floats take part in.
    pub(super) fn convert(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let value = self.editor.body.args(inst)[0];
        let from = self.editor.body.value_type(value);
        let pieces = match data.op {
            Op::Sitofp | Op::Uitofp => self.float_from_int(&data, value, from)?,
            Op::FptosiSat | Op::FptouiSat => self.int_from_float(&data, value, from)?,
            _ => self.convert_lanes(&data, value)?,
        };
        self.define_result(inst, pieces);
        Ok(())
    }

    /// Integers no wider than the float become as wide first, which rounds nothing.
    fn float_from_int(&mut self, data: &InstData, value: Value, from: Type) -> PassResult<Pieces> {
        let bits = lane_bits(data.ty);
        let (ints, floats) =
            (register(integer(bits)), register(data.ty.lane().unwrap_or(Scalar::F64)));
        let supported = is_supported(self.editor.context.target, data.op, ints, floats);
        let is_by_bits = is_by_bits(self.editor.context.target, data.op, floats);
        if lane_bits(from) > bits || !(supported || is_by_bits) {
            return self.convert_lanes(data, value);
        }
        let is_small = self.is_small(value);
        let lanes =
            Lanes { pieces: self.pieces(value), bits: lane_bits(from), count: from.lanes() };
        let op = if data.op == Op::Sitofp { Op::Sext } else { Op::Zext };
        let wide = self.widen(lanes, op, bits);
        let convert = |&piece: &Value| match (supported, is_small) {
            (true, _) => self.editor.op_like(data, floats, &[piece]),
            (false, true) => self.editor.floats_of_small(piece),
            (false, false) => self.editor.floats_of_any(data.op, piece),
        };
        Ok(wide.pieces.iter().map(convert).collect())
    }

    /// Into integers as wide as the float, then held inside the narrower ones.
    fn int_from_float(&mut self, data: &InstData, value: Value, from: Type) -> PassResult<Pieces> {
        let bits = lane_bits(from);
        let (ints, floats) =
            (register(integer(bits)), register(from.lane().unwrap_or(Scalar::F64)));
        let supported = is_supported(self.editor.context.target, data.op, floats, ints);
        if lane_bits(data.ty) > bits || !supported {
            return self.convert_lanes(data, value);
        }
        let pieces = self.pieces(value);
        let pieces =
            pieces.iter().map(|&piece| self.editor.op_like(data, ints, &[piece])).collect();
        let lanes = Lanes { pieces, bits, count: from.lanes() };
        let op = if data.op == Op::FptosiSat { Op::StruncSat } else { Op::UtruncSat };
        let narrow = lane_bits(data.ty);
        let held = if narrow < bits { self.clamp(&lanes, op, narrow) } else { lanes };
        Ok(self.narrow(held, narrow).pieces)
    }
}
