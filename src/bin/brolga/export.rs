//! `brolga export`.

use std::path::PathBuf;

use brolga_ir::llvm::{WriteError, write_module};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::report::{Frame, frames_at};
use clap::Args;

use crate::failure::Failure;
use crate::input::{Input, TextForm};
use crate::output;
use crate::render::{Extent, Place, Problem};

const EXAMPLES: &str = "\
Examples:
  brolga export examples/sieve.bir
  brolga export examples/sieve.bir -o sieve.ll && opt -O2 -S sieve.ll
  generate-code | brolga export - | clang -x ir -c -o code.o -";

/// Writes a module as LLVM IR
///
/// Under LLVM it does what it does here, down to shifts past the width and divisions by zero.
/// The text may declare functions whose names begin with `brolga.`, such as the one that a
/// trap calls: whoever links it defines them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn export(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::read(&arguments.file, arguments.form)?;
    let module = input.verified()?;
    let text = write_module(&module).map_err(|error| input.problem(&problem(&module, &error)))?;
    output::write(arguments.output.as_deref(), text.as_bytes())
}

/// What LLVM IR has no place for, and where that stands.
fn problem(module: &Module, error: &WriteError) -> Problem {
    let frame = match error {
        WriteError::Op { op, function } => find(module, *op, function),
        WriteError::Constructor { .. }
        | WriteError::Invalid(_)
        | WriteError::Name { .. }
        | WriteError::Taken { .. } => None,
    };
    let own = frame.filter(|frame| frame.file.is_none() && frame.line > 0);
    let place =
        own.map(|frame| Place { line: frame.line, column: frame.column, extent: Extent::Rest });
    Problem { place, ..Problem::new(error) }
}

/// Where the first such op of a function stands.
fn find(module: &Module, op: Op, function: &str) -> Option<Frame> {
    let id = module.function_named(function)?;
    let body = module.function(id)?.body.as_deref()?;
    let inst = body.layout.all_insts().find(|&inst| body.inst(inst).op == op)?;
    frames_at(module, id, body.inst(inst).loc).next()
}
