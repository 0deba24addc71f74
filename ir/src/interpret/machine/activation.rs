//! Activations: what a call makes and a return ends.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::alias::ScopedAccess;
use super::invariant::InvariantLoad;
use super::variadic::ARGUMENTS_TAG;
use super::{Machine, Region, Stop};
use crate::body::MAX_SLOT_ALIGN_LOG2;
use crate::datum::Datum;
use crate::interpret::code::{Code, MAX_ACTIVATION_BYTES};
use crate::interpret::eval::Datums;
use crate::interpret::memory::{NewObject, ObjectKind};
use crate::module::MemoryEffects;
use crate::trap::TrapCode;
use crate::types::{ByValue, Layout};

/// An activation of a function.
#[derive(Debug)]
pub(in crate::interpret) struct Activation<'m> {
    pub(super) code: Rc<Code<'m>>,
    /// No other activation has this number.
    pub(super) serial: u64,
    /// The instruction that is being executed, or that has made the call above.
    pub(super) at: usize,
    /// Its first register, slot and region.
    pub(super) registers: usize,
    pub(super) slots: usize,
    pub(super) regions: usize,
    /// What the promises of this function and its callers leave of memory, and
    /// the first slot of the outermost that promised.
    pub(super) effects: MemoryEffects,
    pub(super) own_slots: usize,
    /// The regions around each call that may return again, of the last time that it was made.
    pub(super) places: BTreeMap<usize, Vec<Region>>,
    /// Invariant loads so far.
    pub(super) invariants: Vec<InvariantLoad>,
    /// Accesses so far that say something of scopes.
    pub(super) scoped: Vec<ScopedAccess>,
}

impl<'m> Machine<'m> {
    fn decode(&mut self, function: usize) -> Result<Rc<Code<'m>>, Stop> {
        let Some(entry) = self.decoded.get_mut(function) else {
            return Err(Stop::Broken("a function is of another program".into()));
        };
        if let Some(code) = entry {
            return Ok(Rc::clone(code));
        }
        let linked = &self.program.functions[function];
        let module = (linked.module, self.program.modules[linked.module].module);
        let mut code = Code::decode(function, module, linked.id, linked.function)
            .map_err(|reason| Stop::Broken(format!("@{}: {reason}", linked.name).into()))?;
        if code.bytes > MAX_ACTIVATION_BYTES.min(self.limits.memory) {
            let message = format!("the values of @{} take {} bytes", code.name, code.bytes);
            return Err(Stop::trap(TrapCode::OutOfMemory, message));
        }
        // A decoded body stays, and its constants with it.
        let constants = self.constant_bytes.saturating_add(code.constant_bytes());
        if constants > self.limits.memory {
            let message = format!("the constants of @{} and others take too much", code.name);
            return Err(Stop::trap(TrapCode::OutOfMemory, message));
        }
        self.constant_bytes = constants;
        code.make_constants();
        let code = Rc::new(code);
        *entry = Some(Rc::clone(&code));
        Ok(code)
    }

    /// Makes an activation of a function with a body.
    pub(super) fn push(&mut self, function: usize, args: Datums) -> Result<(), Stop> {
        let code = self.decode(function)?;
        if args.len() != code.params.len() {
            return Err(Stop::Broken(
                format!("@{} takes {} arguments, not {}", code.name, code.params.len(), args.len())
                    .into(),
            ));
        }
        let bytes = self.stack_bytes + code.bytes;
        if self.activations.len() >= self.limits.depth || bytes > self.limits.memory {
            return Err(TrapCode::StackOverflow.into());
        }
        self.serial += 1;
        let activation = Activation {
            serial: self.serial,
            at: 0,
            registers: self.registers.len(),
            slots: self.slots.len(),
            regions: self.regions.len(),
            effects: MemoryEffects::Any,
            own_slots: self.slots.len(),
            places: BTreeMap::new(),
            invariants: Vec::new(),
            scoped: Vec::new(),
            code: Rc::clone(&code),
        };
        let activation = self.restrict(activation);
        self.stack_bytes = bytes;
        self.base = activation.registers;
        self.registers.resize(self.base + code.registers, Datum::Scalar(0));
        self.activations.push(activation);
        if code.promises_invariants {
            self.begin_promises();
        }
        for (&param, arg) in code.params.iter().zip(args) {
            self.set(param, arg);
        }
        self.make_slots(&code)?;
        self.copy_passed(&code)
    }

    /// Gives the activation bytes of its own for what is passed to it by value.
    fn copy_passed(&mut self, code: &Code<'m>) -> Result<(), Stop> {
        for &ByValue { index, size, align } in &code.passed {
            let Some(&param) = code.params.get(index) else { continue };
            let given = self.register(param).map_or(0, |register| register.bits()) as u64;
            let own = self.argument_object(code.number, size.into(), align.into())?;
            if size != 0 {
                self.memory.copy(own, given, size.into())?;
            }
            self.set_bits(param, own.into());
        }
        Ok(())
    }

    /// An object that lives as long as the innermost activation.
    pub(super) fn argument_object(
        &mut self,
        function: usize,
        size: u64,
        align: u64,
    ) -> Result<u64, Stop> {
        let layout = Layout { size: size.max(8), align };
        let tag = (function as u64) << 32 | u64::from(ARGUMENTS_TAG);
        let full = |_| Stop::from(TrapCode::StackOverflow);
        let object = NewObject::zeroed(ObjectKind::Slot, layout, tag);
        let address = self.memory.allocate(&object).map_err(full)?;
        self.slots.push(address);
        self.charge_bytes(size)?;
        Ok(address)
    }

    /// Hands the promises of the caller on, and adds those of the function.
    fn restrict(&self, mut new: Activation<'m>) -> Activation<'m> {
        let promised = new.code.attributes.memory;
        if let Some(caller) = self.activations.last().filter(|c| c.effects != MemoryEffects::Any) {
            new.effects = caller.effects;
            new.own_slots = caller.own_slots;
        }
        let is_stronger = match (new.effects, promised) {
            (_, MemoryEffects::Any) | (MemoryEffects::None, _) => false,
            (MemoryEffects::ReadOnly, MemoryEffects::ReadOnly) => false,
            (MemoryEffects::Any | MemoryEffects::ReadOnly, _) => true,
        };
        if is_stronger {
            new.effects = promised;
            new.own_slots = new.slots;
        }
        new
    }

    fn make_slots(&mut self, code: &Code<'m>) -> Result<(), Stop> {
        for (index, slot) in code.slots.iter().enumerate() {
            let layout = Layout {
                size: slot.size.into(),
                align: 1 << slot.align_log2.min(MAX_SLOT_ALIGN_LOG2),
            };
            let tag = (code.number as u64) << 32 | index as u64;
            let mut object = NewObject::zeroed(ObjectKind::Slot, layout, tag);
            object.initial = slot.initial;
            let address = self.memory.allocate(&object);
            let full = |_| Stop::from(TrapCode::StackOverflow);
            self.slots.push(address.map_err(full)?);
            self.charge_bytes(layout.size)?;
        }
        Ok(())
    }

    /// Ends the innermost activation, and its slots with it.
    pub(super) fn pop(&mut self) {
        let Some(activation) = self.activations.pop() else { return };
        if activation.code.promises_invariants {
            self.end_promises(&activation);
        }
        for slot in self.slots.drain(activation.slots..).rev() {
            // A slot that is gone already was freed by no safe means.
            let _ = self.memory.free(slot, ObjectKind::Slot);
        }
        self.registers.truncate(activation.registers);
        self.regions.truncate(activation.regions);
        self.stack_bytes -= activation.code.bytes;
        self.base = self.activations.last().map_or(0, |caller| caller.registers);
    }
}
