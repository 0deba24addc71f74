//! The smallest module, the fewest calls and the fewest passes that still fail alike.

use brolga_ir::module::Module;
use brolga_ir::reduce::{Options, Size, kind_of, minimal_list, reduce};
use brolga_lowering::pipeline::Pass;

use super::{called, text_with};

/// What is tried.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) module: Module,
    /// The lines that say what is called.
    pub(super) runs: Vec<String>,
    pub(super) passes: Vec<&'static Pass>,
}

impl Case {
    /// As a file has it.
    pub(super) fn text(&self) -> String {
        text_with(&self.module, &self.runs)
    }

    /// The passes, as `--passes` has them.
    pub(super) fn spelled(&self) -> String {
        self.passes.iter().map(|pass| pass.spelling()).collect::<Vec<_>>().join(",")
    }
}

/// Who says how a case fails, if it does.
type Judge<'a> = dyn FnMut(&Case) -> Option<String> + 'a;

/// The smallest case that fails as this one does, and how; nothing if it does not. `progress`
/// is told what has been found.
pub(super) fn search(
    case: Case,
    tries: usize,
    judge: &mut Judge<'_>,
    progress: &mut dyn FnMut(&str),
) -> Option<(Case, String)> {
    let first = judge(&case)?;
    let (kind, before) = (kind_of(&first), Size::of(&case.module));
    progress(&format!("{} instructions, {first}", before.instructions));
    let (mut tried, mut last) = (0, first);
    let mut shows = |case: &Case| {
        tried += 1;
        let failure = judge(case).filter(|failure| kind_of(failure) == kind);
        failure.is_some_and(|failure| {
            last = failure;
            true
        })
    };
    let mut best = shorten(case, &mut shows, progress);
    let names = called(&best.runs);
    let fixed: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = Options { tries, fixed: &fixed };
    best.module = reduce(&best.module, &options, &mut |module| {
        let candidate = Case { module: module.clone(), ..best.clone() };
        let is_better = shows(&candidate);
        if is_better {
            let Size { instructions, bytes } = Size::of(module);
            progress(&format!("{instructions} instructions, {bytes} bytes"));
        }
        is_better
    });
    let best = shorten(best, &mut shows, progress);
    let behind = Size::of(&best.module);
    progress(&format!(
        "from {} instructions to {}; modules tried: {tried}",
        before.instructions, behind.instructions
    ));
    Some((best, last))
}

/// The case with as few passes and calls as it needs.
fn shorten(
    mut case: Case,
    shows: &mut dyn FnMut(&Case) -> bool,
    progress: &mut dyn FnMut(&str),
) -> Case {
    let (passes, runs) = (case.passes.clone(), case.runs.clone());
    case.passes =
        minimal_list(&passes, &mut |some| shows(&Case { passes: some.to_vec(), ..case.clone() }));
    if case.passes.len() < passes.len() {
        progress(&format!("--passes={}", case.spelled()));
    }
    // Without any line others are called.
    case.runs = minimal_list(&runs, &mut |some| {
        !some.is_empty() && shows(&Case { runs: some.to_vec(), ..case.clone() })
    });
    case
}

#[cfg(test)]
mod tests;
