//! Whole programs of LLVM IR.

use std::process::Output;

use crate::tool::command;

/// The file of one of the programs beside this.
fn file(name: &str) -> String {
    format!("{}/tests/command/programs/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        command().arg("run").args(arguments).output().expect("the command can be started");
    let text = |bytes| String::from_utf8(bytes).expect("programs print text");
    (status.code(), text(stdout), text(stderr))
}

const LIFE: &str = "early\nlate\nmain\nat exit\nfini\n";

#[test]
fn the_value_of_main_is_the_exit_code_and_what_c_calls_at_the_end_is_called() {
    let life = file("life.ll");
    let (code, out, err) = run(&["-O0", "--link", "libc", &life]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(3), LIFE, ""));
}

#[test]
fn exit_ends_the_program_with_its_code() {
    let life = file("life.ll");
    let (code, out, err) = run(&["--link", "libc", &life, "--", "x"]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(4), LIFE, ""));
}

#[test]
fn a_trap_ends_the_program_at_once_with_what_it_has_printed() {
    let life = file("life.ll");
    let (code, out, err) = run(&["--link", "libc", &life, "--", "x", "y"]);
    assert_eq!((code, out.as_str()), (Some(3), "early\nlate\nmain\n"));
    assert!(err.starts_with("error[division_by_zero]: an integer was divided by zero\n"), "{err}");
}
