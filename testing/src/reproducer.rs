//! A program as a test file: its text, and what each call must give.

use std::fmt::Write as _;

use brolga_ir::text::{display_datum, print_module};

use crate::compare::{Answer, Observation};
use crate::generate::Generated;

/// The text of a program with a `run` directive for each call, from which the
/// test files and the command `brolga` can run it.
pub fn reproducer(program: &Generated, expected: &Observation) -> String {
    let module = &program.module;
    let mut text = print_module(module);
    text.push('\n');
    for (call, answer) in program.calls.iter().zip(&expected.answers) {
        let id = module.function_named(&call.function);
        let signature = id.map(|id| module.signature_of(id).clone()).unwrap_or_default();
        let list = |types: &mut dyn Iterator<Item = brolga_ir::types::Type>,
                    values: &[brolga_ir::datum::Datum]| {
            let shown = types
                .zip(values)
                .map(|(ty, value)| display_datum(&module.types, ty, value).to_string());
            shown.collect::<Vec<_>>().join(", ")
        };
        let args = list(&mut signature.param_types(), &call.args);
        let outcome = match answer {
            Answer::Returned(values) => {
                let results = list(&mut signature.result_types(), values);
                if values.len() == 1 { format!("== {results}") } else { format!("== ({results})") }
            }
            Answer::Trapped { code, .. } => format!("traps {code}"),
            Answer::Failed(reason) => format!("fails: {reason}"),
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "; run: @{}({args}) {outcome}", call.function);
    }
    text
}
