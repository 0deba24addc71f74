//! Permits what `loop_mark simd` permits: sums over the rounds of a loop in any order.
//!
//! Before:
//! ```text
//! func @f(ptr, i64, f64) -> f64 {
//! block0(%0: ptr, %1: i64, %2: f64):
//!     jump block1(0, 0.0)
//! block1(%3: i64, %4: f64):
//!     loop_mark simd
//!     %5 = shl.i64 %3, 3
//!     %6 = ptr_add %0, %5
//!     %7 = load.f64 %6
//!     %8 = fmul.f64 %7, %2
//!     %9 = fadd.f64 %4, %8
//!     %10 = add.i64 %3, 1
//!     %11 = icmp.i64 ult %10, %1
//!     branch %11, block1(%10, %9), block2
//! block2:
//!     %12 = fadd.f64 %9, %2
//!     return %12
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64, f64) -> f64 {
//! block0(%0: ptr, %1: i64, %2: f64):
//!     jump block1(0, 0.0)
//! block1(%3: i64, %4: f64):
//!     loop_mark simd
//!     %5 = shl.i64 %3, 3
//!     %6 = ptr_add %0, %5
//!     %7 = load.f64 %6
//!     %8 = fmul.f64 %7, %2 contract
//!     %9 = fadd.f64 %4, %8 contract reassociate
//!     %10 = add.i64 %3, 1
//!     %11 = icmp.i64 ult %10, %1
//!     branch %11, block1(%10, %9), block2
//! block2:
//!     %12 = fadd.f64 %9, %2
//!     return %12
//! }
//! ```
//! A chain begins at a parameter of the header that is a float, or a vector of floats. It
//! goes on over sums and differences, or over products, or over minima, or over maxima, of
//! which one operand alone is of the chain; over choices between members of it; and over
//! parameters that get members only. It ends where it is handed to the same parameter of
//! the header. Nothing else in the loop may look at a member: rounds in between have no
//! value of their own then. Ops of a chain get `reassociate` and `contract`, products that
//! only such sums use `contract`, as far as an op has these. The flags are on the ops, so
//! that later passes need not know of the mark; the mark stays, as `ivdep` and `unroll` are
//! asked for later. Integers need no permission.
//!
//! Needs: nothing. Keeps: all. Does not try: sums that go through memory, which `sroa` makes
//! parameters of; chains that are set anew in some rounds; products behind negations or
//! conversions.

use brolga_ir::attribute::{InstFlags, LoopFlags};
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use crate::analysis::{Loop, Loops};
use crate::pass::{Change, IncomingEdges, PassContext, PassResult, Uses};

/// The most ops, choices and parameters of a chain.
const MOST: usize = 1024;

/// Permits what the marks of loops permit.
///
/// # Errors
/// None.
pub fn simd_loop(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let marks: Vec<Inst> = body.layout.all_insts().filter(|&inst| is_mark(body, inst)).collect();
    if marks.is_empty() {
        return Ok(Change::Nothing);
    }
    let loops = context.analyses.loops(body);
    let (uses, edges) = (Uses::new(body), IncomingEdges::new(body));
    let (mut permitted, mut products) = (0, 0);
    for mark in marks {
        let header = body.layout.block_of(mark);
        let Some((header, of)) = header.and_then(|it| Some((it, loops.of_header(it)?))) else {
            continue;
        };
        let around = Around { loops: &loops, of, header, uses: &uses, edges: &edges };
        for index in 0..body.params(header).len() {
            match around.chain(body, index) {
                Some(chain) => {
                    products += around.permit_products(body, &chain);
                    permitted += permit(body, &chain.ops);
                }
                None if around.is_carried_float(body, index) => {
                    let message = "a float goes from round to round that is no sum, product, \
                                   minimum or maximum over the rounds: `simd` permits nothing";
                    context.remark(mark, RemarkKind::Missed, message);
                }
                None => {}
            }
        }
    }
    let counts = [("permitted ops", permitted), ("products that may be contracted", products)];
    Ok(context.statistics.add_each("simd_loop", counts))
}

fn is_mark(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).payload,
        Payload::LoopMark { flags, .. } if flags.contains(LoopFlags::SIMD))
}

/// Gives ops the permissions, and says how many had less.
fn permit(body: &mut Body, ops: &[Inst]) -> usize {
    let all = InstFlags::CONTRACT | InstFlags::REASSOCIATE;
    ops.iter().filter(|&&inst| add_flags(body, inst, all)).count()
}

/// Whether that changes something.
fn add_flags(body: &mut Body, inst: Inst, flags: InstFlags) -> bool {
    let data = body.inst_mut(inst);
    let now = data.flags | (flags & data.op.info().flags);
    std::mem::replace(&mut data.flags, now) != now
}

/// What ops of one chain have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Sum,
    Product,
    /// The least or the greatest, by that op.
    Extreme(Op),
}

impl Kind {
    /// Of an op that has the chain at that operand.
    fn of(op: Op, index: usize) -> Option<Kind> {
        match (op, index) {
            (Op::Fadd, _) | (Op::Fsub, 0) | (Op::Muladd, 2) => Some(Kind::Sum),
            (Op::Fmul, _) => Some(Kind::Product),
            (Op::Fmin | Op::Fmax | Op::FminNum | Op::FmaxNum, _) => Some(Kind::Extreme(op)),
            _ => None,
        }
    }
}

/// What a parameter of a header becomes in a round.
#[derive(Debug, Default)]
struct Chain {
    members: EntitySet<Value>,
    kind: Option<Kind>,
    ops: Vec<Inst>,
    selects: Vec<Inst>,
    /// Blocks in the loop, and which of their parameters are members.
    params: Vec<(Block, usize)>,
    is_closed: bool,
}

/// A loop that has a mark, and what is known around it.
struct Around<'a> {
    loops: &'a Loops,
    of: Loop,
    header: Block,
    uses: &'a Uses,
    edges: &'a IncomingEdges,
}

impl Around<'_> {
    fn contains(&self, block: Option<Block>) -> bool {
        block.is_some_and(|block| self.loops.contains(self.of, block))
    }

    /// The chain of a parameter of the header, if it is one.
    fn chain(&self, body: &Body, index: usize) -> Option<Chain> {
        let &param = body.params(self.header).get(index)?;
        let is_float = body.value_type(param).lane().is_some_and(|lane| lane.is_float());
        if !is_float {
            return None;
        }
        let mut chain = Chain::default();
        let mut work = vec![param];
        chain.members.insert(param);
        while let Some(value) = work.pop() {
            if chain.ops.len() + chain.selects.len() + chain.params.len() > MOST {
                return None;
            }
            for user in self.uses.of(body, value) {
                if self.contains(body.layout.block_of(user)) {
                    self.follow(body, index, &mut chain, (value, user), &mut work)?;
                }
            }
        }
        (chain.is_closed && chain.kind.is_some() && self.is_whole(body, index, &chain))
            .then_some(chain)
    }

    /// Takes up what a user in the loop makes of a member.
    fn follow(
        &self,
        body: &Body,
        index: usize,
        chain: &mut Chain,
        (value, user): (Value, Inst),
        work: &mut Vec<Value>,
    ) -> Option<()> {
        let (op, args) = (body.inst(user).op, body.args(user));
        let place = args.iter().position(|&arg| arg == value);
        let mut join = |chain: &mut Chain, member: Value| {
            if chain.members.insert(member) {
                work.push(member);
            }
        };
        if op.is_terminator() {
            if place.is_some() {
                return None;
            }
            for target in body.targets(user).iter().filter(|way| self.contains(Some(way.block))) {
                for (at, &arg) in body.target_args(target).iter().enumerate() {
                    if arg != value {
                        continue;
                    }
                    if target.block == self.header {
                        chain.is_closed = true;
                        if at != index {
                            return None;
                        }
                        continue;
                    }
                    chain.params.push((target.block, at));
                    join(chain, *body.params(target.block).get(at)?);
                }
            }
            return Some(());
        }
        let result = body.result(user)?;
        if op == Op::Select && place != Some(0) {
            chain.selects.push(user);
            join(chain, result);
            return Some(());
        }
        let kind = Kind::of(op, place?)?;
        if *chain.kind.get_or_insert(kind) != kind {
            return None;
        }
        chain.ops.push(user);
        join(chain, result);
        Some(())
    }

    /// Whether ops have one operand of the chain, and all else that is of it nothing but that.
    fn is_whole(&self, body: &Body, index: usize, chain: &Chain) -> bool {
        let is_member = |value: &Value| chain.members.contains(*value);
        let has_one =
            |&op: &Inst| body.args(op).iter().filter(|&value| is_member(value)).count() == 1;
        let gets_members = |&(block, at): &(Block, usize)| {
            self.edges.of(block).iter().all(|edge| {
                let from = body.layout.block_of(edge.inst);
                let is_entry = block == self.header && !self.contains(from);
                let target = body.targets(edge.inst).get(edge.index as usize);
                let given = target.and_then(|target| body.target_args(target).get(at));
                is_entry || given.is_some_and(is_member)
            })
        };
        chain.ops.iter().all(has_one)
            && chain.selects.iter().all(|&select| body.args(select)[1..].iter().all(is_member))
            && chain.params.iter().all(gets_members)
            && gets_members(&(self.header, index))
    }

    /// Lets products be a part of the sums that alone use them.
    fn permit_products(&self, body: &mut Body, chain: &Chain) -> usize {
        if chain.kind != Some(Kind::Sum) {
            return 0;
        }
        let mut count = 0;
        for &sum in &chain.ops {
            for &arg in &body.args(sum).to_vec() {
                let ValueDef::Result(product, _) = body.value_def(arg) else { continue };
                let is_product = body.inst(product).op == Op::Fmul;
                if !is_product || !self.contains(body.layout.block_of(product)) {
                    continue;
                }
                let is_of_chain = |user: &Inst| {
                    body.result(*user).is_some_and(|result| chain.members.contains(result))
                };
                if self.uses.of(body, arg).iter().all(is_of_chain) {
                    count += usize::from(add_flags(body, product, InstFlags::CONTRACT));
                }
            }
        }
        count
    }

    /// Whether the parameter is a float that some round changes.
    fn is_carried_float(&self, body: &Body, index: usize) -> bool {
        let Some(&param) = body.params(self.header).get(index) else { return false };
        let is_float = body.value_type(param).lane().is_some_and(|lane| lane.is_float());
        is_float
            && self.edges.of(self.header).iter().any(|edge| {
                let target = body.targets(edge.inst).get(edge.index as usize);
                let given = target.and_then(|target| body.target_args(target).get(index));
                self.contains(body.layout.block_of(edge.inst)) && given != Some(&param)
            })
    }
}
