//! The table against the back end: what it compiles, what it refuses, and
//! whether what it compiles is right.

mod functions;
mod inputs;
mod model;
#[cfg(all(target_arch = "x86_64", unix))]
mod native;

use std::fmt;

use super::*;
use crate::target::{Isa, IsaOptions, Shape};
use functions::{Outcome, compile};

/// One instruction to try: a primitive, at types, with one of its variants
/// (predicate, kind of update, lane or mask).
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) primitive: Primitive,
    pub(super) from: MachineType,
    pub(super) to: MachineType,
    pub(super) variant: usize,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} -> {} #{}", self.primitive, self.from, self.to, self.variant)
    }
}

impl Trial {
    /// Every trial that the table says something about.
    fn all() -> Vec<Trial> {
        let mut trials = Vec::new();
        for &primitive in Primitive::ALL {
            for &from in MachineType::ALL {
                for &to in MachineType::ALL {
                    if ROWS.iter().any(|row| covers(row, primitive, from, to)) {
                        let variants = 0..functions::variants(primitive, from);
                        trials.extend(variants.map(|variant| Trial {
                            primitive,
                            from,
                            to,
                            variant,
                        }));
                    }
                }
            }
        }
        trials
    }
}

fn covers(row: &Row, primitive: Primitive, from: MachineType, to: MachineType) -> bool {
    row.primitives.contains(&primitive)
        && row.from.contains(from)
        && row.to.map_or(from == to, |types| types.contains(to))
}

/// Targets among which every feature that the table asks for comes and goes.
const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-gnu/x86-64",
    "x86_64-unknown-linux-gnu/x86-64,+sse3",
    "x86_64-unknown-linux-gnu/x86-64,+ssse3",
    "x86_64-unknown-linux-gnu/x86-64,+sse4.1",
    "x86_64-unknown-linux-gnu/x86-64,+cx16",
    "x86_64-unknown-linux-gnu/x86-64-v2",
    "x86_64-unknown-linux-gnu/x86-64,+avx",
    "x86_64-unknown-linux-gnu/x86-64,+fma",
    "x86_64-unknown-linux-gnu/x86-64-v3",
    "x86_64-unknown-linux-gnu/x86-64-v4",
    "x86_64-unknown-linux-gnu/sapphirerapids",
    "aarch64-unknown-linux-gnu/generic",
    "aarch64-unknown-linux-gnu/neoverse-n1",
    "aarch64-apple-darwin/apple-m1",
];

fn isa(target: &str) -> Isa {
    Isa::new(TargetSpec::parse(target).unwrap(), IsaOptions::default()).unwrap()
}

#[test]
fn at_most_one_row_answers() {
    for &primitive in Primitive::ALL {
        for &from in MachineType::ALL {
            for &to in MachineType::ALL {
                let rows = ROWS.iter().filter(|row| covers(row, primitive, from, to)).count();
                assert!(rows <= 1, "{rows} rows for {primitive:?} {from} -> {to}");
            }
        }
    }
}

#[test]
fn the_index_finds_what_a_search_of_the_rows_finds() {
    for &primitive in Primitive::ALL {
        for &from in MachineType::ALL {
            for &to in MachineType::ALL {
                let found = ROWS.iter().position(|row| covers(row, primitive, from, to));
                let known = INDEX[primitive as usize][from as usize][to as usize];
                assert_eq!(found.unwrap_or(usize::from(u8::MAX)), usize::from(known));
            }
        }
    }
}

#[test]
fn every_primitive_has_a_row() {
    for &primitive in Primitive::ALL {
        assert!(ROWS.iter().any(|row| row.primitives.contains(&primitive)), "{primitive:?}");
    }
}

#[test]
fn the_shape_of_a_primitive_says_whether_its_rows_name_two_types() {
    let two_types =
        |shape| matches!(shape, Shape::Convert | Shape::Narrow | Shape::Join | Shape::Split);
    for row in ROWS {
        for primitive in row.primitives {
            assert_eq!(row.to.is_some(), two_types(primitive.shape()), "{primitive:?}");
        }
    }
}

#[test]
fn what_is_done_lane_by_lane_is_not_so_for_one_lane() {
    for trial in Trial::all().iter().filter(|trial| trial.from.is_vector()) {
        for target in TARGETS {
            let target = TargetSpec::parse(target).unwrap();
            let by_lane = Support::Expand(Expansion::PerLane);
            let byte_moves = [Primitive::Shuffle, Primitive::Swizzle];
            if support(&target, trial.primitive, trial.from, trial.to) == by_lane
                && !byte_moves.contains(&trial.primitive)
            {
                let (from, to) = (trial.from.lane(), trial.to.lane());
                let of_lane = support(&target, trial.primitive, from, to);
                assert!(of_lane != by_lane && of_lane != Support::Absent, "{trial} on {target}");
            }
        }
    }
}

#[test]
fn the_back_end_compiles_what_is_native_and_nothing_else() {
    let trials = Trial::all();
    let host = Isa::host(IsaOptions::default()).unwrap();
    for isa in TARGETS.iter().map(|target| isa(target)).chain([host]) {
        let target = isa.spec();
        for trial in &trials {
            let native = support(isa.spec(), trial.primitive, trial.from, trial.to);
            match (native, compile(&isa, trial)) {
                (Support::Native, Outcome::Code { traps, .. }) => {
                    assert_eq!(traps, trial.primitive.can_trap(), "traps of {trial} on {target}");
                }
                (Support::Native, refused) => panic!("{trial} on {target}: {refused:?}"),
                (_, Outcome::Code { .. }) => panic!("{trial} compiles on {target} after all"),
                (_, _) => {}
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
#[test]
fn native_code_computes_what_the_model_says() {
    let host = TargetSpec::host().unwrap();
    for target in TARGETS {
        let isa = isa(target);
        if !isa.spec().runs_on(&host) {
            continue;
        }
        let mut cases = 0;
        for trial in Trial::all() {
            if support(isa.spec(), trial.primitive, trial.from, trial.to) == Support::Native {
                cases += native::check(&isa, &trial);
            }
        }
        assert!(cases > 50_000, "{target}: only {cases} cases");
    }
}
