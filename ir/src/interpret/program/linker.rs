//! Leads every name to what it stands for.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::{
    Definition, LinkError, LinkedData, LinkedFunction, LinkedModule, Origin, Parts, Program,
    is_defined, same_types, signature_text,
};
use crate::body::Initial;
use crate::entity::{EntityRef, FuncId};
use crate::interpret::libc;
use crate::interpret::memory::{Memory, NewObject, ObjectKind};
use crate::module::{Content, DataObject, Function, Linkage, Storage};
use crate::types::{Arity, Layout};

/// Bytes by which functions differ in their address.
const FUNCTION_LAYOUT: Layout = Layout { size: 16, align: 16 };

/// Names that more than one module can see, and what they stand for.
type Shared<'m> = FxHashMap<&'m str, usize>;

/// What a name that is only declared leads to: what another module defines
/// and shares, or what an earlier declaration has led to outside.
fn known(name: &str, linkage: Linkage, shared: &Shared<'_>, outside: &Shared<'_>) -> Option<usize> {
    let from_module = if linkage.is_foreign() { None } else { shared.get(name) };
    from_module.or_else(|| outside.get(name)).copied()
}

pub(super) struct Linker<'a, 'm> {
    parts: &'a Parts<'a, 'm>,
    modules: Vec<LinkedModule<'m>>,
    functions: Vec<LinkedFunction<'m>>,
    data: Vec<LinkedData>,
    /// The modules that define the names that all can see.
    owners: FxHashMap<&'m str, usize>,
}

const UNRESOLVED: usize = usize::MAX;

impl<'a, 'm> Linker<'a, 'm> {
    pub(super) fn new(parts: &'a Parts<'a, 'm>) -> Linker<'a, 'm> {
        let (modules, functions, data) = (Vec::new(), Vec::new(), Vec::new());
        Linker { parts, modules, functions, data, owners: FxHashMap::default() }
    }

    /// Functions and data objects with their addresses, and nothing in them yet.
    pub(super) fn link(mut self, memory: &mut dyn Memory) -> Result<Program<'m>, LinkError> {
        let exports = self.declare_functions()?;
        let shared = self.declare_data()?;
        self.resolve_functions(&exports)?;
        self.resolve_data(&shared)?;
        self.place(memory)?;
        let Linker { modules, functions, data, .. } = self;
        Ok(Program { modules, functions, data, by_address: Vec::new(), exports })
    }

    /// Gives every defined function its number; the rest follow. Weak ones come
    /// behind all others, and only where nobody else has the name.
    fn declare_functions(&mut self) -> Result<Shared<'m>, LinkError> {
        let mut shared = Shared::default();
        for &module in self.parts.modules {
            let functions = vec![UNRESOLVED; module.functions().len()];
            self.modules.push(LinkedModule { module, functions, data: Vec::new() });
        }
        for is_weak in [false, true] {
            for (index, &module) in self.parts.modules.iter().enumerate() {
                for (id, function) in module.functions() {
                    let weak = function.linkage == Linkage::Weak;
                    if function.body.is_none() || weak != is_weak {
                        continue;
                    }
                    if weak && let Some(&number) = shared.get(&*function.name) {
                        self.check_signature(number, index, function)?;
                        self.modules[index].functions[id.index()] = number;
                        continue;
                    }
                    let number = self.define_function(index, id, function);
                    if function.linkage.is_shared() {
                        self.claim(&function.name, index)?;
                        shared.insert(&*function.name, number);
                    }
                }
            }
        }
        Ok(shared)
    }

    fn define_function(&mut self, module: usize, id: FuncId, function: &'m Function) -> usize {
        let number = self.functions.len();
        let definition = match self.parts.modules[module].types.sig(function.sig).arity {
            Arity::Fixed => Definition::Body,
            Arity::Variadic => Definition::VariadicBody,
        };
        let name = &*function.name;
        self.functions.push(LinkedFunction { name, module, id, function, definition, address: 0 });
        self.modules[module].functions[id.index()] = number;
        number
    }

    /// Gives a name that every module can see to one of them.
    fn claim(&mut self, name: &'m str, second: usize) -> Result<(), LinkError> {
        match self.owners.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(second);
                Ok(())
            }
            Entry::Occupied(entry) => {
                Err(LinkError::Duplicate { name: name.into(), first: *entry.get(), second })
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
                let number = match known(&function.name, function.linkage, shared, &outside) {
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
        } else if function.linkage.is_foreign() {
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
        if definition.module == module || function.linkage.is_foreign() {
            return Ok(());
        }
        let (own, other) =
            (&self.parts.modules[definition.module].types, &self.parts.modules[module].types);
        let (found, expected) = (own.sig(definition.function.sig), other.sig(function.sig));
        if same_types(own, found, other, expected) {
            return Ok(());
        }
        Err(LinkError::Mismatch {
            name: (*function.name).into(),
            expected: signature_text(other, expected),
            found: signature_text(own, found),
        })
    }

    fn declare_data(&mut self) -> Result<Shared<'m>, LinkError> {
        let mut shared = Shared::default();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            self.modules[index].data = vec![UNRESOLVED; module.data_objects().len()];
        }
        for is_weak in [false, true] {
            for (index, &module) in self.parts.modules.iter().enumerate() {
                for (id, object) in module.data_objects() {
                    let weak = object.linkage == Linkage::Weak;
                    if !is_defined(object) || weak != is_weak {
                        continue;
                    }
                    if weak && let Some(&number) = shared.get(&*object.name) {
                        self.check_promises(number, object)?;
                        self.modules[index].data[id.index()] = number;
                        continue;
                    }
                    let origin = Origin::Module(index, id);
                    let number = self.push_data(object, object.size, origin);
                    self.modules[index].data[id.index()] = number;
                    if object.linkage.is_shared() {
                        self.claim(&object.name, index)?;
                        shared.insert(&*object.name, number);
                    }
                }
            }
        }
        Ok(shared)
    }

    /// Whether a data object has the bytes that a declaration says, is as aligned, and stays
    /// what it is if that says so.
    fn check_promises(&self, number: usize, declared: &DataObject) -> Result<(), LinkError> {
        let LinkedData { layout, content, storage, .. } = &self.data[number];
        let asked = declared.layout();
        let bytes = |size: u64| format!("{size} bytes");
        let copies = |storage| match storage {
            Storage::Shared => "shared by threads".to_owned(),
            Storage::ThreadLocal => "thread_local".to_owned(),
        };
        let (expected, found) = match () {
            () if *storage != declared.storage => (copies(declared.storage), copies(*storage)),
            () if layout.size < declared.size => (bytes(declared.size), bytes(layout.size)),
            () if layout.align < asked.align => {
                (format!("align {}", asked.align), format!("align {}", layout.align))
            }
            () if declared.content == Content::Constant && *content != Content::Constant => {
                ("const".to_owned(), "what may change".to_owned())
            }
            () => return Ok(()),
        };
        Err(LinkError::Mismatch { name: (*declared.name).into(), expected, found })
    }

    fn push_data(&mut self, object: &DataObject, size: u64, origin: Origin) -> usize {
        let (name, content) = (object.name.clone(), object.content);
        let layout = Layout { size, ..object.layout() };
        // What is not of a module, all threads share.
        let storage = match origin {
            Origin::Module(..) | Origin::Nobody => object.storage,
            Origin::Embedder | Origin::Model => Storage::Shared,
        };
        self.data.push(LinkedData { name, layout, content, storage, address: 0, origin });
        self.data.len() - 1
    }

    fn resolve_data(&mut self, shared: &Shared<'m>) -> Result<(), LinkError> {
        let mut outside = Shared::default();
        for (index, &module) in self.parts.modules.iter().enumerate() {
            for (id, object) in module.data_objects() {
                if self.modules[index].data[id.index()] != UNRESOLVED {
                    continue;
                }
                let number = match known(&object.name, object.linkage, shared, &outside) {
                    Some(number) => number,
                    None => self.declare_data_outside(object)?,
                };
                outside.entry(&object.name).or_insert(number);
                self.check_promises(number, object)?;
                self.modules[index].data[id.index()] = number;
            }
        }
        Ok(())
    }

    fn declare_data_outside(&mut self, object: &DataObject) -> Result<usize, LinkError> {
        let given = self.parts.data.iter().find(|(name, _)| **name == *object.name);
        let is_model = object.linkage.is_foreign() && libc::is_data(&object.name);
        match given {
            Some((_, bytes)) => Ok(self.push_data(object, bytes.len() as u64, Origin::Embedder)),
            None if is_model => Ok(self.push_data(object, object.size.max(8), Origin::Model)),
            None if object.linkage == Linkage::ForeignWeak => {
                Ok(self.push_data(object, 0, Origin::Nobody))
            }
            None => Err(LinkError::MissingData { name: (*object.name).into() }),
        }
    }

    /// Gives functions and data objects their addresses, in this order.
    fn place(&mut self, memory: &mut dyn Memory) -> Result<(), LinkError> {
        for (number, function) in self.functions.iter_mut().enumerate() {
            if function.is_absent() {
                continue;
            }
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
            if data.origin == Origin::Nobody {
                continue;
            }
            let object = NewObject {
                kind: ObjectKind::Data,
                name: &data.name,
                layout: data.layout,
                content: data.content,
                initial: Initial::Zeroed,
                tag: number as u64,
            };
            let no_room = |error| LinkError::NoRoom { name: (*data.name).into(), error };
            data.address = memory.allocate(&object).map_err(no_room)?;
        }
        Ok(())
    }
}
