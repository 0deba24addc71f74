//! Modules of ours as LLVM IR text, for LLVM 15 and later.
//!
//! Every op keeps its one meaning. Where LLVM has none (a shift past the width,
//! a division by zero, a lane that is not there), code around the instruction
//! gives ours; hints, which LLVM would take as facts, are left out, and so are
//! all promises but alignment, `uninit` and `assume`. Permissions become
//! fast-math flags.
//!
//! # What stands around the text
//! The text calls functions that whoever links it defines, each declared only
//! where it is used:
//!
//! | function | what it does |
//! |---|---|
//! | `void @brolga.trap(i32 code)` | stops the call from outside that is being made, by the [number](crate::trap::TrapCode::number) of the trap; it does not return |
//! | `void @brolga.exit(i32 code, i32 side, ptr values, i64 size)` | the same for an exit that takes values along, which stand in memory as the fields of a struct do; `side` is the number of a side exit |
//! | `void @brolga.throw(ptr addrspace(10))` | throws the reference by the platform's unwinder, as a C++ exception does, or traps with `uncaught_exception` where nothing catches; it does not return |
//! | `ptr addrspace(10) @brolga.current_exception()` | the reference that was thrown last in this thread |
//!
//! # Where the text ends
//! - Both conventions are C's, so that every address of a function can be
//!   called from both sides. Several results are one struct, vectors of one lane
//!   are scalars, and an `x86_fp80` among functions of ours is the integer of its
//!   bits.
//! - A tail call keeps no frame where both signatures are the same and of
//!   plain scalars; elsewhere LLVM may keep one.
//! - Managed kinds are pointers in the address spaces 10 to 13, and no collector
//!   is told of them: roots, safepoints and polls are left out. Ops that need
//!   the managed runtime are an [error](WriteError::Op).
//! - Functions that are [constructors](crate::llvm::constructors) or
//!   [destructors](crate::llvm::destructors) by their names stand in `@llvm.global_ctors`
//!   and `@llvm.global_dtors`, and only there: they are internal, since every module may
//!   have some of the same names.
//! - A processor has no feature, as in the interpreter.
//! - Where code puts a NaN of its own in place of the NaN that a square root of
//!   less than zero is, LLVM takes the one for as good as the other.
//! - LLVM makes calls of `memcpy`, `memset` and the like by itself, which a module must
//!   not define otherwise.
//! - LLVM lets an address reach no object but the one that it was computed from.
//! - A stack that overflows is the platform's, and a function that is declared
//!   and defined nowhere is a failure to link, not a trap.

mod aggregate;
mod atomic;
mod bfloat;
mod call;
mod code;
mod constant;
mod constructors;
mod control;
mod convert;
mod data;
mod entity;
mod exit;
mod float;
mod function;
mod int;
mod memory;
mod name;
mod region;
mod rule;
mod runtime;
mod to_int;
mod types;
mod vector;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::module::{Module, Symbol};
use crate::op::Op;
use crate::verify::{Options, VerifyErrors, verify_module};
use constructors::Lists;

/// Why a module cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// The module breaks rules.
    #[error("the module cannot be written: {0}")]
    Invalid(Box<VerifyErrors>),
    /// LLVM IR has no place for an op.
    #[error(
        "`{op}` in `@{function}` needs the managed runtime, of which LLVM IR knows nothing; leave the function out"
    )]
    Op {
        /// The op.
        op: Op,
        /// The function that holds it.
        function: Box<str>,
    },
    /// A name means something else in LLVM IR.
    #[error("LLVM IR keeps the name `@{name}` for itself; rename the symbol")]
    Name {
        /// The name.
        name: Box<str>,
    },
    /// A constructor or destructor that LLVM cannot run.
    #[error(
        "`@{name}` runs before `main` or at the end: for LLVM, such a function takes nothing but the first parameters of `main`, has no results, and a priority up to 65535"
    )]
    Constructor {
        /// The name of the function.
        name: Box<str>,
    },
    /// The module has a symbol where the text needs one of its own.
    #[error("`@{name}` is the name of a function that the text needs; rename the symbol")]
    Taken {
        /// The name.
        name: Box<str>,
    },
}

/// The text of a module as LLVM IR: the same bytes for the same module, in time
/// linear in its text.
///
/// # Errors
/// What the verifier finds; then the first op or name that LLVM IR has no place for.
///
/// ```
/// use brolga_ir::{llvm, text};
///
/// let module = text::parse_module(
///     "func @half(i64) -> i64 {\nentry(%n: i64):\n  %h = sdiv.i64 %n, 2\n  return %h\n}\n",
/// )
/// .unwrap();
/// let text = llvm::write_module(&module).unwrap();
/// assert!(text.contains("define i64 @half(i64 %v0) nobuiltin {\nb0:\n"));
/// ```
pub fn write_module(module: &Module) -> Result<String, WriteError> {
    let verified = verify_module(module, &Options::default());
    verified.map_err(|errors| WriteError::Invalid(Box::new(errors)))?;
    let lists = Lists::new(module)?;
    let mut shared = Shared { module, lists, declarations: BTreeMap::new() };
    let mut text = String::new();
    name::write_head(&mut text, module);
    for &symbol in module.declarations() {
        name::check(module.symbol_name(symbol))?;
        match symbol {
            Symbol::Data(id) => module.data(id).map_or(Ok(()), |object| {
                data::write_object(&mut text, module, object);
                Ok(())
            }),
            Symbol::Function(id) => function::write_function(&mut text, &mut shared, id),
        }?;
    }
    shared.lists.write(&mut text, &shared);
    shared.finish(text)
}

/// What the functions of a module share.
struct Shared<'m> {
    module: &'m Module,
    /// What runs before and after the program.
    lists: Lists,
    /// What the text names and the module does not declare, by name: its text.
    declarations: BTreeMap<String, String>,
}

impl Shared<'_> {
    /// Declares a function of LLVM's or of the surroundings, once.
    fn require(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.declarations.contains_key(name) {
            self.declarations.insert(name.to_owned(), text());
        }
    }

    /// The text with what it names.
    fn finish(self, mut text: String) -> Result<String, WriteError> {
        let mut declarations = String::new();
        for (name, declaration) in &self.declarations {
            if !self.declares(name)? {
                declarations.push_str(declaration);
            }
        }
        if !declarations.is_empty() {
            text.push('\n');
        }
        text.push_str(&declarations);
        Ok(text)
    }

    /// Whether the module itself declares a function that the text needs, as
    /// one does that was read from such a text.
    fn declares(&self, name: &str) -> Result<bool, WriteError> {
        let taken = || WriteError::Taken { name: name.into() };
        match self.module.symbol(name) {
            None => Ok(false),
            Some(Symbol::Data(_)) => Err(taken()),
            Some(Symbol::Function(id)) => {
                let function = self.module.function(id).ok_or_else(taken)?;
                let is_outer = !function.linkage.is_defined_here();
                let is_alike = runtime::is_declared_as(name, self.module.types.sig(function.sig));
                if is_outer && is_alike { Ok(true) } else { Err(taken()) }
            }
        }
    }
}
