//! The program `passes`: what was asked for, and what comes of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use brolga_ir::reduce::kind_of;
use brolga_lowering::pipeline::{Pass, parse_pipeline};
use brolga_lowering::target::TargetSpec;

use super::{Coverage, behind_required, random_list, shortest_list, spelled};
use crate::compare::{Engine, Passes, TARGETS, reference};
use crate::generate::Generated;
use crate::parallel;
use crate::random::Random;
use crate::reduce::{MOST_TRIES, reduce};
use crate::reproducer::reproducer;
use crate::soak::Subject;

/// How the program is used.
pub const USAGE: &str = "\
usage: cargo run -p brolga-testing --bin passes -- [LIST] [--seed S] [--count N]
                                   [--target TARGET] [--threads T] [--as-is]
                                   [--reduce | --coverage]

Runs passes over generated programs, verifies what each leaves, and compares what the reference
interpreter makes of the programs before and behind them. Where that differs, the first pass
behind which it does is named. Each list is run twice and must give the same module.

LIST is as for `brolga opt --passes`, `simplify_cfg,dce`, or a level, O0 to O3. What is required
before the first of them runs before it, unless --as-is is said. Without LIST each seed runs a
random list, which respects what must run before what.

Seeds S to S+N-1 are run (0 and 1000 if nothing is said), on T threads (one for each core), for
three targets in turn or for TARGET. Programs that differ are written to target/passes/, smaller
than they were made, with the fewest passes that show it. `--seed S --reduce` makes the program of
one seed as small as the fault lets it be, however long that takes.

--coverage interprets nothing, and tells what passes find to do in the programs: of each row of the
table how many programs and functions it changed of those that it ran on, and of each thing that a
pass counts in how many programs and functions it did it, and how often. A row that changed nothing
is marked with NEVER: of that, comparing these programs says nothing.
";

/// The most programs that are told of.
const MOST_FAILURES: usize = 10;

/// How many programs are run before failures are looked at.
const CHUNK: u64 = 256;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The list; none for random ones.
    pub list: Option<Vec<&'static Pass>>,
    /// The first seed.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// The target; none for several in turn.
    pub target: Option<String>,
    /// On how many threads.
    pub threads: usize,
    /// What to do.
    pub task: Task,
}

/// What to do with seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Run all of them.
    Compare,
    /// Make the program of the first one as small as the fault lets it be.
    Reduce,
    /// Tell what passes find to do in all of them.
    Coverage,
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them.
pub fn parse(arguments: &[String]) -> Result<Request, String> {
    let (threads, task) = (parallel::threads(), Task::Compare);
    let mut request = Request { list: None, seed: 0, count: 1000, target: None, threads, task };
    let mut is_as_is = false;
    let mut words = arguments.iter().flat_map(|word| match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => vec![option, value],
        _ => vec![word.as_str()],
    });
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value\n{USAGE}"));
        match word {
            "--seed" => request.seed = number(word, value()?)?,
            "--count" => request.count = number(word, value()?)?,
            "--threads" => request.threads = number(word, value()?)?.clamp(1, 1024) as usize,
            "--target" => {
                let target = value()?;
                TargetSpec::parse(target)
                    .map_err(|error| format!("`{word} {target}`: {error}\n"))?;
                request.target = Some(target.to_owned());
            }
            "--as-is" => is_as_is = true,
            "--reduce" => request.task = Task::Reduce,
            "--coverage" => request.task = Task::Coverage,
            _ if word.starts_with('-') || request.list.is_some() => {
                return Err(format!("`{word}` is not understood\n{USAGE}"));
            }
            list => {
                let passes =
                    parse_pipeline(list).map_err(|error| format!("`{list}`: {error}\n"))?;
                request.list = Some(passes);
            }
        }
    }
    if !is_as_is {
        request.list = request.list.map(|list| behind_required(&list));
    }
    Ok(request)
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("`{option} {text}` is no number\n{USAGE}"))
}

impl Request {
    /// What runs for a seed.
    fn list(&self, seed: u64) -> Vec<&'static Pass> {
        match &self.list {
            Some(list) => list.clone(),
            None => random_list(&mut Random::new(seed)),
        }
    }

    /// That list, for the target of a seed.
    fn passes(&self, list: Vec<&'static Pass>, seed: u64) -> Passes {
        Passes::new(list, &[self.target_of(seed)])
    }

    fn target_of(&self, seed: u64) -> &str {
        self.target.as_deref().unwrap_or(TARGETS[seed as usize % TARGETS.len()])
    }
}

/// Of each pass, how many functions it ran on and how many it changed.
type Changes = BTreeMap<&'static str, (u64, u64)>;

/// Runs the request; gives what there is to tell. Programs that differ are written to
/// `folder`.
///
/// # Errors
/// What there is to tell where any program differs, or why nothing was run.
pub fn answer(request: &Request, folder: &Path) -> Result<String, String> {
    match request.task {
        Task::Compare => compare(request, folder),
        Task::Reduce => reduced(request, request.seed, usize::MAX),
        Task::Coverage => Ok(coverage(request).table()),
    }
}

/// What passes find to do in the programs of all seeds.
pub fn coverage(request: &Request) -> Coverage {
    let mut whole = Coverage::default();
    let end = request.seed.saturating_add(request.count);
    for first in (request.seed..end).step_by(CHUNK as usize) {
        let seeds: Vec<u64> = (first..end.min(first.saturating_add(CHUNK))).collect();
        let found = parallel::map(request.threads, &seeds, |_, &seed| {
            let target = TargetSpec::parse(request.target_of(seed));
            let target = target.unwrap_or_else(|error| panic!("{error}"));
            Coverage::of(&Subject::Passes.program(seed), &request.list(seed), &target)
        });
        found.iter().for_each(|found| whole.merge(found));
    }
    whole
}

fn compare(request: &Request, folder: &Path) -> Result<String, String> {
    let mut text = String::new();
    let (mut changes, mut failures) = (Changes::new(), 0);
    let end = request.seed.saturating_add(request.count);
    let mut next = request.seed;
    while next < end && failures < MOST_FAILURES {
        let seeds: Vec<u64> = (next..end.min(next.saturating_add(CHUNK))).collect();
        next += seeds.len() as u64;
        let outcomes = parallel::map(request.threads, &seeds, |_, &seed| run(request, seed));
        for (seed, (found, changed)) in seeds.into_iter().zip(outcomes) {
            for (pass, (runs, changed)) in changed {
                let sum = changes.entry(pass).or_default();
                *sum = (sum.0 + runs, sum.1 + changed);
            }
            if let Some(fault) = found {
                failures += 1;
                let file = write(request, folder, seed, &fault)?;
                // Writing to a string does not fail.
                let _ = writeln!(
                    text,
                    "seed {seed}: {fault}\n  program: {file}\n{}",
                    again(request, seed)
                );
            }
        }
    }
    for (pass, (runs, changed)) in &changes {
        let _ = writeln!(text, "{pass}: changed {changed} of {runs} functions");
    }
    let list = request.list.as_deref().map_or_else(|| "random lists".to_owned(), spelled);
    let seeds = format!("seeds {}..{next}", request.seed);
    let _ = writeln!(text, "{list}: {seeds}, {failures} programs differ");
    if failures == 0 { Ok(text) } else { Err(text) }
}

/// How a seed is run again.
fn again(request: &Request, seed: u64) -> String {
    let list = request.list.as_deref().map_or_else(String::new, |list| spelled(list) + " ");
    let target = request.target.as_ref().map_or_else(String::new, |it| format!("--target {it} "));
    format!(
        "  again:   cargo run -p brolga-testing --bin passes -- {list}{target}--seed {seed} --count 1"
    )
}

/// What is wrong with what a seed runs, if anything is.
fn run(request: &Request, seed: u64) -> (Option<String>, Changes) {
    let program = Subject::Passes.program(seed);
    let mut passes = request.passes(request.list(seed), seed);
    let run = AssertUnwindSafe(|| passes.observe(&program).err());
    let found = catch_unwind(run).unwrap_or_else(|_| Some("the comparison panicked".to_owned()));
    (found, passes.changes().clone())
}

/// Writes down the program of a seed, made smaller if what it shows can be shown again.
fn write(request: &Request, folder: &Path, seed: u64, fault: &str) -> Result<String, String> {
    let path = folder.join(format!("seed-{seed}.bir"));
    let text = reduced(request, seed, MOST_TRIES)
        .or_else(|_| shown(&Subject::Passes.program(seed), fault))?;
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| format!("{}: {error}\n", path.display()))?;
    Ok(path.display().to_string())
}

/// The program as a test file, with what is wrong below it.
fn shown(program: &Generated, fault: &str) -> Result<String, String> {
    let (expected, _) = reference(program)?;
    let fault: String = fault.lines().map(|line| format!("; {line}\n")).collect();
    Ok(format!("{}\n{fault}", reproducer(program, &expected)))
}

/// The program of a seed, as small as the fault lets it be in so many tries, behind as few
/// passes as show it.
fn reduced(request: &Request, seed: u64, tries: usize) -> Result<String, String> {
    let found = |program: &Generated, list: &[&'static Pass]| {
        let mut passes = request.passes(list.to_vec(), seed);
        let run = AssertUnwindSafe(|| passes.observe(program).err());
        catch_unwind(run).unwrap_or_else(|_| Some("the comparison panicked".to_owned()))
    };
    let (program, list) = (Subject::Passes.program(seed), request.list(seed));
    let first = found(&program, &list).ok_or_else(|| format!("seed {seed} shows nothing\n"))?;
    let kind = kind_of(&first);
    let shows = |program: &Generated, list: &[&'static Pass]| {
        found(program, list).is_some_and(|fault| kind_of(&fault) == kind)
    };
    let list = shortest_list(&list, &mut |list| shows(&program, list));
    let small = reduce(&program, tries, &mut |candidate| {
        let is_steady = || {
            reference(candidate).is_ok_and(|(it, _)| !it.answers.iter().any(|it| it.is_astray()))
        };
        is_steady() && shows(candidate, &list)
    });
    let fault = found(&small, &list).ok_or_else(|| "what was found is gone\n".to_owned())?;
    shown(&small, &fault)
}

#[cfg(test)]
mod tests {
    use brolga_lowering::pipeline::{Level, passes_at};

    use super::*;

    fn parsed(words: &str) -> Result<Request, String> {
        parse(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_list_and_options_are_read_in_any_order() {
        let request = parsed("--seed 7 O0 --count=1_0 --target x86_64-linux --reduce").unwrap();
        assert_eq!((request.seed, request.count, request.task), (7, 10, Task::Reduce));
        let list = request.list.unwrap();
        assert_eq!(spelled(&list), spelled(&passes_at(Level::O0)));
        assert!(parsed("").unwrap().list.is_none());
        let one = parsed("legalize --as-is").unwrap().list.unwrap();
        assert_eq!(spelled(&one), "legalize");
    }

    #[test]
    fn what_is_not_understood_is_an_error_that_names_it() {
        for (words, part) in [
            ("legalise", "`legalise`: column 1: no pass is named `legalise`"),
            ("O0 O1", "`O1` is not understood"),
            ("--fast", "`--fast` is not understood"),
            ("--count many", "`--count many` is no number"),
            ("--seed", "`--seed` needs a value"),
            ("--target pdp-11", "`--target pdp-11`: unknown CPU"),
        ] {
            let error = parsed(words).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn programs_that_agree_are_counted() {
        let folder = Path::new("/nowhere");
        let text = answer(&parsed("O0 --count 3 --threads 1").unwrap(), folder).unwrap();
        assert!(text.contains("lower_expect: changed "), "{text}");
        assert!(text.ends_with(": seeds 0..3, 0 programs differ\n"), "{text}");
        let text = answer(&parsed("--count 3 --threads 2 --seed 5").unwrap(), folder).unwrap();
        assert!(text.ends_with("random lists: seeds 5..8, 0 programs differ\n"), "{text}");
    }

    #[test]
    fn what_passes_find_to_do_is_told_and_what_they_never_do() {
        let list = "flatten_aggregates,demote_float16";
        let request = format!("{list} --as-is --coverage --count 40 --threads 2");
        let text = answer(&parsed(&request).unwrap(), Path::new("/nowhere")).unwrap();
        assert!(text.contains("flatten_aggregates\n"), "{text}");
        assert!(text.contains("- rewritten instructions: "), "{text}");
        assert!(text.ends_with("40 programs\n") && !text.contains("NEVER"), "{text}");
        let request = "flatten_aggregates,flatten_aggregates --as-is --coverage --count 0";
        let text = answer(&parsed(request).unwrap(), Path::new("/nowhere")).unwrap();
        assert!(text.ends_with("row\n        0 programs\n"), "{text}");
    }
}
