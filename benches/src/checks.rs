//! What bounds checks cost in loops that go through arrays from one end to the other.
//!
//! The loops are those of the test file `vectors/safe-iteration.bir`, whose checks compare
//! with lengths that any caller may give. The same text without its checks is what they are
//! measured against, in turns and in one process, on arrays that stay in the first level of
//! the cache: there a check would cost most.

use std::fmt::Write;
use std::time::{Duration, Instant};

use brolga::{Config, Engine, Level};

use crate::backend::BackendError;
use crate::kernel::Accesses;

/// What is measured, and the call that goes through arrays of 8 or 16 KiB. The grids are a
/// usual one, and one whose rows are so short that what is asked before each of them counts.
pub const LOOPS: [(&str, &str); 6] = [
    ("sum", "%r = call @sum(%a, 1024, 1000)"),
    ("copy", "call @copy(%a, 1024, %b, 1024, 1000)"),
    ("in_place", "call @in_place(%a, 1024, 1000)"),
    ("saxpy", "call @saxpy(2.5, %a, 2048, %b, 2048, %c, 2048, 2000)"),
    ("stencil", "call @stencil(%a, 2000, %b, 2000, 8, 250)"),
    ("rows_of_30", "call @stencil(%a, 1024, %b, 1024, 32, 32)"),
];

/// How often one measurement calls a loop, and how many measurements there are.
const CALLS: i64 = 10_000;
const ROUNDS: usize = 25;

const TEXT: &str = include_str!("../../tests/filetests/vectors/safe-iteration.bir");

/// How long one call of a loop takes, at best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Which loop.
    pub name: &'static str,
    /// As it is.
    pub checked: Duration,
    /// Without its checks.
    pub unchecked: Duration,
}

impl Cost {
    /// How many times as long it takes with its checks.
    pub fn ratio(&self) -> f64 {
        self.checked.as_secs_f64() / self.unchecked.as_secs_f64()
    }
}

/// The loops as a program in which `@time_NAME(i64)` calls one so often.
pub fn program(accesses: Accesses) -> String {
    let family = TEXT.split("func @fill").next().unwrap_or(TEXT);
    // Lengths that a caller is known to give would prove the checks.
    let mut text = family.replace(") -> i64 {", ") -> i64 inline never {");
    text = text.replace(") {\n    exit0", ") inline never {\n    exit0");
    if accesses == Accesses::Plain {
        let is_check = |line: &&str| line.trim_start().starts_with("check ");
        text = text.lines().filter(|line| !is_check(line)).collect::<Vec<_>>().join("\n");
    }
    for array in ["a", "b", "c"] {
        let _ = write!(text, "\ndata @{array} align 64 = {{ zero 16384 }}");
    }
    for (name, call) in LOOPS {
        let _ = write!(
            text,
            "
func @time_{name}(i64) {{
entry(%n: i64):
    %a = data_addr @a
    %b = data_addr @b
    %c = data_addr @c
    jump loop(0)
loop(%i: i64):
    {call}
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), done
done:
    return
}}"
        );
    }
    text
}

/// Measures every loop at `O2`.
///
/// # Errors
/// What the engine says, where there is no memory for code.
pub fn measure() -> Result<Vec<Cost>, BackendError> {
    let (checked, unchecked) = (engine(Accesses::Checked)?, engine(Accesses::Plain)?);
    let cost = |name: &'static str| {
        let mut cost = Cost { name, checked: Duration::MAX, unchecked: Duration::MAX };
        for _ in 0..ROUNDS {
            cost.checked = cost.checked.min(once(&checked, name)?);
            cost.unchecked = cost.unchecked.min(once(&unchecked, name)?);
        }
        Ok(cost)
    };
    LOOPS.iter().map(|&(name, _)| cost(name)).collect()
}

fn engine(accesses: Accesses) -> Result<Engine, BackendError> {
    let engine = Engine::new(Config { level: Level::O2, ..Config::default() })?;
    // SAFETY: the loops stay in arrays of the program, whose sizes the calls above name.
    unsafe { engine.load_unsafe(&program(accesses))? };
    Ok(engine)
}

fn once(engine: &Engine, name: &str) -> Result<Duration, BackendError> {
    let function = engine.func::<(i64,), ()>(&format!("time_{name}"))?;
    let start = Instant::now();
    function.call((CALLS,))?;
    Ok(start.elapsed() / CALLS as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_runs_with_and_without_its_checks() {
        for accesses in [Accesses::Checked, Accesses::Plain] {
            let text = program(accesses);
            let checks = text.lines().filter(|line| line.trim_start().starts_with("check "));
            assert_eq!(checks.count() > 0, accesses == Accesses::Checked);
            for (_, call) in LOOPS {
                let (callee, _) =
                    call.split_once('@').and_then(|(_, rest)| rest.split_once('(')).unwrap();
                let head = text.lines().find(|line| line.starts_with(&format!("func @{callee}(")));
                assert!(head.unwrap().contains(" inline never "), "{callee}");
            }
            let engine = engine(accesses).unwrap();
            for (name, _) in LOOPS {
                let function = engine.func::<(i64,), ()>(&format!("time_{name}")).unwrap();
                function.call((2,)).unwrap();
            }
        }
    }
}
