//! Modules that are made when somebody asks for a function that nobody has defined.

use std::error::Error;
use std::sync::{Arc, PoisonError, RwLock};
use std::{fmt, mem};

use brolga_ir::module::Module;
use brolga_lifecycle::names::LibraryId;

use super::config::matches_any;
use super::define::define_unless;
use super::host::link_late;
use super::shared::{Full, Shared};
use crate::link::{Home, Symbols, Trust};
use crate::runtime::discard;

/// What makes a module that defines a function of that name; nothing, if it knows none.
pub(super) type Make =
    dyn Fn(&str) -> Result<Option<Module>, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Who is asked, in that order.
#[derive(Debug, Default)]
pub(super) struct Generators(RwLock<Vec<Arc<Generator>>>);

pub(super) struct Generator {
    /// Where what it makes comes in.
    home: Home,
    /// For names like these.
    allow: Vec<String>,
    trust: Trust,
    make: Box<Make>,
}

/// As of what makes one function.
impl Drop for Generator {
    fn drop(&mut self) {
        let nobody: Box<Make> = Box::new(|_| Ok(None));
        discard(mem::replace(&mut self.make, nobody));
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Generator({:?})", self.allow)
    }
}

impl Generators {
    pub(super) fn add(&self, allow: &[&str], home: Home, trust: Trust, make: Box<Make>) {
        let allow = allow.iter().map(|&pattern| pattern.to_owned()).collect();
        let generator = Arc::new(Generator { home, allow, trust, make });
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(generator);
    }

    /// Those of each library in turn.
    fn all_for(&self, libraries: &[LibraryId], name: &str) -> Vec<Arc<Generator>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let of = |library: &LibraryId| {
            let library = *library;
            all.iter().filter(move |it| it.home.library == library)
        };
        let all = libraries.iter().flat_map(of);
        all.filter(|it| matches_any(&it.allow, name)).cloned().collect()
    }

    /// Takes those of a library out, for the caller to drop.
    pub(super) fn remove_of(&self, library: LibraryId) -> Vec<Arc<Generator>> {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.extract_if(.., |it| it.home.library == library).collect()
    }
}

impl Shared {
    /// Has a function defined that nobody has defined; tells whether somebody has by now.
    ///
    /// # Errors
    /// What whoever makes it said, or what is wrong with what it made.
    pub(super) fn generate(&self, full: Full<'_>) -> Result<Generated, String> {
        let (library, name) = full;
        if !self.is_defined(full) && link_late(self, name).map_err(|error| error.to_string())? {
            return Ok(Generated::Defined);
        }
        let libraries = self.symbols().names.order(library);
        for generator in self.generators.all_for(&libraries, name) {
            let maker = (Arc::as_ptr(&generator) as usize, name);
            let Some(module) = self.make(maker, || (generator.make)(name))? else { continue };
            let Generator { home, trust, .. } = *generator;
            // Another thread may have asked, or defined it, at the same time.
            let is_there = |symbols: &Symbols| symbols.defined_function(library, name).is_some();
            let defined = define_unless(self, module, (home, trust), is_there);
            self.tell_freed();
            if let Err(error) = defined
                && !self.is_defined(full)
            {
                return Err(error.to_string());
            }
            if self.is_defined(full) {
                return Ok(Generated::Defined);
            }
            return Err("the module that was made for it does not define it".to_owned());
        }
        Ok(Generated::Unknown)
    }

    fn is_defined(&self, (library, name): Full<'_>) -> bool {
        self.symbols().defined_function(library, name).is_some()
    }
}

/// What became of a function that nobody had defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Generated {
    /// Somebody has.
    Defined,
    /// Nobody knows it.
    Unknown,
}
