//! Calling functions of the prelude.

use brolga_ir::entity::FuncId;
use brolga_ir::module::Linkage;

use super::{PassContext, PassError, PassResult};
use crate::prelude;

impl PassContext<'_> {
    /// The function of the prelude, declared as an import at its first use.
    pub(crate) fn prelude_function(&mut self, name: &str) -> PassResult<FuncId> {
        if let Some(known) = self.module.function_named(name) {
            return Ok(known);
        }
        let missing =
            || PassError::signature(format!("@{name}"), "the prelude has no such function");
        let source = prelude::module().function_named(name).ok_or_else(missing)?;
        // Its parameters and results are scalars and vectors, which have the
        // same handle in every module.
        let signature = prelude::module().signature_of(source).clone();
        let sig = self.module.types.signature(signature).map_err(|_| missing())?;
        let made = self.module.declare_function(name, sig, Linkage::Import);
        made.map_err(|_| missing())
    }
}
