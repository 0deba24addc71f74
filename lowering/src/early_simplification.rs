//! Stage 1: code in the forms that all later passes know.

mod dce;
mod demote_returns_twice;
mod early_cse;
mod expand_atomic_modify;
mod expand_handlers;
mod flatten_aggregates;
mod inline;
mod inst_combine;
mod lib_calls;
mod lower_expect;
mod propagate_address_kinds;
mod simplify_cfg;
mod sroa;

pub use dce::dce;
pub use demote_returns_twice::demote_returns_twice;
pub use early_cse::early_cse;
pub use expand_atomic_modify::expand_atomic_modify;
pub use expand_handlers::expand_handlers;
pub use flatten_aggregates::flatten_aggregates;
pub(crate) use flatten_aggregates::flatten_values;
pub use inline::inline;
pub(crate) use inline::{is_always_open, is_open};
pub use inst_combine::inst_combine;
pub use lib_calls::lib_calls;
pub use lower_expect::lower_expect;
pub use propagate_address_kinds::propagate_address_kinds;
pub use simplify_cfg::simplify_cfg;
pub use sroa::sroa;
