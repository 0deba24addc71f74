//! Modules that are known to keep the rules.

use super::{Options, VerifyErrors, module_safety, require_safe};
use crate::module::Module;
use crate::op::Safety;

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
    /// [`Safety::Safe`] if nothing raw was found on the way.
    safety: Safety,
}

impl Verified {
    /// Verifies a module.
    ///
    /// # Errors
    /// Every breach of a rule.
    pub fn check(module: Module) -> Result<Verified, VerifyErrors> {
        let safety = module_safety(&module, &Options::default())?;
        Ok(Verified { module, safety })
    }

    /// A module whose parts have all been verified as they were made, and what was found of them.
    pub(crate) fn of_verified_parts(module: Module, safety: Safety) -> Verified {
        Verified { module, safety }
    }

    /// Whether safe code can load the module: [`require_safe`], which has been found already.
    ///
    /// # Errors
    /// As [`require_safe`].
    pub fn require_safe(&self) -> Result<(), VerifyErrors> {
        match self.safety {
            Safety::Safe => Ok(()),
            // What was raw on the way may have been replaced.
            Safety::Raw => require_safe(&self.module),
        }
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
