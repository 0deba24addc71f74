//! The page: tables and pictures out of a summary.

use std::fmt::Write;

use super::machine::Machine;
use super::plot::{Plot, Series};
use super::record::{Input, Records};
use super::summary::{Standing, Summary, YARDSTICK, kernels_of};
use crate::kernel::{Class, EXAMPLES, KERNELS};

/// The pictures that the page shows, by the names of their files beside it.
pub const PICTURES: [&str; 2] = ["benchmarks-trade.svg", "benchmarks-time.svg"];

/// The form that is compared: what a front end with variables of its own hands over.
const FORM: &str = "ssa";
/// The one before any pass.
const PLAIN: &str = "plain";

/// Differences below this are noise in one kernel.
const NOISE: f64 = 1.08;

/// The page and its pictures, as file names and texts.
pub fn page(records: &Records) -> Vec<(&'static str, String)> {
    let summary = Summary::of(records);
    let mut text = head(&records.machine);
    text += &glance(&summary);
    text += &classes(&summary);
    text += &wins_and_losses(&summary);
    text += &time_to_result(&summary);
    text += &phases(&summary);
    text += &throughput(records, &summary);
    text += &every_kernel(&summary);
    text += &examples(&summary);
    text += &troubles(&summary);
    text += &method(&records.machine);
    vec![
        ("benchmarks.md", text),
        (PICTURES[0], trade_picture(&summary)),
        (PICTURES[1], time_picture(&summary)),
    ]
}

fn head(machine: &Machine) -> String {
    let mut text = format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench-report` from one run on {}; what it says holds \
         for this machine and these versions. Ratios are to LLVM at `-O2` on the same text in the \
         same run: 2 is twice as slow, and less than 1 is faster than LLVM. What is measured, and \
         how, stands [at the end](#method).\n\n",
        machine.date
    );
    text += &format!(
        "{} with {} threads and {} MiB, {}; load before the run {}.\n",
        machine.processor, machine.threads, machine.memory, machine.system, machine.load
    );
    for (name, version) in &machine.versions {
        text += &format!("- {name}: {version}\n");
    }
    text + "\n"
}

/// One row a back end: what it costs, and what it gives.
fn glance(summary: &Summary) -> String {
    let columns = [
        "run time, ratio",
        "compile, warm, µs",
        "compile, first, µs",
        "process to result, ms",
        "code, bytes",
        "memory, MiB",
    ];
    let rows = summary.backends().into_iter().map(|backend| {
        let mean = |number: fn(&Standing) -> Option<f64>, unit: f64| {
            summary.mean_of(FORM, backend, number).map(|value| value / unit)
        };
        let cells = vec![
            summary.total_ratio(FORM, backend),
            mean(|standing| standing.warm_compile, 1e3),
            mean(|standing| standing.cold_compile, 1e3),
            mean(|standing| standing.first_result, 1e6),
            mean(|standing| standing.code_bytes, 1.0),
            mean(|standing| standing.memory, 1024.0),
        ];
        (backend.to_owned(), cells)
    });
    format!(
        "## At a glance\n\nMeans over the suite, handed over as SSA.\n\n{}\n![What code costs and what it \
         gives]({})\n\n",
        table("", &columns, rows),
        PICTURES[0]
    )
}

fn classes(summary: &Summary) -> String {
    let columns = Class::ALL.map(Class::name);
    let mut text =
        "## Run time by class\n\nMeans of ratios; a class counts in the total by its weight, \
        not by its number of kernels.\n"
            .to_owned();
    for (form, title) in [
        (FORM, "Handed over as SSA, after LLVM's `sroa` alone"),
        (PLAIN, "As the front end leaves it, every variable in a stack slot"),
    ] {
        let rows = summary.backends().into_iter().map(|backend| {
            let ratios = Class::ALL.map(|class| summary.class_ratio(class, form, backend));
            (backend.to_owned(), ratios.to_vec())
        });
        let _ = write!(text, "\n{title}:\n\n{}", table("", &columns, rows));
    }
    let weights: Vec<String> =
        Class::ALL.iter().map(|class| format!("{} {}", class.name(), class.weight())).collect();
    let _ = write!(text, "\nWeights: {}.\n\n", weights.join(", "));
    text
}

/// Where our best level is faster than the yardstick, and where it is slowest.
fn wins_and_losses(summary: &Summary) -> String {
    let ours: Vec<&str> =
        summary.backends().into_iter().filter(|name| name.starts_with("brolga")).collect();
    let best = |input: &Input| {
        let ratios = ours.iter().filter_map(|backend| summary.run_ratio(input, backend));
        ratios.min_by(f64::total_cmp)
    };
    let inputs = Class::ALL.into_iter().flat_map(|class| kernels_of(class, FORM));
    let mut ranked: Vec<(f64, String)> =
        inputs.filter_map(|input| Some((best(&input)?, name_of(&input)))).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let listed = |kernels: &mut dyn Iterator<Item = &(f64, String)>| {
        let words: Vec<String> =
            kernels.map(|(ratio, name)| format!("{name} {}", number(*ratio))).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    };
    let won = listed(&mut ranked.iter().take_while(|(ratio, _)| *ratio < 1.0 / NOISE));
    let even =
        listed(&mut ranked.iter().filter(|(ratio, _)| (1.0 / NOISE..=NOISE).contains(ratio)));
    let lost = listed(&mut ranked.iter().rev().take_while(|(ratio, _)| *ratio > NOISE).take(20));
    format!(
        "## Where we win and lose\n\nThe best of our levels against LLVM at `-O2`, ratio of run times.\n\n\
         - Faster: {won}.\n- As fast, within noise: {even}.\n- Slower, the worst first: {lost}.\n\n"
    )
}

/// The work, in nanoseconds of the yardstick, at which times to the result are told.
fn works() -> impl Iterator<Item = f64> {
    (3..=9).map(|exponent| 10_f64.powi(exponent))
}

fn time_to_result(summary: &Summary) -> String {
    let columns: Vec<String> = works().map(|work| format!("{} work", duration(work))).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let competing = || summary.backends().into_iter().filter(|&name| name != "interpreter");
    let best: Vec<Option<(&str, f64)>> = works()
        .map(|work| {
            let times = competing().filter_map(|backend| {
                Some((backend, summary.time_to_result(FORM, backend, work)?))
            });
            times.min_by(|a, b| a.1.total_cmp(&b.1))
        })
        .collect();
    let rows = competing().map(|backend| {
        let ratios = works()
            .zip(&best)
            .map(|(work, best)| Some(summary.time_to_result(FORM, backend, work)? / (*best)?.1));
        (backend.to_owned(), ratios.collect())
    });
    let winners: Vec<String> = works()
        .zip(&best)
        .filter_map(|(work, best)| {
            let (backend, time) = (*best)?;
            Some(format!("{}: {backend} ({})", duration(work), duration(time)))
        })
        .collect();
    format!(
        "## Time to result\n\nFrom a module in memory to a result: compiling in a warm process, then \
         running as much as takes LLVM's `-O2` code the time above the column. Against the fastest \
         of all.\n\n{}\nWho wins: {}.\n\n![Time to result]({})\n\n",
        table("", &columns, rows),
        winners.join("; "),
        PICTURES[1]
    )
}

fn phases(summary: &Summary) -> String {
    let mut text =
        "## Where compile time goes\n\nMeans over the suite in a warm process, in µs; `parse` \
        is reading the text and counts for nothing else on this page.\n\n"
            .to_owned();
    for backend in summary.backends() {
        let mut steps: Vec<String> = Vec::new();
        for step in STEPS {
            let mean =
                summary.mean_of(FORM, backend, |standing| standing.phases.get(step).copied());
            steps.extend(mean.map(|time| format!("{step} {}", number(time / 1e3))));
        }
        if !steps.is_empty() {
            let _ = writeln!(text, "- {backend}: {}", steps.join(", "));
        }
    }
    text + "\n"
}

/// The steps of all back ends, in the order in which they are taken.
const STEPS: [&str; 7] = ["parse", "verify", "process", "compile", "passes", "emit", "link"];

fn throughput(records: &Records, summary: &Summary) -> String {
    let mut inputs: Vec<&Input> = records
        .races
        .iter()
        .map(|race| &race.input)
        .filter(|input| matches!(input, Input::Generated { .. }))
        .collect();
    inputs.dedup();
    let mut seen = Vec::new();
    inputs.retain(|input| {
        !seen.contains(input) && {
            seen.push(*input);
            true
        }
    });
    let titles: Vec<String> = inputs
        .iter()
        .flat_map(|input| [format!("{}, ms", name_of(input)), "ns an instruction".to_owned()])
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let rows = summary.backends().into_iter().map(|backend| {
        let cells = inputs.iter().flat_map(|input| {
            let time = summary.standing(input, backend).and_then(|standing| standing.cold_compile);
            let count = match input {
                Input::Generated { instructions, .. } => *instructions as f64,
                _ => 0.0,
            };
            [time.map(|time| time / 1e6), time.map(|time| time / count)]
        });
        (backend.to_owned(), cells.collect())
    });
    format!(
        "## Large modules\n\nGenerated in our text; LLVM gets what `brolga export` makes of it. Compiled \
         once, in a fresh process.\n\n{}\n",
        table("", &titles, rows)
    )
}

fn every_kernel(summary: &Summary) -> String {
    let backends = summary.backends();
    let rows = KERNELS.iter().map(|kernel| {
        let input = Input::Kernel { name: kernel.name.to_owned(), form: FORM.to_owned() };
        let ratios = backends.iter().map(|backend| summary.run_ratio(&input, backend));
        (format!("{} ({})", kernel.name, kernel.class.name()), ratios.collect())
    });
    format!(
        "## Every kernel\n\nRatios of run times, handed over as SSA.\n\n{}\n",
        table("kernel", &backends, rows)
    )
}

fn examples(summary: &Summary) -> String {
    let backends: Vec<&str> =
        summary.backends().into_iter().filter(|&name| name != "native").collect();
    let rows = EXAMPLES.iter().map(|example| {
        let input = Input::Example(example.name.to_owned());
        let ratios = backends.iter().map(|backend| summary.run_ratio(&input, backend));
        (example.name.to_owned(), ratios.collect())
    });
    format!(
        "## Our own examples\n\nThe programs of `examples/`, in our own text; LLVM gets what `brolga \
         export` makes of them, with every check.\n\n{}\n",
        table("example", &backends, rows)
    )
}

fn troubles(summary: &Summary) -> String {
    let mut text = String::from("## What did not run\n\n");
    for (input, backend, reason) in &summary.failures {
        let _ = writeln!(text, "- {} by {backend}: {reason}", name_of(input));
    }
    for (input, results) in &summary.disagreements {
        let results: Vec<String> =
            results.iter().map(|(backend, result)| format!("{backend} {result}")).collect();
        let _ = writeln!(text, "- {}: the results differ: {}", name_of(input), results.join(", "));
    }
    if summary.failures.is_empty() && summary.disagreements.is_empty() {
        text += "Everything ran, and all results are equal.\n";
    }
    text + "\n"
}

fn method(machine: &Machine) -> String {
    format!(
        "## Method\n\nEvery race is a process of its own; the back ends take turns on each input, another \
         one first in each of {} rounds. A run time is that of the fastest call of all rounds, a \
         compile time the median of the rounds. Differences under 8 % in one kernel, or 3 % in a \
         mean, are noise. Means are geometric, over what ran: see [what did \
         not](#what-did-not-run).\n\n\
         Compile time goes from the module in memory to code that can be called. Setting up an \
         engine is not in it, but in the time from the start of the process to the first result, \
         which has reading the text in it, too. Memory is the most that the process had needed \
         when its code was there, the program itself included.\n\n\
         The interpreter runs a 64th of the work, and its times are multiplied. `cranelift` is \
         `cranelift-jit`, given the very text that our own lowering hands to its back end; \
         `native` is `clang -O2` or `rustc -O` in a process, an opened library, and each kernel's \
         own source. {}\n\nThe kernels are in `benches/kernels`; its table says what each is \
         about.\n",
        machine.rounds, machine.same_code
    )
}

fn trade_picture(summary: &Summary) -> String {
    let series = summary.backends().into_iter().filter(|&name| name != "interpreter");
    let series = series.filter_map(|backend| {
        let compile = |standing: &Standing| standing.warm_compile.or(standing.cold_compile);
        let compile = summary.mean_of(FORM, backend, compile)? / 1e3;
        let run = summary.total_ratio(FORM, backend)?;
        Some(Series { name: backend.to_owned(), points: vec![(compile, run)] })
    });
    let plot = Plot {
        title: "What code costs and what it gives: lower left is better".to_owned(),
        across: "compile time of a kernel, µs".to_owned(),
        up: format!("run time against {YARDSTICK}"),
        series: series.collect(),
    };
    plot.svg()
}

fn time_picture(summary: &Summary) -> String {
    let works: Vec<f64> = (12..=36).map(|step| 10_f64.powf(f64::from(step) / 4.0)).collect();
    let series = summary.backends().into_iter().filter(|&name| name != "interpreter");
    let series = series.map(|backend| Series {
        name: backend.to_owned(),
        points: works
            .iter()
            .filter_map(|&work| {
                let time = summary.time_to_result(FORM, backend, work)?;
                Some((work / 1e6, time / 1e6))
            })
            .collect(),
    });
    let plot = Plot {
        title: "Time to result, compiling and running: lower is better".to_owned(),
        across: format!("work, ms of {YARDSTICK} code"),
        up: "ms".to_owned(),
        series: series.filter(|series| !series.points.is_empty()).collect(),
    };
    plot.svg()
}

fn name_of(input: &Input) -> String {
    match input {
        Input::Kernel { name, form } if form == FORM => name.clone(),
        Input::Kernel { name, form } => format!("{name} ({form})"),
        Input::Example(name) => format!("{name} (example)"),
        Input::Generated { name, .. } => name.clone(),
    }
}

/// A table with a name and numbers in each row; rows without any number are left out.
fn table(
    corner: &str,
    columns: &[&str],
    rows: impl Iterator<Item = (String, Vec<Option<f64>>)>,
) -> String {
    let mut text = format!("| {corner} |");
    for column in columns {
        let _ = write!(text, " {column} |");
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(columns.len()));
    for (name, cells) in rows.filter(|(_, cells)| cells.iter().any(Option::is_some)) {
        let _ = write!(text, "| {name} |");
        for cell in cells {
            let _ = write!(text, " {} |", cell.map_or_else(|| "-".to_owned(), number));
        }
        text.push('\n');
    }
    text
}

/// Three digits that count.
fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// Nanoseconds as a person says them.
fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns if ns >= 1e3 => (ns / 1e3, "µs"),
        ns => (ns, "ns"),
    };
    if value.fract() == 0.0 {
        format!("{value} {unit}")
    } else {
        format!("{} {unit}", number(value))
    }
}

#[cfg(test)]
mod tests;
