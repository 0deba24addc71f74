//! All that passes ask of a target: what it is and has, what may be emitted for it, as the
//! legality table says, and to see what pays, how much a register holds, how many there are,
//! and what ops cost. Of the last only estimates stand here, which go by that table.

use std::fmt;

use brolga_ir::op::{Op, Theme};
use brolga_ir::types::{Scalar, Type};

use super::legality::{Expansion, Support, support};
use super::{Architecture, Feature, MachineType, Primitive, TargetSpec};

/// A kind of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bank {
    /// Integers and addresses.
    Integer,
    /// Floats and vectors.
    Vector,
}

/// The cache that loads ask first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cache {
    /// Bytes of a line, which is what it takes from memory at once.
    pub line: u32,
    /// How many places there are for lines, a power of two: where a line goes, is the number of it
    /// modulo that.
    pub sets: u32,
    /// How many lines a place holds.
    pub ways: u32,
}

impl Cache {
    /// How many lines it holds of those that are so many bytes apart: where that is whole lines,
    /// these come to some of the places only.
    pub fn lines_apart(&self, bytes: u64) -> u64 {
        let (line, sets) = (u64::from(self.line.max(1)), u64::from(self.sets));
        let skipped = match bytes.is_multiple_of(line) {
            true => (bytes / line).trailing_zeros().min(sets.trailing_zeros()),
            false => 0,
        };
        (sets >> skipped.min(63)) * u64::from(self.ways)
    }
}

/// Facts about a target. Costs are numbers of instructions, as a processor counts them that
/// starts [`width`](TargetFacts::width) of them in a cycle.
pub trait TargetFacts: fmt::Debug {
    /// The instruction set.
    fn architecture(&self) -> Architecture;

    /// Whether code may use a feature.
    fn has(&self, feature: Feature) -> bool;

    /// What the back end does about a primitive from operands of a type to results of another.
    fn support(&self, primitive: Primitive, from: MachineType, to: MachineType) -> Support;

    /// The bits of a vector register.
    fn vector_bits(&self) -> u32;

    /// How many registers of a kind code may hold values in.
    fn registers(&self, bank: Bank) -> u32;

    /// How many instructions start in a cycle.
    fn width(&self) -> u32;

    /// The cache that loads ask first.
    fn cache(&self) -> Cache;

    /// After how many cycles the result of an op is there.
    fn latency(&self, op: Op, ty: Type) -> u32;

    /// How many instructions an op takes that gives `to` for operands of `from`; of those
    /// that do not convert, the two are the same.
    fn cost(&self, op: Op, from: Type, to: Type) -> u32;

    /// How many instructions a load or store of that type takes.
    fn access_cost(&self, ty: Type) -> u32;

    /// How many instructions it takes to bring lanes of vectors into an order that is known.
    fn shuffle_cost(&self, ty: Type) -> u32;

    /// The same, into that order: of the lanes of two vectors of that type, counted through
    /// both.
    fn order_cost(&self, ty: Type, order: &[u32]) -> u32 {
        let lanes = ty.lanes().max(1) as usize;
        self.shuffle_cost(ty) * order.len().div_ceil(lanes) as u32
    }

    /// Whether `fma` of that type is one instruction. Floats that the back end merely carries,
    /// as the integers of their bits, have none.
    fn fuses(&self, ty: Type) -> bool {
        let carried = matches!(ty.lane(), Some(Scalar::F16 | Scalar::Bf16));
        let machine = MachineType::of(ty).filter(|_| !carried);
        machine.is_some_and(|ty| self.support(Primitive::Fma, ty, ty) == Support::Native)
    }

    /// How many vector registers a value of that type takes, or how many others.
    fn registers_of(&self, ty: Type) -> u32 {
        let bits = match ty.lane() {
            // Masks are as wide as what is compared, which is mostly of 32 bits.
            Some(Scalar::I1) if ty.is_vector() => 32 * ty.lanes(),
            Some(lane) => lane.bits() * ty.lanes(),
            None => 64,
        };
        bits.div_ceil(self.vector_bits()).max(1)
    }
}

impl TargetFacts for TargetSpec {
    fn architecture(&self) -> Architecture {
        TargetSpec::architecture(self)
    }

    fn has(&self, feature: Feature) -> bool {
        TargetSpec::has(self, feature)
    }

    fn support(&self, primitive: Primitive, from: MachineType, to: MachineType) -> Support {
        support(self, primitive, from, to)
    }

    fn vector_bits(&self) -> u32 {
        128
    }

    fn registers(&self, bank: Bank) -> u32 {
        match (self.architecture(), bank) {
            // Without the stack pointer, the frame pointer and the thread record.
            (Architecture::X86_64, Bank::Integer) => 13,
            (Architecture::X86_64, Bank::Vector) => 16,
            (Architecture::Aarch64, Bank::Integer) => 26,
            (Architecture::Aarch64, Bank::Vector) => 32,
        }
    }

    fn width(&self) -> u32 {
        4
    }

    fn cache(&self) -> Cache {
        // What the smallest have of the processors in use.
        Cache { line: 64, sets: 64, ways: 8 }
    }

    fn latency(&self, op: Op, ty: Type) -> u32 {
        match op {
            Op::Fadd | Op::Fsub | Op::Fmul | Op::Fma | Op::Muladd => 4,
            Op::Fdiv | Op::Fsqrt => 12,
            // Compares and blends, one behind the other.
            Op::Fmin | Op::Fmax | Op::FminNum | Op::FmaxNum => 6,
            Op::Mul if ty.lane().is_some_and(|lane| lane.bits() == 64) && ty.is_vector() => 9,
            Op::Mul => 4,
            _ => 1,
        }
    }

    fn cost(&self, op: Op, from: Type, to: Type) -> u32 {
        if !from.is_vector() && !to.is_vector() {
            return scalar_cost(op);
        }
        match op.info().theme {
            Theme::Convert => conversion_cost(self, op, from, to),
            // Anything is chosen in the width of what is compared or chosen.
            _ => self.registers_of(to) * register_cost(self, op, to),
        }
    }

    fn access_cost(&self, ty: Type) -> u32 {
        let lane = ty.lane().map_or(64, Scalar::bits);
        let bits = lane * ty.lanes();
        let (whole, rest) = (bits / 128, bits % 128);
        match rest {
            _ if !ty.is_vector() => 1,
            0 => whole,
            // The pieces of a register are loaded and put together.
            64 => whole + 2,
            _ => whole + 2 * (rest / lane),
        }
    }

    fn shuffle_cost(&self, ty: Type) -> u32 {
        let lanes = ty.lanes().div_ceil(self.registers_of(ty));
        self.registers_of(ty) * if shuffles_bytes(self) { 2 } else { 2 * lanes }
    }

    fn order_cost(&self, ty: Type, order: &[u32]) -> u32 {
        super::order::cost(self, ty, order)
    }
}

/// Whether bytes get to any place in one instruction, and not one by one.
fn shuffles_bytes(target: &TargetSpec) -> bool {
    let bytes = MachineType::I8x16;
    support(target, Primitive::Shuffle, bytes, bytes) == Support::Native
}

/// Of an op on scalars.
fn scalar_cost(op: Op) -> u32 {
    match op {
        Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem | Op::Fdiv | Op::Fsqrt => 12,
        Op::Frem => 40,
        Op::Fmin | Op::Fmax | Op::FminNum | Op::FmaxNum => 4,
        Op::Jump => 0,
        _ => 1,
    }
}

/// Of an op on one register of lanes as `ty` has them.
fn register_cost(target: &TargetSpec, op: Op, ty: Type) -> u32 {
    let Some(lane) = ty.lane() else { return 1 };
    let machine = MachineType::of_scalar(lane).and_then(MachineType::vector);
    let (Some(primitive), Some(machine)) = (Primitive::of_op(op), machine) else {
        return other_cost(op, lane);
    };
    match support(target, primitive, machine, machine) {
        Support::Native => native_cost(target, primitive, machine),
        Support::Expand(Expansion::PerLane) => machine.lanes() * (2 + scalar_cost(op)),
        Support::Expand(Expansion::Prelude) => machine.lanes() * 20,
        Support::Expand(Expansion::ByteSums) => 12,
        Support::Expand(Expansion::WidenLanes) if op == Op::Mul => 8,
        Support::Expand(Expansion::WidenLanes) => machine.lanes() * 3,
        Support::Expand(_) => 3,
        Support::Absent => machine.lanes() * 20,
    }
}

/// Of an op for which the back end has no name of its own.
fn other_cost(op: Op, lane: Scalar) -> u32 {
    match op {
        Op::Shl | Op::Lshr | Op::Ashr if lane == Scalar::I8 => 4,
        Op::Frem | Op::Fround => 128 / lane.bits().max(1) * 40,
        // A product, and a sum that may be the same instruction.
        Op::Muladd => 2,
        Op::Fshl | Op::Fshr => 3,
        _ => 1,
    }
}

/// Of what is one instruction for the back end, and often several for the processor.
fn native_cost(target: &TargetSpec, primitive: Primitive, ty: MachineType) -> u32 {
    use Primitive as P;
    let is_wide = ty.lane_bits() == 64;
    let is_x86 = target.architecture() == Architecture::X86_64;
    match primitive {
        P::Fdiv | P::Sqrt => 16,
        P::Fmin | P::Fmax if is_x86 => 6,
        P::Imul if is_wide => {
            if is_x86 {
                7
            } else {
                6
            }
        }
        P::Imul if ty.lane_bits() == 32 && is_x86 => 2,
        P::Smin | P::Smax | P::Umin | P::Umax if is_wide => 3,
        P::Iabs if is_wide && is_x86 => 3,
        P::FcvtFromUint if is_x86 => 6,
        P::FcvtToSintSat | P::FcvtToUintSat if is_x86 => 6,
        P::Popcnt if is_x86 => 6,
        _ => 1,
    }
}

/// Lanes are made twice or half as wide step by step, and integers as wide as floats first.
fn conversion_cost(target: &TargetSpec, op: Op, from: Type, to: Type) -> u32 {
    let bits = |ty: Type| ty.lane().map_or(64, Scalar::bits);
    let lanes = to.lanes();
    let resized = |from: u32, to: u32, per_step: u32| {
        let (mut width, mut cost) = (from.max(8), 0);
        while width != to {
            width = if width < to { width * 2 } else { width / 2 };
            // The registers of the step's result.
            cost += (width.max(8) * lanes).div_ceil(128) * per_step;
        }
        cost
    };
    let (from_bits, to_bits) = (bits(from), bits(to));
    let is_mask = from.lane() == Some(Scalar::I1) || to.lane() == Some(Scalar::I1);
    let shuffle = if shuffles_bytes(target) { 2 } else { 16 };
    match op {
        Op::Bitcast => 0,
        Op::Trunc | Op::Zext | Op::Sext if is_mask => 2 * target.registers_of(to),
        Op::Zext => resized(from_bits, to_bits, shuffle),
        Op::Sext => resized(from_bits, to_bits, shuffle + 1),
        Op::Trunc => resized(from_bits, to_bits, shuffle + 1),
        Op::StruncSat | Op::UtruncSat => {
            2 * target.registers_of(from) + resized(from_bits, to_bits, shuffle + 1)
        }
        Op::Sitofp | Op::Uitofp if from_bits <= to_bits => {
            let each = if op == Op::Sitofp && to_bits == 32 { 1 } else { 5 };
            resized(from_bits, to_bits, shuffle + 1) + each * target.registers_of(to)
        }
        // Taken out, converted with a register that is cleared before, and put in.
        Op::Fpext | Op::Fptrunc => 5 * lanes,
        // Lane by lane.
        _ => 3 * lanes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Feature;

    fn target(text: &str) -> TargetSpec {
        TargetSpec::parse(text).unwrap()
    }

    fn vector(lane: Scalar, lanes: u32) -> Type {
        Type::vector(lane, lanes).unwrap()
    }

    #[test]
    fn a_vector_of_any_length_takes_as_many_registers_as_its_bits_fill() {
        let spec = target("x86_64-unknown-linux-gnu");
        assert_eq!(spec.registers_of(vector(Scalar::F32, 4)), 1);
        assert_eq!(spec.registers_of(vector(Scalar::I64, 8)), 4);
        assert_eq!(spec.registers_of(vector(Scalar::I8, 3)), 1);
        assert_eq!(spec.registers_of(Type::I64), 1);
    }

    #[test]
    fn what_is_taken_apart_costs_more_than_what_the_target_does() {
        for text in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
            let spec = target(text);
            let (ints, floats) = (vector(Scalar::I32, 4), vector(Scalar::F32, 4));
            let of = |op, ty| spec.cost(op, ty, ty);
            assert_eq!(of(Op::Add, ints), 1);
            assert!(of(Op::Rotl, ints) > of(Op::Add, ints));
            assert!(of(Op::Clz, ints) > 4 * of(Op::Add, ints));
            assert!(of(Op::Frem, floats) > 20 * of(Op::Fadd, floats));
            assert_eq!(of(Op::Add, vector(Scalar::I32, 16)), 4);
        }
    }

    #[test]
    fn converting_costs_more_the_further_apart_the_widths_are() {
        let spec = target("x86_64-unknown-linux-gnu");
        let bytes = vector(Scalar::I8, 8);
        let cost = |lane| spec.cost(Op::Zext, bytes, vector(lane, 8));
        assert!(cost(Scalar::I16) < cost(Scalar::I32) && cost(Scalar::I32) < cost(Scalar::I64));
        let doubles = vector(Scalar::F64, 4);
        let narrowed = spec.cost(Op::Fptrunc, doubles, vector(Scalar::F32, 4));
        assert!(narrowed >= spec.registers_of(doubles), "{narrowed}");
    }

    #[test]
    fn features_make_shuffles_cheaper() {
        let plain = target("x86_64-unknown-linux-gnu/generic");
        let quick = plain.with_feature(Feature::Ssse3);
        let bytes = vector(Scalar::I8, 16);
        assert!(quick.shuffle_cost(bytes) < plain.shuffle_cost(bytes));
        assert!(plain.access_cost(vector(Scalar::I8, 4)) > plain.access_cost(bytes));
    }
}
