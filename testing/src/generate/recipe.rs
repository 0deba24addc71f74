//! How programs come to each op: one row each, pure data.

use brolga_ir::op::Op;

/// How an instruction of an op is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recipe {
    /// From its row alone: any suffix, any operands.
    Row,
    /// The same, with operands that mostly do not trap.
    Guarded,
    /// A float op with a permission, on operands that make every order exact.
    Permitted,
    IntCompare,
    FloatCompare,
    /// Lanes, fields and indices.
    Shuffle,
    MakeVector,
    ExtractLane,
    InsertLane,
    MakeAggregate,
    ExtractValue,
    InsertValue,
    /// By entity, checked.
    SlotLoad,
    SlotStore,
    SlotReset,
    DataLoad,
    DataStore,
    /// By address.
    SlotAddr,
    DataAddr,
    PtrAdd,
    PtrToInt,
    IntToPtr,
    Load,
    Store,
    MaskedLoad,
    MaskedStore,
    Bulk,
    Prefetch,
    Stack,
    AtomicLoad,
    AtomicStore,
    AtomicRmw,
    AtomicCas,
    AtomicModify,
    Fence,
    /// References to functions, and calls.
    FunctionAddr,
    FunctionToPtr,
    PtrToFunction,
    Call,
    CallIndirect,
    CallPtr,
    CallForeign,
    TryCall,
    /// Ways out.
    Check,
    Poll,
    /// What ends a block or brings blocks of its own.
    Flow,
    CurrentException,
    Assume,
    /// Managed objects.
    AllocObject,
    TypeOf,
    Preserve,
    WriteBarrier,
    Safepoint,
    PointerFromRef,
    AddressCast,
    DerivedAdd,
    ArrayNew,
    ArrayLen,
    ArrayGet,
    ArraySet,
    BoxedCall,
    Feature,
}

macro_rules! recipes {
    ($($recipe:ident: $($op:path)*;)*) => {
        /// The recipe of an op.
        pub(super) fn recipe_of(op: Op) -> Recipe {
            match op { $($($op)|* => Recipe::$recipe,)* }
        }
    };
}

recipes! {
    Row: Op::Add Op::Sub Op::Mul Op::Neg Op::Abs Op::Smin Op::Smax Op::Umin Op::Umax
        Op::SaddSat Op::SsubSat Op::UaddSat Op::UsubSat Op::Smulhi Op::Umulhi
        Op::SaddOverflow Op::UaddOverflow Op::SsubOverflow Op::UsubOverflow
        Op::SmulOverflow Op::UmulOverflow
        Op::And Op::Or Op::Xor Op::Not Op::Shl Op::Lshr Op::Ashr Op::Rotl Op::Rotr
        Op::Fshl Op::Fshr Op::Popcount Op::Clz Op::Ctz Op::Bswap Op::Bitreverse
        Op::Select Op::VecSelect
        Op::Fdiv Op::Frem Op::Fneg Op::Fabs Op::Fcopysign Op::Fsqrt Op::Fma
        Op::FminNum Op::FmaxNum Op::Ffloor Op::Fceil Op::Ftrunc Op::Fnearest Op::Fround
        Op::Trunc Op::Zext Op::Sext Op::StruncSat Op::UtruncSat Op::Bitcast
        Op::Sitofp Op::Uitofp Op::FptosiSat Op::FptouiSat Op::FptosiWrap Op::FptouiWrap
        Op::Fptrunc Op::Fpext
        Op::Splat Op::ReduceAdd Op::ReduceMul Op::ReduceAnd Op::ReduceOr Op::ReduceXor
        Op::ReduceSmin Op::ReduceSmax Op::ReduceUmin Op::ReduceUmax
        Op::ReduceFmin Op::ReduceFmax
        Op::Expect Op::Opaque;
    Permitted: Op::Fadd Op::Fsub Op::Fmul Op::Muladd Op::Fmin Op::Fmax
        Op::ReduceFadd Op::ReduceFmul;
    Guarded: Op::Sdiv Op::Udiv Op::Srem Op::Urem
        Op::SaddTrap Op::UaddTrap Op::SsubTrap Op::UsubTrap Op::SmulTrap Op::UmulTrap
        Op::StruncTrap Op::UtruncTrap Op::FptosiTrap Op::FptouiTrap;
    IntCompare: Op::Icmp;
    FloatCompare: Op::Fcmp;
    Shuffle: Op::Shuffle;
    MakeVector: Op::MakeVector;
    ExtractLane: Op::ExtractLane;
    InsertLane: Op::InsertLane;
    MakeAggregate: Op::MakeAggregate;
    ExtractValue: Op::ExtractValue;
    InsertValue: Op::InsertValue;
    SlotLoad: Op::SlotLoad;
    SlotStore: Op::SlotStore;
    SlotReset: Op::SlotStart Op::SlotEnd;
    DataLoad: Op::DataLoad;
    DataStore: Op::DataStore;
    SlotAddr: Op::SlotAddr;
    DataAddr: Op::DataAddr;
    PtrAdd: Op::PtrAdd;
    PtrToInt: Op::PtrToInt;
    IntToPtr: Op::IntToPtr;
    Load: Op::Load;
    Store: Op::Store;
    MaskedLoad: Op::MaskedLoad;
    MaskedStore: Op::MaskedStore;
    Bulk: Op::MemCopy Op::MemFill Op::MemCompare Op::MemFind;
    Prefetch: Op::Prefetch;
    Stack: Op::StackAlloc Op::StackSave Op::StackRestore;
    AtomicLoad: Op::AtomicLoad;
    AtomicStore: Op::AtomicStore;
    AtomicRmw: Op::AtomicRmw;
    AtomicCas: Op::AtomicCas;
    AtomicModify: Op::AtomicModify;
    Fence: Op::Fence;
    FunctionAddr: Op::FunctionAddr;
    FunctionToPtr: Op::FunctionToPtr;
    PtrToFunction: Op::PtrToFunction;
    Call: Op::Call;
    CallIndirect: Op::CallIndirect;
    CallPtr: Op::CallPtr;
    CallForeign: Op::CallForeign;
    TryCall: Op::TryCall Op::TryCallIndirect Op::TryCallPtr;
    Check: Op::Check;
    Poll: Op::Poll;
    Flow: Op::ReturnCall Op::ReturnCallIndirect Op::Jump Op::Branch Op::Switch Op::Return
        Op::Trap Op::Unreachable Op::Enter Op::Leave Op::Throw Op::LoopMark Op::PreserveEnd;
    CurrentException: Op::CurrentException;
    Assume: Op::Assume;
    AllocObject: Op::AllocObject;
    TypeOf: Op::TypeOf;
    Preserve: Op::PreserveBegin;
    WriteBarrier: Op::WriteBarrier;
    Safepoint: Op::Safepoint;
    PointerFromRef: Op::PointerFromRef;
    AddressCast: Op::AddressCast;
    DerivedAdd: Op::DerivedAdd;
    ArrayNew: Op::ArrayNew;
    ArrayLen: Op::ArrayLen;
    ArrayGet: Op::ArrayGet;
    ArraySet: Op::ArraySet;
    BoxedCall: Op::BoxedCall;
    Feature: Op::CpuHas Op::HaveFma;
}
