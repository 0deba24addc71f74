//! By way of its text: printed, parsed, and interpreted.

use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};

use super::{Engine, Observation, interpret};
use crate::generate::Generated;

/// Prints the modules of programs, parses them, and interprets what comes back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text;

impl Engine for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let loads = program.loads();
        let modules: Vec<Module> =
            loads.iter().flat_map(|load| load.iter()).map(by_text).collect::<Result<_, _>>()?;
        let modules: Vec<&Module> = modules.iter().collect();
        interpret(&modules, &program.module, &program.calls).map(|(observation, _)| observation)
    }
}

fn by_text(module: &Module) -> Result<Module, String> {
    let text = print_module(module);
    let parsed = parse_module(&text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| format!("{error:?}")).collect();
        format!("its text does not parse: {}", lines.join("; "))
    })?;
    match print_module(&parsed) == text {
        true => Ok(parsed),
        false => Err("printing what was parsed gives another text".to_owned()),
    }
}
