//! Why a loop stays as it is.

use std::fmt;

use brolga_ir::op::Op;

/// The first reason for which a loop stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::vectorisation) enum Refusal {
    /// It does not have the form that `loop_simplify` and `loop_rotate` give loops.
    Form,
    /// It can be left elsewhere than at its end.
    Exits,
    /// A block of it ends by something other than a jump or branch.
    Flow(Op),
    /// How often it runs is not known before it does.
    Count,
    /// It is known to run so often only.
    Short(u128),
    /// An op that stays where it is, does what no vector does, or may trap.
    Op(Op),
    /// Something that is no number, or has no lanes.
    Type(Op),
    /// A volatile access.
    Volatile,
    /// An access of which addresses do not go on by the size of what is there, or a few times
    /// that.
    Stride(Op),
    /// Stores that leave elements out.
    Gaps,
    /// Something between accesses that would be made in one place, which must stay there.
    Between,
    /// An access that only some rounds make.
    Conditional(Op),
    /// What one round hands to the next, if it is no count and no sum.
    Carried,
    /// Float operations in an order that is to be kept.
    Ordered(Op),
    /// Rounds that may touch what others do, and no cheap test before the loop.
    Aliasing,
    /// More accesses, or blocks, than are looked at.
    Large,
    /// It stores nothing and adds up nothing.
    Nothing,
    /// It is said to take longer with vectors.
    Cost,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the loop is not vectorised: ")?;
        match self {
            Refusal::Form => f.write_str("it has no preheader, or several blocks lead back"),
            Refusal::Exits => f.write_str("it can be left before the end of a round"),
            Refusal::Flow(op) => write!(f, "a block ends by `{op}`"),
            Refusal::Count => f.write_str("how often it runs is not known before it does"),
            Refusal::Short(rounds) => write!(f, "it runs {rounds} times only"),
            Refusal::Op(op) => write!(f, "`{op}` stays as it is"),
            Refusal::Type(op) => write!(f, "the type of `{op}` has no vectors"),
            Refusal::Volatile => f.write_str("an access is volatile"),
            Refusal::Stride(op) => write!(f, "the addresses of `{op}` do not follow each other"),
            Refusal::Gaps => f.write_str("its stores leave out elements between them"),
            Refusal::Between => {
                f.write_str("what stands between neighbouring accesses touches the same bytes")
            }
            Refusal::Conditional(op) => write!(f, "some rounds do without the `{op}`"),
            Refusal::Carried => f.write_str("a round needs what the one before it has computed"),
            Refusal::Ordered(op) => write!(f, "`{op}` of floats keeps its order"),
            Refusal::Aliasing => f.write_str("rounds may touch what other rounds do"),
            Refusal::Large => f.write_str("it is too large"),
            Refusal::Nothing => f.write_str("it stores nothing and adds up nothing"),
            Refusal::Cost => f.write_str("vectors would not make it faster"),
        }
    }
}
