//! How hard the compiler works.

use brolga::{Budgets, Engine, Level, LoadError, Tier, Tiering};
use brolga_ir::module::Module;
use clap::Args;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(crate) struct LevelOption {
    /// How hard to work on the code: 0, 1, 2 or 3; 2 if nothing is said
    #[arg(short = 'O', value_name = "LEVEL")]
    level: Option<String>,
}

impl LevelOption {
    /// The level asked for.
    pub(crate) fn level(&self) -> Result<Level, Failure> {
        self.level.as_deref().map_or(Ok(Level::default()), level_of_digit)
    }
}

#[derive(Args, Debug)]
pub(crate) struct TierOption {
    /// How functions are made: `quick` by copying them together of stencils, `warm` at -O1,
    /// `hot` at the level asked for, which is so if nothing is said; or `adaptive`: quick at
    /// their first call, and better as they run
    #[arg(long, value_name = "TIER")]
    tier: Option<String>,
}

/// What stands for a choice by what runs.
const ADAPTIVE: &str = "adaptive";

impl TierOption {
    /// The tiers asked for.
    pub(crate) fn tiering(&self) -> Result<Tiering, Failure> {
        let name = self.tier.as_deref().unwrap_or(Tier::Hot.name());
        if name == ADAPTIVE {
            return Ok(Tiering::Adaptive(Budgets::default()));
        }
        Tier::from_name(name).map(Tiering::Fixed).ok_or_else(|| {
            let names: Vec<&str> = Tier::ALL.iter().map(|tier| tier.name()).collect();
            let names = names.join(", ");
            Failure::usage(format!("there is no tier `{name}`; there is {names} and {ADAPTIVE}"))
        })
    }
}

/// Takes modules in as the tiers want it: as a whole, or function by function.
///
/// # Safety
/// As that of [`Engine::load_modules_unsafe`].
pub(crate) unsafe fn take_in(
    engine: &Engine,
    modules: &[Module],
    tiering: &Tiering,
) -> Result<(), LoadError> {
    // SAFETY: by the caller's promise.
    unsafe {
        match tiering {
            Tiering::Adaptive(_) => {
                modules.iter().try_for_each(|it| engine.define_module_unsafe(it.clone()))
            }
            _ => engine.load_modules_unsafe(modules),
        }
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
