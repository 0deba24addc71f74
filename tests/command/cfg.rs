//! `cfg`.

use std::fmt::Write;

use expect_test::expect;

use crate::tool::{SAMPLE, Scratch, brolga};

#[test]
fn a_graph_has_blocks_labels_and_loops() {
    let answer = brolga(&["cfg", "--format=dot", "--function", "gcd", "-"], SAMPLE.as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.err);
    expect![[r##"
        digraph "@gcd" {
            node [shape=box, fontname="monospace", fontsize=10];
            edge [fontname="monospace", fontsize=9];
            n0 [label="entry(%a: i64, %b: i64):\l    jump loop(%a, %b)\l"];
            n1 [label="loop(%x: i64, %y: i64):\l    %done = icmp.i64 eq %y, 0\l    branch %done, out, next\l"];
            n2 [label="next:\l    %r = srem.i64 %x, %y\l    jump loop(%y, %r)\l"];
            n3 [label="out:\l    return %x\l"];
            n0 -> n1 [label=""];
            n1 -> n3 [label="true"];
            n1 -> n2 [label="false"];
            n2 -> n1 [label="", color="#c2410c", penwidth=1.5];
        }
    "##]].assert_eq(&answer.out);
}

#[test]
fn a_picture_has_blocks_labels_and_loops() {
    let file = Scratch::new("gcd.svg", "");
    let answer = brolga(&["cfg", "-", "--function", "gcd", "-o", file.path()], SAMPLE.as_bytes());
    assert_eq!(answer.text(), "exit code 0\n--- out\n--- err\n");
    let picture = String::from_utf8(file.read()).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for (part, count) in [
        ("<g class=\"block\">", 3),
        ("<g class=\"block loop\">", 1),
        (">true</text>", 1),
        (">false</text>", 1),
        ("<g class=\"back\">", 1),
        (">%r = srem.i64 %x, %y</text>", 1),
    ] {
        assert_eq!(picture.matches(part).count(), count, "{part}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
}

#[test]
fn names_of_any_characters_break_no_picture() {
    let text = "func @\"<a>&\\\"\\01\"() {\n\"b<&>\\\"\":\n    return\n}\n";
    let picture = brolga(&["cfg", "-"], text.as_bytes()).out;
    for part in ["@&lt;a&gt;&amp;\"\u{fffd}", "b&lt;&amp;&gt;"] {
        assert!(picture.contains(part), "{picture}");
    }
    assert!(!picture.contains("<a>") && !picture.contains("b<&"), "{picture}");
    let graph = brolga(&["cfg", "--format=dot", "-"], text.as_bytes()).out;
    assert!(graph.starts_with("digraph \"@<a>&\\\"\u{fffd}\" {\n"), "{graph}");
    assert!(graph.contains(r#"label="\"b<&>\\\"\":\l"#), "{graph}");
}

#[test]
fn the_function_is_named_where_there_are_several() {
    let answer = brolga(&["cfg", "-"], SAMPLE.as_bytes());
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("`--function`: @gcd, @descend, @both, @main"), "{}", answer.err);
    let one = "func @f() {\nentry:\n    jump entry2\nentry2:\n    jump entry2\n}\n";
    assert_eq!(brolga(&["cfg", "-"], one.as_bytes()).code, 0);
    assert_eq!(brolga(&["cfg", "-"], b"import func @f()\n").code, 2);
}

#[test]
fn switches_and_handlers_are_labelled_and_unverified_modules_drawn() {
    let text = "\
import func @g()
func @f(i8) {
entry(%x: i8):
    switch.i8 %x, [-1: one, 7: one, 8: two], other
one:
    try_call @g() normal two, unwind other
two:
    return %x
other:
    jump lost
lost:
    jump lost
}
";
    let answer = brolga(&["cfg", "--format=dot", "-"], text.as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.err);
    for label in ["\"-1, 7\"", "\"8\"", "\"default\"", "\"normal\"", "\"unwind\""] {
        assert!(answer.out.contains(&format!("label={label}")), "{label}: {}", answer.out);
    }
    assert_eq!(brolga(&["cfg", "-"], text.as_bytes()).code, 0);
}

#[test]
fn a_function_that_is_too_large_for_a_picture_is_told_so() {
    let mut text = "func @f(i1) {\nentry(%c: i1):\n    jump b0\n".to_owned();
    for index in 0..2000 {
        writeln!(text, "b{index}:\n    branch %c, b{}, b2000", index + 1).unwrap();
    }
    text += "b2000:\n    return\n}\n";
    let answer = brolga(&["cfg", "-"], text.as_bytes());
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("--format dot"), "{}", answer.err);
    assert_eq!(brolga(&["cfg", "--format=dot", "-"], text.as_bytes()).code, 0);
}
