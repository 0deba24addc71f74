//! One CLIF function for one trial: `fn(inputs, outputs)`, operand `i` read at
//! 16·i bytes from the first, result `i` written at 16·i bytes from the second.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cranelift_codegen::Context;
use cranelift_codegen::FinalizedRelocTarget;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, AtomicRmwOp, ConstantData, Endianness, ExternalName, Function, InstBuilder,
    MemFlagsData, Opcode, Signature, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::Trial;
use crate::level::BackEnd;
use crate::target::{Isa, MachineType, Primitive, Shape};

/// Where a trial of memory has its cell, in bytes from the outputs.
pub(super) const CELL: i32 = 64;

pub(super) const INT_PREDICATES: [IntCC; 10] = [
    IntCC::Equal,
    IntCC::NotEqual,
    IntCC::SignedLessThan,
    IntCC::SignedLessThanOrEqual,
    IntCC::SignedGreaterThan,
    IntCC::SignedGreaterThanOrEqual,
    IntCC::UnsignedLessThan,
    IntCC::UnsignedLessThanOrEqual,
    IntCC::UnsignedGreaterThan,
    IntCC::UnsignedGreaterThanOrEqual,
];

pub(super) fn float_predicates(primitive: Primitive) -> &'static [FloatCC] {
    match primitive {
        Primitive::FcmpOrdered => &[
            FloatCC::Ordered,
            FloatCC::Unordered,
            FloatCC::Equal,
            FloatCC::NotEqual,
            FloatCC::LessThan,
            FloatCC::LessThanOrEqual,
            FloatCC::GreaterThan,
            FloatCC::GreaterThanOrEqual,
        ],
        Primitive::FcmpUnordered => &[
            FloatCC::UnorderedOrLessThan,
            FloatCC::UnorderedOrLessThanOrEqual,
            FloatCC::UnorderedOrGreaterThan,
            FloatCC::UnorderedOrGreaterThanOrEqual,
        ],
        _ => &[FloatCC::OrderedNotEqual, FloatCC::UnorderedOrEqual],
    }
}

pub(super) const UPDATES: [AtomicRmwOp; 11] = [
    AtomicRmwOp::Add,
    AtomicRmwOp::Sub,
    AtomicRmwOp::And,
    AtomicRmwOp::Nand,
    AtomicRmwOp::Or,
    AtomicRmwOp::Xor,
    AtomicRmwOp::Xchg,
    AtomicRmwOp::Umin,
    AtomicRmwOp::Umax,
    AtomicRmwOp::Smin,
    AtomicRmwOp::Smax,
];

/// Shuffles: unordered first, so that no special instruction of the identity,
/// of interleaving or of broadcasting stands for the general one.
pub(super) const MASKS: [[u8; 16]; 5] = [
    [31, 3, 7, 19, 4, 4, 0, 30, 11, 12, 13, 29, 5, 6, 1, 2],
    [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 16],
    [31, 1, 30, 2, 29, 3, 28, 4, 27, 5, 26, 6, 25, 7, 24, 8],
    [7, 7, 7, 23, 7, 7, 7, 23, 9, 9, 9, 25, 9, 9, 9, 25],
    [16, 2, 18, 1, 20, 0, 22, 3, 24, 5, 26, 4, 28, 7, 30, 6],
];

/// How many variants a primitive has at `ty`.
pub(super) fn variants(primitive: Primitive, ty: MachineType) -> usize {
    match primitive.shape() {
        Shape::IntCompare => INT_PREDICATES.len(),
        Shape::FloatCompare => float_predicates(primitive).len(),
        Shape::Update => UPDATES.len(),
        Shape::Shuffle => MASKS.len(),
        Shape::Extract | Shape::Insert => ty.lanes() as usize,
        // The type of the amount: I8, I32, I64 for scalars, I32 for vectors.
        Shape::Shift if !ty.is_vector() => AMOUNTS.len(),
        _ => 1,
    }
}

/// The types that an amount of a shift of a scalar may have.
pub(super) const AMOUNTS: [MachineType; 3] = [MachineType::I8, MachineType::I32, MachineType::I64];

/// The types of the operands of a trial.
pub(super) fn operands(trial: &Trial) -> Vec<MachineType> {
    let (from, lane) = (trial.from, trial.from.lane());
    match trial.primitive.shape() {
        Shape::Unary | Shape::Convert | Shape::Test | Shape::HighBits | Shape::Extract => {
            vec![from]
        }
        Shape::Split | Shape::Access | Shape::Atomic => vec![from],
        Shape::Splat => vec![lane],
        Shape::Insert => vec![from, lane],
        Shape::Shift if from.is_vector() => vec![from, MachineType::I32],
        Shape::Shift => vec![from, AMOUNTS[trial.variant]],
        Shape::Ternary | Shape::Exchange => vec![from; 3],
        Shape::Select => vec![MachineType::I8, from, from],
        _ => vec![from, from],
    }
}

/// The types of the results of a trial.
pub(super) fn results(trial: &Trial) -> Vec<MachineType> {
    let (from, to) = (trial.from, trial.to);
    match trial.primitive.shape() {
        Shape::Overflow => vec![from, MachineType::I8],
        Shape::IntCompare | Shape::FloatCompare if from.is_vector() => vec![from.as_int()],
        Shape::IntCompare | Shape::FloatCompare | Shape::Test => vec![MachineType::I8],
        Shape::HighBits => vec![MachineType::I32],
        Shape::Extract => vec![from.lane()],
        Shape::Split | Shape::Update | Shape::Exchange => vec![to; 2],
        _ => vec![to],
    }
}

pub(super) fn clif(ty: MachineType) -> Type {
    use MachineType as M;
    match ty {
        M::I8 => types::I8,
        M::I16 => types::I16,
        M::I32 => types::I32,
        M::I64 => types::I64,
        M::I128 => types::I128,
        M::F32 => types::F32,
        M::F64 => types::F64,
        M::I8x16 => types::I8X16,
        M::I16x8 => types::I16X8,
        M::I32x4 => types::I32X4,
        M::I64x2 => types::I64X2,
        M::F32x4 => types::F32X4,
        M::F64x2 => types::F64X2,
    }
}

/// What became of a trial.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Code without a call, and whether its trap table has entries.
    Code { bytes: Vec<u8>, traps: bool },
    /// A call of a library function.
    LibraryCall,
    /// An error or a panic.
    Refused,
}

pub(super) fn compile(isa: &Isa, trial: &Trial) -> Outcome {
    let machine = isa.machine(BackEnd::Plain);
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let mut context = Context::for_function(build(trial));
        context.compile(machine, &mut ControlPlane::default()).ok()?;
        context.take_compiled_code()
    }));
    let Ok(Some(code)) = attempt else { return Outcome::Refused };
    let is_call = |target: &FinalizedRelocTarget| {
        matches!(target, FinalizedRelocTarget::ExternalName(ExternalName::LibCall(_)))
    };
    if code.buffer.relocs().iter().any(|reloc| is_call(&reloc.target)) {
        return Outcome::LibraryCall;
    }
    assert!(code.buffer.relocs().is_empty(), "{trial} refers to something");
    let traps = !code.buffer.traps().is_empty();
    Outcome::Code { bytes: code.code_buffer().to_vec(), traps }
}

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

fn build(trial: &Trial) -> Function {
    let mut function = Function::new();
    function.signature = Signature::new(CallConv::SystemV);
    function.signature.params = vec![AbiParam::new(types::I64); 2];
    let mut context = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut function, &mut context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_all_blocks();
    let [inputs, outputs] = builder.block_params(block)[..] else { unreachable!("two parameters") };
    let arguments: Vec<Value> = operands(trial)
        .iter()
        .zip(0..)
        .map(|(&ty, index): (_, i32)| builder.ins().load(clif(ty), flags(), inputs, 16 * index))
        .collect();
    let results = emit(&mut builder, trial, &arguments, outputs);
    for (&result, index) in results.iter().zip(0i32..) {
        builder.ins().store(flags(), result, outputs, 16 * index);
    }
    builder.ins().return_(&[]);
    builder.finalize(cranelift_codegen::isa::TargetFrontendConfig {
        default_call_conv: CallConv::SystemV,
        pointer_width: target_lexicon::PointerWidth::U64,
        page_size_align_log2: 12,
    });
    function
}

fn emit(builder: &mut FunctionBuilder<'_>, trial: &Trial, a: &[Value], out: Value) -> Vec<Value> {
    let opcode: Opcode = trial.primitive.mnemonic().parse().unwrap();
    let (from, to) = (clif(trial.from), clif(trial.to));
    let ins = builder.ins();
    let (inst, dfg) = match trial.primitive.shape() {
        Shape::Unary | Shape::Test => ins.Unary(opcode, from, a[0]),
        Shape::Split => ins.Unary(opcode, from, a[0]),
        Shape::Convert if trial.primitive == Primitive::Bitcast => {
            let little = MemFlagsData::new().with_endianness(Endianness::Little);
            return vec![ins.bitcast(to, little, a[0])];
        }
        Shape::Convert if is_controlled_by_operand(trial.primitive) => {
            ins.Unary(opcode, from, a[0])
        }
        Shape::Convert | Shape::Splat => ins.Unary(opcode, to, a[0]),
        Shape::HighBits => ins.Unary(opcode, types::I32, a[0]),
        Shape::Binary | Shape::Narrow | Shape::Shift | Shape::Overflow | Shape::Join => {
            ins.Binary(opcode, from, a[0], a[1])
        }
        Shape::Ternary | Shape::Select => {
            let (x, y, z) = (a[0], a[1], a[2]);
            ins.Ternary(opcode, from, x, y, z)
        }
        Shape::IntCompare => {
            ins.IntCompare(opcode, from, INT_PREDICATES[trial.variant], a[0], a[1])
        }
        Shape::FloatCompare => {
            let predicate = float_predicates(trial.primitive)[trial.variant];
            ins.FloatCompare(opcode, from, predicate, a[0], a[1])
        }
        Shape::Extract => ins.BinaryImm8(opcode, from, trial.variant as u8, a[0]),
        Shape::Insert => ins.TernaryImm8(opcode, from, trial.variant as u8, a[0], a[1]),
        Shape::Shuffle => {
            let mask = ConstantData::from(MASKS[trial.variant].as_slice());
            let mask = builder.func.dfg.immediates.push(mask);
            builder.ins().Shuffle(opcode, from, mask, a[0], a[1])
        }
        Shape::Access | Shape::Atomic | Shape::Update | Shape::Exchange => {
            return access(builder, trial, a, out);
        }
    };
    dfg.inst_results(inst).to_vec()
}

/// Conversions whose result type follows from the operand's, by which CLIF
/// then names them.
fn is_controlled_by_operand(primitive: Primitive) -> bool {
    use Primitive as P;
    matches!(primitive, P::UwidenLow | P::UwidenHigh | P::SwidenLow | P::SwidenHigh)
}

/// Writes the first operand to the cell, then does the access there.
fn access(builder: &mut FunctionBuilder<'_>, trial: &Trial, a: &[Value], out: Value) -> Vec<Value> {
    let ty = clif(trial.from);
    let offset = builder.ins().iconst(types::I64, i64::from(CELL));
    let cell = builder.ins().iadd(out, offset);
    if trial.primitive == Primitive::AtomicLoad {
        builder.ins().atomic_store(flags(), a[0], cell);
        return vec![builder.ins().atomic_load(ty, flags(), cell)];
    }
    builder.ins().store(flags(), a[0], cell, 0);
    let old = match trial.primitive {
        Primitive::AtomicRmw => {
            builder.ins().atomic_rmw(ty, flags(), UPDATES[trial.variant], cell, a[1])
        }
        Primitive::AtomicCas => builder.ins().atomic_cas(flags(), cell, a[1], a[2]),
        _ => return vec![builder.ins().load(ty, flags(), cell, 0)],
    };
    vec![old, builder.ins().load(ty, flags(), cell, 0)]
}
