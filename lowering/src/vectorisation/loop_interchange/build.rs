//! Writing the loops in their new order.
//!
//! ```text
//! preheader ──► strips ──► middle ──► innermost ⟲ ──► middle latch ──► strips' latch ──► exit
//!                 ▲          ▲                              │               │
//!                 │          └──────────────────────────────┘               │
//!                 └─────────────────────────────────────────────────────────┘
//! ```

use brolga_ir::attribute::{InstFlags, IntCond};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::nest::{Counter, Nest, Step};
use super::order::{Order, Sum, Way, Which};
use crate::pass::{Copies, Editor, PassContext};

/// Writes the loops anew, and leads to them what led to those that there are.
pub(super) fn build(body: &mut Body, context: &mut PassContext<'_>, nest: &Nest, order: &Order) {
    let shape = &nest.outer.shape;
    let out = *shape.leaving(body);
    let builder = Builder {
        editor: Editor::new(body, context),
        nest,
        order,
        after: shape.preheader,
        out,
        entering: shape.entering,
        places: vec![shape.entering],
        depths: FxHashMap::default(),
        copies: Copies::default(),
        skipped: EntitySet::new(),
        last: FxHashMap::default(),
    };
    builder.write();
}

/// The rounds of a loop that is written.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    first: Value,
    /// How many the counter goes on by.
    by: u64,
    /// The number behind the last one.
    end: Value,
}

struct Builder<'a, 'b, 'm> {
    editor: Editor<'b, 'm>,
    nest: &'a Nest,
    order: &'a Order,
    /// The block behind which the next one is put.
    after: Block,
    /// Where the last loop leads to that is written, behind its rounds.
    out: Target,
    /// The jump that leads to the next one.
    entering: Inst,
    /// Before which instruction stands what changes with none of the loops, with the first, and
    /// so on inward.
    places: Vec<Inst>,
    /// How many of the loops a value changes with; those that are not here, with none.
    depths: FxHashMap<Value, usize>,
    copies: Copies,
    /// What is not copied.
    skipped: EntitySet<Inst>,
    /// The last copies of what computes the same for the same operands.
    last: FxHashMap<Inst, Inst>,
}

impl Builder<'_, '_, '_> {
    fn write(mut self) {
        let (outer, inner) = (self.nest.outer.rounds, self.nest.inner.rounds);
        let first = self.number(0);
        let [outer_end, inner_end] = [outer, inner].map(|rounds| self.number(rounds));
        let all = |end| Rounds { first, by: 1, end };
        match self.order.way {
            Way::Swapped => {
                let inner = self.enter(all(inner_end));
                let outer = self.enter_last(all(outer_end));
                self.round(outer, inner);
            }
            Way::Strips(which, by) => {
                let (rounds, end, others) = match which {
                    Which::Outer => (outer, outer_end, inner_end),
                    Which::Inner => (inner, inner_end, outer_end),
                };
                let strip = self.enter(Rounds { first, by, end });
                let end = self.end_of(strip, by, rounds);
                let other = self.enter(all(others));
                let own = self.enter_last(Rounds { first: strip, by: 1, end });
                match which {
                    Which::Outer => self.round(own, other),
                    Which::Inner => self.round(other, own),
                }
            }
            Way::Jammed(by, sum) => {
                let outer = self.enter(Rounds { first, by, end: outer_end });
                let inner = self.enter_last(all(inner_end));
                self.rounds_at_once(outer, inner, by, sum);
            }
        }
    }

    fn number(&mut self, number: u64) -> Value {
        self.editor.constant(Type::I64, number.into())
    }

    /// Writes further what changes with so many of the loops.
    fn stand_at(&mut self, depth: usize) {
        self.editor.stand_before(self.places[depth]);
        self.editor.take_location(self.nest.outer.shape.branch);
    }

    /// A loop around all that is written from now on; its counter.
    fn enter(&mut self, rounds: Rounds) -> Value {
        let (header, counter) = self.begin(rounds.first);
        let latch = self.block();
        self.after = header;
        self.go_back(latch, (header, counter), rounds);
        let latch = self.editor.body.target(latch, &[]);
        self.entering = self.end(header, latch);
        self.places.push(self.entering);
        self.out = latch;
        counter
    }

    /// The innermost loop, of one block; its counter.
    fn enter_last(&mut self, rounds: Rounds) -> Value {
        let (header, counter) = self.begin(rounds.first);
        let place = self.go_back(header, (header, counter), rounds);
        self.places.push(place);
        counter
    }

    /// The header of a loop, which has a counter, and to which the loop around it leads.
    fn begin(&mut self, first: Value) -> (Block, Value) {
        let header = self.block();
        self.after = header;
        let body = &mut *self.editor.body;
        let counter = body.append_param(header, Type::I64);
        let into = body.target(header, &[first]);
        body.targets_mut(self.entering)[0] = into;
        self.depths.insert(counter, self.places.len());
        (header, counter)
    }

    fn block(&mut self) -> Block {
        let block = self.editor.body.make_block();
        self.editor.body.layout.insert_block_after(block, self.after);
        block
    }

    /// The jump that ends a block.
    fn end(&mut self, block: Block, to: Target) -> Inst {
        let body = &mut *self.editor.body;
        let args = body.copy_list(to.args);
        let (none, to) = (body.list(&[]), Target { args, ..to });
        let jump = InstData::new(Op::Jump, Type::NONE, none, Payload::Jump(to));
        let loc = body.loc(self.nest.outer.shape.branch);
        body.append_inst(block, InstData { loc, ..jump }, &[])
    }

    /// Ends a block by a test of whether there are more rounds; its first instruction.
    fn go_back(&mut self, block: Block, (header, counter): (Block, Value), rounds: Rounds) -> Inst {
        let jump = self.end(block, self.out);
        self.editor.stand_before(jump);
        let (next, place) = self.next(counter, rounds.by);
        let again = self.editor.icmp(IntCond::Ult, Type::I64, next, rounds.end);
        let back = self.editor.body.target(header, &[next]);
        let out = self.editor.body.targets(jump)[0];
        let targets = Payload::Branch([back, out]);
        self.editor.op_without_result(Op::Branch, Type::NONE, &[again], targets);
        self.editor.body.remove_inst(jump);
        place
    }

    /// A number of rounds and more, which does not wrap.
    fn next(&mut self, counter: Value, by: u64) -> (Value, Inst) {
        let by = self.number(by);
        let next = self.editor.op(Op::Add, Type::I64, &[counter, by]);
        let ValueDef::Result(inst, _) = self.editor.body.value_def(next) else {
            return (next, self.entering);
        };
        self.editor.body.inst_mut(inst).flags |= InstFlags::NO_UNSIGNED_WRAP;
        (next, inst)
    }

    /// The number behind the last round of a strip, of so many rounds in all.
    fn end_of(&mut self, strip: Value, by: u64, rounds: u64) -> Value {
        self.stand_at(self.depths[&strip]);
        let end = self.next(strip, by).0;
        if rounds.is_multiple_of(by) {
            return end;
        }
        let all = self.number(rounds);
        self.editor.op(Op::Umin, Type::I64, &[end, all])
    }

    /// What rounds of the inner loop do, in so many of the outer one: the first loads the sum, and
    /// the last one stores it.
    fn rounds_at_once(&mut self, outer: Value, inner: Value, many: u64, sum: Sum) {
        let Sum { load, store } = sum;
        let mut so_far = None;
        for number in 0..many {
            self.copies = Copies::default();
            let outer = match number {
                0 => outer,
                _ => self.later(outer, number),
            };
            self.skipped.clear();
            let loaded = self.editor.body.result(load);
            if let (Some(loaded), Some(so_far)) = (loaded, so_far) {
                self.copies.stand_in(loaded, so_far);
                self.skipped.insert(load);
            }
            if number + 1 < many {
                self.skipped.insert(store);
            }
            self.round(outer, inner);
            let stored = self.editor.body.args(store).first().copied();
            so_far = stored.map(|value| self.copies.value(value));
        }
    }

    /// A later round than that.
    fn later(&mut self, round: Value, by: u64) -> Value {
        let depth = self.depths[&round];
        self.stand_at(depth);
        let later = self.next(round, by).0;
        self.depths.insert(later, depth);
        later
    }

    /// What a round of the inner loop does, in the round of those numbers.
    fn round(&mut self, outer: Value, inner: Value) {
        for &step in &self.nest.steps {
            match step {
                Step::Do(inst) if self.skipped.contains(inst) => {}
                Step::Do(inst) => self.copy(inst),
                Step::Hand(param, value) => {
                    let value = self.copies.value(value);
                    self.copies.stand_in(param, value);
                }
                Step::Outer(counter) => self.count(counter, outer),
                Step::Inner(counter) => self.count(counter, inner),
            }
        }
    }

    fn depth(&self, value: Value) -> usize {
        self.depths.get(&value).copied().unwrap_or(0)
    }

    /// Copies an instruction to where it changes, unless an earlier copy gives the same.
    fn copy(&mut self, inst: Inst) {
        if let Some(&last) = self.last.get(&inst) {
            let args = self.editor.body.args(inst).iter().map(|&arg| self.copies.value(arg));
            if args.eq(self.editor.body.args(last).iter().copied()) {
                let results = self.editor.body.results(inst).iter();
                let results = results.zip(self.editor.body.results(last));
                results.for_each(|(&result, &known)| self.copies.stand_in(result, known));
                return;
            }
        }
        let copy = self.copies.copy_inst(self.editor.body, inst);
        let is_store = self.editor.body.inst(inst).op == Op::Store;
        let stays = is_store || self.order.bound.contains(inst);
        let depths = self.editor.body.args(copy).iter().map(|&arg| self.depth(arg));
        let depth = if stays { self.places.len() - 1 } else { depths.max().unwrap_or(0) };
        let body = &mut *self.editor.body;
        body.layout.insert_inst_before(copy, self.places[depth]);
        if !stays {
            self.last.insert(inst, copy);
        }
        self.depths.extend(body.results(copy).iter().map(|&result| (result, depth)));
    }

    /// What a counter of the loops as they were is in a round.
    fn count(&mut self, Counter { param, start, step }: Counter, round: Value) {
        let start = self.copies.value(start);
        let (of_start, of_round) = (self.depth(start), self.depth(round));
        let ty = self.editor.body.value_type(param);
        let number = if ty == Type::PTR { Type::I64 } else { ty };
        self.stand_at(of_round);
        let mut way = round;
        if number != Type::I64 {
            way = self.editor.op(Op::Trunc, number, &[way]);
        }
        if step != 1 {
            let step = self.editor.constant(number, step as u128);
            way = self.editor.op(Op::Mul, number, &[way, step]);
        }
        let depth = of_start.max(of_round);
        self.stand_at(depth);
        let value = match ty {
            Type::PTR => self.editor.op(Op::PtrAdd, Type::NONE, &[start, way]),
            _ if start == self.editor.zero(ty) => way,
            _ => self.editor.op(Op::Add, ty, &[way, start]),
        };
        self.depths.insert(way, of_round);
        self.depths.insert(value, depth.max(self.depth(value)));
        self.copies.stand_in(param, value);
    }
}
