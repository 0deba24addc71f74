//! The words that qualify an op: conditions, orders, kinds and flags.

use std::fmt;

use bitflags::bitflags;

use crate::types::Scalar;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name { $($(#[$item_doc])* $item,)* }

        impl $name {
            /// All of them, in table order.
            pub const ALL: &'static [$name] = &[$($name::$item,)*];

            /// The spelling in text.
            pub const fn name(self) -> &'static str {
                match self { $($name::$item => $text,)* }
            }

            /// The one that `name` spells.
            pub fn from_name(name: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|word| word.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}

words! {
    /// A condition on two integers or addresses.
    IntCond {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Signed less than.
        Slt = "slt",
        /// Signed at most.
        Sle = "sle",
        /// Signed greater than.
        Sgt = "sgt",
        /// Signed at least.
        Sge = "sge",
        /// Unsigned less than.
        Ult = "ult",
        /// Unsigned at most.
        Ule = "ule",
        /// Unsigned greater than.
        Ugt = "ugt",
        /// Unsigned at least.
        Uge = "uge",
    }
    /// A condition on two floats: `o…` is false and `u…` true when either is NaN.
    FloatCond {
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and not equal.
        One = "one",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and at most.
        Ole = "ole",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and at least.
        Oge = "oge",
        /// Neither is NaN.
        Ord = "ord",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or not equal.
        Une = "une",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or at most.
        Ule = "ule",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or at least.
        Uge = "uge",
        /// Either is NaN.
        Uno = "uno",
    }
    /// How an atomic access is ordered with the others of its thread.
    Order {
        /// Each word is read and written whole, in any order (LLVM's `unordered`).
        Unordered = "unordered",
        /// One order for each address.
        Relaxed = "relaxed",
        /// Later accesses stay after.
        Acquire = "acquire",
        /// Earlier accesses stay before.
        Release = "release",
        /// Both.
        AcquireRelease = "acq_rel",
        /// Both, and one order of all such accesses.
        SequentiallyConsistent = "seq_cst",
    }
    /// What an atomic read-modify-write does with the old value and the operand.
    RmwOp {
        /// The operand.
        Exchange = "xchg",
        /// The wrapped sum.
        Add = "add",
        /// The wrapped difference.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Bitwise and, inverted.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Signed minimum.
        Smin = "smin",
        /// Signed maximum.
        Smax = "smax",
        /// Unsigned minimum.
        Umin = "umin",
        /// Unsigned maximum.
        Umax = "umax",
        /// Float sum.
        Fadd = "fadd",
        /// Float difference.
        Fsub = "fsub",
        /// Float minimum, as op `fmin`.
        Fmin = "fmin",
        /// Float maximum, as op `fmax`.
        Fmax = "fmax",
    }
}

impl IntCond {
    /// The condition on the operands in the other order.
    pub const fn swapped(self) -> IntCond {
        match self {
            IntCond::Slt => IntCond::Sgt,
            IntCond::Sle => IntCond::Sge,
            IntCond::Sgt => IntCond::Slt,
            IntCond::Sge => IntCond::Sle,
            IntCond::Ult => IntCond::Ugt,
            IntCond::Ule => IntCond::Uge,
            IntCond::Ugt => IntCond::Ult,
            IntCond::Uge => IntCond::Ule,
            symmetric => symmetric,
        }
    }

    /// The condition that compares as unsigned: what is meant on addresses,
    /// whichever is spelled.
    pub const fn unsigned(self) -> IntCond {
        match self {
            IntCond::Slt => IntCond::Ult,
            IntCond::Sle => IntCond::Ule,
            IntCond::Sgt => IntCond::Ugt,
            IntCond::Sge => IntCond::Uge,
            unsigned => unsigned,
        }
    }

    /// The condition that holds exactly when this one does not.
    pub const fn inverted(self) -> IntCond {
        match self {
            IntCond::Eq => IntCond::Ne,
            IntCond::Ne => IntCond::Eq,
            IntCond::Slt => IntCond::Sge,
            IntCond::Sle => IntCond::Sgt,
            IntCond::Sgt => IntCond::Sle,
            IntCond::Sge => IntCond::Slt,
            IntCond::Ult => IntCond::Uge,
            IntCond::Ule => IntCond::Ugt,
            IntCond::Ugt => IntCond::Ule,
            IntCond::Uge => IntCond::Ult,
        }
    }
}

impl FloatCond {
    /// The condition on the operands in the other order.
    pub const fn swapped(self) -> FloatCond {
        match self {
            FloatCond::Olt => FloatCond::Ogt,
            FloatCond::Ole => FloatCond::Oge,
            FloatCond::Ogt => FloatCond::Olt,
            FloatCond::Oge => FloatCond::Ole,
            FloatCond::Ult => FloatCond::Ugt,
            FloatCond::Ule => FloatCond::Uge,
            FloatCond::Ugt => FloatCond::Ult,
            FloatCond::Uge => FloatCond::Ule,
            symmetric => symmetric,
        }
    }

    /// The condition that holds exactly when this one does not, NaN or not.
    pub const fn inverted(self) -> FloatCond {
        match self {
            FloatCond::Oeq => FloatCond::Une,
            FloatCond::One => FloatCond::Ueq,
            FloatCond::Olt => FloatCond::Uge,
            FloatCond::Ole => FloatCond::Ugt,
            FloatCond::Ogt => FloatCond::Ule,
            FloatCond::Oge => FloatCond::Ult,
            FloatCond::Ord => FloatCond::Uno,
            FloatCond::Ueq => FloatCond::One,
            FloatCond::Une => FloatCond::Oeq,
            FloatCond::Ult => FloatCond::Oge,
            FloatCond::Ule => FloatCond::Ogt,
            FloatCond::Ugt => FloatCond::Ole,
            FloatCond::Uge => FloatCond::Olt,
            FloatCond::Uno => FloatCond::Ord,
        }
    }
}

impl RmwOp {
    /// Whether there is such a step on values of that type: addresses can
    /// only be exchanged.
    pub const fn computes_on(self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128 => !self.is_float(),
            Scalar::F32 | Scalar::F64 => self.is_float() || matches!(self, RmwOp::Exchange),
            Scalar::Ptr | Scalar::Ref => matches!(self, RmwOp::Exchange),
            _ => false,
        }
    }

    /// Whether the operands are floats.
    pub const fn is_float(self) -> bool {
        matches!(self, RmwOp::Fadd | RmwOp::Fsub | RmwOp::Fmin | RmwOp::Fmax)
    }
}

bitflags! {
    /// Hints and permissions of an instruction. None of the hints affects
    /// its meaning; the permissions do, as the op's row says.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct InstFlags: u16 {
        /// Hint: the signed result does not wrap.
        const NO_SIGNED_WRAP = 1 << 0;
        /// Hint: the unsigned result does not wrap.
        const NO_UNSIGNED_WRAP = 1 << 1;
        /// Hint: no set bit is shifted out, or the division leaves no rest.
        const EXACT = 1 << 2;
        /// Hint: the address stays inside its object.
        const INBOUNDS = 1 << 3;
        /// Permission: may be fused with a neighbouring op, with one rounding.
        const CONTRACT = 1 << 4;
        /// Permission: may be regrouped and reordered with its like.
        const REASSOCIATE = 1 << 5;
    }

    /// What an access promises or asks for beside its address.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct AccessFlags: u8 {
        /// Happens exactly once, in order with the other volatile accesses.
        const VOLATILE = 1 << 0;
        /// Promise: the location holds one value from the call of this function to its end,
        /// whoever writes, and also before it is read.
        const INVARIANT = 1 << 1;
        /// Promise: the loaded address is not null.
        const NON_NULL = 1 << 2;
        /// Hint: the data is not used again soon.
        const NON_TEMPORAL = 1 << 3;
    }

    /// What a loop mark says of its loop.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct LoopFlags: u8 {
        /// Reduction chains on header parameters may be regrouped and contracted.
        const SIMD = 1 << 0;
        /// Promise: no access depends on one of an earlier round.
        const IVDEP = 1 << 1;
    }
}

/// The spellings of [`InstFlags`] in text, in printing order.
pub const INST_FLAG_NAMES: &[(InstFlags, &str)] = &[
    (InstFlags::NO_SIGNED_WRAP, "nsw"),
    (InstFlags::NO_UNSIGNED_WRAP, "nuw"),
    (InstFlags::EXACT, "exact"),
    (InstFlags::INBOUNDS, "inbounds"),
    (InstFlags::CONTRACT, "contract"),
    (InstFlags::REASSOCIATE, "reassociate"),
];

/// The spellings of [`AccessFlags`] in text, in printing order.
pub const ACCESS_FLAG_NAMES: &[(AccessFlags, &str)] = &[
    (AccessFlags::VOLATILE, "volatile"),
    (AccessFlags::INVARIANT, "invariant"),
    (AccessFlags::NON_NULL, "nonnull"),
    (AccessFlags::NON_TEMPORAL, "nontemporal"),
];

/// The spellings of [`LoopFlags`] in text, in printing order.
pub const LOOP_FLAG_NAMES: &[(LoopFlags, &str)] =
    &[(LoopFlags::SIMD, "simd"), (LoopFlags::IVDEP, "ivdep")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverting_twice_and_swapping_twice_change_nothing() {
        for &cond in IntCond::ALL {
            assert_eq!(cond.inverted().inverted(), cond);
            assert_eq!(cond.swapped().swapped(), cond);
            assert_ne!(cond.inverted(), cond);
        }
    }

    #[test]
    fn words_are_found_by_their_spelling() {
        for &order in Order::ALL {
            assert_eq!(Order::from_name(order.name()), Some(order));
        }
        assert_eq!(RmwOp::from_name("divide"), None);
    }
}
