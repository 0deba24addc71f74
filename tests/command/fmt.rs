//! `fmt`.

use crate::tool::{SAMPLE, Scratch, brolga};

/// The sample, spaced otherwise than it prints.
fn sloppy() -> String {
    SAMPLE.replace("    ", "\t").replace(", ", " ,  ").replace("entry:", " entry :")
}

#[test]
fn the_canonical_text_is_printed_with_its_comments() {
    assert!(SAMPLE.contains("; A sample.\n") && SAMPLE.contains(" ; by zero\n"));
    for text in [sloppy(), SAMPLE.to_owned()] {
        let answer = brolga(&["fmt", "-"], text.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (0, SAMPLE));
        let written = brolga(&["fmt", "--write", "-"], text.as_bytes());
        assert_eq!((written.code, written.out.as_str()), (0, SAMPLE));
    }
}

#[test]
fn check_fails_on_what_is_not_canonical() {
    assert_eq!(
        brolga(&["fmt", "--check", "-"], SAMPLE.as_bytes()).text(),
        "exit code 0\n--- out\n--- err\n"
    );
    let late = SAMPLE.replace(" ; by zero", "  ; by zero");
    for text in [SAMPLE.replace(", 1", ",1"), late] {
        let answer = brolga(&["fmt", "--check", "-"], text.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (1, ""));
        assert!(answer.err.contains("<stdin>: the text is not canonical"), "{}", answer.err);
    }
}

#[test]
fn a_file_is_written_over() {
    let file = Scratch::new("sloppy.bir", &sloppy());
    assert_eq!(
        brolga(&["fmt", "--write", file.path()], b"").text(),
        "exit code 0\n--- out\n--- err\n"
    );
    assert_eq!(file.read(), SAMPLE.as_bytes());
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let file = Scratch::new("broken.bir", "func @f( { ; why");
    assert_eq!(brolga(&["fmt", "--write", file.path()], b"").code, 1);
    assert_eq!(file.read(), b"func @f( { ; why");
}
