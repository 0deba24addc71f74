//! Whether every way to run a kernel gives the same.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use brolga_testing::parallel;

use crate::backend::{self, Backend, BackendError, Lli, Way};
use crate::kernel::{EXAMPLES, KERNELS};
use crate::race;
use crate::source::{Form, Source, Suite};
use crate::toolchain::Toolchain;

/// How much less kernels get to do than in a race: the interpreter takes its time.
const SHARE: i64 = 64;

/// What a kernel gets to do at least, if it gets so much in a race.
const LEAST: i64 = 3;

/// What front ends hand over, at `-O0` and at `-O2`.
const FORMS: [Form; 2] = [Form::Unoptimised, Form::Optimised];

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Only kernels with one of these in their names; all if there is none.
    pub words: Vec<String>,
    /// The program `race`.
    pub race: PathBuf,
    /// The program with LLVM's levels, where it is built.
    pub race_llvm: Option<PathBuf>,
}

/// A text with its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    name: String,
    form: &'static str,
    path: PathBuf,
    n: i64,
}

/// What ways gave for one text, in the order of the ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    name: String,
    form: &'static str,
    n: i64,
    /// Nothing for a way that does not read such texts.
    results: Vec<Option<Result<String, String>>>,
}

impl Row {
    /// What most ways gave.
    fn answer(&self) -> Option<&str> {
        let count = |answer: &str| self.given().filter(|&other| other == answer).count();
        self.given().max_by_key(|answer| count(answer))
    }

    fn given(&self) -> impl Iterator<Item = &str> {
        self.results.iter().flatten().flatten().map(String::as_str)
    }

    /// Whether all ways gave one answer.
    pub fn agrees(&self) -> bool {
        let answer = self.answer();
        answer.is_some() && self.results.iter().flatten().all(|it| it.as_deref().ok() == answer)
    }
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    ways: Vec<String>,
    rows: Vec<Row>,
}

/// Makes the texts, and runs each in every way.
///
/// # Errors
/// If the texts cannot be made. A way that fails is a result like any other.
pub fn compare(plan: &Plan) -> Result<Table, BackendError> {
    let (tools, suite) = (Toolchain::find()?, Suite::of_repository());
    let ways = ways(plan);
    check_words(&plan.words)?;
    let wanted =
        |name: &str| plan.words.is_empty() || plan.words.iter().any(|word| name.contains(word));
    let mut entries = Vec::new();
    for kernel in KERNELS.iter().filter(|kernel| wanted(kernel.name)) {
        for form in FORMS {
            let path = suite.kernel_text(&tools, kernel, form)?;
            let (name, n) = (kernel.name.to_owned(), share(kernel.n));
            entries.push(Entry { name, form: form.name(), path, n });
        }
    }
    // These LLVM knows by what we write alone.
    for example in EXAMPLES.iter().filter(|example| wanted(example.name)) {
        let (name, path) = (example.name.to_owned(), suite.example_text(example)?);
        entries.push(Entry { name, form: "example", path, n: share(example.n) });
    }
    let row = |_, entry: &Entry| row(plan, &ways, entry);
    let rows = parallel::map(parallel::threads(), &entries, row);
    Ok(Table { ways, rows })
}

fn share(n: i64) -> i64 {
    (n / SHARE + 1).max(n.min(LEAST))
}

fn ways(plan: &Plan) -> Vec<String> {
    let is_ours = |name: &&&str| **name == "interpreter" || name.starts_with(backend::OURS);
    let is_llvm = |name: &&&str| name.starts_with(backend::LLVM) && plan.race_llvm.is_some();
    let ours = backend::NAMES.iter().filter(is_ours);
    let llvm = backend::NAMES.iter().filter(is_llvm);
    let names = ours.copied().chain(Way::ALL.map(Way::name)).chain(llvm.copied());
    names.map(str::to_owned).collect()
}

fn row(plan: &Plan, ways: &[String], entry: &Entry) -> Row {
    let results = ways.iter().map(|way| answer(plan, way, entry)).collect();
    Row { name: entry.name.clone(), form: entry.form, n: entry.n, results }
}

/// What a way gives, or why it gives nothing; and nothing for a way that does not read the text.
fn answer(plan: &Plan, way: &str, entry: &Entry) -> Option<Result<String, String>> {
    let is_ours = entry.path.extension().is_some_and(|ending| ending == "bir");
    match Way::ALL.into_iter().find(|known| known.name() == way) {
        Some(Way::Text) if is_ours => None,
        Some(way) => Some(by_lli(way, entry).map_err(|error| error.to_string())),
        None => {
            let llvm = plan.race_llvm.as_ref().filter(|_| way.starts_with(backend::LLVM));
            Some(by_race(llvm.unwrap_or(&plan.race), way, entry))
        }
    }
}

fn by_lli(way: Way, entry: &Entry) -> Result<String, BackendError> {
    let lli = Lli::new(way)?;
    let source = Source::open(&entry.path, "kernel")?;
    let input = lli.read(&source)?;
    let result = input.compile()?.kernel.call(entry.n)?;
    Ok(result.to_string())
}

/// Runs it in a process of its own, which may die of it.
fn by_race(program: &Path, way: &str, entry: &Entry) -> Result<String, String> {
    let n = entry.n.to_string();
    let mut command = Command::new(program);
    command.args(["--backend", way, "--warm", "1", "--reps", "1", "--n", &n, "--file"]);
    Ok(race::lap(command.arg(&entry.path))?.checksum)
}

impl Table {
    /// Whether there is something, and all of it agrees.
    pub fn agrees(&self) -> bool {
        !self.rows.is_empty() && self.rows.iter().all(Row::agrees)
    }

    /// The table: one line for each text, `=` for each way that gave the answer of most, and
    /// behind it what the others gave.
    pub fn text(&self) -> String {
        let mut text = format!("{:15}{:13}{:>9} {:>20}", "kernel", "text", "n", "checksum");
        for way in &self.ways {
            text += &format!("  {way}");
        }
        let mut others = String::new();
        for row in &self.rows {
            let answer = row.answer().unwrap_or("-");
            text += &format!("\n{:15}{:13}{:>9} {answer:>20}", row.name, row.form, row.n);
            for (way, result) in self.ways.iter().zip(&row.results) {
                let (mark, said) = match result {
                    None => ("-", None),
                    Some(Ok(given)) if given == answer => ("=", None),
                    Some(Ok(given)) => ("differs", Some(given)),
                    Some(Err(reason)) => ("fails", Some(reason)),
                };
                text += &format!("  {mark:width$}", width = way.len());
                if let Some(said) = said {
                    // Writing to a string does not fail.
                    let _ = writeln!(others, "{} {} by {way}: {said}", row.name, row.form);
                }
            }
        }
        let agreed = self.rows.iter().filter(|row| row.agrees()).count();
        let (count, ways) = (self.rows.len(), self.ways.len());
        text + &format!("\n{others}{agreed} of {count} texts give the same in all {ways} ways\n")
    }
}

/// A word that no kernel has in its name would make a table of nothing, which agrees.
fn check_words(words: &[String]) -> Result<(), BackendError> {
    let names = || KERNELS.iter().map(|k| k.name).chain(EXAMPLES.iter().map(|e| e.name));
    let is_vain = |word: &&String| !names().any(|name| name.contains(word.as_str()));
    match words.iter().find(is_vain) {
        Some(word) => {
            let all: Vec<&str> = names().collect();
            Err(format!("no kernel has `{word}` in its name; there are {}", all.join(", ")).into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(results: &[Result<&str, &str>]) -> Table {
        let results: Vec<_> =
            results.iter().map(|it| Some(it.map(str::to_owned).map_err(str::to_owned))).collect();
        let ways = (0..results.len()).map(|number| format!("way{number}")).collect();
        Table { ways, rows: vec![Row { name: "fib".to_owned(), form: "plain", n: 7, results }] }
    }

    #[test]
    fn one_answer_that_differs_or_fails_is_told() {
        assert!(table(&[Ok("1"), Ok("1"), Ok("1")]).agrees());
        for (odd, told) in [(Ok("2"), "by way1: 2"), (Err("died"), "by way1: died")] {
            let table = table(&[Ok("1"), odd, Ok("1")]);
            assert!(!table.agrees());
            assert!(table.text().contains(told), "{}", table.text());
            assert!(table.text().contains("0 of 1 texts"));
        }
        assert!(!table(&[Err("died"), Err("died")]).agrees());
        assert!(!Table { ways: Vec::new(), rows: Vec::new() }.agrees());
    }
}
