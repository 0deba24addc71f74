//! Second returns: a call of `setjmp`, some work, and a jump back to the call,
//! from the same function, from one further in, or out of one that C calls.
//!
//! How often a call returns is counted in a slot, which the way back leaves as
//! it is. Everything else at hand was computed before the call or behind it.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::SlotData;
use brolga_ir::entity::{DataId, FuncId, SigId, Slot, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::module::{DataItem, DataObject, Linkage, Returns, Symbol};
use brolga_ir::op::Op;
use brolga_ir::types::{Signature, Type};

use super::Surroundings;
use super::parts::Role;
use super::program::Program;
use super::writer::Writer;

/// Bytes of a `jmp_buf`, and more than any platform has.
const BUFFER: u32 = 512;

/// Instructions that sorting executes until a comparison leaves it.
const SORT_COST: u64 = 60;

/// What a program needs for second returns.
#[derive(Clone, Debug)]
pub(super) struct Jumps {
    set: FuncId,
    long: FuncId,
    /// A function that makes objects on the stack and jumps.
    further: FuncId,
    further_cost: u64,
    /// A comparison that jumps to the place in the data object.
    comparison: (FuncId, SigId),
    sort: FuncId,
    place: DataId,
}

/// Where a function keeps its place and its count.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpSlots {
    place: Slot,
    count: Slot,
}

impl Program {
    /// Functions by which others return a second time. What is rooted or tracked
    /// by a collector is not to be jumped over, and other compilers keep nothing
    /// of what changes between the returns.
    pub(super) fn declare_jumps(&mut self) {
        let is_host = matches!(self.surroundings, Surroundings::Host | Surroundings::Process);
        if !self.raw || self.managed || !is_host || !self.random.percent(30) {
            return;
        }
        let declared = Signature::platform(&[Type::PTR], &[Type::I32]);
        let set = self.declare_outer("_setjmp", Linkage::Foreign, declared);
        let declared = Signature::platform(&[Type::PTR, Type::I32], &[]);
        let long = self.declare_outer("longjmp", Linkage::Foreign, declared);
        let array = [Type::PTR, Type::I64, Type::I64, Type::PTR];
        let sort = self.declare_outer("qsort", Linkage::Foreign, Signature::platform(&array, &[]));
        for (id, returns) in [(set, Returns::Twice), (long, Returns::Never)] {
            if let Some(function) = self.module.function_mut(id) {
                function.attributes.returns = returns;
            }
        }
        // An object with an address is compared with no other run's.
        let addressed = DataItem::Address { symbol: Symbol::Function(long), addend: 0 };
        let items = vec![DataItem::Zero(BUFFER.into()), addressed];
        let place = DataObject { align_log2: 4, ..DataObject::new(&self.own("place"), items) };
        let place = self.module.declare_data(place).unwrap_or_else(|error| panic!("{error}"));
        let further = self.declare(Role::Ordinary, &[Type::PTR, Type::I32], &[]);
        let further_cost = self.define(further, Role::Ordinary, |writer| {
            let Some(entry) = writer.body.layout.entry() else { return };
            let params = writer.body.params(entry).to_vec();
            // Nothing but a second return may write where its place is kept.
            writer.pool.retain(|entry| entry.value != params[0]);
            writer.emit_stack();
            writer.region(2, 1);
            writer.jump_to(long, params[0], params[1]);
        });
        let comparison = self.declare(Role::Ordinary, &[Type::PTR, Type::PTR], &[Type::I32]);
        self.define(comparison, Role::Ordinary, |writer| {
            let Some(entry) = writer.body.layout.entry() else { return };
            let element = writer.body.params(entry)[0];
            let payload = Payload::Access(Access::default());
            let number = writer.compute_with(Op::Load, Type::I32, &[element], payload);
            let place = writer.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(place));
            writer.jump_to(long, place, number);
        });
        let comparison = (comparison, self.sig_of(comparison));
        self.jumps = Some(Jumps { set, long, further, further_cost, comparison, sort, place });
    }
}

impl Writer<'_> {
    /// Makes room for what second returns need, where the program has them.
    pub(super) fn open_jumps(&mut self) -> Option<JumpSlots> {
        self.program.jumps.is_some().then(|| JumpSlots {
            place: self.body.make_slot(SlotData::new(BUFFER)),
            count: self.body.make_slot(SlotData::new(8)),
        })
    }

    fn call_c(&mut self, function: FuncId, args: &[Value]) -> brolga_ir::entity::Inst {
        let payload = Payload::ForeignCall { function, roots: 0 };
        self.push(Op::CallForeign, Type::NONE, args, payload)
    }

    /// Jumps, and goes on in a block that nothing leads to.
    fn jump_to(&mut self, long: FuncId, place: Value, number: Value) {
        self.call_c(long, &[place, number]);
        self.push(Op::Unreachable, Type::NONE, &[], Payload::None);
        let behind = self.body.make_block();
        self.start(behind);
    }

    /// A call that returns a number of times that is known before.
    pub(super) fn returns(&mut self, nest: usize) -> Option<()> {
        let (jumps, slots) = (self.program.jumps.clone()?, self.jump_slots?);
        let times = self.random().between(2, 3) as u64;
        if !self.affords((times + 1) * (200 + jumps.further_cost + SORT_COST)) {
            return None;
        }
        let weight = self.weight;
        self.weight *= times + 1;
        let [place, count] = [slots.place, slots.count]
            .map(|slot| self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot)));
        let (none, access) = (self.index(0), Payload::Access(Access::default()));
        self.push(Op::Store, Type::I64, &[none, count], access);
        let set = self.call_c(jumps.set, &[place]);
        self.keep(set);
        let known = self.compute_with(Op::Load, Type::I64, &[count], access);
        let one = self.index(1);
        let more = self.compute(Op::Add, Type::I64, &[known, one]);
        self.push(Op::Store, Type::I64, &[more, count], access);
        let scope = self.open_scope();
        // A call further in would take the slots for itself.
        self.jump_slots = None;
        self.region(2, nest + 1);
        let most = self.index(times);
        let goes_back =
            self.compute_with(Op::Icmp, Type::I64, &[more, most], Payload::IntCond(IntCond::Ult));
        let (back, on) = (self.body.make_block(), self.body.make_block());
        self.branch(goes_back, (back, &[]), (on, &[]));
        self.close_scope(scope);
        self.start(back);
        let scope = self.open_scope();
        self.region(1, nest + 1);
        self.go_back(&jumps, place);
        self.jump_slots = Some(slots);
        self.close_scope(scope);
        self.weight = weight;
        self.start(on);
        Some(())
    }

    /// Ends the block with a jump to the place.
    fn go_back(&mut self, jumps: &Jumps, place: Value) {
        let number = self.small(Type::I32, 7);
        match self.random().below(3) {
            0 => {
                self.call_c(jumps.long, &[place, number]);
            }
            1 => {
                let payload = Payload::Function(jumps.further);
                self.push(Op::Call, Type::NONE, &[place, number], payload);
                self.spend(jumps.further_cost);
            }
            _ => {
                let bytes = self.index(BUFFER.into());
                let payload = Payload::Data(jumps.place);
                let shared = self.compute_with(Op::DataAddr, Type::NONE, &[], payload);
                let access = Payload::Access(Access::default());
                self.push(Op::MemCopy, Type::NONE, &[shared, place, bytes], access);
                let elements = self.equal_elements();
                let (count, size) = (self.index(4), self.index(8));
                let address = self.address_of(jumps.comparison.0, jumps.comparison.1);
                self.call_c(jumps.sort, &[elements, count, size, address]);
                self.spend(SORT_COST);
            }
        }
        self.push(Op::Unreachable, Type::NONE, &[], Payload::None);
    }

    /// Four numbers that are the same: which of them a library compares first is
    /// its own choice, and the first ends the sorting.
    fn equal_elements(&mut self) -> Value {
        let elements = self.slot_pointer();
        let (byte, size) = (self.any(Type::I8), self.index(4 * 8));
        let access = Payload::Access(Access::default());
        self.push(Op::MemFill, Type::NONE, &[elements, byte, size], access);
        elements
    }
}
