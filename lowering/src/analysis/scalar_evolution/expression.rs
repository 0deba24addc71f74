//! Expressions, each kept once.

use brolga_ir::entity::{PackedOption, PrimaryMap, Value};
use brolga_ir::op::Op;
use cranelift_entity::entity_impl;
use rustc_hash::FxHashMap;

use crate::analysis::loops::Loop;
use crate::analysis::value_facts::{Fact, mask};

/// An expression: a number of some width that is computed modulo two to that width.
/// Equal expressions have the same handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);
entity_impl!(Expr, "expr");

/// How a number is read that gets more bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// As unsigned.
    Unsigned,
    /// As signed.
    Signed,
}

/// What a value is in each round of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Recurrence {
    /// The loop.
    pub of: Loop,
    /// What it is in the first round; the same all through the loop.
    pub start: Expr,
    /// What is added from a round to the next: the same all through the loop, or a
    /// recurrence of that loop.
    pub step: Expr,
}

/// A recurrence by its numbers: `start + n*step` in round `n`, modulo two to the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is in the first round.
    pub start: Expr,
    /// What is added from a round to the next, read as signed; zero of what is steady.
    pub step: i128,
}

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A number, by its bits.
    Constant(u128),
    /// Whatever the value is at the moment.
    Value(Value),
    /// A number, and multiples of other expressions, by ascending handle: none of them is
    /// a sum or a constant, no factor is zero.
    Sum(u128, Box<[(Expr, u128)]>),
    /// The product of two expressions, by ascending handle.
    Product(Expr, Expr),
    /// `n * (n - 1) / 2`, where the product is taken before it is wrapped.
    Triangle(Expr),
    /// The unsigned quotient by a number that is not zero, rounded down.
    Quotient(Expr, u128),
    /// The number with more bits.
    Extended(Reading, Expr),
    /// The low bits.
    Truncated(Expr),
    /// The result of `smin`, `smax`, `umin` or `umax`, the operands by ascending handle.
    Extreme(Op, Expr, Expr),
    /// Another number in each round.
    Recurrence(Recurrence),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    kind: Kind,
    width: u32,
    /// How many expressions stand in it, each as often as it does.
    size: u32,
    /// What is known of a value wherever it is computed.
    fact: Option<Fact>,
    /// The innermost loop in which a value is computed.
    home: PackedOption<Loop>,
}

/// The expressions that were made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Arena {
    nodes: PrimaryMap<Expr, Node>,
    handles: FxHashMap<(u32, Kind), Expr>,
}

impl Arena {
    pub(super) fn kind(&self, expr: Expr) -> &Kind {
        &self.nodes[expr].kind
    }

    pub(super) fn width(&self, expr: Expr) -> u32 {
        self.nodes[expr].width
    }

    pub(super) fn size(&self, expr: Expr) -> u32 {
        self.nodes[expr].size
    }

    /// What is known of a value wherever it is computed.
    pub(super) fn value_fact(&self, expr: Expr) -> Fact {
        let node = &self.nodes[expr];
        node.fact.unwrap_or(Fact::any(node.width))
    }

    /// The innermost loop in which a value is computed.
    pub(super) fn home(&self, expr: Expr) -> Option<Loop> {
        self.nodes[expr].home.expand()
    }

    pub(super) fn intern(&mut self, width: u32, kind: Kind) -> Expr {
        let size = 1 + parts(&kind).map(|part| self.size(part)).fold(0, u32::saturating_add);
        let node = Node { kind, width, size, fact: None, home: None.into() };
        self.intern_node(node)
    }

    pub(super) fn value(&mut self, value: Value, fact: Fact, home: Option<Loop>) -> Expr {
        let (width, kind) = (fact.width(), Kind::Value(value));
        self.intern_node(Node { kind, width, size: 1, fact: Some(fact), home: home.into() })
    }

    pub(super) fn constant(&mut self, width: u32, bits: u128) -> Expr {
        self.intern(width, Kind::Constant(bits & mask(width)))
    }

    fn intern_node(&mut self, node: Node) -> Expr {
        let key = (node.width, node.kind.clone());
        if let Some(&known) = self.handles.get(&key) {
            return known;
        }
        let made = self.nodes.push(node);
        self.handles.insert(key, made);
        made
    }
}

/// The expressions that an expression is made of.
pub(super) fn parts(kind: &Kind) -> impl Iterator<Item = Expr> + '_ {
    let (few, terms): ([Option<Expr>; 2], &[(Expr, u128)]) = match kind {
        Kind::Constant(_) | Kind::Value(_) => ([None, None], &[]),
        Kind::Sum(_, terms) => ([None, None], terms),
        Kind::Product(a, b) | Kind::Extreme(_, a, b) => ([Some(*a), Some(*b)], &[]),
        Kind::Triangle(a) | Kind::Quotient(a, _) | Kind::Extended(_, a) | Kind::Truncated(a) => {
            ([Some(*a), None], &[])
        }
        Kind::Recurrence(recurrence) => ([Some(recurrence.start), Some(recurrence.step)], &[]),
    };
    few.into_iter().flatten().chain(terms.iter().map(|&(term, _)| term))
}
