#![cfg(target_os = "linux")]

use brolga::{CallError, Config, Engine, Forking};

const ANSWER: &str = "func @answer() -> i64 {\nentry:\n    return 42\n}";

/// The exit code of a forked child that runs `child`.
fn in_child(child: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child calls nothing that another thread's lock could block:
    // the engine's own locks are free, and it leaves by `_exit`.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let code = child();
        // SAFETY: ends the child at once, as a forked one must.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: waits for the child that was just made.
    unsafe { libc::waitpid(pid, &raw mut status, 0) };
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 }
}

#[test]
fn a_forked_child_is_refused_or_goes_on_as_configured() {
    for (forking, expected) in [(Forking::Refused, 7), (Forking::Safe, 42)] {
        let engine = Engine::new(Config { forking, ..Config::default() }).unwrap();
        engine.load(ANSWER).unwrap();
        let answer = engine.func::<(), i64>("answer").unwrap();
        let code = in_child(|| match answer.call(()) {
            Ok(number) => number as i32,
            Err(CallError::CannotEnter { .. }) => 7,
            Err(_) => 1,
        });
        assert_eq!(code, expected, "{forking:?}");
        assert_eq!(answer.call(()).unwrap(), 42);
    }
}
