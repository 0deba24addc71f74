//! Finding the expressions of values: see the module above.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::ValueDef;
use brolga_ir::entity::{EntityRef, dense_map};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::expression::{Expr, Kind, Reading, Recurrence, parts};
use super::ranges::Proved;
use super::trips::Leaving;
use super::{
    Arena, Block, Body, FxHashMap, Inst, Known, Loop, MOST_PARTS, PackedOption, Rc,
    ScalarEvolution, SecondaryMap, Value,
};
use crate::analysis::value_facts::{Fact, mask, width_of};

type Table = SecondaryMap<Value, PackedOption<Expr>>;

type Blocks = SmallVec<[Block; 4]>;

/// What edges hand on, and the blocks that they leave.
type Handed = SmallVec<[(Block, Value); 4]>;

/// How often parameters of a header are looked at again because others became known.
const TURNS: usize = 3;

/// The state of the computation.
pub(super) struct Builder<'a> {
    pub(super) body: &'a Body,
    pub(super) known: Known<'a>,
    pub(super) evolution: ScalarEvolution,
    /// Values in terms of the block parameters around them, where loops are.
    drafts: Table,
}

pub(super) fn build(body: &Body, known: Known<'_>) -> ScalarEvolution {
    let evolution = ScalarEvolution {
        loops: Rc::clone(known.loops),
        arena: Arena::with_room(body.value_count()),
        exprs: dense_map(body.value_count()),
        trips: SecondaryMap::new(),
        proved: FxHashMap::default(),
    };
    let leaving = Leaving::new(body, &known);
    let drafts = dense_map(body.value_count());
    let mut builder = Builder { body, known, evolution, drafts };
    // Elsewhere, what values are is known before anybody asks for it.
    let is_in_loop = |block: &Block| known.loops.innermost(*block).is_some();
    for block in known.graph.reverse_postorder().filter(is_in_loop) {
        for (index, &param) in body.params(block).iter().enumerate() {
            let merged = builder.merged(block, index, Sweep::Draft);
            builder.drafts[param] = merged.or_else(|| builder.itself(param)).into();
        }
        for inst in body.layout.insts(block) {
            builder.visit(inst, block, Sweep::Draft);
        }
    }
    let leads_to_loop = leads_to_loops(&known);
    for block in known.graph.reverse_postorder().filter(|block| leads_to_loop[block.index()]) {
        match known.loops.of_header(block) {
            Some(of) => {
                builder.header(of, block);
                let trips = builder.trips(of, &leaving);
                builder.evolution.trips[of] = Some(trips);
                // What grows by longer numbers, of which it is known only now that they do
                // not wrap.
                builder.header(of, block);
                builder.settle(block);
            }
            None => {
                for (index, &param) in body.params(block).iter().enumerate() {
                    let merged = builder.merged(block, index, Sweep::Final);
                    let expr = merged.or_else(|| builder.itself(param));
                    builder.evolution.exprs[param] = expr.into();
                }
            }
        }
        for inst in body.layout.insts(block) {
            builder.visit(inst, block, Sweep::Final);
        }
    }
    builder.evolution
}

/// The blocks, by their numbers, from which a path leads to a loop: behind the last one,
/// nobody asks for what values are.
fn leads_to_loops(known: &Known<'_>) -> Vec<bool> {
    let mut leads = vec![false; known.graph.block_capacity()];
    for &block in known.graph.postorder() {
        let mut next = known.graph.successors(block).iter();
        leads[block.index()] =
            known.loops.innermost(block).is_some() || next.any(|to| leads[to.index()]);
    }
    leads
}

impl ScalarEvolution {
    /// Whether what an op gives may be written in terms of its operands: all others stand for
    /// themselves.
    pub fn sees_through(op: Op) -> bool {
        let traps = matches!(
            op,
            Op::SaddTrap | Op::UaddTrap | Op::SsubTrap | Op::UsubTrap | Op::SmulTrap | Op::UmulTrap
        );
        let tells = matches!(
            op,
            Op::SaddOverflow
                | Op::UaddOverflow
                | Op::SsubOverflow
                | Op::UsubOverflow
                | Op::SmulOverflow
                | Op::UmulOverflow
        );
        let computes = matches!(
            op,
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Not | Op::Shl | Op::Lshr | Op::Udiv
        );
        let of_bits = matches!(op, Op::Or | Op::Xor | Op::Trunc | Op::Zext | Op::Sext);
        let of_addresses = matches!(
            op,
            Op::PtrAdd | Op::DerivedAdd | Op::PtrToInt | Op::IntToPtr | Op::AddressCast
        );
        let chooses = matches!(op, Op::Smin | Op::Smax | Op::Umin | Op::Umax);
        traps || tells || computes || of_bits || of_addresses || chooses
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sweep {
    Draft,
    Final,
}

impl<'a> Builder<'a> {
    /// One that asks what expressions that are all known say.
    pub(super) fn of_finished(
        body: &'a Body,
        known: Known<'a>,
        evolution: ScalarEvolution,
    ) -> Builder<'a> {
        Builder { body, known, evolution, drafts: Table::new() }
    }

    pub(super) fn into_evolution(self) -> ScalarEvolution {
        self.evolution
    }
}

impl Builder<'_> {
    /// A value that stands for itself.
    fn itself(&mut self, value: Value) -> Option<Expr> {
        if let Some(known) = self.evolution.arena.of_value(value) {
            return Some(known);
        }
        if let Some(bits) = self.body.as_scalar_constant(value) {
            let width = width_of(self.body.value_type(value))?;
            return Some(self.evolution.constant(width, bits));
        }
        let fact = self.known.facts.of(self.body, value)?;
        let home = self.body.defining_block(value);
        let home = home.and_then(|block| self.known.loops.innermost(block));
        Some(self.evolution.arena.value(value, fact, home))
    }

    fn visit(&mut self, inst: Inst, block: Block, sweep: Sweep) {
        for (index, &result) in self.body.results(inst).iter().enumerate() {
            let Some(width) = width_of(self.body.value_type(result)) else { continue };
            let made = if index == 0 { self.result(inst, width, block, sweep) } else { None };
            let made = made.filter(|&made| {
                self.evolution.size(made) <= MOST_PARTS && self.evolution.width(made) == width
            });
            let expr = made.or_else(|| self.itself(result));
            match sweep {
                Sweep::Draft => self.drafts[result] = expr.into(),
                Sweep::Final => self.evolution.exprs[result] = expr.into(),
            }
        }
    }

    /// What an operand is, where it is used.
    fn operand(&mut self, value: Value, block: Block, sweep: Sweep) -> Option<Expr> {
        let known = match sweep {
            Sweep::Draft => self.drafts[value],
            Sweep::Final => self.evolution.exprs[value],
        };
        match known.expand() {
            Some(expr) if self.evolution.is_in_scope(expr, block) => Some(expr),
            _ => self.itself(value),
        }
    }

    /// The first result of an instruction, of that width, from its operands.
    fn result(&mut self, inst: Inst, width: u32, block: Block, sweep: Sweep) -> Option<Expr> {
        let args = self.body.args(inst);
        if !ScalarEvolution::sees_through(self.body.inst(inst).op) {
            return None;
        }
        let sole = |this: &mut Self| this.operand(*args.first()?, block, sweep);
        let pair = |this: &mut Self| {
            let &[a, b] = args else { return None };
            Some((this.operand(a, block, sweep)?, this.operand(b, block, sweep)?))
        };
        Some(match self.body.inst(inst).op {
            Op::Add
            | Op::SaddTrap
            | Op::UaddTrap
            | Op::SaddOverflow
            | Op::UaddOverflow
            | Op::PtrAdd
            | Op::DerivedAdd => {
                let (a, b) = pair(self)?;
                self.evolution.add(a, b)
            }
            Op::Sub | Op::SsubTrap | Op::UsubTrap | Op::SsubOverflow | Op::UsubOverflow => {
                let (a, b) = pair(self)?;
                self.evolution.sub(a, b)
            }
            Op::Mul | Op::SmulTrap | Op::UmulTrap | Op::SmulOverflow | Op::UmulOverflow => {
                let (a, b) = pair(self)?;
                self.evolution.product(a, b)
            }
            Op::Neg => {
                let a = sole(self)?;
                self.evolution.scale(a, u128::MAX)
            }
            Op::Not => {
                let a = sole(self)?;
                self.evolution.inverted(a)
            }
            op @ (Op::Shl | Op::Lshr | Op::Udiv) => {
                let (a, b) = pair(self)?;
                let by = self.evolution.as_constant(b)?;
                self.evolution.by_number(op, a, by)?
            }
            // Where no bit is in both, nothing is carried.
            Op::Or | Op::Xor => {
                let (a, b) = pair(self)?;
                let zeros = self.evolution.fact(a).zeros() | self.evolution.fact(b).zeros();
                (zeros == u128::MAX).then(|| self.evolution.add(a, b))?
            }
            op @ (Op::Trunc | Op::Zext | Op::Sext) => {
                let a = sole(self)?;
                let is_wider = self.evolution.width(a) > width;
                match op {
                    Op::Trunc if is_wider => self.evolution.truncated(width, a),
                    Op::Zext if !is_wider => self.evolution.extended(Reading::Unsigned, width, a),
                    Op::Sext if !is_wider => self.evolution.extended(Reading::Signed, width, a),
                    _ => return None,
                }
            }
            // Of another width, it is not taken.
            Op::PtrToInt | Op::IntToPtr | Op::AddressCast => sole(self)?,
            op @ (Op::Smin | Op::Smax | Op::Umin | Op::Umax) => {
                let (a, b) = pair(self)?;
                self.evolution.extreme(op, a, b)
            }
            _ => return None,
        })
    }

    /// Finds out which parameters of the header of a loop are recurrences.
    fn header(&mut self, of: Loop, header: Block) {
        let body = self.body;
        for _ in 0..TURNS {
            let mut found = false;
            for index in 0..body.params(header).len() {
                let param = body.params(header)[index];
                if self.evolution.exprs[param].is_none()
                    && let Some(expr) = self.parameter(of, header, index)
                {
                    self.evolution.exprs[param] = Some(expr).into();
                    self.note_traps(of, header, index, expr);
                    found = true;
                }
            }
            if !found {
                break;
            }
        }
    }

    /// Lets the other parameters of a header stand for themselves.
    fn settle(&mut self, header: Block) {
        for &param in self.body.params(header) {
            if self.evolution.exprs[param].is_none() {
                self.evolution.exprs[param] = self.drafts[param];
            }
        }
    }

    /// What a parameter of a block that is no header gets over all edges, if that is the
    /// same, and none of them leaves a loop or comes from behind.
    fn merged(&mut self, block: Block, index: usize, sweep: Sweep) -> Option<Expr> {
        let (graph, loops) = (self.known.graph, self.known.loops);
        if loops.of_header(block).is_some() || loops.is_irreducible(block) {
            return None;
        }
        width_of(self.body.value_type(*self.body.params(block).get(index)?))?;
        let mut before: Blocks = graph.predecessors(block).into();
        before.dedup();
        before.retain(|from| graph.is_reachable(*from));
        let number = |at: Block| graph.reverse_postorder_number(at);
        let mut handed = Handed::new();
        for from in before {
            let stays = loops.innermost(from).is_none_or(|of| loops.contains(of, block));
            if !stays || number(from) >= number(block) {
                return None;
            }
            let last = self.body.layout.last_inst(from)?;
            for target in self.body.targets(last).iter().filter(|target| target.block == block) {
                handed.push((from, *self.body.target_args(target).get(index)?));
            }
        }
        self.same(&handed, |builder, value, from| builder.operand(value, from, sweep))
    }

    /// What the edges into a header hand on for a parameter: those from outside, if
    /// `is_back` is false, else those from the loop.
    fn handed(&self, of: Loop, header: Block, index: usize, is_back: bool) -> Option<Handed> {
        let mut before: Blocks = self.known.graph.predecessors(header).into();
        before.dedup();
        let is_wanted = |block: &Block| {
            self.known.graph.is_reachable(*block)
                && self.known.loops.contains(of, *block) == is_back
        };
        let mut handed = Handed::new();
        for block in before.into_iter().filter(is_wanted) {
            let Some(last) = self.body.layout.last_inst(block) else { continue };
            for target in self.body.targets(last).iter().filter(|target| target.block == header) {
                handed.push((block, *self.body.target_args(target).get(index)?));
            }
        }
        Some(handed)
    }

    /// The recurrence that a parameter of a header is, if it is one and what it needs of
    /// the other parameters is known.
    fn parameter(&mut self, of: Loop, header: Block, index: usize) -> Option<Expr> {
        let param = self.body.params(header)[index];
        let own = self.drafts[param].expand()?;
        let entering = self.handed(of, header, index, false)?;
        let start = self.same(&entering, |builder, value, block| {
            let known = builder.operand(value, block, Sweep::Final)?;
            match builder.evolution.is_in_scope(known, header) {
                true => Some(known),
                // Of a loop that the edge leaves: what it was in the last round.
                false => builder.itself(value),
            }
        })?;
        if !self.evolution.is_invariant(start, of) {
            return None;
        }
        let back = self.handed(of, header, index, true)?;
        let next = self.same(&back, |builder, value, _| {
            builder.drafts[value].expand().or_else(|| builder.itself(value))
        })?;
        if next == own {
            return Some(start);
        }
        // Nothing but the parameter itself drops out of the difference.
        if !self.is_resolvable(of, header, next) {
            return None;
        }
        let step = self.evolution.sub(next, own);
        let made = match self.resolved(of, header, step) {
            Some(step) => {
                let is_whole = self.evolution.is_invariant(step, of)
                    || self.evolution.as_affine(step, of).is_some();
                is_whole.then(|| self.evolution.recurrence(Recurrence { of, start, step }))?
            }
            None => {
                let next = self.resolved(of, header, next)?;
                self.delayed(of, start, next)?
            }
        };
        (self.evolution.size(made) <= MOST_PARTS).then_some(made)
    }

    /// What is in each round what another expression was in the round before.
    fn delayed(&mut self, of: Loop, start: Expr, next: Expr) -> Option<Expr> {
        if next == start {
            return Some(start);
        }
        let Recurrence { start: second, step, .. } = self.evolution.as_affine(next, of)?;
        let first = self.evolution.sub(second, step);
        (first == start).then(|| self.evolution.recurrence(Recurrence { of, start, step }))
    }

    /// What all of the values are, if they are the same.
    fn same(
        &mut self,
        values: &[(Block, Value)],
        mut expr: impl FnMut(&mut Self, Value, Block) -> Option<Expr>,
    ) -> Option<Expr> {
        let (&(block, value), others) = values.split_first()?;
        let first = expr(self, value, block)?;
        for &(block, value) in others {
            if expr(self, value, block) != Some(first) {
                return None;
            }
        }
        Some(first)
    }

    /// A draft in terms of what is known where the header of a loop is entered, and of its
    /// recurrences; nothing if it has other values of the loop.
    pub(super) fn resolved(&mut self, of: Loop, header: Block, draft: Expr) -> Option<Expr> {
        if self.evolution.size(draft) > 2 * MOST_PARTS {
            return None;
        }
        let made = match self.evolution.kind(draft).clone() {
            Kind::Constant(_) => draft,
            Kind::Value(value) => return self.resolved_value(of, header, value),
            Kind::Sum(constant, terms) => {
                let width = self.evolution.width(draft);
                let terms =
                    terms.iter().map(|&(term, by)| Some((self.resolved(of, header, term)?, by)));
                let terms: Vec<(Expr, u128)> = terms.collect::<Option<_>>()?;
                self.evolution.sum(width, constant, &terms)
            }
            Kind::Product(a, b) => {
                let (a, b) = (self.resolved(of, header, a)?, self.resolved(of, header, b)?);
                self.evolution.product(a, b)
            }
            Kind::Quotient(a, divisor) => {
                let a = self.resolved(of, header, a)?;
                self.evolution.quotient(a, divisor)
            }
            Kind::Extended(reading, a) => {
                let (width, a) = (self.evolution.width(draft), self.resolved(of, header, a)?);
                self.evolution.extended(reading, width, a)
            }
            Kind::Truncated(a) => {
                let (width, a) = (self.evolution.width(draft), self.resolved(of, header, a)?);
                self.evolution.truncated(width, a)
            }
            Kind::Extreme(op, a, b) => {
                let (a, b) = (self.resolved(of, header, a)?, self.resolved(of, header, b)?);
                self.evolution.extreme(op, a, b)
            }
            Kind::Triangle(_) | Kind::Recurrence(_) => return None,
        };
        (self.evolution.size(made) <= 4 * MOST_PARTS).then_some(made)
    }

    /// Whether a draft has no values of the loop but parameters of its header.
    fn is_resolvable(&self, of: Loop, header: Block, draft: Expr) -> bool {
        match self.evolution.kind(draft) {
            &Kind::Value(value) => self.body.defining_block(value).is_some_and(|block| {
                let is_param = matches!(self.body.value_def(value), ValueDef::Param(..));
                (block == header && is_param) || !self.known.loops.contains(of, block)
            }),
            kind => parts(kind).all(|part| self.is_resolvable(of, header, part)),
        }
    }

    fn resolved_value(&mut self, of: Loop, header: Block, value: Value) -> Option<Expr> {
        let block = self.body.defining_block(value)?;
        if block == header && matches!(self.body.value_def(value), ValueDef::Param(..)) {
            return self.evolution.exprs[value].expand();
        }
        if self.known.loops.contains(of, block) {
            return None;
        }
        self.operand(value, header, Sweep::Final)
    }

    /// A recurrence that goes on by a sum that traps where it would wrap never does.
    fn note_traps(&mut self, of: Loop, header: Block, index: usize, expr: Expr) {
        let Some(recurrence) = self.evolution.as_affine(expr, of) else { return };
        let Some(step) = self.evolution.as_signed(recurrence.step) else { return };
        let param = self.body.params(header)[index];
        let width = self.evolution.width(expr);
        let mut proved = Proved::nothing(width);
        let back = self.handed(of, header, index, true).unwrap_or_default();
        match self.same_op(&back, param) {
            Some(Op::SaddTrap) => proved.signed = true,
            // The least number is its own negation, so that its sign says nothing.
            Some(Op::SsubTrap) if step != Fact::least(width) => proved.signed = true,
            Some(Op::UaddTrap) if step > 0 => proved.unsigned = true,
            Some(Op::UsubTrap) if step < 0 => proved.unsigned = true,
            _ => return,
        }
        let start = self.evolution.fact(recurrence.start);
        proved.fact = travelling(&start, step, proved.signed);
        self.evolution.prove(expr, proved);
    }

    /// The op that computes all of the values from `param` and a constant.
    fn same_op(&self, values: &[(Block, Value)], param: Value) -> Option<Op> {
        let op_of = |value: Value| {
            let ValueDef::Result(inst, 0) = self.body.value_def(value) else { return None };
            let &[a, b] = self.body.args(inst) else { return None };
            let is_constant = |value| self.body.as_scalar_constant(value).is_some();
            let op = self.body.inst(inst).op;
            let adds = matches!(op, Op::SaddTrap | Op::UaddTrap) && b == param && is_constant(a);
            (adds || (a == param && is_constant(b))).then_some(op)
        };
        let (&(_, value), others) = values.split_first()?;
        let op = op_of(value)?;
        others.iter().all(|&(_, value)| op_of(value) == Some(op)).then_some(op)
    }

    /// The operands and condition of a compare of integers, in terms of what is known where
    /// the header is entered.
    pub(super) fn resolved_compare(
        &mut self,
        of: Loop,
        header: Block,
        inst: Inst,
    ) -> Option<(IntCond, Expr, Expr)> {
        let (Op::Icmp, Payload::IntCond(condition), &[a, b]) =
            (self.body.inst(inst).op, self.body.inst(inst).payload, self.body.args(inst))
        else {
            return None;
        };
        let is_address = self.body.value_type(a).lane().is_none_or(|lane| lane.is_address());
        let condition = if is_address { condition.unsigned() } else { condition };
        let mut side = |value: Value| {
            let draft = self.drafts[value].expand().or_else(|| self.itself(value))?;
            self.resolved(of, header, draft)
        };
        Some((condition, side(a)?, side(b)?))
    }

    /// Whether a value is a single truth value.
    pub(super) fn is_truth(&self, value: Value) -> bool {
        self.body.value_type(value) == Type::I1
    }
}

/// Between which bounds it stays what starts somewhere, goes one way, and never wraps.
fn travelling(start: &Fact, step: i128, is_signed: bool) -> Fact {
    let width = start.width();
    match (is_signed, step > 0) {
        (true, true) => Fact::signed_between(width, start.signed().0, i128::MAX),
        (true, false) => Fact::signed_between(width, i128::MIN, start.signed().1),
        (false, true) => Fact::unsigned_between(width, start.unsigned().0, mask(width)),
        (false, false) => Fact::unsigned_between(width, 0, start.unsigned().1),
    }
}
