//! Values that rounds add up, in one sense or another.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashSet;

use super::cost::vector_of;
use super::narrow::Narrow;
use super::refusal::Refusal;
use super::shape::{Round, Shape, Step};

/// What a lane starts with that has not taken part yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Neutral {
    /// These bits.
    Zero,
    /// One.
    One,
    /// All bits.
    Ones,
    /// The float -0.0, which changes no sum, not even one of zeros.
    MinusZero,
    /// The float 1.0.
    FloatOne,
    /// What the first round is given: it may take part as often as it likes.
    Start,
}

/// What may be put together in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    /// What a round does.
    op: Op,
    /// What puts two lanes together.
    combine: Op,
    /// What puts all lanes of a vector together.
    reduce: Op,
    neutral: Neutral,
}

/// By the op of a round. Sums and products of floats need permission; the smallest or
/// largest of floats is the same in any order, but for the bits of a NaN.
const KINDS: &[Kind] = &[
    Kind { op: Op::Add, combine: Op::Add, reduce: Op::ReduceAdd, neutral: Neutral::Zero },
    Kind { op: Op::Sub, combine: Op::Add, reduce: Op::ReduceAdd, neutral: Neutral::Zero },
    Kind { op: Op::Mul, combine: Op::Mul, reduce: Op::ReduceMul, neutral: Neutral::One },
    Kind { op: Op::And, combine: Op::And, reduce: Op::ReduceAnd, neutral: Neutral::Ones },
    Kind { op: Op::Or, combine: Op::Or, reduce: Op::ReduceOr, neutral: Neutral::Zero },
    Kind { op: Op::Xor, combine: Op::Xor, reduce: Op::ReduceXor, neutral: Neutral::Zero },
    Kind { op: Op::Smin, combine: Op::Smin, reduce: Op::ReduceSmin, neutral: Neutral::Start },
    Kind { op: Op::Smax, combine: Op::Smax, reduce: Op::ReduceSmax, neutral: Neutral::Start },
    Kind { op: Op::Umin, combine: Op::Umin, reduce: Op::ReduceUmin, neutral: Neutral::Start },
    Kind { op: Op::Umax, combine: Op::Umax, reduce: Op::ReduceUmax, neutral: Neutral::Start },
    Kind { op: Op::Fmin, combine: Op::Fmin, reduce: Op::ReduceFmin, neutral: Neutral::Start },
    Kind { op: Op::Fmax, combine: Op::Fmax, reduce: Op::ReduceFmax, neutral: Neutral::Start },
    Kind { op: Op::Fadd, combine: Op::Fadd, reduce: Op::ReduceFadd, neutral: Neutral::MinusZero },
    Kind { op: Op::Fsub, combine: Op::Fadd, reduce: Op::ReduceFadd, neutral: Neutral::MinusZero },
    Kind { op: Op::Muladd, combine: Op::Fadd, reduce: Op::ReduceFadd, neutral: Neutral::MinusZero },
    Kind { op: Op::Fmul, combine: Op::Fmul, reduce: Op::ReduceFmul, neutral: Neutral::FloatOne },
];

/// What puts all lanes of a vector together as an op does two numbers.
pub(in crate::vectorisation) fn reduce_of(op: Op) -> Option<Op> {
    KINDS.iter().find(|kind| kind.combine == op).map(|kind| kind.reduce)
}

/// A parameter of a header into which each round puts something, and which nothing else
/// looks at.
#[derive(Clone, Debug)]
pub(super) struct Reduction {
    /// What it is in the next round.
    pub(super) next: Value,
    pub(super) ty: Type,
    pub(super) combine: Op,
    pub(super) reduce: Op,
    pub(super) neutral: Neutral,
    /// What all its ops are permitted.
    pub(super) flags: InstFlags,
    /// The ops on the way, one behind the other in the longest case.
    pub(super) ops: Vec<Op>,
    /// What is added, if that is narrower than the sum.
    pub(super) narrow: Option<Narrow>,
}

impl Reduction {
    /// The vector of that many rounds that holds parts of it.
    pub(super) fn vector(&self, lanes: u32) -> Option<Type> {
        match &self.narrow {
            Some(narrow) => narrow.sum(lanes),
            None => vector_of(self.ty, lanes),
        }
    }

    /// What a round makes of which all parts are put together.
    pub(super) fn part(&self) -> Value {
        self.narrow.map_or(self.next, |narrow| narrow.source)
    }
}

impl Reduction {
    /// What a parameter of the header is that gets `next`.
    pub(super) fn of(
        body: &Body,
        shape: &Shape,
        round: &Round,
        param: Value,
        next: Value,
    ) -> Result<Reduction, Refusal> {
        let mut chain = Chain {
            members: FxHashSet::from_iter([param]),
            kind: None,
            flags: InstFlags::CONTRACT | InstFlags::REASSOCIATE,
            ops: Vec::new(),
        };
        for step in &round.steps {
            match step {
                Step::Do(inst, _) => chain.meet(body, *inst)?,
                Step::Merge(merged, ways) => {
                    let count = ways.iter().filter(|way| chain.members.contains(&way.1)).count();
                    match count {
                        0 => {}
                        _ if count == ways.len() => {
                            chain.members.insert(*merged);
                        }
                        _ => return Err(Refusal::Carried),
                    }
                }
            }
        }
        let handed = shape.handed(body).iter().filter(|value| chain.members.contains(value));
        let is_tested = body.args(shape.branch).iter().any(|arg| chain.members.contains(arg));
        if !chain.members.contains(&next) || handed.count() != 1 || is_tested {
            return Err(Refusal::Carried);
        }
        for &block in &shape.blocks {
            let last = body.layout.last_inst(block).filter(|&last| last != shape.branch);
            if last
                .is_some_and(|last| body.args(last).iter().any(|arg| chain.members.contains(arg)))
            {
                return Err(Refusal::Carried);
            }
        }
        let kind = chain.kind.ok_or(Refusal::Carried)?;
        let needs_permission = matches!(kind.combine, Op::Fadd | Op::Fmul);
        if needs_permission && !chain.flags.contains(InstFlags::REASSOCIATE) {
            return Err(Refusal::Ordered(kind.op));
        }
        let ty = body.value_type(param);
        let Kind { combine, reduce, neutral, .. } = kind;
        let flags = chain.flags & combine.info().flags;
        Ok(Reduction { next, ty, combine, reduce, neutral, flags, ops: chain.ops, narrow: None })
    }
}

/// Whatever has the values of the rounds before in it.
struct Chain {
    members: FxHashSet<Value>,
    kind: Option<Kind>,
    flags: InstFlags,
    ops: Vec<Op>,
}

impl Chain {
    fn meet(&mut self, body: &Body, inst: Inst) -> Result<(), Refusal> {
        let args = body.args(inst);
        let inside: Vec<usize> =
            (0..args.len()).filter(|&index| self.members.contains(&args[index])).collect();
        if inside.is_empty() {
            return Ok(());
        }
        let data = body.inst(inst);
        let result = body.result(inst).ok_or(Refusal::Carried)?;
        if data.op == Op::Select && inside == [1, 2] {
            self.members.insert(result);
            return Ok(());
        }
        let kind = *KINDS.iter().find(|kind| kind.op == data.op).ok_or(Refusal::Carried)?;
        let is_in_place = match data.op {
            Op::Sub | Op::Fsub => inside == [0],
            Op::Muladd => inside == [2],
            _ => inside.len() == 1,
        };
        let is_alike = self.kind.is_none_or(|known| known.combine == kind.combine);
        if !is_in_place || !is_alike {
            return Err(Refusal::Carried);
        }
        self.kind.get_or_insert(kind);
        self.flags &= data.flags;
        self.ops.push(data.op);
        self.members.insert(result);
        Ok(())
    }
}
