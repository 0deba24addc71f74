//! Writing expressions of scalar evolution as code.

use std::cell::RefCell;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::scalar_evolution::{Expr, Kind, Reading, Recurrence};
use crate::analysis::value_facts::sign_extended;
use crate::analysis::{Dominators, Loop, ScalarEvolution};
use crate::pass::Editor;

/// What a part that cannot be written costs.
pub(crate) const NEVER: u32 = 1 << 20;

/// How deep an address is looked for in an expression.
const MOST_DEEP: u32 = 4;

/// Which values are there already.
#[derive(Debug, Default)]
pub(crate) struct Available {
    /// The first value of each expression.
    first: SecondaryMap<Expr, Option<Value>>,
    /// The first number that a loop adds to in each round what is no constant.
    along: FxHashMap<(Loop, Expr), Value>,
    /// What was written at the ends of blocks.
    written: RefCell<FxHashMap<(Block, Expr, Type), Value>>,
}

impl Available {
    pub(crate) fn new(body: &Body, graph: &FlowGraph, evolution: &ScalarEvolution) -> Available {
        let mut available = Available::default();
        for block in graph.reverse_postorder() {
            for &param in body.params(block) {
                available.note(body, evolution, param);
            }
            for inst in body.layout.insts(block) {
                // What the end of a block gives is there on an edge alone.
                if !body.inst(inst).op.is_terminator() {
                    let results = body.results(inst).iter();
                    results.for_each(|&value| available.note(body, evolution, value));
                }
            }
        }
        available
    }

    fn note(&mut self, body: &Body, evolution: &ScalarEvolution, value: Value) {
        let Some(expr) = evolution.of(value) else { return };
        self.first[expr].get_or_insert(value);
        if let Some(Recurrence { of, step, .. }) = evolution.as_recurrence(expr)
            && body.value_type(value) != Type::PTR
            && evolution.as_constant(step).is_none()
        {
            self.along.entry((of, step)).or_insert(value);
        }
    }

    /// A number that goes with a recurrence: so many times that, and a number that is the
    /// same all through the loop.
    pub(super) fn along(
        &self,
        evolution: &ScalarEvolution,
        recurrence: &Recurrence,
    ) -> Option<(Value, i128)> {
        let (of, step) = (recurrence.of, recurrence.step);
        if let Some(&value) = self.along.get(&(of, step)) {
            return Some((value, 1));
        }
        let Kind::Sum(0, terms) = evolution.kind(step) else { return None };
        let &[(term, by)] = &**terms else { return None };
        let factor = sign_extended(evolution.width(step), by);
        self.along.get(&(of, term)).map(|&value| (value, factor))
    }

    /// Notes what code at the end of a block computes.
    fn note_written(&self, block: Block, expr: Expr, ty: Type, value: Value) {
        self.written.borrow_mut().insert((block, expr, ty), value);
    }

    /// A value of that type that an expression is, at the end of a block.
    fn at(
        &self,
        body: &Body,
        dominators: &Dominators,
        expr: Expr,
        ty: Type,
        end: Block,
    ) -> Option<Value> {
        if let Some(&value) = self.written.borrow().get(&(end, expr, ty)) {
            return Some(value);
        }
        let value = self.first[expr].filter(|&value| body.value_type(value) == ty)?;
        let block = body.defining_block(value)?;
        dominators.dominates(block, end).then_some(value)
    }
}

/// A place at the end of a block, and what is known there.
pub(crate) struct Expansion<'a> {
    pub(crate) evolution: &'a mut ScalarEvolution,
    pub(crate) available: &'a Available,
    pub(crate) dominators: &'a Dominators,
    /// The block, whose last instruction the code goes before.
    pub(crate) block: Block,
}

/// A parameter, how often it is taken, and what is added.
struct Sibling {
    param: Value,
    factor: Factor,
    multiple: Expr,
    rest: Expr,
}

/// How often something is taken.
#[derive(Clone, Copy)]
enum Factor {
    Number(i128),
    /// So often as that says, of what goes on by one.
    Steps(Expr),
}

impl Factor {
    fn is(self, number: i128) -> bool {
        matches!(self, Factor::Number(known) if known == number)
    }
}

/// The integer type of that many bits that code computes with.
pub(super) fn integer(width: u32) -> Option<Type> {
    [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128]
        .into_iter()
        .find(|ty| ty.as_scalar().is_some_and(|scalar| scalar.bits() == width))
}

impl Expansion<'_> {
    /// How many instructions it takes to compute an expression as a value of that type;
    /// [`NEVER`] or more if it cannot be.
    pub(crate) fn cost(&mut self, body: &Body, expr: Expr, ty: Type) -> u32 {
        self.cost_beside(body, expr, ty, &mut FxHashSet::default())
    }

    /// The same where others are computed, too: what stands in several is computed once.
    pub(crate) fn cost_beside(
        &mut self,
        body: &Body,
        expr: Expr,
        ty: Type,
        others: &mut FxHashSet<Expr>,
    ) -> u32 {
        let is_there = self.available.at(body, self.dominators, expr, ty, self.block).is_some();
        if is_there || others.contains(&expr) {
            return 0;
        }
        let cost = self.own_cost(body, expr, ty, others);
        if cost < NEVER {
            others.insert(expr);
        }
        cost
    }

    fn own_cost(&mut self, body: &Body, expr: Expr, ty: Type, others: &mut FxHashSet<Expr>) -> u32 {
        let width = self.evolution.width(expr);
        if integer(width) != Some(ty) {
            return match self.evolution.kind(expr) {
                Kind::Constant(_) if ty == Type::I1 => 0,
                _ => NEVER,
            };
        }
        let mut narrower =
            |expansion: &mut Self, part: Expr| match integer(expansion.evolution.width(part)) {
                Some(ty) => expansion.cost_beside(body, part, ty, others),
                None => NEVER,
            };
        match self.evolution.kind(expr).clone() {
            Kind::Constant(_) => 0,
            // What is no number, or not there.
            Kind::Value(value) => match self.is_there(body, value) {
                true if body.value_type(value) == ty => 0,
                true if is_read_address(body, value, ty) => 1,
                _ => NEVER,
            },
            Kind::Sum(constant, terms) => {
                let mut cost = terms.len() as u32 - u32::from(constant == 0);
                for &(term, by) in &terms {
                    let is_plain = by == 1 || is_minus_one(by, width);
                    cost += u32::from(!is_plain) + narrower(self, term);
                }
                cost
            }
            Kind::Product(a, b) | Kind::Extreme(_, a, b) => {
                1 + narrower(self, a) + narrower(self, b)
            }
            Kind::Triangle(a) => 4 + narrower(self, a),
            Kind::Quotient(a, divisor) => {
                let own = if divisor.is_power_of_two() { 1 } else { 4 };
                own + narrower(self, a)
            }
            Kind::Extended(_, a) | Kind::Truncated(a) => 1 + narrower(self, a),
            Kind::Recurrence(recurrence) => match self.sibling(body, expr, recurrence, ty) {
                Some(sibling) => self.cost_of_sibling(body, ty, &sibling, others),
                None => NEVER,
            },
        }
    }

    fn cost_of_sibling(
        &mut self,
        body: &Body,
        ty: Type,
        sibling: &Sibling,
        others: &mut FxHashSet<Expr>,
    ) -> u32 {
        let is_plain = sibling.factor.is(1) || sibling.factor.is(-1);
        let mut cost = u32::from(!is_plain && others.insert(sibling.multiple));
        if let Factor::Steps(steps) = sibling.factor {
            cost += self.cost_beside(body, steps, ty, others);
        }
        let is_whole = self.evolution.as_constant(sibling.rest) == Some(0);
        cost + u32::from(!is_whole || sibling.factor.is(-1))
            + self.cost_beside(body, sibling.rest, ty, others)
    }

    fn is_there(&self, body: &Body, value: Value) -> bool {
        // What the end of a block gives is there on an edge alone.
        let is_of_edge = matches!(
            body.value_def(value),
            ValueDef::Result(inst, _) if body.inst(inst).op.is_terminator()
        );
        let block = body.defining_block(value);
        !is_of_edge && block.is_some_and(|block| self.dominators.dominates(block, self.block))
    }

    /// A parameter of the header of a recurrence's loop of which it is a multiple and
    /// something that does not change; or another number that goes along with it.
    fn sibling(
        &mut self,
        body: &Body,
        expr: Expr,
        recurrence: Recurrence,
        ty: Type,
    ) -> Option<Sibling> {
        let header = self.evolution.loops().get(recurrence.of)?.header;
        if !self.dominators.dominates(header, self.block) {
            return None;
        }
        let along = self.available.along(self.evolution, &recurrence);
        let along = along.filter(|&(value, _)| self.is_there(body, value));
        let params: Vec<Value> = body.params(header).to_vec();
        let params = params.into_iter().map(|param| (param, None));
        let mut known = params.chain(along.map(|(value, factor)| (value, Some(factor))));
        known.find_map(|(param, factor)| {
            let own = self.evolution.of(param).filter(|_| body.value_type(param) == ty)?;
            let step = self.evolution.as_recurrence(own)?.step;
            let factor = match factor {
                Some(factor) => Factor::Number(factor),
                None if step == recurrence.step => Factor::Number(1),
                None => {
                    let own = self.evolution.as_signed(step)?;
                    match self.evolution.as_signed(recurrence.step) {
                        Some(wanted) => Factor::Number(
                            (wanted.checked_rem(own) == Some(0))
                                .then(|| wanted.checked_div(own))??,
                        ),
                        None if own == 1 => Factor::Steps(recurrence.step),
                        None => return None,
                    }
                }
            };
            let multiple = match factor {
                Factor::Number(number) => self.evolution.scale(own, number as u128),
                Factor::Steps(steps) => self.evolution.product(own, steps),
            };
            let rest = self.evolution.sub(expr, multiple);
            let is_steady = self.evolution.is_invariant(rest, recurrence.of);
            is_steady.then_some(Sibling { param, factor, multiple, rest })
        })
    }

    /// The only address that an expression is made from, and what is added: code that adds
    /// to another one would say that it stays in another object.
    pub(crate) fn address_parts(
        &mut self,
        body: &Body,
        expr: Expr,
        ty: Type,
    ) -> Option<(Value, Expr)> {
        if ty != Type::PTR || self.evolution.width(expr) != 64 {
            return None;
        }
        let value = self.root(body, expr, MOST_DEEP)?;
        let address = self.evolution.of(value).filter(|_| self.is_there(body, value))?;
        let rest = self.evolution.sub(expr, address);
        Some((value, rest))
    }

    /// The only address in an expression, which stands in it once.
    fn root(&self, body: &Body, expr: Expr, deep: u32) -> Option<Value> {
        let deep = deep.checked_sub(1)?;
        match self.evolution.kind(expr) {
            Kind::Value(value) if body.value_type(*value) == Type::PTR => Some(*value),
            Kind::Recurrence(recurrence) => self.root(body, recurrence.start, deep),
            Kind::Sum(_, terms) => {
                let mut roots =
                    terms.iter().filter_map(|&(term, by)| Some((self.root(body, term, deep)?, by)));
                let only = roots.next().filter(|_| roots.next().is_none());
                only.filter(|only| only.1 == 1).map(|only| only.0)
            }
            _ => None,
        }
    }

    /// Computes an expression whose cost is less than [`NEVER`].
    pub(crate) fn write(
        &mut self,
        editor: &mut Editor<'_, '_>,
        expr: Expr,
        ty: Type,
    ) -> Option<Value> {
        let known = self.available.at(editor.body, self.dominators, expr, ty, self.block);
        if known.is_some() {
            return known;
        }
        let value = self.write_anew(editor, expr, ty)?;
        self.available.note_written(self.block, expr, ty, value);
        Some(value)
    }

    fn write_anew(&mut self, editor: &mut Editor<'_, '_>, expr: Expr, ty: Type) -> Option<Value> {
        let width = self.evolution.width(expr);
        Some(match self.evolution.kind(expr).clone() {
            Kind::Constant(bits) => {
                let constant = Constant::scalar(ty, bits)?;
                editor.body.constant(constant)
            }
            Kind::Value(value) if is_read_address(editor.body, value, ty) => {
                editor.op(Op::PtrToInt, Type::NONE, &[value])
            }
            Kind::Value(value) => value,
            Kind::Sum(constant, terms) => self.write_sum(editor, ty, constant, &terms)?,
            Kind::Product(a, b) => self.write_pair(editor, Op::Mul, ty, [a, b])?,
            // Constants stand on the right wherever that is the same.
            Kind::Extreme(op, a, b) => match self.evolution.as_constant(a) {
                Some(_) => self.write_pair(editor, op, ty, [b, a])?,
                None => self.write_pair(editor, op, ty, [a, b])?,
            },
            Kind::Triangle(a) => {
                let n = self.write(editor, a, ty)?;
                let one = editor.constant(ty, 1);
                // Half of the even factor, times the odd one: of `n` and `n - 1`, one is odd.
                let half = editor.op(Op::Lshr, ty, &[n, one]);
                let less = editor.op(Op::Sub, ty, &[n, one]);
                let odd = editor.op(Op::Or, ty, &[less, one]);
                editor.op(Op::Mul, ty, &[half, odd])
            }
            Kind::Quotient(a, divisor) => {
                let a = self.write(editor, a, ty)?;
                let (op, by) = match divisor.is_power_of_two() {
                    true => (Op::Lshr, divisor.trailing_zeros().into()),
                    false => (Op::Udiv, divisor),
                };
                let by = editor.constant(ty, by);
                editor.op(op, ty, &[a, by])
            }
            Kind::Extended(reading, a) => {
                let narrow = integer(self.evolution.width(a)).filter(|_| width > 0)?;
                let a = self.write(editor, a, narrow)?;
                let op = if reading == Reading::Signed { Op::Sext } else { Op::Zext };
                editor.op(op, ty, &[a])
            }
            Kind::Truncated(a) => {
                let wide = integer(self.evolution.width(a))?;
                let a = self.write(editor, a, wide)?;
                editor.op(Op::Trunc, ty, &[a])
            }
            Kind::Recurrence(recurrence) => {
                let sibling = self.sibling(editor.body, expr, recurrence, ty)?;
                self.write_sibling(editor, ty, sibling)?
            }
        })
    }

    fn write_sibling(
        &mut self,
        editor: &mut Editor<'_, '_>,
        ty: Type,
        Sibling { param, factor, multiple, rest }: Sibling,
    ) -> Option<Value> {
        let is_whole = self.evolution.as_constant(rest) == Some(0);
        let rest = self.write(editor, rest, ty)?;
        if factor.is(-1) {
            return Some(editor.op(Op::Sub, ty, &[rest, param]));
        }
        let value = match factor.is(1) {
            true => param,
            false => self.write_multiple(editor, ty, (param, factor), multiple)?,
        };
        Some(if is_whole { value } else { editor.op(Op::Add, ty, &[value, rest]) })
    }

    fn write_multiple(
        &mut self,
        editor: &mut Editor<'_, '_>,
        ty: Type,
        (param, factor): (Value, Factor),
        multiple: Expr,
    ) -> Option<Value> {
        let known = self.available.at(editor.body, self.dominators, multiple, ty, self.block);
        if known.is_some() {
            return known;
        }
        let value = match factor {
            Factor::Number(number) if number > 0 && (number as u128).is_power_of_two() => {
                let by = editor.constant(ty, number.trailing_zeros().into());
                editor.op(Op::Shl, ty, &[param, by])
            }
            Factor::Number(number) => {
                let factor = editor.constant(ty, number as u128);
                editor.op(Op::Mul, ty, &[param, factor])
            }
            Factor::Steps(steps) => {
                let steps = self.write(editor, steps, ty)?;
                editor.op(Op::Mul, ty, &[param, steps])
            }
        };
        self.available.note_written(self.block, multiple, ty, value);
        Some(value)
    }

    fn write_pair(
        &mut self,
        editor: &mut Editor<'_, '_>,
        op: Op,
        ty: Type,
        pair: [Expr; 2],
    ) -> Option<Value> {
        let (a, b) = (self.write(editor, pair[0], ty)?, self.write(editor, pair[1], ty)?);
        Some(editor.op(op, ty, &[a, b]))
    }

    /// What is added first, what is subtracted then, the number last.
    fn write_sum(
        &mut self,
        editor: &mut Editor<'_, '_>,
        ty: Type,
        constant: u128,
        terms: &[(Expr, u128)],
    ) -> Option<Value> {
        let width = ty.as_scalar()?.bits();
        let mut sum = None;
        for &(term, by) in terms.iter().filter(|term| !is_minus_one(term.1, width)) {
            let mut value = self.write(editor, term, ty)?;
            if by != 1 {
                let (op, by) = match by.is_power_of_two() {
                    true => (Op::Shl, by.trailing_zeros().into()),
                    false => (Op::Mul, by),
                };
                let by = editor.constant(ty, by);
                value = editor.op(op, ty, &[value, by]);
            }
            sum = Some(match sum {
                Some(sum) => editor.op(Op::Add, ty, &[sum, value]),
                None => value,
            });
        }
        let mut left = constant;
        for &(term, _) in terms.iter().filter(|term| is_minus_one(term.1, width)) {
            let value = self.write(editor, term, ty)?;
            let from = sum.unwrap_or_else(|| editor.constant(ty, std::mem::take(&mut left)));
            sum = Some(editor.op(Op::Sub, ty, &[from, value]));
        }
        let sum = sum?;
        if left == 0 {
            return Some(sum);
        }
        let left = editor.constant(ty, left);
        Some(editor.op(Op::Add, ty, &[sum, left]))
    }
}

/// Whether a number is wanted that is an address.
pub(super) fn is_read_address(body: &Body, value: Value, ty: Type) -> bool {
    body.value_type(value) == Type::PTR && ty == Type::I64
}

fn is_minus_one(by: u128, width: u32) -> bool {
    width > 0 && by == u128::MAX >> (128 - width)
}

/// The last instruction of a block, before which code of it goes.
pub(crate) fn end_of(body: &Body, block: Block) -> Option<Inst> {
    body.layout.last_inst(block)
}
