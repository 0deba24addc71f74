//! Which function of the prelude does what: pure data.

use brolga_ir::op::Op;
use brolga_ir::types::Type;

/// A function of the prelude that does what an op does at a type.
///
/// It takes the op's operands and gives its results, in their order; an `f16`
/// or a `bf16` is passed as the `i16` of its bits. The trap of a division is
/// not among what it does.
#[derive(Clone, Copy, Debug)]
pub struct PreludeFunction {
    /// The op.
    pub op: Op,
    /// The type of each operand.
    pub from: Type,
    /// The type that the op is instantiated at: that of the first result.
    pub to: Type,
    /// The function's name in [`module`](super::module).
    pub name: &'static str,
}

macro_rules! functions {
    ($($op:ident $from:ident => $to:ident: $name:literal;)*) => {
        /// Every function of the prelude that stands for an op. Others serve these.
        pub static FUNCTIONS: &[PreludeFunction] = &[$(PreludeFunction {
            op: Op::$op,
            from: Type::$from,
            to: Type::$to,
            name: concat!("brolga.", $name),
        },)*];
    };
}

functions! {
    Udiv I128 => I128: "udiv.i128";
    Urem I128 => I128: "urem.i128";
    Sdiv I128 => I128: "sdiv.i128";
    Srem I128 => I128: "srem.i128";
    Umulhi I128 => I128: "umulhi.i128";
    Smulhi I128 => I128: "smulhi.i128";
    UmulOverflow I128 => I128: "umul_overflow.i128";
    SmulOverflow I128 => I128: "smul_overflow.i128";

    Uitofp I128 => F64: "uitofp.f64.i128";
    Sitofp I128 => F64: "sitofp.f64.i128";
    Uitofp I128 => F32: "uitofp.f32.i128";
    Sitofp I128 => F32: "sitofp.f32.i128";
    Uitofp I128 => BF16: "uitofp.bf16.i128";
    Sitofp I128 => BF16: "sitofp.bf16.i128";
    Uitofp I128 => F16: "uitofp.f16.i128";
    Sitofp I128 => F16: "sitofp.f16.i128";
    Uitofp I64 => BF16: "uitofp.bf16.i64";
    Sitofp I64 => BF16: "sitofp.bf16.i64";
    Uitofp I64 => F16: "uitofp.f16.i64";
    Sitofp I64 => F16: "sitofp.f16.i64";

    FptouiSat F64 => I128: "fptoui_sat.i128.f64";
    FptosiSat F64 => I128: "fptosi_sat.i128.f64";
    FptouiSat F32 => I128: "fptoui_sat.i128.f32";
    FptosiSat F32 => I128: "fptosi_sat.i128.f32";

    Fpext F16 => F32: "fpext.f32.f16";
    Fpext BF16 => F32: "fpext.f32.bf16";
    Fptrunc F32 => F16: "fptrunc.f16.f32";
    Fptrunc F64 => F16: "fptrunc.f16.f64";
    Fptrunc F32 => BF16: "fptrunc.bf16.f32";
    Fptrunc F64 => BF16: "fptrunc.bf16.f64";

    Ffloor F32 => F32: "ffloor.f32";
    Ffloor F64 => F64: "ffloor.f64";
    Fceil F32 => F32: "fceil.f32";
    Fceil F64 => F64: "fceil.f64";
    Ftrunc F32 => F32: "ftrunc.f32";
    Ftrunc F64 => F64: "ftrunc.f64";
    Fnearest F32 => F32: "fnearest.f32";
    Fnearest F64 => F64: "fnearest.f64";
    Fround F32 => F32: "fround.f32";
    Fround F64 => F64: "fround.f64";

    Frem F32 => F32: "frem.f32";
    Frem F64 => F64: "frem.f64";
    Fma F16 => F16: "fma.f16";
    Fma BF16 => BF16: "fma.bf16";
    Fma F32 => F32: "fma.f32";
    Fma F64 => F64: "fma.f64";
}

/// The name of the function that does what `op` does, instantiated at `to`
/// with operands of `from`; none if the prelude has no such function.
///
/// Integers of fewer than 64 bits become floats of 16 through `i64`, as such
/// floats become integers or `f64` through `f32`: both are exact.
///
/// ```
/// use brolga_ir::op::Op;
/// use brolga_ir::types::Type;
/// use brolga_lowering::prelude::function_for;
///
/// let name = function_for(Op::Uitofp, Type::I128, Type::F32);
/// assert_eq!(name, Some("brolga.uitofp.f32.i128"));
/// assert_eq!(function_for(Op::Udiv, Type::I64, Type::I64), None);
/// ```
pub fn function_for(op: Op, from: Type, to: Type) -> Option<&'static str> {
    let does = |row: &&PreludeFunction| row.op == op && row.from == from && row.to == to;
    FUNCTIONS.iter().find(does).map(|row| row.name)
}
