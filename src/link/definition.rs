//! A module whose functions are compiled one by one, each at its first call.

use std::mem;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Linkage, Module, Name};
use brolga_ir::types::TypePool;
use brolga_ir::verify::{
    self, require_safe_declarations, require_safe_function, verify_declarations, verify_function,
};
use brolga_lowering::pass::{Argument, LocalCalls};
use rustc_hash::FxHashMap;

use super::namespace::Home;
use super::symbols::{DataSymbol, check_function_name};
use crate::error::LoadError;

/// What somebody has vouched for of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trust {
    /// What it may do.
    pub(crate) dialect: Dialect,
    /// Whether it keeps the rules.
    pub(crate) verification: Verification,
}

/// Whether a module may do what safe code does not vouch for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// It is in the safe dialect, or it is refused.
    Safe,
    /// Somebody has vouched for what it does.
    Raw,
}

/// Whether somebody has verified modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verification {
    /// It is to be done.
    Pending,
    /// It was.
    Done,
}

impl Trust {
    /// A module of whoever.
    pub(crate) const SAFE: Trust =
        Trust { dialect: Dialect::Safe, verification: Verification::Pending };
    /// A module that somebody has vouched for.
    pub(crate) const RAW: Trust = Trust { dialect: Dialect::Raw, ..Trust::SAFE };

    /// The same of a module that was verified.
    pub(crate) const fn verified(self) -> Trust {
        Trust { verification: Verification::Done, ..self }
    }
}

/// The number of a function that the module only declares.
pub(super) const IMPORTED: u32 = u32::MAX;

/// A module whose functions are compiled one by one. It is there as long as one that others see
/// is defined by it, or code of such a one is.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) module: Module,
    /// Where it came in.
    pub(crate) home: Home,
    trust: Trust,
    types: OnceLock<Arc<TypePool>>,
    /// Those of the functions that it defines, by their ids.
    numbers: Box<[u32]>,
    pub(crate) data: FxHashMap<Name, Arc<DataSymbol>>,
    /// Data of others, which its own hold the addresses of.
    imported: Vec<Arc<DataSymbol>>,
    /// What is known of functions that have been looked at.
    verified: Mutex<FxHashMap<FuncId, Result<(), Arc<LoadError>>>>,
    /// What calls of its local functions there are.
    calls: OnceLock<LocalCalls>,
    abandoned: Arc<Abandoned>,
}

impl Definition {
    /// A module whose declarations hold, with the numbers of what it defines.
    pub(super) fn new(
        module: Module,
        (home, trust): (Home, Trust),
        numbers: Box<[u32]>,
        abandoned: &Arc<Abandoned>,
    ) -> Definition {
        let (types, verified, calls) = (OnceLock::new(), Mutex::default(), OnceLock::new());
        let (data, imported, abandoned) = (FxHashMap::default(), Vec::new(), Arc::clone(abandoned));
        Definition {
            module,
            home,
            trust,
            types,
            numbers,
            data,
            imported,
            verified,
            calls,
            abandoned,
        }
    }

    /// Its data stand.
    pub(super) fn set_data(&mut self, data: PlacedData) {
        let PlacedData { own, imported } = data;
        self.data = own.into_iter().map(|data| (data.name.clone(), data)).collect();
        self.imported = imported;
    }

    /// The module again. Nothing of it has come into the engine: there is nothing to give up.
    pub(super) fn into_module(mut self) -> Module {
        self.numbers = Box::default();
        self.data.clear();
        mem::take(&mut self.module)
    }

    /// The number of a function that it defines.
    pub(crate) fn number(&self, id: FuncId) -> Option<u32> {
        let number = self.numbers.get(id.as_u32() as usize).copied()?;
        (number != IMPORTED).then_some(number)
    }

    /// The same of one that the module alone sees.
    pub(crate) fn local(&self, id: FuncId) -> Option<u32> {
        let is_local = self.module.function(id).is_some_and(|it| it.linkage == Linkage::Local);
        self.number(id).filter(|_| is_local)
    }

    /// Its types, for functions that outlive it.
    pub(super) fn types(&self) -> Arc<TypePool> {
        Arc::clone(self.types.get_or_init(|| Arc::new(self.module.types.clone())))
    }

    /// What calls of its local functions there are. All of the module is looked at when this is
    /// first asked.
    fn calls(&self) -> &LocalCalls {
        self.calls.get_or_init(|| LocalCalls::of(&self.module))
    }

    /// What a function is called with, as far as that is known.
    pub(crate) fn arguments(&self, id: FuncId) -> &[Argument] {
        let function = self.module.function(id);
        match function.is_some_and(|function| function.linkage == Linkage::Local) {
            true => self.calls().arguments(id),
            false => &[],
        }
    }

    /// Whether one call alone names a function, which nobody else can.
    pub(crate) fn is_sole_callee(&self, id: FuncId) -> bool {
        self.calls().has_sole_caller(id)
    }

    /// Whether a function keeps the rules, and is as safe as the module is to be.
    pub(crate) fn verify(&self, id: FuncId) -> Result<(), Arc<LoadError>> {
        let verified = || self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = verified().get(&id) {
            return known.clone();
        }
        let found = self.check(id).map_err(Arc::new);
        verified().insert(id, found.clone());
        found
    }

    fn check(&self, id: FuncId) -> Result<(), LoadError> {
        let Trust { dialect, verification } = self.trust;
        if verification == Verification::Pending {
            verify_function(&self.module, id, &verify::Options::default())?;
        }
        match dialect {
            Dialect::Safe => require_safe_function(&self.module, id).map_err(LoadError::NotSafe),
            Dialect::Raw => Ok(()),
        }
    }
}

impl Drop for Definition {
    fn drop(&mut self) {
        let data = mem::take(&mut self.data).into_values();
        self.abandoned.add(|list| {
            let ids = self.module.functions().map(|(id, _)| id);
            list.locals.extend(ids.filter_map(|id| self.local(id)));
            // The names are looked up by the address of what they mean, in whatever order.
            list.data.extend(data);
        });
    }
}

/// Whether what a module declares keeps the rules, and is safe if it is to be.
pub(crate) fn check_declarations(module: &Module, trust: Trust) -> Result<(), LoadError> {
    // Code calls what has such a name without another look, also if it is only declared.
    module.functions().try_for_each(|(_, function)| check_function_name(&function.name))?;
    if trust.verification == Verification::Pending {
        verify_declarations(module)?;
    }
    match trust.dialect {
        Dialect::Safe => require_safe_declarations(module).map_err(LoadError::NotSafe),
        Dialect::Raw => Ok(()),
    }
}

/// The data of a module, which stand.
pub(super) struct PlacedData {
    pub(super) own: Vec<Arc<DataSymbol>>,
    /// Those of others, whose addresses they hold.
    pub(super) imported: Vec<Arc<DataSymbol>>,
}

/// What nobody needs any more who had it, until the engine comes to it: it is given up under
/// any lock, by whoever drops it.
#[derive(Debug, Default)]
pub(crate) struct Abandoned {
    list: Mutex<AbandonedList>,
}

/// What has been given up.
#[derive(Debug, Default)]
pub(crate) struct AbandonedList {
    /// Functions that code or a handle has named, once for each that is gone.
    pub(crate) references: Vec<u32>,
    /// Functions whose module is gone, or the code that they go on from.
    pub(crate) locals: Vec<u32>,
    /// Data objects whose module is gone.
    pub(crate) data: Vec<Arc<DataSymbol>>,
}

impl AbandonedList {
    /// Whether nothing has been given up.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.references.len() + self.locals.len() + self.data.len()
    }
}

impl Abandoned {
    fn add(&self, add: impl FnOnce(&mut AbandonedList)) {
        add(&mut self.list.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Functions are given up that nobody else has the numbers of.
    pub(super) fn add_functions(&self, numbers: &[u32]) {
        if !numbers.is_empty() {
            self.add(|list| list.locals.extend(numbers));
        }
    }

    /// What there is, which is the caller's now.
    pub(crate) fn take(&self) -> AbandonedList {
        mem::take(&mut self.list.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same, if there is so much.
    pub(crate) fn take_many(&self, many: usize) -> Option<AbandonedList> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        (list.len() >= many).then(|| mem::take(&mut *list))
    }
}

/// References to functions, which are given up when it is dropped.
#[derive(Debug)]
pub(crate) struct References {
    numbers: Box<[u32]>,
    abandoned: Arc<Abandoned>,
}

impl References {
    /// References that were counted.
    pub(super) fn new(numbers: Box<[u32]>, abandoned: &Arc<Abandoned>) -> References {
        References { numbers, abandoned: Arc::clone(abandoned) }
    }

    /// To which.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }
}

impl Drop for References {
    fn drop(&mut self) {
        if !self.numbers.is_empty() {
            self.abandoned.add(|list| list.references.extend(self.numbers.iter().copied()));
        }
    }
}
