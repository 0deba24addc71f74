//! What compiled code finds around it while it runs: the thread record, the
//! entries that it calls, the walk over its frames, and the way out when it
//! stops.
//!
//! Compiled frames are left in one way only: a raise records where execution
//! stopped, walks the frames down to the innermost thunk by which the host
//! entered, and goes on at that thunk's handler. No host frame is ever skipped.

mod activation;
mod code_map;
mod counter;
mod debuggers;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "called from assembly"))]
mod entries;
mod environment;
mod facts;
mod host;
mod inside;
mod locals;
mod record;
mod side_stack;
mod stack;
mod stop;
mod thread;
mod walk;

#[cfg_attr(target_arch = "x86_64", path = "runtime/x86_64.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "runtime/elsewhere.rs")]
mod assembly;

pub(crate) use activation::Activation;
pub(crate) use code_map::{Held, Keep, Placed, Role};
pub(crate) use counter::{Continuation, Counter, GoingOn, Upgrade};
pub(crate) use debuggers::Debuggers;
pub use debuggers::{Debugging, Gdb};
pub(crate) use entries::{entry_address, missing_symbol_address};
pub(crate) use environment::{Again, Environment, Resolver, Spent};
pub(crate) use facts::Facts;
pub(crate) use host::{HostClosure, discard, error_message, panic_message, refused_callback};
pub(crate) use locals::{MAX_THREAD_LOCALS, ThreadLocalImage};
pub(crate) use record::{Attention, ThreadRecord};
pub(crate) use stack::{compiling_thread, ensure_room_to_compile};
pub(crate) use stop::Stop;
pub(crate) use thread::ThreadEntry;
