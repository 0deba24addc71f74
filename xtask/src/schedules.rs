//! `cargo xtask schedules`: the primitives of `lifecycle/` under explorers of schedules, and
//! with faults built in that these must find.

use std::collections::BTreeSet;

use crate::repository::{self, Repository};

/// Where the primitives stand.
const FOLDER: &str = "lifecycle/src/";

/// By what names of faults follow in the sources.
const MARKS: [&str; 3] =
    ["is_mutated(\"", "ordering(Ordering::Release, \"", "ordering(Ordering::Acquire, \""];

/// What tries schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Explorer {
    /// Orderings of memory, of a few words.
    Loom,
    /// Whole scenarios.
    Shuttle,
}

impl Explorer {
    const ALL: [Explorer; 2] = [Explorer::Loom, Explorer::Shuttle];

    const fn name(self) -> &'static str {
        match self {
            Explorer::Loom => "loom",
            Explorer::Shuttle => "shuttle",
        }
    }

    /// The one that must find a fault, by the module that the fault is in.
    fn of_mutation(name: &str) -> Explorer {
        match name.split('-').next() {
            Some("instance" | "epoch" | "holders") => Explorer::Loom,
            _ => Explorer::Shuttle,
        }
    }

    /// Runs its tests; gives what they print, and whether they all passed.
    fn run(self, mutation: &str) -> Result<(bool, String), String> {
        let output = repository::cargo("test")
            .current_dir(repository::root())
            .args(["--quiet", "--release", "--package=brolga-lifecycle", "--lib"])
            .arg(format!("--target-dir=target/schedules/{}", self.name()))
            .env("RUSTFLAGS", format!("--cfg {}", self.name()))
            .env("BROLGA_MUTATION", mutation)
            .output()
            .map_err(|error| format!("cargo cannot be run: {error}\n"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // Tests that could not be built have found nothing.
        let told = text.lines().any(|line| line.starts_with("test result:"));
        if told {
            Ok((output.status.success(), text))
        } else {
            let why = String::from_utf8_lossy(&output.stderr);
            Err(format!("the tests under {} did not run\n{text}{why}", self.name()))
        }
    }
}

/// Runs all tests as they are.
pub(crate) fn check() -> Result<(), String> {
    for explorer in Explorer::ALL {
        let (passed, text) = explorer.run("")?;
        print!("{}:\n{text}", explorer.name());
        if !passed {
            return Err(format!("a test under {} failed\n", explorer.name()));
        }
    }
    Ok(())
}

/// Builds one fault after the other in: each must make a test fail.
pub(crate) fn check_mutations(repository: &Repository) -> Result<(), String> {
    let mut unfound = String::new();
    for name in mutations(repository) {
        let explorer = Explorer::of_mutation(&name);
        let (passed, text) = explorer.run(&name)?;
        if passed {
            unfound += &format!("{name}: no test under {} fails\n", explorer.name());
            continue;
        }
        let failures = text.lines().skip_while(|line| *line != "failures:");
        let found: BTreeSet<&str> =
            failures.filter(|line| line.starts_with("    tests::")).map(str::trim).collect();
        println!("{name}, found by {}:", explorer.name());
        found.iter().for_each(|test| println!("    {test}"));
    }
    if unfound.is_empty() { Ok(()) } else { Err(unfound) }
}

/// The faults that the sources name.
fn mutations(repository: &Repository) -> BTreeSet<String> {
    let sources = repository.with_extension("rs").filter(|file| file.path.starts_with(FOLDER));
    sources.flat_map(|file| names_in(&file.text)).collect()
}

fn names_in(text: &str) -> Vec<String> {
    let names = MARKS.iter().flat_map(|mark| text.split(mark).skip(1));
    names.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_those_that_the_sources_name() {
        let text = "if is_mutated(\"a-b\") { x.store(1, ordering(Ordering::Release, \"c-d\")) }";
        assert_eq!(names_in(text), ["a-b", "c-d"]);
        let repository = Repository::load().unwrap();
        let names = mutations(&repository);
        for name in ["epoch-heavy", "instance-replace", "life-publish"] {
            assert!(names.contains(name), "{name} of {names:?}");
        }
    }

    #[test]
    fn orderings_are_for_loom_and_lost_checks_for_shuttle() {
        assert_eq!(Explorer::of_mutation("epoch-leave"), Explorer::Loom);
        assert_eq!(Explorer::of_mutation("life-publish"), Explorer::Shuttle);
    }
}
