//! What names in the code of a function mean that came with the body of another one.

use std::collections::BTreeMap;
use std::sync::Arc;

use brolga_ir::module::Name;
use brolga_lifecycle::life::Version;

use super::definition::Definition;
use super::symbols::{DataSymbol, Symbols};

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

/// A data object, by the names that mean it.
#[derive(Clone, Debug)]
pub(crate) struct BoundData {
    pub(crate) object: Arc<DataSymbol>,
    pub(crate) named: Vec<NamedBy>,
}

/// What names in code mean that came with bodies of other modules, and the bodies themselves.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    pub(crate) functions: BTreeMap<Name, NamedBy>,
    pub(crate) data: BTreeMap<Name, BoundData>,
    pub(crate) bodies: BTreeMap<Name, Seen>,
}

impl Bound {
    /// By which name of which module a function goes, if not by that one of the function's own.
    pub(super) fn function(&self, name: &str) -> Option<&NamedBy> {
        self.functions.get(name)
    }

    /// Whether all data objects are still what their names mean.
    pub(super) fn is_current(&self, symbols: &Symbols) -> bool {
        let means = |NamedBy { definition, name }: &NamedBy, object| {
            let meant = symbols.data_meant_by(definition, name);
            meant.is_some_and(|meant| Arc::ptr_eq(meant, object))
        };
        let mut all = self.data.values();
        all.all(|BoundData { object, named }| named.iter().all(|named| means(named, object)))
    }
}
