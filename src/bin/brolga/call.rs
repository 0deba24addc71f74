//! What `run` and `interpret` share: which function, with what, to what.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use brolga_ir::body::Initial;
use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::module::{Function, Module};
use brolga_ir::text::{display_datum, parse_datum};
use brolga_ir::types::{Scalar, Type, TypeKind};
use clap::Args;

use crate::failure::Failure;
use crate::functions;
use crate::input::{Form, TextForm};
use crate::render::{Problem, Source, render};
use crate::sources::Sources;

/// The function that is called where none is named.
pub(crate) const MAIN: &str = "main";

#[derive(Args, Debug)]
pub(crate) struct Call {
    /// The modules of the program, as text: .ll is LLVM IR, anything else our own;
    /// `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: TextForm,
    /// The function to call: `main` if nothing is said, which makes a whole program of
    /// LLVM IR
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Its arguments, as values are spelled in the text: `5`, `-0.5`, `0xff`, `<1, 2>`,
    /// `{1, [2, 3]}`; words of any kind for a whole program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<OsString>,
}

/// What is to be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    /// A function by itself.
    Function { module: usize, id: FuncId },
    /// The whole program that begins with this `main` of C's.
    Program { module: usize, id: FuncId },
}

impl Call {
    /// The modules. `slots` is what stack slots hold at first where LLVM IR says nothing.
    pub(crate) fn sources(&self, slots: Initial) -> Result<Sources, Failure> {
        Sources::read(&self.files, self.form, slots)
    }

    /// What a whole program is called with: the name of the file that `main` stands in, and
    /// the arguments.
    pub(crate) fn words(&self, module: usize) -> Vec<&OsStr> {
        let arguments = self.arguments.iter().map(AsRef::as_ref);
        [self.files[module].as_os_str()].into_iter().chain(arguments).collect()
    }

    /// The name of the function to call.
    pub(crate) fn entry(&self) -> &str {
        self.entry.as_deref().unwrap_or(MAIN)
    }

    /// The function to call.
    pub(crate) fn callee(&self, sources: &Sources) -> Result<Callee, Failure> {
        let found = sources.find_function(self.entry(), is_callable);
        let Some((module, id)) = found else {
            // One that is not there is not in the first either, which tells its functions.
            let id = functions::find(&sources.modules[0], self.entry(), "--entry", is_callable)?;
            return Ok(Callee::Function { module: 0, id });
        };
        let of_program = self.entry.is_none()
            && sources.inputs[module].form() == Form::Ll
            && is_main(&sources.modules[module], id);
        Ok(match of_program {
            true => Callee::Program { module, id },
            false => Callee::Function { module, id },
        })
    }

    /// Its arguments, by its signature.
    pub(crate) fn values(&self, module: &Module, id: FuncId) -> Result<Vec<Datum>, Failure> {
        let signature = module.signature_of(id);
        let (wanted, given) = (signature.params.len(), self.arguments.len());
        if wanted != given {
            let noun = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("@{} takes {wanted} {noun}, not {given}", self.entry());
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
                let text = text.to_string_lossy();
                parse_datum(&module.types, ty, &text).map_err(|diagnostic| {
                    let name = format!("argument {number}, {}", module.types.display(ty));
                    let source = Source::new(&name, &text);
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

/// Whether a function takes what C's `main` does: a count, the arguments, the
/// environment, or the first of these; and gives a status or nothing.
fn is_main(module: &Module, id: FuncId) -> bool {
    let signature = module.signature_of(id);
    let is = |scalar, ty: Type| ty.kind() == TypeKind::Scalar(scalar);
    let mut wanted = [Scalar::I32, Scalar::Ptr, Scalar::Ptr].into_iter();
    let takes = signature.param_types().all(|ty| wanted.next().is_some_and(|it| is(it, ty)));
    takes && signature.results.len() <= 1 && signature.result_types().all(|ty| is(Scalar::I32, ty))
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
