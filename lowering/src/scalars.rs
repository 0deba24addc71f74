//! Stage 4: values and blocks that are known or not needed.

mod bit_dce;
mod dse;
mod gvn;
mod mem_copy;
mod merged_load_store;
mod sccp;

pub use bit_dce::bit_dce;
pub use dse::dse;
pub use gvn::gvn;
pub use mem_copy::mem_copy;
pub use merged_load_store::merged_load_store;
pub use sccp::sccp;
