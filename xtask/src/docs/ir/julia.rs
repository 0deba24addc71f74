//! The chapter of Julia's intrinsics.

use std::collections::BTreeMap;

use crate::julia::{EXPANSIONS, ops_by_intrinsic};

/// The chapter: each intrinsic with its ops or its expansion, by name.
pub(super) fn chapter() -> String {
    let links = ops_by_intrinsic().into_iter().map(|(intrinsic, ops)| {
        let links: Vec<String> = ops.into_iter().map(super::link).collect();
        (intrinsic, links.join(", "))
    });
    let expansions = EXPANSIONS.iter().map(|(intrinsic, text)| (*intrinsic, (*text).to_owned()));
    let index: BTreeMap<&str, String> = expansions.chain(links).collect();
    let mut chapter = "## Julia's intrinsics\n\n| intrinsic | is |\n|---|---|\n".to_owned();
    for (intrinsic, meaning) in index {
        chapter.push_str(&format!("| `{intrinsic}` | {meaning} |\n"));
    }
    chapter
}
