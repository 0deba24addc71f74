//! The op table: pure data, one row per op.

use super::{Dialect, Effects, Form, OpInfo, Pattern, Relation, Safety, Theme, TypeClass};
use crate::attribute::InstFlags;
use crate::types::Type;

use Pattern::{Any, Is, Lane, Mask, Same};

macro_rules! or_else {
    ($default:expr;) => {
        $default
    };
    ($default:expr; $given:expr) => {
        $given
    };
}

macro_rules! ops {
    ($($theme:ident {$(
        $op:ident $mnemonic:literal $form:ident ($class:ident: $($operand:expr),* => $($result:expr),*)
        $(relation $relation:ident)?
        $(effects [$($effect:ident)*])?
        $(dialect $dialect:ident)?
        $(safety $safety:ident)?
        $(flags [$($flag:ident)*])?
        $(julia [$($julia:literal)*])?
        $meaning:literal
        $example:literal => $gives:literal;
    )*})*) => {
        /// An operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Op { $($(#[doc = $meaning] $op,)*)* }

        impl Op {
            /// Every op, in table order.
            pub const ALL: &'static [Op] = &[$($(Op::$op,)*)*];
        }

        pub(super) static ROWS: &[OpInfo] = &[$($(OpInfo {
            op: Op::$op,
            theme: Theme::$theme,
            mnemonic: $mnemonic,
            form: Form::$form,
            suffix: TypeClass::$class,
            operands: &[$($operand),*],
            results: &[$($result),*],
            relation: or_else!(Relation::None; $(Relation::$relation)?),
            effects: or_else!(Effects::PURE; $(Effects::empty()$(.union(Effects::$effect))*)?),
            dialect: or_else!(Dialect::Machine; $(Dialect::$dialect)?),
            safety: or_else!(Safety::Safe; $(Safety::$safety)?),
            flags: or_else!(InstFlags::empty(); $(InstFlags::empty()$(.union(InstFlags::$flag))*)?),
            meaning: $meaning,
            julia: or_else!(&[]; $(&[$($julia),*])?),
            example: $example,
            gives: $gives,
        },)*)*];

        pub(super) fn by_mnemonic(mnemonic: &str) -> Option<Op> {
            match mnemonic { $($($mnemonic => Some(Op::$op),)*)* _ => None }
        }
    };
}

const I1: Pattern = Is(Type::I1);
const I8: Pattern = Is(Type::I8);
const I32: Pattern = Is(Type::I32);
const I64: Pattern = Is(Type::I64);
const PTR: Pattern = Is(Type::PTR);
const REF: Pattern = Is(Type::REF);
const TOKEN: Pattern = Is(Type::TOKEN);
const ADDRESS: Pattern = Any(TypeClass::Address);

ops! {
Integer {
    Add "add" Values(IntVector: Same, Same => Same) flags [NO_SIGNED_WRAP NO_UNSIGNED_WRAP] julia ["add_int"]
        "The sum, wrapped to the width."
        "i8: add.i8 100, 100" => "-56";
    Sub "sub" Values(IntVector: Same, Same => Same) flags [NO_SIGNED_WRAP NO_UNSIGNED_WRAP] julia ["sub_int"]
        "The difference, wrapped to the width."
        "i8: sub.i8 -100, 100" => "56";
    Mul "mul" Values(IntVector: Same, Same => Same) flags [NO_SIGNED_WRAP NO_UNSIGNED_WRAP] julia ["mul_int"]
        "The product, wrapped to the width."
        "i32: mul.i32 65536, 65537" => "65536";
    Neg "neg" Values(IntVector: Same => Same) flags [NO_SIGNED_WRAP] julia ["neg_int"]
        "The two's complement negation; the smallest number stays itself."
        "i16: neg.i16 -32768" => "-32768";
    Abs "abs" Values(IntVector: Same => Same) flags [NO_SIGNED_WRAP]
        "The absolute value; the smallest number stays itself."
        "i32: abs.i32 -7" => "7";
    Smin "smin" Values(IntVector: Same, Same => Same)
        "The smaller operand, compared as signed."
        "i8: smin.i8 -1, 1" => "-1";
    Smax "smax" Values(IntVector: Same, Same => Same)
        "The larger operand, compared as signed."
        "i8: smax.i8 -1, 1" => "1";
    Umin "umin" Values(IntVector: Same, Same => Same)
        "The smaller operand, compared as unsigned."
        "i8: umin.i8 -1, 1" => "1";
    Umax "umax" Values(IntVector: Same, Same => Same)
        "The larger operand, compared as unsigned."
        "i8: umax.i8 -1, 1" => "-1";
    SaddSat "sadd_sat" Values(IntVector: Same, Same => Same)
        "The signed sum, held at the nearest number that the type has."
        "i8: sadd_sat.i8 100, 100" => "127";
    SsubSat "ssub_sat" Values(IntVector: Same, Same => Same)
        "The signed difference, held at the nearest number that the type has."
        "i8: ssub_sat.i8 -100, 100" => "-128";
    UaddSat "uadd_sat" Values(IntVector: Same, Same => Same)
        "The unsigned sum, held at the largest number that the type has."
        "i8: uadd_sat.i8 200, 100" => "-1";
    UsubSat "usub_sat" Values(IntVector: Same, Same => Same)
        "The unsigned difference, held at zero."
        "i8: usub_sat.i8 100, 200" => "0";
    Smulhi "smulhi" Values(IntVector: Same, Same => Same)
        "The upper half of the signed product of twice the width."
        "i32: smulhi.i32 -65536, 65536" => "-1";
    Umulhi "umulhi" Values(IntVector: Same, Same => Same)
        "The upper half of the unsigned product of twice the width."
        "i32: umulhi.i32 65536, 65536" => "1";
    Sdiv "sdiv" Values(Int: Same, Same => Same) effects [TRAP] flags [EXACT] julia ["sdiv_int" "checked_sdiv_int"]
        "The signed quotient, rounded towards zero; traps `division_by_zero` for divisor 0 and `integer_overflow` for the smallest number divided by -1."
        "i32: sdiv.i32 -7, 2" => "-3";
    Udiv "udiv" Values(Int: Same, Same => Same) effects [TRAP] flags [EXACT] julia ["udiv_int" "checked_udiv_int"]
        "The unsigned quotient, rounded down; traps `division_by_zero` for divisor 0."
        "i8: udiv.i8 -1, 2" => "127";
    Srem "srem" Values(Int: Same, Same => Same) effects [TRAP] julia ["srem_int" "checked_srem_int"]
        "The rest of the signed division, with the sign of the dividend, 0 for divisor -1; traps `division_by_zero` for divisor 0."
        "i32: srem.i32 -7, 2" => "-1";
    Urem "urem" Values(Int: Same, Same => Same) effects [TRAP] julia ["urem_int" "checked_urem_int"]
        "The rest of the unsigned division; traps `division_by_zero` for divisor 0."
        "i8: urem.i8 -1, 16" => "15";
    SaddTrap "sadd_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The signed sum; traps `integer_overflow` when it does not fit."
        "i8: sadd_trap.i8 100, 100" => "trap integer_overflow";
    UaddTrap "uadd_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The unsigned sum; traps `integer_overflow` when it does not fit."
        "i8: uadd_trap.i8 100, 100" => "-56";
    SsubTrap "ssub_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The signed difference; traps `integer_overflow` when it does not fit."
        "i8: ssub_trap.i8 100, 101" => "-1";
    UsubTrap "usub_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The unsigned difference; traps `integer_overflow` when it does not fit."
        "i8: usub_trap.i8 100, 101" => "trap integer_overflow";
    SmulTrap "smul_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The signed product; traps `integer_overflow` when it does not fit."
        "i8: smul_trap.i8 -16, 8" => "-128";
    UmulTrap "umul_trap" Values(Int: Same, Same => Same) effects [TRAP]
        "The unsigned product; traps `integer_overflow` when it does not fit."
        "i8: umul_trap.i8 16, 16" => "trap integer_overflow";
    SaddOverflow "sadd_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_sadd_int"]
        "The wrapped sum, and whether the signed sum does not fit."
        "(i8, i1): sadd_overflow.i8 100, 100" => "(-56, 1)";
    UaddOverflow "uadd_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_uadd_int"]
        "The wrapped sum, and whether the unsigned sum does not fit."
        "(i8, i1): uadd_overflow.i8 100, 100" => "(-56, 0)";
    SsubOverflow "ssub_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_ssub_int"]
        "The wrapped difference, and whether the signed difference does not fit."
        "(i8, i1): ssub_overflow.i8 1, 2" => "(-1, 0)";
    UsubOverflow "usub_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_usub_int"]
        "The wrapped difference, and whether the unsigned difference does not fit."
        "(i8, i1): usub_overflow.i8 1, 2" => "(-1, 1)";
    SmulOverflow "smul_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_smul_int"]
        "The wrapped product, and whether the signed product does not fit."
        "(i8, i1): smul_overflow.i8 16, 8" => "(-128, 1)";
    UmulOverflow "umul_overflow" Values(Int: Same, Same => Same, I1) julia ["checked_umul_int"]
        "The wrapped product, and whether the unsigned product does not fit."
        "(i8, i1): umul_overflow.i8 16, 8" => "(-128, 0)";
}
Bits {
    And "and" Values(BitsVector: Same, Same => Same) julia ["and_int"]
        "The bits that both operands have."
        "i8: and.i8 12, 10" => "8";
    Or "or" Values(BitsVector: Same, Same => Same) julia ["or_int"]
        "The bits that either operand has."
        "i8: or.i8 12, 10" => "14";
    Xor "xor" Values(BitsVector: Same, Same => Same) julia ["xor_int"]
        "The bits that exactly one operand has."
        "i8: xor.i8 12, 10" => "6";
    Not "not" Values(BitsVector: Same => Same) julia ["not_int"]
        "Every bit inverted."
        "i8: not.i8 5" => "-6";
    Shl "shl" Values(IntVector: Same, Same => Same) flags [NO_SIGNED_WRAP NO_UNSIGNED_WRAP] julia ["shl_int"]
        "The first operand shifted left by the second, read as unsigned; 0 from the width on."
        "i8: shl.i8 1, 8" => "0";
    Lshr "lshr" Values(IntVector: Same, Same => Same) flags [EXACT] julia ["lshr_int"]
        "The first operand shifted right by the second, zeros coming in; 0 from the width on."
        "i8: lshr.i8 -1, 4" => "15";
    Ashr "ashr" Values(IntVector: Same, Same => Same) flags [EXACT] julia ["ashr_int"]
        "The first operand shifted right by the second, copies of the sign coming in; only these from the width on."
        "i8: ashr.i8 -128, 100" => "-1";
    Rotl "rotl" Values(IntVector: Same, Same => Same)
        "The first operand rotated left by the second, modulo the width."
        "i8: rotl.i8 -127, 9" => "3";
    Rotr "rotr" Values(IntVector: Same, Same => Same)
        "The first operand rotated right by the second, modulo the width."
        "i8: rotr.i8 3, 1" => "-127";
    Fshl "fshl" Values(IntVector: Same, Same, Same => Same)
        "The upper half of the first operand joined above the second, shifted left by the third modulo the width."
        "i8: fshl.i8 1, -128, 1" => "3";
    Fshr "fshr" Values(IntVector: Same, Same, Same => Same)
        "The lower half of the first operand joined above the second, shifted right by the third modulo the width."
        "i8: fshr.i8 1, 2, 1" => "-127";
    Popcount "popcount" Values(IntVector: Same => Same) julia ["ctpop_int"]
        "How many bits are set."
        "i32: popcount.i32 255" => "8";
    Clz "clz" Values(IntVector: Same => Same) julia ["ctlz_int"]
        "How many zeros stand above the highest set bit; the width for 0."
        "i16: clz.i16 1" => "15";
    Ctz "ctz" Values(IntVector: Same => Same) julia ["cttz_int"]
        "How many zeros stand below the lowest set bit; the width for 0."
        "i16: ctz.i16 0" => "16";
    Bswap "bswap" Values(IntVector: Same => Same) relation WholeBytes julia ["bswap_int"]
        "The bytes in reverse order."
        "i16: bswap.i16 258" => "513";
    Bitreverse "bitreverse" Values(IntVector: Same => Same)
        "The bits in reverse order."
        "i8: bitreverse.i8 1" => "-128";
}
Compare {
    Icmp "icmp" IntCompare(Comparable: Same, Same => Mask) julia ["eq_int" "ne_int" "slt_int" "sle_int" "ult_int" "ule_int"]
        "Whether the condition holds, lane by lane; addresses compare as unsigned, whichever condition is spelled, function references only `eq` and `ne`."
        "i1: icmp.i32 slt -1, 1" => "1";
    Fcmp "fcmp" FloatCompare(FloatVector: Same, Same => Mask) julia ["eq_float" "ne_float" "lt_float" "le_float" "eq_float_fast" "ne_float_fast" "lt_float_fast" "le_float_fast"]
        "Whether the condition holds, lane by lane."
        "i1: fcmp.f64 olt nan, 1.0" => "0";
    Select "select" Values(Any: I1, Same, Same => Same)
        "The second operand if the first is true, else the third."
        "i32: select.i32 1, 10, 20" => "10";
    VecSelect "vec_select" Values(Vector: Mask, Same, Same => Same)
        "Each lane of the second operand where the mask is true, of the third elsewhere."
        "i32x2: vec_select.i32x2 <1, 0>, <1, 2>, <3, 4>" => "<1, 4>";
}
Float {
    Fadd "fadd" Values(FloatVector: Same, Same => Same) flags [CONTRACT REASSOCIATE] julia ["add_float" "add_float_fast"]
        "The sum, rounded to nearest, ties to even."
        "f64: fadd.f64 0.1, 0.2" => "0.30000000000000004";
    Fsub "fsub" Values(FloatVector: Same, Same => Same) flags [CONTRACT REASSOCIATE] julia ["sub_float" "sub_float_fast"]
        "The difference, rounded to nearest, ties to even."
        "f32: fsub.f32 1.5, 0.25" => "1.25";
    Fmul "fmul" Values(FloatVector: Same, Same => Same) flags [CONTRACT REASSOCIATE] julia ["mul_float" "mul_float_fast"]
        "The product, rounded to nearest, ties to even."
        "f16: fmul.f16 300.0, 300.0" => "inf";
    Fdiv "fdiv" Values(FloatVector: Same, Same => Same) julia ["div_float" "div_float_fast"]
        "The quotient, rounded to nearest, ties to even."
        "f64: fdiv.f64 1.0, 0.0" => "inf";
    Frem "frem" Values(FloatVector: Same, Same => Same) julia ["rem_float" "rem_float_fast"]
        "The exact rest of the division rounded towards zero, with the sign of the dividend."
        "f64: frem.f64 -5.5, 2.0" => "-1.5";
    Fneg "fneg" Values(FloatVector: Same => Same) julia ["neg_float" "neg_float_fast"]
        "The sign bit inverted, of NaN too."
        "f64: fneg.f64 0.0" => "-0.0";
    Fabs "fabs" Values(FloatVector: Same => Same) julia ["abs_float"]
        "The sign bit cleared, of NaN too."
        "f32: fabs.f32 -1.5" => "1.5";
    Fcopysign "fcopysign" Values(FloatVector: Same, Same => Same) julia ["copysign_float"]
        "The first operand with the sign bit of the second."
        "f64: fcopysign.f64 2.0, -0.0" => "-2.0";
    Fsqrt "fsqrt" Values(FloatVector: Same => Same) julia ["sqrt_llvm" "sqrt_llvm_fast"]
        "The square root, rounded to nearest, ties to even; NaN below zero."
        "f64: fsqrt.f64 2.25" => "1.5";
    Fma "fma" Values(FloatVector: Same, Same, Same => Same) julia ["fma_float"]
        "The product of the first two operands plus the third, with one rounding."
        "f64: fma.f64 3.0, 4.0, 5.0" => "17.0";
    Muladd "muladd" Values(FloatVector: Same, Same, Same => Same) flags [CONTRACT REASSOCIATE] julia ["muladd_float"]
        "The product of the first two operands plus the third, rounded after each, or once where `contract` permits it."
        "f64: muladd.f64 3.0, 4.0, 5.0" => "17.0";
    Fmin "fmin" Values(FloatVector: Same, Same => Same) flags [REASSOCIATE] julia ["min_float" "min_float_fast"]
        "The smaller operand, -0.0 below 0.0, NaN if either is NaN."
        "f64: fmin.f64 0.0, -0.0" => "-0.0";
    Fmax "fmax" Values(FloatVector: Same, Same => Same) flags [REASSOCIATE] julia ["max_float" "max_float_fast"]
        "The larger operand, 0.0 above -0.0, NaN if either is NaN."
        "f64: fmax.f64 1.0, nan" => "nan";
    FminNum "fmin_num" Values(FloatVector: Same, Same => Same) flags [REASSOCIATE]
        "The smaller operand, -0.0 below 0.0, the other one if one is NaN."
        "f64: fmin_num.f64 1.0, nan" => "1.0";
    FmaxNum "fmax_num" Values(FloatVector: Same, Same => Same) flags [REASSOCIATE]
        "The larger operand, 0.0 above -0.0, the other one if one is NaN."
        "f64: fmax_num.f64 nan, 1.0" => "1.0";
    Ffloor "ffloor" Values(FloatVector: Same => Same) julia ["floor_llvm"]
        "The nearest whole number not above."
        "f64: ffloor.f64 -1.5" => "-2.0";
    Fceil "fceil" Values(FloatVector: Same => Same) julia ["ceil_llvm"]
        "The nearest whole number not below."
        "f64: fceil.f64 -0.5" => "-0.0";
    Ftrunc "ftrunc" Values(FloatVector: Same => Same) julia ["trunc_llvm"]
        "The nearest whole number towards zero."
        "f64: ftrunc.f64 -1.5" => "-1.0";
    Fnearest "fnearest" Values(FloatVector: Same => Same) julia ["rint_llvm"]
        "The nearest whole number, ties to even."
        "f64: fnearest.f64 2.5" => "2.0";
    Fround "fround" Values(FloatVector: Same => Same)
        "The nearest whole number, ties away from zero."
        "f64: fround.f64 2.5" => "3.0";
}
Convert {
    Trunc "trunc" Values(BitsVector: Any(TypeClass::IntVector) => Same) relation FromWider flags [NO_SIGNED_WRAP NO_UNSIGNED_WRAP] julia ["trunc_int"]
        "The low bits."
        "i8: trunc.i8 i32:511" => "-1";
    Zext "zext" Values(IntVector: Any(TypeClass::BitsVector) => Same) relation FromNarrower julia ["zext_int"]
        "The number, read as unsigned, in more bits."
        "i32: zext.i32 i8:-1" => "255";
    Sext "sext" Values(IntVector: Any(TypeClass::BitsVector) => Same) relation FromNarrower julia ["sext_int"]
        "The number, read as signed, in more bits; true is -1."
        "i32: sext.i32 i1:1" => "-1";
    StruncSat "strunc_sat" Values(IntVector: Any(TypeClass::IntVector) => Same) relation FromWider
        "The signed number, held at the nearest one that the narrower type has."
        "i8: strunc_sat.i8 i32:-1000" => "-128";
    UtruncSat "utrunc_sat" Values(IntVector: Any(TypeClass::IntVector) => Same) relation FromWider
        "The unsigned number, held at the largest one that the narrower type has."
        "i8: utrunc_sat.i8 i32:1000" => "-1";
    StruncTrap "strunc_trap" Values(Int: Any(TypeClass::Int) => Same) relation FromWider effects [TRAP] julia ["checked_trunc_sint"]
        "The signed number in fewer bits; traps `bad_conversion` when it does not fit."
        "i8: strunc_trap.i8 i32:-128" => "-128";
    UtruncTrap "utrunc_trap" Values(Int: Any(TypeClass::Int) => Same) relation FromWider effects [TRAP] julia ["checked_trunc_uint"]
        "The unsigned number in fewer bits; traps `bad_conversion` when it does not fit."
        "i8: utrunc_trap.i8 i32:-128" => "trap bad_conversion";
    Bitcast "bitcast" Values(Bitcast: Any(TypeClass::Bitcast) => Same) relation SameBits julia ["bitcast"]
        "The same bits, read as another type of the same width; lane 0 holds the lowest ones."
        "i64: bitcast.i64 f64:1.0" => "4607182418800017408";
    Sitofp "sitofp" Values(FloatVector: Any(TypeClass::IntVector) => Same) relation SameLanes julia ["sitofp"]
        "The signed integer as a float, rounded to nearest, ties to even."
        "f64: sitofp.f64 i32:-3" => "-3.0";
    Uitofp "uitofp" Values(FloatVector: Any(TypeClass::IntVector) => Same) relation SameLanes julia ["uitofp"]
        "The unsigned integer as a float, rounded to nearest, ties to even."
        "f64: uitofp.f64 i8:-1" => "255.0";
    FptosiSat "fptosi_sat" Values(IntVector: Any(TypeClass::FloatVector) => Same) relation SameLanes julia ["fptosi"]
        "The float rounded towards zero, held at the nearest signed number that the type has; 0 for NaN."
        "i8: fptosi_sat.i8 f64:1e9" => "127";
    FptouiSat "fptoui_sat" Values(IntVector: Any(TypeClass::FloatVector) => Same) relation SameLanes julia ["fptoui"]
        "The float rounded towards zero, held at the nearest unsigned number that the type has; 0 for NaN."
        "i8: fptoui_sat.i8 f64:-5.0" => "0";
    FptosiTrap "fptosi_trap" Values(Int: Any(TypeClass::Float) => Same) relation SameLanes effects [TRAP]
        "The float rounded towards zero; traps `bad_conversion` when no signed number of the type equals it, and for NaN."
        "i8: fptosi_trap.i8 f64:-128.9" => "-128";
    FptouiTrap "fptoui_trap" Values(Int: Any(TypeClass::Float) => Same) relation SameLanes effects [TRAP]
        "The float rounded towards zero; traps `bad_conversion` when no unsigned number of the type equals it, and for NaN."
        "i8: fptoui_trap.i8 f64:256.0" => "trap bad_conversion";
    FptosiWrap "fptosi_wrap" Values(IntVector: Any(TypeClass::FloatVector) => Same) relation SameLanes
        "The float rounded towards zero, wrapped to the width; 0 for NaN and infinities."
        "i8: fptosi_wrap.i8 f64:257.5" => "1";
    FptouiWrap "fptoui_wrap" Values(IntVector: Any(TypeClass::FloatVector) => Same) relation SameLanes
        "The float rounded towards zero, wrapped to the width; 0 for NaN and infinities: the same bits as `fptosi_wrap`."
        "i8: fptoui_wrap.i8 f64:-1.5" => "-1";
    Fptrunc "fptrunc" Values(FloatVector: Any(TypeClass::FloatVector) => Same) relation FromWider julia ["fptrunc"]
        "The float in a narrower format, rounded to nearest, ties to even."
        "f32: fptrunc.f32 f64:1.5" => "1.5";
    Fpext "fpext" Values(FloatVector: Any(TypeClass::FloatVector) => Same) relation FromNarrower julia ["fpext"]
        "The float in a wider format, exactly."
        "f64: fpext.f64 f32:1.5" => "1.5";
    PtrToInt "ptr_to_int" Values(None: PTR => I64)
        "The address as a number."
        "i64: ptr_to_int null" => "0";
    IntToPtr "int_to_ptr" Values(None: I64 => PTR) safety Raw
        "The number as an address."
        "func @example() -> i64 {\nblock0:\n  %p = int_to_ptr 64\n  %a = ptr_to_int %p\n  return %a\n}" => "64";
    AddressCast "address_cast" Values(Address: ADDRESS => Same) relation AddressCast dialect Managed safety Raw
        "The same address as another kind: `ptr` to any managed kind, `ref` to `derived` or `callee`."
        "func @example() -> i1 {\nblock0:\n  %d = address_cast.derived ref:null\n  %c = icmp.derived eq %d, null\n  return %c\n}" => "1";
    FunctionToPtr "function_to_ptr" Values(Function: Same => PTR)
        "The address of the function that the reference names: equal for equal functions, null for null."
        "func @example() -> i1 {\nblock0:\n  %p = function_to_ptr.fn() -> i1 null\n  %c = icmp.ptr eq %p, null\n  return %c\n}" => "1";
    PtrToFunction "ptr_to_function" Values(Function: PTR => Same) safety Raw
        "The address, trusted to be that of a function of the signature or null, as a reference."
        "func @example() -> i1 {\nblock0:\n  %f = ptr_to_function.fn() -> i1 null\n  %c = icmp.fn() -> i1 eq %f, null\n  return %c\n}" => "1";
}
Memory {
    Load "load" Load(Memory: ADDRESS => Same) effects [READ] safety Raw julia ["pointerref"]
        "The value at the address."
        "func @example() -> i64 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i64 7, %p\n  %x = load.i64 %p\n  return %x\n}" => "7";
    Store "store" Store(Memory: Same, ADDRESS =>) effects [WRITE] safety Raw julia ["pointerset"]
        "Puts the value at the address."
        "func @example() -> i8 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i64 258, %p\n  %x = load.i8 %p+1\n  return %x\n}" => "1";
    MaskedLoad "masked_load" MaskedLoad(WideNumber: Mask, ADDRESS, Same => Same) effects [READ] safety Raw
        "Each lane at the address where the mask is true, the lane of the last operand elsewhere; memory of other lanes is not touched."
        "func @example() -> i32x2 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i32x2 <1, 2>, %p\n  %x = masked_load.i32x2 <0, 1>, %p, <9, 9>\n  return %x\n}" => "<9, 2>";
    MaskedStore "masked_store" MaskedStore(WideNumber: Mask, Same, ADDRESS =>) effects [WRITE] safety Raw
        "Puts each lane where the mask is true at the address; memory of other lanes is not touched."
        "func @example() -> i32x2 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  masked_store.i32x2 <0, 1>, <5, 6>, %p\n  %x = load.i32x2 %p\n  return %x\n}" => "<0, 6>";
    MemCopy "mem_copy" Bulk(None: ADDRESS, ADDRESS, I64 =>) effects [READ WRITE] safety Raw
        "Copies that many bytes, read as unsigned, from the second address to the first, as if through a buffer; none touches nothing. What comes from or goes to a plain address is plain data: a reference in it keeps nothing alive."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i32 7, %p\n  %q = ptr_add %p, 4\n  mem_copy %q, %p, 4\n  %x = load.i32 %q\n  return %x\n}" => "7";
    MemFill "mem_fill" Bulk(None: ADDRESS, I8, I64 =>) effects [WRITE] safety Raw
        "Sets that many bytes, read as unsigned, at the address to the second operand; none touches nothing."
        "func @example() -> i32 {\n  ss0 = slot 4\nblock0:\n  %p = slot_addr ss0\n  mem_fill %p, 1, 4\n  %x = load.i32 %p\n  return %x\n}" => "16843009";
    MemCompare "mem_compare" Bulk(None: ADDRESS, ADDRESS, I64 => I32) effects [READ] safety Raw
        "-1, 0 or 1 as that many bytes, read as unsigned, at the first address are below, equal to or above those at the second, compared as unsigned from the first that differs; all must be there, none touches nothing."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i64 2, %p\n  %q = ptr_add %p, 4\n  %x = mem_compare %p, %q, 4\n  return %x\n}" => "1";
    MemFind "mem_find" Bulk(None: ADDRESS, I8, I64 => I64) effects [READ] safety Raw
        "How many bytes at the address stand before the first that equals the second operand, of as many as the third says, read as unsigned: all of them if none does. The bytes up to the first must be there, and no other is read."
        "func @example() -> i64 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i64 458752, %p\n  %x = mem_find %p, 7, 8\n  return %x\n}" => "2";
    Prefetch "prefetch" Values(None: ADDRESS =>) effects [MARK]
        "A hint that memory at the address will be read soon; does nothing."
        "func @example() -> i32 {\nblock0:\n  prefetch ptr:null\n  return 1\n}" => "1";
    PtrAdd "ptr_add" Values(None: PTR, I64 => PTR) flags [INBOUNDS] julia ["add_ptr" "sub_ptr"]
        "The address that many bytes further, wrapped to 64 bits: of the same object. Null is of none; a number becomes an address by `int_to_ptr`."
        "func @example() -> i64 {\nblock0:\n  %p = ptr_add null, -8\n  %a = ptr_to_int %p\n  return %a\n}" => "-8";
    StackAlloc "stack_alloc" Values(None: I64, I64 => PTR) effects [READ WRITE TRAP] safety Raw
        "The address of that many bytes, read as unsigned, that nothing was stored to; good until the function returns, and aligned to the second operand if that is a power of two of at most 4096, and to 16; traps `stack_overflow` where there is no room."
        "func @example() -> i64 {\nblock0:\n  %p = stack_alloc 100, 64\n  store.i64 7, %p+92\n  %x = load.i64 %p+92\n  return %x\n}" => "7";
    StackSave "stack_save" Values(None: => PTR) effects [READ] safety Raw
        "A mark of what `stack_alloc` has given so far."
        "func @example() -> i64 {\nblock0:\n  %m = stack_save\n  %p = stack_alloc 100, 16\n  stack_restore %m\n  return 7\n}" => "7";
    StackRestore "stack_restore" Values(None: PTR =>) effects [READ WRITE] safety Raw
        "Takes back what `stack_alloc` has given since the mark, which is one of this call of the function and was not taken back itself."
        "func @example() -> i64 {\nblock0:\n  %p = stack_alloc 8, 8\n  %m = stack_save\n  store.i64 7, %p\n  %q = stack_alloc 100, 16\n  stack_restore %m\n  %x = load.i64 %p\n  return %x\n}" => "7";
    DerivedAdd "derived_add" Values(None: Is(Type::DERIVED), I64 => Is(Type::DERIVED)) dialect Managed safety Raw
        "The address that many bytes further, of the same object, which it keeps alive wherever it leads."
        "func @example() -> i1 {\nblock0:\n  %d = address_cast.derived ref:null\n  %e = derived_add %d, 8\n  %c = icmp.derived eq %d, %e\n  return %c\n}" => "0";
}
Atomic {
    AtomicLoad "atomic_load" AtomicLoad(Atomic: ADDRESS => Same) effects [READ TRAP SYNCHRONISE] safety Raw julia ["atomic_pointerref"]
        "The value at the address, read as one; traps `misaligned_atomic` unless the address is a multiple of the size. At `i128` the memory is such as may be written, too, which no constant data object is."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i32 5, %p\n  %x = atomic_load.i32 acquire %p\n  return %x\n}" => "5";
    AtomicStore "atomic_store" AtomicStore(Atomic: Same, ADDRESS =>) effects [WRITE TRAP SYNCHRONISE] safety Raw julia ["atomic_pointerset"]
        "Puts the value at the address as one; traps `misaligned_atomic` unless the address is a multiple of the size."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  atomic_store.i32 release 5, %p\n  %x = load.i32 %p\n  return %x\n}" => "5";
    AtomicRmw "atomic_rmw" AtomicRmw(Atomic: ADDRESS, Same => Same) relation RmwType effects [READ WRITE TRAP SYNCHRONISE] safety Raw julia ["atomic_pointerswap"]
        "Replaces the value at the address by the result of the kind's operation on it and the operand, as one step, and gives the old value; traps `misaligned_atomic` unless the address is a multiple of the size."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  store.i32 5, %p\n  %x = atomic_rmw.i32 add seq_cst %p, 3\n  return %x\n}" => "5";
    AtomicCas "atomic_cas" AtomicCas(Atomic: ADDRESS, Same, Same => Same, I1) effects [READ WRITE TRAP SYNCHRONISE] safety Raw julia ["atomic_pointerreplace"]
        "Puts the last operand at the address if the bits there equal the one before, as one step, and gives the old value and whether it did; traps `misaligned_atomic` unless the address is a multiple of the size."
        "func @example() -> (i32, i1) {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  %x, %ok = atomic_cas.i32 seq_cst seq_cst %p, 0, 9\n  return %x, %ok\n}" => "(0, 1)";
    AtomicModify "atomic_modify" AtomicModify(Atomic: ADDRESS, Same => Same, Same) relation ModifyFunction effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE] dialect Managed safety Raw julia ["atomic_pointermodify"]
        "Replaces the value at the address by what the function gives for it and the operand, as one step that repeats the call until nobody came between, and gives the old and the new value; traps `misaligned_atomic` unless the address is a multiple of the size."
        "func @max(i32, i32) -> i32 {\nblock0(%a: i32, %b: i32):\n  %m = smax.i32 %a, %b\n  return %m\n}\nfunc @example() -> (i32, i32) {\n  ss0 = slot 8\nblock0:\n  %p = slot_addr ss0\n  %old, %new = atomic_modify.i32 @max, seq_cst %p, 4\n  return %old, %new\n}" => "(0, 4)";
    Fence "fence" Fence(None: =>) effects [SYNCHRONISE READ WRITE] julia ["atomic_fence"]
        "Orders the accesses before it with those after it as the order says."
        "func @example() -> i32 {\nblock0:\n  fence seq_cst\n  return 1\n}" => "1";
}
Entity {
    SlotLoad "slot_load" SlotLoad(Number: I64 => Same) effects [READ TRAP]
        "The value at that offset of the slot; traps `bounds` unless it lies inside."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  %x = slot_load.i32 ss0, 5\n  return %x\n}" => "trap bounds";
    SlotStore "slot_store" SlotStore(Number: Same, I64 =>) effects [WRITE TRAP]
        "Puts the value at that offset of the slot; traps `bounds` unless it lies inside."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  slot_store.i32 7, ss0, 4\n  %x = slot_load.i32 ss0, 4\n  return %x\n}" => "7";
    SlotAddr "slot_addr" Slot(None: => PTR) safety Raw
        "The address of the slot, good until the function returns."
        "func @example() -> i64 {\n  ss0 = slot 8 align 16\nblock0:\n  %p = slot_addr ss0\n  %a = ptr_to_int %p\n  %x = and.i64 %a, 15\n  return %x\n}" => "0";
    SlotStart "slot_start" Slot(None: =>) effects [WRITE MARK]
        "Begins a use of the slot: its bytes are zero again."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  slot_store.i32 7, ss0, 4\n  slot_start ss0\n  %x = slot_load.i32 ss0, 4\n  return %x\n}" => "0";
    SlotEnd "slot_end" Slot(None: =>) effects [WRITE MARK]
        "Ends a use of the slot: its bytes are zero until the next store."
        "func @example() -> i32 {\n  ss0 = slot 8\nblock0:\n  slot_store.i32 7, ss0, 4\n  slot_end ss0\n  return 1\n}" => "1";
    DataLoad "data_load" DataLoad(Number: I64 => Same) effects [READ TRAP]
        "The value at that offset of the data object; traps `bounds` unless it lies inside."
        "data @d const = { i32 [1, 2, 3] }\nfunc @example() -> i32 {\nblock0:\n  %x = data_load.i32 @d, 8\n  return %x\n}" => "3";
    DataStore "data_store" DataStore(Number: Same, I64 =>) effects [WRITE TRAP]
        "Puts the value at that offset of the data object, which is no constant; traps `bounds` unless it lies inside."
        "data @d = { zero 8 }\nfunc @example() -> i32 {\nblock0:\n  data_store.i32 7, @d, 4\n  %x = data_load.i32 @d, 4\n  return %x\n}" => "7";
    DataAddr "data_addr" Data(None: => PTR) safety Raw julia ["cglobal"]
        "The address of the data object; of a thread-local one, that of this thread's copy."
        "data @d align 64 = { zero 8 }\nfunc @example() -> i64 {\nblock0:\n  %p = data_addr @d\n  %a = ptr_to_int %p\n  %x = and.i64 %a, 63\n  return %x\n}" => "0";
    FunctionAddr "function_addr" Function(Function: => Same)
        "A reference to the function."
        "func @f() -> i32 {\nblock0:\n  return 5\n}\nfunc @example() -> i32 {\nblock0:\n  %f = function_addr.fn() -> i32 @f\n  %x = call_indirect.fn() -> i32 %f()\n  return %x\n}" => "5";
}
Aggregate {
    MakeAggregate "make_aggregate" Variadic(Aggregate: => Same) relation Parts dialect Front
        "The struct or array of the operands."
        "func @example() -> i32 {\nblock0:\n  %a = make_aggregate.{i32, f64} 7, 1.5\n  %x = extract_value.{i32, f64} %a, 0\n  return %x\n}" => "7";
    ExtractValue "extract_value" Extract(Aggregate: Same => Any(TypeClass::Any)) relation ExtractPath dialect Front
        "The field or element that the indices lead to."
        "func @example() -> i32 {\nblock0:\n  %a = make_aggregate.[2 x i32] 7, 8\n  %x = extract_value.[2 x i32] %a, 1\n  return %x\n}" => "8";
    InsertValue "insert_value" Insert(Aggregate: Same, Any(TypeClass::Any) => Same) relation InsertPath dialect Front
        "The aggregate with the field or element that the indices lead to replaced."
        "func @example() -> i32 {\nblock0:\n  %b = insert_value.[2 x i32] zero, i32:9, 1\n  %x = extract_value.[2 x i32] %b, 1\n  return %x\n}" => "9";
}
Vector {
    Splat "splat" Values(Vector: Lane => Same)
        "The operand in every lane."
        "i32x4: splat.i32x4 7" => "<7, 7, 7, 7>";
    MakeVector "make_vector" Variadic(Vector: => Same) relation Parts
        "The vector of the operands."
        "i32x2: make_vector.i32x2 1, 2" => "<1, 2>";
    ExtractLane "extract_lane" Values(Vector: Same, I64 => Lane) effects [TRAP]
        "The lane of that index; traps `bounds` if there is none."
        "i32: extract_lane.i32x2 <5, 6>, 1" => "6";
    InsertLane "insert_lane" Values(Vector: Same, Lane, I64 => Same) effects [TRAP]
        "The vector with the lane of that index replaced; traps `bounds` if there is none."
        "i32x2: insert_lane.i32x2 <5, 6>, 9, 0" => "<9, 6>";
    Shuffle "shuffle" Shuffle(Vector: Any(TypeClass::Vector), Any(TypeClass::Vector) => Same) relation ShuffleLanes
        "The named lanes of the two operands, counted through both, and zero for `_`."
        "i32x3: shuffle.i32x3 i32x2:<1, 2>, i32x2:<3, 4>, [3, _, 0]" => "<4, 0, 1>";
    ReduceAdd "reduce_add" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The wrapped sum of all lanes."
        "i32: reduce_add.i32 i32x3:<1, 2, 3>" => "6";
    ReduceMul "reduce_mul" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The wrapped product of all lanes."
        "i32: reduce_mul.i32 i32x3:<4, 2, 3>" => "24";
    ReduceAnd "reduce_and" Values(Bits: Any(TypeClass::WideBits) => Same) relation LaneOf
        "The bits that all lanes have; of a mask, whether all are true."
        "i1: reduce_and.i1 i1x3:<1, 1, 0>" => "0";
    ReduceOr "reduce_or" Values(Bits: Any(TypeClass::WideBits) => Same) relation LaneOf
        "The bits that any lane has; of a mask, whether any is true."
        "i1: reduce_or.i1 i1x3:<1, 1, 0>" => "1";
    ReduceXor "reduce_xor" Values(Bits: Any(TypeClass::WideBits) => Same) relation LaneOf
        "The bits that an odd number of lanes has."
        "i8: reduce_xor.i8 i8x2:<3, 5>" => "6";
    ReduceSmin "reduce_smin" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The smallest lane, compared as signed."
        "i8: reduce_smin.i8 i8x3:<3, -5, 1>" => "-5";
    ReduceSmax "reduce_smax" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The largest lane, compared as signed."
        "i8: reduce_smax.i8 i8x3:<3, -5, 1>" => "3";
    ReduceUmin "reduce_umin" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The smallest lane, compared as unsigned."
        "i8: reduce_umin.i8 i8x3:<3, -5, 1>" => "1";
    ReduceUmax "reduce_umax" Values(Int: Any(TypeClass::WideInt) => Same) relation LaneOf
        "The largest lane, compared as unsigned."
        "i8: reduce_umax.i8 i8x3:<3, -5, 1>" => "-5";
    ReduceFadd "reduce_fadd" Values(Float: Same, Any(TypeClass::WideFloat) => Same) relation LaneOf flags [CONTRACT REASSOCIATE]
        "The first operand plus each lane of the second, in order, rounded after each; in any order where `reassociate` permits it."
        "f64: reduce_fadd.f64 1.0, f64x2:<0.5, 0.25>" => "1.75";
    ReduceFmul "reduce_fmul" Values(Float: Same, Any(TypeClass::WideFloat) => Same) relation LaneOf flags [CONTRACT REASSOCIATE]
        "The first operand times each lane of the second, in order, rounded after each; in any order where `reassociate` permits it."
        "f64: reduce_fmul.f64 2.0, f64x2:<0.5, 0.25>" => "0.25";
    ReduceFmin "reduce_fmin" Values(Float: Any(TypeClass::WideFloat) => Same) relation LaneOf
        "The smallest lane, by `fmin`."
        "f64: reduce_fmin.f64 f64x2:<0.5, -0.25>" => "-0.25";
    ReduceFmax "reduce_fmax" Values(Float: Any(TypeClass::WideFloat) => Same) relation LaneOf
        "The largest lane, by `fmax`."
        "f64: reduce_fmax.f64 f64x2:<0.5, nan>" => "nan";
}
Call {
    Call "call" Call(None: =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE]
        "Calls the function, or the host's where the module imports it, and gives its results."
        "func @f(i32) -> i32 {\nblock0(%a: i32):\n  %r = add.i32 %a, 1\n  return %r\n}\nfunc @example() -> i32 {\nblock0:\n  %x = call @f(41)\n  return %x\n}" => "42";
    CallIndirect "call_indirect" IndirectCall(Function: Same =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE]
        "Calls the function that the reference names; traps `null_function` if it is null."
        "func @example() -> i32 {\nblock0:\n  %x = call_indirect.fn() -> i32 null()\n  return %x\n}" => "trap null_function";
    CallPtr "call_ptr" IndirectCall(Function: PTR =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE] safety Raw
        "Calls the function at the address, trusted to be of the signature: one of ours or the platform's; traps `null_function` if it is null."
        "func @f() -> i32 {\nblock0:\n  return 5\n}\nfunc @example() -> i32 {\nblock0:\n  %f = function_addr.fn() -> i32 @f\n  %p = function_to_ptr.fn() -> i32 %f\n  %x = call_ptr.fn() -> i32 %p()\n  return %x\n}" => "5";
    CallForeign "call_foreign" ForeignCall(None: =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE] safety Raw julia ["ccall" "foreigncall"]
        "Calls the foreign function by the platform's convention, the references in `roots` staying alive."
        "foreign @abs(i32) -> i32\nfunc @example() -> i32 {\nblock0:\n  %x = call_foreign @abs(-7)\n  return %x\n}" => "7";
    TryCall "try_call" TryCall(None: =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE TERMINATE]
        "Calls the function and goes on at the normal edge, which may take the results along, or at the unwind edge when it throws; of a foreign function, the references in `roots` staying alive."
        "func @f() -> i32 {\nblock0:\n  throw null\n}\nfunc @example() -> i32 {\nblock0:\n  %x = try_call @f() normal block1(%x), unwind block2\nblock1(%r: i32):\n  return %r\nblock2:\n  return 9\n}" => "9";
    TryCallIndirect "try_call_indirect" TryIndirectCall(Function: Same =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE TERMINATE]
        "Calls the function that the reference names, as `try_call` does; traps `null_function` if it is null."
        "func @f() -> i32 {\nblock0:\n  return 3\n}\nfunc @example() -> i32 {\nblock0:\n  %f = function_addr.fn() -> i32 @f\n  %x = try_call_indirect.fn() -> i32 %f() normal block1(%x), unwind block2\nblock1(%r: i32):\n  return %r\nblock2:\n  return 9\n}" => "3";
    TryCallPtr "try_call_ptr" TryIndirectCall(Function: PTR =>) relation Callee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE TERMINATE] safety Raw
        "Calls the function at the address as `call_ptr` does, and goes on as `try_call` does."
        "func @f() -> i32 {\nblock0:\n  throw null\n}\nfunc @example() -> i32 {\nblock0:\n  %f = function_addr.fn() -> i32 @f\n  %p = function_to_ptr.fn() -> i32 %f\n  %x = try_call_ptr.fn() -> i32 %p() normal block1(%x), unwind block2\nblock1(%r: i32):\n  return %r\nblock2:\n  return 9\n}" => "9";
    ReturnCall "return_call" Call(None: =>) relation TailCallee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE NO_RETURN TERMINATE]
        "Leaves this function by calling the other in its place, with no frame kept unless bytes are passed by value."
        "func @f(i32) -> i32 {\nblock0(%a: i32):\n  return %a\n}\nfunc @example() -> i32 {\nblock0:\n  return_call @f(7)\n}" => "7";
    ReturnCallIndirect "return_call_indirect" IndirectCall(Function: Same =>) relation TailCallee effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE NO_RETURN TERMINATE]
        "Leaves this function by calling the one that the reference names in its place; traps `null_function` if it is null."
        "func @f(i32) -> i32 {\nblock0(%a: i32):\n  return %a\n}\nfunc @example() -> i32 {\nblock0:\n  %f = function_addr.fn(i32) -> i32 @f\n  return_call_indirect.fn(i32) -> i32 %f(7)\n}" => "7";
    BoxedCall "boxed_call" Variadic(None: REF => REF) relation References effects [READ WRITE TRAP THROW SAFEPOINT SYNCHRONISE] dialect Managed
        "Calls the first operand, a callable object, with the others by the generic convention of the runtime."
        "func @example() -> i1 {\nblock0:\n  %x = boxed_call null\n  %c = icmp.ref eq %x, null\n  return %c\n}" => "trap null_reference";
}
Control {
    Jump "jump" Jump(None: =>) effects [TERMINATE]
        "Goes on at the block."
        "func @example() -> i32 {\nblock0:\n  jump block1(7)\nblock1(%x: i32):\n  return %x\n}" => "7";
    Branch "branch" Branch(None: I1 =>) effects [TERMINATE]
        "Goes on at the first block if the operand is true, else at the second."
        "func @example() -> i32 {\nblock0:\n  branch 0, block1(7), block1(8)\nblock1(%x: i32):\n  return %x\n}" => "8";
    Switch "switch" Switch(Int: Same =>) effects [TERMINATE]
        "Goes on at the block of the case that equals the operand, or at the last one if none does."
        "func @example() -> i32 {\nblock0:\n  switch.i8 3, [1: block1(10), 3: block1(30)], block1(0)\nblock1(%x: i32):\n  return %x\n}" => "30";
    Return "return" Variadic(None: =>) relation Returns effects [NO_RETURN TERMINATE]
        "Leaves the function with the operands as its results."
        "func @example() -> i32 {\nblock0:\n  return 7\n}" => "7";
    Trap "trap" Trap(None: =>) effects [TRAP NO_RETURN TERMINATE]
        "Stops execution with the code."
        "func @example() -> i32 {\nblock0:\n  trap user(5)\n}" => "trap user(5)";
    Unreachable "unreachable" Values(None: =>) effects [TRAP NO_RETURN TERMINATE]
        "Stops execution with the code `unreachable`."
        "func @example() -> i32 {\nblock0:\n  unreachable\n}" => "trap unreachable";
    Check "check" Check(None: I1 =>) relation ExitValues effects [TRAP]
        "Goes on if the operand is true, else leaves by the exit: all effects before have happened, none after."
        "func @example() -> i32 {\n  exit0 = trap bounds\nblock0:\n  check 0, exit0\n  return 7\n}" => "trap bounds";
    Poll "poll" Values(None: =>) effects [TRAP SAFEPOINT MARK]
        "A place where the call can be stopped from outside and where the collector may run."
        "func @example() -> i32 {\nblock0:\n  poll\n  return 7\n}" => "7";
}
Exception {
    Enter "enter" Enter(None: =>) effects [TERMINATE MARK] dialect Front
        "Goes on at the first block, inside a region whose throws go on at the unwind edge with the values of this moment."
        "func @f() {\nblock0:\n  throw null\n}\nfunc @example() -> i32 {\nblock0:\n  enter block1, unwind block2\nblock1:\n  call @f()\n  leave 1\n  return 1\nblock2:\n  return 2\n}" => "2";
    Leave "leave" Count(None: =>) effects [MARK] dialect Front
        "Leaves that many regions, the innermost first."
        "func @example() -> i32 {\nblock0:\n  enter block1, unwind block2\nblock1:\n  leave 1\n  return 1\nblock2:\n  return 2\n}" => "1";
    Throw "throw" Values(None: REF =>) effects [THROW NO_RETURN TERMINATE]
        "Throws the reference: goes on at the innermost handler, or stops execution with `uncaught_exception`."
        "func @example() -> i32 {\nblock0:\n  throw null\n}" => "trap uncaught_exception";
    CurrentException "current_exception" Values(None: => REF) effects [READ]
        "The reference that was thrown last in this thread; null if there was none."
        "func @example() -> i1 {\nblock0:\n  %e = current_exception\n  %c = icmp.ref eq %e, null\n  return %c\n}" => "1";
}
Hint {
    Expect "expect" Values(BitsVector: Same, Same => Same) dialect Front
        "The first operand; a hint that it mostly equals the second."
        "i1: expect.i1 1, 0" => "1";
    Assume "assume" Values(None: I1 =>) effects [MARK] dialect Managed safety Raw
        "A promise that the operand is true."
        "func @example() -> i32 {\nblock0:\n  assume 1\n  return 7\n}" => "7";
    Opaque "opaque" Values(Any: Same => Same) effects [MARK]
        "The operand, of which no pass may know anything."
        "i32: opaque.i32 7" => "7";
}
Managed {
    AllocObject "alloc_object" Values(None: REF, I64 => REF) effects [WRITE TRAP SAFEPOINT] dialect Managed
        "A new object of that type and that many bytes, all zero; traps `out_of_memory` when there is no room or the size is negative."
        "func @example() -> i1 {\nblock0:\n  %o = alloc_object null, 16\n  %c = icmp.ref eq %o, null\n  return %c\n}" => "0";
    TypeOf "typeof" Values(None: REF => REF) effects [READ TRAP] dialect Managed
        "The type that the object was allocated with; traps `null_reference` for null."
        "func @example() -> i1 {\nblock0:\n  %t = alloc_object null, 16\n  %o = alloc_object %t, 16\n  %u = typeof %o\n  %c = icmp.ref eq %t, %u\n  return %c\n}" => "1";
    PreserveBegin "preserve_begin" Variadic(None: => TOKEN) relation References effects [MARK] dialect Managed
        "Keeps the references alive at every safepoint from here to each `preserve_end` of the token, or for good where it has none."
        "func @example() -> i32 {\nblock0:\n  %o = alloc_object null, 16\n  %t = preserve_begin %o\n  safepoint\n  preserve_end %t\n  return 1\n}" => "1";
    PreserveEnd "preserve_end" Values(None: TOKEN =>) effects [MARK] dialect Managed
        "Ends what the `preserve_begin` of the token began."
        "func @example() -> i32 {\nblock0:\n  %t = preserve_begin ref:null\n  preserve_end %t\n  return 1\n}" => "1";
    WriteBarrier "write_barrier" Values(None: REF, REF =>) effects [READ WRITE] dialect Managed
        "Tells the collector that the second object is now referred to by the first."
        "func @example() -> i32 {\nblock0:\n  %o = alloc_object null, 16\n  %p = alloc_object null, 16\n  write_barrier %o, %p\n  return 1\n}" => "1";
    Safepoint "safepoint" Values(None: =>) effects [READ WRITE SAFEPOINT MARK] dialect Managed
        "A place where the collector may run."
        "func @example() -> i32 {\nblock0:\n  safepoint\n  return 1\n}" => "1";
    PointerFromRef "pointer_from_ref" Values(None: Any(TypeClass::Address) => PTR) dialect Managed safety Raw
        "The plain address of the object, which keeps nothing alive: it is good for accesses where a region, or something else than this function, keeps the object."
        "func @example() -> i1 {\nblock0:\n  %p = pointer_from_ref ref:null\n  %c = icmp.ptr eq %p, null\n  return %c\n}" => "1";
    ArrayNew "array_new" Values(Element: REF, I64 => REF) effects [WRITE TRAP SAFEPOINT] dialect Managed
        "A new array of that type and that many elements, all zero; traps `out_of_memory` when there is no room or the length is negative."
        "func @example() -> i64 {\nblock0:\n  %a = array_new.f64 null, 5\n  %n = array_len %a\n  return %n\n}" => "5";
    ArrayLen "array_len" Values(None: REF => I64) effects [READ TRAP] dialect Managed
        "The number of elements; traps `null_reference` for null and `type_mismatch` for what is no array."
        "func @example() -> i64 {\nblock0:\n  %n = array_len null\n  return %n\n}" => "trap null_reference";
    ArrayGet "array_get" Values(Element: REF, I64 => Same) effects [READ TRAP] dialect Managed
        "The element of that index; traps `null_reference` for null, `type_mismatch` for another kind of element, `bounds` if there is none."
        "func @example() -> f64 {\nblock0:\n  %a = array_new.f64 null, 5\n  %x = array_get.f64 %a, 5\n  return %x\n}" => "trap bounds";
    ArraySet "array_set" Values(Element: REF, I64, Same =>) effects [READ WRITE TRAP] dialect Managed
        "Puts the value at that index; traps as `array_get` does."
        "func @example() -> f64 {\nblock0:\n  %a = array_new.f64 null, 5\n  array_set.f64 %a, 4, 1.5\n  %x = array_get.f64 %a, 4\n  return %x\n}" => "1.5";
    CpuHas "cpu_has" Feature(None: => I1) dialect Managed
        "Whether the processor that the function is compiled for has the feature; the interpreter has none."
        "func @example() -> i32 {\nblock0:\n  %c = cpu_has \"avx2\"\n  return 1\n}" => "1";
    HaveFma "have_fma" Values(Float: => I1) dialect Managed julia ["have_fma"]
        "Whether `fma` of the type is one instruction of the processor that the function is compiled for; the interpreter has none."
        "func @example() -> i32 {\nblock0:\n  %c = have_fma.f64\n  return 1\n}" => "1";
    LoopMark "loop_mark" LoopMark(None: =>) effects [MARK] dialect Managed
        "Says of the loop whose header it stands in what may be done with it; `ivdep` is a promise."
        "func @example() -> i32 {\nblock0:\n  jump block1(0)\nblock1(%i: i32):\n  loop_mark simd unroll 4\n  %j = add.i32 %i, 1\n  %c = icmp.i32 slt %j, 10\n  branch %c, block1(%j), block2\nblock2:\n  return %j\n}" => "10";
}
}
