//! Counters of one loop that go on alike become one: see `alike`.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::super::form::after_marks;
use super::alike::{Finder, Pair, Short, Way, handed, has_addresses, may_be_alike};
use crate::analysis::ScalarEvolution;
use crate::analysis::addresses::Bases;
use crate::pass::{Editor, PassContext, Renames, Uses, remove_unused, retain_params};

/// Lets one counter stand for others of its loop; whether any.
pub(super) fn unite(body: &mut Body, context: &mut PassContext<'_>, short: Short) -> bool {
    let loops = context.analyses.loops(body);
    if !may_be_alike(body, &loops) {
        return false;
    }
    let known = context.analyses.scalar_evolution(body, context.module);
    // What objects there are is asked for addresses alone.
    let escapes = has_addresses(body, &loops).then(|| context.analyses.escapes(body));
    let (edges, uses) = (IncomingEdges::new(body), Uses::new(body));
    let mut evolution = ScalarEvolution::clone(&known);
    let bases = escapes.as_ref().map(|escapes| escapes.bases());
    let pairs = Finder::new(body, &uses, &loops, &mut evolution, bases, short).pairs();
    if pairs.is_empty() {
        return false;
    }
    context.statistics.add("induction", "counters that others stand for", pairs.len() as u64);
    let dominators = context.analyses.dominators(body);
    let places = Places::new(body, &dominators);
    let mut writer = Writer {
        editor: Editor::new(body, context),
        edges: &edges,
        evolution: &mut evolution,
        bases,
        places: &places,
        renames: Renames::default(),
        steps: Vec::new(),
        made: Vec::new(),
    };
    for pair in &pairs {
        writer.write(pair);
    }
    writer.finish(&pairs);
    true
}

/// Where instructions stand.
struct Places<'a> {
    dominators: &'a Dominators,
    numbers: SecondaryMap<Inst, u32>,
}

impl<'a> Places<'a> {
    fn new(body: &Body, dominators: &'a Dominators) -> Places<'a> {
        let mut numbers = SecondaryMap::new();
        for (number, inst) in (1..).zip(body.layout.all_insts()) {
            numbers[inst] = number;
        }
        Places { dominators, numbers }
    }

    /// Whether whoever comes to `second` has come by `first`.
    fn is_before(&self, body: &Body, first: Inst, second: Inst) -> bool {
        let blocks = body.layout.block_of(first).zip(body.layout.block_of(second));
        blocks.is_some_and(|(one, other)| match one == other {
            true => self.numbers[first] < self.numbers[second],
            false => self.dominators.dominates(one, other),
        })
    }
}

/// What was written so far. Names change at the end: till then, code says what it did.
struct Writer<'a, 'm> {
    editor: Editor<'a, 'm>,
    edges: &'a IncomingEdges,
    evolution: &'a mut ScalarEvolution,
    bases: Option<&'a Bases>,
    places: &'a Places<'a>,
    renames: Renames,
    /// What counters went on with.
    steps: Vec<Inst>,
    /// What stands for counters, if anything wants them.
    made: Vec<Inst>,
}

impl Writer<'_, '_> {
    fn write(&mut self, pair: &Pair) {
        let Some(place) = after_marks(self.editor.body, pair.header) else { return };
        let message = match pair.way {
            Way::Same => "another counter of the loop is the same",
            Way::Sum(_) => "another counter of the loop is so much apart",
            Way::LowBits => "a longer counter of the loop has its bits",
        };
        self.editor.context.remark(place, RemarkKind::Applied, message);
        let stands = match pair.way {
            Way::Same => pair.stays,
            _ => {
                let value = self.by_other(place, pair, pair.stays);
                self.note_made(value);
                value
            }
        };
        self.go_on(pair);
        self.renames.rename(pair.gone, stands);
    }

    /// What a counter is by another one, computed before `place`.
    fn by_other(&mut self, place: Inst, pair: &Pair, other: Value) -> Value {
        let ty = self.editor.body.value_type(pair.gone);
        self.editor.stand_before(place);
        match pair.way {
            Way::Same => other,
            Way::Sum(more) if ty == Type::PTR => {
                let more = self.editor.constant(Type::I64, more);
                self.editor.op(Op::PtrAdd, Type::NONE, &[other, more])
            }
            Way::Sum(more) => {
                let more = self.editor.constant(ty, more);
                self.editor.op(Op::Add, ty, &[other, more])
            }
            Way::LowBits => self.editor.op(Op::Trunc, ty, &[other]),
        }
    }

    fn note_made(&mut self, value: Value) {
        if let ValueDef::Result(inst, _) = self.editor.body.value_def(value) {
            self.made.push(inst);
        }
    }

    /// Lets what one counter goes on with stand for what the other does, where one of them
    /// is computed before the other.
    fn go_on(&mut self, pair: &Pair) {
        let Some(back) = pair.back else { return };
        let body = &*self.editor.body;
        let Some([gone, stays]) = handed(body, back, [pair.gone, pair.stays]) else { return };
        self.steps.push(gone.1);
        if !self.goes_on_alike(pair, gone.0, stays.0) {
            return;
        }
        let body = &*self.editor.body;
        if self.places.is_before(body, stays.1, gone.1) {
            let value = self.by_other(gone.1, pair, stays.0);
            if pair.way != Way::Same {
                self.note_made(value);
            }
            self.renames.rename(gone.0, value);
        } else if pair.way == Way::Same && self.places.is_before(body, gone.1, stays.1) {
            self.steps.push(stays.1);
            self.renames.rename(stays.0, gone.0);
        }
    }

    /// Whether what counters go on with is the same, or the low bits, as they are.
    fn goes_on_alike(&mut self, pair: &Pair, gone: Value, stays: Value) -> bool {
        let Some((own, other)) = self.evolution.of(gone).zip(self.evolution.of(stays)) else {
            return false;
        };
        let is_of_one = || self.bases.is_some_and(|bases| bases.of(gone) == bases.of(stays));
        let is_number = self.editor.body.value_type(pair.gone) != Type::PTR;
        match pair.way {
            Way::Same => gone != stays && own == other && (is_number || is_of_one()),
            Way::LowBits => own == self.evolution.truncated(self.evolution.width(own), other),
            Way::Sum(_) => false,
        }
    }

    /// Gives all their new names, and takes out what nobody wants any more.
    fn finish(mut self, pairs: &[Pair]) {
        let body = self.editor.body;
        self.renames.apply(body);
        let mut gone: EntitySet<Value> = EntitySet::new();
        for pair in pairs {
            gone.insert(pair.gone);
        }
        let mut headers: Vec<_> = pairs.iter().map(|pair| pair.header).collect();
        headers.dedup();
        for header in headers {
            retain_params(body, header, self.edges.of(header), |param| !gone.contains(param));
        }
        self.steps.append(&mut self.made);
        remove_unused(body, self.editor.context.module, &self.steps);
    }
}
