//! What values are in each round of the loops around them, as expressions, and how often
//! loops go round.
//!
//! The expression of a value is a sum of multiples of other values, of recurrences
//! `{start, +, step}` that begin anew whenever their loop is entered, and of what casts,
//! extremes and products make of those (Bachmann, Wang and Zima, "Chains of recurrences",
//! 1994; Pop, Cohen and Silber, "Induction variable analysis with delayed abstractions",
//! 2005). Equal expressions are one. All arithmetic is modulo two to the width, as that of
//! the values is; that something does not wrap is proved, from bounds, from the compares
//! that end loops, and from what is known where a loop is entered. The hints `nsw` and
//! `nuw` are no facts and are not looked at.
//!
//! First every value is written in terms of the block parameters around it; from what goes
//! back to a header follows which of its parameters are recurrences; then every value is
//! written again with these. No expression has more than [`MOST_PARTS`] parts, beyond
//! which a value stands for itself, so that each step takes constant time and all of it
//! O(values + uses).
//!
//! How often a loop goes back is known where its exits compare a recurrence with what does
//! not change; see [`Trips`].
//!
//! An expression speaks of the moment: of the current round of every loop around the place
//! where it is used. A value of a loop that has ended stands for itself there; see
//! [`ScalarEvolution::at_round`] for what it is.
//!
//! Does not try: recurrences whose steps grow by steps that grow; products by powers; what
//! is computed from loads; loops that are entered at several places.

mod algebra;
mod build;
mod entry;
mod expression;
mod ranges;
mod rounds;
mod trips;

use std::rc::Rc;

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, PackedOption, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use rustc_hash::FxHashMap;

use super::conditions::Conditions;
use super::loops::{Loop, Loops};
use super::value_facts::ValueFacts;

pub use entry::Compare;
use expression::Arena;
pub use expression::{Expr, Kind, Line, Reading, Recurrence};
use ranges::Proved;
pub use trips::Trips;

/// The most parts of an expression of a value.
pub const MOST_PARTS: u32 = 32;

/// What is known of a body that expressions are found by.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Which blocks lead to which.
    pub graph: &'a FlowGraph,
    /// Which blocks stand on every path to which.
    pub dominators: &'a Dominators,
    /// The loops.
    pub loops: &'a Rc<Loops>,
    /// What is known of numbers everywhere.
    pub facts: &'a ValueFacts,
    /// What is known of them at places.
    pub conditions: &'a Conditions,
}

/// The expressions of the values of a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScalarEvolution {
    loops: Rc<Loops>,
    arena: Arena,
    exprs: SecondaryMap<Value, PackedOption<Expr>>,
    trips: SecondaryMap<Loop, Option<Trips>>,
    /// What is proved of recurrences beside what their loops say.
    proved: FxHashMap<Expr, Proved>,
}

impl ScalarEvolution {
    /// Of the values in blocks that the entry reaches.
    pub fn new(body: &Body, known: Known<'_>) -> ScalarEvolution {
        build::build(body, known)
    }

    /// What a value is; nothing of what is no integer, truth value or address.
    pub fn of(&self, value: Value) -> Option<Expr> {
        self.exprs[value].expand()
    }

    /// What a value is where it is used in `block`: a value of a loop in which the block
    /// does not stand is then whatever it was in the last round.
    pub fn of_use(&mut self, body: &Body, value: Value, block: Block) -> Option<Expr> {
        let expr = self.of(value)?;
        match self.is_in_scope(expr, block) {
            true => Some(expr),
            false => Some(self.itself(body, value, expr)),
        }
    }

    /// A value that stands for itself.
    fn itself(&mut self, body: &Body, value: Value, expr: Expr) -> Expr {
        let home = body.defining_block(value).and_then(|block| self.loops.innermost(block));
        let fact = self.fact(expr);
        self.arena.value(value, fact, home)
    }

    /// Whether all loops that an expression speaks of are around `block`.
    pub fn is_in_scope(&self, expr: Expr, block: Block) -> bool {
        match self.kind(expr) {
            Kind::Recurrence(recurrence) if !self.loops.contains(recurrence.of, block) => false,
            kind => expression::parts(kind).all(|part| self.is_in_scope(part, block)),
        }
    }

    /// What an expression is.
    pub fn kind(&self, expr: Expr) -> &Kind {
        self.arena.kind(expr)
    }

    /// How many bits it has.
    pub fn width(&self, expr: Expr) -> u32 {
        self.arena.width(expr)
    }

    /// How many parts it has, itself among them.
    pub fn size(&self, expr: Expr) -> u32 {
        self.arena.size(expr)
    }

    /// How often a loop goes round.
    pub fn trips(&self, of: Loop) -> Option<&Trips> {
        self.trips[of].as_ref()
    }

    /// The loops that the recurrences are of.
    pub fn loops(&self) -> &Rc<Loops> {
        &self.loops
    }
}

#[cfg(test)]
mod tests;
