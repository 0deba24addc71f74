//! What is known of the local functions of a module by all calls of them: nobody else calls them.

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{EntitySet, FuncId, Inst, SecondaryMap, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Function, Linkage, Module, Symbol};
use brolga_ir::op::Op;
use brolga_ir::types::{Arity, Passing, Type};

use crate::analysis::value_facts::{Fact, width_of};

/// What all calls of a function hand over for a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// That constant.
    Constant(Constant),
    /// Constants, of which that holds.
    Number(Fact),
    /// Whatever it is.
    Unknown,
}

/// What is known of the local functions of a module by all calls of them.
#[derive(Clone, Debug, Default)]
pub struct LocalCalls {
    sole: EntitySet<FuncId>,
    arguments: SecondaryMap<FuncId, Box<[Argument]>>,
}

impl LocalCalls {
    /// Of a module, which need not be verified.
    pub fn of(module: &Module) -> LocalCalls {
        let mut calls = LocalCalls::default();
        if !module.functions().any(|(_, function)| is_local(function)) {
            return calls;
        }
        let mut search = Search { module, met: SecondaryMap::new() };
        for (id, function) in module.functions() {
            if let Some(body) = function.body.as_deref() {
                search.look_through(id, body);
            }
        }
        for relocation in module.data_objects().flat_map(|(_, object)| object.relocations()) {
            if let Symbol::Function(id) = relocation.symbol {
                search.name(id);
            }
        }
        for (id, _) in module.functions().filter(|(_, function)| is_local(function)) {
            let met = std::mem::take(&mut search.met[id]);
            if met.calls == 1 && !met.is_named {
                calls.sole.insert(id);
            }
            if !met.is_named && met.is_begun && met.arguments.iter().any(Joined::is_something) {
                calls.arguments[id] = met.arguments.into_iter().map(Joined::argument).collect();
            }
        }
        calls
    }

    /// Only that one call alone names each of those.
    pub(crate) fn of_sole_callees(callees: impl IntoIterator<Item = FuncId>) -> LocalCalls {
        let mut calls = LocalCalls::default();
        callees.into_iter().for_each(|id| {
            calls.sole.insert(id);
        });
        calls
    }

    /// Whether one call alone names a function: its code moves where it is taken over, and
    /// nothing grows.
    pub fn has_sole_caller(&self, function: FuncId) -> bool {
        self.sole.contains(function)
    }

    /// The functions of which that is so.
    pub(crate) fn sole_callees(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.sole.iter()
    }

    /// What a function is called with, parameter by parameter; none, if nothing is known.
    pub fn arguments(&self, function: FuncId) -> &[Argument] {
        &self.arguments[function]
    }

    /// Takes over what a function is called with that is called so elsewhere.
    pub(crate) fn set_arguments(&mut self, function: FuncId, arguments: Box<[Argument]>) {
        self.arguments[function] = arguments;
    }
}

/// Whether calls of the function stand in its module alone.
fn is_local(function: &Function) -> bool {
    function.linkage == Linkage::Local && function.body.is_some()
}

/// Arguments that have been met.
#[derive(Clone, Debug, Default)]
enum Joined {
    #[default]
    Nothing,
    Constant(Constant),
    Number(Fact),
    Anything,
}

impl Joined {
    fn is_something(&self) -> bool {
        matches!(self, Joined::Constant(_) | Joined::Number(_))
    }

    fn argument(self) -> Argument {
        match self {
            Joined::Constant(constant) => Argument::Constant(constant),
            Joined::Number(fact) => Argument::Number(fact),
            Joined::Nothing | Joined::Anything => Argument::Unknown,
        }
    }

    /// Joins a constant, or what is none.
    fn join(&mut self, constant: Option<&Constant>) {
        let constant = constant.filter(|constant| is_plain(constant.ty()));
        *self = match (std::mem::take(self), constant) {
            (Joined::Anything, _) | (_, None) => Joined::Anything,
            (Joined::Nothing, Some(constant)) => Joined::Constant(constant.clone()),
            (Joined::Constant(known), Some(constant)) if known == *constant => {
                Joined::Constant(known)
            }
            (Joined::Constant(known), Some(constant)) => Joined::both(fact(&known), constant),
            (Joined::Number(known), Some(constant)) => Joined::both(Some(known), constant),
        };
    }

    fn both(known: Option<Fact>, constant: &Constant) -> Joined {
        match known.zip(fact(constant)) {
            Some((known, other)) => Joined::Number(known.joined(&other)),
            None => Joined::Anything,
        }
    }
}

/// What is known of a constant that is a number of up to 64 bits.
fn fact(constant: &Constant) -> Option<Fact> {
    let width = width_of(constant.ty()).filter(|&width| width <= u64::BITS)?;
    Some(Fact::constant(width, constant.as_scalar()?))
}

/// Whether the type means the same in every module.
fn is_plain(ty: Type) -> bool {
    ty.lane().is_some_and(|lane| !lane.is_managed())
}

/// What is met of a function.
#[derive(Clone, Debug, Default)]
struct Met {
    /// Whether it is named by something else than a call.
    is_named: bool,
    /// How many calls of it can be taken over; others count for several.
    calls: u32,
    /// Whether another function calls it: what it hands itself alone, nobody begins with.
    is_begun: bool,
    arguments: Vec<Joined>,
}

struct Search<'a> {
    module: &'a Module,
    met: SecondaryMap<FuncId, Met>,
}

impl Search<'_> {
    /// Notes that something names a function that is no call of it.
    fn name(&mut self, function: FuncId) {
        if self.module.function(function).is_some_and(is_local) {
            self.met[function].is_named = true;
        }
    }

    fn look_through(&mut self, caller: FuncId, body: &Body) {
        for inst in body.layout.all_insts() {
            let Some(callee) = body.inst(inst).function() else { continue };
            match is_call(body, inst) {
                true => self.call(caller, body, inst, callee),
                false => self.name(callee),
            }
        }
        for (_, exit) in body.exits() {
            if let ExitKind::Deopt(function) = exit.kind {
                self.name(function);
            }
        }
    }

    fn call(&mut self, caller: FuncId, body: &Body, inst: Inst, callee: FuncId) {
        let Some(function) = self.module.function(callee).filter(|it| is_local(it)) else { return };
        let signature = self.module.types.sig(function.sig);
        let met = &mut self.met[callee];
        met.calls += if called_by(body, inst).is_some() { 1 } else { 2 };
        met.is_begun |= caller != callee;
        let args = body.args(inst);
        // What is taken apart is handed over by other parameters then.
        let is_known = signature.arity == Arity::Fixed
            && signature.params.len() == args.len()
            && !signature.param_types().any(Type::is_aggregate);
        if !is_known {
            met.arguments = vec![Joined::Anything];
            return;
        }
        met.arguments.resize_with(args.len(), Joined::default);
        let params = signature.params.iter();
        for (index, ((joined, &arg), param)) in
            met.arguments.iter_mut().zip(args).zip(params).enumerate()
        {
            // Who is called finds the address of a copy of its own.
            if matches!(param.passing, Passing::ByValue { .. }) {
                joined.join(None);
            } else if caller != callee || !is_own_param(body, arg, index) {
                joined.join(body.as_constant(arg));
            }
        }
    }
}

/// Whether an instruction calls a function by name.
fn is_call(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::Call | Op::TryCall | Op::ReturnCall)
}

/// Whether a value is the parameter of the body of that index: what a function hands on to itself.
fn is_own_param(body: &Body, value: Value, index: usize) -> bool {
    let entry = body.layout.entry();
    entry.is_some_and(|entry| body.params(entry).get(index) == Some(&value))
}

/// The function that an instruction calls by name, if its code could stand there.
pub(crate) fn called_by(body: &Body, inst: Inst) -> Option<FuncId> {
    match (body.inst(inst).op, body.inst(inst).payload) {
        (Op::Call, Payload::Function(function)) => Some(function),
        (Op::TryCall, Payload::TryCall { function, roots: 0, .. }) => function.expand(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    fn calls(text: &str) -> (Module, LocalCalls) {
        let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let calls = LocalCalls::of(&module);
        (module, calls)
    }

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
        let (module, calls) = calls(&(text + CALLERS));
        let found = module.functions().filter(|(id, _)| calls.has_sole_caller(*id));
        let found: Vec<&str> = found.map(|(_, function)| &*function.name).collect();
        assert_eq!(found, ["once"]);
    }

    /// What the local function `@f(i32, f64)` is called with by these lines of another one.
    fn arguments(lines: &str) -> Vec<Argument> {
        let (module, calls) = calls(&format!(
            "local func @f(i32, f64) {{\nb(%n: i32, %x: f64):\n  %m = sub.i32 %n, 1\n  \
             call @f(%m, %x)\n  return\n}}\n\
             func @g(i32) {{\nb(%i: i32):\n{lines}\n  return\n}}\n"
        ));
        calls.arguments(module.function_named("f").unwrap()).to_vec()
    }

    #[test]
    fn arguments_are_what_all_calls_hand_over() {
        let float = Constant::scalar(Type::F64, u128::from(1.5_f64.to_bits())).unwrap();
        let found = arguments("  call @f(1, 1.5)\n  call @f(%i, 1.5)");
        assert_eq!(found, [Argument::Unknown, Argument::Constant(float)]);
        assert_eq!(arguments("  call @f(%i, 1.5)\n  call @f(%i, 2.5)"), []);
        assert_eq!(arguments(""), [], "nobody but itself calls it");
        let named = "  call @f(1, 1.5)\n  %a = function_addr.fn(i32, f64) @f";
        assert_eq!(arguments(named), [], "others may call it by its address");
    }

    #[test]
    fn numbers_lie_between_those_of_all_calls() {
        let (module, calls) = calls(
            "local func @f(i32) {\nb(%n: i32):\n  return\n}\n\
             func @g() {\nb:\n  call @f(3)\n  call @f(12)\n  call @f(4)\n  return\n}\n",
        );
        let arguments = calls.arguments(module.function_named("f").unwrap());
        let [Argument::Number(fact)] = arguments else { panic!("{arguments:?}") };
        assert_eq!(fact.unsigned(), (3, 12));
    }
}
