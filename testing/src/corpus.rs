//! The texts that say what calls must give: examples of ops, and test files, those of
//! LLVM's text among them.

use std::collections::BTreeSet;
use std::path::Path;

use brolga_ir::interpret::OpCounts;
use brolga_ir::llvm::{ReadOptions, read_module};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::text::{DirectiveKind, directives, example_module, parse_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::verify::{Options, verify_module};

use crate::compare::{Answer, Observation, interpret};
use crate::generate::Call;

/// The op table's examples and the test files, each with its name.
pub fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<_> =
        Op::ALL.iter().map(|&op| (op.mnemonic().to_owned(), example_module(op))).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("tests/filetests"), root.join("ir/tests/llvm")];
    let mut files = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(files.insert(path)),
            }
        }
    }
    for path in files {
        // Some are no text at all, for the parser to say so.
        if let Ok(text) = std::fs::read_to_string(&path) {
            texts.push((path.display().to_string(), text));
        }
    }
    texts
}

/// What a text says of calls, as the interpreter has them: those that need nothing
/// that is not in the text.
#[derive(Debug)]
pub struct Runs {
    /// The text's module.
    pub module: Module,
    /// The calls.
    pub calls: Vec<Call>,
    /// Where in the text each stands.
    pub lines: Vec<u32>,
    /// How each ends, by itself.
    pub expected: Observation,
    /// What they execute.
    pub counts: OpCounts,
    /// How many calls there are beside these.
    pub left_out: usize,
    /// The engines that the text says it is not for.
    pub skips: Vec<String>,
}

impl Runs {
    /// The calls of a text, which is LLVM's if its name says so; nothing if that is no module.
    ///
    /// # Errors
    /// If an argument is none, or the module does not link.
    pub fn of(name: &str, text: &str) -> Result<Option<Runs>, String> {
        let module = match name.ends_with(".ll") {
            true => read_module(text, &ReadOptions::default()),
            false => parse_module(text),
        };
        let (Ok(module), Ok(directives)) = (module, directives(text)) else {
            return Ok(None);
        };
        if verify_module(&module, &Options::default()).is_err() {
            return Ok(None);
        }
        let expected = Observation { answers: Vec::new(), data: Vec::new(), host: 0 };
        let (calls, lines, counts) = (Vec::new(), Vec::new(), OpCounts::default());
        let skips = Vec::new();
        let mut runs = Runs { module, calls, lines, expected, counts, left_out: 0, skips };
        for directive in directives {
            match directive.kind {
                DirectiveKind::Skip { engine, .. } => runs.skips.push(engine),
                DirectiveKind::Run(run) => {
                    let args = run.argument_data(&runs.module, directive.line);
                    let args = args.map_err(|error| format!("{error:?}"))?;
                    runs.add(directive.line, Call { function: run.function.into(), args })?;
                }
                _ => {}
            }
        }
        Ok(Some(runs))
    }

    fn add(&mut self, line: u32, call: Call) -> Result<(), String> {
        let module = &self.module;
        let (found, counts) = interpret(&[module], module, std::slice::from_ref(&call))?;
        match found.answers.into_iter().next() {
            Some(answer) if !needs_others(module) && !answer.is_astray() && !failed(&answer) => {
                self.expected.answers.push(answer);
                self.lines.push(line);
                self.calls.push(call);
                self.counts.merge(&counts);
            }
            _ => self.left_out += 1,
        }
        Ok(())
    }
}

/// Whether a model of the interpreter has seen what C leaves open.
fn failed(answer: &Answer) -> bool {
    matches!(answer, Answer::Trapped { code: TrapCode::HostError, .. })
}

/// Whether nobody here defines what a module imports.
fn needs_others(module: &Module) -> bool {
    module.functions().any(|(_, function)| function.linkage == Linkage::Import)
        || module.data_objects().any(|(_, object)| object.linkage == Linkage::Import)
}
