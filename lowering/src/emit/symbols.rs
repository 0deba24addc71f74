//! What the code of a unit refers to, numbered for the back end.

use cranelift_codegen::ir::{
    ExtFuncData, ExternalName, FuncRef, Function, GlobalValue, GlobalValueData, SigRef,
    UserExternalName,
};
use rustc_hash::FxHashMap;

use crate::unit::{ThunkRequest, UnitSymbol};

/// The symbols of one unit, in the order of first use.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    list: Vec<UnitSymbol>,
    indices: FxHashMap<UnitSymbol, u32>,
    functions: FxHashMap<u32, FuncRef>,
    addresses: FxHashMap<u32, GlobalValue>,
    thunks: Vec<ThunkRequest>,
}

impl Symbols {
    fn index(&mut self, symbol: UnitSymbol) -> u32 {
        let next = self.list.len() as u32;
        *self.indices.entry(symbol).or_insert_with_key(|symbol| {
            self.list.push(symbol.clone());
            next
        })
    }

    /// The symbol as something to call; `signature` makes its signature at
    /// first use, which is the same at every use.
    pub(super) fn function(
        &mut self,
        function: &mut Function,
        symbol: UnitSymbol,
        signature: impl FnOnce(&mut Function) -> SigRef,
    ) -> FuncRef {
        let index = self.index(symbol);
        *self.functions.entry(index).or_insert_with(|| {
            let signature = signature(function);
            let name = external(function, index);
            // Near, whatever it is: text holds no absolute address.
            function.import_function(ExtFuncData {
                name,
                signature,
                colocated: true,
                patchable: false,
            })
        })
    }

    /// The symbol as an address.
    pub(super) fn address(&mut self, function: &mut Function, symbol: UnitSymbol) -> GlobalValue {
        let index = self.index(symbol);
        *self.addresses.entry(index).or_insert_with(|| {
            let name = external(function, index);
            function.create_global_value(GlobalValueData::Symbol {
                name,
                offset: 0.into(),
                colocated: true,
                tls: false,
            })
        })
    }

    /// Asks for a thunk, once.
    pub(super) fn request(&mut self, thunk: ThunkRequest) {
        if !self.indices.contains_key(&thunk.symbol) {
            self.thunks.push(thunk);
        }
    }

    /// The symbol that the back end names by this number.
    pub(super) fn symbol(&self, name: &UserExternalName) -> Option<&UnitSymbol> {
        self.list.get(name.index as usize)
    }

    /// All symbols, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &UnitSymbol> {
        self.list.iter()
    }

    /// The thunks that were asked for.
    pub(super) fn into_thunks(self) -> Vec<ThunkRequest> {
        self.thunks
    }
}

/// The namespace of symbols.
const SYMBOLS: u32 = 0;

/// The namespace of the code that a unit has behind its own.
const TRAMPOLINE: u32 = 1;

/// The number of the trampoline that the back end's name is one of.
pub(super) fn trampoline_index(name: &UserExternalName) -> Option<usize> {
    (name.namespace == TRAMPOLINE).then_some(name.index as usize)
}

/// A trampoline of the unit as something to call.
pub(super) fn trampoline(function: &mut Function, index: u32, signature: SigRef) -> FuncRef {
    let name = UserExternalName { namespace: TRAMPOLINE, index };
    let name = ExternalName::user(function.declare_imported_user_function(name));
    function.import_function(ExtFuncData { name, signature, colocated: true, patchable: false })
}

fn external(function: &mut Function, index: u32) -> ExternalName {
    let name = UserExternalName { namespace: SYMBOLS, index };
    ExternalName::user(function.declare_imported_user_function(name))
}
