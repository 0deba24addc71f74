//! The token that is read next, and what to say when it is the wrong one.

use std::borrow::Cow;

use super::diagnostic::{Code, Parsed, Report, Reported};
use super::lexer::{Lexer, Position, Token, TokenKind};
use super::quote::{QuoteError, unquote, unquote_bytes};

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
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: &'a str, limit: usize) -> Cursor<'a> {
        Self::behind(source, Lexer::new(source), limit)
    }

    fn behind(source: &'a str, mut lexer: Lexer<'a>, limit: usize) -> Cursor<'a> {
        let token = lexer.next();
        let report = Report::new(limit);
        let mut cursor = Cursor { source, lexer, token, previous: None, report };
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

    /// A token as a message shows it.
    pub(super) fn excerpt(&self, token: Token) -> String {
        const SHOWN: usize = 40;
        let text = self.text_of(token);
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    }

    pub(super) fn error(&mut self, code: Code, token: Token, message: String) -> Reported {
        self.report.add(code, token, message, None)
    }

    pub(super) fn error_hint(
        &mut self,
        code: Code,
        token: Token,
        message: String,
        hint: impl Into<String>,
    ) -> Reported {
        self.report.add(code, token, message, Some(hint.into()))
    }

    /// Where something is missing: the next token; the end of the line before
    /// if that begins a line and the one before does not go on.
    pub(super) fn place(&self) -> Token {
        let continues =
            |token: &Token| matches!(token.kind, TokenKind::Mark(b',' | b'(' | b'[' | b'{' | b'<'));
        let Some(previous) =
            self.previous.filter(|token| self.token.first_on_line && !continues(token))
        else {
            return self.token;
        };
        let length = self.text_of(previous).chars().count() as u32;
        Token {
            kind: TokenKind::End,
            start: previous.end,
            end: previous.end,
            line: previous.line,
            column: previous.column + length,
            first_on_line: false,
        }
    }

    /// Reports that something else should stand next.
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        let place = self.place();
        match place.start == self.token.start {
            true => self.unexpected_line(expected),
            false => {
                let message = format!("expected {expected}, found the end of the line");
                self.error(Code::UnexpectedToken, place, message)
            }
        }
    }

    /// Reports that something else should begin the line.
    pub(super) fn unexpected_line(&mut self, expected: &str) -> Reported {
        let found = match self.token.kind {
            // The error that filled the report is the one to show.
            TokenKind::End if self.report.is_full() => return Reported,
            TokenKind::End if self.source.as_bytes().get(self.limit() as usize) == Some(&b'}') => {
                "`}`".to_owned()
            }
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", self.excerpt(self.token)),
        };
        let message = format!("expected {expected}, found {found}");
        self.error(Code::UnexpectedToken, self.token, message)
    }

    pub(super) fn at(&self, mark: u8) -> bool {
        self.token.kind == TokenKind::Mark(mark)
    }

    /// Takes `mark` if it stands next.
    pub(super) fn take(&mut self, mark: u8) -> bool {
        let there = self.at(mark);
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn expect(&mut self, mark: u8) -> Parsed<Token> {
        if self.at(mark) {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{}`", char::from(mark))))
        }
    }

    pub(super) fn expect_kind(&mut self, kind: TokenKind, expected: &str) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes the word if it stands next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let there = self.word() == word;
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<Token> {
        if self.word() == word {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// Reads what `item` reads, once or more, with commas between.
    pub(super) fn comma_separated(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        if self.take(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.unexpected(&format!("`,` or `{}`", char::from(close))));
            }
        }
    }

    /// The text of a string in quotes.
    pub(super) fn string(&mut self, expected: &str) -> Parsed<String> {
        let token = self.expect_kind(TokenKind::Text, expected)?;
        self.unquoted(token, self.text_of(token))
    }

    /// The bytes of a string in quotes.
    pub(super) fn byte_string(&mut self) -> Parsed<Vec<u8>> {
        let token = self.expect_kind(TokenKind::Text, "a string in quotes")?;
        unquote_bytes(self.text_of(token)).map_err(|error| self.bad_escape(token, error))
    }

    /// The name behind the sigil of `token`.
    pub(super) fn name_of(&mut self, token: Token) -> Parsed<Cow<'a, str>> {
        let name = self.text_of(token).get(1..).unwrap_or("");
        match name.starts_with('"') {
            true => Ok(Cow::Owned(self.unquoted(token, name)?)),
            false => Ok(Cow::Borrowed(name)),
        }
    }

    pub(super) fn unquoted(&mut self, token: Token, text: &str) -> Parsed<String> {
        unquote(text).map_err(|error| self.bad_escape(token, error))
    }

    fn bad_escape(&mut self, token: Token, error: QuoteError) -> Reported {
        let message = match error {
            QuoteError::Escape => "a backslash stands before something else than an escape",
            QuoteError::Utf8 => "the escapes of the name give no UTF-8",
        };
        let hint = "escapes are `\\n`, `\\t`, `\\\\`, `\\\"` and two hex digits";
        self.error_hint(Code::BadEscape, token, message.to_owned(), hint)
    }
}
