//! The ways to run a kernel, behind one trait.

mod cranelift;
mod engine;
mod interpreter;
mod lli;
mod native;

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use crate::source::Source;

pub use cranelift::Cranelift;
pub use interpreter::Interpreter;
pub use lli::{Lli, Way};
pub use native::{Native, code_size, machine_code};

pub use engine::Brolga;

/// Whatever goes wrong on the way; its text says where.
pub type BackendError = Box<dyn Error + Send + Sync>;

/// A way from text to results.
pub trait Backend {
    /// Reads the text, which is a step of its own: users hand over modules, not texts.
    ///
    /// # Errors
    /// If the text cannot be read here.
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError>;
}

/// A module in memory.
pub trait Input {
    /// Brings it to code, from the beginning each time.
    ///
    /// # Errors
    /// If it cannot be compiled.
    fn compile(&self) -> Result<Compiled<'_>, BackendError>;
}

/// Something to call.
pub trait Callable {
    /// Calls the kernel.
    ///
    /// # Errors
    /// Whatever stops it.
    fn call(&mut self, n: i64) -> Result<i64, BackendError>;
}

/// What came of a compilation.
pub struct Compiled<'a> {
    /// The steps and what each took; together they are all from the module in memory to
    /// code that can be called.
    pub phases: Phases,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// The kernel.
    pub kernel: Box<dyn Callable + 'a>,
}

impl fmt::Debug for Compiled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compiled { phases, code_bytes, .. } = self;
        f.debug_struct("Compiled")
            .field("phases", phases)
            .field("code_bytes", code_bytes)
            .finish_non_exhaustive()
    }
}

/// Steps in order, with what each took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Phases(Vec<(String, Duration)>);

impl Phases {
    /// Takes a step and notes how long it took.
    pub fn time<T>(&mut self, name: &str, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = step();
        self.add(name, start.elapsed());
        result
    }

    /// Notes a step, or more of one that was noted before.
    pub fn add(&mut self, name: &str, took: Duration) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, time)) => *time += took,
            None => self.0.push((name.to_owned(), took)),
        }
    }

    /// The steps.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.0.iter().map(|(name, took)| (name.as_str(), *took))
    }

    /// All of them together.
    pub fn total(&self) -> Duration {
        self.iter().map(|(_, took)| took).sum()
    }
}

/// The names of all back ends, in the order of tables.
pub const NAMES: &[&str] = &[
    "interpreter",
    "brolga-O0",
    "brolga-O1",
    "brolga-O2",
    "brolga-O3",
    "brolga-quick",
    PARALLEL,
    TIERED,
    "brolga-O2-polls",
    "brolga-O2-bare",
    "cranelift-none",
    "cranelift-speed",
    "llvm-O0",
    "llvm-O1",
    "llvm-O2",
    "llvm-O2-128",
    "llvm-O2-scalar",
    "llvm-O3",
    "native",
];

/// The one whose code gets better as it runs: its time is not in proportion to its work.
pub const TIERED: &str = "brolga-tiered";

/// The first tier by as many threads as the machine has processors: raced on large modules alone.
pub const PARALLEL: &str = "brolga-quick-threads";

/// Those that are another one under other conditions: they tell what polls, guards, tiers, threads
/// and vectors are worth, and are nobody's choice where all of a program is compiled at once.
pub const VARIANTS: &[&str] =
    &[PARALLEL, TIERED, "brolga-O2-polls", "brolga-O2-bare", "llvm-O2-128", "llvm-O2-scalar"];

/// What the names of our levels start with.
pub const OURS: &str = "brolga-";

/// What the names of LLVM's levels start with. Those are in a program of their own, so that
/// the others bear neither its start nor its memory.
pub const LLVM: &str = "llvm-";

/// The back end of a name, of those that are in this library.
///
/// # Errors
/// If there is none of that name, with the names that there are; or if it cannot be set up.
pub fn named(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    let known = NAMES.contains(&name).then_some(name);
    if let Some(ours) = known.and_then(|name| Brolga::named(name.strip_prefix(OURS)?)) {
        return Ok(Box::new(ours));
    }
    Ok(match name {
        "interpreter" => Box::new(Interpreter),
        "cranelift-none" => Box::new(Cranelift::new("none")?),
        "cranelift-speed" => Box::new(Cranelift::new("speed")?),
        "native" => Box::new(Native::new()?),
        _ => return Err(unknown(name, |known| !known.starts_with(LLVM)).into()),
    })
}

/// What is said of a name that no back end has, with the names that `exists` says there are.
pub fn unknown(name: &str, exists: impl Fn(&str) -> bool) -> String {
    let (here, elsewhere): (Vec<&str>, Vec<&str>) =
        NAMES.iter().copied().partition(|known| exists(known));
    format!(
        "there is no back end `{name}`; there are {}, and in the other program {}",
        here.join(", "),
        elsewhere.join(", ")
    )
}

/// Whether one compiles in the process, and is there to be fast.
pub fn competes(backend: &str) -> bool {
    let is_out = backend != TIERED && VARIANTS.contains(&backend);
    !is_out && !["interpreter", "native"].contains(&backend)
}
