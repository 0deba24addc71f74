//! Repository tasks: `cargo xtask tidy`, `docs`, `linear`, `soak`, `scenario`,
//! `llvm`, `torture`, `corpus`, `kernels`, `bench-report`, `schedules`, `sanitize`.
//!
//! They know the repository, not the product: nothing here is published.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the repository answers on the terminal; only libraries print nothing"
)]

mod docs;
mod julia;
mod linear;
mod markdown;
mod repository;
mod rust_text;
mod sanitize;
mod schedules;
mod stencils;
mod tidy;

use std::process::ExitCode;

use repository::Repository;

const USAGE: &str = "\
Tasks of the repository, run from anywhere inside it.

usage: cargo xtask tidy [CHECK…]   what the compiler cannot see; all checks if none is named
       cargo xtask tidy --list     the checks, one line each
       cargo xtask docs            write what the tables generate
       cargo xtask linear [tenth]  count the work of compiling larger and larger programs, or
                                   such as are a tenth as large
       cargo xtask schedules [mutations]
                                   the primitives of lifecycle/ under loom and shuttle, or each
                                   fault built in that these must find
       cargo xtask sanitize [valgrind] [address] [miri] [thread]
                                   the engine's tests under what watches memory; all of these
                                   that the machine has, if none is named
       cargo xtask soak …          long runs of generated input; says more by itself
       cargo xtask scenario …      functions that come, change and go while threads run them;
                                   says more by --help
       cargo xtask llvm [--seed S] [--count N]
                                   N modules of 100 generated functions, written as LLVM IR
                                   and run by LLVM's own tools, against the interpreter
       cargo xtask llvm files [NAME…]
                                   the same with the runs of the test files; both need
                                   LLVM 22's opt and lli, on the path or in BROLGA_LLVM
       cargo xtask torture …       small C programs by way of clang's LLVM IR; says more by itself
       cargo xtask corpus …        C programs of others, run as LLVM IR against clang's own
                                   build of them; needs clang 22; says more by --help
       cargo xtask kernels [--llvm] [WORD…]
                                   every kernel of the suite, from clang's and rustc's text at
                                   -O0 and -O2: all back ends, and LLVM's lli with the text that
                                   we write of what we read, give the same; --llvm adds the
                                   levels of LLVM's libraries (see benches/README.md)
       cargo xtask bench-report …  race every back end, and write docs/benchmarks.md; needs LLVM
                                   (see benches/README.md) and a machine with nothing else to do
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy", "--list"] => {
            tidy::list();
            Ok(())
        }
        ["tidy", names @ ..] => {
            Repository::load().and_then(|repository| tidy::run(&repository, names))
        }
        ["linear"] => linear::check(linear::Share::Whole),
        ["linear", "tenth"] => linear::check(linear::Share::Tenth),
        ["schedules"] => schedules::check(),
        ["schedules", "mutations"] => {
            Repository::load().and_then(|repository| schedules::check_mutations(&repository))
        }
        ["sanitize", names @ ..] => sanitize::check(names),
        ["docs"] => Repository::load().and_then(|repository| docs::write(&repository)),
        ["soak", options @ ..] => run_released("soak", options),
        ["scenario", options @ ..] => run_released("scenario", options),
        ["llvm", "files", names @ ..] => run_released("llvm", names),
        ["llvm", options @ ..] => {
            let options = [&["--what", "llvm"][..], options].concat();
            run_released("soak", &options)
        }
        [program @ ("torture" | "corpus"), options @ ..] => run_with_command(program, options),
        ["kernels", "--llvm", words @ ..] => race("kernels", LLVM_RELEASED, words),
        ["kernels", words @ ..] => race("kernels", &["--release"], words),
        ["bench-report", options @ ..] => race("bench-report", LLVM_MEASURED, options),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// How programs of `benches/` are built that LLVM's levels are in, too.
const LLVM_RELEASED: &[&str] = &["--release", WITH_LLVM];
const LLVM_MEASURED: &[&str] = &["--profile=measured", WITH_LLVM];
const WITH_LLVM: &str = "--features=llvm";

/// Hands over to a program of `benches/` that starts those that race.
fn race(program: &str, built: &[&str], options: &[&str]) -> Result<(), String> {
    let mut racers = vec!["--bin=race"];
    if built.contains(&WITH_LLVM) {
        racers.push("--bin=race-llvm");
    }
    let (program, packages) = (format!("--bin={program}"), ["--quiet", "--package=brolga-benches"]);
    let built = [&packages, built].concat();
    cargo("build", &built, &racers)?;
    cargo("run", &built, &[&[&*program, "--"], options].concat())
}

/// Runs C programs, by a program that starts the command for each of them.
fn run_with_command(program: &str, options: &[&str]) -> Result<(), String> {
    cargo("build", RELEASED, &["--bin=brolga"])?;
    run_released(program, options)
}

/// Hands over to a program of `testing/`.
fn run_released(program: &str, options: &[&str]) -> Result<(), String> {
    let program = format!("--bin={program}");
    cargo("run", RELEASED, &[&[&*program, "--"], options].concat())
}

/// Built as the product is when it is published: that is several times as fast as a build for
/// development. No package is named, and the features are those of the README's commands: Cargo
/// unites the features of all packages that are meant, and builds what is below them anew where
/// these differ.
const RELEASED: &[&str] = &["--release", "--quiet", "--features=cli"];

fn cargo(command: &str, built: &[&str], more: &[&str]) -> Result<(), String> {
    let status = repository::cargo(command)
        .args(built)
        .args(more)
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}\n"))?;
    // What went wrong was said already.
    if status.success() { Ok(()) } else { Err(String::new()) }
}
