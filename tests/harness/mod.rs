//! What the suites over `.bir` files share.

pub(crate) mod alone;
pub(crate) mod assembly;
pub(crate) mod borders;
pub(crate) mod compile;
pub(crate) mod diff;
pub(crate) mod engine;
pub(crate) mod file;
pub(crate) mod lowered;
mod native;
pub(crate) mod passes;
pub(crate) mod remarks;
pub(crate) mod run;
pub(crate) mod text;
pub(crate) mod verify;
