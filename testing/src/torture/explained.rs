//! Programs that miss for a reason that is not a fault.

/// Names of programs, and why they miss.
const EXPLAINED: &[(&str, &str)] = &[
    ("20101011-1", "divides by zero for the signal; here that is a trap, no signal"),
    ("941014-2", "prints what fresh memory of `malloc` happens to hold"),
    ("990413-2", "computes in x87 assembly"),
    ("bcp-1", "reads 120 KB behind a string for `__builtin_constant_p`, which clang drops"),
    ("pr92904", "passes a struct of 32-byte alignment behind the named arguments"),
    ("return-addr", "prints an address of the stack"),
];

/// Why the program misses, if that is known.
pub(super) fn explanation(name: &str) -> Option<&'static str> {
    EXPLAINED.iter().find(|(known, _)| *known == name).map(|&(_, why)| why)
}

#[cfg(test)]
mod tests {
    use super::EXPLAINED;

    #[test]
    fn the_guide_for_contributors_names_the_same_programs() {
        let guide = include_str!("../../../CONTRIBUTING.md");
        let (_, section) = guide.split_once("\n## C programs\n").expect("the section is there");
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let names = EXPLAINED.iter().map(|(name, _)| *name);
        assert_eq!(rows.collect::<Vec<_>>(), names.collect::<Vec<_>>());
    }
}
