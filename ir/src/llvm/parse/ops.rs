//! Words that are ops, conditions, flags and orders.

use crate::attribute::{FloatCond, IntCond, Order};
use crate::llvm::lexer::{Kind, Word};
use crate::llvm::syntax::{BinaryOp, CastOp, FCmpCondition, Flags, RmwKind};

/// The op on two values that a word is.
pub(super) fn binary(word: Word) -> Option<BinaryOp> {
    Some(match word {
        Word::Add => BinaryOp::Add,
        Word::Sub => BinaryOp::Sub,
        Word::Mul => BinaryOp::Mul,
        Word::Udiv => BinaryOp::UDiv,
        Word::Sdiv => BinaryOp::SDiv,
        Word::Urem => BinaryOp::URem,
        Word::Srem => BinaryOp::SRem,
        Word::Shl => BinaryOp::Shl,
        Word::Lshr => BinaryOp::LShr,
        Word::Ashr => BinaryOp::AShr,
        Word::And => BinaryOp::And,
        Word::Or => BinaryOp::Or,
        Word::Xor => BinaryOp::Xor,
        Word::Fadd => BinaryOp::FAdd,
        Word::Fsub => BinaryOp::FSub,
        Word::Fmul => BinaryOp::FMul,
        Word::Fdiv => BinaryOp::FDiv,
        Word::Frem => BinaryOp::FRem,
        _ => return None,
    })
}

/// The conversion that a word is.
pub(super) fn cast(word: Word) -> Option<CastOp> {
    Some(match word {
        Word::Trunc => CastOp::Trunc,
        Word::Zext => CastOp::ZExt,
        Word::Sext => CastOp::SExt,
        Word::Fptrunc => CastOp::FpTrunc,
        Word::Fpext => CastOp::FpExt,
        Word::Fptoui => CastOp::FpToUi,
        Word::Fptosi => CastOp::FpToSi,
        Word::Uitofp => CastOp::UiToFp,
        Word::Sitofp => CastOp::SiToFp,
        Word::Ptrtoint => CastOp::PtrToInt,
        Word::Ptrtoaddr => CastOp::PtrToAddr,
        Word::Inttoptr => CastOp::IntToPtr,
        Word::Bitcast => CastOp::Bitcast,
        Word::Addrspacecast => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// The condition of an `icmp`.
pub(super) fn int_condition(kind: Kind) -> Option<IntCond> {
    let Kind::Word(word) = kind else { return None };
    Some(match word {
        Word::Eq => IntCond::Eq,
        Word::Ne => IntCond::Ne,
        Word::Slt => IntCond::Slt,
        Word::Sle => IntCond::Sle,
        Word::Sgt => IntCond::Sgt,
        Word::Sge => IntCond::Sge,
        Word::Ult => IntCond::Ult,
        Word::Ule => IntCond::Ule,
        Word::Ugt => IntCond::Ugt,
        Word::Uge => IntCond::Uge,
        _ => return None,
    })
}

/// The condition of an `fcmp`.
pub(super) fn float_condition(kind: Kind) -> Option<FCmpCondition> {
    let Kind::Word(word) = kind else { return None };
    Some(FCmpCondition::Holds(match word {
        Word::True => return Some(FCmpCondition::True),
        Word::False => return Some(FCmpCondition::False),
        Word::Oeq => FloatCond::Oeq,
        Word::One => FloatCond::One,
        Word::Olt => FloatCond::Olt,
        Word::Ole => FloatCond::Ole,
        Word::Ogt => FloatCond::Ogt,
        Word::Oge => FloatCond::Oge,
        Word::Ord => FloatCond::Ord,
        Word::Ueq => FloatCond::Ueq,
        Word::Une => FloatCond::Une,
        Word::Ult => FloatCond::Ult,
        Word::Ule => FloatCond::Ule,
        Word::Ugt => FloatCond::Ugt,
        Word::Uge => FloatCond::Uge,
        Word::Uno => FloatCond::Uno,
        _ => return None,
    }))
}

/// The flag of whole numbers and addresses that a word is.
pub(super) fn number_flag(word: Word) -> Option<Flags> {
    Some(match word {
        Word::Nuw => Flags::NUW,
        Word::Nsw => Flags::NSW,
        Word::Nusw => Flags::NUSW,
        Word::Exact => Flags::EXACT,
        Word::Inbounds => Flags::INBOUNDS,
        Word::Disjoint => Flags::DISJOINT,
        Word::Nneg => Flags::NON_NEGATIVE,
        Word::Samesign => Flags::SAMESIGN,
        _ => return None,
    })
}

/// The flags of floats that a word is.
pub(super) fn float_flag(word: Word) -> Option<Flags> {
    Some(match word {
        Word::Nnan => Flags::NNAN,
        Word::Ninf => Flags::NINF,
        Word::Nsz => Flags::NSZ,
        Word::Arcp => Flags::ARCP,
        Word::Contract => Flags::CONTRACT,
        Word::Afn => Flags::AFN,
        Word::Reassoc => Flags::REASSOC,
        Word::Fast => FAST,
        _ => return None,
    })
}

/// What `fast` allows: all that is said of ops on floats.
pub(super) const FAST: Flags = Flags::NNAN
    .union(Flags::NINF)
    .union(Flags::NSZ)
    .union(Flags::ARCP)
    .union(Flags::CONTRACT)
    .union(Flags::AFN)
    .union(Flags::REASSOC);

/// The order that a word is.
pub(super) fn order(word: Word) -> Option<Order> {
    Some(match word {
        Word::Unordered => Order::Unordered,
        Word::Monotonic => Order::Relaxed,
        Word::Acquire => Order::Acquire,
        Word::Release => Order::Release,
        Word::AcqRel => Order::AcquireRelease,
        Word::SeqCst => Order::SequentiallyConsistent,
        _ => return None,
    })
}

/// What an `atomicrmw` of that word does.
pub(super) fn rmw(word: Word) -> Option<RmwKind> {
    Some(match word {
        Word::Xchg => RmwKind::Exchange,
        Word::Add => RmwKind::Add,
        Word::Sub => RmwKind::Sub,
        Word::And => RmwKind::And,
        Word::Nand => RmwKind::Nand,
        Word::Or => RmwKind::Or,
        Word::Xor => RmwKind::Xor,
        Word::Max => RmwKind::Max,
        Word::Min => RmwKind::Min,
        Word::Umax => RmwKind::UMax,
        Word::Umin => RmwKind::UMin,
        Word::Fadd => RmwKind::FAdd,
        Word::Fsub => RmwKind::FSub,
        Word::Fmax => RmwKind::FMax,
        Word::Fmin => RmwKind::FMin,
        Word::Fmaximum => RmwKind::FMaximum,
        Word::Fminimum => RmwKind::FMinimum,
        Word::UincWrap => RmwKind::UIncWrap,
        Word::UdecWrap => RmwKind::UDecWrap,
        Word::UsubCond => RmwKind::USubCond,
        Word::UsubSat => RmwKind::USubSat,
        _ => return None,
    })
}
