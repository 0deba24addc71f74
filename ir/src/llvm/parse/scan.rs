//! Goes over pieces of a text that are read later, or never.

/// Where a scan of brackets ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scan {
    /// Behind the bracket that closes the first one.
    Closed(usize),
    /// The text ends before that.
    Open,
}

/// What a byte means to a scan: nothing, or that it opens, closes, or begins what has
/// other rules.
const PLAIN: u8 = 0;
const OPENS: u8 = 1;
const CLOSES: u8 = 2;
const SPECIAL: u8 = 3;

const fn classes(brackets: &[u8]) -> [u8; 256] {
    let mut classes = [PLAIN; 256];
    let mut index = 0;
    while index < brackets.len() {
        classes[brackets[index] as usize] = OPENS + (index % 2) as u8;
        index += 1;
    }
    classes[b'"' as usize] = SPECIAL;
    classes[b';' as usize] = SPECIAL;
    classes[b'/' as usize] = SPECIAL;
    classes
}

static BRACES: [u8; 256] = classes(b"{}");
static BRACKETS: [u8; 256] = classes(b"{}()");

/// Finds the end of the braces that begin at `at`.
pub(super) fn braces(bytes: &[u8], at: usize) -> Scan {
    scan(bytes, at, &BRACES)
}

/// Finds the end of the first braces or round brackets from `at` on.
pub(super) fn brackets(bytes: &[u8], at: usize) -> Scan {
    scan(bytes, at, &BRACKETS)
}

fn scan(bytes: &[u8], mut at: usize, classes: &[u8; 256]) -> Scan {
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        match classes[usize::from(byte)] {
            PLAIN => at += 1,
            OPENS => {
                depth += 1;
                at += 1;
            }
            CLOSES => {
                depth = depth.saturating_sub(1);
                at += 1;
                if depth == 0 {
                    return Scan::Closed(at);
                }
            }
            _ => at = behind_special(bytes, at),
        }
    }
    Scan::Open
}

/// The place behind the string or comment that begins at `at`.
fn behind_special(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at + 1..];
    let length = match bytes[at] {
        b'"' => rest.iter().position(|&byte| byte == b'"'),
        b';' => rest.iter().position(|&byte| byte == b'\n'),
        _ if rest.first() == Some(&b'*') => {
            rest[1..].windows(2).position(|pair| pair == b"*/").map(|length| length + 2)
        }
        _ => return at + 1,
    };
    length.map_or(bytes.len(), |length| at + length + 2)
}

/// The beginning of the next line from `at` on that looks like one of the module level.
pub(super) fn next_line(bytes: &[u8], mut at: usize) -> usize {
    const STARTS: &[&[u8]] = &[
        b"define ",
        b"declare ",
        b"attributes ",
        b"target ",
        b"source_filename",
        b"module ",
        b"uselistorder",
    ];
    while let Some(length) = bytes[at..].iter().position(|&byte| byte == b'\n') {
        at += length + 1;
        let line = &bytes[at..];
        let is_sigil = matches!(line.first(), Some(b'@' | b'%' | b'!' | b'$' | b'^'));
        if is_sigil || STARTS.iter().any(|start| line.starts_with(start)) {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_strings_and_comments_are_none() {
        let text = "{ \"}\" ; }\n /* } */ { } / } {";
        assert_eq!(braces(text.as_bytes(), 0), Scan::Closed(text.len() - 2));
        assert_eq!(braces(b"{ \"", 0), Scan::Open);
        assert_eq!(braces(b"{ /*/ }", 0), Scan::Open);
        assert_eq!(braces(b"{ ; }", 0), Scan::Open);
    }

    #[test]
    fn brackets_are_closed_together() {
        let text = " distinct !DIFile(a: !{}, b: \")\") )";
        assert_eq!(brackets(text.as_bytes(), 0), Scan::Closed(text.len() - 2));
    }

    #[test]
    fn lines_of_the_module_level_are_found() {
        let text = "define oops\n  store\n%x = 1\ndefined\ndeclare void";
        assert_eq!(next_line(text.as_bytes(), 0), 20);
        assert_eq!(next_line(text.as_bytes(), 20), 35);
        assert_eq!(next_line(text.as_bytes(), 36), text.len());
    }
}
