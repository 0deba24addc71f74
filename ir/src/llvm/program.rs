//! Programs of several texts.

use super::ReadOptions;
use super::translate::{self, Definition, Definitions};
use crate::module::{Linkage, Module};
use crate::text::{Diagnostic, check_size};

/// What is wrong with one text of a program.
#[derive(Clone, Debug)]
pub struct TextErrors {
    /// Which text it is, from 0.
    pub text: usize,
    /// What [`read_module`](super::read_module) says of it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the texts of one program, as a linker would put them together: what one text
/// declares and another defines becomes an import. What `options` say beside that goes
/// for every text.
///
/// # Errors
/// What is wrong with each text that is no module.
pub fn read_program(texts: &[&str], options: &ReadOptions) -> Result<Vec<Module>, Vec<TextErrors>> {
    let mut options = options.clone();
    // Nobody looks at what the only text defines.
    let others = if texts.len() == 1 { &[] } else { texts };
    let mut declared = Vec::new();
    for text in others {
        let (names, module) = match check_size(text, &options.limits) {
            Some(_) => Default::default(),
            None => translate::definitions(text, &options),
        };
        options.defined.extend(names);
        declared.push(module);
    }
    let definitions = definitions(&declared);
    let (mut modules, mut errors) = (Vec::new(), Vec::new());
    for (number, text) in (0..).zip(texts) {
        options.number = number;
        match read(text, &options, &definitions) {
            Ok(module) => modules.push(module),
            Err(diagnostics) => errors.push(TextErrors { text: number as usize, diagnostics }),
        }
    }
    if errors.is_empty() { Ok(modules) } else { Err(errors) }
}

/// Reads a text, which may import those definitions.
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    definitions: &Definitions<'_>,
) -> Result<Module, Vec<Diagnostic>> {
    match check_size(text, &options.limits) {
        Some(error) => Err(vec![error]),
        None => translate::translate(text, options, definitions),
    }
}

/// The functions that modules define for others: of several the first, but one that is not
/// weak before those that are.
fn definitions(modules: &[Module]) -> Definitions<'_> {
    let mut found = Definitions::new();
    for linkage in [Linkage::Export, Linkage::Weak] {
        for (text, module) in (0..).zip(modules) {
            let functions = module.functions().filter(|(_, it)| it.linkage == linkage);
            for (_, function) in functions {
                let definition = Definition { text, module, sig: function.sig };
                found.entry(&*function.name).or_insert(definition);
            }
        }
    }
    found
}
