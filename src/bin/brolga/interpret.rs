//! `brolga interpret`.

use std::io::{self, BufWriter, Stderr, Write};

use brolga_ir::interpret::{CallError, Interpreter, Limits, Trace, Traced};
use brolga_ir::trap::TrapCode;
use clap::Args;

use crate::call::{Call, Callee, results_line};
use crate::failure::Failure;
use crate::output;
use crate::sources::Sources;

const EXAMPLES: &str = "\
Examples:
  brolga interpret examples/nbody.bir
  brolga interpret --entry gcd --trace gcd.bir -- 1071 462
  brolga interpret --steps 1000000 endless.bir";

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
    let sources = arguments.call.sources()?;
    sources.verify()?;
    let callee = arguments.call.callee(&sources)?;
    let (Callee::Function { module, id } | Callee::Program { module, id }) = callee;
    let values = arguments.call.values(&sources.modules[module], id)?;
    let limits = Limits { steps: arguments.steps, ..Limits::default() };
    let setup = sources.modules.iter().fold(Interpreter::setup(), |it, module| it.module(module));
    let mut interpreter = setup.limits(limits).build().map_err(Failure::module)?;
    if arguments.trace {
        interpreter.trace(Box::new(Printer(BufWriter::new(io::stderr()))));
    }
    let outcome = interpreter.call(arguments.call.entry(), &values);
    let printed = interpreter.take_output();
    // The trace ends before whatever else goes to standard error.
    drop(interpreter);
    output::print(&printed)?;
    let results = outcome.map_err(|error| failure(error, arguments.steps, &sources))?;
    output::print(results_line(&sources.modules[module], id, &results).as_bytes())
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
