//! What the names of modules stand for, before any of it has a place.

mod resolver;

pub(super) use resolver::check_data;

use std::collections::BTreeMap;
use std::sync::Arc;

use brolga_ir::entity::{DataId, EntityRef, FuncId};
use brolga_ir::module::{Linkage, Module, Name, Symbol};
use brolga_ir::types::TypePool;
use rustc_hash::{FxHashMap, FxHashSet};

use super::namespace::Home;
use super::symbols::{DataSymbol, Stay, Symbols};
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
    pub data: FxHashMap<Name, DataRef>,
    /// By their ids: the module itself knows which name is whose.
    by_id: Vec<Option<FunctionRef>>,
    /// By what they are called in the code of one function, which is linked alone.
    by_name: FxHashMap<Name, FunctionRef>,
}

impl Scope {
    fn enter(&mut self, id: FuncId, found: FunctionRef) {
        let index = id.index();
        if self.by_id.len() <= index {
            self.by_id.resize(index + 1, None);
        }
        self.by_id[index] = Some(found);
    }

    /// What a function of the module is.
    pub(super) fn function(&self, module: &Module, id: FuncId) -> Option<FunctionRef> {
        let by_name = || self.by_name.get(&module.function(id)?.name).copied();
        self.by_id(id).or_else(by_name)
    }

    /// What a name is in the module.
    pub(super) fn function_named(&self, module: &Module, name: &str) -> Option<FunctionRef> {
        let own = self.by_name.get(name).copied();
        own.or_else(|| self.by_id(module.function_named(name)?))
    }

    fn by_id(&self, id: FuncId) -> Option<FunctionRef> {
        self.by_id.get(id.index()).copied().flatten()
    }

    fn functions(&self) -> impl Iterator<Item = FunctionRef> {
        self.by_id.iter().flatten().chain(self.by_name.values()).copied()
    }
}

/// A module on its way into an engine.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    pub module: &'a Module,
    pub types: Arc<TypePool>,
}

/// What the names of a set of modules stand for.
#[derive(Debug)]
pub(crate) struct Names {
    pub(super) functions: Vec<NewFunction>,
    pub(super) data: Vec<NewData>,
    pub(super) scopes: Vec<Scope>,
    /// New slots that hold addresses of the process, by name.
    pub(super) foreign: BTreeMap<Name, Arc<Slot>>,
    /// Weak definitions in whose place others stand.
    pub(super) overridden: FxHashSet<(usize, FuncId)>,
    /// The address of the budget that the unit counts down, if it does.
    pub(super) budget: Option<usize>,
    /// Where they come in.
    pub(super) home: Home,
    /// How long their data are there.
    pub(super) stay: Stay,
    /// Of several modules.
    global_functions: FxHashMap<Name, FunctionRef>,
    global_data: FxHashMap<Name, DataRef>,
}

/// What there is around modules on their way in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// What names stand for.
    pub symbols: &'a Symbols,
    /// Where the modules come in.
    pub home: Home,
}

/// Where the addresses of the process come from: nothing for a symbol that is
/// not there, or that modules may not name.
pub(crate) type ForeignLookup<'a> =
    dyn FnMut(&str) -> Result<Result<Arc<Slot>, Absence>, LoadError> + 'a;

/// Why a symbol of the process has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Modules may not name it.
    Forbidden,
    /// The process does not have it.
    Missing,
}

impl Names {
    fn new(home: Home, stay: Stay, modules: usize) -> Names {
        let mut scopes = Vec::new();
        scopes.resize_with(modules, Scope::default);
        Names {
            functions: Vec::new(),
            data: Vec::new(),
            scopes,
            foreign: BTreeMap::new(),
            overridden: FxHashSet::default(),
            budget: None,
            home,
            stay,
            global_functions: FxHashMap::default(),
            global_data: FxHashMap::default(),
        }
    }

    /// Makes room for so many names of each module.
    fn reserve(&mut self, counts: impl Iterator<Item = usize>) {
        let mut all = 0;
        for (scope, count) in self.scopes.iter_mut().zip(counts) {
            scope.by_id.reserve(count);
            all += count;
        }
        self.functions.reserve(all);
        if self.is_of_many() {
            self.global_functions.reserve(all);
        }
    }

    /// The data objects that stand already.
    pub(super) fn known_data(&self) -> Vec<Arc<DataSymbol>> {
        let known = |found: &DataRef| match found {
            DataRef::Known(data) => Some(Arc::clone(data)),
            DataRef::New(_) => None,
        };
        let mut all: Vec<_> =
            self.scopes.iter().flat_map(|scope| scope.data.values()).filter_map(known).collect();
        all.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The functions that have a name in the modules, in no order; `new` has the numbers of new
    /// ones.
    pub(super) fn numbers(&self, new: &[u32]) -> impl Iterator<Item = u32> {
        let named = self.scopes.iter().flat_map(Scope::functions);
        named.filter_map(|found| match found {
            FunctionRef::Known(number) => Some(number),
            FunctionRef::New(index) => new.get(index).copied(),
        })
    }

    /// Whether there are several modules, which see each other's names.
    fn is_of_many(&self) -> bool {
        self.scopes.len() > 1
    }

    /// Notes what a name is that all modules see, and tells whether it is new to them. A module
    /// alone has each name once.
    fn note_global(&mut self, name: &Name, found: FunctionRef) -> bool {
        !self.is_of_many() || self.global_functions.insert(name.clone(), found).is_none()
    }

    /// What the functions of a single module are.
    pub(super) fn set_functions(&mut self, functions: FxHashMap<Name, FunctionRef>) {
        if let Some(scope) = self.scopes.first_mut() {
            scope.by_name = functions;
        }
    }
}

fn linkage_of(module: &Module, symbol: Symbol) -> Linkage {
    let linkage = match symbol {
        Symbol::Function(id) => module.function(id).map(|function| function.linkage),
        Symbol::Data(id) => module.data(id).map(|object| object.linkage),
    };
    linkage.unwrap_or_default()
}
