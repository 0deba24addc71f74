//! A look over the braces of a body before it is read: where they end, and
//! which numbers they spell.

use crate::text::cursor::{Bookmark, Cursor};
use crate::text::diagnostic::Code;
use crate::text::lexer::{Lexer, Token, TokenKind};
use crate::text::quote::canonical_number;
use crate::text::words::LINKAGES;

/// A piece of text in braces.
#[derive(Debug)]
pub(super) struct Braces {
    /// The token behind the opening brace.
    pub(super) inside: Bookmark,
    /// The byte offset of the closing brace.
    pub(super) end: u32,
    /// Bytes inside.
    pub(super) length: u32,
    /// One more than the largest number of a value, at most `number_limit`.
    pub(super) values: u32,
    /// The same of the blocks.
    pub(super) blocks: u32,
    /// Larger numbers are errors.
    pub(super) number_limit: u32,
}

/// Whether a declaration of the module level begins with `word`, given the
/// token behind it.
fn begins_declaration(word: &str, behind: TokenKind) -> bool {
    match word {
        "func" | "data" => behind == TokenKind::Global,
        "class" => behind == TokenKind::Class,
        "module" | "target" => behind == TokenKind::Text,
        word => {
            LINKAGES.iter().any(|(_, name)| *name == word)
                && matches!(behind, TokenKind::Global | TokenKind::Word)
        }
    }
}

/// Whether a declaration begins at the next token, on a line of its own.
pub(super) fn at_declaration(cursor: &Cursor<'_>) -> bool {
    cursor.token().first_on_line
        && cursor.kind() == TokenKind::Word
        && begins_declaration(cursor.word(), cursor.second().kind)
}

/// Reads over the braces that open at the next token. Braces that are not
/// closed end before the next declaration.
pub(super) fn skip_braces(cursor: &mut Cursor<'_>, spare_numbers: u64) -> Braces {
    let open = cursor.bump();
    let inside = cursor.bookmark();
    let mut scan = Scan { lexer: cursor.ahead(), values: 0, blocks: 0, depth: 0 };
    let end = scan.run(cursor, cursor.token());
    let closed = cursor.text_of(end) == "}";
    let Scan { lexer, values, blocks, .. } = scan;
    if closed {
        if let Some(outline) = &mut cursor.outline {
            outline.note_braces(open, end);
        }
        cursor.continue_from(lexer);
    } else {
        let message = "this brace is not closed".to_owned();
        let hint = "a function or data object ends with `}`";
        cursor.error_hint(Code::UnclosedBody, open, message, hint);
        cursor.continue_at(lexer, end);
    }
    let length = end.start - open.end;
    // No text within the limits counts further than this.
    let largest = u64::from(u32::MAX / 4);
    let number_limit = spare_numbers.saturating_add(u64::from(length)).min(largest) as u32;
    let (values, blocks) = (values.min(number_limit), blocks.min(number_limit));
    Braces { inside, end: end.start, length, values, blocks, number_limit }
}

struct Scan<'a> {
    lexer: Lexer<'a>,
    values: u32,
    blocks: u32,
    depth: u64,
}

impl Scan<'_> {
    /// The token that ends the braces: the closing one, or what stands behind
    /// braces that are not closed.
    fn run(&mut self, cursor: &Cursor<'_>, first: Token) -> Token {
        let mut token = first;
        loop {
            match token.kind {
                TokenKind::End => return token,
                TokenKind::Mark(b'{') => self.depth += 1,
                TokenKind::Mark(b'}') if self.depth == 0 => return token,
                TokenKind::Mark(b'}') => self.depth -= 1,
                TokenKind::Value => {
                    Self::note(&mut self.values, cursor, token, "%");
                }
                TokenKind::Word => {
                    let word = cursor.text_of(token);
                    let behind = || self.lexer.clone().next().kind;
                    if token.first_on_line && begins_declaration(word, behind()) {
                        return token;
                    }
                    Self::note(&mut self.blocks, cursor, token, "block");
                }
                _ => {}
            }
            token = self.lexer.next();
        }
    }

    fn note(count: &mut u32, cursor: &Cursor<'_>, token: Token, prefix: &str) {
        let digits = cursor.text_of(token).strip_prefix(prefix);
        if let Some(number) = digits.and_then(canonical_number) {
            *count = (*count).max(number.saturating_add(1));
        }
    }
}
