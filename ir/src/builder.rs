//! Building modules in code: typed, without a panic, with mutable variables.
//!
//! A [`ModuleBuilder`] declares, a [`FunctionBuilder`] fills in one function.
//! Every op is there by its mnemonic, and generically by
//! [`ins`](FunctionBuilder::ins). Mistakes are collected on the way and
//! returned by [`finish`](FunctionBuilder::finish), which verifies as well;
//! each names its block and shows it.
//!
//! ```
//! use brolga_ir::attribute::IntCond;
//! use brolga_ir::builder::ModuleBuilder;
//! use brolga_ir::types::Type;
//!
//! let mut module = ModuleBuilder::new("fibonacci");
//! let fib = module.export("fib", &[Type::I64], &[Type::I64]);
//! let mut b = module.define(fib);
//! let (small, large) = (b.create_block("small"), b.create_block("large"));
//! let n = b.param(0);
//! let (one, two) = (b.iconst(Type::I64, 1), b.iconst(Type::I64, 2));
//! let is_small = b.icmp(IntCond::Slt, n, two);
//! b.branch(is_small, small, &[], large, &[]);
//! b.switch_to(small);
//! b.return_values(&[n]);
//! b.switch_to(large);
//! let before = b.sub(n, one);
//! let x = b.call(fib, &[before]).first();
//! let before = b.sub(n, two);
//! let y = b.call(fib, &[before]).first();
//! let sum = b.add(x, y);
//! b.return_values(&[sum]);
//! b.finish()?;
//! let module = module.finish()?;
//!
//! let mut interpreter = brolga_ir::interpret::Interpreter::new(&[&module])?;
//! assert_eq!(interpreter.call("fib", &[20i64.into()])?, [6765i64.into()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Variables save the front end from block parameters and from knowing the
//! predecessors of a block:
//!
//! ```
//! use brolga_ir::attribute::IntCond;
//! use brolga_ir::builder::ModuleBuilder;
//! use brolga_ir::types::Type;
//!
//! let mut module = ModuleBuilder::new("sum");
//! let sum_to = module.export("sum_to", &[Type::I64], &[Type::I64]);
//! let mut b = module.define(sum_to);
//! let (head, body, done) = (b.create_block("head"), b.create_block("body"), b.create_block("done"));
//! let (i, sum) = (b.declare_variable("i", Type::I64), b.declare_variable("sum", Type::I64));
//! let zero = b.iconst(Type::I64, 0);
//! b.set(i, zero);
//! b.set(sum, zero);
//! b.jump(head, &[]);
//!
//! b.switch_to(head);
//! let (at, n) = (b.get(i), b.param(0));
//! let more = b.icmp(IntCond::Sle, at, n);
//! b.branch(more, body, &[], done, &[]);
//!
//! b.switch_to(body);
//! let (at, so_far) = (b.get(i), b.get(sum));
//! let so_far = b.add(so_far, at);
//! b.set(sum, so_far);
//! let one = b.iconst(Type::I64, 1);
//! let next = b.add(at, one);
//! b.set(i, next);
//! b.jump(head, &[]);
//!
//! b.switch_to(done);
//! let result = b.get(sum);
//! b.return_values(&[result]);
//! b.finish()?;
//!
//! let module = module.finish()?;
//! let mut interpreter = brolga_ir::interpret::Interpreter::new(&[&module])?;
//! assert_eq!(interpreter.call("sum_to", &[100i64.into()])?, [5050i64.into()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calls;
mod constants;
mod control;
mod error;
mod function;
mod handle;
mod hints;
mod memory;
mod module;
mod ops;
mod payload;
mod types;
mod variables;

pub use error::{BuildError, BuildErrors, Fault, MAX_ERRORS};
pub use function::FunctionBuilder;
pub use handle::{Block, Exit, Local, Results, Slot, Value, Variable, VariableId};
pub use module::ModuleBuilder;
pub use types::Types;

#[cfg(test)]
mod tests;
