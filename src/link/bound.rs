//! What names in the code of a function mean that came with the body of another one.

use std::collections::BTreeMap;
use std::sync::Arc;

use brolga_ir::module::Name;
use brolga_lifecycle::life::Version;

use super::definition::Definition;
use super::symbols::DataSymbol;

/// A name that a module has for a function.
#[derive(Clone, Debug)]
pub(crate) struct NamedBy {
    pub(crate) definition: Arc<Definition>,
    pub(crate) name: Name,
}

/// A function whose body is at hand, by the name that code has for it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) named: NamedBy,
    /// The text of the signature that it has there.
    pub(crate) signature: String,
    /// What the name means by now.
    pub(crate) number: u32,
    pub(crate) version: Version,
    /// What the text is called that it was written in, if that is not the function's own.
    pub(crate) file: Box<str>,
}

/// Names that are not those of the function's own module and library, and those of bodies.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    pub(crate) functions: BTreeMap<Name, NamedBy>,
    pub(crate) data: BTreeMap<Name, Arc<DataSymbol>>,
    pub(crate) bodies: BTreeMap<Name, Seen>,
}

impl Bound {
    /// By which name of which module a function goes, if not by that one of the function's own.
    pub(super) fn function<'a>(&'a self, name: &'a str) -> Option<(&'a Arc<Definition>, &'a str)> {
        let NamedBy { definition, name } = self.functions.get(name)?;
        Some((definition, name))
    }

    /// The modules whose names code has: functions that these alone see go with them.
    pub(super) fn definitions(&self) -> Vec<Arc<Definition>> {
        let mut all: Vec<Arc<Definition>> = Vec::new();
        for NamedBy { definition, .. } in self.functions.values() {
            if !all.iter().any(|known| Arc::ptr_eq(known, definition)) {
                all.push(Arc::clone(definition));
            }
        }
        all
    }
}
