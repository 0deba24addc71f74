//! Names and strings.

use std::fmt::Write as _;

use super::WriteError;
use crate::module::Module;

/// Writes what a text says of itself.
pub(super) fn write_head(text: &mut String, module: &Module) {
    if !module.name.is_empty() {
        let _ = write!(text, "source_filename = ");
        push_quoted(text, module.name.as_bytes());
        text.push('\n');
    }
    // Behind the triple a target string names processors, which are no part of it.
    if let Some(triple) = module.target.as_deref().and_then(|target| target.split('/').next()) {
        let _ = write!(text, "target triple = ");
        push_quoted(text, triple.as_bytes());
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
}

/// Refuses names by which LLVM means something else: intrinsics, and those
/// behind a byte that says how they are mangled.
pub(super) fn check(name: &str) -> Result<(), WriteError> {
    let is_kept = name.starts_with("llvm.") || name.starts_with('\u{1}') || name.contains('\0');
    if is_kept { Err(WriteError::Name { name: name.into() }) } else { Ok(()) }
}

/// A symbol, with its sigil.
pub(super) fn symbol(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 3);
    text.push('@');
    let is_word = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'$' | b'.' | b'_');
    let is_plain = name.bytes().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit());
    match is_plain && !name.is_empty() {
        true => text.push_str(name),
        false => push_quoted(&mut text, name.as_bytes()),
    }
    text
}

/// Writes bytes in quotes.
pub(super) fn push_quoted(text: &mut String, bytes: &[u8]) {
    text.push('"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => drop(write!(text, "\\{byte:02X}")),
            b' '..=b'~' => text.push(byte.into()),
            other => drop(write!(text, "\\{other:02X}")),
        }
    }
    text.push('"');
}
