//! What the names of modules stand for, before any of it has a place.

use std::collections::BTreeMap;
use std::sync::Arc;

use brolga_ir::entity::{DataId, FuncId};
use brolga_ir::module::{DataObject, Function, Linkage, Module, Storage, Symbol};
use brolga_ir::types::TypePool;
use brolga_lowering::PRELUDE_PREFIX;
use rustc_hash::FxHashMap;

use super::symbols::{DataPlace, DataSymbol, Symbols, signature_text};
use crate::error::LoadError;
use crate::memory::Slot;

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Every module.
    Global,
    /// Its own module.
    Local,
}

/// A function, old or new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionRef {
    /// By its number.
    Known(u32),
    /// By its index in [`Names::functions`].
    New(usize),
}

/// A data object, old or new.
#[derive(Clone, Debug)]
pub(super) enum DataRef {
    /// One that stands already.
    Known(Arc<DataSymbol>),
    /// By its index in [`Names::data`].
    New(usize),
}

/// A function symbol to be made.
#[derive(Debug)]
pub(super) struct NewFunction {
    pub module: usize,
    pub id: FuncId,
    pub visibility: Visibility,
}

/// A data object to be placed.
#[derive(Debug)]
pub(super) struct NewData {
    pub module: usize,
    pub id: DataId,
    pub visibility: Visibility,
}

/// The names of one module.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub functions: FxHashMap<Box<str>, FunctionRef>,
    pub data: FxHashMap<Box<str>, DataRef>,
}

/// A module on its way into an engine.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    pub module: &'a Module,
    pub types: Arc<TypePool>,
}

/// What the names of a set of modules stand for.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(super) functions: Vec<NewFunction>,
    pub(super) data: Vec<NewData>,
    pub(super) scopes: Vec<Scope>,
    /// New slots that hold addresses of the process, by name.
    pub(super) foreign: BTreeMap<Box<str>, Arc<Slot>>,
    global_functions: FxHashMap<Box<str>, FunctionRef>,
    global_data: FxHashMap<Box<str>, DataRef>,
}

/// Where the addresses of the process come from.
pub(crate) type ForeignLookup<'a> = dyn FnMut(&str) -> Result<Arc<Slot>, LoadError> + 'a;

impl Names {
    /// Finds out what every name of `modules` stands for.
    pub(crate) fn resolve(
        modules: &[Incoming<'_>],
        symbols: &Symbols,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Names, LoadError> {
        let mut names = Names::default();
        for (index, incoming) in modules.iter().enumerate() {
            names.scopes.push(Scope::default());
            for &symbol in incoming.module.declarations() {
                names.define(modules, index, symbol, symbols)?;
            }
        }
        for (index, incoming) in modules.iter().enumerate() {
            for &symbol in incoming.module.declarations() {
                names.import(modules, index, symbol, symbols, foreign)?;
            }
        }
        Ok(names)
    }

    fn define(
        &mut self,
        modules: &[Incoming<'_>],
        index: usize,
        symbol: Symbol,
        symbols: &Symbols,
    ) -> Result<(), LoadError> {
        let module = modules[index].module;
        match symbol {
            Symbol::Function(id) => {
                let Some(function) = module.function(id) else { return Ok(()) };
                if function.name.starts_with(PRELUDE_PREFIX) {
                    return Err(LoadError::ReservedName { name: function.name.clone() });
                }
                let found = match function.linkage {
                    Linkage::Local => self.new_function(index, id, Visibility::Local),
                    Linkage::Export => self.export(modules, index, id, function, symbols)?,
                    Linkage::Import | Linkage::Foreign => return Ok(()),
                };
                self.scopes[index].functions.insert(function.name.clone(), found);
            }
            Symbol::Data(id) => {
                let Some(object) = module.data(id) else { return Ok(()) };
                let visibility = match object.linkage {
                    Linkage::Local => Visibility::Local,
                    Linkage::Export => Visibility::Global,
                    Linkage::Import | Linkage::Foreign => return Ok(()),
                };
                let name = object.name.clone();
                let found = DataRef::New(self.data.len());
                self.data.push(NewData { module: index, id, visibility });
                if visibility == Visibility::Global {
                    let taken =
                        is_taken(symbols, &name) || self.global_functions.contains_key(&name);
                    if taken || self.global_data.insert(name.clone(), found.clone()).is_some() {
                        return Err(LoadError::Duplicate { name });
                    }
                }
                self.scopes[index].data.insert(name, found);
            }
        }
        Ok(())
    }

    fn new_function(&mut self, module: usize, id: FuncId, visibility: Visibility) -> FunctionRef {
        self.functions.push(NewFunction { module, id, visibility });
        FunctionRef::New(self.functions.len() - 1)
    }

    /// An exported definition: of a new symbol, or of one that somebody
    /// imported before.
    fn export(
        &mut self,
        modules: &[Incoming<'_>],
        index: usize,
        id: FuncId,
        function: &Function,
        symbols: &Symbols,
    ) -> Result<FunctionRef, LoadError> {
        let name = &function.name;
        let duplicate = || LoadError::Duplicate { name: name.clone() };
        let data = self.global_data.contains_key(name) || symbols.global_data.contains_key(name);
        if data || symbols.hosts.contains_key(name) || self.global_functions.contains_key(name) {
            return Err(duplicate());
        }
        let found = match symbols.global_functions.get(name) {
            Some(&number) if symbols.functions[number as usize].is_defined() => {
                return Err(duplicate());
            }
            Some(&number) => {
                self.agree(modules, index, function, FunctionRef::Known(number), symbols)?;
                FunctionRef::Known(number)
            }
            None => self.new_function(index, id, Visibility::Global),
        };
        self.global_functions.insert(name.clone(), found);
        Ok(found)
    }

    fn import(
        &mut self,
        modules: &[Incoming<'_>],
        index: usize,
        symbol: Symbol,
        symbols: &Symbols,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<(), LoadError> {
        let module = modules[index].module;
        match symbol {
            Symbol::Function(id) => {
                let Some(function) = module.function(id) else { return Ok(()) };
                let name = function.name.clone();
                match function.linkage {
                    Linkage::Import => {
                        let found = self.import_function(modules, index, id, function, symbols)?;
                        self.scopes[index].functions.insert(name, found);
                    }
                    Linkage::Foreign => {
                        self.import_foreign(name, symbols, foreign)?;
                    }
                    Linkage::Export | Linkage::Local => {}
                }
            }
            Symbol::Data(id) => {
                let Some(object) = module.data(id) else { return Ok(()) };
                let name = object.name.clone();
                match object.linkage {
                    Linkage::Import => {
                        let found = self.import_data(modules, object, symbols)?;
                        self.scopes[index].data.insert(name, found);
                    }
                    Linkage::Foreign => {
                        self.import_foreign(name, symbols, foreign)?;
                    }
                    Linkage::Export | Linkage::Local => {}
                }
            }
        }
        Ok(())
    }

    fn import_foreign(
        &mut self,
        name: Box<str>,
        symbols: &Symbols,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<(), LoadError> {
        if !symbols.foreign.contains_key(&name) && !self.foreign.contains_key(&name) {
            let slot = foreign(&name)?;
            self.foreign.insert(name, slot);
        }
        Ok(())
    }

    fn import_function(
        &mut self,
        modules: &[Incoming<'_>],
        index: usize,
        id: FuncId,
        function: &Function,
        symbols: &Symbols,
    ) -> Result<FunctionRef, LoadError> {
        let name = &function.name;
        let known = self.global_functions.get(name).copied();
        let known =
            known.or_else(|| symbols.global_functions.get(name).map(|&n| FunctionRef::Known(n)));
        if let Some(found) = known {
            self.agree(modules, index, function, found, symbols)?;
            return Ok(found);
        }
        if let Some(host) = symbols.hosts.get(name) {
            let declared = declared_text(modules, index, function);
            let known = signature_text(&TypePool::default(), &host.signature);
            if declared != known {
                return Err(LoadError::SignatureMismatch { name: name.clone(), declared, known });
            }
        }
        let found = self.new_function(index, id, Visibility::Global);
        self.global_functions.insert(name.clone(), found);
        Ok(found)
    }

    /// Whether a declaration says of a function what is known of it.
    fn agree(
        &self,
        modules: &[Incoming<'_>],
        index: usize,
        function: &Function,
        found: FunctionRef,
        symbols: &Symbols,
    ) -> Result<(), LoadError> {
        let declared = declared_text(modules, index, function);
        let known = match found {
            FunctionRef::Known(number) => symbols.functions[number as usize].signature_text(),
            FunctionRef::New(new) => {
                let new = &self.functions[new];
                let other = modules[new.module].module.function(new.id);
                other.map_or_else(String::new, |other| declared_text(modules, new.module, other))
            }
        };
        if declared == known {
            return Ok(());
        }
        Err(LoadError::SignatureMismatch { name: function.name.clone(), declared, known })
    }

    fn import_data(
        &self,
        modules: &[Incoming<'_>],
        object: &DataObject,
        symbols: &Symbols,
    ) -> Result<DataRef, LoadError> {
        let name = &object.name;
        let known = symbols.global_data.get(name).map(|data| DataRef::Known(Arc::clone(data)));
        let found = self.global_data.get(name).cloned().or(known);
        let found = found.ok_or_else(|| LoadError::MissingData { name: name.clone() })?;
        let (size, storage) = match &found {
            DataRef::Known(data) => (data.size, data.storage()),
            DataRef::New(new) => {
                let new = &self.data[*new];
                let other = modules[new.module].module.data(new.id);
                other.map_or((0, Storage::Shared), |other| (other.size, other.storage))
            }
        };
        if size < object.size || storage != object.storage {
            let (name, declared) = (name.clone(), object.size);
            return Err(LoadError::DataMismatch { name, declared, actual: size });
        }
        Ok(found)
    }
}

impl DataSymbol {
    fn storage(&self) -> Storage {
        match self.place {
            DataPlace::Shared(_) => Storage::Shared,
            DataPlace::ThreadLocal(_) => Storage::ThreadLocal,
        }
    }
}

fn is_taken(symbols: &Symbols, name: &str) -> bool {
    symbols.global_data.contains_key(name)
        || symbols.global_functions.contains_key(name)
        || symbols.hosts.contains_key(name)
}

fn declared_text(modules: &[Incoming<'_>], index: usize, function: &Function) -> String {
    let types = &modules[index].types;
    signature_text(types, types.sig(function.sig))
}
