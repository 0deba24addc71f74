//! Changes that reach beyond one body: parameters of functions, what data holds.

use super::edit::{drop_arg, placed, put_zero};
use crate::body::Body;
use crate::entity::{DataId, FuncId, Inst};
use crate::instruction::Payload;
use crate::module::{DataItem, Module, Symbol};
use crate::op::Op;

/// How an instruction names a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// Not at all.
    No,
    /// It calls it, with its operands as arguments.
    Call,
    /// In another way, which says what its signature is.
    Other,
}

/// Takes a parameter of a function away, and what its callers give for it; says whether that
/// can be, which it cannot where more than calls name the function.
pub(super) fn drop_param(module: &mut Module, id: FuncId, index: usize) -> bool {
    if is_named_otherwise(module, id) {
        return false;
    }
    let mut signature = module.signature_of(id).clone();
    if index >= signature.params.len() {
        return false;
    }
    signature.params.remove(index);
    let Ok(sig) = module.types.signature(signature) else { return false };
    let functions: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for caller in functions {
        let Some(body) = module.function_mut(caller).and_then(|it| it.body.as_mut()) else {
            continue;
        };
        for inst in placed(body) {
            if naming(body, inst, id) == Naming::Call {
                drop_arg(body, inst, index);
            }
        }
    }
    let Some(function) = module.function_mut(id) else { return false };
    function.sig = sig;
    if let Some(body) = &mut function.body
        && let Some(entry) = body.layout.entry()
        && let Some(&param) = body.params(entry).get(index)
    {
        if !put_zero(body, param) {
            return false;
        }
        body.retain_params(entry, |it| it != param);
    }
    true
}

/// Whether more than calls name a function.
fn is_named_otherwise(module: &Module, id: FuncId) -> bool {
    let is_address = |item: &DataItem| matches!(item, DataItem::Address { symbol, .. } if *symbol == Symbol::Function(id));
    let mut bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    let is_other =
        |body: &Body| placed(body).into_iter().any(|inst| naming(body, inst, id) == Naming::Other);
    bodies.any(is_other)
        || module.data_objects().any(|(_, object)| object.items.iter().any(is_address))
}

fn naming(body: &Body, inst: Inst, id: FuncId) -> Naming {
    let data = body.inst(inst);
    let (named, is_call) = match data.payload {
        Payload::Function(named) => (Some(named), matches!(data.op, Op::Call | Op::ReturnCall)),
        Payload::ForeignCall { function, .. } => (Some(function), true),
        Payload::TryCall { function, .. } => (function.expand(), true),
        Payload::AtomicModify { function, .. } => (Some(function), false),
        _ => (None, false),
    };
    match named == Some(id) {
        false => Naming::No,
        true if is_call => Naming::Call,
        true => Naming::Other,
    }
}

/// Lets a data object hold zeros.
pub(super) fn clear_data(module: &mut Module, id: DataId) {
    if let Some(object) = module.data_mut(id)
        && !object.items.is_empty()
    {
        object.items = vec![DataItem::Zero(object.size)];
    }
}
