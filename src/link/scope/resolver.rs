//! From the declarations of modules to what their names stand for.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use brolga_ir::body::Body;
use brolga_ir::entity::{DataId, FuncId};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Content, DataObject, Function, Linkage, Module, Name, Storage, Symbol};
use brolga_ir::op::Op;
use brolga_ir::types::TypePool;
use brolga_lifecycle::names::LibraryId;

use super::{
    Absence, Around, DataRef, ForeignLookup, FunctionRef, Incoming, Names, NewData, NewFunction,
    Visibility, linkage_of,
};
use crate::error::LoadError;
use crate::link::namespace::Meaning;
use crate::link::symbols::{
    DataPlace, DataSymbol, Stay, Symbols, check_function_name, signature_text,
};
use crate::memory::{Reservation, Slot};

impl Names {
    /// Finds out what every name of `modules` stands for.
    pub(crate) fn resolve(
        modules: &[Incoming<'_>],
        symbols: &Symbols,
        reservation: &Reservation,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Names, LoadError> {
        let around = Around { symbols, home: symbols.names.main() };
        let names = Names::new(around.home, Stay::Forever, modules.len());
        let is_blank = symbols.is_blank();
        let mut resolver = Resolver { modules, around, reservation, foreign, names, is_blank };
        let declared = |incoming: &Incoming<'_>| incoming.module.declarations().len();
        resolver.names.reserve(modules.iter().map(declared));
        // What is weak gives way to what is not, in whatever order they come.
        for is_weak in [false, true] {
            for (index, incoming) in modules.iter().enumerate() {
                for &symbol in incoming.module.declarations() {
                    if (linkage_of(incoming.module, symbol) == Linkage::Weak) == is_weak {
                        resolver.define(index, symbol)?;
                    }
                }
            }
        }
        for (index, incoming) in modules.iter().enumerate() {
            for &symbol in incoming.module.declarations() {
                resolver.import(index, symbol)?;
            }
        }
        Ok(resolver.names)
    }

    /// Finds out what names of data and foreign symbols stand for that code of one module names,
    /// whose own data stand already.
    pub(in crate::link) fn of_data<'n>(
        modules: &[Incoming<'_>; 1],
        own: impl Fn(&str) -> Option<Arc<DataSymbol>>,
        wanted: impl IntoIterator<Item = &'n Name>,
        around: Around<'_>,
        reservation: &Reservation,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Names, LoadError> {
        let mut resolver = Resolver::of_one(modules, around, reservation, foreign);
        for name in wanted {
            if let Some(data) = own(name) {
                let module = modules[0].module;
                if let Some(Symbol::Data(id)) = module.symbol(name) {
                    check_data(&data, module, id)?;
                }
                let known = DataRef::Known(data);
                resolver.names.scopes[0].data.insert(name.clone(), known);
                continue;
            }
            match modules[0].module.symbol(name) {
                // Weak, and another one stands in its place.
                Some(Symbol::Data(id)) if is_shared(modules[0].module, id) => {
                    resolver.import_data(0, id)?;
                }
                Some(symbol) => resolver.import(0, symbol)?,
                None => {}
            }
        }
        Ok(resolver.names)
    }

    /// Finds out what the names of a module's data, and of what these hold the addresses of,
    /// stand for.
    pub(in crate::link) fn of_definition(
        modules: &[Incoming<'_>; 1],
        around: Around<'_>,
        reservation: &Reservation,
        foreign: &mut ForeignLookup<'_>,
    ) -> Result<Names, LoadError> {
        let mut resolver = Resolver::of_one(modules, around, reservation, foreign);
        let module = modules[0].module;
        for (id, object) in module.data_objects() {
            resolver.define_data(0, id, object)?;
        }
        for (id, object) in module.data_objects() {
            resolver.import(0, Symbol::Data(id))?;
            for relocation in object.relocations() {
                if linkage_of(module, relocation.symbol).is_foreign() {
                    resolver.import(0, relocation.symbol)?;
                }
            }
        }
        Ok(resolver.names)
    }
}

fn is_shared(module: &Module, id: DataId) -> bool {
    !linkage_of(module, Symbol::Data(id)).is_foreign()
}

/// Names on the way to their meaning. Modules go by their index.
struct Resolver<'a, 'f> {
    modules: &'a [Incoming<'a>],
    around: Around<'a>,
    reservation: &'a Reservation,
    foreign: &'a mut ForeignLookup<'f>,
    names: Names,
    /// Whether no name meant anything before.
    is_blank: bool,
}

impl<'a, 'f> Resolver<'a, 'f> {
    /// Of a single module, nothing of which has a meaning yet.
    fn of_one(
        modules: &'a [Incoming<'a>; 1],
        around: Around<'a>,
        reservation: &'a Reservation,
        foreign: &'a mut ForeignLookup<'f>,
    ) -> Resolver<'a, 'f> {
        let names = Names::new(around.home, Stay::WithModule, 1);
        let is_blank = around.symbols.is_blank();
        Resolver { modules, around, reservation, foreign, names, is_blank }
    }

    fn symbols(&self) -> &'a Symbols {
        self.around.symbols
    }

    fn library(&self) -> LibraryId {
        self.around.home.library
    }
}

impl Resolver<'_, '_> {
    fn define(&mut self, index: usize, symbol: Symbol) -> Result<(), LoadError> {
        let module = self.modules[index].module;
        match symbol {
            Symbol::Function(id) => match module.function(id) {
                Some(function) => self.define_function(index, id, function),
                None => Ok(()),
            },
            Symbol::Data(id) => match module.data(id) {
                Some(object) => self.define_data(index, id, object),
                None => Ok(()),
            },
        }
    }

    fn define_function(
        &mut self,
        index: usize,
        id: FuncId,
        function: &Function,
    ) -> Result<(), LoadError> {
        check_function_name(&function.name)?;
        let found = match function.linkage {
            Linkage::Local => self.new_function(index, id, Visibility::Local),
            Linkage::Weak if self.is_defined(&function.name) => {
                self.names.overridden.insert((index, id));
                return self.import_function(index, id);
            }
            Linkage::Export | Linkage::Weak => self.export(index, id, function)?,
            Linkage::Import | Linkage::Foreign | Linkage::ForeignWeak => return Ok(()),
        };
        self.names.scopes[index].enter(id, found);
        Ok(())
    }

    fn define_data(
        &mut self,
        index: usize,
        id: DataId,
        object: &DataObject,
    ) -> Result<(), LoadError> {
        let visibility = match object.linkage {
            Linkage::Local => Visibility::Local,
            Linkage::Weak if self.is_defined(&object.name) => return self.import_data(index, id),
            Linkage::Export | Linkage::Weak => Visibility::Global,
            Linkage::Import | Linkage::Foreign | Linkage::ForeignWeak => return Ok(()),
        };
        let name = object.name.clone();
        let found = DataRef::New(self.names.data.len());
        self.names.data.push(NewData { module: index, id, visibility });
        if visibility == Visibility::Global {
            let imported = self.symbols().unclaimed_of(self.library(), &name, None);
            if imported.is_some() || self.is_defined(&name) {
                return Err(LoadError::Duplicate { name: (*name).into() });
            }
            self.names.global_data.insert(name.clone(), found.clone());
        }
        self.names.scopes[index].data.insert(name, found);
        Ok(())
    }

    /// Whether the name is a module's or the host's already; one that modules
    /// only import may still be given.
    fn is_defined(&self, name: &str) -> bool {
        self.names.global_functions.contains_key(name)
            || self.names.global_data.contains_key(name)
            || self.is_known(name)
    }

    /// Whether it was so before the modules came.
    fn is_known(&self, name: &str) -> bool {
        !self.is_blank
            && (self.symbols().hosts.contains_key(name)
                || self.symbols().names.has(self.library(), name))
    }

    fn new_function(&mut self, module: usize, id: FuncId, visibility: Visibility) -> FunctionRef {
        self.names.functions.push(NewFunction { module, id, visibility });
        FunctionRef::New(self.names.functions.len() - 1)
    }

    /// An exported definition: of a new symbol, or of one that somebody
    /// imported before.
    fn export(
        &mut self,
        index: usize,
        id: FuncId,
        function: &Function,
    ) -> Result<FunctionRef, LoadError> {
        let name = &function.name;
        let duplicate = || LoadError::Duplicate { name: (**name).into() };
        if self.is_known(name) || self.names.global_data.contains_key(name) {
            return Err(duplicate());
        }
        // The library does not have the name itself, as was just asked.
        let declared = || self.declared_text(index, function);
        let is_named = !self.symbols().names.unclaimed(self.library(), name).is_empty();
        let imported = is_named.then(declared).and_then(|declared| {
            self.symbols().unclaimed_of(self.library(), name, Some(&declared))
        });
        let imported = imported.map(FunctionRef::Known);
        let found = imported.unwrap_or_else(|| self.new_function(index, id, Visibility::Global));
        if !self.names.note_global(name, found) {
            return Err(duplicate());
        }
        if imported.is_some() {
            self.agree(index, function, found)?;
        }
        Ok(found)
    }

    fn import(&mut self, index: usize, symbol: Symbol) -> Result<(), LoadError> {
        let module = self.modules[index].module;
        let name = module.symbol_name(symbol);
        match (linkage_of(module, symbol), symbol) {
            (Linkage::Import, Symbol::Function(id)) => self.import_function(index, id),
            (Linkage::Import, Symbol::Data(id)) => self.import_data(index, id),
            (Linkage::Foreign, _) => self.import_foreign(name),
            (Linkage::ForeignWeak, _) => self.import_optional(name),
            (Linkage::Export | Linkage::Weak | Linkage::Local, _) => Ok(()),
        }
    }

    /// The slot of a foreign symbol that some module has named before.
    fn known_foreign(&self, name: &str) -> Option<&Arc<Slot>> {
        self.names.foreign.get(name).or_else(|| self.symbols().foreign.get(name))
    }

    fn import_foreign(&mut self, name: &str) -> Result<(), LoadError> {
        let known = self.known_foreign(name).map(Arc::clone);
        if known.as_ref().is_some_and(|slot| slot.cell().load(Ordering::Acquire) != 0) {
            return Ok(());
        }
        let slot = (self.foreign)(name)?.map_err(|absence| match absence {
            Absence::Forbidden => LoadError::ForbiddenSymbol { name: name.into() },
            Absence::Missing => LoadError::MissingSymbol { name: name.into() },
        })?;
        match known {
            // It holds null, for modules that can do without. They and the ways to call it go on
            // to read it: now it is there for all.
            Some(known) => {
                let address = slot.cell().load(Ordering::Acquire);
                known.cell().store(address, Ordering::Release);
            }
            None => {
                self.names.foreign.insert(name.into(), slot);
            }
        }
        Ok(())
    }

    /// A symbol that need not be there.
    fn import_optional(&mut self, name: &str) -> Result<(), LoadError> {
        if self.known_foreign(name).is_some() {
            return Ok(());
        }
        let slot = match (self.foreign)(name)? {
            Ok(slot) => slot,
            Err(_) => Arc::new(self.reservation.slot(0)?),
        };
        self.names.foreign.insert(name.into(), slot);
        Ok(())
    }

    fn import_function(&mut self, index: usize, id: FuncId) -> Result<(), LoadError> {
        let Some(function) = self.modules[index].module.function(id) else { return Ok(()) };
        let name = &function.name;
        let own = self.names.global_functions.get(name).copied();
        let known = || self.known_function(index, function).map(FunctionRef::Known);
        let found = match own.or_else(known) {
            Some(found) => {
                self.agree(index, function, found)?;
                found
            }
            None => {
                if let Some(host) = self.symbols().hosts.get(name) {
                    let known = signature_text(&TypePool::default(), &host.signature);
                    self.require_signature(index, function, known)?;
                }
                let found = self.new_function(index, id, Visibility::Global);
                // Nobody else has it, as was just asked.
                let _ = self.names.note_global(name, found);
                found
            }
        };
        self.names.scopes[index].enter(id, found);
        Ok(())
    }

    /// The function that an imported one is by now.
    fn known_function(&self, index: usize, function: &Function) -> Option<u32> {
        let (symbols, name) = (self.symbols(), &*function.name);
        let library = symbols.library_of(self.library(), name);
        match symbols.names.own(library, name) {
            Some(Meaning::Function(number)) => Some(number),
            Some(Meaning::Data(_)) => None,
            None if symbols.names.unclaimed(library, name).is_empty() => None,
            None => {
                let declared = self.declared_text(index, function);
                symbols.unclaimed_of(library, name, Some(&declared))
            }
        }
    }

    /// Whether a declaration says of a function what is known of it.
    fn agree(
        &self,
        index: usize,
        function: &Function,
        found: FunctionRef,
    ) -> Result<(), LoadError> {
        let known = match found {
            FunctionRef::Known(number) => self.symbols().signature_text(number),
            FunctionRef::New(new) => {
                let new = &self.names.functions[new];
                let other = self.modules[new.module].module.function(new.id);
                other.map_or_else(String::new, |other| self.declared_text(new.module, other))
            }
        };
        self.require_signature(index, function, known)
    }

    fn require_signature(
        &self,
        index: usize,
        function: &Function,
        known: String,
    ) -> Result<(), LoadError> {
        let declared = self.declared_text(index, function);
        if declared == known {
            return Ok(());
        }
        Err(LoadError::SignatureMismatch { name: (*function.name).into(), declared, known })
    }

    fn declared_text(&self, index: usize, function: &Function) -> String {
        let types = &self.modules[index].types;
        signature_text(types, types.sig(function.sig))
    }

    fn import_data(&mut self, index: usize, id: DataId) -> Result<(), LoadError> {
        let Some(object) = self.modules[index].module.data(id) else { return Ok(()) };
        let name = &object.name;
        let known = || {
            let data = self.symbols().names.data(self.library(), name);
            data.map(|data| DataRef::Known(Arc::clone(data)))
        };
        let found = self.names.global_data.get(name).cloned().or_else(known);
        let found = found.ok_or_else(|| LoadError::MissingData { name: (**name).into() })?;
        let module = self.modules[index].module;
        match &found {
            DataRef::Known(data) => check_data(data, module, id)?,
            DataRef::New(new) => {
                let new = &self.names.data[*new];
                let defined = self.modules[new.module].module.data(new.id);
                defined.map(DataKind::of).unwrap_or_default().check(module, id)?;
            }
        }
        self.names.scopes[index].data.insert(name.clone(), found);
        Ok(())
    }
}

/// Whether a data object is as a module declares it, and as its functions take it to be.
pub(in crate::link) fn check_data(
    data: &DataSymbol,
    module: &Module,
    id: DataId,
) -> Result<(), LoadError> {
    let kind = DataKind {
        size: data.size,
        align_log2: data.align_log2,
        content: data.content,
        storage: data.storage(),
    };
    kind.check(module, id)
}

/// The name of a function that stores to a data object, if there is one. Who stores by its address
/// has been vouched for.
fn who_stores(module: &Module, data: DataId) -> Option<Box<str>> {
    let stores = |body: &Body| {
        let insts = body.layout.all_insts();
        let is_it = |inst| {
            let instruction = body.inst(inst);
            instruction.op == Op::DataStore && instruction.payload == Payload::Data(data)
        };
        insts.into_iter().any(is_it)
    };
    let mut functions = module.functions();
    let found = functions.find(|(_, function)| function.body.as_deref().is_some_and(stores));
    found.map(|(_, function)| (*function.name).into())
}

/// What code that accesses a data object goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct DataKind {
    size: u64,
    align_log2: u8,
    content: Content,
    storage: Storage,
}

impl DataKind {
    fn of(object: &DataObject) -> DataKind {
        DataKind {
            size: object.size,
            align_log2: object.align_log2,
            content: object.content,
            storage: object.storage,
        }
    }

    /// Whether what is of that kind is as a module declares it.
    fn check(self, module: &Module, id: DataId) -> Result<(), LoadError> {
        let Some(object) = module.data(id) else { return Ok(()) };
        self.keeps(&object.name, DataKind::of(object))?;
        if self.content == Content::Constant
            && object.content != Content::Constant
            && let Some(function) = who_stores(module, id)
        {
            return Err(LoadError::ConstantData { name: (*object.name).into(), function });
        }
        Ok(())
    }

    /// Whether a definition is all that a declaration says.
    fn keeps(self, name: &str, declared: DataKind) -> Result<(), LoadError> {
        if self.storage != declared.storage {
            let (name, actual) = (name.into(), self.storage);
            return Err(LoadError::DataStorage { name, actual });
        }
        if self.size < declared.size {
            let (declared, actual) = (declared.size, self.size);
            return Err(LoadError::DataMismatch { name: name.into(), declared, actual });
        }
        let promise = match () {
            () if self.align_log2 < declared.align_log2 => {
                format!("align {}", 1_u64 << declared.align_log2)
            }
            () if declared.content == Content::Constant && self.content != Content::Constant => {
                "const".to_owned()
            }
            () => return Ok(()),
        };
        Err(LoadError::DataPromise { name: name.into(), promise: promise.into() })
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
