//! Compiling what a trace names before anybody calls it.

use std::sync::Arc;

use brolga_lifecycle::resolve::{self, Functions, Goal, Unresolved};
use brolga_lifecycle::trace::{self, Line};
use rustc_hash::{FxHashMap, FxHashSet};

use super::shared::Shared;
use crate::error::PrecompileError;
use crate::link::Source;
use crate::runtime::ThreadEntry;

/// What came of the functions that a trace names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Precompiled {
    /// How many have code by now.
    pub compiled: usize,
    /// How many are not defined.
    pub absent: usize,
    /// How many are defined with another signature alone.
    pub changed: usize,
    /// How many cannot be compiled.
    pub refused: usize,
}

/// The functions of one name in a library: their numbers, and their signatures as text.
type Known = FxHashMap<[Box<str>; 2], Vec<(u32, String)>>;

/// Compiles what a trace names.
pub(super) fn precompile(shared: &Arc<Shared>, text: &str) -> Result<Precompiled, PrecompileError> {
    let lines = trace::read(text)?;
    let known = find(shared, &lines);
    let (mut seen, mut precompiled) = (FxHashSet::default(), Precompiled::default());
    for line in &lines {
        if seen.insert((&line.library, &line.function, &line.signature)) {
            *compile(shared, &known, line)?.count(&mut precompiled) += 1;
        }
    }
    Ok(precompiled)
}

/// What came of one function.
#[derive(Clone, Copy)]
enum Outcome {
    Compiled,
    Absent,
    Changed,
    Refused,
}

impl Outcome {
    fn count(self, precompiled: &mut Precompiled) -> &mut usize {
        match self {
            Outcome::Compiled => &mut precompiled.compiled,
            Outcome::Absent => &mut precompiled.absent,
            Outcome::Changed => &mut precompiled.changed,
            Outcome::Refused => &mut precompiled.refused,
        }
    }
}

/// What the names in a trace mean by now. Local functions of several modules may have one name.
fn find(shared: &Shared, lines: &[Line]) -> Known {
    let names = lines.iter().map(|line| [line.library.clone(), line.function.clone()]);
    let mut known: Known = names.map(|name| (name, Vec::new())).collect();
    let numbers: Vec<u32> = shared.symbols().numbers.all().collect();
    for number in numbers {
        let Some((source, _)) = shared.life(number).source() else { continue };
        if matches!(source, Source::Continuation(..) | Source::Elsewhere) {
            continue;
        }
        let symbols = shared.symbols();
        let Some(library) = symbols.library(number) else { continue };
        let name = [symbols.names.library_name(library).into(), shared.name_of(number)];
        if let Some(functions) = known.get_mut(&name) {
            functions.push((number, symbols.signature_text(number)));
        }
    }
    known
}

fn compile(shared: &Arc<Shared>, known: &Known, line: &Line) -> Result<Outcome, PrecompileError> {
    let functions = known.get(&[line.library.clone(), line.function.clone()]);
    let Some(functions) = functions.filter(|functions| !functions.is_empty()) else {
        return Ok(Outcome::Absent);
    };
    let mut outcome = Outcome::Changed;
    for (number, _) in functions.iter().filter(|(_, signature)| **signature == *line.signature) {
        let entry = ThreadEntry::of(&shared.environment).ok_or(PrecompileError::NoThread)?;
        let stay = entry.stay(&shared.environment);
        let goal = Goal::FirstAt(line.tier);
        outcome = match resolve::resolve_for(&**shared, stay.caller(), *number, goal) {
            Ok(_) => Outcome::Compiled,
            Err(Unresolved::Undefined(_)) => Outcome::Absent,
            Err(Unresolved::Failed(_) | Unresolved::Cycle(_)) => Outcome::Refused,
        };
    }
    Ok(outcome)
}
