//! What is wrong with a text, as plain data.

use std::fmt;
use std::ops::Range;

use super::lexer::Token;

macro_rules! codes {
    ($($name:ident = $text:literal, $explanation:literal;)*) => {
        /// What kind of error a [`Diagnostic`] is; its spelling never changes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $explanation] $name,)* }

        impl Code {
            /// Every code, in table order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The spelling in messages and in `error` directives.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What it means, and what to do about it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explanation,)* }
            }

            /// The code that `name` spells.
            pub fn from_name(name: &str) -> Option<Code> {
                Code::ALL.iter().copied().find(|code| code.name() == name)
            }
        }
    };
}

codes! {
    InvalidUtf8 = "invalid-utf8", "The bytes are no UTF-8, which every text is written in.";
    TextTooLarge = "text-too-large", "The text is larger than the limits allow; split the module.";
    BadCharacter = "bad-character", "A character begins no word, number or mark of the text; names with such characters stand in quotes behind their sigil.";
    UnclosedString = "unclosed-string", "A string has no closing quote on its line; a line break inside is spelled `\\n`.";
    BadEscape = "bad-escape", "A backslash in a string stands before something other than `n`, `t`, `\\`, `\"` or two hex digits, or the escapes of a name give no UTF-8.";
    BadNumber = "bad-number", "A number is spelled like none, or is no number of the kind that its place needs.";
    UnexpectedToken = "unexpected-token", "Something else should stand here.";
    UnclosedBody = "unclosed-body", "The braces of a function or data object are not closed before the next declaration or the end of the text.";
    DuplicateLine = "duplicate-line", "A line that a module has at most once, `module` or `target`, stands there again.";
    DuplicateSymbol = "duplicate-symbol", "Two functions or data objects of one module have the same name.";
    DuplicateClass = "duplicate-class", "An alias class is declared twice.";
    DuplicateValue = "duplicate-value", "A value is defined twice; every value has one definition, and a block parameter joins several.";
    DuplicateBlock = "duplicate-block", "Two blocks of a function have the same name or number.";
    DuplicateAttribute = "duplicate-attribute", "An attribute stands twice behind the same instruction or declaration.";
    EntityOrder = "entity-order", "Slots, exits, scopes and locations are declared in the order of their numbers, from 0, before the first block.";
    MissingBody = "missing-body", "A function that this module defines has no body, or a data object no items.";
    UnexpectedBody = "unexpected-body", "A function or data object that is defined elsewhere has a body here.";
    MissingLabel = "missing-label", "An instruction stands before the first block of its function.";
    UnknownOp = "unknown-op", "No op has that name.";
    UnknownType = "unknown-type", "No type has that name.";
    BadType = "bad-type", "No such type can be made: too many lanes, too deep, too large, or a part that no type may have.";
    UnknownWord = "unknown-word", "The word is none of those that may stand here: conditions, orders, kinds, trap codes and attributes are fixed.";
    UnknownSymbol = "unknown-symbol", "No function or data object of that name is declared in this module, or it is of the other kind.";
    UnknownClass = "unknown-class", "No alias class of that name is declared in this module.";
    UnknownEntity = "unknown-entity", "No slot, exit, scope or location of that number is declared in this function.";
    UndefinedValue = "undefined-value", "A value is used and defined nowhere in its function.";
    UndefinedBlock = "undefined-block", "A block is the target of an edge and stands nowhere in its function.";
    BadSuffix = "bad-suffix", "The op has no suffix and is given one, needs one and has none, or cannot be instantiated at that type.";
    BadPath = "bad-path", "The indices lead to nothing inside the type.";
    OperandCount = "operand-count", "The op has more or fewer operands than are given.";
    ResultCount = "result-count", "The instruction has more or fewer results than are named.";
    UntypedLiteral = "untyped-literal", "Nothing says which type the literal has; spell it, as in `i32:5`.";
    BadLiteral = "bad-literal", "The type has no literal of that kind.";
    LiteralRange = "literal-range", "The number does not fit its type, neither as signed nor as unsigned.";
    MisplacedAttribute = "misplaced-attribute", "The attribute says something that does not concern this op.";
    BadAlignment = "bad-alignment", "An alignment is no power of two, or larger than any.";
    NumberTooLarge = "number-too-large", "The number of a value or block leaves more numbers unused than a text of this size may; use a name or a smaller number.";
    BadDirective = "bad-directive", "A directive of a test is not spelled as one.";
    LlvmUnsupported = "llvm-unsupported", "The text of LLVM IR holds something that has no meaning here; the message names it.";
    LlvmType = "llvm-type", "A value of LLVM IR is used as another type than its definition has, or as one that its place does not take.";
    LlvmInvalid = "llvm-invalid", "The text breaks a rule of LLVM IR, whose own verifier refuses it too.";
    LlvmAssembly = "llvm-assembly", "A function of LLVM IR holds assembly of which nothing is known here.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of error it is.
    pub code: Code,
    /// What is wrong, as a sentence without capital or period.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The place as bytes of the text.
    pub span: Range<usize>,
    /// A way out, if there is one to name.
    pub hint: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error[{}]: {}", self.line, self.column, self.code, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// The text that bytes are, or the place of the first that belongs to none.
pub(super) fn text_of_bytes(bytes: &[u8]) -> Result<&str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| vec![invalid_utf8(bytes, error.valid_up_to())])
}

/// The error of bytes that are no text from `offset` on.
fn invalid_utf8(bytes: &[u8], offset: usize) -> Diagnostic {
    let before = &bytes[..offset];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let is_first = |byte: &&u8| **byte & 0xc0 != 0x80;
    Diagnostic {
        code: Code::InvalidUtf8,
        message: format!("the byte {:#04x} begins no character", bytes.get(offset).unwrap_or(&0)),
        line: 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32,
        column: 1 + before[line_start..].iter().filter(is_first).count() as u32,
        span: offset..offset + 1,
        hint: Some("texts are UTF-8; bytes of data are spelled as in `\\ff`".to_owned()),
    }
}

/// The error of a text of `size` bytes, more than `largest`.
pub(super) fn too_large(size: usize, largest: usize) -> Diagnostic {
    Diagnostic {
        code: Code::TextTooLarge,
        message: format!("the text has {size} bytes, and at most {largest} are read"),
        line: 1,
        column: 1,
        span: 0..0,
        hint: Some("split the module into several, which import from each other".to_owned()),
    }
}

/// The proof that a diagnostic was reported: what failed reading gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// What was read, or the proof that the reason why not was reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// The diagnostics of one text, up to a limit.
#[derive(Debug)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    limit: usize,
}

impl Report {
    pub(crate) fn new(limit: usize) -> Report {
        Report { diagnostics: Vec::new(), limit: limit.max(1) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.len() >= self.limit
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    pub(super) fn add(
        &mut self,
        code: Code,
        token: Token,
        message: String,
        hint: Option<String>,
    ) -> Reported {
        let span = token.start as usize..token.end as usize;
        let Token { line, column, .. } = token;
        self.push(|| Diagnostic { code, message, line, column, span, hint })
    }

    /// Takes a diagnostic, if there is room for one more.
    pub(crate) fn push(&mut self, diagnostic: impl FnOnce() -> Diagnostic) -> Reported {
        if !self.is_full() {
            self.diagnostics.push(diagnostic());
        }
        Reported
    }

    /// The diagnostics in the order of their places.
    pub(crate) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        self.diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_spelled_alike_and_found_by_their_spelling() {
        for &code in Code::ALL {
            assert_eq!(Code::from_name(code.name()), Some(code));
            let spelled = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(code.name().chars().all(spelled), "{code}");
            assert!(code.explanation().ends_with('.'), "{code}");
        }
    }
}
