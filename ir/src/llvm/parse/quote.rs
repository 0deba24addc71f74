//! Escapes in names and strings: a backslash and two hex digits, or two backslashes.

use std::borrow::Cow;

/// The bytes that the text between quotes stands for. Any other backslash is itself.
pub(super) fn unescape(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let Some(first) = bytes.iter().position(|&byte| byte == b'\\') else {
        return Cow::Borrowed(bytes);
    };
    let mut result = Vec::with_capacity(bytes.len());
    result.extend_from_slice(&bytes[..first]);
    let mut rest = &bytes[first..];
    while let [byte, behind @ ..] = rest {
        (rest, _) = match (*byte, behind) {
            (b'\\', [b'\\', behind @ ..]) => (behind, result.push(b'\\')),
            (b'\\', [high, low, behind @ ..])
                if let (Some(high), Some(low)) = (digit(*high), digit(*low)) =>
            {
                (behind, result.push(high << 4 | low))
            }
            _ => (behind, result.push(*byte)),
        };
    }
    Cow::Owned(result)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_bytes() {
        assert_eq!(&*unescape("a\\00\\fFb"), b"a\0\xffb");
        assert_eq!(&*unescape("\\\\0a\\"), b"\\0a\\");
        assert_eq!(&*unescape("\\g0"), b"\\g0");
        assert!(matches!(unescape("plain"), Cow::Borrowed(b"plain")));
    }
}
