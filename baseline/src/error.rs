//! Why a function is left to another tier.

use std::fmt;

use brolga_ir::op::Op;

/// What a function has that this tier does not compile. It is no fault of the function: the tier
/// above compiles it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Unsupported {
    /// The function has no body.
    NoBody,
    /// The machine has no stencils.
    Target,
    /// An op at a type that no stencil computes with, or in a form that has none.
    Op(Op),
    /// A value that takes more than a word.
    Value,
    /// A parameter or result that is not passed in a register or word of its own.
    Signature,
    /// A frame of more than [`MAX_FRAME`](crate::MAX_FRAME) bytes.
    Frame,
    /// An option that needs the passes of a pipeline.
    Option,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::NoBody => f.write_str("there is no body"),
            Unsupported::Target => f.write_str("there are no stencils for the target"),
            Unsupported::Op(op) => write!(f, "no stencil for this `{op}`"),
            Unsupported::Value => f.write_str("a value of more than a word"),
            Unsupported::Signature => f.write_str("a signature that takes more than words"),
            Unsupported::Frame => f.write_str("a large frame"),
            Unsupported::Option => f.write_str("an option that needs passes"),
        }
    }
}

impl std::error::Error for Unsupported {}
