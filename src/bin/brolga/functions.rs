//! Functions of a module by the names that the command line gives.

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Function, Module};

use crate::failure::Failure;
use crate::render::{Problem, render};

/// The most functions that a message names.
const MOST_NAMES: usize = 8;

/// The function `name` if `accepts` takes it; the failure lists those that it takes.
pub(crate) fn find(
    module: &Module,
    name: &str,
    option: &str,
    accepts: fn(&Function) -> bool,
) -> Result<FuncId, Failure> {
    let found = module.function_named(name);
    let found = found.filter(|&id| module.function(id).is_some_and(accepts));
    found.ok_or_else(|| {
        missing(module, &format!("the module has no such function as @{name}"), option, accepts)
    })
}

/// The failure that no function was named, with those that could be.
pub(crate) fn missing(
    module: &Module,
    message: &str,
    option: &str,
    accepts: fn(&Function) -> bool,
) -> Failure {
    let mut names = module
        .functions()
        .filter(|(_, function)| accepts(function))
        .map(|(_, function)| format!("@{}", function.name));
    let shown: Vec<String> = names.by_ref().take(MOST_NAMES).collect();
    let mut problem = Problem::new(message);
    problem.help = match (shown.len(), names.count()) {
        (0, _) => None,
        (_, 0) => Some(format!("name one with `{option}`: {}", shown.join(", "))),
        (_, more) => {
            Some(format!("name one with `{option}`: {} and {more} more", shown.join(", ")))
        }
    };
    Failure::Usage(render(None, &problem))
}
