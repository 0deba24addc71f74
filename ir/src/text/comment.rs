//! The comments of a text.

use super::lexer::{Lexer, TokenKind};

/// Whether something stands before a comment on its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// The line holds nothing else.
    Alone,
    /// It stands behind a token.
    Behind,
}

/// A comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    /// From the semicolon on, without white space at the end.
    pub(super) text: &'a str,
    /// Byte offset of the semicolon.
    pub(super) start: u32,
    /// The column of the semicolon, from 1; of one that stands alone.
    pub(super) column: u32,
    pub(super) standing: Standing,
    /// Whether an empty line stands before it.
    pub(super) blank_before: bool,
    /// Whether an empty line stands behind it.
    pub(super) blank_after: bool,
}

/// What the lexer skips within a line.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\x0c'];

/// All comments of a text of less than 4 GiB, in the order in which they stand.
pub(super) fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut lexer = Lexer::new(text);
    let mut end = 0;
    loop {
        let token = lexer.next();
        gather(text, end as usize..token.start as usize, &mut found);
        end = token.end;
        if token.kind == TokenKind::End {
            return found;
        }
    }
}

/// Gathers the comments between two tokens.
fn gather<'a>(text: &'a str, between: std::ops::Range<usize>, found: &mut Vec<Comment<'a>>) {
    let mut start = between.start;
    let lines: Vec<&str> = text[between].split('\n').collect();
    for (at, line) in lines.iter().enumerate() {
        let content = line.trim_start_matches(BLANKS);
        if content.starts_with(';') {
            let indent = line.len() - content.len();
            let standing = if at > 0 || start == 0 { Standing::Alone } else { Standing::Behind };
            // The first and the last line are not empty: a token stands there.
            let is_blank = |at: usize| {
                let inner = at > 0 && at + 1 < lines.len();
                inner && lines[at].trim_matches(BLANKS).is_empty()
            };
            let alone = standing == Standing::Alone;
            found.push(Comment {
                text: content.trim_end_matches(BLANKS),
                start: (start + indent) as u32,
                column: indent as u32 + 1,
                standing,
                blank_before: alone && at > 0 && is_blank(at - 1),
                blank_after: alone && is_blank(at + 1),
            });
        }
        start += line.len() + 1;
    }
}
