//! Whole programs of LLVM IR.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

use expect_test::expect;

use crate::tool::{brolga, command};

/// The file of one of the programs beside this.
fn file(name: &str) -> String {
    format!("{}/tests/command/programs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// How a program ended: its code, or less than 0 the signal; what it printed.
fn finish(mut command: Command, input: &str) -> (i32, String, String) {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command can be started");
    let mut stdin = child.stdin.take().expect("it has a standard input");
    // A program that does not read it is none the worse.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("programs print text");
    let code = status.code().unwrap_or_else(|| -status.signal().unwrap_or(0));
    (code, text(stdout), text(stderr))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = command();
    command.arg("run").args(arguments);
    finish(command, "")
}

const LIFE: &str = "early\nlate\nmain\nat exit\nfini\n";

#[test]
fn the_value_of_main_is_the_exit_code_and_what_c_calls_at_the_end_is_called() {
    let life = file("life.ll");
    assert_eq!(run(&["-O0", "--link", "libc", &life]), (3, LIFE.to_owned(), String::new()));
}

#[test]
fn exit_ends_the_program_with_its_code() {
    let life = file("life.ll");
    assert_eq!(run(&["--link", "libc", &life, "--", "x"]), (4, LIFE.to_owned(), String::new()));
}

#[test]
fn a_trap_ends_the_program_at_once_behind_what_it_has_printed() {
    let life = file("life.ll");
    let (code, out, err) = run(&["--link", "libc", &life, "--", "x", "y"]);
    assert_eq!((code, out.as_str()), (3, "early\nlate\nmain\n"));
    let err = err.replace(&life, "life.ll");
    expect![[r#"
        error[division_by_zero]: an integer was divided by zero
          --> life.ll:51:3
           |
        51 |   %q = sdiv i32 1, %less
           |   ^^^^^^^^^^^^^^^^^^^^^^
           |
           = note: in @main at line 51
    "#]]
    .assert_eq(&err);
}

#[test]
fn a_trap_is_told_where_it_stands_in_the_source_that_debug_information_names() {
    let (code, _, err) = run(&["--unsafe", &file("debug.ll")]);
    assert_eq!(code, 3);
    expect![[r#"
        error[division_by_zero]: an integer was divided by zero
        --> not-there.c:3:12
         = note: in @quotient at not-there.c:3
         = note: inlined in @main at not-there.c:7
    "#]]
    .assert_eq(&err);
}

#[test]
fn a_trap_in_what_c_calls_ends_the_program_whenever_that_is() {
    let ends = file("ends.ll");
    for how in ["t", "e", "x"] {
        let (code, out, err) = run(&["--link", "libc", &ends, "--", how]);
        assert_eq!((code, out.as_str()), (3, "before\n"), "{how}: {err}");
        assert!(err.contains("in @fail at line 25"), "{how}: {err}");
    }
}

#[test]
fn a_program_that_aborts_dies_by_the_signal() {
    let (code, _, err) = run(&["--link", "libc", &file("ends.ll"), "--", "a"]);
    assert_eq!((code, err.as_str()), (-6, ""));
    let (code, _, err) = run(&["--link", "libc", &file("ends.ll"), "--", "f"]);
    // The message begins with the name of the program where C's library has a place for it.
    assert_eq!((code, err.as_str()), (-6, "ends.ll: p:7: p: Assertion `1==2' failed.\n"));
}

#[test]
fn a_program_has_its_arguments_the_environment_and_standard_input() {
    let mut command = command();
    command.args(["run", "--link", "libc", &file("words.ll"), "--", "one", "-two", "--", "t h"]);
    command.env("PROGRAM_KIND", "small");
    let (code, out, err) = finish(command, "first\nlast");
    assert_eq!(err, "");
    assert_eq!(
        (code, out.as_str()),
        (0, "<one>\n<-two>\n<-->\n<t h>\nPROGRAM_KIND=small\n1: first\n2: last")
    );
}

#[test]
fn c_and_a_program_call_each_other() {
    let out = "13579\nword 2.5\nsignal 10\nback 3\n";
    let answer = run(&["--link", "libc", &file("callbacks.ll")]);
    assert_eq!(answer, (42, out.to_owned(), String::new()));
}

#[test]
fn a_program_starts_threads_and_is_ended_by_a_trap_in_one() {
    let link = ["--link", "libc", "--link", "libpthread", &file("threads.ll")];
    assert_eq!(run(&link), (5, "80 8 6\n".to_owned(), String::new()));
    let (code, out, err) = run(&[&link[..], &["--", "x"]].concat());
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(err.contains("an integer was divided by zero"), "{err}");
    assert!(err.contains("in @work at line 15"), "{err}");
}

#[test]
fn the_example_runs() {
    let example = format!("{}/examples/anagrams/anagrams.ll", env!("CARGO_MANIFEST_DIR"));
    let mut command = command();
    command.args(["run", "--link", "libc", &example, "--", "3"]);
    let words = "listen silent enlist tea eat ate brolga tinsel on no";
    let out = "enlist listen silent tinsel\nate eat tea\n";
    assert_eq!(finish(command, words), (0, out.to_owned(), String::new()));
}

#[test]
fn several_files_are_one_program() {
    let (first, second) = (file("parts/first.ll"), file("parts/second.ll"));
    for files in [[&first, &second], [&second, &first]] {
        // What both define weakly is that of the file which comes first.
        let out = match files[0] == &first {
            true => "abcd1 1 2 22 12\n",
            false => "abdc1 2 2 22 12\n",
        };
        let native = run(&["--link", "libc", files[0], files[1]]);
        assert_eq!(native, (0, out.to_owned(), String::new()));
        let interpreted = brolga(&["interpret", files[0], files[1]], b"");
        assert_eq!((interpreted.code, interpreted.out.as_str()), (0, out));
    }
}

#[test]
fn symbols_of_every_kind_are_shared_by_files() {
    let (uses, has) = (file("shared/uses.ll"), file("shared/has.ll"));
    let out = "5 7 42 9 34 11\n";
    for files in [[&uses, &has], [&has, &uses]] {
        let native = run(&["--link", "libc", files[0], files[1]]);
        assert_eq!(native, (0, out.to_owned(), String::new()));
        let interpreted = brolga(&["interpret", files[0], files[1]], b"");
        assert_eq!((interpreted.code, interpreted.out.as_str()), (0, out));
    }
}

#[test]
fn what_linkers_merge_is_one_in_all_files() {
    let (first, second) = (file("merged/first.ll"), file("merged/second.ll"));
    for (files, out) in [([&first, &second], "1 10 7 1\n"), ([&second, &first], "2 20 7 2\n")] {
        let native = run(&["--link", "libc", files[0], files[1]]);
        assert_eq!(native, (0, out.to_owned(), String::new()));
        let interpreted = brolga(&["interpret", files[0], files[1]], b"");
        assert_eq!((interpreted.code, interpreted.out.as_str()), (0, out), "{}", interpreted.err);
    }
}

#[test]
fn each_library_is_named_by_itself() {
    let waves = file("waves.ll");
    let answer = (3, "-0.989992 8\n".to_owned(), "8.000000 -0.989992\n".to_owned());
    let words = ["--", "a", "b"];
    let linked = ["--link", "libc", "--link", "libm", &waves];
    assert_eq!(run(&[&linked[..], &words].concat()), answer);
    let allowed = ["--link", "libm", "--allow", "*printf", "--allow", "stderr", &waves];
    assert_eq!(run(&[&allowed[..], &words].concat()), answer);
    let (code, out, err) = run(&["--link", "libc", &waves]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("the foreign symbol @cos is not allowed"), "{err}");
}

#[test]
fn what_is_exported_runs_before_and_after_the_program_as_what_was_read() {
    let order = file("order.ll");
    let exported = brolga(&["export", &order], b"");
    assert_eq!(exported.code, 0, "{}", exported.err);
    let path = std::env::temp_dir().join(format!("brolga-order-{}.ll", std::process::id()));
    fs::write(&path, &exported.out).expect("there is a folder for such files");
    for file in [&order, &path.display().to_string()] {
        assert_eq!(run(&["--link", "libc", file]), (0, "bcda-acb".to_owned(), String::new()));
    }
    fs::remove_file(&path).expect("it is there");
}

#[test]
fn one_file_of_several_does_not_stand_alone() {
    let (code, _, err) = run(&["--link", "libc", &file("parts/first.ll")]);
    assert_eq!(code, 1);
    expect![[r#"
        error: the foreign symbol @shared is not allowed
         |
         = help: run it with `--link` and the library that has it, such as `--link libc`, with `--allow shared`, or with the file that defines it
    "#]]
    .assert_eq(&err);
}

#[test]
fn two_files_that_define_the_same_are_named() {
    let (life, words) = (file("life.ll"), file("words.ll"));
    let (code, _, err) = run(&["--link", "libc", &life, &words]);
    assert_eq!(code, 1);
    assert!(err.contains("`@main` is defined by several files: "), "{err}");
    assert!(err.contains(&format!("{life}, {words}")), "{err}");
}

#[test]
fn a_throw_is_a_trap_that_names_its_place() {
    let throws = file("throws.ll");
    let (code, out, err) = run(&["-O0", "--link", "libc", &throws]);
    assert_eq!((code, out.as_str()), (3, "before\n"));
    let err = err.replace(&throws, "throws.ll");
    expect![[r#"
        error[uncaught_exception]: an exception was thrown and not handled
          --> throws.ll:15:3
           |
        15 |   call void @__cxa_throw(ptr %e, ptr @int, ptr null)
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = note: in @fail at line 15
           = note: called from @main at line 21
    "#]]
    .assert_eq(&err);
    let interpreted = brolga(&["interpret", &throws], b"");
    assert_eq!((interpreted.code, interpreted.out.as_str()), (3, "before\n"));
    assert_eq!(interpreted.err.replace(&throws, "throws.ll"), err);
}

#[test]
fn destructors_of_global_objects_run_behind_main() {
    let (code, out, err) = run(&["--link", "libc", &file("destructor.ll")]);
    assert_eq!((code, out.as_str(), err.as_str()), (7, "gone\n", ""));
}

#[test]
fn a_throw_goes_where_a_file_of_the_program_defines_it() {
    let files = [&*file("throws.ll"), &*file("parts/unwinder.ll")];
    let native = run(&["--link", "libc", files[0], files[1], "--", "x"]);
    assert_eq!(native, (2, "before\n".to_owned(), String::new()));
    let interpreted = brolga(&["interpret", files[0], files[1], "--", "x"], b"");
    assert_eq!((interpreted.code, interpreted.out.as_str()), (2, "before\n"));
}

#[test]
fn what_a_program_may_call_is_named_by_whoever_runs_it() {
    let life = file("life.ll");
    let (code, out, err) = run(&["--allow", "put*", &life]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("the foreign symbol @atexit is not allowed"), "{err}");
    assert!(err.contains("`--allow atexit`"), "{err}");
    let (code, out, _) = run(&["--allow", "put*", "--allow", "atexit", "--allow", "exit", &life]);
    assert_eq!((code, out.as_str()), (3, LIFE));
    let (code, _, err) = run(&[&life]);
    assert_eq!(code, 1);
    expect![[r#"
        error: the program uses addresses, and is not trusted to
         |
         = help: if you trust it, name the libraries that it may call, as by `--link libc`, or run it with `--unsafe`; if not, interpret it
    "#]]
    .assert_eq(&err);
}

#[test]
fn what_is_not_there_is_said() {
    let life = file("life.ll");
    let (code, _, err) = run(&["--link", "libnotthere", &life]);
    assert_eq!(code, 2);
    assert!(err.contains("the library `libnotthere` cannot be linked: libnotthere.so: "), "{err}");
    let (code, _, err) = run(&["-O7", "--link", "libc", &life]);
    assert_eq!(
        (code, err.as_str()),
        (2, "error: there is no level `-O7`; there is -O0, -O1, -O2, -O3\n")
    );
    let (code, _, err) = run(&["--link", "libc", &file("parts/second.ll")]);
    assert_eq!(code, 2);
    assert!(err.starts_with("error: the module has no such function as @main\n"), "{err}");
    assert!(err.contains("name one with `--entry`: "), "{err}");
}

#[test]
fn a_function_of_llvm_ir_is_called_by_its_name() {
    let (second, entry) = (file("parts/second.ll"), ["--entry", "strong"]);
    let call = [&["--link", "libc"], &entry[..], &[&second, "--", "5"]].concat();
    assert_eq!(run(&call), (0, "7\n".to_owned(), String::new()));
    let text = fs::read(&second).expect("the program is there");
    let call = ["interpret", "--from", "ll", "--entry", "strong", "-", "--", "5"];
    assert_eq!(brolga(&call, &text).text(), "exit code 0\n--- out\n7\n--- err\n");
}

#[test]
fn the_interpreter_runs_whole_programs() {
    let life = file("life.ll");
    for (arguments, code) in [(&[][..], 3), (&["--", "x"], 4)] {
        let answer = brolga(&[&["interpret", &life], arguments].concat(), b"");
        assert_eq!((answer.code, answer.out.as_str()), (code, LIFE), "{}", answer.err);
    }
    let answer = brolga(&["interpret", &life, "--", "x", "y"], b"");
    assert_eq!((answer.code, answer.out.as_str()), (3, "early\nlate\nmain\n"));
    assert!(answer.err.contains("in @main at line 51"), "{}", answer.err);
}

#[test]
fn the_interpreter_stops_where_it_has_no_model() {
    let answer = brolga(&["interpret", &file("callbacks.ll")], b"");
    assert!(answer.err.contains("missing_function"), "{}", answer.text());
    assert_eq!((answer.code, answer.out.as_str()), (3, "13579\nword 2.5\n"));
}
