//! The ledger: one line for each soak, in a table of tab-separated columns.

use std::path::Path;

/// The head of the table.
const HEAD: &str = "subject\tfirst\tcount\tcommit\ttree\tresult\tleast_reached\n";

/// What was run, and how it went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The subject's name.
    pub(super) subject: String,
    /// The first seed.
    pub(super) first: u64,
    /// How many seeds, one after the other.
    pub(super) count: u64,
    /// The commit that the sources started from.
    pub(super) commit: String,
    /// The hash of the sources.
    pub(super) tree: String,
    /// `agree`, or the seeds that failed.
    pub(super) result: String,
    /// The row that was reached least, and how often.
    pub(super) least: String,
}

impl Entry {
    fn line(&self) -> String {
        let Entry { subject, first, count, commit, tree, result, least } = self;
        format!("{subject}\t{first}\t{count}\t{commit}\t{tree}\t{result}\t{least}\n")
    }

    fn read(line: &str) -> Option<Entry> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[subject, first, count, commit, tree, result, least] = fields.as_slice() else {
            return None;
        };
        Some(Entry {
            subject: subject.to_owned(),
            first: first.parse().ok()?,
            count: count.parse().ok()?,
            commit: commit.to_owned(),
            tree: tree.to_owned(),
            result: result.to_owned(),
            least: least.to_owned(),
        })
    }
}

/// All lines of a ledger, and the file that they stand in.
#[derive(Debug)]
pub(super) struct Ledger<'a> {
    path: &'a Path,
    entries: Vec<Entry>,
}

impl<'a> Ledger<'a> {
    /// The ledger at `path`; an empty one where there is no file.
    pub(super) fn load(path: &'a Path) -> Ledger<'a> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Ledger { path, entries: text.lines().filter_map(Entry::read).collect() }
    }

    /// Where the seeds of the subject that were run on these sources, from
    /// `first` on without a gap, end.
    pub(super) fn end(&self, subject: &str, tree: &str, first: u64) -> u64 {
        let mut ranges: Vec<(u64, u64)> = self
            .entries
            .iter()
            .filter(|entry| entry.subject == subject && entry.tree == tree)
            .map(|entry| (entry.first, entry.first + entry.count))
            .collect();
        ranges.sort_unstable();
        ranges.iter().fold(first, |end, &(from, to)| if from <= end { end.max(to) } else { end })
    }

    /// Writes the ledger with one more line.
    pub(super) fn save_with(&self, entry: &Entry) -> std::io::Result<()> {
        let mut text = HEAD.to_owned();
        for known in self.entries.iter().chain([entry]) {
            text.push_str(&known.line());
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(self.path, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(subject: &str, tree: &str, first: u64, count: u64) -> Entry {
        let (commit, result, least) = ("c".to_owned(), "agree".to_owned(), "add 7".to_owned());
        Entry {
            subject: subject.to_owned(),
            first,
            count,
            commit,
            tree: tree.to_owned(),
            result,
            least,
        }
    }

    #[test]
    fn a_soak_goes_on_where_the_same_sources_were_left() {
        let folder = std::env::temp_dir().join(format!("brolga-ledger-{}", std::process::id()));
        let path = folder.join("ledger.tsv");
        let of_file = || Ledger::load(&path);
        for added in [
            entry("text", "t", 100, 50),
            entry("text", "t", 0, 100),
            entry("text", "t", 200, 10),
            entry("text", "other", 150, 50),
            entry("native", "t", 150, 50),
        ] {
            of_file().save_with(&added).unwrap();
        }
        assert_eq!(of_file().end("text", "t", 0), 150);
        assert_eq!(of_file().end("text", "t", 160), 160);
        assert_eq!(of_file().end("text", "third", 5), 5);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
