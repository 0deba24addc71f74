//! Brolga: a self-contained JIT. SSA IR or LLVM IR goes in, native code that runs in this
//! process comes out, through passes of our own and Cranelift; no LLVM,
//! no C compiler, no global state.
//!
//! ```
//! use brolga::{Config, Engine};
//!
//! let engine = Engine::new(Config::default())?;
//! engine.load(
//!     "func @square(i64) -> i64 {
//!      entry(%x: i64):
//!          %y = mul.i64 %x, %x
//!          return %y
//!      }",
//! )?;
//! let square = engine.func::<(i64,), i64>("square")?;
//! assert_eq!(square.call((12,))?, 144);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::load`] compiles a module at once; [`Engine::define`] has each function compiled at its
//! first call, and lets it be defined anew. [`Engine::define_host`] gives modules functions of the
//! host, [`ir::builder`] makes modules without text, and [`Config`] says how well and by whom code
//! is made, and what can stop it. The feature `tracing` tells of compiles as spans and events of the
//! crate of that name; the feature `cli` has the command `brolga`.

mod engine;
mod error;
mod link;
mod memory;
mod runtime;

/// The programs of the chapters are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
mod embedding {}

#[cfg(doctest)]
#[doc = include_str!("../docs/lifecycles.md")]
mod lifecycles {}

#[cfg(doctest)]
#[doc = include_str!("../docs/llvm.md")]
mod llvm {}

#[cfg(all(doctest, target_os = "linux", target_arch = "x86_64"))]
#[doc = include_str!("../docs/debugging.md")]
mod debuggers {}

pub use brolga_debugging as debugging;
pub use brolga_ir as ir;
pub use brolga_ir::datum::Datum;
pub use brolga_ir::observe::{
    CodeFreed, CompileFailed, CompileReason, FunctionCompiled, LoadStep, Observer, Remark,
    RemarkKind,
};
pub use brolga_ir::report::Trap;
pub use brolga_ir::trap::TrapCode;
pub use brolga_lifecycle::names::{NamesError, Reach, Visibility};
pub use brolga_lifecycle::tiers::{BadLine, Budgets, Tier, Tiering};
pub use brolga_lifecycle::trace::BadTrace;
pub use brolga_lowering as lowering;
pub use brolga_lowering::level::{BackEnd, Level};
pub use brolga_lowering::options::{Fuel, Polls, Sanitizing, StackGuard};
pub use brolga_lowering::pipeline::Inspection;
pub use brolga_lowering::target::TargetSpec;

pub use engine::{
    Argument, Arguments, CallOptions, Config, DynamicFunction, Engine, Forking, Function,
    FunctionRecord, HostFunction, HostResult, LeftOut, Library, Native, Plain, Precompiled,
    Results, Retry, Speculation, Stats, Tracker, WeakEngine,
};
pub use error::{
    CallError, CodeMemoryError, DataError, DebuggingError, EngineError, FunctionError, HostError,
    LibraryError, LoadError, NamespaceError, PrecompileError, RecordError, ReproError,
    ResolveError, SmallStack,
};
pub use memory::Books;
pub use runtime::{Debugging, Gdb};
