//! Stage 5: vectors.

mod loop_interchange;
mod loop_unroll;
mod loop_vectorize;
mod slp_vectorize;
mod strength_reduction;

pub use loop_interchange::loop_interchange;
pub use loop_unroll::loop_unroll;
pub use loop_vectorize::loop_vectorize;
pub use slp_vectorize::slp_vectorize;
pub use strength_reduction::strength_reduction;
