//! Tests over whole texts.

mod errors;
mod limits;
mod mutated;
mod shapes;

use super::*;
use crate::llvm::syntax::{FunctionHead, GlobalData};
use crate::text::Diagnostic;

/// Every kind of line and instruction, as LLVM 22 takes them.
const SAMPLE: &str = include_str!("tests/sample.ll");

/// What LLVM 15 to 21 print and LLVM 22 does not.
const OLDER: &str = include_str!("tests/older.ll");

/// All that a text says: the module and the functions that it defines.
struct Whole<'t> {
    module: Module<'t>,
    functions: Vec<Function<'t>>,
    errors: Vec<Diagnostic>,
}

/// Reads all of a text, pieces of metadata included.
fn read(text: &str) -> Whole<'_> {
    let mut report = Report::new(text, 20);
    let mut module = outline(text, &mut report);
    let mut functions = Vec::new();
    for id in module.order.clone() {
        let data = &module.globals[id.index()].data;
        if matches!(data, GlobalData::Function(head) if head.body.is_some()) {
            functions.extend(body(text, &mut module, id, &mut report));
        }
    }
    for (id, _) in module.metadata.clone() {
        metadata(text, &module, id);
    }
    Whole { module, functions, errors: report.into_diagnostics() }
}

/// Reads a text that is right.
fn read_right(text: &str) -> Whole<'_> {
    let whole = read(text);
    assert_eq!(shown(&whole.errors), "");
    whole
}

fn shown(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

impl<'t> Whole<'t> {
    fn head(&self, name: &str) -> &FunctionHead {
        let global = self.module.globals.iter().find(|global| global.name == name);
        match global.map(|global| &global.data) {
            Some(GlobalData::Function(head)) => head,
            other => panic!("{name}: {other:?}"),
        }
    }
}
