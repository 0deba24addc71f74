//! What each op means: one row each, pure data. Ops whose results depend on
//! their operands alone have a rule of `eval`; the others a step of the machine.

use super::eval::{self, LaneRule, Rule, bits, convert, float, int};
use super::machine::{
    Handler, access, atomic, bulk, call, control, entity, exception, exit, managed, stack,
};
use crate::op::Op;

use LaneRule::{
    Binary, Compare, Convert, ConvertTrapping, FloatBinary, FloatTernary, FloatUnary, Ternary,
    Trapping, Unary,
};
use Meaning::{Pure, State};
use Rule::{Lanes, Reduce, Reporting, Structure};

/// How an op is executed.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// Its results depend on its operands alone.
    Pure(Rule),
    /// It looks at the state of the machine, changes it, or goes on elsewhere.
    State(Handler),
}

macro_rules! meanings {
    ($($path:path => $meaning:expr,)*) => {
        /// The meaning of an op.
        pub(super) fn meaning_of(op: Op) -> Meaning {
            match op { $($path => $meaning,)* }
        }
    };
}

meanings! {
    // Integer arithmetic.
    Op::Add => Pure(Lanes(Binary(int::add))),
    Op::Sub => Pure(Lanes(Binary(int::sub))),
    Op::Mul => Pure(Lanes(Binary(int::mul))),
    Op::Neg => Pure(Lanes(Unary(int::neg))),
    Op::Abs => Pure(Lanes(Unary(int::abs))),
    Op::Smin => Pure(Lanes(Binary(int::smin))),
    Op::Smax => Pure(Lanes(Binary(int::smax))),
    Op::Umin => Pure(Lanes(Binary(int::umin))),
    Op::Umax => Pure(Lanes(Binary(int::umax))),
    Op::SaddSat => Pure(Lanes(Binary(int::sadd_sat))),
    Op::SsubSat => Pure(Lanes(Binary(int::ssub_sat))),
    Op::UaddSat => Pure(Lanes(Binary(int::uadd_sat))),
    Op::UsubSat => Pure(Lanes(Binary(int::usub_sat))),
    Op::Smulhi => Pure(Lanes(Binary(int::smulhi))),
    Op::Umulhi => Pure(Lanes(Binary(int::umulhi))),
    Op::Sdiv => Pure(Lanes(Trapping(int::sdiv))),
    Op::Udiv => Pure(Lanes(Trapping(int::udiv))),
    Op::Srem => Pure(Lanes(Trapping(int::srem))),
    Op::Urem => Pure(Lanes(Trapping(int::urem))),
    Op::SaddTrap => Pure(Lanes(Trapping(int::sadd_trap))),
    Op::UaddTrap => Pure(Lanes(Trapping(int::uadd_trap))),
    Op::SsubTrap => Pure(Lanes(Trapping(int::ssub_trap))),
    Op::UsubTrap => Pure(Lanes(Trapping(int::usub_trap))),
    Op::SmulTrap => Pure(Lanes(Trapping(int::smul_trap))),
    Op::UmulTrap => Pure(Lanes(Trapping(int::umul_trap))),
    Op::SaddOverflow => Pure(Reporting(int::sadd_overflow)),
    Op::UaddOverflow => Pure(Reporting(int::uadd_overflow)),
    Op::SsubOverflow => Pure(Reporting(int::ssub_overflow)),
    Op::UsubOverflow => Pure(Reporting(int::usub_overflow)),
    Op::SmulOverflow => Pure(Reporting(int::smul_overflow)),
    Op::UmulOverflow => Pure(Reporting(int::umul_overflow)),
    // Bit patterns.
    Op::And => Pure(Lanes(Binary(bits::and))),
    Op::Or => Pure(Lanes(Binary(bits::or))),
    Op::Xor => Pure(Lanes(Binary(bits::xor))),
    Op::Not => Pure(Lanes(Unary(bits::not))),
    Op::Shl => Pure(Lanes(Binary(bits::shl))),
    Op::Lshr => Pure(Lanes(Binary(bits::lshr))),
    Op::Ashr => Pure(Lanes(Binary(bits::ashr))),
    Op::Rotl => Pure(Lanes(Binary(bits::rotl))),
    Op::Rotr => Pure(Lanes(Binary(bits::rotr))),
    Op::Fshl => Pure(Lanes(Ternary(bits::fshl))),
    Op::Fshr => Pure(Lanes(Ternary(bits::fshr))),
    Op::Popcount => Pure(Lanes(Unary(bits::popcount))),
    Op::Clz => Pure(Lanes(Unary(bits::clz))),
    Op::Ctz => Pure(Lanes(Unary(bits::ctz))),
    Op::Bswap => Pure(Lanes(Unary(bits::bswap))),
    Op::Bitreverse => Pure(Lanes(Unary(bits::bitreverse))),
    // Compares and selects.
    Op::Icmp => Pure(Lanes(Compare)),
    Op::Fcmp => Pure(Lanes(Compare)),
    Op::Select => Pure(Structure(eval::select)),
    Op::VecSelect => Pure(Structure(eval::vec_select)),
    // Float arithmetic.
    Op::Fadd => Pure(Lanes(FloatBinary(float::add))),
    Op::Fsub => Pure(Lanes(FloatBinary(float::sub))),
    Op::Fmul => Pure(Lanes(FloatBinary(float::mul))),
    Op::Fdiv => Pure(Lanes(FloatBinary(float::div))),
    Op::Frem => Pure(Lanes(FloatBinary(float::rem))),
    Op::Fneg => Pure(Lanes(FloatUnary(float::neg))),
    Op::Fabs => Pure(Lanes(FloatUnary(float::abs))),
    Op::Fcopysign => Pure(Lanes(FloatBinary(float::copysign))),
    Op::Fsqrt => Pure(Lanes(FloatUnary(float::sqrt))),
    Op::Fma => Pure(Lanes(FloatTernary(float::fma))),
    Op::Muladd => Pure(Lanes(FloatTernary(float::muladd))),
    Op::Fmin => Pure(Lanes(FloatBinary(float::min))),
    Op::Fmax => Pure(Lanes(FloatBinary(float::max))),
    Op::FminNum => Pure(Lanes(FloatBinary(float::min_num))),
    Op::FmaxNum => Pure(Lanes(FloatBinary(float::max_num))),
    Op::Ffloor => Pure(Lanes(FloatUnary(float::floor))),
    Op::Fceil => Pure(Lanes(FloatUnary(float::ceil))),
    Op::Ftrunc => Pure(Lanes(FloatUnary(float::trunc))),
    Op::Fnearest => Pure(Lanes(FloatUnary(float::nearest))),
    Op::Fround => Pure(Lanes(FloatUnary(float::round))),
    // Conversions.
    Op::Trunc => Pure(Lanes(Convert(convert::cut))),
    Op::Zext => Pure(Lanes(Convert(convert::cut))),
    Op::Sext => Pure(Lanes(Convert(convert::sext))),
    Op::StruncSat => Pure(Lanes(Convert(convert::strunc_sat))),
    Op::UtruncSat => Pure(Lanes(Convert(convert::utrunc_sat))),
    Op::StruncTrap => Pure(Lanes(ConvertTrapping(convert::strunc_trap))),
    Op::UtruncTrap => Pure(Lanes(ConvertTrapping(convert::utrunc_trap))),
    Op::Bitcast => Pure(Structure(eval::bitcast)),
    Op::Sitofp => Pure(Lanes(Convert(convert::sitofp))),
    Op::Uitofp => Pure(Lanes(Convert(convert::uitofp))),
    Op::FptosiSat => Pure(Lanes(Convert(convert::fptosi_sat))),
    Op::FptouiSat => Pure(Lanes(Convert(convert::fptoui_sat))),
    Op::FptosiTrap => Pure(Lanes(ConvertTrapping(convert::fptosi_trap))),
    Op::FptouiTrap => Pure(Lanes(ConvertTrapping(convert::fptoui_trap))),
    Op::FptosiWrap => Pure(Lanes(Convert(convert::fp_wrap))),
    Op::FptouiWrap => Pure(Lanes(Convert(convert::fp_wrap))),
    Op::Fptrunc => Pure(Lanes(Convert(convert::fp_resize))),
    Op::Fpext => Pure(Lanes(Convert(convert::fp_resize))),
    Op::PtrToInt => Pure(Structure(eval::first_operand)),
    Op::IntToPtr => Pure(Structure(eval::first_operand)),
    Op::AddressCast => Pure(Structure(eval::first_operand)),
    Op::FunctionToPtr => Pure(Structure(eval::first_operand)),
    Op::PtrToFunction => Pure(Structure(eval::first_operand)),
    // Memory by address.
    Op::Load => State(access::load),
    Op::Store => State(access::store),
    Op::MaskedLoad => State(access::masked_load),
    Op::MaskedStore => State(access::masked_store),
    Op::MemCopy => State(bulk::mem_copy),
    Op::MemFill => State(bulk::mem_fill),
    Op::MemCompare => State(bulk::mem_compare),
    Op::MemFind => State(bulk::mem_find),
    Op::Prefetch => State(control::nothing),
    Op::PtrAdd => Pure(Lanes(Binary(int::add))),
    Op::DerivedAdd => Pure(Lanes(Binary(int::add))),
    Op::StackAlloc => State(stack::alloc),
    Op::StackSave => State(stack::save),
    Op::StackRestore => State(stack::restore),
    // Atomic accesses.
    Op::AtomicLoad => State(access::load),
    Op::AtomicStore => State(access::store),
    Op::AtomicRmw => State(atomic::read_modify_write),
    Op::AtomicCas => State(atomic::compare_exchange),
    Op::AtomicModify => State(atomic::modify),
    Op::Fence => State(control::nothing),
    // Slots, data objects and functions.
    Op::SlotLoad => State(entity::load),
    Op::SlotStore => State(entity::store),
    Op::SlotAddr => State(entity::address),
    Op::SlotStart => State(entity::reset),
    Op::SlotEnd => State(entity::reset),
    Op::DataLoad => State(entity::load),
    Op::DataStore => State(entity::store),
    Op::DataAddr => State(entity::address),
    Op::FunctionAddr => State(entity::function_address),
    // Structs and arrays.
    Op::MakeAggregate => Pure(Structure(eval::make)),
    Op::ExtractValue => Pure(Structure(eval::extract_value)),
    Op::InsertValue => Pure(Structure(eval::insert_value)),
    // Vectors.
    Op::Splat => Pure(Structure(eval::splat)),
    Op::MakeVector => Pure(Structure(eval::make)),
    Op::ExtractLane => Pure(Structure(eval::extract_lane)),
    Op::InsertLane => Pure(Structure(eval::insert_lane)),
    Op::Shuffle => Pure(Structure(eval::shuffle)),
    Op::ReduceAdd => Pure(Reduce(Binary(int::add))),
    Op::ReduceMul => Pure(Reduce(Binary(int::mul))),
    Op::ReduceAnd => Pure(Reduce(Binary(bits::and))),
    Op::ReduceOr => Pure(Reduce(Binary(bits::or))),
    Op::ReduceXor => Pure(Reduce(Binary(bits::xor))),
    Op::ReduceSmin => Pure(Reduce(Binary(int::smin))),
    Op::ReduceSmax => Pure(Reduce(Binary(int::smax))),
    Op::ReduceUmin => Pure(Reduce(Binary(int::umin))),
    Op::ReduceUmax => Pure(Reduce(Binary(int::umax))),
    Op::ReduceFadd => Pure(Reduce(FloatBinary(float::add))),
    Op::ReduceFmul => Pure(Reduce(FloatBinary(float::mul))),
    Op::ReduceFmin => Pure(Reduce(FloatBinary(float::min))),
    Op::ReduceFmax => Pure(Reduce(FloatBinary(float::max))),
    // Calls.
    Op::Call => State(call::call),
    Op::CallIndirect => State(call::call_indirect),
    Op::CallPtr => State(call::call_indirect),
    Op::CallForeign => State(call::call),
    Op::TryCall => State(call::call),
    Op::TryCallIndirect => State(call::call_indirect),
    Op::TryCallPtr => State(call::call_indirect),
    Op::ReturnCall => State(call::return_call),
    Op::ReturnCallIndirect => State(call::return_call_indirect),
    Op::BoxedCall => State(managed::boxed_call),
    // Control.
    Op::Jump => State(control::jump),
    Op::Branch => State(control::branch),
    Op::Switch => State(control::switch),
    Op::Return => State(call::return_),
    Op::Trap => State(exit::trap),
    Op::Unreachable => State(exit::unreachable),
    Op::Check => State(exit::check),
    Op::Poll => State(control::poll),
    // Exceptions.
    Op::Enter => State(exception::enter),
    Op::Leave => State(exception::leave),
    Op::Throw => State(exception::throw),
    Op::CurrentException => State(exception::current_exception),
    // Hints and promises.
    Op::Expect => Pure(Structure(eval::first_operand)),
    Op::Assume => State(control::assume),
    // A constant, once folded, is something that a pass knows of it.
    Op::Opaque => State(control::opaque),
    // Managed objects.
    Op::AllocObject => State(managed::alloc_object),
    Op::TypeOf => State(managed::type_of),
    Op::PreserveBegin => State(managed::preserve_begin),
    Op::PreserveEnd => State(control::nothing),
    Op::WriteBarrier => State(control::nothing),
    Op::Safepoint => State(control::nothing),
    Op::PointerFromRef => Pure(Structure(eval::first_operand)),
    Op::ArrayNew => State(managed::array_new),
    Op::ArrayLen => State(managed::array_len),
    Op::ArrayGet => State(managed::array_get),
    Op::ArraySet => State(managed::array_set),
    Op::CpuHas => State(control::no_feature),
    Op::HaveFma => State(control::no_feature),
    Op::LoopMark => State(control::nothing),
}
