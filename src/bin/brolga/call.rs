//! What `run` and `interpret` share: which function, with what, to what.

use std::path::PathBuf;

use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::module::{Function, Module};
use brolga_ir::text::{display_datum, parse_datum};
use clap::Args;

use crate::failure::Failure;
use crate::functions;
use crate::render::{Problem, Source, render};

#[derive(Args, Debug)]
pub(crate) struct Call {
    /// The module, as text; `-` for standard input
    pub(crate) file: PathBuf,
    /// The function to call
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) entry: String,
    /// Its arguments, as values are spelled in the text: `5`, `-0.5`, `0xff`, `<1, 2>`, `{1, [2, 3]}`
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

impl Call {
    /// The function to call.
    pub(crate) fn function(&self, module: &Module) -> Result<FuncId, Failure> {
        functions::find(module, &self.entry, "--entry", is_callable)
    }

    /// Its arguments, by its signature.
    pub(crate) fn arguments(&self, module: &Module, id: FuncId) -> Result<Vec<Datum>, Failure> {
        let signature = module.signature_of(id);
        let (wanted, given) = (signature.params.len(), self.arguments.len());
        if wanted != given {
            let noun = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("@{} takes {wanted} {noun}, not {given}", self.entry);
            let mut problem = Problem::new(message);
            let types: Vec<String> =
                signature.param_types().map(|ty| module.types.display(ty).to_string()).collect();
            if wanted > 0 {
                problem.help = Some(format!("put behind `--`: {}", types.join(" ")));
            }
            return Err(Failure::Usage(render(None, &problem)));
        }
        let numbered = signature.param_types().zip(&self.arguments).zip(1..);
        numbered
            .map(|((ty, text), number)| {
                parse_datum(&module.types, ty, text).map_err(|diagnostic| {
                    let name = format!("argument {number}, {}", module.types.display(ty));
                    let source = Source::new(&name, text);
                    Failure::Usage(render(Some(&source), &Problem::from(&diagnostic)))
                })
            })
            .collect()
    }
}

/// Whether an engine calls it by its name.
fn is_callable(function: &Function) -> bool {
    function.body.is_some() && function.linkage.is_shared()
}

/// The results of a function as a line; nothing if it has none.
pub(crate) fn results_line(module: &Module, id: FuncId, results: &[Datum]) -> String {
    let types = module.signature_of(id).result_types();
    let texts: Vec<String> = types
        .zip(results)
        .map(|(ty, datum)| display_datum(&module.types, ty, datum).to_string())
        .collect();
    match texts.as_slice() {
        [] => String::new(),
        [one] => format!("{one}\n"),
        _ => format!("({})\n", texts.join(", ")),
    }
}
