//! Words, names, numbers and marks of a text of LLVM IR.
//!
//! Bytes are looked at, and nothing is copied. Lines are not counted: an error counts
//! those before its place.

mod words;

use super::syntax::Offset;
use words::WordHash;

pub(super) use words::Word;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The end of the text, or of the piece that is read.
    End,
    /// A word of the language.
    Word(Word),
    /// Letters that are none.
    Unknown,
    /// `i32`; the width is the token's number.
    IntegerType,
    /// `%name` and `%"name"`.
    Local,
    /// `%7`.
    LocalNumber,
    /// `@name` and `@"name"`.
    Global,
    /// `@7`.
    GlobalNumber,
    /// `$name` and `$"name"`.
    Comdat,
    /// `!name`.
    Metadata,
    /// `!7`.
    MetadataNumber,
    /// `!` before something else.
    Exclamation,
    /// `#7`.
    Group,
    /// `#name`: a debug record.
    Record,
    /// `^7`.
    Summary,
    /// Digits, maybe behind `-`. The token's number is without the sign, and `u64::MAX`
    /// if it is larger than 18 digits can be.
    Integer,
    /// `u0x…` and `s0x…`.
    HexInteger,
    /// Digits with a point, maybe a sign and an exponent.
    Decimal,
    /// `0x…`: the bits of a double, or with a letter behind the `x` those of another float.
    HexFloat,
    /// `"…"`.
    Text,
    /// `c"…"`.
    Bytes,
    /// `...`.
    Ellipsis,
    /// One of `( ) { } [ ] < > , : = * |`.
    Mark(u8),
    /// A string without its closing quote.
    Unclosed,
    /// What begins no token.
    Bad,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The place of its first byte.
    pub(super) start: Offset,
    /// The place behind its last one.
    pub(super) end: Offset,
    /// The number that it spells, if its kind has one; `u64::MAX` if that is larger.
    pub(super) number: u64,
}

/// Reads tokens from a text of less than 4 GiB.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    /// Up to where reading goes.
    bytes: &'t [u8],
    at: usize,
    /// Bytes looked at so far: what linear time is asserted on.
    work: u64,
}

/// What a byte may be a part of.
const WORD: u8 = 1;
const NAME: u8 = 2;
const DIGIT: u8 = 4;
const HEX: u8 = 8;
const SPACE: u8 = 16;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            classes[index] |= WORD | NAME;
        }
        if matches!(byte, b'-' | b'$' | b'.') {
            classes[index] |= NAME;
        }
        if byte.is_ascii_digit() {
            classes[index] |= DIGIT;
        }
        if byte.is_ascii_hexdigit() {
            classes[index] |= HEX;
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0) {
            classes[index] |= SPACE;
        }
        index += 1;
    }
    classes
}

/// Whether a name may hold a byte without quotes.
pub(super) fn is_name(byte: u8) -> bool {
    is(byte, NAME)
}

fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

impl<'t> Lexer<'t> {
    /// Reads the bytes of `text` in `range`.
    pub(super) fn new(text: &'t str, range: std::ops::Range<Offset>) -> Lexer<'t> {
        let end = (range.end as usize).min(text.len());
        Lexer { bytes: &text.as_bytes()[..end], at: range.start as usize, work: 0 }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Where the next token is looked for.
    pub(super) fn at(&self) -> Offset {
        self.at as Offset
    }

    /// Goes on reading at `at`.
    pub(super) fn go_to(&mut self, at: Offset) {
        self.at = at as usize;
    }

    /// The bytes up to where reading goes.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Counts bytes that someone else has looked at.
    pub(super) fn add_work(&mut self, bytes: u64) {
        self.work += bytes;
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip(&mut self, class: u8) {
        while self.bytes.get(self.at).is_some_and(|&byte| is(byte, class)) {
            self.at += 1;
        }
    }

    fn skip_trivia(&mut self) {
        loop {
            self.skip(SPACE);
            match self.peek(0) {
                b';' => {
                    let rest = &self.bytes[self.at..];
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.at += length.unwrap_or(rest.len());
                }
                b'/' if self.peek(1) == b'*' => {
                    let rest = &self.bytes[self.at + 2..];
                    let length = rest.windows(2).position(|pair| pair == b"*/");
                    self.at += 2 + length.map_or(rest.len(), |length| length + 2);
                }
                _ => return,
            }
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        let begin = self.at;
        self.skip_trivia();
        let start = self.at;
        let mut number = 0;
        let kind = match self.bytes.get(start) {
            None => Kind::End,
            Some(&byte) => self.scan(byte, &mut number),
        };
        self.work += (self.at - begin) as u64;
        Token { kind, start: start as Offset, end: self.at as Offset, number }
    }

    fn scan(&mut self, byte: u8, number: &mut u64) -> Kind {
        match byte {
            b'%' => self.name(Kind::Local, Kind::LocalNumber, number),
            b'@' => self.name(Kind::Global, Kind::GlobalNumber, number),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(byte, number),
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b',' | b':' | b'=' | b'*'
            | b'|' => {
                self.at += 1;
                Kind::Mark(byte)
            }
            b'0'..=b'9' | b'-' | b'+' => self.number(byte, number),
            b'!' => self.metadata(number),
            b'"' => self.text(Kind::Text),
            b'#' if is(self.peek(1), DIGIT) => self.numbered(Kind::Group, number),
            b'#' => {
                self.at += 1;
                let start = self.at;
                self.skip(WORD);
                if self.at == start { Kind::Bad } else { Kind::Record }
            }
            b'^' if is(self.peek(1), DIGIT) => self.numbered(Kind::Summary, number),
            b'$' => self.name(Kind::Comdat, Kind::Bad, number),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.at += 3;
                Kind::Ellipsis
            }
            _ => self.bad(),
        }
    }

    /// Skips a character that begins no token.
    fn bad(&mut self) -> Kind {
        self.at += 1;
        while self.peek(0) & 0xc0 == 0x80 {
            self.at += 1;
        }
        Kind::Bad
    }

    /// Reads a sigil and digits.
    fn numbered(&mut self, kind: Kind, number: &mut u64) -> Kind {
        self.at += 1;
        *number = self.digits();
        kind
    }

    fn name(&mut self, named: Kind, numbered: Kind, number: &mut u64) -> Kind {
        let first = self.peek(1);
        if is(first, DIGIT) && numbered != Kind::Bad {
            return self.numbered(numbered, number);
        }
        if first == b'"' {
            self.at += 1;
            return self.text(named);
        }
        self.at += 1;
        if !is(first, NAME) {
            return Kind::Bad;
        }
        self.skip(NAME);
        named
    }

    fn metadata(&mut self, number: &mut u64) -> Kind {
        let first = self.peek(1);
        if is(first, DIGIT) {
            return self.numbered(Kind::MetadataNumber, number);
        }
        self.at += 1;
        if !(is(first, NAME) || first == b'\\') {
            return Kind::Exclamation;
        }
        while is(self.peek(0), NAME) || self.peek(0) == b'\\' {
            self.at += 1;
        }
        Kind::Metadata
    }

    /// The number that digits spell, `u64::MAX` if there are more than 18.
    fn digits(&mut self) -> u64 {
        let start = self.at;
        let mut number = 0_u64;
        while let Some(&byte) = self.bytes.get(self.at)
            && is(byte, DIGIT)
        {
            number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            self.at += 1;
        }
        if self.at - start > 18 { u64::MAX } else { number }
    }

    fn word(&mut self, byte: u8, number: &mut u64) -> Kind {
        let start = self.at;
        if byte == b'i' && is(self.peek(1), DIGIT) {
            *number = self.integer_type();
            return Kind::IntegerType;
        }
        if byte == b'c' && self.peek(1) == b'"' {
            self.at += 1;
            return self.text(Kind::Bytes);
        }
        let mut hash = WordHash::EMPTY;
        while let Some(&byte) = self.bytes.get(self.at)
            && is(byte, WORD)
        {
            hash = hash.with(byte);
            self.at += 1;
        }
        let text = &self.bytes[start..self.at];
        match words::find(text, hash) {
            Some(word) => Kind::Word(word),
            None if matches!(text, [b'u' | b's', b'0', b'x', _, ..]) => Kind::HexInteger,
            None => Kind::Unknown,
        }
    }

    fn integer_type(&mut self) -> u64 {
        self.at += 1;
        self.digits()
    }

    fn number(&mut self, first: u8, number: &mut u64) -> Kind {
        if first == b'0' && self.peek(1) == b'x' {
            return self.hex_float();
        }
        if !is(first, DIGIT) {
            self.at += 1;
            if !is(self.peek(0), DIGIT) {
                return Kind::Bad;
            }
        }
        *number = self.digits();
        if self.peek(0) != b'.' {
            return if first == b'+' { Kind::Bad } else { Kind::Integer };
        }
        self.at += 1;
        self.skip(DIGIT);
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if is(self.peek(1 + sign), DIGIT) {
                self.at += 1 + sign;
                self.skip(DIGIT);
            }
        }
        Kind::Decimal
    }

    fn hex_float(&mut self) -> Kind {
        self.at += 2;
        if matches!(self.peek(0), b'K' | b'L' | b'M' | b'H' | b'R') {
            self.at += 1;
        }
        let start = self.at;
        self.skip(HEX);
        if self.at == start { Kind::Bad } else { Kind::HexFloat }
    }

    fn text(&mut self, kind: Kind) -> Kind {
        let rest = &self.bytes[self.at + 1..];
        match rest.iter().position(|&byte| byte == b'"') {
            Some(length) => {
                self.at += length + 2;
                kind
            }
            None => {
                self.at = self.bytes.len();
                Kind::Unclosed
            }
        }
    }
}

#[cfg(test)]
mod tests;
