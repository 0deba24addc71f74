//! Levels: how hard code is worked on.

/// How hard code is worked on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Only what emission needs: the fastest compile.
    O0,
    /// What pays for itself at once.
    O1,
    /// What makes most code fast.
    #[default]
    O2,
    /// Whatever may help.
    O3,
}

impl Level {
    /// Every level, the lowest first.
    pub const ALL: &'static [Level] = &[Level::O0, Level::O1, Level::O2, Level::O3];

    /// The spelling in textual pipelines.
    pub const fn name(self) -> &'static str {
        match self {
            Level::O0 => "O0",
            Level::O1 => "O1",
            Level::O2 => "O2",
            Level::O3 => "O3",
        }
    }

    /// The level that `name` spells.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.iter().copied().find(|level| level.name() == name)
    }

    /// The spelling behind an option `-O`.
    pub fn digit(self) -> &'static str {
        self.name().trim_start_matches('O')
    }

    /// How the back end works behind the passes of the level. Measured on the 52 kernels of
    /// the suite, as SSA, against LLVM at `-O2` in the same run (x86-64, vectors of 512 bits):
    /// how long code takes, and how long compiling it.
    ///
    /// | level | quick | plain | rewriting |
    /// |---|---|---|---|
    /// | `O0` | **5.95, 0.027** | 3.58, 0.037 | 3.53, 0.045 |
    /// | `O1` | 4.11, 0.035 | **2.15, 0.043** | 2.17, 0.047 |
    /// | `O2` | 2.37, 0.087 | **1.15, 0.093** | 1.16, 0.101 |
    /// | `O3` | 2.38, 0.085 | 1.16, 0.094 | **1.14, 0.099** |
    ///
    /// `O0` is for the fastest compile. Behind our passes rewriting wins next to nothing, and
    /// takes a twelfth more time: `O3` has it, as single kernels are up to 1.2 times as fast
    /// either way. It makes one load of those that legalising has made equal, and leaves in
    /// loops what plain code computes before them.
    pub const fn back_end(self) -> BackEnd {
        match self {
            Level::O0 => BackEnd::Quick,
            Level::O1 | Level::O2 => BackEnd::Plain,
            Level::O3 => BackEnd::Rewriting,
        }
    }
}

/// How the back end makes machine code of a function: those of its ways that are worth
/// having.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BackEnd {
    /// It selects instructions, and assigns registers in one pass: linear time whatever the
    /// function; code several times as slow.
    Quick,
    /// It selects instructions, and assigns registers well, in time quadratic in long live
    /// ranges times blocks.
    Plain,
    /// As [`Plain`](BackEnd::Plain), behind its own value numbering, rewriting and load
    /// forwarding.
    Rewriting,
}

impl BackEnd {
    /// Every way.
    pub const ALL: &'static [BackEnd] = &[BackEnd::Quick, BackEnd::Plain, BackEnd::Rewriting];

    /// Its spelling.
    pub const fn name(self) -> &'static str {
        match self {
            BackEnd::Quick => "quick",
            BackEnd::Plain => "plain",
            BackEnd::Rewriting => "rewriting",
        }
    }
}
