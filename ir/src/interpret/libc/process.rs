//! The end of the program, and what it can learn of the world: nothing new.

use super::{Args, Given, Model, NOTHING, string_at, write};
use crate::interpret::host::{HostCall, HostError};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("exit", |_, args| Err(HostError::Exit(args.int(0)))),
    ("_exit", |_, args| Err(HostError::Exit(args.int(0)))),
    ("abort", |_, _| Err(HostError::failed("`abort` was called"))),
    ("__assert_fail", assert_fail),
    ("getenv", |_, _| NOTHING),
    ("clock", |call, _| Ok(steps(call).into())),
    ("time", time),
];

fn assert_fail(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let claim = string_at(call, args.word(0))?;
    let claim = String::from_utf8_lossy(&claim);
    Err(HostError::failed(format!("the assertion `{claim}` does not hold")))
}

/// A step counts as a microsecond, so that programs that wait for time to
/// pass come to an end, at the same place every time.
fn steps(call: &mut HostCall<'_, '_>) -> i64 {
    let machine = call.machine();
    i64::try_from(machine.limits.steps - machine.fuel).unwrap_or(i64::MAX)
}

fn time(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    const START: i64 = 1_000_000_000;
    let now = START.saturating_add(steps(call) / 1_000_000);
    if args.word(0) != 0 {
        write(call, args.word(0), &now.to_le_bytes())?;
    }
    Ok(now.into())
}
