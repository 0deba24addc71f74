//! What can be wrong with a function on its way down.

use std::fmt;

use brolga_ir::body::{Body, TEXT_FILE};
use brolga_ir::entity::{Block, Inst};
use brolga_ir::op::Op;
use brolga_ir::verify::VerifyErrors;
use thiserror::Error;

/// Where in a function something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The block.
    pub block: Block,
    /// The instruction.
    pub inst: Inst,
    /// Its op.
    pub op: Op,
    /// Its line in the module's text, from 1; none where it has no location.
    pub line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in {}", self.op, self.block)?;
        match self.line {
            Some(line) => write!(f, ", line {line}"),
            None => Ok(()),
        }
    }
}

/// Where an instruction of a body stands.
pub(crate) fn place_of(body: &Body, inst: Inst) -> Place {
    let line = body.loc_chain(body.loc(inst)).next().filter(|loc| loc.file == TEXT_FILE);
    Place {
        block: body.layout.block_of(inst).unwrap_or(Block::from_u32(0)),
        inst,
        // A body that was not verified may have no instruction at all.
        op: if body.contains_inst(inst) { body.inst(inst).op } else { Op::Unreachable },
        line: line.map(|loc| loc.line),
    }
}

/// Why a function was not compiled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The module has no body for the function.
    #[error("@{function} has no body in this module; link the module that defines it")]
    NoBody {
        /// The function.
        function: Box<str>,
    },
    /// The function breaks rules of the IR.
    #[error("@{function} does not verify:\n{errors}")]
    Invalid {
        /// The function.
        function: Box<str>,
        /// The rules, each with its place.
        errors: Box<VerifyErrors>,
    },
    /// An instruction is not in the form that emission takes. A defect of the
    /// passes before it, or a module that was not verified.
    #[error("@{function}: {place}: {reason}; verify the module, and report this if it passes")]
    Illegal {
        /// The function.
        function: Box<str>,
        /// The instruction.
        place: Place,
        /// What is wrong with it.
        reason: Box<str>,
    },
    /// A pass left behind what it says that it does not. Only builds with debug
    /// assertions look, and who asks for each pass to be verified.
    #[error("@{function}: `{pass}` {reason}; report this, with the function's text")]
    Defect {
        /// The function.
        function: Box<str>,
        /// The pass.
        pass: &'static str,
        /// What it did.
        reason: Box<str>,
    },
    /// An instruction that cannot be compiled for the target.
    #[error("@{function}: {place}: {reason}; the interpreter can run it")]
    Unsupported {
        /// The function.
        function: Box<str>,
        /// The instruction.
        place: Place,
        /// What is missing.
        reason: Box<str>,
    },
    /// A signature that the convention cannot carry.
    #[error("{callable}: {reason}; pass a pointer instead")]
    Signature {
        /// Whose it is.
        callable: Box<str>,
        /// Which parameter or result, and what is wrong with it.
        reason: Box<str>,
    },
    /// A name of the library's own that the module has given to another function.
    #[error(
        "`@{name}` is another function than the library's own of that name; name it otherwise, \
         without `brolga.`"
    )]
    ReservedName {
        /// The name.
        name: Box<str>,
    },
    /// The function is larger than the limit.
    #[error(
        "@{function} has {count} instructions, the limit is {limit}; split it, or raise the limit"
    )]
    TooLarge {
        /// The function.
        function: Box<str>,
        /// How many it has.
        count: usize,
        /// How many it may have.
        limit: usize,
    },
    /// The aggregates and vectors of the function, at every place that names
    /// one, come apart into more scalars and registers than the limit, or its
    /// calls hand more values than that to the handlers of their regions.
    #[error(
        "@{function}: its aggregates and vectors, or what its calls hand to handlers, come to \
         {count} parts or more, the limit is {limit}; keep some in memory, or raise the limit of \
         instructions"
    )]
    TooManyParts {
        /// The function.
        function: Box<str>,
        /// How many there are, at least.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Whoever asked for it had no more time for it.
    #[error("@{function} was not compiled in time; give it more, or ask for less of it")]
    Late {
        /// The function.
        function: Box<str>,
    },
    /// Nobody wants it any more.
    #[error("@{function} is another function by now")]
    Unwanted {
        /// The function.
        function: Box<str>,
    },
    /// A pass or the back end panicked.
    #[error("compiling @{function} panicked: {reason}; report this, with the function's text")]
    Panicked {
        /// The function.
        function: Box<str>,
        /// Where, and with which message.
        reason: Box<str>,
    },
    /// The back end refused or failed.
    #[error("the back end failed on @{function}: {reason}; report this, with the function's text")]
    BackEnd {
        /// The function.
        function: Box<str>,
        /// What it said.
        reason: Box<str>,
    },
}
