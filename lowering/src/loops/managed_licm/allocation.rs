//! Objects that every round can use again.

use brolga_ir::attribute::{AccessFlags, LoopFlags};
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{EntitySet, Inst, PackedOption, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::managed::OBJECT_ALIGN;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::{Shape, move_before};
use crate::analysis::addresses::{Base, Bases};
use crate::analysis::escape::lets_out;
use crate::analysis::{Liveness, Loop};
use crate::pass::{PassContext, Uses, has_op};

/// The largest object: one that is filled in each round is no larger.
const MOST_BYTES: u128 = 1 << 10;

/// How many objects of a function are followed: each may take a look at the whole.
const MOST_OBJECTS: usize = 16;

/// Moves allocations before loops; says how many.
pub(super) fn hoist(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    if !has_op(body, &[Op::AllocObject]) || has_promise(body) {
        return 0;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let loops = context.analyses.loops(body);
    let escapes = context.analyses.escapes(body);
    let shape = Shape { flow: &flow, dominators: &dominators, loops: &loops };
    let mut search = Search { shape, bases: escapes.bases(), uses: Uses::new(body) };
    let (mut left, mut hoisted) = (MOST_OBJECTS, 0);
    for id in loops.all().rev() {
        let Some(jump) = search.shape.preheader_jump(body, id) else { continue };
        for made in search.shape.own_insts(body, id, Op::AllocObject) {
            if left == 0 || !search.is_made_in_each_round(body, id, made) {
                continue;
            }
            left -= 1;
            match search.users(body, id, made) {
                Ok(users) => {
                    search.reuse(body, made, &users);
                    move_before(body, made, jump);
                    context.remark(made, RemarkKind::Applied, "one object for all rounds");
                    hoisted += 1;
                }
                Err(reason) => context.remark(made, RemarkKind::Missed, reason),
            }
        }
    }
    hoisted
}

/// Whether rounds are promised not to touch what others do, which they would then.
fn has_promise(body: &Body) -> bool {
    body.layout.all_insts().any(|inst| match body.inst(inst).payload {
        Payload::LoopMark { flags, .. } => flags.contains(LoopFlags::IVDEP),
        _ => false,
    })
}

/// An instruction that uses an object, and the reference that it puts there, if any: the
/// object that it is put into, and what is.
#[derive(Clone, Copy, Debug)]
struct User {
    inst: Inst,
    stored: Option<[Value; 2]>,
}

struct Search<'a> {
    shape: Shape<'a>,
    bases: &'a Bases,
    uses: Uses,
}

impl Search<'_> {
    /// Whether each round, the last one too, makes an object of known size and type unless
    /// it traps.
    fn is_made_in_each_round(&self, body: &Body, id: Loop, made: Inst) -> bool {
        let Shape { flow, dominators, loops } = self.shape;
        let (&[ty, size], Some(block), Some(data)) =
            (body.args(made), body.layout.block_of(made), loops.get(id))
        else {
            return false;
        };
        let leaving = loops.exits(id, flow).map(|(from, _)| from);
        let mut ends = data.latches.iter().copied().chain(leaving);
        body.as_scalar_constant(size).is_some_and(|size| size <= MOST_BYTES)
            && self.shape.is_invariant(body, id, ty)
            && ends.all(|end| dominators.dominates(block, end))
    }

    /// What uses an object; or why the next one cannot be the same.
    fn users(&self, body: &Body, id: Loop, made: Inst) -> Result<Vec<User>, &'static str> {
        let mut addresses: EntitySet<Value> = EntitySet::new();
        let mut open: Vec<Value> = body.result(made).into_iter().collect();
        let mut users = Vec::new();
        while let Some(value) = open.pop() {
            if !addresses.insert(value) {
                continue;
            }
            for inst in self.uses.of(body, value) {
                if self.is_of_round(body, id, value) && self.gets_out(body, id, inst, value) {
                    return Err("the object gets out of the round");
                }
                if body.inst(inst).op == Op::PreserveBegin {
                    return Err("what it refers to is kept alive");
                }
                if reaches_back(body, inst) {
                    return Err("what stands before the object is used");
                }
                users.push(inst);
                open.extend(made_of(body, inst, value));
            }
        }
        let is_own = |value| addresses.contains(value) && self.is_of_round(body, id, value);
        if is_live_before(body, &self.shape, is_own, made) {
            return Err("the object is used when the next one is made");
        }
        users.sort_unstable();
        users.dedup();
        let stored = users.into_iter().map(|inst| {
            let stored = self.stored(body, made, inst).ok_or("references get in unseen")?;
            Ok(User { inst, stored })
        });
        stored.collect()
    }

    /// Whether a value is computed in the loop: what was before is no address of an object
    /// that this loop makes while it runs this time.
    fn is_of_round(&self, body: &Body, id: Loop, value: Value) -> bool {
        !self.shape.is_invariant(body, id, value)
    }

    /// Whether `inst` lets an address out while the loop runs.
    fn gets_out(&self, body: &Body, id: Loop, inst: Inst, value: Value) -> bool {
        let is_inside = |block| self.shape.loops.contains(id, block);
        let mut args = body.args(inst).iter().enumerate();
        body.layout.block_of(inst).is_some_and(is_inside)
            && args
                .any(|(index, &arg)| arg == value && lets_out(body, self.bases, inst, index, arg))
    }

    /// The object that a user stores a reference to, and that; nothing at all if it may do
    /// so in a way that is not seen.
    fn stored(&self, body: &Body, made: Inst, user: Inst) -> Option<Option<[Value; 2]>> {
        let data = body.inst(user);
        let is_managed = |ty: Type| ty.lane().is_some_and(Scalar::is_managed);
        match (data.op, body.args(user)) {
            (Op::Load, _) => Some(None),
            (Op::Store, &[stored, address]) if data.ty == Type::REF => {
                let parent = match body.value_type(address) {
                    Type::REF => address,
                    _ => self.start(body, made, user, address)?,
                };
                Some(Some([parent, stored]))
            }
            (Op::MemCopy, &[_, from, _]) if is_managed(body.value_type(from)) => None,
            _ if data.access().is_some() && is_managed(data.ty) => None,
            _ => Some(None),
        }
    }

    /// The object itself, where an address in it is used that was made from no other one.
    fn start(&self, body: &Body, made: Inst, user: Inst, address: Value) -> Option<Value> {
        let object = body.result(made)?;
        let [before, here] = [made, user].map(|inst| body.layout.block_of(inst));
        let is_there = self.shape.dominators.dominates(before?, here?);
        (is_there && self.bases.of(address) == Base::Fresh(object)).then_some(object)
    }

    /// Has the object filled where it was made, as a new one is, and lets its users be those
    /// of one whose bytes differ from round to round, and which is older than what they store
    /// in it.
    fn reuse(&mut self, body: &mut Body, made: Inst, users: &[User]) {
        for user in users {
            if let Some(access) = body.inst_mut(user.inst).access_mut() {
                access.flags.remove(AccessFlags::INVARIANT);
                access.class = PackedOption::default();
                access.scopes = PackedOption::default();
                access.no_alias = PackedOption::default();
            }
            if let Some(stored) = user.stored {
                self.tell(body, user.inst, stored);
            }
        }
        let (Some(object), &[_, size]) = (body.result(made), body.args(made)) else { return };
        if let Some(zero) = Constant::scalar(Type::I8, 0)
            && body.as_scalar_constant(size) != Some(0)
        {
            let zero = body.constant(zero);
            let args = body.list(&[object, zero, size]);
            let align_log2 = OBJECT_ALIGN.trailing_zeros() as u8;
            let payload = Payload::Access(Access { align_log2, ..Access::default() });
            self.insert(body, made, InstData::new(Op::MemFill, Type::NONE, args, payload));
        }
    }

    /// Puts a barrier behind a store of a reference, unless there is one.
    fn tell(&mut self, body: &mut Body, store: Inst, stored: [Value; 2]) {
        let Some(next) = body.layout.next_inst(store) else { return };
        if body.inst(next).op != Op::WriteBarrier || body.args(next) != stored {
            let args = body.list(&stored);
            self.insert(
                body,
                next,
                InstData::new(Op::WriteBarrier, Type::NONE, args, Payload::None),
            );
        }
    }

    fn insert(&mut self, body: &mut Body, before: Inst, data: InstData) {
        let loc = body.loc(before);
        let inst = body.insert_inst(before, InstData { loc, ..data }, &[]);
        self.uses.add(body, inst);
    }
}

/// The addresses that `inst` makes from one, or hands it on to.
fn made_of(body: &Body, inst: Inst, value: Value) -> Vec<Value> {
    let is_address =
        |&made: &Value| body.value_type(made).as_scalar().is_some_and(Scalar::is_address);
    let mut made = Vec::new();
    if let Op::AddressCast | Op::PointerFromRef | Op::DerivedAdd | Op::PtrAdd | Op::Select =
        body.inst(inst).op
    {
        made.extend(body.result(inst).filter(is_address));
    }
    for target in body.targets(inst) {
        let handed = body.params(target.block).iter().zip(body.target_args(target));
        made.extend(handed.filter(|(_, arg)| **arg == value).map(|(&param, _)| param));
    }
    made
}

/// Whether an address or access goes backward by a constant, to the header perhaps.
fn reaches_back(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let offset = match (data.op, body.args(inst)) {
        (Op::DerivedAdd | Op::PtrAdd, &[_, added]) => body.as_scalar_constant(added),
        _ => None,
    };
    let is_back = offset.is_some_and(|bits| (bits as i64) < 0);
    is_back || data.access().is_some_and(|access| access.offset < 0)
}

/// Whether one of the addresses is used behind the place where `made` makes the next object.
fn is_live_before(
    body: &Body,
    shape: &Shape<'_>,
    is_address: impl Fn(Value) -> bool,
    made: Inst,
) -> bool {
    let Some(block) = body.layout.block_of(made) else { return true };
    let liveness = Liveness::of(body, shape.flow, &is_address);
    let mut live = liveness.live_out(block, shape.flow);
    for inst in body.layout.insts(block).collect::<Vec<_>>().into_iter().rev() {
        live.retain(|value| !body.results(inst).contains(value));
        if inst == made {
            break;
        }
        live.extend(body.uses(inst).filter(|&value| is_address(value)));
    }
    !live.is_empty()
}
