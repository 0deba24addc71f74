//! Functions and what they are made of.

use std::borrow::Cow;

use super::{
    BinaryOp, BlockId, CallAttributes, CastOp, Constant, ConstantId, FCmpCondition, Flags, List,
    LocalId, MetadataId, Offset, ParamAttributes, RmwKind, TypeId,
};
use crate::attribute::{IntCond, Order};

/// A value that an instruction takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum Operand {
    Local(LocalId),
    Constant(ConstantId),
}

/// A value with the type that the text spells for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) struct Typed {
    pub ty: TypeId,
    pub value: Operand,
}

/// How a load or store reaches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) struct Reach {
    /// Bytes; 0 where nothing is said.
    pub align: u32,
    pub volatile: bool,
    /// The order of an atomic access.
    pub order: Option<Order>,
}

/// What an instruction is.
#[derive(Clone, Debug)]
pub(in crate::llvm) enum Kind {
    FNeg(Typed),
    Binary {
        op: BinaryOp,
        ty: TypeId,
        left: Operand,
        right: Operand,
    },
    ICmp {
        condition: IntCond,
        ty: TypeId,
        left: Operand,
        right: Operand,
    },
    FCmp {
        condition: FCmpCondition,
        ty: TypeId,
        left: Operand,
        right: Operand,
    },
    Cast {
        op: CastOp,
        value: Typed,
        to: TypeId,
    },
    Select {
        condition: Typed,
        yes: Typed,
        no: Operand,
    },
    /// The pairs are a list of [`Function::incoming`].
    Phi {
        ty: TypeId,
        incoming: List,
    },
    Freeze(Typed),
    ExtractElement {
        vector: Typed,
        index: Typed,
    },
    InsertElement {
        vector: Typed,
        value: Typed,
        index: Typed,
    },
    Shuffle {
        left: Typed,
        right: Operand,
        mask: Typed,
    },
    /// The path is a list of [`Function::indices`].
    ExtractValue {
        aggregate: Typed,
        path: List,
    },
    InsertValue {
        aggregate: Typed,
        value: Typed,
        path: List,
    },
    Alloca {
        ty: TypeId,
        count: Option<Typed>,
        align: u32,
        space: u32,
    },
    Load {
        ty: TypeId,
        address: Typed,
        reach: Reach,
    },
    Store {
        value: Typed,
        address: Typed,
        reach: Reach,
    },
    Fence(Order),
    CompareExchange {
        address: Typed,
        expected: Typed,
        new: Typed,
        reach: Reach,
        failure: Order,
    },
    AtomicRmw {
        op: RmwKind,
        address: Typed,
        value: Typed,
        reach: Reach,
    },
    /// The indices are a list of [`Function::operands`].
    GetElementPointer {
        element: TypeId,
        base: Typed,
        indices: List,
    },
    Call(Box<Call>),
    Invoke {
        call: Box<Call>,
        normal: BlockId,
    },
    /// The clauses say which throws are caught; what is thrown is not ours to see.
    LandingPad,
    VaArg {
        list: Typed,
        ty: TypeId,
    },
    Return(Option<Typed>),
    Branch(BlockId),
    ConditionalBranch {
        condition: Typed,
        yes: BlockId,
        no: BlockId,
    },
    /// The cases are a list of [`Function::cases`].
    Switch {
        value: Typed,
        cases: List,
        other: BlockId,
    },
    /// The targets are a list of [`Function::targets`].
    IndirectBranch {
        address: Typed,
        targets: List,
    },
    Resume,
    Unreachable,
}

/// Whether a call may or must replace its caller's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) enum Tail {
    /// `tail`, `notail` and nothing: the caller's frame stays.
    #[default]
    Stays,
    /// `musttail`.
    Must,
}

/// A call.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Call {
    pub tail: Tail,
    /// The type of the function as the call spells or implies it.
    pub ty: TypeId,
    pub callee: Operand,
    /// A list of [`Function::operands`].
    pub args: List,
    /// Whether `...` stands behind the arguments: the caller's own variadic ones follow.
    pub forwards_rest: bool,
    /// A list of [`Function::arg_attributes`], one for each argument.
    pub arg_attributes: List,
    pub result_attributes: ParamAttributes,
    pub attributes: CallAttributes,
    /// Whether the convention is the platform's own for C.
    pub convention: CallConvention,
    /// A list of [`Function::bundles`].
    pub bundles: List,
}

/// A calling convention.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::llvm) enum CallConvention {
    #[default]
    C,
    /// `fastcc`, `coldcc`, `tailcc`, `ghccc`, …: conventions that only code of one module
    /// or of one language's runtime has, so that ours stands for them.
    Internal,
    /// Another, by its number: `x86_stdcallcc`, `win64cc`, ….
    Other(u32),
}

/// An operand bundle, `"deopt"(i32 1)`, without its operands: none that means anything here
/// has any that do.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Bundle<'t> {
    pub tag: Cow<'t, str>,
}

/// Metadata of an instruction that we have a place for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::llvm) enum Attachment {
    /// `!dbg`.
    Debug,
    /// `!tbaa`.
    Tbaa,
    /// `!tbaa.struct` and others that say nothing to us are not kept.
    AliasScope,
    NoAlias,
    Range,
    NonNull,
    NoUndef,
    InvariantLoad,
    NonTemporal,
    /// `!llvm.loop`, on the branch that goes back.
    Loop,
    /// `!prof`.
    Profile,
    /// `!llvm.access.group`.
    AccessGroup,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Instruction {
    pub at: Offset,
    pub result: Option<LocalId>,
    pub flags: Flags,
    pub kind: Kind,
    /// A list of [`Function::attachments`].
    pub attachments: List,
}

/// A value that a function names.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct Local<'t> {
    /// Its name, if it has one and no number.
    pub name: Option<Cow<'t, str>>,
    /// Its number, if it has no name.
    pub number: u32,
    pub ty: TypeId,
    /// Where it is mentioned first.
    pub at: Offset,
    /// Whether it is defined: always, once the function is read.
    pub defined: bool,
}

/// A basic block.
#[derive(Clone, Debug)]
pub(in crate::llvm) struct BlockData<'t> {
    /// Its name, if it has one and no number.
    pub name: Option<Cow<'t, str>>,
    /// Its number, if it has no name.
    pub number: u32,
    pub at: Offset,
    pub defined: bool,
    /// Its instructions: a list of [`Function::instructions`].
    pub instructions: List,
}

/// The body of a function. What instructions hold as a [`List`] is a piece of a pool.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Function<'t> {
    pub params: Vec<LocalId>,
    /// In the order of the text; blocks that are only mentioned are an error.
    pub order: Vec<BlockId>,
    pub blocks: Vec<BlockData<'t>>,
    pub locals: Vec<Local<'t>>,
    pub instructions: Vec<Instruction>,
    /// Constants of this function. An id below the number of the module's constants is
    /// one of those; see [`Module::constants`].
    pub constants: Vec<Constant<'t>>,
    pub incoming: Vec<(Operand, BlockId)>,
    pub indices: Vec<u32>,
    pub operands: Vec<Typed>,
    pub arg_attributes: Vec<ParamAttributes>,
    pub cases: Vec<(ConstantId, BlockId)>,
    pub targets: Vec<BlockId>,
    pub bundles: Vec<Bundle<'t>>,
    pub attachments: Vec<(Attachment, MetadataId)>,
}
