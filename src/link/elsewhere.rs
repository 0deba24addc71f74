//! The way from a function that code names, and its library does not have, to the one that another
//! library has: the library was linked, or the function defined, after the code was.

use std::any::Any;
use std::sync::Arc;

use brolga_lowering::unit::CompiledUnit;

use super::definition::References;
use super::stage::{LinkFailure, Stage};
use super::stub::jump_through;
use crate::memory::Request;
use crate::runtime::{Keep, Placed, Role};

/// What the way keeps.
#[derive(Debug)]
struct Way(#[expect(dead_code, reason = "owned for its drop alone")] References);

impl Keep for Way {
    fn beyond(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }
}

impl Stage<'_> {
    /// Code that goes on where callers of that function are led.
    pub(crate) fn link_elsewhere(&mut self, target: u32) -> Result<Arc<Placed>, LinkFailure> {
        let symbol = self.symbols.symbol(target).ok_or(LinkFailure::Stale)?;
        let references = self.symbols.refer(target);
        let [slot, _] = symbol.slots.addresses();
        let mut code = jump_through(0, 0).to_vec();
        let mut draft = self.reservation.allocate(&Request::STUB)?;
        code.copy_from_slice(&jump_through(draft.address(), slot));
        draft.write(|bytes, _| bytes[..code.len()].copy_from_slice(&code))?;
        let unit = CompiledUnit { name: symbol.name.clone(), code, ..CompiledUnit::default() };
        let block = draft.publish()?;
        Ok(self.environment.place(Box::new(unit), "", Role::Function, block, Way(references)))
    }
}
