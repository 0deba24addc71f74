//! What short texts ask for is limited as a whole, in memory too.

use brolga_testing::allocation::Counting;
use brolga_testing::mutate::judge_llvm;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Elements of which each takes instructions of its own, many of them for odd widths.
const ELEMENTS: &[&str] = &[
    "i8",
    "i1",
    "i7",
    "i65",
    "i129",
    "half",
    "x86_fp80",
    "<3 x i7>",
    "<5 x i1>",
    "<2 x i65>",
    "<3 x half>",
    "{ i3, i8, [2 x i9] }",
    "[3 x <3 x i5>]",
];

/// What is done to an array of them.
const WORDS: &[&str] = &[
    "%v = load TYPE, ptr %p",
    "store TYPE zeroinitializer, ptr %p",
    "store TYPE %x, ptr %p",
    "%v = freeze TYPE %x",
    "%v = select i1 %c, TYPE %x, TYPE zeroinitializer",
    "%v = insertvalue TYPE %x, ELEMENT zeroinitializer, 3",
    "%v = call TYPE @g(TYPE %x)",
    "ret TYPE %x",
];

fn text(element: &str, word: &str) -> String {
    let ty = format!("[60000 x {element}]");
    // Most of what a text may ask for is asked for already.
    let load = |index| format!("  %v{index} = load [30000 x i8], ptr %p\n");
    let before: String = (0..4).map(load).collect();
    let word = word.replace("TYPE", &ty).replace("ELEMENT", element);
    let end = if word.starts_with("ret") { "" } else { "  unreachable\n" };
    let body = format!("{before}  {word}\n{end}");
    format!("declare {ty} @g({ty})\n\ndefine {ty} @f(ptr %p, i1 %c, {ty} %x) {{\n{body}}}\n")
}

#[test]
fn no_word_fills_the_memory() {
    let mut found = Vec::new();
    for element in ELEMENTS {
        for word in WORDS {
            if let Err(finding) = judge_llvm(text(element, word).as_bytes()) {
                found.push(format!("{}: {}", word.replace("TYPE", element), finding.message));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
