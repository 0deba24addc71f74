//! `brolga interpret`.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Stderr, Write};

use brolga_ir::body::Initial;
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{
    CallError, Interpreter, Limits, Memory, MemoryError, NewObject, ObjectKind, Trace, Traced,
};
use brolga_ir::llvm;
use brolga_ir::report::Trap;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Layout;
use clap::Args;

use crate::call::{Call, Callee, MAIN, results_line};
use crate::failure::Failure;
use crate::output;
use crate::sources::Sources;

const EXAMPLES: &str = "\
Examples:
  brolga interpret examples/nbody.bir
  brolga interpret --entry gcd --trace gcd.bir -- 1071 462
  brolga interpret --steps 1000000 endless.bir
  brolga interpret program.ll -- its arguments";

/// Runs a module in the reference interpreter, which is what the language means
///
/// It takes every module that verifies, checks every access to memory and the
/// promises that it can see, and has models of common C functions. Nothing
/// outside can be harmed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    call: Call,
    /// Stop the program after that many instructions
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    steps: u64,
    /// Print each instruction and what it gave to standard error
    #[arg(long)]
    trace: bool,
}

pub(crate) fn interpret(arguments: &Arguments) -> Result<(), Failure> {
    // Programs copy parts of what they have not stored to, which the language calls a fault.
    let sources = arguments.call.sources(Initial::Zeroed)?;
    sources.verify()?;
    let callee = arguments.call.callee(&sources)?;
    let values = match callee {
        Callee::Function { module, id } => arguments.call.values(&sources.modules[module], id)?,
        Callee::Program { .. } => Vec::new(),
    };
    let limits = Limits { steps: arguments.steps, ..Limits::default() };
    let setup = sources.modules.iter().fold(Interpreter::setup(), |it, module| it.module(module));
    let mut interpreter = setup.limits(limits).build().map_err(Failure::module)?;
    if arguments.trace {
        interpreter.trace(Box::new(Printer(BufWriter::new(io::stderr()))));
    }
    let outcome = match callee {
        Callee::Function { .. } => interpreter.call(arguments.call.entry(), &values),
        Callee::Program { module, id } => {
            let words = arguments.call.words(module);
            let parameters = sources.modules[module].signature_of(id).params.len();
            program(&mut interpreter, &sources, &words, parameters)
        }
    };
    let printed = interpreter.take_output();
    // The trace ends before whatever else goes to standard error.
    drop(interpreter);
    output::print(&printed)?;
    let results = outcome.map_err(|error| failure(error, arguments.steps, &sources))?;
    let (Callee::Function { module, id } | Callee::Program { module, id }) = callee;
    output::print(results_line(&sources.modules[module], id, &results).as_bytes())
}

/// Runs a whole program, whose end is that it has exited.
fn program(
    interpreter: &mut Interpreter<'_>,
    sources: &Sources,
    words: &[&OsStr],
    parameters: usize,
) -> Result<Vec<Datum>, CallError> {
    let arguments = vectors(interpreter.memory(), words);
    let arguments =
        arguments.map_err(|error| CallError::Trap(Box::new(Trap::new(error.code()))))?;
    let first = |count: usize| &arguments[..count.min(arguments.len())];
    for (name, parameters) in sources.in_order(llvm::constructors) {
        interpreter.call(name, first(parameters))?;
    }
    let main = interpreter.call(MAIN, first(parameters));
    let status = match main {
        Ok(results) => results.first().map_or(0, |status| status.bits() as i32),
        Err(CallError::Exited { status }) => status,
        Err(error) => return Err(error),
    };
    interpreter.call_at_exit()?;
    let mut destructors = sources.in_order(llvm::destructors);
    destructors.reverse();
    for (name, _) in destructors {
        interpreter.call(name, &[])?;
    }
    Err(CallError::Exited { status })
}

/// What `main` is called with: the count of the words, their addresses, and an environment
/// that is empty, so that a program does the same every time.
fn vectors(memory: &mut dyn Memory, words: &[&OsStr]) -> Result<[Datum; 3], MemoryError> {
    let mut object = |bytes: &[u8], align: u64| -> Result<u64, MemoryError> {
        let layout = Layout { size: bytes.len() as u64, align };
        let address = memory.allocate(&NewObject::zeroed(ObjectKind::Heap, layout, 0))?;
        memory.initialise(address, bytes)?;
        Ok(address)
    };
    let mut addresses = Vec::new();
    for word in words {
        let address = object(&[word.as_encoded_bytes(), b"\0"].concat(), 1)?;
        addresses.extend(address.to_le_bytes());
    }
    let end = 0_u64.to_le_bytes();
    addresses.extend(end);
    let (arguments, environment) = (object(&addresses, 8)?, object(&end, 8)?);
    let count = Datum::from(words.len() as u32);
    Ok([count, Datum::from(arguments), Datum::from(environment)])
}

fn failure(error: CallError, steps: u64, sources: &Sources) -> Failure {
    match error {
        CallError::Trap(trap) => {
            let out = trap.code == TrapCode::OutOfFuel;
            sources.stopped(&trap, out.then(|| format!("give it more than `--steps {steps}`")))
        }
        CallError::Exited { status } => Failure::Exited(status),
        other => Failure::module(other),
    }
}

/// Prints what is executed, indented by the depth of calls.
struct Printer(BufWriter<Stderr>);

impl Trace for Printer {
    fn executed(&mut self, step: &Traced<'_>) {
        let indent = 2 * step.depth.saturating_sub(1).min(40);
        // If standard error is closed nobody reads the trace.
        let _ = writeln!(self.0, "{:indent$}{step}", "");
    }
}
