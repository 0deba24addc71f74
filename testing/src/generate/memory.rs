//! Accesses by address. Every address is computed so that the access lies in a
//! live object; where objects lie is looked at by nothing.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::entity::{PackedOption, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Scalar, Type};

use super::Types;
use super::writer::{LEAST_OBJECT, Repertoire, Sort, Writer};

/// An object that an access goes to.
pub(super) struct Object {
    pub(super) base: Value,
    size: u64,
    align_log2: u32,
    /// What is promised of accesses to it.
    promise: Access,
}

/// What an access wants of its object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Read,
    Write,
}

/// Where an access goes.
pub(super) struct Place {
    pub(super) address: Value,
    pub(super) access: Access,
}

impl Writer<'_> {
    /// The address of a slot that holds bytes.
    pub(super) fn slot_pointer(&mut self) -> Value {
        let index = self.program.random.below(self.slots.len());
        let slot = self.slots[index].slot;
        let value = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        self.keep_as(value, Sort::Pointer);
        value
    }

    /// The address of a data object that may be written.
    pub(super) fn lasting_pointer(&mut self) -> Value {
        let data = self.program.some_data(Wish::Write);
        let value = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data.id));
        self.keep_as(value, Sort::Lasting);
        value
    }

    pub(super) fn object(&mut self, wish: Wish) -> Object {
        match self.random().below(100) {
            0..35 if !self.slots.is_empty() => self.slot_object(),
            // What has no slots of its own takes data in their place.
            0..75 => self.data_object(wish),
            75..85
                if self.program.managed
                    && self.program.raw
                    && self.repertoire == Repertoire::All =>
            {
                self.managed_object()
            }
            _ => {
                let base = self.pointer();
                Object { base, size: LEAST_OBJECT, align_log2: 4, promise: Access::default() }
            }
        }
    }

    fn slot_object(&mut self) -> Object {
        let index = self.program.random.below(self.slots.len());
        let facts = self.slots[index];
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(facts.slot));
        self.keep_as(base, Sort::Pointer);
        let align_log2 = self.body.slot(facts.slot).map_or(0, |slot| slot.align_log2.into());
        let mut promise = Access { class: self.program.classes[0].into(), ..Access::default() };
        if self.random().percent(30) {
            let (own, others) = self.scope_sets(index);
            promise.scopes = own;
            promise.no_alias = others;
        }
        Object { base, size: facts.size, align_log2, promise }
    }

    /// Each slot is a scope of its own: no access of one meets one of another.
    fn scope_sets(
        &mut self,
        slot: usize,
    ) -> (PackedOption<brolga_ir::entity::ScopeSet>, PackedOption<brolga_ir::entity::ScopeSet>)
    {
        let scopes: Vec<_> = self.body.scopes().map(|(scope, _)| scope).collect();
        let own = self.body.scope_set(&scopes[slot..=slot]);
        let others: Vec<_> =
            scopes.iter().copied().filter(|&scope| scope != scopes[slot]).collect();
        let others = (!others.is_empty()).then(|| self.body.scope_set(&others));
        (own.into(), others.into())
    }

    fn data_object(&mut self, wish: Wish) -> Object {
        let data = self.program.some_data(wish);
        let base = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data.id));
        let mut promise = Access { class: self.program.classes[1].into(), ..Access::default() };
        if data.is_constant {
            promise.flags = AccessFlags::INVARIANT;
        } else {
            self.keep_as(base, Sort::Lasting);
        }
        Object { base, size: data.size, align_log2: data.align_log2, promise }
    }

    fn managed_object(&mut self) -> Object {
        let base = self.object_reference();
        let base = match self.random().percent(50) {
            true => base,
            false => self.compute(Op::AddressCast, Type::DERIVED, &[base]),
        };
        Object { base, size: LEAST_OBJECT, align_log2: 4, promise: Access::default() }
    }

    /// A place for `size` bytes at a multiple of `step` in some object.
    pub(super) fn place(&mut self, wish: Wish, size: u64, step: u64) -> Place {
        let object = self.object(wish);
        self.place_in(&object, size, step)
    }

    pub(super) fn place_in(&mut self, object: &Object, size: u64, step: u64) -> Place {
        let room = object.size - size;
        let mut access = Access::default();
        if self.random().percent(30) {
            access = object.promise;
        }
        if self.repertoire == Repertoire::All && self.random().percent(10) {
            access.flags |= AccessFlags::VOLATILE;
        }
        if self.random().percent(10) {
            access.flags |= AccessFlags::NON_TEMPORAL;
        }
        let known = step.trailing_zeros().min(object.align_log2);
        if self.random().percent(40) {
            access.align_log2 = self.random().between(0, known as usize) as u8;
        }
        let is_plain = self.body.value_type(object.base) == Type::PTR;
        if !is_plain || self.random().percent(40) {
            let fixed = self.program.random.below((room / step + 1) as usize) as u64 * step;
            access.offset = fixed as i32;
            return Place { address: object.base, access };
        }
        // The index is cut to a power of two, the rest is in the offset.
        let span = (room + 1).next_power_of_two() >> u32::from(!(room + 1).is_power_of_two());
        let most = (span - 1) & !(step - 1);
        let index = self.any(Type::I64);
        let most = self.index(most);
        let index = self.compute(Op::And, Type::I64, &[index, most]);
        let back = if self.random().percent(20) { 32 } else { 0 };
        let mut address = self.compute(Op::PtrAdd, Type::NONE, &[object.base, index]);
        if back != 0 {
            let back = self.index(back);
            address = self.compute(Op::PtrAdd, Type::NONE, &[address, back]);
        }
        access.offset = -(back as i32);
        Place { address, access }
    }

    fn size_of(&self, ty: Type) -> u64 {
        self.program.module.types.layout(ty).size
    }

    /// The alignment at which an access is made: mostly the type's own.
    fn step_of(&mut self, ty: Type) -> u64 {
        let layout = self.program.module.types.layout(ty);
        if self.random().percent(25) { 1 } else { layout.align }
    }

    pub(super) fn emit_load(&mut self) -> Option<()> {
        match self.random().below(100) {
            0..12 => return self.emit_address_round(),
            12..20 => return self.emit_data_address(),
            _ => {}
        }
        let ty = self.type_in(TypeClass::Number);
        let step = self.step_of(ty);
        let place = self.place(Wish::Read, self.size_of(ty), step);
        let inst = self.push(Op::Load, ty, &[place.address], Payload::Access(place.access));
        self.keep(inst);
        Some(())
    }

    /// Addresses go through a slot that holds nothing else.
    fn emit_address_round(&mut self) -> Option<()> {
        let slot = self.address_slot?;
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        let pointer = self.slot_pointer();
        let is_vector = self.program.types == Types::All && self.random().percent(30);
        let (ty, value) = match is_vector {
            true => {
                let ty = self.vector_of(Scalar::Ptr);
                (ty, self.compute(Op::Splat, ty, &[pointer]))
            }
            false => (Type::PTR, pointer),
        };
        let room = LEAST_OBJECT - self.size_of(ty);
        let offset = self.program.random.below(room as usize + 1) as i32;
        let mut access = Access { offset, ..Access::default() };
        self.push(Op::Store, ty, &[value, base], Payload::Access(access));
        if self.random().percent(40) && !ty.is_vector() {
            access.flags |= AccessFlags::NON_NULL;
        }
        let loaded = self.compute_with(Op::Load, ty, &[base], Payload::Access(access));
        let loaded = match ty.is_vector() {
            true => {
                let lane = self.index(0);
                self.compute(Op::ExtractLane, ty, &[loaded, lane])
            }
            false => loaded,
        };
        self.keep_as(loaded, Sort::Pointer);
        Some(())
    }

    /// What the data object of addresses leads to.
    fn emit_data_address(&mut self) -> Option<()> {
        let addresses = self.program.addresses?;
        let base = self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(addresses));
        let entry = self.random().below(3) as i32;
        let flags = AccessFlags::INVARIANT | AccessFlags::NON_NULL;
        let access = Access { offset: 8 * entry, flags, align_log2: 3, ..Access::default() };
        let payload = Payload::Access(access);
        let loaded = self.compute_with(Op::Load, Type::PTR, &[base], payload);
        if entry < 2 {
            self.keep_as(loaded, Sort::Lasting);
            return Some(());
        }
        let ty = Type::function(self.program.callables[0].sig);
        let function = self.compute(Op::PtrToFunction, ty, &[loaded]);
        self.keep_as(function, Sort::Function);
        Some(())
    }

    pub(super) fn emit_store(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::Number);
        let step = self.step_of(ty);
        let value = self.steady(ty);
        let place = self.place(Wish::Write, self.size_of(ty), step);
        self.push(Op::Store, ty, &[value, place.address], Payload::Access(place.access));
        Some(())
    }

    pub(super) fn emit_masked_load(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::WideNumber);
        let (mask, rest) = (self.any(ty.as_mask()?), self.any(ty));
        let place = self.place(Wish::Read, self.size_of(ty), ty.lane()?.layout().align);
        let args = [mask, place.address, rest];
        let inst = self.push(Op::MaskedLoad, ty, &args, Payload::Access(place.access));
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_masked_store(&mut self) -> Option<()> {
        let ty = self.type_in(TypeClass::WideNumber);
        let (mask, value) = (self.any(ty.as_mask()?), self.steady(ty));
        let place = self.place(Wish::Write, self.size_of(ty), ty.lane()?.layout().align);
        let args = [mask, value, place.address];
        self.push(Op::MaskedStore, ty, &args, Payload::Access(place.access));
        Some(())
    }

    pub(super) fn emit_bulk(&mut self, op: Op) -> Option<()> {
        const MOST: u64 = 31;
        let size = match self.random().percent(50) {
            true => {
                let size = self.random().below(MOST as usize + 1) as u64;
                self.index(size)
            }
            false => self.small(Type::I64, MOST.into()),
        };
        let is_read = matches!(op, Op::MemCompare | Op::MemFind);
        let wish = if is_read { Wish::Read } else { Wish::Write };
        let to = self.place(wish, MOST, 1);
        // The access of a bulk op has no offset, and its promises are about
        // both addresses: none is made.
        let flags = to.access.flags & AccessFlags::VOLATILE;
        let access = Access { flags, ..Access::default() };
        let is_plain = self.body.value_type(to.address) == Type::PTR;
        let to = match to.access.offset {
            offset if offset != 0 && is_plain => {
                let offset = self.index(i64::from(offset) as u64);
                self.compute(Op::PtrAdd, Type::NONE, &[to.address, offset])
            }
            _ => to.address,
        };
        let second = match op {
            Op::MemFill | Op::MemFind => self.any(Type::I8),
            _ => self.object(Wish::Read).base,
        };
        let inst = self.push(op, Type::NONE, &[to, second, size], Payload::Access(access));
        self.keep(inst);
        Some(())
    }

    /// An object on the stack, filled and read, and mostly taken back: it is good
    /// until then, and nothing else gets its address.
    pub(super) fn emit_stack(&mut self) -> Option<()> {
        const MOST: u64 = 63;
        let mark = match self.random().percent(80) {
            true => Some(self.compute_with(Op::StackSave, Type::NONE, &[], Payload::None)),
            false => None,
        };
        let size = self.small(Type::I64, MOST.into());
        let least = self.index(LEAST_OBJECT);
        let size = self.compute(Op::Add, Type::I64, &[size, least]);
        // What stays takes little room, however often a loop makes it.
        let most = if mark.is_some() { 14 } else { 6 };
        let align = match mark.is_none() || self.random().percent(80) {
            true => {
                let log2 = self.random().below(most);
                self.index(1 << log2)
            }
            false => self.small(Type::I64, 0x3ff),
        };
        let base = self.compute(Op::StackAlloc, Type::NONE, &[size, align]);
        let (byte, payload) = (self.any(Type::I8), Payload::Access(Access::default()));
        self.push(Op::MemFill, Type::NONE, &[base, byte, size], payload);
        let object = Object { base, size: LEAST_OBJECT, align_log2: 4, promise: Access::default() };
        let ty = self.type_in(TypeClass::Number);
        let (value, step) = (self.steady(ty), self.step_of(ty));
        let place = self.place_in(&object, self.size_of(ty), step);
        self.push(Op::Store, ty, &[value, place.address], Payload::Access(place.access));
        let ty = self.type_in(TypeClass::Number);
        let step = self.step_of(ty);
        let place = self.place_in(&object, self.size_of(ty), step);
        let inst = self.push(Op::Load, ty, &[place.address], Payload::Access(place.access));
        self.keep(inst);
        if let Some(mark) = mark {
            self.push(Op::StackRestore, Type::NONE, &[mark], Payload::None);
        }
        Some(())
    }

    pub(super) fn emit_prefetch(&mut self) -> Option<()> {
        let address = self.pointer();
        self.push(Op::Prefetch, Type::NONE, &[address], Payload::None);
        Some(())
    }

    /// Within an object, and back: distances are the same in every run.
    pub(super) fn emit_ptr_add(&mut self) -> Option<()> {
        let start = self.pointer();
        let there = self.compute(Op::PtrToInt, Type::NONE, &[start]);
        let distance = self.small(Type::I64, 15);
        let end = self.compute(Op::PtrAdd, Type::NONE, &[start, distance]);
        let end = self.compute(Op::PtrToInt, Type::NONE, &[end]);
        let inst = self.push(Op::Sub, Type::I64, &[end, there], Payload::None);
        self.keep(inst);
        Some(())
    }

    /// Objects are aligned to 16 bytes: the low bits of an address are the same in every run.
    pub(super) fn emit_ptr_to_int(&mut self) -> Option<()> {
        let address = self.pointer();
        let number = self.compute(Op::PtrToInt, Type::NONE, &[address]);
        let low = self.index(15);
        let inst = self.push(Op::And, Type::I64, &[number, low], Payload::None);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_int_to_ptr(&mut self) -> Option<()> {
        let pointer = self.lasting_pointer();
        let number = self.compute(Op::PtrToInt, Type::NONE, &[pointer]);
        let pointer = self.compute(Op::IntToPtr, Type::NONE, &[number]);
        self.keep_as(pointer, Sort::Lasting);
        Some(())
    }
}
