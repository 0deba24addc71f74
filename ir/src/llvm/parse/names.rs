//! What the names of a module stand for.

use hashbrown::HashMap;

use crate::llvm::syntax::GlobalId;

/// What the names of a module stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct Names<'t> {
    globals: HashMap<&'t str, GlobalId>,
}
