//! The page: tables and pictures out of a summary.

use std::fmt::Write;

use super::format::{duration, name_of, number, table};
use super::gates;
use super::kernels;
use super::machine::Machine;
use super::plot::{Plot, Series};
use super::record::{Input, Records};
use super::summary::{FORM, NOISE, PLAIN, Standing, Summary, YARDSTICK, all_kernels};
use super::time;
use crate::kernel::{Class, EXAMPLES, KERNELS};

/// The pictures that the page shows, by the names of their files beside it.
pub const PICTURES: [&str; 3] =
    ["benchmarks-kernels.svg", "benchmarks-trade.svg", "benchmarks-time.svg"];

/// The pages and their pictures, as file names and texts.
pub fn page(records: &Records) -> Vec<(&'static str, String)> {
    let summary = Summary::of(records);
    let mut text = head(&records.machine);
    text += &glance(&summary);
    text += &gates::section(&summary);
    text += &wins_and_losses(&summary);
    text += &time::section(&summary, PICTURES[2]);
    text += &classes(&summary);
    text += &phases(&summary);
    text += &throughput(&summary);
    text += &every_kernel(&summary);
    text += &examples(&summary);
    text += &troubles(&summary);
    text += &method(&records.machine, &summary);
    vec![
        ("benchmarks.md", text),
        ("benchmarks-kernels.md", kernels::page(&summary)),
        (PICTURES[0], kernels::picture(&summary)),
        (PICTURES[1], trade_picture(&summary)),
        (PICTURES[2], time::picture(&summary)),
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
    text += &format!("{machine}.\n\n");
    for (name, version) in &machine.versions {
        text += &format!("- {name}: {version}\n");
    }
    text + "\n"
}

/// In words, and a row for each back end: what it costs, and what it gives.
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
    let words: String = summary.ours().into_iter().map(|ours| verdict(summary, ours)).collect();
    let words = words + &first(summary);
    let count = KERNELS.len();
    let missing: String = summary
        .backends()
        .into_iter()
        .map(|backend| (backend, summary.kernels_run(FORM, backend)))
        .filter(|&(_, ran)| ran < count)
        .map(|(backend, ran)| format!("`{backend}` ran {ran} of them. "))
        .collect();
    format!(
        "## At a glance\n\n{words}\nMeans over the {count} kernels of the suite, handed over as SSA. \
         {missing}The best is at the bottom left of the picture, which has those rows that somebody \
         could choose.\n\n{}\n\
         ![What code costs and what it gives]({})\n\n",
        table("", &columns, rows),
        PICTURES[1]
    )
}

/// What one of our levels is worth, in words.
fn verdict(summary: &Summary, ours: &str) -> String {
    let mut text = String::new();
    let said = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), number);
    let run = |backend: &str| summary.total_ratio(FORM, backend);
    let _ = writeln!(
        text,
        "- Code of `{ours}` takes {} times as long as that of LLVM at `-O2`; LLVM's own at `-O0` \
         takes {}, at `-O1` {}.",
        said(run(ours)),
        said(run("llvm-O0")),
        said(run("llvm-O1"))
    );
    let compile =
        |backend: &str| summary.mean_of(FORM, backend, |standing: &Standing| standing.warm_compile);
    let faster = |rival: &str| Some(compile(rival)? / compile(ours)?);
    let _ = writeln!(
        text,
        "- It compiles {} times as fast as LLVM at `-O2` and {} times as fast as LLVM at `-O0`.",
        said(faster(YARDSTICK)),
        said(faster("llvm-O0"))
    );
    let (rival, both) = ("cranelift-speed", [compile(ours), compile("cranelift-speed")]);
    if let ([Some(ours_takes), Some(rival_takes)], Some(ratio), Some(rival_ratio)) =
        (both, run(ours), run(rival))
    {
        let _ = writeln!(
            text,
            "- Against `{rival}`, which gets the IR as it is handed over, taken down as at `O0`: {} \
             of its run time, {} of its compile time, which here has our passes in it.",
            number(ratio / rival_ratio),
            number(ours_takes / rival_takes)
        );
    }
    text
}

/// Who is first to a result, in words.
fn first(summary: &Summary) -> String {
    let reigns: Vec<String> = time::reigns(summary)
        .into_iter()
        .map(|(backend, from, to)| format!("`{backend}` from {} to {}", work(from), work(to)))
        .collect();
    format!(
        "- First to a result, by the work that there is to do in time of LLVM's `-O2` code: {}.\n",
        reigns.join(", ")
    )
}

fn work(nanoseconds: f64) -> String {
    match nanoseconds {
        0.0 => "nothing".to_owned(),
        ns if ns >= 1e10 => "seconds".to_owned(),
        ns => duration(ns),
    }
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
    let mut ranked: Vec<(f64, String)> = all_kernels(FORM)
        .iter()
        .filter_map(|input| Some((summary.our_best(input)?, name_of(input))))
        .collect();
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
         - Faster: {won}.\n- As fast, within noise: {even}.\n- Slower, the worst first: {lost}.\n\n\
         ![Every kernel]({})\n\n",
        PICTURES[0]
    )
}

fn phases(summary: &Summary) -> String {
    let mut text =
        "## Where compile time goes\n\nMeans over the suite in a warm process, in µs; `parse` \
        is reading the text and counts for nothing else on this page.\n\n"
            .to_owned();
    for backend in summary.backends() {
        let steps = kernels::steps(|step| {
            summary.mean_of(FORM, backend, |standing| standing.phases.get(step).copied())
        });
        if !steps.is_empty() {
            let _ = writeln!(text, "- {backend}: {steps}");
        }
    }
    text + "\n"
}

fn throughput(summary: &Summary) -> String {
    let inputs = summary.generated();
    let titles: Vec<String> = inputs
        .iter()
        .flat_map(|input| {
            [format!("{}, ms", name_of(input)), "ns an instruction".into(), "memory, MiB".into()]
        })
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let rows = summary.backends().into_iter().map(|backend| {
        let cells = inputs.iter().flat_map(|input| {
            let standing = summary.standing(input, backend);
            let time = standing.and_then(|standing| standing.cold_compile);
            let memory = standing.and_then(|standing| standing.memory);
            let count = match input {
                Input::Generated { instructions, .. } => *instructions as f64,
                _ => 0.0,
            };
            [
                time.map(|time| time / 1e6),
                time.map(|time| time / count),
                memory.map(|kib| kib / 1024.0),
            ]
        });
        (backend.to_owned(), cells.collect())
    });
    format!(
        "## Large modules\n\nGenerated in our text; LLVM gets what `brolga export` makes of it. Each of the \
         many functions has a loop and calls the one before, so that LLVM's inliner has work to do, \
         and grows the code; the long one branches in every eighth instruction. Each time \
         in a fresh process, whose memory has the text and the module in it; LLVM at `-O1` and above \
         once. Instructions are those \
         of our text.\n\n{}\n",
        table("", &titles, rows)
    )
}

fn every_kernel(summary: &Summary) -> String {
    format!(
        "## Every kernel\n\nRatios of run times, handed over as SSA. Compile times by step, code and \
         memory of each kernel in both forms are on [a page of their own](benchmarks-kernels.md).\n\n{}\n",
        kernels::section(summary)
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

fn method(machine: &Machine, summary: &Summary) -> String {
    let noise = match (summary.spread(0.5), summary.spread(0.9)) {
        (Some(half), Some(most)) => format!(
            "Between the rounds of this run the fastest calls of a race differ by {} % or less in half \
             of all races, and by {} % or less in nine of ten.",
            number((half - 1.0) * 100.0),
            number((most - 1.0) * 100.0)
        ),
        _ => "This run had one round, so that nothing is known of its noise.".to_owned(),
    };
    format!(
        "## Method\n\nEvery race is a process of its own; the back ends take turns on each input, another \
         one first in each of {} rounds. A run time is that of the fastest call of all rounds, a \
         compile time the median of the rounds. {noise} Differences under 8 % in one kernel, or 3 % \
         in a mean, say nothing even on a quiet machine. Means are geometric, over what ran: see \
         [what did not](#what-did-not-run). Ours and `cranelift` are built with the profile \
         `measured`: optimised as one program.\n\n\
         Compile time goes from the module in memory to code that can be called. Setting up an \
         engine is not in it, but in the time from the start of the process to the first result, \
         which has reading the text in it, too. Memory is the most that the process had needed \
         when its code was there, the program itself and, in its rows, LLVM's library included.\n\n\
         The interpreter runs a 64th of the work, and its times are multiplied. Levels of ours are \
         as an embedder gets them who says nothing else: guards of the stack, and polls where the \
         program has some, which no kernel has; `brolga-O2-polls` polls in each round of a loop and \
         at entries, too, and `brolga-O2-bare` has neither. `cranelift` is \
         `cranelift-jit`, given the text that our own lowering hands to its back end at `O0`, so that \
         none of our optimisations are in it, and without \
         the entry guards that ours puts in front; `native` is `clang -O2 -march=native` or `rustc -O \
         -C target-cpu=native` in a process, an opened library, and each kernel's own source. \
         C becomes LLVM's text by `clang -O2 -march=native -Xclang -disable-llvm-passes`, Rust by \
         `rustc -C opt-level=3 -C no-prepopulate-passes -C target-cpu=native`; `sroa` by LLVM's \
         `opt`. LLVM in the process is ORC with the host's processor and features and the options \
         of clang; `llvm-O2-128` is held to vectors of 128 bits, as by `-mprefer-vector-width=128`, \
         and `llvm-O2-scalar` to none, as by `-fno-vectorize -fno-slp-vectorize`. {}\n\n\
         Not here, though a user could choose them: wasmtime, V8 and other runtimes of \
         WebAssembly, MIR, TPDE, libgccjit, QBE and LuaJIT. Each needs a toolchain or a front end \
         of its own.\n\n\
         The kernels are in `benches/kernels`; [benches/README.md](../benches/README.md) tells how \
         to run all of this.\n",
        machine.rounds, machine.same_code
    )
}

fn trade_picture(summary: &Summary) -> String {
    let series = summary.choices().into_iter().filter(|&name| name != "interpreter");
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

#[cfg(test)]
mod tests;
