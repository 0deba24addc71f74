//! Shuffles between vectors in legal form.

use brolga_ir::instruction::{Payload, ZERO_LANE};
use cranelift_codegen::ir::{self as machine, Immediate, InstBuilder, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use crate::target::{MachineType, Order, Primitive, Support, is_plain, support};

impl<'a> Emitter<'a> {
    /// `shuffle`: of masks it may change the number of lanes, and so their width.
    pub(super) fn shuffle(
        &mut self,
        instruction: Instruction<'a>,
        ty: types::Type,
    ) -> Emitted<machine::Value> {
        let Payload::Immediates(list) = instruction.data.payload else {
            return Err(self.misplaced(instruction));
        };
        let body = self.body;
        let lanes = body.immediates(list);
        let (x, y) = self.two(instruction)?;
        let from = self.builder.func.dfg.value_type(x);
        let limit = 2 * from.lane_count();
        let inside = |&lane: &u32| lane == ZERO_LANE || lane < limit;
        if lanes.len() != ty.lane_count() as usize || !lanes.iter().all(inside) {
            return Err(Fault::illegal("it names lanes that are not there"));
        }
        if from != ty {
            return Ok(self.shuffle_mask(ty, from, [x, y], lanes));
        }
        if let Some(spread) = self.spread(ty, [x, y], lanes) {
            return Ok(spread);
        }
        Ok(self.shuffle_any(ty, [x, y], lanes))
    }

    /// By an instruction for that order, or for any, or lane by lane.
    fn shuffle_any(
        &mut self,
        ty: types::Type,
        [x, y]: [machine::Value; 2],
        lanes: &[u32],
    ) -> machine::Value {
        let count = ty.lane_count();
        let is_used = |of: u32| lanes.iter().any(|&lane| lane != ZERO_LANE && lane / count == of);
        // The back end does with one instruction what takes lanes of the same register only.
        let operands = match (is_used(0), is_used(1)) {
            (false, true) => [y, y],
            (true, false) => [x, x],
            _ => [x, y],
        };
        let is_plain =
            !lanes.contains(&ZERO_LANE) && is_plain(self.isa.spec(), &bytes_of(ty, lanes));
        match is_plain || self.shuffles_bytes() {
            true => self.shuffle_bytes(ty, operands, lanes),
            false => self.shuffle_lanes(ty, operands, lanes),
        }
    }

    /// Half of the lanes of an operand with a zero behind each: numbers become twice as wide.
    fn spread(
        &mut self,
        ty: types::Type,
        operands: [machine::Value; 2],
        lanes: &[u32],
    ) -> Option<machine::Value> {
        let count = ty.lane_count();
        let &first = lanes.first().filter(|&&first| first != ZERO_LANE)?;
        let is_spread = |(lane, place): (&u32, u32)| match place % 2 {
            0 => *lane == first + place / 2,
            _ => *lane == ZERO_LANE,
        };
        let (operand, start) = (operands[(first / count) as usize], first % count);
        if count < 4 || !lanes.iter().zip(0..).all(is_spread) || start % (count / 2) != 0 {
            return None;
        }
        let narrow = self.recast(ty.as_int(), operand);
        let wide = match start {
            0 => self.builder.ins().uwiden_low(narrow),
            _ => self.builder.ins().uwiden_high(narrow),
        };
        Some(self.recast(ty, wide))
    }

    fn shuffles_bytes(&self) -> bool {
        let bytes = MachineType::I8x16;
        support(self.isa.spec(), Primitive::Shuffle, bytes, bytes) == Support::Native
    }

    fn shuffle_bytes(
        &mut self,
        ty: types::Type,
        [x, y]: [machine::Value; 2],
        lanes: &[u32],
    ) -> machine::Value {
        let order = bytes_of(ty, lanes);
        let (x, y) = (self.recast(types::I8X16, x), self.recast(types::I8X16, y));
        let order: Immediate = self.builder.func.dfg.immediates.push(order.as_slice().into());
        let mut shuffled = self.builder.ins().shuffle(x, y, order);
        if lanes.contains(&ZERO_LANE) {
            let bytes = ty.lane_type().bytes() as usize;
            let is_kept = |byte: usize| lanes[byte / bytes] != ZERO_LANE;
            let kept = std::array::from_fn(|byte| if is_kept(byte) { 0xff } else { 0 });
            let kept = self.vector_constant(types::I8X16, kept);
            shuffled = self.builder.ins().band(shuffled, kept);
        }
        self.recast(ty, shuffled)
    }

    fn shuffle_lanes(
        &mut self,
        ty: types::Type,
        operands: [machine::Value; 2],
        lanes: &[u32],
    ) -> machine::Value {
        let mut vector = self.vector_constant(ty, [0; 16]);
        for (index, &lane) in lanes.iter().enumerate() {
            if lane == ZERO_LANE {
                continue;
            }
            let count = ty.lane_count();
            let operand = operands[(lane / count) as usize];
            let taken = self.builder.ins().extractlane(operand, (lane % count) as u8);
            vector = self.builder.ins().insertlane(vector, taken, index as u8);
        }
        vector
    }

    /// A mask of other lanes than its operands: halves and wholes at once,
    /// anything else lane by lane.
    fn shuffle_mask(
        &mut self,
        ty: types::Type,
        from: types::Type,
        [x, y]: [machine::Value; 2],
        lanes: &[u32],
    ) -> machine::Value {
        let count = from.lane_count();
        let starts_at = |start: u32| lanes.iter().zip(start..).all(|(&lane, index)| lane == index);
        let half = ty.lane_count() * 2 == count;
        if half && starts_at(0) {
            return self.builder.ins().swiden_low(x);
        }
        if half && starts_at(count / 2) {
            return self.builder.ins().swiden_high(x);
        }
        if half && starts_at(count) {
            return self.builder.ins().swiden_low(y);
        }
        if half && starts_at(count + count / 2) {
            return self.builder.ins().swiden_high(y);
        }
        if ty.lane_count() == 2 * count && starts_at(0) {
            return self.join_masks(ty, from, [x, y]);
        }
        let mut vector = self.vector_constant(ty, [0; 16]);
        for (index, &lane) in lanes.iter().enumerate() {
            if lane == ZERO_LANE {
                continue;
            }
            let operand = if lane < count { x } else { y };
            let taken = self.builder.ins().extractlane(operand, (lane % count) as u8);
            let taken = self.resized(ty.lane_type(), taken);
            vector = self.builder.ins().insertlane(vector, taken, index as u8);
        }
        vector
    }

    /// The lanes of two masks behind each other. Lanes of 0 and -1 survive
    /// saturation; of 64 bits, which not every target narrows, the lower half
    /// says it all.
    fn join_masks(
        &mut self,
        ty: types::Type,
        from: types::Type,
        [x, y]: [machine::Value; 2],
    ) -> machine::Value {
        if from != types::I64X2 {
            return self.builder.ins().snarrow(x, y);
        }
        let (x, y) = (self.recast(ty, x), self.recast(ty, y));
        self.shuffle_any(ty, [x, y], &[0, 2, 4, 6])
    }

    /// A lane of a mask in another width.
    fn resized(&mut self, ty: types::Type, lane: machine::Value) -> machine::Value {
        match self.builder.func.dfg.value_type(lane).bits() < ty.bits() {
            true => self.builder.ins().sextend(ty, lane),
            false => self.narrowed(ty, lane),
        }
    }
}

/// The bytes that lanes are of; any for zeros.
fn bytes_of(ty: types::Type, lanes: &[u32]) -> Order {
    let bytes = ty.lane_type().bytes() as usize;
    std::array::from_fn(|byte| match lanes.get(byte / bytes) {
        Some(&lane) if lane != ZERO_LANE => (lane as usize * bytes + byte % bytes) as u8,
        _ => 0,
    })
}
