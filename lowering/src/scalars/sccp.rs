//! Finds values that are one constant on every path that is taken, and branches that
//! these decide.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1(0, 1)
//! block1(%1: i32, %2: i32):
//!     %3 = icmp.i32 eq %2, 1
//!     branch %3, block2, block3
//! block2:
//!     %4 = add.i32 %1, 1
//!     %5 = icmp.i32 slt %4, %0
//!     branch %5, block1(%4, %2), block4
//! block3:
//!     jump block1(%1, 7)
//! block4:
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     jump block1(0, 1)
//! block1(%1: i32, %2: i32):
//!     %3 = icmp.i32 eq 1, 1
//!     branch 1, block2, block3
//! block2:
//!     %4 = add.i32 %1, 1
//!     %5 = icmp.i32 slt %4, %0
//!     branch %5, block1(%4, 1), block4
//! block3:
//!     jump block1(%1, 7)
//! block4:
//!     return 1
//! }
//! ```
//! Everything is taken to be constant, and every edge never to be taken, until shown
//! otherwise (Wegman and Zadeck, "Constant propagation with conditional branches",
//! 1991): two work lists, of edges that are taken after all and of values that turned
//! out to be less constant, each value at most twice. So a constant goes around a loop
//! that only a branch decided by it could change, which no rule on single
//! instructions sees.
//!
//! Needs: no aggregates. Keeps: the flow graph: decided branches get constants, of
//! which `simplify_cfg` makes jumps. Does not try: ranges; what a branch says of the
//! value that it tests; other functions.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntityRef, EntitySet, Inst, SecondaryMap, Value, dense_map};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::pass::{Change, PassContext, PassResult, Renames, fold_op, placed_insts};

/// Puts constants in the place of values that are always those.
///
/// # Errors
/// None.
pub fn sccp(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let mut search = Search::new(body);
    search.run();
    let Search { known, uses, .. } = search;
    let mut renames = Renames::default();
    let mut count = 0;
    for index in 0..body.value_count() {
        let value = Value::new(index);
        let Knowledge::Constant(constant) = known[value] else { continue };
        if constant != value && uses.is_used(value) {
            renames.rename(value, constant);
            count += 1;
        }
    }
    renames.apply(body);
    context.statistics.add("sccp", "values that are constants", count);
    Ok(if count > 0 { Change::Something } else { Change::Nothing })
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Knowledge {
    /// No path to it is known yet.
    #[default]
    Unseen,
    /// It is that constant.
    Constant(Value),
    /// It is one thing or another.
    Varying,
}

impl Knowledge {
    /// What is known of what may be either.
    fn or(self, other: Knowledge) -> Knowledge {
        match (self, other) {
            (Knowledge::Unseen, known) | (known, Knowledge::Unseen) => known,
            (one, other) if one == other => one,
            _ => Knowledge::Varying,
        }
    }
}

/// What is known of the results of an instruction.
enum Computed {
    /// The same of each.
    Each(Knowledge),
    Constants(SmallVec<[Value; 2]>),
}

/// Where a value is used: by an instruction, or as an argument of one of its edges.
#[derive(Clone, Copy, Debug)]
struct Use {
    inst: Inst,
    /// The edge and the index of the parameter.
    edge: Option<(u32, u32)>,
}

/// The uses of each value, one behind the other.
#[derive(Debug)]
struct Uses {
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    fn new(body: &Body) -> Uses {
        let mut found: Vec<(Value, Use)> = Vec::with_capacity(2 * body.inst_count());
        for inst in placed_insts(body) {
            found.extend(body.args(inst).iter().map(|&arg| (arg, Use { inst, edge: None })));
            for (index, target) in (0..).zip(body.targets(inst)) {
                let args = (0..).zip(body.target_args(target));
                let edge = |position| Use { inst, edge: Some((index, position)) };
                found.extend(args.map(|(position, &arg)| (arg, edge(position))));
            }
        }
        let mut starts = vec![0_u32; body.value_count() + 1];
        for (value, _) in &found {
            starts[value.index() + 1] += 1;
        }
        for index in 0..body.value_count() {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut uses = vec![Use { inst: Inst::new(0), edge: None }; found.len()];
        for (value, used) in found {
            uses[next[value.index()] as usize] = used;
            next[value.index()] += 1;
        }
        Uses { starts, uses }
    }

    fn range(&self, value: Value) -> std::ops::Range<usize> {
        let at = |index: usize| self.starts.get(index).map_or(0, |&start| start as usize);
        at(value.index())..at(value.index() + 1)
    }

    fn is_used(&self, value: Value) -> bool {
        !self.range(value).is_empty()
    }
}

/// The search for what is constant.
struct Search<'a> {
    body: &'a mut Body,
    uses: Uses,
    known: SecondaryMap<Value, Knowledge>,
    entered: EntitySet<Block>,
    taken: FxHashSet<(Inst, u32)>,
    edges_left: Vec<Edge>,
    values_left: Vec<Value>,
}

impl<'a> Search<'a> {
    fn new(body: &'a mut Body) -> Search<'a> {
        let (uses, count) = (Uses::new(body), body.value_count());
        Search {
            body,
            uses,
            known: dense_map(count),
            entered: EntitySet::new(),
            taken: FxHashSet::default(),
            edges_left: Vec::new(),
            values_left: Vec::new(),
        }
    }

    fn run(&mut self) {
        let Some(entry) = self.body.layout.entry() else { return };
        for param in self.body.params(entry).to_vec() {
            self.learn(param, Knowledge::Varying);
        }
        self.enter(entry);
        loop {
            if let Some(edge) = self.edges_left.pop() {
                self.follow(edge);
            } else if let Some(value) = self.values_left.pop() {
                for index in self.uses.range(value) {
                    self.look_again(self.uses.uses[index]);
                }
            } else {
                return;
            }
        }
    }

    /// What is known of a value: a constant is what it is.
    fn knowledge(&self, value: Value) -> Knowledge {
        match self.body.value_def(value) {
            ValueDef::Constant(_) => Knowledge::Constant(value),
            _ => self.known[value],
        }
    }

    fn learn(&mut self, value: Value, news: Knowledge) {
        let known = self.known[value].or(news);
        if known != self.known[value] {
            self.known[value] = known;
            self.values_left.push(value);
        }
    }

    fn enter(&mut self, block: Block) {
        if self.entered.insert(block) {
            let mut next = self.body.layout.first_inst(block);
            while let Some(inst) = next {
                self.visit(inst);
                next = self.body.layout.next_inst(inst);
            }
        }
    }

    fn take(&mut self, inst: Inst, index: u32) {
        if self.taken.insert((inst, index)) {
            self.edges_left.push(Edge { inst, index });
        }
    }

    /// Goes along an edge that was never taken before.
    fn follow(&mut self, edge: Edge) {
        let Some(&target) = self.body.targets(edge.inst).get(edge.index as usize) else { return };
        for position in 0..self.body.target_args(&target).len() {
            self.pass(edge, position);
        }
        self.enter(target.block);
    }

    /// What an edge gives for the parameter of that index.
    fn pass(&mut self, edge: Edge, position: usize) {
        let Some(arg) = edge.arg(self.body, position) else { return };
        let block = self.body.targets(edge.inst)[edge.index as usize].block;
        if let Some(&param) = self.body.params(block).get(position) {
            self.learn(param, self.knowledge(arg));
        }
    }

    fn look_again(&mut self, used: Use) {
        let is_entered =
            self.body.layout.block_of(used.inst).is_some_and(|block| self.entered.contains(block));
        match used.edge {
            _ if !is_entered => {}
            None => self.visit(used.inst),
            Some((index, position)) => {
                if self.taken.contains(&(used.inst, index)) {
                    self.pass(Edge { inst: used.inst, index }, position as usize);
                }
            }
        }
    }

    fn visit(&mut self, inst: Inst) {
        if self.body.inst(inst).op.is_terminator() {
            self.visit_end(inst);
        }
        if self.body.results(inst).iter().all(|&result| self.known[result] == Knowledge::Varying) {
            return;
        }
        match self.compute(inst) {
            Computed::Each(Knowledge::Unseen) => {}
            Computed::Each(news) => {
                for index in 0..self.body.results(inst).len() {
                    self.learn(self.body.results(inst)[index], news);
                }
            }
            Computed::Constants(constants) => {
                let results: SmallVec<[Value; 2]> = SmallVec::from_slice(self.body.results(inst));
                for (result, constant) in results.into_iter().zip(constants) {
                    self.learn(result, Knowledge::Constant(constant));
                }
            }
        }
    }

    /// The edges behind `inst` that what is known of its operand allows.
    fn visit_end(&mut self, inst: Inst) {
        let (op, payload) = (self.body.inst(inst).op, self.body.inst(inst).payload);
        let count = self.body.targets(inst).len() as u32;
        let decides = matches!(op, Op::Branch | Op::Switch);
        let operand = self.body.args(inst).first().filter(|_| decides);
        let bits = match operand.map_or(Knowledge::Varying, |&value| self.knowledge(value)) {
            Knowledge::Unseen => return,
            Knowledge::Constant(constant) => self.body.as_scalar_constant(constant),
            Knowledge::Varying => None,
        };
        match (bits, payload) {
            (Some(bits), Payload::Branch(_)) => self.take(inst, u32::from(bits & 1 == 0)),
            (Some(bits), Payload::Switch(table)) => {
                let cases = self.body.switch(table).map_or(&[][..], |switch| &switch.cases);
                let case = cases.iter().position(|&case| case == bits);
                self.take(inst, case.map_or(count.saturating_sub(1), |case| case as u32));
            }
            _ => (0..count).for_each(|index| self.take(inst, index)),
        }
    }

    /// What is known of the results of an instruction.
    fn compute(&mut self, inst: Inst) -> Computed {
        if self.body.inst(inst).op == Op::Select {
            return Computed::Each(self.selected(inst));
        }
        let mut args: SmallVec<[Value; 3]> = SmallVec::new();
        let mut is_varying = self.body.args(inst).is_empty();
        let mut is_unseen = false;
        for &arg in self.body.args(inst) {
            match self.knowledge(arg) {
                Knowledge::Unseen => is_unseen = true,
                Knowledge::Constant(constant) => args.push(constant),
                Knowledge::Varying => {
                    is_varying = true;
                    break;
                }
            }
        }
        if is_varying || is_unseen {
            let known = if is_varying { Knowledge::Varying } else { Knowledge::Unseen };
            return Computed::Each(known);
        }
        let data = *self.body.inst(inst);
        match fold_op(self.body, data.op, data.ty, &args, &data.payload) {
            Some(Ok(constants)) => Computed::Constants(constants),
            _ => Computed::Each(Knowledge::Varying),
        }
    }

    /// What is known of a select: one operand does not matter if the condition is known.
    fn selected(&self, inst: Inst) -> Knowledge {
        let &[condition, yes, no] = self.body.args(inst) else { return Knowledge::Varying };
        let (yes, no) = (self.knowledge(yes), self.knowledge(no));
        match self.knowledge(condition) {
            Knowledge::Unseen => Knowledge::Unseen,
            Knowledge::Constant(bits) => match self.body.as_scalar_constant(bits) {
                Some(bits) if bits & 1 == 1 => yes,
                Some(_) => no,
                None => Knowledge::Varying,
            },
            Knowledge::Varying => yes.or(no),
        }
    }
}
