//! Tests over whole texts.

use super::*;
use crate::llvm::syntax::GlobalData;
use crate::text::Diagnostic;

/// All that a text says: the module and the functions that it defines.
struct Whole<'t> {
    module: Module<'t>,
    functions: Vec<Function<'t>>,
    errors: Vec<Diagnostic>,
}

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
    Whole { module, functions, errors: report.into_diagnostics() }
}

fn shown(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

#[test]
fn a_function_of_each_kind_of_line_is_read() {
    let text = "define i32 @f(i32 %a) {\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}\n";
    let whole = read(text);
    assert_eq!(shown(&whole.errors), "");
    assert_eq!(whole.functions[0].instructions.len(), 2);
    assert_eq!(whole.module.order.len(), 1);
}
