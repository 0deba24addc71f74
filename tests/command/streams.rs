//! What every subcommand has in common: help, usage, any bytes, closed streams.

use std::io::{Read, Write};
use std::process::Stdio;

use expect_test::expect;

use crate::tool::{brolga, command};

const TASKS: [&str; 7] = ["run", "interpret", "check", "fmt", "compile", "cfg", "targets"];

#[test]
fn help_lists_the_subcommands_and_the_exit_codes() {
    expect![[r#"
        exit code 0
        --- out
        Checks, formats, runs, interprets, compiles, draws and races modules of Brolga's IR and of LLVM's.

        FILE is a module in text, our own (.bir) or LLVM IR (.ll); `-` is standard input.

        Usage: brolga <COMMAND>

        Commands:
          run        Compiles a program and runs it
          interpret  Runs a module in the reference interpreter, which is what the language means
          check      Parses and verifies, and lists every error with its line
          fmt        Prints the canonical text
          compile    Shows what becomes of a module, for any target
          opt        Runs passes over a module, and prints what comes out
          cfg        Draws the blocks of a function and the edges between them
          explore    Makes a page of what the passes do to a module, step by step
          reduce     Makes a module that fails as small as the failure lets it be
          import     Reads LLVM IR and prints it as a module of our own
          export     Writes a module as LLVM IR
          bench      Measures compiling a module and calling a function of it, for others to race us
          passes     Lists the passes, in the order in which they run
          targets    Lists the CPUs and features that a target can name
          help       Print this message or the help of the given subcommand(s)

        Options:
          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version

        Exit codes:
          0  all went well
          1  the module is wrong, or cannot be compiled or linked; `fmt --check` would change it
          2  the command line is wrong, or a file cannot be read or written
          3  the program was stopped: by a trap, a limit, or an exception that nobody handled
        A whole program gives its own code, whatever it is, once it has begun.
        --- err
    "#]]
    .assert_eq(&brolga(&["--help"], b"").text());
}

#[test]
fn every_subcommand_has_help_with_examples() {
    for task in TASKS {
        let answer = brolga(&[task, "--help"], b"");
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{task}");
        assert!(answer.out.contains(&format!("\nExamples:\n  brolga {task}")), "{}", answer.out);
    }
}

/// What the help shows of the repository's own modules is typed as it stands.
#[test]
fn the_examples_of_the_help_work() {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut shown = 0;
    for task in TASKS {
        let help = brolga(&[task, "--help"], b"").out;
        let examples = help.lines().filter_map(|line| line.strip_prefix("  brolga "));
        for example in examples.filter(|line| line.contains("examples/") || *line == "targets") {
            let mut words: Vec<&str> = example.split(" | ").next().unwrap().split(' ').collect();
            if let Some(at) = words.iter().position(|word| *word == "-o") {
                words.drain(at..at + 2);
            }
            let output = command().current_dir(root).args(&words).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{example}: {message}");
            assert!(!output.stdout.is_empty(), "{example}");
            shown += 1;
        }
    }
    assert!(shown >= 10, "{shown}");
}

#[test]
fn a_wrong_command_line_is_exit_code_two() {
    for arguments in
        [&[][..], &["fly"], &["run"], &["run", "--fuel", "x", "-"], &["check", "-", "--x"]]
    {
        let answer = brolga(arguments, b"");
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!answer.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn any_bytes_are_an_error_that_names_the_place() {
    let noise: Vec<u8> =
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let zeros = vec![0; 4096];
    let brackets = b"func @f({{{{".repeat(1000);
    let long = [b"func @f() ".repeat(20_000), vec![b'\xe2', b'\x80', b'\xae']].concat();
    for bytes in [&noise, &zeros, &brackets, &long, &b"\xff".to_vec(), &b"\"".to_vec()] {
        for task in ["run", "interpret", "check", "fmt", "compile", "cfg"] {
            let answer = brolga(&[task, "-"], bytes);
            assert_eq!((answer.code, answer.out.as_str()), (1, ""), "{task}: {}", answer.err);
            assert!(answer.err.contains("<stdin>:1:"), "{task}: {}", answer.err);
            assert!(answer.err.len() < 50_000, "{task} goes on for {} bytes", answer.err.len());
        }
    }
}

#[test]
fn an_empty_module_is_one() {
    for task in ["check", "fmt", "compile"] {
        assert_eq!(brolga(&[task, "-"], b"").code, 0, "{task}");
    }
    assert_eq!(brolga(&["run", "-"], b"").code, 2);
    assert_eq!(brolga(&["cfg", "-"], b"").code, 2);
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    let pipes = || Stdio::piped();
    // More than a pipe holds, so that some of it is yet to be written.
    let text: String = (0..3000)
        .map(|n| format!("func @f{n}(i64) -> i64 {{\nb(%x: i64):\n    return %x\n}}\n"))
        .collect();
    for arguments in [&["fmt", "-"][..], &["compile", "-"], &["interpret", "--help"]] {
        let mut command = command();
        let piped = command.args(arguments).stdin(pipes()).stdout(pipes()).stderr(pipes());
        let mut child = piped.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // What reads no input closes it.
        let _ = stdin.write_all(text.as_bytes());
        drop(stdin);
        stdout.read_exact(&mut [0; 1]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), message.as_ref()), (Some(0), ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command().arg("targets").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("error: standard output: "), "{message}");
}
