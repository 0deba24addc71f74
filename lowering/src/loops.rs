//! Stage 3: loops.

mod bounds_check_elimination;
pub(crate) mod expansion;
pub(crate) mod form;
mod induction;
mod licm;
mod loop_deletion;
mod loop_idiom;
mod loop_rotate;
mod loop_simplify;
mod loop_unroll_full;
mod loop_unswitch;
mod managed_licm;
mod simd_loop;

pub use bounds_check_elimination::bounds_check_elimination;
pub use induction::induction;
pub use licm::licm;
pub use loop_deletion::loop_deletion;
pub use loop_idiom::loop_idiom;
pub use loop_rotate::loop_rotate;
pub use loop_simplify::loop_simplify;
pub use loop_unroll_full::loop_unroll_full;
pub use loop_unswitch::loop_unswitch;
pub use managed_licm::managed_licm;
pub use simd_loop::simd_loop;
