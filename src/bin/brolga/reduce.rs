//! `brolga reduce`.

mod calls;
mod check;
mod child;
mod search;

use std::path::PathBuf;
use std::time::Duration;

use brolga_ir::module::Module;
use brolga_lowering::pipeline::Level;
use brolga_lowering::target::TargetSpec;
use clap::{ArgGroup, Args};

use crate::failure::Failure;
use crate::input::{Input, TextForm};
use crate::output;
use crate::pass_options::{PassOptions, Wanted};
use crate::render::{Problem, render};
use check::Check;
use child::Child;
use search::{Case, search};

const EXAMPLES: &str = "\
Examples:
  brolga reduce --check=crash -O2 module.bir --out small.bir
  brolga reduce --check=differs --passes=O0,gvn module.bir --out small.bir
  brolga reduce --command './still-wrong.sh {}' module.ll --out small.bir";

/// Makes a module that fails as small as the failure lets it be
///
/// Whatever can go while the module still fails in the same way goes: functions, ways out of
/// blocks, instructions, parameters, data. So do passes, which gives the shortest list of them.
/// Each module is tried in a process of its own, which may crash or hang.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("what").required(true).args(["check", "command"]))]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    /// How it fails
    #[arg(long, value_enum, value_name = "CHECK")]
    check: Option<Check>,
    /// A program that exits with 0 while the module is still interesting: words with spaces
    /// between, where `{}` is the file of a module
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["passes", "level"])]
    command: Option<String>,
    #[command(flatten)]
    list: PassOptions,
    /// The target: a CPU, `TRIPLE/CPU,+FEATURE,-FEATURE` or `host`, as `brolga targets` lists them
    #[arg(long, value_name = "TARGET", default_value = "host")]
    target: String,
    /// How many modules are tried at most
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    tries: usize,
    /// What takes more seconds hangs
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    patience: u64,
    /// Only say how the module fails, with exit code 0, or that it does not, with 1
    #[arg(long, requires = "check")]
    once: bool,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn reduce(arguments: &Arguments) -> Result<(), Failure> {
    let target = TargetSpec::parse(&arguments.target).map_err(Failure::usage)?;
    let wanted = match arguments.command {
        Some(_) => Wanted { passes: Vec::new(), said: String::new(), level: Level::default() },
        None => arguments.list.wanted()?.unwrap_or_else(|| Wanted::of(Level::default())),
    };
    let input = Input::read(&arguments.file, arguments.form)?;
    let module = input.verified()?;
    let runs = match arguments.check {
        Some(Check::Crash | Check::Verifier) => Vec::new(),
        Some(Check::Differs) | None => calls::run_lines(&input.text()),
    };
    let case = Case { module, runs, passes: wanted.passes.clone() };
    if let (true, Some(check)) = (arguments.once, arguments.check) {
        return once(&case, check, &target, &wanted);
    }
    let mut child = Child::new(arguments, Duration::from_secs(arguments.patience))?;
    let mut progress = |text: &str| output::print_error(&format!("reduce: {text}"));
    let mut judge = |case: &Case| child.judge(case);
    let found = search(case, arguments.tries, &mut judge, &mut progress);
    if let Some(failure) = child.into_failure() {
        return Err(failure);
    }
    let (small, kind) = found.ok_or_else(|| sound(arguments, &wanted))?;
    let how = match (&arguments.command, arguments.check) {
        (Some(command), _) => format!("--command '{command}'"),
        (None, check) => {
            let check = check.map_or("", Check::name);
            format!("--check={check} --passes={}", small.spelled())
        }
    };
    progress(&format!("fails with {how}: {kind}"));
    // What failed may say so in several lines, and so may the command.
    let said = format!("brolga reduce {how}: {kind}").replace('\n', "\n; ");
    let text = format!("{}\n\n; {said}\n", small.text().trim_end());
    output::write(arguments.out.as_deref(), text.as_bytes())
}

/// Says how a module fails, in this process.
fn once(case: &Case, check: Check, target: &TargetSpec, wanted: &Wanted) -> Result<(), Failure> {
    match check.failure(case, target) {
        Some(failure) => output::print(format!("{failure}\n").as_bytes()),
        None => {
            let said = &wanted.said;
            Err(Failure::module(format_args!(
                "the module does not fail `{}` with `{said}`",
                check.name()
            )))
        }
    }
}

/// The failure that there is nothing to reduce.
fn sound(arguments: &Arguments, wanted: &Wanted) -> Failure {
    let (message, help) = match (&arguments.command, arguments.check) {
        (Some(command), _) => (
            format!("`{command}` does not exit with 0 for the module as it is"),
            "it is to do so while the module is interesting; `{}` stands for the file".to_owned(),
        ),
        (None, check) => (
            format!(
                "the module does not fail: `--check={}` with `{}`",
                check.map_or("", Check::name),
                wanted.said
            ),
            check.map_or("", Check::other_ways).to_owned(),
        ),
    };
    let mut problem = Problem::new(message);
    problem.help = Some(help);
    Failure::Module(render(None, &problem))
}

/// The names of the functions that `run` lines call.
fn called(runs: &[String]) -> Vec<String> {
    calls::runs_of(runs).into_iter().map(|(_, run)| run.function).collect()
}

/// A module as text, with the lines behind it.
fn text_with(module: &Module, lines: &[String]) -> String {
    let mut text = brolga_ir::text::print_module(module);
    if !lines.is_empty() {
        text.push('\n');
    }
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    text
}
