//! Freeing where the system does not let one thread have all others pass a fence, as under a
//! filter of system calls.
#![cfg(target_os = "linux")]

use brolga::{Config, Engine};

use super::in_child;

/// What a child exits with where the system has no filters, or no fences of the kind: the tests say
/// nothing there.
const SKIPPED: i32 = 77;

/// Whether the system lets one thread have others pass a fence.
fn has_fences() -> bool {
    // SAFETY: it registers the process for that, as an engine does.
    let asked = unsafe {
        libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0)
    };
    asked == 0
}

/// Has the system refuse `membarrier` to this thread and those that it makes, for good; tells
/// whether it does.
fn refuse_fences() -> bool {
    const NUMBER: u32 = libc::SYS_membarrier as u32;
    let step = |code: u32, equal, other, k| libc::sock_filter {
        code: code as u16,
        jt: equal,
        jf: other,
        k,
    };
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, NUMBER),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the program stands until the call is over, and takes no right that anybody needs.
    let is_filtered = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) == 0
    };
    is_filtered && !has_fences()
}

/// What became of a test in a child.
fn check(child: impl FnOnce() -> i32) {
    use std::io::Write;
    match in_child(child) {
        SKIPPED => {
            let _ = std::io::stderr().write_all(b"SKIPPED: no filter of fences here\n");
        }
        code => assert_eq!(code, 0),
    }
}

/// Defines a function anew and calls it, again and again; gives the bytes of code that there are
/// each time, when what can be freed is.
fn code_after_each(engine: &Engine) -> Vec<usize> {
    let round = |number: i64| {
        let text = format!("export func @f() -> i64 {{\nb:\n    return {number}\n}}");
        engine.define(&text).unwrap();
        assert_eq!(engine.func::<(), i64>("f").unwrap().call(()).unwrap(), number);
        engine.collect();
        engine.books().live_code
    };
    (1..21).map(round).collect()
}

#[test]
fn code_is_freed_where_fences_are_refused_from_the_first() {
    check(|| {
        if !refuse_fences() {
            return SKIPPED;
        }
        let all = code_after_each(&Engine::new(Config::default()).unwrap());
        assert!(all.iter().all(|&bytes| bytes == all[0]), "{all:?}");
        0
    });
}

/// Nobody can know then whether a thread is inside: all stays, and all goes on.
#[test]
fn code_stays_where_fences_are_refused_later() {
    check(|| {
        if !has_fences() {
            return SKIPPED;
        }
        let engine = Engine::new(Config::default()).unwrap();
        let before = code_after_each(&engine);
        assert!(before.iter().all(|&bytes| bytes == before[0]), "{before:?}");
        if !refuse_fences() {
            return SKIPPED;
        }
        let after = code_after_each(&engine);
        assert!(after.is_sorted() && after[19] > before[0], "{after:?}");
        0
    });
}
