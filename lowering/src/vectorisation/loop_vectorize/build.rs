//! Writing a loop over vectors.
//!
//! ```text
//! preheader ──► before ──► vectors ⟲ ──► middle ──► exit
//!     │                                    │         ▲
//!     └──────────► rest ◄──────────────────┘         │
//!                   └──► the loop as it was ⟲ ───────┘
//! ```

mod behind;
mod copy;
mod group;
mod partial;
mod some;

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::cost::vector_of;
use super::guard::Guard;
use super::network::Network;
use super::plan::{Plan, Role};
use super::reduction::{Neutral, Reduction};
use crate::pass::{Editor, PassContext, enter_with_params, settle_rounds};

/// A loop that is being written.
struct Builder<'a, 'b, 'm> {
    editor: Editor<'b, 'm>,
    plan: &'a Plan,
    guard: Guard,
    /// What the header's parameters start with, and where the jumps are that end the new
    /// blocks.
    given: Vec<Value>,
    before: Inst,
    vectors: Block,
    vectors_end: Inst,
    middle: Block,
    middle_end: Inst,
    rest: Block,
    /// What the first round gets, and what a round hands to the next one.
    starts: Vec<Value>,
    nexts: Vec<Value>,
    /// Vectors of what is the same in all rounds.
    splats: FxHashMap<Value, Value>,
    /// How lanes of each group get to their places.
    networks: Vec<Network>,
    /// Vectors of what is not the same for each element.
    row_of: FxHashMap<Vec<Value>, Value>,
    /// What the first round of a vector computes.
    scalars: FxHashMap<Value, Value>,
    /// What all rounds of the vector compute that is being written.
    made: FxHashMap<Value, Value>,
    masks: FxHashMap<u32, Value>,
    /// What carries each parameter on: its own parameters of the new loop.
    carried: Vec<Carried>,
}

/// The parameters of the new loop that stand for one of the old one.
#[derive(Clone, Debug, Default)]
struct Carried {
    scalar: Option<Value>,
    vector: Option<Value>,
    /// Of a reduction: one for each copy, and what they are at the end of the round.
    sums: Vec<Value>,
    ends: Vec<Value>,
    /// What the copies so far add to a sum of which one is enough.
    part: Option<Value>,
}

/// Writes the loop, and leads the way into it.
pub(super) fn build(body: &mut Body, context: &mut PassContext<'_>, plan: &Plan, guard: Guard) {
    let given = plan.shape.given(body).to_vec();
    let mut after = plan.shape.preheader;
    let mut block = |body: &mut Body| {
        let block = body.make_block();
        body.layout.insert_block_after(block, after);
        after = block;
        block
    };
    let blocks = [block(body), block(body), block(body)];
    let [before, vectors, middle] = blocks;
    let rest = enter_with_params(body, plan.shape.header, middle);
    let before = append_jump(body, before, vectors, &[]);
    let vectors_end = append_jump(body, vectors, middle, &[]);
    let middle_end = append_jump(body, middle, rest, &[]);
    let params = body.params(plan.shape.header).to_vec();
    let networks = plan.networks(body, context.target);
    let mut builder = Builder {
        editor: Editor::new(body, context),
        plan,
        guard,
        given,
        before,
        vectors,
        vectors_end,
        middle,
        middle_end,
        rest,
        starts: Vec::new(),
        nexts: Vec::new(),
        splats: FxHashMap::default(),
        networks,
        row_of: FxHashMap::default(),
        scalars: FxHashMap::default(),
        made: FxHashMap::default(),
        masks: FxHashMap::default(),
        carried: vec![Carried::default(); params.len()],
    };
    builder.enter(blocks[0]);
    builder.write(&params);
    builder.leave();
    // Neither the rounds left over nor those of several copies are to be unrolled.
    settle_rounds(body, plan.shape.header);
    settle_rounds(body, vectors);
}

fn append_jump(body: &mut Body, block: Block, to: Block, args: &[Value]) -> Inst {
    let target = body.target(to, args);
    let list = body.list(&[]);
    body.append_inst(block, InstData::new(Op::Jump, Type::NONE, list, Payload::Jump(target)), &[])
}

impl Builder<'_, '_, '_> {
    fn body(&self) -> &Body {
        self.editor.body
    }

    /// Puts an end of a block in the place of another one.
    fn end(&mut self, old: Inst, op: Op, args: &[Value], payload: Payload) {
        self.editor.stand_before(old);
        self.editor.take_location(self.plan.shape.branch);
        self.editor.op_without_result(op, Type::NONE, args, payload);
        self.editor.body.remove_inst(old);
    }

    /// Leads from the preheader to the vectors, where there are some.
    fn enter(&mut self, before: Block) {
        let entering = self.plan.shape.entering;
        let before = self.editor.body.target(before, &[]);
        let rest = self.editor.body.target(self.rest, &self.given.clone());
        match self.guard.enter {
            Some(enter) => {
                self.end(entering, Op::Branch, &[enter], Payload::Branch([before, rest]));
            }
            None => self.end(entering, Op::Jump, &[], Payload::Jump(before)),
        }
    }

    fn stand(&mut self, end: Inst) {
        self.editor.stand_before(end);
        self.editor.take_location(self.plan.shape.branch);
    }

    /// A parameter of the new loop that starts so.
    fn param(&mut self, start: Value) -> Value {
        self.starts.push(start);
        let ty = self.body().value_type(start);
        self.editor.body.append_param(self.vectors, ty)
    }

    fn vector(&self, ty: Type) -> Type {
        vector_of(ty, self.plan.lanes * self.plan.parts).unwrap_or(ty)
    }

    fn write(&mut self, params: &[Value]) {
        let rounds = u128::from(self.plan.lanes * self.plan.copies);
        let zero = self.editor.constant(Type::I64, 0);
        let count = self.param(zero);
        for (index, &param) in params.iter().enumerate() {
            self.begin(index, param, count);
        }
        self.stand(self.vectors_end);
        let width = self.editor.constant(Type::I64, rounds);
        self.write_scalars();
        for copy in 0..self.plan.copies {
            self.write_copy(params, copy);
        }
        self.add_all_parts();
        self.stand(self.vectors_end);
        let next = self.editor.op(Op::Add, Type::I64, &[count, width]);
        self.nexts.push(next);
        for (index, &param) in params.iter().enumerate() {
            self.go_on(index, param, rounds);
        }
        let middle = self.editor.body.target(self.middle, &[]);
        let (vectors, nexts) = (self.vectors, std::mem::take(&mut self.nexts));
        if self.body().as_scalar_constant(self.guard.done) != Some(rounds) {
            let again = self.editor.icmp(IntCond::Ne, Type::I64, next, self.guard.done);
            let back = self.editor.body.target(vectors, &nexts);
            self.end(self.vectors_end, Op::Branch, &[again], Payload::Branch([back, middle]));
        }
        let starts = std::mem::take(&mut self.starts);
        let first = self.editor.body.target(vectors, &starts);
        self.end(self.before, Op::Jump, &[], Payload::Jump(first));
    }

    fn add_all_parts(&mut self) {
        let plan = self.plan;
        for (index, role) in plan.roles.iter().enumerate() {
            if let Role::Reduction(Reduction { narrow: Some(narrow), .. }) = role {
                self.add_parts(index, narrow);
            }
        }
    }

    /// Makes the parameters that stand for one of the old loop, if `count`, which goes up
    /// from zero, does not.
    fn begin(&mut self, index: usize, param: Value, count: Value) {
        let start = self.given[index];
        let ty = self.body().value_type(param);
        let mut carried = Carried::default();
        match &self.plan.roles[index] {
            Role::Steady => {
                self.scalars.insert(param, start);
            }
            Role::Counter(step) => {
                let is_zero = self.body().as_scalar_constant(start) == Some(0);
                if self.plan.scalars.contains(&param) && ty == Type::I64 && *step == 1 && is_zero {
                    self.scalars.insert(param, count);
                } else if self.plan.scalars.contains(&param) {
                    let own = self.param(start);
                    self.scalars.insert(param, own);
                    carried.scalar = Some(own);
                }
                if self.plan.vectors.contains(&param) {
                    let first = self.counted_lanes(ty, start, *step);
                    carried.vector = Some(self.param(first));
                }
            }
            Role::Reduction(sum) => {
                let first = self.neutral(sum, start);
                let copies = if sum.narrow.is_some() { 1 } else { self.plan.copies };
                for _ in 0..copies {
                    let own = self.param(first);
                    carried.sums.push(own);
                }
            }
            Role::Earlier(_) => {
                let first = self.splat(start);
                carried.vector = Some(self.param(first));
            }
        }
        self.carried[index] = carried;
    }

    /// What a count is in the first rounds.
    fn counted_lanes(&mut self, ty: Type, start: Value, step: u128) -> Value {
        let vector = self.vector(ty);
        let number = self.body().as_scalar_constant(start);
        let lane = |lane: u32| step.wrapping_mul(lane.into()).wrapping_add(number.unwrap_or(0));
        let lanes: Vec<u128> = (0..self.plan.lanes).map(|at| lane(at) & ones(ty)).collect();
        let lanes = self.editor.lanes(vector, lanes);
        if number.is_some() {
            return lanes;
        }
        let first = self.splat(start);
        self.stand(self.before);
        self.editor.op(Op::Add, vector, &[first, lanes])
    }

    /// What the lanes of a sum start with.
    fn neutral(&mut self, sum: &Reduction, start: Value) -> Value {
        let vector = sum.vector(self.plan.lanes).unwrap_or(sum.ty);
        let bits = sum.ty.as_scalar().map_or(1, |scalar| scalar.bits());
        let bits = match sum.neutral {
            Neutral::Start => return self.splat(start),
            Neutral::Zero => 0,
            Neutral::One => 1,
            Neutral::Ones => ones(sum.ty),
            Neutral::MinusZero => 1 << (bits - 1),
            Neutral::FloatOne if bits == 32 => 1.0_f32.to_bits().into(),
            Neutral::FloatOne => 1.0_f64.to_bits().into(),
        };
        self.editor.constant(vector, bits)
    }

    /// A vector of what is the same in all rounds.
    fn splat(&mut self, value: Value) -> Value {
        if let Some(&known) = self.splats.get(&value) {
            return known;
        }
        let vector = self.vector(self.body().value_type(value));
        let splat = match self.body().as_scalar_constant(value) {
            Some(bits) => self.editor.constant(vector, bits),
            None => {
                self.stand(self.before);
                self.editor.op(Op::Splat, vector, &[value])
            }
        };
        self.splats.insert(value, splat);
        splat
    }

    /// A vector of what is not the same for each element of a group, but in all rounds.
    fn row(&mut self, values: &[Value]) -> Value {
        let given = |builder: &Self, value: Value| {
            let index = builder.plan.index_of(builder.body(), value);
            index.map_or(value, |index| builder.given[index])
        };
        let values: Vec<Value> = values.iter().map(|&value| given(self, value)).collect();
        if let Some(known) = self.row_of.get(&values) {
            return *known;
        }
        let vector = self.vector(self.body().value_type(values[0]));
        let lanes = vector.lanes() as usize;
        let numbers: Option<Vec<u128>> =
            values.iter().map(|&value| self.body().as_scalar_constant(value)).collect();
        let row = match numbers {
            Some(numbers) => self.editor.lanes(vector, numbers.into_iter().cycle().take(lanes)),
            None => {
                self.stand(self.before);
                let lanes: Vec<Value> = values.iter().copied().cycle().take(lanes).collect();
                self.editor.op(Op::MakeVector, vector, &lanes)
            }
        };
        self.row_of.insert(values, row);
        row
    }

    /// What the parameters are in the next round of the new loop.
    fn go_on(&mut self, index: usize, param: Value, rounds: u128) {
        let ty = self.body().value_type(param);
        let carried = self.carried[index].clone();
        match &self.plan.roles[index] {
            Role::Steady => {}
            Role::Counter(step) => {
                if let Some(own) = carried.scalar {
                    self.stand(self.vectors_end);
                    let next = self.counted(ty, own, step.wrapping_mul(rounds));
                    self.nexts.push(next);
                }
                if let Some(own) = carried.vector {
                    let next = self.further(own, step.wrapping_mul(rounds) & ones(ty));
                    self.nexts.push(next);
                }
            }
            Role::Reduction(_) => self.nexts.extend(carried.ends),
            Role::Earlier(_) => self.nexts.extend(carried.ends.last()),
        }
    }

    /// A count that has gone on by a number.
    fn counted(&mut self, ty: Type, from: Value, by: u128) -> Value {
        let (op, by, suffix) = match ty == Type::PTR {
            true => (Op::PtrAdd, self.editor.constant(Type::I64, by & ones(Type::I64)), Type::NONE),
            false => (Op::Add, self.editor.constant(ty, by & ones(ty)), ty),
        };
        self.editor.op(op, suffix, &[from, by])
    }
}

/// All bits of a number of that type.
fn ones(ty: Type) -> u128 {
    match ty.as_scalar().map_or(64, |scalar| scalar.bits()) {
        bits @ 1..=127 => (1 << bits) - 1,
        _ => u128::MAX,
    }
}
