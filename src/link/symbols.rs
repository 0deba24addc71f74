//! The names of an engine and what they stand for.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brolga_ir::types::{Convention, Signature, TypePool};
use brolga_lifecycle::numbers::{Fate, Numbers};
use brolga_lowering::PRELUDE_PREFIX;
use brolga_lowering::runtime::STUB_INTERNAL_ENTRY;
use rustc_hash::FxHashMap;

use super::definition::{Abandoned, References};
use super::functions::Functions;
use super::stub::{UNDEFINED_ENTRY, stub_in};
use crate::error::LoadError;
use crate::memory::{Block, Slot};
use crate::runtime::{HostClosure, Placed};

/// A function of an engine: a name, a stub, and what it leads to.
pub(crate) struct FunctionSymbol {
    /// Its name.
    pub name: Box<str>,
    /// The types of the module that named it first.
    pub types: Arc<TypePool>,
    /// What it takes and gives.
    pub signature: Signature,
    /// The block that holds the stub.
    pub(super) stub: Block,
    pub(super) entry: Slot,
    pub(super) platform: Slot,
    /// Whether `platform` leads to the function. What it leads to else does not tell: the
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
        self.entry.cell().store(resolving as u64, Ordering::Release);
    }

    /// Leads callers to code.
    pub(super) fn lead_to(&self, address: usize) {
        self.entry.cell().store(address as u64, Ordering::Release);
    }

    /// Leads C code to an entry of its convention.
    pub(super) fn set_callback(&self, address: usize) {
        self.platform.cell().store(address as u64, Ordering::Release);
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
    pub name: Box<str>,
    /// Bytes.
    pub size: u64,
    /// Whether it may be written.
    pub content: brolga_ir::module::Content,
    /// Where it stands.
    pub place: DataPlace,
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

/// The names of an engine.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// Every function, by its number.
    pub functions: Arc<Functions>,
    /// Which numbers are in use.
    pub numbers: Numbers,
    /// The functions that all modules see: those that are defined, and those that somebody names,
    /// which have a symbol.
    pub global_functions: FxHashMap<Box<str>, u32>,
    /// What the names of functions meant before they were defined with other signatures.
    pub former_functions: FxHashMap<Box<str>, Vec<u32>>,
    /// What nobody needs any more who had it.
    pub abandoned: Arc<Abandoned>,
    /// The data objects that all modules see.
    pub global_data: FxHashMap<Box<str>, Arc<DataSymbol>>,
    /// Functions of the host.
    pub hosts: FxHashMap<Box<str>, HostDefinition>,
    /// Thunks, by what units call them.
    pub thunks: FxHashMap<brolga_lowering::unit::UnitSymbol, Arc<Placed>>,
    /// The ways in, by the text of the signature.
    pub entries: FxHashMap<Box<str>, Arc<Placed>>,
    /// Slots that hold addresses of foreign functions and data, by name.
    pub foreign: FxHashMap<Box<str>, Arc<Slot>>,
    /// Functions of the prelude, by name.
    pub prelude: FxHashMap<Box<str>, u32>,
    /// What lives as long as the engine: code, data, slots.
    pub kept: Vec<Kept>,
}

impl Symbols {
    /// The function that all modules see by that name, if it leads to code.
    pub(crate) fn defined_function(&self, name: &str) -> Option<u32> {
        let number = self.global_functions.get(name).copied()?;
        self.functions.entry(number).life.is_defined().then_some(number)
    }

    /// The symbol of a function that somebody has named.
    pub(crate) fn symbol(&self, number: u32) -> Option<Arc<FunctionSymbol>> {
        self.functions.entry(number).symbol()
    }

    /// The text of the signature of a function that has a symbol or a definition.
    pub(crate) fn signature_text(&self, number: u32) -> String {
        let entry = self.functions.entry(number);
        if let Some(symbol) = entry.symbol() {
            return symbol.signature_text();
        }
        let definition = entry.life.source().and_then(|(source, _)| source.definition());
        definition.map_or_else(String::new, |(definition, id)| {
            let module = &definition.module;
            signature_text(&module.types, module.signature_of(id))
        })
    }

    /// The function of that name and signature, as others see it: what the name means, or has
    /// meant for those who call it by that signature.
    pub(super) fn function_of(&self, name: &str, signature: &str) -> Option<u32> {
        let former = self.former_functions.get(name).into_iter().flatten();
        let mut all = self.global_functions.get(name).into_iter().chain(former);
        all.find(|&&number| self.signature_text(number) == signature).copied()
    }

    /// Has a name mean that function from now on; what it has meant is that to those who call it
    /// by its signature.
    pub(super) fn name_function(&mut self, name: &str, number: u32) {
        let old = self.global_functions.insert(name.into(), number);
        let former = old.filter(|&old| old != number);
        if former.is_none() && !self.former_functions.contains_key(name) {
            return;
        }
        let others = self.former_functions.entry(name.into()).or_default();
        others.retain(|&other| other != number);
        others.extend(former);
    }

    /// Has a name mean a function no more: whoever names it from now on gets another. So a name
    /// never leads to a number that is given again.
    pub(crate) fn unname(&mut self, name: &str, number: u32) {
        if self.global_functions.get(name) == Some(&number) {
            self.global_functions.remove(name);
        }
        if let Some(others) = self.former_functions.get_mut(name) {
            others.retain(|&other| other != number);
            if others.is_empty() {
                self.former_functions.remove(name);
            }
        }
    }

    /// References to a function, for a handle.
    pub(crate) fn refer(&mut self, number: u32) -> References {
        let numbers: Box<[u32]> =
            if self.numbers.refer(number) { [number].into() } else { [].into() };
        References::new(numbers, &self.abandoned)
    }

    /// A number for a new function.
    pub(crate) fn give_number(&mut self) -> Result<u32, LoadError> {
        self.numbers.give().ok_or(LoadError::TooManyFunctions)
    }

    /// Takes numbers back that nobody has seen.
    pub(crate) fn take_back(&mut self, numbers: &[u32]) {
        for &number in numbers {
            drop(self.functions.entry(number).take_symbol());
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
