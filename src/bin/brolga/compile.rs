//! `brolga compile`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use brolga_ir::module::Module;
use brolga_ir::text::print_module;
use brolga_lowering::emit::{Compiler, Listing};
use brolga_lowering::object::write_object;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::pipeline::{Inspector, passes_wanted};
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use clap::Args;

use crate::border::Border;
use crate::failure::Failure;
use crate::functions;
use crate::input::{Input, TextForm};
use crate::inspection::InspectionOptions;
use crate::level::LevelOption;
use crate::opt::{alone, transform};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  brolga compile examples/nbody.bir
  brolga compile --emit=clif --function advance examples/nbody.bir
  brolga compile --emit=bir@before=legalize --function advance examples/nbody.bir
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
    #[command(flatten)]
    level: LevelOption,
    /// What to make of it: `asm`, machine code as text; `clif`, what the back end is given, in
    /// its own language; `obj`, a standard object file; `bir`, our own text behind all passes;
    /// `bir@before=PASS` and `bir@after=PASS`, our own text where `brolga passes` says
    #[arg(long, value_name = "FORM", default_value = "asm", value_parser = form)]
    emit: Form,
    /// The target: a CPU, `TRIPLE/CPU,+FEATURE,-FEATURE` or `host`, as `brolga targets` lists them
    #[arg(long, value_name = "TARGET", default_value = "host")]
    target: String,
    /// This function alone, in a listing or a text
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    inspection: InspectionOptions,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// A listing.
    Listing(Listing),
    /// A standard object file.
    Object,
    /// Our own text.
    Text(Border),
}

fn form(text: &str) -> Result<Form, String> {
    let others = || "there is asm, clif, obj, bir, bir@before=PASS and bir@after=PASS".to_owned();
    Ok(match text {
        "asm" => Form::Listing(Listing::Assembly),
        "clif" => Form::Listing(Listing::Clif),
        "obj" => Form::Object,
        _ => Form::Text(Border::from_str(text).map_err(|()| others())?),
    })
}

pub(crate) fn compile(arguments: &Arguments) -> Result<(), Failure> {
    let spec = TargetSpec::parse(&arguments.target).map_err(Failure::usage)?;
    let isa = Isa::new(spec, IsaOptions::default()).map_err(Failure::module)?;
    if arguments.emit == Form::Object {
        check_object(arguments)?;
    }
    let options = LowerOptions { level: arguments.level.level()?, ..LowerOptions::default() };
    let inspector = arguments.inspection.inspector()?;
    let module = Input::read(&arguments.file, arguments.form)?.verified()?;
    let mut compiler = Compiler::new().inspected(Arc::clone(&inspector));
    let bytes = match &arguments.emit {
        Form::Listing(listing) => list(&module, arguments, &isa, &options, *listing, &mut compiler)
            .map(String::into_bytes),
        Form::Object => {
            write_object(&mut compiler, &module, &isa, &options).map_err(Failure::module)
        }
        Form::Text(border) => {
            lowered(module, arguments, &spec, border, &inspector).map(String::into_bytes)
        }
    };
    inspector.conclude(compiler.report());
    output::write(arguments.output.as_deref(), &bytes?)
}

/// The text of the module on its way down.
fn lowered(
    mut module: Module,
    arguments: &Arguments,
    target: &TargetSpec,
    border: &Border,
    inspector: &Inspector,
) -> Result<String, Failure> {
    let level = arguments.level.level()?;
    let options = LowerOptions { level, ..LowerOptions::default() };
    let list = inspector.inspection().passes.as_ref();
    let passes = passes_wanted(list, &options);
    let said = list.map_or_else(|| format!("-{}", level.name()), |it| format!("--passes={it}"));
    let passes = border.cut(&passes, &said)?;
    if let Some(name) = &arguments.function {
        module = alone(&module, name)?;
    }
    transform(&mut module, passes, target, inspector)?;
    Ok(print_module(&module))
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
    options: &LowerOptions,
    listing: Listing,
    compiler: &mut Compiler,
) -> Result<String, Failure> {
    let listings = match &arguments.function {
        Some(name) => {
            let id = functions::find(module, name, "--function", |f| f.body.is_some())?;
            let code = compiler.list_function(module, id, isa, options, listing);
            vec![(id, code.map_err(Failure::module)?)]
        }
        None => compiler.list_module(module, isa, options, listing).map_err(Failure::module)?,
    };
    let mut text = format!("; target {}\n", isa.spec());
    for (id, code) in listings {
        let name = module.function(id).map_or("", |function| &function.name);
        text += &format!("\n; @{}\n{}\n", name.escape_debug(), code.trim_end());
    }
    Ok(text)
}
