//! The IR of Brolga: types, ops, modules, text, verifier, builder and the
//! reference interpreter, which is the meaning of it all; and LLVM IR, in and out.
//!
//! A [`Module`](module::Module) holds functions and data objects; a function's
//! [`Body`](body::Body) is a graph of basic blocks with parameters, whose
//! instructions are described by one table, [`op::OpInfo`].

pub mod attribute;
pub mod body;
pub mod builder;
pub mod constant;
pub mod datum;
pub mod dominators;
pub mod entity;
pub mod float;
pub mod flow;
pub mod instruction;
pub mod interpret;
pub mod llvm;
pub mod managed;
pub mod merge;
pub mod module;
pub mod observe;
pub mod op;
pub mod order;
pub mod prefetch;
pub mod reduce;
pub mod regions;
pub mod report;
pub mod text;
pub mod trap;
pub mod types;
pub mod typing;
mod va_list;
pub mod verify;
