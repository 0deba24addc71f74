//! Modules that are known to keep the rules.

use super::{Options, VerifyErrors, verify_module};
use crate::module::Module;

/// A module that keeps the rules for what comes in: whoever takes it need not look again.
///
/// ```
/// use brolga_ir::text::parse_module;
/// use brolga_ir::verify::Verified;
///
/// let module = parse_module("func @f() {\nb:\n    return\n}").unwrap();
/// let verified = Verified::check(module).unwrap();
/// assert_eq!(verified.module().functions().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Verified {
    module: Module,
}

impl Verified {
    /// Verifies a module.
    ///
    /// # Errors
    /// Every breach of a rule.
    pub fn check(module: Module) -> Result<Verified, VerifyErrors> {
        verify_module(&module, &Options::default())?;
        Ok(Verified { module })
    }

    /// A module whose parts have all been verified as they were made.
    pub(crate) fn of_verified_parts(module: Module) -> Verified {
        Verified { module }
    }

    /// The module, to be read.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The module, to be changed.
    pub fn into_module(self) -> Module {
        self.module
    }
}
