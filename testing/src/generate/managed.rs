//! Managed objects.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Scalar, Type};

use super::writer::{LEAST_OBJECT, Sort, Writer};

impl Writer<'_> {
    /// A reference to an object of at least [`LEAST_OBJECT`] bytes.
    pub(super) fn object_reference(&mut self) -> Value {
        if self.random().percent(75)
            && let Some(value) = self.at_hand(Type::REF, Sort::Object)
        {
            return value;
        }
        let kind = match self.at_hand(Type::REF, Sort::Object) {
            Some(value) if self.program.random.percent(50) => value,
            _ => self.zero(Type::REF),
        };
        let size = LEAST_OBJECT + 16 * self.random().below(3) as u64;
        let size = self.index(size);
        let object = self.compute(Op::AllocObject, Type::NONE, &[kind, size]);
        self.keep_as(object, Sort::Object);
        object
    }

    fn compare_references(&mut self, a: Value, b: Value) {
        let cond = self.random().pick(&[IntCond::Eq, IntCond::Ne]);
        let ty = self.body.value_type(a);
        let inst = self.push(Op::Icmp, ty, &[a, b], Payload::IntCond(cond));
        self.keep(inst);
    }

    pub(super) fn emit_alloc_object(&mut self) -> Option<()> {
        self.object_reference();
        Some(())
    }

    pub(super) fn emit_typeof(&mut self) -> Option<()> {
        let object = match self.has_hazard() {
            true => self.zero(Type::REF),
            false => self.object_reference(),
        };
        let kind = self.compute(Op::TypeOf, Type::NONE, &[object]);
        let other = self.object_reference();
        self.compare_references(kind, other);
        Some(())
    }

    pub(super) fn emit_current_exception(&mut self) -> Option<()> {
        let exception = self.compute(Op::CurrentException, Type::NONE, &[]);
        let null = self.zero(Type::REF);
        self.compare_references(exception, null);
        Some(())
    }

    pub(super) fn emit_preserve(&mut self) -> Option<()> {
        let count = self.random().between(1, 3);
        let objects: Vec<Value> = (0..count).map(|_| self.object_reference()).collect();
        let token = self.compute(Op::PreserveBegin, Type::NONE, &objects);
        self.push(Op::Safepoint, Type::NONE, &[], Payload::None);
        self.push(Op::PreserveEnd, Type::NONE, &[token], Payload::None);
        Some(())
    }

    pub(super) fn emit_write_barrier(&mut self) -> Option<()> {
        let args = [self.object_reference(), self.object_reference()];
        self.push(Op::WriteBarrier, Type::NONE, &args, Payload::None);
        Some(())
    }

    pub(super) fn emit_safepoint(&mut self) -> Option<()> {
        self.push(Op::Safepoint, Type::NONE, &[], Payload::None);
        Some(())
    }

    pub(super) fn emit_pointer_from_ref(&mut self) -> Option<()> {
        let object = self.object_reference();
        let address = self.compute(Op::PointerFromRef, Type::NONE, &[object]);
        let number = self.compute(Op::PtrToInt, Type::NONE, &[address]);
        let low = self.index(15);
        let inst = self.push(Op::And, Type::I64, &[number, low], Payload::None);
        self.keep(inst);
        Some(())
    }

    pub(super) fn emit_address_cast(&mut self) -> Option<()> {
        let object = self.object_reference();
        match self.random().below(3) {
            0 => {
                let derived = self.compute(Op::AddressCast, Type::DERIVED, &[object]);
                let null = self.zero(Type::DERIVED);
                self.compare_references(derived, null);
            }
            1 => {
                let address = self.compute(Op::PointerFromRef, Type::NONE, &[object]);
                let again = self.compute(Op::AddressCast, Type::REF, &[address]);
                self.compare_references(again, object);
                self.keep_as(again, Sort::Object);
            }
            _ => {
                let address = self.compute(Op::PointerFromRef, Type::NONE, &[object]);
                let loaded = self.compute(Op::AddressCast, Type::LOADED, &[address]);
                let ty = self.atomic_type();
                let payload = Payload::Access(Default::default());
                let inst = self.push(Op::Load, ty, &[loaded], payload);
                self.keep(inst);
            }
        }
        Some(())
    }

    pub(super) fn emit_derived_add(&mut self) -> Option<()> {
        let object = self.object_reference();
        let derived = self.compute(Op::AddressCast, Type::DERIVED, &[object]);
        let distance = self.small(Type::I64, 31);
        let inside = self.compute(Op::DerivedAdd, Type::NONE, &[derived, distance]);
        let ty = self.atomic_type();
        let payload = Payload::Access(Default::default());
        if self.random().percent(50) {
            let value = self.steady(ty);
            self.push(Op::Store, ty, &[value, inside], payload);
            return Some(());
        }
        let inst = self.push(Op::Load, ty, &[inside], payload);
        self.keep(inst);
        Some(())
    }

    /// An array, its elements and their number.
    fn array(&mut self) -> (Value, Type, u32) {
        let known = self.pool.iter().rev().find_map(|entry| match entry.sort {
            Sort::Array(element, length) => Some((entry.value, element, length)),
            _ => None,
        });
        match known {
            Some(array) if self.random().percent(75) => array,
            _ => self.new_array(),
        }
    }

    fn new_array(&mut self) -> (Value, Type, u32) {
        let element = match self.random().percent(15) {
            true => Type::REF,
            false => self.type_in(TypeClass::Number),
        };
        let length = self.random().between(1, 9) as u32;
        let args = [self.zero(Type::REF), self.index(length.into())];
        let array = self.compute(Op::ArrayNew, element, &args);
        self.keep_as(array, Sort::Array(element, length));
        (array, element, length)
    }

    pub(super) fn emit_array_new(&mut self) -> Option<()> {
        self.new_array();
        Some(())
    }

    pub(super) fn emit_array_len(&mut self) -> Option<()> {
        let (array, _, _) = self.array();
        let inst = self.push(Op::ArrayLen, Type::NONE, &[array], Payload::None);
        self.keep(inst);
        Some(())
    }

    fn element(&mut self, length: u32) -> Value {
        match self.has_hazard() {
            true => self.any(Type::I64),
            false => self.small(Type::I64, (1 << length.ilog2()) - 1),
        }
    }

    pub(super) fn emit_array_get(&mut self) -> Option<()> {
        let (array, element, length) = self.array();
        let index = self.element(length);
        let inst = self.push(Op::ArrayGet, element, &[array, index], Payload::None);
        if element.lane() != Some(Scalar::Ref) {
            self.keep(inst);
        }
        Some(())
    }

    pub(super) fn emit_array_set(&mut self) -> Option<()> {
        let (array, element, length) = self.array();
        let index = self.element(length);
        let value = match element {
            Type::REF => self.object_reference(),
            _ => self.steady(element),
        };
        self.push(Op::ArraySet, element, &[array, index, value], Payload::None);
        Some(())
    }

    /// A call that ends the program, in few programs.
    pub(super) fn emit_boxed_call(&mut self) -> Option<()> {
        if !self.has_hazard() {
            return None;
        }
        self.boxed_call();
        Some(())
    }

    /// No object is callable without a runtime: this ends the program.
    pub(super) fn boxed_call(&mut self) {
        let callable = match self.random().percent(50) {
            true => self.zero(Type::REF),
            false => self.object_reference(),
        };
        let args = [callable, self.object_reference()];
        self.push(Op::BoxedCall, Type::NONE, &args, Payload::None);
    }

    /// What the processor has differs from run to run: nothing looks at it.
    pub(super) fn emit_feature(&mut self, op: Op) -> Option<()> {
        if op == Op::HaveFma {
            let ty = self.type_in(TypeClass::Float);
            self.push(op, ty, &[], Payload::None);
            return Some(());
        }
        let feature = self.program.module.intern("avx2");
        self.push(op, Type::NONE, &[], Payload::Feature(feature));
        Some(())
    }
}
