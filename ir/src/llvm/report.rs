//! Errors in a text, by their offsets.

use std::fmt;
use std::ops::Range;

use super::syntax::Offset;
use crate::text::{self, Code, Diagnostic, Reported};

/// The errors of a text, up to a limit. Lines are counted where an error asks for them.
#[derive(Debug)]
pub(super) struct Report<'t> {
    text: &'t str,
    list: text::Report,
}

impl<'t> Report<'t> {
    /// No errors yet; `limit` is the most that are kept.
    pub(super) fn new(text: &'t str, limit: usize) -> Report<'t> {
        Report { text, list: text::Report::new(limit) }
    }

    /// Whether no further error is kept.
    pub(super) fn is_full(&self) -> bool {
        self.list.is_full()
    }

    /// Whether there is no error.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// An error at `at`, which covers the word there.
    pub(super) fn add(&mut self, code: Code, at: Offset, message: impl fmt::Display) -> Reported {
        let start = self.text.floor_char_boundary(at as usize);
        let rest = &self.text[start..];
        let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | '(' | ')');
        let length = rest.find(is_end).unwrap_or(rest.len());
        self.add_span(code, at..at + length as u32, message)
    }

    /// An error that covers those bytes.
    pub(super) fn add_span(
        &mut self,
        code: Code,
        span: Range<Offset>,
        message: impl fmt::Display,
    ) -> Reported {
        let text = self.text;
        self.list.push(|| {
            let start = text.floor_char_boundary(span.start as usize);
            let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let line = 1 + text[..start].bytes().filter(|&byte| byte == b'\n').count();
            Diagnostic {
                code,
                message: message.to_string(),
                line: line as u32,
                column: 1 + text[line_start..start].chars().count() as u32,
                span: span.start as usize..span.end as usize,
                hint: None,
            }
        })
    }

    /// The errors in the order of their places.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.list.into_diagnostics()
    }
}
