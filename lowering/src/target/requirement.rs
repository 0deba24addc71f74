//! What the back end must do for an op: pure data.

use brolga_ir::op::Op;

use super::Primitive;

macro_rules! requirements {
    ($($(Op::$op:ident)|+: $primitive:ident;)*) => {
        impl Primitive {
            /// What the back end does for an op, where that is one thing.
            pub const fn of_op(op: Op) -> Option<Primitive> {
                match op { $($(Op::$op)|+ => Some(Primitive::$primitive),)* _ => None }
            }
        }
    };
}

requirements! {
    Op::Add: Iadd;
    Op::Sub: Isub;
    Op::Mul: Imul;
    Op::Neg: Ineg;
    Op::Abs: Iabs;
    Op::Smin: Smin;
    Op::Smax: Smax;
    Op::Umin: Umin;
    Op::Umax: Umax;
    Op::SaddSat: SaddSat;
    Op::SsubSat: SsubSat;
    Op::UaddSat: UaddSat;
    Op::UsubSat: UsubSat;
    Op::Smulhi: Smulhi;
    Op::Umulhi: Umulhi;
    Op::Sdiv: Sdiv;
    Op::Udiv: Udiv;
    Op::Srem: Srem;
    Op::Urem: Urem;
    Op::SaddTrap | Op::SaddOverflow: SaddOverflow;
    Op::UaddTrap | Op::UaddOverflow: UaddOverflow;
    Op::SsubTrap | Op::SsubOverflow: SsubOverflow;
    Op::UsubTrap | Op::UsubOverflow: UsubOverflow;
    Op::SmulTrap | Op::SmulOverflow: SmulOverflow;
    Op::UmulTrap | Op::UmulOverflow: UmulOverflow;
    Op::Popcount: Popcnt;
    Op::Clz: Clz;
    Op::Ctz: Ctz;
    Op::Bswap: Bswap;
    Op::Bitreverse: Bitrev;
    Op::Rotl: Rotl;
    Op::Rotr: Rotr;
    Op::Fadd: Fadd;
    Op::Fsub: Fsub;
    Op::Fmul: Fmul;
    Op::Fdiv: Fdiv;
    Op::Fneg: Fneg;
    Op::Fabs: Fabs;
    Op::Fcopysign: Fcopysign;
    Op::Fsqrt: Sqrt;
    Op::Fma: Fma;
    Op::Fmin | Op::FminNum: Fmin;
    Op::Fmax | Op::FmaxNum: Fmax;
    Op::Ffloor: Floor;
    Op::Fceil: Ceil;
    Op::Ftrunc: Trunc;
    Op::Fnearest: Nearest;
    Op::Sitofp: FcvtFromSint;
    Op::Uitofp: FcvtFromUint;
    Op::FptosiSat | Op::FptosiTrap: FcvtToSintSat;
    Op::FptouiSat | Op::FptouiTrap: FcvtToUintSat;
    Op::Fpext: Fpromote;
    Op::Fptrunc: Fdemote;
}
