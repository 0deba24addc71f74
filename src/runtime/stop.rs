//! Why compiled code stopped, on its way to whoever called it.

use brolga_ir::datum::Datum;
use brolga_ir::report::Trap;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::TypePool;
use brolga_lowering::runtime::VALUE_STRIDE;
use brolga_lowering::unit::ValueShape;

use crate::error::{CallError, HostError};

/// Why compiled code stopped.
#[derive(Debug)]
pub(crate) struct Stop {
    /// Why and where.
    pub trap: Trap,
    /// What the host function said, if it was one.
    pub host: Option<HostError>,
    /// The exception that was thrown, which handlers further out may catch.
    pub exception: Option<u64>,
}

impl Stop {
    /// A stop of which no more than its code is known.
    pub(crate) fn new(code: TrapCode) -> Stop {
        Stop { trap: Trap::new(code), host: None, exception: None }
    }

    /// What the caller gets.
    pub(crate) fn into_error(self) -> CallError {
        let trap = Box::new(self.trap);
        match self.host {
            Some(error) => CallError::Host { trap, error },
            None => CallError::Trap(trap),
        }
    }
}

/// Reads the values that an exit stored, leaf behind leaf.
///
/// # Safety
/// `values` leads to the leaves of those shapes, each at a multiple of the
/// stride.
pub(super) unsafe fn read_exit_values(shapes: &[ValueShape], values: *const u8) -> Vec<Datum> {
    // Leaves are scalars and vectors, whose layout needs no module.
    let (pool, mut types) = (TypePool::default(), Vec::new());
    shapes.iter().for_each(|shape| shape.append_leaves(&mut types));
    let mut offset = 0;
    let mut leaves = Vec::with_capacity(types.len());
    for ty in types {
        let size = pool.layout(ty).size as usize;
        // SAFETY: by the caller's promise these bytes hold the value.
        let bytes = unsafe { std::slice::from_raw_parts(values.add(offset), size) };
        leaves.push(Datum::from_bytes(&pool, ty, bytes));
        offset += size.next_multiple_of(VALUE_STRIDE as usize);
    }
    let mut leaves = leaves.into_iter();
    shapes.iter().map(|shape| shape.join(&mut leaves)).collect()
}
