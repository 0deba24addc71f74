//! gdb and perf themselves, on the example of this crate, which this program is, too: so they see
//! what was built with it. Where one is missing or refused, its test says so and passes.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "../examples/debugged.rs"]
mod debugged;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod sessions;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    if std::env::args().nth(1).is_some_and(|argument| argument == sessions::EXAMPLE) {
        return match debugged::main() {
            Ok(()) => std::process::ExitCode::SUCCESS,
            Err(_) => std::process::ExitCode::FAILURE,
        };
    }
    sessions::run()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {}
