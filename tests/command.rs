//! The command, as whoever types it sees it: output, errors and exit codes.

#[path = "command/cfg.rs"]
mod cfg;
#[path = "command/check.rs"]
mod check;
#[path = "command/compile.rs"]
mod compile;
#[path = "command/fmt.rs"]
mod fmt;
#[path = "command/run.rs"]
mod run;
#[path = "command/streams.rs"]
mod streams;
#[path = "command/tool.rs"]
mod tool;
