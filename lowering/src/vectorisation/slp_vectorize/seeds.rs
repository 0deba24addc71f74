//! Stores to places that follow each other.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::instruction::Access;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::tree::lanes_of;
use crate::analysis::Accesses;
use crate::analysis::access::Location;
use crate::target::TargetFacts;

/// The most groups that a store is compared with: the last ones.
const MOST_GROUPS: usize = 16;

/// Stores of one type to one object, by their distance from the first of them.
struct Group {
    first: Inst,
    members: Vec<(i64, Inst)>,
}

/// Stores that fill a register each, in the order of their addresses.
pub(super) fn stores(
    body: &Body,
    accesses: &Accesses,
    facts: &dyn TargetFacts,
    insts: &[Inst],
) -> Vec<Vec<Inst>> {
    let mut groups: Vec<Group> = Vec::new();
    let stores = insts.iter().copied().filter(|&inst| body.inst(inst).op == Op::Store);
    for store in stores {
        if lanes_of(facts, body.inst(store).ty).is_none() || !is_plain(body, store) {
            continue;
        }
        let Some(own) = location(accesses, store) else { continue };
        let found = groups.iter_mut().rev().take(MOST_GROUPS).find_map(|group| {
            let distance = location(accesses, group.first)?.distance(own)?;
            let is_new = group.members.iter().all(|&(known, _)| known != distance);
            (is_alike(body, group.first, store) && is_new).then_some((group, distance))
        });
        match found {
            Some((group, distance)) => group.members.push((distance, store)),
            None => groups.push(Group { first: store, members: vec![(0, store)] }),
        }
    }
    groups.iter_mut().flat_map(|group| runs(body, facts, group)).collect()
}

/// The parts of a group that follow each other without gaps, cut into registers.
fn runs(body: &Body, facts: &dyn TargetFacts, group: &mut Group) -> Vec<Vec<Inst>> {
    let ty = body.inst(group.first).ty;
    let Some(lanes) = lanes_of(facts, ty) else { return Vec::new() };
    group.members.sort_unstable_by_key(|&(distance, _)| distance);
    let size = size_of(ty);
    let follows = |one: &(i64, Inst), other: &(i64, Inst)| other.0.checked_sub(one.0) == Some(size);
    let runs = group.members.chunk_by(follows);
    let chunks = runs.flat_map(|run| run.chunks_exact(lanes));
    chunks.map(|chunk| chunk.iter().map(|&(_, store)| store).collect()).collect()
}

/// How many bytes a number takes.
pub(super) fn size_of(ty: Type) -> i64 {
    ty.as_scalar().map_or(0, |scalar| i64::from(scalar.bits() / 8))
}

/// Where a load or store is, if that is known.
pub(super) fn location(accesses: &Accesses, inst: Inst) -> Option<&Location> {
    accesses.writes(inst).location().or(accesses.reads(inst).location())
}

/// Whether an access may be a part of another one.
pub(super) fn is_plain(body: &Body, inst: Inst) -> bool {
    let access = body.inst(inst).access();
    access.is_some_and(|access| !access.flags.contains(AccessFlags::VOLATILE))
}

/// Whether two accesses say the same of what they touch, but for where that is.
pub(super) fn is_alike(body: &Body, one: Inst, other: Inst) -> bool {
    let (one, other) = (body.inst(one), body.inst(other));
    let plain = |access: &Access| Access { offset: 0, align_log2: 0, ..*access };
    one.ty == other.ty && one.access().map(plain) == other.access().map(plain)
}
