//! The line that an error shows.

use std::fmt::{self, Display, Write};

use super::report::{At, Place};
use crate::entity::{Block, Inst};
use crate::module::{Module, Symbol};
use crate::text::{BodyPrinter, write_class, write_declaration, write_slot};
use crate::types::Type;

/// The longest line or name shown, in bytes; a switch may have 100,000 cases.
const MAX_LINE: usize = 200;

/// The longest message, in bytes; a type or name in it may be as long as a text.
const MAX_MESSAGE: usize = 600;

/// The longest path of a file that systems take, in bytes.
const MAX_PATH: usize = 4096;

/// The text of `inst`, cut where it grows too long.
pub(crate) fn cut_line(printer: BodyPrinter<'_>, inst: Inst) -> String {
    cut(MAX_LINE, |line| printer.write_inst(line, inst))
}

/// The head of `block`, cut where it grows too long.
pub(crate) fn cut_head(printer: BodyPrinter<'_>, block: Block) -> String {
    cut(MAX_LINE, |line| printer.write_head(line, block))
}

/// The line that a place is at, the first one of several, cut where it grows too long.
pub(super) fn line_of(module: &Module, place: Place<'_>) -> String {
    let text = cut(MAX_LINE, |line| match place {
        Place::Nowhere => Ok(()),
        Place::Class(class) => write_class(line, module, class),
        Place::Signature(sig) => write!(line, "{}", module.types.display(Type::function(sig))),
        Place::Symbol(symbol) => write_declaration(line, module, symbol),
        Place::Body(id, printer, at) => match at {
            At::Function => write_declaration(line, module, Symbol::Function(id)),
            At::Block(block) => printer.write_head(line, block),
            At::Inst(inst) => printer.write_inst(line, inst),
            At::Slot(slot) => {
                printer.body.slot(slot).map_or(Ok(()), |data| write_slot(line, slot, data))
            }
            At::Exit(exit) => {
                printer.body.exit(exit).map_or(Ok(()), |data| printer.write_exit(line, exit, data))
            }
            At::Loc(loc) => printer
                .body
                .loc_data(loc)
                .map_or(Ok(()), |data| printer.write_location(line, loc, data)),
        },
    });
    text.lines().next().unwrap_or_default().to_owned()
}

/// A name of the text, cut where it grows too long.
pub(crate) fn cut_name(name: impl Display) -> String {
    cut(MAX_LINE, |text| write!(text, "{name}"))
}

/// A message, cut where it grows too long.
pub(crate) fn cut_message(message: fmt::Arguments<'_>) -> String {
    cut(MAX_MESSAGE, |text| text.write_fmt(message))
}

/// The path of a file, cut where it grows too long.
pub(super) fn cut_path(path: &str) -> String {
    cut(MAX_PATH, |text| text.write_str(path))
}

fn cut(max: usize, write: impl FnOnce(&mut Cut) -> fmt::Result) -> String {
    let mut cut = Cut { text: String::new(), max };
    // Printing stops with an error where the text is cut: that is its end.
    let _ = write(&mut cut);
    cut.text
}

/// A text that takes only so much.
struct Cut {
    text: String,
    max: usize,
}

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.max.saturating_sub(self.text.len());
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

    #[test]
    fn a_line_is_cut_at_a_character() {
        let text = cut(MAX_LINE, |line| (0..100).try_for_each(|_| line.write_str("äöü")));
        assert!(text.len() <= MAX_LINE + '…'.len_utf8() && text.ends_with('…'), "{text}");
    }
}
