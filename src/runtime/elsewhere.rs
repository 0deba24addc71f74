//! Stands in for the entries in assembly on architectures that have none. No
//! engine is made there, so that nothing ever calls them.

pub(super) extern "C" fn absent() -> ! {
    std::process::abort()
}

// What the assembly of these leads to.
pub(super) use super::host::{enter_callback, leave_callback};
pub(super) use {
    absent as missing_symbol, absent as poll, absent as raise, absent as stack_overflow,
    absent as thread_local, absent as throw, absent as tier,
};
