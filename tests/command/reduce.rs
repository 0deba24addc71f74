//! `reduce`.

use crate::tool::{SAMPLE, Scratch, brolga};

/// A program that is content while a file has these words.
const HAS_DIVISION: &str = "grep -q sdiv {}";

#[test]
#[cfg(unix)]
fn a_module_is_made_as_small_as_a_program_lets_it_be() {
    let file = Scratch::new("small.bir", "");
    let arguments = ["reduce", "--command", HAS_DIVISION, "-", "--out", file.path()];
    let answer = brolga(&arguments, SAMPLE.as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (0, ""), "{}", answer.err);
    let small = String::from_utf8(file.read()).unwrap();
    let wanted = "func @descend() -> i64 {\nentry:\n    %q = sdiv.i64 1, 0\n    return 0\n}\n\n\
                  ; brolga reduce --command 'grep -q sdiv {}': the program exits with 0\n";
    assert_eq!(small, wanted);
    assert!(answer.err.starts_with("reduce: 17 instructions, the program exits with 0\n"));
    assert!(answer.err.contains("reduce: from 17 instructions to 2; "), "{}", answer.err);
    let again = brolga(&["reduce", "--command", HAS_DIVISION, "-"], SAMPLE.as_bytes());
    assert_eq!(again.out, small, "it comes to the same each time");
    assert_eq!(again.err, answer.err);
    assert_eq!(brolga(&["check", "-"], small.as_bytes()).code, 0);
}

#[test]
#[cfg(unix)]
fn what_is_said_in_several_lines_is_a_comment_all_the_same() {
    let command = HAS_DIVISION.replace(' ', "\n");
    let small = brolga(&["reduce", "--command", &command, "-"], SAMPLE.as_bytes());
    assert!(small.out.ends_with("{}': the program exits with 0\n"), "{}", small.out);
    assert_eq!(brolga(&["check", "-"], small.out.as_bytes()).code, 0);
}

#[test]
#[cfg(unix)]
fn a_module_is_tried_as_often_as_is_said() {
    let arguments = ["reduce", "--command", HAS_DIVISION, "--tries=1", "-"];
    let answer = brolga(&arguments, SAMPLE.as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.err.contains("; modules tried: 1\n"), "{}", answer.err);
}

/// A script is stopped with what it has started, which would run on for ever.
#[test]
#[cfg(target_os = "linux")]
fn what_hangs_is_stopped_with_all_that_it_has_started() {
    use std::time::{Duration, Instant};
    let seconds = format!("98765{}", std::process::id());
    let script = Scratch::new("hang.sh", &format!("sleep {seconds} &\nwait\n"));
    let command = format!("sh {} {{}}", script.path());
    let answer = brolga(&["reduce", "--command", &command, "--patience=1", "-"], SAMPLE.as_bytes());
    assert_eq!(answer.code, 1, "{}", answer.err);
    let is_left = |entry: std::fs::DirEntry| {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.starts_with(format!("sleep\0{seconds}\0").as_bytes())
    };
    let is_any_left = || std::fs::read_dir("/proc").unwrap().flatten().any(is_left);
    // A signal is sent at once and obeyed when the system gets to it.
    let patience = Instant::now() + Duration::from_secs(30);
    while is_any_left() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_any_left());
}

#[test]
fn a_module_that_does_not_fail_is_an_error_with_a_way_out() {
    for (arguments, message, help) in [
        (
            &["--check=crash"][..],
            "the module does not fail: `--check=crash` with `-O2`",
            "an answer that is wrong is `--check=differs`",
        ),
        (
            &["--check=differs", "--passes=O1,gvn"],
            "the module does not fail: `--check=differs` with `--passes=O1,gvn`",
            "write `; run: @f(1) == 2` lines",
        ),
        (
            &["--check=verifier", "-O1"],
            "the module does not fail: `--check=verifier` with `-O1`",
            "a panic is `--check=crash`",
        ),
        #[cfg(unix)]
        (
            &["--command", "false {}"],
            "`false {}` does not exit with 0 for the module as it is",
            "`{}` stands for the file",
        ),
    ] {
        let answer = brolga(&[&["reduce"], arguments, &["-"]].concat(), SAMPLE.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (1, ""), "{arguments:?}");
        assert!(answer.err.contains(message) && answer.err.contains(help), "{}", answer.err);
    }
    let once = brolga(&["reduce", "--once", "--check=crash", "-"], SAMPLE.as_bytes());
    assert_eq!((once.code, once.out.as_str()), (1, ""));
    assert!(once.err.contains("does not fail `crash` with `-O2`"), "{}", once.err);
}

#[test]
fn what_cannot_be_tried_is_an_error_that_names_it() {
    let sample = SAMPLE.as_bytes();
    for (arguments, input, code, part) in [
        (&[][..], sample, 2, "--check <CHECK>"),
        (&["--check=speed"], sample, 2, "[possible values: crash, differs, verifier]"),
        (&["--check=crash", "--command=true"], sample, 2, "cannot be used with"),
        (&["--command=true", "-O2"], sample, 2, "cannot be used with"),
        (&["--check=crash", "--passes=dec"], sample, 2, "no pass is named `dec`"),
        (&["--command=/no/such/program {}"], sample, 2, "`/no/such/program`: "),
        (&["--check=crash"], b"func @f() {\nb:\n    retrun\n}\n", 1, "--> <stdin>:3:5"),
    ] {
        let answer = brolga(&[&["reduce"], arguments, &["-"]].concat(), input);
        assert_eq!((answer.code, answer.out.as_str()), (code, ""), "{arguments:?}: {}", answer.err);
        assert!(answer.err.contains(part), "{arguments:?}: {}", answer.err);
    }
    let answer = brolga(&["reduce", "--check=crash", "/nowhere/at/all.bir"], b"");
    assert!(answer.code == 2 && answer.err.starts_with("error: /nowhere/at/all.bir: "));
}
