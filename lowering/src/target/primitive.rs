//! What the back end can be asked to do: the CLIF instructions that compute.

use std::fmt;

/// The operands and results of a primitive at a type `T`, from `F` for conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `T -> T`.
    Unary,
    /// `T, T -> T`.
    Binary,
    /// `T, T, T -> T`.
    Ternary,
    /// `T, amount -> T`: one scalar amount of any integer type, for all lanes,
    /// taken modulo the width of a lane.
    Shift,
    /// `T, T -> T, I8`: the wrapped result, and whether it was wrapped.
    Overflow,
    /// `T, T -> I8`, or for vectors the integers of the same shape, a lane all
    /// ones where the predicate holds and zero elsewhere.
    IntCompare,
    /// The same, of floats.
    FloatCompare,
    /// `I8, T, T -> T`: the first value if the truth value is not zero.
    Select,
    /// `F -> T`.
    Convert,
    /// `F, F -> T`: the lanes of both, narrowed.
    Narrow,
    /// `T -> I8`.
    Test,
    /// `T -> I32`: the highest bit of each lane, lane 0 lowest.
    HighBits,
    /// `lane -> T`.
    Splat,
    /// `T -> lane`, of a constant number.
    Extract,
    /// `T, lane -> T`, at a constant number.
    Insert,
    /// `T, T -> T` by a constant mask of bytes; 16 and up name the second operand's.
    Shuffle,
    /// `F, F -> T`: low and high half.
    Join,
    /// `F -> T, T`: low and high half.
    Split,
    /// `address -> T`, and the store that goes with it.
    Access,
    /// The same for whole, sequentially consistent accesses.
    Atomic,
    /// `address, T -> T`: the old value, of every kind of update.
    Update,
    /// `address, T, T -> T`: the old value; expected and new value given.
    Exchange,
}

macro_rules! primitives {
    ($($(#[$doc:meta])* $name:ident = $mnemonic:literal, $shape:ident;)*) => {
        /// Something that the back end can be asked to do at some type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Primitive { $($(#[$doc])* $name,)* }

        impl Primitive {
            /// Every primitive, in table order.
            pub const ALL: &'static [Primitive] = &[$(Primitive::$name,)*];

            /// The CLIF instruction.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Primitive::$name => $mnemonic,)* }
            }

            /// Its operands and results.
            pub const fn shape(self) -> Shape {
                match self { $(Primitive::$name => Shape::$shape,)* }
            }
        }
    };
}

primitives! {
    /// Sum, wrapped.
    Iadd = "iadd", Binary;
    /// Difference, wrapped.
    Isub = "isub", Binary;
    /// Product, wrapped.
    Imul = "imul", Binary;
    /// Upper half of the signed product.
    Smulhi = "smulhi", Binary;
    /// Upper half of the unsigned product.
    Umulhi = "umulhi", Binary;
    /// Negation, wrapped.
    Ineg = "ineg", Unary;
    /// Absolute value, wrapped.
    Iabs = "iabs", Unary;
    /// Signed minimum.
    Smin = "smin", Binary;
    /// Signed maximum.
    Smax = "smax", Binary;
    /// Unsigned minimum.
    Umin = "umin", Binary;
    /// Unsigned maximum.
    Umax = "umax", Binary;
    /// Signed sum, saturated.
    SaddSat = "sadd_sat", Binary;
    /// Signed difference, saturated.
    SsubSat = "ssub_sat", Binary;
    /// Unsigned sum, saturated.
    UaddSat = "uadd_sat", Binary;
    /// Unsigned difference, saturated.
    UsubSat = "usub_sat", Binary;
    /// Unsigned mean, rounded up.
    AvgRound = "avg_round", Binary;
    /// Signed quotient. Traps in hardware unless the operands were checked before.
    Sdiv = "sdiv", Binary;
    /// Unsigned quotient. Traps in hardware unless the divisor was checked before.
    Udiv = "udiv", Binary;
    /// Signed remainder; of the smallest number by -1 it is 0. Traps in hardware
    /// unless the divisor was checked before.
    Srem = "srem", Binary;
    /// Unsigned remainder. Traps in hardware unless the divisor was checked before.
    Urem = "urem", Binary;
    /// Signed sum and whether it was wrapped.
    SaddOverflow = "sadd_overflow", Overflow;
    /// Unsigned sum and whether it was wrapped.
    UaddOverflow = "uadd_overflow", Overflow;
    /// Signed difference and whether it was wrapped.
    SsubOverflow = "ssub_overflow", Overflow;
    /// Unsigned difference and whether it was wrapped.
    UsubOverflow = "usub_overflow", Overflow;
    /// Signed product and whether it was wrapped.
    SmulOverflow = "smul_overflow", Overflow;
    /// Unsigned product and whether it was wrapped.
    UmulOverflow = "umul_overflow", Overflow;

    /// Bitwise and.
    Band = "band", Binary;
    /// Bitwise or.
    Bor = "bor", Binary;
    /// Bitwise exclusive or.
    Bxor = "bxor", Binary;
    /// Bitwise complement.
    Bnot = "bnot", Unary;
    /// Each bit of the first operand picks a bit of the second or third.
    Bitselect = "bitselect", Ternary;
    /// Left shift.
    Ishl = "ishl", Shift;
    /// Right shift, filled with zeros.
    Ushr = "ushr", Shift;
    /// Right shift, filled with the sign.
    Sshr = "sshr", Shift;
    /// Left rotation.
    Rotl = "rotl", Shift;
    /// Right rotation.
    Rotr = "rotr", Shift;
    /// Number of leading zeros; the width for 0.
    Clz = "clz", Unary;
    /// Number of trailing zeros; the width for 0.
    Ctz = "ctz", Unary;
    /// Number of ones.
    Popcnt = "popcnt", Unary;
    /// The bits in reverse order.
    Bitrev = "bitrev", Unary;
    /// The bytes in reverse order.
    Bswap = "bswap", Unary;

    /// Any of the ten integer compares.
    Icmp = "icmp", IntCompare;
    /// The float compares `ord uno eq ne lt le gt ge`.
    FcmpOrdered = "fcmp", FloatCompare;
    /// The float compares `ult ule ugt uge`.
    FcmpUnordered = "fcmp", FloatCompare;
    /// The float compares `one ueq`.
    FcmpEither = "fcmp", FloatCompare;
    /// One of two values.
    Select = "select", Select;

    /// Sum, rounded once.
    Fadd = "fadd", Binary;
    /// Difference, rounded once.
    Fsub = "fsub", Binary;
    /// Product, rounded once.
    Fmul = "fmul", Binary;
    /// Quotient, rounded once.
    Fdiv = "fdiv", Binary;
    /// Square root, rounded once.
    Sqrt = "sqrt", Unary;
    /// Product and sum, rounded once.
    Fma = "fma", Ternary;
    /// The sign flipped.
    Fneg = "fneg", Unary;
    /// The sign cleared.
    Fabs = "fabs", Unary;
    /// The first operand with the sign of the second.
    Fcopysign = "fcopysign", Binary;
    /// IEEE 754-2019 `minimum`: NaN if either is, and -0 below +0.
    Fmin = "fmin", Binary;
    /// IEEE 754-2019 `maximum`.
    Fmax = "fmax", Binary;
    /// Rounded up.
    Ceil = "ceil", Unary;
    /// Rounded down.
    Floor = "floor", Unary;
    /// Rounded towards zero.
    Trunc = "trunc", Unary;
    /// Rounded to nearest, ties to even.
    Nearest = "nearest", Unary;

    /// Zero extension.
    Uextend = "uextend", Convert;
    /// Sign extension.
    Sextend = "sextend", Convert;
    /// The low bits.
    Ireduce = "ireduce", Convert;
    /// The lower lanes, zero extended.
    UwidenLow = "uwiden_low", Convert;
    /// The upper lanes, zero extended.
    UwidenHigh = "uwiden_high", Convert;
    /// The lower lanes, sign extended.
    SwidenLow = "swiden_low", Convert;
    /// The upper lanes, sign extended.
    SwidenHigh = "swiden_high", Convert;
    /// Signed lanes saturated to signed ones.
    Snarrow = "snarrow", Narrow;
    /// Signed lanes saturated to unsigned ones.
    Unarrow = "unarrow", Narrow;
    /// Unsigned lanes saturated to unsigned ones.
    Uunarrow = "uunarrow", Narrow;
    /// Float to wider float.
    Fpromote = "fpromote", Convert;
    /// Float to narrower float, rounded to nearest.
    Fdemote = "fdemote", Convert;
    /// The lower two lanes to wider floats.
    FvpromoteLow = "fvpromote_low", Convert;
    /// Both lanes to narrower floats, zeros above.
    Fvdemote = "fvdemote", Convert;
    /// Signed integer to float, rounded to nearest.
    FcvtFromSint = "fcvt_from_sint", Convert;
    /// Unsigned integer to float, rounded to nearest.
    FcvtFromUint = "fcvt_from_uint", Convert;
    /// Float to signed integer, towards zero, saturated; 0 for NaN.
    FcvtToSintSat = "fcvt_to_sint_sat", Convert;
    /// Float to unsigned integer, towards zero, saturated; 0 for NaN.
    FcvtToUintSat = "fcvt_to_uint_sat", Convert;
    /// The same bits as another type; lane 0 is lowest.
    Bitcast = "bitcast", Convert;
    /// Two halves into one integer.
    Iconcat = "iconcat", Join;
    /// One integer into its halves.
    Isplit = "isplit", Split;

    /// All lanes the same.
    Splat = "splat", Splat;
    /// One lane out.
    Extractlane = "extractlane", Extract;
    /// One lane in.
    Insertlane = "insertlane", Insert;
    /// Bytes of two vectors by a constant mask.
    Shuffle = "shuffle", Shuffle;
    /// Bytes of a vector by another vector; 0 where that is 16 or more.
    Swizzle = "swizzle", Binary;
    /// Sums of neighbouring lanes, of the first operand, then of the second.
    IaddPairwise = "iadd_pairwise", Binary;
    /// Whether any bit is set.
    VanyTrue = "vany_true", Test;
    /// Whether no lane is zero.
    VallTrue = "vall_true", Test;
    /// The signs of the lanes.
    VhighBits = "vhigh_bits", HighBits;

    /// Plain load and store.
    Load = "load", Access;
    /// Atomic load and store.
    AtomicLoad = "atomic_load", Atomic;
    /// Atomic update: add, sub, and, nand, or, xor, xchg, and the four of minimum and maximum.
    AtomicRmw = "atomic_rmw", Update;
    /// Atomic compare and exchange.
    AtomicCas = "atomic_cas", Exchange;
}

impl Primitive {
    /// Whether its native code holds an instruction that traps in hardware, and
    /// so an entry in the back end's trap table, however the operands were
    /// checked before. No other primitive leaves one.
    pub const fn can_trap(self) -> bool {
        matches!(self, Primitive::Sdiv | Primitive::Udiv | Primitive::Srem | Primitive::Urem)
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mnemonic())
    }
}
