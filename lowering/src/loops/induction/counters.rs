//! Which counters of few bits are made longer: those that a loop casts, of which it is
//! proved that they wrap nowhere.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::FxHashMap;

use super::super::form::preheader_jump;
use crate::analysis::scalar_evolution::{Expr, Known, Reading, Recurrence};
use crate::analysis::value_facts::Fact;
use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::pass::Uses;

/// How many bits a counter has that was made longer.
const WIDTH: u32 = 64;

/// The casts in a loop that are recurrences of it, or of a loop around.
pub(super) type Casts = SecondaryMap<Loop, Vec<(Inst, Expr)>>;

/// What a cast is, by the longer counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cast {
    /// The counter and so much.
    Sum(i128),
    /// What it goes on with.
    Next,
}

/// A counter that is made longer.
#[derive(Debug)]
pub(super) struct Counter {
    pub(super) header: Block,
    /// The jump that enters the loop.
    pub(super) entering: Inst,
    /// What leads back, and by which target.
    pub(super) back: (Inst, usize),
    pub(super) param: Value,
    /// What is the same: parameters of blocks that one edge leads to.
    pub(super) param_names: Vec<Value>,
    pub(super) next_names: Vec<Value>,
    /// Where it stands among the parameters.
    pub(super) index: usize,
    /// What adds the step.
    pub(super) next: Inst,
    pub(super) step: i128,
    pub(super) reading: Reading,
    /// Whether what it goes on with does not wrap either.
    pub(super) goes_on: bool,
    pub(super) casts: Vec<(Inst, Cast)>,
    /// The compares with what does not change, and how its operands are read.
    pub(super) compares: Vec<(Inst, Reading)>,
    /// What nothing but these casts uses.
    pub(super) superfluous: Vec<Inst>,
}

impl Counter {
    fn is_cast(&self, inst: Inst) -> bool {
        self.casts.iter().any(|&(cast, _)| cast == inst)
    }
}

/// Casts to [`WIDTH`] bits that stand in loops: a look at the code alone.
pub(super) fn casts(body: &Body, loops: &Loops) -> Vec<(Block, Inst)> {
    let mut found = Vec::new();
    for block in body.layout.blocks().filter(|&block| loops.innermost(block).is_some()) {
        let is_cast = |&inst: &Inst| {
            let data = body.inst(inst);
            let from = body.args(inst).first().and_then(|&arg| bits_of(body, arg));
            matches!(data.op, Op::Sext | Op::Zext) && data.ty == Type::I64 && from.is_some()
        };
        found.extend(body.layout.insts(block).filter(is_cast).map(|inst| (block, inst)));
    }
    found
}

/// The bits of a number that can be made longer; of one bit there is no counter.
fn bits_of(body: &Body, value: Value) -> Option<u32> {
    let scalar = body.value_type(value).as_scalar().filter(|&scalar| Scalar::is_int(scalar))?;
    Some(scalar.bits()).filter(|&bits| bits > 1 && bits < WIDTH)
}

/// The parameters of blocks in loops that one edge leads to: other names of what that
/// hands on.
#[derive(Debug, Default)]
struct Names {
    roots: FxHashMap<Value, Value>,
    of: FxHashMap<Value, Vec<Value>>,
}

impl Names {
    fn new(body: &Body, known: &Known<'_>) -> Names {
        let (edges, mut names) = (IncomingEdges::new(body), Names::default());
        let is_in_loop = |&block: &Block| known.loops.innermost(block).is_some();
        for block in known.graph.reverse_postorder().filter(is_in_loop) {
            let &[edge] = edges.of(block) else { continue };
            for (index, &param) in body.params(block).iter().enumerate() {
                let Some(handed) = edge.arg(body, index) else { continue };
                let root = names.root(handed);
                names.roots.insert(param, root);
                names.of.entry(root).or_default().push(param);
            }
        }
        names
    }

    fn root(&self, value: Value) -> Value {
        self.roots.get(&value).copied().unwrap_or(value)
    }

    fn of(&self, value: Value) -> Vec<Value> {
        self.of.get(&value).cloned().unwrap_or_default()
    }
}

/// What counters are found by.
pub(super) struct Finder<'a> {
    body: &'a Body,
    known: Known<'a>,
    evolution: ScalarEvolution,
    uses: Uses,
    names: Names,
}

impl<'a> Finder<'a> {
    pub(super) fn new(body: &'a Body, known: Known<'a>, evolution: &ScalarEvolution) -> Finder<'a> {
        let (uses, names) = (Uses::new(body), Names::new(body, &known));
        Finder { body, known, evolution: evolution.clone(), uses, names }
    }

    /// The counters that are made longer, those of outer loops first.
    pub(super) fn counters(&mut self, casts: &[(Block, Inst)]) -> Vec<Counter> {
        let mut by_loop = Casts::new();
        for &(block, inst) in casts {
            let expr = self.body.result(inst).and_then(|result| self.evolution.of(result));
            let Some(expr) = expr else { continue };
            let Some(recurrence) = self.evolution.as_recurrence(expr) else { continue };
            if self.known.loops.contains(recurrence.of, block) {
                by_loop[recurrence.of].push((inst, expr));
            }
        }
        let mut found = Vec::new();
        for of in self.known.loops.all() {
            if !by_loop[of].is_empty() {
                self.counters_of(of, std::mem::take(&mut by_loop[of]), &mut found);
            }
        }
        found
    }

    fn counters_of(&mut self, of: Loop, mut casts: Vec<(Inst, Expr)>, found: &mut Vec<Counter>) {
        let (body, loops) = (self.body, self.known.loops);
        let Some(data) = loops.get(of) else { return };
        let (&[latch], header) = (data.latches.as_slice(), data.header) else { return };
        let entering = preheader_jump(body, self.known.graph, loops, of);
        let (Some(entering), Some(last)) = (entering, body.layout.last_inst(latch)) else {
            return;
        };
        let mut back = (0..body.targets(last).len())
            .filter(|&index| body.targets(last)[index].block == header);
        let (Some(target), None) = (back.next(), back.next()) else { return };
        let handed = body.target_args(&body.targets(last)[target]);
        for (index, (&param, &next)) in body.params(header).iter().zip(handed).enumerate() {
            let next_value = self.names.root(next);
            let Some((next, step)) = self.step(of, param, next_value) else { continue };
            let counter = Counter {
                header,
                entering,
                back: (last, target),
                param,
                param_names: self.names.of(param),
                next_names: self.names.of(next_value),
                index,
                next,
                step,
                reading: Reading::Signed,
                goes_on: false,
                casts: Vec::new(),
                compares: Vec::new(),
                superfluous: Vec::new(),
            };
            if let Some(counter) = self.filled(of, counter, &casts) {
                casts.retain(|&(cast, _)| !counter.is_cast(cast));
                found.push(counter);
            }
        }
    }

    /// What adds the step to a counter of few bits, and the step.
    fn step(&self, of: Loop, param: Value, next: Value) -> Option<(Inst, i128)> {
        bits_of(self.body, param)?;
        let ValueDef::Result(inst, 0) = self.body.value_def(next) else { return None };
        let &[left, right] = self.body.args(inst) else { return None };
        let is_step = self.body.inst(inst).op == Op::Add
            && self.names.root(left) == param
            && self.body.as_scalar_constant(right).is_some();
        let recurrence = self.evolution.as_affine(self.evolution.of(param)?, of)?;
        let step = self.evolution.as_signed(recurrence.step)?;
        is_step.then_some((inst, step))
    }

    /// A counter with its casts and compares; nothing if it has no casts, may wrap, or is
    /// needed as it is.
    fn filled(
        &mut self,
        of: Loop,
        mut counter: Counter,
        casts: &[(Inst, Expr)],
    ) -> Option<Counter> {
        let own = self.evolution.of(counter.param)?;
        for reading in [Reading::Signed, Reading::Unsigned] {
            if !self.evolution.never_wraps(own, reading) {
                continue;
            }
            counter.reading = reading;
            counter.goes_on = self.next_fits(of, &counter);
            counter.casts = self.casts_of(own, &counter, casts);
            if !counter.casts.is_empty() {
                return self.compared(of, counter);
            }
        }
        None
    }

    /// Whether what the counter goes on with does not wrap either, when the loop ends.
    fn next_fits(&mut self, of: Loop, counter: &Counter) -> bool {
        let (own, next) = (self.evolution.of(counter.param), self.next_of(counter));
        let (Some(own), Some(next)) = (own, next) else { return false };
        let Some(Recurrence { start, .. }) = self.evolution.as_affine(own, of) else {
            return false;
        };
        if !self.evolution.never_wraps(next, counter.reading) {
            return false;
        }
        // It does not from its first round on: only the way into that one is left.
        let width = self.evolution.width(start);
        let all = Fact::any(width);
        let ((least, most), less, more) = match counter.reading {
            Reading::Signed => (all.signed(), IntCond::Sle, IntCond::Sge),
            Reading::Unsigned => ((0, all.unsigned().1 as i128), IntCond::Ule, IntCond::Uge),
        };
        let (condition, bound) = match counter.step > 0 {
            true => (less, most - counter.step),
            false => (more, least - counter.step),
        };
        let bound = self.evolution.constant(width, bound as u128);
        let compare = (start, condition, bound);
        self.evolution.holds_where_entered(self.body, self.known, of, compare)
    }

    fn next_of(&self, counter: &Counter) -> Option<Expr> {
        self.evolution.of(self.body.result(counter.next)?)
    }

    /// The casts that follow from the counter by adding a number.
    fn casts_of(
        &mut self,
        own: Expr,
        counter: &Counter,
        casts: &[(Inst, Expr)],
    ) -> Vec<(Inst, Cast)> {
        let long = self.evolution.extended(counter.reading, WIDTH, own);
        let next = self.body.result(counter.next);
        let is_next = |inst: Inst| {
            let same = match counter.reading {
                Reading::Signed => Op::Sext,
                Reading::Unsigned => Op::Zext,
            };
            let from = self.body.args(inst).first().map(|&from| self.names.root(from));
            self.body.inst(inst).op == same && from == next
        };
        let mut found = Vec::new();
        for &(inst, expr) in casts {
            if counter.goes_on && is_next(inst) {
                found.push((inst, Cast::Next));
                continue;
            }
            let more = self.evolution.sub(expr, long);
            found.extend(self.evolution.as_signed(more).map(|more| (inst, Cast::Sum(more))));
        }
        found
    }

    /// The counter with its compares. If its bits are needed in an innermost loop, it stays:
    /// vectors hold more of them as they are.
    fn compared(&self, of: Loop, mut counter: Counter) -> Option<Counter> {
        let (body, loops) = (self.body, self.known.loops);
        let is_innermost = loops.is_innermost(of);
        let next = body.result(counter.next)?;
        let mut users = self.users(of, counter.param, &counter.param_names);
        users.extend(self.users(of, next, &counter.next_names));
        for (value, user) in users {
            let is_known = user == counter.next
                || body.inst(user).op.is_terminator()
                || counter.is_cast(user)
                || counter.superfluous.contains(&user)
                || counter.compares.iter().any(|&(known, _)| known == user);
            if is_known {
                continue;
            }
            match self.compare(of, &counter, (value, user)) {
                Some(reading) if counter.goes_on || value == counter.param => {
                    counter.compares.push((user, reading));
                }
                _ if self.is_for_casts(&counter, user) => counter.superfluous.push(user),
                None if is_innermost && body.inst(user).op != Op::Icmp => return None,
                _ => {}
            }
        }
        Some(counter)
    }

    /// What uses a value in a loop, by whatever name.
    fn users(&self, of: Loop, value: Value, names: &[Value]) -> Vec<(Value, Inst)> {
        let is_inside = |user: &Inst| {
            let home = self.body.layout.block_of(*user);
            home.is_some_and(|home| self.known.loops.contains(of, home))
        };
        let names = std::iter::once(&value).chain(names);
        let users = names.flat_map(|&name| self.uses.of(self.body, name));
        users.filter(is_inside).map(|user| (value, user)).collect()
    }

    /// Whether nothing but casts of a counter uses what an instruction computes.
    fn is_for_casts(&self, counter: &Counter, inst: Inst) -> bool {
        let body = self.body;
        body.inst(inst).op.info().effects.is_empty()
            && body.result(inst).is_some_and(|result| {
                self.uses.of(body, result).iter().all(|&user| counter.is_cast(user))
            })
    }

    /// How the operands of a compare are read that is to be one of longer numbers.
    fn compare(
        &self,
        of: Loop,
        counter: &Counter,
        (value, user): (Value, Inst),
    ) -> Option<Reading> {
        let body = self.body;
        let (Payload::IntCond(condition), &[a, b]) = (body.inst(user).payload, body.args(user))
        else {
            return None;
        };
        let [left, right] = [a, b].map(|side| self.names.root(side));
        // Of another name, the block is what counts: it is wanted before the loop.
        let home = body.defining_block(if left == value { b } else { a });
        if left == right || home.is_some_and(|home| self.known.loops.contains(of, home)) {
            return None;
        }
        let has_no_sign = self.evolution.fact(self.evolution.of(value)?).signed().0 >= 0;
        let wanted = match condition {
            IntCond::Eq | IntCond::Ne => counter.reading,
            _ if condition == condition.unsigned() => Reading::Unsigned,
            _ => Reading::Signed,
        };
        (wanted == counter.reading || has_no_sign).then_some(wanted)
    }
}
