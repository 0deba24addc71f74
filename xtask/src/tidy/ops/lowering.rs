//! Each op of the machine comes down to code, on every architecture.

use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::parse_module;
use brolga_lowering::emit::lower_function;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

use super::{Finding, listed};

const FOLDER: &str = "lowering/src";
/// The least CPU of each architecture: what it lacks must be expanded.
const TARGETS: [&str; 2] = ["x86_64-linux/x86-64", "aarch64-linux/generic"];

pub(super) fn check(examples: &[(Op, String)]) -> Vec<Finding> {
    let owed = examples.iter().filter(|(op, _)| op.info().dialect != Dialect::Managed);
    let owed: Vec<&(Op, String)> = owed.collect();
    TARGETS.iter().filter_map(|target| on_target(target, &owed)).collect()
}

fn on_target(target: &str, examples: &[&(Op, String)]) -> Option<Finding> {
    let mend = "give each its rows in the legality table, and its code";
    let isa = match isa(target) {
        Ok(isa) => isa,
        Err(error) => return Some(Finding::new(FOLDER, 0, error, mend)),
    };
    let faults = examples.iter().filter_map(|(op, text)| {
        let fault = lower(text, &isa).err()?;
        Some(format!("`{op}`: {fault}"))
    });
    listed(&format!("ops without code for {target}"), faults)
        .map(|fault| Finding::new(FOLDER, 0, fault, mend))
}

fn isa(target: &str) -> Result<Isa, String> {
    let spec = TargetSpec::parse(target).map_err(|error| error.to_string())?;
    Isa::new(spec, IsaOptions::default()).map_err(|error| error.to_string())
}

/// Lowers each function of a module.
fn lower(text: &str, isa: &Isa) -> Result<(), String> {
    let module = parse_module(text)
        .map_err(|errors| errors.first().map_or(String::new(), ToString::to_string))?;
    for (id, _) in module.functions().filter(|(_, function)| function.body.is_some()) {
        lower_function(&module, id, isa, &LowerOptions::default())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_op_that_has_no_code_is_found_once_for_each_target() {
        // No managed op has code yet: as the example of another op it stands
        // for one whose code is missing.
        let managed = "func @f(ref) -> ref {\nb(%x: ref):\n    %t = typeof %x\n    return %t\n}\n";
        let machine = "func @f(i8) -> i8 {\nb(%x: i8):\n    %y = neg.i8 %x\n    return %y\n}\n";
        assert_eq!(lower(machine, &isa(TARGETS[0]).expect("a target")), Ok(()));
        let examples = [(Op::Neg, machine.to_owned()), (Op::Add, managed.to_owned())];
        let findings = check(&examples);
        assert_eq!(findings.len(), TARGETS.len(), "{findings:?}");
        assert!(findings.iter().all(|it| it.fault.contains("`add`: ")), "{findings:?}");
        assert_eq!(check(&examples[..1]), []);
        assert_eq!(check(&[(Op::TypeOf, managed.to_owned())]), []);
    }
}
