//! Stage 4: values and blocks that are known or not needed.

mod bit_dce;
mod sccp;

pub use bit_dce::bit_dce;
pub use sccp::sccp;
