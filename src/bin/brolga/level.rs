//! How hard the compiler works.

use brolga::lowering::pipeline;
use clap::Args;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(crate) struct Level {
    /// How hard to work on the code: 0
    #[arg(short = 'O', value_name = "LEVEL", conflicts_with = "tier")]
    level: Option<String>,
    /// Compile by a tier instead of a level
    #[arg(long, value_name = "TIER")]
    tier: Option<String>,
}

impl Level {
    /// Refuses levels and tiers that there are none of yet.
    pub(crate) fn require(&self) -> Result<(), Failure> {
        if let Some(tier) = &self.tier {
            let text =
                format!("there is no tier `{tier}`: there are none yet; choose a level, -O0");
            return Err(Failure::usage(text));
        }
        let levels: Vec<&str> =
            pipeline::Level::COMPILED.iter().map(|level| level.digit()).collect();
        match &self.level {
            Some(level) if !levels.contains(&level.as_str()) => {
                let levels = levels.join(", -O");
                Err(Failure::usage(format!("there is no level `-O{level}`; there is -O{levels}")))
            }
            _ => Ok(()),
        }
    }
}
