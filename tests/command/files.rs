//! Files that are missing, strange, or cannot be written.

use std::fs;
use std::path::PathBuf;

use crate::tool::{SAMPLE, Scratch, brolga};

/// Subcommands that read one module, with what they need to do so.
const READERS: [&[&str]; 6] =
    [&["run"], &["interpret"], &["check"], &["fmt"], &["compile"], &["cfg", "--function=main"]];

#[test]
fn a_file_is_read_as_standard_input_is() {
    let file = Scratch::new("sample.bir", SAMPLE);
    for reader in READERS {
        let (named, piped) = (
            brolga(&[reader, &[file.path()]].concat(), b""),
            brolga(&[reader, &["-"]].concat(), SAMPLE.as_bytes()),
        );
        assert_eq!(named.code, 0, "{reader:?}: {}", named.err);
        assert_eq!(named.out.replace(file.path(), "<stdin>"), piped.out, "{reader:?}");
    }
}

#[test]
fn a_missing_file_and_a_folder_are_named() {
    for path in ["/nowhere/at/all.bir", env!("CARGO_TARGET_TMPDIR")] {
        for reader in READERS {
            let answer = brolga(&[reader, &[path]].concat(), b"");
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{reader:?}");
            assert!(answer.err.starts_with(&format!("error: {path}: ")), "{}", answer.err);
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    for output in ["/no/such/folder/x", folder] {
        for task in [&["compile"][..], &["compile", "--emit=obj"], &["cfg", "--function=main"]] {
            let answer = brolga(&[task, &["-", "-o", output]].concat(), SAMPLE.as_bytes());
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{task:?}");
            assert!(answer.err.starts_with(&format!("error: {output}: ")), "{}", answer.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_path_may_be_any_bytes_and_cannot_steer_the_terminal() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Scratch::folder("strange");
    let file = |name: &[u8], text: &str| -> PathBuf {
        let path = folder.join(OsStr::from_bytes(name));
        fs::write(&path, text).unwrap();
        path
    };
    let good = file(b"\xff\n\x1b[31m.bir", SAMPLE);
    let bad = file(b"bad\n\x1b[31m.bir", "func");
    let missing = folder.join(OsStr::from_bytes(b"\xfe\n\x1b[31m"));
    let mut command = crate::tool::command();
    let output = command.arg("check").args([&good, &bad, &missing]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(text.contains("\u{fffd}\\n\\u{1b}[31m.bir: 4 functions"), "{text}");
    assert!(text.contains("bad\\n\\u{1b}[31m.bir:1:5"), "{text}");
    assert!(text.contains("bad\\n\\u{1b}[31m.bir: 1 error"), "{text}");
    assert!(text.contains("\u{fffd}\\n\\u{1b}[31m: "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}
