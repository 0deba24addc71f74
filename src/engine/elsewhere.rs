//! Functions whose definition is made or found when they are first called: by a callback, or in
//! another library.

use std::sync::Arc;

use brolga_lifecycle::job::{Caller, Job};
use brolga_lifecycle::life::Undefined;
use brolga_lifecycle::names::NamesError;
use brolga_lifecycle::resolve::{self, Functions, Made, Unresolved};
use brolga_lowering::error::CompileError;

use super::define::define_unless;
use super::resolve::Compiled;
use super::shared::Shared;
use crate::error::LoadError;
use crate::link::{Callback, LinkFailure, Source, Symbols, signature_text};
use crate::runtime::Placed;

impl Shared {
    /// The code of a function that code has named, which may be another library's by now.
    pub(super) fn resolve_anywhere(
        &self,
        number: u32,
        caller: Caller,
    ) -> Result<Arc<Placed>, Unresolved<Arc<LoadError>>> {
        let code = resolve::resolve(self, caller, number);
        match &code {
            Err(Unresolved::Failed(error)) if is_nowhere(error) => {}
            Err(Unresolved::Undefined(_)) => {}
            _ => return code,
        }
        if !self.look_elsewhere(number) {
            return Err(Undefined.into());
        }
        match resolve::resolve(self, caller, number) {
            Err(Unresolved::Failed(error)) if is_nowhere(&error) => Err(Undefined.into()),
            code => code,
        }
    }

    pub(super) fn looks_elsewhere(&self, number: u32) -> bool {
        matches!(self.life(number).source(), Some((Source::Elsewhere, _)))
    }

    /// Has a function that nobody has defined lead to the one that its name means by now; tells
    /// whether there is one.
    fn look_elsewhere(&self, number: u32) -> bool {
        // Whoever defines it has the names locked, too.
        let symbols = self.symbols();
        let is_there = elsewhere(&symbols, number).is_some();
        match (is_there, self.looks_elsewhere(number)) {
            (true, true) => drop(self.life(number).retry()),
            (true, false) if !self.life(number).is_defined() => {
                let _nothing = resolve::define(self, number, Source::Elsewhere);
            }
            // What it led to is gone, and so is this.
            (false, true) => drop(resolve::remove(self, number)),
            _ => {}
        }
        is_there
    }

    /// Makes the way to a function of another library. It is made anew when that one is defined
    /// anew or goes, as if that one's body were in it.
    pub(super) fn lead_elsewhere(&self, number: u32) -> Compiled {
        let mut symbols = self.symbols();
        let name = self.name_of(number);
        let missing = || Arc::new(LoadError::from(NamesError::Unknown((*name).into())));
        let target = elsewhere(&symbols, number).ok_or_else(missing)?;
        let (_, version) = self.life(target).source().ok_or_else(missing)?;
        let mut stage = self.stage(&mut symbols);
        let linked = stage.name_defined(target, &name).and_then(|()| stage.link_elsewhere(target));
        match linked {
            Ok(code) => Ok(Made { code, inlined: vec![(target, version)] }),
            Err(LinkFailure::Refused(error)) => Err(Arc::new(error)),
            Err(LinkFailure::Stale) => Err(missing()),
        }
    }

    /// Has the module of a function made, and defines it; then the function has another source,
    /// and what is asked for here is over.
    pub(super) fn call_back(&self, number: u32, callback: &Callback, job: &Arc<Job>) -> Compiled {
        let function = self.name_of(number);
        let not_made = |reason: String| {
            let (name, reason) = (function.clone(), reason.into());
            Arc::new(LoadError::NotMade { name, reason })
        };
        let maker = (std::ptr::from_ref(callback) as usize, &*function);
        let module = self.make(maker, || (callback.make)()).map_err(not_made)?;
        let signature = self.symbols().signature_text(number);
        let id = module.function_named(&function);
        let found = id.map(|id| signature_text(&module.types, module.signature_of(id)));
        if found.as_deref() != Some(&*signature) {
            let found = found.unwrap_or_else(|| "nothing".to_owned());
            let reason = format!("the module that was made for it has {found} by that name");
            return Err(not_made(format!("{reason}, not {signature}")));
        }
        let home = self.symbols().names.home_by_now(callback.home, &function);
        define_unless(self, module, (home, callback.trust), |_| job.is_over())?;
        if job.is_over() {
            return Err(Arc::new(CompileError::Unwanted { function }.into()));
        }
        Err(not_made("the module that was made for it does not define it".to_owned()))
    }
}

/// Whether there was no function to lead to: whoever calls finds none, or another one by then.
fn is_nowhere(error: &LoadError) -> bool {
    matches!(error, LoadError::Names(NamesError::Unknown(_)))
}

/// The function that the name of an undefined one means by now to those who call it.
fn elsewhere(symbols: &Symbols, number: u32) -> Option<u32> {
    let symbol = symbols.symbol(number)?;
    let found = symbols.defined_function(symbol.library, &symbol.name)?;
    let is_other = found != number && symbols.signature_text(found) == symbol.signature_text();
    is_other.then_some(found)
}
