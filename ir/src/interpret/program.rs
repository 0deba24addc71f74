//! Modules linked to each other, to the host and to the models of C functions.

mod linker;

use rustc_hash::FxHashMap;
use thiserror::Error;

use self::linker::Linker;

use super::host::{HostFunction, HostFunctions};
use super::libc::Model;
use super::memory::{Memory, MemoryError};
use crate::datum::Datum;
use crate::entity::{DataId, EntityRef, FuncId, SigId};
use crate::module::{
    Content, DataObject, Function, Linkage, Module, Name, Relocation, Storage, Symbol,
};
use crate::types::{Layout, Signature, TypePool};

/// Why modules do not fit together.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinkError {
    /// Two modules define a symbol.
    #[error(
        "`@{name}` is defined by module {first} and by module {second}; make one of them local"
    )]
    Duplicate {
        /// The symbol.
        name: Box<str>,
        /// The index of the one module.
        first: usize,
        /// The index of the other module.
        second: usize,
    },
    /// An import and what defines it do not agree.
    #[error("`@{name}` is imported as `{expected}`, but defined as `{found}`")]
    Mismatch {
        /// The symbol.
        name: Box<str>,
        /// What the import says.
        expected: String,
        /// What the definition says.
        found: String,
    },
    /// Nobody defines an imported data object.
    #[error("nobody defines the data object `@{name}`; link a module that does, or give its bytes")]
    MissingData {
        /// The symbol.
        name: Box<str>,
    },
    /// A data object or function has no place in memory.
    #[error("no room for `@{name}`: {error}")]
    NoRoom {
        /// The symbol.
        name: Box<str>,
        /// Why.
        error: MemoryError,
    },
}

/// What a call of a function does.
#[derive(Clone, Debug)]
pub(super) enum Definition {
    /// Runs the body.
    Body,
    /// Runs the body of a function of variable arguments.
    VariadicBody,
    Host(HostFunction),
    Model(Model),
    Missing,
}

#[derive(Clone, Debug)]
pub(super) struct LinkedFunction<'m> {
    pub(super) name: &'m str,
    /// Where it is declared, or defined: its module, and its number there.
    pub(super) module: usize,
    pub(super) id: FuncId,
    pub(super) function: &'m Function,
    pub(super) definition: Definition,
    pub(super) address: u64,
}

#[derive(Clone, Debug)]
pub(super) struct LinkedData {
    pub(super) name: Name,
    pub(super) layout: Layout,
    pub(super) content: Content,
    pub(super) storage: Storage,
    pub(super) address: u64,
    origin: Origin,
}

/// Who says what a data object holds at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// That module, which calls it so.
    Module(usize, DataId),
    Embedder,
    Model,
    /// It need not be there, and is not: its address is null.
    Nobody,
}

impl LinkedFunction<'_> {
    /// Whether it need not be there, and is not: its address is null.
    pub(super) fn is_absent(&self) -> bool {
        self.function.linkage == Linkage::ForeignWeak
            && matches!(self.definition, Definition::Missing)
    }
}

#[derive(Debug)]
pub(super) struct LinkedModule<'m> {
    pub(super) module: &'m Module,
    /// By the number in the module.
    pub(super) functions: Vec<usize>,
    pub(super) data: Vec<usize>,
}

/// Modules whose every name leads somewhere.
#[derive(Debug)]
pub(super) struct Program<'m> {
    pub(super) modules: Vec<LinkedModule<'m>>,
    pub(super) functions: Vec<LinkedFunction<'m>>,
    pub(super) data: Vec<LinkedData>,
    /// Functions by address, ascending.
    by_address: Vec<(u64, usize)>,
    exports: FxHashMap<&'m str, usize>,
}

/// What a program is made from.
pub(super) struct Parts<'a, 'm> {
    pub(super) modules: &'a [&'m Module],
    pub(super) host: &'a HostFunctions,
    pub(super) data: &'a [(Box<str>, Vec<u8>)],
}

impl<'m> Program<'m> {
    pub(super) fn link(
        parts: &Parts<'_, 'm>,
        memory: &mut dyn Memory,
    ) -> Result<Program<'m>, LinkError> {
        let mut program = Linker::new(parts).link(memory)?;
        let addresses = program.functions.iter().map(|function| function.address);
        let addresses = addresses.enumerate().map(|(index, at)| (at, index));
        program.by_address = addresses.filter(|&(at, _)| at != 0).collect();
        program.by_address.sort_unstable();
        program.fill(parts, memory)?;
        Ok(program)
    }

    /// The function that a caller from outside means by `name`.
    pub(super) fn function_named(&self, name: &str) -> Option<usize> {
        self.exports.get(name).copied().or_else(|| {
            self.functions.iter().position(|f| f.name == name && f.function.body.is_some())
        })
    }

    pub(super) fn function_at(&self, address: u64) -> Option<usize> {
        let found = self.by_address.binary_search_by_key(&address, |&(at, _)| at).ok()?;
        Some(self.by_address[found].1)
    }

    pub(super) fn types(&self, module: usize) -> &'m TypePool {
        &self.modules[module].module.types
    }

    pub(super) fn signature(&self, function: usize) -> &'m Signature {
        let function = &self.functions[function];
        self.types(function.module).sig(function.function.sig)
    }

    /// What speaks against calling a function with these arguments.
    pub(super) fn misfit(&self, function: usize, args: &[Datum]) -> Option<String> {
        let (types, signature) =
            (self.types(self.functions[function].module), self.signature(function));
        let wanted = signature.params.len();
        if args.len() != wanted {
            return Some(format!("it takes {wanted}, not {}", args.len()));
        }
        let mut pairs = signature.param_types().zip(args);
        let (ty, arg) = pairs.find(|(ty, arg)| !arg.fits(types, *ty))?;
        Some(format!("{arg:?} is no {}", types.display(ty)))
    }

    /// Whether a function can be called as one of that signature of that module.
    pub(super) fn agrees(&self, function: usize, module: usize, sig: SigId) -> bool {
        let linked = &self.functions[function];
        if linked.module == module && linked.function.sig == sig {
            return true;
        }
        let (own, other) = (self.types(linked.module), self.types(module));
        same_types(own, own.sig(linked.function.sig), other, other.sig(sig))
    }

    /// Puts the first bytes of every data object in its place.
    fn fill(&self, parts: &Parts<'_, 'm>, memory: &mut dyn Memory) -> Result<(), LinkError> {
        let no_room = |name: &str, error| LinkError::NoRoom { name: name.into(), error };
        for (index, linked) in self.modules.iter().enumerate() {
            for (id, object) in linked.module.data_objects() {
                let data = &self.data[linked.data[id.index()]];
                if data.origin != Origin::Module(index, id) {
                    continue;
                }
                let address = data.address;
                let mut image = object.image();
                for relocation in &image.relocations {
                    let value = self.symbol_address(linked, relocation);
                    let at = relocation.offset as usize;
                    if let Some(place) = image.bytes.get_mut(at..at + 8) {
                        place.copy_from_slice(&value.to_le_bytes());
                    }
                }
                memory
                    .initialise(address, &image.bytes)
                    .map_err(|error| no_room(&object.name, error))?;
            }
        }
        for data in self.data.iter().filter(|data| data.origin == Origin::Model) {
            let own = data.address.to_le_bytes();
            let given = data.layout.size.min(8) as usize;
            memory
                .initialise(data.address, &own[..given])
                .map_err(|error| no_room(&data.name, error))?;
        }
        for (name, bytes) in parts.data {
            let is_given =
                |data: &&LinkedData| data.origin == Origin::Embedder && *data.name == **name;
            if let Some(data) = self.data.iter().find(is_given) {
                memory.initialise(data.address, bytes).map_err(|error| no_room(name, error))?;
            }
        }
        Ok(())
    }

    fn symbol_address(&self, linked: &LinkedModule<'m>, relocation: &Relocation) -> u64 {
        let address = match relocation.symbol {
            Symbol::Function(id) => {
                linked.functions.get(id.index()).map(|&index| self.functions[index].address)
            }
            Symbol::Data(id) => linked.data.get(id.index()).map(|&index| self.data[index].address),
        };
        address.unwrap_or(0).wrapping_add_signed(relocation.addend)
    }
}

/// Whether two signatures take and give the same, by whatever convention.
fn same_types(own: &TypePool, a: &Signature, other: &TypePool, b: &Signature) -> bool {
    let texts = |types: &TypePool, signature: &Signature| {
        let params = signature.param_types().map(|ty| types.display(ty).to_string());
        let results = signature.result_types().map(|ty| types.display(ty).to_string());
        (params.collect::<Vec<_>>(), results.collect::<Vec<_>>())
    };
    texts(own, a) == texts(other, b)
}

pub(super) fn signature_text(types: &TypePool, signature: &Signature) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = types.write_signature(&mut text, signature);
    text
}

fn is_defined(object: &DataObject) -> bool {
    object.linkage.is_defined_here()
}
