//! The way from a function that code names, and its library does not have, to the one that another
//! library has: the library was linked, or the function defined, after the code was.

use std::alloc::Layout;
use std::any::Any;
use std::sync::Arc;

use brolga_lowering::unit::CompiledUnit;

use super::definition::References;
use super::stage::{LinkFailure, Stage};
use super::stub::{JUMP, write_jump};
use crate::memory::{Area, Request};
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
        let layout = Layout::new::<[u8; JUMP]>();
        let mut draft = self.reservation.allocate(&Request::new(Area::Stubs, layout))?;
        draft.write(|bytes, base| write_jump(bytes, base, slot))?;
        let unit = CompiledUnit { name: symbol.name.clone(), ..CompiledUnit::default() };
        let block = draft.publish()?;
        Ok(self.environment.place(Box::new(unit), "", Role::Function, block, Way(references)))
    }
}
