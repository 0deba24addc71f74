//! Colour: on a terminal, and nowhere else. (Every other test asserts the
//! latter; the terminal here is one end of a pair that the kernel makes.)

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::FromRawFd;
use std::process::Stdio;

use crate::tool::command;

/// The two ends of a terminal: where its window would be, and its programs.
fn terminal() -> (File, File) {
    // SAFETY: plain calls of C; the number is checked, and owned by the file alone.
    let window = unsafe {
        let number = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY);
        assert!(number >= 0, "{}", io::Error::last_os_error());
        assert_eq!((libc::grantpt(number), libc::unlockpt(number)), (0, 0));
        File::from_raw_fd(number)
    };
    let mut name = [0; 128];
    // SAFETY: the buffer is as long as is said, and holds a string if the call succeeds.
    let name = unsafe {
        use std::os::fd::AsRawFd;
        assert_eq!(libc::ptsname_r(window.as_raw_fd(), name.as_mut_ptr(), name.len()), 0);
        CStr::from_ptr(name.as_ptr()).to_str().unwrap().to_owned()
    };
    (window, OpenOptions::new().read(true).write(true).open(name).unwrap())
}

/// What the command writes to a terminal about a module that is wrong.
fn shown(variables: &[(&str, &str)]) -> String {
    let (mut window, inside) = terminal();
    let mut child = command()
        .args(["check", "-"])
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(inside)
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"func").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut bytes = Vec::new();
    // Once nobody holds the other end, reading fails.
    let _ = window.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn messages_are_coloured_on_a_terminal_that_can() {
    let text = shown(&[]);
    assert!(text.contains("\u{1b}[") && text.contains("unexpected-token"), "{text:?}");
}

#[test]
fn nothing_is_coloured_where_that_is_not_wanted() {
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let text = shown(&[variable]);
        assert!(!text.contains('\u{1b}') && text.contains("unexpected-token"), "{text:?}");
    }
}
