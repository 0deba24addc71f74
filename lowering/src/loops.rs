//! Stage 3: loops.

mod form;
mod licm;
mod loop_deletion;
mod loop_rotate;
mod loop_simplify;
mod loop_unswitch;

pub use licm::licm;
pub use loop_deletion::loop_deletion;
pub use loop_rotate::loop_rotate;
pub use loop_simplify::loop_simplify;
pub use loop_unswitch::loop_unswitch;
