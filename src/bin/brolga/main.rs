//! The command `brolga`: checks, formats, runs, interprets, compiles, optimises, draws and
//! races modules of the IR, its own text or LLVM IR.

mod bench;
mod border;
mod call;
mod cfg;
mod check;
mod compile;
mod explore;
mod export;
mod failure;
mod fmt;
mod functions;
mod import;
mod input;
mod inspection;
mod interpret;
mod level;
mod opt;
mod output;
mod pass_options;
mod passes;
mod program;
mod reduce;
mod render;
mod run;
mod sources;
mod targets;
mod threads;
mod tools;
mod trap;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0  all went well
  1  the module is wrong, or cannot be compiled or linked; `fmt --check` would change it
  2  the command line is wrong, or a file cannot be read or written
  3  the program was stopped: by a trap, a limit, or an exception that nobody handled
A whole program gives its own code, whatever it is, once it has begun.";

/// Checks, formats, runs, interprets, compiles, draws and races modules of Brolga's IR and
/// of LLVM's.
///
/// FILE is a module in text, our own (.bir) or LLVM IR (.ll); `-` is standard input.
#[derive(Parser)]
#[command(name = "brolga", version, after_help = EXIT_CODES, arg_required_else_help = true)]
#[command(max_term_width = 100)]
struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Run(run::Arguments),
    Interpret(interpret::Arguments),
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Compile(compile::Arguments),
    Opt(opt::Arguments),
    Cfg(cfg::Arguments),
    Explore(explore::Arguments),
    Reduce(reduce::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
    Bench(bench::Arguments),
    Passes(passes::Arguments),
    Targets(targets::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse().task {
        Task::Run(arguments) => run::run(&arguments),
        Task::Interpret(arguments) => interpret::interpret(&arguments),
        Task::Check(arguments) => check::check(&arguments),
        Task::Fmt(arguments) => fmt::format(&arguments),
        Task::Compile(arguments) => compile::compile(&arguments),
        Task::Opt(arguments) => opt::optimise(&arguments),
        Task::Cfg(arguments) => cfg::draw(&arguments),
        Task::Explore(arguments) => explore::explore(&arguments),
        Task::Reduce(arguments) => reduce::reduce(&arguments),
        Task::Import(arguments) => import::import(&arguments),
        Task::Export(arguments) => export::export(&arguments),
        Task::Bench(arguments) => bench::bench(&arguments),
        Task::Passes(passes::Arguments {}) => passes::list(),
        Task::Targets(targets::Arguments {}) => targets::list(),
    };
    outcome.map_or_else(|failure| ExitCode::from(failure.report()), |()| ExitCode::SUCCESS)
}
