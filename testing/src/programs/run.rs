//! A program run in both ways, and what is different.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::build::Built;
use super::packages::Packages;
use super::table::Program;
use crate::process::{self, Ended, Invocation, Limits, Outcome};

/// Far more than any run takes.
const LIMITS: Limits = Limits { time: Duration::from_secs(300), memory: 16 << 10, output: 256 };

/// How a program went at a level.
#[derive(Debug)]
pub(super) struct Row {
    name: &'static str,
    lines: usize,
    optimisation: &'static str,
    level: &'static str,
    clang: Duration,
    load: Duration,
    run: Duration,
    /// The first thing that is not as clang's build has it.
    pub(super) difference: Option<String>,
}

impl Row {
    /// What stands above the rows.
    pub(super) fn heading() -> String {
        format!(
            "{:12} {:>7} {:>4} {:>5} {:>8} {:>8} {:>8}\n",
            "program", "lines", "opt", "level", "clang s", "load s", "run s"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { name, lines, optimisation, level, .. } = self;
        let [clang, load, run] = [self.clang, self.load, self.run].map(|time| time.as_secs_f64());
        write!(
            f,
            "{name:12} {lines:>7} {:>4} {:>5}",
            format!("-O{optimisation}"),
            format!("O{level}")
        )?;
        write!(f, " {clang:>8.2} {load:>8.2} {run:>8.2}  ")?;
        match &self.difference {
            None => writeln!(f, "same"),
            Some(difference) => writeln!(f, "DIFFERS: {difference}"),
        }
    }
}

/// Runs all that a program has to do, at one level and as clang built it.
pub(super) fn run(
    program: &Program,
    built: &Built,
    level: &'static str,
    packages: &Packages,
    folder: &Path,
) -> Result<Row, String> {
    let mut row = Row {
        name: program.name,
        lines: built.lines,
        optimisation: built.optimisation,
        level,
        clang: built.took,
        load: Duration::ZERO,
        run: Duration::ZERO,
        difference: None,
    };
    for (index, arguments) in program.runs.iter().enumerate() {
        let words = arguments.iter().map(|word| packages.word(word));
        let words: Vec<String> = words.collect::<Result<_, _>>()?;
        let native = Invocation::new(&built.executable, words.iter().cloned());
        let expected = ended(&native, folder, &format!("{index}-clang"))?;
        let mut whole = vec!["run".to_owned(), format!("-O{level}"), "--time".to_owned()];
        whole.extend(["--link", "libc", "--link", "libm"].map(str::to_owned));
        whole.extend(built.texts.iter().map(|text| text.display().to_string()));
        whole.push("--".to_owned());
        whole.extend(words);
        let ours = Invocation::new(process::command()?, whole);
        let found = ended(&ours, folder, &format!("{index}-O{level}"))?;
        let (load, run) = times(&String::from_utf8_lossy(&found.errors));
        row.load += load;
        row.run += run;
        row.difference = row.difference.or_else(|| difference(&expected, &found));
    }
    Ok(row)
}

/// Runs a process in an empty folder; what it writes is kept beside that for people to look at.
fn ended(invocation: &Invocation, folder: &Path, name: &str) -> Result<Ended, String> {
    let scratch = folder.join("scratch");
    let said = |error: std::io::Error| format!("{}: {error}\n", folder.display());
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(said)?;
    }
    fs::create_dir(&scratch).map_err(said)?;
    let ended = invocation.run(&scratch, &LIMITS).map_err(said)?;
    fs::write(folder.join(format!("{name}.out")), &ended.output).map_err(said)?;
    fs::write(folder.join(format!("{name}.err")), &ended.errors).map_err(said)?;
    Ok(ended)
}

/// How long loading and running took, by what `--time` prints: a step and its milliseconds
/// on each line.
fn times(text: &str) -> (Duration, Duration) {
    let time = |name: &str| {
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let is_wanted = words.next() == Some(name);
            let milliseconds: f64 = words.next().filter(|_| is_wanted)?.parse().ok()?;
            Duration::try_from_secs_f64(milliseconds / 1e3).ok()
        })
    };
    let run = time("run").unwrap_or_default();
    (time("total").unwrap_or_default().saturating_sub(run), run)
}

/// What the program itself wrote to standard error: `--time` writes behind it.
fn said(errors: &[u8]) -> &[u8] {
    let table = b"parse  ";
    let starts = errors.windows(table.len()).enumerate().rev();
    let mut starts = starts.filter(|&(at, bytes)| {
        bytes == table && at.checked_sub(1).is_none_or(|before| errors[before] == b'\n')
    });
    starts.next().map_or(errors, |(at, _)| &errors[..at])
}

/// The first difference of exit code, output, and what was written to standard error.
fn difference(expected: &Ended, found: &Ended) -> Option<String> {
    let is_ended = expected.outcome != Outcome::TimedOut && expected.outcome == found.outcome;
    if is_ended && expected.output == found.output {
        let [wanted, said] =
            [&expected.errors[..], said(&found.errors)].map(String::from_utf8_lossy);
        let difference = || format!("it says `{:.160}` instead of `{:.160}`", said, wanted);
        return (wanted != said).then(difference);
    }
    let mut text = String::new();
    if !is_ended {
        let errors = String::from_utf8_lossy(&found.errors);
        let errors: Vec<&str> = errors.lines().take(6).collect();
        let [wanted, ending] = [expected, found].map(|ended| ending(ended.outcome));
        text = format!("{ending} instead of {wanted}: {}; ", errors.join(" | "));
    }
    let [wanted, output] = [expected, found].map(|ended| ended.output.split(|&byte| byte == b'\n'));
    let (wanted, output): (Vec<_>, Vec<_>) = (wanted.collect(), output.collect());
    let at = (0..wanted.len().max(output.len())).find(|&i| wanted.get(i) != output.get(i));
    if let Some(at) = at {
        let shown = |lines: &[&[u8]]| match lines.get(at) {
            Some(line) => format!("`{:.120}`", String::from_utf8_lossy(line)),
            None => "the end".to_owned(),
        };
        text += &format!("line {}: {} instead of {}", at + 1, shown(&output), shown(&wanted));
    }
    Some(text)
}

fn ending(outcome: Outcome) -> String {
    match outcome {
        Outcome::Exited(code) => format!("exit code {code}"),
        Outcome::Signalled(signal) => format!("signal {signal}"),
        Outcome::TimedOut => "no end".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_table() {
        let text =
            "note\nparse         10.000 ms\nrun            2.500 ms\ntotal        112.500 ms";
        assert_eq!(times(text), (Duration::from_millis(110), Duration::from_micros(2500)));
        assert_eq!(times("run away"), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn standard_error_is_compared_without_the_times_behind_it() {
        let ended = |errors: &[u8]| Ended {
            outcome: Outcome::Exited(0),
            output: Vec::new(),
            errors: errors.to_vec(),
        };
        let first = ended(b"no parse  here\n");
        assert_eq!(difference(&first, &ended(b"no parse  here\nparse    1.000 ms\ntotal")), None);
        let told = difference(&first, &ended(b"parse    1.000 ms\ntotal")).unwrap_or_default();
        assert!(told.starts_with("it says `` instead of `no parse"), "{told}");
    }

    #[test]
    fn the_first_line_that_differs_is_told() {
        let ended =
            |outcome, output: &[u8]| Ended { outcome, output: output.to_vec(), errors: Vec::new() };
        let first = ended(Outcome::Exited(0), b"same\none\n");
        let told = |other| difference(&first, &other).unwrap_or_default();
        assert_eq!(difference(&first, &first), None);
        assert_eq!(
            told(ended(Outcome::Exited(0), b"same\nother\n")),
            "line 2: `other` instead of `one`"
        );
        let three = told(ended(Outcome::Exited(3), b"same\none\n"));
        assert!(three.starts_with("exit code 3 instead of exit code 0"), "{three}");
        let endless = ended(Outcome::TimedOut, b"");
        assert!(difference(&endless, &endless).is_some(), "nobody knows what would have come");
    }
}
