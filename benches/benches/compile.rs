//! What it costs to get from text to callable code, part by part.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;

use brolga::ir::text::parse_module;
use brolga::ir::verify::{Options, verify_module};
use brolga::lowering::emit::Compiler;
use brolga::lowering::options::LowerOptions;
use brolga::lowering::target::{Isa, IsaOptions};
use brolga::{Config, Engine};
use brolga_benches::{long_function, many_functions};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Sizes, in instructions; twice the size must take twice the time.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

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
            let options = LowerOptions::default();
            bencher.iter(|| compiler.lower_function(black_box(module), id, &isa, &options));
        });
    }
    group.finish();
}

fn per_function(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("per_function");
    group.sample_size(10);
    for count in [100, 1_000, 10_000] {
        let text = many_functions(count);
        let module = parse_module(&text).expect("the program parses");
        group.throughput(Throughput::Elements(count as u64));
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

criterion_group!(compile, per_op, per_function);
criterion_main!(compile);
