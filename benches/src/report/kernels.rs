//! The page of every kernel by itself, and the picture of all of them.

use std::fmt::Write;

use super::bars::{Bars, Group, Row};
use super::format::{duration, name_of, number, table, table_of_texts};
use super::record::Input;
use super::summary::{FORM, NOISE, PLAIN, Standing, Summary, YARDSTICK, kernels_of};
use crate::kernel::{Class, EXAMPLES, KERNELS, Language};

/// The steps of all back ends, in the order in which they are taken.
const STEPS: [&str; 13] = [
    "parse",
    "verify",
    "process",
    "early_simplification",
    "early_optimisation",
    "loops",
    "scalars",
    "vectorisation",
    "intrinsic_lowering",
    "clean_up",
    "passes",
    "emit",
    "link",
];

/// What each step took, in order, in microseconds, by a way to look it up.
pub(super) fn steps(time: impl Fn(&str) -> Option<f64>) -> String {
    let told = STEPS.iter().filter_map(|step| {
        let name = step.replace('_', " ");
        Some(format!("{name} {}", number(time(step)? / 1e3)))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The ratios of all kernels, for the page that sums up.
pub(super) fn section(summary: &Summary) -> String {
    let backends = summary.backends();
    let rows = KERNELS.iter().map(|kernel| {
        let input = Input::Kernel { name: kernel.name.to_owned(), form: FORM.to_owned() };
        let ratios = backends.iter().map(|backend| summary.run_ratio(&input, backend));
        (format!("{} ({})", kernel.name, kernel.class.name()), ratios.collect())
    });
    table("kernel", &backends, rows)
}

/// The page: run time, compile time by step, code and memory of each kernel.
pub(super) fn page(summary: &Summary) -> String {
    let mut text = "# Benchmarks, kernel by kernel\n\nWritten by `cargo xtask bench-report` with \
         [the page that sums it up](benchmarks.md#method), where it is told how all of this is \
         measured. `run` is the fastest call, `ratio` is to LLVM at `-O2` on the same text, \
         `warm` and `first` are compile times in µs in a process that has compiled the same three \
         times before and in one that has not, with the steps of the warm one. `native` compiles \
         the source.\n\n"
        .to_owned();
    for class in Class::ALL {
        let _ = writeln!(text, "## {}\n", class.name());
        for kernel in KERNELS.iter().filter(|kernel| kernel.class == class) {
            let language = match kernel.language {
                Language::C => "C",
                Language::Rust => "Rust",
            };
            let _ = writeln!(text, "### {}\n\n{}, {language}.\n", kernel.name, kernel.topic);
            for (form, title) in [(FORM, "after `sroa`"), (PLAIN, "as the front end leaves it")] {
                let name = kernel.name.to_owned();
                let input = Input::Kernel { name, form: form.to_owned() };
                text += &details(summary, &input, title, kernel.n);
            }
        }
    }
    text += "## Our own examples\n\n";
    for example in EXAMPLES {
        let input = Input::Example(example.name.to_owned());
        text += &details(summary, &input, &name_of(&input), example.n);
    }
    text
}

/// What all back ends did with one input; nothing if none was raced.
fn details(summary: &Summary, input: &Input, title: &str, n: i64) -> String {
    let columns = ["run", "ratio", "warm", "first", "code, bytes", "memory, MiB", "steps, µs"];
    let rows: Vec<(String, Vec<String>)> = summary
        .backends()
        .into_iter()
        .filter_map(|backend| {
            let standing = summary.standing(input, backend)?;
            let ratio = summary.run_ratio(input, backend);
            Some((backend.to_owned(), cells(standing, ratio, n)))
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("{}\n", table_of_texts(title, &columns, rows.into_iter()))
}

fn cells(standing: &Standing, ratio: Option<f64>, n: i64) -> Vec<String> {
    let told = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), number);
    let run = standing.run.map(|run| duration(run * n as f64));
    vec![
        run.unwrap_or_else(|| "-".to_owned()),
        told(ratio),
        told(standing.warm_compile.map(|time| time / 1e3)),
        told(standing.cold_compile.map(|time| time / 1e3)),
        told(standing.code_bytes.filter(|&bytes| bytes > 0.0)),
        told(standing.memory.map(|memory| memory / 1024.0)),
        steps(|step| standing.phases.get(step).copied()),
    ]
}

/// The picture: how the best of our levels does in each kernel.
pub(super) fn picture(summary: &Summary) -> String {
    let group = |class: Class| {
        let rows = kernels_of(class, FORM).into_iter().filter_map(|input| {
            let mark = summary.run_ratio(&input, "llvm-O0");
            Some(Row { name: name_of(&input), ratio: summary.our_best(&input)?, mark })
        });
        let ratio = best_of_class(summary, class)
            .map_or_else(String::new, |ratio| format!(": {} in the mean", number(ratio)));
        Group { title: format!("{}{ratio}", class.name()), rows: rows.collect() }
    };
    let bars = Bars {
        title: format!("Run time of {}'s code against {YARDSTICK}'s", summary.ours().join(", ")),
        mark: "llvm-O0".to_owned(),
        noise: NOISE,
        groups: Class::ALL.into_iter().map(group).filter(|group| !group.rows.is_empty()).collect(),
    };
    bars.svg()
}

fn best_of_class(summary: &Summary, class: Class) -> Option<f64> {
    let ratios =
        summary.ours().into_iter().filter_map(|backend| summary.class_ratio(class, FORM, backend));
    ratios.min_by(f64::total_cmp)
}
