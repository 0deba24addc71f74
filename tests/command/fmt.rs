//! `fmt`.

use crate::tool::{SAMPLE, Scratch, brolga};

/// The sample as it is printed.
fn canonical() -> String {
    SAMPLE.replace("; A sample.\n", "").replace(" ; by zero", "")
}

#[test]
fn the_canonical_text_is_printed() {
    let sloppy =
        canonical().replace("    ", " ").replace(", ", " ,  ").replace("entry:", " entry :");
    let answer = brolga(&["fmt", "-"], sloppy.as_bytes());
    assert_eq!((answer.code, answer.out), (0, canonical()));
}

#[test]
fn check_fails_on_what_is_not_canonical_whatever_the_comments() {
    assert_eq!(
        brolga(&["fmt", "--check", "-"], SAMPLE.as_bytes()).text(),
        "exit code 0\n--- out\n--- err\n"
    );
    let answer = brolga(&["fmt", "--check", "-"], SAMPLE.replace(", 1", ",1").as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    assert!(answer.err.contains("<stdin>: the text is not canonical"), "{}", answer.err);
}

#[test]
fn a_file_is_written_over_but_never_its_comments() {
    let file = Scratch::new("sloppy.bir", &canonical().replace("    ", "\t"));
    assert_eq!(brolga(&["fmt", "--write", file.path()], b"").code, 0);
    assert_eq!(file.read(), canonical().as_bytes());

    let sloppy = SAMPLE.replace("    ", "\t");
    let file = Scratch::new("commented.bir", &sloppy);
    let answer = brolga(&["fmt", "--write", file.path()], b"");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("--drop-comments"), "{}", answer.err);
    assert_eq!(file.read(), sloppy.as_bytes());
    assert_eq!(brolga(&["fmt", "--write", "--drop-comments", file.path()], b"").code, 0);
    assert_eq!(file.read(), canonical().as_bytes());
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let file = Scratch::new("broken.bir", "func @f( {");
    assert_eq!(brolga(&["fmt", "--write", "--drop-comments", file.path()], b"").code, 1);
    assert_eq!(file.read(), b"func @f( {");
}
