//! What can be wrong with a target.

use super::{Architecture, Cpu, Feature, System};

/// Why a target was refused. The message names the offending word and lists
/// what could have stood there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A target list without a target, or an empty target in it.
    #[error("an empty target; write a CPU such as `x86-64-v3`, a triple, or `host`")]
    Empty,
    /// Neither a known triple nor a known CPU.
    #[error("unknown target triple `{triple}`; known: {}", known_triples())]
    UnknownTriple {
        /// What was given.
        triple: String,
    },
    /// A CPU that the architecture has no row for.
    #[error(
        "unknown CPU `{name}` for {architecture}; known: {}{}",
        known_cpus(*architecture),
        elsewhere(*architecture, name)
    )]
    UnknownCpu {
        /// What was given.
        name: String,
        /// The architecture that it was looked up for.
        architecture: Architecture,
    },
    /// A feature that the architecture has no row for.
    #[error("unknown feature `{name}` for {architecture}; known: {}", known_features(*architecture))]
    UnknownFeature {
        /// What was given.
        name: String,
        /// The architecture that it was looked up for.
        architecture: Architecture,
    },
    /// A word behind a target that neither adds nor takes away a feature.
    #[error(
        "`{word}` is no feature; write `+FEATURE` or `-FEATURE`, of: {}",
        known_features(*architecture)
    )]
    NotFeature {
        /// What was given.
        word: String,
        /// The architecture of the target.
        architecture: Architecture,
    },
    /// A feature that every CPU of the architecture has.
    #[error("`{name}` cannot be taken away: every {architecture} CPU has it")]
    RequiredFeature {
        /// The feature's name.
        name: &'static str,
        /// Its architecture.
        architecture: Architecture,
    },
    /// A word of a target list that is no flag where a flag must stand.
    #[error(
        "unknown flag `{flag}`; known: +FEATURE, -FEATURE, clone_all, -clone_all, opt_size, \
         min_size, base(N)"
    )]
    UnknownFlag {
        /// What was given.
        flag: String,
    },
    /// A `base(N)` that does not name an earlier target.
    #[error("`{flag}` in target {index}: the base must be the number of an earlier target")]
    BadBase {
        /// The flag as written.
        flag: String,
        /// The index of the target that carries it, from 0.
        index: usize,
    },
    /// This machine is none that code can be made for.
    #[error("no code can be made for this machine ({reason}); the interpreter still runs")]
    UnsupportedHost {
        /// What is missing.
        reason: String,
    },
    /// The back end refused the settings; a defect of ours.
    #[error("the back end refused the target `{target}`: {reason}")]
    Refused {
        /// The target, in canonical text.
        target: String,
        /// What the back end said.
        reason: String,
    },
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn known_triples() -> String {
    join(
        Architecture::ALL
            .iter()
            .flat_map(|architecture| System::ALL.iter().map(|system| system.triple(*architecture))),
    )
}

fn known_cpus(architecture: Architecture) -> String {
    join(Cpu::of(architecture).map(Cpu::name))
}

fn known_features(architecture: Architecture) -> String {
    join(Feature::of(architecture).map(Feature::name))
}

/// The way out when the CPU exists, but of another architecture.
fn elsewhere(architecture: Architecture, name: &str) -> String {
    let other = Architecture::ALL
        .iter()
        .copied()
        .find(|&other| other != architecture && Cpu::from_name(other, name).is_ok());
    other.map_or_else(String::new, |other| {
        format!("; `{name}` is of {other}: write `{}/{name}`", System::Linux.triple(other))
    })
}
