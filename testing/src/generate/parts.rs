//! What programs have: functions of several roles, and how many of each.

use super::Size;

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Neither traps nor touches memory.
    Leaf,
    /// Does not trap, and reads memory that it is handed or that outlives it; gives such
    /// addresses, too.
    Reader,
    Ordinary,
    /// Throws half of the time.
    Thrower,
    /// Called from outside.
    Entry,
    /// The same, and little but a shape.
    Shape,
}

impl Role {
    pub(super) fn is_entry(self) -> bool {
        matches!(self, Role::Entry | Role::Shape)
    }
}

/// What programs of a size have: in so many of a hundred, or from so many up to so many.
pub(super) struct Parts {
    pub(super) throwing: usize,
    pub(super) ordinary: (usize, usize),
    pub(super) recursive: usize,
    pub(super) entries: (usize, usize),
    pub(super) shapes: usize,
    /// Of an entry.
    pub(super) statements: (usize, usize),
}

impl Parts {
    pub(super) fn of(size: Size) -> Parts {
        match size {
            Size::Full => Parts {
                throwing: 35,
                ordinary: (1, 3),
                recursive: 40,
                entries: (1, 2),
                shapes: 60,
                statements: (20, 45),
            },
            Size::Medium => Parts {
                throwing: 15,
                ordinary: (0, 1),
                recursive: 10,
                entries: (1, 1),
                shapes: 40,
                statements: (8, 18),
            },
            Size::Small => Parts {
                throwing: 0,
                ordinary: (0, 0),
                recursive: 0,
                entries: (1, 1),
                shapes: 0,
                statements: (4, 10),
            },
        }
    }
}
