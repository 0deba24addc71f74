//! How many rounds are done at once, if that pays.
//!
//! A round's time is the instructions that it takes, over those that a cycle starts, or the
//! latency of what goes from round to round, if that is more. Several vectors of each value
//! are computed side by side as long as such a latency is not hidden, or the loop is so
//! small that its own count and branch are much of it, and registers suffice.

mod group;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::Value;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alike::Alike;
use super::memory::{Moved, Way};
use super::plan::{Plan, Role};
use super::reduction::Reduction;
use super::refusal::Refusal;
use super::shape::{MaskParts, Step};
use crate::target::{Bank, TargetFacts};

/// The numbers of rounds that a vector may be of: one only if it has several elements.
const LANES: [u32; 5] = [1, 2, 4, 8, 16];

/// The most vectors of each value.
const MOST_COPIES: u32 = 4;

/// The most where sums are put together in narrow lanes: all copies share what makes them
/// as wide as the sum; and if it is not known that there are so many rounds.
const MOST_NARROW_COPIES: u32 = 8;

/// The most instructions that all copies together may take.
const MOST_SIZE: u32 = 96;

/// In how many parts a cycle is counted.
const PARTS: u64 = 1024;

/// What a loop takes beside its work: the count and the branch.
const OVERHEAD: u32 = 2;

/// What it takes to find out whether any lane of a vector is to be stored.
const CONDITION: u32 = 4;

/// The fewest lanes of vectors that wait for what the one before has stored, where a register
/// holds more: rounds that follow each other by memory wait for it one by one as well, and start
/// what does not wait meanwhile. SHA-256's schedule, of two lanes, took 1.2 times as long.
const FEWEST_WAITING: u32 = 4;

/// How many registers a vector may fill of which only some lanes are stored: all of them
/// share the question whether any is.
const MOST_REGISTERS: u32 = 4;

/// What is reckoned with, for a number of rounds.
#[derive(Clone, Copy, Debug)]
struct Price {
    lanes: u32,
    /// Instructions for each copy.
    size: u32,
    /// Those that all copies share.
    shared: u32,
    /// Cycles from round to round, in the longest chain.
    latency: u32,
    /// Registers that are held all the time, for each copy and for all of them.
    held: u32,
    steady: u32,
    /// Registers in use at once, within a copy.
    live: u32,
    /// Whether copies share what makes sums as wide as they are.
    is_narrow: bool,
}

impl Price {
    /// Cycles for all rounds of that many copies, times the width of the processor.
    fn time(&self, facts: &dyn TargetFacts, copies: u32) -> u32 {
        let work = copies * self.size + self.shared + OVERHEAD;
        work.max(self.latency * facts.width())
    }

    fn is_in_registers(&self, facts: &dyn TargetFacts, copies: u32) -> bool {
        copies * self.held + self.steady + self.live <= facts.registers(Bank::Vector)
    }

    /// How many vectors of each value there may be.
    fn usable(
        &self,
        facts: &dyn TargetFacts,
        (exact, most): (Option<u128>, Option<u128>),
    ) -> impl Iterator<Item = u32> {
        // Without a chain, two are enough for the overhead.
        let is_chained = self.latency * facts.width() > self.size;
        let most_copies = match self.is_narrow {
            true if exact.is_some() => MOST_NARROW_COPIES,
            true => MOST_COPIES,
            false if is_chained => MOST_COPIES,
            false => 2,
        };
        let price = *self;
        [1, 2, MOST_COPIES, MOST_NARROW_COPIES].into_iter().filter(move |&copies| {
            let in_registers = price.is_in_registers(facts, copies);
            let is_small = copies * price.size + price.shared <= MOST_SIZE;
            let rounds = u128::from(copies * price.lanes);
            let is_reached = most.is_none_or(|most| rounds <= most);
            copies == 1 || (copies <= most_copies && in_registers && is_small && is_reached)
        })
    }
}

impl Plan {
    /// Decides how many rounds are done at once: as many as take the least time for each.
    pub(super) fn choose(
        &mut self,
        body: &Body,
        facts: &dyn TargetFacts,
        rounds: (Option<u128>, Option<u128>),
    ) -> Result<(), Refusal> {
        let Some(mut other) = self.alike.take() else {
            return self.decide(body, facts, rounds).map(|_| ());
        };
        self.exchange(&mut other);
        let whole = self.decide(body, facts, rounds);
        // What moves no lane is never worse.
        if whole.is_ok() && self.orders.is_empty() {
            return Ok(());
        }
        let (lanes, copies) = (self.lanes, self.copies);
        self.exchange(&mut other);
        let apart = self.decide(body, facts, rounds);
        // Apart, more rounds share the loop's own count and branch, but more lanes wait for the
        // few units that move them: the work alone decides.
        let is_better = match (whole, apart) {
            (Ok(whole), Ok(apart)) => whole <= apart,
            (whole, _) => whole.is_ok(),
        };
        if !is_better {
            return apart.map(|_| ());
        }
        self.exchange(&mut other);
        (self.lanes, self.copies) = (lanes, copies);
        Ok(())
    }

    /// Puts what stands for all elements in the place of what is computed for each, or back.
    fn exchange(&mut self, other: &mut Alike) {
        std::mem::swap(&mut self.vectors, &mut other.vectors);
        std::mem::swap(&mut self.parts, &mut other.parts);
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.orders, &mut other.orders);
    }

    /// Decides that for what is computed so, and gives the work of a round.
    fn decide(
        &mut self,
        body: &Body,
        facts: &dyn TargetFacts,
        rounds: (Option<u128>, Option<u128>),
    ) -> Result<u64, Refusal> {
        // The last round may be one that vectors must leave over.
        let done = |rounds: u128| rounds.saturating_sub(self.keeps_last.into());
        let (exact, most) = rounds;
        let most = exact.or(most).map(done);
        if let Some(exact) = exact.filter(|_| most < Some(2)) {
            return Err(Refusal::Short(exact));
        }
        let before = u64::from(self.scalar_time(body, facts)) * PARTS;
        // Of all rounds that vectors do, and of what they leave over where that is known.
        let each = |price: &Price, copies: u32| {
            let width = u128::from(copies * price.lanes);
            let time = u64::from(price.time(facts, copies)) * PARTS / width as u64;
            match exact.filter(|&exact| exact <= 1 << 16) {
                None => time,
                Some(exact) => {
                    let left = (done(exact) % width + exact - done(exact)) as u64;
                    (time * (exact as u64 - left) + before * left) / exact as u64
                }
            }
        };
        let fill = self.fill(body, facts);
        if self.memory.most_lanes < fill.min(FEWEST_WAITING) {
            return Err(Refusal::Waiting);
        }
        let is_partial = self.memory.moved.iter().any(|moved| moved.mask.is_some());
        let longest = if is_partial { MOST_REGISTERS * fill } else { fill };
        let is_usable = |&lanes: &u32| {
            self.is_length(lanes, longest)
                && lanes <= self.memory.most_lanes
                && most.is_none_or(|most| u128::from(lanes) <= most)
        };
        let mut found: Vec<(u64, Price, u32)> = Vec::new();
        for lanes in LANES.into_iter().filter(is_usable) {
            let Some(price) = self.price(body, facts, lanes) else { continue };
            let is_long = lanes > fill;
            if is_long && !price.is_in_registers(facts, 1) {
                continue;
            }
            // What is longer than a register is several copies already.
            let usable = price.usable(facts, (exact, most));
            for copies in usable.filter(|&copies| !is_long || copies == 1) {
                found.push((each(&price, copies), price, copies));
            }
        }
        let least = found.iter().map(|found| found.0).min().ok_or(Refusal::Cost)?;
        if least * 10 >= before * 9 {
            return Err(Refusal::Cost);
        }
        // As short as comes close to the least time.
        let close = found.into_iter().filter(|found| found.0 * 100 <= least * 103);
        let shortest = close.min_by_key(|(_, price, copies)| (price.lanes * copies, *copies));
        let (_, price, copies) = shortest.ok_or(Refusal::Cost)?;
        (self.lanes, self.copies) = (price.lanes, copies);
        Ok(u64::from(price.size) * PARTS / u64::from(price.lanes))
    }

    /// Whether vectors may be of so many rounds, where `longest` lanes are not too many.
    fn is_length(&self, rounds: u32, longest: u32) -> bool {
        match self.parts {
            1 => (2..=longest).contains(&rounds),
            // Only several registers are filled by threes.
            parts if !parts.is_power_of_two() => rounds <= longest,
            parts => rounds == 1 || rounds * parts <= longest,
        }
    }

    /// Whether a store that only some rounds make asks once for several registers.
    pub(super) fn shares_questions(&self, facts: &dyn TargetFacts) -> bool {
        let fills_several = |moved: &Moved| {
            vector_of(moved.ty, self.lanes).is_some_and(|ty| facts.registers_of(ty) > 1)
        };
        self.memory.moved.iter().any(|moved| moved.mask.is_some() && fills_several(moved))
    }

    /// How many of the smallest lanes fill a register: with more, vectors would only be
    /// copies that are worse ordered, where they do not share a question.
    fn fill(&self, body: &Body, facts: &dyn TargetFacts) -> u32 {
        let loaded = self.memory.moved.iter().map(|moved| moved.ty);
        let params = body.params(self.shape.header).iter().zip(&self.roles);
        let sums = params.filter(|(_, role)| matches!(role, Role::Reduction(_)));
        let all = loaded.chain(sums.map(|(&param, _)| body.value_type(param)));
        let bits = all.filter_map(|ty| ty.as_scalar()).map(Scalar::bits).min();
        facts.vector_bits() / bits.unwrap_or(64).max(8)
    }

    /// The time of a round as it is.
    fn scalar_time(&self, body: &Body, facts: &dyn TargetFacts) -> u32 {
        let cost = |step: &Step| match *step {
            Step::Do(inst, _) => {
                let ty = body.inst(inst).ty;
                facts.cost(body.inst(inst).op, ty, ty)
            }
            Step::Merge(_, ref ways) => ways.len() as u32,
        };
        let work: u32 = self.round.steps.iter().map(cost).sum::<u32>() + OVERHEAD - 1;
        work.max(self.chain(facts, None) * facts.width())
    }

    /// The cycles that the longest chain from round to round takes.
    fn chain(&self, facts: &dyn TargetFacts, lanes: Option<u32>) -> u32 {
        let chains = self.roles.iter().map(|role| match role {
            Role::Reduction(sum) => {
                let vector = lanes.and_then(|lanes| sum.vector(lanes));
                let ty = vector.unwrap_or(sum.ty);
                let of = |&op: &Op| match op {
                    // Only the sum is on the way.
                    Op::Muladd => facts.latency(Op::Fadd, ty),
                    op => facts.latency(op, ty),
                };
                sum.ops.iter().map(of).sum()
            }
            _ => 0,
        });
        chains.max().unwrap_or(0)
    }

    /// What that many rounds take; nothing if there are no such vectors.
    fn price(&self, body: &Body, facts: &dyn TargetFacts, rounds: u32) -> Option<Price> {
        let lanes = rounds * self.parts;
        let mut price = Price {
            lanes: rounds,
            size: 0,
            shared: self.scalars.len() as u32,
            latency: self.chain(facts, Some(lanes)),
            held: 0,
            steady: self.row_registers(body, facts, lanes)?,
            live: 0,
            is_narrow: false,
        };
        for step in &self.round.steps {
            price.size += self.step_cost(body, facts, step, lanes)?;
        }
        for (role, &param) in self.roles.iter().zip(body.params(self.shape.header)) {
            let ty = body.value_type(param);
            match role {
                Role::Reduction(Reduction { narrow: Some(narrow), .. }) => {
                    let (each, all) = narrow.cost(facts, lanes, MOST_NARROW_COPIES)?;
                    price.size += each;
                    price.shared += all;
                    price.steady += 2 * facts.registers_of(narrow.sum(lanes)?);
                    price.is_narrow = true;
                }
                Role::Reduction(sum) => price.held += facts.registers_of(vector_of(sum.ty, lanes)?),
                Role::Earlier(_) => {
                    let vector = vector_of(ty, lanes)?;
                    price.size += facts.shuffle_cost(vector);
                    price.steady += facts.registers_of(vector);
                }
                Role::Counter(_) if self.vectors.contains(&param) => {
                    let vector = vector_of(ty, lanes)?;
                    price.size += facts.registers_of(vector);
                    price.steady += 2 * facts.registers_of(vector);
                }
                Role::Counter(_) => price.shared += u32::from(self.scalars.contains(&param)),
                Role::Steady => {}
            }
        }
        (price.live, price.steady) = self.pressure(body, facts, lanes, price.steady)?;
        Some(price)
    }

    /// Registers that are in use within a copy at most, and those that hold what is the
    /// same in all rounds.
    fn pressure(
        &self,
        body: &Body,
        facts: &dyn TargetFacts,
        lanes: u32,
        steady: u32,
    ) -> Option<(u32, u32)> {
        let registers =
            |value: Value| Some(facts.registers_of(vector_of(body.value_type(value), lanes)?));
        let mut last: FxHashMap<Value, usize> = FxHashMap::default();
        let mut outside: FxHashSet<Value> = FxHashSet::default();
        let mut steady = steady;
        let steps = || self.round.steps.iter().enumerate();
        for (at, step) in steps().filter(|(_, step)| self.is_made(body, step)) {
            for value in self.operands(body, step) {
                if self.shape.computes(body, value) {
                    last.insert(value, at);
                } else if outside.insert(value) {
                    // All registers of a vector of one value are the same one.
                    steady += registers(value)?.min(1);
                }
            }
        }
        let (mut live, mut most) = (0, 0);
        for (at, step) in steps().filter(|(_, step)| self.is_made(body, step)) {
            for made in self.made_by(body, step).iter().filter(|made| last.contains_key(made)) {
                live += registers(*made)?;
            }
            most = most.max(live + self.between(step, facts, lanes)?);
            for value in self.operands(body, step) {
                let is_param = self.index_of(body, value).is_some();
                if last.get(&value) == Some(&at) && !is_param {
                    last.remove(&value);
                    live -= registers(value)?.min(live);
                }
            }
        }
        Some((most, steady))
    }

    /// Whether a step is done for all rounds of a vector.
    pub(super) fn is_made(&self, body: &Body, step: &Step) -> bool {
        match *step {
            Step::Do(inst, _) if body.inst(inst).op == Op::Store => {
                self.memory.group_of(inst).is_none_or(|group| group.at == inst)
            }
            _ => self.made_by(body, step).iter().any(|made| self.vectors.contains(made)),
        }
    }

    /// What a step computes.
    fn made_by(&self, body: &Body, step: &Step) -> Vec<Value> {
        match step {
            Step::Do(inst, _) => match self.memory.group_of(*inst) {
                Some(group) if group.at != *inst => Vec::new(),
                Some(group) => {
                    let results = group.members.iter().filter_map(|&(inst, _)| body.result(inst));
                    results.filter(|result| self.vectors.contains(result)).collect()
                }
                None => body.result(*inst).into_iter().collect(),
            },
            Step::Merge(param, _) => vec![*param],
        }
    }

    /// The values of which vectors a step needs.
    fn operands(&self, body: &Body, step: &Step) -> Vec<Value> {
        match step {
            Step::Do(inst, _) => match (body.inst(*inst).op, self.memory.group_of(*inst)) {
                (Op::Load, _) => Vec::new(),
                (Op::Store, Some(group)) => {
                    let stores = group.by_place().into_iter();
                    let stored = stores.map(|store| body.args(store)[0]);
                    stored.take((group.stride / self.parts) as usize).collect()
                }
                (Op::Store, None) => body.args(*inst)[..1].to_vec(),
                _ => body.args(*inst).to_vec(),
            },
            Step::Merge(_, ways) => {
                let condition = |way: &(_, Value)| {
                    let mask: Option<super::shape::Mask> = way.0;
                    match mask.map(|mask| self.round.parts(mask)) {
                        Some(MaskParts::Edge { condition, .. }) => Some(condition),
                        _ => None,
                    }
                };
                ways.iter().map(|way| way.1).chain(ways.iter().filter_map(condition)).collect()
            }
        }
    }

    fn step_cost(
        &self,
        body: &Body,
        facts: &dyn TargetFacts,
        step: &Step,
        lanes: u32,
    ) -> Option<u32> {
        if !self.is_made(body, step) {
            return Some(0);
        }
        let inst = match step {
            Step::Do(inst, _) => *inst,
            Step::Merge(param, ways) => {
                let ty = vector_of(body.value_type(*param), lanes)?;
                return Some(ways.len() as u32 * facts.registers_of(ty));
            }
        };
        let data = body.inst(inst);
        if let Some(group) = self.memory.group_of(inst) {
            return self.group_cost(body, facts, group, lanes);
        }
        if let Some(moved) = self.memory.find(inst) {
            let ty = vector_of(moved.ty, lanes)?;
            let is_turned = moved.way == Way::Down && self.turns;
            let turned = if is_turned { facts.shuffle_cost(ty) } else { 0 };
            // A store in some rounds is one in none or all of a vector mostly; else each lane
            // goes its way. The masks of several registers are put together.
            let together = 2 * (facts.registers_of(ty) - 1);
            let apart =
                if moved.mask.is_some() { CONDITION + together + turned + lanes } else { 0 };
            return Some(facts.access_cost(ty) + turned + apart);
        }
        let args = body.args(inst);
        let from = body.value_type(*args.first()?);
        let (from, to) = (vector_of(from, lanes)?, vector_of(data.ty, lanes)?);
        Some(match data.op {
            Op::Shl | Op::Lshr | Op::Ashr | Op::Rotl | Op::Rotr | Op::Fshl | Op::Fshr
                if args.last().is_some_and(|&by| body.as_constant(by).is_none()) =>
            {
                4 * lanes
            }
            Op::Select => facts.registers_of(to) + self.mask_cost(body, facts, args[0], to),
            op => facts.cost(op, from, to),
        })
    }

    /// What it takes to bring the mask that a compare gives to the width of what is chosen.
    fn mask_cost(&self, body: &Body, facts: &dyn TargetFacts, mask: Value, to: Type) -> u32 {
        let ValueDef::Result(inst, _) = body.value_def(mask) else { return 0 };
        let bits = |ty: Type| ty.lane().map_or(0, Scalar::bits);
        let (own, other) = (bits(body.inst(inst).ty), bits(to));
        // Answers of calls have no width, and masks of masks none of their own.
        match own == other || own.min(other) <= 1 {
            true => 0,
            false => facts.shuffle_cost(to) * (own.max(other) / own.min(other)).ilog2(),
        }
    }
}

/// The vector of that many lanes.
pub(super) fn vector_of(ty: Type, lanes: u32) -> Option<Type> {
    Type::vector(ty.as_scalar()?, lanes)
}
