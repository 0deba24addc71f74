//! Symbols of the process.

use std::sync::Arc;

use super::shared::Shared;
use crate::error::LoadError;
use crate::memory::Slot;

/// A slot that holds the address of a symbol of the process.
pub(super) fn resolve_symbol(shared: &Shared, name: &str) -> Result<Arc<Slot>, LoadError> {
    if !shared.config.allows(name) {
        return Err(LoadError::ForbiddenSymbol { name: name.into() });
    }
    let address = process_symbol(name);
    let address = address.ok_or_else(|| LoadError::MissingSymbol { name: name.into() })?;
    Ok(Arc::new(shared.reservation.slot(address as u64)?))
}

#[cfg(unix)]
fn process_symbol(name: &str) -> Option<usize> {
    let process = libloading::os::unix::Library::this();
    // SAFETY: the symbol is only turned into its address; what is there is
    // vouched for by whoever loads the module that names it.
    let symbol = unsafe { process.get::<*mut ()>(name.as_bytes()) };
    Some(symbol.ok()?.into_raw().addr())
}

#[cfg(not(unix))]
fn process_symbol(_name: &str) -> Option<usize> {
    None
}
