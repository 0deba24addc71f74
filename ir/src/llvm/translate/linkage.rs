//! Who sees a symbol, and which of the definitions that a program has of it counts.

use hashbrown::HashMap;

use super::shared_data::SharedAlias;
use super::symbols::symbol_name;
use super::{Resolved, Shared};
use crate::entity::SigId;
use crate::llvm::syntax::{self, GlobalData, GlobalId, Offset, Selection};
use crate::module::{Linkage, Module, Symbol};
use crate::text::Parsed;

/// What a text defines for others. Of a text that is wrong it is what can be told.
#[derive(Default)]
pub(in crate::llvm) struct Declared {
    /// The names.
    pub(in crate::llvm) names: Vec<String>,
    /// Declares them, but for `aliases`.
    pub(in crate::llvm) module: Module,
    /// Those that the module has no symbol for, in the order of their names.
    pub(in crate::llvm) aliases: Vec<SharedAlias>,
    /// The comdats that something here is part of, in the order of the text.
    pub(in crate::llvm) comdats: Vec<Comdat>,
    /// The variables of linkage `common`, and what they take.
    pub(in crate::llvm) commons: Vec<(String, Room)>,
}

/// A comdat of a text.
pub(in crate::llvm) struct Comdat {
    pub(in crate::llvm) name: String,
    pub(in crate::llvm) selection: Selection,
    /// The symbols that are part of it.
    pub(in crate::llvm) members: Vec<String>,
}

/// What a variable takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) struct Room {
    /// Bytes.
    pub(in crate::llvm) size: u64,
    /// Bytes.
    pub(in crate::llvm) align: u64,
}

/// What a text must know of all texts of its program.
#[derive(Default)]
pub(in crate::llvm) struct Program<'m> {
    /// Which definition of each name counts.
    pub(in crate::llvm) definitions: HashMap<&'m str, Definition<'m>>,
    /// What is wrong with comdats, by their names.
    pub(in crate::llvm) conflicts: HashMap<&'m str, String>,
    /// What variables of linkage `common` take: the most that one text says.
    pub(in crate::llvm) commons: HashMap<&'m str, Room>,
}

/// What a text of a program defines for others.
#[derive(Clone, Copy)]
pub(in crate::llvm) struct Definition<'m> {
    /// Which text it is.
    pub(in crate::llvm) text: u32,
    /// Declares it.
    pub(in crate::llvm) module: &'m Module,
    /// What it is; of an alias what that stands for.
    pub(in crate::llvm) symbol: Symbol,
    /// Bytes from the start of that.
    pub(in crate::llvm) offset: i64,
    /// The name's, not what the symbol has.
    pub(in crate::llvm) linkage: Linkage,
    /// Whether the symbol's name is another.
    pub(in crate::llvm) is_alias: bool,
}

impl Definition<'_> {
    pub(super) fn sig(&self) -> Option<SigId> {
        match self.symbol {
            Symbol::Function(id) => self.module.function(id).map(|function| function.sig),
            Symbol::Data(_) => None,
        }
    }
}

impl<'t> Shared<'t> {
    /// Who sees the symbol and who defines it.
    pub(super) fn linkage(&self, id: GlobalId, is_defined: bool) -> Linkage {
        let global = &self.syntax.globals[id.index()];
        let elsewhere = self.options.defined.contains(symbol_name(&global.name));
        let declared = if elsewhere { Linkage::Import } else { Linkage::Foreign };
        match global.linkage {
            syntax::Linkage::ExternWeak if !elsewhere => Linkage::ForeignWeak,
            syntax::Linkage::ExternWeak | syntax::Linkage::AvailableExternally => declared,
            syntax::Linkage::Internal if is_defined => Linkage::Local,
            _ if is_defined && self.gives_way(id) => Linkage::Import,
            _ if is_defined && self.is_merged(id) && !self.is_duplicate(id) => Linkage::Weak,
            _ if is_defined => Linkage::Export,
            _ => declared,
        }
    }

    /// Whether a definition is one of several that may be there.
    pub(super) fn is_merged(&self, id: GlobalId) -> bool {
        match self.syntax.globals[id.index()].linkage {
            syntax::Linkage::Weak | syntax::Linkage::Common => true,
            syntax::Linkage::External => self.is_folded(id),
            _ => false,
        }
    }

    /// Whether linkers take a definition's comdat from one of several files.
    fn is_folded(&self, id: GlobalId) -> bool {
        let global = &self.syntax.globals[id.index()];
        // An alias goes with what it stands for.
        let object = match global.data {
            GlobalData::Alias { object: Some(object), .. } => &self.syntax.globals[object.index()],
            _ => global,
        };
        let name = object.comdat.as_deref();
        match name.map(|name| self.selection(name)) {
            Some(Selection::Any | Selection::Largest | Selection::SameSize) => true,
            Some(Selection::ExactMatch | Selection::NoDeduplicate) | None => false,
        }
    }

    fn selection(&self, comdat: &str) -> Selection {
        self.syntax.names.comdats.get(comdat).copied().unwrap_or(Selection::Any)
    }

    /// The definition of the name that counts, if another text of the program has it.
    pub(super) fn definition_elsewhere(&self, id: GlobalId) -> Option<Definition<'t>> {
        let global = &self.syntax.globals[id.index()];
        let found = self.program?.definitions.get(symbol_name(&global.name))?;
        (found.text != self.options.number).then_some(*found)
    }

    /// Whether a definition and one that gives way to none are one too many.
    pub(super) fn is_duplicate(&self, id: GlobalId) -> bool {
        self.syntax.globals[id.index()].linkage == syntax::Linkage::External
            && self.definition_elsewhere(id).is_some_and(|found| found.linkage != Linkage::Weak)
    }

    /// The definition of another text of the program that stands for the one here.
    fn other_definition(&self, id: GlobalId) -> Option<Definition<'t>> {
        let gives_way = self.is_merged(id) && !self.is_duplicate(id);
        self.definition_elsewhere(id).filter(|_| gives_way)
    }

    /// Whether another text of the program has the definition that stands for the one here.
    pub(super) fn gives_way(&self, id: GlobalId) -> bool {
        self.other_definition(id).is_some()
    }

    /// Whether a symbol goes with its comdat, for which another text's stands.
    pub(super) fn goes_with_comdat(&self, id: GlobalId) -> bool {
        self.is_folded(id) && self.gives_way(id)
    }

    /// The definition of another text that a name here means, whether this text only
    /// declares it or has one that gives way.
    pub(super) fn definition_taken(&self, id: GlobalId) -> Option<Definition<'t>> {
        match self.is_only_declared(id) {
            true => self.definition_elsewhere(id),
            false => self.other_definition(id),
        }
    }

    /// Imports what stands for an alias of this text.
    pub(super) fn import_for_alias(
        &mut self,
        id: GlobalId,
        at: Offset,
    ) -> Parsed<Option<Resolved>> {
        let Some(found) = self.other_definition(id) else { return Ok(None) };
        if let Some(import) = self.import_aliased(id, at)? {
            return Ok(Some(import));
        }
        let name = self.claim(id, at)?;
        let Some(declared) = self.import_definition(&found, &name) else { return Ok(None) };
        let symbol = declared.map_err(|error| self.invalid(at, error))?;
        Ok(Some(Resolved::Address { symbol, offset: 0 }))
    }

    /// The signature of an import where another text of the program defines it.
    pub(super) fn defined_signature(&mut self, name: &str, linkage: Linkage) -> Option<SigId> {
        let found = self.program?.definitions.get(name).filter(|_| linkage == Linkage::Import)?;
        Some(self.module.import_signature(found.module, found.sig()?))
    }

    /// What a variable takes: one of linkage `common` as much as the largest of its name.
    pub(super) fn common_room(&self, id: GlobalId, (size, align): (u64, u64)) -> (u64, u64) {
        let global = &self.syntax.globals[id.index()];
        let all = self.program.filter(|_| global.linkage == syntax::Linkage::Common);
        let room = all.and_then(|all| all.commons.get(symbol_name(&global.name)));
        room.map_or((size, align), |room| (size.max(room.size), align.max(room.align)))
    }

    /// Reports comdats that other texts have in a way that does not fit.
    pub(super) fn check_comdats(&mut self) {
        let Some(program) = self.program.filter(|program| !program.conflicts.is_empty()) else {
            return;
        };
        for index in 0..self.syntax.order.len() {
            let global = &self.syntax.globals[self.syntax.order[index].index()];
            let conflict = global.comdat.as_deref().and_then(|name| program.conflicts.get(name));
            if let Some(message) = conflict {
                self.unsupported(global.at, message);
            }
        }
    }

    /// What this text defines for others, once its symbols are declared.
    pub(super) fn into_declared(self) -> Declared {
        let mut declared = Declared { names: shared_names(&self.syntax), ..Declared::default() };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for &id in &self.syntax.order {
            let global = &self.syntax.globals[id.index()];
            let name = symbol_name(&global.name).to_owned();
            if let Some(comdat) = global.comdat.as_deref() {
                let number = *numbers.entry(comdat).or_insert(declared.comdats.len());
                if number == declared.comdats.len() {
                    let selection = self.selection(comdat);
                    let comdat = Comdat { name: comdat.to_owned(), selection, members: Vec::new() };
                    declared.comdats.push(comdat);
                }
                declared.comdats[number].members.push(name.clone());
            }
            if global.linkage == syntax::Linkage::Common
                && let Some(&Some(Resolved::Address { symbol: Symbol::Data(data), .. })) =
                    self.symbols.get(id.index())
                && let Some(object) = self.module.data(data)
            {
                let room = Room { size: object.size, align: object.layout().align };
                declared.commons.push((name, room));
            }
        }
        declared.aliases = self.shared_aliases();
        declared.module = self.module;
        declared
    }
}

/// The names that a text defines for others.
fn shared_names(syntax: &syntax::Module<'_>) -> Vec<String> {
    let shared = syntax.globals.iter().filter(|global| {
        let is_defined = match &global.data {
            GlobalData::Undefined => false,
            GlobalData::Variable { initializer, .. } => initializer.is_some(),
            GlobalData::Alias { .. } => true,
            GlobalData::Function(head) => head.body.is_some(),
        };
        let is_shared = match global.linkage {
            syntax::Linkage::External | syntax::Linkage::Weak | syntax::Linkage::Common => true,
            syntax::Linkage::Internal
            | syntax::Linkage::Appending
            | syntax::Linkage::AvailableExternally
            | syntax::Linkage::ExternWeak => false,
        };
        is_defined && is_shared
    });
    shared.map(|global| symbol_name(&global.name).to_owned()).collect()
}
