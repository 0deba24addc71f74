//! The names of an engine and what they stand for.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brolga_ir::module::Name;
use brolga_ir::types::{Convention, Signature, TypePool};
use brolga_lifecycle::instance::{Callee, CodeInstance, Convention as GenericConvention};
use brolga_lifecycle::names::LibraryId;
use brolga_lifecycle::numbers::{Fate, Numbers};
use brolga_lowering::PRELUDE_PREFIX;
use brolga_lowering::runtime::STUB_INTERNAL_ENTRY;
use rustc_hash::FxHashMap;

use super::definition::{Abandoned, Definition, References};
use super::functions::{Functions, Source};
use super::namespace::{Meaning, Namespace};
use super::stub::{UNDEFINED_ENTRY, stub_in};
use crate::error::LoadError;
use crate::memory::{Block, Slot, SlotPair};
use crate::runtime::{HostClosure, Placed};

/// A function of an engine: a name, a stub, and what it leads to.
pub(crate) struct FunctionSymbol {
    /// Its name.
    pub name: Name,
    /// The library whose name that is.
    pub library: LibraryId,
    /// The types of the module that named it first.
    pub types: Arc<TypePool>,
    /// What it takes and gives.
    pub signature: Arc<Signature>,
    /// The block that holds the stub.
    pub(super) stub: Block,
    /// What compiled code is led by, then what C code is.
    pub(super) slots: SlotPair,
    /// By which generic callers find it: the stub, once there is code.
    pub(super) instance: CodeInstance,
    /// Whether the second slot leads to the function. What it leads to else does not tell: the
    /// compiler may give a function of ours several addresses.
    pub(super) is_callable_from_c: AtomicBool,
}

impl fmt::Debug for FunctionSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FunctionSymbol(@{}{})", self.name, self.signature_text())
    }
}

impl FunctionSymbol {
    /// The address of the stub: what a reference to the function holds.
    pub(crate) fn address(&self) -> usize {
        stub_in(self.stub.address())
    }

    /// The address that compiled code calls.
    pub(crate) fn internal_entry(&self) -> usize {
        self.address() + STUB_INTERNAL_ENTRY as usize
    }

    /// Leads callers to the path that has the function's code made.
    pub(super) fn lead_through(&self) {
        let resolving = self.address() + UNDEFINED_ENTRY;
        self.lead_entry_to(resolving);
    }

    /// Leads callers to code.
    pub(super) fn lead_to(&self, address: usize) {
        self.lead_entry_to(address);
    }

    fn lead_entry_to(&self, address: usize) {
        let [entry, _] = self.slots.cells();
        entry.store(address as u64, Ordering::Release);
    }

    /// What a generic call finds.
    pub(crate) fn callee(&self) -> Callee {
        self.instance.read()
    }

    /// Tells generic callers that there is a definition, which is compiled at the first call.
    pub(crate) fn register(&self) {
        self.instance.register();
    }

    /// Has generic callers go by `wrapper` once there is code: to the stub, which leads to
    /// whatever code takes its place.
    pub(crate) fn publish(&self, wrapper: usize) {
        let [entry, _] = self.slots.cells();
        let is_compiled =
            entry.load(Ordering::Acquire) != (self.address() + UNDEFINED_ENTRY) as u64;
        let words = NonZeroUsize::new(wrapper).zip(NonZeroUsize::new(self.internal_entry()));
        if let Some((invoke, pointer)) = words.filter(|_| is_compiled) {
            // Who was first has published the same.
            let _ = self.instance.publish(invoke, pointer, GenericConvention::Specialised);
        }
    }

    /// Leads C code to an entry of its convention.
    pub(super) fn set_callback(&self, address: usize) {
        let [_, platform] = self.slots.cells();
        platform.store(address as u64, Ordering::Release);
        self.is_callable_from_c.store(true, Ordering::Release);
    }

    /// Whether C code gets to the function.
    pub(super) fn has_callback(&self) -> bool {
        self.is_callable_from_c.load(Ordering::Acquire)
    }

    /// The signature's text.
    pub(crate) fn signature_text(&self) -> String {
        signature_text(&self.types, &self.signature)
    }
}

/// The text of a signature, `fn(i64) -> i64`: equal for signatures by which
/// compiled code calls in the same way.
pub(crate) fn signature_text(types: &TypePool, signature: &Signature) -> String {
    let mut text = String::from(match signature.convention {
        Convention::Internal => "fn",
        Convention::Platform => "cfn",
    });
    // Writing to a string does not fail.
    let _ = types.write_signature(&mut text, &signature.with_plain_passing());
    text
}

/// Whether a function may have that name: those of the library's own keep theirs.
pub(crate) fn check_function_name(name: &str) -> Result<(), LoadError> {
    match name.starts_with(PRELUDE_PREFIX) {
        true => Err(LoadError::ReservedName { name: name.into() }),
        false => Ok(()),
    }
}

/// A data object of an engine.
#[derive(Debug)]
pub(crate) struct DataSymbol {
    /// Its name.
    pub name: Name,
    /// The library whose name that is.
    pub library: LibraryId,
    /// Bytes.
    pub size: u64,
    /// Its address is a multiple of `1 << align_log2`.
    pub align_log2: u8,
    /// Whether it may be written.
    pub content: brolga_ir::module::Content,
    /// How long it is there.
    pub stay: Stay,
    /// Where it stands.
    pub place: DataPlace,
}

/// How long a data object is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stay {
    /// As long as its module.
    WithModule,
    /// As long as the engine: it was loaded.
    Forever,
}

/// Where a data object stands.
#[derive(Debug)]
pub(crate) enum DataPlace {
    /// In the engine's memory.
    Shared(Block),
    /// In a copy for each thread: its index in the table.
    ThreadLocal(usize),
}

/// A function of the host, waiting for a module that imports it.
#[derive(Clone, Debug)]
pub(crate) struct HostDefinition {
    /// What runs.
    pub closure: Arc<HostClosure>,
    /// What it takes and gives; only scalars, which belong to no module.
    pub signature: Signature,
}

/// The names of an engine, and what goes by them.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// Every function, by its number.
    pub functions: Arc<Functions>,
    /// Which numbers are in use.
    pub numbers: Numbers,
    /// What names mean.
    pub names: Namespace,
    /// What nobody needs any more who had it.
    pub abandoned: Arc<Abandoned>,
    /// Functions of the host.
    pub hosts: FxHashMap<Name, HostDefinition>,
    /// Thunks, by what units call them.
    pub thunks: FxHashMap<brolga_lowering::unit::UnitSymbol, Arc<Placed>>,
    /// The ways in, by the text of the signature.
    pub entries: FxHashMap<Box<str>, Arc<Placed>>,
    /// Slots that hold addresses of foreign functions and data, by name.
    pub foreign: FxHashMap<Name, Arc<Slot>>,
    /// Functions of the prelude, by name.
    pub prelude: FxHashMap<Name, u32>,
    /// What lives as long as the engine: code, data, slots.
    pub kept: Vec<Kept>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        let functions = Arc::<Functions>::default();
        Symbols {
            names: Namespace::new(Arc::clone(&functions)),
            functions,
            numbers: Numbers::new(),
            abandoned: Arc::default(),
            hosts: FxHashMap::default(),
            thunks: FxHashMap::default(),
            entries: FxHashMap::default(),
            foreign: FxHashMap::default(),
            prelude: FxHashMap::default(),
            kept: Vec::new(),
        }
    }
}

impl Symbols {
    /// The function that a name means to the code of a library, if it is defined. What the host
    /// has is every library's.
    pub(crate) fn defined_function(&self, library: LibraryId, name: &str) -> Option<u32> {
        self.names.function(self.library_of(library, name), name)
    }

    /// Whether no name means anything yet: what a module is often loaded into, all of whose names
    /// need not be looked for then.
    pub(super) fn is_blank(&self) -> bool {
        self.hosts.is_empty() && self.names.is_blank()
    }

    /// The library that has a name which code of another one may use: the first, if the host has
    /// it.
    pub(crate) fn library_of(&self, library: LibraryId, name: &str) -> LibraryId {
        if self.hosts.contains_key(name) { self.names.main().library } else { library }
    }

    /// The function that code of a library names, defined or not.
    pub(crate) fn named_function(&self, library: LibraryId, name: &str) -> Option<u32> {
        let library = self.library_of(library, name);
        let unclaimed = || self.names.unclaimed(library, name).first().copied();
        self.names.function(library, name).or_else(unclaimed)
    }

    /// The symbol of a function that somebody has named.
    pub(crate) fn symbol(&self, number: u32) -> Option<Arc<FunctionSymbol>> {
        self.functions.entry(number).slot()
    }

    /// Gives a function a symbol, whose slot leads its callers where they belong from now on.
    pub(super) fn set_symbol(&self, number: u32, symbol: FunctionSymbol) -> Arc<FunctionSymbol> {
        let symbol = Arc::new(symbol);
        drop(self.functions.entry(number).set_slot(Arc::clone(&symbol)));
        symbol
    }

    /// The library of a function that has a symbol or a definition.
    pub(crate) fn library(&self, number: u32) -> Option<LibraryId> {
        let entry = self.functions.entry(number);
        if let Some(symbol) = entry.slot() {
            return Some(symbol.library);
        }
        let definition = entry.source().and_then(|(source, _)| source.definition());
        definition.map(|(definition, _)| definition.home.library)
    }

    /// The name of that library.
    pub(crate) fn library_name_of(&self, number: u32) -> Box<str> {
        self.library(number).map_or("", |library| self.names.library_name(library)).into()
    }

    /// The text of the signature of a function that has a symbol or a definition.
    pub(crate) fn signature_text(&self, number: u32) -> String {
        let entry = self.functions.entry(number);
        if let Some(symbol) = entry.slot() {
            return symbol.signature_text();
        }
        let definition = entry.source().and_then(|(source, _)| source.definition());
        definition.map_or_else(String::new, |(definition, id)| {
            let module = &definition.module;
            signature_text(&module.types, module.signature_of(id))
        })
    }

    /// The function of that name and signature: what the name means in a library, or what code
    /// of the library calls by it.
    pub(super) fn own_function_of(
        &self,
        library: LibraryId,
        name: &str,
        signature: &str,
    ) -> Option<u32> {
        let own = self.own_definition(library, name);
        let unclaimed = self.names.unclaimed(library, name).iter().copied();
        let mut all = own.into_iter().chain(unclaimed);
        all.find(|&number| self.signature_text(number) == signature)
    }

    /// A function that code of a library names and that the name does not mean there: the one of
    /// that signature, or else one that is there for good, as what was loaded calls it. Other code
    /// may go, and what it has named stands in nobody's way.
    pub(crate) fn unclaimed_of(
        &self,
        library: LibraryId,
        name: &str,
        signature: Option<&str>,
    ) -> Option<u32> {
        let all = || self.names.unclaimed(library, name).iter().copied();
        let is_same = |&number: &u32| Some(&*self.signature_text(number)) == signature;
        all().find(is_same).or_else(|| all().find(|&number| self.numbers.has_escaped(number)))
    }

    /// The function that a library itself defines by a name.
    pub(crate) fn own_definition(&self, library: LibraryId, name: &str) -> Option<u32> {
        match self.names.own(library, name)? {
            Meaning::Function(number) => Some(number),
            Meaning::Data(_) => None,
        }
    }

    /// Functions beside that one which its name means, or which look for it elsewhere: it takes
    /// their place.
    pub(super) fn others_of(&self, library: LibraryId, name: &str, number: u32) -> Vec<u32> {
        let (own, elsewhere) = (self.own_definition(library, name), self.elsewhere(library, name));
        own.into_iter().chain(elsewhere).filter(|&other| other != number).collect()
    }

    /// Functions that code of a library names, and that lead to another library's.
    pub(crate) fn elsewhere(&self, library: LibraryId, name: &str) -> Vec<u32> {
        let unclaimed = self.names.unclaimed(library, name).iter().copied();
        unclaimed.filter(|&it| self.functions.entry(it).is_defined()).collect()
    }

    /// Whether a function was loaded, for good.
    pub(crate) fn is_loaded(&self, number: u32) -> bool {
        matches!(self.functions.entry(number).source(), Some((Source::Loaded, _)))
    }

    /// Where the code of such a function stands: it is never led elsewhere.
    pub(crate) fn loaded_code(&self, number: u32) -> Option<usize> {
        let life = self.functions.entry(number);
        let code = life.code().filter(|_| self.is_loaded(number))?;
        Some(code.address())
    }

    /// The function that code of a module calls by a name, if there is one: that of its library,
    /// which leads to another library's if its own has none. One that the module defined itself
    /// once may have another signature by now, and even the same number: that was free in between.
    pub(crate) fn meant_by(
        &self,
        definition: &Definition,
        name: &str,
        signature: &str,
    ) -> Option<u32> {
        let (module, library) = (&definition.module, definition.home.library);
        let id = module.function_named(name);
        let own = id.and_then(|id| definition.number(id));
        let meant = self.own_definition(library, name);
        let is_same = |&number: &u32| {
            self.is_of(number, definition) || self.signature_text(number) == signature
        };
        let local = || id.and_then(|id| definition.local(id));
        let other = || self.own_function_of(self.library_of(library, name), name, signature);
        own.filter(|_| meant == own).filter(is_same).or_else(local).or_else(other)
    }

    /// Whether what has a number is compiled from a module.
    fn is_of(&self, number: u32, definition: &Definition) -> bool {
        let source = self.functions.entry(number).source();
        let found = source.and_then(|(source, _)| source.definition());
        found.is_some_and(|(found, _)| std::ptr::eq(&*found, definition))
    }

    /// The data object that code of a module names, if there is one.
    pub(crate) fn data_meant_by<'a>(
        &'a self,
        definition: &'a Definition,
        name: &str,
    ) -> Option<&'a Arc<DataSymbol>> {
        let own = definition.data.get(name);
        own.or_else(|| self.names.data(definition.home.library, name))
    }

    /// Whether a function has a definition, and is not only named by code that looks elsewhere.
    pub(crate) fn is_settled(&self, number: u32) -> bool {
        let source = self.functions.entry(number).source();
        source.is_some_and(|(source, _)| !matches!(source, Source::Elsewhere))
    }

    /// Has a name mean a function no more. Code may go on to name the function.
    pub(crate) fn forget_function(&mut self, library: LibraryId, name: &str, number: u32) {
        if self.names.take_function(library, name, number) {
            self.names.leave_unclaimed(library, name, number);
        }
    }

    /// References to a function, for a handle.
    pub(crate) fn refer(&mut self, number: u32) -> References {
        let numbers: Box<[u32]> =
            if self.numbers.refer(number) { [number].into() } else { [].into() };
        References::new(numbers, &self.abandoned)
    }

    /// References to functions, of which those without a definition go with the last that names
    /// them.
    pub(crate) fn hold(&mut self, mut numbers: Vec<u32>) -> References {
        numbers.retain(|&number| self.numbers.refer(number));
        for &number in &numbers {
            if !self.is_settled(number) {
                // It stays for now, as was just said.
                let _ = self.numbers.bury(number);
            }
        }
        References::new(numbers.into(), &self.abandoned)
    }

    /// A number for a new function.
    pub(crate) fn give_number(&mut self) -> Result<u32, LoadError> {
        self.numbers.give().ok_or(LoadError::TooManyFunctions)
    }

    /// Takes numbers back that nobody has seen.
    pub(crate) fn take_back(&mut self, numbers: &[u32]) {
        for &number in numbers {
            drop(self.functions.entry(number).take_slot());
            if self.numbers.bury(number) == Fate::Retires {
                self.numbers.reuse(number);
            }
        }
    }
}

/// What an engine keeps until it is dropped.
#[derive(Debug)]
#[expect(dead_code, reason = "owned for their drop alone")]
pub(crate) enum Kept {
    /// Code.
    Code(Arc<Placed>),
    /// A data object.
    Data(Arc<DataSymbol>),
    /// A slot.
    Slot(Arc<Slot>),
    /// A function of the host that code leads to.
    Host(Arc<HostClosure>),
}
