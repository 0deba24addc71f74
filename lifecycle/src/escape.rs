//! Names within lines, whatever is in them: a tab, the end of a line and a backslash are written
//! `\t`, `\n`, `\r` and `\\`.

use std::fmt::{self, Write};

/// A text within one field of a line.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

/// What is written otherwise, and how.
const ESCAPES: [(char, char); 4] = [('\t', 't'), ('\n', 'n'), ('\r', 'r'), ('\\', '\\')];

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sign in self.0.chars() {
            match ESCAPES.iter().find(|(plain, _)| *plain == sign) {
                Some((_, letter)) => write!(f, "\\{letter}")?,
                None => f.write_char(sign)?,
            }
        }
        Ok(())
    }
}

/// The text that was written so; nothing if it is none.
pub(crate) fn unescaped(text: &str) -> Option<Box<str>> {
    let mut plain = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        plain.push(match sign {
            '\\' => {
                let letter = signs.next()?;
                ESCAPES.iter().find(|(_, known)| *known == letter)?.0
            }
            other => other,
        });
    }
    Some(plain.into())
}
