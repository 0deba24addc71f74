//! Text to words.

use std::iter::Peekable;
use std::rc::Rc;
use std::str::Chars;

use crate::syntax::{Fault, Place};

/// A word of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Word {
    /// `def`, `extern`, `if`, …
    Keyword(Keyword),
    /// A name.
    Name(Rc<str>),
    /// A number.
    Number(f64),
    /// A text in quotes.
    Text(Rc<str>),
    /// Any other character.
    Sign(char),
    /// There is nothing more.
    End,
}

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A name that the language has taken.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Keyword { $(#[doc = concat!("`", $text, "`")] $name,)* }

        impl Keyword {
            /// How it is spelled.
            pub(crate) const fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text,)* }
            }

            fn of(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }
        }
    };
}

keywords! {
    Binary = "binary", Def = "def", Else = "else", Extern = "extern", For = "for", If = "if",
    In = "in", Then = "then", Unary = "unary", Var = "var",
}

/// All words of a text, each with its place, the end behind them.
///
/// # Errors
/// If a number or text is none.
pub(crate) fn words(text: &str) -> Result<Vec<(Place, Word)>, Fault> {
    let mut lexer = Lexer { rest: text.chars().peekable(), at: Place { line: 1, column: 1 } };
    let mut words = Vec::new();
    loop {
        lexer.skip();
        let at = lexer.at;
        let word = lexer.word()?;
        let is_end = word == Word::End;
        words.push((at, word));
        if is_end {
            return Ok(words);
        }
    }
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    at: Place,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        match next {
            '\n' => self.at = Place { line: self.at.line + 1, column: 1 },
            _ => self.at.column += 1,
        }
        Some(next)
    }

    /// Takes what comes as long as it is of a kind.
    fn take_while(&mut self, is_more: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&next) = self.rest.peek()
            && is_more(next)
        {
            taken.push(next);
            self.next();
        }
        taken
    }

    /// Goes past space, and comments, which go from `#` to the end of the line.
    fn skip(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.peek() != Some(&'#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn word(&mut self) -> Result<Word, Fault> {
        let at = self.at;
        match self.rest.peek() {
            None => Ok(Word::End),
            Some('"') => self.text(at),
            Some(c) if c.is_ascii_digit() || *c == '.' => {
                let text = self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
                let number = text.parse().ok().filter(|_| !text.contains(char::is_alphabetic));
                let fault = || Fault::new(at, format!("`{text}` is no number: write 12 or 1.5"));
                number.map(Word::Number).ok_or_else(fault)
            }
            Some(c) if c.is_alphabetic() || *c == '_' => {
                let mut name = self.take_while(|c| c.is_alphanumeric() || c == '_');
                if self.rest.peek() == Some(&'$') {
                    name.extend(self.next());
                }
                Ok(Keyword::of(&name).map_or_else(|| Word::Name(name.into()), Word::Keyword))
            }
            Some(_) => Ok(self.next().map_or(Word::End, Word::Sign)),
        }
    }

    fn text(&mut self, at: Place) -> Result<Word, Fault> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(Word::Text(text.into())),
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c @ ('"' | '\\')) => text.push(c),
                    _ => return Err(Fault::new(at, "behind `\\` stands n, t, \" or \\")),
                },
                Some('\n') | None => {
                    return Err(Fault::new(at, "the text has no end: close it by `\"`"));
                }
                Some(c) => text.push(c),
            }
        }
    }
}
