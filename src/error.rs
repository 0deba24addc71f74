//! What can go wrong, as values.

mod host;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use brolga_debugging::gdb::GdbError;
use brolga_debugging::jitdump::JitdumpError;
use brolga_debugging::perf_map::PerfMapError;
use brolga_ir::module::Storage;
use brolga_ir::report::Trap;
use brolga_ir::text::Diagnostic;
use brolga_ir::verify::VerifyErrors;
use brolga_lifecycle::names::NamesError;
use brolga_lifecycle::trace::BadTrace;
use brolga_lowering::error::CompileError;
use brolga_lowering::target::TargetError;
use thiserror::Error;

use crate::memory::MemoryError;

pub use host::HostError;

/// Why an engine could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The target cannot be compiled for.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There is no memory for code.
    #[error(transparent)]
    Memory(#[from] CodeMemoryError),
    /// Code for the target does not run in this process.
    #[error(
        "code for {target} does not run on this machine; compile it to an object, or use the interpreter"
    )]
    Foreign {
        /// The target.
        target: String,
    },
    /// Compiling a part of the runtime failed.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A debugger was to be told of code, and cannot be.
    #[error(transparent)]
    Debugging(#[from] DebuggingError),
    /// What is compiled was to be written down, and cannot be.
    #[error(
        "cannot write the trace {}: {source}; name a file in a folder that may be written to",
        path.display()
    )]
    Trace {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why a debugger or a profiler was not told of code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DebuggingError {
    /// gdb was not.
    #[error(transparent)]
    Gdb(#[from] GdbError),
    /// The dump has no record of it.
    #[error(transparent)]
    Jitdump(#[from] JitdumpError),
    /// The map has no line of it.
    #[error(transparent)]
    PerfMap(#[from] PerfMapError),
}

/// Why something is missing that an engine was to write down as it went.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// What debuggers and profilers are told.
    #[error(transparent)]
    Debugging(#[from] DebuggingError),
    /// What is compiled.
    #[error("the trace {} ends early: {source}; make room, and record it anew", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why nothing was compiled ahead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrecompileError {
    /// The text is no trace.
    #[error(transparent)]
    Trace(#[from] BadTrace),
    /// The thread is being torn down.
    #[error("the thread is being torn down; compile on another")]
    NoThread,
}

/// Why there is no text by which a compile can be repeated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReproError {
    /// Nobody defined the function.
    #[error("no function `@{name}` is defined in this engine; define it first")]
    Missing {
        /// The name.
        name: Box<str>,
    },
    /// The function came in with a module that was loaded as a whole, which nobody has kept.
    #[error("`@{name}` was loaded with its module, which is its text")]
    Loaded {
        /// The name.
        name: Box<str>,
    },
    /// The function is yet to be made by whoever does so later.
    #[error("nobody has made `@{name}` yet; compile it first")]
    NotMade {
        /// The name.
        name: Box<str>,
    },
    /// The file was not written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why code memory could not be had or used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct CodeMemoryError(#[from] pub(crate) MemoryError);

/// There is too little of the thread's stack left to compile on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{room} bytes of this thread's stack are left, and compiling takes {needed}; do it on a thread with a larger stack"
)]
pub struct SmallStack {
    /// Bytes that are left.
    pub room: usize,
    /// Bytes that compiling takes.
    pub needed: usize,
}

/// Why modules were not loaded. Nothing of them stays in the engine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is no module.
    #[error("{}", first_of(.0))]
    Text(Vec<Diagnostic>),
    /// The module breaks rules of the IR.
    #[error(transparent)]
    Verify(#[from] VerifyErrors),
    /// A module that trusts addresses or promises was to be loaded by safe code.
    #[error(
        "the module is not safe: {0}; write it in the safe dialect, or load it with `load_unsafe`"
    )]
    NotSafe(VerifyErrors),
    /// Safe code was to load a module into an engine whose functions do not test for
    /// the end of the stack.
    #[error(
        "the engine's code does not test for the end of the stack, which no module is safe without; leave `Config::stack_guard` at `StackGuard::Emit`, or load the module with `load_unsafe`"
    )]
    NoStackGuard,
    /// A function could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// What was to make the function's module did not.
    #[error("`@{name}` was not made: {reason}")]
    NotMade {
        /// The function.
        name: Box<str>,
        /// What it said, or what is wrong with what it made.
        reason: Box<str>,
    },
    /// There is no room for the code.
    #[error(transparent)]
    Memory(#[from] CodeMemoryError),
    /// The thread cannot compile.
    #[error(transparent)]
    Stack(#[from] SmallStack),
    /// A name is defined already.
    #[error("`@{name}` is already defined in this engine; make it local, or give it another name")]
    Duplicate {
        /// The name.
        name: Box<str>,
    },
    /// Two modules, or a module and the host, do not agree on a signature.
    #[error("`@{name}` is declared as {declared} here, but it is {known} elsewhere")]
    SignatureMismatch {
        /// The name.
        name: Box<str>,
        /// What this module says.
        declared: String,
        /// What was known before.
        known: String,
    },
    /// A data object that nobody defines.
    #[error(
        "the data object `@{name}` is not defined; load the module that defines it before this one or together with it"
    )]
    MissingData {
        /// The name.
        name: Box<str>,
    },
    /// An imported data object that is not as large as the module says.
    #[error("the data object `@{name}` is declared with {declared} bytes, but it has {actual}")]
    DataMismatch {
        /// The name.
        name: Box<str>,
        /// What this module says.
        declared: u64,
        /// What it has.
        actual: u64,
    },
    /// A data object of which each thread has a copy where the module that declares it says
    /// that all share one, or the other way round.
    #[error("the data object `@{name}` is {}", wrong_storage(*actual))]
    DataStorage {
        /// The name.
        name: Box<str>,
        /// What it is where it is defined.
        actual: Storage,
    },
    /// A data object that is less aligned than the module says which declares it, or may
    /// change where the module says `const`: code may have been made by that.
    #[error(
        "the data object `@{name}` is declared with `{promise}`, which its definition does not keep"
    )]
    DataPromise {
        /// The name.
        name: Box<str>,
        /// What this module says, as text spells it.
        promise: Box<str>,
    },
    /// A function that stores to a data object which is constant where it is defined.
    #[error("@{function} stores to `@{name}`, which is `const` where it is defined")]
    ConstantData {
        /// The name of the data object.
        name: Box<str>,
        /// The function.
        function: Box<str>,
    },
    /// A foreign symbol that the embedder did not allow.
    #[error(
        "the foreign symbol `@{name}` is not allowed; name it in `Config::allow_symbols`, or define it as a host function"
    )]
    ForbiddenSymbol {
        /// The name.
        name: Box<str>,
    },
    /// A foreign symbol that the process does not have.
    #[error("the process has no symbol `{name}`; link the library that defines it")]
    MissingSymbol {
        /// The name.
        name: Box<str>,
    },
    /// More thread-local objects than an engine can hold.
    #[error("an engine holds {limit} thread-local data objects at most; put several into one")]
    TooManyThreadLocals {
        /// The most that fit.
        limit: usize,
    },
    /// More bytes of thread-local data than one thread may have.
    #[error(
        "the thread-local data of an engine would take {requested} bytes in each thread, and at most {limit} are allowed; raise the reservation or the budget, or keep such data on the heap"
    )]
    ThreadLocalsTooLarge {
        /// Bytes, those of the modules loaded before included.
        requested: u64,
        /// The most that one thread may have: the reservation, or the budget
        /// where that is less.
        limit: usize,
    },
    /// The engine has as many functions as there are numbers for.
    #[error(
        "the engine has as many functions as it can number; remove some, or use another engine"
    )]
    TooManyFunctions,
    /// A name that the library keeps for itself.
    #[error("`@{name}` begins with `brolga.`, which is kept for the library's own functions")]
    ReservedName {
        /// The name.
        name: Box<str>,
    },
    /// The library or the tracker is gone.
    #[error(transparent)]
    Names(#[from] NamesError),
}

/// How a data object was declared otherwise than it is.
fn wrong_storage(actual: Storage) -> &'static str {
    match actual {
        Storage::Shared => "declared `thread_local`, and all threads share it",
        Storage::ThreadLocal => "`thread_local`, and declared as one that all threads share",
    }
}

fn first_of(diagnostics: &[Diagnostic]) -> String {
    match diagnostics {
        [] => "the text is no module".to_owned(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

/// A library that cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the library `{name}` cannot be linked: {reason}")]
pub struct LibraryError {
    /// What it was asked for by.
    pub name: Box<str>,
    /// What the system says.
    pub reason: String,
}

/// Why libraries of an engine are not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NamespaceError {
    /// There is no such name, library or tracker, or the change does not fit in with others.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// Two engines know nothing of each other.
    #[error("the library belongs to another engine; link libraries of one engine")]
    OtherEngine,
    /// What is loaded needs a library.
    #[error("the library `main` stays; clear it, or put what is to go into another library")]
    Main,
    /// What was loaded stays.
    #[error(
        "`@{name}` was loaded or is the host's, and stays; put what is to go into another library"
    )]
    Loaded {
        /// The name.
        name: Box<str>,
    },
    /// What the host defined cannot be linked.
    #[error("the host's function `@{name}` cannot be linked: {reason}")]
    NotLinked {
        /// The name.
        name: Box<str>,
        /// Why not.
        reason: String,
    },
}

/// Why there is no handle for a function.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FunctionError {
    /// Nobody defined it.
    #[error("no function `@{name}` is defined in this engine; load a module that exports it")]
    Missing {
        /// The name.
        name: Box<str>,
    },
    /// Whoever was to make it did not.
    #[error("`@{name}` was not made: {reason}")]
    NotMade {
        /// The name.
        name: Box<str>,
        /// Why not.
        reason: String,
    },
    /// The name stands for something else.
    #[error("`@{name}` is a data object, not a function")]
    NotFunction {
        /// The name.
        name: Box<str>,
    },
    /// The function came in with a module that was loaded as a whole, and stays with it, or it is
    /// the host's.
    #[error(
        "`@{name}` was loaded with its module or is the host's; what `Engine::define` defines can \
         be removed"
    )]
    Loaded {
        /// The name.
        name: Box<str>,
    },
    /// The types asked for are not those of the function.
    #[error("`@{name}` has the signature {actual}, not {expected}")]
    Signature {
        /// The name.
        name: Box<str>,
        /// What it is.
        actual: String,
        /// What was asked for.
        expected: String,
    },
    /// The way into the function could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The thread cannot compile.
    #[error(transparent)]
    Stack(#[from] SmallStack),
    /// There is no room for it.
    #[error(transparent)]
    Memory(#[from] CodeMemoryError),
}

/// Why a function has no code.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// Nobody defined it.
    #[error("no function `@{name}` is defined in this engine; define it first")]
    Missing {
        /// The name.
        name: Box<str>,
    },
    /// Whoever was to make it did not.
    #[error("`@{name}` was not made: {reason}")]
    NotMade {
        /// The name.
        name: Box<str>,
        /// Why not.
        reason: String,
    },
    /// It cannot be compiled.
    #[error("`@{name}` cannot be compiled: {error}")]
    Refused {
        /// The name.
        name: Box<str>,
        /// Why not.
        error: Arc<LoadError>,
    },
    /// It has another signature by now.
    #[error("`@{name}` is {actual} by now, and was {expected}; get a new handle")]
    Changed {
        /// The name.
        name: Box<str>,
        /// What it is.
        actual: String,
        /// What it was.
        expected: String,
    },
    /// It is being compiled already, by what waits for this call.
    #[error("`@{name}` is being compiled already, by what waits for this call")]
    Cycle {
        /// The name.
        name: Box<str>,
    },
    /// The thread is being torn down.
    #[error("the thread is being torn down; compile on another")]
    NoThread,
}

/// Why data could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DataError {
    /// Nobody defined it.
    #[error("no data object `@{name}` is defined in this engine; load a module that exports it")]
    Missing {
        /// The name.
        name: Box<str>,
    },
    /// The bytes are not all inside the object.
    #[error("bytes {offset}..{end} are outside of `@{name}`, which has {size} bytes")]
    Bounds {
        /// The name.
        name: Box<str>,
        /// The first byte.
        offset: u64,
        /// The byte behind the last.
        end: u64,
        /// Bytes of the object.
        size: u64,
    },
    /// There is no memory for this thread's copy of a thread-local object.
    #[error("there is no memory for this thread's copy of `@{name}`, which has {size} bytes")]
    OutOfMemory {
        /// The name.
        name: Box<str>,
        /// Bytes of the object.
        size: u64,
    },
    /// The thread is being torn down and has no copy of a thread-local object.
    #[error("the thread is being torn down and has no copy of `@{name}` any more; use it earlier")]
    NoThread {
        /// The name.
        name: Box<str>,
    },
    /// The object is a constant.
    #[error("`@{name}` is a constant; leave out `const` where it is declared")]
    Constant {
        /// The name.
        name: Box<str>,
    },
}

/// Why a call gave no results.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum CallError {
    /// Execution stopped.
    #[error(transparent)]
    Trap(Box<Trap>),
    /// A function of the host failed or panicked.
    #[error("{trap}")]
    Host {
        /// Where.
        trap: Box<Trap>,
        /// What it said.
        #[source]
        error: HostError,
    },
    /// The arguments are not those of the signature.
    #[error("`@{name}` has the signature {signature}: {reason}")]
    Arguments {
        /// The function.
        name: Box<str>,
        /// Its signature.
        signature: String,
        /// What does not fit.
        reason: String,
    },
    /// The call was given a limit that no code of the engine looks at.
    #[error("the engine's code never looks at the {limit} that the call was given: {remedy}")]
    IgnoredLimit {
        /// `fuel` or `deadline`.
        limit: &'static str,
        /// What to choose in the [`Config`](crate::Config) of the engine.
        remedy: &'static str,
    },
    /// The thread is being torn down, or the process is a forked child that
    /// may not run the engine's code.
    #[error("compiled code cannot be entered here: {reason}")]
    CannotEnter {
        /// Why not.
        reason: String,
    },
}

impl CallError {
    /// Where and why execution stopped, if it did.
    pub fn trap(&self) -> Option<&Trap> {
        match self {
            CallError::Trap(trap) | CallError::Host { trap, .. } => Some(trap),
            _ => None,
        }
    }
}
