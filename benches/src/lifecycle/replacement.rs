//! Loops that are entered once in the first tier, and left in the middle for better code.

use std::time::Duration;

use brolga::ir::module::Module;
use brolga::{Budgets, Config, Tier, Tiering};

use super::{Extent, Failure, Row, engine, median, module, timed};

/// Each value needs the one before.
const INTEGERS: &str = "
func @f(i64) -> i64 {
b(%n: i64):
    jump again(0, 88172645463325252)
again(%i: i64, %x: i64):
    %a = shl.i64 %x, 13
    %b = xor.i64 %x, %a
    %c = lshr.i64 %b, 7
    %d = xor.i64 %b, %c
    %e = shl.i64 %d, 17
    %y = xor.i64 %d, %e
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, again(%j, %y), done
done:
    return %y
}";

/// A sum in the order of the array, over and over.
const FLOATS: &str = "
data @values = { zero 32768 }
func @f(i64) -> i64 {
b(%n: i64):
    jump fill(0)
fill(%o: i64):
    data_store.f64 0.5, @values, %o
    %o2 = add.i64 %o, 8
    %filling = icmp.i64 ult %o2, 32768
    branch %filling, fill(%o2), again(0, 0.0)
again(%i: i64, %sum: f64):
    %word = and.i64 %i, 4095
    %at = shl.i64 %word, 3
    %value = data_load.f64 @values, %at
    %more_sum = fadd.f64 %sum, %value
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, again(%j, %more_sum), done
done:
    %whole = fptosi_sat.i64 %more_sum
    return %whole
}";

/// A loop of 64 rounds in each round of another.
const NESTED: &str = "
func @f(i64) -> i64 {
b(%n: i64):
    jump outer(0, 1)
outer(%i: i64, %x: i64):
    jump inner(0, %x)
inner(%k: i64, %y: i64):
    %a = mul.i64 %y, 6364136223846793005
    %b = add.i64 %a, %k
    %c = lshr.i64 %b, 29
    %z = xor.i64 %b, %c
    %l = add.i64 %k, 1
    %more = icmp.i64 slt %l, 64
    branch %more, inner(%l, %z), next
next:
    %w = xor.i64 %z, %i
    %j = add.i64 %i, 1
    %rounds = icmp.i64 slt %j, %n
    branch %rounds, outer(%j, %w), done
done:
    return %w
}";

/// What the row says, the loop, and how often it goes round: 300 to 500 ms as the best tier has
/// it, so that what is before the better code is nothing beside it unless that comes late.
const LOOPS: [(&str, &str, usize); 3] = [
    ("a loop of integers entered once, of O2 at the start", INTEGERS, 200_000_000),
    ("a sum of floats entered once, of O2 at the start", FLOATS, 300_000_000),
    ("a loop in a loop entered once, of O2 at the start", NESTED, 3_000_000),
];

/// What loops that are entered once take in all tiers, against compiling them as well as can be
/// before they run. What compiles in the background has a thread of its own, as by default.
pub(super) fn of_running_loops(extent: Extent) -> Result<Vec<Row>, Failure> {
    LOOPS.into_iter().map(|(what, text, rounds)| row(what, text, extent.count(rounds))).collect()
}

fn row(what: &'static str, text: &str, rounds: usize) -> Result<Row, Failure> {
    let module = module(text)?;
    let (mut in_tiers, mut at_best) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let (best, expected) = compiled_first(module.clone(), rounds as i64)?;
        let (tiered, found) = begun_at_once(module.clone(), rounds as i64)?;
        if found != expected {
            return Err("a wrong result".into());
        }
        at_best.push(best);
        in_tiers.push(tiered);
    }
    let ratio = median(in_tiers).as_secs_f64() / median(at_best).as_secs_f64();
    Ok(Row::at_most(what, ratio, 1.3, "≤ 1.3 times"))
}

/// The time to compile the function in the best tier, and to run it; and its result.
fn compiled_first(module: Module, rounds: i64) -> Result<(Duration, i64), Failure> {
    let tiering = Tiering::Fixed(Tier::Hot);
    let engine = engine(Config { tiering, ..Config::default() })?;
    engine.define_module(module)?;
    let (compiled, compiling) = timed(|| engine.compile("f"));
    compiled?;
    let function = engine.func::<(i64,), i64>("f")?;
    let (found, running) = timed(|| function.call((rounds,)));
    Ok((compiling + running, found?))
}

/// The time of the only call, which begins in the first tier; and its result.
fn begun_at_once(module: Module, rounds: i64) -> Result<(Duration, i64), Failure> {
    let tiering = Tiering::Adaptive(Budgets::default());
    let engine = engine(Config { tiering, ..Config::default() })?;
    engine.define_module(module)?;
    let function = engine.func::<(i64,), i64>("f")?;
    let (found, took) = timed(|| function.call((rounds,)));
    Ok((took, found?))
}
