//! Functions that are defined, and made in the first tier.

use std::time::Duration;

use brolga::ir::verify::Verified;
use brolga::{Config, Engine, Tier, Tiering};

use super::{Extent, Failure, Row, engine, millis, module, timed};
use crate::many_functions;

/// Bytes of the heap that are in use, the allocator's own included.
fn bytes_in_use() -> usize {
    // SAFETY: it reads the allocator's counts.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// A hundred thousand functions that nobody calls.
pub(super) fn never_called(extent: Extent) -> Result<Vec<Row>, Failure> {
    let count = extent.count(100_000);
    let module = module(&many_functions(count))?;
    let engine = engine(Config::default())?;
    let before = bytes_in_use();
    let (defined, took) = timed(|| engine.define_module(module));
    defined?;
    let bytes = bytes_in_use().saturating_sub(before) as f64 / count as f64;
    let stats = engine.stats();
    let made = (stats.copied + stats.lowered) as f64;
    Ok(vec![
        Row::at_most("100,000 functions defined: compiled of them", made, 0.0, "≤ 0 functions"),
        Row::at_most("100,000 functions defined", millis(took), 100.0, "≤ 100 ms"),
        Row::at_most("each of them, beyond its source", bytes, 96.0, "≤ 96 bytes"),
    ])
}

/// Nanoseconds of the first tier for an op, from IR in memory to code that can be called.
pub(super) fn first_tier(extent: Extent) -> Result<Vec<Row>, Failure> {
    let (large, verified) = per_op(extent.count(20_000))?;
    let larger = per_op(extent.count(80_000))?.0;
    Ok(vec![
        Row::at_most("20,000 functions in the first tier, an op", large, 200.0, "≤ 200 ns"),
        Row::at_most("the verifier before that, an op", verified, 200.0, "≤ 200 ns"),
        Row::at_most("80,000 against 20,000, an op", larger / large, 1.25, "≤ 1.25 times"),
    ])
}

/// Nanoseconds from verified IR to code, and of the verifier.
fn per_op(functions: usize) -> Result<(f64, f64), Failure> {
    let module = module(&many_functions(functions))?;
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    let ops: usize = bodies.map(|body| body.inst_count()).sum();
    let (mut best, mut verifying) = (f64::MAX, f64::MAX);
    let nanos = |time: Duration| time.as_secs_f64() * 1e9 / ops as f64;
    for _ in 0..3 {
        let module = module.clone();
        let (verified, took) = timed(|| Verified::check(module));
        let verified = verified?;
        verifying = verifying.min(nanos(took));
        let quick = Tiering::Fixed(Tier::Quick);
        let engine =
            Engine::new(Config { tiering: quick, compile_threads: 1, ..Config::default() })?;
        let (loaded, took) = timed(|| engine.load_verified(std::slice::from_ref(&verified)));
        loaded?;
        best = best.min(nanos(took));
    }
    Ok((best, verifying))
}

/// What rounding takes of the memory for the code of ten thousand functions.
pub(super) fn padding(extent: Extent) -> Result<Vec<Row>, Failure> {
    let count = extent.count(10_000);
    let engine = engine(Config::default())?;
    let before = engine.books();
    engine.load_module(&module(&many_functions(count))?)?;
    let books = engine.books();
    let code = (books.live_code - before.live_code) as f64;
    let padding = (books.padding - before.padding) as f64;
    Ok(vec![
        Row::at_least("10,000 functions: code of each", code / count as f64, 100.0, "≥ 100 bytes"),
        Row::at_most("rounding, of that", 100.0 * padding / code, 10.0, "≤ 10 %"),
    ])
}
