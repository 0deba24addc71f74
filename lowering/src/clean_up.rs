//! Stage 7: what the target wants.

mod block_layout;
mod demote_float16;
mod div_rem_pairs;
mod legalize;
mod mul_add;
mod rematerialize;
mod sanitize;
mod shared_edges;

pub use block_layout::block_layout;
pub use demote_float16::demote_float16;
pub use div_rem_pairs::div_rem_pairs;
pub use legalize::legalize;
pub use mul_add::mul_add;
pub use rematerialize::rematerialize;
pub use sanitize::sanitize;
pub use shared_edges::shared_edges;
