//! What it costs to read LLVM IR: our reader and LLVM's own take turns on the same texts,
//! those of all kernels in one module of 10 MB, as front ends and LLVM's passes leave them.
//! Fails where ours is slower, or takes more than twenty times the text in memory.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a bench answers on the terminal")]

mod llvm;

use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brolga::ir::llvm::{ReadOptions, read_module};
use brolga_benches::join::joined;
use brolga_benches::kernel::KERNELS;
use brolga_benches::source::{Form, Suite};
use brolga_benches::toolchain::Toolchain;
use brolga_testing::allocation::{Counting, begin, most_since};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes of each text, and how often each reader reads it.
struct Size {
    bytes: usize,
    rounds: usize,
}

/// Reading may take so many bytes of memory for each of the text.
const MOST_MEMORY: f64 = 20.0;

fn main() -> ExitCode {
    let is_bench = std::env::args().any(|word| word == "--bench");
    // As a test, the bench shows that it works; what it measures then says nothing.
    let size = match is_bench {
        true => Size { bytes: 10_000_000, rounds: 9 },
        false => Size { bytes: 100_000, rounds: 1 },
    };
    match run(&size) {
        Ok(passes) if passes || !is_bench => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads every form of the kernels; whether all went as well as they must.
fn run(size: &Size) -> Result<bool, Box<dyn Error>> {
    let (tools, suite) = (Toolchain::find()?, Suite::of_repository());
    println!("form         |    bytes |     ours |     LLVM | ours / LLVM | bytes of memory each");
    let mut passes = true;
    for form in Form::ALL {
        let mut texts = Vec::new();
        for kernel in KERNELS {
            texts.push(std::fs::read_to_string(suite.kernel_text(&tools, kernel, form)?)?);
        }
        let text = joined(&texts, size.bytes);
        let (ratio, memory) = race(form.name(), &text, size.rounds)?;
        passes &= ratio <= 1.0 && memory <= MOST_MEMORY;
    }
    Ok(passes)
}

/// Lets both readers take turns: the median of the ratios, and the memory of ours for each
/// byte of the text.
fn race(name: &str, text: &str, rounds: usize) -> Result<(f64, f64), Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        times.push((ours(text)?, llvm::read(text)?));
    }
    let before = begin();
    ours(text)?;
    let memory = most_since(before) as f64 / text.len() as f64;
    let ratios = times.iter().map(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64());
    let ratio = median(ratios.collect());
    let milliseconds = |times: Vec<Duration>| {
        median(times.into_iter().map(|time| time.as_secs_f64() * 1e3).collect())
    };
    let (ours, theirs): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    println!(
        "{name:12} | {:8} | {:5.1} ms | {:5.1} ms | {ratio:11.2} | {memory:20.1}",
        text.len(),
        milliseconds(ours),
        milliseconds(theirs),
    );
    Ok((ratio, memory))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// How long our reader takes.
fn ours(text: &str) -> Result<Duration, Box<dyn Error>> {
    let options = ReadOptions::default();
    let began = Instant::now();
    let module = black_box(read_module(black_box(text), &options));
    let took = began.elapsed();
    match module {
        Ok(_) => Ok(took),
        Err(errors) => Err(errors[0].to_string().into()),
    }
}
