//! The token that is read next, and what to say when it is the wrong one.

mod expect;

use super::diagnostic::{Code, Report};
use super::lexer::{Lexer, Position, Token, TokenKind};
use super::outline::{Outline, Part};

/// A place to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bookmark {
    position: Position,
    token: Token,
}

/// Walks over the tokens of a text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    token: Token,
    /// The token before, behind which something may be missing.
    previous: Option<Token>,
    pub(super) report: Report,
    /// What is read, if that is asked for.
    pub(super) outline: Option<Outline>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: &'a str, limit: usize) -> Cursor<'a> {
        Self::behind(source, Lexer::new(source), limit)
    }

    fn behind(source: &'a str, mut lexer: Lexer<'a>, limit: usize) -> Cursor<'a> {
        let token = lexer.next();
        let report = Report::new(limit);
        let mut cursor = Cursor { source, lexer, token, previous: None, report, outline: None };
        cursor.refuse_bad_tokens();
        cursor
    }

    /// Reads a piece of a text.
    pub(super) fn of_piece(source: &'a str, position: Position, limit: u32) -> Cursor<'a> {
        let mut lexer = Lexer::new(source);
        lexer.restore(position, limit);
        Self::behind(source, lexer, 1)
    }

    /// The next token. After the last permitted error it is the end.
    pub(super) fn token(&self) -> Token {
        self.token
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token.kind
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.source.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The text from one token to another.
    pub(super) fn text_between(&self, first: Token, last: Token) -> &'a str {
        self.source.get(first.start as usize..last.end as usize).unwrap_or("")
    }

    /// The word that stands next; empty if it is none.
    pub(super) fn word(&self) -> &'a str {
        match self.token.kind {
            TokenKind::Word => self.text_of(self.token),
            _ => "",
        }
    }

    /// Bytes looked at so far.
    pub(super) fn work(&self) -> u64 {
        self.lexer.work()
    }

    /// A lexer that reads on behind the next token, for looking ahead.
    pub(super) fn ahead(&self) -> Lexer<'a> {
        self.lexer.clone()
    }

    /// The token behind the next one.
    pub(super) fn second(&self) -> Token {
        self.lexer.clone().next()
    }

    /// Goes on where `lexer`, a look ahead, stands.
    pub(super) fn continue_from(&mut self, lexer: Lexer<'a>) {
        self.lexer = lexer;
        self.bump();
    }

    /// Goes on at `token`, behind which `lexer` stands.
    pub(super) fn continue_at(&mut self, lexer: Lexer<'a>, token: Token) {
        self.lexer = lexer;
        self.token = token;
        self.refuse_bad_tokens();
    }

    pub(super) fn bookmark(&self) -> Bookmark {
        Bookmark { position: self.lexer.position(), token: self.token }
    }

    /// Goes to `bookmark` and reads no further than `limit`; gives the limit before.
    pub(super) fn restore(&mut self, bookmark: Bookmark, limit: u32) -> u32 {
        let before = self.lexer.limit();
        self.lexer.restore(bookmark.position, limit);
        self.token = bookmark.token;
        self.previous = None;
        if self.report.is_full() || self.token.start >= limit {
            self.token.kind = TokenKind::End;
        }
        before
    }

    pub(super) fn limit(&self) -> u32 {
        self.lexer.limit()
    }

    /// Notes what was read from `first` up to the token before.
    pub(super) fn note(&mut self, part: Part, first: Token) {
        if let Some(outline) = &mut self.outline {
            outline.note(part, first, self.previous.unwrap_or(first));
        }
    }

    /// Goes on to the token behind.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token;
        self.previous = Some(token);
        self.token = self.lexer.next();
        self.refuse_bad_tokens();
        token
    }

    /// Goes on over what was read before, and reports nothing again.
    pub(super) fn bump_quietly(&mut self) -> Token {
        let token = self.token;
        loop {
            self.token = self.lexer.next();
            if !matches!(self.token.kind, TokenKind::Bad | TokenKind::Unclosed) {
                return token;
            }
        }
    }

    fn refuse_bad_tokens(&mut self) {
        loop {
            if self.report.is_full() {
                self.token.kind = TokenKind::End;
                return;
            }
            match self.token.kind {
                TokenKind::Bad => self.refuse_characters(),
                TokenKind::Unclosed => {
                    let message = "the string has no closing quote on its line".to_owned();
                    self.error(Code::UnclosedString, self.token, message);
                }
                _ => return,
            }
            if let Some(kind) = self.kind_meant() {
                // What it should have been is there; nothing else is wrong.
                self.token.kind = kind;
                return;
            }
            let first_on_line = self.token.first_on_line;
            self.token = self.lexer.next();
            self.token.first_on_line |= first_on_line;
        }
    }

    fn refuse_characters(&mut self) {
        let found = self.excerpt(self.token);
        let message = match self.kind_meant() {
            Some(_) => format!("`{found}` is no name without quotes"),
            None => format!("`{found}` begins nothing of the text"),
        };
        let hint = "a name with other characters than letters, digits, `_`, `.` and `$` stands in \
                    quotes: `%\"any text\"`";
        self.error_hint(Code::BadCharacter, self.token, message, hint);
    }

    /// What a bad token should have been, if that can be told.
    fn kind_meant(&self) -> Option<TokenKind> {
        match self.text_of(self.token).as_bytes() {
            [b'%', _, ..] => Some(TokenKind::Value),
            [b'@', _, ..] => Some(TokenKind::Global),
            [b'!', _, ..] => Some(TokenKind::Class),
            [b'"', ..] => Some(TokenKind::Text),
            _ => None,
        }
    }
}
