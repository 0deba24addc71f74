//! How compiled code is published, redefined, waited for and freed while threads run it.
//!
//! Nothing here knows machine code, IR or an engine: these are the primitives under all three,
//! small enough that explorers of schedules go through them (`cargo xtask schedules`).
//!
//! | module | holds |
//! |---|---|
//! | [`instance`] | the three words by which generic callers find one compiled specialisation |
//! | [`epoch`] | which threads may be inside code that was taken out |
//! | [`holders`] | who holds such code, though it has said that it holds nothing else |
//! | [`retired`] | what was taken out and is not free yet |
//! | [`job`] | a compile that is under way, and who waits for it |
//! | [`life`] | the phases of one function, and what each event does in each |
//! | [`names`] | which definition a name means in a library, and under which key it came in |
//! | [`numbers`] | which numbers functions have, and when they are given again |
//! | [`queue`] | work that waits for a thread |
//! | [`table`] | what every function has, by its number |
//! | [`tiers`] | when a function is compiled again, and how well |
//! | [`trace`] | what was first compiled when, as text to be written and read |
//! | [`resolve`] | what an engine does with the lives of all its functions |

mod barrier;
pub mod epoch;
mod escape;
pub mod holders;
pub mod instance;
pub mod job;
pub mod life;
pub mod names;
pub mod numbers;
pub mod queue;
pub mod resolve;
pub mod retired;
mod sync;
pub mod table;
pub mod tiers;
pub mod trace;

#[cfg(test)]
mod tests;
