//! Stage 4: values and blocks that are known or not needed.

mod bit_dce;
mod dse;
mod gvn;
mod mem_copy;
mod sccp;

pub use bit_dce::bit_dce;
pub use dse::dse;
pub use gvn::gvn;
pub use mem_copy::mem_copy;
pub use sccp::sccp;
