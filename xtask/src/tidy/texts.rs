//! Modules that the documentation shows are modules: every `bir` block of a
//! Markdown file parses, and its directives are spelled as such.

use brolga_ir::text::{directives, parse_module};

use super::Finding;
use crate::markdown::code_blocks;
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in repository.with_extension("md") {
        for block in code_blocks(&file.text) {
            if block.language != "bir" {
                continue;
            }
            let errors = [parse_module(&block.text).err(), directives(&block.text).err()];
            for error in errors.into_iter().flatten().flatten() {
                let line = block.line + error.line as usize;
                let fault = format!("the module that is shown is none: {}", error.message);
                findings.push(Finding::new(&file.path, line, fault, "correct it"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_module_is_found_with_its_line() {
        let text = "```bir\nfunc @f() {\nb:\n    retrun\n}\n; run: f()\n```\n\n```\nfunc\n```\n";
        let findings = check(&Repository::of(&[("docs/a.md", text)]));
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [4, 6]);
    }

    #[test]
    fn a_right_module_is_none() {
        let text = "```bir\nfunc @f() {\nb:\n    return\n}\n; run: @f() == ()\n```\n";
        assert_eq!(check(&Repository::of(&[("docs/a.md", text)])), []);
    }
}
