//! What should stand next, and what is said where it does not.

use std::borrow::Cow;

use super::Cursor;
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::quote::{QuoteError, unquote, unquote_bytes};

impl<'a> Cursor<'a> {
    /// A token as a message shows it.
    pub(in crate::text) fn excerpt(&self, token: Token) -> String {
        const SHOWN: usize = 40;
        let text = self.text_of(token);
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    }

    pub(in crate::text) fn error(&mut self, code: Code, token: Token, message: String) -> Reported {
        self.report.add(code, token, message, None)
    }

    pub(in crate::text) fn error_hint(
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
    pub(in crate::text) fn place(&self) -> Token {
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
    pub(in crate::text) fn unexpected(&mut self, expected: &str) -> Reported {
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
    pub(in crate::text) fn unexpected_line(&mut self, expected: &str) -> Reported {
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

    pub(in crate::text) fn at(&self, mark: u8) -> bool {
        self.token.kind == TokenKind::Mark(mark)
    }

    /// Takes `mark` if it stands next.
    pub(in crate::text) fn take(&mut self, mark: u8) -> bool {
        let there = self.at(mark);
        if there {
            self.bump();
        }
        there
    }

    pub(in crate::text) fn expect(&mut self, mark: u8) -> Parsed<Token> {
        if self.at(mark) {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{}`", char::from(mark))))
        }
    }

    pub(in crate::text) fn expect_kind(
        &mut self,
        kind: TokenKind,
        expected: &str,
    ) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes the word if it stands next.
    pub(in crate::text) fn take_word(&mut self, word: &str) -> bool {
        let there = self.word() == word;
        if there {
            self.bump();
        }
        there
    }

    pub(in crate::text) fn expect_word(&mut self, word: &str) -> Parsed<Token> {
        if self.word() == word {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// Reads what `item` reads, once or more, with commas between.
    pub(in crate::text) fn comma_separated(
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
    pub(in crate::text) fn string(&mut self, expected: &str) -> Parsed<String> {
        let token = self.expect_kind(TokenKind::Text, expected)?;
        self.unquoted(token, self.text_of(token))
    }

    /// The bytes of a string in quotes.
    pub(in crate::text) fn byte_string(&mut self) -> Parsed<Vec<u8>> {
        let token = self.expect_kind(TokenKind::Text, "a string in quotes")?;
        unquote_bytes(self.text_of(token)).map_err(|error| self.bad_escape(token, error))
    }

    /// The name behind the sigil of `token`.
    pub(in crate::text) fn name_of(&mut self, token: Token) -> Parsed<Cow<'a, str>> {
        let name = self.text_of(token).get(1..).unwrap_or("");
        match name.starts_with('"') {
            true => Ok(Cow::Owned(self.unquoted(token, name)?)),
            false => Ok(Cow::Borrowed(name)),
        }
    }

    pub(in crate::text) fn unquoted(&mut self, token: Token, text: &str) -> Parsed<String> {
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
