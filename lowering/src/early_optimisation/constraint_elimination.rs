//! Decides compares that follow from several others on the way.
//!
//! Before:
//! ```text
//! func @f(i64, i64, i64) -> i1 {
//!     exit0 = trap bounds
//! block0(%0: i64, %1: i64, %2: i64):
//!     %3 = icmp.i64 slt %0, %1
//!     check %3, exit0
//!     %4 = icmp.i64 sle %1, %2
//!     check %4, exit0
//!     %5 = sadd_trap.i64 %0, 1
//!     %6 = icmp.i64 sle %5, %2
//!     return %6
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, i64, i64) -> i1 {
//!     exit0 = trap bounds
//! block0(%0: i64, %1: i64, %2: i64):
//!     %3 = icmp.i64 slt %0, %1
//!     check %3, exit0
//!     %4 = icmp.i64 sle %1, %2
//!     check %4, exit0
//!     %5 = sadd_trap.i64 %0, 1
//!     return 1
//! }
//! ```
//! Each condition that holds says that one number is at least another one and a constant,
//! read as signed or as unsigned; so do sums with a constant that trap if they do not fit,
//! or are known to fit, and the bounds of numbers. These are edges of a graph, and the
//! compare holds if a way from the one number to the other is long enough (difference
//! constraints; Pratt, "Two easy theories whose combination is hard", 1977). The
//! graph of each question has a bounded number of edges, and ways are looked for in a
//! bounded number of rounds, so that the pass takes O(compares).
//!
//! Needs: nothing. Keeps: the flow graph and all that follows from it. Does not try: sums
//! of two numbers that are not known; vectors; numbers above 64 bits; floats.

use std::rc::Rc;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use crate::analysis::conditions::{Operand, Position};
use crate::analysis::value_facts::Fact;
use crate::analysis::{Conditions, Kept, ValueFacts};
use crate::pass::{Change, PassContext, PassResult, Renames};

/// How many conditions a question looks at, the latest first.
const MOST_CONDITIONS: usize = 24;

/// How many numbers it knows.
const MOST_NUMBERS: usize = 16;

/// How many edges a way has at most.
const ROUNDS: usize = 4;

/// The widest numbers.
const WIDEST: u32 = 64;

/// Decides compares that follow from others.
///
/// # Errors
/// None.
pub fn constraint_elimination(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let known = Known {
        conditions: context.analyses.conditions(body),
        facts: context.analyses.value_facts(body, context.module),
    };
    let mut renames = Renames::default();
    let mut decided: Vec<Inst> = Vec::new();
    for block in graph.reverse_postorder() {
        for (at, inst) in known.conditions.places(body, block) {
            if let Some(truth) = known.decide(body, at, inst)
                && let Some(result) = body.result(inst)
                && let Some(truth) = Constant::scalar(Type::I1, truth.into())
            {
                let truth = body.constant(truth);
                renames.rename(result, truth);
                decided.push(inst);
            }
        }
    }
    if decided.is_empty() {
        return Ok(Change::Nothing);
    }
    context.statistics.add("constraint_elimination", "decided compares", decided.len() as u64);
    renames.apply(body);
    decided.into_iter().for_each(|inst| body.remove_inst(inst));
    context.analyses.keep(Kept::GRAPH);
    Ok(Change::Something)
}

/// How bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Signed,
    Unsigned,
}

impl Reading {
    fn bounds(self, fact: &Fact) -> (i128, i128) {
        match self {
            Reading::Signed => fact.signed(),
            Reading::Unsigned => (fact.unsigned().0 as i128, fact.unsigned().1 as i128),
        }
    }

    /// How many more the number that is at least the other one is at least, by a condition
    /// that holds; in the order of the operands, and the other way round.
    fn distances(self, condition: IntCond) -> (Option<i128>, Option<i128>) {
        let unsigned = self == Reading::Unsigned;
        match condition {
            IntCond::Eq => (Some(0), Some(0)),
            IntCond::Ult if unsigned => (Some(1), None),
            IntCond::Ule if unsigned => (Some(0), None),
            IntCond::Ugt if unsigned => (None, Some(1)),
            IntCond::Uge if unsigned => (None, Some(0)),
            IntCond::Slt if !unsigned => (Some(1), None),
            IntCond::Sle if !unsigned => (Some(0), None),
            IntCond::Sgt if !unsigned => (None, Some(1)),
            IntCond::Sge if !unsigned => (None, Some(0)),
            _ => (None, None),
        }
    }
}

/// What is known of values.
struct Known {
    conditions: Rc<Conditions>,
    facts: Rc<ValueFacts>,
}

impl Known {
    /// What a compare of two integers gives, if that follows.
    fn decide(&self, body: &Body, at: Position, inst: Inst) -> Option<bool> {
        let data = body.inst(inst);
        let (Op::Icmp, Payload::IntCond(condition), &[a, b]) =
            (data.op, data.payload, body.args(inst))
        else {
            return None;
        };
        let width = data.ty.as_scalar().filter(|scalar| scalar.is_int())?.bits();
        if width > WIDEST || self.conditions.known(at).next().is_none() {
            return None;
        }
        [Reading::Signed, Reading::Unsigned].into_iter().find_map(|reading| {
            let system = System::new(self, body, at, reading, [a, b]);
            system.decide(reading, condition)
        })
    }
}

/// That `to` is at least `from` and `more`; none is zero.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    more: i128,
}

/// What is known of a few numbers.
struct System {
    /// The first is zero; then those that are compared.
    numbers: Vec<Option<Value>>,
    edges: Vec<Edge>,
}

impl System {
    const ZERO: usize = 0;
    const LEFT: usize = 1;

    fn new(
        known: &Known,
        body: &Body,
        at: Position,
        reading: Reading,
        compared: [Value; 2],
    ) -> System {
        let mut system = System { numbers: vec![None], edges: Vec::new() };
        for value in compared {
            system.numbers.push(Some(value));
        }
        for condition in known.conditions.known(at).take(MOST_CONDITIONS) {
            let (up, down) = reading.distances(condition.condition);
            if (up.is_some() || down.is_some())
                && is_number(body, condition.value)
                && let Operand::Value(other) = condition.operand
                && let (Some(from), Some(to)) =
                    (system.number(condition.value), system.number(other))
            {
                system.add(from, to, up);
                system.add(to, from, down);
            }
        }
        let mut next = 1;
        while let Some(value) = system.numbers.get(next).copied().flatten() {
            system.describe(known, body, at, reading, (next, value));
            next += 1;
        }
        system
    }

    /// The index of a number; nothing if there are too many.
    fn number(&mut self, value: Value) -> Option<usize> {
        let found = self.numbers.iter().position(|&number| number == Some(value));
        if found.is_none() && self.numbers.len() < MOST_NUMBERS {
            self.numbers.push(Some(value));
            return Some(self.numbers.len() - 1);
        }
        found
    }

    fn add(&mut self, from: usize, to: usize, more: Option<i128>) {
        self.edges.extend(more.map(|more| Edge { from, to, more }));
    }

    /// Adds the bounds of a number, and what it is computed from.
    fn describe(
        &mut self,
        known: &Known,
        body: &Body,
        at: Position,
        reading: Reading,
        (index, value): (usize, Value),
    ) {
        let Some(fact) = known.conditions.fact(body, &known.facts, at, value) else { return };
        let (least, most) = reading.bounds(&fact);
        self.add(System::ZERO, index, Some(least));
        self.add(index, System::ZERO, most.checked_neg());
        if let Some((source, added)) = sum(known, body, at, reading, value)
            && let Some(source) = self.number(source)
        {
            self.add(source, index, Some(added));
            self.add(index, source, Some(-added));
        }
    }

    /// How much one number is more than another one, at least.
    fn distance(&self, from: usize, to: usize) -> Option<i128> {
        let mut found: Vec<Option<i128>> = vec![None; self.numbers.len()];
        found[from] = Some(0);
        for _ in 0..ROUNDS {
            for edge in &self.edges {
                let reached = found[edge.from].and_then(|sum| sum.checked_add(edge.more));
                if reached > found[edge.to] {
                    found[edge.to] = reached;
                }
            }
        }
        found[to]
    }

    fn decide(&self, reading: Reading, condition: IntCond) -> Option<bool> {
        let (left, right) = (System::LEFT, System::LEFT + 1);
        let is_above = |from, to, more| self.distance(from, to).is_some_and(|sum| sum >= more);
        if matches!(condition, IntCond::Eq | IntCond::Ne) {
            let differ = is_above(left, right, 1) || is_above(right, left, 1);
            return differ.then_some(condition == IntCond::Ne);
        }
        match reading.distances(condition) {
            (Some(more), _) if is_above(left, right, more) => Some(true),
            (Some(more), _) if is_above(right, left, 1 - more) => Some(false),
            (_, Some(more)) if is_above(right, left, more) => Some(true),
            (_, Some(more)) if is_above(left, right, 1 - more) => Some(false),
            _ => None,
        }
    }
}

fn is_number(body: &Body, value: Value) -> bool {
    let scalar = body.value_type(value).as_scalar().filter(|scalar| Scalar::is_int(*scalar));
    scalar.is_some_and(|scalar| scalar.bits() <= WIDEST)
}

/// What a number is the sum of, if it is one with a constant that fits.
fn sum(
    known: &Known,
    body: &Body,
    at: Position,
    reading: Reading,
    value: Value,
) -> Option<(Value, i128)> {
    let ValueDef::Result(inst, 0) = body.value_def(value) else { return None };
    let &[source, added] = body.args(inst) else { return None };
    let width = body.value_type(source).as_scalar()?.bits();
    let added = Fact::constant(width, body.as_scalar_constant(added)?);
    let added = reading.bounds(&added).0;
    let (added, fits) = match (body.inst(inst).op, reading) {
        (Op::SaddTrap, Reading::Signed) | (Op::UaddTrap, Reading::Unsigned) => (added, true),
        (Op::SsubTrap, Reading::Signed) | (Op::UsubTrap, Reading::Unsigned) => (-added, true),
        (Op::Add, _) => (added, false),
        (Op::Sub, _) => (-added, false),
        _ => return None,
    };
    let fact = known.conditions.fact(body, &known.facts, at, source)?;
    let (least, most) = reading.bounds(&fact);
    let (first, last) = reading.bounds(&Fact::any(width));
    (fits || (least + added >= first && most + added <= last)).then_some((source, added))
}
