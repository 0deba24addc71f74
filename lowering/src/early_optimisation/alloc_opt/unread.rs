//! Objects of any size that nothing reads: they go with what is written to them.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;

use super::nodes::holds_managed;
use crate::analysis::ValueFacts;
use crate::pass::{PassContext, Uses};

/// The largest object that goes: for more there may be no room, which is a trap.
const MOST_BYTES: u128 = 1 << 20;

/// Removes the objects that nothing reads; says how many.
pub(super) fn remove(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    let facts = context.analyses.value_facts(body, context.module);
    let fits = |&inst: &Inst| has_room(body, &facts, inst);
    let made: Vec<Inst> = body.layout.all_insts().filter(fits).collect();
    if made.is_empty() {
        return 0;
    }
    let mut removed = 0;
    let mut uses = Uses::new(body);
    // What one object refers to may be gone with it.
    for inst in made.into_iter().rev() {
        let Some(written) = writes(body, &uses, inst) else { continue };
        for user in written {
            match body.inst(user).op {
                Op::PreserveBegin => let_go(body, &mut uses, inst, user),
                _ => body.remove_inst(user),
            }
        }
        body.remove_inst(inst);
        context.remark(inst, RemarkKind::Applied, "nothing reads the object");
        removed += 1;
    }
    removed
}

/// Whether `inst` makes an object for which there is room.
fn has_room(body: &Body, facts: &ValueFacts, inst: Inst) -> bool {
    let (Op::AllocObject, &[_, size]) = (body.inst(inst).op, body.args(inst)) else { return false };
    match body.as_scalar_constant(size) {
        Some(size) => size <= MOST_BYTES,
        None => facts.of(body, size).is_some_and(|fact| fact.unsigned().1 <= MOST_BYTES),
    }
}

/// All that uses the object, if that neither reads it nor lets it out.
fn writes(body: &Body, uses: &Uses, made: Inst) -> Option<Vec<Inst>> {
    let mut open: Vec<Value> = vec![body.result(made)?];
    let (mut all, mut is_preserved, mut has_references) = (Vec::new(), false, false);
    while let Some(value) = open.pop() {
        for inst in uses.of(body, value) {
            let data = body.inst(inst);
            let is_at = |index: usize| {
                let mut others = body.uses(inst).enumerate().filter(|&(at, _)| at != index);
                body.args(inst)[index] == value && others.all(|(_, other)| other != value)
            };
            let is_volatile =
                data.access().is_some_and(|access| access.flags.contains(AccessFlags::VOLATILE));
            let is_write = match data.op {
                Op::AddressCast | Op::PointerFromRef | Op::DerivedAdd | Op::PtrAdd if is_at(0) => {
                    open.extend(body.result(inst));
                    true
                }
                Op::Store => is_at(1),
                Op::MaskedStore => is_at(2),
                Op::MemFill => is_at(0),
                Op::MemCopy => {
                    has_references = true;
                    is_at(0)
                }
                Op::PreserveBegin => {
                    is_preserved = true;
                    Some(value) == body.result(made)
                }
                Op::WriteBarrier | Op::Prefetch => true,
                _ => false,
            };
            has_references |=
                matches!(data.op, Op::Store | Op::MaskedStore) && holds_managed(data.ty);
            if !is_write || is_volatile || (is_preserved && has_references) {
                return None;
            }
            all.push(inst);
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// Preserves an object no more, but its type, which it kept alive.
fn let_go(body: &mut Body, uses: &mut Uses, made: Inst, begin: Inst) {
    let object = body.result(made);
    let kept = body.args(begin).iter().copied().filter(|&arg| Some(arg) != object);
    let ty = body.args(made).first().copied().filter(|&ty| body.as_constant(ty).is_none());
    let kept: Vec<Value> = kept.chain(ty).collect();
    let token = body.result(begin);
    let users = token.map(|token| uses.of(body, token)).unwrap_or_default();
    if kept.is_empty() && users.iter().all(|&user| body.inst(user).op == Op::PreserveEnd) {
        users.into_iter().for_each(|end| body.remove_inst(end));
        body.remove_inst(begin);
        return;
    }
    let args = body.list(&kept);
    body.inst_mut(begin).args = args;
    uses.add(body, begin);
}
