//! Stage 5: vectors.

mod loop_vectorize;

pub use loop_vectorize::loop_vectorize;
