//! Expressions, each kept once.

use std::hash::{Hash, Hasher};

use brolga_ir::entity::{PackedOption, PrimaryMap, SecondaryMap, Value, dense_map};
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
    fact: PackedOption<FactRef>,
    /// The innermost loop in which a value is computed.
    home: PackedOption<Loop>,
}

impl Node {
    fn new(width: u32, size: u32, kind: Kind) -> Node {
        Node { kind, width, size, fact: None.into(), home: None.into() }
    }

    fn hash(&self) -> u64 {
        match &self.kind {
            Kind::Sum(constant, terms) => hash_of(&(self.width, constant, &**terms)),
            kind => hash_of(&(self.width, kind)),
        }
    }
}

fn hash_of(what: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// A fact of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FactRef(u32);
entity_impl!(FactRef, "fact");

/// The expressions that were made.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    nodes: PrimaryMap<Expr, Node>,
    /// By what they are, but for values, which are most of them.
    handles: HashTable<Expr>,
    values: SecondaryMap<Value, PackedOption<Expr>>,
    /// What is known of those: few expressions have any, and they are long.
    facts: PrimaryMap<FactRef, Fact>,
}

/// Where expressions are found follows from what they are.
impl PartialEq for Arena {
    fn eq(&self, other: &Arena) -> bool {
        self.nodes == other.nodes && self.facts == other.facts
    }
}

impl Eq for Arena {}

impl Arena {
    /// One that has room for the expressions of a body of so many values.
    pub(super) fn with_room(values: usize) -> Arena {
        Arena {
            nodes: PrimaryMap::with_capacity(values / 2),
            handles: HashTable::with_capacity(values / 4),
            values: dense_map(values),
            facts: PrimaryMap::with_capacity(values / 4),
        }
    }

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
        node.fact.expand().map_or(Fact::any(node.width), |fact| self.facts[fact])
    }

    /// The innermost loop in which a value is computed.
    pub(super) fn home(&self, expr: Expr) -> Option<Loop> {
        self.nodes[expr].home.expand()
    }

    pub(super) fn intern(&mut self, width: u32, kind: Kind) -> Expr {
        let size = 1 + parts(&kind).map(|part| self.size(part)).fold(0, u32::saturating_add);
        let (node, nodes) = (Node::new(width, size, kind), &self.nodes);
        let is_equal =
            |&known: &Expr| nodes[known].width == node.width && nodes[known].kind == node.kind;
        let hash = node.hash();
        match self.handles.find(hash, is_equal) {
            Some(&known) => known,
            None => self.insert(hash, node),
        }
    }

    /// The sum of a number and several terms.
    pub(super) fn sum(&mut self, width: u32, constant: u128, terms: &[(Expr, u128)]) -> Expr {
        let nodes = &self.nodes;
        let is_equal = |&known: &Expr| match &nodes[known].kind {
            Kind::Sum(number, parts) => {
                nodes[known].width == width && *number == constant && **parts == *terms
            }
            _ => false,
        };
        let hash = hash_of(&(width, &constant, terms));
        if let Some(&known) = self.handles.find(hash, is_equal) {
            return known;
        }
        let sizes = terms.iter().map(|&(term, _)| self.size(term));
        let size = 1 + sizes.fold(0, u32::saturating_add);
        self.insert(hash, Node::new(width, size, Kind::Sum(constant, terms.into())))
    }

    /// The expression of a value that stands for itself, if there is one.
    pub(super) fn of_value(&self, value: Value) -> Option<Expr> {
        self.values[value].expand()
    }

    pub(super) fn value(&mut self, value: Value, fact: Fact, home: Option<Loop>) -> Expr {
        if let Some(known) = self.of_value(value) {
            return known;
        }
        let mut node = Node::new(fact.width(), 1, Kind::Value(value));
        (node.fact, node.home) = (self.facts.push(fact).into(), home.into());
        let made = self.nodes.push(node);
        self.values[value] = made.into();
        made
    }

    pub(super) fn constant(&mut self, width: u32, bits: u128) -> Expr {
        self.intern(width, Kind::Constant(bits & mask(width)))
    }

    fn insert(&mut self, hash: u64, node: Node) -> Expr {
        let made = self.nodes.push(node);
        let nodes = &self.nodes;
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
