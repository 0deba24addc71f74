//! From compiled units to code that runs: stubs, slots, addresses.
//!
//! Every function has a slot, which is the only word to change when it is defined
//! or replaced, and a stub with two entries, which jumps through the slot. Units
//! refer to each other by these, so that the order of loading does not matter,
//! but for functions that have been loaded: their code stays where it is.

mod bind;
mod bound;
mod callback;
mod define;
mod definition;
mod elsewhere;
mod functions;
mod lazy;
mod namespace;
mod prepare;
mod relocate;
mod resident;
mod scope;
mod stage;
mod standing;
mod stub;
mod symbols;
mod unit;
mod workers;

pub(crate) use bind::Binding;
pub(crate) use bound::{Bound, NamedBy, Seen};
pub(crate) use callback::{Callback, MakeModule};
pub(crate) use define::{Callbacks, Later};
pub(crate) use definition::{
    Abandoned, AbandonedList, Definition, Dialect, References, Trust, Verification,
    check_declarations,
};
pub(crate) use functions::{FunctionLife, Functions, Source};
pub(crate) use lazy::{Counted, Lazy, Making, Missing, calls_of};
pub(crate) use namespace::{Home, Meaning, Replaced};
pub(crate) use prepare::{Prepared, Present, prepare};
pub(crate) use resident::Resident;
pub(crate) use scope::{Absence, Incoming, Names};
pub(crate) use stage::{LeftOver, LinkFailure, Stage};
pub(crate) use standing::{Made, Row};
pub(crate) use symbols::{
    DataPlace, DataSymbol, FunctionSymbol, HostDefinition, Symbols, check_function_name,
    signature_text,
};
pub(crate) use unit::Unit;
pub(crate) use workers::{FirstTier, Workers};
