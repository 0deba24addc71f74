//! How hard the compiler works.

use brolga::Level;
use clap::Args;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(crate) struct LevelOption {
    /// How hard to work on the code: 0, 1, 2 or 3; 2 if nothing is said
    #[arg(short = 'O', value_name = "LEVEL", conflicts_with = "tier")]
    level: Option<String>,
    /// Compile by a tier instead of a level
    #[arg(long, value_name = "TIER")]
    tier: Option<String>,
}

impl LevelOption {
    /// The level asked for. There are no tiers yet.
    pub(crate) fn level(&self) -> Result<Level, Failure> {
        if let Some(tier) = &self.tier {
            let text =
                format!("there is no tier `{tier}`: there are none yet; choose a level, {}", all());
            return Err(Failure::usage(text));
        }
        self.level.as_deref().map_or(Ok(Level::default()), level_of_digit)
    }
}

/// The level that stands behind `-O`.
pub(crate) fn level_of_digit(digit: &str) -> Result<Level, Failure> {
    let found = Level::ALL.iter().copied().find(|level| level.digit() == digit);
    found.ok_or_else(|| {
        Failure::usage(format_args!("there is no level `-O{digit}`; there is {}", all()))
    })
}

fn all() -> String {
    let levels: Vec<String> =
        Level::ALL.iter().map(|level| format!("-O{}", level.digit())).collect();
    levels.join(", ")
}
