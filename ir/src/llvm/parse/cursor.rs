//! The token that is read next, and what to say when it is the wrong one.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::quote;
use crate::llvm::lexer::{Kind, Lexer, Token, Word};
use crate::llvm::report::Report;
use crate::llvm::syntax::Offset;
use crate::text::{Code, Parsed, Reported};

/// Walks over the tokens of a text.
pub(super) struct Cursor<'t, 'r> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The next token.
    pub(super) token: Token,
    /// Where the token before it ends.
    previous_end: Offset,
    pub(super) report: &'r mut Report<'t>,
    /// How many more levels of nesting there may be.
    levels: u32,
}

impl<'t, 'r> Cursor<'t, 'r> {
    /// Reads the bytes of `text` in `range`.
    pub(super) fn new(
        text: &'t str,
        range: Range<Offset>,
        report: &'r mut Report<'t>,
    ) -> Cursor<'t, 'r> {
        let mut lexer = Lexer::new(text, range);
        let token = lexer.next();
        Cursor { text, lexer, token, previous_end: token.start, report, levels: super::MAX_DEPTH }
    }

    /// Bytes looked at so far, counted again each time.
    pub(super) fn work(&self) -> u64 {
        self.lexer.work()
    }

    /// The bytes up to where reading goes.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.lexer.bytes()
    }

    /// Goes over the next token.
    pub(super) fn bump(&mut self) -> Token {
        self.previous_end = self.token.end;
        std::mem::replace(&mut self.token, self.lexer.next())
    }

    /// Goes on at `at`, up to which someone else has looked.
    pub(super) fn go_to(&mut self, at: Offset) {
        self.lexer.add_work(u64::from(at.saturating_sub(self.token.start)));
        self.lexer.go_to(at);
        self.token = self.lexer.next();
    }

    /// Where the token before the next one ends.
    pub(super) fn previous_end(&self) -> Offset {
        self.previous_end
    }

    /// Where reading stands behind the next token.
    pub(super) fn behind(&self) -> Offset {
        self.lexer.at()
    }

    pub(super) fn kind(&self) -> Kind {
        self.token.kind
    }

    /// The next word of the language, if one is next.
    pub(super) fn word(&self) -> Option<Word> {
        match self.token.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, word: Word) -> bool {
        self.token.kind == Kind::Word(word)
    }

    pub(super) fn is(&self, mark: u8) -> bool {
        self.token.kind == Kind::Mark(mark)
    }

    pub(super) fn take(&mut self, mark: u8) -> bool {
        let found = self.is(mark);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: Word) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: u8) -> Parsed<Token> {
        match self.is(mark) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(format_args!("`{}`", char::from(mark)))),
        }
    }

    pub(super) fn expect_word(&mut self, word: Word, spelling: &str) -> Parsed<Token> {
        match self.is_word(word) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(format_args!("`{spelling}`"))),
        }
    }

    pub(super) fn expect_kind(&mut self, kind: Kind, what: &str) -> Parsed<Token> {
        match self.token.kind == kind {
            true => Ok(self.bump()),
            false => Err(self.unexpected(what)),
        }
    }

    pub(super) fn text_of(&self, token: Token) -> &'t str {
        self.slice(token.start..token.end)
    }

    pub(super) fn slice(&self, range: Range<Offset>) -> &'t str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// Goes over brackets and what is between them.
    pub(super) fn skip_brackets(&mut self) -> Parsed<()> {
        let mut depth = 0_u32;
        loop {
            match self.kind() {
                Kind::Mark(b'(' | b'{' | b'[') => depth += 1,
                Kind::Mark(b')' | b'}' | b']') => depth = depth.saturating_sub(1),
                Kind::End | Kind::Unclosed => return Err(self.unexpected("`)`")),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Reads one level deeper.
    pub(super) fn enter(&mut self) -> Parsed<()> {
        if self.levels == 0 {
            let message = format_args!("this is nested deeper than {} levels", super::MAX_DEPTH);
            return Err(self.error(Code::LlvmUnsupported, message));
        }
        self.levels -= 1;
        Ok(())
    }

    /// Ends what [`enter`](Self::enter) began.
    pub(super) fn leave(&mut self) {
        self.levels += 1;
    }

    /// Forgets the levels that an error has left open.
    pub(super) fn leave_all(&mut self) {
        self.levels = super::MAX_DEPTH;
    }
}

/// Names and numbers.
impl<'t> Cursor<'t, '_> {
    /// The name of a token: what stands behind its sigil.
    pub(super) fn name_of(&mut self, token: Token, sigils: u32) -> Parsed<Cow<'t, str>> {
        let name = self.slice(token.start + sigils..token.end);
        match name.strip_prefix('"') {
            None => Ok(Cow::Borrowed(name)),
            Some(quoted) => self.unescaped(token, quoted.strip_suffix('"').unwrap_or(quoted)),
        }
    }

    /// The text that `quoted`, without its quotes, stands for.
    fn unescaped(&mut self, token: Token, quoted: &'t str) -> Parsed<Cow<'t, str>> {
        match quote::unescape(quoted) {
            Cow::Borrowed(_) => Ok(Cow::Borrowed(quoted)),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| {
                self.error_at(Code::BadEscape, token, "the escapes of this name give no UTF-8")
            }),
        }
    }

    /// Reads a string of text.
    pub(super) fn string(&mut self) -> Parsed<Cow<'t, str>> {
        let token = self.expect_kind(Kind::Text, "a string")?;
        self.name_of(token, 0)
    }

    /// Reads a string of any bytes.
    pub(super) fn byte_string(&mut self) -> Parsed<Cow<'t, [u8]>> {
        let token = self.expect_kind(Kind::Text, "a string")?;
        Ok(self.bytes_of(token))
    }

    /// The bytes that a string, maybe with a `c` before it, stands for.
    pub(super) fn bytes_of(&self, token: Token) -> Cow<'t, [u8]> {
        let text = self.text_of(token);
        let text = text.strip_prefix('c').unwrap_or(text);
        quote::unescape(text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text))
    }

    /// Reads a number from 0 to `largest`.
    pub(super) fn number(&mut self, what: &str, largest: u64) -> Parsed<u64> {
        if self.token.kind != Kind::Integer || self.text_of(self.token).starts_with('-') {
            return Err(self.unexpected(what));
        }
        let token = self.token;
        let number = match token.number {
            u64::MAX => self.text_of(token).parse().ok(),
            number => Some(number),
        };
        let Some(number) = number.filter(|&number| number <= largest) else {
            let message = format_args!("{what} is at most {largest}");
            return Err(self.error_at(Code::BadNumber, token, message));
        };
        self.bump();
        Ok(number)
    }

    /// The number behind a sigil.
    pub(super) fn sigil_number(&mut self, token: Token) -> Parsed<u32> {
        match u32::try_from(token.number) {
            Ok(number) if number < 1 << 31 => Ok(number),
            _ => Err(self.error_at(Code::NumberTooLarge, token, "this number is 2^31 or more")),
        }
    }

    /// Reads an alignment in bytes.
    pub(super) fn alignment(&mut self) -> Parsed<u32> {
        let token = self.token;
        let align = self.number("an alignment", 1 << 32)?;
        match align.is_power_of_two() {
            // One of 2^32 bytes is kept as far as the field goes: nothing is that aligned.
            true => Ok(align.min(1 << 31) as u32),
            false => {
                let message = format_args!("the alignment {align} is no power of two");
                Err(self.error_at(Code::BadAlignment, token, message))
            }
        }
    }
}

/// Errors.
impl Cursor<'_, '_> {
    /// An error at the next token.
    pub(super) fn error(&mut self, code: Code, message: impl fmt::Display) -> Reported {
        self.error_at(code, self.token, message)
    }

    /// An error at a token.
    pub(super) fn error_at(
        &mut self,
        code: Code,
        token: Token,
        message: impl fmt::Display,
    ) -> Reported {
        self.report.add_span(code, token.start..token.end, message)
    }

    /// Says that something else should be next.
    pub(super) fn unexpected(&mut self, expected: impl fmt::Display) -> Reported {
        let token = self.token;
        match token.kind {
            Kind::End => {
                let message = format_args!("expected {expected}, found the end");
                self.error(Code::UnexpectedToken, message)
            }
            Kind::Unclosed => self.error(Code::UnclosedString, "this string has no closing quote"),
            Kind::Bad => {
                let text = self.text_of(token);
                self.error(Code::BadCharacter, format_args!("`{text}` begins nothing here"))
            }
            _ => {
                let found = shortened(self.text_of(token));
                let message = format_args!("expected {expected}, found `{found}`");
                self.error(Code::UnexpectedToken, message)
            }
        }
    }

    /// Says that what `token` names has no meaning here.
    pub(super) fn unsupported(&mut self, token: Token, what: impl fmt::Display) -> Reported {
        self.error_at(Code::LlvmUnsupported, token, what)
    }
}

/// As much of a token as a message shows.
fn shortened(text: &str) -> Cow<'_, str> {
    const LENGTH: usize = 60;
    match text.len() <= LENGTH {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(LENGTH)])),
    }
}
