//! A method for each op that has nothing but operands.

use super::calls::with_first;
use super::function::FunctionBuilder;
use super::handle::{Results, Value};
use crate::op::Op;
use crate::types::Type;

/// Methods for ops: the list of the ops, what the documentation says of their
/// suffix, the suffix by the operands, and what they give of the results.
macro_rules! methods {
    (
        $list:ident, $doc:literal, $suffix:path => $gives:ty = $take:path;
        $($name:ident = $op:ident($($operand:ident),*);)*
    ) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`]", $doc, ".")]
            pub fn $name(&mut self $(, $operand: Value)*) -> $gives {
                let operands: &[Value] = &[$($operand),*];
                let ty = $suffix(self, operands);
                $take(&self.ins_all(Op::$op, ty, operands))
            }
        )*}

        #[cfg(test)]
        pub(super) const $list: &[Op] = &[$(Op::$op),*];
    };
}

fn no_type(_: &FunctionBuilder<'_>, _: &[Value]) -> Type {
    Type::NONE
}

fn first_type(builder: &FunctionBuilder<'_>, operands: &[Value]) -> Type {
    operands.first().map_or(Type::NONE, |&first| builder.value_type(first))
}

fn lane_type(builder: &FunctionBuilder<'_>, operands: &[Value]) -> Type {
    first_type(builder, operands).lane_type()
}

fn nothing(_: &Results) {}

/// Ops whose suffix is their result.
macro_rules! of_result {
    ($($name:ident = $op:ident($($operand:ident),*);)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`], at the type `ty`.")]
            pub fn $name(&mut self, ty: Type $(, $operand: Value)*) -> Value {
                self.ins(Op::$op, ty, &[$($operand),*])
            }
        )*}

        #[cfg(test)]
        pub(super) const OF_RESULT: &[Op] = &[$(Op::$op),*];
    };
}

methods! {
    OF_FIRST_OPERAND, ", at the type of the first operand", first_type => Value = Results::first;
    add = Add(x, y);
    sub = Sub(x, y);
    mul = Mul(x, y);
    neg = Neg(x);
    abs = Abs(x);
    smin = Smin(x, y);
    smax = Smax(x, y);
    umin = Umin(x, y);
    umax = Umax(x, y);
    sadd_sat = SaddSat(x, y);
    ssub_sat = SsubSat(x, y);
    uadd_sat = UaddSat(x, y);
    usub_sat = UsubSat(x, y);
    smulhi = Smulhi(x, y);
    umulhi = Umulhi(x, y);
    sdiv = Sdiv(x, y);
    udiv = Udiv(x, y);
    srem = Srem(x, y);
    urem = Urem(x, y);
    sadd_trap = SaddTrap(x, y);
    uadd_trap = UaddTrap(x, y);
    ssub_trap = SsubTrap(x, y);
    usub_trap = UsubTrap(x, y);
    smul_trap = SmulTrap(x, y);
    umul_trap = UmulTrap(x, y);
    and = And(x, y);
    or = Or(x, y);
    xor = Xor(x, y);
    not = Not(x);
    shl = Shl(x, amount);
    lshr = Lshr(x, amount);
    ashr = Ashr(x, amount);
    rotl = Rotl(x, amount);
    rotr = Rotr(x, amount);
    fshl = Fshl(high, low, amount);
    fshr = Fshr(high, low, amount);
    popcount = Popcount(x);
    clz = Clz(x);
    ctz = Ctz(x);
    bswap = Bswap(x);
    bitreverse = Bitreverse(x);
    fadd = Fadd(x, y);
    fsub = Fsub(x, y);
    fmul = Fmul(x, y);
    fdiv = Fdiv(x, y);
    frem = Frem(x, y);
    fneg = Fneg(x);
    fabs = Fabs(x);
    fcopysign = Fcopysign(x, sign);
    fsqrt = Fsqrt(x);
    fma = Fma(x, y, z);
    muladd = Muladd(x, y, z);
    fmin = Fmin(x, y);
    fmax = Fmax(x, y);
    fmin_num = FminNum(x, y);
    fmax_num = FmaxNum(x, y);
    ffloor = Ffloor(x);
    fceil = Fceil(x);
    ftrunc = Ftrunc(x);
    fnearest = Fnearest(x);
    fround = Fround(x);
    function_to_ptr = FunctionToPtr(function);
    extract_lane = ExtractLane(vector, index);
    insert_lane = InsertLane(vector, lane, index);
    reduce_fadd = ReduceFadd(start, vector);
    reduce_fmul = ReduceFmul(start, vector);
    expect = Expect(x, expected);
    opaque = Opaque(x);
}

methods! {
    PAIRS, ", at the type of the first operand", first_type => (Value, Value) = Results::pair;
    sadd_overflow = SaddOverflow(x, y);
    uadd_overflow = UaddOverflow(x, y);
    ssub_overflow = SsubOverflow(x, y);
    usub_overflow = UsubOverflow(x, y);
    smul_overflow = SmulOverflow(x, y);
    umul_overflow = UmulOverflow(x, y);
}

of_result! {
    trunc = Trunc(x);
    zext = Zext(x);
    sext = Sext(x);
    strunc_sat = StruncSat(x);
    utrunc_sat = UtruncSat(x);
    strunc_trap = StruncTrap(x);
    utrunc_trap = UtruncTrap(x);
    bitcast = Bitcast(x);
    sitofp = Sitofp(x);
    uitofp = Uitofp(x);
    fptosi_sat = FptosiSat(x);
    fptoui_sat = FptouiSat(x);
    fptosi_trap = FptosiTrap(x);
    fptoui_trap = FptouiTrap(x);
    fptosi_wrap = FptosiWrap(x);
    fptoui_wrap = FptouiWrap(x);
    fptrunc = Fptrunc(x);
    fpext = Fpext(x);
    address_cast = AddressCast(x);
    ptr_to_function = PtrToFunction(address);
    splat = Splat(lane);
    array_new = ArrayNew(class, length);
    array_get = ArrayGet(array, index);
    have_fma = HaveFma();
}

methods! {
    PLAIN, "", no_type => Value = Results::first;
    ptr_to_int = PtrToInt(address);
    int_to_ptr = IntToPtr(number);
    ptr_add = PtrAdd(address, bytes);
    derived_add = DerivedAdd(address, bytes);
    stack_alloc = StackAlloc(bytes, align);
    stack_save = StackSave();
    current_exception = CurrentException();
    alloc_object = AllocObject(class, size);
    type_of = TypeOf(object);
    pointer_from_ref = PointerFromRef(object);
    array_len = ArrayLen(array);
}

methods! {
    EFFECTS, "", no_type => () = nothing;
    prefetch = Prefetch(address);
    stack_restore = StackRestore(mark);
    unreachable = Unreachable();
    poll = Poll();
    throw = Throw(exception);
    assume = Assume(condition);
    preserve_end = PreserveEnd(token);
    write_barrier = WriteBarrier(parent, child);
    safepoint = Safepoint();
}

methods! {
    OF_LANE, ", at the type of a lane of the vector", lane_type => Value = Results::first;
    reduce_add = ReduceAdd(vector);
    reduce_mul = ReduceMul(vector);
    reduce_and = ReduceAnd(vector);
    reduce_or = ReduceOr(vector);
    reduce_xor = ReduceXor(vector);
    reduce_smin = ReduceSmin(vector);
    reduce_smax = ReduceSmax(vector);
    reduce_umin = ReduceUmin(vector);
    reduce_umax = ReduceUmax(vector);
    reduce_fmin = ReduceFmin(vector);
    reduce_fmax = ReduceFmax(vector);
}

impl FunctionBuilder<'_> {
    /// Appends [`Op::Select`], at the type of `x`.
    pub fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        let ty = self.value_type(x);
        self.ins(Op::Select, ty, &[condition, x, y])
    }

    /// Appends [`Op::VecSelect`], at the type of `x`.
    pub fn vec_select(&mut self, mask: Value, x: Value, y: Value) -> Value {
        let ty = self.value_type(x);
        self.ins(Op::VecSelect, ty, &[mask, x, y])
    }

    /// Appends [`Op::MakeAggregate`], at the type `ty`.
    pub fn make_aggregate(&mut self, ty: Type, fields: &[Value]) -> Value {
        self.ins(Op::MakeAggregate, ty, fields)
    }

    /// Appends [`Op::MakeVector`], at the type `ty`.
    pub fn make_vector(&mut self, ty: Type, lanes: &[Value]) -> Value {
        self.ins(Op::MakeVector, ty, lanes)
    }

    /// Appends [`Op::BoxedCall`].
    pub fn boxed_call(&mut self, callable: Value, args: &[Value]) -> Value {
        self.ins(Op::BoxedCall, Type::NONE, &with_first(callable, args))
    }

    /// Appends [`Op::PreserveBegin`] and gives its token.
    pub fn preserve_begin(&mut self, references: &[Value]) -> Value {
        self.ins(Op::PreserveBegin, Type::NONE, references)
    }

    /// Appends [`Op::ArraySet`], at the type of `value`.
    pub fn array_set(&mut self, array: Value, index: Value, value: Value) {
        let ty = self.value_type(value);
        self.ins_all(Op::ArraySet, ty, &[array, index, value]);
    }

    /// Appends [`Op::Return`].
    pub fn return_values(&mut self, values: &[Value]) {
        self.ins_all(Op::Return, Type::NONE, values);
    }
}

#[cfg(test)]
pub(super) const IN_THIS_FILE: &[Op] = &[
    Op::Select,
    Op::VecSelect,
    Op::MakeAggregate,
    Op::MakeVector,
    Op::BoxedCall,
    Op::PreserveBegin,
    Op::ArraySet,
    Op::Return,
];
