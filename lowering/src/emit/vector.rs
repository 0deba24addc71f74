//! Vectors and masks.

use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, InstBuilder, StackSlotData, StackSlotKind, types};

use super::code::Code;
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::memory::aligned;
use super::types::is_mask;

impl Code<'_> {
    /// The bits of a mask, lane 0 lowest, zero above its lanes.
    pub(super) fn mask_to_bits(&mut self, mask: machine::Value, ty: types::Type) -> machine::Value {
        self.builder.ins().vhigh_bits(ty, mask)
    }

    /// The mask of type `ty` whose lane n is bit n.
    pub(super) fn bits_to_mask(&mut self, bits: machine::Value, ty: types::Type) -> machine::Value {
        let lane = ty.lane_type();
        let spread = if ty == types::I8X16 {
            let low = self.builder.ins().ireduce(types::I8, bits);
            let eight = self.builder.ins().iconst(types::I32, 8);
            let high = self.builder.ins().ushr(bits, eight);
            let high = self.builder.ins().ireduce(types::I8, high);
            let (low, high) =
                (self.builder.ins().splat(ty, low), self.builder.ins().splat(ty, high));
            let upper = std::array::from_fn(|lane| if lane < 8 { 0 } else { 0xff });
            let upper = self.vector_constant(ty, upper);
            self.builder.ins().bitselect(upper, high, low)
        } else {
            let bits = self.widened(lane, bits);
            self.builder.ins().splat(ty, bits)
        };
        let step = lane.bytes() as usize;
        let mut places = [0; 16];
        for index in 0..16 / step {
            places[index * step] = 1 << (index % 8);
        }
        let places = self.vector_constant(ty, places);
        let set = self.builder.ins().band(spread, places);
        self.builder.ins().icmp(IntCC::Equal, set, places)
    }
}

impl<'a> Emitter<'a> {
    /// Building vectors and taking them apart.
    pub(super) fn lanes(&mut self, instruction: Instruction<'a>) -> Emitted {
        let ty = self.suffix(instruction)?;
        let mask = is_mask(instruction.data.ty);
        let value = match instruction.data.op {
            Op::Splat => {
                let lane = self.arg(instruction, 0)?;
                let lane = if mask { self.truth_to_lane(ty, lane) } else { lane };
                self.builder.ins().splat(ty, lane)
            }
            Op::MakeVector => {
                let mut vector = self.vector_constant(ty, [0; 16]);
                for index in 0..ty.lane_count() as usize {
                    let lane = self.arg(instruction, index)?;
                    let lane = if mask { self.truth_to_lane(ty, lane) } else { lane };
                    vector = self.builder.ins().insertlane(vector, lane, index as u8);
                }
                vector
            }
            Op::ExtractLane => {
                let vector = self.arg(instruction, 0)?;
                let lane = self.extract_lane(instruction, ty, vector)?;
                if mask { self.lane_to_truth(lane) } else { lane }
            }
            Op::InsertLane => {
                let (vector, lane) = self.two(instruction)?;
                let lane = if mask { self.truth_to_lane(ty, lane) } else { lane };
                self.insert_lane(instruction, ty, vector, lane)?
            }
            Op::Shuffle => self.shuffle(instruction, ty)?,
            _ => return Err(self.misplaced(instruction)),
        };
        self.define(instruction, &[value])
    }

    /// The lane of a mask for a truth value.
    fn truth_to_lane(&mut self, ty: types::Type, truth: machine::Value) -> machine::Value {
        let wide = self.widened(ty.lane_type(), truth);
        self.builder.ins().ineg(wide)
    }

    fn lane_to_truth(&mut self, lane: machine::Value) -> machine::Value {
        let low = self.narrowed(types::I8, lane);
        let one = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().band(low, one)
    }

    fn extract_lane(
        &mut self,
        instruction: Instruction<'a>,
        ty: types::Type,
        vector: machine::Value,
    ) -> Emitted<machine::Value> {
        if let Some(index) = self.constant_lane(instruction, 1, ty) {
            return Ok(self.builder.ins().extractlane(vector, index));
        }
        let (slot, offset) = self.lane_in_memory(instruction, 1, ty, vector)?;
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        let address = self.builder.ins().iadd(address, offset);
        Ok(self.builder.ins().load(ty.lane_type(), aligned(), address, 0))
    }

    fn insert_lane(
        &mut self,
        instruction: Instruction<'a>,
        ty: types::Type,
        vector: machine::Value,
        lane: machine::Value,
    ) -> Emitted<machine::Value> {
        if let Some(index) = self.constant_lane(instruction, 2, ty) {
            return Ok(self.builder.ins().insertlane(vector, lane, index));
        }
        let (slot, offset) = self.lane_in_memory(instruction, 2, ty, vector)?;
        let base = self.builder.ins().stack_addr(types::I64, slot, 0);
        let address = self.builder.ins().iadd(base, offset);
        self.builder.ins().store(aligned(), lane, address, 0);
        Ok(self.builder.ins().load(ty, aligned(), base, 0))
    }

    /// The index of a lane, if it is a constant inside.
    fn constant_lane(
        &self,
        instruction: Instruction<'a>,
        operand: usize,
        ty: types::Type,
    ) -> Option<u8> {
        let index = self.arg_constant(instruction, operand)?;
        (index < u128::from(ty.lane_count())).then_some(index as u8)
    }

    /// The vector in memory, and where in it the lane is, whose index was checked.
    fn lane_in_memory(
        &mut self,
        instruction: Instruction<'a>,
        operand: usize,
        ty: types::Type,
        vector: machine::Value,
    ) -> Emitted<(machine::StackSlot, machine::Value)> {
        let index = self.arg(instruction, operand)?;
        let lanes = self.builder.ins().iconst(types::I64, i64::from(ty.lane_count()));
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, lanes);
        self.trap_unless(inside, TrapCode::Bounds);
        let slot = match self.vector_slot {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 4);
                self.builder.create_sized_stack_slot(data)
            }
        };
        self.vector_slot = Some(slot);
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        self.builder.ins().store(aligned(), vector, address, 0);
        let shift = i64::from(ty.lane_type().bytes().trailing_zeros());
        let shift = self.builder.ins().iconst(types::I32, shift);
        Ok((slot, self.builder.ins().ishl(index, shift)))
    }

    /// Reductions: of masks at once, of other vectors by halves.
    pub(super) fn reduction(&mut self, instruction: Instruction<'a>) -> Emitted {
        let vector = self.arg(instruction, 0)?;
        let from = self.arg_type(instruction, 0);
        let value = match (instruction.data.op, is_mask(from)) {
            (Op::ReduceAnd, true) => self.builder.ins().vall_true(vector),
            (Op::ReduceOr, true) => self.builder.ins().vany_true(vector),
            (Op::ReduceXor, true) => {
                let bits = self.mask_to_bits(vector, super::memory::mask_bits(from));
                let count = self.builder.ins().popcnt(bits);
                self.lane_to_truth(count)
            }
            (op, _) => self.reduce_lanes(op, vector)?,
        };
        self.define(instruction, &[value])
    }

    /// Extracts all lanes and combines them pairwise.
    fn reduce_lanes(&mut self, op: Op, vector: machine::Value) -> Emitted<machine::Value> {
        let ty = self.builder.func.dfg.value_type(vector);
        let mut lanes: Vec<_> = (0..ty.lane_count())
            .map(|index| self.builder.ins().extractlane(vector, index as u8))
            .collect();
        while lanes.len() > 1 {
            let mut combined = Vec::with_capacity(lanes.len() / 2);
            for pair in lanes.chunks(2) {
                combined.push(self.combine(op, pair[0], pair[1])?);
            }
            lanes = combined;
        }
        Ok(lanes[0])
    }

    fn combine(&mut self, op: Op, x: machine::Value, y: machine::Value) -> Emitted<machine::Value> {
        let ins = self.builder.ins();
        Ok(match op {
            Op::ReduceAdd => ins.iadd(x, y),
            Op::ReduceMul => ins.imul(x, y),
            Op::ReduceAnd => ins.band(x, y),
            Op::ReduceOr => ins.bor(x, y),
            Op::ReduceXor => ins.bxor(x, y),
            Op::ReduceSmin => ins.smin(x, y),
            Op::ReduceSmax => ins.smax(x, y),
            Op::ReduceUmin => ins.umin(x, y),
            Op::ReduceUmax => ins.umax(x, y),
            _ => return Err(Fault::illegal("it is no reduction")),
        })
    }
}
