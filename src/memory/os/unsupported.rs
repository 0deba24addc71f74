//! Platforms without code memory: every way in is an error value.

use std::convert::Infallible;
use std::ops::Range;
use std::ptr::NonNull;

use super::{Platform, Strategy};
use crate::memory::MemoryError;
use crate::memory::area::Access;
use crate::memory::plan::Plan;

/// Never exists.
#[derive(Debug)]
pub(in crate::memory) struct Mapping(Infallible);

/// Stands in for the size of a page.
pub(in crate::memory) fn page_size() -> usize {
    4096
}

impl Platform for Mapping {
    fn reserve(_: &Plan, _: &[Strategy]) -> Result<Self, MemoryError> {
        Err(MemoryError::Unsupported {
            os: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
        })
    }

    fn base(&self) -> NonNull<u8> {
        match self.0 {}
    }

    fn strategy(&self) -> Strategy {
        match self.0 {}
    }

    fn commit(&self, _: Access, _: &Range<u32>) -> Result<(), MemoryError> {
        match self.0 {}
    }

    fn release(&self, _: Access, _: &Range<u32>) -> Result<(), MemoryError> {
        match self.0 {}
    }

    fn writable(&self, _: Access, _: u32) -> Option<NonNull<u8>> {
        match self.0 {}
    }

    fn install(&self, _: Access, _: &[(u32, &[u8])]) -> Result<(), MemoryError> {
        match self.0 {}
    }

    fn synchronise(&self, _: impl Iterator<Item = Range<usize>>) -> Result<(), MemoryError> {
        match self.0 {}
    }

    fn in_forked_child(&self) -> bool {
        match self.0 {}
    }

    fn adopt(&self) {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryConfig;

    #[test]
    fn a_platform_without_code_memory_answers_with_an_error_that_names_it() {
        let plan = Plan::new(&MemoryConfig::default(), page_size()).unwrap();
        let error = Mapping::reserve(&plan, &Strategy::ALL).unwrap_err();
        assert!(matches!(error, MemoryError::Unsupported { .. }));
        assert!(error.to_string().contains(std::env::consts::OS));
    }
}
