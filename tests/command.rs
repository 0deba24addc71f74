//! The command, as whoever types it sees it: output, errors and exit codes.

#[path = "command/bench.rs"]
mod bench;
#[path = "command/cfg.rs"]
mod cfg;
#[path = "command/check.rs"]
mod check;
#[path = "command/compile.rs"]
mod compile;
#[path = "command/explore.rs"]
mod explore;
#[path = "command/files.rs"]
mod files;
#[path = "command/fmt.rs"]
mod fmt;
#[path = "command/llvm.rs"]
mod llvm;
#[path = "command/page.rs"]
mod page;
#[path = "command/passes.rs"]
mod passes;
#[cfg(target_os = "linux")]
#[path = "command/program.rs"]
mod program;
#[path = "command/reduce.rs"]
mod reduce;
#[path = "command/run.rs"]
mod run;
#[path = "command/streams.rs"]
mod streams;
#[cfg(target_os = "linux")]
#[path = "command/terminal.rs"]
mod terminal;
#[path = "command/tool.rs"]
mod tool;
#[path = "command/tools.rs"]
mod tools;
