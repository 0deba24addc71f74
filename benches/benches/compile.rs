//! What it costs to get from text to callable code, part by part.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::ir::verify::{Options, verify_module};
use brolga::lowering::emit::Compiler;
use brolga::lowering::options::{LowerOptions, Verification};
use brolga::lowering::target::{Isa, IsaOptions};
use brolga::{Config, Engine, LoadStep, Observer};
use brolga_benches::{long_function, many_functions};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Sizes, in instructions; twice the size must take twice the time.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// One long function: each part.
fn per_op(criterion: &mut Criterion) {
    let isa = Isa::host(IsaOptions::default()).expect("the host is a target");
    let mut group = criterion.benchmark_group("per_op");
    group.sample_size(10);
    for size in SIZES {
        let text = long_function(size);
        let module = parse_module(&text).expect("the program parses");
        let id = module.function_named("long").expect("it is there");
        group.throughput(Throughput::Elements(size as u64));
        group.bench_with_input(BenchmarkId::new("parse", size), &text, |bencher, text| {
            bencher.iter(|| parse_module(black_box(text)));
        });
        group.bench_with_input(BenchmarkId::new("verify", size), &module, |bencher, module| {
            bencher.iter(|| verify_module(black_box(module), &Options::default()));
        });
        group.bench_with_input(BenchmarkId::new("emit", size), &module, |bencher, module| {
            let mut compiler = Compiler::new();
            let options =
                LowerOptions { verification: Verification::Omit, ..LowerOptions::default() };
            bencher.iter(|| compiler.lower_function(black_box(module), id, &isa, &options));
        });
        group.bench_with_input(BenchmarkId::new("link", size), &module, |bencher, module| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| link_time(module)).sum());
        });
    }
    group.finish();
}

/// Modules of many small functions: each part, and from module to callable code.
fn per_function(criterion: &mut Criterion) {
    let isa = Isa::host(IsaOptions::default()).expect("the host is a target");
    let mut group = criterion.benchmark_group("per_function");
    group.sample_size(10);
    for count in [100, 1_000, 10_000] {
        let text = many_functions(count);
        let module = parse_module(&text).expect("the program parses");
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::new("parse", count), &text, |bencher, text| {
            bencher.iter(|| parse_module(black_box(text)));
        });
        group.bench_with_input(BenchmarkId::new("verify", count), &module, |bencher, module| {
            bencher.iter(|| verify_module(black_box(module), &Options::default()));
        });
        group.bench_with_input(BenchmarkId::new("emit", count), &module, |bencher, module| {
            let mut compiler = Compiler::new();
            let options =
                LowerOptions { verification: Verification::Omit, ..LowerOptions::default() };
            bencher.iter(|| black_box(compiler.lower_module(module, &isa, &options)).ok());
        });
        group.bench_with_input(BenchmarkId::new("link", count), &module, |bencher, module| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| link_time(module)).sum());
        });
        let engine = || Engine::new(Config::default()).expect("there is memory");
        group.bench_with_input(BenchmarkId::new("load", count), &module, |bencher, module| {
            bencher.iter_batched(
                engine,
                |engine| engine.load_module(module),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// How long a new engine links a module that it loads.
fn link_time(module: &Module) -> Duration {
    let clock = Arc::new(LinkClock::default());
    let config = Config { observer: Some(Arc::clone(&clock) as _), ..Config::default() };
    let engine = Engine::new(config).expect("there is memory");
    engine.load_module(module).expect("the program loads");
    Duration::from_nanos(clock.0.load(Ordering::Relaxed))
}

/// The nanoseconds that went into linking.
#[derive(Debug, Default)]
struct LinkClock(AtomicU64);

impl Observer for LinkClock {
    fn loaded(&self, step: LoadStep, took: Duration) {
        if step == LoadStep::Link {
            self.0.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
        }
    }
}

criterion_group!(compile, per_op, per_function);
criterion_main!(compile);
