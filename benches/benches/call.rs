//! What it costs to call, to poll, and to stop.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;

use brolga::lowering::options::{Fuel, Polls};
use brolga::{Config, Engine};
use criterion::{Criterion, criterion_group, criterion_main};

const PROGRAM: &str = "
import @host(i64) -> i64
func @nothing(i64) -> i64 {
entry(%x: i64):
    return %x
}
func @out(i64) -> i64 {
entry(%x: i64):
    %y = call @host(%x)
    return %y
}
func @stop(i64) -> i64 {
entry(%x: i64):
    trap user(1)
}
func @sum(i64) -> i64 {
entry(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    %x = mul.i64 %i, %s
    %t = add.i64 %x, %i
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %t), done
done:
    return %t
}";

fn engine(config: Config) -> Engine {
    let engine = Engine::new(config).expect("there is memory");
    engine.define_host("host", |x: i64| x + 1).expect("the name is free");
    engine.load(PROGRAM).expect("the program loads");
    engine
}

fn calls(criterion: &mut Criterion) {
    let engine = engine(Config::default());
    let mut group = criterion.benchmark_group("call");
    for name in ["nothing", "out", "stop"] {
        let function = engine.func::<(i64,), i64>(name).expect("it is there");
        group.bench_function(name, |bencher| bencher.iter(|| function.call((black_box(1),))));
    }
    group.finish();
}

/// A loop of four instructions, a million times: what a poll in each round
/// costs, with and without fuel.
fn polls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("poll");
    group.sample_size(20);
    let modes = [
        ("off", Polls::Off, Fuel::Unlimited),
        ("on", Polls::LoopsAndEntries, Fuel::Unlimited),
        ("fuel", Polls::LoopsAndEntries, Fuel::Counted),
    ];
    for (name, polls, fuel) in modes {
        let engine = engine(Config { polls, fuel, ..Config::default() });
        let sum = engine.func::<(i64,), i64>("sum").expect("it is there");
        group.bench_function(name, |bencher| bencher.iter(|| sum.call((black_box(1_000_000),))));
    }
    group.finish();
}

criterion_group!(call, calls, polls);
criterion_main!(call);
