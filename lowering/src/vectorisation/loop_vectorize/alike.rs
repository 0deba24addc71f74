//! Rounds that do the same to each element of a group.
//!
//! ```text
//! a[3*i] = a[3*i]*s + t;   a[3*i+1] = a[3*i+1]*s + u;   a[3*i+2] = a[3*i+2]*s + v
//! ```
//! Then no group need be taken apart: what stands in memory is computed with as it is, several
//! rounds of all elements in a vector, and what differs from element to element but not from
//! round to round (`t`, `u`, `v`) is a vector, too (Rosen, Nuzman and Zaks, "Loop-aware SLP
//! in GCC", 2007). What is done to the first element stands for all. Where that is done to
//! elements in another order, or to one of them for all, lanes move within their rounds.
//!
//! Does not try: loops with sums or counts in them, or accesses that leave no elements out.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::Group;
use super::memory::Way;
use super::plan::{Plan, Role};

/// What stands for all elements.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// How many elements each group has.
    pub(super) parts: u32,
    /// What is computed of the first one.
    pub(super) vectors: FxHashSet<Value>,
    /// Operands, by instruction and index, that are not the same for each element.
    pub(super) rows: Rows,
    pub(super) orders: Orders,
}

/// Which place of its group each element is loaded from, where that is not its own, by the
/// load of the first one.
pub(super) type Orders = FxHashMap<Value, Vec<u32>>;

/// What instructions have as operands for each element, by the index of the operand.
pub(super) type Rows = FxHashMap<(Inst, usize), Vec<Value>>;

/// What an operand comes from, to tell those of ops apart whose order does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Steady,
    Loaded(usize),
    Made(Op),
    Other,
}

struct Search<'a> {
    body: &'a Body,
    plan: &'a Plan,
    alike: Alike,
    /// The values of all elements, by that of the first.
    known: FxHashMap<Value, Vec<Value>>,
    pending: Vec<Vec<Value>>,
}

impl Alike {
    /// Whether all that a round computes is alike for each element of its groups.
    pub(super) fn of(body: &Body, plan: &Plan) -> Option<Alike> {
        let memory = &plan.memory;
        let first = memory.groups.first()?;
        let is_like_first = |group: &Group| (group.stride, group.way) == (first.stride, first.way);
        let has_only_groups = memory.moved.iter().all(|moved| moved.part.is_some());
        // They are loaded and stored as they are.
        let has_its_lane = |group: &Group, &(inst, _): &(Inst, u32)| {
            body.inst(inst).ty == Type::scalar(group.lane)
        };
        let is_of_one_type =
            |group: &Group| group.members.iter().all(|member| has_its_lane(group, member));
        let is_in_order = first.way == Way::Up || !plan.turns;
        let has_sums =
            plan.roles.iter().any(|role| matches!(role, Role::Reduction(_) | Role::Earlier(_)));
        let fits = |group: &Group| is_like_first(group) && is_of_one_type(group);
        if !has_only_groups || !is_in_order || has_sums || !memory.groups.iter().all(fits) {
            return None;
        }
        let alike = Alike { parts: first.stride, ..Alike::default() };
        let (known, pending) = (FxHashMap::default(), Vec::new());
        let mut search = Search { body, plan, alike, known, pending };
        for group in memory.groups.iter().filter(|group| group.op == Op::Store) {
            let stores = group.by_place();
            let stored = stores.iter().map(|&store| body.args(store)[0]).collect();
            search.meet((*stores.first()?, 0), stored)?;
        }
        while let Some(values) = search.pending.pop() {
            search.look_at(&values)?;
        }
        Some(search.alike)
    }
}

impl Search<'_> {
    /// Notes what an operand is for each element.
    fn meet(&mut self, user: (Inst, usize), values: Vec<Value>) -> Option<()> {
        let first = *values.first()?;
        let is_same = values.iter().all(|&value| value == first);
        if values.iter().all(|&value| self.is_steady(value)) {
            if is_same {
                self.alike.vectors.extend(self.plan.index_of(self.body, first).map(|_| first));
                return Some(());
            }
            // Conditions have no vectors that could be put together.
            let is_number = self.body.value_type(first) != Type::I1;
            self.alike.rows.insert(user, values);
            return is_number.then_some(());
        }
        if let Some(known) = self.known.get(&first) {
            return (*known == values).then_some(());
        }
        self.alike.vectors.insert(first);
        self.known.insert(first, values.clone());
        self.pending.push(values);
        Some(())
    }

    /// Whether a value is the same in each round.
    fn is_steady(&self, value: Value) -> bool {
        let index = self.plan.index_of(self.body, value);
        let is_handed_on = index.is_some_and(|at| matches!(self.plan.roles[at], Role::Steady));
        is_handed_on || !self.plan.shape.computes(self.body, value)
    }

    /// Whether what is computed of each element is alike, but for its operands.
    fn look_at(&mut self, values: &[Value]) -> Option<()> {
        let body = self.body;
        let made = |&value: &Value| match body.value_def(value) {
            // What stands before the loop is made for its own element alone.
            ValueDef::Result(inst, 0) if self.plan.shape.computes(body, value) => {
                (body.results(inst).len() == 1).then_some(inst)
            }
            _ => None,
        };
        let insts: Vec<Inst> = values.iter().map(made).collect::<Option<_>>()?;
        let first = *insts.first()?;
        if let Some(group) = self.plan.memory.group_of(first) {
            return self.look_at_loads(group, (values[0], &insts));
        }
        let data = body.inst(first);
        let like = |inst: &InstData| {
            (inst.op, inst.ty, inst.flags, inst.payload)
                == (data.op, data.ty, data.flags, data.payload)
        };
        if !insts.iter().all(|&inst| like(body.inst(inst))) {
            return None;
        }
        let operands: Vec<Vec<Value>> =
            insts.iter().map(|&inst| self.matched(first, inst)).collect();
        for (index, &arg) in body.args(first).iter().enumerate() {
            let row = operands.iter().map(|args| args.get(index).copied());
            let row: Vec<Value> = row.collect::<Option<_>>()?;
            let ty = body.value_type(arg);
            if row.iter().any(|&value| body.value_type(value) != ty) {
                return None;
            }
            self.meet((first, index), row)?;
        }
        Some(())
    }

    /// Whether all elements are loaded from one group, as the same type.
    fn look_at_loads(&mut self, group: &Group, (first, insts): (Value, &[Inst])) -> Option<()> {
        let ty = self.body.value_type(first);
        if group.op != Op::Load || insts.iter().any(|&inst| self.body.inst(inst).ty != ty) {
            return None;
        }
        let place = |inst: &Inst| group.members.iter().find(|member| member.0 == *inst);
        let places = insts.iter().map(|inst| Some(place(inst)?.1));
        let places: Vec<u32> = places.collect::<Option<_>>()?;
        if !places.iter().zip(0..).all(|(&place, own)| place == own) {
            self.alike.orders.insert(first, places);
        }
        Some(())
    }

    /// The operands of an instruction in the order of those of another one, if either will do.
    fn matched(&self, like: Inst, inst: Inst) -> Vec<Value> {
        let mut args = self.body.args(inst).to_vec();
        if let (true, [one, other, ..], Some(&wanted)) = (
            self.body.inst(inst).op.is_commutative(),
            args.as_mut_slice(),
            self.body.args(like).first(),
        ) {
            let wanted = self.origin(wanted);
            if self.origin(*one) != wanted && self.origin(*other) == wanted {
                std::mem::swap(one, other);
            }
        }
        args
    }

    fn origin(&self, value: Value) -> Origin {
        if self.is_steady(value) {
            return Origin::Steady;
        }
        let ValueDef::Result(inst, _) = self.body.value_def(value) else { return Origin::Other };
        let part = self.plan.memory.find(inst).and_then(|moved| moved.part);
        part.map_or(Origin::Made(self.body.inst(inst).op), |part| Origin::Loaded(part.group))
    }
}
