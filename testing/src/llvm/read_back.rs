//! A text of the writer's, read again and run by the interpreter: what stands around
//! it is a host's.

use std::sync::{Arc, Mutex, PoisonError};

use brolga_ir::body::Initial;
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, HostError, HostFunctions, Interpreter, Limits};
use brolga_ir::llvm::{ReadOptions, read_module};
use brolga_ir::module::Module;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::Reset;
use super::program::{is_compared, name_of};
use crate::compare::LIMITS;
use crate::host::{HostState, models};

/// What a program may use up: one of our instructions is several of LLVM's, and some of
/// our tail calls keep their frames there.
const READ_LIMITS: Limits = Limits { steps: 16 * LIMITS.steps, depth: 1_000_000, ..LIMITS };

/// What the last call left: a record as the surroundings of LLVM write it.
type Record = Arc<Mutex<Option<Vec<u8>>>>;

fn record(code: u32, side: u32, bytes: &[u8]) -> Vec<u8> {
    let size = bytes.len() as u64;
    [&code.to_le_bytes(), &side.to_le_bytes(), &size.to_le_bytes()[..], bytes].concat()
}

/// What LLVM's own tools would have written when they run the text: a record of each
/// call, then the data objects that are compared.
///
/// # Errors
/// If the text cannot be read or linked, or a call ends in no way that it may.
pub(super) fn run(
    module: &Module,
    text: &str,
    calls: usize,
    reset: Reset,
) -> Result<Vec<u8>, String> {
    // Exits are handed their values with the padding between them.
    let options = ReadOptions { slots: Initial::Zeroed, ..ReadOptions::default() };
    let read = read_module(text, &options).map_err(|errors| {
        let lines: Vec<String> =
            errors.iter().take(3).map(|it| format!("{}: {}", it.line, it.message)).collect();
        format!("the text cannot be read: {}", lines.join("; "))
    })?;
    let ended = Record::default();
    let build = || {
        let mut host = models(&HostState::default());
        define_exits(&mut host, &ended);
        let setup = Interpreter::setup().module(&read).limits(READ_LIMITS).host(host);
        setup.build().map_err(|error| format!("the module that was read: {error}"))
    };
    let mut interpreter = build()?;
    let mut output = Vec::new();
    for number in 0..calls {
        if reset == Reset::EachCall && number > 0 {
            interpreter = build()?;
        }
        let outcome = interpreter.call(&name_of(number), &[]);
        let left = ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (left, outcome) {
            (Some(left), _) => output.extend(left),
            (None, Err(CallError::Trap(trap))) => {
                output.extend(record(trap.code.number(), 0, &[]));
            }
            (None, other) => return Err(format!("call {number} ends with {other:?}")),
        }
    }
    for (_, object) in module.data_objects().filter(|(_, object)| is_compared(object)) {
        let bytes = interpreter.data(&object.name).unwrap_or_default();
        output.extend((bytes.len() as u64).to_le_bytes());
        output.extend(bytes);
    }
    Ok(output)
}

/// The functions that the writer's texts leave by.
fn define_exits(host: &mut HostFunctions, ended: &Record) {
    let end = |ended: &Record, left: Vec<u8>| {
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
        Err(HostError::failed("the call has ended"))
    };
    let number = |args: &[Datum], index: usize| args.get(index).map_or(0, Datum::bits);
    let own = Arc::clone(ended);
    host.define("brolga.trap", &[Type::I32], &[], move |_, args| {
        end(&own, record(number(args, 0) as u32, 0, &[]))
    });
    let own = Arc::clone(ended);
    let params = [Type::I32, Type::I32, Type::PTR, Type::I64];
    host.define("brolga.exit", &params, &[], move |call, args| {
        let mut bytes = vec![0; number(args, 3) as usize];
        call.memory().read(number(args, 2) as u64, &mut bytes)?;
        end(&own, record(number(args, 0) as u32, number(args, 1) as u32, &bytes))
    });
    let own = Arc::clone(ended);
    host.define("brolga.throw", &[Type::REF], &[], move |_, args| {
        let reference = number(args, 0) as u64;
        end(&own, record(TrapCode::UncaughtException.number(), 0, &reference.to_le_bytes()))
    });
    host.define("brolga.current_exception", &[], &[Type::REF], |_, _| Ok(vec![Datum::Scalar(0)]));
}
