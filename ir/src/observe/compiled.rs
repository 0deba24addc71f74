//! What becomes of functions that an engine compiles one by one.

use std::error::Error;
use std::time::Duration;

/// What a function was compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CompileReason {
    /// It had no code, and somebody called it or asked for it.
    First,
    /// It had code, which ran often.
    Upgrade,
    /// A loop of it ran for long in its code, and goes on in better code.
    Continuation,
}

impl CompileReason {
    /// The reason as a word.
    pub const fn name(self) -> &'static str {
        match self {
            CompileReason::First => "first",
            CompileReason::Upgrade => "upgrade",
            CompileReason::Continuation => "continuation",
        }
    }
}

/// A function was compiled, and whoever calls it reaches the code.
#[derive(Clone, Copy, Debug)]
pub struct FunctionCompiled<'a> {
    /// Its name.
    pub function: &'a str,
    /// What for.
    pub reason: CompileReason,
    /// How well, by the name of the tier: `quick`, `warm` or `hot`.
    pub tier: &'static str,
    /// How long that took, without the placing of the code.
    pub took: Duration,
    /// Bytes of its code.
    pub code_bytes: usize,
}

/// A function could not be compiled. Those who called it are stopped; one that had code keeps it.
#[derive(Clone, Copy, Debug)]
pub struct CompileFailed<'a> {
    /// Its name.
    pub function: &'a str,
    /// What for.
    pub reason: CompileReason,
    /// Why not.
    pub error: &'a (dyn Error + 'static),
}

/// Code of a function was freed.
#[derive(Clone, Copy, Debug)]
pub struct CodeFreed<'a> {
    /// The name of the function.
    pub function: &'a str,
    /// Bytes that are free now.
    pub code_bytes: usize,
}
