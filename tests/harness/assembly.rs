//! `asm`: which machine instructions a function is made of, or one of its loops.

use brolga_ir::text::{Assembly, AssemblyPart};
use brolga_lowering::emit::{Compiler, Listing};
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

use super::file::TestFile;

/// Every `asm` of the file holds of the code that its function becomes.
pub(crate) fn assembly(file: &TestFile) -> Result<(), String> {
    let mut failures = String::new();
    for (line, said) in file.assembly() {
        let fault = match listed(file, said) {
            Ok(listing) => fault_of(&listing, said),
            Err(fault) => Some(fault),
        };
        if let Some(fault) = fault {
            failures.push_str(&format!("{}:{line}: {fault}\n", file.path));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

/// The machine code of the function, as text.
fn listed(file: &TestFile, said: &Assembly) -> Result<String, String> {
    let module = file.module()?;
    let id = module.function_named(&said.function).ok_or("there is no such function")?;
    let target = TargetSpec::parse(&said.target).map_err(|error| error.to_string())?;
    let isa = Isa::new(target, IsaOptions::default()).map_err(|error| error.to_string())?;
    let options = LowerOptions::default();
    Compiler::new()
        .list_function(&module, id, &isa, &options, Listing::Assembly)
        .map_err(|error| error.to_string())
}

/// What is not as the directive says.
fn fault_of(listing: &str, said: &Assembly) -> Option<String> {
    let lines: Vec<&str> = listing.lines().map(str::trim).collect();
    let parts = match said.part {
        AssemblyPart::Function => vec![lines.as_slice()],
        AssemblyPart::Loop => innermost_loops(&lines),
    };
    if parts.iter().any(|part| holds(part, said)) {
        return None;
    }
    let shown: Vec<String> = parts.iter().map(|part| part.join("\n")).collect();
    Some(format!("no such code in:\n{}", shown.join("\n\n")))
}

fn holds(lines: &[&str], said: &Assembly) -> bool {
    let is_there = |word: &String| lines.iter().any(|line| mnemonic(line) == word);
    let branches = lines.iter().filter(|line| is_branch(line)).count();
    said.has.iter().all(is_there)
        && !said.lacks.iter().any(is_there)
        && said.branches.is_none_or(|count| count as usize == branches)
        && said.loops.is_none_or(|count| count as usize == innermost_loops(lines).len())
}

fn mnemonic(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

/// Whether a line goes one of two ways: on, to a label or into a trap.
fn is_branch(line: &str) -> bool {
    let is_jump = mnemonic(line).starts_with('j') && mnemonic(line) != "jmp";
    is_jump || line.matches("label").count() == 2
}

/// The lines from each block to the last jump back to it, where no other such lines are
/// among them.
fn innermost_loops<'a>(lines: &'a [&'a str]) -> Vec<&'a [&'a str]> {
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(number) = line.strip_prefix("block").and_then(|it| it.strip_suffix(':')) else {
            continue;
        };
        let label = format!("label{number}");
        let names_it = |line: &&str| line.split([' ', ';', ',']).any(|word| word == label);
        if let Some(end) = lines.iter().rposition(names_it).filter(|&end| end > start) {
            loops.push((start, end));
        }
    }
    let is_in = |a: &(usize, usize), b: &(usize, usize)| a != b && a.0 >= b.0 && a.1 <= b.1;
    let innermost = loops.iter().filter(|outer| !loops.iter().any(|inner| is_in(inner, outer)));
    innermost.map(|&(start, end)| &lines[start..=end]).collect()
}
