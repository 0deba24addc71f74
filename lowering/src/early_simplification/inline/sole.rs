//! Functions that one place calls and nobody else can.

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::entity::{EntitySet, FuncId, SecondaryMap};
use brolga_ir::module::{Linkage, Module, Symbol};

use super::called_by;
use crate::pass::placed_insts;

/// The local functions that a single call in the module names: their code moves where it is
/// taken over, and nothing grows. The module need not be verified.
pub(crate) fn sole_callees(module: &Module) -> EntitySet<FuncId> {
    let is_local = |id: &FuncId| {
        let function = module.function(*id);
        function.is_some_and(|it| it.linkage == Linkage::Local && it.body.is_some())
    };
    let locals: Vec<FuncId> = module.functions().map(|(id, _)| id).filter(is_local).collect();
    let mut sole = EntitySet::new();
    if locals.is_empty() {
        return sole;
    }
    let mut named: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    let mut name = |id: FuncId, times: u32| {
        if module.function(id).is_some() {
            named[id] += times;
        }
    };
    for body in module.functions().filter_map(|(_, function)| function.body.as_deref()) {
        count(body, &mut name);
    }
    for relocation in module.data_objects().flat_map(|(_, object)| object.relocations()) {
        if let Symbol::Function(id) = relocation.symbol {
            name(id, 2);
        }
    }
    for id in locals.into_iter().filter(|&id| named[id] == 1) {
        sole.insert(id);
    }
    sole
}

/// Counts the calls in a body; who names a function otherwise counts for several.
fn count(body: &Body, name: &mut impl FnMut(FuncId, u32)) {
    for inst in placed_insts(body) {
        if let Some(function) = body.inst(inst).function() {
            name(function, if called_by(body, inst).is_some() { 1 } else { 2 });
        }
    }
    for (_, exit) in body.exits() {
        if let ExitKind::Deopt(function) = exit.kind {
            name(function, 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    const CALLERS: &str = "data @d = { ptr @in_data }
func @f() -> fn() {
b0:
    call @once()
    call @twice()
    call @twice()
    call @in_data()
    %a = function_addr.fn() @addressed
    call @addressed()
    return %a
}
func @known() {
b0:
    return
}
func @g() {
b0:
    call @known()
    return
}
";

    #[test]
    fn what_one_call_alone_names_is_sole() {
        let leaf = |name: &str| format!("local func @{name}() {{\nb0:\n  return\n}}\n");
        let names = ["once", "twice", "addressed", "in_data", "unused"];
        let text: String = names.iter().map(|name| leaf(name)).collect();
        let text = text + CALLERS;
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let sole = sole_callees(&module);
        let found = module.functions().filter(|(id, _)| sole.contains(*id));
        let found: Vec<&str> = found.map(|(_, function)| &*function.name).collect();
        assert_eq!(found, ["once"]);
    }
}
