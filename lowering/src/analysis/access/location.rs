//! Where an access is.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{AliasClass, Inst, PackedOption, ScopeSet, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Access;
use brolga_ir::op::Op;

use crate::analysis::addresses::Base;

/// What a constant offset is added to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// The start of the base, a slot or data object.
    Start,
    /// This address.
    Address(Value),
    /// The start of the base, and this number of bytes.
    Index(Value),
    /// Something in the base.
    Anything,
}

/// The bytes that an access may touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The object that it is in.
    pub base: Base,
    /// What stands behind that and is no constant.
    pub variable: Variable,
    /// The bytes that are added, wrapped to 64 bits.
    pub offset: i64,
    /// How many bytes follow; none if that is not known.
    pub size: Option<u64>,
    /// Its alias class.
    pub class: PackedOption<AliasClass>,
    /// The scopes that it belongs to.
    pub scopes: PackedOption<ScopeSet>,
    /// The scopes that it overlaps nothing of.
    pub no_alias: PackedOption<ScopeSet>,
    /// Whether it is ordered with other volatile accesses.
    pub volatile: bool,
}

impl Location {
    /// The location of an access to a whole object, or to some part of it.
    pub(super) fn within(base: Base) -> Location {
        Location {
            base,
            variable: Variable::Anything,
            offset: 0,
            size: None,
            class: None.into(),
            scopes: None.into(),
            no_alias: None.into(),
            volatile: false,
        }
    }

    /// The values whose rounds it belongs to: those that it is computed from, and the
    /// object that it is in, if one is made in each round.
    pub fn values(&self) -> impl Iterator<Item = Value> + use<> {
        let variable = match self.variable {
            Variable::Address(value) | Variable::Index(value) => Some(value),
            Variable::Start | Variable::Anything => None,
        };
        let made = match self.base {
            Base::Fresh(value) => Some(value),
            _ => None,
        };
        variable.into_iter().chain(made)
    }

    /// How many bytes behind its own start that of the other one is, in the same round of
    /// every loop, if that is known.
    pub fn distance(&self, other: &Location) -> Option<i64> {
        let starts_alike = match (self.variable, other.variable) {
            (Variable::Start, Variable::Start) => self.base == other.base,
            (Variable::Index(a), Variable::Index(b)) => a == b && self.base == other.base,
            (Variable::Address(a), Variable::Address(b)) => a == b,
            _ => false,
        };
        starts_alike.then(|| other.offset.wrapping_sub(self.offset))
    }

    /// Whether each byte of the other one is a byte of this one, in the same round of
    /// every loop.
    pub fn covers(&self, other: &Location) -> bool {
        let (Some(size), Some(inner)) = (self.size, other.size) else { return false };
        let end = self.distance(other).and_then(|start| (start as u64).checked_add(inner));
        end.is_some_and(|end| end <= size)
    }

    /// The bytes from `start` to `end` of it, which are some of its own.
    pub fn part(&self, start: u64, end: u64) -> Location {
        let offset = self.offset.wrapping_add(start as i64);
        Location { offset, size: Some(end - start), ..*self }
    }

    /// Wherever it is in other rounds of the loops that it is in: what holds of this
    /// holds of the accesses of all rounds.
    pub fn at_any_time(&self) -> Location {
        Location { variable: Variable::Anything, offset: 0, size: None, ..*self }
    }
}

/// An address, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) variable: Variable,
    pub(super) offset: i64,
}

/// The addresses of a body, taken apart.
#[derive(Debug)]
pub(super) struct Places {
    places: SecondaryMap<Value, Option<Place>>,
}

impl Places {
    pub(super) fn new(body: &Body, graph: &FlowGraph) -> Places {
        let mut places = Places { places: SecondaryMap::new() };
        // Definitions come before uses.
        for block in graph.reverse_postorder() {
            for inst in body.layout.insts(block) {
                if let Some(result) = body.result(inst)
                    && let Some(place) = places.result(body, inst)
                {
                    places.places[result] = Some(place);
                }
            }
        }
        places
    }

    /// The place of an address that is made from another one by a constant.
    fn result(&self, body: &Body, inst: Inst) -> Option<Place> {
        let args = body.args(inst);
        match body.inst(inst).op {
            Op::SlotAddr | Op::DataAddr => Some(Place { variable: Variable::Start, offset: 0 }),
            Op::AddressCast | Op::PointerFromRef => Some(self.of(*args.first()?)),
            Op::PtrAdd | Op::DerivedAdd => {
                let place = self.of(*args.first()?);
                let added = body.as_scalar_constant(*args.get(1)?)?;
                Some(Place { offset: place.offset.wrapping_add(added as i64), ..place })
            }
            _ => None,
        }
    }

    pub(super) fn of(&self, value: Value) -> Place {
        let known = self.places[value];
        known.unwrap_or(Place { variable: Variable::Address(value), offset: 0 })
    }
}

/// The bytes that an access promises of itself, at a place.
pub(super) fn of_access(base: Base, place: Place, access: &Access, size: Option<u64>) -> Location {
    Location {
        base,
        variable: place.variable,
        offset: place.offset.wrapping_add(access.offset.into()),
        size,
        class: access.class,
        scopes: access.scopes,
        no_alias: access.no_alias,
        volatile: access.flags.contains(brolga_ir::attribute::AccessFlags::VOLATILE),
    }
}

/// The place at that many bytes into a slot or data object.
pub(super) fn at_index(body: &Body, index: Value) -> Place {
    match body.value_def(index) {
        ValueDef::Constant(_) => {
            let offset = body.as_scalar_constant(index).unwrap_or(0) as i64;
            Place { variable: Variable::Start, offset }
        }
        _ => Place { variable: Variable::Index(index), offset: 0 },
    }
}
