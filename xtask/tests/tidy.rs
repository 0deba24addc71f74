//! The repository is tidy: `cargo xtask tidy` finds nothing.

use std::process::Command;

#[test]
fn tidy_finds_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tidy").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
