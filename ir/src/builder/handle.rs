//! Handles that know their function, so that one of another function is an
//! error and not some value of this one that happens to have the number.

use std::fmt;

use cranelift_entity::entity_impl;

use super::variables::Variables;
use crate::body::Body;
use crate::entity::{self, EntityRef, FuncId, ReservedValue};

/// The number of a variable in its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct VariableId(u32);
entity_impl!(VariableId, "var");

/// Something of the function that is being built.
///
/// It knows its function by number. In a module where that number is another
/// function's, or in a second attempt at the same function, it is an error
/// where the function has nothing of its number, and otherwise stands for what
/// has: the function is then verified like any other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local<T> {
    entity: T,
    owner: FuncId,
}

/// An SSA value of the function that is being built.
pub type Value = Local<entity::Value>;
/// A block of the function that is being built.
pub type Block = Local<entity::Block>;
/// A stack slot of the function that is being built.
pub type Slot = Local<entity::Slot>;
/// An exit of the function that is being built.
pub type Exit = Local<entity::Exit>;
/// A variable of the function that is being built: read and set in any block,
/// it becomes values and block parameters.
pub type Variable = Local<VariableId>;

/// What a handle can be of.
pub(super) trait Entity: EntityRef + ReservedValue + fmt::Display {
    /// Whether a function with that body and those variables has the entity.
    fn is_in(self, body: &Body, variables: &Variables) -> bool;
}

impl Entity for entity::Value {
    fn is_in(self, body: &Body, _: &Variables) -> bool {
        body.contains_value(self)
    }
}

impl Entity for entity::Block {
    fn is_in(self, body: &Body, _: &Variables) -> bool {
        body.contains_block(self)
    }
}

impl Entity for entity::Slot {
    fn is_in(self, body: &Body, _: &Variables) -> bool {
        body.slot(self).is_some()
    }
}

impl Entity for entity::Exit {
    fn is_in(self, body: &Body, _: &Variables) -> bool {
        body.exit(self).is_some()
    }
}

impl Entity for VariableId {
    fn is_in(self, _: &Body, variables: &Variables) -> bool {
        variables.contains(self)
    }
}

impl<T: EntityRef + ReservedValue> Local<T> {
    pub(super) fn new(entity: T, owner: FuncId) -> Local<T> {
        Local { entity, owner }
    }

    /// What stands for the result of something that failed.
    pub(super) fn missing(owner: FuncId) -> Local<T> {
        Local { entity: T::reserved_value(), owner }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.entity.is_reserved_value()
    }

    /// The handle in the function's body. Values that were read from a
    /// variable may have become others when the body is finished.
    pub fn entity(self) -> T {
        self.entity
    }

    /// The function that it is of.
    pub fn owner(self) -> FuncId {
        self.owner
    }
}

impl<T: fmt::Display> fmt::Display for Local<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entity.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Debug for Local<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.entity, self.owner)
    }
}

/// The results of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Results {
    pub(super) values: smallvec::SmallVec<[Value; 2]>,
    pub(super) owner: FuncId,
}

impl Results {
    /// The first result; using it is an error if there is none.
    pub fn first(&self) -> Value {
        self.get(0)
    }

    /// A result; using it is an error if there is none of that number.
    pub fn get(&self, index: usize) -> Value {
        self.values.get(index).copied().unwrap_or_else(|| Value::missing(self.owner))
    }

    pub(super) fn pair(&self) -> (Value, Value) {
        (self.get(0), self.get(1))
    }

    /// All results.
    pub fn as_slice(&self) -> &[Value] {
        &self.values
    }
}
