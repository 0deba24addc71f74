//! What an engine does, as spans and events of the crate `tracing`, for whoever builds with the
//! feature of that name. Otherwise all of this is nothing.

#[cfg(feature = "tracing")]
pub(super) use emitted::{compile, compiled, failed, freed, load};
#[cfg(not(feature = "tracing"))]
pub(super) use nothing::{compile, compiled, failed, freed, load};

/// All of it goes by this name.
#[cfg(feature = "tracing")]
const TARGET: &str = "brolga";

#[cfg(feature = "tracing")]
mod emitted {
    use brolga_ir::observe::{CodeFreed, CompileFailed, CompileReason, FunctionCompiled};
    use tracing::span::EnteredSpan;
    use tracing::{Level, debug, debug_span, enabled, warn};

    use super::TARGET;

    pub(in crate::engine) fn load(modules: usize) -> EnteredSpan {
        debug_span!(target: TARGET, "load", modules).entered()
    }

    pub(in crate::engine) fn compile(
        function: impl FnOnce() -> Box<str>,
        reason: CompileReason,
    ) -> Option<EnteredSpan> {
        // Its name is looked for only if anybody listens.
        let is_heard = enabled!(target: TARGET, Level::DEBUG);
        let span = |function: &str| {
            debug_span!(target: TARGET, "compile", function, reason = reason.name()).entered()
        };
        is_heard.then(|| span(&function()))
    }

    pub(in crate::engine) fn compiled(event: &FunctionCompiled<'_>) {
        let &FunctionCompiled { function, reason, tier, took, code_bytes } = event;
        let (reason, microseconds) = (reason.name(), took.as_secs_f64() * 1e6);
        debug!(target: TARGET, function, reason, tier, microseconds, code_bytes, "compiled");
    }

    pub(in crate::engine) fn failed(event: &CompileFailed<'_>) {
        let &CompileFailed { function, reason, error } = event;
        warn!(target: TARGET, function, reason = reason.name(), error, "not compiled");
    }

    pub(in crate::engine) fn freed(event: &CodeFreed<'_>) {
        let &CodeFreed { function, code_bytes } = event;
        debug!(target: TARGET, function, code_bytes, "freed");
    }
}

#[cfg(not(feature = "tracing"))]
mod nothing {
    use brolga_ir::observe::{CodeFreed, CompileFailed, CompileReason, FunctionCompiled};

    /// In the place of a span.
    pub(in crate::engine) struct Nothing;

    pub(in crate::engine) fn load(_: usize) -> Nothing {
        Nothing
    }

    pub(in crate::engine) fn compile(_: impl FnOnce() -> Box<str>, _: CompileReason) -> Nothing {
        Nothing
    }

    pub(in crate::engine) fn compiled(_: &FunctionCompiled<'_>) {}

    pub(in crate::engine) fn failed(_: &CompileFailed<'_>) {}

    pub(in crate::engine) fn freed(_: &CodeFreed<'_>) {}
}
