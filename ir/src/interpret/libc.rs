//! Models of C functions: what programs that were C mostly call. They work on
//! the program's memory and print into its output.
//!
//! `long`, `size_t` and addresses have 64 bits. What the platform leaves open
//! is the same here every time: `malloc` gives zeros, `rand` follows a fixed
//! sequence, `clock` counts steps. Where the platform's function would crash
//! or do anything, a model traps: a comparison that is null is `null_function`,
//! as if the program had called it.

mod format;
mod math;
mod memory;
mod number;
mod print;
mod process;
mod sort;
mod string;

use super::host::{HostCall, HostError};
use crate::datum::Datum;

/// A model of a C function: gives its result, or anything if it has none.
pub(super) type Model = fn(&mut HostCall<'_, '_>, &Args<'_>) -> Given;

/// What a model gives.
type Given = Result<Datum, HostError>;

/// What a function without a result gives.
const NOTHING: Given = Ok(Datum::Scalar(0));

/// What the models keep between calls.
#[derive(Debug)]
pub(super) struct CState {
    random: u64,
    /// The addresses of the functions to be called at the end, the last first.
    pub(super) at_exit: Vec<u64>,
}

impl Default for CState {
    fn default() -> CState {
        CState { random: 1, at_exit: Vec::new() }
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

    /// An address or a size.
    fn word(&self, index: usize) -> u64 {
        self.bits(index) as u64
    }

    fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.bits(index) as u64)
    }

    fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.bits(index) as u32)
    }
}

/// The models, by name.
const TABLES: &[&[(&str, Model)]] = &[
    memory::MODELS,
    string::MODELS,
    number::MODELS,
    math::MODELS,
    sort::MODELS,
    print::MODELS,
    process::MODELS,
];

/// The names of all functions that there are models of.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().copied().flatten().map(|(name, _)| *name)
}

/// The model of the function of that name.
pub(super) fn model(name: &str) -> Option<Model> {
    let mut models = TABLES.iter().copied().flatten();
    models.find(|(known, _)| *known == name).map(|(_, model)| *model)
}

/// Data objects of C that there are models of: each holds its own address,
/// which no program looks into.
const DATA: &[&str] = &["stdin", "stdout", "stderr"];

/// Whether there is a model of the data object of that name.
pub(super) fn is_data(name: &str) -> bool {
    DATA.contains(&name)
}

/// The byte at an address, for a step.
fn byte_at(call: &mut HostCall<'_, '_>, address: u64) -> Result<u8, HostError> {
    let mut byte = [0];
    call.charge(1)?;
    call.memory().read(address, &mut byte)?;
    Ok(byte[0])
}

/// The bytes from an address to the next zero, or to the limit.
fn bytes_until_zero(
    call: &mut HostCall<'_, '_>,
    address: u64,
    limit: u64,
) -> Result<Vec<u8>, HostError> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < limit {
        match byte_at(call, address.wrapping_add(bytes.len() as u64))? {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    Ok(bytes)
}

/// The bytes of a string of C.
fn string_at(call: &mut HostCall<'_, '_>, address: u64) -> Result<Vec<u8>, HostError> {
    bytes_until_zero(call, address, u64::MAX)
}

/// That many bytes at an address.
fn bytes_at(call: &mut HostCall<'_, '_>, address: u64, size: u64) -> Result<Vec<u8>, HostError> {
    check_readable(call, address, size)?;
    charge_bytes(call, size)?;
    let mut bytes = vec![0; size as usize];
    if size != 0 {
        call.memory().read(address, &mut bytes)?;
    }
    Ok(bytes)
}

/// Whether that many bytes are there to be read, before room for a copy of
/// them is made. Of no bytes the address may be any.
fn check_readable(call: &mut HostCall<'_, '_>, address: u64, size: u64) -> Result<(), HostError> {
    match size {
        0 => Ok(()),
        _ => Ok(call.memory().check(super::AccessKind::Read, address, size)?),
    }
}

fn write(call: &mut HostCall<'_, '_>, address: u64, bytes: &[u8]) -> Result<(), HostError> {
    if bytes.is_empty() {
        return Ok(());
    }
    charge_bytes(call, bytes.len() as u64)?;
    Ok(call.memory().write(address, bytes)?)
}

/// Uses up the steps for work on many bytes at once.
fn charge_bytes(call: &mut HostCall<'_, '_>, bytes: u64) -> Result<(), HostError> {
    call.machine().charge_bytes(bytes).map_err(HostError::Trap)
}
