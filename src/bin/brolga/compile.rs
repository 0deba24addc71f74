//! `brolga compile`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lowering::emit::{Compiler, Listing};
use brolga_lowering::object::write_object;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::functions;
use crate::input::{Input, TextForm};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  brolga compile examples/nbody.bir
  brolga compile --emit=clif --function advance examples/nbody.bir
  brolga compile --target aarch64-linux/neoverse-n1 examples/nbody.bir
  brolga compile --emit=obj -o nbody.o examples/nbody.bir";

/// Shows what becomes of a module, for any target
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    /// What to make of it
    #[arg(long, value_enum, default_value_t = Form::Asm)]
    emit: Form,
    /// The target: a CPU, `TRIPLE/CPU,+FEATURE,-FEATURE` or `host`, as `brolga targets` lists them
    #[arg(long, value_name = "TARGET", default_value = "host")]
    target: String,
    /// This function alone, in a listing
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where to write it instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// What the back end is given, in its own language
    Clif,
    /// Machine code, as text
    Asm,
    /// A standard object file
    Obj,
}

pub(crate) fn compile(arguments: &Arguments) -> Result<(), Failure> {
    let spec = TargetSpec::parse(&arguments.target).map_err(Failure::usage)?;
    let isa = Isa::new(spec, IsaOptions::default()).map_err(Failure::module)?;
    let listing = match arguments.emit {
        Form::Clif => Some(Listing::Clif),
        Form::Asm => Some(Listing::Assembly),
        Form::Obj => None,
    };
    if listing.is_none() {
        check_object(arguments)?;
    }
    let module = Input::read(&arguments.file, arguments.form)?.verified()?;
    let bytes = match listing {
        Some(listing) => list(&module, arguments, &isa, listing)?.into_bytes(),
        None => write_object(&mut Compiler::new(), &module, &isa, &LowerOptions::default())
            .map_err(Failure::module)?,
    };
    output::write(arguments.output.as_deref(), &bytes)
}

/// Refuses what would make no sense of an object.
fn check_object(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.function.is_some() {
        return Err(Failure::usage("an object holds a whole module; leave out `--function`"));
    }
    if arguments.output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::usage("an object is no text; name a file with `-o`"));
    }
    Ok(())
}

/// The listings of the functions asked for, each behind its name.
fn list(
    module: &Module,
    arguments: &Arguments,
    isa: &Isa,
    listing: Listing,
) -> Result<String, Failure> {
    let ids: Vec<FuncId> = match &arguments.function {
        Some(name) => {
            vec![functions::find(module, name, "--function", |f| f.body.is_some())?]
        }
        None => module.functions().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect(),
    };
    let mut compiler = Compiler::new();
    let mut text = format!("; target {}\n", isa.spec());
    for id in ids {
        let code = compiler
            .list_function(module, id, isa, &LowerOptions::default(), listing)
            .map_err(Failure::module)?;
        let name = module.function(id).map_or("", |function| &function.name);
        text += &format!("\n; @{}\n{}\n", name.escape_debug(), code.trim_end());
    }
    Ok(text)
}
