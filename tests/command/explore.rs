//! `explore`: the page is read as its script reads it.

use serde_json::Value;

use crate::tool::{SAMPLE, Scratch, brolga};

/// The page of a module, without times.
fn page(arguments: &[&str], input: &str) -> String {
    let answer =
        brolga(&[&["explore", "--no-times"], arguments, &["-"]].concat(), input.as_bytes());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{arguments:?}");
    answer.out
}

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, behind) = page.split_once(begin).expect("the page has data");
    let (text, _) = behind.split_once("</script>").expect("the data has an end");
    serde_json::from_str(text).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// The lines of a function behind all of its steps.
fn last_lines(data: &Value, function: usize) -> Vec<String> {
    let mut lines: Vec<usize> = Vec::new();
    for step in list(&data["functions"][function]["steps"]) {
        let (mut old, mut new) = (lines.iter().copied(), Vec::new());
        for edit in list(&step["edits"]) {
            match edit.as_i64() {
                Some(count @ 0..) => new.extend(old.by_ref().take(count as usize)),
                Some(count) => old.by_ref().take(count.unsigned_abs() as usize).for_each(drop),
                None => new.extend(list(edit).iter().map(index)),
            }
        }
        new.extend(old);
        lines = new;
    }
    let text = |line: usize| data["lines"][line][0].as_str().unwrap().to_owned();
    lines.into_iter().map(text).collect()
}

/// A text without its locations.
fn without_locations(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("loc"));
    lines.map(|line| line.split(" !loc").next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn the_steps_lead_to_what_the_passes_leave() {
    let example = include_str!("../../examples/nqueens.bir");
    for input in [SAMPLE, example] {
        for passes in [&["-O2"][..], &["--passes=O0,dce,simplify_cfg,dce"]] {
            let data = data(&page(passes, input));
            let whole = brolga(&[&["opt"], passes, &["-"]].concat(), input.as_bytes()).out;
            let mut shown: Vec<String> = Vec::new();
            for function in 0..list(&data["functions"]).len() {
                shown.extend(last_lines(&data, function));
                let steps = list(&data["functions"][function]["steps"]);
                assert_eq!(steps.len(), list(&data["passes"]).len() + 1);
            }
            let mut wanted = without_locations(&whole);
            wanted.retain(|line| !line.is_empty() && !line.starts_with("module "));
            assert_eq!(shown, wanted, "{passes:?}");
        }
    }
}

#[test]
fn a_page_has_all_that_there_is_to_know_of_a_function() {
    let example = include_str!("../../examples/nqueens.bir");
    let data = data(&page(&["-O2", "--function=place", "--function=queens"], example));
    let names: Vec<&Value> = list(&data["functions"]).iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["queens", "place"], "in the order of the module");
    assert_eq!((&data["file"], &data["list"]), (&"<stdin>".into(), &"-O2".into()));
    assert_eq!(list(&data["source"]).len(), example.lines().count());
    let function = &data["functions"][1];
    for (code, part) in [("clif", "block0"), ("assembly", "rbp")] {
        assert!(function[code]["text"].as_str().unwrap().contains(part), "{code}");
    }
    let steps = list(&function["steps"]);
    let still = steps.iter().filter(|step| step.as_object().unwrap().is_empty()).count();
    assert!(still > steps.len() / 2, "steps that did nothing are nothing: {still}");
    let remarks: Vec<&Value> = steps.iter().flat_map(|step| list(&step["remarks"])).collect();
    let rotated =
        remarks.iter().find(|it| it["pass"] == "loop_rotate").expect("a loop was rotated");
    let place = &data["places"][index(&rotated["place"])][0];
    assert_eq!((&place["function"], &place["line"]), (&"place".into(), &41.into()));
    assert!(steps.iter().any(|step| !list(&step["counts"]).is_empty()));
    let flow = &data["flows"][index(&steps[0]["flow"])];
    let kinds: Vec<&Value> = list(&flow["edges"]).iter().map(|edge| &edge["kind"]).collect();
    assert!(kinds.contains(&&"back".into()) && kinds.contains(&&"true".into()), "{kinds:?}");
    assert!(list(&flow["nodes"]).iter().any(|node| node["depth"] == 1));
}

#[test]
fn two_pages_of_one_module_differ_in_times_alone() {
    let example = include_str!("../../examples/nqueens.bir");
    assert_eq!(page(&["-O2"], example), page(&["-O2"], example));
    let timed = brolga(&["explore", "-"], example.as_bytes()).out;
    let mut timed = data(&timed);
    let mut times = 0;
    for function in timed["functions"].as_array_mut().unwrap() {
        for step in function["steps"].as_array_mut().unwrap() {
            times += usize::from(step.as_object_mut().unwrap().remove("time").is_some());
        }
    }
    assert!(times > 0);
    assert_eq!(timed, data(&page(&[], example)), "-O2 is what runs if nothing is said");
}

#[test]
fn no_name_breaks_out_of_the_page() {
    let name = "</script><b>&\u{2028}";
    let text = SAMPLE.replace("@gcd", &format!("@\"{name}\"")).replace("; A sample", "; </script>");
    let page = page(&["-O0"], &text);
    assert_eq!(page.matches("</script>").count(), 2, "that of the data and that of the script");
    assert!(!page.contains("<b>") && !page.contains('\u{2028}'));
    assert_eq!(data(&page)["functions"][0]["name"], name);
    let file = Scratch::new("<i>&.bir", SAMPLE);
    let page = brolga(&["explore", "-O0", file.path()], b"").out;
    assert!(!page.contains("<i>") && page.contains("&lt;i&gt;&amp;.bir: passes</title>"));
}

#[test]
fn a_page_is_written_to_a_file_and_takes_texts_of_llvm() {
    let file = Scratch::new("page.html", "");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/anagrams/anagrams.ll");
    let answer = brolga(&["explore", program, "--out", file.path()], b"");
    assert_eq!(answer.text(), "exit code 0\n--- out\n--- err\n");
    let page = String::from_utf8(file.read()).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(list(&data(&page)["functions"]).iter().any(|function| function["name"] == "main"));
}

#[test]
fn what_cannot_be_shown_is_an_error_with_a_way_out() {
    let sample = SAMPLE.as_bytes();
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (arguments, input, code, part) in [
        (&["--function=gdc"][..], sample, 2, "help: name one with `--function`: @gcd, @descend"),
        (&["-O9"], sample, 2, "there is no level `-O9`; there is -O0, -O1, -O2, -O3"),
        (&["--passes=dec"], sample, 2, "`--passes=dec`: column 1: no pass is named `dec`"),
        (&["--target=pdp-11"], sample, 2, "unknown CPU"),
        (&["--out=/no/such/folder/x.html"], sample, 2, "/no/such/folder/x.html: "),
        (&["--out", folder], sample, 2, folder),
        (&[], b"func @f() {\nb:\n    retrun\n}\n", 1, "--> <stdin>:3:5"),
        (&[], b"import func @f()\n", 1, "no function of the module has a body"),
    ] {
        let answer = brolga(&[&["explore"], arguments, &["-"]].concat(), input);
        assert_eq!((answer.code, answer.out.as_str()), (code, ""), "{arguments:?}");
        assert!(answer.err.contains(part), "{arguments:?}: {}", answer.err);
    }
    let answer = brolga(&["explore", "/nowhere/at/all.bir"], b"");
    assert_eq!(answer.code, 2);
    assert!(answer.err.starts_with("error: /nowhere/at/all.bir: "), "{}", answer.err);
    let many: String =
        (0..401).map(|it| format!("func @f{it}() {{\nb:\n    return\n}}\n")).collect();
    let answer = brolga(&["explore", "-"], many.as_bytes());
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("401 functions are more than the 400 of a page"), "{}", answer.err);
    assert!(answer.err.contains("help: name one with `--function`: @f0"), "{}", answer.err);
}

#[test]
fn passes_that_stop_leave_a_page_up_to_there() {
    let calls = "    call @g(%x)\n".repeat(140);
    let wide = "([60000 x i64]) {\nb(%x: [60000 x i64]):\n";
    let text = format!("func @g{wide}    return\n}}\n\nfunc @f{wide}{calls}    return\n}}\n");
    let file = Scratch::new("stopped.html", "");
    let answer = brolga(&["explore", "-", "--out", file.path()], text.as_bytes());
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("error: @f: its aggregates"), "{}", answer.err);
    let data = data(&String::from_utf8(file.read()).unwrap());
    assert!(data["failure"].as_str().unwrap().starts_with("@f: its aggregates"));
    let steps = |function: usize| list(&data["functions"][function]["steps"]).len();
    assert_eq!((steps(0), steps(1)), (3, 3), "the input, and two rows ahead of it");
    assert!(data["functions"][1]["clif"]["missing"].as_str().unwrap().contains("aggregates"));
}

#[test]
fn the_help_has_examples_and_every_option() {
    let help = brolga(&["explore", "--help"], b"");
    assert_eq!(help.code, 0);
    for part in ["--out", "--passes", "--function", "--no-times", "--target", "Examples:"] {
        assert!(help.out.contains(part), "{part}");
    }
}
