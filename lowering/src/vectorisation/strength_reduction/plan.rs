//! What becomes of what moves in a loop.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::Value;
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ledger::{Form, Ledger, Saved};
use super::moving::{Family, Moving, Rounds, Shape};
use crate::analysis::ScalarEvolution;
use crate::analysis::addresses::Bases;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::value_facts::sign_extended;
use crate::loops::expansion::{Available, Expansion, NEVER};

/// The most parameters that a loop gets.
const MOST_NEW: usize = 4;

/// The most pointers of a loop that are looked at.
const MOST_POINTERS: usize = 16;

/// The most addresses that are looked at for each pointer.
const MOST_MADE: usize = 32;

/// How far from a register an access may be.
const MOST_APART: u64 = 1 << 30;

/// The greatest power of two by which addressing multiplies.
const MOST_SCALE: u32 = 3;

/// What stays the same all through a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Steady {
    Number(Expr),
    /// An address, and what is added to it.
    Address(Value, Expr),
}

/// What goes on from round to round, of which others are made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Carrier {
    /// A parameter of the header.
    Known(Value),
    /// A new one of that type: with what it starts, and what is added in each round.
    New(Type, Steady, Expr),
}

/// A carrier as a recurrence.
#[derive(Clone, Copy)]
struct Source {
    carrier: Carrier,
    start: Expr,
    step: Expr,
    level: u32,
}

/// A value that is made of the carrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) moving: Moving,
    /// What is added, beside the number of the form.
    pub(super) base: Option<Steady>,
    pub(super) form: Form,
}

/// What is changed in a loop.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) shape: Shape,
    pub(super) carrier: Carrier,
    pub(super) items: Vec<Item>,
    /// The parameter of the header that is no more handed on.
    pub(super) dropped: Option<Value>,
    pub(super) saved: Saved,
}

/// What plans are made with.
pub(super) struct Planner<'a> {
    pub(super) body: &'a Body,
    pub(super) evolution: &'a mut ScalarEvolution,
    pub(super) available: &'a Available,
    pub(super) dominators: &'a Dominators,
    pub(super) bases: &'a Bases,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) rounds: &'a Rounds,
    /// How many registers the plans so far take.
    pub(super) taken: u32,
}

impl Planner<'_> {
    /// The plans of a loop; none of them is about what another one is about.
    pub(super) fn plans(&mut self) -> Vec<Plan> {
        let mut groups: Vec<Vec<Moving>> = Vec::new();
        let mut numbers: FxHashMap<Family, usize> = FxHashMap::default();
        for moving in self.rounds.moving.iter().filter(|moving| moving.inst.is_some()) {
            if self.ledger.is_wanted(moving) {
                let number = *numbers.entry(moving.family).or_insert(groups.len());
                if number == groups.len() {
                    groups.push(Vec::new());
                }
                groups[number].push(*moving);
            }
        }
        let mut plans: Vec<Plan> = Vec::new();
        for group in groups {
            if plans.len() < MOST_NEW
                && let Some(plan) = self.products(&group)
            {
                plans.push(plan);
            }
        }
        let mut touched: FxHashSet<Value> = FxHashSet::default();
        for plan in &plans {
            touched.extend(plan.items.iter().map(|item| item.moving.value));
            let results = plan.saved.order.iter().filter_map(|&inst| self.body.result(inst));
            touched.extend(results);
        }
        let params = self.rounds.moving.iter().filter(|moving| moving.inst.is_none());
        for param in params.filter(|param| param.is_address()).take(MOST_POINTERS) {
            plans.extend(self.pointer(param, &touched));
        }
        plans
    }

    /// What of a family is computed by products goes on by additions.
    fn products(&mut self, group: &[Moving]) -> Option<Plan> {
        let least = group.iter().map(|moving| moving.level).min()?;
        let near = |moving: &&Moving| moving.level <= least + MOST_SCALE;
        let mut chosen: Vec<Moving> = group.iter().filter(near).copied().collect();
        let known = self.known(&chosen);
        if known.is_some() {
            chosen.retain(|moving| self.has_product(&self.ledger.saved(&[moving.value], None)));
        }
        let values: Vec<Value> = chosen.iter().map(|moving| moving.value).collect();
        if !self.has_product(&self.ledger.saved(&values, None)) {
            return None;
        }
        let source = match known {
            Some(known) => self.known_source(&known),
            None => self.new_source(&chosen, least)?,
        };
        self.planned(source, &chosen, None)
    }

    fn has_product(&self, saved: &Saved) -> bool {
        saved.order.iter().any(|&inst| self.ledger.is_product(inst))
    }

    /// A number of the header of which all of them are multiples by powers of two that
    /// addressing does.
    fn known(&self, chosen: &[Moving]) -> Option<Moving> {
        let family = chosen.first()?.family;
        let levels = || chosen.iter().map(|one| one.level);
        let (least, most) = (levels().min()?, levels().max()?);
        self.rounds.param_of(family, most.saturating_sub(MOST_SCALE)..=least).copied()
    }

    fn known_source(&self, known: &Moving) -> Source {
        let &Moving { value, start, step, level, .. } = known;
        Source { carrier: Carrier::Known(value), start, step, level }
    }

    /// A parameter of which all can be made: an address, if they are at distances from it that
    /// stay the same, and of one object; else a number.
    fn new_source(&mut self, chosen: &[Moving], level: u32) -> Option<Source> {
        let lowest = |moving: &&Moving| moving.level == level;
        let number = chosen.iter().filter(lowest).find(|moving| !moving.is_address());
        if let Some(&Moving { ty, start, step, .. }) = number {
            let carrier = Carrier::New(ty, Steady::Number(start), step);
            return Some(Source { carrier, start, step, level });
        }
        let first = chosen.iter().find(lowest)?;
        let step = first.step;
        let (root, distance) = self.address(first, first.start)?;
        let is_of_one = chosen.iter().all(|moving| {
            let own = self.address(moving, moving.start);
            moving.level == level && own.is_some_and(|own| own.0 == root)
        });
        let (carrier, start) = match is_of_one {
            true => (Carrier::New(Type::PTR, Steady::Address(root, distance), step), first.start),
            false => (Carrier::New(Type::I64, Steady::Number(distance), step), distance),
        };
        Some(Source { carrier, start, step, level })
    }

    fn expansion(&mut self) -> Expansion<'_> {
        Expansion {
            evolution: self.evolution,
            available: self.available,
            dominators: self.dominators,
            block: self.rounds.shape.preheader,
        }
    }

    /// The object that an address is in, and what is added to its own address.
    fn address(&mut self, moving: &Moving, expr: Expr) -> Option<(Value, Expr)> {
        let body = self.body;
        let (root, rest) = self.expansion().address_parts(body, expr, Type::PTR)?;
        // What is added to another object is in that one, for all who ask.
        let is_of_it = self.bases.of(root) == self.bases.of(moving.value);
        is_of_it.then(|| (root, self.evolution.expanded(rest)))
    }

    /// How one is made of a carrier, if it can be.
    fn item(&mut self, source: &Source, moving: &Moving) -> Option<Item> {
        let scale = moving.level.checked_sub(source.level).filter(|&scale| scale <= MOST_SCALE)?;
        let times = 1_u128 << scale;
        if self.evolution.scale(source.step, times) != moving.step {
            return None;
        }
        let multiple = self.evolution.scale(source.start, times);
        let rest = self.evolution.sub(moving.start, multiple);
        let is_number = !moving.is_address()
            || matches!(source.carrier, Carrier::New(_, Steady::Address(..), _));
        let (root, rest) = match is_number {
            true => (None, self.evolution.expanded(rest)),
            false => self.address(moving, rest).map(|(root, rest)| (Some(root), rest))?,
        };
        let (rest, more) = self.without_number(rest);
        let base = match root {
            Some(root) => Some(Steady::Address(root, rest)),
            None if self.evolution.as_constant(rest) == Some(0) => None,
            None => Some(Steady::Number(rest)),
        };
        let form = Form { scale, has_base: base.is_some(), more };
        Some(Item { moving: *moving, base, form })
    }

    /// An expression, and the number in it, if addressing adds such.
    fn without_number(&mut self, expr: Expr) -> (Expr, i64) {
        let number = sign_extended(self.evolution.width(expr), self.evolution.number_in(expr));
        match i64::try_from(number) {
            Ok(more) if more.unsigned_abs() <= MOST_APART => {
                (self.evolution.add_constant(expr, number.wrapping_neg() as u128), more)
            }
            _ => (expr, 0),
        }
    }

    /// The plan to make all of them of a carrier, if that pays.
    fn planned(
        &mut self,
        source: Source,
        chosen: &[Moving],
        dropped: Option<Value>,
    ) -> Option<Plan> {
        let ledger = self.ledger;
        let items: Vec<Item> =
            chosen.iter().filter_map(|moving| self.item(&source, moving)).collect();
        let values: Vec<Value> = items.iter().map(|item| item.moving.value).collect();
        let saved = ledger.saved(&values, dropped);
        let is_worth_it = match dropped {
            Some(_) => items.len() == chosen.len(),
            None => self.has_product(&saved),
        };
        if items.is_empty() || !is_worth_it {
            return None;
        }
        let (shape, carrier) = (self.rounds.shape, source.carrier);
        let plan = Plan { shape, carrier, items, dropped, saved };
        let before = self.cost_before(&plan)?;
        let most = self.evolution.trips(shape.of).and_then(|trips| trips.most);
        let (held, new) = self.needs(&plan);
        let new = new + self.taken;
        if !ledger.pays(&plan, before, most) || !ledger.has_registers(&plan, &held, new) {
            return None;
        }
        self.taken = new;
        Some(plan)
    }

    /// What a plan holds in registers that is there already, and how much more.
    fn needs(&self, plan: &Plan) -> (FxHashSet<Value>, u32) {
        let is_number = |expr: Expr| self.evolution.as_constant(expr).is_some();
        let (mut held, mut new) = (FxHashSet::default(), 0);
        if let Carrier::New(_, _, step) = plan.carrier {
            new += 1 + u32::from(!is_number(step));
        }
        let mut bases: FxHashSet<Steady> = FxHashSet::default();
        let each = plan.items.iter().filter_map(|item| item.base);
        for base in each.filter(|&base| bases.insert(base)) {
            match base {
                Steady::Address(root, rest) if self.evolution.as_constant(rest) == Some(0) => {
                    held.insert(root);
                }
                _ => new += 1,
            }
        }
        (held, new)
    }

    /// How many instructions a plan takes before the loop; nothing if there is one among them
    /// that cannot be.
    fn cost_before(&mut self, plan: &Plan) -> Option<u32> {
        let mut others = FxHashSet::default();
        let mut cost = 0;
        if let Carrier::New(ty, start, step) = plan.carrier {
            let number = if ty == Type::PTR { Type::I64 } else { ty };
            cost += self.cost_of(start, number, &mut others)?;
            cost += self.cost_of(Steady::Number(step), number, &mut others)?;
        }
        for item in &plan.items {
            let number = if item.moving.is_address() { Type::I64 } else { item.moving.ty };
            if let Some(base) = item.base {
                cost += self.cost_of(base, number, &mut others)?;
            }
        }
        Some(cost)
    }

    fn cost_of(&mut self, what: Steady, ty: Type, others: &mut FxHashSet<Expr>) -> Option<u32> {
        let body = self.body;
        let (number, own) = match what {
            Steady::Number(number) => (number, 0),
            Steady::Address(_, number) if self.evolution.as_constant(number) == Some(0) => {
                return Some(0);
            }
            Steady::Address(_, number) => (number, 1),
        };
        let cost = self.expansion().cost_beside(body, number, ty, others);
        (cost < NEVER).then_some(cost + own)
    }

    /// A pointer that goes on beside a number of which addressing makes it.
    fn pointer(&mut self, param: &Moving, touched: &FxHashSet<Value>) -> Option<Plan> {
        let made = self.made_from(param, touched)?;
        let source = self.known(&made).map(|known| self.known_source(&known))?;
        self.planned(source, &made, Some(param.value))
    }

    /// The addresses that accesses of a loop go by at distances from a pointer: if nothing
    /// else is made of it but the next one.
    fn made_from(&self, param: &Moving, touched: &FxHashSet<Value>) -> Option<Vec<Moving>> {
        let (body, ledger, rounds) = (self.body, self.ledger, self.rounds);
        let (mut made, mut open) = (Vec::new(), vec![*param]);
        while let Some(moving) = open.pop() {
            let is_known = touched.contains(&moving.value) || made.len() > MOST_MADE;
            if is_known || !ledger.is_for_accesses(&moving) {
                return None;
            }
            // The pointer itself goes, whoever uses it.
            if moving.inst.is_none() || ledger.is_wanted(&moving) {
                made.push(moving);
            }
            for user in ledger.uses.of(body, moving.value) {
                if user == rounds.shape.back.0 {
                    let is_next = rounds.shape.handed(body, param.value) == Some(moving.value);
                    (is_next && rounds.is_handed_once(moving.value)).then_some(())?;
                } else if let Some(next) = rounds.made_by(body, user) {
                    (next.is_address() && next.step == param.step).then_some(())?;
                    open.push(*next);
                }
            }
        }
        Some(made)
    }
}
