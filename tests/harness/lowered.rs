//! What passes make of a module, interpreted: a pass that changes a meaning is known by name.

use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::module::Module;
use brolga_ir::types::{Signature, TypePool};
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::pipeline::{Duty, PASSES, Pass, Report, RunOptions, Stage, run_passes};
use brolga_lowering::prelude;
use brolga_lowering::target::TargetSpec;

use super::engine::{Engine, Failure, Instance};

/// The interpreter, of a module that passes have been over.
pub(crate) struct Lowered {
    pub(crate) name: &'static str,
    /// The last stage whose passes run.
    pub(crate) last: Stage,
    /// The target that they run for.
    pub(crate) target: &'static str,
}

impl Lowered {
    fn passes(&self) -> Vec<&'static Pass> {
        let runs = |pass: &&Pass| pass.stage <= self.last && pass.duty != Duty::OnRequest;
        PASSES.iter().filter(runs).collect()
    }

    /// The module behind some of them.
    fn lower(&self, module: &Module, passes: &[&'static Pass]) -> Result<Module, String> {
        // A file about text may break rules that its calls do not meet.
        let sound = verify_module(module, &Options::default()).is_ok();
        let mut module = module.clone();
        let target = TargetSpec::parse(self.target).map_err(|error| error.to_string())?;
        for pass in passes {
            let options = RunOptions::new(&target);
            run_passes(&mut module, &[pass], &options, &mut Report::default())
                .map_err(|error| format!("{}: {error}", pass.name))?;
            let options = Options { border: pass.border, ..Options::default() };
            let verified = verify_module(&module, &options).map_err(|errors| errors.to_string());
            if let (true, Err(errors)) = (sound, verified) {
                return Err(format!("behind {}: {errors}\n{module}", pass.name));
            }
        }
        Ok(module)
    }
}

impl Engine for Lowered {
    fn name(&self) -> &'static str {
        self.name
    }

    fn load<'m>(&self, module: &'m Module) -> Result<Box<dyn Instance + 'm>, String> {
        let passes = self.passes();
        let lowered = self.lower(module, &passes)?;
        Ok(Box::new(LoweredInstance::new(module, lowered, &passes)))
    }

    fn culprit(
        &self,
        module: &Module,
        is_right: &dyn Fn(&mut dyn Instance) -> bool,
    ) -> Option<String> {
        let passes = self.passes();
        let is_wrong = |&count: &usize| {
            let (passes, _) = passes.split_at(count);
            self.lower(module, passes)
                .is_ok_and(|lowered| !is_right(&mut LoweredInstance::new(module, lowered, passes)))
        };
        let count = (1..=passes.len()).find(is_wrong)?;
        Some(format!("`{}`, pass {count}", passes[count - 1].spelling()))
    }
}

/// A module that passes have been over.
pub(crate) struct LoweredInstance<'m> {
    declared: &'m Module,
    lowered: Module,
    form: ValueForm,
}

impl<'m> LoweredInstance<'m> {
    /// What these passes have made of a module.
    pub(crate) fn new(
        declared: &'m Module,
        lowered: Module,
        passes: &[&Pass],
    ) -> LoweredInstance<'m> {
        let form = passes.iter().map(|pass| pass.form).max().unwrap_or(ValueForm::Declared);
        LoweredInstance { declared, lowered, form }
    }

    fn types(&self) -> &TypePool {
        &self.declared.types
    }

    fn signature(&self, function: &str) -> Signature {
        let id = self.declared.function_named(function);
        id.map_or_else(Signature::default, |id| self.declared.signature_of(id).clone())
    }
}

impl Instance for LoweredInstance<'_> {
    fn call(&mut self, function: &str, arguments: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let signature = self.signature(function);
        let arguments: Vec<Datum> = signature
            .param_types()
            .zip(arguments)
            .flat_map(|(ty, argument)| self.form.split(self.types(), ty, argument))
            .collect();
        let mut interpreter = Interpreter::new(&[&self.lowered, prelude::module()])
            .map_err(|error| Failure::Other(error.to_string()))?;
        let results = Instance::call(&mut interpreter, function, &arguments)?;
        let mut results = results.into_iter();
        Ok(signature
            .result_types()
            .map(|ty| self.form.join(self.types(), ty, &mut results))
            .collect())
    }
}
