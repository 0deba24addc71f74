//! The engine through its public interface.

mod engine {
    mod callbacks;
    mod calls;
    mod conventions;
    mod data;
    mod fences;
    mod foreign;
    mod forking;
    mod hosts;
    mod inspection;
    mod jumps;
    mod limits;
    mod loading;
    mod memory;
    mod nesting;
    mod programs;
    mod sanitize;
    mod threads;
    mod trap_sites;
    mod traps;

    use brolga::{Config, Engine};

    /// An engine of the default configuration with a module in the safe dialect.
    fn engine(text: &str) -> Engine {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(text).unwrap();
        engine
    }

    /// An engine with a module that uses addresses.
    fn raw_engine(text: &str) -> Engine {
        let engine = Engine::new(Config::default()).unwrap();
        // SAFETY: each test's module accesses only what the test gives it.
        unsafe { engine.load_unsafe(text) }.unwrap();
        engine
    }

    /// The exit code of a forked child that runs `child`, which has this thread
    /// alone; 101 if it panics, and less than 0 if it is ended by a signal.
    #[cfg(target_os = "linux")]
    fn in_child(child: impl FnOnce() -> i32) -> i32 {
        // SAFETY: the child calls nothing that another thread's lock could
        // block: the engine's own locks are free, and it leaves by `_exit`.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            // SAFETY: a child that hangs is ended.
            unsafe { libc::alarm(60) };
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child));
            // SAFETY: ends the child at once, as a forked one must.
            unsafe { libc::_exit(outcome.unwrap_or(101)) };
        }
        let mut status = 0;
        // SAFETY: waits for the child that was just made.
        unsafe { libc::waitpid(pid, &raw mut status, 0) };
        if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -libc::WTERMSIG(status) }
    }
}
