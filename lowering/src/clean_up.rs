//! Stage 7: what the target wants.

mod demote_float16;
mod legalize;

pub use demote_float16::demote_float16;
pub use legalize::legalize;
