//! Modules that are made when somebody asks for a function that nobody has defined.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use brolga_ir::module::Module;

use super::config::matches_any;
use super::define::define;
use super::shared::Shared;
use crate::link::Trust;
use crate::runtime::panic_message;

/// What makes a module that defines a function of that name; nothing, if it knows none.
pub(super) type Make =
    dyn Fn(&str) -> Result<Option<Module>, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Who is asked, in that order.
#[derive(Debug, Default)]
pub(super) struct Generators(RwLock<Vec<Arc<Generator>>>);

struct Generator {
    /// For names like these.
    allow: Vec<String>,
    trust: Trust,
    make: Box<Make>,
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Generator({:?})", self.allow)
    }
}

impl Generators {
    pub(super) fn add(&self, allow: &[&str], trust: Trust, make: Box<Make>) {
        let allow = allow.iter().map(|&pattern| pattern.to_owned()).collect();
        let generator = Arc::new(Generator { allow, trust, make });
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(generator);
    }

    fn all_for(&self, name: &str) -> Vec<Arc<Generator>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|it| matches_any(&it.allow, name)).cloned().collect()
    }
}

impl Shared {
    /// Has a function defined that nobody has defined; tells whether somebody has by now.
    ///
    /// # Errors
    /// What whoever makes it said, or what is wrong with what it made.
    pub(super) fn generate(&self, name: &str) -> Result<Generated, String> {
        for generator in self.generators.all_for(name) {
            // Nothing is locked: it may define, call and ask for other functions.
            let made = catch_unwind(AssertUnwindSafe(|| (generator.make)(name)));
            let made = made.map_err(|payload| {
                format!("what was to make it panicked: {}", panic_message(payload))
            })?;
            let Some(module) = made.map_err(|error| error.to_string())? else { continue };
            // Another thread may have asked at the same time.
            if self.is_defined(name) {
                return Ok(Generated::Defined);
            }
            define(self, module, generator.trust).map_err(|error| error.to_string())?;
            if self.is_defined(name) {
                return Ok(Generated::Defined);
            }
            return Err("the module that was made for it does not define it".to_owned());
        }
        Ok(Generated::Unknown)
    }

    fn is_defined(&self, name: &str) -> bool {
        self.symbols().defined_function(name).is_some()
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
