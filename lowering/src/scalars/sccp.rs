//! Finds values that are one constant on every path that is taken, and branches that
//! these decide, by constants and ranges.
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
//! out to be less constant. So a constant goes around a loop that only a branch decided by
//! it could change, which no rule on single instructions sees.
//!
//! Of a number that is no constant its bits and bounds are known, as
//! [`value_facts`](crate::analysis::value_facts) has them: they decide compares, and which
//! cases of a switch there are. Bounds that move around a loop are given up, so that a value
//! changes a few times at most.
//!
//! A function that only its module calls, by name, begins with what all of these calls hand
//! over, as they were declared: one constant, or the numbers between several.
//!
//! Needs: no aggregates. Keeps: the flow graph: decided branches get constants, of
//! which `simplify_cfg` makes jumps. Does not try: what a branch says of the value that it
//! tests (see `correlated_values`); results of functions.

mod knowledge;
mod uses;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, EntityRef, EntitySet, Inst, Value};
use brolga_ir::flow::Edge;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::analysis::value_facts::{Fact, Operands, result_of, width_of};
use crate::pass::{Argument, Change, PassContext, PassResult, Renames, fold_op};
use knowledge::{Knowledge, Known, number_width};
use uses::{Use, Uses};

/// Puts constants in the place of values that are always those.
///
/// # Errors
/// None.
pub fn sccp(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let arguments = context.inlined.arguments(context.function).to_vec();
    let mut search = Search::new(body, context.module);
    search.run(&arguments);
    let Search { known, uses, .. } = search;
    let mut renames = Renames::default();
    let mut count = 0;
    for index in 0..body.value_count() {
        let value = Value::new(index);
        let Knowledge::Constant(constant) = known.of(value) else { continue };
        if constant != value && uses.is_used(value) {
            renames.rename(value, constant);
            count += 1;
        }
    }
    renames.apply(body);
    context.statistics.add("sccp", "values that are constants", count);
    Ok(if count > 0 { Change::Something } else { Change::Nothing })
}

/// What is known of a result.
enum Computed {
    Known(Knowledge),
    Number(Fact),
}

/// The search for what is constant.
struct Search<'a> {
    body: &'a mut Body,
    module: &'a Module,
    uses: Uses,
    known: Known,
    entered: EntitySet<Block>,
    taken: FxHashSet<(Inst, u32)>,
    edges_left: Vec<Edge>,
    values_left: Vec<Value>,
}

impl<'a> Search<'a> {
    fn new(body: &'a mut Body, module: &'a Module) -> Search<'a> {
        let (uses, known) = (Uses::new(body), Known::new(body));
        Search {
            body,
            module,
            uses,
            known,
            entered: EntitySet::new(),
            taken: FxHashSet::default(),
            edges_left: Vec::new(),
            values_left: Vec::new(),
        }
    }

    fn run(&mut self, arguments: &[Argument]) {
        let Some(entry) = self.body.layout.entry() else { return };
        let params = self.body.params(entry).to_vec();
        let is_known = params.len() == arguments.len();
        for (index, param) in params.into_iter().enumerate() {
            self.begin_with(param, arguments.get(index).filter(|_| is_known));
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

    /// What is known of a parameter of the function.
    fn begin_with(&mut self, param: Value, argument: Option<&Argument>) {
        let ty = self.body.value_type(param);
        match argument {
            Some(Argument::Constant(constant)) if constant.ty() == ty => {
                let constant = self.body.constant(constant.clone());
                self.learn(param, Knowledge::Constant(constant));
            }
            Some(Argument::Number(fact)) if width_of(ty) == Some(fact.width()) => {
                self.known.learn_fact(self.body, param, *fact);
            }
            _ => self.learn(param, Knowledge::Varying),
        }
    }

    /// What is known of a value: a constant is what it is.
    fn knowledge(&self, value: Value) -> Knowledge {
        match self.body.value_def(value) {
            ValueDef::Constant(_) => Knowledge::Constant(value),
            _ => self.known.of(value),
        }
    }

    fn learn(&mut self, value: Value, news: Knowledge) {
        if self.known.learn(self.body, value, news) {
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
        let results: SmallVec<[Value; 2]> = SmallVec::from_slice(self.body.results(inst));
        if results.iter().all(|&result| self.known.of(result) == Knowledge::Varying) {
            return;
        }
        if let Some(constants) = self.folded(inst) {
            for (result, constant) in results.into_iter().zip(constants) {
                self.learn(result, Knowledge::Constant(constant));
            }
            return;
        }
        for (index, result) in results.into_iter().enumerate() {
            match self.computed(inst, index, result) {
                Computed::Known(news) => self.learn(result, news),
                Computed::Number(fact) => {
                    if self.known.learn_fact(self.body, result, fact) {
                        self.values_left.push(result);
                    }
                }
            }
        }
    }

    /// The edges behind `inst` that what is known of its operand allows.
    fn visit_end(&mut self, inst: Inst) {
        let (op, payload) = (self.body.inst(inst).op, self.body.inst(inst).payload);
        let count = self.body.targets(inst).len() as u32;
        let decides = matches!(op, Op::Branch | Op::Switch);
        let operand = self.body.args(inst).first().copied().filter(|_| decides);
        let known = operand.map_or(Knowledge::Varying, |value| self.knowledge(value));
        let bits = match known {
            Knowledge::Unseen => return,
            Knowledge::Constant(constant) => self.body.as_scalar_constant(constant),
            Knowledge::Range(_) | Knowledge::Varying => None,
        };
        match (bits, payload) {
            (Some(bits), Payload::Branch(_)) => self.take(inst, u32::from(bits & 1 == 0)),
            (Some(bits), Payload::Switch(table)) => {
                let cases = self.body.switch(table).map_or(&[][..], |switch| &switch.cases);
                let found = (0..).zip(cases).find(|&(_, &case)| case == bits);
                self.take(inst, found.map_or(count.saturating_sub(1), |(index, _)| index));
            }
            (None, Payload::Switch(table)) => {
                let cases = self.body.switch(table).map_or(&[][..], |switch| &switch.cases);
                let fact = operand.and_then(|value| self.fact(value));
                let may_be = |case: u128| fact.is_none_or(|fact| fact.contains(case));
                let found: SmallVec<[u32; 8]> =
                    (0..).zip(cases).filter(|&(_, &case)| may_be(case)).map(|(at, _)| at).collect();
                found.into_iter().for_each(|index| self.take(inst, index));
                self.take(inst, count.saturating_sub(1));
            }
            _ => (0..count).for_each(|index| self.take(inst, index)),
        }
    }

    /// The results of an instruction, all of whose operands are constants.
    fn folded(&mut self, inst: Inst) -> Option<SmallVec<[Value; 2]>> {
        let mut args: SmallVec<[Value; 3]> = SmallVec::new();
        for &arg in self.body.args(inst) {
            let Knowledge::Constant(constant) = self.knowledge(arg) else { return None };
            args.push(constant);
        }
        if args.is_empty() {
            return None;
        }
        let data = *self.body.inst(inst);
        fold_op(self.body, data.op, data.ty, &args, &data.payload)?.ok()
    }

    /// What is known of the result of that index, which does not fold.
    fn computed(&mut self, inst: Inst, index: usize, result: Value) -> Computed {
        if self.body.inst(inst).op == Op::Select {
            return Computed::Known(self.selected(inst, result));
        }
        let operands = self.body.args(inst).iter().map(|&arg| self.knowledge(arg));
        let (mut is_constant, mut is_unseen) = (true, false);
        for known in operands {
            is_constant &= matches!(known, Knowledge::Constant(_));
            is_unseen |= known == Knowledge::Unseen;
        }
        let ty = self.body.value_type(result);
        Computed::Known(match number_width(ty) {
            // What traps for constants gives nothing, and stays where it is.
            _ if is_constant && !self.body.args(inst).is_empty() => Knowledge::Varying,
            None if is_unseen => Knowledge::Unseen,
            None => Knowledge::Varying,
            Some(_) => {
                let found = result_of(self.body, self.module, inst, index, self);
                let Some(fact) = found else { return Computed::Known(Knowledge::Unseen) };
                let is_number = ty.as_scalar().is_some_and(|scalar| !scalar.is_address());
                let bits = fact.as_constant().filter(|_| is_number);
                match bits.and_then(|bits| Constant::scalar(ty, bits)) {
                    Some(constant) => Knowledge::Constant(self.body.constant(constant)),
                    None => return Computed::Number(fact),
                }
            }
        })
    }

    /// What is known of a select: one operand does not matter if the condition is known.
    fn selected(&mut self, inst: Inst, result: Value) -> Knowledge {
        let &[condition, yes, no] = self.body.args(inst) else { return Knowledge::Varying };
        let (yes, no) = (self.knowledge(yes), self.knowledge(no));
        match self.knowledge(condition) {
            Knowledge::Unseen => Knowledge::Unseen,
            Knowledge::Constant(bits) => match self.body.as_scalar_constant(bits) {
                Some(bits) if bits & 1 == 1 => yes,
                Some(_) => no,
                None => Knowledge::Varying,
            },
            Knowledge::Range(_) | Knowledge::Varying => {
                self.known.either(self.body, self.body.value_type(result), yes, no)
            }
        }
    }
}

impl Operands for Search<'_> {
    fn fact(&self, value: Value) -> Option<Fact> {
        let width = width_of(self.body.value_type(value))?;
        match self.knowledge(value) {
            Knowledge::Unseen => None,
            Knowledge::Constant(constant) => {
                Some(Fact::constant(width, self.body.as_scalar_constant(constant)?))
            }
            Knowledge::Range(range) => Some(self.known.range(range)),
            Knowledge::Varying => Some(Fact::any(width)),
        }
    }

    fn is_any(&self, value: Value) -> bool {
        self.knowledge(value) == Knowledge::Varying
    }
}
