//! What compiled units call beside the functions that they were made from.

use std::collections::VecDeque;

use brolga_ir::module::Name;
use rustc_hash::FxHashSet;

use crate::emit::Compiler;
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::prelude;
use crate::target::Isa;
use crate::unit::{CompiledUnit, ThunkRequest, UnitSymbol};

/// Thunks and functions of the prelude that units call: each to be compiled
/// once, in the order in which it was first asked for.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    known: FxHashSet<UnitSymbol>,
    pending: VecDeque<Dependency>,
}

#[derive(Clone, Debug)]
enum Dependency {
    Thunk(ThunkRequest),
    Prelude(Name),
}

impl Dependencies {
    /// None yet, for a program that has those in `present` already.
    pub fn beyond(present: impl IntoIterator<Item = UnitSymbol>) -> Dependencies {
        Dependencies { known: present.into_iter().collect(), pending: VecDeque::new() }
    }

    /// Asks for what a unit calls.
    pub fn add(&mut self, unit: &CompiledUnit) {
        for request in &unit.thunks {
            if self.known.insert(request.symbol.clone()) {
                self.pending.push_back(Dependency::Thunk(request.clone()));
            }
        }
        for relocation in &unit.relocations {
            if let UnitSymbol::Prelude(name) = &relocation.symbol
                && self.known.insert(relocation.symbol.clone())
            {
                self.pending.push_back(Dependency::Prelude(name.clone()));
            }
        }
    }

    /// The next one, with what other units call it by; what it calls in turn
    /// is asked for. Nothing when the units have all that they call.
    ///
    /// # Errors
    /// Any [`CompileError`] of the thunk or function.
    pub fn compile_next(
        &mut self,
        compiler: &mut Compiler,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Option<(UnitSymbol, CompiledUnit)>, CompileError> {
        let Some(next) = self.pending.pop_front() else { return Ok(None) };
        let (symbol, unit) = match next {
            Dependency::Thunk(request) => {
                let unit = compiler.requested_thunk(&request, isa)?;
                (request.symbol, unit)
            }
            Dependency::Prelude(name) => {
                let module = prelude::module();
                let id = module.function_named(&name);
                let id = id.ok_or_else(|| CompileError::NoBody { function: (*name).into() })?;
                let unit = compiler.lower_function(module, id, isa, options)?;
                (UnitSymbol::Prelude(name), unit)
            }
        };
        self.add(&unit);
        Ok(Some((symbol, unit)))
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;
    use crate::target::{IsaOptions, TargetSpec};

    /// Functions that call the same foreign function and the prelude.
    const TWICE: &str = "
foreign @sin(f64) -> f64
func @f(f64, i128) -> f64 {
entry(%x: f64, %n: i128):
    %y = call_foreign @sin(%x)
    %z = sitofp.f64 %n
    %r = fadd.f64 %y, %z
    return %r
}
func @g(f64, i128) -> f64 {
entry(%x: f64, %n: i128):
    %y = call_foreign @sin(%x)
    %z = sitofp.f64 %n
    %r = fmul.f64 %y, %z
    return %r
}";

    fn compiled(mut dependencies: Dependencies) -> Vec<UnitSymbol> {
        let module = parse_module(TWICE).unwrap();
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let isa = Isa::new(target, IsaOptions::default()).unwrap();
        let (mut compiler, options) = (Compiler::new(), LowerOptions::default());
        for (id, function) in module.functions() {
            if function.body.is_some() {
                let unit = compiler.lower_function(&module, id, &isa, &options).unwrap();
                dependencies.add(&unit);
            }
        }
        let mut symbols = Vec::new();
        while let Some((symbol, _)) =
            dependencies.compile_next(&mut compiler, &isa, &options).unwrap()
        {
            symbols.push(symbol);
        }
        symbols
    }

    #[test]
    fn what_two_units_call_is_compiled_once() {
        let symbols = compiled(Dependencies::default());
        let thunks = symbols.iter().filter(|it| matches!(it, UnitSymbol::ForeignThunk(..))).count();
        let preludes = symbols.iter().filter(|it| matches!(it, UnitSymbol::Prelude(_))).count();
        assert_eq!(thunks, 1, "{symbols:?}");
        assert!(preludes >= 1, "{symbols:?}");
        assert_eq!(symbols.iter().collect::<FxHashSet<_>>().len(), symbols.len(), "{symbols:?}");
    }

    #[test]
    fn what_a_program_has_is_not_compiled_again() {
        let all = compiled(Dependencies::default());
        assert_eq!(compiled(Dependencies::beyond(all)), []);
    }
}
