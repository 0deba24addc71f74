//! Puts the operands of long sums, products, bit patterns and extremes into one order.
//!
//! Before:
//! ```text
//! func @f(i64, i64, i64) -> i64 {
//! block0(%0: i64, %1: i64, %2: i64):
//!     %3 = add.i64 %2, 5
//!     %4 = add.i64 %1, %3
//!     %5 = add.i64 %4, %0
//!     %6 = add.i64 %5, 7
//!     %7 = xor.i64 %1, %6
//!     %8 = xor.i64 %7, %1
//!     return %8
//! }
//! ```
//! After:
//! ```text
//! func @f(i64, i64, i64) -> i64 {
//! block0(%0: i64, %1: i64, %2: i64):
//!     %13 = add.i64 %1, %2
//!     %14 = add.i64 %13, %0
//!     %6 = add.i64 %14, 12
//!     return %6
//! }
//! ```
//! A tree of one op that wraps, of one bitwise op or of one extreme, whose inner values nothing
//! else uses, may be computed in any order. Its leaves are sorted by the block that defines them, so
//! that what does not change in a loop comes together and can leave it; constants come last, as
//! one. Of `xor` equal leaves cancel, of `and`, `or` and extremes one is enough (Briggs and Cooper,
//! "Effective partial redundancy elimination", 1994). Leaves of one block stay as they were
//! written: no order of theirs is better than another as far as the function tells, and whoever
//! wrote `x * x * scale` may know that the scale comes late. But trees of the same leaves are made
//! the same, all as the first. Trees stay in one block, and have a bounded number of leaves:
//! O(n log n).
//!
//! With the option `carried`, only trees are looked at that a loop hands to its next round.
//! The operand that comes from the round before goes last, so that a round waits for one op
//! and not for the whole tree (see `reassociate/carried`): of extremes, too.
//!
//! Keeps: the flow graph and all that follows from it. Does not try: floats;
//! differences; factors that products have in common.

mod carried;

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, EntityRef, EntitySet, Inst, SecondaryMap, Value, dense_map};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::Kept;
use crate::pass::{Change, PassContext, PassResult, Renames, fold_op};

/// The most leaves of a tree.
const MOST_LEAVES: usize = 32;

/// The option that puts last what comes from the round before.
const CARRIED: &str = "carried";

/// The operands of a tree.
type Leaves = SmallVec<[Value; 8]>;

/// Puts trees of one op into order.
///
/// # Errors
/// None.
pub fn reassociate(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let graph = context.analyses.flow(body);
    let mut order = Order::new(body);
    let mut ranks: SecondaryMap<Block, u32> = dense_map(body.block_count());
    for (rank, block) in (1..).zip(graph.reverse_postorder()) {
        ranks[block] = rank;
    }
    if context.option == CARRIED {
        let count = order.arrange_carried(body, &graph, &ranks);
        context.statistics.add("reassociate", "trees that wait for one op", count);
        return Ok(order.finish(body, context, count));
    }
    let mut count = 0;
    let mut renames = Renames::default();
    for block in graph.reverse_postorder() {
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            if order.is_root(body, inst) {
                count += u64::from(order.arrange(body, &ranks, &mut renames, inst));
            }
        }
    }
    context.statistics.add("reassociate", "ordered trees", count);
    if count > 0 {
        renames.apply(body);
    }
    Ok(order.finish(body, context, count))
}

/// Whether the operands of an op may be regrouped and change places.
fn is_free(op: Op, ty: Type) -> bool {
    let is_free = matches!(
        op,
        Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Smin | Op::Smax | Op::Umin | Op::Umax
    );
    is_free && ty.lane().is_some_and(|lane| lane.is_int() || lane == Scalar::I1)
}

/// The only instruction that uses a value, as an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum User {
    #[default]
    None,
    One(u32),
    More,
}

/// The trees of a body.
struct Order {
    users: SecondaryMap<Value, User>,
    /// The order of the first tree of an op with some leaves, by these in the order of their
    /// numbers.
    known: FxHashMap<(Op, Leaves), Leaves>,
    gone: Vec<Inst>,
    is_gone: EntitySet<Inst>,
}

impl Order {
    fn new(body: &Body) -> Order {
        let mut users: SecondaryMap<Value, User> = dense_map(body.value_count());
        for inst in body.layout.all_insts() {
            for value in body.uses(inst) {
                users[value] = match users[value] {
                    User::None => User::One(inst.index() as u32),
                    _ => User::More,
                };
            }
        }
        let known = FxHashMap::default();
        Order { users, known, gone: Vec::new(), is_gone: EntitySet::new() }
    }

    /// Whether `inst` is an inner part of the tree of the instruction that uses it.
    fn is_inner(&self, body: &Body, inst: Inst) -> bool {
        let Some(User::One(user)) = body.result(inst).map(|result| self.users[result]) else {
            return false;
        };
        let user = Inst::new(user as usize);
        let (data, above) = (body.inst(inst), body.inst(user));
        data.op == above.op
            && data.ty == above.ty
            && body.layout.block_of(inst) == body.layout.block_of(user)
    }

    fn is_root(&self, body: &Body, inst: Inst) -> bool {
        let data = body.inst(inst);
        is_free(data.op, data.ty) && !self.is_inner(body, inst)
    }

    /// The leaves of the tree of `root`, from the left, and what stands between; nothing
    /// if it has too many. Says whether each right operand is a leaf.
    fn leaves(&self, body: &Body, root: Inst) -> Option<(Leaves, SmallVec<[Inst; 8]>, bool)> {
        let (mut leaves, mut inner) = (Leaves::new(), SmallVec::new());
        let mut is_chain = true;
        let mut stack: SmallVec<[(Value, bool); 8]> = SmallVec::new();
        let push = |stack: &mut SmallVec<[(Value, bool); 8]>, inst: Inst| {
            if let &[left, right] = body.args(inst) {
                stack.extend([(right, true), (left, false)]);
            }
        };
        push(&mut stack, root);
        while let Some((value, is_right)) = stack.pop() {
            let made = match body.value_def(value) {
                ValueDef::Result(inst, 0) => Some(inst),
                _ => None,
            };
            match made.filter(|&made| {
                is_free(body.inst(made).op, body.inst(made).ty)
                    && body.inst(made).op == body.inst(root).op
                    && self.is_inner(body, made)
                    && !self.is_gone.contains(made)
            }) {
                Some(made) => {
                    is_chain &= !is_right;
                    inner.push(made);
                    push(&mut stack, made);
                }
                None => leaves.push(value),
            }
            if leaves.len() + stack.len() > MOST_LEAVES {
                return None;
            }
        }
        Some((leaves, inner, is_chain))
    }

    /// Removes what stood in the old trees.
    fn finish(self, body: &mut Body, context: &mut PassContext<'_>, count: u64) -> Change {
        if count == 0 {
            return Change::Nothing;
        }
        for inst in self.gone {
            body.remove_inst(inst);
        }
        context.analyses.keep(Kept::GRAPH);
        Change::Something
    }

    /// Writes the tree of `root` in order; says whether it was in another one.
    fn arrange(
        &mut self,
        body: &mut Body,
        ranks: &SecondaryMap<Block, u32>,
        renames: &mut Renames,
        root: Inst,
    ) -> bool {
        let Some((found, inner, is_chain)) = self.leaves(body, root) else { return false };
        if found.len() < 3 {
            return false;
        }
        let data = *body.inst(root);
        let Some(leaves) = arranged(body, ranks, &data, &found) else { return false };
        let leaves = self.as_before(data.op, leaves);
        if is_chain && leaves == found {
            return false;
        }
        let result = body.result(root);
        let value = match leaves.as_slice() {
            [] => identity(data.op, data.ty).map(|constant| body.constant(constant)),
            &[only] => Some(only),
            _ => None,
        };
        if let (Some(value), Some(result)) = (value, result) {
            renames.rename(result, value);
            self.remove(root);
        } else {
            write(body, root, &leaves);
        }
        inner.into_iter().for_each(|inst| self.remove(inst));
        true
    }

    /// The order in which a tree of those leaves was written before, if one was.
    fn as_before(&mut self, op: Op, leaves: Leaves) -> Leaves {
        let mut set = leaves.clone();
        set.sort_unstable();
        self.known.entry((op, set)).or_insert(leaves).clone()
    }

    fn remove(&mut self, inst: Inst) {
        self.gone.push(inst);
        self.is_gone.insert(inst);
    }
}

/// Writes the tree of `root` anew, of those leaves, two at least, in that order.
fn write(body: &mut Body, root: Inst, leaves: &[Value]) {
    let [first, rest @ .., last] = leaves else { return };
    let data = *body.inst(root);
    let mut sum = *first;
    for &leaf in rest {
        sum = combined(body, root, &data, sum, leaf);
    }
    let args = body.list(&[sum, *last]);
    let root = body.inst_mut(root);
    root.args = args;
    root.flags = InstFlags::empty();
}

/// One instruction of a tree, before its root.
fn combined(body: &mut Body, root: Inst, like: &InstData, x: Value, y: Value) -> Value {
    let args = body.list(&[x, y]);
    let data = InstData { args, flags: InstFlags::empty(), ..*like };
    let inst = body.insert_inst(root, data, &[like.ty]);
    body.result(inst).unwrap_or(x)
}

/// The leaves in order, with one constant at the end, and without those that say nothing.
fn arranged(
    body: &mut Body,
    ranks: &SecondaryMap<Block, u32>,
    data: &InstData,
    found: &[Value],
) -> Option<Leaves> {
    let is_constant = |body: &Body, value: Value| body.as_constant(value).is_some();
    let mut leaves: Leaves =
        found.iter().copied().filter(|&leaf| !is_constant(body, leaf)).collect();
    let rank = |leaf: Value| body.defining_block(leaf).map_or(0, |block| ranks[block]);
    leaves.sort_by_key(|&leaf| rank(leaf));
    match data.op {
        Op::And | Op::Or | Op::Smin | Op::Smax | Op::Umin | Op::Umax => leaves = once(&leaves),
        Op::Xor => leaves = unpaired(&leaves),
        _ => {}
    }
    let mut constant: Option<Value> = None;
    for &leaf in found {
        if !is_constant(body, leaf) {
            continue;
        }
        constant = Some(match constant {
            None => leaf,
            Some(sum) => {
                let folded = fold_op(body, data.op, data.ty, &[sum, leaf], &Payload::None)?;
                *folded.ok()?.first()?
            }
        });
    }
    let identity = identity(data.op, data.ty).map(|identity| body.constant(identity));
    leaves.extend(constant.filter(|&constant| Some(constant) != identity));
    Some(leaves)
}

/// Each leaf where it stands first.
fn once(leaves: &[Value]) -> Leaves {
    let is_first = |&(at, leaf): &(usize, &Value)| !leaves[..at].contains(leaf);
    leaves.iter().enumerate().filter(is_first).map(|(_, &leaf)| leaf).collect()
}

/// The leaves without those that cancel each other, by twos.
fn unpaired(leaves: &[Value]) -> Leaves {
    let mut left = Leaves::new();
    for &leaf in leaves {
        match left.iter().position(|&it| it == leaf) {
            Some(at) => drop(left.remove(at)),
            None => left.push(leaf),
        }
    }
    left
}

/// What changes no other operand of the op.
fn identity(op: Op, ty: Type) -> Option<Constant> {
    let ones = u128::MAX >> (128 - ty.lane()?.bits().clamp(1, 128));
    let bits = match op {
        Op::Mul => 1,
        Op::And | Op::Umin => ones,
        Op::Smin => ones >> 1,
        Op::Smax => ones ^ (ones >> 1),
        _ => 0,
    };
    match ty.is_vector() {
        true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
        false => Constant::scalar(ty, bits),
    }
}
