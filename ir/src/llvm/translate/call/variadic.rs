//! Arguments behind the named ones, by the platform's `va_list`.

use crate::attribute::IntCond;
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{Instruction, TypeId, Typed};
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::memory::Place;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};
use crate::va_list;

/// Bytes of a `va_list` of x86-64.
const SIZE: u64 = va_list::SIZE as u64;

/// Which registers hold arguments of a type.
struct Saved {
    offset: usize,
    end: u32,
    step: u32,
}

impl Translator<'_, '_> {
    /// Bytes of a `va_list`.
    fn list_size(&mut self) -> Parsed<u64> {
        let triple = &self.shared.syntax.triple;
        match triple.split('-').next().unwrap_or_default() {
            _ if triple.contains("apple") || triple.contains("windows") => {
                Err(self.unsupported("variable arguments are not known on this platform"))
            }
            "aarch64" => Ok(32),
            _ => Ok(SIZE),
        }
    }

    /// Begins to read the arguments behind the named ones.
    pub(in crate::llvm::translate) fn start_list(&mut self, list: Typed) -> Parsed<()> {
        let size = self.list_size()?;
        let list = self.address(list)?;
        let Some(rest) = self.rest else {
            return Err(self.invalid("the function takes no variable number of arguments"));
        };
        self.copy(list, rest, size);
        Ok(())
    }

    /// Goes on reading in two places.
    pub(in crate::llvm::translate) fn copy_list(&mut self, to: Typed, from: Typed) -> Parsed<()> {
        let size = self.list_size()?;
        let (to, from) = (self.address(to)?, self.address(from)?);
        self.copy(to, from, size);
        Ok(())
    }

    /// Translates `va_arg`.
    pub(in crate::llvm::translate) fn va_arg(
        &mut self,
        inst: &Instruction,
        list: Typed,
        ty: TypeId,
    ) -> Parsed<()> {
        if self.list_size()? != SIZE {
            return Err(self.unsupported("`va_arg` is known on x86-64 only"));
        }
        let list = self.address(list)?;
        let carrier = self.ty(ty)?;
        let in_memory = self.new_block();
        let found = self.new_block();
        let place = self.body.append_param(found, Type::PTR);
        match saved(carrier) {
            Some(saved) => {
                let offset = self.part_of_list(Type::I32, list, saved.offset);
                let end = self.number(Type::I32, saved.end.into());
                let test = self.integer_condition(IntCond::Ult, offset, end);
                let in_register = self.new_block();
                self.branch(test, (in_register, &[]), (in_memory, &[]));
                self.switch_to(in_register);
                let step = self.number(Type::I32, saved.step.into());
                let next = self.op(Op::Add, Type::I32, &[offset, step]);
                self.set_part_of_list(Type::I32, next, list, saved.offset);
                let registers = self.part_of_list(Type::PTR, list, va_list::SAVED_REGISTERS);
                let offset = self.op(Op::Zext, Type::I64, &[offset]);
                let address = self.address_behind(registers, offset);
                self.jump(found, &[address]);
            }
            None => self.jump(in_memory, &[]),
        }
        self.switch_to(in_memory);
        let address = self.next_in_memory(list, ty)?;
        self.jump(found, &[address]);
        self.switch_to(found);
        let value =
            self.load(ty, Place { address: place, access: Access::default(), offset: 0 })?;
        self.define(inst.result, value);
        Ok(())
    }

    /// The address of the next argument in memory, which is behind it then.
    fn next_in_memory(&mut self, list: Value, ty: TypeId) -> Parsed<Value> {
        let room = self.shared.room(ty, self.at)?;
        let mut address = self.part_of_list(Type::PTR, list, va_list::NEXT_IN_MEMORY);
        if room.align > 8 {
            let bits = self.address_bits(address);
            let most = self.number(Type::I64, 15);
            let above = self.op(Op::Add, Type::I64, &[bits, most]);
            let mask = self.number(Type::I64, !15);
            let aligned = self.op(Op::And, Type::I64, &[above, mask]);
            address = self.address_of_bits(aligned);
        }
        let size = self.number(Type::I64, room.stride().next_multiple_of(8).into());
        let next = self.address_behind(address, size);
        self.set_part_of_list(Type::PTR, next, list, va_list::NEXT_IN_MEMORY);
        Ok(address)
    }

    fn part_of_list(&mut self, ty: Type, list: Value, offset: usize) -> Value {
        let offset = offset as i32;
        let payload = Payload::Access(Access { offset, ..Access::default() });
        self.emit_one(Op::Load, ty, &[list], payload, ty)
    }

    fn set_part_of_list(&mut self, ty: Type, value: Value, list: Value, offset: usize) {
        let offset = offset as i32;
        let payload = Payload::Access(Access { offset, ..Access::default() });
        self.emit(Op::Store, ty, &[value, list], payload, &[]);
    }
}

/// Where arguments of a type are saved, unless they are in memory always.
fn saved(ty: Type) -> Option<Saved> {
    let integers = |count: u32| Saved {
        offset: va_list::INTEGER_OFFSET,
        end: va_list::INTEGERS_END - (count - 1) * va_list::INTEGER_STEP,
        step: count * va_list::INTEGER_STEP,
    };
    let vectors = || Saved {
        offset: va_list::FLOAT_OFFSET,
        end: va_list::FLOATS_END,
        step: va_list::FLOAT_STEP,
    };
    let Some(scalar) = ty.as_scalar() else {
        let lane = ty.lane().filter(|&lane| lane != Scalar::I1)?;
        return (lane.bits() * ty.lanes() <= 128).then(vectors);
    };
    match scalar {
        Scalar::X86Fp80 => None,
        // Both halves, or none.
        Scalar::I128 => Some(integers(2)),
        Scalar::F128 => Some(vectors()),
        scalar if scalar.is_float() => Some(vectors()),
        _ => Some(integers(1)),
    }
}
