//! Programs of several texts.

use std::collections::HashSet;

use super::report::Report;
use super::syntax::{GlobalData, Linkage, Module as Syntax};
use super::translate::symbol_name;
use super::{ReadOptions, parse, read_module};
use crate::module::Module;
use crate::text::{Diagnostic, check_size};

/// What is wrong with one text of a program.
#[derive(Clone, Debug)]
pub struct TextErrors {
    /// Which text it is, from 0.
    pub text: usize,
    /// What [`read_module`] says of it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the texts of one program, as a linker would put them together: what one text
/// declares and another defines becomes an import. What `options` say beside that goes
/// for every text.
///
/// # Errors
/// What is wrong with each text that is no module.
pub fn read_program(texts: &[&str], options: &ReadOptions) -> Result<Vec<Module>, Vec<TextErrors>> {
    let definitions = match texts {
        // Nobody looks at what the only text defines.
        [_] => vec![HashSet::new()],
        _ => texts.iter().map(|text| definitions(text, options)).collect(),
    };
    let (mut modules, mut errors) = (Vec::new(), Vec::new());
    for (text, source) in texts.iter().enumerate() {
        let others = definitions.iter().enumerate().filter(|&(other, _)| other != text);
        let mut options = ReadOptions { number: text as u32, ..options.clone() };
        options.defined.extend(others.flat_map(|(_, names)| names.iter().cloned()));
        match read_module(source, &options) {
            Ok(module) => modules.push(module),
            Err(diagnostics) => errors.push(TextErrors { text, diagnostics }),
        }
    }
    if errors.is_empty() { Ok(modules) } else { Err(errors) }
}

/// The names that a text defines for others. Those of a text that is wrong do not matter:
/// reading it says so.
fn definitions(text: &str, options: &ReadOptions) -> HashSet<String> {
    if check_size(text, &options.limits).is_some() {
        return HashSet::new();
    }
    let syntax: Syntax<'_> = parse::outline(text, &mut Report::new(text, 1));
    let shared = syntax.globals.iter().filter(|global| {
        let is_defined = match &global.data {
            GlobalData::Undefined => false,
            GlobalData::Variable { initializer, .. } => initializer.is_some(),
            GlobalData::Alias { .. } => true,
            GlobalData::Function(head) => head.body.is_some(),
        };
        let is_shared = match global.linkage {
            Linkage::External | Linkage::Weak | Linkage::Common => true,
            Linkage::Internal
            | Linkage::Appending
            | Linkage::AvailableExternally
            | Linkage::ExternWeak => false,
        };
        is_defined && is_shared
    });
    shared.map(|global| symbol_name(&global.name).to_owned()).collect()
}
