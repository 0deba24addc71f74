//! Puts ops in the place of calls of C's library that do what an op does.
//!
//! Before:
//! ```text
//! foreign func @memcpy(ptr, ptr, i64) -> ptr returns always
//! foreign func @sqrt(f64) -> f64 memory none returns always
//! foreign func @strlen(ptr) -> i64 memory read returns always
//!
//! data @text const = { bytes "hello\00" }
//!
//! func @f(ptr, ptr, f64) -> f64 {
//! block0(%0: ptr, %1: ptr, %2: f64):
//!     %3 = data_addr @text
//!     %4 = call_foreign @strlen(%3)
//!     %5 = call_foreign @memcpy(%0, %1, %4)
//!     %6 = call_foreign @sqrt(%2)
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! foreign func @memcpy(ptr, ptr, i64) -> ptr returns always
//! foreign func @sqrt(f64) -> f64 memory none returns always
//! foreign func @strlen(ptr) -> i64 memory read returns always
//! data @text const = { bytes "hello\00" }
//!
//! func @f(ptr, ptr, f64) -> f64 {
//! block0(%0: ptr, %1: ptr, %2: f64):
//!     %3 = data_addr @text
//!     mem_copy %0, %1, 5
//!     %8 = fsqrt.f64 %2
//!     return %8
//! }
//! ```
//! A name alone says nothing: another module may define it, and a library that the host has
//! linked may have another function of that name. It is taken for C's where the module does
//! not define it, declares it `foreign` with C's signature, and promises of it what holds of
//! C's: `returns always`, and that it writes nothing (`memory none`, or `read` where it reads
//! memory). `errno` is memory, so that a square root which sets it is none that an op
//! computes; compilers promise so of `floor`, and of `sqrt` where nobody asks for `errno`.
//! Who binds a name of C's library to something else leaves the promise out.
//!
//! An op stands for a function only if it gives the same for every operand that C defines,
//! NaN and zeros of both signs among them; of a compare of bytes C says the sign alone.
//!
//! Before `sroa`, from which a call hides what it is given the address of. Keeps: the flow
//! graph. Does not try: `fmin` and `fmax`, which may give either zero of two and ops do not;
//! `pow`; strings that are no constants; calls with handlers or roots.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{DataId, FuncId, Inst, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::module::{Content, Linkage, MemoryEffects, Module, Returns, Storage};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::{Signature, Type};

use crate::pass::{Change, Editor, PassContext, PassResult, Renames};

const F32: Type = Type::F32;
const F64: Type = Type::F64;
const I32: Type = Type::I32;
const I64: Type = Type::I64;
const PTR: Type = Type::PTR;

/// The largest object in which the end of a string is looked for.
const MOST_BYTES: u64 = 4096;

/// How often a constant is added to the address of a string, at most.
const MOST_STEPS: usize = 8;

/// How an op stands for a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// With the operands that the call has.
    Same,
    /// With these, and the call gives the first of them.
    First,
    /// The same, of which the second is a byte.
    Fill,
    /// By no op: the length of a constant string.
    Length,
}

/// A function of C's library.
struct Row {
    name: &'static str,
    params: &'static [Type],
    result: Type,
    /// The most that it may be declared to do to memory.
    memory: MemoryEffects,
    op: Op,
    form: Form,
}

/// Functions of floats, of `double` and of `float`.
macro_rules! floats {
    ($($name:literal $short:literal ($($param:ident),*) $op:ident;)*) => {
        &[$(
            pure($name, &[$(floats!(@ F64 $param)),*], F64, Op::$op),
            pure($short, &[$(floats!(@ F32 $param)),*], F32, Op::$op),
        )*]
    };
    (@ $ty:ident $param:ident) => { $ty };
}

const FLOATS: &[Row] = floats! {
    "sqrt" "sqrtf" (x) Fsqrt;
    "fabs" "fabsf" (x) Fabs;
    "floor" "floorf" (x) Ffloor;
    "ceil" "ceilf" (x) Fceil;
    "trunc" "truncf" (x) Ftrunc;
    "rint" "rintf" (x) Fnearest;
    "nearbyint" "nearbyintf" (x) Fnearest;
    "roundeven" "roundevenf" (x) Fnearest;
    "round" "roundf" (x) Fround;
    "copysign" "copysignf" (x, y) Fcopysign;
    "fma" "fmaf" (x, y, z) Fma;
};

const OTHERS: &[Row] = &[
    pure("abs", &[I32], I32, Op::Abs),
    pure("labs", &[I64], I64, Op::Abs),
    pure("llabs", &[I64], I64, Op::Abs),
    bytes("memcpy", &[PTR, PTR, I64], PTR, MemoryEffects::Any, Op::MemCopy, Form::First),
    bytes("memmove", &[PTR, PTR, I64], PTR, MemoryEffects::Any, Op::MemCopy, Form::First),
    bytes("memset", &[PTR, I32, I64], PTR, MemoryEffects::Any, Op::MemFill, Form::Fill),
    bytes("memcmp", &[PTR, PTR, I64], I32, MemoryEffects::ReadOnly, Op::MemCompare, Form::Same),
    bytes("bcmp", &[PTR, PTR, I64], I32, MemoryEffects::ReadOnly, Op::MemCompare, Form::Same),
    bytes("strlen", &[PTR], I64, MemoryEffects::ReadOnly, Op::Load, Form::Length),
];

const fn pure(name: &'static str, params: &'static [Type], result: Type, op: Op) -> Row {
    bytes(name, params, result, MemoryEffects::None, op, Form::Same)
}

const fn bytes(
    name: &'static str,
    params: &'static [Type],
    result: Type,
    memory: MemoryEffects,
    op: Op,
    form: Form,
) -> Row {
    Row { name, params, result, memory, op, form }
}

/// Puts ops in the place of calls.
///
/// # Errors
/// None.
pub fn lib_calls(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let found: Vec<(Inst, &Row)> = body
        .layout
        .all_insts()
        .filter_map(|inst| Some((inst, row_of(context.module, callee(body, inst)?)?)))
        .collect();
    let mut renames = Renames::default();
    let mut replaced = 0;
    for (inst, row) in found {
        renames.apply_to(body, inst);
        if let Some(value) = replace(body, context, inst, row) {
            context.remark(inst, RemarkKind::Applied, format_args!("`{}` is an op", row.name));
            if let Some(result) = body.result(inst) {
                renames.rename(result, value);
            }
            body.remove_inst(inst);
            replaced += 1;
        }
    }
    renames.apply(body);
    context.statistics.add("lib_calls", "calls that an op does", replaced);
    Ok(if replaced > 0 { Change::Something } else { Change::Nothing })
}

/// The foreign function that an instruction calls.
fn callee(body: &Body, inst: Inst) -> Option<FuncId> {
    match body.inst(inst).payload {
        Payload::ForeignCall { function, roots: 0 } => Some(function),
        _ => None,
    }
}

/// The function of C's library that a function is declared to be.
fn row_of(module: &Module, id: FuncId) -> Option<&'static Row> {
    let function = module.function(id).filter(|it| it.linkage == Linkage::Foreign)?;
    let row = FLOATS.iter().chain(OTHERS).find(|row| *row.name == *function.name)?;
    let wanted = Signature::platform(row.params, &[row.result]);
    let memory = function.attributes.memory;
    let is_promised = match row.memory {
        MemoryEffects::Any => true,
        MemoryEffects::ReadOnly => memory != MemoryEffects::Any,
        MemoryEffects::None => memory == MemoryEffects::None,
    };
    let is_plain = module.types.sig(function.sig).with_plain_passing() == wanted;
    (is_plain && is_promised && function.attributes.returns == Returns::Always).then_some(row)
}

/// Writes what stands for a call; gives what stands for its result.
fn replace(body: &mut Body, context: &mut PassContext<'_>, inst: Inst, row: &Row) -> Option<Value> {
    let args = body.args(inst).to_vec();
    if row.form == Form::Length {
        let length = length_of(body, context.module, *args.first()?)?;
        let constant = Constant::scalar(row.result, length.into())?;
        return Some(body.constant(constant));
    }
    let mut editor = Editor::new(body, context);
    editor.stand_before(inst);
    let access = Payload::Access(Access::default());
    match row.form {
        Form::First => {
            editor.op_without_result(row.op, Type::NONE, &args, access);
            args.first().copied()
        }
        Form::Fill => {
            let &[address, number, length] = args.as_slice() else { return None };
            let byte = match editor.body.as_scalar_constant(number) {
                Some(bits) => editor.constant(Type::I8, bits & 0xff),
                None => editor.op(Op::Trunc, Type::I8, &[number]),
            };
            editor.op_without_result(row.op, Type::NONE, &[address, byte, length], access);
            Some(address)
        }
        _ if row.op == Op::MemCompare => Some(editor.op_with(row.op, Type::NONE, &args, access)),
        _ => Some(editor.op(row.op, row.result, &args)),
    }
}

/// How many bytes stand before the next zero in a constant object.
fn length_of(body: &Body, module: &Module, address: Value) -> Option<u64> {
    let (id, start) = place_of(body, address)?;
    let object = module.data(id)?;
    let is_final = matches!(object.linkage, Linkage::Export | Linkage::Local);
    let is_known = object.content == Content::Constant
        && object.storage != Storage::ThreadLocal
        && object.size <= MOST_BYTES
        && object.relocations().next().is_none();
    if !is_final || !is_known {
        return None;
    }
    let image = object.image();
    let rest = image.bytes.get(usize::try_from(start).ok()?..)?;
    let length = rest.iter().position(|&byte| byte == 0)?;
    u64::try_from(length).ok()
}

/// The object that an address points into, and how many bytes from its start.
fn place_of(body: &Body, mut address: Value) -> Option<(DataId, u64)> {
    let mut offset = 0_u64;
    for _ in 0..MOST_STEPS {
        let ValueDef::Result(inst, _) = body.value_def(address) else { return None };
        match (body.inst(inst).op, body.inst(inst).payload, body.args(inst)) {
            (Op::DataAddr, Payload::Data(id), _) => return Some((id, offset)),
            (Op::PtrAdd, _, &[base, added]) => {
                offset = offset.wrapping_add(body.as_scalar_constant(added)? as u64);
                address = base;
            }
            _ => return None,
        }
    }
    None
}
