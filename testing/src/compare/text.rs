//! By way of its text: printed, parsed, and interpreted.

use brolga_ir::text::{parse_module, print_module};

use super::{Engine, Observation, reference};
use crate::generate::Generated;

/// Prints programs, parses them, and interprets what comes back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text;

impl Engine for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let text = print_module(&program.module);
        let parsed = parse_module(&text).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(|error| format!("{error:?}")).collect();
            format!("its text does not parse: {}", lines.join("; "))
        })?;
        if print_module(&parsed) != text {
            return Err("printing what was parsed gives another text".to_owned());
        }
        reference(&[&parsed], &program.calls).map(|(observation, _)| observation)
    }
}
