//! Modules: functions, data objects, and what they share.

mod data;
mod extract;

use std::sync::Arc;

use hashbrown::HashMap;
use thiserror::Error;

use crate::body::Body;
use crate::entity::{AliasClass, DataId, FuncId, PackedOption, PrimaryMap, SigId};
use crate::prefetch::prefetch;
use crate::types::{Param, Passing, Signature, TypePool};

pub use data::{
    Content, DataImage, DataItem, DataObject, MAX_DATA_ALIGN_LOG2, Relocation, Storage,
};
pub use extract::Extract;

/// Who sees a symbol, and who defines it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Linkage {
    /// Defined here, seen everywhere.
    #[default]
    Export,
    /// Defined here, seen everywhere, unless another module defines it: of several
    /// weak definitions the first stands for all, and one that is not weak before
    /// them.
    Weak,
    /// Defined here, seen here only.
    Local,
    /// Defined by another module or by the host.
    Import,
    /// Defined by the process, reached by the platform's convention.
    Foreign,
    /// The same, if the process defines it: its address is null otherwise.
    ForeignWeak,
}

impl Linkage {
    /// Every linkage.
    pub const ALL: &'static [Linkage] = &[
        Linkage::Export,
        Linkage::Weak,
        Linkage::Local,
        Linkage::Import,
        Linkage::Foreign,
        Linkage::ForeignWeak,
    ];

    /// Whether the symbol is defined by the module that says so.
    pub const fn is_defined_here(self) -> bool {
        matches!(self, Linkage::Export | Linkage::Weak | Linkage::Local)
    }

    /// Whether other modules see what this one defines.
    pub const fn is_shared(self) -> bool {
        matches!(self, Linkage::Export | Linkage::Weak)
    }

    /// Whether the process defines the symbol, if anybody.
    pub const fn is_foreign(self) -> bool {
        matches!(self, Linkage::Foreign | Linkage::ForeignWeak)
    }
}

/// Whether calls of a function are to be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inlining {
    /// As the optimiser sees fit.
    #[default]
    Auto,
    /// At every level.
    Always,
    /// Never.
    Never,
}

/// How often a function is expected to run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Temperature {
    /// Often enough to be fast.
    #[default]
    Normal,
    /// Hardly ever: its blocks stand apart and are compiled for size.
    Cold,
}

/// What calls of a function do to memory other than their own stack and constant data: a promise,
/// of what they call as well.
///
/// Such a call makes no objects, does not ask for the last exception and handles none, which
/// would show to whoever asks for it later. It may throw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemoryEffects {
    /// Anything.
    #[default]
    Any,
    /// Reads only.
    ReadOnly,
    /// Neither reads nor writes.
    None,
}

/// Facts and wishes about a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attributes {
    /// Whether to inline it.
    pub inlining: Inlining,
    /// How often it runs.
    pub temperature: Temperature,
    /// What it does to memory: a promise.
    pub memory: MemoryEffects,
    /// Promise: how often a call of it comes back.
    pub returns: Returns,
    /// The optimisation level, 0 to 3, instead of the engine's.
    pub opt_level: Option<u8>,
    /// Targets to compile it for beside the module's, as target strings.
    pub targets: Vec<Box<str>>,
}

/// How often a call comes back: a promise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Returns {
    /// It may trap, throw or loop for ever.
    #[default]
    Maybe,
    /// It returns.
    Always,
    /// It never returns normally.
    Never,
    /// It may return again after it has returned, as C's `setjmp` does once
    /// `longjmp` is called: to the same call, as long as the function that made
    /// that has not returned. Only foreign functions do.
    Twice,
}

/// The name of a function or a data object: whoever mentions it shares the text.
pub type Name = Arc<str>;

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, unique in the module together with those of data objects.
    pub name: Name,
    /// What it takes and gives.
    pub sig: SigId,
    /// Who defines it.
    pub linkage: Linkage,
    /// Facts and wishes.
    pub attributes: Attributes,
    /// Its code, if it is defined here.
    pub body: Option<Box<Body>>,
}

/// A node of the tree of alias classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassData {
    /// Its name.
    pub name: Box<str>,
    /// The class that it is a part of.
    pub parent: PackedOption<AliasClass>,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A function.
    Function(FuncId),
    /// A data object.
    Data(DataId),
}

/// Why a declaration was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DeclareError {
    /// The name is taken.
    #[error("`@{name}` is declared twice in this module; give one of them another name")]
    Duplicate {
        /// The name.
        name: Box<str>,
    },
}

/// Code and data that refer to each other by name.
///
/// Maps whose keys come from texts have seeded hashes, here and in bodies and
/// type pools: no text can be made that slows them down.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Its name, for messages; may be empty.
    pub name: String,
    /// The target that it was written for, as a target string.
    pub target: Option<String>,
    /// Aggregates and signatures.
    pub types: TypePool,
    functions: PrimaryMap<FuncId, Function>,
    data: PrimaryMap<DataId, DataObject>,
    classes: PrimaryMap<AliasClass, ClassData>,
    class_names: HashMap<Box<str>, AliasClass>,
    symbols: HashMap<Name, Symbol>,
    order: Vec<Symbol>,
    strings: Vec<Box<str>>,
    string_ids: HashMap<Box<str>, u32>,
}

impl Module {
    /// An empty module.
    pub fn new(name: &str) -> Module {
        Module { name: name.to_owned(), ..Module::default() }
    }

    /// Declares a function, without a body at first.
    pub fn declare_function(
        &mut self,
        name: &str,
        sig: SigId,
        linkage: Linkage,
    ) -> Result<FuncId, DeclareError> {
        self.claim(name)?;
        let attributes = Attributes::default();
        let name = Name::from(name);
        let function = Function { name: Arc::clone(&name), sig, linkage, attributes, body: None };
        let id = self.functions.push(function);
        self.enter(name, Symbol::Function(id));
        Ok(id)
    }

    /// Declares a data object.
    pub fn declare_data(&mut self, object: DataObject) -> Result<DataId, DeclareError> {
        self.claim(&object.name)?;
        let name = Arc::clone(&object.name);
        let id = self.data.push(object);
        self.enter(name, Symbol::Data(id));
        Ok(id)
    }

    /// Gives a function or a data object another name.
    pub fn rename(&mut self, symbol: Symbol, name: &str) -> Result<(), DeclareError> {
        self.claim(name)?;
        let old = match symbol {
            Symbol::Function(id) => self.functions.get_mut(id).map(|it| &mut it.name),
            Symbol::Data(id) => self.data.get_mut(id).map(|it| &mut it.name),
        };
        let name = Name::from(name);
        if let Some(old) = old.map(|old| std::mem::replace(old, Arc::clone(&name))) {
            self.symbols.remove(&old);
            self.symbols.insert(name, symbol);
        }
        Ok(())
    }

    fn claim(&self, name: &str) -> Result<(), DeclareError> {
        match self.symbols.get(name) {
            Some(_) => Err(DeclareError::Duplicate { name: name.into() }),
            None => Ok(()),
        }
    }

    fn enter(&mut self, name: Name, symbol: Symbol) {
        self.symbols.insert(name, symbol);
        self.order.push(symbol);
    }

    /// What `name` stands for.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        match self.symbol(name)? {
            Symbol::Function(id) => Some(id),
            Symbol::Data(_) => None,
        }
    }

    /// All symbols in the order of their declaration.
    pub fn declarations(&self) -> &[Symbol] {
        &self.order
    }

    /// The function, if it is one of this module.
    pub fn function(&self, id: FuncId) -> Option<&Function> {
        self.functions.get(id)
    }

    /// Asks the processor for the name of a function and for where its body has what, which
    /// [`Body::prefetch`] reads: sooner still. Changes nothing.
    #[inline]
    pub fn prefetch(&self, id: FuncId) {
        let Some(function) = self.functions.get(id) else { return };
        prefetch(function.name.as_bytes());
        prefetch(function.body.as_deref().map_or(&[], std::slice::from_ref));
    }

    /// The function, to be changed. Its name is the module's to keep.
    pub fn function_mut(&mut self, id: FuncId) -> Option<&mut Function> {
        self.functions.get_mut(id)
    }

    /// All functions.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = (FuncId, &Function)> {
        self.functions.iter()
    }

    /// The signature of a function; an empty one if it is not of this module.
    pub fn signature_of(&self, id: FuncId) -> &Signature {
        let sig = self.functions.get(id).map_or(SigId::from_u32(u32::MAX - 1), |f| f.sig);
        self.types.sig(sig)
    }

    /// What a call of a function of this module touches: one that is handed objects by value
    /// copies these, whatever its own code does.
    pub fn memory_of_call(&self, function: &Function) -> MemoryEffects {
        let is_by_value = |param: &Param| matches!(param.passing, Passing::ByValue { .. });
        let params = &self.types.sig(function.sig).params;
        match function.attributes.memory {
            MemoryEffects::None if params.iter().any(is_by_value) => MemoryEffects::ReadOnly,
            memory => memory,
        }
    }

    /// The data object, if it is one of this module.
    pub fn data(&self, id: DataId) -> Option<&DataObject> {
        self.data.get(id)
    }

    /// The data object, to be changed. Its name is the module's to keep.
    pub fn data_mut(&mut self, id: DataId) -> Option<&mut DataObject> {
        self.data.get_mut(id)
    }

    /// Lets other modules see a symbol, by a name that is its own from now on.
    pub(crate) fn export_as(&mut self, symbol: Symbol, name: &str) -> Result<(), DeclareError> {
        self.claim(name)?;
        self.symbols.remove(self.symbol_name(symbol).to_owned().as_str());
        let (own, linkage) = match symbol {
            Symbol::Function(id) => {
                let Some(function) = self.functions.get_mut(id) else { return Ok(()) };
                (&mut function.name, &mut function.linkage)
            }
            Symbol::Data(id) => {
                let Some(object) = self.data.get_mut(id) else { return Ok(()) };
                (&mut object.name, &mut object.linkage)
            }
        };
        *linkage = Linkage::Export;
        *own = name.into();
        self.symbols.insert(name.into(), symbol);
        Ok(())
    }

    /// All data objects.
    pub fn data_objects(&self) -> impl ExactSizeIterator<Item = (DataId, &DataObject)> {
        self.data.iter()
    }

    /// The name of a symbol; empty if it is not of this module.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Function(id) => self.function(id).map_or("", |f| &f.name),
            Symbol::Data(id) => self.data(id).map_or("", |d| &d.name),
        }
    }

    /// The alias class of that name below `parent`, made at first use; a
    /// class keeps the parent that it was made with.
    pub fn alias_class(&mut self, name: &str, parent: Option<AliasClass>) -> AliasClass {
        if let Some(&class) = self.class_names.get(name) {
            return class;
        }
        let class = self.classes.push(ClassData { name: name.into(), parent: parent.into() });
        self.class_names.insert(name.into(), class);
        class
    }

    /// The alias class of that name.
    pub fn alias_class_named(&self, name: &str) -> Option<AliasClass> {
        self.class_names.get(name).copied()
    }

    /// The alias class, if it is one of this module.
    pub fn class(&self, class: AliasClass) -> Option<&ClassData> {
        self.classes.get(class)
    }

    pub(crate) fn class_name(&self, class: AliasClass) -> &str {
        self.classes.get(class).map_or("", |data| &data.name)
    }

    pub(crate) fn class_parent(&self, class: AliasClass) -> Option<AliasClass> {
        // A parent behind its part is a breach that the verifier reports.
        self.classes.get(class)?.parent.expand().filter(|&parent| parent < class)
    }

    /// All alias classes; a parent stands before its parts.
    pub fn alias_classes(&self) -> impl ExactSizeIterator<Item = (AliasClass, &ClassData)> {
        self.classes.iter()
    }

    /// The index of a string, the same for equal ones.
    pub fn intern(&mut self, string: &str) -> u32 {
        if let Some(&index) = self.string_ids.get(string) {
            return index;
        }
        let index = self.strings.len() as u32;
        self.strings.push(string.into());
        self.string_ids.insert(string.into(), index);
        index
    }

    /// How many strings there are; their indices count from 0.
    pub fn string_count(&self) -> u32 {
        self.strings.len() as u32
    }

    /// The string of that index; empty if there is none.
    pub fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests;
