//! Names and strings in quotes.

use std::fmt;

use super::lexer::is_name;

/// Why a string is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuoteError {
    /// A backslash is followed by nothing that it may stand before.
    Escape,
    /// The bytes are no UTF-8, and a name is asked for.
    Utf8,
}

/// The bytes that a string in quotes (with them) stands for.
pub(super) fn unquote_bytes(text: &str) -> Result<Vec<u8>, QuoteError> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let escaped = rest.next().ok_or(QuoteError::Escape)?;
        bytes.push(match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'\\' | b'"' => escaped,
            high => {
                let low = rest.next().ok_or(QuoteError::Escape)?;
                hex_digit(high)? << 4 | hex_digit(low)?
            }
        });
    }
    Ok(bytes)
}

fn hex_digit(byte: u8) -> Result<u8, QuoteError> {
    let digit = char::from(byte).to_digit(16).ok_or(QuoteError::Escape)?;
    Ok(digit as u8)
}

/// The text that a string in quotes (with them) stands for.
pub(super) fn unquote(text: &str) -> Result<String, QuoteError> {
    String::from_utf8(unquote_bytes(text)?).map_err(|_| QuoteError::Utf8)
}

/// Writes `text` as a string in quotes.
pub(super) fn write_quoted(f: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            ' '..='~' | '\n' | '\t' => write_quoted_byte(f, c as u8)?,
            c if c.is_control() => {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    write!(f, "\\{byte:02x}")?;
                }
            }
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Writes `bytes` as a string in quotes.
pub(super) fn write_quoted_bytes(f: &mut dyn fmt::Write, bytes: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    bytes.iter().try_for_each(|&byte| write_quoted_byte(f, byte))?;
    f.write_char('"')
}

fn write_quoted_byte(f: &mut dyn fmt::Write, byte: u8) -> fmt::Result {
    match byte {
        b'\n' => f.write_str("\\n"),
        b'\t' => f.write_str("\\t"),
        b'"' | b'\\' => write!(f, "\\{}", char::from(byte)),
        b' '..=b'~' => f.write_char(char::from(byte)),
        other => write!(f, "\\{other:02x}"),
    }
}

/// Writes a name behind its sigil, in quotes where it needs them.
pub(super) fn write_name(f: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if !name.is_empty() && name.bytes().all(is_name) {
        f.write_str(name)
    } else {
        write_quoted(f, name)
    }
}

/// The number that a name spells, if it is one as numbers are printed.
pub(super) fn canonical_number(name: &str) -> Option<u32> {
    let canonical = match name.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    // A number that no handle has still is a number, and not a name.
    canonical.then(|| name.parse().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_and_unquoting_give_the_same() {
        for text in ["", "a b", "\n\t\\\"", "\u{0}é\u{85}€", "%12", "a\\00"] {
            let mut quoted = String::new();
            write_quoted(&mut quoted, text).unwrap();
            assert_eq!(unquote(&quoted).as_deref(), Ok(text), "{quoted}");
        }
        let all: Vec<u8> = (0..=255).collect();
        let mut quoted = String::new();
        write_quoted_bytes(&mut quoted, &all).unwrap();
        assert_eq!(unquote_bytes(&quoted), Ok(all));
    }

    #[test]
    fn bad_escapes_and_bytes_are_refused() {
        assert_eq!(unquote_bytes("\"\\q0\""), Err(QuoteError::Escape));
        assert_eq!(unquote_bytes("\"\\f\""), Err(QuoteError::Escape));
        assert_eq!(unquote("\"\\ff\""), Err(QuoteError::Utf8));
    }

    #[test]
    fn only_plain_numbers_are_numbers() {
        assert_eq!(canonical_number("12"), Some(12));
        assert_eq!(canonical_number("0"), Some(0));
        assert_eq!(canonical_number("012"), None);
        assert_eq!(canonical_number("99999999999"), Some(u32::MAX));
        assert_eq!(canonical_number("1a"), None);
    }
}
