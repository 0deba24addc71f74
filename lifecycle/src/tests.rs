//! What each event does in each phase, and stress on real threads; models of the words under
//! loom, and scenarios under shuttle.

#[cfg(loom)]
mod models;
#[cfg(shuttle)]
mod scenarios;
#[cfg(not(loom))]
mod toy;

#[cfg(not(any(loom, shuttle)))]
mod epoch;
#[cfg(not(any(loom, shuttle)))]
mod instance;
#[cfg(not(any(loom, shuttle)))]
mod job;
#[cfg(not(any(loom, shuttle)))]
mod life;
#[cfg(not(any(loom, shuttle)))]
mod names;
#[cfg(not(any(loom, shuttle)))]
mod numbers;
#[cfg(not(any(loom, shuttle)))]
mod queue;
#[cfg(not(any(loom, shuttle)))]
mod resolve;
#[cfg(not(any(loom, shuttle)))]
mod tiers;
#[cfg(not(any(loom, shuttle)))]
mod trace;
