//! Texts as large or as deep as nobody writes them: neither overflows the
//! stack, and both are answered in time that grows as the text does.

use brolga_ir::text::parse_module;

/// Brackets inside brackets, of each kind and at each place that has them.
fn nested(depth: usize) -> Vec<String> {
    let body = |line: &str| format!("func @f() {{\nb:\n    return {line}\n}}\n");
    let mut texts: Vec<String> = ["(", "[", "{", "<"].map(|open| open.repeat(depth)).into();
    texts.push("}".repeat(depth));
    texts.push(format!("func @f({}", "[1 x ".repeat(depth)));
    texts.push(format!("func @f({}", "{".repeat(depth)));
    texts.push(format!("func @f({}", "fn(".repeat(depth)));
    texts.push(format!("data @d = {{ i8 {}", "[".repeat(depth)));
    texts.push(body(&"<".repeat(depth)));
    texts.push(body(&"b(".repeat(depth)));
    texts.push(body(&format!("{}i8:1{}", "{".repeat(depth), "}".repeat(depth))));
    texts
}

#[test]
fn a_million_nested_brackets_are_errors() {
    for text in nested(1_000_000) {
        let errors = parse_module(&text).expect_err(&text[..30]);
        assert!(!errors.is_empty() && errors.iter().all(|error| error.line >= 1));
    }
}

#[test]
fn a_hundred_megabytes_of_text_are_a_module() {
    const SIZE: usize = 100_000_000;
    let item = "i64 [1, 2, 3, 4, 5, 6, 7, 8],\n";
    let comment = "; nothing but a comment, as long as the items are together\n";
    let items = item.repeat(SIZE / 2 / item.len());
    let comments = comment.repeat(SIZE / 2 / comment.len() + 1);
    let text = format!("data @d = {{\n{items}}}\n{comments}");
    assert!(text.len() >= SIZE, "{}", text.len());
    let module = parse_module(&text).unwrap();
    let (_, object) = module.data_objects().next().unwrap();
    assert_eq!(object.size, 64 * (SIZE / 2 / item.len()) as u64);
}
