//! The ops: one table row each, from which text, verifier, interpreter
//! coverage, generator coverage and documentation derive.

mod form;
mod rules;
mod table;

use std::fmt;

use bitflags::bitflags;

pub use form::{Field, Form};
pub use rules::{Pattern, Relation, TypeClass};
pub use table::Op;

use crate::attribute::InstFlags;

bitflags! {
    /// What executing an op may do beside computing its results.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Effects: u16 {
        /// Reads memory.
        const READ = 1 << 0;
        /// Writes memory.
        const WRITE = 1 << 1;
        /// May stop execution with a trap.
        const TRAP = 1 << 2;
        /// May throw an exception.
        const THROW = 1 << 3;
        /// The collector may run.
        const SAFEPOINT = 1 << 4;
        /// Does not go on to the next instruction, nor to a block.
        const NO_RETURN = 1 << 5;
        /// Orders the accesses of other threads.
        const SYNCHRONISE = 1 << 6;
        /// Ends its block.
        const TERMINATE = 1 << 7;
        /// Marks a place or a region and must stay where it is.
        const MARK = 1 << 8;
    }
}

impl Effects {
    /// Computes its results from its operands, and nothing else.
    pub const PURE: Effects = Effects::empty();
    /// Whatever a call may do.
    pub const CALL: Effects = Effects::READ
        .union(Effects::WRITE)
        .union(Effects::TRAP)
        .union(Effects::THROW)
        .union(Effects::SAFEPOINT)
        .union(Effects::SYNCHRONISE);

    /// Whether an instruction of these effects may go when its results are unused.
    pub const fn is_removable(self) -> bool {
        Effects::READ.contains(self)
    }
}

/// How far down the pipeline an op is legal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// Until stage 1 has rewritten it.
    Front,
    /// Until stage 6 has lowered it.
    Managed,
    /// To the end: the back end emits it.
    Machine,
}

/// Whether a module that uses the op can be loaded by safe code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Safety {
    /// Cannot go wrong in any way that its row does not state.
    Safe,
    /// Trusts an address or a promise: needs an `unsafe` load.
    Raw,
}

/// What an op is about; a chapter of the documentation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theme {
    /// Integer arithmetic.
    Integer,
    /// Bit patterns.
    Bits,
    /// Compares and selects.
    Compare,
    /// Float arithmetic.
    Float,
    /// Conversions.
    Convert,
    /// Memory by address.
    Memory,
    /// Atomic accesses.
    Atomic,
    /// Slots, data objects and functions, by name.
    Entity,
    /// Structs and arrays.
    Aggregate,
    /// Vectors.
    Vector,
    /// Calls.
    Call,
    /// Control flow.
    Control,
    /// Exceptions.
    Exception,
    /// Hints and promises.
    Hint,
    /// Managed objects.
    Managed,
}

impl Theme {
    /// Every theme, in documentation order.
    pub const ALL: &'static [Theme] = &[
        Theme::Integer,
        Theme::Bits,
        Theme::Compare,
        Theme::Float,
        Theme::Convert,
        Theme::Memory,
        Theme::Atomic,
        Theme::Entity,
        Theme::Aggregate,
        Theme::Vector,
        Theme::Call,
        Theme::Control,
        Theme::Exception,
        Theme::Hint,
        Theme::Managed,
    ];

    /// The title of its chapter.
    pub const fn title(self) -> &'static str {
        match self {
            Theme::Integer => "Integer arithmetic",
            Theme::Bits => "Bit patterns",
            Theme::Compare => "Compares and selects",
            Theme::Float => "Float arithmetic",
            Theme::Convert => "Conversions",
            Theme::Memory => "Memory by address",
            Theme::Atomic => "Atomic accesses",
            Theme::Entity => "Slots, data objects and functions",
            Theme::Aggregate => "Structs and arrays",
            Theme::Vector => "Vectors",
            Theme::Call => "Calls",
            Theme::Control => "Control flow",
            Theme::Exception => "Exceptions",
            Theme::Hint => "Hints and promises",
            Theme::Managed => "Managed objects",
        }
    }
}

/// One row of the op table.
#[derive(Debug)]
pub struct OpInfo {
    /// The op.
    pub op: Op,
    /// Its chapter.
    pub theme: Theme,
    /// Its spelling in text.
    pub mnemonic: &'static str,
    /// How its operands and attributes are laid out.
    pub form: Form,
    /// The types that it may be instantiated at: the suffix in text.
    pub suffix: TypeClass,
    /// The types of its operands, seen from the suffix.
    pub operands: &'static [Pattern],
    /// The types of its results, seen from the suffix.
    pub results: &'static [Pattern],
    /// What the patterns cannot say.
    pub relation: Relation,
    /// What executing it may do.
    pub effects: Effects,
    /// How far down it is legal.
    pub dialect: Dialect,
    /// Whether safe code may load it.
    pub safety: Safety,
    /// The hints and permissions that it may carry.
    pub flags: InstFlags,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
    /// The Julia intrinsics that it implements.
    pub julia: &'static [&'static str],
    /// An example: either `type: expression`, or a module with `@example`.
    pub example: &'static str,
    /// What the example gives.
    pub gives: &'static str,
}

impl Op {
    /// The op's row.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &table::ROWS[self as usize]
    }

    /// The spelling in text.
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }

    /// The op that `mnemonic` spells.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Op> {
        table::by_mnemonic(mnemonic)
    }

    /// The op on two operands that a reduction repeats from lane to lane.
    pub fn repeated(self) -> Option<Op> {
        Some(match self {
            Op::ReduceAdd => Op::Add,
            Op::ReduceMul => Op::Mul,
            Op::ReduceAnd => Op::And,
            Op::ReduceOr => Op::Or,
            Op::ReduceXor => Op::Xor,
            Op::ReduceSmin => Op::Smin,
            Op::ReduceSmax => Op::Smax,
            Op::ReduceUmin => Op::Umin,
            Op::ReduceUmax => Op::Umax,
            Op::ReduceFadd => Op::Fadd,
            Op::ReduceFmul => Op::Fmul,
            Op::ReduceFmin => Op::Fmin,
            Op::ReduceFmax => Op::Fmax,
            _ => return None,
        })
    }

    /// Whether its first two operands may change places. Of floats a NaN may then be
    /// another one, as it may anyway.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::Add
                | Op::Mul
                | Op::Smin
                | Op::Smax
                | Op::Umin
                | Op::Umax
                | Op::SaddSat
                | Op::UaddSat
                | Op::Smulhi
                | Op::Umulhi
                | Op::SaddTrap
                | Op::UaddTrap
                | Op::SmulTrap
                | Op::UmulTrap
                | Op::SaddOverflow
                | Op::UaddOverflow
                | Op::SmulOverflow
                | Op::UmulOverflow
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Fadd
                | Op::Fmul
                | Op::Fma
                | Op::Muladd
                | Op::Fmin
                | Op::Fmax
                | Op::FminNum
                | Op::FmaxNum
        )
    }

    /// Whether it calls a function by its signature.
    #[inline]
    pub fn is_call(self) -> bool {
        matches!(self.info().relation, Relation::Callee | Relation::TailCallee)
    }

    /// Whether it is a call with an unwind edge of its own.
    #[inline]
    pub fn is_try_call(self) -> bool {
        matches!(self.info().form, Form::TryCall | Form::TryIndirectCall)
    }

    /// Whether it ends its block.
    #[inline]
    pub fn is_terminator(self) -> bool {
        self.info().effects.contains(Effects::TERMINATE)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mnemonic())
    }
}

#[cfg(test)]
mod tests;
