//! Emission: IR in legal form to the back end's, and what the back end makes
//! of it to units.
//!
//! Every op of the machine dialect has its place in `dispatch`; what is not in
//! legal form is an error that names the instruction. No trap instruction of
//! the back end's is ever reached: what can fail is tested before, and failing
//! is a call of the runtime that does not return.

mod assemble;
mod atomic;
mod batch;
mod bits;
mod call;
mod check;
mod code;
mod cold;
mod compare;
mod compiler;
mod control;
mod convert;
mod convert_float;
mod dispatch;
mod displaced;
mod entity;
mod family;
mod fault;
mod float;
mod function;
mod guard;
mod integer;
mod joined;
mod memory;
mod part;
mod pieces;
mod placement;
mod platform;
mod platform_call;
mod shuffle;
mod sites;
mod stack;
mod steady;
mod symbols;
mod thunk;
mod times;
mod types;
mod values;
mod vector;
mod widened;

use cranelift_codegen::ir::TrapCode;

pub use batch::{Batch, Piece};
pub use compiler::{Compiler, Listing, lower_function};
pub use thunk::thunk_signature;
pub use times::Times;

/// The trap behind a call that does not return: the back end wants something
/// to end the block.
const fn unreachable_trap() -> TrapCode {
    TrapCode::unwrap_user(1)
}

#[cfg(test)]
mod tests;
