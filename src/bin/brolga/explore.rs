//! `brolga explore`.

mod data;
mod flow;
mod lines;
mod page;
mod recorder;

use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lowering::emit::{Compiler, Listing};
use brolga_lowering::options::LowerOptions;
use brolga_lowering::pipeline::{
    Inspection, Inspector, Level, Remarks, Report, RunOptions, Timing, Watcher, run_passes,
};
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use clap::Args;

use crate::failure::Failure;
use crate::functions;
use crate::input::{Input, TextForm};
use crate::output;
use crate::pass_options::{PassOptions, Wanted};
use data::{Code, Page};
use recorder::Recorder;

const EXAMPLES: &str = "\
Examples:
  brolga explore examples/nbody.bir --out nbody.html
  brolga explore -O3 --function advance examples/nbody.bir --out advance.html
  brolga explore --passes=O0,dce,simplify_cfg module.bir --out module.html

In the page, `?` lists its keys.";

/// The most functions of a page.
const MOST_FUNCTIONS: usize = 400;

/// Makes a page of what the passes do to a module, step by step
///
/// The page is one file of HTML that needs nothing else, and no network. For each function it
/// has the text behind each pass with what changed, a picture of the blocks, what the back end
/// is given and makes of it, remarks beside the lines that they are about, times and counts.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    #[command(flatten)]
    list: PassOptions,
    /// Of this function alone; may be said again for others
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// The target: a CPU, `TRIPLE/CPU,+FEATURE,-FEATURE` or `host`, as `brolga targets` lists them
    #[arg(long, value_name = "TARGET", default_value = "host")]
    target: String,
    /// Leave out how long passes took: two pages of one module are then the same
    #[arg(long)]
    no_times: bool,
    /// Where to write the page instead of standard output
    #[arg(short, long, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn explore(arguments: &Arguments) -> Result<(), Failure> {
    let spec = TargetSpec::parse(&arguments.target).map_err(Failure::usage)?;
    let isa = Isa::new(spec, IsaOptions::default()).map_err(Failure::module)?;
    let wanted = arguments.list.wanted()?.unwrap_or_else(|| Wanted::of(Level::default()));
    if arguments.out.is_none() && io::stdout().is_terminal() {
        return Err(Failure::usage("a page is for a browser; name a file with `--out`"));
    }
    let input = Input::read(&arguments.file, arguments.form)?;
    let module = input.verified()?;
    let ids = selected(&module, &arguments.function)?;
    let timing = if arguments.no_times { Timing::Off } else { Timing::On };
    let (mut page, failure) = watch(&module, &ids, &wanted, &isa, timing);
    for (function, &id) in page.functions.iter_mut().zip(&ids) {
        let code = |listing| listed(&module, id, &wanted, &isa, listing);
        (function.clif, function.assembly) = (code(Listing::Clif), code(Listing::Assembly));
    }
    page.file = input.name().to_owned();
    page.source = input.text().lines().map(str::to_owned).collect();
    page.failure.clone_from(&failure);
    output::write(arguments.out.as_deref(), page::html(&page)?.as_bytes())?;
    failure.map_or(Ok(()), |failure| Err(Failure::module(failure)))
}

/// The functions of those names, or all that have bodies.
fn selected(module: &Module, names: &[String]) -> Result<Vec<FuncId>, Failure> {
    let has_body = |function: &brolga_ir::module::Function| function.body.is_some();
    let named = names.iter().map(|name| functions::find(module, name, "--function", has_body));
    let mut ids: Vec<FuncId> = named.collect::<Result<_, _>>()?;
    if ids.is_empty() {
        let bodies = module.functions().filter(|(_, function)| has_body(function));
        ids = bodies.map(|(id, _)| id).collect();
    }
    ids.sort();
    ids.dedup();
    match ids.len() {
        0 => Err(Failure::module("no function of the module has a body")),
        1..=MOST_FUNCTIONS => Ok(ids),
        count => {
            let message = format!("{count} functions are more than the {MOST_FUNCTIONS} of a page");
            Err(functions::missing(module, &message, "--function", has_body))
        }
    }
}

/// Runs the passes, and writes down what they do; why they stopped, if they did.
fn watch(
    module: &Module,
    ids: &[FuncId],
    wanted: &Wanted,
    isa: &Isa,
    timing: Timing,
) -> (Page, Option<String>) {
    let recorder = Arc::new(Recorder::new(module, ids, wanted));
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let watcher = Arc::clone(&recorder) as Arc<dyn Watcher>;
    let inspector = Inspector::new(inspection, None).watched(watcher);
    let options = RunOptions { timing, inspector: Some(&inspector), ..RunOptions::new(isa.spec()) };
    let mut module = module.clone();
    let mut report = Report::default();
    let run = || run_passes(&mut module, &wanted.passes, &options, &mut report);
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.err().map(|error| error.to_string()),
        Err(_) => Some("a pass panicked; report it with the module".to_owned()),
    };
    let mut page = recorder.page();
    page.target = isa.spec().to_string();
    (page, failure)
}

/// A listing of a function behind the passes, or why there is none.
fn listed(module: &Module, id: FuncId, wanted: &Wanted, isa: &Isa, listing: Listing) -> Code {
    let options = LowerOptions { level: wanted.level, ..LowerOptions::default() };
    match Compiler::new().list_behind(module, id, &wanted.passes, isa, &options, listing) {
        Ok(text) => Code::Text(text.trim_end().to_owned()),
        Err(error) => Code::Missing(error.to_string()),
    }
}
