//! Slots, data objects and functions, by name.

use super::code::{FunctionWriter, Typed};
use super::name;
use crate::body::Initial;
use crate::entity::{Inst, Slot};
use crate::instruction::Payload;
use crate::module::Symbol;
use crate::trap::TrapCode;

/// A slot or a data object.
struct Place {
    start: String,
    size: u64,
    align: u64,
}

impl FunctionWriter<'_, '_> {
    fn place(&self, inst: Inst) -> Option<Place> {
        match self.data(inst).payload {
            Payload::Slot(slot) => {
                let data = self.body.slot(slot)?;
                let align = 1 << data.align_log2;
                Some(Place { start: format!("%{slot}"), size: data.size.into(), align })
            }
            Payload::Data(id) => {
                let layout = self.shared.module.data(id)?.layout();
                let start = name::symbol(self.shared.module.symbol_name(Symbol::Data(id)));
                Some(Place { start, size: layout.size, align: layout.align })
            }
            _ => None,
        }
    }

    /// The address at the offset that the operand of that index says, after a
    /// check that the access lies inside, and what it is a multiple of.
    fn inside(&mut self, inst: Inst, offset: usize) -> Option<(Typed, u64)> {
        let place = self.place(inst)?;
        let size = self.types().layout(self.data(inst).ty).size;
        let known = self.body.args(inst).get(offset).copied();
        let known = known.and_then(|value| self.body.as_scalar_constant(value));
        let is_inside = |at: u128| at + u128::from(size) <= place.size.into();
        let text = self.arg(inst, offset);
        let align = match known {
            Some(at) if is_inside(at) => place.align.min(1 << at.trailing_zeros().min(12)),
            _ if size > place.size => {
                self.require("false", TrapCode::Bounds.number());
                1
            }
            _ => {
                let most = place.size - size;
                let fits = self.temporary(format_args!("icmp ule i64 {text}, {most}"));
                self.require(&fits, TrapCode::Bounds.number());
                1
            }
        };
        let start = &place.start;
        let address = self.temporary(format_args!("getelementptr i8, ptr {start}, i64 {text}"));
        Some((Typed::pointer(address), align))
    }

    /// `slot_load` and `data_load`.
    pub(super) fn write_load_inside(&mut self, inst: Inst) {
        if let Some((address, align)) = self.inside(inst, 0) {
            self.load(inst, &address, align, "");
        }
    }

    /// `slot_store` and `data_store`.
    pub(super) fn write_store_inside(&mut self, inst: Inst) {
        let (ty, operand) = (self.data(inst).ty, self.arg(inst, 0));
        if let Some((address, align)) = self.inside(inst, 1) {
            self.store(ty, &operand, &address, align, "");
        }
    }

    /// `slot_addr` and `data_addr`.
    pub(super) fn write_address(&mut self, inst: Inst) {
        if let Some(place) = self.place(inst) {
            self.give_operand(inst, &place.start);
        }
    }

    /// `slot_start` and `slot_end`.
    pub(super) fn write_reset(&mut self, inst: Inst) {
        if let Payload::Slot(slot) = self.data(inst).payload
            && self.body.slot(slot).is_some_and(|data| data.initial == Initial::Zeroed)
        {
            self.clear_slot(slot);
        }
    }

    /// Makes the bytes of a slot zero.
    pub(super) fn clear_slot(&mut self, slot: Slot) {
        let Some(data) = self.body.slot(slot) else { return };
        let (size, align) = (data.size, 1u32 << data.align_log2);
        let name = "llvm.memset.p0.i64";
        self.shared.require(name, || format!("declare void @{name}(ptr, i8, i64, i1)\n"));
        self.line(format_args!(
            "call void @{name}(ptr align {align} %{slot}, i8 0, i64 {size}, i1 false)"
        ));
    }

    pub(super) fn write_function_addr(&mut self, inst: Inst) {
        if let Some(id) = self.data(inst).function() {
            let name = self.function_name(id);
            self.give_operand(inst, &name);
        }
    }
}
