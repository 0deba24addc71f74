//! Names of a body that code of another module takes over: each goes on to mean what it means to
//! the body's own module and library, whatever the code's have by that name.

use std::sync::Arc;

use brolga_ir::entity::{DataId, FuncId};
use brolga_ir::module::{Extract, Linkage, Module, Name, Symbol};

use super::bound::{Bound, BoundData, NamedBy};
use super::definition::Definition;
use super::scope::check_data;
use super::symbols::{Symbols, signature_text};

/// A body on its way into code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) symbols: &'a Symbols,
    /// The code's module.
    pub(crate) here: &'a Arc<Definition>,
    /// The body's own.
    pub(crate) there: &'a Arc<Definition>,
    /// What the code has by now, and what names there mean.
    pub(crate) code: &'a Module,
    pub(crate) known: &'a Bound,
}

impl Binding<'_> {
    /// Says what names of the body mean, and gives those new names that mean something else in the
    /// code. Nothing if that cannot be: a name of the process is the same everywhere, and a data
    /// object must be as its own module declares it.
    pub(crate) fn bind(self, body: &mut Extract) -> Option<Bound> {
        let mut bound = Bound::default();
        let own = Symbol::Function(body.function);
        for symbol in body.module.declarations().to_vec() {
            match symbol {
                _ if symbol == own => {}
                Symbol::Function(id) => self.bind_function(id, body, &mut bound)?,
                Symbol::Data(id) => self.bind_data(id, body, &mut bound)?,
            }
        }
        Some(bound)
    }

    /// Whether all data of a body of the code's own module are there, as that declares them: what
    /// stops the body's function when it is called must not stop the caller.
    pub(crate) fn has_data(self, body: &Extract) -> bool {
        body.module.data_objects().all(|(id, object)| {
            let known = || self.symbols.data_meant_by(self.there, &object.name);
            let is_there = || known().is_some_and(|it| check_data(it, &body.module, id).is_ok());
            object.linkage.is_foreign() || is_there()
        })
    }

    fn bind_function(self, id: FuncId, body: &mut Extract, bound: &mut Bound) -> Option<()> {
        let function = body.module.function(id)?;
        let name = function.name.clone();
        if function.linkage.is_foreign() {
            return self.is_foreign_here(&name).then_some(());
        }
        let named = self.named(&name);
        let known = self.known.functions.iter().chain(&bound.functions);
        let known = known.into_iter().find(|(_, known)| known.is(&named));
        let new = match known.map(|(key, _)| key.clone()) {
            Some(key) => key,
            None if self.is_same_function(&named, bound) => name.clone(),
            None => self.fresh_name(&name, &body.module),
        };
        if new != name {
            body.module.rename(Symbol::Function(id), &new).ok()?;
        }
        bound.functions.insert(new, named);
        Some(())
    }

    fn bind_data(self, id: DataId, body: &mut Extract, bound: &mut Bound) -> Option<()> {
        let name = body.module.data(id)?.name.clone();
        if body.module.data(id)?.linkage.is_foreign() {
            return self.is_foreign_here(&name).then_some(());
        }
        let object = self.symbols.data_meant_by(self.there, &name)?;
        check_data(object, &body.module, id).ok()?;
        let mut named = vec![self.named(&name)];
        let known = self.known.data.iter().chain(&bound.data);
        let known = known.into_iter().find(|(_, known)| Arc::ptr_eq(&known.object, object));
        let new = match known.map(|(key, known)| (key.clone(), &known.named)) {
            Some((key, others)) => {
                named.extend(others.iter().cloned());
                key
            }
            None if !self.is_used(&name) => name.clone(),
            None => match self.symbols.data_meant_by(self.here, &name) {
                Some(ours) if Arc::ptr_eq(ours, object) && self.is_own_data(&name) => {
                    named.push(NamedBy { definition: Arc::clone(self.here), name: name.clone() });
                    name.clone()
                }
                _ => self.fresh_name(&name, &body.module),
            },
        };
        if new != name {
            body.module.rename(Symbol::Data(id), &new).ok()?;
        }
        bound.data.insert(new, BoundData { object: Arc::clone(object), named });
        Some(())
    }

    fn named(self, name: &Name) -> NamedBy {
        NamedBy { definition: Arc::clone(self.there), name: name.clone() }
    }

    /// Whether the code, and what it may take over of its own module, has something by that name.
    fn is_used(self, name: &str) -> bool {
        self.code.symbol(name).is_some() || self.here.module.symbol(name).is_some()
    }

    /// Whether a name of the process is one here, too, if it is any.
    fn is_foreign_here(self, name: &str) -> bool {
        [self.code, &self.here.module]
            .into_iter()
            .all(|module| linkage_in(module, name).is_none_or(Linkage::is_foreign))
    }

    /// Whether what the code's own module has by a name is data, and what the code has by it is
    /// that.
    fn is_own_data(self, name: &str) -> bool {
        let is_data = |module: &Module| match module.symbol(name) {
            Some(Symbol::Data(id)) => module.data(id).is_some_and(|it| !it.linkage.is_foreign()),
            Some(Symbol::Function(_)) | None => false,
        };
        let is_code = self.code.symbol(name).is_none() || is_data(self.code);
        is_data(&self.here.module) && is_code && !self.known.data.contains_key(name)
    }

    /// Whether a function means the same, now and later, to the code by the same name: in one
    /// library functions of one name and signature do, but for those that one module alone sees.
    fn is_same_function(self, named: &NamedBy, bound: &Bound) -> bool {
        let name = &named.name;
        let known = self.known.functions.get(name).or_else(|| bound.functions.get(name));
        let own = || self.here.module.symbol(name).is_some();
        let other = match known {
            Some(known) => known.clone(),
            None if own() => NamedBy { definition: Arc::clone(self.here), name: name.clone() },
            None => return self.code.symbol(name).is_none(),
        };
        other.name == *name
            && other.definition.home.library == named.definition.home.library
            && other.shared_signature().is_some_and(|it| Some(it) == named.shared_signature())
    }

    /// A name that nobody has whose names are in the code.
    fn fresh_name(self, name: &str, body: &Module) -> Name {
        let modules = [&self.here.module, self.code, body];
        let is_free = |new: &String| modules.iter().all(|module| module.symbol(new).is_none());
        let names = (1u64..).map(|number| format!("{name}.{number}"));
        names.into_iter().find(is_free).unwrap_or_default().into()
    }
}

impl NamedBy {
    /// Whether both are the same name of the same module.
    fn is(&self, other: &NamedBy) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.definition, &other.definition)
    }

    /// The text of the signature of a function that others than its module see.
    fn shared_signature(&self) -> Option<String> {
        let module = &self.definition.module;
        let id = module.function_named(&self.name)?;
        let linkage = module.function(id)?.linkage;
        let is_shared = linkage != Linkage::Local && !linkage.is_foreign();
        is_shared.then(|| signature_text(&module.types, module.signature_of(id)))
    }

    /// Whether it is the name of a function that its module alone sees.
    pub(super) fn is_local(&self) -> bool {
        linkage_in(&self.definition.module, &self.name) == Some(Linkage::Local)
    }
}

/// The linkage of what a module has by a name.
pub(super) fn linkage_in(module: &Module, name: &str) -> Option<Linkage> {
    match module.symbol(name)? {
        Symbol::Function(id) => module.function(id).map(|function| function.linkage),
        Symbol::Data(id) => module.data(id).map(|object| object.linkage),
    }
}
