//! Races that were made up, so that every number on a page is known.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::record::{Input, Record, Records, Temperature};
use super::summary::FORM;
use crate::race::{Lap, Rung};

pub(super) fn lap(compile_us: u64, run_us: u64, checksum: &str) -> Lap {
    Lap {
        compile_ns: compile_us * 1000,
        phases: BTreeMap::from([("emit".to_owned(), compile_us * 1000)]),
        code_bytes: 100,
        rss_compile_kb: 2048,
        first_abs_ns: 0,
        first_ns: run_us * 1000,
        run_ns: vec![run_us * 1000 + 5, run_us * 1000],
        checksum: checksum.to_owned(),
        rungs: [0, 2].map(|n| rung(n, (compile_us + n as u64 * run_us) * 1000)).to_vec(),
    }
}

/// What everybody agrees upon.
pub(super) fn rung(n: i64, took_ns: u64) -> Rung {
    Rung { n, took_ns, checksum: "1".to_owned() }
}

pub(super) fn record(name: &str, backend: &str, outcome: Result<Lap, String>) -> Record {
    let input = Input::Kernel { name: name.to_owned(), form: FORM.to_owned() };
    let (temperature, backend) = (Temperature::Warm, backend.to_owned());
    Record { input, backend, temperature, round: 0, n: 1, first_result_ns: 0, outcome }
}

pub(super) fn records(races: Vec<Record>) -> Records {
    let machine = Machine {
        processor: "A processor".to_owned(),
        threads: 4,
        memory: 1000,
        system: "A system".to_owned(),
        load: "0.00".to_owned(),
        scheduling: "ordinary scheduling".to_owned(),
        date: "2001-01-01".to_owned(),
        versions: Vec::new(),
        rounds: 1,
        same_code: "It is the same.".to_owned(),
    };
    Records { machine, races }
}
