//! Keys under which what a unit brings into a library is removed together.

use std::error::Error;
use std::sync::Arc;

use brolga_ir::module::Module;
use brolga_ir::types::{Signature, TypePool};
use brolga_ir::verify::Verified;
use brolga_lifecycle::names::{TrackerId, Visibility};

use super::define;
use super::library::Library;
use super::namespace;
use super::shared::Shared;
use crate::error::{LoadError, NamespaceError};
use crate::link::{Home, Trust};

/// A key under which functions, data and aliases come into a library, to be removed together.
/// Clones are the same key.
#[derive(Clone, Debug)]
pub struct Tracker {
    shared: Arc<Shared>,
    home: Home,
}

impl Tracker {
    /// A key that is there.
    pub(super) fn new(shared: &Arc<Shared>, home: Home) -> Tracker {
        Tracker { shared: Arc::clone(shared), home }
    }

    fn home(&self, visibility: Visibility) -> Home {
        Home { visibility, ..self.home }
    }

    /// Defines the functions of a module in the safe dialect under this key, from its text, as
    /// [`Library::define`] does.
    ///
    /// # Errors
    /// As there, and if the tracker is gone.
    pub fn define(&self, text: &str) -> Result<(), LoadError> {
        self.define_module(brolga_ir::text::parse_module(text).map_err(LoadError::Text)?)
    }

    /// Defines the functions of a module in the safe dialect under this key.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_module(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.home, Trust::SAFE)
    }

    /// The same of a module that somebody has verified already.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_verified(&self, module: Verified) -> Result<(), LoadError> {
        define::define(&self.shared, module.into_module(), self.home, Trust::SAFE.verified())
    }

    /// The same of functions and data that only the library itself sees, as
    /// [`Library::define_hidden`] does.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_hidden(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.home(Visibility::Hidden), Trust::SAFE)
    }

    /// Defines the functions of a module under this key that may use addresses, foreign functions
    /// and promises.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`Engine::define_unsafe`](super::Engine::define_unsafe).
    pub unsafe fn define_module_unsafe(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.home, Trust::RAW)
    }

    /// The same of a module that somebody has verified already.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`Engine::define_unsafe`](super::Engine::define_unsafe).
    pub unsafe fn define_verified_unsafe(&self, module: Verified) -> Result<(), LoadError> {
        define::define(&self.shared, module.into_module(), self.home, Trust::RAW.verified())
    }

    /// Defines a function under this key whose module is made when the function is first asked for,
    /// as [`Library::define_later`] does. What is made comes in under this key, too.
    ///
    /// # Errors
    /// As there, and if the tracker is gone.
    pub fn define_later<F>(
        &self,
        name: &str,
        types: &TypePool,
        signature: &Signature,
        make: F,
    ) -> Result<(), LoadError>
    where
        F: Fn() -> Result<Module, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    {
        define::define_later(&self.shared, self.home, name, (types, signature), Box::new(make))
    }

    /// Makes a name of the library stand for another under this key, as [`Library::alias`] does.
    ///
    /// # Errors
    /// As there, and if the tracker is gone.
    pub fn alias(
        &self,
        name: &str,
        target: (&Library, &str),
        visibility: Visibility,
    ) -> Result<(), NamespaceError> {
        self.require_same_engine(&target.0.shared)?;
        namespace::alias(&self.shared, self.home(visibility), name, (target.0.id, target.1))
    }

    /// Removes what came in under this key, and is still what its names mean: what was not called
    /// is dropped, what is being compiled is given up, and what runs goes when the last call of it
    /// has come back. The key goes, too.
    ///
    /// # Errors
    /// If it is gone.
    pub fn remove(&self) -> Result<(), NamespaceError> {
        namespace::remove_tracker(&self.shared, self.home.tracker)
    }

    /// Hands what came in under this key on to another of the same library. This one is gone then.
    ///
    /// # Errors
    /// If either is gone, or they are of two libraries.
    pub fn transfer_to(&self, other: &Tracker) -> Result<(), NamespaceError> {
        self.require_same_engine(&other.shared)?;
        let (from, to): (TrackerId, TrackerId) = (self.home.tracker, other.home.tracker);
        Ok(self.shared.symbols().names.libraries().transfer(from, to)?)
    }

    fn require_same_engine(&self, other: &Arc<Shared>) -> Result<(), NamespaceError> {
        let is_same = Arc::ptr_eq(&self.shared, other);
        if is_same { Ok(()) } else { Err(NamespaceError::OtherEngine) }
    }
}
