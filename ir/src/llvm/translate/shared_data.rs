//! What the files of a program see of each other's aliases of data.
//!
//! A symbol of ours has one name. Where a file's alias is of data, or of a function with
//! further arguments, which nothing could hand on, the other files import what it stands
//! for, and count from there. What was private to its file takes a name for that.

use super::linkage::Definition;
use super::symbols::symbol_name;
use super::{Resolved, Shared};
use crate::llvm::syntax::{GlobalData, GlobalId, Offset};
use crate::module::{DataObject, DeclareError, Linkage, Module, Symbol};
use crate::text::Parsed;

/// An alias that others see as what it stands for.
pub(in crate::llvm) struct SharedAlias {
    /// The alias's own.
    pub(in crate::llvm) name: String,
    /// What it stands for.
    pub(in crate::llvm) symbol: Symbol,
    /// Bytes from its start.
    pub(in crate::llvm) offset: i64,
    /// The alias's own.
    pub(in crate::llvm) linkage: Linkage,
}

impl Definition<'_> {
    /// The name by which other files import what is defined.
    fn import_name(&self) -> String {
        let name = self.module.symbol_name(self.symbol);
        match linkage(self.module, self.symbol) {
            Some(Linkage::Local) => name_for_others(name, self.text),
            _ => name.to_owned(),
        }
    }
}

impl Shared<'_> {
    /// Imports what another file's alias stands for, where the name here is that alias's;
    /// or gives the import, where one was made for such an alias.
    pub(super) fn import_aliased(&mut self, id: GlobalId, at: Offset) -> Parsed<Option<Resolved>> {
        let Some(found) = self.definition_taken(id) else { return Ok(None) };
        let name = found.import_name();
        let symbol = match self.module.symbol(&name) {
            Some(symbol) if linkage(&self.module, symbol) == Some(Linkage::Import) => symbol,
            _ if !found.is_alias => return Ok(None),
            _ => match self.import_definition(&found, &name) {
                Some(declared) => declared.map_err(|error| self.invalid(at, error))?,
                None => return Ok(None),
            },
        };
        Ok(Some(Resolved::Address { symbol, offset: found.offset }))
    }

    /// Declares what another file of the program defines as an import of the name.
    pub(super) fn import_definition(
        &mut self,
        found: &Definition<'_>,
        name: &str,
    ) -> Option<Result<Symbol, DeclareError>> {
        match found.symbol {
            Symbol::Function(_) => {
                let sig = self.module.import_signature(found.module, found.sig()?);
                let declared = self.module.declare_function(name, sig, Linkage::Import);
                Some(declared.map(Symbol::Function))
            }
            Symbol::Data(data) => {
                let object = found.module.data(data)?.declaration();
                let import = DataObject { name: name.into(), linkage: Linkage::Import, ..object };
                Some(self.module.declare_data(import).map(Symbol::Data))
            }
        }
    }

    /// Lets other files import what an alias of this one stands for.
    pub(super) fn share(&mut self, alias: GlobalId, symbol: Symbol) -> Parsed<()> {
        let global = &self.syntax.globals[alias.index()];
        // Where there is one file, nobody knows its names.
        let is_known = self.options.defined.contains(symbol_name(&global.name));
        if !is_known || linkage(&self.module, symbol) != Some(Linkage::Local) {
            return Ok(());
        }
        let at = global.at;
        let name = name_for_others(self.module.symbol_name(symbol), self.options.number);
        let shared = self.module.export_as(symbol, &name);
        shared.map_err(|error| self.invalid(at, error))
    }

    /// Reports definitions that are one too many, of which one is an alias: the others are
    /// told of when the program is linked.
    pub(super) fn check_aliases(&mut self) {
        for index in 0..self.syntax.order.len() {
            let id = self.syntax.order[index];
            let global = &self.syntax.globals[id.index()];
            let is_alias = matches!(global.data, GlobalData::Alias { .. });
            let of_alias = || self.definition_elsewhere(id).is_some_and(|found| found.is_alias);
            let is_defined = !self.is_only_declared(id);
            if is_defined && (is_alias || of_alias()) && self.is_duplicate(id) {
                let message = format!("`@{}` is defined in another file, too", global.name);
                self.unsupported(global.at, message);
            }
        }
    }

    /// The aliases that others see as what they stand for, by their names.
    pub(super) fn shared_aliases(&self) -> Vec<SharedAlias> {
        let aliases = self.syntax.order.iter().filter_map(|&id| {
            let global = &self.syntax.globals[id.index()];
            let name = symbol_name(&global.name);
            let linkage = self.linkage(id, true);
            let Resolved::Address { symbol, offset } = self.symbols.get(id.index()).copied()??
            else {
                return None;
            };
            let is_seen = linkage != Linkage::Local && self.module.symbol(name).is_none();
            (is_seen && matches!(global.data, GlobalData::Alias { .. })).then(|| SharedAlias {
                name: name.to_owned(),
                symbol,
                offset,
                linkage,
            })
        });
        let mut aliases: Vec<SharedAlias> = aliases.collect();
        aliases.sort_by(|one, other| one.name.cmp(&other.name));
        aliases
    }
}

/// What others call a symbol that is private to a file.
fn name_for_others(name: &str, text: u32) -> String {
    format!("{name}.shared.{text}")
}

fn linkage(module: &Module, symbol: Symbol) -> Option<Linkage> {
    match symbol {
        Symbol::Function(id) => module.function(id).map(|function| function.linkage),
        Symbol::Data(id) => module.data(id).map(|object| object.linkage),
    }
}
