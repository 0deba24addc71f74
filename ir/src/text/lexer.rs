//! Words, numbers, strings and marks of the text.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// The end of the text, or of the piece that is read.
    End,
    /// `[A-Za-z_][A-Za-z0-9_]*`.
    Word,
    /// A digit and whatever belongs to the number behind it.
    Number,
    /// `"…"`, on one line.
    Text,
    /// `%…`.
    Value,
    /// `@…`.
    Global,
    /// `!…`.
    Class,
    /// `->`.
    Arrow,
    /// `...`.
    Ellipsis,
    /// One of `( ) { } [ ] < > , : = + - .`.
    Mark(u8),
    /// A string without its closing quote on the line.
    Unclosed,
    /// Characters that begin no token, or a sigil without a name.
    Bad,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Byte offset of the first character.
    pub(super) start: u32,
    /// Byte offset behind the last one.
    pub(super) end: u32,
    /// From 1.
    pub(super) line: u32,
    /// From 1, in characters.
    pub(super) column: u32,
    /// Whether it is the first one on its line.
    pub(super) first_on_line: bool,
}

/// Where reading stands; going back to a saved one reads the same again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    offset: u32,
    line: u32,
    line_start: u32,
    /// Bytes of the line so far that continue a character.
    continuation: u32,
}

impl Position {
    pub(super) const START: Position =
        Position { offset: 0, line: 1, line_start: 0, continuation: 0 };

    /// The place `offset` on a line that begins at `line_start`, with only
    /// ASCII between.
    pub(super) const fn on_line(line: u32, line_start: u32, offset: u32) -> Position {
        Position { offset, line, line_start, continuation: 0 }
    }
}

/// Reads tokens from a text of less than 4 GiB.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    source: &'a [u8],
    position: Position,
    limit: u32,
    /// Bytes looked at so far: what linear time is asserted on.
    work: u64,
}

const fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What a name behind a sigil may hold without quotes.
pub(super) const fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'.' || byte == b'$'
}

const MARKS: &[u8] = b"(){}[]<>,:=+-.";

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Lexer<'a> {
        let limit = source.len().min(u32::MAX as usize) as u32;
        Lexer { source: source.as_bytes(), position: Position::START, limit, work: 0 }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Goes to `position` and reads no further than `limit`.
    pub(super) fn restore(&mut self, position: Position, limit: u32) {
        self.position = position;
        self.limit = limit.min(self.source.len() as u32);
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    fn peek(&self, ahead: u32) -> u8 {
        let at = self.position.offset + ahead;
        if at < self.limit { self.source[at as usize] } else { 0 }
    }

    fn advance(&mut self) {
        self.position.continuation += u32::from(self.peek(0) & 0xc0 == 0x80);
        self.position.offset += 1;
    }

    fn advance_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.position.offset < self.limit && test(self.peek(0)) {
            self.advance();
        }
    }

    /// Skips white space and comments; says whether a line ended.
    fn skip_trivia(&mut self) -> bool {
        let mut ended = self.position.offset == 0;
        loop {
            match self.peek(0) {
                b'\n' => {
                    ended = true;
                    self.position.offset += 1;
                    self.position.line += 1;
                    self.position.line_start = self.position.offset;
                    self.position.continuation = 0;
                }
                b' ' | b'\t' | b'\r' | b'\x0c' => self.position.offset += 1,
                b';' => self.advance_while(|byte| byte != b'\n'),
                _ => return ended,
            }
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        let begin = self.position.offset;
        let first_on_line = self.skip_trivia();
        let Position { offset, line, line_start, continuation } = self.position;
        let kind = if offset >= self.limit { TokenKind::End } else { self.scan() };
        self.work += u64::from(self.position.offset - begin);
        Token {
            kind,
            start: offset,
            end: self.position.offset,
            line,
            column: offset - line_start - continuation + 1,
            first_on_line,
        }
    }

    fn scan(&mut self) -> TokenKind {
        let byte = self.peek(0);
        match byte {
            b'"' => self.scan_text(),
            b'%' => self.scan_name(TokenKind::Value),
            b'@' => self.scan_name(TokenKind::Global),
            b'!' => self.scan_name(TokenKind::Class),
            b'0'..=b'9' => self.scan_number(),
            b'-' if self.peek(1) == b'>' => self.scan_fixed(2, TokenKind::Arrow),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.scan_fixed(3, TokenKind::Ellipsis)
            }
            _ if is_word_start(byte) => {
                self.advance_while(is_word);
                TokenKind::Word
            }
            _ if MARKS.contains(&byte) => self.scan_fixed(1, TokenKind::Mark(byte)),
            _ => {
                self.advance();
                self.advance_while(is_bad);
                TokenKind::Bad
            }
        }
    }

    fn scan_fixed(&mut self, length: u32, kind: TokenKind) -> TokenKind {
        self.position.offset += length;
        kind
    }

    fn scan_name(&mut self, kind: TokenKind) -> TokenKind {
        self.advance();
        if self.peek(0) == b'"' {
            return match self.scan_text() {
                TokenKind::Text => kind,
                unclosed => unclosed,
            };
        }
        let start = self.position.offset;
        self.advance_while(is_name);
        let plain = self.position.offset;
        // Letters beyond ASCII belong to a name that lacks its quotes.
        self.advance_while(|byte| is_name(byte) || byte >= 0x80);
        let whole = self.position.offset;
        if whole == start || whole != plain { TokenKind::Bad } else { kind }
    }

    fn scan_text(&mut self) -> TokenKind {
        self.advance();
        while self.position.offset < self.limit {
            match self.peek(0) {
                b'\n' => break,
                b'\\' => self.advance(),
                b'"' => return self.scan_fixed(1, TokenKind::Text),
                _ => {}
            }
            if self.position.offset < self.limit && self.peek(0) != b'\n' {
                self.advance();
            }
        }
        TokenKind::Unclosed
    }

    fn scan_number(&mut self) -> TokenKind {
        let hexadecimal = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        let mut last = 0;
        while self.position.offset < self.limit {
            let byte = self.peek(0);
            let sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E') && !hexadecimal;
            if !(is_word(byte) || byte == b'.' || sign) {
                break;
            }
            last = byte;
            self.advance();
        }
        TokenKind::Number
    }
}

fn is_bad(byte: u8) -> bool {
    !(byte.is_ascii_whitespace()
        || is_word(byte)
        || MARKS.contains(&byte)
        || matches!(byte, b'"' | b'%' | b'@' | b'!' | b';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(source);
        let tokens = std::iter::from_fn(|| Some(lexer.next().kind));
        tokens.take_while(|kind| *kind != TokenKind::End).collect()
    }

    #[test]
    fn tokens_are_told_apart() {
        use TokenKind::{Arrow, Bad, Class, Ellipsis, Global, Mark, Number, Text, Unclosed, Value};
        assert_eq!(kinds("%a.b @\"x y\" !c \"t\\\"\""), [Value, Global, Class, Text]);
        assert_eq!(kinds("1.5e-3 0x1e+8"), [Number, Number, Mark(b'+'), Number]);
        assert_eq!(kinds("-> ... -"), [Arrow, Ellipsis, Mark(b'-')]);
        assert_eq!(kinds("; only a comment"), []);
        assert_eq!(kinds("é# % \"open"), [Bad, Bad, Unclosed]);
        assert_eq!(kinds("\"open\\"), [Unclosed]);
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let mut lexer = Lexer::new("\"é\" a\n  b ; ü\nc");
        let mut next = || {
            let token = lexer.next();
            (token.line, token.column, token.first_on_line)
        };
        assert_eq!(next(), (1, 1, true));
        assert_eq!(next(), (1, 5, false));
        assert_eq!(next(), (2, 3, true));
        assert_eq!(next(), (3, 1, true));
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let mut lexer = Lexer::new("abc def");
        lexer.restore(Position::START, 2);
        assert_eq!((lexer.next().end, lexer.next().kind), (2, TokenKind::End));
    }
}
