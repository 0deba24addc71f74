//! How each op is written: one row each.

use super::code::FunctionWriter;
use super::convert::Sign;
use super::float::Extreme;
use crate::entity::Inst;
use crate::op::Op;

/// How an op is written.
enum Rule {
    /// As LLVM's instruction of that name.
    Plain(&'static str),
    /// As LLVM's intrinsic of that name on integers, with as many operands.
    Intrinsic(&'static str),
    /// The same, told to leave nothing open.
    Defined(&'static str),
    /// As LLVM's conversion of that name.
    Convert(&'static str),
    /// A shift, zero from the width on.
    Shift(&'static str),
    /// A funnel shift of an operand with itself.
    Rotate(&'static str),
    /// The upper half of a product of operands extended so.
    UpperHalf(&'static str),
    /// A number, and whether it does not fit.
    Overflow(&'static str),
    /// The same, with a trap.
    Trapping(&'static str),
    /// A float instruction, with its permissions.
    Arithmetic(&'static str),
    /// An intrinsic on floats.
    Function(&'static str),
    /// An op on the sign of floats.
    SignOf(&'static str),
    /// One of two floats.
    Extreme(Extreme),
    /// To a narrower integer, if it comes back as the same by that conversion.
    TruncTrap(&'static str),
    TruncSat(Sign),
    ToFloat(Sign),
    ToIntSat(&'static str),
    ToIntTrap(Sign),
    /// A reduction of integers by the intrinsic of that name.
    Reduce(&'static str),
    /// A reduction of floats in order by that instruction, by the intrinsic of its name.
    ReduceFloat(&'static str),
    ReduceExtreme(Extreme),
    /// As that function writes it.
    By(fn(&mut FunctionWriter<'_, '_>, Inst)),
    /// The first operand, under another name.
    Same,
    /// No processor has the feature.
    NoFeature,
    /// Not at all: it says something to us alone.
    Nothing,
    /// It needs the managed runtime.
    Refused,
}

use Rule::{
    Arithmetic, By, Convert, Defined, Function, Intrinsic, Nothing, Overflow, Plain, Reduce,
    ReduceExtreme, ReduceFloat, Refused, Rotate, Same, Shift, SignOf, ToFloat, ToIntSat, ToIntTrap,
    Trapping, TruncSat, TruncTrap, UpperHalf,
};

macro_rules! rules {
    ($($op:ident $rule:expr;)*) => {
        fn rule_of(op: Op) -> Rule {
            match op { $(Op::$op => $rule,)* }
        }
    };
}

rules! {
    Add Plain("add");
    Sub Plain("sub");
    Mul Plain("mul");
    Neg By(|w, i| w.write_neg(i));
    Abs Defined("llvm.abs");
    Smin Intrinsic("llvm.smin");
    Smax Intrinsic("llvm.smax");
    Umin Intrinsic("llvm.umin");
    Umax Intrinsic("llvm.umax");
    SaddSat Intrinsic("llvm.sadd.sat");
    SsubSat Intrinsic("llvm.ssub.sat");
    UaddSat Intrinsic("llvm.uadd.sat");
    UsubSat Intrinsic("llvm.usub.sat");
    Smulhi UpperHalf("sext");
    Umulhi UpperHalf("zext");
    Sdiv By(|w, i| w.write_division(i));
    Udiv By(|w, i| w.write_division(i));
    Srem By(|w, i| w.write_division(i));
    Urem By(|w, i| w.write_division(i));
    SaddTrap Trapping("sadd");
    UaddTrap Trapping("uadd");
    SsubTrap Trapping("ssub");
    UsubTrap Trapping("usub");
    SmulTrap Trapping("smul");
    UmulTrap Trapping("umul");
    SaddOverflow Overflow("sadd");
    UaddOverflow Overflow("uadd");
    SsubOverflow Overflow("ssub");
    UsubOverflow Overflow("usub");
    SmulOverflow Overflow("smul");
    UmulOverflow Overflow("umul");
    And Plain("and");
    Or Plain("or");
    Xor Plain("xor");
    Not By(|w, i| w.write_not(i));
    Shl Shift("shl");
    Lshr Shift("lshr");
    Ashr By(|w, i| w.write_ashr(i));
    Rotl Rotate("llvm.fshl");
    Rotr Rotate("llvm.fshr");
    Fshl Intrinsic("llvm.fshl");
    Fshr Intrinsic("llvm.fshr");
    Popcount Intrinsic("llvm.ctpop");
    Clz Defined("llvm.ctlz");
    Ctz Defined("llvm.cttz");
    Bswap Intrinsic("llvm.bswap");
    Bitreverse Intrinsic("llvm.bitreverse");
    Icmp By(|w, i| w.write_icmp(i));
    Fcmp By(|w, i| w.write_fcmp(i));
    Select By(|w, i| w.write_select(i));
    VecSelect By(|w, i| w.write_select(i));
    Fadd Arithmetic("fadd");
    Fsub Arithmetic("fsub");
    Fmul Arithmetic("fmul");
    Fdiv Arithmetic("fdiv");
    Frem Arithmetic("frem");
    Fneg SignOf("fneg");
    Fabs SignOf("fabs");
    Fcopysign SignOf("copysign");
    Fsqrt Function("llvm.sqrt");
    Fma By(|w, i| w.write_fma(i));
    Muladd By(|w, i| w.write_muladd(i));
    Fmin Rule::Extreme(Extreme::Least);
    Fmax Rule::Extreme(Extreme::Most);
    FminNum Rule::Extreme(Extreme::LeastNumber);
    FmaxNum Rule::Extreme(Extreme::MostNumber);
    Ffloor Function("llvm.floor");
    Fceil Function("llvm.ceil");
    Ftrunc Function("llvm.trunc");
    Fnearest Function("llvm.roundeven");
    Fround Function("llvm.round");
    Trunc Convert("trunc");
    Zext Convert("zext");
    Sext Convert("sext");
    StruncSat TruncSat(Sign::Signed);
    UtruncSat TruncSat(Sign::Unsigned);
    StruncTrap TruncTrap("sext");
    UtruncTrap TruncTrap("zext");
    Bitcast By(|w, i| w.write_bitcast(i));
    Sitofp ToFloat(Sign::Signed);
    Uitofp ToFloat(Sign::Unsigned);
    FptosiSat ToIntSat("fptosi");
    FptouiSat ToIntSat("fptoui");
    FptosiTrap ToIntTrap(Sign::Signed);
    FptouiTrap ToIntTrap(Sign::Unsigned);
    FptosiWrap By(|w, i| w.write_to_int_wrap(i));
    FptouiWrap By(|w, i| w.write_to_int_wrap(i));
    Fptrunc By(|w, i| w.write_resize(i));
    Fpext By(|w, i| w.write_resize(i));
    PtrToInt By(|w, i| w.write_ptr_to_int(i));
    IntToPtr By(|w, i| w.write_int_to_ptr(i));
    AddressCast By(|w, i| w.write_address_cast(i));
    FunctionToPtr Same;
    PtrToFunction Same;
    Load By(|w, i| w.write_load(i));
    Store By(|w, i| w.write_store(i));
    MaskedLoad By(|w, i| w.write_masked_load(i));
    MaskedStore By(|w, i| w.write_masked_store(i));
    MemCopy By(|w, i| w.write_copy(i));
    MemFill By(|w, i| w.write_fill(i));
    MemCompare By(|w, i| w.write_compare(i));
    MemFind By(|w, i| w.write_find(i));
    Prefetch By(|w, i| w.write_prefetch(i));
    PtrAdd By(|w, i| w.write_add(i));
    DerivedAdd By(|w, i| w.write_add(i));
    StackAlloc By(|w, i| w.write_stack_alloc(i));
    StackSave By(|w, i| w.write_stack_save(i));
    StackRestore By(|w, i| w.write_stack_restore(i));
    AtomicLoad By(|w, i| w.write_atomic_load(i));
    AtomicStore By(|w, i| w.write_atomic_store(i));
    AtomicRmw By(|w, i| w.write_rmw(i));
    AtomicCas By(|w, i| w.write_cas(i));
    AtomicModify By(|w, i| w.write_modify(i));
    Fence By(|w, i| w.write_fence(i));
    SlotLoad By(|w, i| w.write_load_inside(i));
    SlotStore By(|w, i| w.write_store_inside(i));
    SlotAddr By(|w, i| w.write_address(i));
    SlotStart By(|w, i| w.write_reset(i));
    SlotEnd By(|w, i| w.write_reset(i));
    DataLoad By(|w, i| w.write_load_inside(i));
    DataStore By(|w, i| w.write_store_inside(i));
    DataAddr By(|w, i| w.write_address(i));
    FunctionAddr By(|w, i| w.write_function_addr(i));
    MakeAggregate By(|w, i| w.write_make_aggregate(i));
    ExtractValue By(|w, i| w.write_extract_value(i));
    InsertValue By(|w, i| w.write_insert_value(i));
    Splat By(|w, i| w.write_splat(i));
    MakeVector By(|w, i| w.write_make_vector(i));
    ExtractLane By(|w, i| w.write_extract_lane(i));
    InsertLane By(|w, i| w.write_insert_lane(i));
    Shuffle By(|w, i| w.write_shuffle(i));
    ReduceAdd Reduce("add");
    ReduceMul Reduce("mul");
    ReduceAnd Reduce("and");
    ReduceOr Reduce("or");
    ReduceXor Reduce("xor");
    ReduceSmin Reduce("smin");
    ReduceSmax Reduce("smax");
    ReduceUmin Reduce("umin");
    ReduceUmax Reduce("umax");
    ReduceFadd ReduceFloat("fadd");
    ReduceFmul ReduceFloat("fmul");
    ReduceFmin ReduceExtreme(Extreme::Least);
    ReduceFmax ReduceExtreme(Extreme::Most);
    Call By(|w, i| w.write_call(i));
    CallIndirect By(|w, i| w.write_call(i));
    CallPtr By(|w, i| w.write_call(i));
    CallForeign By(|w, i| w.write_call(i));
    TryCall By(|w, i| w.write_try_call(i));
    TryCallIndirect By(|w, i| w.write_try_call(i));
    TryCallPtr By(|w, i| w.write_try_call(i));
    ReturnCall By(|w, i| w.write_tail_call(i));
    ReturnCallIndirect By(|w, i| w.write_tail_call(i));
    BoxedCall Refused;
    Jump By(|w, i| w.write_jump(i));
    Branch By(|w, i| w.write_branch(i));
    Switch By(|w, i| w.write_switch(i));
    Return By(|w, i| w.write_return(i));
    Trap By(|w, i| w.write_trap_op(i));
    Unreachable By(|w, i| w.write_unreachable(i));
    Check By(|w, i| w.write_check(i));
    Poll Nothing;
    Enter By(|w, i| w.write_enter(i));
    Leave By(|w, i| w.write_leave(i));
    Throw By(|w, i| w.write_throw(i));
    CurrentException By(|w, i| w.write_current_exception(i));
    Expect By(|w, i| w.write_expect(i));
    Assume By(|w, i| w.write_assume(i));
    Opaque By(|w, i| w.write_opaque(i));
    AllocObject Refused;
    TypeOf Refused;
    PreserveBegin Nothing;
    PreserveEnd Nothing;
    WriteBarrier Refused;
    Safepoint Nothing;
    PointerFromRef By(|w, i| w.write_address_cast(i));
    ArrayNew Refused;
    ArrayLen Refused;
    ArrayGet Refused;
    ArraySet Refused;
    CpuHas Rule::NoFeature;
    HaveFma Rule::NoFeature;
    LoopMark Nothing;
}

/// Writes an instruction.
///
/// # Errors
/// The op, if LLVM IR has no place for it.
pub(super) fn write_inst(writer: &mut FunctionWriter<'_, '_>, inst: Inst) -> Result<(), Op> {
    let op = writer.data(inst).op;
    match rule_of(op) {
        Plain(name) => writer.write_plain(inst, name),
        Intrinsic(name) => writer.write_intrinsic(inst, name),
        Defined(name) => writer.write_defined(inst, name),
        Convert(name) => writer.write_convert(inst, name),
        Shift(name) => writer.write_shift(inst, name),
        Rotate(name) => writer.write_rotate(inst, name),
        UpperHalf(extend) => writer.write_mulhi(inst, extend),
        Overflow(name) => writer.write_overflow(inst, name),
        Trapping(name) => writer.write_trapping(inst, name),
        Arithmetic(name) => writer.write_arithmetic(inst, name),
        Function(name) => writer.write_function(inst, name),
        SignOf(name) => writer.write_sign(inst, name),
        Rule::Extreme(which) => writer.write_extreme(inst, which),
        TruncTrap(back) => writer.write_trunc_trap(inst, back),
        TruncSat(sign) => writer.write_trunc_sat(inst, sign),
        ToFloat(sign) => writer.write_to_float(inst, sign),
        ToIntSat(name) => writer.write_to_int_sat(inst, name),
        ToIntTrap(sign) => writer.write_to_int_trap(inst, sign),
        Reduce(name) => writer.write_reduce(inst, name),
        ReduceFloat(name) => writer.write_reduce_float(inst, name),
        ReduceExtreme(which) => writer.write_reduce_extreme(inst, which),
        By(write) => write(writer, inst),
        Same => {
            let operand = writer.arg(inst, 0);
            writer.give_operand(inst, &operand);
        }
        Rule::NoFeature => writer.give_operand(inst, "false"),
        Nothing => {}
        Refused => return Err(op),
    }
    Ok(())
}

impl FunctionWriter<'_, '_> {
    fn write_plain(&mut self, inst: Inst, name: &str) {
        let ty = self.type_text(self.data(inst).ty);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        self.give(inst, format_args!("{name} {ty} {a}, {b}"));
    }

    fn write_intrinsic(&mut self, inst: Inst, name: &str) {
        let lanes = self.lanes(inst);
        let operands: Vec<String> =
            (0..self.body.args(inst).len()).map(|index| self.arg(inst, index)).collect();
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        let call = self.lanewise(name, lanes.shape, lanes.lane, &operands);
        self.give(inst, format_args!("{call}"));
    }

    fn write_ptr_to_int(&mut self, inst: Inst) {
        let address = self.typed_arg(inst, 0);
        self.give(inst, format_args!("ptrtoint {address} to i64"));
    }

    fn write_int_to_ptr(&mut self, inst: Inst) {
        let number = self.typed_arg(inst, 0);
        self.give(inst, format_args!("inttoptr {number} to ptr"));
    }

    /// Another kind of address.
    fn write_address_cast(&mut self, inst: Inst) {
        let Some(&result) = self.body.results(inst).first() else { return };
        let (address, to) = (self.typed_arg(inst, 0), self.type_text(self.body.value_type(result)));
        match address.ty == to {
            true => self.give_operand(inst, &address.text),
            false => self.give(inst, format_args!("addrspacecast {address} to {to}")),
        }
    }

    fn write_expect(&mut self, inst: Inst) {
        let ty = self.data(inst).ty;
        match ty.is_vector() {
            true => {
                let value = self.arg(inst, 0);
                self.give_operand(inst, &value);
            }
            false => self.write_intrinsic(inst, "llvm.expect"),
        }
    }

    fn write_assume(&mut self, inst: Inst) {
        let condition = self.arg(inst, 0);
        let call = self.intrinsic("llvm.assume", "void", &[("i1", &condition)]);
        self.line(format_args!("{call}"));
    }
}
