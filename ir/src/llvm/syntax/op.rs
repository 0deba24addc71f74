//! What ops do, and the words that qualify them.

use crate::attribute::FloatCond;

/// An operation on two values of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum BinaryOp {
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
pub(in crate::llvm) enum CastOp {
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
pub(in crate::llvm) enum RmwKind {
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
    pub(in crate::llvm) struct Flags: u16 {
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

/// A condition on floats: LLVM has two that look at nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum FCmpCondition {
    False,
    True,
    Holds(FloatCond),
}
