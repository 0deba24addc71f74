//! `brolga cfg`.

mod coordinates;
mod dot;
pub(crate) mod graph;
pub(crate) mod layers;
pub(crate) mod picture;
pub(crate) mod svg;

use std::path::PathBuf;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::functions;
use crate::input::{Input, TextForm};
use crate::output;
use graph::Graph;

const EXAMPLES: &str = "\
Examples:
  brolga cfg examples/nqueens.bir --function place -o place.svg
  brolga cfg --format dot --function primes examples/sieve.bir | dot -Tpdf -o sieve.pdf";

/// Draws the blocks of a function and the edges between them
///
/// Edges carry what they are taken on; those that lead back to the head of a
/// loop are set off. The module must parse, but need not verify.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The module: .ll is LLVM IR, anything else our own text; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    form: TextForm,
    /// The function; may be left out where only one has a body
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The kind of picture
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,
    /// Where to write it instead of standard output
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A picture
    Svg,
    /// A graph for Graphviz
    Dot,
}

pub(crate) fn draw(arguments: &Arguments) -> Result<(), Failure> {
    let module = Input::read(&arguments.file, arguments.form)?.parse()?;
    let id = function(&module, arguments.function.as_deref())?;
    let graph = Graph::of(&module, id);
    let picture = match arguments.format {
        Format::Dot => dot::draw(&graph),
        Format::Svg => svg::draw(&graph).map_err(Failure::module)?,
    };
    output::write(arguments.output.as_deref(), picture.as_bytes())
}

fn function(module: &Module, name: Option<&str>) -> Result<FuncId, Failure> {
    let has_body = |function: &brolga_ir::module::Function| function.body.is_some();
    if let Some(name) = name {
        return functions::find(module, name, "--function", has_body);
    }
    let mut bodies = module.functions().filter(|(_, function)| has_body(function));
    match (bodies.next(), bodies.next()) {
        (Some((id, _)), None) => Ok(id),
        (None, _) => Err(Failure::usage("no function of the module has a body")),
        _ => {
            let message = "the module has several functions";
            Err(functions::missing(module, message, "--function", has_body))
        }
    }
}
