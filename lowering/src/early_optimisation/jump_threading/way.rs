//! Where the end of a block goes for who comes by a certain edge.

use std::cell::OnceCell;
use std::rc::Rc;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::op::Op;
use brolga_ir::types::Scalar;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::{Conditions, ValueFacts};
use crate::pass::Edge;

/// How many instructions behind each other a question looks through.
const MOST_STEPS: u32 = 8;

/// What is known of values on edges.
pub(super) struct Ways {
    pub(super) conditions: Rc<Conditions>,
    pub(super) facts: Rc<ValueFacts>,
}

/// A block that several edges enter, and its end, which decides where to go.
pub(super) struct Joint<'a> {
    pub(super) body: &'a Body,
    pub(super) block: Block,
    pub(super) last: Inst,
    /// Which target each case of a switch has: each edge may ask, and there may be as many cases.
    cases: OnceCell<FxHashMap<u128, usize>>,
}

impl<'a> Joint<'a> {
    pub(super) fn new(body: &'a Body, block: Block, last: Inst) -> Joint<'a> {
        Joint { body, block, last, cases: OnceCell::new() }
    }

    /// Which target is taken if those are the bits of what the end looks at.
    fn index(&self, bits: u128) -> Option<usize> {
        match self.body.inst(self.last).payload {
            Payload::Branch(_) => Some(usize::from(bits & 1 == 0)),
            Payload::Switch(table) => {
                let cases = &self.body.switch(table)?.cases;
                let indices = self.cases.get_or_init(|| cases.iter().copied().zip(0..).collect());
                Some(indices.get(&bits).copied().unwrap_or(cases.len()))
            }
            _ => None,
        }
    }
}

/// A block as one edge enters it.
#[derive(Clone, Copy)]
struct Entered<'a> {
    ways: &'a Ways,
    body: &'a Body,
    block: Block,
    from: Block,
    edge: Edge,
}

impl Ways {
    /// Which target of its end a block leads to who comes from a block by an edge, if that is
    /// known.
    pub(super) fn index(&self, joint: &Joint<'_>, (from, edge): (Block, Edge)) -> Option<usize> {
        let Joint { body, block, last, .. } = *joint;
        let entered = Entered { ways: self, body, block, from, edge };
        joint.index(entered.number(*body.args(last).first()?, MOST_STEPS)?)
    }
}

impl Entered<'_> {
    /// The value before the edge that is `value` behind it; none if the block computes it.
    fn before(&self, value: Value) -> Option<Value> {
        match self.body.value_def(value) {
            ValueDef::Param(block, index) if block == self.block => {
                self.edge.arg(self.body, index as usize)
            }
            _ if self.computes(value).is_some() => None,
            _ => Some(value),
        }
    }

    /// The instruction of the block that gives `value`.
    fn computes(&self, value: Value) -> Option<Inst> {
        match self.body.value_def(value) {
            ValueDef::Result(inst, 0) => {
                (self.body.layout.block_of(inst) == Some(self.block)).then_some(inst)
            }
            _ => None,
        }
    }

    /// The bits of `value`, if they are known.
    fn number(&self, value: Value, steps: u32) -> Option<u128> {
        if let Some(bits) = self.body.as_scalar_constant(value) {
            return Some(bits);
        }
        if let Some(inst) = self.computes(value) {
            return self.result(inst, steps.checked_sub(1)?);
        }
        let value = self.before(value)?;
        if let Some(bits) = self.body.as_scalar_constant(value) {
            return Some(bits);
        }
        let Ways { conditions, facts } = self.ways;
        let edge = (self.from, self.edge.index as usize);
        conditions.fact_on_edge(self.body, facts, edge, value)?.as_constant()
    }

    /// What an instruction of the block gives.
    fn result(&self, inst: Inst, steps: u32) -> Option<u128> {
        let data = self.body.inst(inst);
        match (data.op, self.body.args(inst), data.payload) {
            (Op::Select, &[condition, yes, no], _) => {
                let chosen = if self.number(condition, steps)? & 1 == 1 { yes } else { no };
                self.number(chosen, steps)
            }
            (Op::Icmp, &[one, other], Payload::IntCond(condition)) => {
                self.folded(inst, steps).or_else(|| {
                    let (one, other) = (self.before(one)?, self.before(other)?);
                    let is_address = self.body.value_type(one).lane()?.is_address();
                    let condition = if is_address { condition.unsigned() } else { condition };
                    let Ways { conditions, facts } = self.ways;
                    let edge = (self.from, self.edge.index as usize);
                    let compared = (condition, one, other);
                    conditions.compare_on_edge(self.body, facts, edge, compared).map(u128::from)
                })
            }
            (Op::And, &[one, other], _) => self.either(inst, [one, other], 0, steps),
            (Op::Or, &[one, other], _) => {
                let bits =
                    data.ty.as_scalar().filter(|it| it.is_int() || *it == Scalar::I1)?.bits();
                self.either(inst, [one, other], u128::MAX >> (128 - bits), steps)
            }
            _ => self.folded(inst, steps),
        }
    }

    /// What an op gives of which one operand can decide all.
    fn either(&self, inst: Inst, args: [Value; 2], deciding: u128, steps: u32) -> Option<u128> {
        let decides = |value: Value| self.number(value, steps) == Some(deciding);
        match args.into_iter().any(decides) {
            true => Some(deciding),
            false => self.folded(inst, steps),
        }
    }

    /// What an instruction gives that all operands of are known.
    fn folded(&self, inst: Inst, steps: u32) -> Option<u128> {
        let (data, args) = (self.body.inst(inst), self.body.args(inst));
        if args.is_empty() || data.ty.is_vector() {
            return None;
        }
        let operand = |&arg: &Value| Some(Datum::Scalar(self.number(arg, steps)?));
        let operands: SmallVec<[Datum; 3]> = args.iter().map(operand).collect::<Option<_>>()?;
        let references: SmallVec<[&Datum; 3]> = operands.iter().collect();
        let operation = Operation {
            op: data.op,
            ty: data.ty,
            operand: self.body.value_type(*args.first()?),
            payload: &data.payload,
            immediates: &[],
        };
        match fold(&operation, &references)?.ok()?.first()? {
            Datum::Scalar(bits) => Some(*bits),
            _ => None,
        }
    }
}
