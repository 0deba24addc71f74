//! The process that hands ranges to workers, outlives them, and keeps the books.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::command::{Request, Resume};
use super::ledger::{self, Entry, Ledger};
use super::subject::LARGE_PROGRAMS;
use super::worker::Line;
use super::{Subject, Tally, trees};

/// A seed that takes longer has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// A soak stops early at that many failures.
const MOST_FAILURES: usize = 20;

/// A worker that uses more memory has failed, in KiB.
const MOST_MEMORY: u64 = 2 << 20;

/// What all workers have found.
#[derive(Debug, Default)]
struct State {
    next: u64,
    done: BTreeMap<u64, u64>,
    failures: Vec<(u64, String)>,
    tally: Tally,
    peak: u64,
    /// Why the ledger could not be written, the last time it could not.
    unnoted: Option<String>,
}

/// What stays the same during a soak.
#[derive(Debug)]
struct Plan<'a> {
    request: &'a Request,
    first: u64,
    end: u64,
    folder: PathBuf,
    tree: String,
    commit: String,
    began: Instant,
}

/// Runs a soak; gives the report, as an error if anything failed.
///
/// # Errors
/// The report of a soak that failed, or why there was none.
pub fn soak(request: &Request) -> Result<String, String> {
    let root = trees::root();
    let tree = trees::tree_hash(&root).map_err(|error| format!("reading the sources: {error}"))?;
    let folder = root.join("target/soak");
    std::fs::create_dir_all(&folder).map_err(|error| format!("making a folder: {error}"))?;
    let ledger = request.ledger.as_deref().map(Ledger::load).transpose()?;
    let first = match (ledger, request.resume) {
        (Some(ledger), Resume::Yes) => ledger.end(request.subject.name(), &tree, request.seed),
        _ => request.seed,
    };
    let end = request.seed.saturating_add(request.count).max(first);
    let (commit, began) = (trees::commit(&root), Instant::now());
    let plan = Plan { request, first, end, folder, tree, commit, began };
    let state = Mutex::new(State { next: first, ..State::default() });
    std::thread::scope(|scope| {
        for number in 0..request.threads {
            let (plan, state) = (&plan, &state);
            scope.spawn(move || supervise(plan, state, number));
        }
    });
    let state = state.into_inner().map_err(|_| "a supervisor has panicked".to_owned())?;
    let text = report(&plan, &state);
    let reached = least_reached(request.subject, &state.tally).1;
    let count = done_without_gap(&plan, &state);
    let is_covered = reached >= request.subject.wanted(count) && !is_median_small(&state, count);
    let is_sound = state.failures.is_empty() && state.unnoted.is_none();
    if is_sound && state.peak <= MOST_MEMORY && is_covered { Ok(text) } else { Err(text) }
}

/// Whether most programs execute fewer than a hundred ops. (Mutated inputs, which
/// are no programs, have none of a hundred.)
fn is_median_small(state: &State, count: u64) -> bool {
    let large = state.tally.of(LARGE_PROGRAMS);
    large > 0 && large.saturating_mul(2) < count
}

fn supervise(plan: &Plan<'_>, state: &Mutex<State>, number: usize) {
    let current = plan.folder.join(format!("current-{}-{number}", std::process::id()));
    while let Some((start, count)) = take_range(plan, state) {
        let (mut from, behind) = (start, start + count);
        while from < behind {
            let ended = run_worker(plan.request.subject, from, behind - from, &current);
            let Ok(mut state) = state.lock() else { return };
            from = match ended {
                Ok(lines) => {
                    absorb(&mut state, lines);
                    behind
                }
                Err((seed, message, lines)) => {
                    leave_program(plan, seed);
                    absorb(&mut state, lines);
                    state.failures.push((seed, message));
                    seed.max(from) + 1
                }
            };
        }
        let Ok(mut state) = state.lock() else { return };
        state.done.insert(start, behind);
        if let Some(path) = &plan.request.ledger
            && let Some(entry) = entry(plan, &state)
        {
            state.unnoted = ledger::note(path, &entry).err().map(|error| error.to_string());
        }
    }
    let _ = std::fs::remove_file(current);
}

/// Leaves the program that a worker died of, which it had no time for. A process of its own
/// writes it: the program may take along whatever so much as interprets it.
fn leave_program(plan: &Plan<'_>, seed: u64) {
    let subject = plan.request.subject;
    let path = plan.folder.join(subject.reproducer_name(seed));
    let (Ok(program), Ok(file)) = (std::env::current_exe(), std::fs::File::create(&path)) else {
        return;
    };
    let child = Command::new(program)
        .args(["--what", subject.name(), "--seed", &seed.to_string(), "--print"])
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn();
    // The report tells how to see the fault again without the file, too.
    let death = child.map(|mut child| wait(&mut child, Path::new("")));
    if !matches!(death, Ok(None)) {
        let _ = std::fs::remove_file(path);
    }
}

fn take_range(plan: &Plan<'_>, state: &Mutex<State>) -> Option<(u64, u64)> {
    let mut state = state.lock().ok()?;
    if state.next >= plan.end || state.failures.len() >= MOST_FAILURES {
        return None;
    }
    let start = state.next;
    let count = plan.request.subject.chunk().min(plan.end - start);
    state.next += count;
    Some((start, count))
}

fn absorb(state: &mut State, lines: Vec<Line>) {
    for line in lines {
        match line {
            Line::Failed(seed, message) => state.failures.push((seed, message)),
            Line::Count(name, count) => state.tally.add(&name, count),
            Line::Peak(size) => state.peak = state.peak.max(size),
        }
    }
}

type Ended = Result<Vec<Line>, (u64, String, Vec<Line>)>;

/// Runs a worker to its end, which may be a death: then the seed and how it died.
fn run_worker(subject: Subject, start: u64, count: u64, current: &Path) -> Ended {
    let failed = |message: String| Err((start, message, Vec::new()));
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed(format!("the worker's program is not there: {error}")),
    };
    let child = Command::new(program)
        .args(["--what", subject.name(), "--seed", &start.to_string()])
        .args(["--count", &count.to_string(), "--current"])
        .arg(current)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return failed(format!("no worker could be started: {error}")),
    };
    let Some(out) = child.stdout.take() else { return failed("the worker is mute".to_owned()) };
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        lines.filter_map(|line| Line::read(&line)).collect::<Vec<Line>>()
    });
    let death = wait(&mut child, current);
    let lines = reader.join().unwrap_or_default();
    match death {
        None => Ok(lines),
        Some(message) => Err((noted_seed(current).unwrap_or(start), message, lines)),
    }
}

/// Waits for the end of a worker; says how it died if it did not just end.
fn wait(child: &mut Child, current: &Path) -> Option<String> {
    let (mut seed, mut since) = (None, Instant::now());
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(status)) => return Some(format!("the process died: {status}")),
            Ok(None) => {}
            Err(error) => return Some(format!("the process is lost: {error}")),
        }
        let now = noted_seed(current);
        if now != seed {
            (seed, since) = (now, Instant::now());
        } else if since.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Some(format!("no end after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn noted_seed(current: &Path) -> Option<u64> {
    let bytes = std::fs::read(current).ok()?;
    Some(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?))
}

/// How many seeds from the first on are done without a gap.
fn done_without_gap(plan: &Plan<'_>, state: &State) -> u64 {
    let end =
        state.done.iter().fold(plan.first, |end, (&from, &to)| if from == end { to } else { end });
    end - plan.first
}

fn least_reached(subject: Subject, tally: &Tally) -> (&'static str, u64) {
    let rows = subject.rows().into_iter().map(|row| (row, tally.of(row)));
    rows.min_by_key(|(_, count)| *count).unwrap_or(("-", 0))
}

fn entry(plan: &Plan<'_>, state: &State) -> Option<Entry> {
    let count = done_without_gap(plan, state);
    let seeds: Vec<String> = state.failures.iter().map(|(seed, _)| seed.to_string()).collect();
    let (row, least) = least_reached(plan.request.subject, &state.tally);
    (count > 0).then(|| Entry {
        subject: plan.request.subject.name().to_owned(),
        first: plan.first,
        count,
        commit: plan.commit.clone(),
        tree: plan.tree.clone(),
        result: match seeds.is_empty() {
            true => "agree".to_owned(),
            false => format!("failed {}", seeds.join(",")),
        },
        least: format!("{row} {least}"),
    })
}

fn report(plan: &Plan<'_>, state: &State) -> String {
    let subject = plan.request.subject;
    let (count, name) = (done_without_gap(plan, state), subject.name());
    let mut text = String::new();
    // Writing to a string does not fail.
    for (seed, message) in &state.failures {
        let _ = writeln!(text, "seed {seed}: {message}");
        let _ = writeln!(text, "  program: target/soak/{}", subject.reproducer_name(*seed));
        let _ = writeln!(text, "  again:   cargo xtask soak --what {name} --seed {seed} --count 1");
    }
    let (rows, wanted) = (subject.rows(), subject.wanted(count));
    let rare: Vec<String> = rows
        .iter()
        .filter(|row| state.tally.of(row) < wanted)
        .map(|row| format!("{row} {}", state.tally.of(row)))
        .collect();
    let _ = writeln!(text, "rows reached: {} of {}", rows.len() - rare.len(), rows.len());
    if !rare.is_empty() {
        let _ = writeln!(text, "reached fewer than {wanted} times: {}", rare.join(", "));
    }
    for (row, reached) in state.tally.iter().filter(|(row, _)| !rows.contains(row)) {
        let _ = writeln!(text, "{row} {reached}");
    }
    if is_median_small(state, count) {
        let _ = writeln!(text, "the median program executes fewer than 100 ops");
    }
    if state.peak > MOST_MEMORY {
        let _ = writeln!(text, "a worker used {} KiB of memory", state.peak);
    }
    if let Some(error) = &state.unnoted {
        let _ = writeln!(text, "the ledger was not written: {error}");
    }
    let (row, least) = least_reached(subject, &state.tally);
    let _ = writeln!(text, "least reached: {row} {least}; most memory: {} MiB", state.peak >> 10);
    let seconds = plan.began.elapsed().as_secs_f64();
    let _ = writeln!(
        text,
        "soak {name}: seeds {}..{} of sources {}, {} failures, {seconds:.1} s",
        plan.first,
        plan.first + count,
        plan.tree,
        state.failures.len(),
    );
    text
}
