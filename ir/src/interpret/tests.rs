use super::*;
use crate::op::Op;
use crate::text::{example_module, parse_module};

mod accesses;
mod broken;
mod c_deeds;
mod c_functions;
mod c_models;
mod examples;
mod exceptions;
mod hosts;
mod limits;
mod linking;
mod memory;
mod programs;
mod promises;

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// What `@main` gives.
fn run(text: &str) -> Result<Vec<Datum>, CallError> {
    let module = module(text);
    Interpreter::new(&[&module]).unwrap().call("main", &[])
}

/// What `@main` gives: one number.
fn run_int(text: &str) -> i64 {
    let results = run(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(results.len(), 1, "{text}");
    results[0].bits() as i64
}

/// The trap that `@main` runs into.
fn trap(text: &str) -> Trap {
    trap_of(run(text))
}

fn trap_of(result: Result<Vec<Datum>, CallError>) -> Trap {
    match result {
        Err(CallError::Trap(trap)) => *trap,
        other => panic!("{other:?}"),
    }
}

fn detail(trap: &Trap) -> &str {
    trap.detail.as_deref().unwrap_or("")
}

fn ints(values: &[i64]) -> Vec<Datum> {
    values.iter().map(|&value| Datum::from(value)).collect()
}
