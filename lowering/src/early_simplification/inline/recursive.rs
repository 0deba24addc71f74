//! Functions that call themselves, a call deep.
//!
//! A function that calls itself takes over its own code, so that one call does what
//! several did, and what callers and callees check and compute in common is seen: as
//! long as that does not make it large. Who asks for the places of a trap gets all of
//! them, as of other code that was taken over.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, FuncId, Inst};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::types::Arity;

use super::{Inliner, allows, can_stand};
use crate::pass::called_by;
use crate::pass::{Change, PassContext, PassResult, drop_stale_marks, remove_unreachable_blocks};

/// The most instructions that a function may have that has taken over itself.
const MOST_INSTS: usize = 128;

/// Puts the code of a function in the place of its calls of itself.
pub(super) fn unfold(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let own = |body: &Body, inst| called_by(body, inst) == Some(context.function);
    if !body.layout.all_insts().any(|inst| own(body, inst)) || !may_unfold(context, body) {
        return Ok(Change::Nothing);
    }
    let removed = remove_unreachable_blocks(body);
    let calls = body.layout.all_insts().filter(|&inst| own(body, inst)).count();
    let size = body.layout.all_insts().count();
    if calls == 0 || size + calls * size > MOST_INSTS {
        return Ok(if removed > 0 { Change::Something } else { Change::Nothing });
    }
    let own = Some(body.clone());
    let blocks: Vec<Block> = body.layout.blocks().collect();
    let mut inliner = Inliner::new(body, context);
    inliner.own = own;
    for block in blocks {
        inliner.visit_block(block)?;
    }
    let Inliner { mut renames, sites, .. } = inliner;
    renames.apply(body);
    remove_unreachable_blocks(body);
    drop_stale_marks(body);
    context.statistics.add("inline", "calls of itself taken over", sites);
    Ok(Change::Something)
}

/// Whether the code of a function can stand where it calls itself, and what that calls
/// is itself: not what another module defines. Slots would come once for each call.
fn may_unfold(context: &PassContext<'_>, body: &Body) -> bool {
    let module = &*context.module;
    let may_stand = |inst: Inst| can_stand(module, body, body.inst(inst).op);
    let is_own = |&inst: &Inst| called_by(body, inst) == Some(context.function);
    is_own_code(module, context.function)
        && module.function(context.function).is_some_and(allows)
        && body.slots().len() == 0
        && module.signature_of(context.function).by_value().is_empty()
        && body.layout.all_insts().all(|inst| body.inst(inst).op != Op::StackAlloc)
        && body.layout.all_insts().filter(is_own).all(may_stand)
}

fn is_own_code(module: &Module, id: FuncId) -> bool {
    module.function(id).is_some_and(|function| {
        let is_final = matches!(function.linkage, Linkage::Export | Linkage::Local);
        is_final && module.types.sig(function.sig).arity == Arity::Fixed
    })
}
