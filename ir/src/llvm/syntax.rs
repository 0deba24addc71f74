//! What a text of LLVM IR says, before it is given meaning.
//!
//! A module's types, globals and declarations are held whole. Bodies of functions are
//! not: each is read on its own, given meaning and forgotten, so that memory follows the
//! largest function and not the text. Metadata is read where it is asked for.

mod types;

use std::borrow::Cow;
use std::ops::Range;

use crate::attribute::{FloatCond, IntCond, Order};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(super) struct $name(pub u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A type of the module.
    TypeId;
    /// A named type, `%struct.point`.
    NamedId;
    /// A name behind `@`: a global variable, an alias or a function.
    GlobalId;
    /// A constant of the module, or of the function that is being read.
    ConstantId;
    /// A value of the function that is being read: a parameter or a result.
    LocalId;
    /// A basic block of the function that is being read.
    BlockId;
    /// A piece of metadata, `!7`; one that an instruction spells out has a number that no
    /// text has.
    MetadataId;
}

/// A place of the text: a number of bytes.
pub(super) type Offset = u32;

/// A piece of one of a function's or module's pools.
pub(super) type List = Range<u32>;

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum TypeData {
    Void,
    Label,
    Metadata,
    Token,
    /// An integer of that many bits.
    Integer(u32),
    Half,
    Bfloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    /// An address in that address space.
    Pointer(u32),
    Vector {
        lanes: u32,
        element: TypeId,
    },
    Array {
        length: u64,
        element: TypeId,
    },
    Struct {
        packed: bool,
        fields: Box<[TypeId]>,
    },
    /// A named type, whose definition may stand behind its uses.
    Named(NamedId),
    Function {
        result: TypeId,
        params: Box<[TypeId]>,
        variadic: bool,
    },
}

/// A value that an instruction takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Local(LocalId),
    Constant(ConstantId),
}

/// A value with the type that the text spells for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Typed {
    pub ty: TypeId,
    pub value: Operand,
}

/// A constant with its type.
#[derive(Clone, Debug)]
pub(super) struct Constant<'t> {
    pub ty: TypeId,
    pub data: ConstantData<'t>,
    pub at: Offset,
}

/// What a constant is.
#[derive(Clone, Debug)]
pub(super) enum ConstantData<'t> {
    /// The bits of an integer, cut to its width: two's complement, lowest word first.
    /// One word for types up to 128 bits.
    Integer(u128),
    /// The words of an integer of more than 128 bits.
    WideInteger(Box<[u128]>),
    /// The bits of a float in its own format.
    Float(u128),
    /// `null`, `zeroinitializer`, `none`.
    Zero,
    Undef,
    Poison,
    /// `c"…"`.
    Bytes(Cow<'t, [u8]>),
    /// The elements of an array or vector of integers or floats of up to 64 bits, all
    /// spelled as numbers: the bits of each. There is at least one.
    Numbers(Box<[u64]>),
    /// The elements of any other struct, array or vector.
    Aggregate(Box<[ConstantId]>),
    /// `splat (…)`.
    Splat(ConstantId),
    Global(GlobalId),
    BlockAddress {
        function: GlobalId,
        block: Box<Name<'t>>,
    },
    Cast {
        op: CastOp,
        value: ConstantId,
    },
    Binary {
        op: BinaryOp,
        left: ConstantId,
        right: ConstantId,
    },
    ICmp {
        condition: IntCond,
        left: ConstantId,
        right: ConstantId,
    },
    FCmp {
        condition: FCmpCondition,
        left: ConstantId,
        right: ConstantId,
    },
    Select {
        condition: ConstantId,
        yes: ConstantId,
        no: ConstantId,
    },
    GetElementPointer {
        element: TypeId,
        base: ConstantId,
        indices: Box<[ConstantId]>,
    },
    ExtractElement {
        vector: ConstantId,
        index: ConstantId,
    },
    InsertElement {
        vector: ConstantId,
        value: ConstantId,
        index: ConstantId,
    },
    Shuffle {
        left: ConstantId,
        right: ConstantId,
        mask: ConstantId,
    },
    /// What only calls take.
    Asm(Box<Asm<'t>>),
    /// What stands behind `metadata`, which only calls of intrinsics take.
    Metadata(Range<Offset>),
}

/// `asm "template", "constraints"`.
#[derive(Clone, Debug)]
pub(super) struct Asm<'t> {
    pub template: Cow<'t, [u8]>,
    pub constraints: Cow<'t, [u8]>,
    pub side_effect: bool,
    pub align_stack: bool,
    /// Whether the template is in Intel's dialect.
    pub intel: bool,
    pub unwind: bool,
}

/// A name, or the number of what has none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name<'t> {
    Text(Cow<'t, str>),
    Number(u32),
}

/// An operation on two values of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    /// As `ptrtoint`; LLVM 22 has both.
    PtrToAddr,
    IntToPtr,
    Bitcast,
    AddrSpaceCast,
}

/// What an `atomicrmw` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RmwKind {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    /// `fmaximum`, `fminimum`: NaN if either is.
    FMaximum,
    FMinimum,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
}

bitflags::bitflags! {
    /// The words between an op and its operands that say something of its values.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(super) struct Flags: u16 {
        const NUW = 1 << 0;
        const NSW = 1 << 1;
        const EXACT = 1 << 2;
        const INBOUNDS = 1 << 3;
        /// `or disjoint`.
        const DISJOINT = 1 << 4;
        /// `zext nneg`, `uitofp nneg`.
        const NON_NEGATIVE = 1 << 5;
        const NNAN = 1 << 6;
        const NINF = 1 << 7;
        const NSZ = 1 << 8;
        const ARCP = 1 << 9;
        const CONTRACT = 1 << 10;
        const AFN = 1 << 11;
        const REASSOC = 1 << 12;
        const SAMESIGN = 1 << 13;
        const NUSW = 1 << 14;
    }
}

/// How a load or store reaches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Reach {
    /// Bytes; 0 where nothing is said.
    pub align: u32,
    pub volatile: bool,
    /// The order of an atomic access.
    pub order: Option<Order>,
}

/// What an instruction is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
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
        weak: bool,
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
        unwind: BlockId,
    },
    /// The clauses say which throws are caught; what is thrown is not ours to see.
    LandingPad {
        ty: TypeId,
    },
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
    Resume(Typed),
    Unreachable,
}

/// A condition on floats: LLVM has two that look at nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FCmpCondition {
    False,
    True,
    Holds(FloatCond),
}

/// Whether a call may or must replace its caller's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Tail {
    /// `tail`, `notail` and nothing: the caller's frame stays.
    #[default]
    Stays,
    /// `musttail`.
    Must,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
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
pub(super) enum CallConvention {
    #[default]
    C,
    /// `fastcc`, `coldcc`, `tailcc`, `ghccc`, …: conventions that only code of one module
    /// or of one language's runtime has, so that ours stands for them.
    Internal,
    /// Another, by its number: `x86_stdcallcc`, `win64cc`, ….
    Other(u32),
}

/// An operand bundle: `"deopt"(i32 1)`.
#[derive(Clone, Debug)]
pub(super) struct Bundle<'t> {
    pub tag: Cow<'t, str>,
    /// A list of [`Function::operands`].
    pub operands: List,
}

bitflags::bitflags! {
    /// Attributes of a parameter or result that have no number.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(super) struct ParamFlags: u16 {
        const SIGNEXT = 1 << 0;
        const ZEROEXT = 1 << 1;
        const NOALIAS = 1 << 2;
        const NONNULL = 1 << 3;
        const NOUNDEF = 1 << 4;
        const INREG = 1 << 5;
        const NEST = 1 << 6;
        const RETURNED = 1 << 7;
        const READONLY = 1 << 8;
        const READNONE = 1 << 9;
        const WRITEONLY = 1 << 10;
        const IMMARG = 1 << 11;
        const SWIFT = 1 << 12;
    }
}

/// What is said of a parameter, an argument or a result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ParamAttributes {
    pub flags: ParamFlags,
    /// The type that `byval` names.
    pub by_value: Option<TypeId>,
    /// The type that `sret` names.
    pub struct_return: Option<TypeId>,
    /// The type that `inalloca`, `preallocated`, `byref` or `elementtype` names.
    pub other_type: Option<(&'static str, TypeId)>,
    /// Bytes; 0 where nothing is said.
    pub align: u32,
    /// Bytes that can be read behind the address.
    pub dereferenceable: u64,
}

bitflags::bitflags! {
    /// Attributes of a function or call, groups included.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(super) struct FunctionFlags: u32 {
        const NO_RETURN = 1 << 0;
        const NO_UNWIND = 1 << 1;
        const WILL_RETURN = 1 << 2;
        const RETURNS_TWICE = 1 << 3;
        const ALWAYS_INLINE = 1 << 4;
        const NO_INLINE = 1 << 5;
        const INLINE_HINT = 1 << 6;
        const COLD = 1 << 7;
        const HOT = 1 << 8;
        const OPT_NONE = 1 << 9;
        const OPT_SIZE = 1 << 10;
        const MIN_SIZE = 1 << 11;
        const NAKED = 1 << 12;
        /// `memory(none)`, `readnone`.
        const READS_NOTHING = 1 << 13;
        /// `memory(read)`, `readonly`.
        const READS_ONLY = 1 << 14;
        const NO_BUILTIN = 1 << 15;
        const STRICT_FP = 1 << 16;
    }
}

/// What is said of a function or a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CallAttributes {
    pub flags: FunctionFlags,
}

/// Metadata of an instruction that we have a place for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Attachment {
    /// `!dbg`.
    Debug,
    /// `!tbaa`.
    Tbaa,
    /// `!tbaa.struct` and others that say nothing to us are not kept.
    AliasScope,
    NoAlias,
    Range,
    NonNull,
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
pub(super) struct Instruction {
    pub at: Offset,
    pub result: Option<LocalId>,
    pub flags: Flags,
    pub kind: Kind,
    /// A list of [`Function::attachments`].
    pub attachments: List,
}

/// A value that a function names.
#[derive(Clone, Debug)]
pub(super) struct Local<'t> {
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
pub(super) struct BlockData<'t> {
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
pub(super) struct Function<'t> {
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

/// Who sees a symbol, and which of several definitions counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Linkage {
    #[default]
    External,
    /// `private`, `internal`.
    Internal,
    /// `linkonce`, `weak` and their `_odr` forms: one of several equal ones.
    Weak,
    /// `common`: zeros, unless another module defines it.
    Common,
    /// `appending`: what all modules say is strung together.
    Appending,
    /// `available_externally`: for inlining only; another module defines it.
    AvailableExternally,
    /// `extern_weak`: null if nobody defines it.
    ExternWeak,
}

/// What a name behind `@` stands for.
#[derive(Clone, Debug)]
pub(super) struct Global<'t> {
    /// Where the text has only a number, that, made different from all names.
    pub name: Cow<'t, str>,
    /// Where it is defined or declared, or mentioned if it is neither.
    pub at: Offset,
    pub linkage: Linkage,
    /// What `section` says, as it is spelled between the quotes.
    pub section: Option<&'t str>,
    pub data: GlobalData,
}

/// What is said of a global.
#[derive(Clone, Debug)]
pub(super) enum GlobalData {
    /// Only mentioned: an error once the module is read.
    Undefined,
    Variable {
        ty: TypeId,
        initializer: Option<ConstantId>,
        constant: bool,
        thread_local: bool,
        space: u32,
        /// Bytes; 0 where nothing is said.
        align: u32,
    },
    /// An alias of a constant address.
    Alias {
        ty: TypeId,
        target: ConstantId,
    },
    Function(FunctionHead),
}

/// What is said of a function beside its body.
#[derive(Clone, Debug)]
pub(super) struct FunctionHead {
    /// A function type.
    pub ty: TypeId,
    pub convention: CallConvention,
    pub param_attributes: Box<[ParamAttributes]>,
    pub result_attributes: ParamAttributes,
    /// Written at the head, and in its groups.
    pub attributes: CallAttributes,
    /// An index of [`Module::targets`].
    pub target: Option<u32>,
    /// `!dbg`, if it is said.
    pub debug: Option<MetadataId>,
    /// Where the name of each parameter stands, if it has one or a number spelled out.
    pub param_names: Box<[Option<Offset>]>,
    /// The place of the body between its braces.
    pub body: Option<Range<Offset>>,
}

/// The machine that a function is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Target<'t> {
    /// `"target-cpu"`; empty if nothing is said.
    pub cpu: Cow<'t, str>,
    /// `"target-features"`: `+sse2,-avx`; empty if nothing is said.
    pub features: Cow<'t, str>,
}

/// What one piece of metadata says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Node<'t> {
    /// `!{…}`.
    Tuple { distinct: bool, items: Vec<MetadataItem<'t>> },
    /// `!DILocation(line: 1, …)`: the word, and what is said of each field.
    Record { distinct: bool, kind: &'t str, fields: Vec<(&'t str, MetadataItem<'t>)> },
}

/// A part of a piece of metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MetadataItem<'t> {
    Null,
    Node(MetadataId),
    String(Cow<'t, [u8]>),
    /// An integer constant of that many bits, cut to them and zero above.
    Integer {
        bits: u32,
        value: u128,
    },
    /// The value of a field: a number.
    Number(i128),
    /// The value of a field: one or more words, `DIFlagPrivate | DIFlagVector`.
    Word(&'t str),
    Inline(Box<Node<'t>>),
    /// Another constant, or a value of a function.
    Value(Range<Offset>),
}

/// A module, without bodies of functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Module<'t> {
    pub source: Cow<'t, str>,
    pub triple: Cow<'t, str>,
    pub layout: Cow<'t, str>,
    pub types: Vec<TypeData>,
    /// The ids of `types`, each of which stands there once.
    pub type_ids: types::TypeTable,
    /// The name and the definition of each named type; opaque ones have none. None
    /// contains itself, and they are not nested deeper than
    /// [`MAX_DEPTH`](super::parse::MAX_DEPTH).
    pub named: Vec<(Name<'t>, Option<TypeId>)>,
    /// In the order of their first mention.
    pub globals: Vec<Global<'t>>,
    /// Globals in the order of their definition or declaration.
    pub order: Vec<GlobalId>,
    /// Constants of initialisers and aliases.
    pub constants: Vec<Constant<'t>>,
    /// Machines that functions name.
    pub targets: Vec<Target<'t>>,
    /// The numbers of metadata in rising order, and where the text behind `!7 = ` stands.
    pub metadata: Vec<(MetadataId, Range<Offset>)>,
    /// Metadata that instructions spell out. Their numbers begin at
    /// [`INLINE_METADATA`](Module::INLINE_METADATA).
    pub inline_metadata: Vec<Range<Offset>>,
    /// The items of named metadata, `!llvm.module.flags = !{…}`.
    pub named_metadata: Vec<(Cow<'t, str>, Vec<MetadataId>)>,
    /// Whether there is inline assembly at module level, and where.
    pub assembly: Option<Offset>,
    /// What names of the text stand for.
    pub names: super::parse::Names<'t>,
}
