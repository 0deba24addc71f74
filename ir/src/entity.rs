//! Handles: `u32` indices that print as the text spells them.

mod list;

use cranelift_entity::entity_impl;

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    )*};
}

entities! {
    /// An SSA value: a constant, a block parameter or a result of an instruction.
    Value = "%";
    /// A basic block.
    Block = "block";
    /// An instruction.
    Inst = "inst";
    /// A stack slot of a function.
    Slot = "ss";
    /// Where a failing `check` leaves to.
    Exit = "exit";
    /// A source location of a function, with its chain of inlined callers.
    Loc = "loc";
    /// A set of blocks and values that a `switch` selects from.
    SwitchTable = "switch";
    /// A no-alias scope of a function.
    Scope = "scope";
    /// An interned set of [`Scope`]s.
    ScopeSet = "scopes";
    /// A function of a module: defined, imported or foreign.
    FuncId = "fn";
    /// A data object of a module.
    DataId = "data";
    /// An alias class of a module: a node of the class tree.
    AliasClass = "class";
    /// An interned signature.
    SigId = "sig";
    /// An interned struct or array type.
    AggregateId = "aggregate";
}

pub use list::{ValueList, ValueListPool};

pub use cranelift_entity::packed_option::{PackedOption, ReservedValue};
pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};

/// A map with a default entry for each of the first `count` entities: one that is filled for
/// most of them is else made longer again and again.
pub fn dense_map<K: EntityRef, V: Clone + Default>(count: usize) -> SecondaryMap<K, V> {
    let mut map = SecondaryMap::new();
    map.resize(count);
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_print_as_the_text_spells_them() {
        assert_eq!(Value::from_u32(12).to_string(), "%12");
        assert_eq!(Block::from_u32(3).to_string(), "block3");
        assert_eq!(Slot::from_u32(0).to_string(), "ss0");
    }
}
