//! `compile`: what targets make of a file.

use brolga_lowering::emit::Compiler;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

use super::file::TestFile;

/// What every file compiles for that compiled code may run: the least and a
/// usual x86-64, and the least aarch64.
const TARGETS: &[&str] =
    &["x86_64-linux/x86-64", "x86_64-linux/x86-64-v3", "aarch64-linux/generic"];

/// The targets that the file is compiled for.
pub(crate) fn targets_of(file: &TestFile) -> Vec<String> {
    let runs = file.runs().next().is_some() && !file.skips("native");
    let fits = |target: &&&str| TargetSpec::parse(target).is_ok_and(|target| file.fits(&target));
    let always = TARGETS.iter().filter(|_| runs).filter(fits).map(|&target| target.to_owned());
    always.chain(file.targets().map(str::to_owned)).collect()
}

/// Every function of the file compiles for the target.
pub(crate) fn compile(file: &TestFile, target: &str) -> Result<(), String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.path);
    let module = file.module()?;
    let spec = TargetSpec::parse(target).map_err(|error| at(&error))?;
    let isa = Isa::new(spec, IsaOptions::default()).map_err(|error| at(&error))?;
    let mut compiler = Compiler::new();
    for (id, _) in module.functions().filter(|(_, function)| function.body.is_some()) {
        let unit = compiler.lower_function(&module, id, &isa, &LowerOptions::default());
        unit.map_err(|error| at(&error))?;
    }
    Ok(())
}
