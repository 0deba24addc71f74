//! Names as the formats can hold them. A name of the IR is any text.

/// What stands for a character that a format cannot hold.
const STAND_IN: char = '?';

/// For fields that end with a zero: never empty, without zeros.
pub(crate) fn zero_free(name: &str) -> String {
    match name {
        "" => STAND_IN.into(),
        name => name.replace('\0', "?"),
    }
}

/// For a field of a line, the last in it: one word, never empty.
pub(crate) fn one_word(name: &str) -> String {
    let plain = |sign: char| if sign.is_whitespace() || sign.is_control() { '_' } else { sign };
    match name {
        "" => STAND_IN.into(),
        name => name.chars().map(plain).collect(),
    }
}
