//! Expressions, each kept once.

use std::hash::{Hash, Hasher};

use brolga_ir::entity::{PackedOption, PrimaryMap, SecondaryMap, Value};
use brolga_ir::op::Op;
use cranelift_entity::entity_impl;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

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

impl Node {
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (self.width, &self.kind).hash(&mut hasher);
        hasher.finish()
    }
}

/// The expressions that were made.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    nodes: PrimaryMap<Expr, Node>,
    /// By what they are, but for values, which are most of them.
    handles: HashTable<Expr>,
    values: SecondaryMap<Value, PackedOption<Expr>>,
}

/// Where expressions are found follows from what they are.
impl PartialEq for Arena {
    fn eq(&self, other: &Arena) -> bool {
        self.nodes == other.nodes
    }
}

impl Eq for Arena {}

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

    /// The expression of a value that stands for itself, if there is one.
    pub(super) fn of_value(&self, value: Value) -> Option<Expr> {
        self.values[value].expand()
    }

    pub(super) fn value(&mut self, value: Value, fact: Fact, home: Option<Loop>) -> Expr {
        if let Some(known) = self.of_value(value) {
            return known;
        }
        let (width, kind) = (fact.width(), Kind::Value(value));
        let node = Node { kind, width, size: 1, fact: Some(fact), home: home.into() };
        let made = self.nodes.push(node);
        self.values[value] = made.into();
        made
    }

    pub(super) fn constant(&mut self, width: u32, bits: u128) -> Expr {
        self.intern(width, Kind::Constant(bits & mask(width)))
    }

    fn intern_node(&mut self, node: Node) -> Expr {
        let (hash, nodes) = (node.hash(), &mut self.nodes);
        let is_equal =
            |&known: &Expr| nodes[known].width == node.width && nodes[known].kind == node.kind;
        if let Some(&known) = self.handles.find(hash, is_equal) {
            return known;
        }
        let made = nodes.push(node);
        self.handles.insert_unique(hash, made, |&known| nodes[known].hash());
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
