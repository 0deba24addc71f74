//! Which counters of a loop go on as another one of it does.
//!
//! Parameters of a header that are the same recurrence are one number by several names: the
//! first stands for the others. One that is another one and a number in all rounds can be
//! computed from that where a round begins, and need not be handed on: that takes an addition
//! for an addition, and a register less from round to round. One of few bits may be the low
//! bits of another one. All of it is modulo two to the width, so that nothing is asked of
//! what wraps.
//!
//! Addresses are one only where they were made from the same object, as code that goes by
//! either says that it stays in it.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::addresses::{Base, Bases};
use crate::analysis::scalar_evolution::{Expr, Recurrence};
use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::loops::form::back_edge;
use crate::pass::Uses;

/// What becomes of counters that are the low bits of longer ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Short {
    /// They stay: vectors hold more of them as they are.
    Stays,
    /// They are made of the longer ones, which costs nothing.
    Goes,
}

/// What a counter is by another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Same,
    /// That, and the number of those bits.
    Sum(u128),
    LowBits,
}

/// A counter that goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) header: Block,
    pub(super) gone: Value,
    pub(super) stays: Value,
    pub(super) way: Way,
    /// The only edge that leads back.
    pub(super) back: Option<Edge>,
}

/// Where the counters of a loop are.
#[derive(Clone, Copy)]
struct Place {
    header: Block,
    back: Option<Edge>,
}

impl Place {
    fn pair(self, gone: Value, stays: Value, way: Way) -> Pair {
        Pair { header: self.header, gone, stays, way, back: self.back }
    }
}

/// A parameter of a header, and the recurrence that it is.
#[derive(Clone, Copy)]
struct Counter {
    index: usize,
    param: Value,
    ty: Type,
    expr: Expr,
    recurrence: Recurrence,
    /// The object that an address was made from.
    base: Base,
}

/// What pairs are found by.
pub(super) struct Finder<'a> {
    body: &'a Body,
    uses: &'a Uses,
    loops: &'a Loops,
    evolution: &'a mut ScalarEvolution,
    bases: Option<&'a Bases>,
    short: Short,
    /// How often instructions that lead back use each value.
    handed: FxHashMap<Inst, FxHashMap<Value, u32>>,
}

/// Whether two parameters of one header may go on alike: a look at the code alone.
pub(super) fn may_be_alike(body: &Body, loops: &Loops) -> bool {
    loops.all().any(|of| {
        let Some(data) = loops.get(of) else { return false };
        let params = body.params(data.header).iter();
        if params.clone().filter(|&&param| is_counter(body, param)).take(2).count() < 2 {
            return false;
        }
        let back = back_edge(body, loops, of);
        let goes_on = |index: usize| back.is_none_or(|back| may_go_on(body, back, index));
        let counters = params.enumerate().filter(|&(_, &param)| is_counter(body, param));
        counters.filter(|&(index, _)| goes_on(index)).take(2).count() == 2
    })
}

/// Whether what an edge hands on may be what a counter goes on with: not what an op gives
/// that stands for itself, whatever it was made of.
fn may_go_on(body: &Body, back: Edge, index: usize) -> bool {
    let next = back.arg(body, index).map(|next| body.value_def(next));
    match next {
        Some(ValueDef::Result(inst, _)) => ScalarEvolution::sees_through(body.inst(inst).op),
        _ => true,
    }
}

/// Whether two addresses may go on alike.
pub(super) fn has_addresses(body: &Body, loops: &Loops) -> bool {
    loops.all().filter_map(|of| loops.get(of)).any(|data| {
        let params = body.params(data.header).iter();
        params.filter(|&&param| body.value_type(param) == Type::PTR).take(2).count() == 2
    })
}

fn is_counter(body: &Body, param: Value) -> bool {
    let ty = body.value_type(param);
    ty == Type::PTR || ty.as_scalar().is_some_and(|scalar| scalar.is_int() && scalar != Scalar::I1)
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        body: &'a Body,
        uses: &'a Uses,
        loops: &'a Loops,
        evolution: &'a mut ScalarEvolution,
        bases: Option<&'a Bases>,
        short: Short,
    ) -> Finder<'a> {
        Finder { body, uses, loops, evolution, bases, short, handed: FxHashMap::default() }
    }

    /// The counters that go, in the order of the loops; none of those that stay is among
    /// them, unless its low bits do.
    pub(super) fn pairs(&mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for of in self.loops.all() {
            let Some(header) = self.loops.get(of).map(|data| data.header) else { continue };
            let mut counters = self.counters(of, header);
            if counters.len() < 2 {
                continue;
            }
            let place = Place { header, back: back_edge(self.body, self.loops, of) };
            same(place, &mut counters, &mut pairs);
            self.apart(place, &mut counters, &mut pairs);
            if self.short == Short::Goes {
                self.low_bits(place, &counters, &mut pairs);
            }
        }
        pairs
    }

    fn counters(&self, of: Loop, header: Block) -> Vec<Counter> {
        let params = self.body.params(header).iter().enumerate();
        let counters = params.filter(|&(_, &param)| is_counter(self.body, param));
        let counter = |(index, &param): (usize, &Value)| {
            let expr = self.evolution.of(param)?;
            let recurrence = self.evolution.as_recurrence(expr).filter(|known| known.of == of)?;
            let ty = self.body.value_type(param);
            let base = match ty == Type::PTR {
                true => self.bases?.of(param),
                false => Base::Nowhere,
            };
            Some(Counter { index, param, ty, expr, recurrence, base })
        };
        counters.filter_map(counter).collect()
    }

    /// Those that another one is a number away from.
    fn apart(&mut self, place: Place, counters: &mut Vec<Counter>, pairs: &mut Vec<Pair>) {
        let mut groups: Vec<Vec<Counter>> = Vec::new();
        let mut numbers: FxHashMap<(Expr, Expr, Type, Base), usize> = FxHashMap::default();
        for &counter in counters.iter() {
            let Recurrence { start, step, .. } = counter.recurrence;
            let number = self.evolution.number_in(start);
            let start = self.evolution.add_constant(start, number.wrapping_neg());
            let key = (start, step, counter.ty, counter.base);
            let group = *numbers.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(counter);
        }
        let mut gone: FxHashSet<Value> = FxHashSet::default();
        for group in groups.iter().filter(|group| group.len() > 1) {
            let may_go: Vec<bool> =
                group.iter().map(|counter| self.saves_its_own(place, counter)).collect();
            // One that is to stay anyway is what the others are made of.
            let stays = may_go.iter().position(|may_go| !may_go).unwrap_or(0);
            let stays = (group[stays], stays);
            for (index, counter) in group.iter().enumerate() {
                if index == stays.1 || !may_go[index] {
                    continue;
                }
                let more = self.evolution.sub(counter.expr, stays.0.expr);
                if let Some(more) = self.evolution.as_constant(more) {
                    pairs.push(place.pair(counter.param, stays.0.param, Way::Sum(more)));
                    gone.insert(counter.param);
                }
            }
        }
        counters.retain(|counter| !gone.contains(&counter.param));
    }

    /// Whether the addition by which a counter goes on is needed no more if the counter is
    /// computed from another one: nothing else uses what it gives, or it is all that uses
    /// the counter and becomes that computation.
    fn saves_its_own(&mut self, place: Place, counter: &Counter) -> bool {
        let Some(back) = place.back else { return false };
        let Some(next) = back.arg(self.body, counter.index) else { return false };
        let ValueDef::Result(inst, 0) = self.body.value_def(next) else { return false };
        let is_addition = matches!(self.body.inst(inst).op, Op::Add | Op::Sub | Op::PtrAdd)
            && self.body.args(inst).contains(&counter.param);
        if !is_addition {
            return false;
        }
        let is_only_user = self.uses.of(self.body, counter.param)[..] == [inst];
        is_only_user
            || (self.is_handed_once(back.inst, next)
                && self.uses.of(self.body, next)[..] == [back.inst])
    }

    /// Whether an instruction that leads back uses a value once. It may hand on many: they are
    /// counted together, and once where several loops go back by it.
    fn is_handed_once(&mut self, back: Inst, value: Value) -> bool {
        let body = self.body;
        let handed = self.handed.entry(back).or_insert_with(|| {
            let mut counts: FxHashMap<Value, u32> = FxHashMap::default();
            body.uses(back).for_each(|used| *counts.entry(used).or_default() += 1);
            counts
        });
        handed.get(&value) == Some(&1)
    }

    /// Numbers of few bits that are the low bits of longer ones.
    fn low_bits(&mut self, place: Place, counters: &[Counter], pairs: &mut Vec<Pair>) {
        let bits = |counter: &Counter| counter.ty.as_scalar().map_or(0, Scalar::bits);
        let numbers = counters.iter().filter(|counter| counter.ty != Type::PTR);
        let mut numbers: Vec<&Counter> = numbers.collect();
        // The longest first: what others are made of stays.
        numbers.sort_by_key(|&counter| std::cmp::Reverse(bits(counter)));
        let mut widths: Vec<u32> = numbers.iter().map(|&counter| bits(counter)).collect();
        widths.dedup();
        let mut longer: FxHashMap<Expr, Value> = FxHashMap::default();
        for &counter in &numbers {
            for &width in widths.iter().filter(|&&width| width < bits(counter)) {
                let low = self.evolution.truncated(width, counter.expr);
                longer.entry(low).or_insert(counter.param);
            }
        }
        for counter in numbers {
            if let Some(&stays) = longer.get(&counter.expr) {
                pairs.push(place.pair(counter.param, stays, Way::LowBits));
            }
        }
    }
}

/// Those that are the same as one before.
fn same(place: Place, counters: &mut Vec<Counter>, pairs: &mut Vec<Pair>) {
    let mut first: FxHashMap<(Expr, Type, Base), Value> = FxHashMap::default();
    counters.retain(|counter| {
        let key = (counter.expr, counter.ty, counter.base);
        let stays = *first.entry(key).or_insert(counter.param);
        let is_first = stays == counter.param;
        if !is_first {
            pairs.push(place.pair(counter.param, stays, Way::Same));
        }
        is_first
    });
}

/// The values that an edge hands on for two parameters of the block that it leads to.
pub(super) fn handed(body: &Body, edge: Edge, params: [Value; 2]) -> Option<[(Value, Inst); 2]> {
    let of = |param: Value| {
        let ValueDef::Param(_, index) = body.value_def(param) else { return None };
        let value = edge.arg(body, index as usize)?;
        match body.value_def(value) {
            ValueDef::Result(inst, 0) => Some((value, inst)),
            _ => None,
        }
    };
    Some([of(params[0])?, of(params[1])?])
}
