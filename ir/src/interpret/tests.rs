use super::*;
use crate::text::{example_module, parse_module};

mod examples;
mod programs;

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// What `@main` gives.
fn run(text: &str) -> Result<Vec<Datum>, CallError> {
    let module = module(text);
    Interpreter::new(&[&module]).unwrap().call("main", &[])
}

/// The trap that `@main` runs into.
fn trap(text: &str) -> Trap {
    match run(text) {
        Err(CallError::Trap(trap)) => *trap,
        other => panic!("{other:?}\n{text}"),
    }
}

fn ints(values: &[i64]) -> Vec<Datum> {
    values.iter().map(|&value| Datum::from(value)).collect()
}
