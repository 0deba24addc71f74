//! `cargo xtask linear`: whether compiling takes work in proportion to size,
//! counted in instructions of the processor by Valgrind, not in seconds.

use std::process::{Command, Stdio};

/// Twice the size may take this many times the work: 2, and logarithms.
const MOST_GROWTH: f64 = 2.3;

/// What is compiled, and the sizes, each twice the one before.
const SHAPES: [(&str, [u64; 2]); 2] =
    [("function", [50_000, 100_000]), ("module", [5_000, 10_000])];

/// Counts every shape at every size.
pub(crate) fn check() -> Result<(), String> {
    let program = build()?;
    let mut faults = String::new();
    for (shape, sizes) in SHAPES {
        let mut before = None;
        for size in sizes {
            let work = count(&program, shape, size)?;
            let growth = before.map(|before: u64| work as f64 / before as f64);
            let shown = growth.map_or_else(String::new, |growth| format!(", {growth:.2} times"));
            println!("{shape} of {size}: {work} instructions{shown}");
            if growth.is_some_and(|growth| growth > MOST_GROWTH) {
                faults += &format!("{shape} of {size}: more than {MOST_GROWTH} times the half\n");
            }
            before = Some(work);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Builds the program whose work is counted, and gives its path.
fn build() -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["build", "--package=brolga-benches", "--example=compile_work"];
    let built = Command::new(cargo)
        .args(arguments)
        .arg("--message-format=json")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not start: {error}\n"))?;
    let messages = String::from_utf8_lossy(&built.stdout);
    let line = messages.lines().find(|line| {
        line.contains("\"name\":\"compile_work\"") && line.contains("\"executable\":\"")
    });
    let path = line.and_then(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
    path.map(str::to_owned).ok_or_else(|| "the program to count was not built\n".to_owned())
}

/// How many instructions the processor executes.
fn count(program: &str, shape: &str, size: u64) -> Result<u64, String> {
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program, shape])
        .arg(size.to_string())
        .output()
        .map_err(|error| format!("valgrind does not start, install it: {error}\n"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    let counted =
        said.lines().find_map(|line| line.split("Collected : ").nth(1)?.trim().parse().ok());
    match counted {
        Some(work) if run.status.success() => Ok(work),
        _ => Err(format!("{shape} of {size} was not counted:\n{said}")),
    }
}
