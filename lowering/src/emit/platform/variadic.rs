//! The `va_list` by which the body of a function of variable arguments finds
//! those behind the named ones: made by a caller of ours, or at the entry of C.

use brolga_ir::entity::Value;
use brolga_ir::types::Type;
use cranelift_codegen::ir::{self as machine, InstBuilder, StackSlotData, StackSlotKind, types};

use super::PlatformSignature;
use super::place::{ListLayout, Rules, rules};
use crate::emit::code::Code;
use crate::emit::fault::{Emitted, Fault};
use crate::emit::function::Emitter;
use crate::emit::memory::plain;

/// Bytes that are kept for the list itself: what the larger layout takes.
const LIST_SIZE: u32 = 32;

const INTEGER_BYTES: u32 = 8;
const VECTOR_BYTES: u32 = 16;

/// What a `va_list` says.
struct List {
    /// Where the next argument on the stack is.
    stack: machine::Value,
    /// Where the registers were saved, integers first; nothing if all are used up.
    saved: Option<machine::Value>,
    /// How many of each kind are used up.
    used: [u32; 2],
}

impl Code<'_> {
    /// The address of a list of the arguments behind the named ones, in a
    /// function that C has entered.
    pub(in crate::emit) fn list_further(
        &mut self,
        signature: &PlatformSignature,
        given: &[machine::Value],
    ) -> Emitted<machine::Value> {
        let rules = signature.rules.ok_or_else(|| unknown(self))?;
        let integers = INTEGER_BYTES * rules.integers;
        let saved = self.frame_slot(integers + VECTOR_BYTES * rules.vectors);
        let [count, vectors] = signature.entry_registers();
        for (number, &value) in (0..count + vectors).zip(given) {
            let at = match number.checked_sub(count) {
                None => INTEGER_BYTES * number,
                Some(vector) => integers + VECTOR_BYTES * vector,
            };
            self.builder.ins().store(plain(), value, saved, at as i32);
        }
        let stack = self.stack_argument(signature.stack);
        let list = self.frame_slot(LIST_SIZE);
        let used = [signature.integers, signature.vectors];
        self.write_list(rules, list, &List { stack, saved: Some(saved), used });
        Ok(list)
    }

    fn frame_slot(&mut self, size: u32) -> machine::Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
        let slot = self.builder.create_sized_stack_slot(slot);
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    fn write_list(&mut self, rules: &Rules, at: machine::Value, list: &List) {
        let [integers, vectors] = list.used;
        let zero = self.builder.ins().iconst(types::I64, 0);
        let saved = list.saved.unwrap_or(zero);
        let area = INTEGER_BYTES * rules.integers;
        match rules.list {
            ListLayout::SystemV => {
                let offsets = [INTEGER_BYTES * integers, area + VECTOR_BYTES * vectors];
                self.write_half(at, 0, offsets[0] as i32);
                self.write_half(at, 4, offsets[1] as i32);
                self.builder.ins().store(plain(), list.stack, at, 8);
                self.builder.ins().store(plain(), saved, at, 16);
            }
            ListLayout::Aapcs64 => {
                let ends = [area, area + VECTOR_BYTES * rules.vectors];
                self.builder.ins().store(plain(), list.stack, at, 0);
                for (end, offset) in ends.into_iter().zip([8, 16]) {
                    let end = self.further(saved, end.into());
                    self.builder.ins().store(plain(), end, at, offset);
                }
                let left = [rules.integers - integers, rules.vectors - vectors];
                self.write_half(at, 24, -((left[0] * INTEGER_BYTES) as i32));
                self.write_half(at, 28, -((left[1] * VECTOR_BYTES) as i32));
            }
        }
    }

    fn write_half(&mut self, at: machine::Value, offset: i32, value: i32) {
        let value = self.builder.ins().iconst(types::I32, i64::from(value));
        self.builder.ins().store(plain(), value, at, offset);
    }
}

impl Emitter<'_> {
    /// The address of a list of these arguments, in the frame: it is good until
    /// the next one is made.
    pub(in crate::emit) fn list_arguments(&mut self, further: &[Value]) -> Emitted<machine::Value> {
        let rules = rules(self.isa.spec()).ok_or_else(|| unknown(self))?;
        let types = further.iter().map(|&value| self.body.value_type(value));
        let types: Vec<Type> = types.collect();
        let mut places = Vec::with_capacity(types.len());
        let mut size = LIST_SIZE;
        for &ty in &types {
            let bytes = self.types.layout(ty).size as u32;
            let start = size.next_multiple_of(if bytes > 8 { 16 } else { 8 });
            size = start + bytes.next_multiple_of(8);
            places.push(start);
        }
        let list = self.argument_area(size);
        for ((&value, ty), start) in further.iter().zip(types).zip(places) {
            let value = self.value(value)?;
            self.store_as(ty, value, list, start as i32, plain())?;
        }
        let stack = self.further(list, LIST_SIZE.into());
        let used = [rules.integers, rules.vectors];
        self.write_list(rules, list, &List { stack, saved: None, used });
        Ok(list)
    }

    /// The slot for the arguments of one call, as large as any call needs it.
    fn argument_area(&mut self, size: u32) -> machine::Value {
        let slot = match self.further_arguments {
            Some(slot) => slot,
            None => {
                let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
                self.builder.create_sized_stack_slot(slot)
            }
        };
        self.further_arguments = Some(slot);
        let data = &mut self.builder.func.sized_stack_slots[slot];
        data.size = data.size.max(size);
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }
}

fn unknown(code: &Code<'_>) -> Fault {
    let triple = code.isa.spec().triple();
    Fault::unsupported(format!(
        "functions of variable arguments cannot be defined on {triple}; pass an array"
    ))
}
