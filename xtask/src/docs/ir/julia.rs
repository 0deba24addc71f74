//! Julia's intrinsics: each is implemented by an op, or spelt with several.

use std::collections::BTreeMap;

use brolga_ir::op::Op;

/// What several ops spell.
const EXPANSIONS: &[(&str, &str)] = &[
    ("flipsign_int", "[expansion](../tests/filetests/julia/flipsign_int.bir)"),
    ("fpiseq", "[expansion](../tests/filetests/julia/fpiseq.bir)"),
    ("llvmcall", "its text is a module of its own, read as LLVM IR, whose function is called"),
];

/// The chapter: each intrinsic with its ops or its expansion, by name.
pub(super) fn chapter() -> String {
    let mut chapter = "## Julia's intrinsics\n\n| intrinsic | is |\n|---|---|\n".to_owned();
    for (intrinsic, meaning) in index() {
        chapter.push_str(&format!("| `{intrinsic}` | {meaning} |\n"));
    }
    chapter
}

fn index() -> BTreeMap<&'static str, String> {
    let mut index: BTreeMap<&str, String> =
        EXPANSIONS.iter().map(|(intrinsic, text)| (*intrinsic, (*text).to_owned())).collect();
    for info in Op::ALL.iter().map(|op| op.info()) {
        for intrinsic in info.julia {
            let links = index.entry(intrinsic).or_default();
            if !links.is_empty() {
                links.push_str(", ");
            }
            links.push_str(&super::link(info));
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intrinsics of Julia 1.12 (`Core.Intrinsics`).
    const INTRINSICS: &str = "
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
    const RELATED: &str =
        "ccall checked_trunc_sint checked_trunc_uint foreigncall rem_float rem_float_fast";

    #[test]
    fn every_intrinsic_has_an_op_or_an_expansion() {
        let index = index();
        let missing: Vec<&str> =
            INTRINSICS.split_whitespace().filter(|name| !index.contains_key(name)).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn every_name_in_the_table_is_one_of_julias() {
        let known: Vec<&str> = INTRINSICS.split_whitespace().chain(RELATED.split(' ')).collect();
        let unknown: Vec<&str> = index().into_keys().filter(|name| !known.contains(name)).collect();
        assert_eq!(unknown, [""; 0]);
    }
}
