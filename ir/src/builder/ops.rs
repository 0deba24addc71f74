//! A method for each op that has nothing but operands.

use super::function::FunctionBuilder;
use super::handle::Value;
use crate::op::Op;
use crate::types::Type;

/// Ops whose suffix is the type of their first operand.
macro_rules! of_first_operand {
    ($($name:ident = $op:ident($first:ident $(, $rest:ident)*);)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`], at the type of `", stringify!($first), "`.")]
            pub fn $name(&mut self, $first: Value $(, $rest: Value)*) -> Value {
                let ty = self.value_type($first);
                self.ins(Op::$op, ty, &[$first $(, $rest)*])
            }
        )*}

        #[cfg(test)]
        pub(super) const OF_FIRST_OPERAND: &[Op] = &[$(Op::$op),*];
    };
}

/// Ops that give a pair, at the type of their first operand.
macro_rules! pairs {
    ($($name:ident = $op:ident;)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`], at the type of `x`.")]
            pub fn $name(&mut self, x: Value, y: Value) -> (Value, Value) {
                let ty = self.value_type(x);
                let results = self.ins_all(Op::$op, ty, &[x, y]);
                (results.get(0), results.get(1))
            }
        )*}

        #[cfg(test)]
        pub(super) const PAIRS: &[Op] = &[$(Op::$op),*];
    };
}

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

/// Ops without a suffix that give a value.
macro_rules! plain {
    ($($name:ident = $op:ident($($operand:ident),*);)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`].")]
            pub fn $name(&mut self $(, $operand: Value)*) -> Value {
                self.ins(Op::$op, Type::NONE, &[$($operand),*])
            }
        )*}

        #[cfg(test)]
        pub(super) const PLAIN: &[Op] = &[$(Op::$op),*];
    };
}

/// Ops without a suffix that give nothing.
macro_rules! effects {
    ($($name:ident = $op:ident($($operand:ident),*);)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`].")]
            pub fn $name(&mut self $(, $operand: Value)*) {
                self.ins_all(Op::$op, Type::NONE, &[$($operand),*]);
            }
        )*}

        #[cfg(test)]
        pub(super) const EFFECTS: &[Op] = &[$(Op::$op),*];
    };
}

/// Ops whose suffix is the type of a lane of their operand.
macro_rules! of_lane {
    ($($name:ident = $op:ident;)*) => {
        impl FunctionBuilder<'_> {$(
            #[doc = concat!("Appends [`Op::", stringify!($op), "`], at the type of a lane of `vector`.")]
            pub fn $name(&mut self, vector: Value) -> Value {
                let ty = self.value_type(vector).lane_type();
                self.ins(Op::$op, ty, &[vector])
            }
        )*}

        #[cfg(test)]
        pub(super) const OF_LANE: &[Op] = &[$(Op::$op),*];
    };
}

of_first_operand! {
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

pairs! {
    sadd_overflow = SaddOverflow;
    uadd_overflow = UaddOverflow;
    ssub_overflow = SsubOverflow;
    usub_overflow = UsubOverflow;
    smul_overflow = SmulOverflow;
    umul_overflow = UmulOverflow;
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

plain! {
    ptr_to_int = PtrToInt(address);
    int_to_ptr = IntToPtr(number);
    ptr_add = PtrAdd(address, bytes);
    derived_add = DerivedAdd(address, bytes);
    current_exception = CurrentException();
    alloc_object = AllocObject(class, size);
    type_of = TypeOf(object);
    pointer_from_ref = PointerFromRef(object);
    array_len = ArrayLen(array);
}

effects! {
    prefetch = Prefetch(address);
    unreachable = Unreachable();
    poll = Poll();
    throw = Throw(exception);
    assume = Assume(condition);
    preserve_end = PreserveEnd(token);
    write_barrier = WriteBarrier(parent, child);
    safepoint = Safepoint();
}

of_lane! {
    reduce_add = ReduceAdd;
    reduce_mul = ReduceMul;
    reduce_and = ReduceAnd;
    reduce_or = ReduceOr;
    reduce_xor = ReduceXor;
    reduce_smin = ReduceSmin;
    reduce_smax = ReduceSmax;
    reduce_umin = ReduceUmin;
    reduce_umax = ReduceUmax;
    reduce_fmin = ReduceFmin;
    reduce_fmax = ReduceFmax;
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
        let mut all = vec![callable];
        all.extend_from_slice(args);
        self.ins(Op::BoxedCall, Type::NONE, &all)
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
