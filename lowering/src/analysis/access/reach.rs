//! What an instruction reads and writes.

use brolga_ir::attribute::Order;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Slot};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::managed::{ARRAY_LENGTH_OFFSET, HEADER_OFFSET, HEADER_SIZE};
use brolga_ir::module::{MemoryEffects, Module};
use brolga_ir::op::{Effects, Form, Op};
use brolga_ir::types::Type;

use super::location::{self, Location, Place, Places, Variable};
use super::{Base, Escapes};

/// The bytes that an instruction may read, or write.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Reach {
    /// None.
    #[default]
    Nothing,
    /// Those of one place.
    One(Location),
    /// Those of two places.
    Two(Box<[Location; 2]>),
    /// Whatever code outside of the function can.
    Shared,
    /// Any.
    Everything,
}

impl Reach {
    /// The places, where they are known.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        match self {
            Reach::One(location) => std::slice::from_ref(location).iter(),
            Reach::Two(both) => both.iter(),
            _ => [].iter(),
        }
    }

    /// The only place, if it is known and there is no other.
    pub fn location(&self) -> Option<&Location> {
        match self {
            Reach::One(location) => Some(location),
            _ => None,
        }
    }

    /// Whether it is no byte at all.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Reach::Nothing)
    }
}

/// What stands around an instruction.
struct Setting<'a> {
    body: &'a Body,
    module: &'a Module,
    escapes: &'a Escapes,
    places: &'a Places,
    inst: Inst,
}

/// What `inst` reads and what it writes.
pub(super) fn of(
    body: &Body,
    module: &Module,
    escapes: &Escapes,
    places: &Places,
    inst: Inst,
) -> (Reach, Reach) {
    let setting = Setting { body, module, escapes, places, inst };
    let data = body.inst(inst);
    let effects = data.op.info().effects;
    let (reads, writes) = setting.reach();
    // That a volatile load happens is a change that others see, and what orders accesses
    // is passed by none of them.
    let is_volatile = reads.locations().any(|location| location.volatile);
    if let (Op::MemCopy, true, Reach::One(from), Reach::One(to)) =
        (data.op, is_volatile, &reads, &writes)
    {
        return (reads.clone(), Reach::Two(Box::new([*from, *to])));
    }
    let orders = effects.contains(Effects::SYNCHRONISE) && reads.location().is_none();
    if is_volatile || (orders && !data.op.is_call()) {
        return (reads.clone(), reads);
    }
    let only = |effect, reach| if effects.contains(effect) { reach } else { Reach::Nothing };
    (only(Effects::READ, reads), only(Effects::WRITE, writes))
}

impl Setting<'_> {
    fn reach(&self) -> (Reach, Reach) {
        let data = self.body.inst(self.inst);
        match (data.op, data.payload) {
            (op, Payload::Access(access)) if op.info().form == Form::Bulk => self.bulk(op, &access),
            (_, Payload::Access(access)) => both(self.access(&access)),
            (_, Payload::Atomic { order, access }) => self.atomic(order, &access),
            (_, Payload::AtomicRmw { order, access, .. }) => self.atomic(order, &access),
            (_, Payload::AtomicCas { order, failure, access }) => {
                let relaxed = is_relaxed(order) && is_relaxed(failure);
                self.atomic(if relaxed { order } else { Order::SequentiallyConsistent }, &access)
            }
            (Op::AtomicModify, Payload::AtomicModify { access, .. }) => {
                self.atomic(Order::SequentiallyConsistent, &access)
            }
            (Op::SlotLoad, Payload::Slot(slot)) => self.at_index(Base::Slot(slot), 0),
            (Op::SlotStore, Payload::Slot(slot)) => self.at_index(Base::Slot(slot), 1),
            (Op::DataLoad, Payload::Data(data)) => self.at_index(Base::Data(data), 0),
            (Op::DataStore, Payload::Data(data)) => self.at_index(Base::Data(data), 1),
            (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) => both(self.whole_slot(slot)),
            (op, _) if op.is_call() => self.call(),
            (op, _) => self.other(op),
        }
    }

    fn place(&self, index: usize) -> (Base, Place) {
        let Some(&address) = self.body.args(self.inst).get(index) else {
            return (Base::Unknown, Place { variable: Variable::Anything, offset: 0 });
        };
        (self.escapes.bases().of(address), self.places.of(address))
    }

    fn size(&self, ty: Type) -> Option<u64> {
        Some(self.module.types.layout(ty).size)
    }

    /// A load or store of a value of the suffix.
    fn access(&self, access: &Access) -> Location {
        let data = self.body.inst(self.inst);
        let index = match data.op {
            Op::Store | Op::AtomicStore | Op::MaskedLoad => 1,
            Op::MaskedStore => 2,
            _ => 0,
        };
        let (base, place) = self.place(index);
        location::of_access(base, place, access, self.size(data.ty))
    }

    fn atomic(&self, order: Order, access: &Access) -> (Reach, Reach) {
        let location = self.access(access);
        if is_relaxed(order) {
            return both(location);
        }
        // It orders what others see, and is an access itself: maybe of an object that only this
        // function knows.
        let reach = match location.base {
            Base::Nowhere | Base::Unknown => Reach::Everything,
            base if self.escapes.is_private(base) => Reach::Everything,
            _ => Reach::Shared,
        };
        (reach.clone(), reach)
    }

    fn bulk(&self, op: Op, access: &Access) -> (Reach, Reach) {
        let length = self.body.args(self.inst).get(2);
        let length = length.and_then(|&length| self.body.as_scalar_constant(length));
        let size = length.map(|length| length as u64);
        let at = |index| {
            let (base, place) = self.place(index);
            location::of_access(base, place, access, size)
        };
        match op {
            Op::MemFill => both(at(0)),
            // It may stop before, and reads nothing behind that.
            Op::MemFind => (Reach::One(Location { size: None, ..at(0) }), Reach::Nothing),
            Op::MemCompare => (Reach::Two(Box::new([at(0), at(1)])), Reach::Nothing),
            _ => (Reach::One(at(1)), Reach::One(at(0))),
        }
    }

    /// An access whose offset is the operand of that index.
    fn at_index(&self, base: Base, index: usize) -> (Reach, Reach) {
        let data = self.body.inst(self.inst);
        let offset = self.body.args(self.inst).get(index);
        let place = offset.map_or(Place { variable: Variable::Anything, offset: 0 }, |&offset| {
            location::at_index(self.body, offset)
        });
        both(location::of_access(base, place, &Access::default(), self.size(data.ty)))
    }

    fn whole_slot(&self, slot: Slot) -> Location {
        let size = self.body.slot(slot).map(|data| data.size.into());
        let place = Place { variable: Variable::Start, offset: 0 };
        location::of_access(Base::Slot(slot), place, &Access::default(), size)
    }

    fn call(&self) -> (Reach, Reach) {
        let function = self.body.inst(self.inst).function();
        let function = function.and_then(|function| self.module.function(function));
        match function.map(|function| self.module.memory_of_call(function)) {
            Some(MemoryEffects::None) => (Reach::Nothing, Reach::Nothing),
            Some(MemoryEffects::ReadOnly) => (Reach::Shared, Reach::Nothing),
            Some(MemoryEffects::Any) | None => (Reach::Shared, Reach::Shared),
        }
    }

    fn other(&self, op: Op) -> (Reach, Reach) {
        let (base, place) = self.place(0);
        let word = |offset: i32| Location {
            variable: place.variable,
            offset: place.offset.wrapping_add(offset.into()),
            size: Some(HEADER_SIZE),
            ..Location::within(base)
        };
        match op {
            Op::AllocObject | Op::ArrayNew => {
                let made = self.body.result(self.inst).map_or(Base::Unknown, Base::Fresh);
                (Reach::Nothing, Reach::One(Location::within(made)))
            }
            Op::TypeOf => both(word(HEADER_OFFSET)),
            Op::ArrayLen => both(word(ARRAY_LENGTH_OFFSET)),
            Op::ArrayGet | Op::ArraySet => both(Location::within(base)),
            // The stack that they move holds objects of this function alone.
            Op::StackAlloc | Op::StackSave | Op::StackRestore => {
                (Reach::Everything, Reach::Everything)
            }
            // The collector looks at objects that nobody else knows.
            Op::Safepoint => (Reach::Everything, Reach::Shared),
            _ => (Reach::Shared, Reach::Shared),
        }
    }
}

fn both(location: Location) -> (Reach, Reach) {
    (Reach::One(location), Reach::One(location))
}

fn is_relaxed(order: Order) -> bool {
    matches!(order, Order::Unordered | Order::Relaxed)
}
