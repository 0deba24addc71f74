//! Where each nanosecond of the first tier goes, from IR in memory to code that can be called.
//!
//! Each time is that of a process of its own, which loads a module of many functions once: what
//! the first tier takes where it is used. The steps are those that the engine tells. What they
//! consist of is sampled by Linux's `perf`, which the process turns on for the load alone, and
//! sorted by the names of functions: inlined code counts for whoever it stands in.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use brolga::ir::text::parse_module;
use brolga::ir::verify::Verified;
use brolga::{Config, Engine, LoadStep, Observer, Tier, Tiering};
use serde::{Deserialize, Serialize};

use crate::lifecycle::Failure;
use crate::many_functions;
use crate::report::Machine;

/// The first word by which this program is told to be a process that is measured.
pub const CHILD: &str = "--child";

/// Samples a second: about a thousand for each process.
const FREQUENCY: &str = "15000";

/// How many engines load the module in a process that has done it before.
const LOADS_AGAIN: usize = 5;

/// Parts of the work, and what names of functions begin with that do it; the first that fits.
const PARTS: &[(&str, &[&str])] = &[
    ("stencils: choosing, copying and filling them in", &["brolga_baseline::"]),
    (
        "rows: what is copied to its place, and what is kept of it",
        &["brolga::engine::quick", "brolga::link::standing", "brolga::runtime::facts"],
    ),
    ("names: what each module calls whom", &["brolga::link::scope", "brolga::link::namespace"]),
    ("places: memory for code and stubs", &["brolga::memory::"]),
    (
        "writing: code, stubs and the addresses in them",
        &[
            "brolga::link::stage::write",
            "brolga::link::stage::Stage::fill",
            "brolga::link::stub",
            "brolga::link::relocate",
            "brolga::link::stage::address",
        ],
    ),
    (
        "publishing: symbols, lives and the ledger",
        &["brolga::link::stage::commit", "brolga::link::symbols", "brolga_lifecycle::"],
    ),
    ("walks: what stack walks and debuggers are told", &["brolga::runtime::"]),
    ("linking, the rest", &["brolga::"]),
    ("reading the IR", &["brolga_ir::"]),
    ("tables of names", &["hashbrown::", "<hashbrown::"]),
    ("the heap", &["malloc", "_int_", "cfree", "realloc", "unlink_chunk", "mi_", "calloc"]),
    ("moving bytes", &["__mem", "mem"]),
];

/// What the parts have to do with the goal.
const ON_THE_WAY: &str = "\n\
## On the way to 50\n\n\
- Pages that are touched first are the difference between the first load and one by another engine \
of the same process: of the code and its places, and of what an engine keeps of each function. What \
functions are made in is used again for the next.\n\
- What an engine keeps of each function (its number, its slots, its stub, its life, its ledger) is \
what lets it be defined anew, removed and compiled better. It is paid by function, not by \
instruction: functions of ten times the length pay a tenth of it an instruction.\n\
- Functions are linked one by one behind each other by one thread; code is made by as many as \
`Config::compile_threads` says.\n";

const KERNEL: &str = "the system: pages that are touched first, and mapping them";
const OTHERS: &str = "others";

/// What a process has measured, in nanoseconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Load {
    /// Instructions of the module.
    ops: usize,
    all: u64,
    /// By the stencils, and by the compiler for what has none.
    making: u64,
    linking: u64,
    /// By another engine, later.
    again: u64,
}

impl Load {
    fn rest(&self) -> u64 {
        self.all.saturating_sub(self.making + self.linking)
    }
}

/// A report: as many processes of each kind.
#[derive(Clone, Debug)]
pub struct Plan {
    /// This program, which is started anew for each load.
    pub program: PathBuf,
    /// How many functions the module has.
    pub functions: usize,
    /// How many processes load it.
    pub processes: usize,
    /// Where they do.
    pub machine: Machine,
}

/// Loads a module of so many functions, with samples taken meanwhile if files are named by which
/// `perf` is told to; one line of JSON.
///
/// # Errors
/// If the words are none, and what the engine says.
pub fn run_child(words: &[String]) -> Result<String, Failure> {
    let (functions, files) = match words {
        [functions] => (functions, None),
        [functions, control, told] => (functions, Some((control, told))),
        _ => return Err("no such child".into()),
    };
    let module = parse_module(&many_functions(functions.parse()?));
    let module = module.map_err(|errors| format!("{errors:?}"))?;
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    let ops = bodies.map(|body| body.inst_count()).sum();
    let verified = Verified::check(module)?;
    let steps = Arc::new(Steps::default());
    let engine = engine(Some(Arc::clone(&steps) as _))?;
    let mut sampler = files.map(|(control, told)| Sampler::open(control, told)).transpose()?;
    if let Some(sampler) = &mut sampler {
        sampler.say("enable")?;
    }
    let start = Instant::now();
    engine.load_verified(std::slice::from_ref(&verified))?;
    let all = start.elapsed();
    if let Some(sampler) = &mut sampler {
        sampler.say("disable")?;
    }
    let [making, linking] = *steps.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(engine);
    let again = load_again(&verified)?;
    let [all, making, linking, again] = [all, making, linking, again]
        .map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    Ok(serde_json::to_string(&Load { ops, all, making, linking, again })?)
}

fn engine(observer: Option<Arc<dyn Observer>>) -> Result<Engine, Failure> {
    let tiering = Tiering::Fixed(Tier::Quick);
    Ok(Engine::new(Config { tiering, compile_threads: 1, observer, ..Config::default() })?)
}

/// The least that a load takes in a process that has made as much before.
fn load_again(module: &Verified) -> Result<Duration, Failure> {
    let mut least = Duration::MAX;
    for _ in 0..LOADS_AGAIN {
        let engine = engine(None)?;
        let start = Instant::now();
        engine.load_verified(std::slice::from_ref(module))?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

/// What making code and linking took.
#[derive(Debug, Default)]
struct Steps(Mutex<[Duration; 2]>);

impl Observer for Steps {
    fn loaded(&self, step: LoadStep, took: Duration) {
        let mut steps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match step {
            LoadStep::Compile => steps[0] += took,
            LoadStep::Link => steps[1] += took,
            _ => {}
        }
    }
}

/// The other ends of the pipes by which `perf` is told.
struct Sampler {
    control: File,
    told: BufReader<File>,
}

impl Sampler {
    fn open(control: &str, told: &str) -> Result<Sampler, Failure> {
        let control = File::options().write(true).open(control)?;
        Ok(Sampler { control, told: BufReader::new(File::open(told)?) })
    }

    /// Says a word, and waits until it has been heard.
    fn say(&mut self, word: &str) -> Result<(), Failure> {
        writeln!(self.control, "{word}")?;
        self.told.read_line(&mut String::new())?;
        Ok(())
    }
}

/// Measures, and writes the page.
///
/// # Errors
/// What the processes say. Where there is no `perf`, or it may not sample, the page says so.
pub fn report(plan: &Plan, folder: &Path) -> Result<String, Failure> {
    let mut loads = Vec::new();
    for _ in 0..plan.processes {
        let output = Command::new(&plan.program).args(child(plan)).output()?;
        loads.push(serde_json::from_slice(&checked(output)?)?);
    }
    let parts = sampled(plan, folder);
    Ok(page(plan, &loads, parts.as_deref().map_err(ToString::to_string)))
}

fn child(plan: &Plan) -> [String; 2] {
    [CHILD.to_owned(), plan.functions.to_string()]
}

fn checked(output: Output) -> Result<Vec<u8>, Failure> {
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{}: {}", output.status, said.trim()).into())
        }
    }
}

/// How many samples each part has, of as many processes as were measured.
fn sampled(plan: &Plan, folder: &Path) -> Result<Vec<(&'static str, u64)>, Failure> {
    fs::create_dir_all(folder)?;
    let [control, told, data] = ["control", "told", "data"].map(|name| folder.join(name));
    let mut counts: Vec<(&str, u64)> = names_of_parts().map(|name| (name, 0)).collect();
    for _ in 0..plan.processes {
        for pipe in [&control, &told] {
            let _ = fs::remove_file(pipe);
            checked(Command::new("mkfifo").arg(pipe).output()?)?;
        }
        let control_by = format!("--control=fifo:{},{}", control.display(), told.display());
        let record = ["record", "--quiet", "--delay=-1", "-F", FREQUENCY, &control_by, "-o"];
        let mut perf = Command::new("perf");
        perf.args(record).arg(&data).arg("--").arg(&plan.program).args(child(plan));
        checked(perf.args([&control, &told]).output()?)?;
        let format = ["report", "--no-children", "--stdio", "-F", "sample,dso,sym"];
        let mut perf = Command::new("perf");
        perf.args(format).args(["--field-separator=\t", "-i"]).arg(&data);
        add_samples(&String::from_utf8_lossy(&checked(perf.output()?)?), &mut counts);
    }
    match counts.iter().map(|(_, count)| count).sum::<u64>() {
        0 => Err("perf has taken no samples".into()),
        _ => Ok(counts),
    }
}

fn names_of_parts() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, _)| *name).chain([KERNEL, OTHERS])
}

/// Adds the samples of a report, in whose lines stand how many, of which file, and the function.
fn add_samples(report: &str, counts: &mut [(&'static str, u64)]) {
    for line in report.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t').map(str::trim);
        let (Some(Ok(samples)), Some(_), Some(function)) =
            (columns.next().map(str::parse::<u64>), columns.next(), columns.next())
        else {
            continue;
        };
        let part = part_of(function);
        if let Some((_, count)) = counts.iter_mut().find(|(name, _)| *name == part) {
            *count += samples;
        }
    }
}

/// The part that a function belongs to, as `perf` spells it: `[.] name`, or `[k] name` of the
/// system's.
fn part_of(function: &str) -> &'static str {
    let (space, name) = function.split_once("] ").unwrap_or(("", function));
    if space == "[k" {
        return KERNEL;
    }
    let name = name.trim_start_matches("<impl ").trim_start_matches('<');
    let fits = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    PARTS.iter().find(|(_, prefixes)| fits(prefixes)).map_or(OTHERS, |(part, _)| *part)
}

fn page(plan: &Plan, loads: &[Load], parts: Result<&[(&str, u64)], String>) -> String {
    let an_op = |time: fn(&Load) -> u64| {
        let mut times: Vec<f64> =
            loads.iter().map(|load| time(load) as f64 / load.ops.max(1) as f64).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    let all = an_op(|load| load.all);
    let mut text = format!(
        "# Where each nanosecond of the first tier goes\n\n\
         `cargo run --profile measured -p brolga-benches --bin first-tier` writes this page. A module of \
         {} functions, of {} instructions together, is loaded by one thread in the first tier, from \
         verified IR in memory to code that can be called, in {} processes of their own: medians, in \
         nanoseconds an instruction. The bound is 200, the goal 50.\n\n\
         {}; {}, {}.\n\n\
         | step | ns an op |\n|---|---:|\n",
        plan.functions,
        loads.first().map_or(0, |load| load.ops),
        loads.len(),
        plan.machine,
        plan.machine.versions.first().map_or("", |(_, commit)| commit),
        plan.machine.date,
    );
    let rows = [
        ("all", all),
        ("making code", an_op(|load| load.making)),
        ("linking", an_op(|load| load.linking)),
        ("the rest", an_op(Load::rest)),
        ("all, by another engine of a process that has done it before", an_op(|load| load.again)),
    ];
    for (step, time) in rows {
        let _ = writeln!(text, "| {step} | {time:.1} |");
    }
    text.push('\n');
    match parts {
        Ok(parts) => text += &table_of_parts(parts, all),
        Err(why) => {
            let _ = writeln!(text, "What these consist of was not sampled: {why}.");
        }
    }
    text + ON_THE_WAY
}

fn table_of_parts(parts: &[(&str, u64)], all: f64) -> String {
    let total: u64 = parts.iter().map(|(_, count)| count).sum();
    let mut text = format!(
        "What these consist of, by {total} samples of as many processes, which `perf` took of the loads \
         alone; inlined code counts for the function that it stands in.\n\n\
         | part | of all | ns an op |\n|---|---:|---:|\n"
    );
    let mut parts: Vec<_> = parts.iter().filter(|(_, count)| *count > 0).collect();
    parts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (name, count) in parts {
        let share = *count as f64 / total.max(1) as f64;
        let _ = writeln!(text, "| {name} | {:.1} % | {:.1} |", 100.0 * share, share * all);
    }
    text
}

/// A folder for what is sampled.
pub fn folder(program: &OsStr) -> PathBuf {
    Path::new(program).parent().unwrap_or(Path::new(".")).join("first-tier-samples")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_belong_to_the_first_part_that_fits() {
        let of = |function: &str| part_of(function).split(':').next().unwrap();
        assert_eq!(of("[.] brolga_baseline::function::emit"), "stencils");
        assert_eq!(of("[.] <brolga::memory::block::Block as core::ops::Drop>::drop"), "places");
        assert_eq!(of("[.] brolga::link::stage::commit::<impl Stage>::add_unit"), "publishing");
        assert_eq!(of("[.] brolga::engine::load::link::{{closure}}"), "linking, the rest");
        assert_eq!(of("[k] clear_page_erms"), "the system");
        assert_eq!(of("[.] _int_malloc"), "the heap");
        assert_eq!(of("[.] __memmove_avx512_unaligned_erms"), "moving bytes");
        assert_eq!(of("[.] core::fmt::write"), OTHERS);
    }

    #[test]
    fn samples_are_added_up_and_shared_among_the_parts() {
        let report =
            "# Samples: 4\n 3\trace \t[.] brolga_baseline::emit\n 1\t[kernel]\t[k] page\n\n";
        let mut counts: Vec<(&str, u64)> = names_of_parts().map(|name| (name, 0)).collect();
        add_samples(report, &mut counts);
        let versions = vec![("Brolga".into(), "commit 5".into())];
        let machine = Machine { date: "today".into(), versions, ..Machine::default() };
        let program = PathBuf::new();
        let plan = Plan { program, functions: 2, processes: 1, machine };
        let load = Load { ops: 30, all: 6000, making: 4000, linking: 1500, again: 3000 };
        let page = page(&plan, &[load], Ok(&counts));
        assert!(page.contains("| all | 200.0 |\n| making code | 133.3 |"), "{page}");
        assert!(
            page.contains("| the rest | 16.7 |") && page.contains("before | 100.0 |"),
            "{page}"
        );
        assert!(page.contains("; commit 5, today."), "{page}");
        assert!(page.contains(" filling them in | 75.0 % | 150.0 |"), "{page}");
        assert!(page.contains("and mapping them | 25.0 % | 50.0 |"), "{page}");
        let page = super::page(&plan, &[], Err("there is no `perf`".into()));
        assert!(page.contains("was not sampled: there is no `perf`."), "{page}");
    }

    #[test]
    fn a_child_says_what_its_load_took() {
        let load: Load = serde_json::from_str(&run_child(&["40".to_owned()]).unwrap()).unwrap();
        assert!(load.ops >= 40 * 13 && load.making + load.linking <= load.all, "{load:?}");
        assert!(load.making > 0 && load.linking > 0, "{load:?}");
        assert!(run_child(&[]).is_err());
    }
}
