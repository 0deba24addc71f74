//! A function whose module is made when it is first asked for.

use std::error::Error;
use std::{fmt, mem};

use brolga_ir::module::Module;

use super::definition::Trust;
use super::namespace::Home;
use crate::runtime::discard;

/// What makes the module of a function.
pub(crate) type MakeModule = dyn Fn() -> Result<Module, Box<dyn Error + Send + Sync>> + Send + Sync;

/// What a function is made by that has a name and a signature, and nothing else yet.
pub(crate) struct Callback {
    /// Where its module comes in.
    pub(crate) home: Home,
    /// How far that is vouched for.
    pub(crate) trust: Trust,
    /// What makes it.
    pub(crate) make: Box<MakeModule>,
}

/// What it holds is the user's, and goes wherever the last who asks for the function lets go of it:
/// a panic of that is nobody's there.
impl Drop for Callback {
    fn drop(&mut self) {
        let nobody: Box<MakeModule> = Box::new(|| Err("what was to make it is gone".into()));
        discard(mem::replace(&mut self.make, nobody));
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Callback({:?})", self.home)
    }
}
