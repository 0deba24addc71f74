//! Counters of fewer bits than addresses have, which a loop casts in each round.
//!
//! A counter of which it is proved that it does not wrap while its loop runs is the low bits
//! of one of 64 bits that starts with what it does and has the same step. Its casts are that
//! one, compares with what does not change are of numbers of 64 bits, and whatever else
//! wants it takes the low bits, which costs nothing: so no round casts anything, and
//! addresses follow each other for all who ask (LLVM's `indvars`). In innermost loops that
//! compute with the bits of a counter it stays: vectors hold more lanes of few bits.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{EntitySet, Inst, Value};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::instruction::Payload;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::super::form::after_marks;
use super::counters::{Cast, Counter, Finder, casts};
use crate::analysis::scalar_evolution::{Known, Reading};
use crate::pass::{Editor, PassContext, Renames, count_uses, fold_op, retain_params};

/// Makes counters longer; whether any.
pub(super) fn widen(body: &mut Body, context: &mut PassContext<'_>) -> bool {
    let loops = context.analyses.loops(body);
    let casts = casts(body, &loops);
    if casts.is_empty() {
        return false;
    }
    let counters = {
        let analyses = &mut *context.analyses;
        let evolution = analyses.scalar_evolution(body, context.module);
        let known = Known {
            graph: &analyses.flow(body),
            dominators: &analyses.dominators(body),
            loops: &loops,
            facts: &analyses.value_facts(body, context.module),
            conditions: &analyses.conditions(body),
        };
        Finder::new(body, known, &evolution).counters(&casts)
    };
    if counters.is_empty() {
        return false;
    }
    context.statistics.add("induction", "counters made longer", counters.len() as u64);
    let mut writer = Writer::new(body, context);
    for counter in &counters {
        writer.write(counter);
    }
    writer.finish(&counters);
    true
}

/// What was written so far. Names change at the end: till then, code says what it did.
struct Writer<'a, 'm> {
    editor: Editor<'a, 'm>,
    renames: Renames,
    /// The longer number for one that was short, and how that is read.
    longer: FxHashMap<Value, (Value, Reading)>,
    /// What stands for short ones, if anything wants them.
    low_bits: Vec<Inst>,
    superfluous: Vec<Inst>,
}

impl<'a, 'm> Writer<'a, 'm> {
    fn new(body: &'a mut Body, context: &'a mut PassContext<'m>) -> Writer<'a, 'm> {
        Writer {
            editor: Editor::new(body, context),
            renames: Renames::default(),
            longer: FxHashMap::default(),
            low_bits: Vec::new(),
            superfluous: Vec::new(),
        }
    }

    fn write(&mut self, counter: &Counter) {
        let (first, target) = counter.back;
        let given = self.editor.body.targets(counter.entering).first();
        let given = given.and_then(|given| self.editor.body.target_args(given).get(counter.index));
        let Some(&given) = given else { return };
        let start = self.long(given, counter.reading, counter.entering);
        let long = self.editor.body.append_param(counter.header, Type::I64);
        self.editor.body.push_target_arg(counter.entering, 0, start);
        if let Some(place) = after_marks(self.editor.body, counter.header) {
            let names = std::iter::once(counter.param).chain(counter.param_names.iter().copied());
            let names: Vec<Value> = names.collect();
            self.stand_for(&names, long, place);
            self.note(&names, long, counter.reading);
        }
        self.editor.stand_before(counter.next);
        let step = self.editor.constant(Type::I64, counter.step as u128);
        let next_long = self.editor.op(Op::Add, Type::I64, &[long, step]);
        self.editor.body.push_target_arg(first, target, next_long);
        if let Some(next) = self.editor.body.result(counter.next) {
            let names = std::iter::once(next).chain(counter.next_names.iter().copied());
            let names: Vec<Value> = names.collect();
            self.stand_for(&names, next_long, counter.next);
            if counter.goes_on {
                self.note(&names, next_long, counter.reading);
            }
        }
        self.superfluous.push(counter.next);
        self.superfluous.extend_from_slice(&counter.superfluous);
        for &(cast, what) in &counter.casts {
            self.cast(cast, what, long, next_long);
        }
        for &(compare, reading) in &counter.compares {
            self.compare(counter, [long, next_long], compare, reading);
        }
        let message = "the counter has 64 bits now";
        self.editor.context.remark(first, RemarkKind::Applied, message);
    }

    /// Lets the low bits of a longer number stand for a short one from `place` on.
    fn stand_for(&mut self, short: &[Value], long: Value, place: Inst) {
        let ty = self.editor.body.value_type(short[0]);
        self.editor.stand_before(place);
        let low = self.editor.op(Op::Trunc, ty, &[long]);
        if let ValueDef::Result(inst, _) = self.editor.body.value_def(low) {
            self.low_bits.push(inst);
        }
        short.iter().for_each(|&name| self.renames.rename(name, low));
    }

    fn note(&mut self, short: &[Value], long: Value, reading: Reading) {
        self.longer.extend(short.iter().map(|&name| (name, (long, reading))));
    }

    /// A short number as a longer one, before an instruction.
    fn long(&mut self, short: Value, reading: Reading, before: Inst) -> Value {
        match self.longer.get(&short) {
            Some(&(long, known)) if known == reading => return long,
            _ => {}
        }
        let op = match reading {
            Reading::Signed => Op::Sext,
            Reading::Unsigned => Op::Zext,
        };
        if let Some(Ok(folded)) = fold_op(self.editor.body, op, Type::I64, &[short], &Payload::None)
            && let Some(&constant) = folded.first()
        {
            return constant;
        }
        self.editor.stand_before(before);
        self.editor.op(op, Type::I64, &[short])
    }

    fn cast(&mut self, cast: Inst, what: Cast, long: Value, next: Value) {
        let stands = match what {
            Cast::Sum(0) => long,
            Cast::Next => next,
            Cast::Sum(more) => {
                self.editor.stand_before(cast);
                let more = self.editor.constant(Type::I64, more as u128);
                self.editor.op(Op::Add, Type::I64, &[long, more])
            }
        };
        if let Some(result) = self.editor.body.result(cast) {
            self.renames.rename(result, stands);
            self.superfluous.push(cast);
        }
    }

    /// Makes a compare of the counter one of longer numbers.
    fn compare(&mut self, counter: &Counter, own: [Value; 2], compare: Inst, reading: Reading) {
        let args: Vec<Value> = self.editor.body.args(compare).to_vec();
        let mut long = Vec::with_capacity(args.len());
        for arg in args {
            long.push(match self.longer.get(&arg) {
                // Read either way it is the same, where this is wanted.
                Some(&(known, _)) if own.contains(&known) => known,
                _ => self.long(arg, reading, counter.entering),
            });
        }
        let args = self.editor.body.list(&long);
        let data = self.editor.body.inst_mut(compare);
        data.args = args;
        data.ty = Type::I64;
    }

    /// Gives all their new names, and takes out what is superfluous.
    fn finish(mut self, counters: &[Counter]) {
        let body = self.editor.body;
        for &inst in &self.superfluous {
            body.remove_inst(inst);
        }
        self.renames.apply(body);
        let mut gone: EntitySet<Value> = EntitySet::new();
        for counter in counters {
            gone.insert(counter.param);
        }
        let edges = IncomingEdges::new(body);
        let mut headers: Vec<_> = counters.iter().map(|counter| counter.header).collect();
        headers.dedup();
        for header in headers {
            retain_params(body, header, edges.of(header), |param| !gone.contains(param));
        }
        let uses = count_uses(body);
        for &inst in &self.low_bits {
            if body.result(inst).is_none_or(|low| uses[low] == 0) {
                body.remove_inst(inst);
            }
        }
    }
}
