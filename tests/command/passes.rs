//! `opt`, `passes`, and what `compile` and `run` show of the passes.

use std::process::Stdio;

use crate::tool::{SAMPLE, Scratch, brolga, command};

/// A branch that is likely, and a struct.
const MODULE: &str = "\
func @main() -> i64 {
entry:
    %r = call @pick(1)
    return %r
}

func @pick(i1) -> i64 {
entry(%c: i1):
    %e = expect.i1 %c, 1
    branch %e, one, two
one:
    return 1
two:
    return 2
}
";

fn opt(arguments: &[&str], input: &str) -> String {
    let answer = brolga(&[&["opt"], arguments, &["-"]].concat(), input.as_bytes());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{arguments:?}");
    answer.out
}

#[test]
fn passes_run_over_a_text_and_give_a_text() {
    let canonical = brolga(&["fmt", "-"], MODULE.as_bytes()).out;
    let nothing = opt(&["--passes="], MODULE);
    assert_eq!(opt(&["--passes="], &canonical), nothing);
    let weighed = opt(&["--passes=flatten_aggregates,lower_expect"], MODULE);
    assert!(weighed.contains(" weights(2000, 1)\n") && !weighed.contains("expect."), "{weighed}");
    assert_eq!(brolga(&["check", "-"], weighed.as_bytes()).code, 0);
    let file = Scratch::new("opt.bir", "");
    assert_eq!(opt(&["--passes=lower_expect", "-o", file.path()], MODULE), "");
    assert_eq!(String::from_utf8(file.read()).unwrap(), opt(&["--passes=lower_expect"], MODULE));
}

#[test]
fn levels_are_lists_of_passes() {
    for level in ["0", "1", "2", "3"] {
        let option = format!("-O{level}");
        let list = format!("--passes=O{level}");
        assert_eq!(opt(&[&option], SAMPLE), opt(&[&list], SAMPLE), "{level}");
    }
    let answer = brolga(&["opt", "-O7", "-"], MODULE.as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    let text = "error: there is no level `-O7`; there is -O0, -O1, -O2, -O3\n";
    assert_eq!(answer.err, text);
    assert_eq!(brolga(&["opt", "-"], MODULE.as_bytes()).code, 2);
    assert_eq!(brolga(&["opt", "-O0", "--passes=legalize", "-"], MODULE.as_bytes()).code, 2);
}

#[test]
fn what_a_pass_finds_at_a_border_it_can_be_run_on_alone() {
    for input in [MODULE, SAMPLE] {
        let whole = opt(&["-O0"], input);
        let before = opt(&["-O0", "--emit=bir@before=legalize"], input);
        assert_eq!(opt(&["--passes=legalize"], &before), whole);
        assert_eq!(opt(&["-O0", "--emit=bir@after=legalize"], input), whole);
        assert_eq!(opt(&["-O0", "--emit=bir"], input), whole);
    }
    let expected = opt(&["-O0", "--emit=bir@after=lower_expect"], MODULE);
    assert_ne!(expected, opt(&["-O0", "--emit=bir@before=lower_expect"], MODULE));
    let compiled = ["compile", "-O0", "--emit=bir@after=lower_expect", "-"];
    assert_eq!(brolga(&compiled, MODULE.as_bytes()).out, expected);
}

#[test]
fn a_border_in_the_middle_is_where_the_passes_up_to_it_come_to() {
    let rows = brolga::lowering::pipeline::passes_named(["O2"]).unwrap();
    // Behind its last run, and before its first.
    let licm = rows.iter().rposition(|row| row.spelling() == "licm").unwrap();
    let names: Vec<String> = rows[..=licm].iter().map(|row| row.spelling().to_string()).collect();
    let up_to_it = format!("--passes={}", names.join(","));
    let input = include_str!("../../examples/sieve.bir");
    let behind = opt(&["-O2", "--emit=bir@after=licm"], input);
    assert_eq!(opt(&[&up_to_it], input), behind);
    assert_ne!(opt(&["-O2", "--emit=bir@before=licm"], input), behind);
    let compiled = ["compile", "-O2", "--emit=bir@after=licm", "-"];
    assert_eq!(brolga(&compiled, input.as_bytes()).out, behind);
}

#[test]
fn one_function_stands_alone_with_what_it_names() {
    for command in [["opt", "-O0", "--emit=bir"], ["compile", "-O0", "--emit=bir"]] {
        let arguments = [&command[..], &["--function", "main", "-"]].concat();
        let answer = brolga(&arguments, MODULE.as_bytes());
        assert!(answer.out.contains("import func @pick(i1) -> i64\n"), "{}", answer.out);
        assert!(answer.out.contains("func @main() -> i64 {\n"), "{}", answer.out);
        assert_eq!(brolga(&["check", "-"], answer.out.as_bytes()).code, 0);
    }
    let reads = b"data @d const = { i32 [1, 2, 3] }\nfunc @f(i64) -> i32 {\n\
        b(%i: i64):\n    %x = data_load.i32 @d, %i\n    return %x\n}\n";
    let answer = brolga(&["opt", "-O2", "--function", "f", "-"], reads);
    assert!(answer.out.contains("import data @d size 12 const"), "{}", answer.out);
    assert_eq!(brolga(&["check", "-"], answer.out.as_bytes()).code, 0, "{}", answer.out);
    let none = brolga(&["opt", "-O0", "--function", "lcm", "-"], SAMPLE.as_bytes());
    assert_eq!(none.code, 2);
    assert!(none.err.contains("no such function as @lcm"), "{}", none.err);
}

#[test]
fn an_error_names_the_word_its_column_and_what_there_is() {
    for (arguments, parts) in [
        (
            &["opt", "--passes=legalize,licm3"][..],
            &["`--passes=legalize,licm3`: column 10: no pass is named `licm3`; there are ", "O3"][..],
        ),
        (
            &["opt", "--passes=legalize,flatten_aggregates"],
            &["column 1: `legalize` must not run before `flatten_aggregates`; put it behind"],
        ),
        (
            &["opt", "--passes=legalize", "--emit=bir@after=lower_expect"],
            &["`lower_expect` does not run in `--passes=legalize`; there run: legalize"],
        ),
        (
            &["compile", "--emit=bir@before=licm3"],
            &["`licm3` does not run in -O2; there run: expand_atomic_modify, "],
        ),
        (&["compile", "--emit=bir@licm"], &["there is asm, clif, obj, bir, bir@before=PASS and"]),
        (&["opt", "-O0", "--emit=asm"], &["there is bir, bir@before=PASS and bir@after=PASS"]),
        (
            &["run", "--print-after=licm3"],
            &["`--print-after=licm3`: column 1: no pass is named `licm3`; there are "],
        ),
        (&["opt", "-O0", "--bisect-limit=x"], &["`--bisect-limit=x`: the limit is a number"]),
        (&["compile", "--remarks=xml"], &["`--remarks=xml`: there is `text`"]),
    ] {
        let answer = brolga(&[arguments, &["-"]].concat(), MODULE.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments:?}: {}", answer.err);
        let err = answer.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(parts.iter().all(|part| err.contains(part)), "{arguments:?}: {err}");
    }
}

#[test]
fn what_a_list_of_passes_cannot_take_is_an_error_that_names_it() {
    let aggregate = "func @f({i64, f16x3}, ptr) {\nentry(%a: {i64, f16x3}, %p: ptr):\n    \
                     %v = extract_value.{i64, f16x3} %a, 1\n    \
                     masked_store.f16x3 <1,0,1>, %v, %p\n    return\n}\n";
    let answer = brolga(&["opt", "--passes=legalize", "-"], aggregate.as_bytes());
    let fault = "`extract_value` in block0, line 3: `extract_value`: `flatten_aggregates` comes";
    assert!(answer.code == 1 && answer.err.contains(fault), "{}", answer.err);
    let own = "import func @brolga.udiv.i128(i64) -> i64\nfunc @f(i128) -> i128 {\n\
               entry(%a: i128):\n    %b = udiv.i128 7, %a\n    return %b\n}\n";
    let answer = brolga(&["opt", "-O2", "-"], own.as_bytes());
    let fault = "`@brolga.udiv.i128` is another function than the library's own of that name;";
    assert!(answer.code == 1 && answer.err.contains(fault), "{}", answer.err);
}

#[test]
fn a_call_of_the_librarys_own_function_by_another_signature_is_not_compiled() {
    let text = "import func @brolga.umulhi.i128(i64) -> i64\nfunc @f(i64) -> i64 {\n\
                b(%a: i64):\n    %b = call @brolga.umulhi.i128(%a)\n    return %b\n}\n";
    for level in ["-O0", "-O2"] {
        let answer = brolga(&["compile", level, "--emit=asm", "-"], text.as_bytes());
        let fault = "is another function than the library's own of that name";
        assert!(answer.code == 1 && answer.err.contains(fault), "{}", answer.err);
    }
}

#[test]
fn the_table_lists_every_pass_with_its_level_and_reason() {
    let answer = brolga(&["passes"], b"");
    assert_eq!(answer.code, 0);
    for pass in brolga::lowering::pipeline::PASSES {
        let line = format!("\n  {}  {}", pass.spelling(), pass.from.name());
        assert!(answer.out.contains(&line), "{}", answer.out);
        let words = answer.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(pass.reason), "{}", pass.name);
        assert!(answer.out.contains(&format!("\n{}:\n", pass.stage.name())), "{}", answer.out);
    }
    assert!(answer.out.lines().all(|line| line.chars().count() <= 100), "{}", answer.out);
}

#[test]
fn what_is_asked_of_the_passes_goes_to_standard_error() {
    let shown = "; behind lower_expect\nfunc @pick(i1) -> i64 {\n";
    for subcommand in [&["opt"][..], &["compile"], &["compile", "--emit=bir"], &["run"]] {
        let subcommand = [subcommand, &["-O0"]].concat();
        let plain = brolga(&[&subcommand[..], &["-"]].concat(), MODULE.as_bytes());
        let options = ["--print-after=lower_expect", "--print-only", "pick", "--stats", "-"];
        let asked = brolga(&[&subcommand[..], &options].concat(), MODULE.as_bytes());
        assert_eq!((asked.code, &asked.out), (0, &plain.out), "{subcommand:?}: {}", asked.err);
        assert_eq!(plain.err, "", "{subcommand:?}");
        assert!(asked.err.starts_with(shown), "{subcommand:?}: {}", asked.err);
        let count = "1  lower_expect: dropped hints\n";
        assert!(asked.err.ends_with(count), "{subcommand:?}: {}", asked.err);
    }
    let object = ["compile", "--emit=obj", "--time-passes", "-o", "/dev/null", "-"];
    assert!(brolga(&object, MODULE.as_bytes()).err.contains("  legalize\n"));
}

#[test]
fn remarks_and_steps_are_shown_as_they_are_asked_for() {
    let of = |option: &str| {
        brolga(&["opt", "--passes=lower_expect", option, "-"], MODULE.as_bytes()).err
    };
    let place = "lower_expect applied, in @pick at line 10: block1 is the likely way\n";
    assert_eq!(of("--remarks"), place);
    assert_eq!(of("--remarks=text"), place);
    let json = of("--remarks=json");
    assert!(json.starts_with("{\"pass\":\"lower_expect\",\"kind\":\"applied\","), "{json}");
    assert!(json.contains("\"line\":10,") && json.ends_with("}\n"), "{json}");
    let steps = "lower_expect: drops inst0 of block0\nlower_expect: @pick: dropped hints: 1\n";
    assert_eq!(of("--debug-only=lower_expect"), steps);
    assert_eq!(of("--debug-only=legalize"), "");
}

#[test]
fn a_program_is_the_same_however_it_is_inspected() {
    let all = ["--print-before=changed", "--print-after=all", "--debug-only=all", "--verify-each"];
    let more = ["--remarks", "--time-passes", "--stats", "--bisect-limit=1000000"];
    for subcommand in [&["opt", "-O3"][..], &["compile"], &["compile", "--emit=clif"]] {
        let plain = brolga(&[subcommand, &["-"]].concat(), SAMPLE.as_bytes());
        let asked = brolga(&[subcommand, &all, &more, &["-"]].concat(), SAMPLE.as_bytes());
        assert_eq!((asked.code, asked.out), (0, plain.out), "{subcommand:?}");
    }
}

#[test]
fn functions_are_verified_behind_each_pass_where_data_is_not_at_hand() {
    let text = "data @d = { i64 3 }\nfunc @main() -> i64 {\nentry:\n    %x = data_load.i64 @d, 0\n    return %x\n}\n";
    for level in ["-O0", "-O2"] {
        let run = brolga(&["run", level, "--verify-each", "-"], text.as_bytes());
        assert_eq!((run.code, run.out.trim()), (0, "3"), "{}", run.err);
    }
}

#[test]
fn variables_of_the_environment_ask_and_options_come_first() {
    let call = |variables: &[(&str, &str)], arguments: &[&str]| {
        let file = Scratch::new(&format!("environment-{}.bir", variables.len()), MODULE);
        let mut command = command();
        command.args(arguments).arg(file.path()).envs(variables.iter().copied());
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let stats = ("BROLGA_STATS", "1");
    let count = "         1  lower_expect: dropped hints\n".to_owned();
    assert_eq!(call(&[stats], &["opt", "-O0"]), (Some(0), count.clone()));
    assert_eq!(call(&[stats], &["run", "-O0"]), (Some(0), count));
    assert_eq!(call(&[stats], &["opt", "-O0", "--stats=off"]), (Some(0), String::new()));
    let hints = ("BROLGA_PASSES", "flatten_aggregates,lower_expect");
    let count = "         1  lower_expect: dropped hints\n".to_owned();
    assert_eq!(call(&[stats, hints], &["opt"]), (Some(0), count));
    assert_eq!(call(&[stats, hints], &["opt", "--passes=dce"]), (Some(0), String::new()));
    let (code, text) = call(&[("BROLGA_PRINT_AFTER", "licm3")], &["run"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("`BROLGA_PRINT_AFTER=licm3`: column 1: no pass"), "{text}");
}

#[test]
fn a_program_runs_and_is_compiled_by_a_list_of_passes() {
    let list = "--passes=dce,gvn";
    let run = brolga(&["run", list, "--print-after=all", "-"], MODULE.as_bytes());
    assert_eq!((run.code, run.out.trim()), (0, "1"), "{}", run.err);
    let ran = |name: &str| run.err.contains(&format!("; behind {name}\n"));
    assert!(ran("dce") && ran("gvn") && ran("legalize") && !ran("inst_combine"), "{}", run.err);
    for subcommand in ["compile", "opt"] {
        let before = brolga(&[subcommand, list, "--emit=bir@before=gvn", "-"], MODULE.as_bytes());
        assert_eq!((before.code, before.err.as_str()), (0, ""), "{subcommand}");
        let other = brolga(&[subcommand, list, "--emit=bir@after=licm", "-"], MODULE.as_bytes());
        assert_eq!(other.code, 2, "{subcommand}");
        assert!(other.err.contains("--passes=dce,gvn"), "{subcommand}: {}", other.err);
    }
    let refused = brolga(&["run", "--passes=nothing", "-"], MODULE.as_bytes());
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("`--passes=nothing`: column 1: no pass"), "{}", refused.err);
}

#[test]
fn the_help_has_every_word_of_inspection() {
    for subcommand in ["opt", "compile", "run"] {
        let help = brolga(&[subcommand, "--help"], b"").out;
        for word in brolga::lowering::pipeline::INSPECTION_WORDS {
            assert!(help.contains(&format!("--{}", word.name)), "{subcommand}: {help}");
        }
    }
}

#[test]
fn two_runs_give_the_same_bytes() {
    for input in [MODULE, SAMPLE, include_str!("../../examples/nbody.bir")] {
        for arguments in [&["opt", "-O3", "--remarks=json", "--stats", "-"][..], &["compile", "-"]]
        {
            let first = brolga(arguments, input.as_bytes());
            assert_eq!(first.text(), brolga(arguments, input.as_bytes()).text());
        }
    }
}
