//! What code is made for: an architecture, a system, a CPU and its features.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::OnceLock;

use target_lexicon::{OperatingSystem, Triple};

use super::{Cpu, Feature, FeatureSet, TargetError};

/// An instruction set that code can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Architecture {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm, little-endian.
    Aarch64,
}

impl Architecture {
    /// Every architecture.
    pub const ALL: &'static [Architecture] = &[Architecture::X86_64, Architecture::Aarch64];

    /// The architecture of this machine, if code can be made for it.
    pub const fn host() -> Option<Architecture> {
        if cfg!(target_arch = "x86_64") {
            Some(Architecture::X86_64)
        } else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
            Some(Architecture::Aarch64)
        } else {
            None
        }
    }

    /// The spelling in triples.
    pub const fn name(self) -> &'static str {
        match self {
            Architecture::X86_64 => "x86_64",
            Architecture::Aarch64 => "aarch64",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An operating system, as far as code depends on it: calling convention and
/// object format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum System {
    /// Linux: System V or AAPCS64, ELF.
    Linux,
    /// macOS: System V or Apple's AAPCS64, Mach-O.
    MacOs,
    /// Windows: Microsoft's conventions, COFF.
    Windows,
}

impl System {
    /// Every system.
    pub const ALL: &'static [System] = &[System::Linux, System::MacOs, System::Windows];

    /// The system of this machine, if code can be made for it.
    pub const fn host() -> Option<System> {
        if cfg!(target_os = "linux") {
            Some(System::Linux)
        } else if cfg!(target_os = "macos") {
            Some(System::MacOs)
        } else if cfg!(windows) {
            Some(System::Windows)
        } else {
            None
        }
    }

    /// The triple of this system on `architecture`.
    pub const fn triple(self, architecture: Architecture) -> &'static str {
        match (architecture, self) {
            (Architecture::X86_64, System::Linux) => "x86_64-unknown-linux-gnu",
            (Architecture::X86_64, System::MacOs) => "x86_64-apple-darwin",
            (Architecture::X86_64, System::Windows) => "x86_64-pc-windows-msvc",
            (Architecture::Aarch64, System::Linux) => "aarch64-unknown-linux-gnu",
            (Architecture::Aarch64, System::MacOs) => "aarch64-apple-darwin",
            (Architecture::Aarch64, System::Windows) => "aarch64-pc-windows-msvc",
        }
    }
}

/// What code is made for.
///
/// In text: `TRIPLE/CPU,+FEATURE,-FEATURE`. The triple may be left out, and is
/// then the host's; the CPU may be left out behind a triple, and is then
/// `generic`; `host` (or `native`) stands for this machine with all it has.
/// [`Display`](fmt::Display) gives the canonical text, which parses back to an
/// equal target.
#[derive(Clone, Copy, Debug)]
pub struct TargetSpec {
    architecture: Architecture,
    system: System,
    cpu: &'static Cpu,
    features: FeatureSet,
}

impl TargetSpec {
    /// The CPU named `cpu` on that system, with the features that all such CPUs have.
    ///
    /// # Errors
    /// [`TargetError::UnknownCpu`].
    pub fn new(
        architecture: Architecture,
        system: System,
        cpu: &str,
    ) -> Result<TargetSpec, TargetError> {
        let cpu = Cpu::from_name(architecture, cpu)?;
        Ok(TargetSpec { architecture, system, cpu, features: cpu.features() })
    }

    /// This machine, with all features that it has and code can profit from.
    ///
    /// # Errors
    /// [`TargetError::UnsupportedHost`] where no code can be made for it.
    pub fn host() -> Result<TargetSpec, TargetError> {
        // Asking the processor takes longer than all else that an engine begins with.
        static HOST: OnceLock<TargetSpec> = OnceLock::new();
        if let Some(&known) = HOST.get() {
            return Ok(known);
        }
        TargetSpec::detect().map(|found| *HOST.get_or_init(|| found))
    }

    fn detect() -> Result<TargetSpec, TargetError> {
        let (architecture, system) = host_platform()?;
        let mut spec = TargetSpec::new(architecture, system, "generic")?;
        for feature in super::host::detect_features(architecture)?.iter() {
            spec.features.insert(feature);
        }
        Ok(spec)
    }

    /// Reads one target; see the type for the grammar.
    ///
    /// # Errors
    /// Any of [`TargetError`] but those about lists.
    pub fn parse(text: &str) -> Result<TargetSpec, TargetError> {
        let mut words = text.trim().split(',').map(str::trim);
        let mut spec = TargetSpec::parse_name(words.next().unwrap_or(""))?;
        for word in words {
            if !spec.apply_feature(word)? {
                let architecture = spec.architecture();
                return Err(TargetError::NotFeature { word: word.to_owned(), architecture });
            }
        }
        Ok(spec)
    }

    /// Reads the part before the first comma: `TRIPLE/CPU`, `TRIPLE` or `CPU`.
    pub(super) fn parse_name(name: &str) -> Result<TargetSpec, TargetError> {
        if let Some((triple, cpu)) = name.split_once('/') {
            let (architecture, system) = parse_triple(triple)?;
            return TargetSpec::new(architecture, system, cpu);
        }
        match name {
            "" => return Err(TargetError::Empty),
            "host" | "native" => return TargetSpec::host(),
            _ => {}
        }
        if let Ok((architecture, system)) = parse_triple(name) {
            return TargetSpec::new(architecture, system, "generic");
        }
        let (architecture, system) = host_platform()?;
        TargetSpec::new(architecture, system, name)
    }

    /// Applies `+feature`, `-feature` or a bare `feature`; false if `word` is
    /// none of these.
    pub(super) fn apply_feature(&mut self, word: &str) -> Result<bool, TargetError> {
        if let Some(name) = word.strip_prefix('+') {
            self.features.insert(Feature::from_name(self.architecture, name)?);
        } else if let Some(name) = word.strip_prefix('-') {
            self.remove(Feature::from_name(self.architecture, name)?)?;
        } else if let Ok(feature) = Feature::from_name(self.architecture, word) {
            self.features.insert(feature);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn remove(&mut self, feature: Feature) -> Result<(), TargetError> {
        if feature.is_baseline() {
            let architecture = self.architecture;
            return Err(TargetError::RequiredFeature { name: feature.name(), architecture });
        }
        self.features.remove(feature);
        Ok(())
    }

    /// The same target with `feature` and all that it implies; unchanged if the
    /// feature is of another architecture.
    #[must_use]
    pub fn with_feature(mut self, feature: Feature) -> TargetSpec {
        if feature.architecture() == self.architecture {
            self.features.insert(feature);
        }
        self
    }

    /// The instruction set.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The operating system.
    pub const fn system(&self) -> System {
        self.system
    }

    /// The CPU that it was named after.
    pub const fn cpu(&self) -> &'static Cpu {
        self.cpu
    }

    /// All features, those of the CPU included.
    pub const fn features(&self) -> FeatureSet {
        self.features
    }

    /// Whether the target has `feature`.
    pub const fn has(&self, feature: Feature) -> bool {
        self.features.contains(feature)
    }

    /// The triple, in the one spelling that is used for this platform.
    pub const fn triple(&self) -> &'static str {
        self.system.triple(self.architecture)
    }

    /// Whether code made for this target runs on `machine`: the same platform,
    /// with each feature that code was made with.
    pub fn runs_on(&self, machine: &TargetSpec) -> bool {
        self.architecture == machine.architecture
            && self.system == machine.system
            && machine.features.contains_all(self.features.in_code())
    }
}

impl PartialEq for TargetSpec {
    fn eq(&self, other: &TargetSpec) -> bool {
        self.architecture == other.architecture
            && self.system == other.system
            && self.cpu.name() == other.cpu.name()
            && self.features == other.features
    }
}

impl Eq for TargetSpec {}

impl Hash for TargetSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.architecture, self.system, self.cpu.name(), self.features).hash(state);
    }
}

impl FromStr for TargetSpec {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<TargetSpec, TargetError> {
        TargetSpec::parse(text)
    }
}

impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.triple(), self.cpu.name())?;
        let named = self.cpu.features();
        for feature in self.features.difference(named).iter() {
            write!(f, ",+{}", feature.name())?;
        }
        for feature in named.difference(self.features).iter() {
            write!(f, ",-{}", feature.name())?;
        }
        Ok(())
    }
}

fn host_platform() -> Result<(Architecture, System), TargetError> {
    Architecture::host().zip(System::host()).ok_or_else(|| TargetError::UnsupportedHost {
        reason: format!("{} on {}", std::env::consts::ARCH, std::env::consts::OS),
    })
}

fn parse_triple(text: &str) -> Result<(Architecture, System), TargetError> {
    let unknown = || TargetError::UnknownTriple { triple: text.to_owned() };
    let triple = Triple::from_str(text).map_err(|_| unknown())?;
    let architecture = match triple.architecture {
        target_lexicon::Architecture::X86_64 => Architecture::X86_64,
        target_lexicon::Architecture::Aarch64(target_lexicon::Aarch64Architecture::Aarch64) => {
            Architecture::Aarch64
        }
        _ => return Err(unknown()),
    };
    let system = match triple.operating_system {
        OperatingSystem::Linux => System::Linux,
        OperatingSystem::Darwin(_) | OperatingSystem::MacOSX(_) => System::MacOs,
        OperatingSystem::Windows => System::Windows,
        _ => return Err(unknown()),
    };
    Ok((architecture, system))
}
