//! What is known of the numbers that a function computes: bits, and bounds as unsigned
//! and as signed numbers.
//!
//! Each integer, truth value and address has a [`Fact`], computed from those of its
//! operands, by the interpreter itself where these are constants. What a block parameter
//! gets is joined. Values start out as never computed, and what changes is handed on to
//! its uses until nothing does (Wegman and Zadeck, "Constant propagation with conditional
//! branches", 1991, without the branches; the bits are those of LLVM's `KnownBits`).
//! Bounds of parameters that still move once all blocks were looked at are given up, as in a
//! loop that counts, and after a few more times all is (Cousot and Cousot, "Abstract interpretation",
//! 1977), so that a value changes eight times at most from then on: O(values + uses).
//!
//! Hints such as `range` and `nsw` are no facts. Does not try: vectors and aggregates;
//! numbers of more than 64 bits; what branches say of values on their way (see `conditions`); memory.

pub(super) mod arithmetic;
mod bits;
mod fact;
mod transfer;

use std::collections::VecDeque;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntityRef, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::module::Module;
use brolga_ir::types::{Scalar, Type};

pub use fact::Fact;
pub(super) use fact::mask;
pub(crate) use fact::sign_extended;
pub(crate) use transfer::{Operands, result as result_of};

/// After so many changes behind the first way through the blocks, nothing is known any more.
const MOST_CHANGES: u8 = 8;

/// What is known of the numbers of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueFacts {
    facts: Facts,
}

/// Facts of those values of which more is known than their types say: few, of many.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Facts {
    /// By the numbers of values.
    places: Vec<Place>,
    facts: Vec<Fact>,
}

/// Where the fact of a value stands, if it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Nowhere: it was never computed.
    Unseen,
    /// Nowhere: it may be anything.
    Any,
    At(u32),
}

impl Facts {
    fn place(&self, value: Value) -> Place {
        self.places.get(value.index()).copied().unwrap_or(Place::Unseen)
    }

    fn set(&mut self, value: Value, fact: Fact) {
        let Some(place) = self.places.get_mut(value.index()) else { return };
        match *place {
            _ if fact.is_any() => *place = Place::Any,
            Place::At(index) => self.facts[index as usize] = fact,
            Place::Unseen | Place::Any => {
                *place = Place::At(self.facts.len() as u32);
                self.facts.push(fact);
            }
        }
    }
}

/// The widths of scalars of which there are facts, by their numbers: asked for each operand.
static WIDTHS: [Option<u32>; Scalar::ALL.len()] = {
    let mut widths = [None; Scalar::ALL.len()];
    let mut index = 0;
    while index < widths.len() {
        let scalar = Scalar::ALL[index];
        if scalar.is_int() || scalar.is_address() || matches!(scalar, Scalar::I1) {
            widths[index] = Some(scalar.bits());
        }
        index += 1;
    }
    widths
};

/// The width of what there are facts of; nothing for other types.
pub(crate) fn width_of(ty: Type) -> Option<u32> {
    WIDTHS[ty.as_scalar()? as usize]
}

impl ValueFacts {
    /// Of all values in blocks that the entry reaches.
    pub fn new(body: &Body, graph: &FlowGraph, module: &Module) -> ValueFacts {
        let mut walk = Walk::new(body, module);
        walk.sweep(graph);
        if !walk.changed.is_empty() {
            walk.users = Users::new(body, graph);
            walk.is_pending = vec![false; body.inst_count()];
        }
        for value in std::mem::take(&mut walk.changed) {
            walk.hand_on(value);
        }
        while let Some(inst) = walk.pending.pop_front() {
            walk.is_pending[inst.index()] = false;
            walk.visit(inst);
        }
        // What was not joined is settled as it was computed.
        let facts = walk.facts.facts.iter_mut();
        for (fact, _) in facts.zip(&walk.is_joined).filter(|(_, is_joined)| **is_joined) {
            *fact = fact.settled();
        }
        ValueFacts { facts: walk.facts }
    }

    /// What is known of `value`; nothing of what is no integer, truth value or address.
    pub fn of(&self, body: &Body, value: Value) -> Option<Fact> {
        let width = width_of(body.value_type(value))?;
        Some(match self.facts.place(value) {
            Place::At(index) => self.facts.facts[index as usize],
            Place::Any => Fact::any(width),
            Place::Unseen => constant(body, value).unwrap_or(Fact::any(width)),
        })
    }
}

fn constant(body: &Body, value: Value) -> Option<Fact> {
    Some(Fact::constant(width_of(body.value_type(value))?, body.as_scalar_constant(value)?))
}

/// The state of the computation.
struct Walk<'a> {
    body: &'a Body,
    module: &'a Module,
    facts: Facts,
    /// By the places of facts.
    is_joined: Vec<bool>,
    changes: Vec<u8>,
    /// Asked for behind the first way alone, which most blocks are left by for good.
    users: Users,
    /// The first that came goes first: a jump is looked at once for all that it hands on, behind
    /// what computes that.
    pending: VecDeque<Inst>,
    is_pending: Vec<bool>,
    /// The blocks that the first way through all of them has come to.
    is_entered: Vec<bool>,
    /// The parameters of these that have changed on that way.
    changed: Vec<Value>,
    way: Way,
}

/// Which time blocks are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    First,
    Later,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Body, module: &'a Module) -> Walk<'a> {
        let count = body.value_count();
        Walk {
            body,
            module,
            facts: Facts { places: vec![Place::Unseen; count], facts: Vec::new() },
            is_joined: Vec::new(),
            changes: vec![0; count],
            users: Users::default(),
            pending: VecDeque::new(),
            is_pending: Vec::new(),
            is_entered: vec![false; body.block_count()],
            changed: Vec::new(),
            way: Way::First,
        }
    }

    /// Looks at every instruction once.
    fn sweep(&mut self, graph: &FlowGraph) {
        let body = self.body;
        for block in graph.reverse_postorder() {
            if body.layout.entry() == Some(block) {
                let params = body.params(block).iter();
                params.for_each(|&param| {
                    if let Some(width) = width_of(body.value_type(param)) {
                        self.change(param, Fact::any(width));
                    }
                });
            }
            self.is_entered[block.index()] = true;
            for inst in body.layout.insts(block) {
                self.visit(inst);
            }
        }
        self.way = Way::Later;
    }

    /// Computes what `inst` gives, and joins what it hands on.
    fn visit(&mut self, inst: Inst) {
        let body = self.body;
        for (index, &result) in body.results(inst).iter().enumerate() {
            if width_of(body.value_type(result)).is_some()
                && let Some(found) = transfer::result(body, self.module, inst, index, &*self)
            {
                self.change(result, found);
            }
        }
        for target in body.targets(inst) {
            let handed = body.target_args(target).iter().zip(body.params(target.block));
            for (&arg, &param) in handed {
                if let Some(fact) = self.fact(arg)
                    && width_of(body.value_type(param)) == Some(fact.width())
                {
                    self.change(param, fact);
                }
            }
        }
    }

    /// Joins what is known of `value` with what was found, and hands on what changes.
    fn change(&mut self, value: Value, found: Fact) {
        let known = match self.facts.place(value) {
            Place::Any => return,
            Place::Unseen => None,
            Place::At(index) => Some((self.facts.facts[index as usize], index)),
        };
        let joined = match known {
            None => found,
            Some((known, index)) => {
                let joined = known.joined(&found);
                if known == joined {
                    return;
                }
                let index = index as usize;
                self.is_joined.resize(self.is_joined.len().max(index + 1), false);
                self.is_joined[index] = true;
                joined
            }
        };
        match self.way {
            Way::First => {
                self.facts.set(value, joined);
                self.note_change(value);
            }
            Way::Later => self.change_again(value, known.map(|(known, _)| known), joined),
        }
    }

    /// Notes on the first way that a value has changed whose uses may be behind: those of all
    /// others are still to come.
    fn note_change(&mut self, value: Value) {
        if let ValueDef::Param(block, _) = self.body.value_def(value)
            && self.is_entered[block.index()]
            && std::mem::replace(&mut self.changes[value.index()], 1) == 0
        {
            self.changed.push(value);
        }
    }

    /// Changes what is known of a value where it may change without end.
    fn change_again(&mut self, value: Value, known: Option<Fact>, joined: Fact) {
        let index = value.index();
        let is_param = matches!(self.body.value_def(value), ValueDef::Param(..));
        self.changes[index] += 1;
        let fact = match known {
            _ if self.changes[index] == MOST_CHANGES => Fact::any(joined.width()),
            Some(known) if is_param => joined.widened(&known),
            _ => joined,
        };
        self.facts.set(value, fact);
        self.hand_on(value);
    }

    /// Looks again at what uses a value.
    fn hand_on(&mut self, value: Value) {
        for &user in self.users.of(value) {
            if !std::mem::replace(&mut self.is_pending[user.index()], true) {
                self.pending.push_back(user);
            }
        }
    }
}

impl Operands for Walk<'_> {
    fn fact(&self, value: Value) -> Option<Fact> {
        match self.facts.place(value) {
            Place::At(index) => Some(self.facts.facts[index as usize]),
            Place::Any => Some(Fact::any(width_of(self.body.value_type(value))?)),
            Place::Unseen => constant(self.body, value),
        }
    }

    fn is_any(&self, value: Value) -> bool {
        self.facts.place(value) == Place::Any
    }
}

/// Which instructions use each value.
#[derive(Default)]
struct Users {
    starts: Vec<u32>,
    users: Vec<Inst>,
}

impl Users {
    fn new(body: &Body, graph: &FlowGraph) -> Users {
        let count = body.value_count();
        let mut pairs: Vec<(Value, Inst)> = Vec::with_capacity(2 * body.inst_count());
        for inst in graph.reverse_postorder().flat_map(|block: Block| body.layout.insts(block)) {
            let used = body.uses(inst);
            let is_computed = |value: &Value| {
                matches!(body.value_def(*value), ValueDef::Param(..) | ValueDef::Result(..))
            };
            pairs.extend(used.filter(is_computed).map(|value| (value, inst)));
        }
        let mut starts = vec![0_u32; count + 1];
        pairs.iter().for_each(|(value, _)| starts[value.index() + 1] += 1);
        (1..starts.len()).for_each(|index| starts[index] += starts[index - 1]);
        let mut next = starts.clone();
        let mut users = vec![Inst::new(0); pairs.len()];
        for (value, inst) in pairs {
            users[next[value.index()] as usize] = inst;
            next[value.index()] += 1;
        }
        Users { starts, users }
    }

    fn of(&self, value: Value) -> &[Inst] {
        let ends = self.starts.get(value.index()..value.index() + 2);
        ends.map_or(&[], |ends| &self.users[ends[0] as usize..ends[1] as usize])
    }
}

#[cfg(test)]
mod tests;
