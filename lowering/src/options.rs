//! The choices that whoever compiles a function has.

use crate::level::BackEnd;
use crate::level::Level;

/// Where a call can be stopped from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Polls {
    /// Nowhere: `poll` compiles to nothing.
    Off,
    /// Where a `poll` stands.
    #[default]
    Explicit,
    /// There, at the entry of each function, and once in each round of a loop.
    LoopsAndEntries,
}

/// What a poll counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fuel {
    /// Nothing.
    #[default]
    Unlimited,
    /// Itself: each takes one off the fuel of the thread record.
    Counted,
}

/// Whether functions test for the end of the stack when they are entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StackGuard {
    /// Not at all: for code that runs where something else catches it.
    Omit,
    /// Each does, but those that call nothing and need little.
    #[default]
    Emit,
}

/// Whether accesses by address are checked against the objects that they belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sanitizing {
    /// Not at all: one that leaves its object does anything.
    #[default]
    Omit,
    /// Those of which the object is known: the pass `sanitize` runs at its place in the table,
    /// at every level.
    Check,
}

/// Whether code counts how often it runs, for whoever compiles it better then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Counting {
    /// It does not.
    #[default]
    Omit,
    /// Each function counts down a budget of its own when it is entered; what is made without a
    /// pipeline does so on each way back to a block, too, since it can be left there for better
    /// code.
    Emit,
}

/// How code calls functions by their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Calls {
    /// By their entries, near: whoever links says where those are, once.
    #[default]
    Near,
    /// Each call reads the function's slot, which says where it is entered by then. Objects have
    /// no such slots.
    BySlot,
}

/// Of which code lines of the module's text are told. Lines of other files are told of all code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TextLines {
    /// Where that costs time, of calls alone, which errors name: the first tier would take a
    /// tenth longer.
    #[default]
    Cheap,
    /// Of all code, for debuggers and profilers.
    All,
}

/// Who sees to it that only verified functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Verification {
    /// The caller, who has verified the whole module. Of a module that does not
    /// verify the code may then do anything.
    Omit,
    /// Lowering: it verifies each function before it compiles it, which takes a
    /// tenth of the time. The declarations of the module are the caller's all
    /// the same, or verifying a module would take the square of its size.
    #[default]
    Perform,
}

/// How a function is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LowerOptions {
    /// How hard its code is worked on.
    pub level: Level,
    /// How the back end works; as the level has it if nothing is said.
    pub back_end: Option<BackEnd>,
    /// Where a call can be stopped from outside.
    pub polls: Polls,
    /// What polls count.
    pub fuel: Fuel,
    /// Whether deep recursion is caught.
    pub stack_guard: StackGuard,
    /// Whether accesses outside of their objects are caught.
    pub sanitize: Sanitizing,
    /// Whether it counts how often it runs.
    pub counting: Counting,
    /// How it calls functions by their names.
    pub calls: Calls,
    /// Of which code lines of the module's text are told.
    pub text_lines: TextLines,
    /// Whether the function is verified first.
    pub verification: Verification,
    /// The most instructions that a function may have, of the IR and of the
    /// back end each.
    pub max_instructions: usize,
}

/// Instructions name about three values, most of them of few parts. Measured on
/// arrays that blocks hand on: a million parts take a second, ten million half a
/// gigabyte.
const PARTS_PER_INSTRUCTION: usize = 8;

impl LowerOptions {
    /// How the back end works, unless a function is too large for that.
    pub fn back_end(&self) -> BackEnd {
        self.back_end.unwrap_or(self.level.back_end())
    }

    /// The most parts that the aggregates and vectors of a function may come
    /// apart into, counted wherever one is defined or used, and the most values
    /// that the calls in its regions may hand to handlers: a line of text can
    /// name thousands, and time and memory go with them.
    pub fn max_parts(&self) -> usize {
        self.max_instructions.saturating_mul(PARTS_PER_INSTRUCTION)
    }
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            level: Level::default(),
            back_end: None,
            polls: Polls::default(),
            fuel: Fuel::default(),
            stack_guard: StackGuard::default(),
            sanitize: Sanitizing::default(),
            counting: Counting::default(),
            calls: Calls::default(),
            text_lines: TextLines::default(),
            verification: Verification::default(),
            max_instructions: 1_000_000,
        }
    }
}
