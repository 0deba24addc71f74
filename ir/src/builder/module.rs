//! Declarations.

use super::error::{BuildError, BuildErrors, Fault};
use super::function::FunctionBuilder;
use super::types::Types;
use crate::entity::{DataId, FuncId, ReservedValue, SigId};
use crate::module::{Attributes, DataItem, DataObject, Linkage, Module};
use crate::op::Safety;
use crate::types::{Signature, Type};
use crate::verify::{Verified, cut_message, cut_name, declarations_safety};

/// Builds a module.
#[derive(Debug)]
pub struct ModuleBuilder {
    module: Module,
    errors: BuildErrors,
    /// Whether anything raw was found in functions.
    safety: Safety,
}

impl ModuleBuilder {
    /// An empty module of that name.
    pub fn new(name: &str) -> ModuleBuilder {
        let (module, errors) = (Module::new(name), BuildErrors::default());
        ModuleBuilder { module, errors, safety: Safety::Safe }
    }

    /// Says for which target the module is written, as a target string.
    pub fn set_target(&mut self, target: &str) {
        self.module.target = Some(target.to_owned());
    }

    /// The types of the module, to make aggregates and signatures of.
    pub fn types(&mut self) -> Types<'_> {
        Types::new(&mut self.module.types)
    }

    /// The module as it is so far.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Declares a function that is defined here and seen everywhere.
    pub fn export(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        self.declare(name, Linkage::Export, Signature::internal(params, results))
    }

    /// Declares a function that is defined here and seen here only.
    pub fn local(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        self.declare(name, Linkage::Local, Signature::internal(params, results))
    }

    /// Declares a function that another module or the host defines.
    pub fn import(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        self.declare(name, Linkage::Import, Signature::internal(params, results))
    }

    /// Declares a function that the process defines, of the platform's convention.
    pub fn foreign(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        self.declare(name, Linkage::Foreign, Signature::platform(params, results))
    }

    /// Declares a function.
    pub fn declare(&mut self, name: &str, linkage: Linkage, signature: Signature) -> FuncId {
        declare(&mut self.module, &mut self.errors, name, linkage, signature)
    }

    /// The facts and wishes about a function, to be changed; none if it is not of the module.
    pub fn attributes(&mut self, function: FuncId) -> Option<&mut Attributes> {
        self.module.function_mut(function).map(|function| &mut function.attributes)
    }

    /// Declares a data object of those pieces, with the alignment that
    /// follows from its size.
    pub fn data(&mut self, name: &str, items: Vec<DataItem>) -> DataId {
        self.declare_data(DataObject::new(name, items))
    }

    /// Declares a data object.
    pub fn declare_data(&mut self, object: DataObject) -> DataId {
        let name = object.name.clone();
        self.module.declare_data(object).unwrap_or_else(|error| {
            refuse(&mut self.errors, &name, &error);
            DataId::reserved_value()
        })
    }

    /// Fills in `function`. Unless the builder is finished, the function has no body.
    pub fn define(&mut self, function: FuncId) -> FunctionBuilder<'_> {
        FunctionBuilder::within(&mut self.module, function, Some(&mut self.safety))
    }

    /// The module.
    ///
    /// # Errors
    /// Every mistake in the declarations; those in functions have been
    /// reported when these were finished, and leave functions without a body.
    pub fn finish(self) -> Result<Module, BuildErrors> {
        Ok(self.finish_verified()?.into_module())
    }

    /// The same for those who would verify the module again: each of its functions was verified
    /// when it was finished.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_verified(mut self) -> Result<Verified, BuildErrors> {
        match declarations_safety(&self.module) {
            Ok(Safety::Safe) => {}
            Ok(Safety::Raw) => self.safety = Safety::Raw,
            Err(errors) => {
                self.errors.omitted += errors.omitted;
                for error in errors.errors {
                    self.errors.push(|| BuildError::from_verifier(error, None));
                }
            }
        }
        self.errors.into_result()?;
        Ok(Verified::of_verified_parts(self.module, self.safety))
    }
}

pub(super) fn declare(
    module: &mut Module,
    errors: &mut BuildErrors,
    name: &str,
    linkage: Linkage,
    signature: Signature,
) -> FuncId {
    let sig = module.types.signature(signature).unwrap_or_else(|error| {
        refuse(errors, name, &error);
        SigId::reserved_value()
    });
    module.declare_function(name, sig, linkage).unwrap_or_else(|error| {
        refuse(errors, name, &error);
        FuncId::reserved_value()
    })
}

fn refuse(errors: &mut BuildErrors, symbol: &str, reason: &dyn std::fmt::Display) {
    errors.push(|| BuildError {
        fault: Fault::Declaration,
        message: cut_message(format_args!("{reason}")),
        symbol: cut_name(symbol).into(),
        block: "".into(),
        text: String::new(),
    });
}
