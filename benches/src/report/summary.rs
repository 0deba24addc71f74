//! Numbers out of records.

use std::collections::{BTreeMap, BTreeSet};

use super::climb::Climb;
use super::record::{Input, Record, Records, Temperature};
use crate::backend::{OURS, TIERED, VARIANTS};
use crate::kernel::{Class, KERNELS};
use crate::race::Lap;

/// What everything is compared with.
pub(super) const YARDSTICK: &str = "llvm-O2";
/// The form that is compared: what a front end with variables of its own hands over.
pub(super) const FORM: &str = "ssa";
/// The one before any pass.
pub(super) const PLAIN: &str = "plain";
/// Differences below this are noise in one kernel.
pub(super) const NOISE: f64 = 1.08;

/// The best and the middle of what a back end did with an input.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// Nanoseconds of the fastest call, for one unit of `n`.
    pub run: Option<f64>,
    /// Nanoseconds of compiling in a process that has compiled the same before: the median.
    pub warm_compile: Option<f64>,
    /// The same, the first time.
    pub cold_compile: Option<f64>,
    /// The times to a result, where these were measured.
    pub climb: Option<Climb>,
    /// From the start of a process to the first result, the fastest, in nanoseconds.
    pub first_result: Option<f64>,
    /// Bytes of code.
    pub code_bytes: Option<f64>,
    /// KiB of memory at the most, of a process that compiles once.
    pub memory: Option<f64>,
    /// Medians of the steps of warm compilations, in nanoseconds.
    pub phases: BTreeMap<String, f64>,
}

/// Everything that was measured, by input and back end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    standings: BTreeMap<(Input, String), Standing>,
    /// Races that came to nothing, each once, and why.
    pub failures: Vec<(Input, String, String)>,
    /// Inputs on which back ends gave different results.
    pub disagreements: Vec<(Input, BTreeMap<String, String>)>,
    /// By how much the fastest calls of rounds differ, for each race that ran in several:
    /// the slowest round against the fastest, in order.
    spreads: Vec<f64>,
}

impl Summary {
    /// The summary of a run.
    pub fn of(records: &Records) -> Summary {
        let mut grouped: BTreeMap<(Input, String), Vec<&Record>> = BTreeMap::new();
        let mut results: BTreeMap<(Input, i64), BTreeMap<String, String>> = BTreeMap::new();
        let mut failures = BTreeSet::new();
        for record in &records.races {
            let key = (record.input.clone(), record.backend.clone());
            match &record.outcome {
                Ok(lap) => {
                    grouped.entry(key).or_default().push(record);
                    if !lap.run_ns.is_empty() {
                        let of_input = results.entry((record.input.clone(), record.n)).or_default();
                        of_input.insert(record.backend.clone(), lap.checksum.clone());
                    }
                    for rung in &lap.rungs {
                        let of_input = results.entry((record.input.clone(), rung.n)).or_default();
                        of_input.insert(record.backend.clone() + ", anew", rung.checksum.clone());
                    }
                }
                Err(reason) => {
                    failures.insert((key.0, key.1, reason.clone()));
                }
            }
        }
        let differ = |of_input: &BTreeMap<String, String>| {
            of_input.values().collect::<BTreeSet<_>>().len() > 1
        };
        let mut spreads: Vec<f64> = grouped.values().filter_map(|races| spread(races)).collect();
        spreads.sort_by(f64::total_cmp);
        Summary {
            spreads,
            standings: grouped.into_iter().map(|(key, races)| (key, standing(&races))).collect(),
            failures: failures.into_iter().collect(),
            disagreements: results
                .into_iter()
                .filter(|(_, of_input)| differ(of_input))
                .map(|((input, _), of_input)| (input, of_input))
                .collect(),
        }
    }

    /// What a back end did with an input.
    pub fn standing(&self, input: &Input, backend: &str) -> Option<&Standing> {
        self.standings.get(&(input.clone(), backend.to_owned()))
    }

    /// The back ends that have a record, in the order of tables.
    pub fn backends(&self) -> Vec<&'static str> {
        let seen: BTreeSet<&str> =
            self.standings.keys().map(|(_, backend)| backend.as_str()).collect();
        crate::backend::NAMES.iter().copied().filter(|name| seen.contains(name)).collect()
    }

    /// The back ends that have a record and that somebody could choose, in the order of tables.
    pub fn choices(&self) -> Vec<&'static str> {
        self.backends().into_iter().filter(|name| !VARIANTS.contains(name)).collect()
    }

    /// Our levels that have a record.
    pub fn ours(&self) -> Vec<&'static str> {
        self.choices().into_iter().filter(|name| name.starts_with(OURS)).collect()
    }

    /// The ratio of the best of our levels.
    pub fn our_best(&self, input: &Input) -> Option<f64> {
        let ours = self.ours();
        let ratios = ours.iter().filter_map(|backend| self.run_ratio(input, backend));
        ratios.min_by(f64::total_cmp)
    }

    /// The kernels of the suite that a back end ran in a form.
    pub fn kernels_run(&self, form: &str, backend: &str) -> usize {
        let ran = |input: &Input| self.run(input, backend).is_some();
        all_kernels(form).iter().filter(|input| ran(input)).count()
    }

    /// The generated programs that were raced, the smallest first.
    pub fn generated(&self) -> Vec<&Input> {
        let mut inputs: Vec<&Input> = self.standings.keys().map(|(input, _)| input).collect();
        inputs.retain(|input| matches!(input, Input::Generated { .. }));
        inputs.dedup();
        inputs.sort_by_key(|input| match input {
            Input::Generated { instructions, .. } => *instructions,
            _ => 0,
        });
        inputs
    }

    /// By how much the rounds of one race differ in `share` of all races at most, if there
    /// were several rounds.
    pub fn spread(&self, share: f64) -> Option<f64> {
        let place = (self.spreads.len() as f64 * share) as usize;
        self.spreads.get(place.min(self.spreads.len().saturating_sub(1))).copied()
    }

    /// Run time against the yardstick's on the same input: 2 is twice as slow.
    pub fn run_ratio(&self, input: &Input, backend: &str) -> Option<f64> {
        self.ratio(input, backend, YARDSTICK)
    }

    /// Run time against a rival's on the same input.
    pub fn ratio(&self, input: &Input, backend: &str, rival: &str) -> Option<f64> {
        Some(self.run(input, backend)? / self.run(input, rival)?)
    }

    fn run(&self, input: &Input, backend: &str) -> Option<f64> {
        self.standing(input, backend)?.run
    }

    /// The mean ratio over the kernels of a class, in a form.
    pub fn class_ratio(&self, class: Class, form: &str, backend: &str) -> Option<f64> {
        self.class_ratio_to(class, form, backend, YARDSTICK)
    }

    /// The same against a rival.
    pub fn class_ratio_to(
        &self,
        class: Class,
        form: &str,
        backend: &str,
        rival: &str,
    ) -> Option<f64> {
        let inputs = kernels_of(class, form);
        mean(inputs.iter().filter_map(|input| self.ratio(input, backend, rival)))
    }

    /// The mean ratio over all classes by their weights; none if a class has no kernel that
    /// runs.
    pub fn total_ratio(&self, form: &str, backend: &str) -> Option<f64> {
        self.total_ratio_to(form, backend, YARDSTICK)
    }

    /// The same against a rival.
    pub fn total_ratio_to(&self, form: &str, backend: &str, rival: &str) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for class in Class::ALL {
            sum += self.class_ratio_to(class, form, backend, rival)?.ln() * class.weight();
            weights += class.weight();
        }
        Some((sum / weights).exp())
    }

    /// The mean of a number over all kernels in a form.
    pub fn mean_of(
        &self,
        form: &str,
        backend: &str,
        number: impl Fn(&Standing) -> Option<f64>,
    ) -> Option<f64> {
        mean(all_kernels(form).iter().filter_map(|input| number(self.standing(input, backend)?)))
    }

    /// The mean time from a module in memory to a result over some kernels, whose work takes
    /// the yardstick `work` nanoseconds: compiling, making data, then running.
    pub fn time_to_result(&self, inputs: &[Input], backend: &str, work: f64) -> Option<f64> {
        mean(inputs.iter().filter_map(|input| self.time_of(input, backend, work)))
    }

    /// The mean of such times to a rival's, over the kernels that both ran.
    pub fn time_ratio(
        &self,
        inputs: &[Input],
        backend: &str,
        rival: &str,
        work: f64,
    ) -> Option<f64> {
        mean(inputs.iter().filter_map(|input| {
            Some(self.time_of(input, backend, work)? / self.time_of(input, rival, work)?)
        }))
    }

    fn time_of(&self, input: &Input, backend: &str, work: f64) -> Option<f64> {
        let climb = self.standing(input, backend)?.climb.as_ref()?;
        let argument = work / self.run(input, YARDSTICK)?;
        let (last, time) = climb.last();
        match backend {
            TIERED => Some(climb.time(argument)),
            _ if argument <= last => Some(climb.time(argument)),
            _ => Some(time + (argument - last) * self.run(input, backend)?),
        }
    }
}

/// The whole suite in a form.
pub(super) fn all_kernels(form: &str) -> Vec<Input> {
    Class::ALL.into_iter().flat_map(|class| kernels_of(class, form)).collect()
}

/// The inputs of a class in a form.
pub(super) fn kernels_of(class: Class, form: &str) -> Vec<Input> {
    let kernels = KERNELS.iter().filter(|kernel| kernel.class == class);
    kernels
        .map(|kernel| Input::Kernel { name: kernel.name.to_owned(), form: form.to_owned() })
        .collect()
}

fn standing(races: &[&Record]) -> Standing {
    let laps = |temperature| {
        let of = races.iter().filter(move |race| race.temperature == temperature);
        of.filter_map(|race| Some((*race, race.outcome.as_ref().ok()?)))
    };
    let all = || races.iter().filter_map(|race| Some((*race, race.outcome.as_ref().ok()?)));
    let run = |(race, lap): (&Record, &Lap)| Some(lap.best_run()? as f64 / race.n.max(1) as f64);
    let compiles =
        |temperature| median(laps(temperature).map(|(_, lap)| lap.compile_ns as f64).collect());
    let first = laps(Temperature::Cold).map(|(race, _)| race.first_result_ns as f64);
    let names: BTreeSet<&String> =
        laps(Temperature::Warm).flat_map(|(_, lap)| lap.phases.keys()).collect();
    let rungs = laps(Temperature::Warm).flat_map(|(_, lap)| &lap.rungs);
    let phase = |name: &String| {
        let times = laps(Temperature::Warm).filter_map(|(_, lap)| lap.phases.get(name));
        median(times.map(|&time| time as f64).collect())
    };
    Standing {
        run: all().filter_map(run).min_by(f64::total_cmp),
        warm_compile: compiles(Temperature::Warm),
        cold_compile: compiles(Temperature::Cold),
        climb: Climb::of(rungs),
        first_result: first.min_by(f64::total_cmp),
        code_bytes: median(all().map(|(_, lap)| lap.code_bytes as f64).collect()),
        memory: median(laps(Temperature::Cold).map(|(_, lap)| lap.rss_compile_kb as f64).collect()),
        phases: names.into_iter().filter_map(|name| Some((name.clone(), phase(name)?))).collect(),
    }
}

/// The slowest against the fastest of what was the fastest call of each round.
fn spread(races: &[&Record]) -> Option<f64> {
    let mut rounds: BTreeMap<usize, u64> = BTreeMap::new();
    for (race, lap) in races.iter().filter_map(|race| Some((race, race.outcome.as_ref().ok()?))) {
        if let Some(best) = lap.best_run() {
            let round = rounds.entry(race.round).or_insert(best);
            *round = best.min(*round);
        }
    }
    let (least, most) = (rounds.values().min()?, rounds.values().max()?);
    (rounds.len() > 1).then(|| *most as f64 / *least as f64)
}

/// The geometric mean; none of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.filter(|&value| value > 0.0).map(f64::ln).collect();
    let count = logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / count).exp())
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
