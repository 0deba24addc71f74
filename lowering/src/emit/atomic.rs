//! Atomic accesses.

use brolga_ir::attribute::{Order, RmwOp};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as machine, AtomicRmwOp, InstBuilder, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::memory::{aligned, plain};
use crate::level::BackEnd;
use crate::target::{Architecture, Feature, MachineType, Primitive, missing_features};

impl<'a> Emitter<'a> {
    /// Atomic accesses and fences.
    pub(super) fn atomic(&mut self, instruction: Instruction<'a>) -> Emitted {
        match instruction.data.payload {
            Payload::Order(order) => {
                self.fence(order);
                Ok(())
            }
            Payload::Atomic { order, access } => self.apart(|emitter| match instruction.data.op {
                Op::AtomicLoad => emitter.atomic_load(instruction, &access),
                Op::AtomicStore => emitter.atomic_store(instruction, order, &access),
                _ => Err(emitter.misplaced(instruction)),
            }),
            Payload::AtomicRmw { op, access, .. } => self.atomic_rmw(instruction, op, &access),
            Payload::AtomicCas { access, .. } => self.atomic_cas(instruction, &access),
            _ => Err(self.misplaced(instruction)),
        }
    }

    /// The back end's fence is that of all orders. What x86-64 keeps in order
    /// by itself needs none, as long as the back end moves nothing either.
    fn fence(&mut self, order: Order) {
        let orders_itself = self.isa.spec().architecture() == Architecture::X86_64
            && self.options.back_end() != BackEnd::Rewriting;
        if order == Order::SequentiallyConsistent || !orders_itself {
            self.builder.ins().fence();
        }
    }

    /// The integer as which the suffix is accessed.
    fn atomic_type(&self, instruction: Instruction<'a>) -> Emitted<types::Type> {
        match self.suffix(instruction)? {
            types::F32 => Ok(types::I32),
            types::F64 => Ok(types::I64),
            ty @ (types::I8 | types::I16 | types::I32 | types::I64) => Ok(ty),
            types::I128 => self.wide_type(),
            ty => Err(Fault::illegal(format!("an atomic access of {ty} is not legal"))),
        }
    }

    /// 128 bits, of which not every CPU makes one access.
    fn wide_type(&self) -> Emitted<types::Type> {
        let target = self.isa.spec();
        match missing_features(target, Primitive::AtomicCas, MachineType::I128) {
            Some(missing) if missing.is_empty() => Ok(types::I128),
            Some(missing) => {
                let names: Vec<&str> = missing.into_iter().map(Feature::name).collect();
                Err(Fault::unsupported(format!(
                    "an atomic access of 128 bits needs the CPU feature `{}`, which {target} lacks",
                    names.join("` and `")
                )))
            }
            None => Err(Fault::unsupported(format!(
                "atomic accesses of 128 bits are not compiled for {}, whatever the CPU's features",
                target.architecture()
            ))),
        }
    }

    /// The address, which traps unless it is a multiple of the size.
    fn atomic_address(
        &mut self,
        instruction: Instruction<'a>,
        index: usize,
        access: &Access,
    ) -> Emitted<machine::Value> {
        let size = self.atomic_type(instruction)?.bytes();
        let base = self.arg(instruction, index)?;
        let address = self.further(base, access.offset.into());
        if size > 1 {
            let mask = self.builder.ins().iconst(types::I64, i64::from(size) - 1);
            let rest = self.builder.ins().band(address, mask);
            self.trap_if(rest, TrapCode::MisalignedAtomic);
        }
        Ok(address)
    }

    /// Sequentially consistent whatever was asked for: on x86-64 that costs a load nothing. 128
    /// bits are read by exchanging zero for zero there, which writes what is found.
    fn atomic_load(&mut self, instruction: Instruction<'a>, access: &Access) -> Emitted {
        let ty = self.atomic_type(instruction)?;
        let address = self.atomic_address(instruction, 0, access)?;
        let bits = self.builder.ins().atomic_load(ty, aligned(), address);
        let suffix = self.suffix(instruction)?;
        let value = self.recast(suffix, bits);
        self.define(instruction, &[value])
    }

    fn atomic_store(
        &mut self,
        instruction: Instruction<'a>,
        order: Order,
        access: &Access,
    ) -> Emitted {
        let ty = self.atomic_type(instruction)?;
        let value = self.arg(instruction, 0)?;
        let address = self.atomic_address(instruction, 1, access)?;
        let bits = self.recast(ty, value);
        if ty == types::I128 {
            self.looped_rmw(RmwOp::Exchange, ty, ty, address, bits)?;
        } else if self.is_plain_store(order) {
            self.builder.ins().store(plain(), bits, address, 0);
        } else {
            self.builder.ins().atomic_store(aligned(), bits, address);
        }
        Ok(())
    }

    /// Whether a plain store, which is aligned, has the order already.
    fn is_plain_store(&self, order: Order) -> bool {
        let release = match self.isa.spec().architecture() {
            Architecture::X86_64 => true,
            Architecture::Aarch64 => false,
        };
        self.options.back_end() != BackEnd::Rewriting
            && match order {
                Order::Unordered | Order::Relaxed => true,
                Order::Release => release,
                Order::Acquire | Order::AcquireRelease | Order::SequentiallyConsistent => false,
            }
    }

    fn atomic_rmw(&mut self, instruction: Instruction<'a>, op: RmwOp, access: &Access) -> Emitted {
        let ty = self.atomic_type(instruction)?;
        let address = self.atomic_address(instruction, 0, access)?;
        let operand = self.arg(instruction, 1)?;
        let suffix = self.suffix(instruction)?;
        let loops = self.compares_what_is_above(op, ty) || takes_halves_late(op, ty);
        let direct = machine_rmw(op).filter(|_| !loops);
        let Some(op) = direct else {
            let old = self.looped_rmw(op, suffix, ty, address, operand)?;
            return self.define(instruction, &[old]);
        };
        let operand = self.recast(ty, operand);
        let old = self.builder.ins().atomic_rmw(ty, aligned(), op, address, operand);
        let old = self.recast(suffix, old);
        self.define(instruction, &[old])
    }

    /// Whether the back end would compare more of a narrow operand than the
    /// operand: without LSE, on aarch64, all of its register, whose upper bits
    /// may be anything.
    fn compares_what_is_above(&self, op: RmwOp, ty: types::Type) -> bool {
        self.isa.spec().architecture() == Architecture::Aarch64
            && ty.bytes() < 4
            && matches!(op, RmwOp::Umin | RmwOp::Umax)
    }

    /// A loop of compare-exchanges of the operand as an integer of `bits`: no
    /// machine computes on floats in memory, or exchanges 128 bits there.
    fn looped_rmw(
        &mut self,
        op: RmwOp,
        ty: types::Type,
        bits: types::Type,
        address: machine::Value,
        operand: machine::Value,
    ) -> Emitted<machine::Value> {
        if op.is_float() != ty.is_float() {
            return Err(Fault::illegal("a float operation on what is no float"));
        }
        let again = self.builder.create_block();
        let done = self.builder.create_block();
        let seen = self.builder.append_block_param(again, bits);
        // What was read in halves is not exchanged unless it is there.
        let first = match bits {
            types::I128 => self.builder.ins().load(bits, plain(), address, 0),
            _ => self.builder.ins().atomic_load(bits, aligned(), address),
        };
        self.builder.ins().jump(again, &[first.into()]);
        self.continue_in(again);
        let old = self.recast(ty, seen);
        let new = match op {
            RmwOp::Fadd => self.builder.ins().fadd(old, operand),
            RmwOp::Fsub => self.builder.ins().fsub(old, operand),
            RmwOp::Fmin => self.builder.ins().fmin(old, operand),
            RmwOp::Fmax => self.builder.ins().fmax(old, operand),
            RmwOp::Umin => self.builder.ins().umin(old, operand),
            RmwOp::Umax => self.builder.ins().umax(old, operand),
            RmwOp::Exchange => operand,
            other => return Err(Fault::illegal(format!("a loop for `{}`", other.name()))),
        };
        let new = self.recast(bits, new);
        let found = self.builder.ins().atomic_cas(aligned(), address, seen, new);
        let same = self.builder.ins().icmp(IntCC::Equal, found, seen);
        self.builder.ins().brif(same, done, &[], again, &[found.into()]);
        self.continue_in(done);
        Ok(old)
    }

    fn atomic_cas(&mut self, instruction: Instruction<'a>, access: &Access) -> Emitted {
        let ty = self.atomic_type(instruction)?;
        let address = self.atomic_address(instruction, 0, access)?;
        let (expected, new) = (self.arg(instruction, 1)?, self.arg(instruction, 2)?);
        let (expected, new) = (self.recast(ty, expected), self.recast(ty, new));
        let found = self.builder.ins().atomic_cas(aligned(), address, expected, new);
        let same = self.builder.ins().icmp(IntCC::Equal, found, expected);
        let suffix = self.suffix(instruction)?;
        let old = self.recast(suffix, found);
        self.define(instruction, &[old, same])
    }
}

/// Whether the back end would put both halves of the operand into fixed registers
/// late in its own loop: where the halves are one value, its register allocator
/// (regalloc2 0.15) fills the second register behind the loop only.
fn takes_halves_late(op: RmwOp, ty: types::Type) -> bool {
    op == RmwOp::Exchange && ty == types::I128
}

fn machine_rmw(op: RmwOp) -> Option<AtomicRmwOp> {
    Some(match op {
        RmwOp::Exchange => AtomicRmwOp::Xchg,
        RmwOp::Add => AtomicRmwOp::Add,
        RmwOp::Sub => AtomicRmwOp::Sub,
        RmwOp::And => AtomicRmwOp::And,
        RmwOp::Nand => AtomicRmwOp::Nand,
        RmwOp::Or => AtomicRmwOp::Or,
        RmwOp::Xor => AtomicRmwOp::Xor,
        RmwOp::Smin => AtomicRmwOp::Smin,
        RmwOp::Smax => AtomicRmwOp::Smax,
        RmwOp::Umin => AtomicRmwOp::Umin,
        RmwOp::Umax => AtomicRmwOp::Umax,
        RmwOp::Fadd | RmwOp::Fsub | RmwOp::Fmin | RmwOp::Fmax => return None,
    })
}
