//! How many threads compile.

use clap::Args;
use clap::builder::RangedU64ValueParser;

/// More than any machine has: what lies above is a slip of the keyboard.
const MOST: u64 = 1024;

#[derive(Args, Debug)]
pub(crate) struct ThreadsOption {
    /// How many threads compile the functions of a module; the code is the same
    #[arg(long = "threads", value_name = "T", default_value_t = 1)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST))]
    pub(crate) count: usize,
}
