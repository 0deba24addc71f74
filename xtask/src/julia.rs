//! Julia's intrinsics: each is implemented by an op, or spelt with several.

use std::collections::BTreeMap;

use brolga_ir::op::{Op, OpInfo};

/// The intrinsics of Julia 1.12 (`Core.Intrinsics`).
pub(crate) const INTRINSICS: &str = "
abs_float add_float add_float_fast add_int add_ptr and_int ashr_int atomic_fence
atomic_pointermodify atomic_pointerref atomic_pointerreplace atomic_pointerset
atomic_pointerswap bitcast bswap_int ceil_llvm cglobal checked_sadd_int checked_sdiv_int
checked_smul_int checked_srem_int checked_ssub_int checked_uadd_int checked_udiv_int
checked_umul_int checked_urem_int checked_usub_int copysign_float ctlz_int ctpop_int cttz_int
div_float div_float_fast eq_float eq_float_fast eq_int flipsign_int floor_llvm fma_float fpext
fpiseq fptosi fptoui fptrunc have_fma le_float le_float_fast llvmcall lshr_int lt_float
lt_float_fast max_float max_float_fast min_float min_float_fast mul_float mul_float_fast mul_int
muladd_float ne_float ne_float_fast ne_int neg_float neg_float_fast neg_int not_int or_int
pointerref pointerset rint_llvm sdiv_int sext_int shl_int sitofp sle_int slt_int sqrt_llvm
sqrt_llvm_fast srem_int sub_float sub_float_fast sub_int sub_ptr trunc_int trunc_llvm udiv_int
uitofp ule_int ult_int urem_int xor_int zext_int
";

/// What the op table names beside them: intrinsics of earlier versions, and the
/// two forms by which Julia's lowered code calls C.
pub(crate) const RELATED: &str =
    "ccall checked_trunc_sint checked_trunc_uint foreigncall rem_float rem_float_fast";

/// What several ops spell, in Markdown of `docs/ir.md`.
pub(crate) const EXPANSIONS: &[(&str, &str)] = &[
    ("flipsign_int", "[expansion](../tests/filetests/julia/flipsign_int.bir)"),
    ("fpiseq", "[expansion](../tests/filetests/julia/fpiseq.bir)"),
    ("llvmcall", "its text is a module of its own, read as LLVM IR, whose function is called"),
];

/// The ops that implement each intrinsic, by the name of the intrinsic.
pub(crate) fn ops_by_intrinsic() -> BTreeMap<&'static str, Vec<&'static OpInfo>> {
    let mut index: BTreeMap<&str, Vec<&OpInfo>> = BTreeMap::new();
    for info in Op::ALL.iter().map(|op| op.info()) {
        for intrinsic in info.julia {
            index.entry(intrinsic).or_default().push(info);
        }
    }
    index
}
