//! The shapes of instructions: which fields follow the mnemonic, in text
//! order. Printer and parser walk the same list.

/// One field of an instruction's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The next operand.
    Operand,
    /// The next operand, with a constant offset behind it: `%p+8`.
    Address,
    /// All further operands, separated by commas.
    Operands,
    /// The arguments of a call, in parentheses.
    Arguments,
    /// `roots(…)`: references that the call keeps alive; may be absent.
    Roots,
    /// Alignment, flags, alias class and scopes of an access; may be absent.
    Access,
    /// A condition on integers.
    IntCond,
    /// A condition on floats.
    FloatCond,
    /// A memory order.
    Order,
    /// The order of a compare-exchange that fails.
    FailureOrder,
    /// The kind of a read-modify-write.
    RmwOp,
    /// A stack slot.
    Slot,
    /// A data object.
    Data,
    /// A function.
    Function,
    /// The indices that lead into an aggregate.
    Path,
    /// The lanes that a shuffle takes, `_` for zero.
    Lanes,
    /// A block with its arguments.
    Target,
    /// The edge of a call that returns: `normal block(…)`.
    NormalTarget,
    /// The edge of a call that throws: `unwind block(…)`.
    UnwindTarget,
    /// The cases of a switch, then its default.
    Cases,
    /// Weights of the targets; may be absent.
    Weights,
    /// An exit with the values that it takes along.
    Exit,
    /// A trap code.
    TrapCode,
    /// A count.
    Count,
    /// The marks of a loop.
    LoopMark,
    /// The name of a processor feature, in quotes.
    Feature,
}

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident = [$($field:ident),*];)*) => {
        /// The shape of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Form { $($(#[$doc])* $name,)* }

        impl Form {
            /// Every form.
            pub const ALL: &'static [Form] = &[$(Form::$name,)*];

            /// The fields behind the mnemonic, in text order.
            pub const fn fields(self) -> &'static [Field] {
                match self { $(Form::$name => &[$(Field::$field),*],)* }
            }
        }
    };
}

forms! {
    /// As many operands as the row lists.
    Values = [Operands];
    /// Any number of operands.
    Variadic = [Operands];
    /// Compare of integers.
    IntCompare = [IntCond, Operand, Operand];
    /// Compare of floats.
    FloatCompare = [FloatCond, Operand, Operand];
    /// Load from an address.
    Load = [Address, Access];
    /// Store to an address.
    Store = [Operand, Address, Access];
    /// Load of the lanes of a mask.
    MaskedLoad = [Operand, Address, Operand, Access];
    /// Store of the lanes of a mask.
    MaskedStore = [Operand, Operand, Address, Access];
    /// Copies, fills and compares of memory.
    Bulk = [Operand, Operand, Operand, Access];
    /// Atomic load.
    AtomicLoad = [Order, Address, Access];
    /// Atomic store.
    AtomicStore = [Order, Operand, Address, Access];
    /// Atomic read-modify-write.
    AtomicRmw = [RmwOp, Order, Address, Operand, Access];
    /// Atomic compare-exchange.
    AtomicCas = [Order, FailureOrder, Address, Operand, Operand, Access];
    /// Atomic read-modify-write by a function.
    AtomicModify = [Function, Order, Address, Operand, Access];
    /// Fence.
    Fence = [Order];
    /// A slot.
    Slot = [Slot];
    /// Load from a slot.
    SlotLoad = [Slot, Operand];
    /// Store to a slot.
    SlotStore = [Operand, Slot, Operand];
    /// A data object.
    Data = [Data];
    /// Load from a data object.
    DataLoad = [Data, Operand];
    /// Store to a data object.
    DataStore = [Operand, Data, Operand];
    /// A function.
    Function = [Function];
    /// Field of an aggregate.
    Extract = [Operand, Path];
    /// Aggregate with one field replaced.
    Insert = [Operand, Operand, Path];
    /// Shuffle.
    Shuffle = [Operand, Operand, Lanes];
    /// Call by name.
    Call = [Function, Arguments];
    /// Call of a foreign function by name.
    ForeignCall = [Function, Arguments, Roots];
    /// Call through a value.
    IndirectCall = [Operand, Arguments];
    /// Call by name, with an unwind edge.
    TryCall = [Function, Arguments, Roots, NormalTarget, UnwindTarget];
    /// Call through a value, with an unwind edge.
    TryIndirectCall = [Operand, Arguments, NormalTarget, UnwindTarget];
    /// Jump.
    Jump = [Target];
    /// Two-way branch.
    Branch = [Operand, Target, Target, Weights];
    /// Many-way branch.
    Switch = [Operand, Cases, Weights];
    /// Trap.
    Trap = [TrapCode];
    /// Check.
    Check = [Operand, Exit];
    /// Entry of a handler region.
    Enter = [Target, UnwindTarget];
    /// A count.
    Count = [Count];
    /// Marks of a loop.
    LoopMark = [LoopMark];
    /// A processor feature.
    Feature = [Feature];
}

impl Field {
    /// Whether a comma stands between `previous` and this field. Words that
    /// qualify the op stand free, as does what brings its own brackets or keyword.
    pub const fn follows_comma(self, previous: Option<Field>) -> bool {
        let Some(previous) = previous else { return false };
        let after_word = matches!(
            previous,
            Field::IntCond | Field::FloatCond | Field::Order | Field::FailureOrder | Field::RmwOp
        );
        let free = matches!(
            self,
            Field::Arguments | Field::Roots | Field::Access | Field::Weights | Field::NormalTarget
        );
        !after_word && !free
    }

    /// What stands in text between `previous`, or the mnemonic, and this field.
    pub const fn separator(self, previous: Option<Field>) -> &'static str {
        match self {
            Field::Arguments => "",
            field if field.follows_comma(previous) => ", ",
            _ => " ",
        }
    }
}

impl Form {
    /// Whether the row's operand patterns are followed by operands whose
    /// types something else gives: a signature, an aggregate, an exit.
    pub const fn has_more_operands(self) -> bool {
        matches!(
            self,
            Form::Variadic
                | Form::Call
                | Form::ForeignCall
                | Form::IndirectCall
                | Form::TryCall
                | Form::TryIndirectCall
                | Form::Check
        )
    }
}
