//! What becomes of the values of a loop.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op, Theme};
use brolga_ir::types::{Scalar, Type};
use rustc_hash::FxHashSet;

use super::alike::{Alike, Orders, Rows};
use super::guard::Rounds;
use super::memory::{Memory, Way};
use super::narrow::Narrow;
use super::reduction::Reduction;
use super::refusal::Refusal;
use super::shape::{Mask, MaskParts, Round, Shape, Step};
use crate::analysis::dependence::Dependences;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{ScalarEvolution, ValueFacts};
use crate::pass::{Uses, effects_of};

/// What a parameter of the header is.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// The same in all rounds.
    Steady,
    /// It goes on by that much.
    Counter(u128),
    /// Each round puts something into it.
    Reduction(Reduction),
    /// What the round before has computed, without needing its own like.
    Earlier(Value),
}

/// A loop, and what is to become of it.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) shape: Shape,
    /// How often it goes back.
    pub(super) again: Expr,
    pub(super) round: Round,
    pub(super) memory: Memory,
    /// Of the header's parameters, one by one.
    pub(super) roles: Vec<Role>,
    /// What is computed for all rounds of a vector.
    pub(super) vectors: FxHashSet<Value>,
    /// What is computed for the first of them only: what addresses are made of.
    pub(super) scalars: FxHashSet<Value>,
    /// Whether accesses are turned round that go down: not where all do, and no lane asks
    /// for its place.
    pub(super) turns: bool,
    /// Whether the last round is done alone: what it computes is used behind the loop.
    pub(super) keeps_last: bool,
    /// How many rounds a vector is of, and how many vectors there are of each value.
    pub(super) lanes: u32,
    pub(super) copies: u32,
    /// What stands for all elements of groups, if all are alike and that is not used yet.
    pub(super) alike: Option<Alike>,
    /// How many elements of a group a vector has of each round, and what differs among them.
    pub(super) parts: u32,
    pub(super) rows: Rows,
    pub(super) orders: Orders,
}

/// What plans are made with.
pub(super) struct Known<'a> {
    pub(super) body: &'a Body,
    pub(super) uses: &'a Uses,
    pub(super) facts: &'a ValueFacts,
}

impl Plan {
    /// How its rounds are done.
    pub(super) fn rounds(&self) -> Rounds<'_> {
        Rounds {
            shape: &self.shape,
            again: self.again,
            at_once: u64::from(self.lanes * self.copies),
            keeps_last: self.keeps_last,
            tests: &self.memory.tests,
        }
    }

    /// How the lanes of some rounds of a group move for each element to be loaded from its
    /// place, if they do.
    pub(super) fn order_of(&self, first: Value, rounds: u32) -> Option<Vec<u32>> {
        let places = self.orders.get(&first)?;
        let round = |round: u32| places.iter().map(move |place| round * self.parts + place);
        Some((0..rounds).flat_map(round).collect())
    }

    /// What is to become of a loop, but for how many rounds are done at once.
    pub(super) fn of(
        known: &Known<'_>,
        dependences: &mut Dependences<'_>,
        shape: Shape,
        round: Round,
    ) -> Result<Plan, Refusal> {
        let body = known.body;
        let again = shape.again(dependences.evolution())?;
        let mut memory = Memory::of(body, dependences.evolution(), &shape, &round)?;
        let mut roles = roles(body, dependences.evolution(), &shape, &round)?;
        for (role, &param) in roles.iter_mut().zip(body.params(shape.header)) {
            if let Role::Reduction(sum) = role {
                sum.narrow = Narrow::of(known, &shape, param, sum.next);
            }
        }
        let mut plan = Plan {
            shape,
            again,
            round,
            memory: Memory::default(),
            roles,
            vectors: FxHashSet::default(),
            scalars: FxHashSet::default(),
            turns: false,
            keeps_last: false,
            lanes: 0,
            copies: 0,
            alike: None,
            parts: 1,
            rows: Rows::default(),
            orders: Orders::default(),
        };
        plan.demand(body, &memory)?;
        memory.compare(body, dependences, &plan.shape)?;
        plan.memory = memory;
        plan.turns = plan.has_order(body);
        plan.keeps_last = plan.memory.leaves_last || plan.is_used_behind(known);
        plan.order(body)?;
        plan.alike = Alike::of(body, &plan);
        Ok(plan)
    }

    /// Notes what must be computed, beginning with what is stored, added up or handed on.
    fn demand(&mut self, body: &Body, memory: &Memory) -> Result<(), Refusal> {
        let (mut wanted, mut places) = (Vec::new(), Vec::new());
        for moved in &memory.moved {
            if body.inst(moved.inst).op == Op::Store {
                wanted.push(body.args(moved.inst)[0]);
                self.want_mask(moved.mask, &mut wanted);
                places.push(memory.address(moved));
            }
        }
        for role in &self.roles {
            match role {
                Role::Reduction(reduction) => wanted.push(reduction.part()),
                Role::Earlier(value) => wanted.push(*value),
                Role::Steady | Role::Counter(_) => {}
            }
        }
        let stores = !places.is_empty();
        if !stores && !self.roles.iter().any(|role| matches!(role, Role::Reduction(_))) {
            return Err(Refusal::Nothing);
        }
        while let Some(value) = wanted.pop() {
            if self.shape.computes(body, value) && self.vectors.insert(value) {
                self.want(body, memory, value, &mut wanted, &mut places)?;
            }
        }
        while let Some(value) = places.pop() {
            if self.shape.computes(body, value) && self.scalars.insert(value) {
                self.place(body, value, &mut places)?;
            }
        }
        Ok(())
    }

    /// What a vector of values of the loop is made of.
    fn want(
        &self,
        body: &Body,
        memory: &Memory,
        value: Value,
        wanted: &mut Vec<Value>,
        places: &mut Vec<Value>,
    ) -> Result<(), Refusal> {
        let inst = match body.value_def(value) {
            ValueDef::Result(inst, _) => inst,
            ValueDef::Param(..) => return self.want_param(body, value, wanted),
            _ => return Err(Refusal::Form),
        };
        let data = body.inst(inst);
        if let Some(moved) = memory.find(inst) {
            places.push(memory.address(moved));
            return Ok(());
        }
        let args = body.args(inst);
        let is_laned = |ty: Type| ty.as_scalar().is_some_and(has_lanes);
        let lanes = data.ty.as_scalar().filter(|&lane| has_lanes(lane));
        let vector = lanes.and_then(|lane| Type::vector(lane, 2)).ok_or(Refusal::Type(data.op))?;
        let all = args.iter().chain(body.results(inst));
        if !all.into_iter().all(|&value| is_laned(body.value_type(value))) {
            return Err(Refusal::Type(data.op));
        }
        let is_plain = matches!(
            data.op.info().theme,
            Theme::Integer | Theme::Bits | Theme::Float | Theme::Compare | Theme::Convert
        );
        let has_form = data.op == Op::Select || data.op.info().suffix.contains(vector);
        let compares_truths = data.op == Op::Icmp && data.ty == Type::I1;
        if !is_plain || !has_form || compares_truths || body.results(inst).len() != 1 {
            return Err(Refusal::Op(data.op));
        }
        wanted.extend_from_slice(args);
        Ok(())
    }

    fn want_param(
        &self,
        body: &Body,
        param: Value,
        wanted: &mut Vec<Value>,
    ) -> Result<(), Refusal> {
        let lane = body.value_type(param).as_scalar().filter(|&lane| has_lanes(lane));
        let is_laned = lane.is_some();
        if let Some(index) = self.index_of(body, param) {
            return match &self.roles[index] {
                Role::Counter(_) if !is_laned => Err(Refusal::Type(Op::PtrAdd)),
                _ => Ok(()),
            };
        }
        let ways = self.round.steps.iter().find_map(|step| match step {
            Step::Merge(merged, ways) if *merged == param => Some(ways),
            _ => None,
        });
        let ways = ways.filter(|_| is_laned).ok_or(Refusal::Type(Op::Select))?;
        for &(mask, value) in ways {
            wanted.push(value);
            self.want_mask(mask, wanted);
        }
        Ok(())
    }

    fn want_mask(&self, mask: Option<Mask>, wanted: &mut Vec<Value>) {
        let mut pending = vec![mask];
        while let Some(mask) = pending.pop() {
            match mask.map(|mask| self.round.parts(mask)) {
                Some(MaskParts::Edge { from, condition, .. }) => {
                    wanted.push(condition);
                    pending.push(from);
                }
                Some(MaskParts::Either(one, other)) => pending.extend([Some(one), Some(other)]),
                None => {}
            }
        }
    }

    /// What an address of the first round of a vector is made of.
    fn place(&self, body: &Body, value: Value, places: &mut Vec<Value>) -> Result<(), Refusal> {
        match body.value_def(value) {
            ValueDef::Param(..) => {
                let role = self.index_of(body, value).map(|index| &self.roles[index]);
                match role {
                    Some(Role::Counter(_) | Role::Steady) => Ok(()),
                    _ => Err(Refusal::Carried),
                }
            }
            ValueDef::Result(inst, _) => {
                let op = body.inst(inst).op;
                if !op.info().effects.is_empty() || body.results(inst).len() != 1 {
                    return Err(Refusal::Op(op));
                }
                places.extend_from_slice(body.args(inst));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether it makes a difference which lane stands for which round.
    fn has_order(&self, body: &Body) -> bool {
        let params = body.params(self.shape.header).iter().zip(&self.roles);
        let is_asked = |(param, role): (&Value, &Role)| match role {
            Role::Counter(_) => self.vectors.contains(param),
            Role::Earlier(_) => true,
            Role::Steady | Role::Reduction(_) => false,
        };
        self.memory.moved.iter().any(|moved| moved.way == Way::Up)
            || params.into_iter().any(is_asked)
    }

    /// Which parameter of the header a value is.
    pub(super) fn index_of(&self, body: &Body, value: Value) -> Option<usize> {
        body.params(self.shape.header).iter().position(|&param| param == value)
    }

    /// Whether anything is used behind the loop that vectors do not tell: they do what is
    /// handed on, and what counts have been before that.
    fn is_used_behind(&self, known: &Known<'_>) -> bool {
        let body = known.body;
        let is_behind = |user: &Inst| {
            body.layout.block_of(*user).is_none_or(|block| !self.shape.contains(block))
        };
        let leaves = body.target_args(self.shape.leaving(body));
        self.untold(body).any(|value| {
            leaves.contains(&value) || known.uses.of(body, value).iter().any(is_behind)
        })
    }

    /// What the loop computes and vectors do not tell.
    pub(super) fn untold<'a>(&'a self, body: &'a Body) -> impl Iterator<Item = Value> + 'a {
        let handed = self.shape.handed(body);
        let is_count = move |value: Value| {
            let index = self.index_of(body, value);
            index.is_some_and(|index| matches!(self.roles[index], Role::Counter(_)))
        };
        let is_told = move |value: Value| handed.contains(&value) || is_count(value);
        let values = self.shape.blocks.iter().flat_map(|&block| {
            let made = body.layout.insts(block).flat_map(|inst| body.results(inst));
            body.params(block).iter().chain(made)
        });
        values.copied().filter(move |&value| !is_told(value))
    }

    /// The values that it names by itself: they must still be called that when it is carried out.
    pub(super) fn named(&self) -> impl Iterator<Item = Value> + '_ {
        let earlier = self.roles.iter().filter_map(|role| match role {
            Role::Earlier(value) => Some(*value),
            _ => None,
        });
        self.rows.values().flatten().copied().chain(self.round.named()).chain(earlier)
    }

    /// Puts what needs the round before behind all else, so that this is there.
    fn order(&mut self, body: &Body) -> Result<(), Refusal> {
        let params = body.params(self.shape.header).iter().zip(&self.roles);
        let earlier = params.filter(|(_, role)| matches!(role, Role::Earlier(_)));
        let mut late: FxHashSet<Value> = earlier.map(|(&param, _)| param).collect();
        if late.is_empty() {
            return Ok(());
        }
        if let Some(moved) = self.memory.moved.iter().find(|moved| moved.mask.is_some()) {
            return Err(Refusal::Conditional(body.inst(moved.inst).op));
        }
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for step in std::mem::take(&mut self.round.steps) {
            let is_late = match &step {
                Step::Do(inst, _) => body.uses(*inst).any(|value| late.contains(&value)),
                Step::Merge(_, ways) => ways.iter().any(|&(mask, value)| {
                    let mut wanted = vec![value];
                    self.want_mask(mask, &mut wanted);
                    wanted.iter().any(|value| late.contains(value))
                }),
            };
            match &step {
                Step::Do(inst, _) if is_late => late.extend(body.results(*inst)),
                Step::Merge(merged, _) if is_late => {
                    late.insert(*merged);
                }
                // A store would come behind what it stands before.
                Step::Do(inst, _) if self.memory.find(*inst).is_some() => {
                    let stores = |step: &Step| matches!(step, Step::Do(inst, _) if body.inst(*inst).op == Op::Store);
                    if last.iter().any(stores) {
                        return Err(Refusal::Carried);
                    }
                }
                _ => {}
            }
            if is_late { last.push(step) } else { first.push(step) }
        }
        first.append(&mut last);
        self.round.steps = first;
        for role in &self.roles {
            let Role::Earlier(value) = role else { continue };
            if late.contains(value) {
                return Err(Refusal::Carried);
            }
        }
        Ok(())
    }
}

/// Whether there are vectors of such lanes to compute with.
fn has_lanes(scalar: Scalar) -> bool {
    scalar == Scalar::I1 || super::memory::is_lane(scalar)
}

/// All that a round does must be loads, stores, and what computes alone.
pub(super) fn check_ops(body: &Body, module: &Module, shape: &Shape) -> Result<(), Refusal> {
    for inst in shape.blocks.iter().flat_map(|&block| body.layout.insts(block)) {
        let op = body.inst(inst).op;
        if op.is_terminator() {
            continue;
        }
        let effects = effects_of(module, body, inst);
        let is_mark = op == Op::LoopMark;
        let is_access = matches!(op, Op::Load | Op::Store);
        if !is_mark && !is_access && !effects.is_empty() {
            return Err(Refusal::Op(op));
        }
        if is_access && effects.contains(Effects::MARK) {
            return Err(Refusal::Volatile);
        }
    }
    Ok(())
}

fn roles(
    body: &Body,
    evolution: &mut ScalarEvolution,
    shape: &Shape,
    round: &Round,
) -> Result<Vec<Role>, Refusal> {
    let params = body.params(shape.header).iter().zip(shape.handed(body));
    params.map(|(&param, &next)| role(body, evolution, shape, round, (param, next))).collect()
}

fn role(
    body: &Body,
    evolution: &mut ScalarEvolution,
    shape: &Shape,
    round: &Round,
    (param, next): (Value, Value),
) -> Result<Role, Refusal> {
    if param == next {
        return Ok(Role::Steady);
    }
    let ty = body.value_type(param);
    let scalar = ty.as_scalar().ok_or(Refusal::Carried)?;
    let is_count = scalar == Scalar::Ptr || (scalar.is_int() && scalar.bits() <= 64);
    let affine = evolution.of(param).and_then(|expr| evolution.as_affine(expr, shape.of));
    let step = affine.and_then(|recurrence| evolution.as_constant(recurrence.step));
    if let Some(step) = step.filter(|_| is_count) {
        return Ok(Role::Counter(step));
    }
    if !super::memory::is_lane(scalar) {
        return Err(Refusal::Carried);
    }
    match Reduction::of(body, shape, round, param, next) {
        Ok(reduction) => Ok(Role::Reduction(reduction)),
        Err(reason) => {
            let is_param = body.params(shape.header).contains(&next);
            let depends = || depends(body, round, next, param);
            let is_earlier = reason == Refusal::Carried && !is_param && !depends();
            if is_earlier { Ok(Role::Earlier(next)) } else { Err(reason) }
        }
    }
}

/// Whether a value of the loop is computed from another one of the same round.
fn depends(body: &Body, round: &Round, value: Value, on: Value) -> bool {
    let mut inside = FxHashSet::from_iter([on]);
    for step in &round.steps {
        match step {
            Step::Do(inst, _) if body.uses(*inst).any(|used| inside.contains(&used)) => {
                inside.extend(body.results(*inst));
            }
            Step::Merge(merged, ways) => {
                // What decides is not looked at: whatever comes in may depend on it.
                if ways.len() > 1 || ways.iter().any(|way| inside.contains(&way.1)) {
                    inside.insert(*merged);
                }
            }
            Step::Do(..) => {}
        }
    }
    inside.contains(&value)
}
