//! Where the things of a text stand that canonical text has on lines of their
//! own: what comments are attached to.

use super::lexer::Token;

/// What a thing is, in the order in which a module or a declaration prints
/// its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    Module,
    Target,
    Class,
    /// A declaration, up to its opening brace if it has one.
    Head,
    Slot,
    Exit,
    Scope,
    Location,
    /// A block's head, an instruction or an item of data: they print in the
    /// order in which they stand.
    Line,
    /// The closing brace.
    Close,
    /// The end of the text.
    End,
}

/// One thing and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    part: Part,
    /// Byte offsets of its first character and behind its last one.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The lines of its first and last token, from 1.
    pub(super) first_line: u32,
    pub(super) last_line: u32,
    /// The column of its first character, from 1.
    pub(super) column: u32,
}

/// What names the same thing in a text and in its canonical form: the number
/// of declarations up to it, its part, and the number of its like before it.
/// Keys are ordered as canonical text is.
pub(super) type Key = (u32, Part, u32);

/// The key behind all others.
pub(super) const END: Key = (u32::MAX, Part::End, 0);

/// Notes what the parser reads.
#[derive(Debug, Default)]
pub(super) struct Outline {
    items: Vec<Item>,
    /// The opening brace of the declaration that is read.
    opening: Option<Token>,
}

impl Outline {
    /// Notes a thing from its first to its last token. A declaration whose
    /// braces were noted ends with the opening one.
    pub(super) fn note(&mut self, part: Part, first: Token, last: Token) {
        let last = self.opening.take().filter(|_| part == Part::Head).unwrap_or(last);
        self.items.push(Item {
            part,
            start: first.start,
            end: last.end,
            first_line: first.line,
            last_line: last.line,
            column: first.column,
        });
    }

    /// Notes the braces of a declaration that is not noted yet.
    pub(super) fn note_braces(&mut self, open: Token, close: Token) {
        self.note(Part::Close, close, close);
        self.opening = Some(open);
    }

    /// The items with their keys, in the order in which they stand.
    pub(super) fn into_items(mut self) -> Vec<(Key, Item)> {
        self.items.sort_by_key(|item| item.start);
        let mut section = 0;
        let mut keyed = Vec::with_capacity(self.items.len());
        for item in self.items {
            section += u32::from(item.part == Part::Head);
            let section = if item.part < Part::Head { 0 } else { section };
            keyed.push(((section, item.part, 0), item));
        }
        // Stable, so that what is alike is counted as it stands.
        keyed.sort_by_key(|&(key, _)| key);
        for at in 1..keyed.len() {
            let (section, part, number) = keyed[at - 1].0;
            if keyed[at].0 == (section, part, 0) {
                keyed[at].0.2 = number + 1;
            }
        }
        keyed.sort_by_key(|(_, item)| item.start);
        keyed
    }
}
