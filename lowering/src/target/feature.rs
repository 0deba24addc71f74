//! The features of a CPU that a target may name, one row per feature, and
//! sets of them.
//!
//! Spellings are LLVM's, which are also those of Julia's target strings. Only
//! features with a back-end flag change the code that is made; the others are
//! known so that the target strings in use are understood, and so that a typing
//! error is told from a feature that merely makes no difference.

use super::{Architecture, TargetError};

macro_rules! features {
    ($($architecture:ident {$(
        $name:ident $text:literal $([flag $flag:literal])? $([implies $($implied:ident)*])?;
    )*})*) => {
        /// A feature of a CPU.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Feature { $($(#[doc = concat!("`", $text, "`")] $name,)*)* }

        impl Feature {
            /// Every feature, in table order.
            pub const ALL: &'static [Feature] = &[$($(Feature::$name,)*)*];

            /// The spelling in target strings.
            pub const fn name(self) -> &'static str {
                match self { $($(Feature::$name => $text,)*)* }
            }

            /// The architecture whose CPUs may have it.
            pub const fn architecture(self) -> Architecture {
                match self { $($(Feature::$name => Architecture::$architecture,)*)* }
            }

            /// The back end's flag, for a feature that changes the code.
            pub(crate) const fn flag(self) -> Option<&'static str> {
                let flag: &[&str] = match self { $($(Feature::$name => &[$($flag)?],)*)* };
                if flag.is_empty() { None } else { Some(flag[0]) }
            }

            /// The features that it cannot be without, directly.
            pub const fn implied(self) -> &'static [Feature] {
                match self { $($(Feature::$name => &[$($(Feature::$implied,)*)?],)*)* }
            }
        }
    };
}

features! {
X86_64 {
    Sse2 "sse2";
    Sse3 "sse3" [flag "has_sse3"];
    Ssse3 "ssse3" [flag "has_ssse3"] [implies Sse3];
    Sse41 "sse4.1" [flag "has_sse41"] [implies Ssse3];
    Sse42 "sse4.2" [flag "has_sse42"] [implies Sse41];
    Sse4a "sse4a" [implies Sse3];
    Cx16 "cx16" [flag "has_cmpxchg16b"];
    Popcnt "popcnt" [flag "has_popcnt"];
    Lzcnt "lzcnt" [flag "has_lzcnt"];
    Bmi "bmi" [flag "has_bmi1"];
    Bmi2 "bmi2" [flag "has_bmi2"];
    Avx "avx" [flag "has_avx"] [implies Sse42];
    Avx2 "avx2" [flag "has_avx2"] [implies Avx];
    Fma "fma" [flag "has_fma"] [implies Avx];
    F16c "f16c" [implies Avx];
    AvxVnni "avxvnni" [flag "has_avx_vnni"] [implies Avx2];
    Avx512f "avx512f" [flag "has_avx512f"] [implies Avx2 Fma F16c];
    Avx512dq "avx512dq" [flag "has_avx512dq"] [implies Avx512f];
    Avx512vl "avx512vl" [flag "has_avx512vl"] [implies Avx512f];
    Avx512bw "avx512bw" [implies Avx512f];
    Avx512cd "avx512cd" [implies Avx512f];
    Avx512ifma "avx512ifma" [implies Avx512f];
    Avx512vbmi "avx512vbmi" [flag "has_avx512vbmi"] [implies Avx512bw];
    Avx512vbmi2 "avx512vbmi2" [implies Avx512bw];
    Avx512vnni "avx512vnni" [flag "has_avx512vnni"] [implies Avx512f];
    Avx512bitalg "avx512bitalg" [flag "has_avx512bitalg"] [implies Avx512bw];
    Avx512vpopcntdq "avx512vpopcntdq" [implies Avx512f];
    Avx512bf16 "avx512bf16" [implies Avx512bw];
    Avx512fp16 "avx512fp16" [implies Avx512bw Avx512dq Avx512vl];
    Avx512vp2intersect "avx512vp2intersect" [implies Avx512f];
    AmxTile "amx-tile";
    AmxInt8 "amx-int8" [implies AmxTile];
    AmxBf16 "amx-bf16" [implies AmxTile];
    X86Aes "aes";
    Vaes "vaes" [implies X86Aes Avx];
    Pclmul "pclmul";
    Vpclmulqdq "vpclmulqdq" [implies Pclmul Avx];
    Gfni "gfni";
    Sha "sha";
    Crc32 "crc32";
    Adx "adx";
    Movbe "movbe";
    Sahf "sahf";
    Rdrnd "rdrnd";
    Rdseed "rdseed";
    Rdpid "rdpid";
    Rdpru "rdpru";
    Xsave "xsave";
    Xsavec "xsavec" [implies Xsave];
    Xsaveopt "xsaveopt" [implies Xsave];
    Xsaves "xsaves" [implies Xsave];
    Fsgsbase "fsgsbase";
    Invpcid "invpcid";
    Prfchw "prfchw";
    Clflushopt "clflushopt";
    Clwb "clwb";
    Clzero "clzero";
    Cldemote "cldemote";
    Mwaitx "mwaitx";
    Movdiri "movdiri";
    Movdir64b "movdir64b";
    Pku "pku";
    Pconfig "pconfig";
    Ptwrite "ptwrite";
    Serialize "serialize";
    Shstk "shstk";
    Tsxldtrk "tsxldtrk";
    Uintr "uintr";
    Waitpkg "waitpkg";
    Wbnoinvd "wbnoinvd";
    Enqcmd "enqcmd";
    Fma4 "fma4" [implies Avx Sse4a];
    Xop "xop" [implies Fma4];
    Lwp "lwp";
    Tbm "tbm";
}
Aarch64 {
    Neon "neon";
    Lse "lse" [flag "has_lse"];
    Pauth "pauth" [flag "has_pauth"];
    Fullfp16 "fullfp16" [flag "has_fp16"];
    Dotprod "dotprod" [flag "has_dotprod"];
    I8mm "i8mm" [flag "has_i8mm"];
    Bf16 "bf16";
    Fp16fml "fp16fml" [implies Fullfp16];
    Crc "crc";
    ArmAes "aes";
    Sha2 "sha2";
    Sha3 "sha3" [implies Sha2];
    Sm4 "sm4";
    Rdm "rdm";
    Rcpc "rcpc";
    RcpcImmo "rcpc-immo" [implies Rcpc];
    Jsconv "jsconv";
    Complxnum "complxnum";
    Ccpp "ccpp";
    Ccdp "ccdp";
    Ssbs "ssbs";
    Sb "sb";
    Predres "predres";
    Flagm "flagm";
    Altnzcv "altnzcv";
    Fptoint "fptoint";
    Bti "bti";
    Mte "mte";
    Rand "rand";
    Sve "sve" [implies Fullfp16];
    Sve2 "sve2" [implies Sve];
}
}

impl Feature {
    /// The feature of `architecture` that `name` spells.
    ///
    /// # Errors
    /// [`TargetError::UnknownFeature`], which lists the known ones.
    pub fn from_name(architecture: Architecture, name: &str) -> Result<Feature, TargetError> {
        Feature::of(architecture)
            .find(|feature| feature.name() == name)
            .ok_or_else(|| TargetError::UnknownFeature { name: name.to_owned(), architecture })
    }

    /// The features that CPUs of `architecture` may have, in table order.
    pub fn of(architecture: Architecture) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |feature| feature.architecture() == architecture)
    }

    /// Whether every CPU of its architecture has it, so that it cannot be taken away.
    pub const fn is_baseline(self) -> bool {
        matches!(self, Feature::Sse2 | Feature::Neon)
    }
}

/// A set of features, always closed: with a feature it holds all that are implied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FeatureSet(u128);

impl FeatureSet {
    /// No feature.
    pub const EMPTY: FeatureSet = FeatureSet(0);

    const fn bit(feature: Feature) -> u128 {
        1 << feature as u32
    }

    /// What every CPU of `architecture` has.
    pub fn baseline(architecture: Architecture) -> FeatureSet {
        let mut set = FeatureSet::EMPTY;
        for feature in Feature::of(architecture).filter(|feature| feature.is_baseline()) {
            set.insert(feature);
        }
        set
    }

    /// Whether `feature` is in the set.
    pub const fn contains(self, feature: Feature) -> bool {
        self.0 & FeatureSet::bit(feature) != 0
    }

    /// Whether each feature of `other` is in the set.
    pub const fn contains_all(self, other: FeatureSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Puts in `feature` and all that it implies.
    pub fn insert(&mut self, feature: Feature) {
        self.0 |= FeatureSet::bit(feature);
        for &implied in feature.implied() {
            self.insert(implied);
        }
    }

    /// Takes out `feature` and all that imply it.
    pub fn remove(&mut self, feature: Feature) {
        self.0 &= !FeatureSet::bit(feature);
        for &other in Feature::ALL {
            if self.contains(other) && other.implied().contains(&feature) {
                self.remove(other);
            }
        }
    }

    /// The features, in table order.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |&feature| self.contains(feature))
    }

    /// The features that change the code which is made.
    pub fn in_code(self) -> FeatureSet {
        let mut set = FeatureSet::EMPTY;
        for feature in self.iter().filter(|feature| feature.flag().is_some()) {
            set.0 |= FeatureSet::bit(feature);
        }
        set
    }

    /// The features of this set that `other` lacks.
    pub const fn difference(self, other: FeatureSet) -> FeatureSet {
        FeatureSet(self.0 & !other.0)
    }
}

impl FromIterator<Feature> for FeatureSet {
    fn from_iter<I: IntoIterator<Item = Feature>>(features: I) -> FeatureSet {
        let mut set = FeatureSet::EMPTY;
        for feature in features {
            set.insert(feature);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_feature() {
        for &feature in Feature::ALL {
            let found = Feature::from_name(feature.architecture(), feature.name());
            assert_eq!(found, Ok(feature));
        }
    }

    #[test]
    fn the_set_has_a_bit_for_every_feature() {
        assert!(Feature::ALL.len() <= 128);
        let all: FeatureSet = Feature::ALL.iter().copied().collect();
        assert_eq!(all.iter().count(), Feature::ALL.len());
    }

    #[test]
    fn inserting_brings_the_implied_and_removing_takes_the_dependent() {
        let mut set = FeatureSet::EMPTY;
        set.insert(Feature::Avx512vbmi);
        assert!(set.contains(Feature::Fma) && set.contains(Feature::Sse3));
        set.remove(Feature::Avx);
        assert!(!set.contains(Feature::Avx512vbmi) && !set.contains(Feature::F16c));
        assert!(set.contains(Feature::Sse42));
    }

    #[test]
    fn implied_features_are_of_the_same_architecture() {
        for feature in Feature::ALL {
            for implied in feature.implied() {
                assert_eq!(implied.architecture(), feature.architecture());
            }
        }
    }
}
