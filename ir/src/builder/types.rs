//! The types of the module that is being built.

use std::ops::Deref;

use crate::entity::SigId;
use crate::types::{Packing, Signature, Type, TypeError, TypePool};

/// Makes aggregates and signatures in the module that is being built, and
/// reads its [`TypePool`].
///
/// Types only ever come in: a pool that could be taken away or exchanged would
/// leave every handle in the module without what it stands for.
///
/// ```
/// use brolga_ir::builder::ModuleBuilder;
/// use brolga_ir::types::{Packing, Type};
///
/// let mut module = ModuleBuilder::new("points");
/// let point = module.types().structure(&[Type::F64, Type::F64], Packing::Natural)?;
/// let points = module.types().array(point, 16)?;
/// assert_eq!(module.types().display(points).to_string(), "[16 x {f64, f64}]");
/// # Ok::<(), brolga_ir::types::TypeError>(())
/// ```
///
/// ```compile_fail,E0596
/// # use brolga_ir::builder::ModuleBuilder;
/// # let (mut one, mut other) = (ModuleBuilder::new("one"), ModuleBuilder::new("other"));
/// std::mem::swap(&mut *one.types(), &mut *other.types());
/// ```
#[derive(Debug)]
pub struct Types<'m> {
    pool: &'m mut TypePool,
}

impl<'m> Types<'m> {
    pub(super) fn new(pool: &'m mut TypePool) -> Types<'m> {
        Types { pool }
    }

    /// The struct of `fields`, as [`TypePool::structure`] makes it.
    pub fn structure(&mut self, fields: &[Type], packing: Packing) -> Result<Type, TypeError> {
        self.pool.structure(fields, packing)
    }

    /// The array of `length` elements, as [`TypePool::array`] makes it.
    pub fn array(&mut self, element: Type, length: u64) -> Result<Type, TypeError> {
        self.pool.array(element, length)
    }

    /// The handle of `signature`, as [`TypePool::signature`] makes it.
    pub fn signature(&mut self, signature: Signature) -> Result<SigId, TypeError> {
        self.pool.signature(signature)
    }
}

impl Deref for Types<'_> {
    type Target = TypePool;

    fn deref(&self) -> &TypePool {
        self.pool
    }
}
