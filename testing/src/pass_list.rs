//! Lists of passes to try on programs: random ones, and those that somebody asks for, behind
//! what must have run before them.

mod command;
mod coverage;

use brolga_ir::reduce::minimal_list;
use brolga_lowering::pipeline::{Duty, PASSES, Pass};

use crate::random::Random;

pub use command::{Request, Task, USAGE, answer, coverage, parse};
pub use coverage::{Counted, Coverage, Reached};

/// The most passes of a random list beside those that are required.
const MOST_MORE: usize = 24;

/// How often of a hundred times one of them is a required one once more.
const REQUIRED_AGAIN: usize = 10;

/// A list of passes in a random order: all that are required, in their order, and between
/// them others, some several times, some not at all. Each keeps the side of those that are
/// required on which the table has it, and what must run before it does, if it runs at all.
pub fn random_list(random: &mut Random) -> Vec<&'static Pass> {
    let mut list: Vec<&'static Pass> = required(PASSES).collect();
    let optional: Vec<usize> =
        (0..PASSES.len()).filter(|&index| PASSES[index].duty != Duty::Required).collect();
    for _ in 0..random.below(MOST_MORE + 1) {
        let again = optional.is_empty() || random.percent(REQUIRED_AGAIN);
        let index = if again { random.below(PASSES.len()) } else { random.pick(&optional) };
        let (low, high) = places(&list, index);
        if low <= high {
            list.insert(random.between(low, high), &PASSES[index]);
        }
    }
    list
}

/// The first and the last place of a list at which the row of that index may be put; the
/// first is behind the last where there is none.
fn places(list: &[&'static Pass], index: usize) -> (usize, usize) {
    let row = &PASSES[index];
    let place = |wanted: &'static Pass| list.iter().position(|&pass| std::ptr::eq(pass, wanted));
    // The row itself, too: it may stand there already, and run again behind that.
    let before = required(&PASSES[..=index]).last().and_then(place).map_or(0, |at| at + 1);
    let behind = required(&PASSES[index + 1..]).next().and_then(place).unwrap_or(list.len());
    let after = row.after.iter().filter_map(|name| list.iter().position(|it| it.name == *name));
    let low = after.map(|at| at + 1).chain([before]).max().unwrap_or(0);
    let known = list.iter().position(|pass| pass.name == row.name).unwrap_or(list.len());
    let wants = list.iter().position(|pass| pass.after.contains(&row.name));
    // Behind what wants it only where it has run before that.
    let high = wants.filter(|&at| at < known).map_or(behind, |at| at.min(behind));
    (low, high)
}

fn required(rows: &'static [Pass]) -> impl Iterator<Item = &'static Pass> {
    rows.iter().filter(|pass| pass.duty == Duty::Required)
}

/// A list behind what is required before its first pass has its place in the table; the list
/// itself if it has such passes of its own.
pub fn behind_required(list: &[&'static Pass]) -> Vec<&'static Pass> {
    let has_own = list.iter().any(|pass| pass.duty == Duty::Required);
    let first = PASSES.iter().position(|row| list.iter().any(|&pass| std::ptr::eq(pass, row)));
    match first {
        Some(first) if !has_own => required(&PASSES[..first]).chain(list.iter().copied()).collect(),
        _ => list.to_vec(),
    }
}

/// As few of the passes, in their order, as are needed for `shows` to say yes. Each stays behind
/// what is required before it: without that, what it finds is no code that it must know, and
/// what goes wrong is another fault.
pub fn shortest_list(
    list: &[&'static Pass],
    shows: &mut dyn FnMut(&[&'static Pass]) -> bool,
) -> Vec<&'static Pass> {
    minimal_list(list, &mut |some| has_required(some) && shows(some))
}

/// Whether each pass stands behind those that the table requires before it.
fn has_required(list: &[&'static Pass]) -> bool {
    list.iter().enumerate().all(|(at, &pass)| {
        let place = PASSES.iter().position(|row| std::ptr::eq(row, pass)).unwrap_or(0);
        let stands = |wanted: &Pass| list[..at].iter().any(|&it| std::ptr::eq(it, wanted));
        required(&PASSES[..place]).all(stands)
    })
}

/// The list as the command takes it.
pub fn spelled(list: &[&Pass]) -> String {
    list.iter().map(|pass| pass.spelling()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests;
