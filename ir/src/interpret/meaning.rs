//! What each op means: one row each, pure data. Ops whose results depend on
//! their operands alone have a rule of `eval`; the others a step of the machine.

use super::eval::{self, Rule, bits, convert, float, int};
use super::machine::{
    Handler, access, atomic, bulk, call, control, entity, exception, exit, managed,
};
use crate::op::Op;

use Meaning::{Pure, State};
use Rule::{
    Binary, Convert, ConvertTrapping, FloatBinary, FloatCompare, FloatReduce, FloatTernary,
    FloatUnary, IntCompare, Reduce, Reporting, Structure, Ternary, Trapping, Unary,
};

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
    Op::Add => Pure(Binary(int::add)),
    Op::Sub => Pure(Binary(int::sub)),
    Op::Mul => Pure(Binary(int::mul)),
    Op::Neg => Pure(Unary(int::neg)),
    Op::Abs => Pure(Unary(int::abs)),
    Op::Smin => Pure(Binary(int::smin)),
    Op::Smax => Pure(Binary(int::smax)),
    Op::Umin => Pure(Binary(int::umin)),
    Op::Umax => Pure(Binary(int::umax)),
    Op::SaddSat => Pure(Binary(int::sadd_sat)),
    Op::SsubSat => Pure(Binary(int::ssub_sat)),
    Op::UaddSat => Pure(Binary(int::uadd_sat)),
    Op::UsubSat => Pure(Binary(int::usub_sat)),
    Op::Smulhi => Pure(Binary(int::smulhi)),
    Op::Umulhi => Pure(Binary(int::umulhi)),
    Op::Sdiv => Pure(Trapping(int::sdiv)),
    Op::Udiv => Pure(Trapping(int::udiv)),
    Op::Srem => Pure(Trapping(int::srem)),
    Op::Urem => Pure(Trapping(int::urem)),
    Op::SaddTrap => Pure(Trapping(int::sadd_trap)),
    Op::UaddTrap => Pure(Trapping(int::uadd_trap)),
    Op::SsubTrap => Pure(Trapping(int::ssub_trap)),
    Op::UsubTrap => Pure(Trapping(int::usub_trap)),
    Op::SmulTrap => Pure(Trapping(int::smul_trap)),
    Op::UmulTrap => Pure(Trapping(int::umul_trap)),
    Op::SaddOverflow => Pure(Reporting(int::sadd_overflow)),
    Op::UaddOverflow => Pure(Reporting(int::uadd_overflow)),
    Op::SsubOverflow => Pure(Reporting(int::ssub_overflow)),
    Op::UsubOverflow => Pure(Reporting(int::usub_overflow)),
    Op::SmulOverflow => Pure(Reporting(int::smul_overflow)),
    Op::UmulOverflow => Pure(Reporting(int::umul_overflow)),
    // Bit patterns.
    Op::And => Pure(Binary(bits::and)),
    Op::Or => Pure(Binary(bits::or)),
    Op::Xor => Pure(Binary(bits::xor)),
    Op::Not => Pure(Unary(bits::not)),
    Op::Shl => Pure(Binary(bits::shl)),
    Op::Lshr => Pure(Binary(bits::lshr)),
    Op::Ashr => Pure(Binary(bits::ashr)),
    Op::Rotl => Pure(Binary(bits::rotl)),
    Op::Rotr => Pure(Binary(bits::rotr)),
    Op::Fshl => Pure(Ternary(bits::fshl)),
    Op::Fshr => Pure(Ternary(bits::fshr)),
    Op::Popcount => Pure(Unary(bits::popcount)),
    Op::Clz => Pure(Unary(bits::clz)),
    Op::Ctz => Pure(Unary(bits::ctz)),
    Op::Bswap => Pure(Unary(bits::bswap)),
    Op::Bitreverse => Pure(Unary(bits::bitreverse)),
    // Compares and selects.
    Op::Icmp => Pure(IntCompare),
    Op::Fcmp => Pure(FloatCompare),
    Op::Select => Pure(Structure(eval::select)),
    Op::VecSelect => Pure(Structure(eval::vec_select)),
    // Float arithmetic.
    Op::Fadd => Pure(FloatBinary(float::add)),
    Op::Fsub => Pure(FloatBinary(float::sub)),
    Op::Fmul => Pure(FloatBinary(float::mul)),
    Op::Fdiv => Pure(FloatBinary(float::div)),
    Op::Frem => Pure(FloatBinary(float::rem)),
    Op::Fneg => Pure(FloatUnary(float::neg)),
    Op::Fabs => Pure(FloatUnary(float::abs)),
    Op::Fcopysign => Pure(FloatBinary(float::copysign)),
    Op::Fsqrt => Pure(FloatUnary(float::sqrt)),
    Op::Fma => Pure(FloatTernary(float::fma)),
    Op::Muladd => Pure(FloatTernary(float::muladd)),
    Op::Fmin => Pure(FloatBinary(float::min)),
    Op::Fmax => Pure(FloatBinary(float::max)),
    Op::FminNum => Pure(FloatBinary(float::min_num)),
    Op::FmaxNum => Pure(FloatBinary(float::max_num)),
    Op::Ffloor => Pure(FloatUnary(float::floor)),
    Op::Fceil => Pure(FloatUnary(float::ceil)),
    Op::Ftrunc => Pure(FloatUnary(float::trunc)),
    Op::Fnearest => Pure(FloatUnary(float::nearest)),
    Op::Fround => Pure(FloatUnary(float::round)),
    // Conversions.
    Op::Trunc => Pure(Convert(convert::cut)),
    Op::Zext => Pure(Convert(convert::cut)),
    Op::Sext => Pure(Convert(convert::sext)),
    Op::StruncSat => Pure(Convert(convert::strunc_sat)),
    Op::UtruncSat => Pure(Convert(convert::utrunc_sat)),
    Op::StruncTrap => Pure(ConvertTrapping(convert::strunc_trap)),
    Op::UtruncTrap => Pure(ConvertTrapping(convert::utrunc_trap)),
    Op::Bitcast => Pure(Structure(eval::bitcast)),
    Op::Sitofp => Pure(Convert(convert::sitofp)),
    Op::Uitofp => Pure(Convert(convert::uitofp)),
    Op::FptosiSat => Pure(Convert(convert::fptosi_sat)),
    Op::FptouiSat => Pure(Convert(convert::fptoui_sat)),
    Op::FptosiTrap => Pure(ConvertTrapping(convert::fptosi_trap)),
    Op::FptouiTrap => Pure(ConvertTrapping(convert::fptoui_trap)),
    Op::FptosiWrap => Pure(Convert(convert::fp_wrap)),
    Op::FptouiWrap => Pure(Convert(convert::fp_wrap)),
    Op::Fptrunc => Pure(Convert(convert::fp_resize)),
    Op::Fpext => Pure(Convert(convert::fp_resize)),
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
    Op::Prefetch => State(control::nothing),
    Op::PtrAdd => Pure(Binary(int::add)),
    Op::DerivedAdd => Pure(Binary(int::add)),
    // Atomic accesses.
    Op::AtomicLoad => State(atomic::load),
    Op::AtomicStore => State(atomic::store),
    Op::AtomicRmw => State(atomic::read_modify_write),
    Op::AtomicCas => State(atomic::compare_exchange),
    Op::AtomicModify => State(atomic::modify),
    Op::Fence => State(control::nothing),
    // Slots, data objects and functions.
    Op::SlotLoad => State(entity::slot_load),
    Op::SlotStore => State(entity::slot_store),
    Op::SlotAddr => State(entity::slot_addr),
    Op::SlotStart => State(entity::slot_reset),
    Op::SlotEnd => State(entity::slot_reset),
    Op::DataLoad => State(entity::data_load),
    Op::DataStore => State(entity::data_store),
    Op::DataAddr => State(entity::data_addr),
    Op::FunctionAddr => State(entity::function_addr),
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
    Op::ReduceAdd => Pure(Reduce(int::add)),
    Op::ReduceMul => Pure(Reduce(int::mul)),
    Op::ReduceAnd => Pure(Reduce(bits::and)),
    Op::ReduceOr => Pure(Reduce(bits::or)),
    Op::ReduceXor => Pure(Reduce(bits::xor)),
    Op::ReduceSmin => Pure(Reduce(int::smin)),
    Op::ReduceSmax => Pure(Reduce(int::smax)),
    Op::ReduceUmin => Pure(Reduce(int::umin)),
    Op::ReduceUmax => Pure(Reduce(int::umax)),
    Op::ReduceFadd => Pure(FloatReduce(float::add)),
    Op::ReduceFmul => Pure(FloatReduce(float::mul)),
    Op::ReduceFmin => Pure(FloatReduce(float::min)),
    Op::ReduceFmax => Pure(FloatReduce(float::max)),
    // Calls.
    Op::Call => State(call::call),
    Op::CallIndirect => State(call::call_indirect),
    Op::CallPtr => State(call::call_indirect),
    Op::CallForeign => State(call::call_foreign),
    Op::TryCall => State(call::try_call),
    Op::TryCallIndirect => State(call::call_indirect),
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
