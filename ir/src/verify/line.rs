//! The line that an error shows.

use std::fmt;

use crate::body::Body;
use crate::entity::Inst;
use crate::module::Module;
use crate::text::BodyPrinter;
use crate::types::Signature;

/// The longest line shown, in bytes; a switch may have 100,000 cases.
const MAX_LINE: usize = 200;

/// The text of `inst`, cut where it grows too long.
pub(crate) fn cut_line(
    module: &Module,
    body: &Body,
    signature: Option<&Signature>,
    inst: Inst,
) -> String {
    let mut line = Cut { text: String::new() };
    // Printing stops with an error where the line is cut: that is its end.
    let _ = BodyPrinter { module, body, signature }.write_inst(&mut line, inst);
    line.text
}

/// A line that takes only so much.
struct Cut {
    text: String,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_LINE.saturating_sub(self.text.len());
        if text.len() <= room {
            self.text.push_str(text);
            return Ok(());
        }
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
        self.text.push('…');
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn a_line_is_cut_at_a_character() {
        let mut line = Cut { text: String::new() };
        let result = (0..100).try_for_each(|_| line.write_str("äöü"));
        assert!(result.is_err());
        assert!(line.text.len() <= MAX_LINE + '…'.len_utf8() && line.text.ends_with('…'));
    }
}
