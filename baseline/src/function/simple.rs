//! Ops that are one stencil each, or next to no code.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_lowering::runtime::{RecordField, RuntimeEntry};
use brolga_lowering::unit::{Awaited, UnitSymbol};

use super::branch::{condition_on, fits, nearby, signed};
use super::exit::bare;
use super::{Emitted, Emitter};
use crate::assembler::{
    ARGUMENTS, Counts, Place, RESULTS, Register, WORD, first_operand, only_result, second_operand,
};
use crate::error::Unsupported;
use crate::key::{Class, Key, Variant};
use crate::stencil::Stencil;

/// The most operands that a stencil takes.
const OPERANDS: usize = 4;

impl Emitter<'_> {
    /// Whatever has a stencil, or next to no code.
    pub(super) fn simple(&mut self, inst: Inst, data: &InstData, args: &[Value]) -> Emitted {
        match data.op {
            Op::Unreachable => {
                self.stop(TrapCode::Unreachable);
                Ok(())
            }
            Op::Poll => {
                self.keep();
                self.poll(self.body.layout.block_of(inst));
                Ok(())
            }
            Op::Throw => {
                self.bring_operands(args)?;
                self.call_runtime(RuntimeEntry::Throw);
                self.assembler().never();
                Ok(())
            }
            Op::CurrentException => {
                let offset = RecordField::CurrentException.offset() as u8;
                self.keep();
                self.assembler().load_record(Register::Rax, offset);
                self.define_results(inst)
            }
            Op::LoopMark | Op::Prefetch | Op::Assume => {
                self.keep();
                Ok(())
            }
            Op::ExtractLane | Op::InsertLane | Op::MakeVector => self.lane(inst, data),
            Op::MemCopy => self.bulk(inst, data, RuntimeEntry::MemoryCopy),
            Op::MemFill => self.bulk(inst, data, RuntimeEntry::MemoryFill),
            Op::MemCompare => self.bulk(inst, data, RuntimeEntry::MemoryCompare),
            Op::MemFind => self.bulk(inst, data, RuntimeEntry::MemoryFind),
            // The same bits, and for `expect` those of the first operand.
            Op::FunctionToPtr | Op::PtrToFunction | Op::Expect => {
                let unsupported = Unsupported::Op(data.op);
                let body = self.body;
                let (&[value, ..], Some(result)) = (args, body.result(inst)) else {
                    return Err(unsupported);
                };
                let class = Class::of(body.value_type(result)).ok_or(unsupported)?;
                let key = Key::new(Op::Opaque, class, Variant::Plain);
                let stencil = self.stencils.find(key).ok_or(unsupported)?;
                self.apply(stencil, &[value], None, inst)
            }
            _ => self.by_stencil(inst, data, args),
        }
    }

    /// Copies, fills, compares and searches of any size: calls of the runtime, by the platform's
    /// convention, whose first registers are those of ours.
    fn bulk(&mut self, inst: Inst, data: &InstData, entry: RuntimeEntry) -> Emitted {
        let body = self.body;
        if data.access().is_none_or(|access| access.offset != 0) {
            return Err(Unsupported::Op(data.op));
        }
        self.bring_operands(body.args(inst))?;
        if matches!(data.op, Op::MemFill | Op::MemFind) {
            self.assembler().extend_byte(ARGUMENTS[1]);
        }
        self.call_runtime(entry);
        self.define_results(inst)
    }

    fn by_stencil(&mut self, inst: Inst, data: &InstData, args: &[Value]) -> Emitted {
        let unsupported = Unsupported::Op(data.op);
        let class = Class::of(data.ty).ok_or(unsupported)?;
        if let Some((stencil, number)) = self.with_constant(data, class, args) {
            let (_, operands) = args.split_last().ok_or(unsupported)?;
            return self.apply(stencil, operands, Some(number), inst);
        }
        let (variant, offset) = match data.payload {
            Payload::IntCond(condition) => (Variant::Int(condition_on(data.ty, condition)), None),
            Payload::FloatCond(condition) => (Variant::Float(condition), None),
            Payload::Access(access) => (Variant::Plain, Some(access.offset)),
            Payload::Order(order) => (Variant::Order(order), None),
            Payload::Atomic { order, access } => (Variant::Order(order), Some(access.offset)),
            Payload::AtomicRmw { op, access, .. } => (Variant::Rmw(op), Some(access.offset)),
            Payload::AtomicCas { access, .. } => (Variant::Plain, Some(access.offset)),
            Payload::None => (self.variant(data.op, args)?, None),
            _ => return Err(unsupported),
        };
        let stencil = self.stencils.find(Key::new(data.op, class, variant)).ok_or(unsupported)?;
        let number = match (offset, stencil.hole) {
            (Some(0) | None, None) => None,
            (Some(offset), Some(_)) => Some(i64::from(offset)),
            _ => return Err(unsupported),
        };
        self.apply(stencil, args, number, inst)
    }

    /// Whether it converts, and from what.
    fn variant(&self, op: Op, args: &[Value]) -> Emitted<Variant> {
        match args.first() {
            Some(&first) if self.stencils.converts(op) => Ok(Variant::From(self.class_of(first)?)),
            _ => Ok(Variant::Plain),
        }
    }

    /// The stencil with the last operand, a constant, inside: of what is taken away its negative is
    /// added, and a turn to the right is one to the left.
    #[inline(always)]
    fn with_constant(
        &self,
        data: &InstData,
        class: Class,
        args: &[Value],
    ) -> Option<(&'static Stencil, i64)> {
        let bits = self.constant(*args.last()?)?;
        let width = u64::from(class.bits());
        let is_count = || (bits < width).then_some(bits);
        let (op, variant, number) = match (data.op, data.payload) {
            (op, Payload::IntCond(condition)) => {
                let condition = condition_on(data.ty, condition);
                let (condition, number) = nearby(condition, bits, class)?;
                (op, Variant::IntConstant(condition), number)
            }
            (op @ (Op::Shl | Op::Lshr | Op::Ashr | Op::Rotl), _) => {
                (op, Variant::Constant, is_count()? as i64)
            }
            (Op::Rotr, _) => (Op::Rotl, Variant::Constant, ((width - is_count()?) % width) as i64),
            (op @ Op::PtrAdd, _) => (op, Variant::Constant, bits as i64),
            (op @ (Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor), _) => {
                (op, Variant::Constant, signed(bits, class))
            }
            (Op::Sub, _) => (Op::Add, Variant::Constant, signed(bits.wrapping_neg(), class)),
            _ => return None,
        };
        let stencil = self.stencils.find(Key::new(op, class, variant))?;
        fits(stencil, number).then_some((stencil, number))
    }

    /// Brings operands to where a stencil takes them, copies it, and keeps what it gives.
    #[inline(always)]
    pub(super) fn apply(
        &mut self,
        stencil: &'static Stencil,
        args: &[Value],
        number: Option<i64>,
        inst: Inst,
    ) -> Emitted {
        self.bring_operands(args)?;
        self.paste(stencil, number);
        self.define_results(inst)
    }

    /// Brings values to the registers of arguments.
    #[inline(always)]
    pub(super) fn bring_operands(&mut self, args: &[Value]) -> Emitted {
        match *args {
            [value] => {
                let bank = self.class_of(value)?.bank();
                self.fetch_one(value, first_operand(bank));
                Ok(())
            }
            [first, second] => {
                let (one, other) = (self.class_of(first)?.bank(), self.class_of(second)?.bank());
                let places = (first_operand(one), second_operand(one, other));
                self.fetch_two((first, places.0), (second, places.1));
                Ok(())
            }
            _ => self.bring_several(args),
        }
    }

    #[inline(never)]
    fn bring_several(&mut self, args: &[Value]) -> Emitted {
        let mut wanted = [(Value::from_u32(0), Place::Float(0)); OPERANDS];
        let mut counts = Counts::default();
        let wanted = wanted.get_mut(..args.len()).ok_or(Unsupported::Signature)?;
        for (slot, &arg) in wanted.iter_mut().zip(args) {
            let place = counts.next(self.class_of(arg)?.bank(), &ARGUMENTS);
            *slot = (arg, place.ok_or(Unsupported::Signature)?);
        }
        self.keep_for(args);
        self.fetch(wanted);
        Ok(())
    }

    /// Copies a stencil.
    #[inline(always)]
    pub(super) fn paste(&mut self, stencil: &'static Stencil, number: Option<i64>) {
        if stencil.is_aligned {
            // Its constants stand where they would in the function that it was cut from.
            self.assembler().align(4);
        }
        let (start, length) = (self.assembler().offset(), usize::from(stencil.length));
        let hole = stencil.hole.zip(number);
        match <[u8; WORD]>::try_from(stencil.code) {
            Ok(word) => {
                let hole = hole.map(|(hole, number)| (hole.width, hole.offset, number));
                self.assembler().copy_word(word, length, hole);
            }
            Err(_) => {
                self.assembler().copy(stencil.code, length);
                if let Some((hole, number)) = hole {
                    self.assembler().fill(start + u32::from(hole.offset), hole.width, number);
                }
            }
        }
        if !stencil.stops.is_empty() {
            self.note_stops(stencil, start);
        }
    }

    /// Notes the calls of the runtime in a stencil, which stands there.
    #[inline(never)]
    fn note_stops(&mut self, stencil: &'static Stencil, start: u32) {
        for stop in stencil.stops {
            let offset = start + u32::from(stop.offset);
            self.refer(offset, UnitSymbol::Runtime(RuntimeEntry::Raise));
            let code = TrapCode::from_number(stop.code.into()).unwrap_or(TrapCode::Unreachable);
            self.returns_to(offset + 4, Some(bare(code)), Awaited::Callee);
        }
    }

    /// Keeps the results of an instruction, which stand in the registers of results.
    #[inline(always)]
    pub(super) fn define_results(&mut self, inst: Inst) -> Emitted {
        let body = self.body;
        let results = body.results(inst);
        self.last = None;
        if let &[result] = results {
            let (class, uses) = self.buffers.homes.result(result).ok_or(Unsupported::Value)?;
            self.define(result, only_result(class.bank()), uses);
            return Ok(());
        }
        self.define_several(results)
    }

    #[inline(never)]
    fn define_several(&mut self, results: &[Value]) -> Emitted {
        let mut counts = Counts::default();
        for &result in results {
            let place = counts.next(self.class_of(result)?.bank(), &RESULTS);
            self.define_at_home(result, place.ok_or(Unsupported::Signature)?);
        }
        Ok(())
    }
}
