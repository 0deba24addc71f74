//! The intrinsics: one row each.

use super::How::{
    self, Action, Constrained, First, Float, Integer, Library, Nothing, Number, Value,
};
use super::constrained::Plain::{Binary, Call, Cast, Compare};
use super::integer::Shape::{ResultAtTop, Same, Signed, Top};
use super::{
    assume, checked_trap, class, expect, float, integer, jump, library, managed, masked, memory,
    overflow, reduce, scmp, trap, ucmp, vector,
};
use crate::llvm::syntax::BinaryOp::{FAdd, FDiv, FMul, FRem, FSub};
use crate::llvm::syntax::CastOp::{FpExt, FpToSi, FpToUi, FpTrunc, SiToFp, UiToFp};
use crate::op::Op;

/// An intrinsic.
pub(super) struct Row {
    /// Its name, without the types behind it.
    name: &'static str,
    /// How many operands are looked at.
    pub(super) operands: usize,
    pub(super) how: How,
}

const fn row(name: &'static str, operands: usize, how: How) -> Row {
    Row { name, operands, how }
}

/// The row of an intrinsic, whose name has types behind it: `llvm.ctpop.v4i32`.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let mut end = name.len();
    loop {
        if let Ok(index) = ROWS.binary_search_by_key(&&name[..end], |row| row.name) {
            let behind = name[end..].strip_prefix('.');
            return behind.is_none_or(is_type).then_some(&ROWS[index]);
        }
        end = name[..end].rfind('.')?;
    }
}

/// Whether what stands behind the name of an intrinsic begins as a type does there:
/// `v4i32`, `p0`, `bf16`, `sl_i32f64s`.
fn is_type(text: &str) -> bool {
    let named = ["bf16", "sl_", "s_", "nxv", "isVoid", "x86"];
    let mut bytes = text.bytes();
    let short = matches!(bytes.next(), Some(b'i' | b'f' | b'p' | b'v' | b'a'))
        && bytes.next().is_some_and(|byte| byte.is_ascii_digit());
    short || named.iter().any(|name| text.starts_with(name))
}

/// Sorted by name.
static ROWS: &[Row] = &[
    row("julia.call", 2, Value(managed::call)),
    row("julia.gc_alloc_obj", 3, Value(managed::allocate)),
    row("julia.gc_loaded", 2, Value(managed::loaded)),
    row("julia.get_pgcstack", 0, Value(managed::task)),
    row("julia.pointer_from_objref", 1, Value(managed::pointer)),
    row("julia.safepoint", 0, Action(managed::safepoint)),
    row("julia.typeof", 1, Value(managed::type_of)),
    row("julia.write_barrier", 1, Action(managed::write_barrier)),
    row("llvm.abs", 1, Integer(Op::Abs, Signed)),
    row("llvm.acos", 1, Library("acos")),
    row("llvm.allow.runtime.check", 0, Number(1)),
    row("llvm.allow.ubsan.check", 0, Number(1)),
    row("llvm.annotation", 1, First),
    row("llvm.arithmetic.fence", 1, First),
    row("llvm.asin", 1, Library("asin")),
    row("llvm.assume", 1, Action(assume)),
    row("llvm.atan", 1, Library("atan")),
    row("llvm.atan2", 2, Library("atan2")),
    row("llvm.bitreverse", 1, Integer(Op::Bitreverse, ResultAtTop)),
    row("llvm.bswap", 1, Integer(Op::Bswap, ResultAtTop)),
    row("llvm.canonicalize", 1, First),
    row("llvm.ceil", 1, Float(Op::Fceil)),
    row("llvm.clear_cache", 0, Nothing),
    row("llvm.codeview.annotation", 0, Nothing),
    row("llvm.convert.from.fp16", 1, Value(float::from_half)),
    row("llvm.convert.to.fp16", 1, Value(float::to_half)),
    row("llvm.copysign", 2, Float(Op::Fcopysign)),
    row("llvm.cos", 1, Library("cos")),
    row("llvm.cosh", 1, Library("cosh")),
    row("llvm.ctlz", 1, Value(integer::ctlz)),
    row("llvm.ctpop", 1, Integer(Op::Popcount, Same)),
    row("llvm.cttz", 1, Value(integer::cttz)),
    row("llvm.dbg.assign", 0, Nothing),
    row("llvm.dbg.declare", 0, Nothing),
    row("llvm.dbg.label", 0, Nothing),
    row("llvm.dbg.value", 0, Nothing),
    row("llvm.debugtrap", 0, Action(trap)),
    row("llvm.donothing", 0, Nothing),
    row("llvm.eh.sjlj.longjmp", 1, Action(jump::long)),
    row("llvm.eh.sjlj.setjmp", 1, Value(jump::set)),
    row("llvm.eh.typeid.for", 0, Nothing),
    row("llvm.exp", 1, Library("exp")),
    row("llvm.exp10", 1, Library("exp10")),
    row("llvm.exp2", 1, Library("exp2")),
    row("llvm.expect", 2, Value(expect)),
    row("llvm.expect.with.probability", 2, Value(expect)),
    row("llvm.experimental.constrained.acos", 1, Constrained(Call("llvm.acos"))),
    row("llvm.experimental.constrained.asin", 1, Constrained(Call("llvm.asin"))),
    row("llvm.experimental.constrained.atan", 1, Constrained(Call("llvm.atan"))),
    row("llvm.experimental.constrained.atan2", 2, Constrained(Call("llvm.atan2"))),
    row("llvm.experimental.constrained.ceil", 1, Constrained(Call("llvm.ceil"))),
    row("llvm.experimental.constrained.cos", 1, Constrained(Call("llvm.cos"))),
    row("llvm.experimental.constrained.cosh", 1, Constrained(Call("llvm.cosh"))),
    row("llvm.experimental.constrained.exp", 1, Constrained(Call("llvm.exp"))),
    row("llvm.experimental.constrained.exp2", 1, Constrained(Call("llvm.exp2"))),
    row("llvm.experimental.constrained.fadd", 2, Constrained(Binary(FAdd))),
    row("llvm.experimental.constrained.fcmp", 2, Constrained(Compare)),
    row("llvm.experimental.constrained.fcmps", 2, Constrained(Compare)),
    row("llvm.experimental.constrained.fdiv", 2, Constrained(Binary(FDiv))),
    row("llvm.experimental.constrained.floor", 1, Constrained(Call("llvm.floor"))),
    row("llvm.experimental.constrained.fma", 3, Constrained(Call("llvm.fma"))),
    row("llvm.experimental.constrained.fmul", 2, Constrained(Binary(FMul))),
    row("llvm.experimental.constrained.fmuladd", 3, Constrained(Call("llvm.fmuladd"))),
    row("llvm.experimental.constrained.fpext", 1, Constrained(Cast(FpExt))),
    row("llvm.experimental.constrained.fptosi", 1, Constrained(Cast(FpToSi))),
    row("llvm.experimental.constrained.fptoui", 1, Constrained(Cast(FpToUi))),
    row("llvm.experimental.constrained.fptrunc", 1, Constrained(Cast(FpTrunc))),
    row("llvm.experimental.constrained.frem", 2, Constrained(Binary(FRem))),
    row("llvm.experimental.constrained.fsub", 2, Constrained(Binary(FSub))),
    row("llvm.experimental.constrained.ldexp", 2, Constrained(Call("llvm.ldexp"))),
    row("llvm.experimental.constrained.llrint", 1, Constrained(Call("llvm.llrint"))),
    row("llvm.experimental.constrained.llround", 1, Constrained(Call("llvm.llround"))),
    row("llvm.experimental.constrained.log", 1, Constrained(Call("llvm.log"))),
    row("llvm.experimental.constrained.log10", 1, Constrained(Call("llvm.log10"))),
    row("llvm.experimental.constrained.log2", 1, Constrained(Call("llvm.log2"))),
    row("llvm.experimental.constrained.lrint", 1, Constrained(Call("llvm.lrint"))),
    row("llvm.experimental.constrained.lround", 1, Constrained(Call("llvm.lround"))),
    row("llvm.experimental.constrained.maximum", 2, Constrained(Call("llvm.maximum"))),
    row("llvm.experimental.constrained.maxnum", 2, Constrained(Call("llvm.maxnum"))),
    row("llvm.experimental.constrained.minimum", 2, Constrained(Call("llvm.minimum"))),
    row("llvm.experimental.constrained.minnum", 2, Constrained(Call("llvm.minnum"))),
    row("llvm.experimental.constrained.nearbyint", 1, Constrained(Call("llvm.nearbyint"))),
    row("llvm.experimental.constrained.pow", 2, Constrained(Call("llvm.pow"))),
    row("llvm.experimental.constrained.powi", 2, Constrained(Call("llvm.powi"))),
    row("llvm.experimental.constrained.rint", 1, Constrained(Call("llvm.rint"))),
    row("llvm.experimental.constrained.round", 1, Constrained(Call("llvm.round"))),
    row("llvm.experimental.constrained.roundeven", 1, Constrained(Call("llvm.roundeven"))),
    row("llvm.experimental.constrained.sin", 1, Constrained(Call("llvm.sin"))),
    row("llvm.experimental.constrained.sinh", 1, Constrained(Call("llvm.sinh"))),
    row("llvm.experimental.constrained.sitofp", 1, Constrained(Cast(SiToFp))),
    row("llvm.experimental.constrained.sqrt", 1, Constrained(Call("llvm.sqrt"))),
    row("llvm.experimental.constrained.tan", 1, Constrained(Call("llvm.tan"))),
    row("llvm.experimental.constrained.tanh", 1, Constrained(Call("llvm.tanh"))),
    row("llvm.experimental.constrained.trunc", 1, Constrained(Call("llvm.trunc"))),
    row("llvm.experimental.constrained.uitofp", 1, Constrained(Cast(UiToFp))),
    row("llvm.experimental.cttz.elts", 2, Value(vector::first_set)),
    row("llvm.experimental.noalias.scope.decl", 0, Nothing),
    row("llvm.experimental.stepvector", 0, Value(vector::step_vector)),
    row("llvm.experimental.vector.deinterleave2", 1, Value(vector::deinterleave)),
    row("llvm.experimental.vector.interleave2", 2, Value(vector::interleave)),
    row("llvm.experimental.vector.partial.reduce.add", 2, Value(reduce::partial_add)),
    row("llvm.experimental.vector.reverse", 1, Value(vector::reverse)),
    row("llvm.experimental.vector.splice", 3, Value(vector::splice)),
    row("llvm.fabs", 1, Float(Op::Fabs)),
    row("llvm.fake.use", 0, Nothing),
    row("llvm.floor", 1, Float(Op::Ffloor)),
    row("llvm.flt.rounds", 0, Number(1)),
    row("llvm.fma", 3, Float(Op::Fma)),
    row("llvm.fmuladd", 3, Value(float::fmuladd)),
    row("llvm.fptosi.sat", 1, Value(float::fptosi_sat)),
    row("llvm.fptoui.sat", 1, Value(float::fptoui_sat)),
    row("llvm.frameaddress", 1, Value(memory::frame_address)),
    row("llvm.frexp", 1, Value(library::frexp)),
    row("llvm.fshl", 3, Value(integer::fshl)),
    row("llvm.fshr", 3, Value(integer::fshr)),
    row("llvm.get.active.lane.mask", 2, Value(memory::active_lanes)),
    row("llvm.get.rounding", 0, Number(1)),
    row("llvm.invariant.end", 0, Nothing),
    row("llvm.invariant.start", 0, Nothing),
    row("llvm.is.constant", 0, Nothing),
    row("llvm.is.fpclass", 2, Value(class::is_class)),
    row("llvm.julia.gc_preserve_begin", 0, Value(managed::preserve_begin)),
    row("llvm.julia.gc_preserve_end", 1, Action(managed::preserve_end)),
    row("llvm.launder.invariant.group", 1, First),
    row("llvm.ldexp", 2, Library("ldexp")),
    row("llvm.lifetime.end", 0, Nothing),
    row("llvm.lifetime.start", 0, Nothing),
    row("llvm.llrint", 1, Value(float::lrint)),
    row("llvm.llround", 1, Value(float::lround)),
    row("llvm.load.relative", 2, Value(|t, call| t.load_relative(call.args[0], call.args[1]))),
    row("llvm.log", 1, Library("log")),
    row("llvm.log10", 1, Library("log10")),
    row("llvm.log2", 1, Library("log2")),
    row("llvm.lrint", 1, Value(float::lrint)),
    row("llvm.lround", 1, Value(float::lround)),
    row("llvm.masked.compressstore", 3, Action(masked::compress)),
    row("llvm.masked.expandload", 3, Value(masked::expand)),
    row("llvm.masked.gather", 3, Value(masked::gather)),
    row("llvm.masked.load", 3, Value(masked::load)),
    row("llvm.masked.scatter", 3, Action(masked::scatter)),
    row("llvm.masked.store", 3, Action(masked::store)),
    row("llvm.maximum", 2, Float(Op::Fmax)),
    row("llvm.maximumnum", 2, Float(Op::FmaxNum)),
    row("llvm.maxnum", 2, Float(Op::FmaxNum)),
    row("llvm.memcpy", 3, Action(memory::copy)),
    row("llvm.memcpy.inline", 3, Action(memory::copy)),
    row("llvm.memmove", 3, Action(memory::copy)),
    row("llvm.memset", 3, Action(memory::fill)),
    row("llvm.memset.inline", 3, Action(memory::fill)),
    row("llvm.minimum", 2, Float(Op::Fmin)),
    row("llvm.minimumnum", 2, Float(Op::FminNum)),
    row("llvm.minnum", 2, Float(Op::FminNum)),
    row("llvm.modf", 1, Value(library::modf)),
    row("llvm.nearbyint", 1, Float(Op::Fnearest)),
    row("llvm.objectsize", 2, Value(memory::object_size)),
    row("llvm.pow", 2, Library("pow")),
    row("llvm.powi", 2, Value(float::powi)),
    row("llvm.prefetch", 1, Action(memory::prefetch)),
    row("llvm.preserve.array.access.index", 1, First),
    row("llvm.preserve.struct.access.index", 1, First),
    row("llvm.preserve.union.access.index", 1, First),
    row("llvm.pseudoprobe", 0, Nothing),
    row("llvm.ptr.annotation", 1, First),
    row("llvm.ptrmask", 2, Value(memory::pointer_mask)),
    row("llvm.readcyclecounter", 0, Value(library::counter)),
    row("llvm.readsteadycounter", 0, Value(library::counter)),
    row("llvm.returnaddress", 0, Nothing),
    row("llvm.rint", 1, Float(Op::Fnearest)),
    row("llvm.round", 1, Float(Op::Fround)),
    row("llvm.roundeven", 1, Float(Op::Fnearest)),
    row("llvm.sadd.sat", 2, Integer(Op::SaddSat, Top)),
    row("llvm.sadd.with.overflow", 2, Value(overflow::sadd)),
    row("llvm.scmp", 2, Value(scmp)),
    row("llvm.sideeffect", 0, Nothing),
    row("llvm.sin", 1, Library("sin")),
    row("llvm.sincos", 1, Value(library::sincos)),
    row("llvm.sinh", 1, Library("sinh")),
    row("llvm.smax", 2, Integer(Op::Smax, Signed)),
    row("llvm.smin", 2, Integer(Op::Smin, Signed)),
    row("llvm.smul.with.overflow", 2, Value(overflow::smul)),
    row("llvm.sqrt", 1, Float(Op::Fsqrt)),
    row("llvm.ssa.copy", 1, First),
    row("llvm.sshl.sat", 2, Value(integer::sshl_sat)),
    row("llvm.ssub.sat", 2, Integer(Op::SsubSat, Top)),
    row("llvm.ssub.with.overflow", 2, Value(overflow::ssub)),
    row("llvm.stackrestore", 1, Action(|t, call| t.restore_stack(call.args[0]))),
    row("llvm.stacksave", 0, Value(|t, _| Ok(t.stack_mark()))),
    row("llvm.stepvector", 0, Value(vector::step_vector)),
    row("llvm.strip.invariant.group", 1, First),
    row("llvm.tan", 1, Library("tan")),
    row("llvm.tanh", 1, Library("tanh")),
    row("llvm.threadlocal.address", 1, First),
    row("llvm.trap", 0, Action(trap)),
    row("llvm.trunc", 1, Float(Op::Ftrunc)),
    row("llvm.uadd.sat", 2, Integer(Op::UaddSat, Top)),
    row("llvm.uadd.with.overflow", 2, Value(overflow::uadd)),
    row("llvm.ubsantrap", 1, Action(checked_trap)),
    row("llvm.ucmp", 2, Value(ucmp)),
    row("llvm.umax", 2, Integer(Op::Umax, Same)),
    row("llvm.umin", 2, Integer(Op::Umin, Same)),
    row("llvm.umul.with.overflow", 2, Value(overflow::umul)),
    row("llvm.ushl.sat", 2, Value(integer::ushl_sat)),
    row("llvm.usub.sat", 2, Integer(Op::UsubSat, Same)),
    row("llvm.usub.with.overflow", 2, Value(overflow::usub)),
    row("llvm.va_copy", 2, Action(|t, call| t.copy_list(call.args[0], call.args[1]))),
    row("llvm.va_end", 0, Nothing),
    row("llvm.va_start", 1, Action(|t, call| t.start_list(call.args[0]))),
    row("llvm.var.annotation", 0, Nothing),
    row("llvm.vector.deinterleave2", 1, Value(vector::deinterleave)),
    row("llvm.vector.extract", 2, Value(vector::extract)),
    row("llvm.vector.insert", 3, Value(vector::insert)),
    row("llvm.vector.interleave2", 2, Value(vector::interleave)),
    row("llvm.vector.partial.reduce.add", 2, Value(reduce::partial_add)),
    row("llvm.vector.reduce.add", 1, Value(reduce::add)),
    row("llvm.vector.reduce.and", 1, Value(reduce::and)),
    row("llvm.vector.reduce.fadd", 2, Value(reduce::fadd)),
    row("llvm.vector.reduce.fmax", 1, Value(reduce::fmax)),
    row("llvm.vector.reduce.fmaximum", 1, Value(reduce::fmaximum)),
    row("llvm.vector.reduce.fmin", 1, Value(reduce::fmin)),
    row("llvm.vector.reduce.fminimum", 1, Value(reduce::fminimum)),
    row("llvm.vector.reduce.fmul", 2, Value(reduce::fmul)),
    row("llvm.vector.reduce.mul", 1, Value(reduce::mul)),
    row("llvm.vector.reduce.or", 1, Value(reduce::or)),
    row("llvm.vector.reduce.smax", 1, Value(reduce::smax)),
    row("llvm.vector.reduce.smin", 1, Value(reduce::smin)),
    row("llvm.vector.reduce.umax", 1, Value(reduce::umax)),
    row("llvm.vector.reduce.umin", 1, Value(reduce::umin)),
    row("llvm.vector.reduce.xor", 1, Value(reduce::xor)),
    row("llvm.vector.reverse", 1, Value(vector::reverse)),
    row("llvm.vector.splice", 3, Value(vector::splice)),
    row("llvm.x86.avx.movmsk.pd.256", 1, Value(vector::signs)),
    row("llvm.x86.avx.movmsk.ps.256", 1, Value(vector::signs)),
    row("llvm.x86.avx2.pmovmskb", 1, Value(vector::signs)),
    row("llvm.x86.bmi.bzhi.32", 2, Value(integer::low_bits)),
    row("llvm.x86.bmi.bzhi.64", 2, Value(integer::low_bits)),
    row("llvm.x86.rdtsc", 0, Value(library::counter)),
    row("llvm.x86.sse.movmsk.ps", 1, Value(vector::signs)),
    row("llvm.x86.sse.sfence", 0, Action(memory::fence)),
    row("llvm.x86.sse2.lfence", 0, Action(memory::fence)),
    row("llvm.x86.sse2.mfence", 0, Action(memory::fence)),
    row("llvm.x86.sse2.movmsk.pd", 1, Value(vector::signs)),
    row("llvm.x86.sse2.pause", 0, Nothing),
    row("llvm.x86.sse2.pmovmskb.128", 1, Value(vector::signs)),
    // As the known assembly: of the least processor.
    row("llvm.x86.xgetbv", 1, Number(0)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_sorted_and_each_name_stands_once() {
        assert!(ROWS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn what_says_how_it_rounds_names_what_does_not() {
        for row in ROWS {
            if let Constrained(Call(name)) = row.how {
                assert_eq!(row.name.replace("experimental.constrained.", ""), name);
                assert_eq!(find(name).map(|plain| plain.operands), Some(row.operands), "{name}");
            }
        }
    }

    #[test]
    fn types_behind_a_name_are_passed_over() {
        assert_eq!(find("llvm.ctpop.v4i32").map(|row| row.name), Some("llvm.ctpop"));
        assert_eq!(find("llvm.memcpy.p0.p0.i64").map(|row| row.name), Some("llvm.memcpy"));
        assert!(find("llvm.memcpy.element.unordered.atomic.p0.p0.i64").is_none());
        assert!(find("llvm.ctpopx.i32").is_none());
        assert!(find("llvm").is_none());
    }
}
