//! What follows from the definitions of types: how deep they are, and whether their values
//! have a size.

use super::MAX_DEPTH;
use super::reader::Stage;
use crate::llvm::report::Report;
use crate::llvm::syntax::{Fact, Module, NamedId, TypeData, TypeId};
use crate::text::Code;

/// Calls `visit` with each type that a type is made of.
fn each_part(module: &Module<'_>, ty: TypeId, mut visit: impl FnMut(TypeId)) {
    match &module.types[ty.index()] {
        TypeData::Vector { element, .. } | TypeData::Array { element, .. } => visit(*element),
        TypeData::Struct { fields, .. } => fields.iter().for_each(|&field| visit(field)),
        TypeData::Function { result, params, .. } => {
            visit(*result);
            params.iter().for_each(|&param| visit(param));
        }
        TypeData::Named(named) => {
            module.named[named.index()].1.into_iter().for_each(visit);
        }
        _ => {}
    }
}

/// What follows for a type from what is known of its parts.
fn fact_of(module: &Module<'_>, ty: TypeId) -> Fact {
    let (mut depth, mut is_sized) = (0, true);
    each_part(module, ty, |part| {
        let fact = module.names.facts.get(part);
        depth = depth.max(fact.map_or(0, |fact| fact.depth));
        is_sized &= fact.is_some_and(|fact| fact.is_sized);
    });
    let is_value = match &module.types[ty.index()] {
        TypeData::Void
        | TypeData::Label
        | TypeData::Metadata
        | TypeData::Token
        | TypeData::Function { .. } => false,
        TypeData::Named(named) => module.named[named.index()].1.is_some(),
        _ => true,
    };
    Fact { depth: depth + 1, is_sized: is_sized && is_value }
}

/// Finds what follows for types that are newly made, whose parts are known. Says whether
/// none is too deep.
pub(super) fn extend(module: &mut Module<'_>) -> bool {
    let mut is_fine = true;
    while module.names.facts.types.len() < module.types.len() {
        let fact = fact_of(module, TypeId(module.names.facts.types.len() as u32));
        is_fine &= fact.depth <= MAX_DEPTH;
        module.names.facts.types.push(Some(fact));
    }
    is_fine
}

/// As [`extend`], where all types of the module level are known. What is newly made is a
/// vector of scalars, and never too deep.
pub(super) fn extend_if_whole(module: &mut Module<'_>, stage: Stage) {
    if stage == Stage::Body {
        extend(module);
    }
}

/// Finds what follows for all types once all are defined. One that contains itself, or is
/// too deep, is reported, and opaque from then on.
pub(super) fn find(module: &mut Module<'_>, report: &mut Report<'_>) {
    let count = module.types.len();
    module.names.facts.types = vec![None; count];
    let mut is_open = vec![false; count];
    // Named types that are open. Every loop goes through one, so that the last one is part
    // of any that is found.
    let mut path: Vec<NamedId> = Vec::new();
    let mut stack: Vec<(TypeId, bool)> = Vec::new();
    for index in 0..count as u32 {
        stack.push((TypeId(index), false));
        while let Some((ty, parts_are_known)) = stack.pop() {
            let named = match module.types[ty.index()] {
                TypeData::Named(named) => Some(named),
                _ => None,
            };
            if parts_are_known {
                is_open[ty.index()] = false;
                path.truncate(path.len() - usize::from(named.is_some()));
                close(module, report, ty, named);
            } else if is_open[ty.index()] {
                if let Some(&last) = path.last() {
                    refuse(module, report, last, "contains itself");
                }
            } else if module.names.facts.get(ty).is_none() {
                is_open[ty.index()] = true;
                path.extend(named);
                stack.push((ty, true));
                each_part(module, ty, |part| stack.push((part, false)));
            }
        }
    }
}

/// Notes what follows for a type whose parts are known.
fn close(module: &mut Module<'_>, report: &mut Report<'_>, ty: TypeId, named: Option<NamedId>) {
    let mut fact = fact_of(module, ty);
    if let Some(named) = named.filter(|_| fact.depth > MAX_DEPTH) {
        refuse(module, report, named, "is nested too deeply");
        fact = fact_of(module, ty);
    }
    module.names.facts.types[ty.index()] = Some(fact);
}

/// Reports a named type, and makes it opaque.
fn refuse(module: &mut Module<'_>, report: &mut Report<'_>, named: NamedId, why: &str) {
    if module.named[named.index()].1.take().is_some() {
        let ty = module.type_id(TypeData::Named(named));
        let at = module.names.type_places[named.index()];
        report.add(Code::BadType, at, format_args!("the type `{}` {why}", module.show(ty)));
    }
}
