//! Libraries of an engine: namespaces that see each other in the order in which they are linked.

use std::error::Error;
use std::sync::Arc;

use brolga_ir::module::Module;
use brolga_ir::types::{Signature, TypePool};
use brolga_ir::verify::Verified;
use brolga_lifecycle::names::{LibraryId, NamesError, Reach, Visibility};

use super::arguments::{Arguments, Results};
use super::data::{self, Plain};
use super::define;
use super::function::{DynamicFunction, Function};
use super::namespace;
use super::shared::Shared;
use super::tracker::Tracker;
use super::{Engine, Retry};
use crate::error::{DataError, FunctionError, LoadError, NamespaceError, ResolveError};
use crate::link::{Home, Trust};

/// A library of an engine: a namespace for functions and data. Code of a library names what the
/// library has, and then, in the order in which they were linked to it, what others export.
/// Clones are handles to the same library, which may be [removed](Self::delete).
///
/// ```
/// use brolga::{Config, Engine, Reach};
///
/// let engine = Engine::new(Config::default())?;
/// let base = engine.add_library("base")?;
/// base.define("export func @one() -> i64 {\nb:\n    return 1\n}")?;
/// let program = engine.add_library("program")?;
/// program.link_to(&base, Reach::Exports)?;
/// program.define(
///     "import func @one() -> i64
///      export func @two() -> i64 {
///      b:
///          %x = call @one()
///          %y = add.i64 %x, %x
///          return %y
///      }",
/// )?;
/// assert_eq!(program.func::<(), i64>("two")?.call(())?, 2);
/// assert!(base.func::<(), i64>("two").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    pub(super) shared: Arc<Shared>,
    pub(super) id: LibraryId,
    name: Arc<str>,
}

impl Engine {
    /// A new library of that name, which sees nothing but itself and the functions of the host.
    ///
    /// # Errors
    /// If there is one of that name.
    pub fn add_library(&self, name: &str) -> Result<Library, NamesError> {
        let id = self.shared.symbols().names.libraries().add_library(name)?;
        Ok(Library { shared: Arc::clone(&self.shared), id, name: name.into() })
    }

    /// The library of that name. `main` is there from the first: what is loaded comes in there,
    /// and what is defined by the engine's own methods.
    pub fn library(&self, name: &str) -> Option<Library> {
        let id = self.shared.symbols().names.libraries().library_named(name)?;
        Some(Library { shared: Arc::clone(&self.shared), id, name: name.into() })
    }
}

impl Library {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn home(&self, visibility: Visibility) -> Result<Home, NamesError> {
        let tracker = self.shared.symbols().names.libraries().main_tracker(self.id)?;
        Ok(Home { library: self.id, tracker, visibility })
    }

    fn exported(&self) -> Result<Home, NamesError> {
        self.home(Visibility::Exported)
    }

    /// Lets the library see another, behind those that it sees already: what that exports, or
    /// what it hides, too. One that it sees is moved to the end.
    ///
    /// Code of the library that is there already finds what it calls by the new order, too. Data
    /// are found when code that names them is compiled.
    ///
    /// # Errors
    /// If either is gone, or they are of two engines.
    pub fn link_to(&self, other: &Library, reach: Reach) -> Result<(), NamespaceError> {
        self.require_same_engine(other)?;
        namespace::link(&self.shared, self.id, other.id, reach)
    }

    /// Lets the library see another no more.
    ///
    /// # Errors
    /// If it is gone, or they are of two engines.
    pub fn unlink(&self, other: &Library) -> Result<(), NamespaceError> {
        self.require_same_engine(other)?;
        namespace::unlink(&self.shared, self.id, other.id)
    }

    fn require_same_engine(&self, other: &Library) -> Result<(), NamespaceError> {
        let is_same = Arc::ptr_eq(&self.shared, &other.shared);
        if is_same { Ok(()) } else { Err(NamespaceError::OtherEngine) }
    }

    /// Defines the functions of a module in the safe dialect here, from its text, as
    /// [`Engine::define`] does in the library `main`.
    ///
    /// # Errors
    /// As there, and if the library is gone.
    pub fn define(&self, text: &str) -> Result<(), LoadError> {
        self.define_module(brolga_ir::text::parse_module(text).map_err(LoadError::Text)?)
    }

    /// Defines the functions of a module in the safe dialect here.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_module(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.exported()?, Trust::SAFE)
    }

    /// The same of a module that somebody has verified already.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_verified(&self, module: Verified) -> Result<(), LoadError> {
        let module = module.into_module();
        define::define(&self.shared, module, self.exported()?, Trust::SAFE.verified())
    }

    /// The same of functions and data that only the library itself sees, and who links to
    /// [all](Reach::All) of it.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_hidden(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.home(Visibility::Hidden)?, Trust::SAFE)
    }

    /// Defines the functions of a module here that may use addresses, foreign functions and
    /// promises.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`Engine::define_unsafe`].
    pub unsafe fn define_module_unsafe(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.exported()?, Trust::RAW)
    }

    /// The same of a module that somebody has verified already.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`Engine::define_unsafe`].
    pub unsafe fn define_verified_unsafe(&self, module: Verified) -> Result<(), LoadError> {
        let module = module.into_module();
        define::define(&self.shared, module, self.exported()?, Trust::RAW.verified())
    }

    /// Defines a function whose module `make` makes, with nothing locked, when the function is first
    /// called or its code asked for, on a thread as [`Engine::add_generator`] says, or one of the
    /// engine's own. The module is in the safe dialect, has the function by that name and
    /// signature, and may have others. What `make` fails or panics with stops who has
    /// called, with [`TrapCode::RefusedFunction`](brolga_ir::trap::TrapCode::RefusedFunction), until
    /// the function is [tried again](Self::retry) or defined anew. A definition that comes
    /// meanwhile has the last word.
    ///
    /// # Errors
    /// If the library is gone, or the name is that of something that was loaded, or is the host's.
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
        let home = self.exported()?;
        define::define_later(&self.shared, home, name, (types, signature), Box::new(make))
    }

    /// Makes a name of the library stand for one of another library, or of its own: for whatever
    /// that comes to mean. So a library exports again what it is linked to.
    ///
    /// # Errors
    /// If either is gone, there is no such name, it stands for this one, or this one was loaded.
    pub fn alias(
        &self,
        name: &str,
        target: (&Library, &str),
        visibility: Visibility,
    ) -> Result<(), NamespaceError> {
        self.require_same_engine(target.0)?;
        let home = self.home(visibility)?;
        namespace::alias(&self.shared, home, name, (target.0.id, target.1))
    }

    /// Removes a function or an alias, as [`Engine::remove`] does in the library `main`.
    ///
    /// # Errors
    /// If the library has no such name itself, or it was loaded.
    pub fn remove(&self, name: &str) -> Result<(), FunctionError> {
        define::remove(&self.shared, (self.id, name))
    }

    /// Removes all that the library has; it stays, as do what it sees and its trackers.
    ///
    /// # Errors
    /// If it is gone, or something was loaded into it, or it is `main` and the host has functions;
    /// nothing is removed then.
    pub fn clear(&self) -> Result<(), NamespaceError> {
        namespace::clear(&self.shared, self.id)
    }

    /// Removes the library with all that it has: nobody sees it any more, and handles to it are
    /// good for nothing. Its name may be given again.
    ///
    /// # Errors
    /// If it is gone, or something was loaded into it, as into `main`; nothing is removed then.
    pub fn delete(&self) -> Result<(), NamespaceError> {
        namespace::delete(&self.shared, self.id)
    }

    /// A key under which definitions come in that are to be removed together.
    ///
    /// # Errors
    /// If the library is gone.
    pub fn add_tracker(&self) -> Result<Tracker, NamesError> {
        let tracker = self.shared.symbols().names.libraries().add_tracker(self.id)?;
        let home = Home { library: self.id, tracker, visibility: Visibility::Exported };
        Ok(Tracker::new(&self.shared, home))
    }

    /// Has functions made that code of this library, or of one that sees it, asks for, as
    /// [`Engine::add_generator`] does for the library `main`.
    ///
    /// # Errors
    /// If the library is gone.
    pub fn add_generator<F>(&self, allow: &[&str], make: F) -> Result<(), NamesError>
    where
        F: Fn(&str) -> Result<Option<Module>, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    {
        let home = self.exported()?;
        self.shared.generators.add(allow, home, Trust::SAFE, Box::new(make));
        // Whoever deletes the library takes out those that are there by then.
        self.exported().map(drop).inspect_err(|_| drop(self.shared.generators.remove_of(self.id)))
    }

    /// Has a function that the library sees compiled, as [`Engine::compile`] does.
    ///
    /// # Errors
    /// If it is not defined, or cannot be compiled.
    pub fn compile(&self, name: &str) -> Result<(), ResolveError> {
        define::compile(&self.shared, (self.id, name))
    }

    /// Has a function that could not be compiled be compiled again, as [`Engine::retry`] does.
    ///
    /// # Errors
    /// If it is not defined.
    pub fn retry(&self, name: &str) -> Result<Retry, FunctionError> {
        define::retry(&self.shared, (self.id, name))
    }

    /// A handle to a function that the library sees, as of [`Engine::func`].
    ///
    /// # Errors
    /// If there is no such function, or it has another signature.
    pub fn func<A: Arguments, R: Results>(
        &self,
        name: &str,
    ) -> Result<Function<A, R>, FunctionError> {
        Function::new(&self.shared, (self.id, name))
    }

    /// A handle to a function that the library sees, whatever its signature.
    ///
    /// # Errors
    /// If there is no such function.
    pub fn function(&self, name: &str) -> Result<DynamicFunction, FunctionError> {
        DynamicFunction::new(&self.shared, (self.id, name))
    }

    /// The bytes of a data object that the library sees, as of [`Engine::read_data`].
    ///
    /// # Errors
    /// If there is no such object, or not so many bytes.
    pub fn read_data<T: Plain>(
        &self,
        name: &str,
        offset: u64,
        into: &mut [T],
    ) -> Result<(), DataError> {
        data::read(&self.shared, (self.id, name), offset, into)
    }

    /// Puts numbers into a data object that the library sees, as [`Engine::write_data`] does.
    ///
    /// # Errors
    /// If there is no such object, not so many bytes, or it is a constant.
    pub fn write_data<T: Plain>(
        &self,
        name: &str,
        offset: u64,
        from: &[T],
    ) -> Result<(), DataError> {
        data::write(&self.shared, (self.id, name), offset, from)
    }
}
