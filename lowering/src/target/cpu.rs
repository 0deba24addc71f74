//! The CPUs that a target may name, one row per CPU.
//!
//! The lists are ours. Cranelift has presets of the same names, but those of
//! `x86-64-v3`, `x86-64-v4`, `znver1` and others lack AVX, which turns `fma`
//! into a library call and all vector code into the two-operand form.

use super::{Architecture, Feature, FeatureSet, TargetError};

macro_rules! cpus {
    ($($architecture:ident {$(
        $name:literal $(: $base:literal)? [$($feature:ident)*];
    )*})*) => {
        static ROWS: &[Cpu] = &[$($(Cpu {
            name: $name,
            architecture: Architecture::$architecture,
            base: { let base: &[&str] = &[$($base)?]; base },
            added: &[$(Feature::$feature,)*],
        },)*)*];
    };
}

/// A named CPU.
#[derive(Debug)]
pub struct Cpu {
    name: &'static str,
    architecture: Architecture,
    base: &'static [&'static str],
    added: &'static [Feature],
}

cpus! {
X86_64 {
    "generic" [];
    "x86-64" [];
    "x86-64-v2" : "x86-64" [Cx16 Sahf Popcnt Sse42];
    "x86-64-v3" : "x86-64-v2" [Avx2 Bmi Bmi2 F16c Fma Lzcnt Movbe Xsave];
    "x86-64-v4" : "x86-64-v3" [Avx512f Avx512bw Avx512cd Avx512dq Avx512vl];

    "core2" : "x86-64" [Cx16 Sahf Ssse3];
    "nehalem" : "x86-64-v2" [Crc32];
    "westmere" : "nehalem" [Pclmul];
    "sandybridge" : "westmere" [Avx Xsave Xsaveopt];
    "ivybridge" : "sandybridge" [F16c Fsgsbase Rdrnd];
    "haswell" : "ivybridge" [Avx2 Bmi Bmi2 Fma Invpcid Lzcnt Movbe];
    "broadwell" : "haswell" [Adx Prfchw Rdseed];
    "skylake" : "broadwell" [X86Aes Clflushopt Xsavec Xsaves];
    "skylake-avx512" : "skylake"
        [Avx512f Avx512bw Avx512cd Avx512dq Avx512vl Clwb Pku];
    "cascadelake" : "skylake-avx512" [Avx512vnni];
    "cooperlake" : "cascadelake" [Avx512bf16];
    "icelake-client" : "skylake-avx512"
        [Avx512ifma Avx512vbmi Avx512vbmi2 Avx512vnni Avx512bitalg Avx512vpopcntdq Gfni Rdpid
         Sha Vaes Vpclmulqdq];
    "icelake-server" : "icelake-client" [Pconfig Wbnoinvd];
    "tigerlake" : "icelake-client"
        [Avx512vp2intersect Movdiri Movdir64b Shstk];
    "alderlake" : "skylake"
        [AvxVnni Cldemote Gfni Movdiri Movdir64b Pku Ptwrite Rdpid Serialize Sha Shstk Vaes
         Vpclmulqdq Waitpkg Clwb];
    "sapphirerapids" : "icelake-server"
        [AmxTile AmxInt8 AmxBf16 AvxVnni Avx512bf16 Avx512fp16 Cldemote Enqcmd Movdiri Movdir64b
         Ptwrite Serialize Shstk Tsxldtrk Uintr Waitpkg];

    "znver1" : "x86-64-v3"
        [Adx X86Aes Clflushopt Clzero Crc32 Fsgsbase Mwaitx Pclmul Prfchw Rdrnd Rdseed Sha Sse4a
         Xsavec Xsaveopt Xsaves];
    "znver2" : "znver1" [Clwb Rdpid Rdpru Wbnoinvd];
    "znver3" : "znver2" [Invpcid Pku Shstk Vaes Vpclmulqdq];
    "znver4" : "znver3"
        [Avx512f Avx512bf16 Avx512bitalg Avx512bw Avx512cd Avx512dq Avx512ifma Avx512vbmi
         Avx512vbmi2 Avx512vl Avx512vnni Avx512vpopcntdq Gfni];
    "znver5" : "znver4" [AvxVnni Avx512vp2intersect Movdiri Movdir64b];
}
Aarch64 {
    "generic" [];
    "cortex-a72" [Crc ArmAes Sha2];
    "neoverse-n1" [Crc ArmAes Sha2 Dotprod Fullfp16 Lse Rcpc Rdm Ssbs];
    "neoverse-v1" : "neoverse-n1"
        [Altnzcv Bf16 Ccdp Ccpp Complxnum Flagm Fp16fml Fptoint I8mm Jsconv Pauth Rand RcpcImmo
         Sha3 Sm4 Sve];
    "neoverse-n2" : "neoverse-n1"
        [Altnzcv Bf16 Bti Ccdp Ccpp Complxnum Flagm Fp16fml Fptoint I8mm Jsconv Mte Pauth
         Predres RcpcImmo Sb Sve2];
    "neoverse-v2" : "neoverse-n2" [Rand];
    "apple-m1"
        [Altnzcv ArmAes Ccdp Ccpp Complxnum Crc Dotprod Flagm Fp16fml Fptoint Fullfp16 Jsconv Lse
         Pauth Predres Rcpc RcpcImmo Rdm Sb Sha2 Sha3 Ssbs];
    "apple-m2" : "apple-m1" [Bf16 Bti I8mm];
    "apple-m3" : "apple-m2" [];
}
}

impl Cpu {
    /// The CPU of `architecture` that `name` spells.
    ///
    /// # Errors
    /// [`TargetError::UnknownCpu`], which lists the known ones.
    pub fn from_name(architecture: Architecture, name: &str) -> Result<&'static Cpu, TargetError> {
        Cpu::of(architecture)
            .find(|cpu| cpu.name == name)
            .ok_or_else(|| TargetError::UnknownCpu { name: name.to_owned(), architecture })
    }

    /// The CPUs of `architecture`, in table order.
    pub fn of(architecture: Architecture) -> impl Iterator<Item = &'static Cpu> {
        ROWS.iter().filter(move |cpu| cpu.architecture == architecture)
    }

    /// The spelling in target strings.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What every CPU of that name has.
    pub fn features(&self) -> FeatureSet {
        let mut set = self
            .base
            .iter()
            .find_map(|base| Cpu::from_name(self.architecture, base).ok())
            .map_or_else(|| FeatureSet::baseline(self.architecture), Cpu::features);
        for &feature in self.added {
            set.insert(feature);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_is_a_row_before_its_extension() {
        for (index, cpu) in ROWS.iter().enumerate() {
            for base in cpu.base {
                let before = ROWS[..index]
                    .iter()
                    .find(|row| row.name == *base && row.architecture == cpu.architecture);
                assert!(before.is_some(), "{} extends {base}", cpu.name);
            }
        }
    }

    #[test]
    fn names_are_unique_within_an_architecture() {
        for cpu in ROWS {
            assert_eq!(Cpu::of(cpu.architecture).filter(|row| row.name == cpu.name).count(), 1);
        }
    }

    #[test]
    fn rows_hold_features_of_their_own_architecture() {
        for cpu in ROWS {
            assert!(cpu.features().iter().all(|it| it.architecture() == cpu.architecture));
        }
    }

    #[test]
    fn every_cpu_since_haswell_has_avx_and_fma() {
        for name in ["x86-64-v3", "haswell", "skylake", "alderlake", "znver1", "znver5"] {
            let features = Cpu::from_name(Architecture::X86_64, name).unwrap().features();
            assert!(features.contains(Feature::Avx) && features.contains(Feature::Fma), "{name}");
        }
    }
}
