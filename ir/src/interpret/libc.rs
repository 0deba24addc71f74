//! Models of C functions: what programs that were C mostly call. They work on
//! the program's memory and print into its output.
//!
//! Numbers of type `long` and `size_t` have 64 bits; `rand` and `clock` are
//! deterministic.

mod number;

use super::host::{HostCall, HostError};
use crate::datum::Datum;

/// A model of a C function: gives its result, or anything if it has none.
pub(super) type Model = fn(&mut HostCall<'_, '_>, &Args<'_>) -> Result<Datum, HostError>;

/// What the models keep between calls.
#[derive(Debug)]
pub(super) struct CState {
    random: u64,
}

impl Default for CState {
    fn default() -> CState {
        CState { random: 1 }
    }
}

/// The arguments of a call; missing ones read as zero.
pub(super) struct Args<'a>(pub(super) &'a [Datum]);

impl Args<'_> {
    fn bits(&self, index: usize) -> u128 {
        self.0.get(index).map_or(0, Datum::bits)
    }

    fn int(&self, index: usize) -> i32 {
        self.bits(index) as i32
    }

    fn long(&self, index: usize) -> i64 {
        self.bits(index) as i64
    }
}

/// Tables of models by name.
const TABLES: &[&[(&str, Model)]] = &[number::MODELS];

/// The model of the function of that name.
pub(super) fn model(name: &str) -> Option<Model> {
    let mut models = TABLES.iter().copied().flatten();
    models.find(|(known, _)| *known == name).map(|(_, model)| *model)
}

/// Whether there is a model of the data object of that name.
pub(super) fn is_data(_name: &str) -> bool {
    false
}
