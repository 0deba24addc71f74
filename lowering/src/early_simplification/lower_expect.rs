//! Turns what code says of its own likelihood into weights, and drops the ops
//! that said it.
//!
//! Before:
//! ```text
//! func @f(i1) -> i32 {
//! block0(%0: i1):
//!     %1 = expect.i1 %0, 1
//!     assume %0
//!     branch %1, block1, block2
//! block1:
//!     return 1
//! block2:
//!     return 2
//! }
//! ```
//! After:
//! ```text
//! func @f(i1) -> i32 {
//! block0(%0: i1):
//!     branch %0, block1, block2 weights(2000, 1)
//! block1:
//!     return 1
//! block2:
//!     return 2
//! }
//! ```
//! An `expect` of a constant gives its weights to the branches and switches
//! that use its result, directly or through a compare with a constant; every
//! use of the result becomes one of the operand. A branch with weights of its
//! own keeps them: they were counted, not guessed.
//!
//! An `assume` goes at once, unless a later row of this pass, `lower_expect(assumptions)`,
//! takes them out: until then stay those of compares, each once in a block, for the passes
//! that ask what is known on the way to a place (Conditions, `early_cse`). Who takes promises
//! out takes out what nothing but they asked for as well, where nothing is expected.
//!
//! Needs: nothing. Keeps: edges between blocks that are reached; with its option, the flow
//! graph. Does not try: promises of truth values that are no compares.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use smallvec::SmallVec;

use crate::pass::{
    Change, PassContext, PassResult, count_uses, is_removable, remove_unreachable_blocks,
};

/// The weight of the expected way, where the others have 1.
const LIKELY: u32 = 2000;

/// The option of the row that takes out what the one before has left.
const ASSUMPTIONS: &str = "assumptions";

/// The most promises that stay in a block.
const MOST_PROMISES: usize = 16;

/// Turns `expect` into weights, and drops it, and `assume` if it is not kept for a while.
///
/// # Errors
/// None.
pub fn lower_expect(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if !context.analyses.ops(body).has_any(&[Op::Expect, Op::Assume]) {
        return Ok(Change::Nothing);
    }
    if context.option == ASSUMPTIONS {
        return Ok(drop_assumptions(body, context));
    }
    let mut promised = match context.next_option {
        Some(ASSUMPTIONS) => Some(Promised::default()),
        _ => None,
    };
    if promised.is_none() && !context.analyses.ops(body).has_any(&[Op::Expect]) {
        return Ok(drop_assumptions(body, context));
    }
    remove_unreachable_blocks(body);
    let order: Vec<Block> = FlowGraph::new(body).reverse_postorder().collect();
    let mut expectations = Expectations { known: SecondaryMap::new() };
    let mut dropped = 0;
    for &block in &order {
        promised.iter_mut().for_each(|it| it.clear());
        let mut next = body.layout.first_inst(block);
        while let Some(inst) = next {
            next = body.layout.next_inst(inst);
            if let Some(likely) = expectations.weigh(body, inst) {
                let message = format_args!("{likely} is the likely way");
                context.remark(inst, RemarkKind::Applied, message);
            }
            expectations.note(body, inst);
            expectations.rename_uses(body, inst);
            let goes = match body.inst(inst).op {
                Op::Expect => true,
                Op::Assume => promised.as_mut().is_none_or(|it| !it.is_news(body, inst)),
                _ => false,
            };
            if goes {
                context.trace(format_args!("drops {inst} of {block}"));
                body.layout.remove_inst(inst);
                dropped += 1;
            }
        }
    }
    context.statistics.add("lower_expect", "dropped hints", dropped);
    Ok(Change::Something)
}

/// Takes out what was promised, and what is there for nothing else.
fn drop_assumptions(body: &mut Body, context: &mut PassContext<'_>) -> Change {
    let mut uses = count_uses(body);
    let is_promise = |inst: &Inst| body.inst(*inst).op == Op::Assume;
    let mut left: Vec<Inst> = body.layout.all_insts().filter(is_promise).collect();
    let mut dropped = 0;
    while let Some(inst) = left.pop() {
        for arg in SmallVec::<[Value; 4]>::from_slice(body.args(inst)) {
            uses[arg] -= 1;
            if let ValueDef::Result(maker, _) = body.value_def(arg)
                && body.results(maker).iter().all(|&result| uses[result] == 0)
                && is_removable(context.module, body, maker)
            {
                left.push(maker);
            }
        }
        body.remove_inst(inst);
        dropped += 1;
    }
    context.statistics.add("lower_expect", "dropped assumptions", dropped);
    Change::Something
}

/// What promises of a block have said.
#[derive(Debug, Default)]
struct Promised {
    compares: SmallVec<[(IntCond, Value, Value); 8]>,
}

impl Promised {
    fn clear(&mut self) {
        self.compares.clear();
    }

    /// Whether an `assume` says of a compare what none of the block has said before.
    fn is_news(&mut self, body: &Body, inst: Inst) -> bool {
        let Some(&condition) = body.args(inst).first() else { return false };
        let ValueDef::Result(maker, 0) = body.value_def(condition) else { return false };
        let (Payload::IntCond(condition), &[a, b]) = (body.inst(maker).payload, body.args(maker))
        else {
            return false;
        };
        let compare = (condition, a, b);
        let is_news = self.compares.len() < MOST_PROMISES && !self.compares.contains(&compare);
        if is_news {
            self.compares.push(compare);
        }
        is_news
    }
}

/// What a value is expected to be.
#[derive(Clone, Copy, Debug)]
struct Expectation {
    /// What to use in its place: the value itself, or what went into `expect`.
    value: Value,
    /// The bits that are expected; none if they are no constant.
    expected: Option<u128>,
}

/// What was met so far.
struct Expectations {
    known: SecondaryMap<Value, Option<Expectation>>,
}

impl Expectations {
    /// Notes what `inst` says: an `expect`, or a compare of its result.
    fn note(&mut self, body: &Body, inst: Inst) {
        let &[result] = body.results(inst) else { return };
        let expectation = match (body.inst(inst).op, body.args(inst)) {
            (Op::Expect, &[value, expected]) => {
                // An operand that is an `expect` itself will be gone.
                let value = self.known[value].map_or(value, |known| known.value);
                Expectation { value, expected: body.as_scalar_constant(expected) }
            }
            (Op::Icmp, args) => match self.expected_compare(body, inst, args) {
                None => return,
                expected => Expectation { value: result, expected },
            },
            _ => return,
        };
        self.known[result] = Some(expectation);
    }

    /// What a compare gives if one operand is as expected and the other constant.
    fn expected_compare(&self, body: &Body, inst: Inst, args: &[Value]) -> Option<u128> {
        args.iter().find(|&&arg| self.known[arg].is_some())?;
        let bits =
            |&arg: &Value| body.as_scalar_constant(arg).or_else(|| self.known[arg]?.expected);
        let operands: Vec<Datum> =
            args.iter().map(|arg| bits(arg).map(Datum::Scalar)).collect::<Option<_>>()?;
        let data = body.inst(inst);
        let operation = Operation {
            op: data.op,
            ty: data.ty,
            operand: data.ty,
            payload: &data.payload,
            immediates: &[],
        };
        let operands: Vec<&Datum> = operands.iter().collect();
        let results = fold(&operation, &operands)?.ok()?;
        Some(results.first()?.bits())
    }

    fn rename_uses(&self, body: &mut Body, inst: Inst) {
        body.map_uses(inst, |value| self.known[value].map_or(value, |known| known.value));
    }

    /// Gives a branch or switch the weights that its operand asks for, if it asks for any;
    /// gives the block that it then mostly goes to.
    fn weigh(&self, body: &mut Body, inst: Inst) -> Option<Block> {
        if body.weights(inst).is_some() || !matches!(body.inst(inst).op, Op::Branch | Op::Switch) {
            return None;
        }
        let known = body.args(inst).first().and_then(|&arg| self.known[arg]);
        let expected = known.and_then(|known| known.expected)?;
        let likely = match body.inst(inst).payload {
            Payload::Switch(table) => body.switch(table).map_or(0, |switch| {
                let case = switch.cases.iter().position(|&case| case == expected);
                case.unwrap_or(switch.cases.len())
            }),
            _ => usize::from(expected == 0),
        };
        let count = body.targets(inst).len();
        let weights: Vec<u32> =
            (0..count).map(|index| if index == likely { LIKELY } else { 1 }).collect();
        body.set_weights(inst, &weights);
        body.targets(inst).get(likely).map(|target| target.block)
    }
}
