//! The ledger: one line for each soak, in a table of tab-separated columns.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, Write};
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

/// All lines of a ledger.
#[derive(Debug)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
}

impl Ledger {
    /// The ledger at `path`; an empty one where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or which of its lines is none of a ledger.
    pub(super) fn load(path: &Path) -> Result<Ledger, String> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| format!("{}: {error}\n", path.display()))?,
        };
        Ledger::read(&text)
            .map_err(|line| format!("{}:{line}: no line of a ledger\n", path.display()))
    }

    /// The ledger that the text is, or the first line that is none of a ledger.
    fn read(text: &str) -> Result<Ledger, usize> {
        let mut entries = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            if number > 1 {
                entries.extend(Entry::read(line.trim_end_matches('\n')));
            }
            if (number == 1 && line != HEAD) || entries.len() + 1 != number {
                return Err(number);
            }
        }
        Ok(Ledger { entries })
    }

    /// Where the seeds of the subject that were run on these sources, from
    /// `first` on without a gap, end.
    pub(super) fn end(&self, subject: &str, tree: &str, first: u64) -> u64 {
        let mut ranges: Vec<(u64, u64)> = self
            .entries
            .iter()
            .filter(|entry| entry.subject == subject && entry.tree == tree)
            .map(|entry| (entry.first, entry.first.saturating_add(entry.count)))
            .collect();
        ranges.sort_unstable();
        ranges.iter().fold(first, |end, &(from, to)| if from <= end { end.max(to) } else { end })
    }
}

/// Notes an entry in the ledger at `path`, in place of one of the same start on
/// the same sources. Several soaks may do so at once.
///
/// # Errors
/// Why it is not noted.
pub(super) fn note(path: &Path, entry: &Entry) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file =
        File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    // What is not understood would be lost.
    let mut ledger = Ledger::read(&text)
        .map_err(|line| std::io::Error::other(format!("line {line} is none of a ledger")))?;
    let is_earlier = |known: &Entry| {
        (&known.subject, known.first, &known.tree) == (&entry.subject, entry.first, &entry.tree)
    };
    ledger.entries.retain(|known| !is_earlier(known));
    text = HEAD.to_owned();
    for known in ledger.entries.iter().chain([entry]) {
        text.push_str(&known.line());
    }
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::Subject;

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
        let of_file = || Ledger::load(&path).unwrap();
        for added in [
            entry("text", "t", 100, 50),
            entry("text", "t", 0, 100),
            entry("text", "t", 200, 10),
            entry("text", "other", 150, 50),
            entry("native", "t", 150, 50),
        ] {
            note(&path, &added).unwrap();
        }
        assert_eq!(of_file().end("text", "t", 0), 150);
        assert_eq!(of_file().end("text", "t", 160), 160);
        assert_eq!(of_file().end("text", "third", 5), 5);
        note(&path, &entry("native", "t", 150, 70)).unwrap();
        assert_eq!((of_file().entries.len(), of_file().end("native", "t", 150)), (5, 220));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_line_that_is_not_understood_is_an_error_that_names_it() {
        let path = std::env::temp_dir().join(format!("brolga-odd-{}.tsv", std::process::id()));
        let good = entry("text", "t", 0, 100).line();
        for (text, line) in [
            (format!("{HEAD}{good}text\t0\tmany\tc\tt\tagree\tadd 7\n"), 3),
            (format!("{HEAD}\n{good}"), 2),
            (good, 1),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = Ledger::load(&path).unwrap_err();
            assert!(error.contains(&format!(":{line}: ")), "{error}");
            assert!(note(&path, &entry("text", "t", 0, 1)).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_ledger_of_the_repository_can_be_read() {
        let path = crate::soak::trees::root().join(crate::soak::command::LEDGER);
        for entry in Ledger::load(&path).unwrap().entries {
            assert!(Subject::from_name(&entry.subject).is_some(), "{entry:?}");
            assert!(entry.count > 0 && !entry.result.is_empty(), "{entry:?}");
        }
    }
}
