//! `bench`.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::tool::{SAMPLE, brolga, command};

const KERNEL: &str = "\
func @kernel(i64) -> i64 {
entry(%n: i64):
    %twice = add.i64 %n, %n
    return %twice
}
func @fails(i64) -> i64 {
entry(%n: i64):
    %q = sdiv.i64 1, %n
    return %q
}
";

fn bench(arguments: &[&str], input: &str) -> crate::tool::Answer {
    brolga(&[&["bench", "--file", "-"], arguments].concat(), input.as_bytes())
}

/// What is printed of a file of LLVM IR.
fn bench_llvm(text: &str, arguments: &[&str]) -> String {
    static FILES: AtomicU32 = AtomicU32::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let name = format!("brolga-bench-{}-{number}.ll", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, text).unwrap();
    let output = command().arg("bench").arg("--file").arg(&file).args(arguments).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The text behind a key of the line.
fn value<'a>(line: &'a str, key: &str) -> &'a str {
    let (_, rest) = line.split_once(&format!("\"{key}\": ")).expect(key);
    rest
}

fn number(line: &str, key: &str) -> u64 {
    let digits: String = value(line, key).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect(key)
}

#[test]
fn a_line_has_every_number_in_its_place() {
    let answer = bench(&["-O0", "--n", "21", "--warm", "1", "--reps", "3"], KERNEL);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{answer:?}");
    let line = answer.out.strip_suffix('\n').unwrap();
    let shape: String = line.chars().filter(|c| !c.is_ascii_digit()).collect();
    let (start, rest) = shape.split_once("\"emit\"").unwrap();
    assert!(start.starts_with("{\"compile_ns\": , \"phases\": {\"parse\": , \"verify\": , "));
    let end = ": , \"link\": }, \"code_bytes\": , \"rss_compile_kb\": , \"first_abs_ns\": , \
               \"run_ns\": [, , ], \"checksum\": \"\"}";
    assert_eq!(rest, end);
    assert!(line.ends_with("\"checksum\": \"42\"}"), "{line}");
    for key in ["compile_ns", "code_bytes", "rss_compile_kb", "first_abs_ns", "emit"] {
        assert!(number(line, key) > 0, "{key} in {line}");
    }
}

#[test]
fn any_number_of_threads_gives_as_much_code_and_the_same_answer() {
    let mut text = String::from(KERNEL);
    for index in 0..100 {
        text += &format!(
            "\nfunc @f{index}(i64) -> i64 {{\nentry(%n: i64):\n    %m = mul.i64 %n, {index}\n    return %m\n}}\n"
        );
    }
    let arguments = ["--n", "21", "--warm", "1", "--reps", "0", "--threads"];
    let lines = ["1", "2", "7"].map(|threads| bench(&[&arguments[..], &[threads]].concat(), &text));
    for line in &lines {
        assert!(line.out.ends_with("\"checksum\": \"2\"}\n"), "{line:?}");
        assert_eq!(number(&line.out, "code_bytes"), number(&lines[0].out, "code_bytes"));
    }
    for threads in ["0", "1025", "many"] {
        let answer = bench(&[&arguments[..], &[threads]].concat(), &text);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains("--threads"), "{answer:?}");
    }
}

#[test]
fn passes_that_are_named_run_in_the_place_of_those_of_a_level() {
    let mut text =
        String::from("func @kernel(i64) -> i64 {\nentry(%n: i64):\n    %s0 = add.i64 %n, 0\n");
    for index in 0..30 {
        let next = index + 1;
        text += &format!("    %p{index} = mul.i64 %n, 12345\n");
        text += &format!("    %s{next} = xor.i64 %s{index}, %p{index}\n");
    }
    text += "    return %s30\n}\n";
    let code = |passes: &str| {
        let answer = bench(&["--n", "21", "--warm", "1", "--reps", "1", passes], &text);
        assert!(answer.out.ends_with("\"checksum\": \"21\"}\n"), "{answer:?}");
        number(&answer.out, "code_bytes")
    };
    assert!(code("--passes=early_cse") < code("--passes="));
    let answer = bench(&["--n", "1", "--warm", "1", "--reps", "0", "--passes=early_csf"], &text);
    assert!(answer.code == 2 && answer.err.contains("`early_csf`"), "{answer:?}");
}

#[test]
fn what_is_asked_of_the_passes_is_told_beside_the_line() {
    let asked = ["--print-after=dce", "--stats", "--n", "1", "--warm", "1", "--reps", "1"];
    let answer = bench(&asked, KERNEL);
    assert!(answer.out.starts_with('{') && answer.out.lines().count() == 1, "{answer:?}");
    assert!(answer.err.contains("dce") && answer.err.contains("func @kernel"), "{answer:?}");
}

#[test]
fn parts_do_not_take_longer_than_the_whole() {
    let line = bench(&["--n", "1", "--warm", "1", "--reps", "0", "--precompile", "2"], KERNEL).out;
    let (phases, _) = value(&line, "phases").split_once('}').unwrap();
    let parts = phases.split(", ").skip(1);
    let sum: u64 =
        parts.map(|part| part.rsplit(": ").next().unwrap().parse::<u64>().unwrap()).sum();
    assert!(sum <= number(&line, "compile_ns"), "{line}");
    assert!(line.contains("\"run_ns\": [], \"checksum\": \"2\"}"), "{line}");
}

#[test]
fn llvm_ir_is_raced_by_the_ending_of_its_file() {
    let text = "define i64 @half(i64 %n) {\n  %h = ashr i64 %n, 1\n  ret i64 %h\n}\n";
    let line = bench_llvm(text, &["--n", "-9", "--warm", "0", "--reps", "1", "--sym", "half"]);
    assert!(line.ends_with("\"checksum\": \"-5\"}\n"), "{line}");
}

#[test]
fn constructors_run_first_and_soft_floats_are_there() {
    let text = "\
@base = global i64 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }]
define internal void @begin() {
  store i64 40, ptr @base
  ret void
}
define i64 @kernel(i64 %n) {
  %x = sitofp i64 %n to x86_fp80
  %y = fmul x86_fp80 %x, %x
  %z = fptosi x86_fp80 %y to i64
  %base = load i64, ptr @base
  %sum = add i64 %z, %base
  ret i64 %sum
}
";
    let line = bench_llvm(text, &["--n", "5", "--warm", "1", "--reps", "1"]);
    assert!(line.ends_with("\"checksum\": \"65\"}\n"), "{line}");
}

#[test]
fn the_kernel_is_called_once_before_the_calls_that_are_measured() {
    let text = "\
@calls = global i64 0
define i64 @kernel(i64 %n) {
  %c = load i64, ptr @calls
  %d = add i64 %c, 1
  store i64 %d, ptr @calls
  %t = mul i64 %n, 1000
  %r = add i64 %t, %d
  ret i64 %r
}
";
    let none = bench_llvm(text, &["--n", "7", "--warm", "3", "--reps", "0"]);
    assert!(none.ends_with("\"run_ns\": [], \"checksum\": \"3001\"}\n"), "{none}");
    // What is compiled before is not called.
    let four = bench_llvm(text, &["--n", "7", "--warm", "3", "--reps", "4", "--precompile", "3"]);
    assert!(four.ends_with("\"checksum\": \"7005\"}\n"), "{four}");
}

#[test]
fn code_is_made_for_the_processor_that_is_named() {
    let numbers = ["--n", "1", "--warm", "1", "--reps", "1"];
    for cpu in ["generic", "native"] {
        let answer = bench(&[&["--cpu", cpu][..], &numbers].concat(), KERNEL);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{cpu}");
    }
    let unknown = bench(&[&["--cpu", "none-such"][..], &numbers].concat(), KERNEL);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("unknown CPU `none-such`"), "{}", unknown.err);
    let other = if cfg!(target_arch = "x86_64") { "aarch64-linux" } else { "x86_64-linux" };
    let elsewhere = bench(&[&["--cpu", other][..], &numbers].concat(), KERNEL);
    assert_eq!(elsewhere.code, 1);
    assert!(elsewhere.err.contains("does not run on this machine"), "{}", elsewhere.err);
}

#[test]
fn levels_and_tiers_that_do_not_exist_are_told_with_those_that_do() {
    let numbers = ["--n", "1", "--warm", "1", "--reps", "1"];
    let level = bench(&[&["-O7"][..], &numbers].concat(), KERNEL);
    assert_eq!(level.code, 2);
    assert!(level.err.contains("there is no level `-O7`; there is -O0, -O1"), "{}", level.err);
    let tier = bench(&[&["--tier", "t0"][..], &numbers].concat(), KERNEL);
    assert_eq!(tier.code, 2);
    let known = "there is no tier `t0`; there is quick, warm, hot and adaptive";
    assert!(tier.err.contains(known), "{}", tier.err);
}

#[test]
fn each_tier_runs_to_the_same_result() {
    let numbers = ["--n", "100000", "--warm", "1", "--reps", "2"];
    let results = ["quick", "warm", "hot", "adaptive"].map(|tier| {
        let run = bench(&[&["--tier", tier][..], &numbers].concat(), KERNEL);
        assert_eq!(run.code, 0, "{tier}: {}", run.err);
        let checksum = run.out.split("\"checksum\": ").nth(1).unwrap();
        checksum.to_owned()
    });
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
}

#[test]
fn what_is_no_kernel_and_what_traps_is_told() {
    let numbers = ["--n", "0", "--warm", "0", "--reps", "1"];
    let missing = bench(&numbers, SAMPLE);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("kernel"), "{}", missing.err);
    let trap = bench(&[&["--sym", "fails"][..], &numbers].concat(), KERNEL);
    assert_eq!(trap.code, 3);
    assert!(trap.err.contains("error[division_by_zero]"), "{}", trap.err);
}
