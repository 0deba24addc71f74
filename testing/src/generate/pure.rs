//! Instructions whose results depend on their operands alone.

use brolga_ir::attribute::{FloatCond, InstFlags, IntCond};
use brolga_ir::entity::Value;
use brolga_ir::instruction::{Payload, ZERO_LANE};
use brolga_ir::op::{Op, Pattern, TypeClass};
use brolga_ir::types::{Scalar, Type};

use super::Types;
use super::writer::{Sort, Writer};

/// How often a hint or permission stands where it may.
const FLAG_CHANCE: usize = 25;

/// What keeps a small number from overflowing any type, multiplied too.
const SMALL: u128 = 7;

impl Writer<'_> {
    /// From the row alone.
    pub(super) fn emit_row(&mut self, op: Op) -> Option<()> {
        let info = op.info();
        let free = info.operands.iter().find_map(|pattern| match pattern {
            Pattern::Any(class) => Some(*class),
            _ => None,
        });
        let (suffix, free) = self.suffix_and_free(info.suffix, free, info.relation)?;
        let types: Vec<Type> =
            info.operands.iter().map(|pattern| pattern.resolve(suffix).unwrap_or(free)).collect();
        let mut args: Vec<Value> = types.iter().map(|&ty| self.any(ty)).collect();
        if op == Op::Bitcast {
            args[0] = self.steadied(args[0]);
        }
        if op == Op::Fcopysign {
            args[1] = self.steadied(args[1]);
        }
        // Hints never change a meaning, whether they are true or not.
        let hints = info.flags - InstFlags::CONTRACT - InstFlags::REASSOCIATE;
        let flags = self.some_of(hints);
        let inst = self.push_with(op, suffix, &args, Payload::None, flags);
        self.keep(inst);
        Some(())
    }

    fn some_of(&mut self, flags: InstFlags) -> InstFlags {
        flags.iter().filter(|_| self.program.random.percent(FLAG_CHANCE)).collect()
    }

    /// With operands on which the op mostly does not trap.
    pub(super) fn emit_guarded(&mut self, op: Op) -> Option<()> {
        if self.has_hazard() {
            return self.emit_row(op);
        }
        let info = op.info();
        let free = match info.operands[0] {
            Pattern::Any(class) => Some(class),
            _ => None,
        };
        let (ty, free) = self.suffix_and_free(info.suffix, free, info.relation)?;
        let args = match op {
            Op::StruncTrap | Op::UtruncTrap => vec![self.small(free, SMALL * 9)],
            Op::FptosiTrap | Op::FptouiTrap => vec![self.small_float(free, SMALL * 9)],
            Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem => vec![self.any(ty), self.divisor(ty)],
            _ => self.small_pair(op, ty),
        };
        let inst = self.push(op, ty, &args, Payload::None);
        self.keep(inst);
        Some(())
    }

    /// A number that is neither 0 nor -1.
    pub(super) fn divisor(&mut self, ty: Type) -> Value {
        if self.random().percent(40) {
            let chosen = self.random().pick(&[2, 3, 5, 7, 10, 16, 100, 127, -2i128, -3, -7, -16]);
            return self.number_of(ty, chosen as u128);
        }
        let small = self.small(ty, 63);
        let one = self.number_of(ty, 1);
        self.compute(Op::Or, ty, &[small, one])
    }

    /// Two small numbers, the first no less than the second.
    fn small_pair(&mut self, op: Op, ty: Type) -> Vec<Value> {
        let (mut first, second) = (self.small(ty, SMALL), self.small(ty, SMALL));
        if op == Op::UsubTrap {
            let eight = self.number_of(ty, SMALL + 1);
            first = self.compute(Op::Or, ty, &[first, eight]);
        }
        vec![first, second]
    }

    /// A whole number of `0..=most` in each lane.
    fn small_float(&mut self, ty: Type, most: u128) -> Value {
        let lane = self.random().pick(&[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64]);
        let whole = ty.with_lane(lane).or(ty.with_lane(Scalar::I8)).unwrap_or(Type::I8);
        let small = self.small(whole, most);
        let op = if self.random().percent(50) { Op::Sitofp } else { Op::Uitofp };
        self.compute(op, ty, &[small])
    }

    /// Float ops with a permission see only whole numbers so small that every
    /// order and every fusion gives the same; without one they see anything.
    pub(super) fn emit_permitted(&mut self, op: Op) -> Option<()> {
        let info = op.info();
        let flags = self.some_of(info.flags);
        if flags.is_empty() {
            return self.emit_row(op);
        }
        let free = info.operands.iter().find_map(|pattern| match pattern {
            Pattern::Any(class) => Some(*class),
            _ => None,
        });
        let (ty, vector) = self.suffix_and_free(info.suffix, free, info.relation)?;
        if free.is_some() {
            // A product of many lanes stays exact only of 0 and 1.
            let most = if op == Op::ReduceFmul { 1 } else { 3 };
            let args = [self.small_float(ty, most), self.small_float(vector, most)];
            let inst = self.push_with(op, ty, &args, Payload::None, flags);
            self.keep(inst);
            return Some(());
        }
        let args: Vec<Value> = info.operands.iter().map(|_| self.small_float(ty, 3)).collect();
        let inst = self.push_with(op, ty, &args, Payload::None, flags);
        self.keep(inst);
        // A second link makes a chain that can be regrouped.
        let mut chain = vec![self.body.results(inst)[0]];
        chain.extend(info.operands[1..].iter().map(|_| self.small_float(ty, 3)));
        let inst = self.push_with(op, ty, &chain, Payload::None, flags);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_int_compare(&mut self) -> Option<()> {
        let cond = self.random().pick(IntCond::ALL);
        if self.program.raw && self.random().percent(15) {
            return self.emit_pointer_compare();
        }
        let ty = self.type_in(TypeClass::Comparable);
        let args = [self.any(ty), self.any(ty)];
        let inst = self.push(Op::Icmp, ty, &args, Payload::IntCond(cond));
        self.keep(inst);
        Some(())
    }

    /// Where objects lie differs from run to run: only whether two addresses
    /// are the same is asked.
    fn emit_pointer_compare(&mut self) -> Option<()> {
        let cond = self.random().pick(&[IntCond::Eq, IntCond::Ne]);
        let mut args = [self.pointer(), self.pointer()];
        if self.random().percent(30) {
            args[1] = self.zero(Type::PTR);
        }
        let is_vector = self.program.types == Types::All && self.random().percent(30);
        let ty = match is_vector {
            true => {
                let ty = self.vector_of(Scalar::Ptr);
                for arg in &mut args {
                    *arg = self.compute(Op::Splat, ty, &[*arg]);
                }
                ty
            }
            false => Type::PTR,
        };
        let inst = self.push(Op::Icmp, ty, &args, Payload::IntCond(cond));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_float_compare(&mut self) -> Option<()> {
        let cond = self.random().pick(FloatCond::ALL);
        let ty = self.type_in(TypeClass::FloatVector);
        let args = [self.any(ty), self.any(ty)];
        let inst = self.push(Op::Fcmp, ty, &args, Payload::FloatCond(cond));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_shuffle(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Vector);
        let source = match self.random().percent(50) {
            true => ty,
            false => self.vector_of(ty.lane()?),
        };
        if !source.is_vector() {
            return None;
        }
        let args = [self.any(source), self.any(source)];
        let most = 2 * source.lanes() as usize;
        let start = self.random().below(most);
        let in_order = self.random().percent(25);
        let lanes: Vec<u32> = (0..ty.lanes() as usize)
            .map(|lane| match self.program.random.percent(8) {
                true => ZERO_LANE,
                false if in_order => ((start + lane) % most) as u32,
                false => self.program.random.below(most) as u32,
            })
            .collect();
        let list = self.body.immediate_list(&lanes);
        let inst = self.push(Op::Shuffle, ty, &args, Payload::Immediates(list));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_make_vector(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Vector);
        let args: Vec<Value> = (0..ty.lanes()).map(|_| self.any(ty.lane_type())).collect();
        let inst = self.push(Op::MakeVector, ty, &args, Payload::None);
        self.keep(inst);
        Some(())
    }

    /// The number of a lane: mostly one that there is.
    fn lane_number(&mut self, ty: Type) -> Value {
        let lanes = ty.lanes() as usize;
        if self.has_hazard() {
            return self.any(Type::I64);
        }
        if self.random().percent(60) {
            let lane = self.random().below(lanes) as u64;
            return self.index(lane);
        }
        self.small(Type::I64, (1 << lanes.ilog2()) - 1)
    }

    pub(super) fn emit_extract_lane(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Vector);
        let args = [self.any(ty), self.lane_number(ty)];
        let inst = self.push(Op::ExtractLane, ty, &args, Payload::None);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_insert_lane(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Vector);
        let args = [self.any(ty), self.any(ty.lane_type()), self.lane_number(ty)];
        let inst = self.push(Op::InsertLane, ty, &args, Payload::None);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_make_aggregate(&mut self) -> Option<()> {
        let ty = self.aggregate_type();
        let args: Vec<Value> = self.fields_of(ty).iter().map(|&field| self.steady(field)).collect();
        let inst = self.push(Op::MakeAggregate, ty, &args, Payload::None);
        self.keep(inst);
        Some(())
    }

    /// A way into an aggregate, and what it leads to.
    fn path(&mut self, ty: Type) -> Option<(Vec<u32>, Type)> {
        let (mut path, mut inner) = (Vec::new(), ty);
        while inner.is_aggregate() && (path.is_empty() || self.random().percent(75)) {
            let count = self.program.module.types.field_count(inner) as usize;
            if count == 0 {
                break;
            }
            let index = self.random().below(count);
            inner = self.program.module.types.field(inner, index as u64)?;
            path.push(index as u32);
        }
        (!path.is_empty()).then_some((path, inner))
    }

    pub(super) fn emit_extract_value(&mut self) -> Option<()> {
        let ty = self.aggregate_type();
        let (path, _) = self.path(ty)?;
        let whole = self.any(ty);
        let list = self.body.immediate_list(&path);
        let inst = self.push(Op::ExtractValue, ty, &[whole], Payload::Immediates(list));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_insert_value(&mut self) -> Option<()> {
        let ty = self.aggregate_type();
        let (path, inner) = self.path(ty)?;
        let args = [self.any(ty), self.steady(inner)];
        let list = self.body.immediate_list(&path);
        let inst = self.push(Op::InsertValue, ty, &args, Payload::Immediates(list));
        self.keep(inst);
        Some(())
    }

    /// An address at hand, or that of an object; null where addresses are trusted by nothing.
    pub(super) fn pointer(&mut self) -> Value {
        if !self.program.raw {
            return self.zero(Type::PTR);
        }
        let sort = self.random().pick(&[Sort::Pointer, Sort::Lasting]);
        if self.random().percent(60)
            && let Some(value) = self.at_hand(Type::PTR, sort)
        {
            return value;
        }
        match !self.slots.is_empty() && self.random().percent(50) {
            true => self.slot_pointer(),
            false => self.lasting_pointer(),
        }
    }
}
