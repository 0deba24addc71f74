//! What is known of values.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{SecondaryMap, Value, dense_map};
use brolga_ir::types::Type;

use crate::analysis::value_facts::{Fact, width_of};

/// After so many changes the bounds of a parameter that still move are given up: a number that
/// is masked in each round has settled by then.
const FREE_CHANGES: u8 = 3;

/// After so many changes nothing is known of a value any more.
const MOST_CHANGES: u8 = 8;

/// The width of numbers of which facts are known; nothing for others, and for wide ones.
pub(super) fn number_width(ty: Type) -> Option<u32> {
    width_of(ty).filter(|&width| width <= u64::BITS)
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Knowledge {
    /// No path to it is known yet.
    #[default]
    Unseen,
    /// It is that constant.
    Constant(Value),
    /// It is one of several numbers.
    Range(Range),
    /// It is one thing or another.
    Varying,
}

/// Where it stands which numbers a value may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range(u32);

/// What is known of all values.
#[derive(Debug)]
pub(super) struct Known {
    values: SecondaryMap<Value, Knowledge>,
    ranges: Vec<Fact>,
    changes: SecondaryMap<Value, u8>,
}

impl Known {
    pub(super) fn new(body: &Body) -> Known {
        let count = body.value_count();
        Known { values: dense_map(count), ranges: Vec::new(), changes: SecondaryMap::new() }
    }

    pub(super) fn of(&self, value: Value) -> Knowledge {
        self.values[value]
    }

    pub(super) fn range(&self, range: Range) -> Fact {
        self.ranges[range.0 as usize]
    }

    /// A fact as knowledge.
    fn of_fact(&mut self, fact: Fact) -> Knowledge {
        if fact.is_any() {
            return Knowledge::Varying;
        }
        self.ranges.push(fact);
        Knowledge::Range(Range(self.ranges.len() as u32 - 1))
    }

    /// What is known of a value of a type that is one or the other.
    pub(super) fn either(
        &mut self,
        body: &Body,
        ty: Type,
        one: Knowledge,
        other: Knowledge,
    ) -> Knowledge {
        match (one, other) {
            (Knowledge::Unseen, known) | (known, Knowledge::Unseen) => known,
            (one, other) if one == other => one,
            _ => match (self.fact(body, ty, one), self.fact(body, ty, other)) {
                (Some(a), Some(b)) if a.joined(&b) == a => one,
                (Some(a), Some(b)) => self.of_fact(a.joined(&b)),
                _ => Knowledge::Varying,
            },
        }
    }

    fn fact(&self, body: &Body, ty: Type, known: Knowledge) -> Option<Fact> {
        let width = number_width(ty)?;
        match known {
            Knowledge::Constant(constant) => {
                Some(Fact::constant(width, body.as_scalar_constant(constant)?))
            }
            Knowledge::Range(range) => Some(self.range(range)),
            Knowledge::Unseen | Knowledge::Varying => None,
        }
    }

    /// Takes into account what a value may be besides, and says whether that is news.
    pub(super) fn learn(&mut self, body: &Body, value: Value, news: Knowledge) -> bool {
        let (known, ty) = (self.values[value], body.value_type(value));
        let mut joined = self.either(body, ty, known, news);
        if joined == known {
            return false;
        }
        if known != Knowledge::Unseen {
            self.changes[value] += 1;
            joined = self.widened(body, value, known, joined);
        }
        self.values[value] = joined;
        true
    }

    /// The same of a number of which a fact holds.
    pub(super) fn learn_fact(&mut self, body: &Body, value: Value, fact: Fact) -> bool {
        match self.values[value] {
            Knowledge::Varying => return false,
            Knowledge::Unseen => {}
            known => {
                let before = self.fact(body, body.value_type(value), known);
                if before.is_some_and(|before| before.joined(&fact) == before) {
                    return false;
                }
            }
        }
        let news = self.of_fact(fact);
        self.learn(body, value, news)
    }

    /// Gives up what goes on changing: the bounds of a number that a loop counts, and then all.
    fn widened(
        &mut self,
        body: &Body,
        value: Value,
        known: Knowledge,
        joined: Knowledge,
    ) -> Knowledge {
        let (ty, changes) = (body.value_type(value), self.changes[value]);
        let is_param = matches!(body.value_def(value), ValueDef::Param(..));
        match (self.fact(body, ty, known), self.fact(body, ty, joined)) {
            (Some(before), Some(fact)) if changes < MOST_CHANGES => {
                match is_param && changes > FREE_CHANGES {
                    true => self.of_fact(fact.widened(&before)),
                    false => joined,
                }
            }
            _ => Knowledge::Varying,
        }
    }
}
