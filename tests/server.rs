//! The example that is a server, for a second.

#[path = "../examples/server.rs"]
#[allow(dead_code, reason = "its `main` is not called")]
mod server;

use std::time::Duration;

#[test]
fn queries_come_change_and_go_and_leave_nothing() {
    let mut out = Vec::new();
    server::run(Duration::from_secs(1), &mut out).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains(" answers ") && said.contains("bytes of code, "), "{said}");
    // A sample of each tenth, of whose first and last the memory is compared.
    let samples = said.lines().filter(|line| line.contains(" answers ")).count();
    assert!(samples >= 5, "{said}");
    assert!(cfg!(not(target_os = "linux")) || said.contains(" KiB in all"), "{said}");
}
