//! Instructions: an op, its type suffix, its operands, and what else the
//! op's form holds.

use crate::attribute::{AccessFlags, FloatCond, InstFlags, IntCond, LoopFlags, Order, RmwOp};
use crate::entity::{
    AliasClass, Block, DataId, Exit, FuncId, Loc, PackedOption, ScopeSet, Slot, SwitchTable,
    ValueList,
};
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::Type;

/// A block to go on at, and the values for its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// The arguments, one for each parameter.
    pub args: ValueList,
}

/// The logarithm of the largest alignment that an access may promise, in bytes.
pub const MAX_ACCESS_ALIGN_LOG2: u8 = 31;

/// What an access says beside its address and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Access {
    /// Bytes added to the address, wrapped to 64 bits.
    pub offset: i32,
    /// Promise: the address, both of a copy or compare, is a multiple of
    /// `1 << align_log2` bytes; at most [`MAX_ACCESS_ALIGN_LOG2`].
    pub align_log2: u8,
    /// Flags.
    pub flags: AccessFlags,
    /// Promise: overlaps only accesses of a class above, below or equal to this one.
    pub class: PackedOption<AliasClass>,
    /// The scopes that the access belongs to.
    pub scopes: PackedOption<ScopeSet>,
    /// Promise: overlaps no access that belongs to one of these scopes.
    pub no_alias: PackedOption<ScopeSet>,
}

/// A piece of the body's pool of immediates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ImmediateList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The lane number that stands for a zero in a shuffle.
pub const ZERO_LANE: u32 = u32::MAX;

/// The most that `loop_mark` may ask a loop to be unrolled by.
pub const MAX_UNROLL: u32 = 1024;

/// What an instruction holds beside its operands, by the form of its op.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Payload {
    /// Nothing: [`Values`](crate::op::Form::Values) and [`Variadic`](crate::op::Form::Variadic).
    None,
    /// A condition on integers.
    IntCond(IntCond),
    /// A condition on floats.
    FloatCond(FloatCond),
    /// An access.
    Access(Access),
    /// An atomic load or store.
    Atomic {
        /// Its order.
        order: Order,
        /// Its access.
        access: Access,
    },
    /// An atomic read-modify-write.
    AtomicRmw {
        /// Its kind.
        op: RmwOp,
        /// Its order.
        order: Order,
        /// Its access.
        access: Access,
    },
    /// An atomic compare-exchange.
    AtomicCas {
        /// The order when it succeeds.
        order: Order,
        /// The order when it fails.
        failure: Order,
        /// Its access.
        access: Access,
    },
    /// An atomic read-modify-write by a function.
    AtomicModify {
        /// The function.
        function: FuncId,
        /// Its order.
        order: Order,
        /// Its access.
        access: Access,
    },
    /// A fence.
    Order(Order),
    /// A slot.
    Slot(Slot),
    /// A data object.
    Data(DataId),
    /// A function, referred to or called.
    Function(FuncId),
    /// A foreign call, whose last `roots` operands are kept alive and not passed.
    ForeignCall {
        /// The function.
        function: FuncId,
        /// How many of the operands are roots.
        roots: u32,
    },
    /// A call with an unwind edge.
    TryCall {
        /// The function; none for a call through a value.
        function: PackedOption<FuncId>,
        /// How many of the last operands are roots, which a call of a foreign
        /// function keeps alive and does not pass.
        roots: u32,
        /// The normal edge, then the unwind edge.
        targets: [Target; 2],
    },
    /// Indices into an aggregate, or the lanes of a shuffle.
    Immediates(ImmediateList),
    /// A jump.
    Jump(Target),
    /// A branch: the edge for true, then the edge for false. Or a handler
    /// region: its body, then its handler.
    Branch([Target; 2]),
    /// A switch.
    Switch(SwitchTable),
    /// A trap.
    Trap(TrapCode),
    /// A check.
    Exit(Exit),
    /// A count.
    Count(u32),
    /// The marks of a loop.
    LoopMark {
        /// Flags.
        flags: LoopFlags,
        /// How often to unroll; 0 for no wish.
        unroll: u32,
    },
    /// A processor feature, by its index in the module's [`strings`](crate::module::Module::string).
    Feature(u32),
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// Its hints and permissions.
    pub flags: InstFlags,
    /// The type that the op is instantiated at; [`Type::NONE`] for an op without suffix.
    pub ty: Type,
    /// Its operands, in the order of the text, without those of block arguments.
    pub args: ValueList,
    /// What else its form holds.
    pub payload: Payload,
    /// Where it comes from.
    pub loc: PackedOption<Loc>,
}

/// The access in a payload, borrowed as the payload is.
macro_rules! access_of {
    ($payload:expr) => {
        match $payload {
            Payload::Access(access)
            | Payload::Atomic { access, .. }
            | Payload::AtomicRmw { access, .. }
            | Payload::AtomicCas { access, .. }
            | Payload::AtomicModify { access, .. } => Some(access),
            _ => None,
        }
    };
}

impl InstData {
    /// An instruction without flags and location.
    pub fn new(op: Op, ty: Type, args: ValueList, payload: Payload) -> InstData {
        InstData { op, flags: InstFlags::empty(), ty, args, payload, loc: None.into() }
    }

    /// The access of a memory op.
    pub fn access(&self) -> Option<&Access> {
        access_of!(&self.payload)
    }

    /// The access of a memory op, to be changed.
    pub fn access_mut(&mut self) -> Option<&mut Access> {
        access_of!(&mut self.payload)
    }

    /// The function that it names, whether called or referred to.
    pub fn function(&self) -> Option<FuncId> {
        match self.payload {
            Payload::Function(function)
            | Payload::ForeignCall { function, .. }
            | Payload::AtomicModify { function, .. } => Some(function),
            Payload::TryCall { function, .. } => function.expand(),
            _ => None,
        }
    }

    /// How many of the last operands are roots: kept alive, and not passed.
    pub fn roots(&self) -> usize {
        match self.payload {
            Payload::ForeignCall { roots, .. } | Payload::TryCall { roots, .. } => roots as usize,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_stays_small() {
        assert!(size_of::<InstData>() <= 48, "{}", size_of::<InstData>());
    }
}
