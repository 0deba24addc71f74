//! What the README shows is what is there: its two commands, its snippet.

use super::Finding;
use crate::markdown::{CodeBlock, code_blocks};
use crate::repository::Repository;

const README: &str = "README.md";
const SNIPPET: &str = "examples/quickstart.rs";
const CI: &str = ".ci/run";
/// A snippet that is longer is no quick start.
const MOST_SNIPPET_LINES: usize = 30;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let Some(readme) = repository.file(README) else {
        return vec![Finding::new(README, 0, "is missing", "write it")];
    };
    let blocks = code_blocks(&readme.text);
    let mut findings = commands(repository, &blocks);
    findings.extend(snippet(repository, &blocks));
    findings
}

fn commands(repository: &Repository, blocks: &[CodeBlock]) -> Vec<Finding> {
    let Some(block) =
        blocks.iter().find(|block| matches!(block.language.as_str(), "sh" | "bash" | "console"))
    else {
        return vec![Finding::new(
            README,
            0,
            "has no shell block",
            "show how to run an example and the tests",
        )];
    };
    let commands: Vec<&str> = block.text.lines().filter(|line| !line.trim().is_empty()).collect();
    let [example, test] = commands.as_slice() else {
        let fault = format!("the first shell block has {} commands", commands.len());
        return vec![Finding::new(
            README,
            block.line,
            fault,
            "exactly two: run an example, run all tests",
        )];
    };
    let mut findings = Vec::new();
    let mut found = |line: usize, fault: String, mend: &str| {
        findings.push(Finding::new(README, block.line + line, fault, mend));
    };
    if !example.contains("cargo run") || !example.contains("--features cli") {
        let mend = "spell `cargo run … --features cli -- run --time …`";
        found(1, "the first command runs no example".to_owned(), mend);
    }
    for path in example.split_whitespace().filter(|word| word.ends_with(".bir")) {
        if !repository.paths.contains(path) {
            let fault = format!("the first command runs `{path}`, which is not there");
            found(1, fault, "name an example that exists");
        }
    }
    if !test.contains("cargo test") {
        found(2, "the second command runs no tests".to_owned(), "spell `cargo test …`");
    }
    let ci = repository.file(CI).map_or("", |file| file.text.as_str());
    for (line, command) in [(1, example), (2, test)] {
        if !ci.lines().any(|line| line.trim() == *command) {
            let fault = format!("`{command}` is no line of `{CI}`");
            found(line, fault, "make the two equal, so that CI runs what a newcomer would");
        }
    }
    findings
}

fn snippet(repository: &Repository, blocks: &[CodeBlock]) -> Vec<Finding> {
    let Some(block) = blocks.iter().find(|block| block.language.starts_with("rust")) else {
        return vec![Finding::new(README, 0, "has no Rust snippet", format!("show `{SNIPPET}`"))];
    };
    let Some(example) = repository.file(SNIPPET) else {
        return vec![Finding::new(
            SNIPPET,
            0,
            "is missing",
            "write the program that the README shows",
        )];
    };
    let mut findings = Vec::new();
    if block.text.trim() != example.text.trim() {
        let fault = format!("the first Rust block differs from `{SNIPPET}`");
        findings.push(Finding::new(
            README,
            block.line,
            fault,
            "copy the file, which the tests run",
        ));
    }
    let lines = example.text.lines().count();
    if lines > MOST_SNIPPET_LINES {
        let fault = format!("{lines} lines, of {MOST_SNIPPET_LINES} at most");
        findings.push(Finding::new(SNIPPET, 0, fault, "show less"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "cargo run --features cli -- run --time examples/a.bir";

    fn faults(readme: &str, snippet: &str) -> Vec<String> {
        let ci = format!("  {RUN}\n  cargo test --all\n");
        let files = [(README, readme), (SNIPPET, snippet), (CI, &ci), ("examples/a.bir", "")];
        check(&Repository::of(&files)).into_iter().map(|finding| finding.fault).collect()
    }

    fn readme(commands: &str, snippet: &str) -> String {
        format!("# T\n```sh\n{commands}\n```\n```rust\n{snippet}\n```\n")
    }

    #[test]
    fn a_true_readme_has_no_findings() {
        let text = readme(&format!("{RUN}\ncargo test --all"), "fn main() {}");
        assert_eq!(faults(&text, "fn main() {}\n"), [""; 0]);
    }

    #[test]
    fn a_third_command_is_found() {
        let text = readme(&format!("{RUN}\ncargo test --all\nls"), "fn main() {}");
        assert!(faults(&text, "fn main() {}")[0].contains("3 commands"));
    }

    #[test]
    fn a_command_that_is_not_that_of_ci_is_found() {
        let text = readme("cargo run --features cli -- check\ncargo test --all", "fn main() {}");
        assert!(faults(&text, "fn main() {}")[0].contains("is no line"));
        let text = readme(&format!("{RUN}\ncargo test --lib"), "fn main() {}");
        assert!(faults(&text, "fn main() {}")[0].contains("is no line"));
    }

    #[test]
    fn an_example_that_is_missing_or_not_run_is_found() {
        let missing = RUN.replace("a.bir", "b.bir");
        let text = readme(&format!("{missing}\ncargo test --all"), "fn main() {}");
        assert!(faults(&text, "fn main() {}")[0].contains("b.bir"));
        let text = readme("ls\nls", "fn main() {}");
        let faults = faults(&text, "fn main() {}");
        assert!(faults[0].contains("no example") && faults[1].contains("no tests"), "{faults:?}");
    }

    #[test]
    fn a_snippet_that_differs_is_missing_or_long_is_found() {
        let text = readme(&format!("{RUN}\ncargo test --all"), "fn main() {}");
        assert!(faults(&text, "fn main() { run() }")[0].contains("differs"));
        let long = "//\n".repeat(MOST_SNIPPET_LINES + 1);
        let text = readme(&format!("{RUN}\ncargo test --all"), &long);
        assert!(faults(&text, &long)[0].contains("31 lines"));
        let found = check(&Repository::of(&[(README, &text)]));
        assert!(found.iter().any(|finding| finding.path == SNIPPET));
    }
}
