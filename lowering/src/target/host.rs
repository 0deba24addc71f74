//! What this machine's CPU has, as far as code can profit from it.

use cranelift_codegen::settings;

use super::{Architecture, Feature, FeatureSet, TargetError};

/// Asks the CPU; only features with a back-end flag are looked for.
pub(super) fn detect_features(architecture: Architecture) -> Result<FeatureSet, TargetError> {
    let unsupported = |reason: String| TargetError::UnsupportedHost { reason };
    let isa = cranelift_native::builder()
        .map_err(|reason| unsupported(reason.to_owned()))?
        .finish(settings::Flags::new(settings::builder()))
        .map_err(|error| unsupported(error.to_string()))?;
    let flags = isa.isa_flags();
    let has = |feature: &Feature| {
        feature.flag().is_some_and(|name| {
            flags.iter().any(|flag| flag.name == name && flag.as_bool() == Some(true))
        })
    };
    // A hypervisor may hide a feature that a visible one implies; then the
    // visible one cannot be used either.
    let seen: Vec<Feature> = Feature::of(architecture).filter(has).collect();
    let usable = |feature: &Feature| {
        let needed: FeatureSet = [*feature].into_iter().collect();
        needed.in_code().iter().all(|it| seen.contains(&it))
    };
    Ok(seen.iter().copied().filter(usable).collect())
}
