//! What was asked for on the command line.

use std::path::PathBuf;

use super::Subject;

/// How the command is used.
pub const USAGE: &str = "\
usage: cargo xtask soak --what SUBJECT [--seed S] [--count N] [--threads T] [--resume] [--ledger FILE]

  native    generated programs: native code by stencils and of each level that optimises, now and
            then of O0 and function by function, against the interpreter
  aarch64   generated programs: code of aarch64, emulated (needs qemu-user-static)
  passes    generated programs: lists of passes, those of levels and random ones, against
            the interpreter; names the first pass that differs
  text      generated programs: printed, parsed, interpreted
  llvm      modules of 100 generated functions: written as LLVM IR, run by LLVM's
            own tools, unoptimised and optimised (needs llvm-22)
  parser    mutated texts
  reader    mutated texts of LLVM IR
  verifier  structural mutations of valid modules

Seeds S to S+N-1 are run (0 and 1000 if nothing is said) by T processes (one for
each core). With --ledger the range, the sources and the result are noted in
FILE; --resume goes on behind what that ledger has of the same sources (the
file is soak/ledger.tsv if none is named). `--what native --seed S --count 1`
runs one seed again, `--what native --seed S --print` writes its program as a
test file without running it natively, and `--what native --seed S --reduce`
makes that as small as the fault lets it be.
";

/// Where the repository keeps its ledger.
pub(super) const LEDGER: &str = "soak/ledger.tsv";

/// What to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// On what.
    pub subject: Subject,
    /// The first seed.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// By how many processes.
    pub threads: usize,
    /// Whether to go on where the ledger ends.
    pub resume: Resume,
    /// Where to note it.
    pub ledger: Option<PathBuf>,
    /// What to do with them.
    pub task: Task,
}

/// What to do with seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// Hand them to workers.
    Soak,
    /// Run them in this process, noting each in the file.
    Work(PathBuf),
    /// Make the program of the first one as small as the fault lets it be.
    Reduce,
    /// Write the program of the first one.
    Print,
}

/// Where a soak starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// At the seed that is asked for.
    No,
    /// Behind what the ledger has.
    Yes,
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them.
pub fn parse(arguments: &[String]) -> Result<Request, String> {
    let threads = crate::parallel::threads();
    let mut request = Request {
        subject: Subject::Native,
        seed: 0,
        count: 1000,
        threads,
        resume: Resume::No,
        ledger: None,
        task: Task::Soak,
    };
    let mut subject = None;
    let words = arguments.iter().flat_map(|word| match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => vec![option, value],
        _ => vec![word.as_str()],
    });
    let mut words = words;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value\n{USAGE}"));
        match word {
            "--what" => {
                let name = value()?;
                let found = Subject::from_name(name);
                subject =
                    Some(found.ok_or_else(|| format!("no subject is named `{name}`\n{USAGE}"))?);
            }
            "--seed" => request.seed = number(word, value()?)?,
            "--count" => request.count = number(word, value()?)?,
            "--threads" => request.threads = number(word, value()?)?.clamp(1, 1024) as usize,
            "--ledger" => request.ledger = Some(value()?.into()),
            "--current" => request.task = Task::Work(value()?.into()),
            "--reduce" => request.task = Task::Reduce,
            "--print" => request.task = Task::Print,
            "--resume" => request.resume = Resume::Yes,
            _ => return Err(format!("`{word}` is not understood\n{USAGE}")),
        }
    }
    request.subject = subject.ok_or_else(|| USAGE.to_owned())?;
    if request.resume == Resume::Yes && request.ledger.is_none() {
        request.ledger = Some(super::trees::root().join(LEDGER));
    }
    Ok(request)
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("`{option} {text}` is no number\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Result<Request, String> {
        parse(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_with_and_without_an_equals_sign() {
        let request = parsed("--what=parser --seed 7 --count=1_000 --threads 2 --resume").unwrap();
        assert_eq!(request.subject, Subject::Parser);
        assert_eq!((request.seed, request.count, request.threads), (7, 1000, 2));
        assert_eq!(request.resume, Resume::Yes);
        assert!(request.ledger.is_some_and(|path| path.ends_with("soak/ledger.tsv")));
    }

    #[test]
    fn what_is_not_understood_is_an_error_that_names_it() {
        assert!(parsed("--what nonsense").unwrap_err().contains("nonsense"));
        assert!(parsed("--what text --count many").unwrap_err().contains("many"));
        assert!(parsed("--what text --colour").unwrap_err().contains("--colour"));
        assert!(parsed("--seed 1").unwrap_err().contains("usage"));
    }
}
