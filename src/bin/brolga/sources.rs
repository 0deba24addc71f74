//! The files of a program and the modules that they are.

use std::path::PathBuf;

use brolga_ir::body::Initial;
use brolga_ir::entity::FuncId;
use brolga_ir::llvm::{self, ReadOptions};
use brolga_ir::module::{Function, Linkage, Module, Symbol};
use brolga_ir::report::Trap;
use brolga_ir::verify::{self, VerifyErrors};

use crate::failure::Failure;
use crate::input::{Form, Input, TextForm, limits};
use crate::render::{Problem, render};
use crate::trap::stopped;

/// The files of a program and the modules that they are, one each.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) inputs: Vec<Input>,
    pub(crate) modules: Vec<Module>,
}

impl Sources {
    /// Reads all files, at least one, as texts of the form, or as their names say.
    /// LLVM says nothing of what stack slots hold at first; `slots` does.
    pub(crate) fn read(
        files: &[PathBuf],
        form: TextForm,
        slots: Initial,
    ) -> Result<Sources, Failure> {
        let inputs = files.iter().map(|file| Input::read(file, form)).collect::<Result<_, _>>();
        Sources::parse(inputs?, slots)
    }

    fn parse(inputs: Vec<Input>, slots: Initial) -> Result<Sources, Failure> {
        let is_llvm = |input: &Input| input.form() == Form::Ll;
        let mut modules = Vec::new();
        for input in &inputs {
            modules.push(if is_llvm(input) { None } else { Some(input.parse()?) });
        }
        let own = modules.iter().flatten().flat_map(|module: &Module| {
            let functions = module.functions().map(|(_, it)| (it.linkage, &it.name));
            let all = functions.chain(module.data_objects().map(|(_, it)| (it.linkage, &it.name)));
            all.filter(|(linkage, _)| linkage.is_shared()).map(|(_, name)| name.to_string())
        });
        let defined = own.collect();
        let options = ReadOptions { defined, slots, limits: limits(), ..ReadOptions::default() };
        let texts: Vec<_> =
            inputs.iter().filter(|&input| is_llvm(input)).map(Input::text).collect();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let read = llvm::read_program(&texts, &options).map_err(|errors| {
            let llvm: Vec<&Input> = inputs.iter().filter(|&input| is_llvm(input)).collect();
            let mut faults: Vec<String> = Vec::new();
            for error in &errors {
                faults.push(llvm[error.text].fault_text(&error.diagnostics));
            }
            Failure::Module(faults.join("\n"))
        })?;
        let mut read = read.into_iter();
        let modules = modules.into_iter().filter_map(|module| module.or_else(|| read.next()));
        Ok(Sources { modules: modules.collect(), inputs })
    }

    /// Refuses modules that break rules.
    pub(crate) fn verify(&self) -> Result<(), Failure> {
        let mut pairs = self.inputs.iter().zip(&self.modules);
        pairs.try_for_each(|(input, module)| input.verify(module))
    }

    /// The function of that name that `accepts` takes, and its module.
    pub(crate) fn find_function(
        &self,
        name: &str,
        accepts: fn(&Function) -> bool,
    ) -> Option<(usize, FuncId)> {
        let mut found = self.modules.iter().enumerate().filter_map(|(index, module)| {
            let id = module.function_named(name)?;
            module.function(id).is_some_and(accepts).then_some((index, id))
        });
        found.next()
    }

    /// The functions that the modules list, the lowest priority first: the name, and how many
    /// parameters there are.
    pub(crate) fn in_order(&self, list: fn(&Module) -> Vec<(u32, FuncId)>) -> Vec<(&str, usize)> {
        let mut found = Vec::new();
        for module in &self.modules {
            for (priority, id) in list(module) {
                let name = module.function(id).map_or("", |function| &function.name);
                found.push((priority, (name, module.signature_of(id).params.len())));
            }
        }
        found.sort_by_key(|&(priority, _)| priority);
        found.into_iter().map(|(_, function)| function).collect()
    }

    /// The failure of modules that break rules, and what to do about it.
    pub(crate) fn breaches(&self, errors: &VerifyErrors, help: Option<&str>) -> Failure {
        let breaks = |module: &&Module| {
            self.modules.len() == 1
                || verify::verify_module(module, &verify::Options::default()).is_err()
                || verify::require_safe(module).is_err()
        };
        let index = self.modules.iter().position(|module| breaks(&module)).unwrap_or(0);
        self.inputs[index].breaches(errors, help)
    }

    /// The failure of files that define the same name.
    pub(crate) fn duplicate(&self, name: &str) -> Failure {
        let defines = |module: &Module| match module.symbol(name) {
            Some(Symbol::Function(id)) => {
                module.function(id).is_some_and(|it| it.linkage == Linkage::Export)
            }
            Some(Symbol::Data(id)) => {
                module.data(id).is_some_and(|it| it.linkage == Linkage::Export)
            }
            None => false,
        };
        let found = self.inputs.iter().zip(&self.modules).filter(|(_, module)| defines(module));
        let files: Vec<&str> = found.map(|(input, _)| input.name()).collect();
        let text = format!("`@{name}` is defined by several files: {}", files.join(", "));
        let mut problem = Problem::new(text);
        problem.help = Some("leave one of them out, or make it local to its file".to_owned());
        Failure::Module(render(None, &problem))
    }

    /// The failure of a program that was stopped.
    pub(crate) fn stopped(&self, trap: &Trap, help: Option<String>) -> Failure {
        let found = self.find_function(trap.function(), |function| function.body.is_some());
        let index = found.map_or(0, |(index, _)| index);
        stopped(&self.inputs[index], &self.modules[index], trap, help)
    }
}
