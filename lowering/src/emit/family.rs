//! Which code emits which op, and what the back end must do for it.

use brolga_ir::op::Op;

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident: $(Op::$op:ident)|+;)*) => {
        /// Ops that one piece of code emits.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Family { $($(#[$doc])* $family,)* }

        impl Family {
            /// The family of an op: each has one.
            pub(super) const fn of(op: Op) -> Family {
                match op { $($(Op::$op)|+ => Family::$family,)* }
            }
        }
    };
}

families! {
    /// Integer arithmetic that cannot fail.
    Integer: Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Abs | Op::Smin | Op::Smax | Op::Umin
        | Op::Umax | Op::SaddSat | Op::SsubSat | Op::UaddSat | Op::UsubSat | Op::Smulhi | Op::Umulhi;
    /// Division.
    Division: Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem;
    /// Integer arithmetic that may not fit.
    Overflow: Op::SaddTrap | Op::UaddTrap | Op::SsubTrap | Op::UsubTrap | Op::SmulTrap
        | Op::UmulTrap | Op::SaddOverflow | Op::UaddOverflow | Op::SsubOverflow | Op::UsubOverflow
        | Op::SmulOverflow | Op::UmulOverflow;
    /// Logic, counts and reversals.
    Bits: Op::And | Op::Or | Op::Xor | Op::Not | Op::Popcount | Op::Clz | Op::Ctz | Op::Bswap
        | Op::Bitreverse;
    /// Shifts and rotations.
    Shift: Op::Shl | Op::Lshr | Op::Ashr | Op::Rotl | Op::Rotr | Op::Fshl | Op::Fshr;
    /// Compares and selects.
    Comparison: Op::Icmp | Op::Fcmp | Op::Select | Op::VecSelect;
    /// Float arithmetic.
    Float: Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Fneg | Op::Fabs | Op::Fcopysign
        | Op::Fsqrt | Op::Fma | Op::Muladd | Op::Fmin | Op::Fmax | Op::FminNum | Op::FmaxNum
        | Op::Ffloor | Op::Fceil | Op::Ftrunc | Op::Fnearest;
    /// Conversions between integers, and between representations.
    Conversion: Op::Trunc | Op::Zext | Op::Sext | Op::StruncSat | Op::UtruncSat | Op::StruncTrap
        | Op::UtruncTrap | Op::Bitcast | Op::Fptrunc | Op::Fpext | Op::PtrToInt | Op::IntToPtr
        | Op::FunctionToPtr | Op::PtrToFunction;
    /// Conversions between integers and floats.
    FloatConversion: Op::Sitofp | Op::Uitofp | Op::FptosiSat | Op::FptouiSat | Op::FptosiTrap
        | Op::FptouiTrap | Op::FptosiWrap | Op::FptouiWrap;
    /// Memory by address.
    Memory: Op::Load | Op::Store | Op::MemCopy | Op::MemFill | Op::MemCompare | Op::MemFind
        | Op::Prefetch | Op::PtrAdd;
    /// Objects on the side stack.
    Stack: Op::StackAlloc | Op::StackSave | Op::StackRestore;
    /// Atomic accesses.
    Atomic: Op::AtomicLoad | Op::AtomicStore | Op::AtomicRmw | Op::AtomicCas | Op::Fence;
    /// Slots, data objects and functions.
    Entity: Op::SlotLoad | Op::SlotStore | Op::SlotAddr | Op::SlotStart | Op::SlotEnd
        | Op::DataLoad | Op::DataStore | Op::DataAddr | Op::FunctionAddr;
    /// Vectors, built and taken apart.
    Lanes: Op::Splat | Op::MakeVector | Op::ExtractLane | Op::InsertLane | Op::Shuffle;
    /// Reductions.
    Reduction: Op::ReduceAdd | Op::ReduceMul | Op::ReduceAnd | Op::ReduceOr | Op::ReduceXor
        | Op::ReduceSmin | Op::ReduceSmax | Op::ReduceUmin | Op::ReduceUmax;
    /// Calls.
    Call: Op::Call | Op::CallIndirect | Op::CallPtr | Op::CallForeign | Op::TryCall
        | Op::TryCallIndirect | Op::TryCallPtr | Op::ReturnCall | Op::ReturnCallIndirect;
    /// Terminators that call nothing.
    Control: Op::Jump | Op::Branch | Op::Switch | Op::Return;
    /// Exits, polls and exceptions.
    Exit: Op::Trap | Op::Unreachable | Op::Check | Op::Poll | Op::Throw | Op::CurrentException;
    /// What only guides passes.
    Hint: Op::LoopMark | Op::Assume | Op::Opaque;
    /// What the legaliser leaves nowhere.
    Expanded: Op::Frem | Op::Fround | Op::ReduceFadd | Op::ReduceFmul | Op::ReduceFmin
        | Op::ReduceFmax | Op::MaskedLoad | Op::MaskedStore;
    /// What the first two stages leave nowhere.
    Front: Op::MakeAggregate | Op::ExtractValue | Op::InsertValue | Op::Enter | Op::Leave
        | Op::Expect | Op::CpuHas | Op::HaveFma | Op::AtomicModify;
    /// What works on managed objects.
    Managed: Op::AddressCast | Op::DerivedAdd | Op::BoxedCall | Op::AllocObject
        | Op::TypeOf | Op::PreserveBegin | Op::PreserveEnd | Op::WriteBarrier | Op::Safepoint
        | Op::PointerFromRef | Op::ArrayNew | Op::ArrayLen | Op::ArrayGet | Op::ArraySet;
}
