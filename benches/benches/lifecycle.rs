//! What it costs to define functions that are compiled later, to define them anew, and to call
//! what may change.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::lowering::options::Polls;
use brolga::{Config, Engine, Tier, Tiering};
use brolga_benches::many_functions;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn engine(config: Config) -> Engine {
    Engine::new(config).expect("there is memory")
}

fn module(text: &str) -> Module {
    parse_module(text).expect("the program parses")
}

/// Functions that nobody calls.
fn define(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("define");
    group.sample_size(10);
    for count in [1_000, 10_000, 100_000] {
        let module = module(&many_functions(count));
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("never called", count), |bencher| {
            bencher.iter_batched(
                || (engine(Config::default()), module.clone()),
                |(engine, module)| {
                    engine.define_module(module).expect("the names are free");
                    engine
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// A large module, of which one function is called.
fn first_result(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first result");
    group.sample_size(20);
    let module = module(&many_functions(10_000));
    let (_, first) = module.functions().next().expect("there is one");
    let name = first.name.to_string();
    for tier in Tier::ALL {
        group.bench_function(tier.name(), |bencher| {
            bencher.iter_batched(
                || {
                    (
                        engine(Config { tiering: Tiering::Fixed(tier), ..Config::default() }),
                        module.clone(),
                    )
                },
                |(engine, module)| {
                    engine.define_module(module).expect("the names are free");
                    engine.compile(&name).expect("it compiles");
                    engine
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// The time of one definition of a function that another thread runs.
fn define_anew(criterion: &mut Criterion) {
    let config = Config { polls: Polls::LoopsAndEntries, ..Config::default() };
    let engine = engine(config);
    let versions: Vec<Module> = (0..2)
        .map(|number| module(&format!("func @f() -> i64 {{\nb:\n    return {number}\n}}")))
        .collect();
    engine.define_module(versions[0].clone()).expect("the name is free");
    let f = engine.func::<(), i64>("f").expect("it is there");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                f.call(()).expect("it returns");
            }
        });
        criterion.bench_function("define a running function", |bencher| {
            bencher.iter_custom(|rounds| {
                let mut spent = Duration::ZERO;
                for round in 0..rounds {
                    let next = versions[round as usize % 2].clone();
                    let start = Instant::now();
                    engine.define_module(next).expect("the name stays");
                    spent += start.elapsed();
                }
                spent
            });
        });
        is_over.store(true, Ordering::Relaxed);
    });
}

/// Calls by way of a slot, a million from one loop.
fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a million calls");
    let engine = engine(Config::default());
    engine
        .define(
            "func @leaf(i64) -> i64 inline never {\nb(%x: i64):\n    %y = add.i64 %x, 1\n    \
             return %y\n}\n\
             func @loop(i64) -> i64 {\nb(%n: i64):\n    jump again(0)\nagain(%i: i64):\n    \
             %j = call @leaf(%i)\n    %more = icmp.i64 ult %j, %n\n    \
             branch %more, again(%j), done\ndone:\n    return %j\n}",
        )
        .expect("the names are free");
    let function = engine.func::<(i64,), i64>("loop").expect("it is there");
    group.bench_function("defined", |bencher| {
        bencher.iter(|| function.call((black_box(1_000_000),)));
    });
    group.finish();
}

criterion_group!(benches, define, first_result, define_anew, calls);
criterion_main!(benches);
