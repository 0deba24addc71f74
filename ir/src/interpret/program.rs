//! Modules linked to each other, to the host and to the models of C functions.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::host::{HostFunction, HostFunctions};
use super::libc::{self, Model};
use super::memory::{Memory, MemoryError, NewObject, ObjectKind};
use crate::body::Initial;
use crate::entity::{EntityRef, FuncId, SigId};
use crate::module::{Content, DataObject, Function, Linkage, Module, Relocation, Symbol};
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
    /// The data objects do not fit.
    #[error("no room for the data object `@{name}`: {error}")]
    NoRoom {
        /// The symbol.
        name: Box<str>,
        /// Why.
        error: MemoryError,
    },
}

/// Bytes by which functions differ in their address.
const FUNCTION_LAYOUT: Layout = Layout { size: 16, align: 16 };

/// What a call of a function does.
#[derive(Clone, Debug)]
pub(super) enum Definition {
    /// Runs the body.
    Body,
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
    pub(super) name: Box<str>,
    pub(super) layout: Layout,
    pub(super) content: Content,
    pub(super) address: u64,
    origin: Origin,
}

/// Who says what a data object holds at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Module,
    Embedder,
    Model,
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
        let mut linker =
            Linker { parts, modules: Vec::new(), functions: Vec::new(), data: Vec::new() };
        let shared_functions = linker.declare_functions()?;
        let shared_data = linker.declare_data()?;
        linker.resolve_functions(&shared_functions)?;
        linker.resolve_data(&shared_data)?;
        linker.place(memory)?;
        let mut program = Program {
            modules: linker.modules,
            functions: linker.functions,
            data: linker.data,
            by_address: Vec::new(),
            exports: shared_functions,
        };
        let addresses = program.functions.iter().map(|function| function.address);
        program.by_address = addresses.enumerate().map(|(index, at)| (at, index)).collect();
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
        for linked in &self.modules {
            for (id, object) in
                linked.module.data_objects().filter(|(_, object)| is_defined(object))
            {
                let address = self.data[linked.data[id.index()]].address;
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
                |data: &&LinkedData| data.origin == Origin::Embedder && data.name == *name;
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

fn signature_text(types: &TypePool, signature: &Signature) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = types.write_signature(&mut text, signature);
    text
}

fn is_defined(object: &DataObject) -> bool {
    !matches!(object.linkage, Linkage::Import | Linkage::Foreign)
}

/// Names that more than one module can see, and what they stand for.
type Shared<'m> = FxHashMap<&'m str, usize>;

struct Linker<'a, 'm> {
    parts: &'a Parts<'a, 'm>,
    modules: Vec<LinkedModule<'m>>,
    functions: Vec<LinkedFunction<'m>>,
    data: Vec<LinkedData>,
}

const UNRESOLVED: usize = usize::MAX;

impl<'m> Linker<'_, 'm> {
    /// Gives every defined function its number; the rest follow.
    fn declare_functions(&mut self) -> Result<Shared<'m>, LinkError> {
        let mut shared = Shared::default();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            let mut functions = Vec::with_capacity(module.functions().len());
            for (id, function) in module.functions() {
                if function.body.is_none() {
                    functions.push(UNRESOLVED);
                    continue;
                }
                let number = self.functions.len();
                functions.push(number);
                self.functions.push(LinkedFunction {
                    name: &function.name,
                    module: index,
                    id,
                    function,
                    definition: Definition::Body,
                    address: 0,
                });
                if function.linkage == Linkage::Export {
                    self.claim(&mut shared, &function.name, number, index)?;
                }
            }
            self.modules.push(LinkedModule { module, functions, data: Vec::new() });
        }
        Ok(shared)
    }

    fn claim(
        &self,
        shared: &mut Shared<'m>,
        name: &'m str,
        number: usize,
        second: usize,
    ) -> Result<(), LinkError> {
        match shared.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(number);
                Ok(())
            }
            Entry::Occupied(entry) => {
                let first = self.functions.get(*entry.get()).map_or(0, |f| f.module);
                Err(LinkError::Duplicate { name: name.into(), first, second })
            }
        }
    }

    /// Leads what is only declared to what another module or the host defines.
    fn resolve_functions(&mut self, shared: &Shared<'m>) -> Result<(), LinkError> {
        let mut outside = Shared::default();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            for (id, function) in module.functions() {
                if self.modules[index].functions[id.index()] != UNRESOLVED {
                    continue;
                }
                let from_module = match function.linkage {
                    Linkage::Foreign => None,
                    _ => shared.get(&*function.name).copied(),
                };
                let found = from_module.or_else(|| outside.get(&*function.name).copied());
                let number = match found {
                    Some(number) => number,
                    None => self.declare_outside(index, id, function)?,
                };
                outside.entry(&function.name).or_insert(number);
                self.check_signature(number, index, function)?;
                self.modules[index].functions[id.index()] = number;
            }
        }
        Ok(())
    }

    fn declare_outside(
        &mut self,
        module: usize,
        id: FuncId,
        function: &'m Function,
    ) -> Result<usize, LinkError> {
        let name = &*function.name;
        let definition = if let Some(host) = self.parts.host.get(name) {
            let types = &self.parts.modules[module].types;
            let signature = types.sig(function.sig);
            if !host.agrees(signature) {
                let expected = signature_text(types, signature);
                let found = signature_text(types, &host.signature());
                return Err(LinkError::Mismatch { name: name.into(), expected, found });
            }
            Definition::Host(host.clone())
        } else if function.linkage == Linkage::Foreign {
            libc::model(name).map_or(Definition::Missing, Definition::Model)
        } else {
            Definition::Missing
        };
        self.functions.push(LinkedFunction { name, module, id, function, definition, address: 0 });
        Ok(self.functions.len() - 1)
    }

    fn check_signature(
        &self,
        number: usize,
        module: usize,
        function: &'m Function,
    ) -> Result<(), LinkError> {
        let definition = &self.functions[number];
        // What C declares differently in two places is one function all the same.
        if definition.module == module || function.linkage == Linkage::Foreign {
            return Ok(());
        }
        let (own, other) =
            (&self.parts.modules[definition.module].types, &self.parts.modules[module].types);
        let (found, expected) = (own.sig(definition.function.sig), other.sig(function.sig));
        if same_types(own, found, other, expected) {
            return Ok(());
        }
        Err(LinkError::Mismatch {
            name: function.name.clone(),
            expected: signature_text(other, expected),
            found: signature_text(own, found),
        })
    }

    fn declare_data(&mut self) -> Result<Shared<'m>, LinkError> {
        let mut shared = Shared::default();
        let mut owners: Vec<usize> = Vec::new();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            for (_, object) in module.data_objects() {
                let number = if is_defined(object) { self.data.len() } else { UNRESOLVED };
                self.modules[index].data.push(number);
                if number == UNRESOLVED {
                    continue;
                }
                self.push_data(object, object.size, Origin::Module);
                owners.push(index);
                if object.linkage == Linkage::Export
                    && let Some(first) = shared.insert(&*object.name, number)
                {
                    let (name, first) = (object.name.clone(), owners[first]);
                    return Err(LinkError::Duplicate { name, first, second: index });
                }
            }
        }
        Ok(shared)
    }

    fn push_data(&mut self, object: &DataObject, size: u64, origin: Origin) -> usize {
        let (name, content) = (object.name.clone(), object.content);
        let layout = Layout { size, ..object.layout() };
        self.data.push(LinkedData { name, layout, content, address: 0, origin });
        self.data.len() - 1
    }

    fn resolve_data(&mut self, shared: &Shared<'m>) -> Result<(), LinkError> {
        let mut outside = Shared::default();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            for (id, object) in module.data_objects() {
                if self.modules[index].data[id.index()] != UNRESOLVED {
                    continue;
                }
                let from_module = match object.linkage {
                    Linkage::Foreign => None,
                    _ => shared.get(&*object.name).copied(),
                };
                let found = from_module.or_else(|| outside.get(&*object.name).copied());
                let number = match found {
                    Some(number) => number,
                    None => self.declare_data_outside(object)?,
                };
                outside.entry(&object.name).or_insert(number);
                let size = self.data[number].layout.size;
                if size < object.size {
                    let bytes = |size: u64| format!("{size} bytes");
                    let (expected, found) = (bytes(object.size), bytes(size));
                    return Err(LinkError::Mismatch { name: object.name.clone(), expected, found });
                }
                self.modules[index].data[id.index()] = number;
            }
        }
        Ok(())
    }

    fn declare_data_outside(&mut self, object: &DataObject) -> Result<usize, LinkError> {
        let given = self.parts.data.iter().find(|(name, _)| *name == object.name);
        let is_model = object.linkage == Linkage::Foreign && libc::is_data(&object.name);
        match given {
            Some((_, bytes)) => Ok(self.push_data(object, bytes.len() as u64, Origin::Embedder)),
            None if is_model => Ok(self.push_data(object, object.size, Origin::Model)),
            None => Err(LinkError::MissingData { name: object.name.clone() }),
        }
    }

    /// Gives functions and data objects their addresses, in this order.
    fn place(&mut self, memory: &mut dyn Memory) -> Result<(), LinkError> {
        for (number, function) in self.functions.iter_mut().enumerate() {
            let object = NewObject {
                kind: ObjectKind::Function,
                name: function.name,
                layout: FUNCTION_LAYOUT,
                content: Content::Constant,
                initial: Initial::Zeroed,
                tag: number as u64,
            };
            let no_room = |error| LinkError::NoRoom { name: function.name.into(), error };
            function.address = memory.allocate(&object).map_err(no_room)?;
        }
        for (number, data) in self.data.iter_mut().enumerate() {
            let object = NewObject {
                kind: ObjectKind::Data,
                name: &data.name,
                layout: data.layout,
                content: data.content,
                initial: Initial::Zeroed,
                tag: number as u64,
            };
            let no_room = |error| LinkError::NoRoom { name: data.name.clone(), error };
            data.address = memory.allocate(&object).map_err(no_room)?;
        }
        Ok(())
    }
}
