//! `brolga opt`.

use std::path::PathBuf;

use brolga_ir::entity::DataId;
use brolga_ir::module::{Linkage, Module};
use brolga_ir::text::print_module;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::pipeline::{Inspector, Pass, Report, RunOptions, run_passes};
use brolga_lowering::target::TargetSpec;
use clap::Args;

use crate::border::Border;
use crate::failure::Failure;
use crate::functions;
use crate::input::{Input, TextForm};
use crate::inspection::InspectionOptions;
use crate::output;
use crate::pass_options::{PassOptions, Wanted};

const EXAMPLES: &str = "\
Examples:
  brolga opt -O2 examples/nbody.bir
  brolga opt --passes=expand_handlers,flatten_aggregates examples/nbody.bir
  brolga opt -O0 --emit=bir@before=legalize module.bir | brolga opt --passes=legalize -
  brolga opt -O2 --print-after=changed --print-only=advance examples/nbody.bir";

/// Runs passes over a module, and prints what comes out
///
/// Which passes there are, and what they do, `brolga passes` tells. What comes out reads
/// and verifies again, so that a pass can be tried alone on what others left.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    #[command(flatten)]
    list: PassOptions,
    /// Where to stop: `bir` behind the last pass, `bir@before=PASS` before a pass first runs,
    /// `bir@after=PASS` behind its last run
    #[arg(long, value_name = "FORM", default_value = "bir", value_parser = border)]
    emit: Border,
    /// The target: a CPU, `TRIPLE/CPU,+FEATURE,-FEATURE` or `host`, as `brolga targets` lists them
    #[arg(long, value_name = "TARGET", default_value = "host")]
    target: String,
    /// This function alone, with declarations of what it names
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    inspection: InspectionOptions,
}

fn border(text: &str) -> Result<Border, String> {
    text.parse().map_err(|()| "there is bir, bir@before=PASS and bir@after=PASS".to_owned())
}

pub(crate) fn optimise(arguments: &Arguments) -> Result<(), Failure> {
    let target = TargetSpec::parse(&arguments.target).map_err(Failure::usage)?;
    let inspection = arguments.inspection.inspection()?;
    let listed = || inspection.passes.as_ref().map(Wanted::listed);
    let wanted = arguments.list.wanted()?.or_else(listed).ok_or_else(|| {
        Failure::usage("say what is to run: a level, -O0 to -O3, or a list, `--passes=LIST`")
    })?;
    let passes = arguments.emit.cut(&wanted.passes, &format!("`{}`", wanted.said))?;
    let inspector = arguments.inspection.inspector()?;
    let mut module = Input::read(&arguments.file, arguments.form)?.verified()?;
    if let Some(name) = &arguments.function {
        module = alone(&module, name)?;
    }
    transform(&mut module, passes, &target, &inspector)?;
    verify_module(&module, &Options::default()).map_err(|errors| {
        let text = "a defect of the passes: what they leave does not verify; find which it is \
                    by `--verify-each`, and report it";
        Failure::module(format_args!("{text}\n{errors}"))
    })?;
    output::write(arguments.output.as_deref(), print_module(&module).as_bytes())
}

/// The module of one function, which declares what that names.
pub(crate) fn alone(module: &Module, name: &str) -> Result<Module, Failure> {
    let id = functions::find(module, name, "--function", |function| function.body.is_some())?;
    let extract = module.extract(id).ok_or_else(|| Failure::module("the function is gone"))?;
    let mut alone = extract.module;
    let named: Vec<DataId> = alone.data_objects().map(|(id, _)| id).collect();
    for id in named {
        // What they hold stayed behind.
        if let Some(object) = alone.data_mut(id).filter(|object| !object.linkage.is_foreign()) {
            object.linkage = Linkage::Import;
        }
    }
    Ok(alone)
}

/// Runs passes over a module, and shows what is asked of them.
pub(crate) fn transform(
    module: &mut Module,
    passes: &[&'static Pass],
    target: &TargetSpec,
    inspector: &Inspector,
) -> Result<(), Failure> {
    let options = RunOptions { inspector: Some(inspector), ..RunOptions::new(target) };
    let mut report = Report::default();
    let result = run_passes(module, passes, &options, &mut report);
    inspector.conclude(&report);
    result.map_err(Failure::module)
}
