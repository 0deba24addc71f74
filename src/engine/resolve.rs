//! Making the code of functions that are called and have none.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::thread;

use brolga_ir::entity::FuncId;
use brolga_ir::trap::TrapCode;
use brolga_lifecycle::job::{Caller, Waits};
use brolga_lifecycle::life::{Slot, Started, Version};
use brolga_lifecycle::resolve::{self, Functions, Made, Unresolved};
use brolga_lifecycle::tiers::Tier;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::unit::CompiledUnit;

use super::foreign::resolve_symbol;
use super::freeing::Retiree;
use super::shared::Shared;
use crate::error::LoadError;
use crate::link::{Definition, FunctionLife, Lazy, LinkFailure, Missing, Source};
use crate::runtime::{COMPILING_THREAD_STACK, Placed, Resolver, Stop, ensure_room_to_compile};

type Compiled = Result<Made<Arc<Placed>>, Arc<LoadError>>;

impl Functions for Shared {
    type Source = Source;
    type Code = Arc<Placed>;
    type Error = Arc<LoadError>;

    fn life(&self, function: u32) -> &FunctionLife {
        &self.functions.entry(function).life
    }

    fn slot(&self, function: u32) -> &impl Slot<Arc<Placed>> {
        self.functions.entry(function)
    }

    fn compile(&self, function: u32, started: &Started<Source>) -> Compiled {
        let Some((definition, id)) = started.source.definition() else {
            let name = self.name_of(function);
            return Err(Arc::new(CompileError::NoBody { function: name }.into()));
        };
        let lazy = Lazy { definition: &definition, id, number: function };
        let compile = || catch_unwind(AssertUnwindSafe(|| self.compile_lazy(&lazy)));
        let compiled = match ensure_room_to_compile() {
            Ok(()) => compile(),
            Err(small) => {
                let builder = thread::Builder::new().name("brolga-compile".to_owned());
                let builder = builder.stack_size(COMPILING_THREAD_STACK);
                thread::scope(|scope| match builder.spawn_scoped(scope, compile) {
                    Ok(thread) => thread.join().and_then(|compiled| compiled),
                    Err(_) => Ok(Err(Arc::new(small.into()))),
                })
            }
        };
        compiled.unwrap_or_else(|_| {
            let reason = "something panicked while it was compiled".into();
            let function = self.name_of(function);
            Err(Arc::new(CompileError::BackEnd { function, reason }.into()))
        })
    }

    fn retire(&self, code: Arc<Placed>) {
        self.retired.retire(&self.environment.epochs, Retiree::Code(code));
    }

    fn waits(&self) -> &Waits {
        &self.waits
    }

    fn help(&self, _: Caller) -> bool {
        false
    }
}

/// Which definitions a compile has looked at.
type Versions = BTreeMap<FuncId, (u32, Version)>;

impl Shared {
    /// Compiles a function and links it; nobody is led there yet.
    fn compile_lazy(&self, lazy: &Lazy<'_>) -> Compiled {
        let (definition, module) = (lazy.definition, &lazy.definition.module);
        definition.verify(lazy.id)?;
        loop {
            let mut versions = Versions::new();
            let (isa, options) = (&self.isa, &self.options);
            let mut compiler = self.take_compiler();
            let unit = self.lower_lazy(lazy, &mut compiler, &mut versions)?;
            let inlined = unit.inlined.iter().filter_map(|name| module.function_named(name));
            let inlined = inlined.filter_map(|id| versions.get(&id).copied()).collect();
            let missing = Missing::of(&unit, definition, &self.symbols());
            let prepared = missing.compile(lazy, unit, &mut compiler, isa, options);
            let prepared = prepared.map_err(|error| Arc::new(error.into()))?;
            self.give_back(compiler);
            let mut symbols = self.symbols();
            let mut foreign = |name: &str| resolve_symbol(self, name);
            match self.stage(&mut symbols).link_lazy(lazy, prepared, &mut foreign) {
                Ok(code) => return Ok(Made { code, inlined }),
                Err(LinkFailure::Refused(error)) => return Err(Arc::new(error)),
                Err(LinkFailure::Stale) => {}
            }
        }
    }

    /// Compiles a function by itself.
    fn lower_lazy(
        &self,
        lazy: &Lazy<'_>,
        compiler: &mut Compiler,
        versions: &mut Versions,
    ) -> Result<CompiledUnit, Arc<LoadError>> {
        let (definition, module) = (lazy.definition, &lazy.definition.module);
        if self.config.tier == Tier::Quick
            && let Some(unit) = self.copy_function(module, lazy.id)
        {
            return Ok(unit);
        }
        let others = Compiler::open_callees(module, lazy.id, &self.options, |callee| {
            self.may_take_over(definition, callee, versions)
        });
        let unit = compiler.lower_part(module, (lazy.id, &others), &self.isa, &self.options);
        self.tally.add_lowered(1);
        unit.map_err(|error| Arc::new(error.into()))
    }

    /// Whether code of the module may have the body of a function of it: if the function has
    /// that one still, and it keeps the rules.
    fn may_take_over(
        &self,
        definition: &Arc<Definition>,
        callee: FuncId,
        versions: &mut Versions,
    ) -> bool {
        let Some(number) = definition.number(callee) else { return false };
        let Some((source, version)) = self.life(number).source() else { return false };
        let is_current = source
            .definition()
            .is_some_and(|(current, id)| Arc::ptr_eq(&current, definition) && id == callee);
        if !is_current || definition.verify(callee).is_err() {
            return false;
        }
        versions.insert(callee, (number, version));
        true
    }

    /// A compiler that has its memory already, if there is one.
    fn take_compiler(&self) -> Compiler {
        let kept = self.compilers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let compiler = kept.unwrap_or_default();
        match &self.inspector {
            Some(inspector) => compiler.inspected(Arc::clone(inspector)),
            None => compiler,
        }
    }

    fn give_back(&self, compiler: Compiler) {
        self.compilers.lock().unwrap_or_else(PoisonError::into_inner).push(compiler);
    }

    /// The name of a function.
    pub(super) fn name_of(&self, function: u32) -> Box<str> {
        let entry = self.functions.entry(function);
        if let Some(symbol) = entry.symbol() {
            return symbol.name.clone();
        }
        let definition = entry.life.source().and_then(|(source, _)| source.definition());
        let name = definition.and_then(|(definition, id)| {
            definition.module.function(id).map(|function| function.name.clone())
        });
        name.unwrap_or_default()
    }

    /// Why a call of a function led nowhere.
    fn stop_for(&self, function: u32, why: &Unresolved<Arc<LoadError>>) -> Stop {
        let name = self.name_of(function);
        let (code, detail) = match why {
            Unresolved::Undefined(_) => (TrapCode::MissingFunction, self.absence(function, &name)),
            Unresolved::Failed(error) => {
                (TrapCode::RefusedFunction, format!("`@{name}` cannot be compiled: {error}"))
            }
            Unresolved::Cycle(cycle) => {
                (TrapCode::RefusedFunction, format!("`@{name}` cannot be compiled: {cycle}"))
            }
        };
        let mut stop = Stop::new(code);
        stop.trap.detail = Some(detail.into());
        stop
    }

    /// Why a function has no definition.
    fn absence(&self, function: u32, name: &str) -> String {
        let symbols = self.symbols();
        match symbols.global_functions.get(name) {
            Some(&other) if other != function => {
                let (old, new) = (symbols.signature_text(function), symbols.signature_text(other));
                format!("`@{name}` is called as {old}, and is defined as {new} by now")
            }
            _ => format!("`@{name}` is declared and not defined; load the module that defines it"),
        }
    }
}

impl Resolver for Shared {
    fn resolve(&self, number: u32, caller: Caller) -> Result<usize, Box<Stop>> {
        let code = resolve::resolve(self, caller, number);
        // Who calls is inside: the code stays, though it be taken out at once.
        code.map(|code| code.address()).map_err(|why| Box::new(self.stop_for(number, &why)))
    }
}
