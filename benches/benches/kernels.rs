//! The kernel suite under Criterion: compile and run, of each kernel by each back end that
//! makes code in this process. A filter on the command line picks: `-- run/fib`.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;

use brolga_benches::backend::{self, Backend};
#[cfg(feature = "llvm")]
use brolga_benches::backend::{BackendError, LLVM};
use brolga_benches::kernel::{EXAMPLES, KERNELS};
use brolga_benches::source::{Form, Source, Suite};
use brolga_benches::toolchain::Toolchain;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

#[cfg(feature = "llvm")]
#[path = "../src/bin/race-llvm/llvm.rs"]
#[allow(dead_code, reason = "`race-llvm` writes object files, too")]
mod llvm;

/// The back ends that are compared here: the others are too slow to be called so often.
fn backends() -> Vec<(&'static str, Box<dyn Backend>)> {
    let quick = backend::NAMES
        .iter()
        .filter(|name| !["interpreter", "native", backend::PARALLEL].contains(name));
    quick.filter_map(|&name| Some((name, named(name).ok()?))).collect()
}

#[cfg(feature = "llvm")]
fn named(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    match name.strip_prefix(LLVM).map(llvm::Llvm::new).transpose()?.flatten() {
        Some(backend) => Ok(Box::new(backend)),
        None => backend::named(name),
    }
}

#[cfg(not(feature = "llvm"))]
use backend::named;

/// The sources, each with an argument of about a millisecond. Without the compilers only
/// the examples can be had.
fn sources() -> Vec<(&'static str, Source, i64)> {
    let suite = Suite::of_repository();
    let mut sources = Vec::new();
    if let Ok(tools) = Toolchain::find() {
        for kernel in KERNELS {
            let path = suite.kernel_text(&tools, kernel, Form::Ssa).expect("the kernel compiles");
            let source = Source::open(&path, "kernel").expect("the text was just made");
            sources.push((kernel.name, source, kernel.n / 10 + 1));
        }
    }
    for example in EXAMPLES {
        let path = suite.example_text(example).expect("the example is there");
        let source = Source::open(&path, "kernel").expect("the text was just made");
        sources.push((example.name, source, example.n / 10 + 1));
    }
    sources
}

fn kernels(criterion: &mut Criterion) {
    let (backends, sources) = (backends(), sources());
    for (kernel, source, n) in &sources {
        for (name, backend) in &backends {
            let Ok(input) = backend.read(source) else { continue };
            let Ok(mut compiled) = input.compile() else { continue };
            let mut group = criterion.benchmark_group("compile");
            group.sample_size(10);
            group.bench_function(BenchmarkId::new(*kernel, name), |bencher| {
                bencher.iter_custom(|rounds| {
                    let once = || input.compile().expect("it compiled before").phases.total();
                    (0..rounds).map(|_| once()).sum()
                });
            });
            group.finish();
            let mut group = criterion.benchmark_group("run");
            group.sample_size(10);
            group.bench_function(BenchmarkId::new(*kernel, name), |bencher| {
                bencher.iter(|| compiled.kernel.call(black_box(*n)).expect("it runs"));
            });
            group.finish();
        }
    }
}

criterion_group!(suite, kernels);
criterion_main!(suite);
