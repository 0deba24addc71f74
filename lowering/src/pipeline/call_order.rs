//! Which functions a pass looks into when it comes to others, and in which order it
//! therefore comes to them.

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::entity::{EntitySet, FuncId, Inst};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Function, Linkage, Module, Symbol};

use super::row::{Open, Order, Pass};
use crate::analysis::components::Components;
use crate::pass::called_by;

impl Order {
    /// The functions with a body in that order; nothing if any order will do.
    pub(super) fn functions(self, module: &Module) -> Option<Vec<FuncId>> {
        match self {
            Order::Any => None,
            Order::BottomUp(is_open) => Some(bottom_up(module, is_open)),
        }
    }

    /// Which functions a pass in that order may look into, if there are any in the module.
    pub(super) fn opens(self, module: &Module) -> Option<Open> {
        match self {
            Order::Any => None,
            Order::BottomUp(is_open) => {
                module.functions().any(|(id, _)| is_open(module, id)).then_some(is_open)
            }
        }
    }
}

/// The functions with a body, each behind those that it calls and that are open to it, but
/// for circles; the functions of a circle in the order of the module.
///
/// Calls of others are none here: a function that is extracted with those that it can
/// look into comes to them in the same order as in its module.
pub(super) fn bottom_up(module: &Module, is_open: Open) -> Vec<FuncId> {
    let bodies = module.functions().map(|(_, function)| function.body.as_deref());
    let callees: Vec<Vec<FuncId>> =
        bodies.map(|body| body.map_or(Vec::new(), |body| callees(module, body, is_open))).collect();
    let successor = |from: u32, index: usize| {
        callees.get(from as usize)?.get(index).map(|callee| callee.as_u32())
    };
    let mut order = Vec::new();
    for circle in Components::new(callees.len(), successor).all() {
        let start = order.len();
        order.extend(circle.iter().map(|&id| FuncId::from_u32(id)));
        order[start..].sort_unstable();
    }
    let has_body = |id: &FuncId| module.function(*id).is_some_and(|it| it.body.is_some());
    order.retain(has_body);
    order
}

/// The open functions that a body calls by name, each once, in ascending order: what passes
/// make a call of later is one already.
fn callees(module: &Module, body: &Body, is_open: Open) -> Vec<FuncId> {
    let modified = |inst: Inst| match body.inst(inst).payload {
        Payload::AtomicModify { function, .. } => Some(function),
        _ => None,
    };
    let called = |inst| called_by(body, inst).or_else(|| modified(inst));
    let called = body.layout.all_insts().filter_map(called);
    let mut callees: Vec<FuncId> = called.filter(|&callee| is_open(module, callee)).collect();
    callees.sort_unstable();
    callees.dedup();
    callees
}

/// Which functions passes look into.
pub(super) fn opened_by(passes: &[&'static Pass]) -> Vec<Open> {
    let opened = passes.iter().filter_map(|pass| match pass.order {
        Order::BottomUp(is_open) => Some(is_open),
        Order::Any => None,
    });
    opened.collect()
}

/// The functions that are open to a function, or to others that are.
pub(super) fn reachable(module: &Module, function: FuncId, is_open: &[Open]) -> Vec<FuncId> {
    let is_followed = |named| is_open.iter().any(|is_open| is_open(module, named));
    named_from(module, vec![function], is_followed)
}

/// The same, of those that may be looked at: nothing is asked of the bodies of others.
pub(super) fn reachable_among(
    module: &Module,
    function: FuncId,
    is_open: &[Open],
    mut may_look: impl FnMut(FuncId) -> bool,
) -> Vec<FuncId> {
    let is_followed =
        |named| may_look(named) && is_open.iter().any(|is_open| is_open(module, named));
    named_from(module, vec![function], is_followed)
}

/// The functions that code is wanted of: those that others can name, those whose addresses
/// data holds, and those that these name in turn. A local one whose code all callers have
/// taken over is none of them.
pub(crate) fn needed(module: &Module) -> EntitySet<FuncId> {
    let starts: Vec<FuncId> = known_outside(module).collect();
    let is_local = |it: &Function| it.linkage == Linkage::Local && it.body.is_some();
    // Where none is local, all are known already.
    let named = match module.functions().any(|(_, function)| is_local(function)) {
        true => named_from(module, starts.clone(), |_| true),
        false => Vec::new(),
    };
    let mut needed = EntitySet::new();
    starts.into_iter().chain(named).for_each(|id| {
        needed.insert(id);
    });
    needed
}

/// The functions that code is wanted of whoever calls them: those that others can name, and
/// those whose addresses data holds.
pub(super) fn known_outside(module: &Module) -> impl Iterator<Item = FuncId> + '_ {
    let known = module.functions().filter(|(_, function)| function.linkage != Linkage::Local);
    let addresses = module.data_objects().flat_map(|(_, object)| object.relocations());
    let in_data = addresses.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Data(_) => None,
    });
    known.map(|(id, _)| id).chain(in_data)
}

/// The functions that others name, and those that they name in turn, as far as `is_followed`
/// says.
fn named_from(
    module: &Module,
    mut left: Vec<FuncId>,
    mut is_followed: impl FnMut(FuncId) -> bool,
) -> Vec<FuncId> {
    let mut seen: EntitySet<FuncId> = EntitySet::new();
    let mut found = Vec::new();
    while let Some(caller) = left.pop() {
        let Some(body) = module.function(caller).and_then(|it| it.body.as_deref()) else {
            continue;
        };
        for named in named_in(body) {
            if seen.insert(named) && is_followed(named) {
                found.push(named);
                left.push(named);
            }
        }
    }
    found
}

/// The functions that a body names: passes can make calls of all of them.
pub(super) fn named_in(body: &Body) -> impl Iterator<Item = FuncId> + '_ {
    let by_insts = body.layout.all_insts().filter_map(|inst| body.inst(inst).function());
    let by_exits = body.exits().filter_map(|(_, exit)| match exit.kind {
        ExitKind::Deopt(function) => Some(function),
        ExitKind::Trap(_) | ExitKind::Side(_) => None,
    });
    by_insts.chain(by_exits)
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    fn calls(calls: &[(&str, &str)]) -> Module {
        let function = |(name, callee): &(&str, &str)| {
            format!("func @{name}() {{\nblock0:\n  call @{callee}()\n  return\n}}\n")
        };
        let text: String = calls.iter().map(function).collect();
        parse_module(&(text + "func @last() {\nblock0:\n  return\n}\n")).unwrap()
    }

    fn names(module: &Module, functions: Vec<FuncId>) -> Vec<&str> {
        let name = |id| module.function(id).map_or("", |function| &*function.name);
        functions.into_iter().map(name).collect()
    }

    const CALLS: &[(&str, &str)] =
        &[("a", "d"), ("b", "a"), ("c", "b"), ("d", "c"), ("e", "a"), ("f", "last")];

    #[test]
    fn callees_come_first_and_circles_in_the_order_of_the_module() {
        let module = calls(CALLS);
        let order = bottom_up(&module, |_, _| true);
        assert_eq!(names(&module, order), ["a", "b", "c", "d", "e", "last", "f"]);
    }

    #[test]
    fn what_is_closed_makes_no_circle() {
        let module = calls(CALLS);
        let is_open: Open = |module, id| module.function(id).is_some_and(|it| &*it.name != "b");
        let order = bottom_up(&module, is_open);
        assert_eq!(names(&module, order), ["c", "d", "a", "b", "e", "last", "f"]);
    }

    #[test]
    fn code_is_wanted_of_what_others_name_and_of_what_that_names() {
        let calls = &[("a", "b"), ("b", "last"), ("c", "d"), ("d", "c"), ("e", "last")];
        let mut module = self::calls(calls);
        for name in ["b", "c", "d", "e", "last"] {
            let id = module.function_named(name).unwrap();
            module.function_mut(id).unwrap().linkage = Linkage::Local;
        }
        let wanted = needed(&module);
        let ids = module.functions().map(|(id, _)| id).filter(|&id| wanted.contains(id));
        assert_eq!(names(&module, ids.collect()), ["a", "b", "last"]);
    }

    #[test]
    fn only_what_is_open_is_reached_and_reached_through() {
        let module = calls(CALLS);
        let start = module.function_named("a").unwrap();
        let is_open: Open = |module, id| module.function(id).is_some_and(|it| &*it.name != "b");
        assert_eq!(names(&module, reachable(&module, start, &[is_open])), ["d", "c"]);
        let may_look = |id| module.function(id).is_some_and(|it| &*it.name != "c");
        assert_eq!(names(&module, reachable_among(&module, start, &[is_open], may_look)), ["d"]);
    }
}
