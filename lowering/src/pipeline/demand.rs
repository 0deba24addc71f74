//! Compiles that are given up between two passes.

use std::fmt;

/// Who is asked before each pass whether a compile is wanted.
pub trait Demand: fmt::Debug + Send + Sync {
    /// Why it is not, if so: from then on always.
    fn given_up(&self) -> Option<GivenUp>;
}

/// Why a compile is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// There is no more time for it.
    Late,
    /// Nobody wants what comes of it.
    Unwanted,
}
