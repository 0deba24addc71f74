//! The end of the program, and what it can learn of the world: nothing new.

use super::{Args, Given, Model, NOTHING, string_at, write};
use crate::interpret::host::{HostCall, HostError};
use crate::interpret::machine::{Jump, PLACE_WORDS, Stop};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("atexit", at_exit),
    ("exit", exit),
    ("_exit", |_, args| Err(HostError::Exit(args.int(0)))),
    ("abort", |_, _| Err(HostError::failed("`abort` was called"))),
    ("__assert_fail", assert_fail),
    ("getenv", |_, _| NOTHING),
    ("clock", |call, _| Ok(steps(call).into())),
    ("time", time),
    ("setjmp", set_jump),
    ("_setjmp", set_jump),
    ("sigsetjmp", set_jump),
    ("__sigsetjmp", set_jump),
    ("longjmp", long_jump),
    ("_longjmp", long_jump),
    ("siglongjmp", long_jump),
];

/// C promises room for so many functions, and glibc has it for as many as memory holds.
const MOST_AT_EXIT: usize = 1 << 16;

fn at_exit(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let functions = &mut call.machine().c_state.at_exit;
    let is_full = functions.len() == MOST_AT_EXIT;
    if !is_full {
        functions.push(args.word(0));
    }
    Ok(i64::from(is_full).into())
}

fn exit(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    while let Some(function) = call.machine().c_state.at_exit.pop() {
        call.call(function, &[])?;
    }
    Err(HostError::Exit(args.int(0)))
}

/// Keeps the place of its call in the first words of the buffer.
fn set_jump(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let place = call.machine().place();
    let bytes: Vec<u8> = place.iter().flat_map(|word| word.to_le_bytes()).collect();
    write(call, args.word(0), &bytes)?;
    NOTHING
}

fn long_jump(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut place = [0; PLACE_WORDS];
    for (index, word) in place.iter_mut().enumerate() {
        let mut bytes = [0; 8];
        call.memory().read(args.word(0).wrapping_add(8 * index as u64), &mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    let value = if args.int(1) == 0 { 1 } else { args.int(1) };
    call.machine().pending = Some(Stop::Jump(Jump { place, value }));
    Err(HostError::Pending)
}

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
