//! Which bytes an access is about, and which its object has.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{DataId, Inst, Slot, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::types::{Type, TypePool};
use smallvec::SmallVec;

use crate::analysis::ValueFacts;
use crate::analysis::addresses::Base;

/// How many sums an address is followed through.
const MOST_SUMS: usize = 32;

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    Known(u64),
    /// What that value says, read as unsigned.
    Value(Value),
}

/// Bytes that an instruction accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) address: Value,
    /// Added to that.
    pub(super) offset: i64,
    pub(super) size: Size,
    /// What the address must be a multiple of, or the op traps as misaligned.
    pub(super) align: Option<u64>,
}

/// An object of which the bounds are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) start: Start,
    pub(super) size: Size,
}

/// Where an object begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    Slot(Slot),
    Data(DataId),
    At(Value),
}

/// What is known of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// It is in its object.
    Inside,
    /// It may be.
    Open,
    /// It never is.
    Outside,
    /// Its object is no more.
    Gone,
}

impl Finding {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Finding::Inside => "always inside of",
            Finding::Open => "perhaps outside of",
            Finding::Outside => "always outside of",
            Finding::Gone => "always behind the end of",
        }
    }
}

/// The places that `inst` accesses by plain addresses.
pub(super) fn places(body: &Body, types: &TypePool, inst: Inst) -> SmallVec<[Place; 2]> {
    let (data, args) = (body.inst(inst), body.args(inst));
    let offset = data.access().map_or(0, |access| access.offset.into());
    let size = Size::Known(types.layout(data.ty).size);
    let is_atomic = !matches!(data.payload, Payload::Access(_));
    let align = is_atomic.then(|| types.layout(data.ty).size);
    let mut found = SmallVec::new();
    let mut add = |index: usize, offset, size, align| {
        let address = args.get(index).filter(|&&address| body.value_type(address) == Type::PTR);
        found.extend(address.map(|&address| Place { address, offset, size, align }));
    };
    match data.op {
        Op::Load | Op::AtomicLoad | Op::AtomicRmw | Op::AtomicCas => add(0, offset, size, align),
        Op::Store | Op::AtomicStore => add(1, offset, size, align),
        Op::MemFill | Op::MemCopy | Op::MemCompare => {
            let Some(&count) = args.get(2) else { return found };
            let known = body.as_scalar_constant(count);
            let size = known.map_or(Size::Value(count), |count| Size::Known(count as u64));
            add(0, offset, size, None);
            if data.op != Op::MemFill {
                add(1, 0, size, None);
            }
        }
        _ => {}
    }
    found.retain(|place| place.size != Size::Known(0));
    found
}

impl Object {
    /// The object of that base, if this code knows its bounds.
    pub(super) fn of(body: &Body, module: &Module, base: Base) -> Option<Object> {
        match base {
            Base::Slot(slot) => {
                let size = Size::Known(body.slot(slot)?.size.into());
                Some(Object { start: Start::Slot(slot), size })
            }
            Base::Data(id) => {
                let data = module.data(id)?;
                let is_own = matches!(data.linkage, Linkage::Export | Linkage::Local);
                let size = Size::Known(data.size);
                is_own.then_some(Object { start: Start::Data(id), size })
            }
            Base::Fresh(made) => {
                let inst = defining(body, made)?;
                let &size = body.args(inst).first()?;
                let known = body.as_scalar_constant(size);
                let size = known.map_or(Size::Value(size), |size| Size::Known(size as u64));
                let is_plain = body.inst(inst).op == Op::StackAlloc;
                is_plain.then_some(Object { start: Start::At(made), size })
            }
            _ => None,
        }
    }

    /// What it is, for people.
    pub(super) fn describe(&self, module: &Module) -> String {
        let name = match self.start {
            Start::Slot(slot) => slot.to_string(),
            Start::Data(id) => format!("@{}", module.data(id).map_or("", |data| &data.name)),
            Start::At(value) => value.to_string(),
        };
        match self.size {
            Size::Known(size) => format!("{name}, which has {size} bytes"),
            Size::Value(size) => format!("{name}, which has {size} bytes (a value)"),
        }
    }
}

/// The instruction that gives a value.
pub(super) fn defining(body: &Body, value: Value) -> Option<Inst> {
    match body.value_def(value) {
        ValueDef::Result(inst, _) => Some(inst),
        _ => None,
    }
}

impl Place {
    /// What numbers were added to for the address.
    pub(super) fn root(&self, body: &Body) -> Option<Value> {
        let before = |&address: &Value| {
            let inst = defining(body, address).filter(|&inst| body.inst(inst).op == Op::PtrAdd)?;
            body.args(inst).first().copied()
        };
        let sums = std::iter::successors(Some(self.address), before);
        sums.take(MOST_SUMS).last()
    }

    /// What is known of it, in an object that it belongs to.
    pub(super) fn look(&self, body: &Body, facts: &ValueFacts, object: &Object) -> Finding {
        let (Size::Known(size), Size::Known(room)) = (self.size, object.size) else {
            return Finding::Open;
        };
        let (size, room) = (i128::from(size), i128::from(room));
        let Some((least, most)) = self.distance(body, facts, object) else {
            return if size > room { Finding::Outside } else { Finding::Open };
        };
        if least >= 0 && most + size <= room {
            Finding::Inside
        } else if size > room || most < 0 || least + size > room {
            Finding::Outside
        } else {
            Finding::Open
        }
    }

    /// The least and the most bytes that it is behind the start of the object, if its address
    /// is a sum that begins there and that does not wrap.
    fn distance(&self, body: &Body, facts: &ValueFacts, object: &Object) -> Option<(i128, i128)> {
        let (mut least, mut most) = (i128::from(self.offset), i128::from(self.offset));
        let mut address = self.address;
        for _ in 0..MOST_SUMS {
            let inst = defining(body, address)?;
            match (body.inst(inst).op, body.args(inst)) {
                (Op::PtrAdd, &[of, added]) => {
                    let (low, high) = facts.of(body, added)?.signed();
                    (least, most) = (least + low, most + high);
                    address = of;
                }
                _ => {
                    let is_start = match (object.start, body.inst(inst).payload) {
                        (Start::Slot(slot), Payload::Slot(named)) => slot == named,
                        (Start::Data(data), Payload::Data(named)) => data == named,
                        (Start::At(value), _) => value == address,
                        _ => false,
                    };
                    let fits = |bytes: i128| i64::try_from(bytes).is_ok();
                    return (is_start && fits(least) && fits(most)).then_some((least, most));
                }
            }
        }
        None
    }
}
