//! Telling whoever watches what becomes of functions that are compiled one by one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use brolga_ir::observe::{CodeFreed, CompileFailed, CompileReason, FunctionCompiled, Observer};
use brolga_lifecycle::life::Started;
use brolga_lifecycle::resolve::Goal;
use brolga_lowering::error::CompileError;

use super::shared::Shared;
use super::spans;
use crate::error::LoadError;
use crate::link::{Making, Source, signature_text};
use crate::runtime::{Placed, discard};

/// What a compile is for, in the words of those who are told.
pub(super) fn reason(source: &Source, goal: Goal) -> CompileReason {
    match (source, goal) {
        (Source::Continuation(..), _) => CompileReason::Continuation,
        (_, Goal::Better(_)) => CompileReason::Upgrade,
        (_, Goal::First | Goal::FirstAt(_)) => CompileReason::First,
    }
}

impl Shared {
    /// Emits an event, and tells the observer. Either comes to code of the embedder's, which may
    /// panic: that is no fault of whoever compiles or frees here, and ends here.
    fn tell(&self, emit: impl FnOnce(), tell: impl FnOnce(&dyn Observer)) {
        let observer = &self.config.observer;
        for told in [
            catch_unwind(AssertUnwindSafe(emit)),
            catch_unwind(AssertUnwindSafe(|| observer.as_deref().map_or((), tell))),
        ] {
            told.unwrap_or_else(discard);
        }
    }

    /// Code of a function can be called by now.
    pub(super) fn tell_compiled(&self, started: &Started<Source>, code: &Placed, goal: Goal) {
        let Some(Making { tier, took }) = Making::of(code) else { return };
        let (function, reason) = (&**code.facts.name(), reason(&started.source, goal));
        let (tier_name, code_bytes) = (tier.name(), code.size());
        let event = FunctionCompiled { function, reason, tier: tier_name, took, code_bytes };
        self.tell(|| spans::compiled(&event), |observer| observer.function_compiled(&event));
        let Some(trace) = self.trace.as_ref().filter(|_| reason == CompileReason::First) else {
            return;
        };
        // A local function whose module has gone meanwhile is gone, too.
        if let Some((definition, id)) = started.source.definition() {
            let module = &definition.module;
            let signature = signature_text(&module.types, module.signature_of(id));
            let library: Box<str> =
                self.symbols().names.library_name(definition.home.library).into();
            trace.note([&library, function, &signature], Making { tier, took });
        }
    }

    /// There is no code of a function.
    pub(super) fn tell_failed(
        &self,
        function: u32,
        started: &Started<Source>,
        error: &Arc<LoadError>,
        goal: Goal,
    ) {
        if matches!(&**error, LoadError::Compile(CompileError::Unwanted { .. })) {
            // Nobody has asked for what was given up.
            return;
        }
        let definition = started.source.definition();
        let name = definition.and_then(|(definition, id)| {
            definition.module.function(id).map(|function| (*function.name).into())
        });
        let name = name.unwrap_or_else(|| self.name_of(function));
        let reason = reason(&started.source, goal);
        let event = CompileFailed { function: &name, reason, error: &**error };
        self.tell(|| spans::failed(&event), |observer| observer.compile_failed(&event));
    }

    /// Code is given back.
    pub(super) fn tell_freed_code(&self, function: &str, code_bytes: usize) {
        let event = CodeFreed { function, code_bytes };
        self.tell(|| spans::freed(&event), |observer| observer.code_freed(&event));
    }
}
