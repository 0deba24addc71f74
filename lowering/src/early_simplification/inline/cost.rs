//! Whether the code of a callee is worth its room.
//!
//! Instructions are counted along the paths that the constants among the
//! arguments leave open; what they make constant counts for nothing. Those of loops count
//! twice: a call is little beside what goes round, and few rounds are written out.

use std::collections::hash_map::Entry;

use brolga_ir::body::Body;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::op::{Form, Op};
use brolga_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::order::{Order, targets};
use crate::pass::datum_of;

/// What a body may cost, beside what its call costs.
const MOST_COST: u32 = 40;

/// What a call costs, beside one for each argument.
const CALL_COST: u32 = 5;

/// What an instruction of a loop counts more than others. With it 20,000 functions with loops
/// that call each other take a quarter less time to compile, SQLite is a thirtieth smaller, and of
/// the suite nothing runs slower.
const LOOP_WEIGHT: u32 = 2;

/// Bytes that one instruction computes.
const REGISTER_BYTES: u32 = 16;

/// Whether the code of `callee` costs little more than a call of it with those
/// values of `caller`.
pub(super) fn is_worth(callee: &Body, caller: &Body, args: &[Value]) -> bool {
    let Some(entry) = callee.layout.entry() else { return false };
    let given = callee.params(entry).iter().zip(args);
    let known = given.filter_map(|(&param, &arg)| Some((param, datum_of(caller, arg)?)));
    let mut count = Count {
        body: callee,
        known: known.collect(),
        live: FxHashSet::from_iter([entry]),
        given: FxHashMap::default(),
    };
    let limit = MOST_COST + CALL_COST + args.len() as u32;
    count.stays_below(limit)
}

struct Count<'a> {
    body: &'a Body,
    known: FxHashMap<Value, Datum>,
    /// Blocks that some path leads to.
    live: FxHashSet<Block>,
    /// What the edges out of live blocks give alike for the parameters of each block.
    given: FxHashMap<Block, Vec<Option<Datum>>>,
}

impl Count<'_> {
    fn stays_below(&mut self, limit: u32) -> bool {
        let Order { blocks, headers, goes_round } = Order::new(self.body);
        let mut total = 0;
        for (block, goes_round) in blocks.into_iter().zip(goes_round) {
            let weight = if goes_round { LOOP_WEIGHT } else { 1 };
            if !self.live.contains(&block) {
                continue;
            }
            // Of what comes from further down nothing is known yet.
            let given = self.given.remove(&block).filter(|_| !headers.contains(&block));
            let params = self.body.params(block).iter().zip(given.into_iter().flatten());
            self.known.extend(params.filter_map(|(&param, datum)| Some((param, datum?))));
            for inst in self.body.layout.insts(block) {
                total += weight * self.cost(inst);
                if total > limit {
                    return false;
                }
            }
            self.open_paths(block);
            self.hand_on(block);
        }
        true
    }

    /// Brings together what the edges of a block give with what others have given.
    fn hand_on(&mut self, block: Block) {
        for target in targets(self.body, block) {
            let args = self.body.target_args(target);
            if args.is_empty() {
                continue;
            }
            let args: Vec<Option<Datum>> = args.iter().map(|&arg| self.value(arg)).collect();
            match self.given.entry(target.block) {
                Entry::Vacant(entry) => {
                    entry.insert(args);
                }
                Entry::Occupied(mut entry) => {
                    for (known, arg) in entry.get_mut().iter_mut().zip(args) {
                        if *known != arg {
                            *known = None;
                        }
                    }
                }
            }
        }
    }

    fn value(&self, value: Value) -> Option<Datum> {
        self.known.get(&value).cloned().or_else(|| datum_of(self.body, value))
    }

    fn open_paths(&mut self, block: Block) {
        let Some(last) = self.body.layout.last_inst(block) else { return };
        let targets = self.body.targets(last);
        let operand = self.body.args(last).first().and_then(|&arg| self.value(arg));
        let bits = operand.map(|datum| datum.bits());
        let taken = match (self.body.inst(last).payload, bits) {
            (Payload::Branch(_), Some(bits)) => Some(usize::from(bits & 1 == 0)),
            (Payload::Switch(table), Some(bits)) => self.body.switch(table).map(|switch| {
                let case = switch.cases.iter().position(|&case| case == bits);
                case.unwrap_or(switch.cases.len())
            }),
            _ => None,
        };
        for (index, target) in targets.iter().enumerate() {
            if taken.is_none_or(|taken| taken == index) {
                self.live.insert(target.block);
            }
        }
    }

    /// What an instruction costs; nothing if it is a constant.
    fn cost(&mut self, inst: Inst) -> u32 {
        if self.fold(inst) {
            return 0;
        }
        let (data, args) = (self.body.inst(inst), self.body.args(inst));
        if is_for_promise(self.body, inst) {
            return 0;
        }
        let is_known = |index: usize| args.get(index).is_some_and(|&arg| self.value(arg).is_some());
        match data.op {
            Op::Jump | Op::Return | Op::Unreachable | Op::Trap | Op::Prefetch => 0,
            Op::LoopMark | Op::Assume => 0,
            Op::SlotAddr | Op::DataAddr | Op::FunctionAddr | Op::Bitcast | Op::AddressCast => 0,
            Op::PtrToInt | Op::IntToPtr | Op::FunctionToPtr | Op::PtrToFunction => 0,
            Op::PtrAdd if is_known(1) => 0,
            Op::Branch | Op::Check | Op::Select if is_known(0) => 0,
            Op::Switch if is_known(0) => 0,
            Op::Switch => 2 + self.body.targets(inst).len() as u32 / 2,
            op if op.is_call() => CALL_COST + args.len() as u32,
            _ if data.op.info().form == Form::Bulk => CALL_COST,
            _ => width(data.ty),
        }
    }

    /// Computes an instruction whose operands are all known.
    fn fold(&mut self, inst: Inst) -> bool {
        let (data, args) = (self.body.inst(inst), self.body.args(inst));
        if args.is_empty() || data.ty.is_aggregate() {
            return false;
        }
        let mut operands: SmallVec<[Datum; 3]> = SmallVec::new();
        for &arg in args {
            match self.value(arg) {
                Some(datum) => operands.push(datum),
                None => return false,
            }
        }
        let immediates = match data.payload {
            Payload::Immediates(list) => self.body.immediates(list),
            _ => &[],
        };
        let operation = Operation {
            op: data.op,
            ty: data.ty,
            operand: self.body.value_type(args[0]),
            payload: &data.payload,
            immediates,
        };
        let operands: SmallVec<[&Datum; 3]> = operands.iter().collect();
        let Some(Ok(results)) = fold(&operation, &operands) else { return false };
        for (&result, datum) in self.body.results(inst).iter().zip(results) {
            self.known.insert(result, datum);
        }
        true
    }
}

/// Whether an instruction is there for a promise about its result, as front ends write it.
fn is_for_promise(body: &Body, inst: Inst) -> bool {
    let next = body.layout.next_inst(inst).filter(|&next| body.inst(next).op == Op::Assume);
    next.is_some_and(|next| body.args(next).first() == body.results(inst).first())
}

/// How many registers a value of `ty` takes.
fn width(ty: Type) -> u32 {
    let bits = ty.lane().map_or(0, |lane| lane.bits()) * ty.lanes();
    bits.div_ceil(8 * REGISTER_BYTES).max(1)
}
