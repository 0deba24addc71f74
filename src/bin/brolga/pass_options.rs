//! Which passes run: those of a level, or a list.

use brolga_lowering::pipeline::{Level, Pass, PassList, parse_pipeline, passes_at};
use clap::Args;

use crate::failure::Failure;
use crate::level::level_of_digit;

#[derive(Args, Debug)]
pub(crate) struct PassOptions {
    /// Run the passes of a level: 0, 1, 2 or 3
    #[arg(short = 'O', value_name = "LEVEL", conflicts_with = "passes")]
    level: Option<String>,
    /// Run these passes in this order: names with commas between, `NAME(OPTION)` where a
    /// pass has options, `O0` to `O3` for those of a level; nothing for none
    #[arg(long, value_name = "LIST")]
    passes: Option<String>,
}

/// Passes, and how somebody asked for them.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) passes: Vec<&'static Pass>,
    /// The level of the back end behind them.
    pub(crate) level: Level,
    /// As it was said: `-O2`, or `--passes=LIST`.
    pub(crate) said: String,
}

impl PassOptions {
    /// What is to run; nothing if nothing was said.
    pub(crate) fn wanted(&self) -> Result<Option<Wanted>, Failure> {
        if let Some(list) = &self.passes {
            let said = format!("--passes={list}");
            let passes = parse_pipeline(list)
                .map_err(|error| Failure::usage(format_args!("`{said}`: {error}")))?;
            return Ok(Some(Wanted { passes, level: Level::default(), said }));
        }
        let Some(digit) = &self.level else { return Ok(None) };
        Ok(Some(Wanted::of(level_of_digit(digit)?)))
    }
}

impl Wanted {
    /// Those of a list, which the environment has.
    pub(crate) fn listed(list: &PassList) -> Wanted {
        let (passes, level) = (list.passes().to_vec(), Level::default());
        Wanted { passes, level, said: format!("--passes={list}") }
    }

    /// Those of a level.
    pub(crate) fn of(level: Level) -> Wanted {
        Wanted { passes: passes_at(level), level, said: format!("-O{}", level.digit()) }
    }
}
