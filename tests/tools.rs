//! What an engine tells, and writes down, of the functions that it compiles one by one.

mod tools {
    mod events;
    mod repros;
    mod traces;
}

use std::path::{Path, PathBuf};

/// A loop that calls a function.
const TEXT: &str = "\
export func @step(i64) -> i64 {
entry(%x: i64):
    %y = add.i64 %x, 3
    return %y
}

export func @climb(i64) -> i64 {
entry(%n: i64):
    jump loop(%n, 0)
loop(%left: i64, %sum: i64):
    %next = call @step(%sum)
    %fewer = sub.i64 %left, 1
    %more = icmp.i64 ne %fewer, 0
    branch %more, loop(%fewer, %next), done(%next)
done(%result: i64):
    return %result
}
";

/// A new folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
