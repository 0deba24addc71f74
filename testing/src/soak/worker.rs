//! A process that runs a range of seeds and tells what it finds, line by line.
//! It may die of what it finds: the file that it notes each seed in tells which.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::subject::Finding;
use super::{Subject, Tally, program_text, reduced, run_seed};
use crate::reduce::MOST_TRIES;

/// What a line of a worker says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A seed failed.
    Failed(u64, String),
    /// A count.
    Count(String, u64),
    /// The most memory that the process has used, in KiB.
    Peak(u64),
}

impl Line {
    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match self {
            Line::Failed(seed, message) => {
                writeln!(out, "failed\t{seed}\t{}", message.replace('\n', "\u{1}"))
            }
            Line::Count(name, count) => writeln!(out, "count\t{name}\t{count}"),
            Line::Peak(size) => writeln!(out, "peak\t{size}\t"),
        }
    }

    pub(super) fn read(line: &str) -> Option<Line> {
        let mut fields = line.splitn(3, '\t');
        let (kind, first, second) = (fields.next()?, fields.next()?, fields.next()?);
        match kind {
            "failed" => Some(Line::Failed(first.parse().ok()?, second.replace('\u{1}', "\n"))),
            "count" => Some(Line::Count(first.to_owned(), second.parse().ok()?)),
            "peak" => Some(Line::Peak(first.parse().ok()?)),
            _ => None,
        }
    }
}

/// Runs the seeds from `start` on, notes each in the file `current` before it
/// is run, leaves reproducers in the folder of that file, and writes a line to
/// `out` for all that there is to tell.
///
/// # Errors
/// If the files cannot be written.
pub fn work(
    subject: Subject,
    start: u64,
    count: u64,
    current: &Path,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut note = File::create(current)?;
    let mut tally = Tally::default();
    for seed in start..start.saturating_add(count) {
        note.seek(SeekFrom::Start(0))?;
        note.write_all(&seed.to_le_bytes())?;
        let run = AssertUnwindSafe(|| run_seed(subject, seed, &mut tally));
        let finding = match catch_unwind(run) {
            Ok(Ok(())) => continue,
            Ok(Err(finding)) => smaller(subject, seed, finding),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let message = format!("panicked: {}", text.unwrap_or("with no message"));
                let reproducer = program_text(subject, seed).unwrap_or_default();
                smaller(subject, seed, Finding { message, reproducer })
            }
        };
        let file = current.with_file_name(subject.reproducer_name(seed));
        std::fs::write(&file, &finding.reproducer)?;
        Line::Failed(seed, finding.message).write(out)?;
    }
    for (name, count) in tally.iter() {
        Line::Count(name.to_owned(), count).write(out)?;
    }
    Line::Peak(peak_memory()).write(out)?;
    out.flush()
}

/// What was found, with a smaller program that shows it, where trying cannot take the process
/// along or so long that it seems to hang.
fn smaller(subject: Subject, seed: u64, finding: Finding) -> Finding {
    if !matches!(subject, Subject::Passes | Subject::Text) {
        return finding;
    }
    match reduced(subject, seed, MOST_TRIES) {
        Ok(Finding { reproducer, .. }) => Finding { reproducer, ..finding },
        Err(_) => finding,
    }
}

/// The most memory that this process has used, in KiB; 0 where the system does
/// not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let lines = [
            Line::Failed(7, "two\nlines\tand a tab".to_owned()),
            Line::Count("add".to_owned(), 12),
            Line::Peak(99),
        ];
        for line in lines {
            let mut bytes = Vec::new();
            line.write(&mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(Line::read(text.trim_end_matches('\n')), Some(line));
        }
        assert_eq!(Line::read("anything else"), None);
    }
}
