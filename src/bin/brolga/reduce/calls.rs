//! What is called to compare answers: what `run` lines say, or a few arguments of each function.

use brolga_ir::datum::Datum;
use brolga_ir::module::Module;
use brolga_ir::text::{DirectiveKind, Run, directives, parse_datum};

/// The arguments that are tried where nobody says any.
const ARGUMENTS: &[&str] = &["0", "1", "-1", "7", "100"];

/// The lines of a text that say what calls come to.
pub(super) fn run_lines(text: &str) -> Vec<String> {
    let is_run = |line: &&str| {
        let words = line.trim_start().strip_prefix(';').unwrap_or_default();
        words.trim_start().starts_with("run:")
    };
    text.lines().filter(is_run).map(|line| line.trim().to_owned()).collect()
}

/// What lines say, each with its number; those that are not spelled as they are to be say
/// nothing.
pub(super) fn runs_of(lines: &[String]) -> Vec<(u32, Run)> {
    let read = lines.iter().filter_map(|line| directives(line).ok());
    let kinds = read.flatten().filter_map(|directive| match directive.kind {
        DirectiveKind::Run(run) => Some((directive.line, run)),
        _ => None,
    });
    kinds.collect()
}

/// What is called, with what.
pub(super) fn calls(module: &Module, lines: &[String]) -> Vec<(String, Vec<Datum>)> {
    if !lines.is_empty() {
        let runs = runs_of(lines).into_iter();
        let calls = runs.filter_map(|(line, run)| {
            let arguments = run.argument_data(module, line).ok()?;
            Some((run.function, arguments))
        });
        return calls.collect();
    }
    let mut calls = Vec::new();
    for (id, function) in module.functions() {
        if function.body.is_none() || !function.linkage.is_shared() {
            continue;
        }
        let types: Vec<_> = module.signature_of(id).param_types().collect();
        for shift in 0..if types.is_empty() { 1 } else { ARGUMENTS.len() } {
            let arguments = types.iter().enumerate().map(|(index, &ty)| {
                let text = ARGUMENTS[(index + shift) % ARGUMENTS.len()];
                parse_datum(&module.types, ty, text)
                    .or_else(|_| parse_datum(&module.types, ty, "0"))
            });
            if let Ok(arguments) = arguments.collect::<Result<Vec<Datum>, _>>() {
                calls.push((function.name.to_string(), arguments));
            }
        }
    }
    calls
}
